"""One particle and all its neighbours, eight or two at a time.

The neighbours of a particle lie one after the other (`kernels.Rows`), each with a row of four floats: the gradient of
the particle's fill by its own place, V ∇W, and the weight of friction between the two. Rows have even lengths; the
last entry may be the particle itself, with a gradient of zero.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, Sum, maximum, minimum, select, square_root

INVERSE_H, STEEPNESS, SOFT = range(3)
"""Places among the numbers of `row_terms`: 1/h; V W(0)/h²; 0.01 h²"""
BELLS, GRADIENT, SQUARES, PULL, DRIFT, TERMS = 0, 1, 4, 5, 8, 11
"""Places in what `row_terms` gives."""

Value = Any
FOUR = ir.VectorType(simd.FLOAT, 4)


def _whole(b: Value, vector: Value) -> Value:
    """Sum of the eight lanes, in one order."""
    total = b.extract_element(vector, ir.Constant(simd.INT32, 0))
    for lane in range(1, simd.WIDTH):
        total = b.fadd(total, b.extract_element(vector, ir.Constant(simd.INT32, lane)))
    return total


def _store_rows(b: Value, columns: list[Value], where: Value) -> None:
    """Four columns of eight as eight rows of four."""
    shuffle = lambda a, c, order: b.shuffle_vector(a, c, ir.Constant(simd.INT_VECTOR, order))  # noqa: E731
    low, high = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    x, y, z, t = columns
    pairs = [(shuffle(x, y, o), shuffle(z, t, o)) for o in (low, high)]
    low, high = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    rows = [shuffle(*pair, o) for pair in pairs for o in (low, high)]  # 0|4, 1|5, 2|6, 3|7
    for half, order in ((0, [0, 1, 2, 3, 8, 9, 10, 11]), (64, [4, 5, 6, 7, 12, 13, 14, 15])):
        for k in (0, 1):
            joined = shuffle(rows[2 * k], rows[2 * k + 1], order)
            simd.store(b, joined, simd.offset(b, where, half + 32 * k))


@intrinsic
def row_terms(context, places, velocities, own, entries, chunks, numbers, rows, out):
    """Rows of all entries; out: sums of W/W(0), of ∇W, of w_j |∇W|², of (x_j − x_i) W and of (v_j − v_i) W, over W(0).

    The last is weighted by 2 m_j/(m_i + m_j), so that it changes no sum of momenta.

    own: number of the particle; chunks of eight entries. ∇W is V ∇W here. All arguments are int64; all but own and
    chunks are addresses.
    """
    signature = types.void(*([types.int64] * 8))

    def generate(context, b, signature, arguments):
        places, velocities, own, entries, chunks, numbers, rows, out = arguments
        x = [simd.splat(b, simd.load(b, simd.offset(b, simd.address(b, places, own, 16), 4 * a))) for a in range(3)]
        v = [simd.splat(b, simd.load(b, simd.offset(b, simd.address(b, velocities, own, 16), 4 * a))) for a in range(3)]
        own_w = 2.0 * simd.splat(b, simd.load(b, simd.offset(b, simd.address(b, velocities, own, 16), 12)))
        inverse_h, slope, soft = (simd.parameter(b, numbers, k) for k in range(3))
        sums = [Sum(b) for _ in range(TERMS)]
        with simd.loop(b, chunks) as k:
            others = simd.load_indices(b, simd.address(b, entries, k, 4 * simd.WIDTH))
            y, u = simd.load_short_rows(b, places, others), simd.load_short_rows(b, velocities, others)
            d = [x[a] - y[a] for a in range(3)]
            d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            q = minimum(square_root(d2) * inverse_h, 1.0)
            t = 1.0 - q
            near = q <= 0.5
            bell = select(near, 6.0 * q * q * (q - 1.0) + 1.0, 2.0 * t * t * t)
            g = slope * select(near, 18.0 * q - 12.0, -6.0 * t * t / maximum(q, 0.5))
            along = [g * d[a] for a in range(3)]
            sums[BELLS].add(bell)
            meeting = bell * (own_w / maximum(own_w + u[3], 1e-30))
            for a in range(3):
                sums[GRADIENT + a].add(along[a])
                sums[PULL + a].add(-(bell * d[a]))
                sums[DRIFT + a].add(meeting * (u[a] - v[a]))
            sums[SQUARES].add(u[3] * (along[0] * along[0] + along[1] * along[1] + along[2] * along[2]))
            friction = -(g * d2) / (d2 + soft)
            _store_rows(b, [along[0].v, along[1].v, along[2].v, friction.v], simd.address(b, rows, k, 128))
        for k, column in enumerate(sums):
            simd.store(b, _whole(b, column.total), simd.offset(b, out, 4 * k))
        return context.get_dummy_value()

    return signature, generate


def _entry(b: Value, near: Value, t: Value) -> Value:
    return b.sext(simd.load(b, simd.address(b, near, t, 4), simd.INT32), simd.INT64)


def _both(b: Value, base: Value, first: Value, second: Value) -> Value:
    """Two rows of four floats, side by side."""
    one = simd.load(b, simd.address(b, base, first, 16), FOUR)
    two = simd.load(b, simd.address(b, base, second, 16), FOUR)
    return b.shuffle_vector(one, two, ir.Constant(simd.INT_VECTOR, list(range(8))))


@intrinsic
def row_dot(context, near, gradients, velocities, begin, end):
    """Σ ∇W·v over the entries begin … end; near, gradients and velocities are addresses."""
    signature = types.float32(*([types.int64] * 5))

    def generate(context, b, signature, arguments):
        near, gradients, velocities, begin, end = arguments
        total = Sum(b)
        two = ir.Constant(simd.INT64, 2)
        with cgutils.for_range_slice(b, begin, end, two, intp=simd.INT64) as (t, _):
            other = _entry(b, near, b.add(t, ir.Constant(simd.INT64, 1)))
            v = Lanes(b, _both(b, velocities, _entry(b, near, t), other))
            total.add(Lanes(b, simd.load(b, simd.address(b, gradients, t, 16), simd.VECTOR)) * v)
        lanes = [b.extract_element(total.total, ir.Constant(simd.INT32, k)) for k in (0, 1, 2, 4, 5, 6)]
        result = lanes[0]
        for lane in lanes[1:]:
            result = b.fadd(result, lane)
        return result

    return signature, generate


@intrinsic
def row_add(context, near, gradients, velocities, begin, end, impulse):
    """v_j += impulse · w_j ∇W for the entries begin … end; w_j is the fourth float of row j, and stays."""
    signature = types.void(*([types.int64] * 5), types.float32)

    def generate(context, b, signature, arguments):
        near, gradients, velocities, begin, end, impulse = arguments
        push = ir.Constant(FOUR, [0.0] * 4)
        for k in range(3):
            push = b.insert_element(push, impulse, ir.Constant(simd.INT32, k))
        order = ir.Constant(ir.VectorType(simd.INT32, 4), [3] * 4)
        with cgutils.for_range_slice(b, begin, end, ir.Constant(simd.INT64, 1), intp=simd.INT64) as (t, _):
            where = simd.address(b, velocities, _entry(b, near, t), 16)
            v = simd.load(b, where, FOUR)
            g = simd.load(b, simd.address(b, gradients, t, 16), FOUR)
            give = b.fmul(push, b.shuffle_vector(v, v, order))
            simd.store(b, simd.fused(b, give, g, v), where)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def row_pull(context, near, gradients, values, begin, end, out):
    """out (an address): Σ value_j ∇W, x, y, z, over the entries begin … end."""
    signature = types.void(*([types.int64] * 6))

    def generate(context, b, signature, arguments):
        near, gradients, values, begin, end, out = arguments
        slot = cgutils.alloca_once(b, FOUR)
        b.store(ir.Constant(FOUR, [0.0] * 4), slot)
        order = ir.Constant(ir.VectorType(simd.INT32, 4), [0] * 4)
        with cgutils.for_range_slice(b, begin, end, ir.Constant(simd.INT64, 1), intp=simd.INT64) as (t, _):
            value = simd.load(b, simd.address(b, values, _entry(b, near, t), 4))
            first = b.insert_element(ir.Constant(FOUR, ir.Undefined), value, ir.Constant(simd.INT32, 0))
            g = simd.load(b, simd.address(b, gradients, t, 16), FOUR)
            b.store(simd.fused(b, b.shuffle_vector(first, first, order), g, b.load(slot, typ=FOUR)), slot)
        simd.store(b, b.load(slot, typ=FOUR), out)
        return context.get_dummy_value()

    return signature, generate
