"""Grains that leave their paths (`paths.py`), listed anew by themselves.

Lists hold for all grains that stay on the paths they were made for. When only a few leave theirs, because one of them
is shot into a bed or a blade moves through it, the others' lists stay, and what the few *roamers* may meet is added to
them. The grid, too, is still that of the last search: the others' paths begin in their cells.

Within a step, a few that are pushed off their paths need no new lists as long as they run into nobody whom they are not
listed with: they are asked after each substep.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import cells_within
from windrow.collide.pairs import meeting_rate
from windrow.collide.paths import BLOW, direction_and_length, leaves_path, off_path, paths_meet, way_along
from windrow.kernel import BLOCK, bare_inner, device, kernel
from windrow.team import deal, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
NEW_MOST = 96
"""Partners that may be added to one grain's list at a time."""
ASKED_MOST = 200
"""Grains off their paths that are asked, after each substep, whom they run into."""


class Watch(NamedTuple):
    """What it takes to see whom a grain runs into that has left its path: see `runs_into_unlisted`."""

    frame: NDArray[np.float32]
    shape: NDArray[np.int64]
    start: NDArray[np.int32]
    """These three: of the levels of the last search."""
    roaming: NDArray[np.uint8]
    loose: NDArray[np.int32]
    """Numbers to work with."""
    first: NDArray[np.int64]
    length: NDArray[np.int32]
    other: NDArray[np.int32]
    """These three: the lists."""
    rows: NDArray[np.float32]
    """{x + d, r, d, …} of each grain, where x is where it was when walls were looked for."""
    far: NDArray[np.float32]
    """How far the last search reached, and how far from x the walls hold, m."""


