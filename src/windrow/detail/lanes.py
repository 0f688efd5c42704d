"""Sums over coarse particles for eight grains at once; each turn of the loop is one particle for all of them."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, Sum, maximum

INVERSE, MOVES, MARK, INVERSE_RADIUS, SOLID = 3, 4, 7, 8, 9
"""Columns of a row of a coarse particle, after its place: 1/h²; three of velocity; a mark, 0 or 1; 1/radius; radius
of a solid ball that carries no grains, 0: none"""
ROW = 12
"""Columns"""
TOTAL, MOST, MARKED, CARRIED, OFFSET, SPREAD, SUMS = 0, 1, 2, 3, 6, 9, 10
"""Rows of what `sums_of_eight` gives: Σw; max w; max w of marked particles; Σw v; Σs (x − x_j)/r_j and Σs with the
wider weight s = 1 − d²/h², which makes for a smoother surface; how many rows"""


@intrinsic
def sums_of_eight(context, x, y, z, rows, count, out):  # type: ignore[no-untyped-def]
    """(23) and (24) for the eight grains at x, y, z over `count` rows; all arguments but count are addresses."""
    signature = types.void(*([types.int64] * 6))

    def generate(context, b, signature, arguments):  # type: ignore[no-untyped-def]
        *places, rows, count, out = arguments
        own = [Lanes(b, simd.load(b, place, simd.VECTOR)) for place in places]
        sums = [Sum(b) for _ in range(SUMS)]
        with simd.loop(b, count) as k:
            row = simd.address(b, rows, k, 4 * ROW)
            d = [own[a] - simd.parameter(b, row, a) for a in range(3)]
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            t = maximum(1.0 - square * simd.parameter(b, row, INVERSE), 0.0)
            w = Lanes(b, (t * t * t).v)
            sums[TOTAL].add(w)
            sums[MOST].replace(maximum(Lanes(b, sums[MOST].total), w))
            marked = Lanes(b, (w * simd.parameter(b, row, MARK)).v)
            sums[MARKED].replace(maximum(Lanes(b, sums[MARKED].total), marked))
            sums[SPREAD].add(t)
            scaled = Lanes(b, (t * simd.parameter(b, row, INVERSE_RADIUS)).v)
            for a in range(3):
                sums[CARRIED + a].add(w * simd.parameter(b, row, MOVES + a))
                sums[OFFSET + a].add(scaled * d[a])
        for k, column in enumerate(sums):
            simd.store(b, column.total, simd.offset(b, out, 32 * k))
        return context.get_dummy_value()

    return signature, generate
