"""Half lists of pairs that may touch before the next search: each pair once, whoever moves how fast.

A pair is listed when its gap is smaller than the margin plus what may be closed in the time T until the next
search: T times the faster grain's speed (the other may be stopped at once: two grains falling together have no
closing speed, and yet one runs into the other when that one lands), or T times the speed at which they close.
A grain's *cover* (`covers.py`) says how far its list holds; leaving it before T is up is the caller's sign to search
again.

Grains come sorted by grid levels (`levels.py`), and each pair is found by the grain of the coarser level, among its
own level and all finer ones: by the half of its own grid's cells around it, and by those cells of finer grids that it
reaches. Cells along z are neighbours in memory, so that a boulder reads the grains around it column by column and the
empty cells inside it cost nothing.

Entries: other[first[i] … first[i] + length[i]]. An entry j ≥ 0 lies, by the cells of i's level, in i's column or in one
next to it. An entry −1 − j is a grain j across the seam of the torus.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.covers import cover_grains, swiftest_by_cell, widen_covers
from windrow.collide.grid import cell_along, cells_within
from windrow.collide.levels import Levels
from windrow.kernel import BLOCK, device, kernel_parallel, prange
from windrow.state.room import room

F = np.float32
ZERO = F(0.0)

COLUMNS = 8
"""x, y, z, r, v_x, v_y, v_z, cover of each grain, as columns."""
CANDIDATES = 248
"""Candidates gathered at a time; half of 27 cells of a dense packing hold about 30."""
ROOM = CANDIDATES + 8
PARTS = 64
"""Parts that the coarse levels' grains are dealt out to, like cards: large and small ones to each."""
BLUR = F(0.5)
"""How far beyond its cells, in cells, a column may reach through rounding errors far from the grid's origin."""


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


def _near(b, columns, stride, first, numbers):
    """Mask of the candidates first … first + 7 of the columns that belong in the list of a grain with these numbers:
    x, y, z, r, v_x, v_y, v_z, cover, margin, time. Also square and root of their distances, the sum and the smaller of
    the two radii, and closing speed times distance."""
    x, y, z, r, vx, vy, vz, cover, margin, time = (simd.splat(b, number) for number in numbers)
    where = simd.address(b, columns, first, 4)
    width = b.mul(stride, ir.Constant(simd.INT64, 4))
    candidates = []
    for _ in range(COLUMNS):
        candidates.append(simd.Lanes(b, simd.load(b, where, simd.VECTOR)))
        where = b.add(where, width)
    cx, cy, cz, cr, ux, uy, uz, cc = candidates
    dx, dy, dz, touching = x - cx, y - cy, z - cz, r + cr
    square = dx * dx + dy * dy + dz * dz
    distance = simd.square_root(square)
    far = touching + simd.maximum(cover, cc)
    covered = square < far * far
    # gap − margin < T × closing speed, times the distance
    closing = dx * (ux - vx) + dy * (uy - vy) + dz * (uz - vz)
    meeting = (square - (touching + margin) * distance) < time * closing
    return b.or_(covered, meeting), square, distance, touching, simd.minimum(r, cr), closing


@intrinsic
def _near8(context, columns, stride, first, x, y, z, r, vx, vy, vz, cover, margin, time):
    """Bit k says that the pair of a grain and candidate first + k of the columns belongs in the list."""
    signature = types.int64(types.int64, types.int64, types.int64, *([types.float32] * 10))

    def generate(context, b, signature, arguments):
        columns, stride, first, *numbers = arguments
        near, *_ = _near(b, columns, stride, first, numbers)
        return b.zext(b.bitcast(near, ir.IntType(8)), simd.INT64)

    return signature, generate


