"""When lists hold: how long they are made for, up to which gap, and what is done for grains that leave their skins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.escaped import (
    ARRIVED,
    COMPARED_MOST,
    DUE,
    ESCAPED,
    NEW_MOST,
    NewPairs,
    Watch,
    lay_new_paths,
    list_escaped,
    mark_escaped,
)
from windrow.collide.levels import Levels
from windrow.collide.paths import Cutoff, Horizon
from windrow.fixed_math import dot, norm
from windrow.geometry.terms import F32, I64
from windrow.kernel import BLOCK
from windrow.simd import WIDTH
from windrow.solvers.ndem.batching import PairStore, append_pairs
from windrow.solvers.ndem.records import WorkRows

F = np.float32
CUTOFF_MOST = 2.3
"""Greatest gap, of the finest level's radius, up to which that level lists pairs. Faster grains need a search more
often."""
FAST_SHARE = 0.002
"""Share of the grains that may be faster than the finest level covers."""
SAMPLE = 8192
"""Least size of the sample that speeds are taken from, if there are as many grains."""
FAST_RATIO = 1.5
"""Such grains are left to coarser levels only if the fastest of them is this many times faster than the others."""
DEFLECTION_MOST = 0.15
"""Greatest addition to a skin for collisions, as a share of what two ordinary grains may close in the time. The cells
of the grid are long enough for it. Grains that are hit harder leave their skins, and are compared with those around
them (`collide/escaped.py`)."""
SPARE = 1.0 + 1e-5
"""For rounding errors."""
INTERVAL_SPARE = 0.25
"""Share of an interval. If less than this is left over at the end of a step, the intervals before are made longer."""
LONG_STEPS, LONG_CUTOFF = 4.0, 0.35
"""Steps that lists are made to hold for, and the greatest gap, of the finest level's radius, that they may list pairs
up to for that."""
SHARE_MOST, FEWEST, MOST = 0.01, 16, 800
"""When more grains than this share, or this number, have escaped, all grains are searched."""
OVERFLOW_SHARE, OVERFLOW_FEWEST = 0.03, 200
"""The same for the contacts that they add: one thread sweeps these, contact by contact."""


def cutoff_for(
    V: F32,
    r_fine: float,
    gravity: F32,
    margin: float,
    fast: float,
    spread: float,
    rest: float,
    h: float,
    substep: float,
    dt: float,
) -> Cutoff:
    """How long the lists of a search shall hold, and up to which gap they list pairs for it.

    V: rows {v_x, v_y, v_z, w}. r_fine: largest radius of the finest level, m; gravity in m/s²; margin in m; fast: the
    fastest grain's speed, m/s; spread: all velocities are within so much of some velocity, m/s; rest: what is left of
    the step, s; h: the least that lists must hold, s; substep: the last one, s; dt: a step, s.
    """
    limit, long = max(CUTOFF_MOST * r_fine, 1.5 * margin), max(LONG_CUTOFF * r_fine, margin)
    # the speed of all but a few grains decides; the few go to coarser levels. A sample is exact enough
    some = V[:: max(1, len(V) // SAMPLE), :3]
    square = dot(some, some)
    place = max(0, len(some) - 1 - int(FAST_SHARE * len(some)))
    common = math.sqrt(float(np.partition(square, place)[place]))
    few_fast = fast > FAST_RATIO * common
    speed = common if few_fast else fast
    g = float(norm(gravity))
    span = min(rest, max((limit - margin) / max(speed + g * rest, 1e-9), h))
    if span < rest:
        # as many intervals as that takes, none of them a short one at the end; intervals are whole substeps
        span = min(rest, rest / math.ceil(rest / span - INTERVAL_SPARE) + substep)
    fall = g * span * span
    # a fast grain would have to be listed with all grains that it may pass
    time = span if few_fast else max(span, min(LONG_STEPS * dt, (long - margin - fall) / max(speed, 1e-9)))
    drop = drop_in(gravity, span, substep)
    fallen = float(norm(drop))
    skin, deflection = 0.5 * margin, DEFLECTION_MOST * (2.0 * min(spread, speed) * time)
    wide = skin + deflection
    far = wide + speed * time + fallen
    # of two that fall together only one falls towards the other; and two never meet faster than velocities lie apart
    apart = min(2.0 * far, wide + max(far, wide + 2.0 * spread * time + fallen))
    return Cutoff(span, time, skin, deflection, drop, far * SPARE, apart * SPARE)


def drop_in(gravity: F32, time: float, substep: float) -> F32:
    """What gravity adds to a grain's travel in a time made of substeps (s), m."""
    drop: F32 = np.float32(0.5 * time * (time + min(substep, time))) * gravity
    return drop


