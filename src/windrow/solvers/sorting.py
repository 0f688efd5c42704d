"""Grains in the order of the grid: sorts a state by cell and keeps the grid it was sorted by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide import grid
from windrow.kernel import BLOCK, kernel_parallel, prange
from windrow.state.state import State

F = np.float32
SORTED = ("X", "V", "id", "material", "flags", "carried")
"""What is moved along with the positions; forces are written anew by every step."""


@kernel_parallel
def _gather(
    order, count, rows, X, V, id, material, flags, carried, rows2, X2, V2, id2, material2, flags2, carried2
):
    width = rows.shape[1]
    for b in prange((count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            i = order[k]
            for a in range(width):
                rows2[k, a] = rows[i, a]
            for a in range(4):
                X2[k, a] = X[i, a]
                V2[k, a] = V[i, a]
            id2[k] = id[i]
            material2[k] = material[i]
            flags2[k] = flags[i]
            carried2[k] = carried[i]


class Sorter:
    """Spare arrays to sort into, and the grid of the last sort."""

    def __init__(self, capacity: int) -> None:
        self.cells_most = grid.cells_most(capacity)
        self.cell = np.zeros(capacity, np.int32)
        self.order = np.zeros(capacity, np.int32)
        self.start = np.zeros(self.cells_most + 2, np.int32)
        self.partial = np.zeros(((capacity + BLOCK - 1) // BLOCK + 1, 6), np.float32)
        self.spare = State.empty(capacity, 0, 0)
        self.grid: tuple[NDArray[np.int32], NDArray[np.float32], np.float32, int, int, int] = (
            self.start,
            np.zeros(3, np.float32),
            F(1.0),
            3,
            3,
            3,
        )

    def sort(
        self, state: State, rows: NDArray[np.float32], spare_rows: NDArray[np.float32], cell: float
    ) -> bool:
        """Sorts by the cells of rows[:, :3]; returns whether anything moved, then the rows are in spare_rows."""
        n = state.count
        grid.bounds_of(rows, n, self.partial)
        low, high = self.partial[0, :3].copy(), self.partial[0, 3:].copy()
        gx, gy, gz = grid.grid_size(low, high, cell, self.cells_most)
        inverse_cell = F(1.0 / cell)
        grid.cells_of(rows, n, low, inverse_cell, gx, gy, gz, self.cell)
        sorted_already = grid.sort_by_cell(self.cell, n, gx * gy * gz, self.start, self.order)
        self.grid = (self.start, low, inverse_cell, gx, gy, gz)
        if sorted_already:
            return False
        _gather(
            self.order,
            n,
            rows,
            *(getattr(state, name) for name in SORTED),
            spare_rows,
            *(getattr(self.spare, name) for name in SORTED),
        )
        for name in SORTED:
            mine, theirs = getattr(self.spare, name), getattr(state, name)
            setattr(state, name, mine)
            setattr(self.spare, name, theirs)
        return True
