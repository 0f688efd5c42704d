"""Half lists of pairs that may touch before the next search: each pair once, whoever moves how fast.

A pair is listed unless the grains' paths (`paths.py`) keep apart. It is listed when its gap is smaller than both skins
and what either travel takes its grain towards the other, along the line between them. Each may be stopped at once and
the other go on: of two grains that fall one above the other, the upper one runs into the lower one when that one lands.
So no pair is missed as long as grains stay in their skins.

Grains come sorted by grid levels (`levels.py`), and each pair is found by the grain of the coarser level, among its
own level and all finer ones: by the half of its own grid's cells around it, and by those cells of finer grids that it
reaches. Cells along z are neighbours in memory, so that a boulder reads the grains around it column by column and the
empty cells inside it cost nothing.

Entries: other[first[i] … first[i] + length[i]]. An entry j ≥ 0 lies, by the cells of i's level, in i's column or in one
next to it. An entry −1 − j is a grain j across the seam of the torus.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from windrow import simd
from windrow.collide.gather import CANDIDATES, ROOM, bits_of, copier, eight_of, lowest_bit
from windrow.collide.grid import cell_along, cells_within
from windrow.collide.levels import Levels
from windrow.collide.paths import (
    Cutoff,
    direction_and_length,
    lay_paths,
    velocities_by_cell,
    widen_skins,
)
from windrow.geometry.terms import F32, I32, I64
from windrow.kernel import BLOCK, device
from windrow.state.room import room
from windrow.team import deal, parallel, parallel_counted

F = np.float32
ZERO = F(0.0)

COLUMNS = 8
"""x, y, z, r, travel along x, y, z, skin of each grain, as columns; all in m."""
PARTS = 64
"""Parts that the coarse levels' grains are dealt out to, like cards: large and small ones to each."""
BLUR = F(0.5)
"""How far beyond its cells, in cells, a column may reach through rounding errors far from the grid's origin."""


_copy8 = copier(COLUMNS)


def _near(b, columns, stride, first, numbers):
    """Mask of the candidates first … first + 7 of the columns that belong in the list of a grain with the eight
    `numbers` {x, y, z, r, travel, skin} at an address. Also square and root of their distances, the sum and the smaller
    of the two radii, and what both travels together close of the gap, times the distance."""
    x, y, z, r, lx, ly, lz, skin = (simd.parameter(b, numbers, k) for k in range(COLUMNS))
    cx, cy, cz, cr, mx, my, mz, cc = eight_of(b, columns, stride, first, COLUMNS)
    dx, dy, dz, touching = x - cx, y - cy, z - cz, r + cr
    square = dx * dx + dy * dy + dz * dz
    distance = simd.square_root(square)
    # all times the distance
    theirs, mine = dx * mx + dy * my + dz * mz, dx * lx + dy * ly + dz * lz
    towards = simd.maximum(theirs, 0.0) - simd.minimum(mine, 0.0)
    near = square - (touching + skin + cc) * distance < towards
    return near, square, distance, touching, simd.minimum(r, cr), theirs - mine


@intrinsic
def _near8(context, columns, stride, first, numbers):
    """Bit k says that the pair of a grain and candidate first + k of the columns belongs in the list."""
    signature = types.int64(*([types.int64] * 4))

    def generate(context, b, signature, arguments):
        columns, stride, first, numbers = arguments
        near, *_ = _near(b, columns, stride, first, numbers)
        return bits_of(b, near)

    return signature, generate


