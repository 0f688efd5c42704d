"""What grains and walls are made of, and what two materials do to each other when they touch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Color, Density, NonNegative
from windrow.scene.part import Part
from windrow.scene.soils import soil_named

Name = Annotated[str, Field(min_length=1, max_length=100)]


class Material(Part):
    """Numbers of a grain or wall material; `soil = "dry_sand"` starts from a soil of the library."""

    density: Density = Field(default=1600.0, description="kg/m³ of the solid grain, not of the heap")
    friction_static: NonNegative = Field(
        default=0.6, description="Coulomb coefficient that starts sliding, –"
    )
    friction_kinetic: NonNegative = Field(
        default=0.5,
        description="Coulomb coefficient while sliding, –; at most friction_static, the same if left out",
    )
    adhesion: NonNegative = Field(default=0.0, description="pull per contact area, Pa")
    stiffness: NonNegative = Field(default=1e5, description="normal spring of a contact, N/m")
    damping: NonNegative = Field(default=150.0, description="normal damper of a contact, N·s/m")
    source: str = Field(default="", description="where the numbers come from")
    color: Color | None = Field(default=None, description="red, green, blue, each 0 to 1")
    soil: str | None = Field(
        default=None, description="soil of the library whose numbers fill the fields left out"
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_from_soil(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        filled = dict(data)
        if isinstance(filled.get("soil"), str):
            filled = soil_named(filled["soil"]).material_fields() | filled
        if "friction_static" in data and "friction_kinetic" not in data:
            filled["friction_kinetic"] = data["friction_static"]
        return filled

    @model_validator(mode="after")
    def _kinetic_below_static(self) -> Self:
        if self.friction_kinetic > self.friction_static:
            raise ValueError(
                f"friction_kinetic {self.friction_kinetic:g} exceeds friction_static "
                f"{self.friction_static:g}; a grain that slides is never held better than one at rest"
            )
        return self


class MaterialPair(Part):
    """Contact numbers of two materials where the mean of both is not right; fields left out keep the mean."""

    materials: tuple[Name, Name] = Field(description="names of the two materials, in any order")
    friction_static: NonNegative | None = Field(default=None, description="–")
    friction_kinetic: NonNegative | None = Field(default=None, description="–")
    adhesion: NonNegative | None = Field(default=None, description="Pa")
    stiffness: NonNegative | None = Field(default=None, description="N/m")
    damping: NonNegative | None = Field(default=None, description="N·s/m")


class PairValues(NamedTuple):
    """What a contact of two given materials uses."""

    stiffness: float
    damping: float
    friction_static: float
    friction_kinetic: float
    adhesion: float


def combine(a: Material, b: Material, override: MaterialPair | None = None) -> PairValues:
    """Contact numbers of two materials.

    Springs and dampers in series: harmonic mean 2ab/(a + b), which is the value itself for equal materials.
    Friction and adhesion: geometric mean, so that one smooth or clean partner decides.
    """

    def harmonic(x: float, y: float) -> float:
        return 2 * x * y / (x + y) if x + y > 0 else 0.0

    values = PairValues(
        stiffness=harmonic(a.stiffness, b.stiffness),
        damping=harmonic(a.damping, b.damping),
        friction_static=math.sqrt(a.friction_static * b.friction_static),
        friction_kinetic=math.sqrt(a.friction_kinetic * b.friction_kinetic),
        adhesion=math.sqrt(a.adhesion * b.adhesion),
    )
    if override is None:
        return values
    given = {name: getattr(override, name) for name in PairValues._fields}
    return values._replace(**{name: value for name, value in given.items() if value is not None})
