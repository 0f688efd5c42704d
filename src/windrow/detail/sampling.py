"""Where fine grains begin: evenly in the volume of the sand, and in no rows.

The paper throws grains at random around seven points of each coarse particle, which reaches a radius too far and is
uneven. Here each particle fills what is nearest to it and inside the surface of the sand, so that neighbours meet
without gap or overlap. Within a particle places come from a sequence that spreads evenly (additive recurrence of the
plastic number, Roberts 2018), turned, shifted and jittered anew for each, so that no pattern repeats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.collide.obstacles import Obstacles, borrowed_obstacles
from windrow.detail.contact import TeamScratch, gap_to, near_ones
from windrow.detail.kernels import (
    MARKED,
    MOST,
    MOST_ROWS,
    MOST_SOLIDS,
    OFFSET,
    ROW,
    SHADES,
    SIZES,
    SUMS,
    TOTAL,
    gathered,
    sums_of_eight,
)
from windrow.detail.lanes import INVERSE_RADIUS, MARK, MOVES, SOLID, SPREAD
from windrow.detail.laws import NO_WEIGHT, limit_of
from windrow.geometry.bvh import STACK
from windrow.geometry.terms import Point
from windrow.kernel import inner
from windrow.team import deal, parallel_counted

F: Any = np.float32
D: Any = np.float64
U: Any = np.uint64
STEPS = (0.8191725133961645, 0.6710436067037893, 0.5497004779019703)
"""1/φ, 1/φ², 1/φ³ with φ⁴ = φ + 1"""
WIDEST = 1.6
"""Half side of the cube around a particle in which places are tried, over its radius"""
JITTER = 0.5
"""Share of the distance between grains by which each is moved at random"""
TRIES = 40
"""Places tried for each grain wanted"""


@inner
def mixed(x):  # type: ignore[no-untyped-def]
    """64 bits that look random (splitmix64)."""
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@inner
def chance(key, number):  # type: ignore[no-untyped-def]
    """A number in [0, 1) that follows from a key and a number."""
    return D(mixed(key + U(0x9E3779B97F4A7C15) * (U(number) + U(1))) >> U(40)) / 16777216.0


@inner
def tried(key: int, number: int, each: float) -> Point:
    """The number-th place to try, in the unit cube around 0, −1…1."""
    turn = int(chance(key, 3) * 6.0)
    a, b, c = (0, 1, 2) if turn == 0 else (1, 2, 0) if turn == 1 else (2, 0, 1)
    if turn > 2:
        a, b, c = (0, 2, 1) if turn == 3 else (2, 1, 0) if turn == 4 else (1, 0, 2)
    along = [0.0, 0.0, 0.0]
    for axis, by in ((0, a), (1, b), (2, c)):
        s = chance(key, axis) + (number + 1) * STEPS[by]
        s += JITTER * each * (chance(key, 16 + 3 * number + axis) - 0.5)
        along[axis] = 2.0 * (s - np.floor(s)) - 1.0
    return along[0], along[1], along[2]


@inner
def fits(walls: Obstacles, near: int, p: Point, radius: float, scratch: TeamScratch) -> bool:
    """Whether a grain at rest has room at a place."""
    for k in range(near):
        gap, _ = gap_to(walls, scratch.near[k], p, p, radius, scratch)
        if gap < 0.0:
            return False
    return True


@parallel_counted
def sample(team, grains, coarse, chosen, first, keys, kind, obstacles, sizes, largest):  # type: ignore[no-untyped-def]
    """Places the grains of coarse particles.

    chosen: (c,) their rows; first: (c + 1,) where the grains of each begin; keys: (c,) random bits of each, uint64;
    kind: (c,) material; sizes: (SIZES,) radius of each rank, m; largest: of them. Grains that find no place are gone.
    """
    walls = borrowed_obstacles(obstacles)
    x, y, z, u, v, w, look = grains
    rows, solids = np.empty((MOST_ROWS, ROW), np.float32), np.empty(MOST_SOLIDS, np.int64)
    sums, own = np.empty((SUMS, 8), np.float32), np.zeros((3, 8), np.float32)
    scratch = TeamScratch(np.empty(len(walls.placed) + 1, np.int32), np.empty((1, 4)), np.empty(STACK, np.int32))
    for c in deal(team, len(chosen)):
        q, key, wanted = chosen[c], keys[c], first[c + 1] - first[c]
        if wanted == 0:
            continue
        x0, y0, z0 = coarse.row[q, 0], coarse.row[q, 1], coarse.row[q, 2]
        span = WIDEST / D(coarse.row[q, INVERSE_RADIUS])
        low, high = (D(x0) - span, D(y0) - span, D(z0) - span), (D(x0) + span, D(y0) + span, D(z0) + span)
        many, balls = gathered(coarse, low, high, rows, solids)
        if many < 0:
            many = MOST_ROWS
        for k in range(many):
            same = rows[k, 0] == x0 and rows[k, 1] == y0 and rows[k, 2] == z0
            rows[k, MARK] = F(1.0) if same else F(0.0)
        near = near_ones(walls, low, high, D(largest), scratch)
        # distance between grains, in units of the cube that is tried
        each = 1.0
        while each * each * each * wanted * WIDEST * WIDEST * WIDEST > 1.0:
            each *= 0.98
        found, number = 0, 0
        while found < wanted and number < TRIES * wanted + 64:
            for lane in range(8):
                p = tried(key, number + lane, each)
                own[0, lane], own[1, lane], own[2, lane] = (
                    x0 + F(span * p[0]),
                    y0 + F(span * p[1]),
                    z0 + F(span * p[2]),
                )
            sums_of_eight(
                own.ctypes.data,
                own.ctypes.data + 32,
                own.ctypes.data + 64,
                rows.ctypes.data,
                many,
                sums.ctypes.data,
            )
            for lane in range(8):
                total = sums[TOTAL, lane]
                if found == wanted or total <= NO_WEIGHT or sums[MARKED, lane] < sums[MOST, lane]:
                    continue
                i = first[c] + found
                rank = mixed(key ^ mixed(U(number + lane) + U(77)))
                look[i] = np.uint32(rank & U(SIZES * SHADES - 1)) | np.uint32(kind[c]) << np.uint32(16)
                limit = limit_of(look[i])
                spread = sums[SPREAD, lane]
                e0, e1, e2 = (
                    sums[OFFSET, lane] / spread,
                    sums[OFFSET + 1, lane] / spread,
                    sums[OFFSET + 2, lane] / spread,
                )
                if e0 * e0 + e1 * e1 + e2 * e2 > limit * limit:
                    continue
                p = (D(own[0, lane]), D(own[1, lane]), D(own[2, lane]))
                if not fits(walls, near, p, D(sizes[look[i] & (SIZES - 1)]), scratch):
                    continue
                inside_ball = False
                for k in range(balls):
                    d0 = own[0, lane] - coarse.row[solids[k], 0]
                    d1 = own[1, lane] - coarse.row[solids[k], 1]
                    d2 = own[2, lane] - coarse.row[solids[k], 2]
                    far = coarse.row[solids[k], SOLID]
                    inside_ball = inside_ball or d0 * d0 + d1 * d1 + d2 * d2 < far * far
                if inside_ball:
                    continue
                x[i], y[i], z[i] = own[0, lane], own[1, lane], own[2, lane]
                u[i], v[i], w[i] = coarse.row[q, MOVES], coarse.row[q, MOVES + 1], coarse.row[q, MOVES + 2]
                found += 1
            number += 8
        for i in range(first[c] + found, first[c + 1]):
            x[i] = np.nan
            y[i], z[i], u[i], v[i], w[i] = F(0.0), F(0.0), F(0.0), F(0.0), F(0.0)
            look[i] = np.uint32(0)
