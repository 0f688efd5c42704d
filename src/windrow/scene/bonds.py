"""Bonds: what glues grains together until it breaks."""

from __future__ import annotations

import math
from typing import Annotated, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from windrow.scene.arrays import (
    ArrayOf,
    Index,
    IntArray,
    NonNegative,
    Positive,
    PositiveOrInfinite,
    plain_number,
)
from windrow.scene.part import Part

Pairs = Annotated[IntArray, ArrayOf(((None, 2),), kind="int", minimum=0, maximum=2**31 - 1, shortest=1)]


class Bonds(Part):
    """Elastic beams between grains: either between all near ones of a source, or between given pairs.

    A bond is a cylinder from centre to centre, as long as the grains are apart at the start. It carries tension,
    compression, shear, bending and twisting beside the contact of its grains, and breaks where the stress at its edge
    reaches a strength.
    """

    name: str = Field(default="", description="a label; readings name a group by its number")
    particles: Index | None = Field(
        default=None, description="number of the entry of `particles` whose grains are bonded; none: all grains"
    )
    reach: NonNegative = Field(
        default=0.2, description="gap up to which grains are bonded, over the smaller radius; unused with `pairs`"
    )
    pairs: Pairs | None = Field(default=None, description="ids of two grains each; none: all pairs within `reach`")
    young_modulus: Positive = Field(description="E of the beam, Pa; N/m along it: E A/length")
    poisson_ratio: Annotated[float, BeforeValidator(plain_number), Field(ge=0, lt=0.5)] = Field(
        default=0.25, description="nu: shear modulus G = E/(2 (1 + nu)), for shear and twisting"
    )
    radius_ratio: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=2)] = Field(
        default=1.0, description="radius of the beam, over that of the smaller grain"
    )
    tensile_strength: PositiveOrInfinite = Field(
        default=math.inf, description="Pa, of tension and bending together; inf: never breaks so"
    )
    shear_strength: PositiveOrInfinite = Field(
        default=math.inf, description="Pa, of shear and twisting together; inf: never breaks so"
    )
    damping_ratio: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1)] = Field(
        default=0.1, description="of critical damping, for each of its four springs"
    )

    @model_validator(mode="after")
    def _pairs_or_source(self) -> Self:
        if self.pairs is None:
            return self
        if self.particles is not None:
            raise ValueError("`pairs` and `particles` both say which grains are bonded; leave one of them out")
        same = np.flatnonzero(self.pairs[:, 0] == self.pairs[:, 1])
        if len(same):
            raise ValueError(f"pairs[{same[0]}] bonds grain {self.pairs[same[0], 0]} to itself; give two grains")
        return self
