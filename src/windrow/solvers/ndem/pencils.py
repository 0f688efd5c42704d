"""Pencils: the bundles of grid columns that threads sweep, and who sweeps which.

See `batching.py` for why pencils of one colour never meet.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import Levels
from windrow.geometry.terms import I32, I64, U8
from windrow.kernel import kernel
from windrow.solvers.ndem.records import ExtraSweeps, Schedule

F = np.float32
COLOURS = 4
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
def begin_of_each(amount, begin):
    """Running sum: begin[k] = all amounts before k; returns the whole."""
    total = 0
    for k in range(len(amount)):
        begin[k] = total
        total += amount[k]
    begin[len(amount)] = total
    return total


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

    def __init__(self) -> None:
        self._sorted: NDArray[np.int32] = np.zeros((0, 2, 2), np.int32)
        self.spans = self._sorted
        self.stage = np.zeros(0, np.int32)
        """Colour of each pencil, plus four times its level."""
        self.level_begin = np.zeros(1, np.int64)
        """First pencil of each level."""
        self.widths = np.zeros((0, 2), np.int64)
        """Cells that the pencils of each level are wide along x and y."""
        self.pair_begin = np.zeros(1, np.int64)
        """(pencils + 1,): first pair batch of each pencil."""
        self.wall_begin = np.zeros(1, np.int64)
        """(pencils + 1,): first wall batch of each pencil."""
        self.load = np.zeros(0, np.int64)
        """Batches of each pencil."""
        self.workers = 1

    @property
    def count(self) -> int:
        return len(self.spans)

    def divide(self, levels: Levels, workers: int) -> None:
        """Cuts the grids of a sort into pencils."""
        self.workers = workers
        shape, parts = levels.shape, []
        for level, (gx, gy, gz, first) in enumerate(shape.tolist()):
            grains = int(levels.begin[level + 1] - levels.begin[level])
            wide_x, wide_y = pencil_widths(grains, gx, gy, level)
            along_x, along_y = -(-gx // wide_x), -(-gy // wide_y)
            parts.append((level, gx, gy, gz, first, wide_x, wide_y, along_x, along_y))
        many = [along_x * along_y for *_, along_x, along_y in parts]
        self.level_begin = np.append(0, np.cumsum(many))
        self.widths = np.array([part[5:7] for part in parts], np.int64)
        self._sorted = np.zeros((sum(many), int(self.widths[:, 0].max()) + 1, 2), np.int32)
        self.stage = np.zeros(sum(many), np.int32)
        for level, gx, gy, gz, first, wide_x, wide_y, along_x, along_y in parts:
            here = slice(self.level_begin[level], self.level_begin[level + 1])
            bound_pencils(levels.start[first:], gx, gy, gz, wide_x, wide_y, self._sorted[here])
            along = np.arange(along_x)[:, None] % 2 * 2 + np.arange(along_y)[None] % 2
            self.stage[here] = COLOURS * level + along.ravel()
        self.present(int(levels.begin[-1]))

    def present(self, count: int) -> None:
        """There are so many grains now. Those behind the sorted ones are all in the last pencil: their contacts with
        others are overflow, and those with walls change no other grain."""
        self.spans = np.minimum(self._sorted, count)
        self.spans[-1, -1] = min(int(self._sorted.max()), count), count

    def schedule(self, workers: int, wall_batches: I64) -> Schedule:
        """Who sweeps which pencil; the number of workers decides the time a sweep takes, never its result."""
        self.workers = workers
        self.load = np.diff(self.pair_begin) + wall_batches
        return Schedule(*self.turns_of(self.load), self.pair_begin, self.wall_begin)

    def schedule_of_awake(self, movable: U8, wall_movable: U8) -> Schedule:
        """The same without the pencils in which nothing can move; movable: of each batch."""
        load = np.zeros(self.count, np.int64)
        for begin, batches in ((self.pair_begin, movable), (self.wall_begin, wall_movable)):
            before = np.append(0, np.cumsum(batches[: begin[-1]], dtype=np.int64))
            load += before[begin[1:]] - before[begin[:-1]]
        return Schedule(*self.turns_of(load), self.pair_begin, self.wall_begin)

    def turns_of(self, load: I64) -> tuple[I32, I64]:
        """Turns and begins of a `Schedule` for pencils with so much work each."""
        turns = np.zeros(len(load), np.int32)
        begin = np.zeros((self._stages, self.workers + 1), np.int64)
        return turns, begin[: share_out(load, self.stage, self._stages, self.workers, turns, begin)]

    @property
    def _stages(self) -> int:
        return COLOURS * (len(self.level_begin) - 1)

    def extra_sweeps(self, wanted: I64) -> ExtraSweeps:
        """As many further sweeps as each pencil wants."""
        many = max(int(wanted.max(initial=0)), 0)
        turns = np.zeros(many * len(wanted), np.int32)
        begin = np.zeros((many, self._stages, self.workers + 1), np.int64)
        at = 0
        for k in range(many):
            load = np.where(wanted > k, self.load, 0)
            some = int(share_out(load, self.stage, self._stages, self.workers, turns[at:], begin[k]))
            begin[k, :some] += at
            at = int(begin[k, some - 1, -1]) if some else at
        return ExtraSweeps(turns, begin)
