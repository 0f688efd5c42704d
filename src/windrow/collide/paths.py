"""Paths: where each grain may be until the next search. The idea is a Verlet skin that is swept along.

The lists are made for a time T. In it, velocity and gravity take a grain along its *travel*, or it is stopped anywhere
on it. Collisions deflect it from there by no more than its *skin*. Two grains whose paths keep apart cannot meet,
whatever happens on them; all others are listed (`pairs.py`). `off_path` tells which grains have left their skins before
the time is up; `escaped.py` looks after those.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F32
from windrow.kernel import BLOCK, device
from windrow.team import deal, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
FAR = F(np.inf)
ALMOST = F(0.7)
"""Square of the share of its skin from which on a grain is expected to leave it."""
DEFLECTION = F(0.25)
"""Speed at which a collision takes a grain away from its path, of the speed of the collision."""


class Paths(NamedTuple):
    """The paths that lists were made for."""

    origin: F32
    """(n, 4): where each path begins, and the skin around it, m"""
    travel: F32
    """(n, 4): its direction, and its length, m"""


class Horizon(NamedTuple):
    """What paths are made from, beside positions and velocities."""

    skin: np.float32
    """Skin of a grain that nothing hits, m: half the margin."""
    time: np.float32
    """s"""
    drop: F32
    """What gravity adds to the travel, m."""


class Cutoff(NamedTuple):
    """How long lists shall hold, and up to which gap they list pairs for it."""

    span: float
    """Until the next search, s."""
    time: float
    """What paths are laid for, s: no less than that."""
    skin: float
    """Skin of a grain that nothing hits, m: half the margin."""
    deflection: float
    """What the skin of one that is hit has beyond that at most, m."""
    drop: F32
    """What gravity adds to the travel, m."""
    far: float
    """Greatest sum of travel and skin of an ordinary grain, m; what goes further is treated like a larger one."""
    apart: float
    """Gap up to which two ordinary grains are listed, m."""

    @classmethod
    def still(cls, margin: float) -> Cutoff:
        """For grains that are listed where they are, with all that is nearer than a margin (m)."""
        return cls(0.0, 0.0, margin, 0.0, np.zeros(3, np.float32), margin, margin)

    @property
    def horizon(self) -> Horizon:
        return Horizon(F(self.skin), F(self.time), self.drop)


@device
def off_path(X, paths, i):
    """Square of the distance (m²) of grain i from its path."""
    d0, d1, d2 = X[i, 0] - paths.origin[i, 0], X[i, 1] - paths.origin[i, 1], X[i, 2] - paths.origin[i, 2]
    return off_segment(d0, d1, d2, paths.travel, i)


@device
def off_segment(d0, d1, d2, travel, i):
    """Square of the distance of d from the segment from 0 along travel[i] {direction, length}."""
    along = min(max(d0 * travel[i, 0] + d1 * travel[i, 1] + d2 * travel[i, 2], ZERO), travel[i, 3])
    d0, d1, d2 = d0 - along * travel[i, 0], d1 - along * travel[i, 1], d2 - along * travel[i, 2]
    return d0 * d0 + d1 * d1 + d2 * d2


@device
def leaves_path(X, V, paths, i, time):
    """Whether grain i will be outside its skin, or almost, when the time is up, if it goes on as it does."""
    origin = paths.origin
    d0, d1, d2 = (
        X[i, 0] + time * V[i, 0] - origin[i, 0],
        X[i, 1] + time * V[i, 1] - origin[i, 1],
        X[i, 2] + time * V[i, 2] - origin[i, 2],
    )
    return off_segment(d0, d1, d2, paths.travel, i) > ALMOST * origin[i, 3] * origin[i, 3]


@device
def direction_and_length(l0, l1, l2):
    """Of a travel; without a direction if it has no length."""
    length = np.sqrt(l0 * l0 + l1 * l1 + l2 * l2)
    inverse = ONE / length if length > F(1e-12) else ZERO
    return l0 * inverse, l1 * inverse, l2 * inverse, length


@device
def travel_along(V, i, a, horizon):
    """Travel of grain i along axis a, m; gravity adds to that of grains that can move."""
    return horizon.time * V[i, a] + (horizon.drop[a] if V[i, 3] > ZERO else ZERO)


@device
def paths_meet(square, touching, skins, theirs, mine):
    """Whether two paths come so near each other that the grains may touch; see `pairs.py`.

    square: of the distance between their origins; skins: both; theirs, mine: d · travel of either one, where d is from
    their origin to mine.
    """
    return square - (touching + skins) * np.sqrt(square) < max(theirs, ZERO) - min(mine, ZERO)


@parallel
def lay_paths(team, X, V, count, horizon, deflection, columns):
    """Writes the columns {x, y, z, r, travel, skin}; `deflection`: greatest addition to the skin, m.

    Collisions are taken to be as fast as the grain itself; for the finest level `widen_skins` knows better.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
            columns[0, i], columns[1, i], columns[2, i], columns[3, i] = X[i, 0], X[i, 1], X[i, 2], X[i, 3]
            for a in range(3):
                columns[4 + a, i] = travel_along(V, i, a, horizon)
            columns[7, i] = horizon.skin + min(DEFLECTION * horizon.time * speed, deflection)