@intrinsic
def _append8(
    context, pool, first, many, i, begin, where, swift, x, y, z, r, vx, vy, vz, cover, margin, time, span
):
    """Writes the entries of those of the pool's candidates first … first + 7 (`many` of them, if fewer) that belong in
    the list of grain i to address `where`; returns how many. Of the own cell, which begins with grain `begin`, only
    what comes after i. Eight squares of `meeting_rate` at address `swift` grow to those of the pairs that meet within
    `span`."""
    signature = types.int64(*([types.int64] * 7), *([types.float32] * 11))

    def generate(context, b, signature, arguments):
        pool, first, many, i, begin, where, swift, *numbers, span = arguments
        near, square, distance, touching, r_min, closing = _near(
            b, pool, ir.Constant(simd.INT64, ROOM), first, numbers
        )
        entry = simd.load(
            b,
            simd.address(b, pool, b.add(first, ir.Constant(simd.INT64, COLUMNS * ROOM)), 4),
            simd.INT_VECTOR,
        )
        # −1 − j for grains across the seam
        j = b.xor(entry, b.ashr(entry, ir.Constant(simd.INT_VECTOR, [31] * simd.WIDTH)))
        later = b.icmp_signed(">", j, simd.splat_integer(b, i))
        elsewhere = b.icmp_signed("<", j, simd.splat_integer(b, begin))
        lanes = ir.Constant(simd.INT_VECTOR, list(range(simd.WIDTH)))
        there = b.icmp_signed("<", lanes, simd.splat_integer(b, many))
        chosen = b.and_(b.and_(near, there), b.or_(later, elsewhere))
        # most pairs meet more slowly than one before, if at all, and need no division
        known = simd.Lanes(b, simd.load(b, swift, simd.VECTOR))
        part = square * r_min * r_min
        swifter = b.and_(chosen, known * part < closing * simd.maximum(closing, 0.0))
        with b.if_then(simd.any_of(b, swifter), likely=False):
            meets = (distance - touching) * distance < simd.splat(b, span) * closing
            rate = closing * closing / simd.maximum(part, 1e-36)
            simd.store(b, simd.select(b.and_(swifter, meets), rate, known).v, swift)
        return simd.store_some(b, entry, chosen, where)

    return signature, generate


@intrinsic
def lowest_bit(context, bits):
    """Position of the lowest set bit of a non-zero int64."""

    def generate(context, b, signature, arguments):
        return b.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@device
def meeting_rate(closing, distance, touching, r_min, span):
    """Closing speed over the smaller radius (1/s) of a pair that meets within the span (s), or 0.

    closing: speed times distance, m²/s; distance, and the sum of the radii that is `touching`, in m.
    """
    if closing > ZERO and closing * span > (distance - touching) * distance:
        return closing / (max(distance, F(1e-12)) * r_min)
    return ZERO


@device
def _rate_of_pair(X, V, i, j, span):
    """`meeting_rate` of two grains."""
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    closing = d0 * (V[j, 0] - V[i, 0]) + d1 * (V[j, 1] - V[i, 1]) + d2 * (V[j, 2] - V[i, 2])
    distance = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    return meeting_rate(closing, distance, X[i, 3] + X[j, 3], min(X[i, 3], X[j, 3]), span)


@device
def _append_near(
    pool, pool_at, candidates, i, begin, X, V, cover, margin, time, span, other, other_at, place, limit, found,
    swift, swift_at,
):  # fmt: skip
    """Appends the pool's partners of grain i; returns the list's length. `begin`: first grain of i's own cell; swift:
    see `_append8`."""
    x, y, z, r, vx, vy, vz = X[i, 0], X[i, 1], X[i, 2], X[i, 3], V[i, 0], V[i, 1], V[i, 2]
    if V[i, 3] > ZERO and place + found + candidates <= limit:
        for k in range(0, candidates, 8):
            found += _append8(
                pool_at, k, candidates - k, i, begin, other_at + 4 * (place + found), swift_at,
                x, y, z, r, vx, vy, vz, cover, margin, time, span,
            )  # fmt: skip
        return found
    # little room is left, or the grain cannot move
    for k in range(0, candidates, 8):
        bits = _near8(pool_at, ROOM, k, x, y, z, r, vx, vy, vz, cover, margin, time)
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
                rate = _rate_of_pair(X, V, i, j, span)
                swift[0] = max(swift[0], rate * rate)
    return found


@kernel_parallel
def find_pairs(
    X, V, columns, levels, margin, time, span, share, first, length, other, needed, met,
):  # fmt: skip
    """Lists of the finest level's grains among themselves. X: x, y, z, r; V: v_x, v_y, v_z, w.

    `share` is what a block owns of `other`; needed[b] is what it would have needed (over `share`: lists are cut).
    met[b]: square of the greatest `meeting_rate`.
    """
    stride = columns.shape[1]
    columns_at, other_at = columns.ctypes.data, other.ctypes.data
    frame, shape, start = levels.frame, levels.shape, levels.start
    count, gx, gy, gz, inverse_cell = levels.begin[1], shape[0, 0], shape[0, 1], shape[0, 2], frame[0, 3]
    for b in prange((count + BLOCK - 1) // BLOCK):
        base = b * share
        limit = base + share
        pool = np.empty((COLUMNS + 1) * ROOM, np.int32)
        swift = np.zeros(simd.WIDTH, np.float32)
        pool_at, swift_at = pool.ctypes.data, swift.ctypes.data
        candidates = 0
        gathered = -1
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            first[i] = base
            cover = columns[7, i]
            ix = cell_along(X[i, 0], frame[0, 0], inverse_cell, gx)
            iy = cell_along(X[i, 1], frame[0, 1], inverse_cell, gy)
            iz = cell_along(X[i, 2], frame[0, 2], inverse_cell, gz)
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
                                    pool, pool_at, candidates, i, begin, X, V, cover, margin, time, span,
                                    other, other_at, base, limit, found, swift, swift_at,
                                )  # fmt: skip
                                candidates = 0
                                gathered = -1
                            number, step = (-1 - j, -1) if seam else (j, 1)
                            _copy8(columns_at, stride, j, pool_at, candidates, number, step)
                            candidates += min(j1 - j, 8)
                            j += 8
            found = _append_near(
                pool, pool_at, candidates, i, begin, X, V, cover, margin, time, span,
                other, other_at, base, limit, found, swift, swift_at,
            )  # fmt: skip
            length[i] = found
            base += found
        needed[b] = base - b * share
        met[b] = swift.max()


