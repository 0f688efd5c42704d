"""The soil library: bulk numbers of real soils, each with its source, and grain numbers to start from."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from pydantic import Field

from windrow.errors import unknown_name
from windrow.scene.arrays import Color, Number
from windrow.scene.part import Part


class SoilNumber(Part):
    """A value, the range it is found in, and who says so."""

    value: Number = Field(description="in the unit of the field it stands for")
    low: Number | None = Field(default=None, description="low end of the published range")
    high: Number | None = Field(default=None, description="high end of the published range")
    source: str = Field(description="publication, or the reasoning when it is a choice of ours")


class SoilGrain(Part):
    """Numbers of a grain `Material` that stands for this soil."""

    density: SoilNumber = Field(description="kg/m³")
    friction_static: SoilNumber = Field(description="–")
    friction_kinetic: SoilNumber = Field(description="–")
    adhesion: SoilNumber = Field(description="Pa")
    stiffness: SoilNumber = Field(description="N/m")
    damping: SoilNumber = Field(description="N·s/m")


class SoilGround(Part):
    """How the soil lies, swells and is pressed down, for ground that can be dug."""

    swell: SoilNumber = Field(description="volume when loose over that where it grew, at least 1")
    densest: SoilNumber = Field(description="density that pressing it can reach, kg/m³")
    sinkage_cohesive: SoilNumber = Field(description="k_c of p = (k_c/b + k_φ) zⁿ, N/mⁿ⁺¹")
    sinkage_frictional: SoilNumber = Field(description="k_φ of the same, N/mⁿ⁺²")
    sinkage_exponent: SoilNumber = Field(description="n of the same, –")
    shear_length: SoilNumber = Field(description="K of Janosi and Hanamoto's τ = (c + p tan φ)(1 − e^{−j/K}), m")


class Soil(Part):
    """A soil as a geotechnical engineer knows it, and as grains."""

    title: str = Field(description="what it is")
    internal_friction_deg: SoilNumber = Field(description="angle of internal friction, degrees")
    cohesion_pa: SoilNumber = Field(description="Pa")
    bulk_density: SoilNumber = Field(description="kg/m³, voids included")
    grain: SoilGrain = Field(description="grain numbers to start from")
    ground: SoilGround = Field(description="numbers of ground that is dug and driven on")
    color: Color = Field(description="red, green, blue, each 0 to 1")
    moisture: SoilNumber | None = Field(
        default=None, description="mass of water over that of the dry soil, 0 to 1"
    )

    def material_fields(self) -> dict[str, Any]:
        """Fields of a `Material` made of this soil."""
        numbers: dict[str, Any] = {name: getattr(self.grain, name).value for name in SoilGrain.model_fields}
        told: dict[str, Any] = {"color": self.color, "source": f"soil library: {self.title}"}
        if self.moisture is not None:
            told["moisture"] = self.moisture.value
        return numbers | told


@cache
def soils() -> dict[str, Soil]:
    """All soils of the library by name."""
    text = resources.files("windrow.scene").joinpath("library", "soils.toml").read_text(encoding="utf-8")
    return {name: Soil(**fields) for name, fields in tomllib.loads(text).items()}


def soil_named(name: str) -> Soil:
    """The soil of that name; a ValueError that offers the nearest one otherwise."""
    if name not in soils():
        raise ValueError(unknown_name("soil", name, soils()))
    return soils()[name]
