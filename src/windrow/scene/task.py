"""What an operator is asked to do in a scene: so much material from here to there, or ground in a given shape."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Length, Positive
from windrow.scene.corners import Corners
from windrow.scene.part import Part
from windrow.scene.targets import Target


class Zone(Corners):
    """A box in the world."""


class Task(Part):
    """Material to be moved, or a surface to be made; grains count, and rigid bodies that are no part of a machine."""

    title: str = Field(default="", description="one line")
    text: str = Field(default="", description="what is to be done")
    measure: Literal["mass", "volume", "loads", "surface"] = Field(
        default="mass",
        description="what the target counts: kg, m³ of loose material, loads of the tool, or the part of a surface "
        "that is within the tolerance",
    )
    target: Positive = Field(description="how much, kg, m³, loads or % of the surface")
    source: Zone | None = Field(
        default=None,
        description="where the material lies; what was in the tool and ends up outside of both zones is spilled"
        " (where the machine has no tool to fill: what left this zone)",
    )
    destination: Zone | None = Field(default=None, description="where it has to go; none: into a tool")
    into: str = Field(
        default="", max_length=121, description="name of the tool that it has to go into, such as the bed of a truck"
    )
    surface: Target | None = Field(
        default=None, description="to be made of the ground, with measure = 'surface': a trench or a pad"
    )
    tolerance: Length = Field(default=0.03, description="m above or below the surface that are good enough")
    time_limit: Positive | None = Field(default=None, description="s; none: as long as it takes")

    @model_validator(mode="after")
    def _goes_somewhere(self) -> Self:
        if (self.measure == "surface") != (self.surface is not None):
            raise ValueError("surface: is needed with measure = 'surface', and only there; a trench or a pad")
        if self.surface is not None:
            if self.destination is not None or self.into:
                raise ValueError("destination, into: ground that is given a shape goes nowhere; leave them out")
            if self.target > 100.0:
                raise ValueError(f"target: {self.target:g} % of the surface; 100 is all of it")
            return self
        if (self.destination is None) == (not self.into):
            raise ValueError("it goes to one place: give either destination, a zone, or into, the name of a tool")
        return self
