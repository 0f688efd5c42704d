"""Surfaces that ground is to be brought to: a trench along a line, a pad with a fall."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from windrow.fixed_math import norm, sine_cosine, tangent
from windrow.scene.arrays import Length, Number, Size2, VectorOf
from windrow.scene.part import Part

Place = Annotated[tuple[float, float], VectorOf(2)]
Fall = Annotated[float, Field(ge=-50, le=50)]


class Plan(NamedTuple):
    """A target as one formula: a floor with a fall, and sides that rise from it up to a level."""

    middle: tuple[float, float]
    """x and y of the floor's middle, m"""
    along: tuple[float, float]
    """unit vector of its length"""
    half: tuple[float, float]
    """half of its length and width, m"""
    height: float
    """of the floor in its middle, m"""
    fall: tuple[float, float]
    """rise along its length and to the left of it, m per m"""
    batter: float
    """way that a side goes outwards per metre that it rises; 0: upright, or no sides"""
    level: float
    """where sides end, m"""

    @property
    def side(self) -> float:
        """Width of a side seen from above, m; where the floor falls, that in its middle."""
        return max(self.level - self.height, 0.0) * self.batter

    def local(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Coordinates along and to the left of the length, m from the middle."""
        dx, dy = x - self.middle[0], y - self.middle[1]
        return dx * self.along[0] + dy * self.along[1], dy * self.along[0] - dx * self.along[1]

    def surface(self, x: Any, y: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Height at places (m, NaN where nothing is wanted), which of them are wanted, and which are floor."""
        u, v = self.local(np.asarray(x, np.float64), np.asarray(y, np.float64))
        floor = (np.abs(u) <= self.half[0]) & (np.abs(v) <= self.half[1])
        beside = np.maximum(np.abs(v) - self.half[1], 0.0)
        wanted = (np.abs(u) <= self.half[0]) & (beside <= self.side)
        height = self.height + self.fall[0] * u + self.fall[1] * np.clip(v, -self.half[1], self.half[1])
        if self.batter > 0.0:
            height = height + beside / self.batter
        return np.where(wanted, height, np.nan), wanted, floor


class Trench(Part):
    """To be dug along a line, with a level floor; its ends are not judged."""

    kind: Literal["trench"] = "trench"
    begin: Place = Field(description="x and y of one end of the line, m")
    end: Place = Field(description="of the other end, m")
    level: Number = Field(default=0.0, description="height of the ground beside it, m")
    depth: Length = Field(description="of the floor below the level, m")
    width: Length = Field(description="of the floor, m")
    slope_deg: Annotated[float, Field(ge=10, le=90)] = Field(
        default=90.0, description="of the sides from the horizontal, degrees; 90: upright"
    )

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if float(norm(np.subtract(self.end, self.begin))) < 0.1:
            raise ValueError(f"begin {self.begin} and end {self.end} must be at least 0.1 m apart")
        return self

    def plan(self) -> Plan:
        way = np.subtract(self.end, self.begin)
        length = float(norm(way))
        middle = 0.5 * np.add(self.begin, self.end)
        batter = 0.0 if self.slope_deg >= 89.999 else 1.0 / float(tangent(math.radians(self.slope_deg)))
        return Plan(
            (float(middle[0]), float(middle[1])), (float(way[0]) / length, float(way[1]) / length),
            (0.5 * length, 0.5 * self.width), self.level - self.depth, (0.0, 0.0), batter, self.level,
        )  # fmt: skip


class Pad(Part):
    """To be graded: a rectangle at a height, with a fall if wanted."""

    kind: Literal["pad"] = "pad"
    center: Place = Field(default=(0.0, 0.0), description="x and y of its middle, m")
    size: Size2 = Field(description="length and width, m")
    heading_deg: Number = Field(default=0.0, description="of its length, from x to the left, degrees")
    height: Number = Field(default=0.0, description="of its middle, m")
    fall_percent: Fall = Field(default=0.0, description="rise along its length, m per 100 m; negative: it falls")
    cross_fall_percent: Fall = Field(default=0.0, description="rise to the left of it, m per 100 m")

    def plan(self) -> Plan:
        s, c = sine_cosine(math.radians(self.heading_deg))
        return Plan(
            self.center, (float(c), float(s)), (0.5 * self.size[0], 0.5 * self.size[1]), self.height,
            (0.01 * self.fall_percent, 0.01 * self.cross_fall_percent), 0.0, self.height,
        )  # fmt: skip


Target = Annotated[Trench | Pad, Field(discriminator="kind")]
