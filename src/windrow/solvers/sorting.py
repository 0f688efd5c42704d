"""Grains in the order of the grid: sorts a state by cell and keeps the grid it was sorted by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import sort_by_cell
from windrow.collide.levels import LevelGrid, Levels
from windrow.collide.paths import Reach
from windrow.kernel import BLOCK
from windrow.state.state import State
from windrow.team import deal, parallel

F = np.float32
SORTED = ("X", "V", "id", "material", "flags", "carried")
"""What is moved along with the positions; forces are written anew by every step."""


@parallel
def _gather(
    team, order, count, rows, X, V, id, material, flags, carried, rows2, X2, V2, id2, material2, flags2, carried2
):
    width = rows.shape[1]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
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
    """Spare arrays to sort into, and the grid levels of the last sort."""

    def __init__(self, capacity: int) -> None:
        self.grid = LevelGrid(capacity)
        self.order = np.zeros(capacity, np.int32)
        self.start = np.zeros(0, np.int32)
        self.spare = State.empty(capacity, 0, 0)
        self.levels: Levels

    def sort(
        self,
        state: State,
        rows: NDArray[np.float32],
        spare_rows: NDArray[np.float32],
        finest: float,
        reach: Reach,
    ) -> bool:
        """Sorts by the levels and cells of rows {x, y, z, r, v_x, v_y, v_z, w}; see `LevelGrid.number`.

        Returns whether anything moved; then the rows are in spare_rows.
        """
        n = state.count
        levels, cells = self.grid.number(rows, n, finest, reach)
        if len(self.start) < cells + 2:
            self.start = np.zeros(cells + cells // 8 + 2, np.int32)
        sorted_already = sort_by_cell(self.grid.cell, n, cells, self.start, self.order)
        self.levels = levels._replace(start=self.start)
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

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The levels of the last sort."""
        frame, shape, begin, start = self.levels
        cells = int(shape[-1, 3] + shape[-1, :3].prod())
        return {
            "level_frame": frame.copy(),
            "level_shape": shape.copy(),
            "level_begin": begin.copy(),
            "level_start": start[: cells + 1].copy(),
        }

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        self.start = np.asarray(data["level_start"], np.int32).copy()
        self.levels = Levels(
            np.asarray(data["level_frame"], np.float32).copy(),
            np.asarray(data["level_shape"], np.int64).copy(),
            np.asarray(data["level_begin"], np.int64).copy(),
            self.start,
        )
