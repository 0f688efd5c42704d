"""Who may come within h of whom: particles in the order of the grid, and lists of neighbours that grow if they must."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.neighbours import find_neighbours
from windrow.collide.paths import Cutoff
from windrow.kernel import BLOCK
from windrow.solvers.smoothed.moving import lay_columns, lay_rows
from windrow.solvers.smoothed.spline import SUPPORT, Spline
from windrow.solvers.sorting import Sorter
from windrow.state.columns import StateColumn
from windrow.state.state import State

F: Any = np.float32
SKIN = 0.2
"""How far beyond h lists reach, over d₀."""
LIST_START = 72
"""Neighbour entries per particle that the lists start with; they grow when a scene needs more."""


class Listing:
    """Lists of all pairs that may come within h, in slices of eight particles (`collide.neighbours`)."""

    def __init__(self, capacity: int, columns: tuple[StateColumn, ...]) -> None:
        blocks = (capacity + BLOCK - 1) // BLOCK
        slices = capacity // 8 + 2
        self.rows, self.spare_rows = (np.zeros((capacity + 8, 8), np.float32) for _ in range(2))
        """{x, y, z, reach, v, 1/m} when the lists were made"""
        self.by_axis = np.zeros((4, capacity + 16), np.float32)
        self.sorter = Sorter(capacity, columns)
        self.first = np.zeros(slices, np.int64)
        self.depth = np.zeros(slices, np.int32)
        self.length = np.zeros(capacity, np.int32)
        self.share = np.arange(blocks + 1) * BLOCK * LIST_START
        self.needed = np.zeros(blocks, np.int64)
        self.neighbours: NDArray[np.int32] = np.zeros(self.room, np.int32)

    @property
    def room(self) -> int:
        """Entries that there is room for."""
        return int(self.share[-1])

    def make(self, state: State, span: float, spline: Spline) -> bool:
        """Sorts the particles, and lists who may come within h of whom in the next `span` s.

        Returns whether the room for entries has grown.
        """
        n, h = state.count, float(spline.h)
        skin = SKIN * h / SUPPORT
        radius = 0.5 * h / SUPPORT
        margin = h + skin - 2.0 * radius
        lay_rows(state.X, state.V, n, F(span), F(skin), self.rows)
        self.sorter.sort(state, self.rows, self.spare_rows, 1.001 * radius, Cutoff.still(margin))
        lay_rows(state.X, state.V, n, F(span), F(skin), self.rows)
        lay_columns(self.rows, n, self.by_axis)
        blocks = (n + BLOCK - 1) // BLOCK
        grown = False
        while True:
            find_neighbours(
                self.rows, self.by_axis, self.sorter.levels, F(margin), self.share, self.first, self.depth, self.length,
                self.neighbours, self.needed,
            )  # fmt: skip
            owned = np.diff(self.share)
            if (self.needed[:blocks] <= owned[:blocks]).all():
                return grown
            room = np.maximum(self.needed[:blocks], np.quantile(self.needed[:blocks], 0.9))
            owned[:blocks] = np.maximum(owned[:blocks], (1.15 * room).astype(np.int64))
            self.share[1:] = np.cumsum(-(-owned // 8) * 8)
            self.neighbours = np.zeros(self.room, np.int32)
            grown = True
