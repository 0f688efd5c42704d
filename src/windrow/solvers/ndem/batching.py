"""Contacts in batches that can be solved at the same time, the same way whatever the number of threads.

Gauss-Seidel changes two grains per contact, so that contacts solved at once must not share a grain:

* between threads, by *pencils*: bundles of cell columns of one grid level, at least two cells wide. A pencil's contacts
  are those that its grains have listed, with grains of their own level or finer ones, and reach at most one cell beyond
  it, so that pencils of one of four colours (even or odd along x and y) never meet. Along x the finest level's lists
  reach ahead only, and its pencils may be one cell wide;
* between the eight lanes of a batch, by *lane colours*: each contact of a pencil takes the lowest colour that neither
  of its grains has yet (first fit), and batches are filled from one colour. What is left of a colour is filled up with
  idle lanes. A boulder has more contacts than there are colours; contacts are coloured in *rounds*, so many of each
  grain's list.

The colours of the levels are swept one after the other, the finest level's first; pencils of one colour may run in any
order and on any thread, and inside a pencil the order is fixed. Contacts across the seam of the grid and those that
find no lane colour are *overflow*: they are solved one after the other, after all others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.gather import lowest_bit
from windrow.collide.pairs import HalfLists, PairLists
from windrow.geometry.terms import F32, I32, I64, U8
from windrow.kernel import bare_inner, bare_kernel, device
from windrow.simd import WIDTH
from windrow.solvers.ndem.pencils import Pencils, begin_of_each
from windrow.solvers.ndem.records import IDLE_GROUPS, OVERFLOW_LEAST
from windrow.state.room import room
from windrow.team import deal, deal_stretches, parallel, parallel_counted

F = np.float32
ZERO = F(0.0)
LANE_COLOURS = 62
CLOSED_COLOURS = 24
"""First lane colour of open contacts; closed ones may use all."""
ROUND = 30
"""Contacts of one grain's list that are coloured at a time."""
OVERFLOW = np.uint8(255)
CLOSE = np.uint8(64)
"""Beside the lane colour: the contact may have carried an impulse. Overflow is looked at anew."""
COLOUR = np.uint8(63)

NEAR = F(0.05)
"""Gap, of the smaller radius, up to which a contact may have carried an impulse: a loaded contact ends its substep
closed, but for what later contacts of the same sweep changed."""
BATCHES_PER_GRAIN = 3 / 4
"""Room for batches that there is from the beginning: as many as a dense bed has while it falls. Larger arrays in their
place would be touched for the first time all over, which takes as long as the rest of a step."""


class ListedPairs(NamedTuple):
    """Pairs as they are listed, and where each of them is solved."""

    lists: HalfLists
    slot: I32
    """of each entry of the lists: batch × 8 + lane, or the number of batches × 8 + number in the overflow"""
    ends: I32
    impulse: F32
    overflow_ends: I32
    overflow_impulse: F32


class Colouring(NamedTuple):
    """How the contacts of the pencils are distributed to lanes."""

    spans: I32
    """(pencils, slices, 2): grains of each pencil"""
    round_begin: I64
    """(pencils + 1,): first round of each pencil"""
    lane_colour: U8
    """of each entry of the lists"""
    tally: I32
    """(rounds, LANE_COLOURS): contacts of each colour"""
    batch_begin: I64
    """(pencils + 1,): first batch of each pencil"""
    overflow_begin: I64
    """(pencils + 1,): first contact of each pencil's overflow"""


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
def _choose_colours(p, X, colouring, lists, mask, batches, overflow):
    """`choose_colours` for one pencil."""
    spans, round_begin, colour, tally = colouring.spans, colouring.round_begin, colouring.lane_colour, colouring.tally
    first, length, other = lists.first, lists.length, lists.other
    width = spans.shape[1]
    lost = 0
    full = 0
    for at in range(round_begin[p], round_begin[p + 1]):
        past = (at - round_begin[p]) * ROUND
        for k in range(LANE_COLOURS):
            tally[at, k] = 0
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                mine = mask[i]
                for e in range(first[i] + past, first[i] + min(length[i], past + ROUND)):
                    j = other[e]
                    if j < 0:
                        colour[e] = OVERFLOW
                        lost += 1
                        continue
                    close = _close(X, i, j)
                    skipped = 0 if close else CLOSED_COLOURS
                    h = skipped + lowest_bit(~((mine | mask[j]) >> skipped))
                    if h >= LANE_COLOURS:
                        colour[e] = OVERFLOW
                        lost += 1
                        continue
                    bit = np.int64(1) << h
                    mine |= bit
                    mask[j] |= bit
                    colour[e] = h | CLOSE if close else h
                    tally[at, h] += 1
                mask[i] = mine
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                mask[i] = 0
                for e in range(first[i] + past, first[i] + min(length[i], past + ROUND)):
                    if other[e] >= 0:
                        mask[other[e]] = 0
        for k in range(LANE_COLOURS):
            full += (tally[at, k] + WIDTH - 1) // WIDTH
    batches[p] = full
    overflow[p] = lost


