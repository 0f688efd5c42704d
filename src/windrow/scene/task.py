"""What an operator is asked to do in a scene: so much material from here to there."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from windrow.scene.arrays import Positive
from windrow.scene.corners import Corners
from windrow.scene.part import Part


class Zone(Corners):
    """A box in the world."""


class Task(Part):
    """Material to be moved; grains count, and rigid bodies that are no part of a machine."""

    title: str = Field(default="", description="one line")
    text: str = Field(default="", description="what is to be done")
    measure: Literal["mass", "volume", "loads"] = Field(
        default="mass", description="what the target counts: kg, m³ of loose material, or loads of the tool"
    )
    target: Positive = Field(description="how much, kg, m³ or loads")
    source: Zone | None = Field(
        default=None,
        description="where the material lies; what was in the tool and ends up outside of both zones is spilled"
        " (where the machine has no tool to fill: what left this zone)",
    )
    destination: Zone | None = Field(default=None, description="where it has to go; none: into a tool")
    into: str = Field(
        default="", max_length=121, description="name of the tool that it has to go into, such as the bed of a truck"
    )
    time_limit: Positive | None = Field(default=None, description="s; none: as long as it takes")

    @model_validator(mode="after")
    def _goes_somewhere(self) -> Self:
        if (self.destination is None) == (not self.into):
            raise ValueError("it goes to one place: give either destination, a zone, or into, the name of a tool")
        return self
