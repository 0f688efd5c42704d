"""Paths: where each grain may be until the next search.

A grain goes where its velocity and gravity take it within the time T, or is stopped anywhere on that way, and by blows
gets no further away from it than its *cover*. Two grains whose paths keep apart cannot meet, whatever happens on them;
all others are listed (`pairs.py`). What leaves its path before the time is up is seen by `off_path`, and then asked for
(`roaming.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import BLOCK, device
from windrow.team import deal, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
FAR = F(np.inf)
ALMOST = F(0.7)
"""Square of the share of its cover from which on a grain is expected to leave it."""
BLOW = F(0.25)
"""Share of the speed of a blow at which the one that is hit gets away from its path."""


class Reach(NamedTuple):
    """How long lists shall hold, and how far they reach for it."""

    span: float
    """Until the next search, s."""
    time: float
    """What paths are laid for, s: no less than that."""
    half: float
    """Cover of a grain that nothing hits, m: half the margin."""
    blow: float
    """What the cover of one that is hit has beyond that at most, m."""
    drop: NDArray[np.float32]
    """What gravity adds to the ways, m."""
    far: float
    """Greatest sum of way and cover of an ordinary grain, m; what goes further is treated like a larger one."""
    apart: float
    """Gap up to which two ordinary grains are listed, m."""

    @classmethod
    def still(cls, margin: float) -> Reach:
        """For grains that are listed where they are, with all that is nearer than a margin (m)."""
        return cls(0.0, 0.0, margin, 0.0, np.zeros(3, np.float32), margin, margin)


@device
def off_path(X, home, way, i):
    """Square of the distance (m²) of grain i from its path: home {x, y, z, cover}, way {direction, length}."""
    return off_segment(X[i, 0] - home[i, 0], X[i, 1] - home[i, 1], X[i, 2] - home[i, 2], way, i)


@device
def off_segment(d0, d1, d2, way, i):
    """Square of the distance of d from the segment from 0 along way[i] {direction, length}."""
    along = d0 * way[i, 0] + d1 * way[i, 1] + d2 * way[i, 2]
    along = min(max(along, ZERO), way[i, 3])
    d0, d1, d2 = d0 - along * way[i, 0], d1 - along * way[i, 1], d2 - along * way[i, 2]
    return d0 * d0 + d1 * d1 + d2 * d2


@device
def leaves_path(X, V, home, way, i, time):
    """Whether grain i will be off its path, or almost, when the time is up, if it goes on as it does."""
    d0, d1, d2 = (
        X[i, 0] + time * V[i, 0] - home[i, 0],
        X[i, 1] + time * V[i, 1] - home[i, 1],
        X[i, 2] + time * V[i, 2] - home[i, 2],
    )
    return off_segment(d0, d1, d2, way, i) > ALMOST * home[i, 3] * home[i, 3]


@device
def direction_and_length(l0, l1, l2):
    """Of a way; without a direction if it has no length."""
    length = np.sqrt(l0 * l0 + l1 * l1 + l2 * l2)
    inverse = ONE / length if length > F(1e-12) else ZERO
    return l0 * inverse, l1 * inverse, l2 * inverse, length


@device
def way_along(V, i, a, time, drop):
    """What grain i will go along axis a, m; `drop`: what gravity adds to the way of those that can move."""
    return time * V[i, a] + (drop[a] if V[i, 3] > ZERO else ZERO)


@device
def paths_meet(square, touching, covers, theirs, mine):
    """Whether two paths come so near each other that the grains may touch; see `pairs.py`.

    square: of the distance between their beginnings; covers: both; theirs, mine: d · way of either one, where d is from
    their beginning to mine.
    """
    return square - (touching + covers) * np.sqrt(square) < max(theirs, ZERO) - min(mine, ZERO)


@parallel
def lay_paths(team, X, V, count, half, time, drop, blow, columns):
    """Writes the columns {x, y, z, r, way, cover}. half: cover of what is not hit, m; `blow`: greatest addition to it.

    Blows are taken to be as fast as the grain itself; for the finest level `cover_blows` knows better.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
            columns[0, i], columns[1, i], columns[2, i], columns[3, i] = X[i, 0], X[i, 1], X[i, 2], X[i, 3]
            for a in range(3):
                columns[4 + a, i] = way_along(V, i, a, time, drop)
            columns[7, i] = half + min(BLOW * time * speed, blow)


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
def cover_blows(team, V, levels, box, half, time, blow, columns):
    """Covers of the finest level's grains: the more, the more the velocities around differ from theirs."""
    cells, start = levels.shape[0, 0] * levels.shape[0, 1] * levels.shape[0, 2], levels.start
    for part in deal(team, (cells + BLOCK - 1) // BLOCK):
        for c in range(part * BLOCK, min(cells, part * BLOCK + BLOCK)):
            for i in range(start[c], start[c + 1]):
                square = ZERO
                for a in range(3):
                    most = max(V[i, a] - box[1, c, a], box[1, c, a + 3] - V[i, a])
                    square += most * most
                columns[7, i] = half + min(BLOW * time * np.sqrt(square), blow)
