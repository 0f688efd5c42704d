"""Half lists of pairs that may touch before the next search: each pair once, whoever moves how fast.

A pair is listed when its gap is smaller than the margin plus what may be closed in the time T until the next
search: T times the faster grain's speed (the other may be stopped at once: two grains falling together have no
closing speed, and yet one runs into the other when that one lands), or T times the speed at which they close.
A grain's `cover` is the margin plus T times its own speed; leaving the cover before T is up is the caller's sign
to search again.

The grid's cells hold what ordinary grains can reach. A grain is *special* when it is much larger than most, or
so fast that its cover exceeds the cells' reach. Special grains would make all cells large, and all searches slow;
instead they are left out of the common search, and each looks at as many cells as it must by itself. One
boulder does not slow the sand, and one stray shot does not force the whole bed to be searched more often.

Entries: other[first[i] … first[i] + length[i]]. An entry j ≥ 0 lies in a cell next to i's. An entry −1 − j is
grain j anywhere else: a partner of a special grain, or one across the seam of the torus.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.grid import cell_along
from windrow.kernel import BLOCK, device, kernel, kernel_parallel, prange

F = np.float32
ZERO = F(0.0)

COLUMNS = 8
"""x, y, z, r, v_x, v_y, v_z, cover of each grain, as columns."""
AWAY = F(1e18)
"""Where special grains are put in the columns: near nobody, and its square is still a number."""

CANDIDATES = 248
"""Candidates gathered at a time; half of 27 cells of a dense packing hold about 30."""
ROOM = CANDIDATES + 8


@intrinsic
def _copy8(context, columns, stride, j, pool, place, number, step):
    """Copies grains j … j+7 to `place` of the pool, and numbers them number, number + step, …"""
    signature = types.void(*([types.int64] * 7))

    def generate(context, b, signature, arguments):
        columns, stride, j, pool, place, number, step = arguments
        source, target = simd.address(b, columns, j, 4), simd.address(b, pool, place, 4)
        width = b.mul(stride, ir.Constant(simd.INT64, 4))
        for column in range(COLUMNS):
            simd.store(b, simd.load(b, source, simd.VECTOR), simd.offset(b, target, 4 * ROOM * column))
            source = b.add(source, width)
        lanes = ir.Constant(simd.INT_VECTOR, list(range(simd.WIDTH)))
        numbers = b.add(simd.splat_integer(b, number), b.mul(simd.splat_integer(b, step), lanes))
        simd.store(b, numbers, simd.offset(b, target, 4 * ROOM * COLUMNS))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _near8(context, pool, first, x, y, z, r, vx, vy, vz, cover, margin, time):
    """Bit k says that the pair of a grain and candidate first + k of the pool belongs in the list."""
    signature = types.int64(types.int64, types.int64, *([types.float32] * 10))

    def generate(context, b, signature, arguments):
        pool, first, *numbers = arguments
        x, y, z, r, vx, vy, vz, cover, margin, time = (simd.splat(b, number) for number in numbers)
        where = simd.address(b, pool, first, 4)
        cx, cy, cz, cr, ux, uy, uz, cc = (
            simd.Lanes(b, simd.load(b, simd.offset(b, where, 4 * ROOM * column), simd.VECTOR))
            for column in range(COLUMNS)
        )
        dx, dy, dz, touching = x - cx, y - cy, z - cz, r + cr
        square = dx * dx + dy * dy + dz * dz
        far = touching + simd.maximum(cover, cc)
        covered = square < far * far
        # gap − margin < T × closing speed, times the distance
        closing = dx * (ux - vx) + dy * (uy - vy) + dz * (uz - vz)
        meeting = (square - (touching + margin) * simd.square_root(square)) < time * closing
        return b.zext(b.bitcast(b.or_(covered, meeting), ir.IntType(8)), simd.INT64)

    return signature, generate


@intrinsic
def lowest_bit(context, bits):
    """Position of the lowest set bit of a non-zero int64."""

    def generate(context, b, signature, arguments):
        return b.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@kernel_parallel
def cover_grains(
    X, V, count, margin, time, fall, reach, r_common, columns, special, partial
):  # fmt: skip
    """Writes the columns; special[i] is 1 for grains the common search leaves out. partial[b]: how many they are.

    `fall` is the speed (m/s) that gravity may add within the time.
    """
    for b in prange((count + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            speed = np.sqrt(V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2])
            cover = margin + time * (speed + (fall if V[i, 3] > ZERO else ZERO))
            apart = X[i, 3] > r_common or cover > reach
            special[i] = 1 if apart else 0
            found += 1 if apart else 0
            columns[0, i] = AWAY if apart else X[i, 0]
            columns[1, i], columns[2, i], columns[3, i] = X[i, 1], X[i, 2], X[i, 3]
            columns[4, i], columns[5, i], columns[6, i] = V[i, 0], V[i, 1], V[i, 2]
            columns[7, i] = cover
        partial[b] = found


@device
def _append_near(pool, pool_at, candidates, i, begin, X, V, cover, margin, time, other, place, limit, found):
    """Appends the pool's partners of grain i; returns the list's length. `begin`: first grain of i's own cell."""
    for k in range(0, candidates, 8):
        bits = _near8(
            pool_at, k, X[i, 0], X[i, 1], X[i, 2], X[i, 3], V[i, 0], V[i, 1], V[i, 2], cover, margin, time
        )
        if candidates - k < 8:
            bits &= (1 << (candidates - k)) - 1
        while bits != 0:
            entry = np.int64(pool[COLUMNS * ROOM + k + lowest_bit(bits)])
            bits &= bits - 1
            j = entry if entry >= 0 else -1 - entry
            # of the own cell only what comes later; two grains that cannot move have nothing to solve
            if (j > i or j < begin) and (V[i, 3] > ZERO or V[j, 3] > ZERO):
                if place + found < limit:
                    other[place + found] = entry
                found += 1
    return found


