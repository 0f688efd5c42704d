"""Grains a scene starts with: given one by one, or filled into a block, a column or a ball."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from windrow.fixed_math import cube
from windrow.scene.arrays import (
    ArrayOf,
    FloatArray,
    Fraction,
    GrainRadius,
    Length,
    Masses,
    NonNegative,
    Positions,
    Radii,
    Size3,
    Switches,
    Vector3,
    Velocities,
    Whole,
)
from windrow.scene.materials import Name
from windrow.scene.part import Part

MOST_GRAINS = 20_000_000
"""Grains in one scene; more are an error, not a wait."""


class RadiusRange(Part):
    """Radii evenly distributed by number."""

    min: GrainRadius = Field(description="m")
    max: GrainRadius = Field(description="m")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"min {self.min:g} m exceeds max {self.max:g} m")
        return self


class Grading(Part):
    """A few radii and the mass each has in the mixture, as a sieve analysis gives it."""

    radii: Annotated[FloatArray, ArrayOf(((None,),), minimum=1e-6, maximum=1e4, shortest=1)] = Field(
        description="m"
    )
    mass_fractions: Annotated[FloatArray, ArrayOf(((None,),), minimum=0, shortest=1)] = Field(
        description="relative masses, one per radius; they need not add up to 1"
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if len(self.radii) != len(self.mass_fractions):
            raise ValueError(
                f"{len(self.radii)} radii but {len(self.mass_fractions)} mass_fractions; give one per radius"
            )
        if not self.mass_fractions.sum() > 0:
            raise ValueError("mass_fractions are all 0; at least one must be more")
        return self

    def number_fractions(self) -> FloatArray:
        """Share of the grains, by number, that each radius has."""
        numbers = self.mass_fractions / self.mass_fractions.sum() / cube(self.radii / self.radii.max())
        return numbers / numbers.sum()


def _radius_form(value: Any) -> str:
    if isinstance(value, Grading) or (
        isinstance(value, Mapping) and {"radii", "mass_fractions"} & set(value)
    ):
        return "<grading>"
    return "<range>" if isinstance(value, Mapping | RadiusRange) else "<one>"


Radius = Annotated[
    Annotated[GrainRadius, Tag("<one>")]
    | Annotated[RadiusRange, Tag("<range>")]
    | Annotated[Grading, Tag("<grading>")],
    Discriminator(_radius_form),
]
"""One radius for all grains, a range, or a grading."""


def largest_radius(radius: float | RadiusRange | Grading) -> float:
    """m"""
    if isinstance(radius, RadiusRange):
        return radius.max
    if isinstance(radius, Grading):
        return float(radius.radii[radius.mass_fractions > 0].max())
    return radius


def smallest_radius(radius: float | RadiusRange | Grading) -> float:
    """m"""
    if isinstance(radius, RadiusRange):
        return radius.min
    if isinstance(radius, Grading):
        return float(radius.radii[radius.mass_fractions > 0].min())
    return radius


def mean_volume(radius: float | RadiusRange | Grading) -> float:
    """Mean volume of a grain, m³."""
    if isinstance(radius, RadiusRange):
        a, b = radius.min, radius.max
        mean_cube = (a + b) * (a * a + b * b) / 4
    elif isinstance(radius, Grading):
        mean_cube = float((radius.number_fractions() * cube(radius.radii)).sum())
    else:
        mean_cube = cube(radius)
    return 4 / 3 * np.pi * mean_cube


def sampled_radii(
    radius: float | RadiusRange | Grading, count: int, random: np.random.Generator
) -> FloatArray:
    """Radii (count,) of as many grains, m."""
    if isinstance(radius, RadiusRange):
        return random.uniform(radius.min, radius.max, count)
    if isinstance(radius, Grading):
        return random.choice(radius.radii, count, p=radius.number_fractions())
    return np.full(count, radius)


GivenColumns = dict[Name, Annotated[float | FloatArray, ArrayOf(((), (None,), (None, None)), shortest=1)]]
"""Values by the name of a column that the solver declares; it says what they must be."""


class Points(Part):
    """Grains given one by one."""

    kind: Literal["points"] = "points"
    position: Positions = Field(description="centres (n, 3), m")
    velocity: Velocities | None = Field(
        default=None, description="(n, 3), or one for all, m/s; none: at rest"
    )
    radius: Radii = Field(description="(n,), or one for all, m")
    mass: Masses | None = Field(
        default=None, description="(n,), or one for all, kg; none: from the material's density"
    )
    material: Name = Field(description="name of a material")
    pinned: Switches = Field(default=False, description="(n,), or one for all; true: never moves")
    columns: GivenColumns = Field(
        default_factory=dict, description="what the solver keeps of each grain, by name: (n, …), or one for all"
    )

    @model_validator(mode="after")
    def _one_row_per_grain(self) -> Self:
        count = len(self.position)
        for name in ("velocity", "radius", "mass", "pinned"):
            rows = getattr(self, name)
            per_grain = isinstance(rows, np.ndarray) and not (name == "velocity" and rows.ndim == 1)
            if per_grain and len(rows) != count:
                raise ValueError(
                    f"{count} positions but {len(rows)} rows of {name}; give one per grain, or one for all"
                )
        return self


class _Filling(Part):
    radius: Radius = Field(description="grain radius, m; or a range {min, max}; or a grading")
    packing: Literal["cubic", "hexagonal", "random", "dense"] = Field(
        default="cubic",
        description="a cubic lattice (45 % solid with grains of one size), a hexagonal one (64 %), random places that "
        "do not touch (28 %), or dense random ones that do (61 %)",
    )
    spacing: Length | None = Field(
        default=None,
        description="distance of lattice neighbours, m; none: 2.1 times the largest radius; not for random and dense",
    )
    jitter: Fraction = Field(default=0.05, description="random shift off the lattice, of the largest radius")
    velocity: Vector3 = Field(default=(0.0, 0.0, 0.0), description="m/s")
    velocity_spread: NonNegative = Field(
        default=0.0, description="each component is off by up to this, evenly distributed, m/s"
    )
    material: Name = Field(description="name of a material")
    count: Annotated[Whole, Field(ge=1, le=MOST_GRAINS)] | None = Field(
        default=None,
        description="stop after so many grains, filling layer by layer from below; none: fill it up",
    )

    columns: GivenColumns = Field(
        default_factory=dict, description="what the solver keeps of each grain, by name: one for all"
    )

    @model_validator(mode="after")
    def _spacing_without_overlap(self) -> Self:
        if self.spacing is not None and self.packing in ("random", "dense"):
            raise ValueError(f"spacing is for cubic and hexagonal packing; leave it out for {self.packing}")
        largest = largest_radius(self.radius)
        if self.spacing is not None and self.spacing < 2 * largest * (1 - 1e-9):
            raise ValueError(
                f"spacing {self.spacing:g} m lets grains overlap; "
                f"it must be at least twice the largest radius, {2 * largest:g} m"
            )
        return self

    @property
    def lattice_spacing(self) -> float:
        """Distance of lattice neighbours in use, m."""
        return self.spacing if self.spacing is not None else 2.1 * largest_radius(self.radius)


class Block(_Filling):
    """A box full of grains; every grain lies wholly inside of it."""

    kind: Literal["block"] = "block"
    lower: Vector3 = Field(description="lowest corner, m")
    size: Size3 = Field(description="edge lengths, m")


class Column(_Filling):
    """An upright cylinder full of grains; every grain lies wholly inside of it."""

    kind: Literal["column"] = "column"
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="middle of the base, m")
    column_radius: Length = Field(description="m")
    height: Length = Field(description="m")


class Ball(_Filling):
    """A sphere full of grains; every grain lies wholly inside of it."""

    kind: Literal["ball"] = "ball"
    position: Vector3 = Field(description="centre, m")
    ball_radius: Length = Field(description="m")
