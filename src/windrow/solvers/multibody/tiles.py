"""What a factorisation does most, four numbers at once; the plain form of each is in its docstring.

Numba leaves straight code of doubles as it is, one instruction per number. These emit vector instructions of LLVM IR.
`values` and `others` are addresses of arrays (lines, 4) of doubles.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from windrow.simd import INT64, fused, load, loop, store

LANES = 4
DOUBLE = ir.DoubleType()
FOUR = ir.VectorType(DOUBLE, LANES)
LINE = 8 * LANES
"""bytes"""


def _at(b: Any, base: Any, line: Any, size: int = LINE) -> Any:
    return b.add(base, b.mul(line, ir.Constant(INT64, size)))


def _spread(b: Any, scalar: Any) -> Any:
    """The same number four times."""
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    one = b.insert_element(ir.Constant(FOUR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    return b.shuffle_vector(one, one, zeros)


@intrinsic
def take_line(context, values, line, factor, others, other):
    """values[line] -= factor · others[other]"""
    signature = types.void(types.int64, types.int64, types.float64, types.int64, types.int64)

    def generate(context, b, signature, arguments):
        values, line, factor, others, other = arguments
        here = _at(b, values, line)
        taken = b.fneg(_spread(b, factor))
        store(b, fused(b, taken, load(b, _at(b, others, other), FOUR, 8), load(b, here, FOUR, 8)), here, 8)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def scale_line(context, values, line, factor):
    """values[line] *= factor"""
    signature = types.void(types.int64, types.int64, types.float64)

    def generate(context, b, signature, arguments):
        values, line, factor = arguments
        here = _at(b, values, line)
        store(b, b.fmul(_spread(b, factor), load(b, here, FOUR, 8)), here, 8)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def take_tile(context, values, diagonal, first, lines, count, p, q, target):
    """values.flat[target[4 i + j]] -= Σ_k d_k a_k[p, i] a_k[q, j], with a_k = values[first + k · lines :]

    over k < count; `diagonal` and `target` are addresses too.
    """
    signature = types.void(*([types.int64] * 8))

    def generate(context, b, signature, arguments):
        values, diagonal, first, lines, count, p, q, target = arguments
        sums = [cgutils.alloca_once(b, FOUR) for _ in range(LANES)]
        for each in sums:
            b.store(ir.Constant(FOUR, [0.0] * LANES), each)
        with loop(b, count) as k:
            here = b.add(first, b.mul(k, lines))
            left, right = _at(b, values, b.add(here, p)), load(b, _at(b, values, b.add(here, q)), FOUR, 8)
            right = b.fmul(right, _spread(b, load(b, _at(b, diagonal, k, 8), DOUBLE, 8)))
            for i, each in enumerate(sums):
                x = _spread(b, load(b, b.add(left, ir.Constant(INT64, 8 * i)), DOUBLE, 8))
                b.store(fused(b, x, right, b.load(each, typ=FOUR)), each)
        for i, each in enumerate(sums):
            total = b.load(each, typ=FOUR)
            for j in range(LANES):
                place = load(b, b.add(target, ir.Constant(INT64, 8 * (LANES * i + j))), INT64, 8)
                here = _at(b, values, place, 8)
                part = b.extract_element(total, ir.Constant(ir.IntType(32), j))
                store(b, b.fsub(load(b, here, DOUBLE, 8), part), here, 8)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def add_products(context, values, target, left, right, stride):
    """values.flat[target[j]] += Σ_k left[k] right[k · stride + j], over six k; all but `stride` are addresses"""
    signature = types.void(*([types.int64] * 5))

    def generate(context, b, signature, arguments):
        values, target, left, right, stride = arguments
        total = ir.Constant(FOUR, [0.0] * LANES)
        for k in range(6):
            x = _spread(b, load(b, b.add(left, ir.Constant(INT64, 8 * k)), DOUBLE, 8))
            y = load(b, _at(b, right, b.mul(stride, ir.Constant(INT64, k)), 8), FOUR, 8)
            total = fused(b, x, y, total)
        for j in range(LANES):
            place = load(b, b.add(target, ir.Constant(INT64, 8 * j)), INT64, 8)
            here = _at(b, values, place, 8)
            part = b.extract_element(total, ir.Constant(ir.IntType(32), j))
            store(b, b.fadd(load(b, here, DOUBLE, 8), part), here, 8)
        return context.get_dummy_value()

    return signature, generate
