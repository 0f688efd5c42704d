"""Contacts in batches that can be solved at the same time, the same way whatever the number of threads.

Gauss-Seidel changes two grains per contact, so that contacts solved at once must not share a grain:

* between threads, by *pencils*: bundles of cell columns of one grid level, at least two cells wide. A pencil's contacts
  are those that its grains have listed, with grains of their own level or finer ones, and reach at most one cell beyond
  it, so that pencils of one of four colours (even or odd along x and y) never meet. Along x the finest level's lists
  reach ahead only, and its pencils may be one cell wide;
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
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.pairs import PairLists, lowest_bit
from windrow.kernel import bare_inner, device, kernel
from windrow.simd import WIDTH
from windrow.state.room import room
from windrow.team import deal, deal_stretches, parallel, parallel_counted

F = np.float32
ZERO = F(0.0)
HUES = 62
CLOSED_HUES = 24
"""First hue of open contacts; closed ones may use all."""
ROUND = 30
"""Contacts of one grain's list that are coloured at a time."""
STRAY = np.uint8(255)
CLOSE = np.uint8(64)
"""Beside the hue: the contact may have carried an impulse. Strays are looked at anew."""
HUE = np.uint8(63)
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


@parallel
def count_entries(team, spans, length, entries, rounds):
    """entries[p]: of all lists of pencil p; rounds[p]: of its longest list, at least 1."""
    for p in deal(team, spans.shape[0]):
        longest, whole = 1, 0
        for k in range(spans.shape[1]):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                longest = max(longest, length[i])
                whole += length[i]
        entries[p] = whole
        rounds[p] = (longest + ROUND - 1) // ROUND


@device
def _close(X, i, j):
    """Whether a contact may have carried an impulse, see `NEAR`."""
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    near = X[i, 3] + X[j, 3] + NEAR * min(X[i, 3], X[j, 3])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@bare_inner
def _choose_hues(p, spans, round_begin, X, first, length, other, hue, mask, tally, batches, strays):
    """`choose_hues` for one pencil."""
    width = spans.shape[1]
    lost = 0
    full = 0
    for at in range(round_begin[p], round_begin[p + 1]):
        past = (at - round_begin[p]) * ROUND
        for k in range(HUES):
            tally[at, k] = 0
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                mine = mask[i]
                for e in range(first[i] + past, first[i] + min(length[i], past + ROUND)):
                    j = other[e]
                    if j < 0:
                        hue[e] = STRAY
                        lost += 1
                        continue
                    close = _close(X, i, j)
                    skipped = 0 if close else CLOSED_HUES
                    h = skipped + lowest_bit(~((mine | mask[j]) >> skipped))
                    if h >= HUES:
                        hue[e] = STRAY
                        lost += 1
                        continue
                    bit = np.int64(1) << h
                    mine |= bit
                    mask[j] |= bit
                    hue[e] = h | CLOSE if close else h
                    tally[at, h] += 1
                mask[i] = mine
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                mask[i] = 0
                for e in range(first[i] + past, first[i] + min(length[i], past + ROUND)):
                    if other[e] >= 0:
                        mask[other[e]] = 0
        for k in range(HUES):
            full += (tally[at, k] + WIDTH - 1) // WIDTH
    batches[p] = full
    strays[p] = lost


@parallel
def choose_hues(
    team, turns, turn_begin, spans, round_begin, X, first, length, other, hue, mask, tally, batches, strays
):  # fmt: skip
    """First fit. tally[round] counts the contacts by hue, batches[p] and strays[p] what the pencil needs.

    Open contacts begin with a later hue than closed ones, so that whole batches of them can be left out of the sweeps.
    mask[i]: hues that grain i has in the round at hand; all zero before and after. round_begin: first round of each
    pencil. turns, turn_begin: see `pencils.share_out`.
    """
    for stage in range(turn_begin.shape[0]):
        for turn in deal_stretches(team, turn_begin[stage]):
            _choose_hues(
                turns[turn], spans, round_begin, X, first, length, other, hue, mask, tally, batches, strays
            )


@kernel
def begin_of_each(amount, begin):
    """Running sum: begin[k] = all amounts before k; returns the whole."""
    total = 0
    for k in range(len(amount)):
        begin[k] = total
        total += amount[k]
    begin[len(amount)] = total
    return total


@intrinsic
def _matches8(context, where, many, wanted):
    """Bit k says that entry k of the list at an address, of which so many (eight at most) are left, is the grain
    `wanted`, on this side of the seam or across it."""

    def generate(context, b, signature, arguments):
        where, many, wanted = arguments
        lanes = ir.Constant(simd.INT_VECTOR, list(range(WIDTH)))
        there = b.icmp_signed("<", lanes, simd.splat_integer(b, many))
        entry = simd.load_some(b, where, there)
        grain = b.xor(entry, b.ashr(entry, ir.Constant(simd.INT_VECTOR, [31] * WIDTH)))
        same = b.and_(b.icmp_signed("==", grain, simd.splat_integer(b, wanted)), there)
        return b.zext(b.bitcast(same, ir.IntType(WIDTH)), simd.INT64)

    return types.int64(types.int64, types.int64, types.int64), generate