@parallel
def find_roamers(team, X, V, home, way, count, time, roaming, many):
    """Marks who will be off its path when the time is up; many[b]: how many are."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if roaming[i] == 0 and leaves_path(X, V, home, way, i, time):
                roaming[i] = 1
            found += roaming[i]
        many[b] = found


@device
def _listed(i, j, first, length, other):
    """Whether a pair is in the lists."""
    found = False
    for e in range(first[i], first[i] + length[i]):
        found = found or other[e] == j or other[e] == -1 - j
    for e in range(first[j], first[j] + length[j]):
        found = found or other[e] == i or other[e] == -1 - i
    return found


@device
def _new_path(V, i, half, time, drop):
    """Way and cover of a roamer for the time that is left."""
    speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
    l0, l1, l2 = way_along(V, i, 0, time, drop), way_along(V, i, 1, time, drop), way_along(V, i, 2, time, drop)
    return l0, l1, l2, half + BLOW * time * speed


@device
def _meet(X, V, i, mine, j, theirs, begin, time):
    """Whether the pair belongs in the lists by the rule of `pairs.py`, its closing speed over the smaller radius (1/s)
    if it meets within the time, and its overlap over that radius. mine, theirs: way and cover; the path of i begins
    where it is, that of j at begin[j]."""
    if V[i, 3] <= ZERO and V[j, 3] <= ZERO:
        return False, ZERO, ZERO
    d0, d1, d2 = X[i, 0] - begin[j, 0], X[i, 1] - begin[j, 1], X[i, 2] - begin[j, 2]
    touching = X[i, 3] + X[j, 3]
    belongs = paths_meet(
        d0 * d0 + d1 * d1 + d2 * d2, touching, mine[3] + theirs[3],
        d0 * theirs[0] + d1 * theirs[1] + d2 * theirs[2], d0 * mine[0] + d1 * mine[1] + d2 * mine[2],
    )  # fmt: skip
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    closing = d0 * (V[j, 0] - V[i, 0]) + d1 * (V[j, 1] - V[i, 1]) + d2 * (V[j, 2] - V[i, 2])
    distance = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    r_min = min(X[i, 3], X[j, 3])
    return belongs, meeting_rate(closing, distance, touching, r_min, time), (touching - distance) / r_min


@device
def _note(a, i, j, seen, first, length, other, new, many, met):
    """Notes what was seen by `_meet` of roamer i, the a-th, and grain j; see `list_roamers`."""
    belongs, meeting, overlap = seen
    met[a, 0] = max(met[a, 0], meeting)
    if belongs and not _listed(i, j, first, length, other):
        if many[a] < NEW_MOST:
            new[a, many[a]] = j
        many[a] += 1
        if overlap > ZERO:
            met[a, 1] += ONE
            met[a, 2] = max(met[a, 2], overlap)


@device
def _cells_around(X, i, far, frame, shape, m):
    """First cell along each axis and number of cells along it, of those of level m that are within reach of grain i."""
    bx, nx = cells_within(X[i, 0], far, frame[m, 0], frame[m, 3], shape[m, 0])
    by, ny = cells_within(X[i, 1], far, frame[m, 1], frame[m, 3], shape[m, 1])
    bz, nz = cells_within(X[i, 2], far, frame[m, 2], frame[m, 3], shape[m, 2])
    return bx, by, bz, nx, ny, nz


@device
def _cell(box, c, shape, m):
    """Number of the c-th of the cells around, among those of all levels."""
    bx, by, bz, _, ny, nz = box
    gx, gy, gz = shape[m, 0], shape[m, 1], shape[m, 2]
    along_x, along_y = (bx + c // (ny * nz)) % gx, (by + c // nz % ny) % gy
    return shape[m, 3] + (along_x * gy + along_y) * gz + (bz + c % nz) % gz


@parallel
def list_roamers(
    team, X, V, home, way, levels, reach, roaming, chosen, half, time, drop, first, length, other, new, many, met
):  # fmt: skip
    """new[a, :many[a]]: partners of roamer chosen[a] that are not in the lists (many[a] > NEW_MOST: there are more).

    Two roamers are listed by the first of them. met[a]: greatest closing speed over radius (1/s) within the time, how
    many new partners overlap already, and the deepest of those overlaps over the radius.
    """
    frame, shape, start = levels.frame, levels.shape, levels.start
    for a in deal(team, len(chosen)):
        i = np.int64(chosen[a])
        mine = _new_path(V, i, half, time, drop)
        many[a] = 0
        met[a] = ZERO
        for c in range(a + 1, len(chosen)):
            j = np.int64(chosen[c])
            seen = _meet(X, V, i, mine, j, _new_path(V, j, half, time, drop), X, time)
            _note(a, i, j, seen, first, length, other, new, many, met)
        _, _, _, long = direction_and_length(mine[0], mine[1], mine[2])
        for m in range(len(frame)):
            # others' way and cover are at most the reach, but for what their size has of it
            box = _cells_around(X, i, X[i, 3] + mine[3] + long + frame[m, 4] + reach, frame, shape, m)
            for c in range(box[3] * box[4] * box[5]):
                cell = _cell(box, c, shape, m)
                for k in range(start[cell], start[cell + 1]):
                    j = np.int64(k)
                    if roaming[j]:
                        continue
                    l = way[j, 3]
                    theirs = (l * way[j, 0], l * way[j, 1], l * way[j, 2], home[j, 3])
                    seen = _meet(X, V, i, mine, j, theirs, home, time)
                    _note(a, i, j, seen, first, length, other, new, many, met)


@device
def _overlap(X, V, i, j):
    """Whether two grains overlap of which one can move."""
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    touching = X[i, 3] + X[j, 3]
    return d0 * d0 + d1 * d1 + d2 * d2 < touching * touching and (V[i, 3] > ZERO or V[j, 3] > ZERO)


@bare_inner
def runs_into_unlisted(X, V, home, way, count, partial, watch):
    """Whether a grain that has left its path overlaps one that it is not listed with. True as well if there are more
    of them than are worth asking, or if walls no longer hold for one. partial[b, 0] > 0: one of block b has left.

    The others are no further than the reach from their cells, but for the roamers, who may be anywhere.
    """
    frame, shape, start, roaming, loose = watch.frame, watch.shape, watch.start, watch.roaming, watch.loose
    first, length, other, rows = watch.first, watch.length, watch.other, watch.rows
    reach, held = watch.far[0], watch.far[1]
    left = 0
    for b in range((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK) if partial[b, 0] > ZERO else 0):
            if off_path(X, home, way, i) > home[i, 3] * home[i, 3]:
                square = ZERO
                for a in range(3):
                    moved = X[i, a] - rows[i, a] + rows[i, a + 4]
                    square += moved * moved
                if left == ASKED_MOST or square > held * held:
                    return True
                loose[left] = i
                left += 1
    many = left
    for i in range(count):
        if roaming[i]:
            if many == len(loose):
                return True
            loose[many] = i
            many += 1
    for a in range(left):
        i = np.int64(loose[a])
        for c in range(many):
            j = np.int64(loose[c])
            if j != i and _overlap(X, V, i, j) and not _listed(i, j, first, length, other):
                return True
        for m in range(len(frame)):
            box = _cells_around(X, i, X[i, 3] + frame[m, 4] + reach, frame, shape, m)
            for c in range(box[3] * box[4] * box[5]):
                cell = _cell(box, c, shape, m)
                for k in range(start[cell], start[cell + 1]):
                    j = np.int64(k)
                    if j != i and _overlap(X, V, i, j) and not _listed(i, j, first, length, other):
                        return True
    return False


@kernel
def settle_roamers(X, V, chosen, half, time, drop, home, way):
    """Remembers the roamers' new paths."""
    for i in chosen:
        l0, l1, l2, cover = _new_path(V, i, half, time, drop)
        home[i, 0], home[i, 1], home[i, 2], home[i, 3] = X[i, 0], X[i, 1], X[i, 2], cover
        way[i, 0], way[i, 1], way[i, 2], way[i, 3] = direction_and_length(l0, l1, l2)
