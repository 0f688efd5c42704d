"""One step of all fine grains; each is alone, so that any number of threads gives the same bits.

Grains lie in the order of cells. A block of them gathers the coarse particles within reach of its box once, then every
eight grains run over what was gathered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.obstacles import borrowed_obstacles
from windrow.detail.contact import TeamScratch, kept_out, near_ones, pushed
from windrow.detail.lanes import (
    CARRIED,
    INVERSE,
    INVERSE_RADIUS,
    MARKED,
    MOST,
    MOVES,
    OFFSET,
    ROW,
    SOLID,
    SPREAD,
    SUMS,
    TOTAL,
    sums_of_eight,
)
from windrow.detail.laws import NO_WEIGHT, blended, freedom, limit_of
from windrow.geometry.bvh import STACK
from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import inner
from windrow.team import deal, parallel_counted

F: Any = np.float32
D: Any = np.float64
BLOCK = 64
"""Grains that look for coarse particles together"""
CHUNK = 16384
"""Grains of a piece of work, a multiple of BLOCK"""
MOST_ROWS = 1024
"""Coarse particles gathered for a block; more of them: smaller blocks"""
MOST_SOLIDS = 64
SIZE_BITS = 7
SIZES = 1 << SIZE_BITS
"""Ranks of size"""
SHADE_BITS = 9
SHADES = 1 << SHADE_BITS
"""Ranks of colour"""
DT, GRAVITY, FRICTION, LARGEST = 0, 1, 4, 5
"""Places among the numbers of a step: s; three of m/s²; friction at walls; radius of the largest grain, m"""
LOST, LEFT, FREE = 0, 1, 2
"""Columns of what `follow` counts: grains without room, those that left with their coarse particle, those not
carried"""


class FineRows(NamedTuple):
    """Fine grains, all arrays (capacity,)."""

    x: F32
    y: F32
    z: F32
    """m; x is not a number: the grain is gone"""
    u: F32
    v: F32
    w: F32
    """m/s"""
    look: NDArray[np.uint32]
    """rank of size in the lowest bits, then rank of colour, then material"""


class Coarse(NamedTuple):
    """Coarse particles in the order of cells."""

    row: F32
    """(m, ROW), see `lanes`"""
    start: I64
    """(cells + 1,) first row of each cell"""
    place: F64
    """(4,) lowest corner of the cells, m, and 1/side of a cell"""
    cells: I64
    """(3,) along each axis"""
    reach: F32
    """(1,) greatest reach of any of them, m"""


@inner
def cell_of(coarse: Coarse, axis: int, x: float) -> int:
    """Number of the cell along an axis, the first or last for what lies beyond."""
    at = (x - coarse.place[axis]) * coarse.place[3]
    return int(min(max(at, 0.0), coarse.cells[axis] - 1.0))


@inner
def gathered(
    coarse: Coarse, low: tuple[float, float, float], high: tuple[float, float, float], rows: F32, solids: I64
) -> tuple[int, int]:
    """Copies the particles within reach of a box; returns how many, and how many solid balls. −1: too many."""
    reach = D(coarse.reach[0])
    i0, i1 = cell_of(coarse, 0, low[0] - reach), cell_of(coarse, 0, high[0] + reach)
    j0, j1 = cell_of(coarse, 1, low[1] - reach), cell_of(coarse, 1, high[1] + reach)
    k0, k1 = cell_of(coarse, 2, low[2] - reach), cell_of(coarse, 2, high[2] + reach)
    row, many, balls = coarse.row, 0, 0
    x0, y0, z0 = F(low[0]), F(low[1]), F(low[2])
    x1, y1, z1 = F(high[0]), F(high[1]), F(high[2])
    for k in range(k0, k1 + 1):
        for j in range(j0, j1 + 1):
            line = (k * coarse.cells[1] + j) * coarse.cells[0]
            for q in range(coarse.start[line + i0], coarse.start[line + i1 + 1]):
                dx = max(x0 - row[q, 0], row[q, 0] - x1, F(0.0))
                dy = max(y0 - row[q, 1], row[q, 1] - y1, F(0.0))
                dz = max(z0 - row[q, 2], row[q, 2] - z1, F(0.0))
                square = dx * dx + dy * dy + dz * dz
                if row[q, SOLID] > F(0.0):
                    # its reach is that of the grid, which is never smaller than a radius and a grain
                    if square < coarse.reach[0] * coarse.reach[0] and balls < MOST_SOLIDS:
                        solids[balls] = q
                        balls += 1
                elif square * row[q, INVERSE] < F(1.0):
                    if many == len(rows):
                        return -1, balls
                    for c in range(ROW):
                        rows[many, c] = row[q, c]
                    many += 1
    return many, balls


@inner
def out_of_balls(
    coarse: Coarse,
    solids: I64,
    balls: int,
    a: tuple[float, float, float],
    b: tuple[float, float, float],
    v: tuple[float, float, float],
    radius: float,
    rub: tuple[float, float],
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """As `kept_out`, for balls such as those of a rope."""
    for k in range(balls):
        q = solids[k]
        moves = (
            D(coarse.row[q, MOVES]),
            D(coarse.row[q, MOVES + 1]),
            D(coarse.row[q, MOVES + 2]),
        )
        dx = b[0] - D(coarse.row[q, 0]) - rub[1] * moves[0]
        dy = b[1] - D(coarse.row[q, 1]) - rub[1] * moves[1]
        dz = b[2] - D(coarse.row[q, 2]) - rub[1] * moves[2]
        far = np.sqrt(dx * dx + dy * dy + dz * dz)
        gap = far - radius - D(coarse.row[q, SOLID])
        if gap < 0.0 and far > 0.0:
            b, v = pushed(gap, (dx / far, dy / far, dz / far), a, b, v, moves, rub)
    return b, v


@parallel_counted
def follow(team, grains, count, coarse, obstacles, sizes, numbers, bounds, counts):  # type: ignore[no-untyped-def]
    """One step. sizes: (SIZES,) radius of each rank, m; bounds: (6,) beyond which grains are gone, m.

    counts: (chunks, 3) LOST, LEFT and FREE.
    """
    walls = borrowed_obstacles(obstacles)
    x, y, z, u, v, w, look = grains
    dt, g0, g1, g2 = numbers[DT], numbers[GRAVITY], numbers[GRAVITY + 1], numbers[GRAVITY + 2]
    rub = (D(numbers[FRICTION]), D(dt))
    largest = D(numbers[LARGEST])
    rows, solids = np.empty((MOST_ROWS, ROW), np.float32), np.empty(MOST_SOLIDS, np.int64)
    sums, own = np.empty((SUMS, 8), np.float32), np.zeros((3, 8), np.float32)
    scratch = TeamScratch(np.empty(len(walls.placed) + 1, np.int32), np.empty((1, 4)), np.empty(STACK, np.int32))
    new = np.empty((6, BLOCK), np.float32)
    mean = np.empty((3, BLOCK), np.float32)
    for chunk in deal(team, (count + CHUNK - 1) // CHUNK):
        lost, left, free = 0, 0, 0
        first, end = chunk * CHUNK, min(count, chunk * CHUNK + CHUNK)
        wide = BLOCK
        while first < end:
            last = min(first + wide, end)
            low, high = (np.inf, np.inf, np.inf), (-np.inf, -np.inf, -np.inf)
            for i in range(first, last):
                if x[i] == x[i]:
                    low = (min(low[0], D(x[i])), min(low[1], D(y[i])), min(low[2], D(z[i])))
                    high = (max(high[0], D(x[i])), max(high[1], D(y[i])), max(high[2], D(z[i])))
            if low[0] > high[0]:
                first = last
                continue
            many, balls = gathered(coarse, low, high, rows, solids)
            if many < 0 and wide > 1:
                wide = 8 if wide > 8 else 1
                continue
            if many < 0:
                many = MOST_ROWS
            after_low, after_high = low, high
            for begin in range(first, last, 8):
                for lane in range(8):
                    i = min(begin + lane, last - 1)
                    own[0, lane], own[1, lane], own[2, lane] = x[i], y[i], z[i]
                sums_of_eight(
                    own.ctypes.data,
                    own.ctypes.data + 32,
                    own.ctypes.data + 64,
                    rows.ctypes.data,
                    many,
                    sums.ctypes.data,
                )
                for lane in range(min(8, last - begin)):
                    i, k = begin + lane, begin + lane - first
                    if x[i] != x[i]:
                        continue
                    total, most = sums[TOTAL, lane], sums[MOST, lane]
                    alpha, inverse = F(1.0), F(0.0)
                    mean[0, k], mean[1, k], mean[2, k] = F(0.0), F(0.0), F(0.0)
                    if total > NO_WEIGHT:
                        inverse = F(1.0) / total
                        spread = F(1.0) / sums[SPREAD, lane]
                        e0, e1 = sums[OFFSET, lane] * spread, sums[OFFSET + 1, lane] * spread
                        e2 = sums[OFFSET + 2, lane] * spread
                        mean[0, k], mean[1, k], mean[2, k] = e0, e1, e2
                        alpha = freedom(total, most, np.sqrt(e0 * e0 + e1 * e1 + e2 * e2), limit_of(look[i]))
                    if sums[MARKED, lane] >= most and most > F(0.0):
                        x[i] = np.nan
                        left += 1
                        continue
                    if alpha > F(0.0):
                        free += 1
                    new[3, k], m0 = blended(alpha, sums[CARRIED, lane] * inverse, u[i], g0, dt)
                    new[4, k], m1 = blended(alpha, sums[CARRIED + 1, lane] * inverse, v[i], g1, dt)
                    new[5, k], m2 = blended(alpha, sums[CARRIED + 2, lane] * inverse, w[i], g2, dt)
                    p0, p1, p2 = x[i] + dt * m0, y[i] + dt * m1, z[i] + dt * m2
                    new[0, k], new[1, k], new[2, k] = p0, p1, p2
                    after_low = (min(after_low[0], D(p0)), min(after_low[1], D(p1)), min(after_low[2], D(p2)))
                    after_high = (max(after_high[0], D(p0)), max(after_high[1], D(p1)), max(after_high[2], D(p2)))
            walled = near_ones(walls, after_low, after_high, largest, scratch)
            for i in range(first, last):
                if x[i] != x[i]:
                    continue
                k = i - first
                if walled > 0 or balls > 0:
                    radius = D(sizes[look[i] & (SIZES - 1)])
                    a = (D(x[i]), D(y[i]), D(z[i]))
                    b = (D(new[0, k]), D(new[1, k]), D(new[2, k]))
                    c = (D(new[3, k]), D(new[4, k]), D(new[5, k]))
                    b, c = out_of_balls(coarse, solids, balls, a, b, c, radius, rub)
                    room = True
                    if walled > 0:
                        b, c, room = kept_out(walls, walled, a, b, c, radius, rub, scratch)
                    if not room and many > 0:
                        # towards the coarse particles around, which have room
                        back = 1.0 / D(rows[0, INVERSE_RADIUS])
                        b = (b[0] - back * mean[0, k], b[1] - back * mean[1, k], b[2] - back * mean[2, k])
                        b, c, room = kept_out(walls, walled, b, b, c, radius, rub, scratch)
                    if not room:
                        x[i] = np.nan
                        lost += 1
                        continue
                    new[0, k], new[1, k], new[2, k] = F(b[0]), F(b[1]), F(b[2])
                    new[3, k], new[4, k], new[5, k] = F(c[0]), F(c[1]), F(c[2])
                inside = (
                    new[0, k] >= bounds[0] and new[1, k] >= bounds[1] and new[2, k] >= bounds[2]
                    and new[0, k] <= bounds[3] and new[1, k] <= bounds[4] and new[2, k] <= bounds[5]
                )  # fmt: skip
                x[i] = new[0, k] if inside else np.nan
                y[i], z[i] = new[1, k], new[2, k]
                u[i], v[i], w[i] = new[3, k], new[4, k], new[5, k]
                if not inside:
                    left += 1
            first = last
            wide = BLOCK
        counts[chunk, LOST] = lost
        counts[chunk, LEFT] = left
        counts[chunk, FREE] = free
