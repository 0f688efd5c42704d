"""Grains that leave what their lists cover, listed anew by themselves.

Lists hold for two grains as long as neither of them is more than halfway out of its cover, counted from where it was
when they were made; in the step that they were made for, each may go as far as it was expected to. When only a few go
further, because one of them is shot into a bed or a blade moves through it, the others' lists stay, and what the few
*roamers* may meet is added to them. The grid, too, is still that of the last search: the others are no further than
their cover from their cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import cells_within
from windrow.collide.pairs import meeting_rate
from windrow.kernel import BLOCK, bare_inner, device, kernel, kernel_parallel, prange

F = np.float32
ZERO, HALF = F(0.0), F(0.5)
NEW_MOST = 96
"""Partners that may be added to one grain's list at a time."""
ASKED_MOST = 64
"""Grains that have left their covers within a leg and are asked, after each substep, whom they run into."""


class Watch(NamedTuple):
    """What it takes to see whom a grain runs into that has left its cover: see `runs_into_unlisted`."""

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
    far: NDArray[np.float32]
    """How far the last search reached, and how far from home walls hold, m; 0: no further than the cover."""


@device
def held_by_list(cover, spare):
    """How far a grain may be from where its list was made, m: half its cover, or all of it but `spare`."""
    return max(HALF * cover, cover - spare)


