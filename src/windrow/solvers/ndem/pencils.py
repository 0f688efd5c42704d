"""Pencils: the bundles of grid columns that threads sweep, who sweeps which, and the batches of each.

See `colouring.py` for why pencils of one colour never meet.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import Levels
from windrow.kernel import kernel
from windrow.solvers.ndem.colouring import (
    COLOURS,
    HUES,
    Batches,
    begin_of_each,
    choose_hues,
    count_entries,
    fill_batches,
)
from windrow.state.room import room

F = np.float32
GRAINS_PER_PENCIL = 160
"""Pencils are made wide enough to hold about so many grains, so that few lanes of their batches are idle."""
COARSE_PER_PENCIL = 32
"""The same for grains of coarser levels, which have more contacts each."""
WIDEST = 16
"""Cells."""
FEW = 48
"""Fewer pencils, twelve of a colour, are hard to divide evenly among threads; narrower ones have more idle lanes."""


def pencil_widths(count: int, gx: int, gy: int, level: int) -> tuple[int, int]:
    """Cells along x and y of a level's pencils; from the number of grains only, never from that of threads.

    Two along y are the fewest. Along x lists of the finest level look ahead only, and one cell is enough.
    """
    grains = COARSE_PER_PENCIL if level else GRAINS_PER_PENCIL
    per_column = max(count / max(gx * gy, 1), 1e-6)
    width = int(min(max(round(math.sqrt(grains / per_column)), 2), WIDEST))
    few = -(-gx // width) * -(-gy // width) < FEW
    narrow = level == 0 and few and per_column * width * width > 2 * grains
    return (max(width // 2, 1) if narrow else width), width


@kernel
def bound_pencils(start, gx, gy, gz, wide_x, wide_y, spans):
    """spans[p, k] = first and last + 1 of the grains in pencil p's slice k; a slice is one contiguous stretch."""
    along_y = (gy + wide_y - 1) // wide_y
    for p in range(spans.shape[0]):
        px, py = p // along_y, p % along_y
        y0, y1 = py * wide_y, min((py + 1) * wide_y, gy)
        for k in range(wide_x):
            ix = px * wide_x + k
            spans[p, k, 0] = start[(ix * gy + y0) * gz] if ix < gx else 0
            spans[p, k, 1] = start[(ix * gy + y1) * gz] if ix < gx else 0


@kernel
def share_out(load, stage, stages, workers, turns, begin):
    """Divides the pencils of each stage among workers: to each a stretch of neighbours with an equal part of the load.

    A worker so meets, colour after colour and sweep after sweep, the grains that are in its own cache; evener parts
    of pencils from anywhere take a quarter longer.

    turns[begin[s, w] … begin[s, w + 1]] are the pencils of worker w for the s-th stage that has any; returns how many
    those are.
    """
    at = 0
    rows = 0
    whole = np.zeros(stages, np.int64)
    for p in range(len(load)):
        whole[stage[p]] += load[p]
    for now in range(stages):
        if whole[now] == 0:
            continue
        before, owner = 0, 0
        begin[rows, 0] = at
        for p in range(len(load)):
            if load[p] > 0 and stage[p] == now:
                # the worker in whose part the middle of the pencil lies
                while owner < (2 * before + load[p]) * workers // (2 * whole[now]):
                    owner += 1
                    begin[rows, owner] = at
                before += load[p]
                turns[at] = p
                at += 1
        begin[rows, owner + 1 :] = at
        rows += 1
    return rows


class Pencils:
    """How the grains of the last sort are divided into pencils, and the batches of each."""

    def __init__(self, capacity: int) -> None:
        self.mask = np.zeros(capacity, np.int64)
        self.hue = np.zeros(0, np.uint8)
        self.spans: NDArray[np.int32] = np.zeros((0, 2, 2), np.int32)
        self.stage = np.zeros(0, np.int32)
        """Colour of each pencil, plus four times its level."""
        self.level_begin = np.zeros(1, np.int64)
        """First pencil of each level."""
        self.widths = np.zeros((0, 2), np.int64)
        """Cells that the pencils of each level are wide along x and y."""
        self.begin = np.zeros(1, np.int64)
        """(pencils + 1,): first batch of each pencil."""
        self.wall_begin = np.zeros(1, np.int64)
        self.turns = np.zeros(0, np.int32)
        self.turn_begin = np.zeros((COLOURS, 2), np.int64)
        self.load = np.zeros(0, np.int64)
        """Batches of each pencil."""
        self.workers = 1

    @property
    def count(self) -> int:
        return len(self.spans)

    def divide(self, levels: Levels) -> None:
        """Cuts the grids of a sort into pencils."""
        shape, parts = levels.shape, []
        for level, (gx, gy, gz, first) in enumerate(shape.tolist()):
            grains = int(levels.begin[level + 1] - levels.begin[level])
            wide_x, wide_y = pencil_widths(grains, gx, gy, level)
            along_x, along_y = -(-gx // wide_x), -(-gy // wide_y)
            parts.append((level, gx, gy, gz, first, wide_x, wide_y, along_x, along_y))
        many = [along_x * along_y for *_, along_x, along_y in parts]
        self.level_begin = np.append(0, np.cumsum(many))
        self.widths = np.array([part[5:7] for part in parts], np.int64)
        self.spans = np.zeros((sum(many), int(self.widths[:, 0].max()), 2), np.int32)
        self.stage = np.zeros(sum(many), np.int32)
        for level, gx, gy, gz, first, wide_x, wide_y, along_x, along_y in parts:
            here = slice(self.level_begin[level], self.level_begin[level + 1])
            bound_pencils(levels.start[first:], gx, gy, gz, wide_x, wide_y, self.spans[here])
            along = np.arange(along_x)[:, None] % 2 * 2 + np.arange(along_y)[None] % 2
            self.stage[here] = COLOURS * level + along.ravel()

    def batch(
        self,
        now: Batches,
        before: Batches | None,
        old: NDArray[np.int32],
        idle: int,
        X: NDArray[np.float32],
        workers: int,
    ) -> tuple[int, float]:
        """Fills `now` from its lists, with the impulses of `before` (old: where each grain was then, or −1).

        Returns the number of overlapping pairs that were not listed before, and the deepest of those over the radius.
        """
        lists, pencils = now.lists, self.count
        if len(self.hue) < len(lists.other):
            self.hue = room(len(lists.other), np.uint8)
        many, rounds, batches, strays = np.zeros((4, pencils), np.int64)
        round_begin, self.begin, stray_begin = np.zeros((3, pencils + 1), np.int64)
        count_entries(self.spans, lists.length, many, rounds)
        tally = np.zeros((begin_of_each(rounds, round_begin), HUES), np.int32)
        entries = (lists.first, lists.length, lists.other, self.hue)
        self.workers = workers
        choose_hues(
            *self._turns(many), self.spans, round_begin, X, *entries, self.mask, tally, batches, strays
        )  # fmt: skip
        now.resize(begin_of_each(batches, self.begin), begin_of_each(strays, stray_begin))
        then: Any = before if before is not None else now
        missed = np.zeros((pencils, 2), np.float32)
        fill_batches(
            self.spans, round_begin, *entries, tally, self.begin, stray_begin, idle, now.slot, now.ends,
            now.impulse, now.stray_ends, now.stray_impulse, old, then.lists.first, then.lists.length, then.lists.other,
            then.slot, then.impulse, then.stray_impulse, before is not None, X, missed,
        )  # fmt: skip
        return int(missed[:, 0].sum()), float(missed[:, 1].max(initial=0.0))

    def schedule(self, workers: int, wall_batches: NDArray[np.int64]) -> None:
        """Who sweeps which pencil; the number of workers decides the time a sweep takes, never its result."""
        self.workers = workers
        self.load = np.diff(self.begin) + wall_batches
        self.turns, self.turn_begin = self._turns(self.load)

    def turns_of_awake(
        self, alive: NDArray[np.uint8], wall_alive: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Turns and begins without the pencils in which nothing can move; alive: of each batch."""
        load = np.zeros(self.count, np.int64)
        for begin, batches in ((self.begin, alive), (self.wall_begin, wall_alive)):
            before = np.append(0, np.cumsum(batches[: begin[-1]], dtype=np.int64))
            load += before[begin[1:]] - before[begin[:-1]]
        return self._turns(load)

    def _turns(self, load: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        turns = np.zeros(len(load), np.int32)
        begin = np.zeros((self._stages, self.workers + 1), np.int64)
        return turns, begin[: share_out(load, self.stage, self._stages, self.workers, turns, begin)]

    @property
    def _stages(self) -> int:
        return COLOURS * (len(self.level_begin) - 1)

    def turns_of_some(self, wanted: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Turns and begins, (sweeps, stages, workers + 1), of as many further sweeps as each pencil wants."""
        many = max(int(wanted.max(initial=0)), 0)
        turns = np.zeros(many * len(wanted), np.int32)
        begin = np.zeros((many, self._stages, self.workers + 1), np.int64)
        at = 0
        for k in range(many):
            load = np.where(wanted > k, self.load, 0)
            some = int(share_out(load, self.stage, self._stages, self.workers, turns[at:], begin[k]))
            begin[k, :some] += at
            at = int(begin[k, some - 1, -1]) if some else at
        return turns, begin
