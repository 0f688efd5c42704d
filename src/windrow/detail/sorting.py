"""Grains in the order of cells, and those that are gone behind all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.detail.kernels import CHUNK, FineRows
from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import kernel
from windrow.team import deal, parallel

MOST_CELLS = 1 << 24


@parallel
def number_cells(team, x, y, z, count, low, cells, inverse, key):  # type: ignore[no-untyped-def]
    """key[i]: cell of grain i; the number of all cells for one that is gone. inverse: 1/side of a cell, 1/m."""
    for chunk in deal(team, (count + CHUNK - 1) // CHUNK):
        for i in range(chunk * CHUNK, min(count, chunk * CHUNK + CHUNK)):
            if x[i] == x[i]:
                a = int(min(max((x[i] - low[0]) * inverse, 0.0), cells[0] - 1.0))
                b = int(min(max((y[i] - low[1]) * inverse, 0.0), cells[1] - 1.0))
                c = int(min(max((z[i] - low[2]) * inverse, 0.0), cells[2] - 1.0))
                key[i] = (c * cells[1] + b) * cells[0] + a
            else:
                key[i] = cells[0] * cells[1] * cells[2]


@kernel
def order_by_cell(key: I32, count: int, start: I32, order: I32) -> int:
    """Counting sort; start: (cells + 2,) room. Returns how many grains are not gone."""
    start[:] = 0
    cells = len(start) - 2
    for i in range(count):
        start[key[i] + 1] += 1
    for c in range(cells + 1):
        start[c + 1] += start[c]
    kept = start[cells]
    for i in range(count):
        order[start[key[i]]] = i
        start[key[i]] += 1
    return int(kept)


@parallel
def put_in_order(team, values, order, count, out):  # type: ignore[no-untyped-def]
    """out[k] = values[order[k]]."""
    for chunk in deal(team, (count + CHUNK - 1) // CHUNK):
        for k in range(chunk * CHUNK, min(count, chunk * CHUNK + CHUNK)):
            out[k] = values[order[k]]


class FineSorter:
    """Sorts grains, and has the room for it: eight bytes for each."""

    def __init__(self, capacity: int) -> None:
        self.order: I32 = np.empty(capacity, np.int32)
        self.spare: I32 = np.empty(capacity, np.int32)

    def sort(self, grains: FineRows, count: int, low: F64, high: F64, side: float) -> tuple[FineRows, int]:
        """The grains in order, and how many are left; side: of cells, m, made larger where there would be too many."""
        cells = np.ceil((high - low) / side).astype(np.int64) + 1
        while int(np.prod(cells.astype(np.float64))) > min(MOST_CELLS, max(count, 4096)):
            side *= 1.25
            cells = np.ceil((high - low) / side).astype(np.int64) + 1
        number_cells(*grains[:3], count, low, cells, 1.0 / side, self.spare)
        start = np.empty(int(np.prod(cells)) + 2, np.int32)
        kept = int(order_by_cell(self.spare, count, start, self.order))
        new: list[Any] = []
        for column in grains:
            put_in_order(column.view(np.int32), self.order, count, self.spare)
            new.append(self.spare.view(column.dtype))
            self.spare = column.view(np.int32)
        return FineRows(*new), kept


def box_of(grains: FineRows, count: int) -> tuple[F64, F64]:
    """Lowest and highest corner of a box around all grains that are not gone, m."""
    if count == 0:
        return np.zeros(3), np.zeros(3)
    # the smaller of a number and none is the number
    low = np.array([np.fmin.reduce(column[:count]) for column in grains[:3]], np.float64)
    high = np.array([np.fmax.reduce(column[:count]) for column in grains[:3]], np.float64)
    return (np.zeros(3), np.zeros(3)) if np.isnan(low).any() else (low, high)


def cells_of(place: F64, low: F64, side: float, cells: I64) -> tuple[I64, I64]:
    """Order of coarse particles by cell, and the first of each cell (cells + 1,)."""
    at = np.minimum(np.maximum(np.floor((place - low) / side), 0.0), cells - 1.0).astype(np.int64)
    key = (at[:, 2] * cells[1] + at[:, 1]) * cells[0] + at[:, 0]
    order = np.argsort(key, kind="stable")
    start = np.zeros(int(np.prod(cells)) + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=len(start) - 1), out=start[1:])
    return order, start