@kernel_parallel
def find_roamers(X, V, home, count, time, spare, roaming, many):
    """Marks who may be beyond what its list holds for before the time is up; many[b]: how many are."""
    for b in prange((count + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if roaming[i] == 0:
                d0, d1, d2 = X[i, 0] - home[i, 0], X[i, 1] - home[i, 1], X[i, 2] - home[i, 2]
                speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
                if np.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + time * speed > held_by_list(home[i, 3], spare):
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
def _cover(V, i, margin, time, fall):
    speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
    return margin + time * (speed + (fall if V[i, 3] > ZERO else ZERO))


@device
def _meet(X, V, i, j, cover, margin, time):
    """Whether the pair belongs in the lists by the rule of `pairs.py`, its closing speed over the smaller radius (1/s)
    if it meets within the time, and its overlap over that radius. `cover`: the greater one."""
    if V[i, 3] <= ZERO and V[j, 3] <= ZERO:
        return False, ZERO, ZERO
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    square, touching = d0 * d0 + d1 * d1 + d2 * d2, X[i, 3] + X[j, 3]
    closing = d0 * (V[j, 0] - V[i, 0]) + d1 * (V[j, 1] - V[i, 1]) + d2 * (V[j, 2] - V[i, 2])
    distance = np.sqrt(square)
    belongs = distance < touching + cover or square - (touching + margin) * distance < time * closing
    r_min = min(X[i, 3], X[j, 3])
    swift = meeting_rate(closing, distance, touching, r_min, time)
    return belongs, swift, (touching - distance) / r_min


@kernel_parallel
def list_roamers(
    X, V, levels, reach, roaming, chosen, margin, time, fall, first, length, other, new, many, met
):  # fmt: skip
    """new[a, :many[a]]: partners of roamer chosen[a] that are not in the lists (many[a] > NEW_MOST: there are more).

    Two roamers are listed by the first of them. met[a]: greatest closing speed over radius (1/s) within the time, how
    many new partners overlap already, and the deepest of those overlaps over the radius.
    """
    frame, shape, start = levels.frame, levels.shape, levels.start
    for a in prange(len(chosen)):
        i = np.int64(chosen[a])
        cover = _cover(V, i, margin, time, fall)
        found = missed = 0
        swift = deepest = ZERO
        for c in range(a + 1, len(chosen)):
            j = np.int64(chosen[c])
            further = max(cover, _cover(V, j, margin, time, fall))
            belongs, meeting, overlap = _meet(X, V, i, j, further, margin, time)
            swift = max(swift, meeting)
            if belongs and not _listed(i, j, first, length, other):
                if found < NEW_MOST:
                    new[a, found] = j
                found += 1
                missed += 1 if overlap > ZERO else 0
                deepest = max(deepest, overlap)
        for m in range(len(frame)):
            gx, gy, gz = shape[m, 0], shape[m, 1], shape[m, 2]
            # others have moved by their cover at most, which is the reach and what their size has of it
            far = X[i, 3] + cover + frame[m, 4] + reach
            bx, nx = cells_within(X[i, 0], far, frame[m, 0], frame[m, 3], gx)
            by, ny = cells_within(X[i, 1], far, frame[m, 1], frame[m, 3], gy)
            bz, nz = cells_within(X[i, 2], far, frame[m, 2], frame[m, 3], gz)
            for cx in range(nx):
                for cy in range(ny):
                    row = shape[m, 3] + ((bx + cx) % gx * gy + (by + cy) % gy) * gz
                    for cz in range(nz):
                        cell = row + (bz + cz) % gz
                        for k in range(start[cell], start[cell + 1]):
                            j = np.int64(k)
                            if roaming[j]:
                                continue
                            belongs, meeting, overlap = _meet(X, V, i, j, cover, margin, time)
                            swift = max(swift, meeting)
                            if belongs and not _listed(i, j, first, length, other):
                                if found < NEW_MOST:
                                    new[a, found] = j
                                found += 1
                                missed += 1 if overlap > ZERO else 0
                                deepest = max(deepest, overlap)
        many[a] = found
        met[a, 0], met[a, 1], met[a, 2] = swift, F(missed), deepest


@device
def _overlap(X, V, i, j):
    """Whether two grains overlap of which one can move."""
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    touching = X[i, 3] + X[j, 3]
    return d0 * d0 + d1 * d1 + d2 * d2 < touching * touching and (V[i, 3] > ZERO or V[j, 3] > ZERO)


@bare_inner
def runs_into_unlisted(X, V, home, count, partial, watch):
    """Whether a grain that has left its cover overlaps one that it is not listed with. True as well if there are more
    of them than are worth asking, or if walls no longer hold for one. partial[b, 0] > 0: one of block b has left.

    The others are no further than their cover from their cells, but for the roamers, who may be anywhere.
    """
    frame, shape, start, roaming, loose = watch.frame, watch.shape, watch.start, watch.roaming, watch.loose
    first, length, other = watch.first, watch.length, watch.other
    reach, held = watch.far[0], watch.far[1]
    left = 0
    for b in range((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK) if partial[b, 0] > ZERO else 0):
            d0, d1, d2 = X[i, 0] - home[i, 0], X[i, 1] - home[i, 1], X[i, 2] - home[i, 2]
            square = d0 * d0 + d1 * d1 + d2 * d2
            if square > home[i, 3] * home[i, 3]:
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
            gx, gy, gz = shape[m, 0], shape[m, 1], shape[m, 2]
            far = X[i, 3] + frame[m, 4] + reach
            bx, nx = cells_within(X[i, 0], far, frame[m, 0], frame[m, 3], gx)
            by, ny = cells_within(X[i, 1], far, frame[m, 1], frame[m, 3], gy)
            bz, nz = cells_within(X[i, 2], far, frame[m, 2], frame[m, 3], gz)
            for cx in range(nx):
                for cy in range(ny):
                    row = shape[m, 3] + ((bx + cx) % gx * gy + (by + cy) % gy) * gz
                    for cz in range(nz):
                        cell = row + (bz + cz) % gz
                        for k in range(start[cell], start[cell + 1]):
                            j = np.int64(k)
                            if j != i and _overlap(X, V, i, j) and not _listed(i, j, first, length, other):
                                return True
    return False


@kernel
def settle_roamers(X, V, chosen, margin, time, fall, home):
    """Remembers from where and how far the roamers' lists hold now."""
    for i in chosen:
        home[i, 0], home[i, 1], home[i, 2] = X[i, 0], X[i, 1], X[i, 2]
        home[i, 3] = _cover(V, i, margin, time, fall)
