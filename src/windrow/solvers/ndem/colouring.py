"""Contacts in batches that can be solved at the same time, the same way whatever the number of threads.

Gauss-Seidel changes two grains per contact, so that contacts solved at once must not share a grain:

* between threads, by *pencils*: square bundles of cell columns of one grid level, at least two cells wide. A pencil's
  contacts are those that its grains have listed, with grains of their own level or finer ones, and reach at most one
  cell beyond it, so that pencils of one of four colours (even or odd along x and y) never meet;
* between the eight lanes of a batch, by *hues*: each contact of a pencil takes the lowest hue that neither of its
  grains has yet (first fit), and batches are filled from one hue. What is left of a hue is filled up with idle lanes.
  A boulder has more contacts than there are hues; contacts are coloured in *rounds*, so many of each grain's list.

The colours of the levels are swept one after the other, the finest level's first; pencils of one colour may run in any
order and on any thread, and inside a pencil the order is fixed. Contacts across the seam of the grid and those that
find no hue are *strays*: they are solved one after the other, after all others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.pairs import PairLists, lowest_bit
from windrow.kernel import device, kernel, kernel_parallel, prange
from windrow.simd import WIDTH

F = np.float32
ZERO = F(0.0)
HUES = 62
CLOSED_HUES = 24
"""First hue of open contacts; closed ones may use all."""
ROUND = 30
"""Contacts of one grain's list that are coloured at a time."""
STRAY = np.uint8(255)
COLOURS = 4
RANKS = 24
"""Contacts with walls that one grain can have at the same time."""

NEAR = F(0.05)
"""Gap, of the smaller radius, up to which a contact may have carried an impulse: a loaded contact ends its substep
closed, but for what later contacts of the same sweep changed."""


IDLE_GROUPS = 64
"""Groups of rows that idle lanes point to. Each pencil writes to one of them only: threads that wrote to the same
cache line would wait for each other."""
IDLE = 4 * IDLE_GROUPS
"""Rows behind the grains' for idle lanes."""


@kernel_parallel
def count_rounds(spans, length, rounds):
    """rounds[p]: how often the longest list of pencil p is more than a round; at least 1."""
    for p in prange(spans.shape[0]):
        longest = 1
        for k in range(spans.shape[1]):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                longest = max(longest, length[i])
        rounds[p] = (longest + ROUND - 1) // ROUND