@intrinsic
def _append8(context, pool, first, many, i, begin, where, scratch, part):
    """Writes the entries of those of the pool's candidates first … first + 7 (`many` of them, if fewer) that belong in
    the list of grain i to address `where`; returns how many. Of the own cell, which begins with grain `begin`, only
    what comes after i. At address `scratch` are the grain's numbers and eight squares of `meeting_rate`, which grow to
    those of the pairs that meet within this part of their travels."""
    signature = types.int64(*([types.int64] * 7), types.float32)

    def generate(context, b, signature, arguments):
        pool, first, many, i, begin, where, scratch, part = arguments
        near, square, distance, touching, r_min, closing = _near(
            b, pool, ir.Constant(simd.INT64, ROOM), first, scratch
        )
        swift = simd.offset(b, scratch, 4 * COLUMNS)
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
        size = square * r_min * r_min
        swifter = b.and_(chosen, known * size < closing * simd.maximum(closing, 0.0))
        with b.if_then(simd.any_of(b, swifter), likely=False):
            meets = (distance - touching) * distance < simd.splat(b, part) * closing
            rate = closing * closing / simd.maximum(size, 1e-36)
            simd.store(b, simd.select(b.and_(swifter, meets), rate, known).v, swift)
        return simd.store_some(b, entry, chosen, where)

    return signature, generate


@device
def meeting_rate(closing, distance, touching, r_min, part):
    """Closing speed over the smaller radius (1/s) of a pair that meets within a part of the time (s), or 0.

    closing: speed times distance, m²/s; distance, and the sum of the radii that is `touching`, in m. With travels (m)
    in place of velocities the rate is one over the time of the travels, and `part` a part of that.
    """
    if closing > ZERO and closing * part > (distance - touching) * distance:
        return closing / (max(distance, F(1e-12)) * r_min)
    return ZERO


@device
def _rate_of_pair(columns, i, j, part):
    """`meeting_rate` of two grains by their travels."""
    square = closing = ZERO
    for a in range(3):
        d = columns[a, i] - columns[a, j]
        square += d * d
        closing += d * (columns[4 + a, j] - columns[4 + a, i])
    r_min = min(columns[3, i], columns[3, j])
    return meeting_rate(closing, np.sqrt(square), columns[3, i] + columns[3, j], r_min, part)


@device
def _take_numbers(columns, i, scratch):
    """The numbers of grain i to the first places of the scratch."""
    for k in range(COLUMNS):
        scratch[k] = columns[k, i]


@device
def _append_near(pool, pool_at, candidates, i, begin, V, columns, part, other, end, limit, scratch):
    """Appends the pool's partners of grain i at `end` of its list; returns where that ends now. `begin`: first grain of
    i's own cell; part and scratch: see `_append8`."""
    other_at, scratch_at = other.ctypes.data, scratch.ctypes.data
    if V[i, 3] > ZERO and end + candidates <= limit:
        for k in range(0, candidates, 8):
            end += _append8(pool_at, k, candidates - k, i, begin, other_at + 4 * end, scratch_at, part)
        return end
    # little room is left, or the grain cannot move
    for k in range(0, candidates, 8):
        bits = _near8(pool_at, ROOM, k, scratch_at)
        if candidates - k < 8:
            bits &= (1 << (candidates - k)) - 1
        while bits != 0:
            entry = np.int64(pool[COLUMNS * ROOM + k + lowest_bit(bits)])
            bits &= bits - 1
            j = entry if entry >= 0 else -1 - entry
            # of the own cell only what comes later; two grains that cannot move have nothing to solve
            if (j > i or j < begin) and (V[i, 3] > ZERO or V[j, 3] > ZERO):
                if end < limit:
                    other[end] = entry
                end += 1
                rate = _rate_of_pair(columns, i, j, part)
                scratch[COLUMNS] = max(scratch[COLUMNS], rate * rate)
    return end