class Escaped:
    """The grains that have left their skins since the last search of all."""

    def __init__(self, capacity: int) -> None:
        self.marked = np.zeros(capacity, np.uint8)
        self.count = 0
        self.cutoff = 0.0
        """Of the search of all, m: `Cutoff.far`."""
        blocks = (capacity + BLOCK - 1) // BLOCK
        self._many, self._left = np.zeros(blocks, np.int32), np.zeros(blocks, np.float32)
        self._loose = np.zeros(MOST + COMPARED_MOST, np.int32)

    def forget(self, cutoff: float) -> None:
        """After a search of all with this cutoff (m), no grain has escaped."""
        self.cutoff = cutoff
        self.marked[:] = 0
        self.count = 0

    def take_over(self, moved: I64, new: I64, before: int, count: int) -> None:
        """There are `count` grains now, `before` them as many as that: some that have moved to these rows, and some
        that are new. Rows without a grain are marked, too: those who look through the cells leave them alone."""
        self.marked[count:before], self.marked[moved], self.marked[new] = ESCAPED, ESCAPED, ARRIVED
        self.count = int(np.count_nonzero(self.marked[:count]))

    def list_again(self, count: int) -> None:
        """All that have escaped are listed anew: two grains have met that were not listed."""
        np.putmask(self.marked[:count], self.marked[:count] == ESCAPED, DUE)

    def watch(self, pairs: PairStore, levels: Levels, predicted: F32, held: float) -> Watch:
        """For grains that leave their skins in the interval to come. predicted, held: see `Watch`."""
        far = np.array([self.cutoff, held], np.float32)
        return Watch(
            levels.frame, levels.shape, levels.start, self.marked, self._loose, pairs.lists.half, predicted, far,
            self._left,
        )  # fmt: skip

    @staticmethod
    def most(count: int) -> float:
        """Escaped grains among so many that are not yet too many."""
        return min(max(SHARE_MOST * count, FEWEST), MOST)

    def update_lists(
        self, pairs: PairStore, levels: Levels, grains: WorkRows, horizon: Horizon
    ) -> tuple[float, int, float] | None:
        """Adds to the lists the pairs that escaped grains may form within the horizon.

        Returns the swiftest meeting (1/s), how many new pairs overlap already, and the deepest of those overlaps over
        the radius. None: they are too many, and a search of all is due.
        """
        X, V, paths, count = grains.X, grains.U, grains.paths, grains.n
        mark_escaped(X, V, paths, count, horizon, self.marked, self._many)
        self.count = int(self._many[: (count + BLOCK - 1) // BLOCK].sum())
        if self.count > self.most(count):
            return None
        away = np.flatnonzero(self.marked[:count]).astype(np.int32)
        due = self.marked[away] >= DUE
        chosen, others = away[due], away[~due]
        new, lists = NewPairs.of(len(chosen)), pairs.lists
        every = np.concatenate([chosen, others])
        list_escaped(X, V, paths, levels, F(self.cutoff), self.marked, every, horizon, lists.half, new)
        many, met = new.many, new.met
        before = len(pairs.overflow_ends)
        overflow = before + int(many.sum())
        most = max(OVERFLOW_SHARE * len(pairs.ends) * WIDTH, OVERFLOW_FEWEST)
        if many.max(initial=0) > NEW_MOST or overflow > most:
            return None
        if many.any():
            pairs.grow(int(lists.length[chosen[many > 0]].sum() + many.sum()), overflow)
            lists.end = append_pairs(chosen, new, pairs.listed, lists.end, before)
        lay_new_paths(X, V, chosen, horizon, paths)
        self.marked[chosen] = ESCAPED
        return float(met[:, 0].max(initial=0.0)), int(met[:, 1].sum()), float(met[:, 2].max(initial=0.0))

    def to_arrays(self, count: int) -> dict[str, NDArray[Any]]:
        return {"escaped": (self.marked[:count] > 0).astype(np.uint8), "cutoff": np.array([self.cutoff])}

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        marked = np.asarray(data["escaped"], np.uint8)
        self.marked[:] = ESCAPED  # rows without a grain
        self.marked[: len(marked)] = marked
        self.count = int(marked.sum())
        self.cutoff = float(data["cutoff"][0])