@parallel
def choose_colours(team, turns, turn_begin, X, colouring, lists, mask, batches, overflow):
    """First fit. Fills `lane_colour` and `tally`; batches[p] and overflow[p]: what the pencil needs.

    Open contacts begin with a later colour than closed ones, so that whole batches of them can be left out of the
    sweeps. mask[i]: lane colours that grain i has in the round at hand; all zero before and after. turns, turn_begin:
    see `pencils.share_out`.
    """
    for stage in range(turn_begin.shape[0]):
        for turn in deal_stretches(team, turn_begin[stage]):
            _choose_colours(turns[turn], X, colouring, lists, mask, batches, overflow)


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
def _slot_before(i, j, guess, old, then):
    """Slot of the pair in the lists before, times ±1 as the pair had the same or the opposite order; 0: not there.

    Slots are counted from 1 here. old[i]: where grain i was in the lists before, or −1. `guess`: place in the list of
    i to look at first; boulders' lists are long, and mostly in the order they had. Returns the slot and the next guess.
    """
    first0, length0, other0_at, slot0 = then.lists.first, then.lists.length, then.lists.other.ctypes.data, then.slot
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
def _fill_batches(p, place, X, now, then, old, remembers, colouring, idle, missed):
    """`fill_batches` for one pencil. place: LANE_COLOURS numbers to work with."""
    spans, round_begin, colour, tally = colouring.spans, colouring.round_begin, colouring.lane_colour, colouring.tally
    first, length, other, slot = now.lists.first, now.lists.length, now.lists.other, now.slot
    ends, impulse, impulse0 = now.ends, now.impulse, then.impulse
    lanes0, lanes = impulse0.shape[0] * WIDTH, ends.shape[0] * WIDTH
    at = colouring.batch_begin[p] * WIDTH
    dummy = idle + 4 * (p % IDLE_GROUPS)
    extra = colouring.overflow_begin[p]
    many = 0
    deepest = ZERO
    for counted in range(round_begin[p], round_begin[p + 1]):
        past = np.int64((counted - round_begin[p]) * ROUND)
        for k in range(LANE_COLOURS):
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
                    h = colour[e]
                    l0 = l1 = l2 = ZERO
                    if remembers and h >= CLOSE and (h != OVERFLOW or _close(X, i, j)):
                        s, guess = _slot_before(i, j, guess, old, then)
                        if s != 0:
                            sign = F(1.0) if s > 0 else F(-1.0)
                            q = abs(s) - 1
                            if q < lanes0:
                                b, lane = q >> 3, q & 7
                                l0, l1, l2 = impulse0[b, 0, lane], impulse0[b, 1, lane], impulse0[b, 2, lane]
                            else:
                                q -= lanes0
                                l0, l1 = then.overflow_impulse[q, 0], then.overflow_impulse[q, 1]
                                l2 = then.overflow_impulse[q, 2]
                            l0, l1, l2 = sign * l0, sign * l1, sign * l2
                        elif old[i] >= 0 and old[j] >= 0:
                            d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
                            depth = X[i, 3] + X[j, 3] - np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
                            many += 1 if depth > ZERO else 0
                            deepest = max(deepest, depth / min(X[i, 3], X[j, 3]))
                    if h == OVERFLOW:
                        slot[e] = lanes + extra
                        now.overflow_ends[extra, 0], now.overflow_ends[extra, 1] = i, j
                        now.overflow_impulse[extra, 0], now.overflow_impulse[extra, 1] = l0, l1
                        now.overflow_impulse[extra, 2] = l2
                        extra += 1
                    else:
                        h &= COLOUR
                        q = place[h]
                        place[h] += 1
                        slot[e] = q
                        b, lane = q >> 3, q & 7
                        ends[b, 0, lane], ends[b, 1, lane] = i, j
                        impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = l0, l1, l2
    missed[p, 0], missed[p, 1] = F(many), deepest


@parallel_counted
def fill_batches(team, X, now, then, old, remembers, colouring, idle, missed):
    """Puts the contacts into their batches, each with the impulse it had before, if `remembers`.

    old[i]: where grain i was in the lists before, or −1; idle: first row for idle lanes.
    missed[p]: number of pairs that overlap but were not listed before, and the deepest of those overlaps over the
    smaller radius.
    """
    place = np.empty(LANE_COLOURS, np.int64)
    for p in deal(team, colouring.spans.shape[0]):
        _fill_batches(p, place, X, now, then, old, remembers, colouring, idle, missed)


@bare_kernel
def append_pairs(chosen, new, now, end, many):
    """Moves each list that grows to the end of the lists; new contacts are overflow without an impulse, from the
    `many`-th on. Returns where the lists end."""
    first, length, other = now.lists.first, now.lists.length, now.lists.other
    for a in range(len(chosen)):
        if new.many[a] == 0:
            continue
        i = chosen[a]
        for k in range(length[i]):
            other[end + k], now.slot[end + k] = other[first[i] + k], now.slot[first[i] + k]
        first[i] = end
        end += length[i]
        for k in range(new.many[a]):
            other[end], now.slot[end] = -1 - new.partner[a, k], len(now.ends) * WIDTH + many
            now.overflow_ends[many, 0], now.overflow_ends[many, 1] = i, new.partner[a, k]
            for axis in range(3):
                now.overflow_impulse[many, axis] = ZERO
            end += 1
            many += 1
        length[i] += new.many[a]
    return end


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