@parallel_counted
def find_pairs(team, X, V, columns, levels, part, share, lists, needed, met):
    """Lists of the finest level's grains among themselves. X: x, y, z, r; V: v_x, v_y, v_z, w; part: see `_append8`.

    `share` is what a block owns of the entries; needed[b] is what it would have needed (over `share`: lists are cut).
    met[b]: square of the greatest `meeting_rate`.
    """
    stride = columns.shape[1]
    columns_at = columns.ctypes.data
    first, length, other = lists.first, lists.length, lists.other
    frame, shape, start = levels.frame, levels.shape, levels.start
    count, gx, gy, gz, inverse_cell = levels.begin[1], shape[0, 0], shape[0, 1], shape[0, 2], frame[0, 3]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        base = b * share
        limit = base + share
        pool = np.empty((COLUMNS + 1) * ROOM, np.int32)
        scratch = np.zeros(COLUMNS + simd.WIDTH, np.float32)
        pool_at = pool.ctypes.data
        candidates = 0
        gathered = -1
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            first[i] = base
            ix = cell_along(X[i, 0], frame[0, 0], inverse_cell, gx)
            iy = cell_along(X[i, 1], frame[0, 1], inverse_cell, gy)
            iz = cell_along(X[i, 2], frame[0, 2], inverse_cell, gz)
            cell = (ix * gy + iy) * gz + iz
            begin = start[cell]
            _take_numbers(columns, i, scratch)
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
                    for run in range(2 if closing >= 0 else 1):
                        j = np.int64(start[row + (closing if run else c0)])
                        j1 = np.int64(start[row + (closing if run else c1) + 1])
                        while j < j1:
                            if candidates > CANDIDATES - 8:
                                # more than the pool holds: test what is there, and share nothing
                                base = _append_near(
                                    pool, pool_at, candidates, i, begin, V, columns, part, other, base, limit, scratch
                                )
                                candidates = 0
                                gathered = -1
                            number, step = (-1 - j, -1) if seam else (j, 1)
                            _copy8(columns_at, stride, j, pool_at, candidates, number, step)
                            candidates += min(int(j1 - j), 8)
                            j += 8
            base = _append_near(pool, pool_at, candidates, i, begin, V, columns, part, other, base, limit, scratch)
            length[i] = base - first[i]
        needed[b] = base - b * share
        met[b] = scratch[COLUMNS:].max()


@device
def _beyond(x, low, inverse_cell, index):
    """Distance along one axis from x to a cell, m; 0 inside."""
    place = (x - low) * inverse_cell - F(index)
    return max(max(-place, place - F(1.0)) - BLUR, ZERO) / inverse_cell


@device
def _append_run(columns, j, j1, grain, V, part, levels, other, place, limit, met, scratch_at):
    """Appends the partners of a grain from one stretch of grains; returns the end of the list.

    grain: its number, the first one of its cell, its level, and its cell along x and y; met: square of the greatest
    `meeting_rate`.
    """
    i, begin, l, ix, iy = grain
    frame, shape = levels.frame, levels.shape
    while j < j1:
        bits = _near8(columns.ctypes.data, columns.shape[1], j, scratch_at)
        if j1 - j < 8:
            bits &= (1 << (j1 - j)) - 1
        while bits != 0:
            k = j + lowest_bit(bits)
            bits &= bits - 1
            # of the own cell only what comes later; two grains that cannot move have nothing to solve
            if (k > i or k < begin) and (V[i, 3] > ZERO or V[k, 3] > ZERO):
                if place < limit:
                    jx = cell_along(columns[0, k], frame[l, 0], frame[l, 3], shape[l, 0])
                    jy = cell_along(columns[1, k], frame[l, 1], frame[l, 3], shape[l, 1])
                    other[place] = k if abs(jx - ix) <= 1 and abs(jy - iy) <= 1 else -1 - k
                place += 1
                rate = _rate_of_pair(columns, i, k, part)
                met[0] = max(met[0], rate * rate)
        j += 8
    return place