@kernel_parallel
def choose_hues(
    spans, stage, level_begin, round_begin, X, first, length, other, hue, mask, tally, batches, strays
):  # fmt: skip
    """First fit. tally[round] counts the contacts by hue, batches[p] and strays[p] what the pencil needs.

    Open contacts begin with a later hue than closed ones, so that whole batches of them can be left out of the sweeps.
    mask[i]: hues that grain i has in the round at hand; all zero before and after. level_begin: first pencil of each
    level; round_begin: first round of each pencil.
    """
    width = spans.shape[1]
    for now in range(COLOURS * (len(level_begin) - 1)):
        for p in prange(level_begin[now // COLOURS], level_begin[now // COLOURS + 1]):
            if stage[p] != now:
                continue
            lost = 0
            full = 0
            for turn in range(round_begin[p + 1] - round_begin[p]):
                at = round_begin[p] + turn
                for k in range(HUES):
                    tally[at, k] = 0
                for k in range(width):
                    for i in range(spans[p, k, 0], spans[p, k, 1]):
                        mine = mask[i]
                        x, y, z, r = X[i, 0], X[i, 1], X[i, 2], X[i, 3]
                        begin = first[i] + turn * ROUND
                        for e in range(begin, first[i] + min(length[i], turn * ROUND + ROUND)):
                            j = other[e]
                            if j < 0:
                                hue[e] = STRAY
                                lost += 1
                                continue
                            d0, d1, d2 = x - X[j, 0], y - X[j, 1], z - X[j, 2]
                            near = r + X[j, 3] + NEAR * min(r, X[j, 3])
                            skipped = 0 if d0 * d0 + d1 * d1 + d2 * d2 < near * near else CLOSED_HUES
                            h = skipped + lowest_bit(~((mine | mask[j]) >> skipped))
                            if h >= HUES:
                                hue[e] = STRAY
                                lost += 1
                                continue
                            bit = np.int64(1) << h
                            mine |= bit
                            mask[j] |= bit
                            hue[e] = h
                            tally[at, h] += 1
                        mask[i] = mine
                for k in range(width):
                    for i in range(spans[p, k, 0], spans[p, k, 1]):
                        mask[i] = 0
                        for e in range(
                            first[i] + turn * ROUND, first[i] + min(length[i], turn * ROUND + ROUND)
                        ):
                            if other[e] >= 0:
                                mask[other[e]] = 0
                for k in range(HUES):
                    full += (tally[at, k] + WIDTH - 1) // WIDTH
            batches[p] = full
            strays[p] = lost


@kernel
def begin_of_each(amount, begin):
    """Running sum: begin[k] = all amounts before k; returns the whole."""
    total = 0
    for k in range(len(amount)):
        begin[k] = total
        total += amount[k]
    begin[len(amount)] = total
    return total


@device
def _recalled(i, j, guess, old, first0, length0, other0, slot0):
    """Slot of the pair in the lists before, times ±1 as the pair had the same or the opposite order; 0: not there.

    Slots are counted from 1 here. old[i]: where grain i was in the lists before, or −1. `guess`: place in the list of
    i to look at first; boulders' lists are long, and mostly in the order they had. Returns the slot and the next guess.
    """
    oi, oj = old[i], old[j]
    if oi < 0 or oj < 0:
        return np.int64(0), guess
    many = np.int64(length0[oi])
    guess = guess if guess < many else np.int64(0)
    for k in range(many):
        at = guess + k
        at = at if at < many else at - many
        o = other0[first0[oi] + at]
        if o == oj or o == -1 - oj:
            return np.int64(slot0[first0[oi] + at]) + 1, at + 1
    for e in range(first0[oj], first0[oj] + length0[oj]):
        o = other0[e]
        if o == oi or o == -1 - oi:
            return -np.int64(slot0[e]) - 1, guess
    return np.int64(0), guess


@kernel_parallel
def fill_batches(
    spans, round_begin, first, length, other, hue, tally, batch_begin, stray_begin, idle, slot, ends, impulse,
    stray_ends, stray_impulse, old, first0, length0, other0, slot0, impulse0, stray_impulse0, remembers,
    X, V, time, found,
):  # fmt: skip
    """Puts the contacts into their batches, each with the impulse it had before.

    slot[e]: batch × 8 + lane, or the number of batches × 8 + number of the stray.
    found[p]: greatest speed over smaller radius (1/s) of a meeting within `time`, number of pairs that overlap but
    were not listed before, and the deepest of those overlaps over the smaller radius.
    """
    pencils, width = spans.shape[0], spans.shape[1]
    lanes0 = impulse0.shape[0] * WIDTH
    lanes = ends.shape[0] * WIDTH
    for p in prange(pencils):
        place = np.empty(HUES, np.int64)
        at = batch_begin[p] * WIDTH
        dummy = idle + 4 * (p % IDLE_GROUPS)
        stray = stray_begin[p]
        swiftest = ZERO
        missed = 0
        deepest = ZERO
        for turn in range(round_begin[p + 1] - round_begin[p]):
            counted = round_begin[p] + turn
            for k in range(HUES):
                place[k] = at
                rounded = (tally[counted, k] + WIDTH - 1) // WIDTH * WIDTH
                for q in range(at + tally[counted, k], at + rounded):
                    ends[q >> 3, 0, q & 7], ends[q >> 3, 1, q & 7] = dummy, dummy + 1
                    for a in range(3):
                        impulse[q >> 3, a, q & 7] = ZERO
                at += rounded
            for k in range(width):
                for i in range(spans[p, k, 0], spans[p, k, 1]):
                    guess = np.int64(turn * ROUND)
                    x, y, z, r, vx, vy, vz = X[i, 0], X[i, 1], X[i, 2], X[i, 3], V[i, 0], V[i, 1], V[i, 2]
                    for e in range(first[i] + guess, first[i] + min(length[i], guess + ROUND)):
                        j = np.int64(other[e])
                        j = j if j >= 0 else -1 - j
                        n0, n1, n2 = x - X[j, 0], y - X[j, 1], z - X[j, 2]
                        u0, u1, u2 = V[j, 0] - vx, V[j, 1] - vy, V[j, 2] - vz
                        square, meeting = n0 * n0 + n1 * n1 + n2 * n2, u0 * n0 + u1 * n1 + u2 * n2
                        touching, r_min = r + X[j, 3], min(r, X[j, 3])
                        near = touching + NEAR * r_min
                        # their closing speed is meeting/distance; most meetings are slower than the swiftest so far
                        least = swiftest * r_min
                        if meeting > ZERO and meeting * meeting > least * least * square:
                            d = np.sqrt(square)
                            if meeting * time > (d - touching) * d:
                                swiftest = meeting / (max(d, F(1e-12)) * r_min)
                        l0 = l1 = l2 = ZERO
                        if remembers and square < near * near:
                            s, guess = _recalled(i, j, guess, old, first0, length0, other0, slot0)
                            if s != 0:
                                sign = F(1.0) if s > 0 else F(-1.0)
                                q = abs(s) - 1
                                if q < lanes0:
                                    b, lane = q >> 3, q & 7
                                    l0, l1, l2 = (
                                        impulse0[b, 0, lane],
                                        impulse0[b, 1, lane],
                                        impulse0[b, 2, lane],
                                    )
                                else:
                                    q -= lanes0
                                    l0, l1, l2 = (
                                        stray_impulse0[q, 0],
                                        stray_impulse0[q, 1],
                                        stray_impulse0[q, 2],
                                    )
                                l0, l1, l2 = sign * l0, sign * l1, sign * l2
                            elif square < touching * touching and old[i] >= 0 and old[j] >= 0:
                                missed += 1
                                deepest = max(deepest, (touching - np.sqrt(square)) / r_min)
                        h = hue[e]
                        if h == STRAY:
                            slot[e] = lanes + stray
                            stray_ends[stray, 0], stray_ends[stray, 1] = i, j
                            stray_impulse[stray, 0], stray_impulse[stray, 1], stray_impulse[stray, 2] = (
                                l0,
                                l1,
                                l2,
                            )
                            stray += 1
                        else:
                            q = place[h]
                            place[h] += 1
                            slot[e] = q
                            b, lane = q >> 3, q & 7
                            ends[b, 0, lane], ends[b, 1, lane] = i, j
                            impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = l0, l1, l2
        found[p, 0], found[p, 1], found[p, 2] = swiftest, F(missed), deepest


@kernel_parallel
def count_walls(spans, V, wall_start, wall_end, tally, batches, most):
    """tally[p, r]: how many grains of pencil p have an r-th contact with a wall; batches[p]: what that needs.

    most[p]: contacts of the grain that has most of them.
    """
    pencils, width = spans.shape[0], spans.shape[1]
    for p in prange(pencils):
        for r in range(RANKS):
            tally[p, r] = 0
        greatest = 0
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                if V[i, 3] > ZERO:
                    greatest = max(greatest, wall_end[i] - wall_start[i])
                    for r in range(min(wall_end[i] - wall_start[i], RANKS)):
                        tally[p, r] += 1
        most[p] = greatest
        full = 0
        for r in range(RANKS):
            full += (tally[p, r] + WIDTH - 1) // WIDTH
        batches[p] = full


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


BATCHES_PER_GRAIN = 3 / 4
"""Room for batches that there is from the beginning: as many as a dense bed has while it falls. Memory that is not used
costs nothing, but arrays that are replaced by larger ones are touched for the first time all over, which takes as long
as the rest of a step."""


class Batches:
    """The contacts between grains: their lists, batches and strays, with the impulses that are the memory."""

    def __init__(self, capacity: int) -> None:
        self.lists = PairLists(capacity)
        self.room_least = int(BATCHES_PER_GRAIN * capacity)
        self.slot = np.zeros(0, np.int32)
        self.ends: NDArray[np.int32] = np.zeros((0, 2, WIDTH), np.int32)
        self.impulse: NDArray[np.float32] = np.zeros((0, 3, WIDTH), np.float32)
        self.stray_ends: NDArray[np.int32] = np.zeros((0, 2), np.int32)
        self.stray_impulse: NDArray[np.float32] = np.zeros((0, 3), np.float32)
        self._room = (self.ends, self.impulse, self.stray_ends, self.stray_impulse)

    def resize(self, batches: int, strays: int) -> None:
        """Views of the right length; the buffers behind them grow when needed. Contents are not kept."""
        ends, impulse, stray_ends, stray_impulse = self._room
        if len(ends) < batches:
            room = max(batches + batches // 8, self.room_least)
            ends, impulse = np.zeros((room, 2, WIDTH), np.int32), np.zeros((room, 3, WIDTH), np.float32)
        if len(stray_ends) < strays:
            room = strays + strays // 4
            stray_ends, stray_impulse = np.zeros((room, 2), np.int32), np.zeros((room, 3), np.float32)
        self._room = (ends, impulse, stray_ends, stray_impulse)
        self.ends, self.impulse = ends[:batches], impulse[:batches]
        self.stray_ends, self.stray_impulse = stray_ends[:strays], stray_impulse[:strays]
        if len(self.slot) < len(self.lists.other):
            self.slot = np.zeros(len(self.lists.other), np.int32)

    def grow(self, entries: int, strays: int) -> None:
        """Room for so many more entries of lists, and so many strays in all. Contents are kept."""
        lists = self.lists
        if len(lists.other) < lists.end + entries:
            lists.other = _longer(lists.other, lists.end + 2 * entries)
        if len(self.slot) < len(lists.other):
            self.slot = _longer(self.slot, len(lists.other))
        ends, impulse, stray_ends, stray_impulse = self._room
        if len(stray_ends) < strays:
            room = strays + strays // 4
            stray_ends, stray_impulse = _longer(stray_ends, room), _longer(stray_impulse, room)
        self._room = (ends, impulse, stray_ends, stray_impulse)
        self.stray_ends, self.stray_impulse = stray_ends[:strays], stray_impulse[:strays]