@device
def _beyond(x, low, inverse_cell, index):
    """Distance along one axis from x to a cell, m; 0 inside."""
    place = (x - low) * inverse_cell - F(index)
    return max(max(-place, place - F(1.0)) - BLUR, ZERO) / inverse_cell


@device
def _append_run(
    columns_at, stride, j, j1, i, begin, l, ix, iy, X, V, cover, margin, time, span, levels, other, place, limit,
    met, part,
):  # fmt: skip
    """Appends the partners of grain i, of level l, from one stretch of grains; returns the end of the list."""
    frame, shape = levels.frame, levels.shape
    while j < j1:
        bits = _near8(
            columns_at, stride, j, X[i, 0], X[i, 1], X[i, 2], X[i, 3], V[i, 0], V[i, 1], V[i, 2],
            cover, margin, time,
        )  # fmt: skip
        if j1 - j < 8:
            bits &= (1 << (j1 - j)) - 1
        while bits != 0:
            k = j + lowest_bit(bits)
            bits &= bits - 1
            # of the own cell only what comes later; two grains that cannot move have nothing to solve
            if (k > i or k < begin) and (V[i, 3] > ZERO or V[k, 3] > ZERO):
                if place < limit:
                    jx = cell_along(X[k, 0], frame[l, 0], frame[l, 3], shape[l, 0])
                    jy = cell_along(X[k, 1], frame[l, 1], frame[l, 3], shape[l, 1])
                    other[place] = k if abs(jx - ix) <= 1 and abs(jy - iy) <= 1 else -1 - k
                place += 1
                rate = _rate_of_pair(X, V, i, k, span)
                met[part] = max(met[part], rate * rate)
        j += 8
    return place


@kernel_parallel
def find_coarse_pairs(
    X, V, columns, levels, margin, time, span, reach, base, share, first, length, other, needed, met
):
    """Lists of the grains above the finest level, in `other` from `base` on; see `find_pairs`."""
    stride = columns.shape[1]
    columns_at = columns.ctypes.data
    frame, shape, begins, start = levels.frame, levels.shape, levels.begin, levels.start
    count = begins[len(begins) - 1]
    for part in prange(PARTS):
        at = base + part * share
        limit = at + share
        met[part] = ZERO
        l = 1
        for i in range(begins[1] + part, count, PARTS):
            while i >= begins[l + 1]:
                l += 1
            x, y, z, cover = X[i, 0], X[i, 1], X[i, 2], columns[7, i]
            ix = np.int64(cell_along(x, frame[l, 0], frame[l, 3], shape[l, 0]))
            iy = np.int64(cell_along(y, frame[l, 1], frame[l, 3], shape[l, 1]))
            iz = np.int64(cell_along(z, frame[l, 2], frame[l, 3], shape[l, 2]))
            own = np.int64(start[shape[l, 3] + (ix * shape[l, 1] + iy) * shape[l, 2] + iz])
            first[i] = at
            for m in range(l + 1):
                gx, gy, gz, cells, scale = shape[m, 0], shape[m, 1], shape[m, 2], shape[m, 3], frame[m, 3]
                # the other grain's cover is at most the reach, but for what its size has of it; head on, both add up
                far = X[i, 3] + cover + frame[m, 4] + reach - margin
                bx, by, bz, nx, ny, nz = ix, iy - 1, iz - 1, np.int64(2), np.int64(3), np.int64(3)
                whole = False
                if m < l:
                    bx, nx = cells_within(x, far, frame[m, 0], scale, gx)
                    by, ny = cells_within(y, far, frame[m, 1], scale, gy)
                    bz, nz = cells_within(z, far, frame[m, 2], scale, gz)
                    whole = nx > 4 and nx < gx and ny < gy
                jx = bx % gx
                y0 = by % gy
                z0 = bz % gz
                for cx in range(nx):
                    jy = y0
                    dx = _beyond(x, frame[m, 0], scale, bx + cx) if whole else ZERO
                    for cy in range(ny):
                        k, many = z0, nz
                        if whole:
                            dy = _beyond(y, frame[m, 1], scale, by + cy)
                            square = far * far - dx * dx - dy * dy
                            chord = np.sqrt(max(square, ZERO)) + BLUR / scale
                            if square <= ZERO:
                                many = np.int64(0)
                            elif chord < far:
                                k, many = cells_within(z, chord, frame[m, 2], scale, gz)
                                k = k % gz
                        elif m == l and cx == 0:
                            # half of the cells around: the own column upwards, and four of the eight others
                            if cy == 0:
                                many = np.int64(0)
                            elif cy == 1:
                                k, many = iz, np.int64(2)
                        row = cells + (jx * gy + jy) * gz
                        jy = jy + 1 if jy + 1 < gy else np.int64(0)
                        # along z one run of cells, and a second one where the torus closes
                        for run in range(2 if k + many > gz else (1 if many > 0 else 0)):
                            j = np.int64(start[row + (0 if run else k)])
                            j1 = np.int64(start[row + (k + many - gz if run else min(k + many, gz))])
                            at = _append_run(
                                columns_at, stride, j, j1, i, own, l, ix, iy, X, V, cover, margin, time, span, levels,
                                other, at, limit, met, part,
                            )  # fmt: skip
                    jx = jx + 1 if jx + 1 < gx else np.int64(0)
            length[i] = at - first[i]
        needed[part] = at - (base + part * share)


