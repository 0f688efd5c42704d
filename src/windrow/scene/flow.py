"""Where grains come from and go to while the simulation runs."""

from __future__ import annotations

import math
from typing import Annotated, Self

from pydantic import Field, model_validator

from windrow.scene.arrays import NonNegative, Positive, Time, TimeOrNever, Vector3, Whole
from windrow.scene.grains import Radius
from windrow.scene.materials import Name
from windrow.scene.part import Part
from windrow.scene.shapes import Region


class _Timed(Part):
    name: str = Field(default="", description="shown in the ledger; unique unless empty")
    region: Region = Field(description="box, sphere or cylinder, in its own frame")
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the region's origin, m")
    rotation_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="rotation vector: axis times angle, degrees"
    )
    start: Time = Field(default=0.0, description="s")
    stop: TimeOrNever = Field(default=math.inf, description="s")

    @model_validator(mode="after")
    def _starts_before_stop(self) -> Self:
        if not self.start <= self.stop:
            raise ValueError(f"stop {self.stop:g} s comes before start {self.start:g} s")
        return self


class Emitter(_Timed):
    """Makes grains inside its region, never into overlap; what finds no room waits for the next step."""

    rate: Positive | None = Field(default=None, description="grains/s; give this or mass_rate")
    mass_rate: Positive | None = Field(default=None, description="kg/s; give this or rate")
    radius: Radius = Field(description="grain radius, m")
    velocity: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of a new grain, m/s")
    velocity_spread: NonNegative = Field(
        default=0.0, description="each component is off by up to this, evenly distributed, m/s"
    )
    material: Name = Field(description="name of a material")
    count: Annotated[Whole, Field(ge=1, le=2**40)] | None = Field(
        default=None, description="grains in all; none: no limit"
    )

    @model_validator(mode="after")
    def _one_rate(self) -> Self:
        if (self.rate is None) == (self.mass_rate is None):
            both = "both are given" if self.rate is not None else "neither is given"
            raise ValueError(f"needs either rate (grains/s) or mass_rate (kg/s); {both}")
        return self


class Sink(_Timed):
    """Takes away every grain whose centre is inside its region."""
