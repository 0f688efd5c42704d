"""Grains that come and go between two steps: what changes with them in the lists and in the memory, in place.

A grain that has left the end of the state for a gap (`State.keep`) takes its pairs, its path and its impulses with it.
All that is listed stays right, but the grain is in no cell of the grid any more, and its pairs leave their batches for
the overflow: two pencils of one colour might now meet in its row. From then on it is one of the *escaped*
(`collide/escaped.py`). So is a grain that is new, or that was fixed when pairs were listed; it has no list that holds,
and is listed before the step. When they become too many, all grains are searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.pairs import HalfLists
from windrow.geometry.terms import I32, I64, U8
from windrow.kernel import device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.batching import ListedPairs, PairStore
from windrow.solvers.ndem.memory import ContactMemory
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.records import IDLE, IDLE_GROUPS, WorkRows
from windrow.solvers.ndem.skin import Escaped
from windrow.state.state import State
from windrow.team import deal, parallel

F = np.float32
UNBOUNDED = F(1e18)
"""Skin, m, of a grain that has no path yet: none leaves it."""
BATCHES_AT_ONCE = 64


class RowChanges(NamedTuple):
    """What became of the rows that differ between two steps."""

    gone: I64
    """rows before of grains that have left"""
    source: I64
    target: I64
    """rows before and now of grains that have moved"""
    fresh: I64
    """rows now of grains that are new"""


def changes_between(before: I64, now: I64, most: float) -> RowChanges | None:
    """Compares the ids of two steps, row by row. None: more than so many rows hold other grains than before, or a
    grain has moved to a row from which another one moved."""
    both = min(len(before), len(now))
    differ = np.flatnonzero(before[:both] != now[:both])
    here, there = np.append(differ, np.arange(both, len(now))), np.append(differ, np.arange(both, len(before)))
    if len(here) > most:
        return None
    _, at_here, at_there = np.intersect1d(now[here], before[there], assume_unique=True, return_indices=True)
    source, target = there[at_there], here[at_here]
    if np.isin(source, target).any():
        return None
    return RowChanges(np.setdiff1d(there, source), source, target, np.setdiff1d(here, target))


@parallel
def find_changed(team: Any, ends: I32, place: I32, changed: U8) -> None:
    """changed[b]: whether batch b has a grain whose row is no longer its place. place[i]: where grain i is now; −1: it
    has left."""
    for part in deal(team, (ends.shape[0] + BATCHES_AT_ONCE - 1) // BATCHES_AT_ONCE):
        for b in range(part * BATCHES_AT_ONCE, min(ends.shape[0], (part + 1) * BATCHES_AT_ONCE)):
            changed[b] = 0
            for lane in range(WIDTH):
                for side in range(2):
                    if place[ends[b, side, lane]] != ends[b, side, lane]:
                        changed[b] = 1


@device
def _entry_of(i: int, j: int, lists: HalfLists) -> Any:
    """Place in `other` of a pair that i has listed."""
    first, other = lists.first, lists.other
    e = first[i]
    while other[e] != j and other[e] != -1 - j:
        e += 1
    return e


@device
def _leave_out(i: int, j: int, now: ListedPairs) -> None:
    """Takes a pair out of the list of i: the last one takes its place."""
    first, length, other = now.lists.first, now.lists.length, now.lists.other
    e, last = _entry_of(i, j, now.lists), first[i] + length[i] - 1
    other[e], now.slot[e] = other[last], now.slot[last]
    length[i] -= 1


@device
def _put(i: int, j: int, where: int, place: I32, now: ListedPairs, impulse0: Any, impulse1: Any, impulse2: Any) -> None:
    """Makes a pair the overflow contact number `where`, under the rows that its grains have now."""
    e = _entry_of(i, j, now.lists)
    now.lists.other[e], now.slot[e] = -1 - place[j], len(now.ends) * WIDTH + where
    now.overflow_ends[where, 0], now.overflow_ends[where, 1] = place[i], place[j]
    given = now.overflow_impulse
    given[where, 0], given[where, 1], given[where, 2] = impulse0, impulse1, impulse2


@kernel
def move_pairs(batches: I64, pencils: I64, place: I32, many: int, idle: int, now: ListedPairs) -> int:
    """Leaves out the pairs of grains that have left; makes those of grains that have moved overflow, with their
    impulses. Returns how many contacts are overflow then.

    batches, and the pencil of each: where such pairs may be. place: see `find_changed`. many: contacts that are
    overflow. idle: first row for idle lanes. All that have left come first: rows of theirs are given to others.
    """
    ends, impulse, extra, given = now.ends, now.impulse, now.overflow_ends, now.overflow_impulse
    for q in range(many):
        i, j = np.int64(extra[q, 0]), np.int64(extra[q, 1])
        if place[i] < 0 or place[j] < 0:
            _leave_out(i, j, now)
            extra[q, 0] = -1
    for a in range(len(batches)):
        b, dummy = batches[a], idle + 4 * (pencils[a] % IDLE_GROUPS)
        for lane in range(WIDTH):
            i, j = np.int64(ends[b, 0, lane]), np.int64(ends[b, 1, lane])
            if place[i] < 0 or place[j] < 0:
                _leave_out(i, j, now)
                ends[b, 0, lane], ends[b, 1, lane] = dummy, dummy + 1
                for axis in range(3):
                    impulse[b, axis, lane] = F(0.0)
    end = 0
    for q in range(many):
        i, j = np.int64(extra[q, 0]), np.int64(extra[q, 1])
        if i >= 0:
            if end < q or place[i] != i or place[j] != j:
                _put(i, j, end, place, now, given[q, 0], given[q, 1], given[q, 2])
            end += 1
    for a in range(len(batches)):
        b, dummy = batches[a], idle + 4 * (pencils[a] % IDLE_GROUPS)
        for lane in range(WIDTH):
            i, j = np.int64(ends[b, 0, lane]), np.int64(ends[b, 1, lane])
            if place[i] != i or place[j] != j:
                _put(i, j, end, place, now, impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane])
                end += 1
                ends[b, 0, lane], ends[b, 1, lane] = dummy, dummy + 1
                for axis in range(3):
                    impulse[b, axis, lane] = F(0.0)
    return end


def _follow(changes: RowChanges, arrays: tuple[NDArray[Any], ...]) -> None:
    """Lets rows of arrays follow their grains."""
    for array in arrays:
        array[changes.target] = array[changes.source]


def change_pairs(pairs: PairStore, changes: RowChanges, pencils: Pencils, capacity: int) -> None:
    """Lets lists and contacts follow their grains. Those that are new have listed none."""
    lists = pairs.lists
    if len(changes.gone) + len(changes.source):
        place = np.arange(capacity + IDLE, dtype=np.int32)
        place[changes.gone], place[changes.source] = -1, changes.target
        marked = np.zeros(len(pairs.ends), np.uint8)
        find_changed(pairs.ends, place, marked)
        batches = np.flatnonzero(marked)
        inside = np.searchsorted(pencils.pair_begin, batches, side="right") - 1
        before = len(pairs.overflow_ends)
        now_at = place[pairs.ends[batches]]
        pairs.grow(0, before + int(((now_at != pairs.ends[batches]).any(axis=1) & (now_at >= 0).all(axis=1)).sum()))
        pairs.shrink(int(move_pairs(batches, inside, place, before, capacity, pairs.listed)))
        _follow(changes, (lists.first, lists.length))
        lists.length[changes.source] = 0
    lists.length[changes.fresh] = 0


def take_over(
    kept: ContactMemory, changes: RowChanges, escaped: Escaped, grains: WorkRows, pencils: Pencils, state: State
) -> I64:
    """Lists and memory become those of the state. Returns the rows of grains that have yet to be listed."""
    count, walls, paths, come = state.count, kept.walls.before, grains.paths, changes.fresh
    change_pairs(kept.pairs, changes, pencils, state.capacity)
    _follow(changes, (walls.start, walls.end, *paths, kept.fixed))
    walls.start[come] = walls.end[come] = kept.fixed[come] = 0
    can_move = state.V[:count, 3] > 0.0
    new = np.union1d(come, np.flatnonzero(can_move & (kept.fixed[:count] > 0)))
    kept.fixed[new] = ~can_move[new]
    paths.origin[new, :3], paths.origin[new, 3], paths.travel[new] = state.X[new, :3], UNBOUNDED, 0.0
    escaped.take_over(changes.target, new, len(kept.ids), count)
    for rows in (changes.target, new):
        grains.X[rows] = state.X[rows]
    pencils.present(count)
    kept.ids = state.id[:count].copy()
    kept.listed_pairs = int(kept.pairs.lists.length[:count].sum())
    kept.links.place(kept.ids)
    return new