@parallel
def velocities_by_cell(team, V, levels, box):
    """box[1, c]: least and greatest v_x, v_y, v_z (m/s) of the grains of cell c of the finest level and of the cells
    around it. Along z, y and x one after the other; box[0] is used in between."""
    gx, gy, gz, start = levels.shape[0, 0], levels.shape[0, 1], levels.shape[0, 2], levels.start
    for column in deal(team, gx * gy):
        for c in range(column * gz, column * gz + gz):
            for a in range(3):
                low, high = FAR, -FAR
                for i in range(start[c], start[c + 1]):
                    low, high = min(low, V[i, a]), max(high, V[i, a])
                box[0, c, a], box[0, c, a + 3] = low, high
        for k in range(gz):
            c = column * gz
            below, above = k - 1 if k > 0 else gz - 1, k + 1 if k + 1 < gz else 0
            for a in range(3):
                box[1, c + k, a] = min(box[0, c + k, a], min(box[0, c + below, a], box[0, c + above, a]))
            for a in range(3, 6):
                box[1, c + k, a] = max(box[0, c + k, a], max(box[0, c + below, a], box[0, c + above, a]))
    for axis in range(2):  # y, then x
        source, size, stride = 1 - axis, gx if axis else gy, gy * gz if axis else gz
        for column in deal(team, gx * gy):
            place = column // gy if axis else column % gy
            low = -stride if place > 0 else (size - 1) * stride
            high = stride if place + 1 < size else (1 - size) * stride
            for c in range(column * gz, column * gz + gz):
                for a in range(3):
                    near = min(box[source, c + low, a], box[source, c + high, a])
                    box[axis, c, a] = min(box[source, c, a], near)
                for a in range(3, 6):
                    near = max(box[source, c + low, a], box[source, c + high, a])
                    box[axis, c, a] = max(box[source, c, a], near)


@parallel
def widen_skins(team, V, levels, box, horizon, deflection, columns):
    """Skins of the finest level's grains: the wider, the more the velocities around differ from theirs."""
    cells, start = levels.shape[0, 0] * levels.shape[0, 1] * levels.shape[0, 2], levels.start
    for part in deal(team, (cells + BLOCK - 1) // BLOCK):
        for c in range(part * BLOCK, min(cells, part * BLOCK + BLOCK)):
            for i in range(start[c], start[c + 1]):
                square = ZERO
                for a in range(3):
                    most = max(V[i, a] - box[1, c, a], box[1, c, a + 3] - V[i, a])
                    square += most * most
                columns[7, i] = horizon.skin + min(DEFLECTION * horizon.time * np.sqrt(square), deflection)
