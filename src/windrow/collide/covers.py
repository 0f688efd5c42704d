"""Covers: how far from where it was each grain's list holds.

That is a margin, and in the time until the next search what the grain's own speed, or the share of their speed that the
faster ones around it may pass on, takes it.
"""

from __future__ import annotations

import numpy as np

from windrow.kernel import BLOCK, kernel_parallel, prange

F = np.float32
ZERO = F(0.0)
BLOW = F(0.6)
"""Share of a grain's speed that one hit by it may have afterwards."""


@kernel_parallel
def cover_grains(X, V, count, margin, time, fall, columns):
    """Writes the columns. `fall` is the speed (m/s) that gravity may add within the time."""
    for b in prange((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
            columns[0, i], columns[1, i], columns[2, i], columns[3, i] = X[i, 0], X[i, 1], X[i, 2], X[i, 3]
            columns[4, i], columns[5, i], columns[6, i] = V[i, 0], V[i, 1], V[i, 2]
            columns[7, i] = margin + time * (speed + (fall if V[i, 3] > ZERO else ZERO))


@kernel_parallel
def swiftest_by_cell(V, levels, swift):
    """swift[1, c]: greatest speed of a grain of cell c of the finest level, or of the cells around it, m/s.

    Along z, y and x one after the other; swift[0] is used in between.
    """
    gx, gy, gz, start = levels.shape[0, 0], levels.shape[0, 1], levels.shape[0, 2], levels.start
    for column in prange(gx * gy):
        for k in range(gz):
            c = column * gz + k
            square = ZERO
            for i in range(start[c], start[c + 1]):
                square = max(square, V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
            swift[0, c] = np.sqrt(square)
        for k in range(gz):
            c = column * gz
            low, high = k - 1 if k > 0 else gz - 1, k + 1 if k + 1 < gz else 0
            swift[1, c + k] = max(swift[0, c + k], max(swift[0, c + low], swift[0, c + high]))
    for axis in range(2):  # y, then x
        source, size, stride = 1 - axis, gx if axis else gy, gy * gz if axis else gz
        for column in prange(gx * gy):
            place = column // gy if axis else column % gy
            low = -stride if place > 0 else (size - 1) * stride
            high = stride if place + 1 < size else (1 - size) * stride
            for c in range(column * gz, column * gz + gz):
                near = max(swift[source, c + low], swift[source, c + high])
                swift[axis, c] = max(swift[source, c], near)


@kernel_parallel
def widen_covers(V, levels, swift, margin, time, fall, reach, columns):
    """Makes the covers of the finest level's grains wide enough for a blow of those around, up to the reach."""
    cells, start = levels.shape[0, 0] * levels.shape[0, 1] * levels.shape[0, 2], levels.start
    for part in prange((cells + BLOCK - 1) // BLOCK):
        for c in range(part * BLOCK, min(cells, part * BLOCK + BLOCK)):
            wide = min(margin + time * (BLOW * swift[1, c] + fall), reach)
            for i in range(start[c], start[c + 1]):
                if V[i, 3] > ZERO:
                    columns[7, i] = max(columns[7, i], wide)