class PairLists:
    """The lists and their buffers, which grow when a scene needs more."""

    START, COARSE_START = 10, 256
    """Entries per grain of the finest level, and per part of the others, that the buffers begin with."""

    def __init__(self, capacity: int) -> None:
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.first = room(capacity, np.int64)
        self.length = room(capacity, np.int32)
        self.share, self.coarse_share = BLOCK * self.START, self.COARSE_START
        self.blocks = blocks
        self.other: NDArray[np.int32] = room(blocks * self.share + PARTS * self.coarse_share, np.int32)
        self.columns = room((COLUMNS, capacity + 16), np.float32)
        self.needed = np.zeros(max(blocks, PARTS), np.int64)
        self._met = np.zeros(blocks + PARTS, np.float32)
        self._swift = np.zeros((2, 0), np.float32)
        self.end = 0
        """Where the lists' part of `other` ends."""

    def search(
        self,
        X: NDArray[np.float32],
        V: NDArray[np.float32],
        levels: Levels,
        margin: float,
        time: float,
        fall: float,
        reach: float,
        span: float,
    ) -> float:
        """Lists all pairs of grains sorted by `levels`, which were made for the same numbers.

        margin and reach in m, time in s, fall in m/s. Returns the greatest closing speed over the smaller radius (1/s)
        of a meeting within `span`, which is no longer than the time.
        """
        limits = (F(margin), F(time))
        count, fine = int(levels.begin[-1]), int(levels.begin[1])
        cover_grains(X, V, count, *limits, F(fall), self.columns)
        cells = int(levels.shape[0, :3].prod())
        if self._swift.shape[1] < cells:
            self._swift = np.zeros((2, cells + cells // 4), np.float32)
        swiftest_by_cell(V, levels, self._swift)
        widen_covers(V, levels, self._swift, *limits, F(fall), F(reach), self.columns)
        blocks = (fine + BLOCK - 1) // BLOCK
        while True:
            lists = (self.first, self.length, self.other, self.needed)
            find_pairs(X, V, self.columns, levels, *limits, F(span), self.share, *lists, self._met)
            most = int(self.needed[:blocks].max())
            if most <= self.share:
                break
            self.share = -(-int(most * 1.2) // BLOCK) * BLOCK
            self.other = np.zeros(self.blocks * self.share + PARTS * self.coarse_share, np.int32)
        while count > fine:
            lists = (self.first, self.length, self.other, self.needed)
            base = blocks * self.share
            own = (F(reach), base, self.coarse_share)
            find_coarse_pairs(X, V, self.columns, levels, *limits, F(span), *own, *lists, self._met[blocks:])
            most = int(self.needed[:PARTS].max())
            if most <= self.coarse_share:
                break
            self.coarse_share = -(-int(most * 1.2) // BLOCK) * BLOCK
            wider = np.zeros(self.blocks * self.share + PARTS * self.coarse_share, np.int32)
            wider[:base] = self.other[:base]
            self.other = wider
        self.end = blocks * self.share + (PARTS * self.coarse_share if count > fine else 0)
        return float(np.sqrt(self._met[: blocks + (PARTS if count > fine else 0)].max()))
