"""Fixed or moving things that grains meet."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Switch, Vector3
from windrow.scene.materials import Name
from windrow.scene.motion import Motion
from windrow.scene.part import Part
from windrow.scene.shapes import Shape
from windrow.scene.tools import Cutting

_HAS_NO_INSIDE = {
    "plane": "turn its normal round instead",
    "height_field": "it is solid below only",
    "revolution": "its shell keeps grains on the side they are on already",
}


class Obstacle(Part):
    """A shape somewhere, made of something, at rest or in scripted motion."""

    name: str = Field(default="", description="shown in reports of forces; unique unless empty")
    shape: Shape = Field(description="what it looks like, in its own frame")
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of its origin, m")
    rotation_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="rotation vector: axis times angle, degrees"
    )
    material: Name = Field(description="name of a material")
    inside: Switch = Field(
        default=False, description="true: a container, grains are kept inside of the shape"
    )
    motion: Motion | None = Field(default=None, description="scripted motion; none: fixed")
    digs: Switch = Field(default=False, description="true: a tool; terrain in its way turns into grains")
    cutting: Cutting | None = Field(
        default=None, description="where it cuts, if it digs; none: found from its shape and motion"
    )

    @model_validator(mode="after")
    def _inside_makes_sense(self) -> Self:
        if self.inside and self.shape.kind in _HAS_NO_INSIDE:
            raise ValueError(
                f"inside = true is not for a {self.shape.kind}: {_HAS_NO_INSIDE[self.shape.kind]}"
            )
        if self.cutting is not None and not self.digs:
            raise ValueError("cutting: only a tool has a cutting edge; set digs = true, or leave it out")
        return self