class PairStore:
    """The contacts between grains: their lists, batches and overflow, with the impulses that are the memory."""

    def __init__(self, capacity: int) -> None:
        self.lists = PairLists(capacity)
        self.room_least = int(BATCHES_PER_GRAIN * capacity)
        self.slot = room(len(self.lists.other), np.int32)
        self.ends: I32 = room((self.room_least, 2, WIDTH), np.int32)
        self.impulse: F32 = room((self.room_least, 3, WIDTH), np.float32)
        self.overflow_ends: I32 = room((OVERFLOW_LEAST, 2), np.int32)
        self.overflow_impulse: F32 = room((OVERFLOW_LEAST, 3), np.float32)
        self._room = (self.ends, self.impulse, self.overflow_ends, self.overflow_impulse)
        self.resize(0, 0)

    @property
    def listed(self) -> ListedPairs:
        return ListedPairs(
            self.lists.half, self.slot, self.ends, self.impulse, self.overflow_ends, self.overflow_impulse
        )

    def resize(self, batches: int, overflow: int) -> None:
        """Views of the right length; the buffers behind them grow when needed. Contents are not kept."""
        ends, impulse, overflow_ends, overflow_impulse = self._room
        if len(ends) < batches:
            many = batches + batches // 4
            ends, impulse = room((many, 2, WIDTH), np.int32), room((many, 3, WIDTH), np.float32)
        if len(overflow_ends) < overflow:
            many = overflow + overflow // 4
            overflow_ends, overflow_impulse = room((many, 2), np.int32), room((many, 3), np.float32)
        self._room = (ends, impulse, overflow_ends, overflow_impulse)
        self.ends, self.impulse = ends[:batches], impulse[:batches]
        self.overflow_ends, self.overflow_impulse = overflow_ends[:overflow], overflow_impulse[:overflow]
        if len(self.slot) < len(self.lists.other):
            self.slot = room(len(self.lists.other), np.int32)

    def grow(self, entries: int, overflow: int) -> None:
        """Room for so many more entries of lists, and so much overflow in all. Contents are kept."""
        lists = self.lists
        if len(lists.other) < lists.end + entries:
            lists.other = _longer(lists.other, lists.end + 2 * entries)
        if len(self.slot) < len(lists.other):
            self.slot = _longer(self.slot, len(lists.other))
        ends, impulse, overflow_ends, overflow_impulse = self._room
        if len(overflow_ends) < overflow:
            many = overflow + overflow // 4
            overflow_ends, overflow_impulse = _longer(overflow_ends, many), _longer(overflow_impulse, many)
        self._room = (ends, impulse, overflow_ends, overflow_impulse)
        self.overflow_ends, self.overflow_impulse = overflow_ends[:overflow], overflow_impulse[:overflow]

    def shrink(self, overflow: int) -> None:
        """So much overflow in all: the rest is left out."""
        self.overflow_ends, self.overflow_impulse = self.overflow_ends[:overflow], self.overflow_impulse[:overflow]


class Batcher:
    """Workspace for putting pairs into batches."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._mask = np.zeros(capacity, np.int64)
        self._lane_colour = np.zeros(0, np.uint8)

    def fill(self, pencils: Pencils, now: PairStore, before: PairStore | None, old: I32, X: F32) -> tuple[int, float]:
        """Fills `now` from its lists, with the impulses of `before` (old: where each grain was then, or −1).

        Returns the number of overlapping pairs that were not listed before, and the deepest of those over the radius.
        """
        lists, count = now.lists, pencils.count
        if len(self._lane_colour) < len(lists.other):
            self._lane_colour = room(len(lists.other), np.uint8)
        many, rounds, batches, overflow = np.zeros((4, count), np.int64)
        round_begin, pencils.pair_begin, overflow_begin = np.zeros((3, count + 1), np.int64)
        count_entries(pencils.spans, lists.length, many, rounds)
        tally = np.zeros((begin_of_each(rounds, round_begin), LANE_COLOURS), np.int32)
        colouring = Colouring(
            pencils.spans, round_begin, self._lane_colour, tally, pencils.pair_begin, overflow_begin
        )
        choose_colours(*pencils.turns_of(many), X, colouring, lists.half, self._mask, batches, overflow)
        now.resize(begin_of_each(batches, pencils.pair_begin), begin_of_each(overflow, overflow_begin))
        then = now if before is None else before
        missed = np.zeros((count, 2), np.float32)
        fill_batches(X, now.listed, then.listed, old, before is not None, colouring, self.capacity, missed)
        return int(missed[:, 0].sum()), float(missed[:, 1].max(initial=0.0))