@device
def _place_in_list(list_at, many, guess, wanted):
    """Place of the grain `wanted` in a list at an address, looked for from `guess` on; −1: it is not there."""
    place = np.int64(-1)
    k = guess if guess < many else np.int64(0)
    for _ in range(0, many + WIDTH, WIDTH):
        bits = _matches8(list_at + 4 * k, min(many - k, np.int64(WIDTH)), wanted)
        if bits != 0:
            place = k + lowest_bit(bits)
            break
        k += WIDTH
        k = k if k < many else np.int64(0)
    return place


@device
def _recalled(i, j, guess, old, first0, length0, other0_at, slot0):
    """Slot of the pair in the lists before, times ±1 as the pair had the same or the opposite order; 0: not there.

    Slots are counted from 1 here. old[i]: where grain i was in the lists before, or −1. `guess`: place in the list of
    i to look at first; boulders' lists are long, and mostly in the order they had. Returns the slot and the next guess.
    """
    oi, oj = np.int64(old[i]), np.int64(old[j])
    if oi < 0 or oj < 0:
        return np.int64(0), guess
    mine, theirs = np.int64(first0[oi]), np.int64(first0[oj])
    many, more = np.int64(length0[oi]), np.int64(length0[oj])
    if many <= WIDTH and more <= WIDTH:
        # which of the two lists has the pair is a matter of chance, and guessing wrong would cost more than both
        here = _matches8(other0_at + 4 * mine, many, oj)
        there = _matches8(other0_at + 4 * theirs, more, oi)
        if here | there == 0:
            return np.int64(0), guess
        at = mine + lowest_bit(here | 256) if here != 0 else theirs + lowest_bit(there | 256)
        s = np.int64(slot0[at]) + 1
        return s if here != 0 else -s, guess
    place = _place_in_list(other0_at + 4 * mine, many, guess, oj)
    if place >= 0:
        return np.int64(slot0[mine + place]) + 1, place + 1
    place = _place_in_list(other0_at + 4 * theirs, more, np.int64(0), oi)
    return (-np.int64(slot0[theirs + place]) - 1 if place >= 0 else np.int64(0)), guess


@bare_inner
def _fill_batches(
    p, place, spans, round_begin, first, length, other, hue, tally, batch_begin, stray_begin, idle, slot, ends, impulse,
    stray_ends, stray_impulse, old, first0, length0, other0, slot0, impulse0, stray_impulse0, remembers, X, missed,
):  # fmt: skip
    """`fill_batches` for one pencil. place: HUES numbers to work with."""
    lanes0, lanes, other0_at = impulse0.shape[0] * WIDTH, ends.shape[0] * WIDTH, other0.ctypes.data
    at = batch_begin[p] * WIDTH
    dummy = idle + 4 * (p % IDLE_GROUPS)
    stray = stray_begin[p]
    many = 0
    deepest = ZERO
    for counted in range(round_begin[p], round_begin[p + 1]):
        past = np.int64((counted - round_begin[p]) * ROUND)
        for k in range(HUES):
            place[k] = at
            rounded = (tally[counted, k] + WIDTH - 1) // WIDTH * WIDTH
            for q in range(at + tally[counted, k], at + rounded):
                ends[q >> 3, 0, q & 7], ends[q >> 3, 1, q & 7] = dummy, dummy + 1
                for a in range(3):
                    impulse[q >> 3, a, q & 7] = ZERO
            at += rounded
        for k in range(spans.shape[1]):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                guess = past
                for e in range(first[i] + past, first[i] + min(length[i], past + ROUND)):
                    j = np.int64(other[e])
                    j = j if j >= 0 else -1 - j
                    h = hue[e]
                    l0 = l1 = l2 = ZERO
                    if remembers and h >= CLOSE and (h != STRAY or _close(X, i, j)):
                        s, guess = _recalled(i, j, guess, old, first0, length0, other0_at, slot0)
                        if s != 0:
                            sign = F(1.0) if s > 0 else F(-1.0)
                            q = abs(s) - 1
                            if q < lanes0:
                                b, lane = q >> 3, q & 7
                                l0, l1, l2 = impulse0[b, 0, lane], impulse0[b, 1, lane], impulse0[b, 2, lane]
                            else:
                                q -= lanes0
                                l0, l1, l2 = stray_impulse0[q, 0], stray_impulse0[q, 1], stray_impulse0[q, 2]
                            l0, l1, l2 = sign * l0, sign * l1, sign * l2
                        elif old[i] >= 0 and old[j] >= 0:
                            d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
                            depth = X[i, 3] + X[j, 3] - np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
                            many += 1 if depth > ZERO else 0
                            deepest = max(deepest, depth / min(X[i, 3], X[j, 3]))
                    if h == STRAY:
                        slot[e] = lanes + stray
                        stray_ends[stray, 0], stray_ends[stray, 1] = i, j
                        stray_impulse[stray, 0], stray_impulse[stray, 1], stray_impulse[stray, 2] = l0, l1, l2
                        stray += 1
                    else:
                        h &= HUE
                        q = place[h]
                        place[h] += 1
                        slot[e] = q
                        b, lane = q >> 3, q & 7
                        ends[b, 0, lane], ends[b, 1, lane] = i, j
                        impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = l0, l1, l2
    missed[p, 0], missed[p, 1] = F(many), deepest


