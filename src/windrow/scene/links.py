"""Distance constraints between grains: what ropes, nets and cloth are made of."""

from __future__ import annotations

import math
from typing import Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Index, Length, NonNegative, PositiveOrInfinite
from windrow.scene.part import Part


class Link(Part):
    """Holds two grains at a distance; ids count the grains in the order of `particles`, from 0."""

    first: Index = Field(description="id of a grain")
    second: Index = Field(description="id of another grain")
    length: Length | None = Field(default=None, description="rest length, m; none: the distance at the start")
    stiffness: PositiveOrInfinite = Field(default=math.inf, description="N/m; inf: rigid")
    damping: NonNegative = Field(default=0.0, description="N·s/m")

    @model_validator(mode="after")
    def _joins_two(self) -> Self:
        if self.first == self.second:
            raise ValueError(f"links grain {self.first} to itself; first and second must differ")
        return self
