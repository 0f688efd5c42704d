"""Coarse particles between two frames of a run: where they are, and how far they go in each step of the fine grains.

Particles of both frames are matched by id. Between frames they follow the cubic that has places and velocities of both
(Hermite), where these agree with how far they went; a particle that hit something in between goes straight. The
velocity that grains are given is the way of the particle in a step over its time, not the velocity at one moment:
sand that moves as one piece then carries its grains exactly, however it speeds up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.detail.kernels import Coarse
from windrow.detail.lanes import INVERSE, INVERSE_RADIUS, MARK, MOVES, ROW, SOLID
from windrow.detail.laws import SUPPORT
from windrow.detail.sorting import cells_of
from windrow.fixed_math import norm
from windrow.geometry.terms import F64
from windrow.scene.digging import with_soil_materials
from windrow.scene.scene import Scene
from windrow.state.frame import Frame

DISAGREE = 0.25
"""Radii by which the mean of both velocities may miss how far a particle went, before it goes straight"""
MOST_CELLS = 4_000_000


class Carriers(NamedTuple):
    """What of a frame carries fine grains, and what stands in their way."""

    id: NDArray[np.int64]
    place: F64
    velocity: F64
    radius: F64
    solid: NDArray[np.bool_]
    """(n,) balls that carry none: of ropes and nets, and those that are held"""
    member: NDArray[np.bool_]
    """(n,) whose grains are computed: not solid, and in the region"""


class CoarsePaths:
    """Coarse particles from one frame to the next; those that only one of them has stay on their straight line."""

    def __init__(self, before: Carriers, after: Carriers, seconds: float) -> None:
        self.seconds, self.before = seconds, before
        at = np.minimum(np.searchsorted(after.id, before.id), max(len(after.id) - 1, 0))
        stays = after.id[at] == before.id if len(after.id) else np.zeros(len(before.id), np.bool_)
        x0, v0 = before.place, before.velocity
        x1, v1 = x0 + seconds * v0, v0
        if len(after.id):
            x1 = np.where(stays[:, None], after.place[at], x1)
            v1 = np.where(stays[:, None], after.velocity[at], v1)
        missed = norm(x1 - x0 - 0.5 * seconds * (v0 + v1))
        straight = (x1 - x0) / seconds
        smooth = (missed < DISAGREE * before.radius)[:, None]
        self._x0, self._x1 = x0, x1
        self._v0, self._v1 = np.where(smooth, v0, straight), np.where(smooth, v1, straight)
        self.leaves = before.member.copy()
        """(n,) members that are none at the end"""
        if len(after.id):
            self.leaves &= ~(stays & after.member[at])

    def at(self, share: float) -> F64:
        """(n, 3) places after a share of the time, m."""
        s = share
        a, b = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * (1.0 - s) * (1.0 - s) * self.seconds
        c, d = s * s * (3.0 - 2.0 * s), s * s * (s - 1.0) * self.seconds
        return a * self._x0 + b * self._v0 + c * self._x1 + d * self._v1

    def rows(self, begin: float, end: float, last: bool) -> Coarse:
        """Particles at `begin` with their velocity until `end` (shares); last: those that leave or have left are
        marked."""
        place = self.at(begin)
        moves = (self.at(end) - place) / ((end - begin) * self.seconds)
        marked = ~self.before.member | self.leaves if last else np.zeros(len(place), np.bool_)
        return laid_out(place, moves, self.before, marked)[0]


def laid_out(
    place: F64, moves: F64, carriers: Carriers, marked: NDArray[np.bool_]
) -> tuple[Coarse, NDArray[np.int64]]:
    """Rows in the order of cells, and which particle each is."""
    reach = SUPPORT * carriers.radius
    farthest = float(reach.max(initial=0.0)) or 1.0
    row = np.zeros((len(place), ROW), np.float32)
    row[:, :3], row[:, MOVES : MOVES + 3] = place, moves
    with np.errstate(divide="ignore"):
        row[:, INVERSE], row[:, INVERSE_RADIUS] = 1.0 / (reach * reach), 1.0 / carriers.radius
    row[:, MARK] = marked
    row[:, SOLID] = np.where(carriers.solid, carriers.radius, 0.0)
    if len(place) == 0:
        empty = Coarse(
            row, np.zeros(2, np.int64), np.array([0.0, 0, 0, 1.0]), np.ones(3, np.int64), _one(farthest)
        )
        return empty, np.zeros(0, np.int64)
    low, side = place.min(axis=0), farthest
    cells = _cells(place, low, side)
    while np.prod(cells.astype(np.float64)) > MOST_CELLS:
        side *= 1.25
        cells = _cells(place, low, side)
    order, start = cells_of(place, low, side, cells)
    return Coarse(row[order], start, np.append(low, 1.0 / side), cells, _one(farthest)), order


def _cells(place: F64, low: F64, side: float) -> NDArray[np.int64]:
    return np.floor((place.max(axis=0) - low) / side).astype(np.int64) + 1


def _one(value: float) -> NDArray[np.float32]:
    return np.array([value], np.float32)


def linked_ids(scene: Scene) -> NDArray[np.int64]:
    """Grains of ropes and nets."""
    links = with_soil_materials(scene).assembled().initial_links()
    return np.unique(np.concatenate([links["first"], links["second"]]))


def solid_ones(frame: Frame, linked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) grains that carry no fine ones: linked, or held."""
    return np.asarray(np.isin(frame.id, linked) | ~np.isfinite(frame.mass))


def carriers_of(frame: Frame, linked: NDArray[np.int64], inside: NDArray[np.bool_]) -> Carriers:
    """Those of a frame; linked: ids of grains of ropes and nets; inside: (n,) which are in the region."""
    place = np.asarray(frame.position, np.float64)
    velocity = np.asarray(frame.velocity, np.float64)
    radius = np.asarray(frame.radius, np.float64)
    there = np.isfinite(place).all(axis=1) & np.isfinite(velocity).all(axis=1) & (radius > 0.0)
    solid = solid_ones(frame, linked)
    return Carriers(
        np.asarray(frame.id)[there], place[there], velocity[there], radius[there], solid[there],
        (inside & ~solid)[there],
    )  # fmt: skip
