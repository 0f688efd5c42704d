"""Neighbour lists in slices of eight grains, the layout the vector kernels read.

Slice s holds grains 8s … 8s+7. Its lists are interleaved: entry k of lane l is list[first[s] + 8k + l], and all
eight have the length of the longest, depth[s], filled up with the grain's own index (a grain is never its own
neighbour, so the filling is recognised without a mask). Blocks of 256 grains own equal shares of the
buffer; when one share is too small the search says so and the caller enlarges the buffer and repeats it.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.grid import cell_along
from windrow.kernel import BLOCK, kernel_parallel, prange

F = np.float32


@intrinsic
def _near8(context, S, stride, first, x, y, z, reach):  # type: ignore[no-untyped-def]
    """Bit k says that candidate first + k lies within reach + its radius of (x, y, z).

    S is the address of four float32 arrays x, y, z, r, each `stride` floats long.
    """
    signature = types.int64(types.int64, types.int64, types.int64, *([types.float32] * 4))

    def generate(context, b, signature, arguments):  # type: ignore[no-untyped-def]
        S, stride, first, x, y, z, reach = arguments
        where = simd.address(b, S, first, 4)
        step = b.mul(stride, ir.Constant(simd.INT64, 4))
        columns = []
        for _ in range(4):
            columns.append(simd.Lanes(b, simd.load(b, where, simd.VECTOR)))
            where = b.add(where, step)
        dx = simd.splat(b, x) - columns[0]
        dy = simd.splat(b, y) - columns[1]
        dz = simd.splat(b, z) - columns[2]
        limit = simd.splat(b, reach) + columns[3]
        near = (dx * dx + dy * dy + dz * dz) < limit * limit
        return b.zext(b.bitcast(near, ir.IntType(8)), simd.INT64)

    return signature, generate


@intrinsic
def _lowest_bit(context, bits):  # type: ignore[no-untyped-def]
    """Position of the lowest set bit of a non-zero int64."""

    def generate(context, b, signature, arguments):  # type: ignore[no-untyped-def]
        return b.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@kernel_parallel
def find_neighbours(
    P: NDArray[np.float32],
    S: NDArray[np.float32],
    count: int,
    start: NDArray[np.int32],
    low: NDArray[np.float32],
    inverse_cell: float,
    gx: int,
    gy: int,
    gz: int,
    margin: float,
    share: int,
    first: NDArray[np.int64],
    depth: NDArray[np.int32],
    length: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    needed: NDArray[np.int64],
) -> None:
    """Lists of all pairs closer than r_i + r_j + margin, for grains sorted by cell.

    P: rows x, y, z, r, …; S: (4, stride) columns of the same, stride at least count + 8. `share` is what a
    block owns of `neighbours`; needed[b] is what it would have needed (over `share`: the lists are cut).
    """
    stride = S.shape[1]
    columns = S.ctypes.data
    for b in prange((count + BLOCK - 1) // BLOCK):
        base = b * share
        limit = base + share
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            longest = 0
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                x, y, z = P[i, 0], P[i, 1], P[i, 2]
                reach = P[i, 3] + margin
                ix = cell_along(x, low[0], inverse_cell, gx)
                iy = cell_along(y, low[1], inverse_cell, gy)
                iz = cell_along(z, low[2], inverse_cell, gz)
                found = 0
                for ax in range(-1, 2):
                    jx = ix + ax
                    jx = jx + gx if jx < 0 else (jx - gx if jx >= gx else jx)
                    for ay in range(-1, 2):
                        jy = iy + ay
                        jy = jy + gy if jy < 0 else (jy - gy if jy >= gy else jy)
                        row = (jx * gy + jy) * gz
                        # one run of cells, and a second one where the torus closes
                        for part in range(2):
                            if part == 0:
                                c0, c1 = max(iz - 1, 0), min(iz + 1, gz - 1)
                            elif iz == 0:
                                c0 = c1 = gz - 1
                            elif iz == gz - 1:
                                c0 = c1 = 0
                            else:
                                break
                            j0, j1 = start[row + c0], start[row + c1 + 1]
                            for j in range(j0, j1, 8):
                                bits = _near8(columns, stride, j, x, y, z, reach)
                                if j1 - j < 8:
                                    bits &= (1 << (j1 - j)) - 1
                                if j <= i < j + 8:
                                    bits &= ~(1 << (i - j))
                                while bits != 0:
                                    place = base + 8 * found + lane
                                    if place < limit:
                                        neighbours[place] = j + _lowest_bit(bits)
                                    found += 1
                                    bits &= bits - 1
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
        needed[b] = base - b * share
