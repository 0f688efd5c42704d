"""The space that a filling fills: a box, an upright cylinder or a ball; and how many grains it is asked to hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import norm
from windrow.scene.arrays import BoolArray, FloatArray
from windrow.scene.grains import MOST_GRAINS, Ball, Block, Column

Filling = Block | Column | Ball

_TOLERANCE = 1e-9
"""Of a length: a room of exactly ten diameters holds ten grains whatever the last bit says."""


class Room(NamedTuple):
    """Bounding box of the space, and how it is rounded within."""

    lower: FloatArray
    upper: FloatArray
    rounded: str
    """"none", "around_z" or "all"."""

    @property
    def middle(self) -> FloatArray:
        return 0.5 * (self.lower + self.upper)

    @property
    def volume(self) -> float:
        """m³"""
        filled = {"none": 1.0, "around_z": np.pi / 4, "all": np.pi / 6}[self.rounded]
        return float(filled * np.prod(self.upper - self.lower))

    def inner_volume(self, margin: float) -> float:
        """m³ of what lies `margin` or more away from its sides; 0 if nothing does"""
        lower = self.lower + margin
        return self._replace(lower=lower, upper=np.maximum(lower, self.upper - margin)).volume

    def up_to(self, height: float) -> Room:
        """The lowest `height` metres of it."""
        upper = self.upper.copy()
        upper[2] = min(upper[2], self.lower[2] + height)
        return self._replace(upper=upper)

    def shrunk(self, margin: float) -> Room:
        """Where the centre of a grain of radius `margin` may be."""
        room = self._replace(lower=self.lower + margin, upper=self.upper - margin)
        short = (self.upper - self.lower).min()
        if (room.upper - room.lower).min() < -_TOLERANCE * short:
            raise SceneError(
                f"no grain fits: the space is only {short:g} m across, a grain of the largest radius needs "
                f"{2 * margin:g} m; make the space larger or the grains smaller"
            )
        return room._replace(upper=np.maximum(room.lower, room.upper))

    def contains(self, points: FloatArray, margin: FloatArray | float = 0.0) -> BoolArray:
        """Which points lie inside, `margin` away from the surface."""
        slack = np.asarray(margin) - _TOLERANCE * (self.upper - self.lower).max()
        inside = ((points - self.lower).min(axis=1) >= slack) & ((self.upper - points).min(axis=1) >= slack)
        if self.rounded == "none":
            return np.asarray(inside)
        axes = 2 if self.rounded == "around_z" else 3
        distance = norm((points - self.middle)[:, :axes])
        return np.asarray(inside & (distance <= 0.5 * (self.upper - self.lower)[0] - slack))

    def clipped(self, points: FloatArray) -> FloatArray:
        """Points outside moved to the nearest place inside; none moves further than it is outside."""
        points = np.clip(points, self.lower, self.upper)
        if self.rounded == "none":
            return points
        axes = 2 if self.rounded == "around_z" else 3
        offset = (points - self.middle)[:, :axes]
        distance = norm(offset)
        allowed = 0.5 * (self.upper - self.lower)[0]
        outside = distance > allowed
        points[outside, :axes] = self.middle[:axes] + offset[outside] * (allowed / distance[outside])[:, None]
        return points


def room_of(source: Filling) -> Room:
    """The space a source fills."""
    if isinstance(source, Block):
        lower = np.array(source.lower)
        return Room(lower, lower + np.array(source.size), "none")
    middle = np.array(source.position)
    if isinstance(source, Column):
        half = np.array([source.column_radius, source.column_radius, 0.0])
        return Room(middle - half, middle + half + np.array([0.0, 0.0, source.height]), "around_z")
    return Room(middle - source.ball_radius, middle + source.ball_radius, "all")


def wanted_of(source: Filling, available: int) -> int:
    """How many grains a source is to have, of those that fit."""
    if source.count is None:
        refuse_too_many(available)
        return available
    if source.count > available:
        raise SceneError(
            f"count = {source.count}, but only {available} grains fit; make the space larger, the spacing "
            "smaller, or leave count out"
        )
    return source.count


def refuse_too_many(expected: float) -> None:
    """An error, not a wait."""
    if expected > MOST_GRAINS:
        raise SceneError(
            f"about {expected:.3g} grains would fit, more than {MOST_GRAINS}; "
            "use larger grains or a smaller space"
        )
