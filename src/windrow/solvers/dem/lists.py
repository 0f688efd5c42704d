"""Verlet lists of neighbours, with the memory of contacts beside them.

A list holds all pairs nearer than touching plus a margin, and stays until a grain has gone half of it. Then grains are
sorted, listed anew, and what contacts remember is put beside the new entries, wherever its grains are now.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import Levels
from windrow.collide.neighbours import find_neighbours
from windrow.kernel import BLOCK
from windrow.solvers.dem import kernels
from windrow.state.room import room

F = np.float32
LIST_START = 10
"""Entries per grain the lists start with; they grow when a scene needs more."""
FINE = 0.005
"""Least margin, of the median radius."""
COARSE = 0.7
"""Greatest margin, of the median radius."""
SEARCH_COST = 22.0
"""What a search costs per grain, over what it costs to look at the entries that a margin of a radius adds to lists."""


def best_margin(way: float) -> float:
    """Margin, of the radius, with which searching and looking at the lists cost least together.

    way: that the fastest grain goes in a step, of the radius. Lists hold m/(2·way) steps, and their length grows with
    (1 + m/2)³; the least sum of both is at m (1 + m/2) = √(cost · way).
    """
    return float(min(max(np.sqrt(1.0 + 2.0 * np.sqrt(SEARCH_COST * max(way, 0.0))) - 1.0, FINE), COARSE))


class NeighbourLists:
    """The lists and their buffers, which grow when a scene needs more."""

    def __init__(self, capacity: int, columns: int) -> None:
        self.blocks = (capacity + BLOCK - 1) // BLOCK
        self.memory_columns = columns
        self.first = np.zeros(capacity // 8 + 2, np.int64)
        self.depth = np.zeros(capacity // 8 + 2, np.int32)
        self.length = np.zeros(capacity, np.int32)
        self.share = np.arange(self.blocks + 1) * BLOCK * LIST_START
        self.neighbours = room(int(self.share[-1]), np.int32)
        self.memory = room(columns * int(self.share[-1]), np.float32)
        self.needed = np.zeros(self.blocks, np.int64)
        self.columns = room((4, capacity + 16), np.float32)
        self.lost = np.zeros(self.blocks, np.int64)
        self._other = np.zeros(0, np.int32)
        self._kept = np.zeros((0, columns), np.float32)
        self._start = np.zeros(1, np.int64)

    @property
    def arrays(self) -> kernels.ContactLists:
        return kernels.ContactLists(self.first, self.depth, self.neighbours, self.memory)

    def collect(self, count: int) -> None:
        """Keeps the memory of all contacts aside; count: grains in the lists as they are."""
        many = np.zeros(count, np.int64)
        kernels.count_live(self.arrays, count, self.memory_columns, many)
        self._start = np.concatenate([[0], np.cumsum(many)])
        total = int(self._start[-1])
        if len(self._other) < total:
            self._other = np.zeros(total + total // 8, np.int32)
            self._kept = np.zeros((len(self._other), self.memory_columns), np.float32)
        kernels.collect(self.arrays, count, self.memory_columns, self._start[:-1].copy(), self._other, self._kept)

    def search(self, rows: NDArray[np.float32], levels: Levels, count: int, margin: float) -> None:
        """Lists all pairs nearer than touching plus the margin (m); `columns` has x, y, z, r of the rows."""
        blocks = (count + BLOCK - 1) // BLOCK
        while True:
            find_neighbours(
                rows, self.columns, levels, F(margin), self.share, self.first, self.depth, self.length,
                self.neighbours, self.needed,
            )  # fmt: skip
            owned = np.diff(self.share)
            if (self.needed[:blocks] <= owned[:blocks]).all():
                return
            # ordinary blocks get what most of them need, so that they do not outgrow their shares one after the other
            needed = self.needed[:blocks]
            most = np.maximum(needed, np.quantile(needed, 0.9))
            owned[:blocks] = np.maximum(owned[:blocks], (1.1 * most).astype(np.int64))
            self.share[1:] = np.cumsum(-(-owned // 8) * 8)
            self.neighbours = room(int(self.share[-1]), np.int32)
            self.memory = room(self.memory_columns * int(self.share[-1]), np.float32)

    def recall(self, before: NDArray[np.int32], count: int, old_count: int) -> int:
        """Puts the memory beside the entries of the new lists; returns how many contacts were not found."""
        now = np.full(old_count, -1, np.int32)
        kernels.reverse(before, count, now)
        kernels.recall(
            self.arrays, count, self.memory_columns, before, now, self._start, self._other, self._kept, self.lost
        )
        return int(self.lost[: (count + BLOCK - 1) // BLOCK].sum())
