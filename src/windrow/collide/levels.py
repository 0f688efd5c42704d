"""Grid levels: grains of like size share a grid whose cells fit them, so that one boulder does not slow the sand.

A grain's *size* is its radius, and what its travel and skin (`paths.py`) have beyond the ordinary cutoff: a fast grain
looks for partners as far as a large slow one does, and is treated like it. Sizes up to `finest` make level 0, up to
twice that level 1, and so on by powers of two; levels without grains are left out. The cells of a level are as long as
the distance at which two of its grains are still listed, so that partners of one level lie in cells next to each other.

All levels are grids on a torus as in `grid.py`, with one origin, and their cells are numbered through: one sort by cell
number brings the grains into the order of levels and, within each, of cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import CELLS_LEAST, CELLS_PER_GRAIN, bounds_of, cell_along, grid_size
from windrow.collide.paths import Cutoff
from windrow.fixed_math import norm
from windrow.kernel import BLOCK
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)
LEVELS_MOST = 12
"""The last level takes all that is larger still."""
FINE_SHARE = 0.05
"""Share of the grains that may be smaller than half of what the finest level holds."""
SPARE = 1.0 + 1e-5
"""Cells are longer than they need to be by rounding errors."""


class Levels(NamedTuple):
    """What kernels read. Frames and shapes have one row per level, the finest first."""

    frame: NDArray[np.float32]
    """low x, y, z of the grid; 1/cell; greatest size of a grain, m."""
    shape: NDArray[np.int64]
    """Cells along x, y, z; number of the first cell."""
    begin: NDArray[np.int64]
    """First grain of each level, and the number of grains."""
    start: NDArray[np.int32]
    """First grain of each cell, levels one after the other."""


def quantile(values: NDArray[np.float32], share: float, guess: float | None = None) -> float:
    """The value below which lies this share of the values; a good guess is only checked, which takes far less time."""
    place = int(np.floor((len(values) - 1) * share))
    if guess is not None:
        value = np.float32(guess)
        if np.count_nonzero(values < value) <= place < np.count_nonzero(values <= value):
            return float(value)
    return float(np.partition(values, place)[place])


def finest_size(radius: NDArray[np.float32], small: float | None = None) -> float:
    """Greatest radius of level 0: the largest that is no more than twice a small grain's (m), if that is known."""
    limit = 2.0 * (quantile(radius, FINE_SHARE) if small is None else small)
    most = radius.max()
    return float(most if most <= limit else radius[radius <= limit].max())


@parallel
def _measure(team, rows, count, slack, time, far, finest, level, largest, many):
    """Level of each grain, and for each block how many grains of each level it has and the largest size of them.

    rows: x, y, z, r, v_x, v_y, v_z, w.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for k in range(LEVELS_MOST):
            largest[b, k] = ZERO
            many[b, k] = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            speed = np.sqrt(rows[i, 4] * rows[i, 4] + rows[i, 5] * rows[i, 5] + rows[i, 6] * rows[i, 6])
            size = rows[i, 3] + max(time * speed + slack - far, ZERO)
            k = 0
            limit = finest
            while size > limit and k < LEVELS_MOST - 1:
                k += 1
                limit = limit + limit
            level[i] = k
            largest[b, k] = max(largest[b, k], size)
            many[b, k] += 1


@parallel
def number_cells(team, rows, count, level, row, frame, shape, cell):
    """Cell number of each grain; row[k]: row of the tables for level k."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            k = row[level[i]]
            ix = cell_along(rows[i, 0], frame[k, 0], frame[k, 3], shape[k, 0])
            iy = cell_along(rows[i, 1], frame[k, 1], frame[k, 3], shape[k, 1])
            iz = cell_along(rows[i, 2], frame[k, 2], frame[k, 3], shape[k, 2])
            cell[i] = np.int32(shape[k, 3] + (ix * shape[k, 1] + iy) * shape[k, 2] + iz)


class LevelGrid:
    """Divides grains into levels and numbers their cells."""

    def __init__(self, capacity: int) -> None:
        blocks = (capacity + BLOCK - 1) // BLOCK + 1
        self.capacity = capacity
        self.cells_most: int | None = None
        """Cells of one level at most; None: by the number of its grains."""
        self.level = np.zeros(capacity, np.uint8)
        self.cell = np.zeros(capacity, np.int32)
        self._bounds = np.zeros((blocks, 6), np.float32)
        self._largest = np.zeros((blocks, LEVELS_MOST), np.float32)
        self._many = np.zeros((blocks, LEVELS_MOST), np.int32)

    def number(
        self,
        rows: NDArray[np.float32],
        count: int,
        finest: float,
        cutoff: Cutoff,
    ) -> tuple[Levels, int]:
        """Fills `cell`; returns the levels, with `start` still empty, and the number of cells.

        rows: x, y, z, r, v_x, v_y, v_z, w. `finest` in m. Two grains are listed up to the sum of their sizes plus
        `cutoff.apart`.
        """
        bounds_of(rows, count, self._bounds)
        low, high = self._bounds[0, :3].copy(), self._bounds[0, 3:].copy()
        slack = cutoff.skin + cutoff.deflection + float(norm(cutoff.drop))
        _measure(
            rows, count, F(slack), F(cutoff.time), F(cutoff.far), F(finest * SPARE),
            self.level, self._largest, self._many,
        )  # fmt: skip
        blocks = (count + BLOCK - 1) // BLOCK
        many = self._many[:blocks].sum(axis=0, dtype=np.int64)
        largest = self._largest[:blocks].max(axis=0)
        present = np.flatnonzero(many)
        row = np.zeros(LEVELS_MOST, np.int64)
        row[present] = np.arange(len(present))
        frame, shape = np.zeros((len(present), 5), np.float32), np.zeros((len(present), 4), np.int64)
        cells = 0
        for k, level in enumerate(present):
            cell = (2.0 * float(largest[level]) + cutoff.apart) * SPARE
            most = CELLS_PER_GRAIN * (self.capacity if k == 0 else int(many[level])) + CELLS_LEAST
            shape[k] = *grid_size(low, high, cell, self.cells_most or most), cells
            frame[k] = *low, 1.0 / cell, largest[level]
            cells += int(shape[k, :3].prod())
        begin = np.append(0, np.cumsum(many[present]))
        number_cells(rows, count, self.level, row, frame, shape, self.cell)
        return Levels(frame, shape, begin, np.zeros(0, np.int32)), cells