@kernel_parallel
def find_pairs(
    X, V, columns, special, count, start, low, inverse_cell, gx, gy, gz, margin, time, share,
    first, length, other, needed,
):  # fmt: skip
    """Lists of the common grains, which are sorted by cell. X: x, y, z, r; V: v_x, v_y, v_z, w.

    `share` is what a block owns of `other`; needed[b] is what it would have needed (over `share`: lists are cut).
    """
    stride = columns.shape[1]
    columns_at = columns.ctypes.data
    for b in prange((count + BLOCK - 1) // BLOCK):
        base = b * share
        limit = base + share
        pool = np.empty((COLUMNS + 1) * ROOM, np.int32)
        pool_at = pool.ctypes.data
        candidates = 0
        gathered = -1
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            first[i] = base
            length[i] = 0
            if special[i]:
                continue
            cover = columns[7, i]
            ix = cell_along(X[i, 0], low[0], inverse_cell, gx)
            iy = cell_along(X[i, 1], low[1], inverse_cell, gy)
            iz = cell_along(X[i, 2], low[2], inverse_cell, gz)
            cell = (ix * gy + iy) * gz + iz
            begin = start[cell]
            found = 0
            if cell != gathered:
                candidates = 0
                gathered = cell
                # five columns of cells: the own one from the own cell upwards, and four of the eight around it
                for side in range(5):
                    jx = ix + (1 if side >= 2 else 0)
                    jy = iy + (0 if side == 0 else (1 if side == 1 else side - 3))
                    seam = jx >= gx or jy < 0 or jy >= gy
                    jx = jx - gx if jx >= gx else jx
                    jy = jy + gy if jy < 0 else (jy - gy if jy >= gy else jy)
                    row = (jx * gy + jy) * gz
                    # along z one run of cells, and a second one where the torus closes
                    c0, c1 = iz if side == 0 else max(iz - 1, 0), min(iz + 1, gz - 1)
                    closing = 0 if iz == gz - 1 else (gz - 1 if iz == 0 and side > 0 else -1)
                    for part in range(2 if closing >= 0 else 1):
                        j = np.int64(start[row + (closing if part else c0)])
                        j1 = np.int64(start[row + (closing if part else c1) + 1])
                        while j < j1:
                            if candidates > CANDIDATES - 8:
                                # more than the pool holds: test what is there, and share nothing
                                found = _append_near(
                                    pool, pool_at, candidates, i, begin, X, V, cover, margin, time,
                                    other, base, limit, found,
                                )  # fmt: skip
                                candidates = 0
                                gathered = -1
                            _copy8(
                                columns_at,
                                stride,
                                j,
                                pool_at,
                                candidates,
                                -1 - j if seam else j,
                                -1 if seam else 1,
                            )
                            candidates += min(j1 - j, 8)
                            j += 8
            found = _append_near(
                pool, pool_at, candidates, i, begin, X, V, cover, margin, time, other, base, limit, found
            )
            length[i] = found
            base += found
        needed[b] = base - b * share


@device
def _belong(X, V, columns, i, j, margin, time):
    """Whether a pair belongs in the list: the test of `_near8`, one by one."""
    if V[i, 3] <= ZERO and V[j, 3] <= ZERO:
        return False
    dx, dy, dz = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    square = dx * dx + dy * dy + dz * dz
    touching = X[i, 3] + X[j, 3]
    far = touching + max(columns[7, i], columns[7, j])
    if square < far * far:
        return True
    closing = dx * (V[j, 0] - V[i, 0]) + dy * (V[j, 1] - V[i, 1]) + dz * (V[j, 2] - V[i, 2])
    return square - (touching + margin) * np.sqrt(square) < time * closing


@device
def _cells_around(x, low, inverse_cell, size, reach):
    """First cell along one axis and number of cells that lie within reach of x; each cell of the torus at most once."""
    begin = np.int64(np.floor((x - reach - low) * inverse_cell))
    many = np.int64(np.floor((x + reach - low) * inverse_cell)) - begin + 1
    return begin, min(many, size)


@kernel_parallel
def find_special_pairs(
    X, V, columns, special, chosen, start, low, inverse_cell, gx, gy, gz, margin, time, r_common, reach,
    first, length, other, write,
):  # fmt: skip
    """Lists of the special grains `chosen`, ascending; called to count (`write` 0) and again to fill (1).

    Counting sets `length`, filling starts at `first`. Two special grains are listed by the first of them.
    """
    many = len(chosen)
    for a in prange(many):
        i = chosen[a]
        found = 0
        for c in range(a + 1, many):
            j = chosen[c]
            if _belong(X, V, columns, i, j, margin, time):
                if write:
                    other[first[i] + found] = -1 - j
                found += 1
        # a common grain's own cover is at most `reach`; head on, the two add up
        far = X[i, 3] + r_common + columns[7, i] + reach
        bx, nx = _cells_around(X[i, 0], low[0], inverse_cell, gx, far)
        by, ny = _cells_around(X[i, 1], low[1], inverse_cell, gy, far)
        bz, nz = _cells_around(X[i, 2], low[2], inverse_cell, gz, far)
        for cx in range(nx):
            for cy in range(ny):
                row = ((bx + cx) % gx * gy + (by + cy) % gy) * gz
                for cz in range(nz):
                    cell = row + (bz + cz) % gz
                    for j in range(start[cell], start[cell + 1]):
                        if special[j] == 0 and _belong(X, V, columns, i, j, margin, time):
                            if write:
                                other[first[i] + found] = -1 - j
                            found += 1
        length[i] = found


@kernel
def place_special(chosen, base, first, length):
    """Gives the counted special lists their places from `base` on; returns the end of the last."""
    for a in range(len(chosen)):
        first[chosen[a]] = base
        base += length[chosen[a]]
    return base


class PairLists:
    """The lists and their buffers, which grow when a scene needs more."""

    START = 6
    """Entries per grain the buffers begin with."""

    def __init__(self, capacity: int) -> None:
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.first = np.zeros(capacity, np.int64)
        self.length = np.zeros(capacity, np.int32)
        self.share = BLOCK * self.START
        self.blocks = blocks
        self.other: NDArray[np.int32] = np.zeros(blocks * self.share, np.int32)
        self.special = np.zeros(capacity, np.uint8)
        self.columns = np.zeros((COLUMNS, capacity + 16), np.float32)
        self.needed = np.zeros(blocks, np.int64)

    def search(
        self,
        X: NDArray[np.float32],
        V: NDArray[np.float32],
        count: int,
        grid: tuple[NDArray[np.int32], NDArray[np.float32], np.float32, int, int, int],
        margin: float,
        time: float,
        fall: float,
        reach: float,
        r_common: float,
    ) -> int:
        """Lists all pairs of the first `count` grains, sorted by `grid`; returns the number of special grains.

        margin, reach, r_common in m, time in s, fall in m/s. The grid's cells must be at least 2 r_common + 2 reach
        − margin long, because two grains may close what both of them cover.
        """
        span = (F(margin), F(time))
        cover_grains(
            X, V, count, *span, F(fall), F(reach), F(r_common), self.columns, self.special, self.needed
        )
        blocks = (count + BLOCK - 1) // BLOCK
        strangers = int(self.needed[:blocks].sum())
        while True:
            find_pairs(
                X, V, self.columns, self.special, count, *grid, *span, self.share,
                self.first, self.length, self.other, self.needed,
            )  # fmt: skip
            most = int(self.needed[:blocks].max())
            if most <= self.share:
                break
            self.share = -(-int(most * 1.2) // BLOCK) * BLOCK
            self.other = np.zeros(self.blocks * self.share, np.int32)
        if strangers:
            chosen = np.flatnonzero(self.special[:count]).astype(np.int32)
            lists = (X, V, self.columns, self.special, chosen, *grid, *span, F(r_common), F(reach))
            find_special_pairs(*lists, self.first, self.length, self.other, 0)
            end = place_special(chosen, self.blocks * self.share, self.first, self.length)
            if end > len(self.other):
                wider = np.zeros(end + end // 8, np.int32)
                wider[: len(self.other)] = self.other
                self.other = wider
            find_special_pairs(*lists, self.first, self.length, self.other, 1)
        return strangers
