"""How grains move in a substep of NDEM: velocities before the sweeps, positions after them.

Both are a few operations on rows of four floats, of which the last is not to be changed. Done number by number they
take three and a half times as long; here a vector is two rows, {x, y, z, r, x, y, z, r} or {v_x, v_y, v_z, w, …}. The
plain form does what is left over at the end, and a test compares the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.collide.paths import off_path
from windrow.kernel import BLOCK, device, kernel
from windrow.simd import Lanes, maximum, minimum, positive, select
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)
ROWS = 2 * 16
"""Bytes of two rows."""
ROWS_AT_ONCE = 8


def _two_rows(b: Any, base: Any, first: Any, pair: int) -> tuple[Lanes, Any]:
    """Rows first + 2 pair and the one after it, and where they are."""
    where = simd.offset(b, simd.address(b, base, first, 16), ROWS * pair)
    return Lanes(b, simd.load(b, where, simd.VECTOR)), where


def _moved(lanes: Lanes, order: list[int]) -> Lanes:
    """Lanes of each row in another order."""
    both = ir.Constant(simd.INT_VECTOR, order + [4 + k for k in order])
    return Lanes(lanes.b, lanes.b.shuffle_vector(lanes.v, lanes.v, both))


def _last(lanes: Lanes) -> Lanes:
    """The last of each row's lanes in all of them."""
    return _moved(lanes, [3, 3, 3, 3])


def _first_three() -> Any:
    """Mask of the lanes that are a vector in space."""
    return ir.Constant(ir.VectorType(ir.IntType(1), simd.WIDTH), [1, 1, 1, 0] * 2)


def _in_space(b: Any, components: list[Any]) -> Lanes:
    """A vector in space for both rows, with 0 as the last lane."""
    both = ir.Constant(simd.VECTOR, [0.0] * simd.WIDTH)
    for k, component in enumerate(components):
        for row in (0, 4):
            both = b.insert_element(both, component, ir.Constant(simd.INT32, row + k))
    return Lanes(b, both)


def _sum_of_three(lanes: Lanes) -> Lanes:
    """(x + y) + z of each row, in all of its lanes."""
    three = select(_first_three(), lanes, 0.0)
    pairs = three + _moved(three, [1, 0, 3, 2])
    return pairs + _moved(pairs, [2, 3, 0, 1])


@device
def start_one(U, U0, i, h, gravity, recalled):
    """v + h g and the warm start of grain i; see `start_substep`."""
    fall = h if U[i, 3] > ZERO else ZERO
    for a in range(3):
        guess = U0[i, a] if recalled else U[i, a] - U0[i, a] - fall * gravity[a]
        U0[i, a] = U[i, a]
        U[i, a] += fall * gravity[a] + guess


@intrinsic
def start_eight(context, velocities, begun, first, h, g0, g1, g2, recalled):
    """`start_one` of eight grains in a row. velocities, begun: addresses of U and U0."""
    float32 = types.float32
    signature = types.void(
        types.int64, types.int64, types.int64, float32, float32, float32, float32, types.boolean
    )

    def generate(context, b, signature, arguments):
        velocities, begun, first, h, *gravity, recalled = arguments
        weight = simd.splat(b, h) * _in_space(b, gravity)
        recalled = b.icmp_unsigned("!=", recalled, ir.Constant(recalled.type, 0))
        for pair in range(ROWS_AT_ONCE // 2):
            u, u_at = _two_rows(b, velocities, first, pair)
            u0, u0_at = _two_rows(b, begun, first, pair)
            fall = select(positive(_last(u)), weight, 0.0)
            guess = Lanes(b, b.select(recalled, u0.v, (u - u0 - fall).v))
            simd.store(b, select(_first_three(), u, u0).v, u0_at)
            simd.store(b, select(_first_three(), u + (fall + guess), u).v, u_at)
        return context.get_dummy_value()

    return signature, generate


@device
def move_one(X, U, home, way, i, h):
    """x + h v of grain i; above 0 if it has left its path: the square of its distance beyond that of the cover."""
    X[i, 0] += h * U[i, 0]
    X[i, 1] += h * U[i, 1]
    X[i, 2] += h * U[i, 2]
    return off_path(X, home, way, i) - home[i, 3] * home[i, 3]


@intrinsic
def move_eight(context, positions, velocities, homes, ways, first, h):
    """`move_one` of eight grains in a row, of which it returns the greatest. Addresses of X, U, home and way."""
    signature = types.float32(*([types.int64] * 5), types.float32)

    def generate(context, b, signature, arguments):
        positions, velocities, homes, ways, first, h = arguments
        step = _in_space(b, [h] * 3)
        most = None
        for pair in range(ROWS_AT_ONCE // 2):
            x, x_at = _two_rows(b, positions, first, pair)
            u, _ = _two_rows(b, velocities, first, pair)
            home, _ = _two_rows(b, homes, first, pair)
            way, _ = _two_rows(b, ways, first, pair)
            x = select(_first_three(), x + step * u, x)
            simd.store(b, x.v, x_at)
            d = x - home
            # `paths.off_segment`
            along = minimum(maximum(_sum_of_three(d * way), 0.0), _last(way))
            d = d - along * way
            beyond = _sum_of_three(d * d) - _last(home * home)
            most = beyond if most is None else maximum(most, beyond)
        one, other = (b.extract_element(most.v, ir.Constant(simd.INT32, lane)) for lane in (0, 4))
        return b.select(b.fcmp_ordered("<", one, other), other, one)

    return signature, generate


@parallel
def start_substep(team, U, U0, count, awake, h, gravity, recalled):
    """v + h g, and the impulses of the substep before as a first guess; `recalled`: U0 holds their sum.

    awake[b]: whether anything in block b can move; where nothing can, both velocities are zero and stay so.
    """
    U_at, U0_at = U.ctypes.data, U0.ctypes.data
    g0, g1, g2 = gravity[0], gravity[1], gravity[2]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        begin = b * BLOCK
        end = min(count, begin + BLOCK) if awake[b] else begin
        rest = end - (end - begin) % ROWS_AT_ONCE
        for i in range(begin, rest, ROWS_AT_ONCE):
            start_eight(U_at, U0_at, i, h, g0, g1, g2, recalled)
        for i in range(rest, end):
            start_one(U, U0, i, h, gravity, recalled)


@parallel
def move(team, X, U, home, way, count, awake, h, partial):
    """x + h v. partial[b, 0]: above 0 if a grain of block b has left its path. awake: as at the start."""
    X_at, U_at, home_at, way_at = X.ctypes.data, U.ctypes.data, home.ctypes.data, way.ctypes.data
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        left = ZERO
        begin = b * BLOCK
        end = min(count, begin + BLOCK) if awake[b] else begin
        rest = end - (end - begin) % ROWS_AT_ONCE
        for i in range(begin, rest, ROWS_AT_ONCE):
            left = max(left, move_eight(X_at, U_at, home_at, way_at, i, h))
        for i in range(rest, end):
            left = max(left, move_one(X, U, home, way, i, h))
        partial[b, 0] = left


@kernel
def move_back(X, U, count, h):
    for i in range(count):
        X[i, 0] -= h * U[i, 0]
        X[i, 1] -= h * U[i, 1]
        X[i, 2] -= h * U[i, 2]
