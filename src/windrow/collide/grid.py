"""The uniform grid: cells on a torus, grains sorted by cell.

Cell (ix, iy, iz) of a point is floor((p − origin)/cell), and is stored modulo the grid's size. Where the
grid covers all grains plus one empty layer, which is the ordinary case, the torus never shows. Where it
cannot (one grain has flown a kilometre off), far cells share storage with near ones; neighbours stay
neighbours modulo the size, so that nothing is missed, and the distance test removes the false ones. Memory
therefore depends on the number of grains and not on where they are.

z is the fastest axis: the 27 cells around a point are 9 runs of 3 cells, each one contiguous stretch of
sorted grains.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import BLOCK, device, kernel
from windrow.team import deal, parallel

F = np.float32
CELLS_PER_GRAIN = 4
CELLS_LEAST = 4096


@parallel
def bounds_of(team: int, P: NDArray[np.float32], count: int, partial: NDArray[np.float32]) -> None:
    """Lower and upper corner of all positions P[:, :3], into partial[0] = (lo, hi)."""
    blocks = (count + BLOCK - 1) // BLOCK
    for b in deal(team, blocks):
        lx = ly = lz = F(3e38)
        hx = hy = hz = F(-3e38)
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            lx = min(lx, P[i, 0])
            ly = min(ly, P[i, 1])
            lz = min(lz, P[i, 2])
            hx = max(hx, P[i, 0])
            hy = max(hy, P[i, 1])
            hz = max(hz, P[i, 2])
        partial[b, 0], partial[b, 1], partial[b, 2] = lx, ly, lz
        partial[b, 3], partial[b, 4], partial[b, 5] = hx, hy, hz
    for _ in deal(team, 1):
        for b in range(1, blocks):
            for a in range(3):
                partial[0, a] = min(partial[0, a], partial[b, a])
                partial[0, a + 3] = max(partial[0, a + 3], partial[b, a + 3])


def grid_size(
    low: NDArray[np.float32], high: NDArray[np.float32], cell: float, cells_most: int
) -> tuple[int, int, int]:
    """Cells along each axis: the extent and one empty layer, halved along the longest until it fits."""
    size = [int(min(max((float(high[a]) - float(low[a])) / cell, 0.0), 1e9)) + 2 for a in range(3)]
    size = [max(3, s) for s in size]
    while size[0] * size[1] * size[2] > cells_most:
        longest = size.index(max(size))
        size[longest] = max(3, (size[longest] + 1) // 2)
    return size[0], size[1], size[2]


def cells_most(capacity: int) -> int:
    return CELLS_PER_GRAIN * capacity + CELLS_LEAST


@device
def cell_along(x: float, low: float, inverse_cell: float, size: int) -> int:
    """Index along one axis, on the torus; low is the least coordinate, so that the index is never negative."""
    c = int((x - low) * inverse_cell)
    return c if c < size else c % size


@device
def around(c: int, size: int) -> int:
    """Index −1 … size along one axis, closed to a ring."""
    return c + size if c < 0 else (c - size if c >= size else c)


@device
def cells_within(x: Any, reach: Any, low: Any, inverse_cell: Any, size: Any) -> tuple[Any, Any]:
    """First cell along one axis, before it is taken modulo the size, and number of cells within reach of x.

    No cell of the torus comes twice: the number is at most the size.
    """
    begin = np.int64(np.floor((x - reach - low) * inverse_cell))
    many = np.int64(np.floor((x + reach - low) * inverse_cell)) - begin + 1
    return begin, min(many, size)


@parallel
def cells_of(
    team: int, P: NDArray[np.float32],
    count: int,
    low: NDArray[np.float32],
    inverse_cell: float,
    gx: int,
    gy: int,
    gz: int,
    cell: NDArray[np.int32],
) -> None:
    """Cell number of each position P[:, :3]."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            ix = cell_along(P[i, 0], low[0], inverse_cell, gx)
            iy = cell_along(P[i, 1], low[1], inverse_cell, gy)
            iz = cell_along(P[i, 2], low[2], inverse_cell, gz)
            cell[i] = np.int32((ix * gy + iy) * gz + iz)


@kernel
def sort_by_cell(
    cell: NDArray[np.int32], count: int, cells: int, start: NDArray[np.int32], order: NDArray[np.int32]
) -> bool:
    """Stable counting sort: order[k] is the grain at sorted place k; start[c] … start[c+1] are cell c's places.

    Serial on purpose: it is a few passes over integers, and its result must not depend on threads. Returns
    whether the order is already sorted (a bed at rest), so that nothing needs to be moved.
    """
    start[: cells + 1] = 0
    sorted_already = True
    last = np.int32(-1)
    for i in range(count):
        c = cell[i]
        start[c + 1] += 1
        sorted_already = sorted_already and c >= last
        last = c
    for c in range(cells):
        start[c + 1] += start[c]
    if sorted_already:
        for i in range(count):
            order[i] = i
        return True
    for i in range(count):
        c = cell[i]
        order[start[c]] = i
        start[c] += 1
    for c in range(cells, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    return False
