"""A box along the axes, told by two corners."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Vector3
from windrow.scene.part import Part


class Corners(Part):
    """A box along x, y and z."""

    lower: Vector3 = Field(description="m")
    upper: Vector3 = Field(description="m")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not all(low < high for low, high in zip(self.lower, self.upper, strict=True)):
            raise ValueError(f"upper {self.upper} must exceed lower {self.lower} along x, y and z")
        return self