@parallel
def find_coarse_pairs(team, V, columns, levels, part, cutoff, base, share, lists, needed, met, scratch):
    """Lists of the grains above the finest level, in the entries from `base` on; see `find_pairs`. cutoff: `far` of
    `Cutoff`, m. scratch: a row for each part of the grains."""
    frame, shape, begins, start = levels.frame, levels.shape, levels.begin, levels.start
    first, length, other = lists.first, lists.length, lists.other
    count = begins[len(begins) - 1]
    for group in deal(team, PARTS):
        at = base + group * share
        limit = at + share
        met[group] = ZERO
        scratch_at = scratch.ctypes.data + 4 * COLUMNS * group
        l = 1
        for i in range(begins[1] + group, count, PARTS):
            while i >= begins[l + 1]:
                l += 1
            x, y, z = columns[0, i], columns[1, i], columns[2, i]
            _take_numbers(columns, i, scratch[group])
            _, _, _, travel = direction_and_length(columns[4, i], columns[5, i], columns[6, i])
            ix = np.int64(cell_along(x, frame[l, 0], frame[l, 3], shape[l, 0]))
            iy = np.int64(cell_along(y, frame[l, 1], frame[l, 3], shape[l, 1]))
            iz = np.int64(cell_along(z, frame[l, 2], frame[l, 3], shape[l, 2]))
            own = np.int64(start[shape[l, 3] + (ix * shape[l, 1] + iy) * shape[l, 2] + iz])
            first[i] = at
            for m in range(l + 1):
                gx, gy, gz, cells, scale = shape[m, 0], shape[m, 1], shape[m, 2], shape[m, 3], frame[m, 3]
                # the other grain's travel and skin are at most the cutoff, but for what its size has of it
                far = columns[3, i] + columns[7, i] + travel + frame[m, 4] + cutoff
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
                                columns, j, j1, (i, own, l, ix, iy), V, part, levels, other, at, limit, met[group:],
                                scratch_at,
                            )  # fmt: skip
                    jx = jx + 1 if jx + 1 < gx else np.int64(0)
            length[i] = at - first[i]
        needed[group] = at - (base + group * share)


class HalfLists(NamedTuple):
    """Partners of grain i: other[first[i] … first[i] + length[i]]."""

    first: I64
    length: I32
    other: I32


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
        self._box = np.zeros((2, 0, 6), np.float32)
        self._scratch = np.zeros((PARTS, COLUMNS), np.float32)
        self.end = 0
        """Where the lists' part of `other` ends."""

    @property
    def half(self) -> HalfLists:
        return HalfLists(self.first, self.length, self.other)

    def search(self, X: F32, V: F32, levels: Levels, cutoff: Cutoff) -> float:
        """Lists all pairs of grains sorted by `levels`, which were made for the same cutoff.

        Returns the greatest closing speed over the smaller radius (1/s) of a meeting within the cutoff's span.
        """
        horizon, deflection = cutoff.horizon, F(cutoff.deflection)
        count, fine = int(levels.begin[-1]), int(levels.begin[1])
        lay_paths(X, V, count, horizon, deflection, self.columns)
        cells = int(levels.shape[0, :3].prod())
        if self._box.shape[1] < cells:
            self._box = np.zeros((2, cells + cells // 4, 6), np.float32)
        velocities_by_cell(V, levels, self._box)
        widen_skins(V, levels, self._box, horizon, deflection, self.columns)
        part = F(cutoff.span / cutoff.time)
        blocks = (fine + BLOCK - 1) // BLOCK
        while True:
            find_pairs(X, V, self.columns, levels, part, self.share, self.half, self.needed, self._met)
            most = int(self.needed[:blocks].max())
            if most <= self.share:
                break
            self.share = -(-int(most * 1.2) // BLOCK) * BLOCK
            self.other = np.zeros(self.blocks * self.share + PARTS * self.coarse_share, np.int32)
        while count > fine:
            base = blocks * self.share
            find_coarse_pairs(
                V, self.columns, levels, part, F(cutoff.far), base, self.coarse_share, self.half, self.needed,
                self._met[blocks:], self._scratch,
            )  # fmt: skip
            most = int(self.needed[:PARTS].max())
            if most <= self.coarse_share:
                break
            self.coarse_share = -(-int(most * 1.2) // BLOCK) * BLOCK
            wider = np.zeros(self.blocks * self.share + PARTS * self.coarse_share, np.int32)
            wider[:base] = self.other[:base]
            self.other = wider
        self.end = blocks * self.share + (PARTS * self.coarse_share if count > fine else 0)
        return float(np.sqrt(self._met[: blocks + (PARTS if count > fine else 0)].max())) / cutoff.time
