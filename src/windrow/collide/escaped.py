"""Grains that have *escaped*: they left their skins (`paths.py`), and are listed anew by themselves.

Lists hold for all grains that stay in the skins they were made for. When a few leave theirs, because one of them is
shot into a bed or a blade moves through it, the others' lists stay, and the pairs that the few may form are added to
them. The grid is still that of the last search: the others' paths begin in their cells. Grains that arrive
between two searches are in no cell either, and are listed in the same way.

Within a step, grains that leave their skins need no new lists until one of them overlaps a grain that it is not listed
with. After each substep, each of them is compared with the grains around it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.collide.grid import cells_within
from windrow.collide.pairs import HalfLists, meeting_rate
from windrow.collide.paths import (
    DEFLECTION,
    direction_and_length,
    leaves_path,
    off_path,
    paths_meet,
    travel_along,
)
from windrow.geometry.terms import F32, I32, I64, U8
from windrow.kernel import BLOCK, bare_inner, device, kernel
from windrow.team import deal, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
NEW_MOST = 96
"""Partners that may be added to one grain's list at a time."""
COMPARED_MOST = 200
"""Grains outside their skins that are compared, after each substep, with those around them."""
ESCAPED, DUE, ARRIVED = range(1, 4)
"""Marks of grains that are not in their cells: they have escaped; and are to be listed anew; or for the first time."""


class Watch(NamedTuple):
    """What it takes to see whether an escaped grain meets one it is not listed with: see `runs_into_unlisted`."""

    frame: F32
    shape: I64
    start: I32
    """These three: of the levels of the last search."""
    escaped: U8
    loose: I32
    """Numbers to work with."""
    lists: HalfLists
    predicted: F32
    """{x + d, r, d, …} of each grain, where x is where it was when walls were looked for."""
    far: F32
    """Cutoff of the last search, and how far from x the walls hold, m."""
    left: F32
    """Of each block of grains: above 0 if one of them has left its skin."""


class NewPairs(NamedTuple):
    """Partners of escaped grains that are not in the lists yet; m escaped grains."""

    partner: I32
    """(m, NEW_MOST)"""
    many: I32
    """(m,); more than NEW_MOST: not all of them were written"""
    met: F32
    """(m, 3): greatest closing speed over radius (1/s) within the time, how many new partners overlap already that
    could have been listed before, and the deepest of those overlaps over the radius"""

    @classmethod
    def of(cls, grains: int) -> NewPairs:
        return cls(
            np.zeros((grains, NEW_MOST), np.int32), np.zeros(grains, np.int32), np.zeros((grains, 3), np.float32)
        )


@parallel
def mark_escaped(team, X, V, paths, count, horizon, escaped, many):
    """Marks the grains that will have left their skins when the time is up; many[b]: how many are marked. Escaped
    grains that go further than the skin of a grain at rest are listed anew in any case: substeps depend on whom they
    meet."""
    far = horizon.skin * horizon.skin / (horizon.time * horizon.time)
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if escaped[i] < DUE:
                square = V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2]
                if leaves_path(X, V, paths, i, horizon.time) or (escaped[i] and square > far):
                    escaped[i] = DUE
            found += 1 if escaped[i] else 0
        many[b] = found


@device
def _listed(i, j, lists):
    """Whether a pair is in the lists."""
    first, length, other = lists.first, lists.length, lists.other
    found = False
    for e in range(first[i], first[i] + length[i]):
        found = found or other[e] == j or other[e] == -1 - j
    for e in range(first[j], first[j] + length[j]):
        found = found or other[e] == i or other[e] == -1 - i
    return found


@device
def _new_path(V, i, horizon):
    """Travel and skin of an escaped grain for the time that is left."""
    speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
    l0, l1, l2 = travel_along(V, i, 0, horizon), travel_along(V, i, 1, horizon), travel_along(V, i, 2, horizon)
    return l0, l1, l2, horizon.skin + DEFLECTION * horizon.time * speed


@device
def _laid_path(paths, j):
    """Travel and skin of a grain whose path holds."""
    l, travel = paths.travel[j, 3], paths.travel
    return l * travel[j, 0], l * travel[j, 1], l * travel[j, 2], paths.origin[j, 3]


@device
def _meet(X, V, i, mine, j, theirs, origin, time):
    """Whether the pair belongs in the lists by the rule of `pairs.py`, its closing speed over the smaller radius (1/s)
    if it meets within the time, and its overlap over that radius. mine, theirs: travel and skin; the path of i begins
    where it is, that of j at origin[j]."""
    if V[i, 3] <= ZERO and V[j, 3] <= ZERO:
        return False, ZERO, ZERO
    d0, d1, d2 = X[i, 0] - origin[j, 0], X[i, 1] - origin[j, 1], X[i, 2] - origin[j, 2]
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
def _note(a, i, j, seen, arrived, lists, new):
    """Notes what was seen by `_meet` of escaped grain i, the a-th, and grain j; see `NewPairs`."""
    belongs, meeting, overlap = seen
    new.met[a, 0] = max(new.met[a, 0], meeting)
    if belongs and not _listed(i, j, lists):
        if new.many[a] < NEW_MOST:
            new.partner[a, new.many[a]] = j
        new.many[a] += 1
        if overlap > ZERO and not arrived:
            new.met[a, 1] += ONE
            new.met[a, 2] = max(new.met[a, 2], overlap)


