"""Neighbour lists in slices of eight grains, the layout the vector kernels read.

Slice s holds grains 8s … 8s+7. Its lists are interleaved: entry k of lane l is list[first[s] + 8k + l], and all
eight have the length of the longest, depth[s], filled up with the grain's own index (a grain is never its own
neighbour, so the filling is recognised without a mask). Blocks of 256 grains own a share of the buffer
each; when one share is too small the search says so and the caller enlarges it and repeats the search.

Grains come sorted by grid levels (`levels.py`): each looks at the cells around it in its own grid, and in the
others at those it reaches. Grains of like size are neighbours in memory, so that a boulder's long list lengthens few
slices.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.gather import CANDIDATES, ROOM, bits_of, copier, eight_of, lowest_bit
from windrow.collide.grid import around, cell_along, cells_within
from windrow.collide.levels import Levels
from windrow.kernel import BLOCK, device
from windrow.team import deal, parallel_counted

F = np.float32


COLUMNS = 4
"""x, y, z and r of each grain."""
_copy8 = copier(COLUMNS)


@intrinsic
def _near8(context, columns, stride, first, x, y, z, reach):
    """Bit k says that candidate first + k of the columns lies within reach + its radius of (x, y, z)."""
    signature = types.int64(types.int64, types.int64, types.int64, *([types.float32] * 4))

    def generate(context, b, signature, arguments):
        columns, stride, first, x, y, z, reach = arguments
        cx, cy, cz, cr = eight_of(b, columns, stride, first, COLUMNS)
        dx, dy, dz = simd.splat(b, x) - cx, simd.splat(b, y) - cy, simd.splat(b, z) - cz
        limit = simd.splat(b, reach) + cr
        return bits_of(b, (dx * dx + dy * dy + dz * dz) < limit * limit)

    return signature, generate


@device
def _append_near(pool, pool_at, candidates, i, x, y, z, reach, neighbours, place, limit, found):
    """Appends the near ones of the pool to the list of grain i; returns the list's length."""
    for k in range(0, candidates, 8):
        bits = _near8(pool_at, ROOM, k, x, y, z, reach)
        if candidates - k < 8:
            bits &= (1 << (candidates - k)) - 1
        while bits != 0:
            j = pool[COLUMNS * ROOM + k + lowest_bit(bits)]
            if place + 8 * found < limit:
                neighbours[place + 8 * found] = j
            found += j != i
            bits &= bits - 1
    return found


@device
def _append_run(columns, stride, j, end, x, y, z, reach, neighbours, place, limit, found):
    """The same for a stretch of grains of another level."""
    while j < end:
        bits = _near8(columns, stride, j, x, y, z, reach)
        if end - j < 8:
            bits &= (1 << (end - j)) - 1
        while bits != 0:
            if place + 8 * found < limit:
                neighbours[place + 8 * found] = j + lowest_bit(bits)
            found += 1
            bits &= bits - 1
        j += 8
    return found


@parallel_counted
def find_neighbours(
    team, P: NDArray[np.float32],
    S: NDArray[np.float32],
    levels: Levels,
    margin: float,
    share: NDArray[np.int64],
    first: NDArray[np.int64],
    depth: NDArray[np.int32],
    length: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    needed: NDArray[np.int64],
) -> None:
    """Lists of all pairs closer than r_i + r_j + margin, for grains sorted by levels and cells.

    P: rows x, y, z, r, …; S: (4, stride) columns of the same, stride at least count + 8. share[b] … share[b + 1] is
    what block b owns of `neighbours`; needed[b] is what it would have needed (if that is more, the lists are cut).
    """
    stride = S.shape[1]
    columns = S.ctypes.data
    frame, shape, begins, start = levels.frame, levels.shape, levels.begin, levels.start
    count = begins[len(begins) - 1]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        base = share[b]
        limit = share[b + 1]
        l = 0
        pool = np.empty((COLUMNS + 1) * ROOM, np.int32)
        pool_at = pool.ctypes.data
        candidates = 0
        gathered = -1
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            longest = 0
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                while i >= begins[l + 1]:
                    l += 1
                x, y, z = P[i, 0], P[i, 1], P[i, 2]
                reach = P[i, 3] + margin
                gx, gy, gz = shape[l, 0], shape[l, 1], shape[l, 2]
                ix = cell_along(x, frame[l, 0], frame[l, 3], gx)
                iy = cell_along(y, frame[l, 1], frame[l, 3], gy)
                iz = cell_along(z, frame[l, 2], frame[l, 3], gz)
                cell = shape[l, 3] + (ix * gy + iy) * gz + iz
                found = 0
                if cell != gathered:
                    candidates = 0
                    gathered = cell
                    # along z one run of cells, and a second one where the torus closes
                    c0, c1 = max(iz - 1, 0), min(iz + 1, gz - 1)
                    closing = gz - 1 if iz == 0 else (0 if iz == gz - 1 else -1)
                    for run in range(18 if closing >= 0 else 9):
                        row = (around(ix + run % 3 - 1, gx) * gy + around(iy + run // 3 % 3 - 1, gy)) * gz
                        row += shape[l, 3]
                        j = np.int64(start[row + (c0 if run < 9 else closing)])
                        end = np.int64(start[row + (c1 if run < 9 else closing) + 1])
                        while j < end:
                            if candidates > CANDIDATES - 8:
                                # more than the pool holds: test what is there, and share nothing
                                found = _append_near(
                                    pool, pool_at, candidates, i, x, y, z, reach, neighbours, base + lane, limit, found
                                )
                                candidates = 0
                                gathered = -1
                            _copy8(columns, stride, j, pool_at, candidates, j, 1)
                            candidates += 8 if end - j > 8 else int(end - j)
                            j += 8
                found = _append_near(
                    pool, pool_at, candidates, i, x, y, z, reach, neighbours, base + lane, limit, found
                )
                for m in range(len(frame)):
                    if m != l:
                        far, scale = reach + frame[m, 4], frame[m, 3]
                        hx, hy, hz = shape[m, 0], shape[m, 1], shape[m, 2]
                        bx, nx = cells_within(x, far, frame[m, 0], scale, hx)
                        by, ny = cells_within(y, far, frame[m, 1], scale, hy)
                        bz, nz = cells_within(z, far, frame[m, 2], scale, hz)
                        bx, by, bz = bx % hx, by % hy, bz % hz
                        for column in range(nx * ny):
                            jx, jy = bx + column // ny, by + column % ny
                            row = (jx - hx if jx >= hx else jx) * hy + (jy - hy if jy >= hy else jy)
                            row = shape[m, 3] + row * hz
                            for run in range(2 if bz + nz > hz else 1):
                                j = np.int64(start[row + (0 if run else bz)])
                                end = np.int64(start[row + (bz + nz - hz if run else min(bz + nz, hz))])
                                found = _append_run(
                                    columns, stride, j, end, x, y, z, reach, neighbours, base + lane, limit, found
                                )
                length[i] = found
                longest = max(longest, found)
            first[s] = base
            depth[s] = longest
            for lane in range(8):
                i = 8 * s + lane
                own = min(i, count - 1)
                for k in range(length[i] if i < count else 0, longest):
                    if base + 8 * k + lane < limit:
                        neighbours[base + 8 * k + lane] = own
            base += 8 * longest
        needed[b] = base - share[b]