@parallel_counted
def fill_batches(
    team, spans, round_begin, first, length, other, hue, tally, batch_begin, stray_begin, idle, slot, ends, impulse,
    stray_ends, stray_impulse, old, first0, length0, other0, slot0, impulse0, stray_impulse0, remembers, X, missed,
):  # fmt: skip
    """Puts the contacts into their batches, each with the impulse it had before.

    slot[e]: batch × 8 + lane, or the number of batches × 8 + number of the stray.
    missed[p]: number of pairs that overlap but were not listed before, and the deepest of those overlaps over the
    smaller radius.
    """
    place = np.empty(HUES, np.int64)
    for p in deal(team, spans.shape[0]):
        _fill_batches(
            p, place, spans, round_begin, first, length, other, hue, tally, batch_begin, stray_begin, idle, slot, ends,
            impulse, stray_ends, stray_impulse, old, first0, length0, other0, slot0, impulse0, stray_impulse0,
            remembers, X, missed,
        )  # fmt: skip


@parallel
def count_walls(team, spans, V, wall_start, wall_end, tally, batches, most):
    """tally[p, r]: how many grains of pencil p have an r-th contact with a wall; batches[p]: what that needs.

    most[p]: contacts of the grain that has most of them.
    """
    pencils, width = spans.shape[0], spans.shape[1]
    for p in deal(team, pencils):
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
"""Room for batches that there is from the beginning: as many as a dense bed has while it falls. Larger arrays in their
place would be touched for the first time all over, which takes as long as the rest of a step."""


STRAYS_LEAST = 256
"""Room for strays that there is from the beginning."""


class Batches:
    """The contacts between grains: their lists, batches and strays, with the impulses that are the memory."""

    def __init__(self, capacity: int) -> None:
        self.lists = PairLists(capacity)
        self.room_least = int(BATCHES_PER_GRAIN * capacity)
        self.slot = room(len(self.lists.other), np.int32)
        self.ends: NDArray[np.int32] = room((self.room_least, 2, WIDTH), np.int32)
        self.impulse: NDArray[np.float32] = room((self.room_least, 3, WIDTH), np.float32)
        self.stray_ends: NDArray[np.int32] = room((STRAYS_LEAST, 2), np.int32)
        self.stray_impulse: NDArray[np.float32] = room((STRAYS_LEAST, 3), np.float32)
        self._room = (self.ends, self.impulse, self.stray_ends, self.stray_impulse)
        self.resize(0, 0)

    def resize(self, batches: int, strays: int) -> None:
        """Views of the right length; the buffers behind them grow when needed. Contents are not kept."""
        ends, impulse, stray_ends, stray_impulse = self._room
        if len(ends) < batches:
            many = batches + batches // 4
            ends, impulse = room((many, 2, WIDTH), np.int32), room((many, 3, WIDTH), np.float32)
        if len(stray_ends) < strays:
            many = strays + strays // 4
            stray_ends, stray_impulse = room((many, 2), np.int32), room((many, 3), np.float32)
        self._room = (ends, impulse, stray_ends, stray_impulse)
        self.ends, self.impulse = ends[:batches], impulse[:batches]
        self.stray_ends, self.stray_impulse = stray_ends[:strays], stray_impulse[:strays]
        if len(self.slot) < len(self.lists.other):
            self.slot = room(len(self.lists.other), np.int32)

    def grow(self, entries: int, strays: int) -> None:
        """Room for so many more entries of lists, and so many strays in all. Contents are kept."""
        lists = self.lists
        if len(lists.other) < lists.end + entries:
            lists.other = _longer(lists.other, lists.end + 2 * entries)
        if len(self.slot) < len(lists.other):
            self.slot = _longer(self.slot, len(lists.other))
        ends, impulse, stray_ends, stray_impulse = self._room
        if len(stray_ends) < strays:
            many = strays + strays // 4
            stray_ends, stray_impulse = _longer(stray_ends, many), _longer(stray_impulse, many)
        self._room = (ends, impulse, stray_ends, stray_impulse)
        self.stray_ends, self.stray_impulse = stray_ends[:strays], stray_impulse[:strays]
