"""Candidates of a neighbour search, gathered from the cells around one grain and tested eight at a time.

Full lists (`neighbours.py`) and half lists (`pairs.py`) gather alike: what they know of a grain are columns of floats,
which are copied to a pool of as many columns of ROOM, with the grains' numbers behind them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd

CANDIDATES = 248
"""Candidates gathered at a time; 27 cells of a dense packing hold about 40."""
ROOM = CANDIDATES + 8


def copier(columns: int) -> Any:
    """Copies grains j … j+7 of so many columns to `place` of the pool, and numbers them number, number + step, …"""

    @intrinsic
    def copy8(context, base, stride, j, pool, place, number, step):
        signature = types.void(*([types.int64] * 7))

        def generate(context, b, signature, arguments):
            base, stride, j, pool, place, number, step = arguments
            target = simd.address(b, pool, place, 4)
            for column, lanes in enumerate(eight_of(b, base, stride, j, columns)):
                simd.store(b, lanes.v, simd.offset(b, target, 4 * ROOM * column))
            lanes = ir.Constant(simd.INT_VECTOR, list(range(simd.WIDTH)))
            numbers = b.add(simd.splat_integer(b, number), b.mul(simd.splat_integer(b, step), lanes))
            simd.store(b, numbers, simd.offset(b, target, 4 * ROOM * columns))
            return context.get_dummy_value()

        return signature, generate

    return copy8


def eight_of(b: Any, base: Any, stride: Any, first: Any, columns: int) -> list[simd.Lanes]:
    """Grains first … first + 7, column by column."""
    where, width = simd.address(b, base, first, 4), b.mul(stride, ir.Constant(simd.INT64, 4))
    found = []
    for _ in range(columns):
        found.append(simd.Lanes(b, simd.load(b, where, simd.VECTOR)))
        where = b.add(where, width)
    return found


def bits_of(b: Any, mask: Any) -> Any:
    """A mask of eight lanes as an integer: bit k is lane k."""
    return b.zext(b.bitcast(mask, ir.IntType(8)), simd.INT64)


@intrinsic
def lowest_bit(context, bits):
    """Position of the lowest set bit of a non-zero int64."""

    def generate(context, b, signature, arguments):
        return b.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate
