"""Dense random grains for any place, from bricks that repeat along x, y and z.

A brick is a periodic box of some 2,000 grains that touch each other at rest (`library/bricks.npz`, made by
`tools/bricks.py`), in mean radii. Copies of it, scaled to a radius, fill the world: which grain is where depends on
the place alone, never on the region that was asked for. So neighbouring regions fit together, and a place that is
filled a second time gets the same grains.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

import numpy as np

from windrow.fixed_math import cube
from windrow.scene.arrays import FloatArray, IntArray

SPREAD = 0.15
"""Radii of the mixed brick lie evenly between 1 − SPREAD and 1 + SPREAD mean radii; those of the even one are equal."""
_TILES = 1 << 17
"""Copies along an axis that keys tell apart; as far as float32 tells grains apart there are a tenth as many."""
_GRAINS = 1 << 11
"""Grains of a brick, at most."""


class Brick(NamedTuple):
    """Lengths are in mean radii."""

    position: FloatArray
    """(n, 3) centres, from 0 to `edge`"""
    radius: FloatArray
    """(n,)"""
    edge: float

    @property
    def density(self) -> float:
        """Grains per cube of the mean radius."""
        return len(self.radius) / cube(self.edge)

    @property
    def solid_fraction(self) -> float:
        return float(4 / 3 * np.pi * cube(self.radius).mean() * self.density)


class BrickGrains(NamedTuple):
    """Grains of a region."""

    position: FloatArray
    """(n, 3) m"""
    radius: FloatArray
    """(n,) m"""
    key: IntArray
    """(n,) which grain of which copy: the same place has the same key, and no other has it"""


@cache
def brick_of(mix: Literal["even", "mixed"]) -> Brick:
    """The brick of equal grains, or that of radii within `SPREAD` of their mean."""
    with (
        resources.files("windrow.scene").joinpath("library", "bricks.npz").open("rb") as file,
        np.load(file) as data,
    ):
        grains = data[mix].astype(np.float64)
        return Brick(grains[:, :3], grains[:, 3], float(data[f"{mix}_edge"]))


def grains_in(
    brick: Brick, mean_radius: float, lower: FloatArray, upper: FloatArray, origin: FloatArray | None = None
) -> BrickGrains:
    """Grains with centres in the box: at `lower` or beyond, and before `upper`, m.

    A corner of one copy is at `origin`. Other regions than boxes are a choice among the grains of a box around them.
    """
    shift = np.zeros(3) if origin is None else np.asarray(origin, np.float64)
    edge = brick.edge * mean_radius
    first, last = (
        np.floor((np.asarray(corner) - shift) / edge).astype(np.int64) for corner in (lower, upper)
    )
    within, radius = brick.position * mean_radius, brick.radius * mean_radius
    parts = []
    for tile in np.ndindex(*(last - first + 1)):
        number = first + tile
        position = within + (edge * number + shift)
        kept = np.flatnonzero(((position >= lower) & (position < upper)).all(axis=1))
        key = ((number[0] * _TILES + number[1]) * _TILES + number[2]) * _GRAINS + kept
        parts.append(BrickGrains(position[kept], radius[kept], key))
    return BrickGrains(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