@device
def _cells_around(X, i, far, frame, shape, m):
    """First cell along each axis and number of cells along it, of those of level m that are within `far` of grain i."""
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
def list_escaped(team, X, V, paths, levels, far, escaped, chosen, horizon, lists, new):
    """Partners of the first escaped grains of `chosen`, one for each row of `new`, that are not in the lists. The rest
    of them have paths that hold. Of two of the first ones the earlier lists both.

    far: cutoff of the last search, m.
    """
    frame, shape, start = levels.frame, levels.shape, levels.start
    origin = paths.origin
    for a in deal(team, len(new.many)):
        i = np.int64(chosen[a])
        mine, came = _new_path(V, i, horizon), escaped[i] == ARRIVED
        new.many[a] = 0
        new.met[a] = ZERO
        for c in range(a + 1, len(chosen)):
            j = np.int64(chosen[c])
            if c < len(new.many):
                seen = _meet(X, V, i, mine, j, _new_path(V, j, horizon), X, horizon.time)
            else:
                seen = _meet(X, V, i, mine, j, _laid_path(paths, j), origin, horizon.time)
            _note(a, i, j, seen, came or escaped[j] == ARRIVED, lists, new)
        _, _, _, long = direction_and_length(mine[0], mine[1], mine[2])
        for m in range(len(frame)):
            # others' travel and skin are at most the cutoff, but for what their size has of it
            box = _cells_around(X, i, X[i, 3] + mine[3] + long + frame[m, 4] + far, frame, shape, m)
            for c in range(box[3] * box[4] * box[5]):
                cell = _cell(box, c, shape, m)
                for k in range(start[cell], start[cell + 1]):
                    j = np.int64(k)
                    if escaped[j]:
                        continue
                    seen = _meet(X, V, i, mine, j, _laid_path(paths, j), origin, horizon.time)
                    _note(a, i, j, seen, came, lists, new)


@device
def _overlap(X, V, i, j):
    """Whether two grains overlap of which one can move."""
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    touching = X[i, 3] + X[j, 3]
    return d0 * d0 + d1 * d1 + d2 * d2 < touching * touching and (V[i, 3] > ZERO or V[j, 3] > ZERO)


@bare_inner
def runs_into_unlisted(X, V, paths, count, watch):
    """Whether a grain that has left its skin overlaps one that it is not listed with. True as well if there are more
    of them than are worth comparing, or if walls no longer hold for one.

    The others are no further than the cutoff from their cells, but for the escaped ones, which may be anywhere.
    """
    frame, shape, start, escaped, loose = watch.frame, watch.shape, watch.start, watch.escaped, watch.loose
    lists, predicted, origin = watch.lists, watch.predicted, paths.origin
    far, held = watch.far[0], watch.far[1]
    left = 0
    for b in range((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK) if watch.left[b] > ZERO else 0):
            if off_path(X, paths, i) > origin[i, 3] * origin[i, 3]:
                square = ZERO
                for a in range(3):
                    moved = X[i, a] - predicted[i, a] + predicted[i, a + 4]
                    square += moved * moved
                if left == COMPARED_MOST or square > held * held:
                    return True
                loose[left] = i
                left += 1
    many = left
    for i in range(count):
        if escaped[i]:
            if many == len(loose):
                return True
            loose[many] = i
            many += 1
    for a in range(left):
        one = np.int64(loose[a])
        for c in range(many):
            j = np.int64(loose[c])
            if j != one and _overlap(X, V, one, j) and not _listed(one, j, lists):
                return True
        for m in range(len(frame)):
            box = _cells_around(X, one, X[one, 3] + frame[m, 4] + far, frame, shape, m)
            for c in range(box[3] * box[4] * box[5]):
                cell = _cell(box, c, shape, m)
                for k in range(start[cell], start[cell + 1]):
                    j = np.int64(k)
                    if j != one and escaped[j] == 0 and _overlap(X, V, one, j) and not _listed(one, j, lists):
                        return True
    return False


@kernel
def lay_new_paths(X, V, chosen, horizon, paths):
    """Remembers the new paths of escaped grains."""
    origin, travel = paths.origin, paths.travel
    for i in chosen:
        l0, l1, l2, skin = _new_path(V, i, horizon)
        origin[i, 0], origin[i, 1], origin[i, 2], origin[i, 3] = X[i, 0], X[i, 1], X[i, 2], skin
        travel[i, 0], travel[i, 1], travel[i, 2], travel[i, 3] = direction_and_length(l0, l1, l2)
