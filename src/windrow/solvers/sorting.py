"""Grains in the order of the grid: sorts a state by cell and keeps the grid it was sorted by."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import sort_by_cell
from windrow.collide.levels import LevelGrid, Levels
from windrow.collide.paths import Cutoff
from windrow.kernel import BLOCK
from windrow.state.columns import StateColumn
from windrow.state.state import State
from windrow.team import deal, parallel

F = np.float32


class SortedRows(NamedTuple):
    """What every solver's sort moves; forces are written anew by every step."""

    rows: NDArray[np.float32]
    X: NDArray[np.float32]
    V: NDArray[np.float32]
    id: NDArray[np.int64]
    material: NDArray[np.int32]
    flags: NDArray[np.uint8]


@parallel
def _gather(team, order, count, source, target):
    rows, X, V, id, material, flags = source
    rows2, X2, V2, id2, material2, flags2 = target
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


@parallel
def _gather_column(team, order, count, source, target):
    """A column as rows of words, whatever they mean: one kernel serves all columns of four-byte numbers."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            i = order[k]
            for a in range(source.shape[1]):
                target[k, a] = source[i, a]


def _words(column: NDArray[Any]) -> NDArray[Any]:
    """A view of a column (capacity, …) as rows of four-byte words, or of bytes where a row is no whole words."""
    rows = column.reshape(len(column), -1)
    return rows.view(np.uint32 if rows.shape[1] * rows.itemsize % 4 == 0 else np.uint8)


class Sorter:
    """Spare arrays to sort into, and the grid levels of the last sort."""

    def __init__(self, capacity: int, columns: tuple[StateColumn, ...] = ()) -> None:
        """columns: those of the states to be sorted."""
        self.grid = LevelGrid(capacity)
        self.order = np.zeros(capacity, np.int32)
        self.start = np.zeros(0, np.int32)
        self.spare = State.empty(capacity, 0, 0, columns)
        self.levels: Levels

    def sort(
        self,
        state: State,
        rows: NDArray[np.float32],
        spare_rows: NDArray[np.float32],
        finest: float,
        cutoff: Cutoff,
    ) -> bool:
        """Sorts by the levels and cells of rows {x, y, z, r, v_x, v_y, v_z, w}; see `LevelGrid.number`.

        Returns whether anything moved; then the rows are in spare_rows.
        """
        n = state.count
        levels, cells = self.grid.number(rows, n, finest, cutoff)
        if len(self.start) < cells + 2:
            self.start = np.zeros(cells + cells // 8 + 2, np.int32)
        sorted_already = sort_by_cell(self.grid.cell, n, cells, self.start, self.order)
        self.levels = levels._replace(start=self.start)
        if sorted_already:
            return False
        spare = self.spare
        _gather(self.order, n, _sorted_rows(state, rows), _sorted_rows(spare, spare_rows))
        for name in SortedRows._fields[1:]:
            mine, theirs = getattr(spare, name), getattr(state, name)
            setattr(state, name, mine)
            setattr(spare, name, theirs)
        for column in state.declared:
            if column.sorted:
                source, target = state.columns[column.name], self._spare_column(column)
                _gather_column(self.order, n, _words(source), _words(target))
                state.columns[column.name], spare.columns[column.name] = target, source
        return True

    def _spare_column(self, column: StateColumn) -> NDArray[Any]:
        """Room for a column; those that are not the solver's own get it when they are first sorted."""
        if column.name not in self.spare.columns:
            self.spare.columns[column.name] = column.rows(self.spare.capacity)
        return self.spare.columns[column.name]

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


def _sorted_rows(state: State, rows: NDArray[np.float32]) -> SortedRows:
    return SortedRows(rows, state.X, state.V, state.id, state.material, state.flags)
