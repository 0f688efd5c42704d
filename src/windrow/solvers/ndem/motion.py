"""Grains: taken from the state, moved in substeps, predicted, sorted, and written back.

In a substep, velocities change before the sweeps and positions after them. Both are a few operations on rows of four
floats, of which the last is not to be changed. Done number by number they take three and a half times as long; here a
vector is two rows, {x, y, z, r, x, y, z, r} or {v_x, v_y, v_z, w, …}. The plain form does what is left over at the end,
and a test compares the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.collide.paths import direction_and_length, leaves_path, off_path
from windrow.kernel import BLOCK, bare_inner, device
from windrow.simd import Lanes, maximum, minimum, positive, select
from windrow.solvers.ndem.laws import ZERO
from windrow.solvers.ndem.records import WorkRows
from windrow.solvers.ndem.sleep import ASLEEP, AWAKE
from windrow.state.state import FROZEN, State
from windrow.team import deal, parallel

F = np.float32
HALF = F(0.5)
FAR = F(1e7)
"""Beyond this distance from the origin (m) float32 cannot carry a grain; it is frozen where it was."""
ROWS = 2 * 16
"""Bytes of two rows."""
ROWS_AT_ONCE = 8


@parallel
def begin(team, state_X, state_V, flags, sleep, dt, same, grains):
    """Copies the state to working rows. What is not finite, or would leave the world in this step, is frozen.

    A sleeper that was moved or pushed from outside wakes; `same`: X still holds the rows of the last step.
    """
    X, U = grains.X, grains.U
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            for a in range(3):
                if not abs(state_X[i, a] + dt * state_V[i, a]) < FAR:
                    flags[i] |= FROZEN
                if not abs(state_X[i, a]) < FAR:
                    state_X[i, a] = ZERO
            if sleep[i] == ASLEEP:
                for a in range(3):
                    if state_V[i, a] != ZERO or (same and X[i, a] != state_X[i, a]):
                        sleep[i] = AWAKE
            for a in range(4):
                X[i, a] = state_X[i, a]
                U[i, a] = ZERO if flags[i] & FROZEN else state_V[i, a]


def hold_lost(state: State, grains: WorkRows) -> None:
    """Between two intervals, freezes what is no longer finite where the step began: it could not be sorted."""
    count, X, U = state.count, grains.X, grains.U
    size = np.abs(X[:count, :3]).sum(axis=1) + np.abs(U[:count, :3]).sum(axis=1)
    lost = np.flatnonzero(~(size < FAR))
    if len(lost):
        state.flags[lost] |= FROZEN
        X[lost, :3] = state.X[lost, :3]
        U[lost] = grains.begun[lost] = ZERO


@parallel
def join_rows(team, grains, rows):
    """Rows {x, y, z, r, v_x, v_y, v_z, w} for sorting."""
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            for a in range(4):
                rows[i, a], rows[i, a + 4] = grains.X[i, a], grains.U[i, a]


@parallel
def split_rows(team, rows, grains):
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            for a in range(4):
                grains.X[i, a], grains.U[i, a] = rows[i, a], rows[i, a + 4]


@parallel
def predict(team, grains, time, gravity, predicted):
    """Rows {p, r, p − x, w} for the search of walls: where each grain would be without contacts."""
    X, U = grains.X, grains.U
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            fall = time * time if U[i, 3] > ZERO else ZERO
            for a in range(3):
                way = time * U[i, a] + fall * gravity[a]
                predicted[i, a], predicted[i, a + 4] = X[i, a] + way, way
            predicted[i, 3], predicted[i, 7] = X[i, 3], U[i, 3]


@parallel
def leaving_and_fastest(team, grains, time, leaving, fastest):
    """leaving[0]: how many grains will have left their skins when the time is up; fastest[0]: greatest speed, m/s."""
    X, U, paths = grains.X, grains.U, grains.paths
    blocks = (grains.n + BLOCK - 1) // BLOCK
    for b in deal(team, blocks):
        many, fast = 0, ZERO
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            if leaves_path(X, U, paths, i, time):
                many += 1
            fast = max(fast, U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2])
        leaving[b], fastest[b] = many, np.sqrt(fast)
    for _ in deal(team, 1):
        for b in range(1, blocks):
            leaving[0] += leaving[b]
            fastest[0] = max(fastest[0], fastest[b])


@parallel
def spread_of_velocities(team, U, count, bounds, spread):
    """spread[0]: greatest distance (m/s) of a velocity from the middle of their bounds, bounds[0]."""
    blocks = (count + BLOCK - 1) // BLOCK
    m0, m1 = HALF * (bounds[0, 0] + bounds[0, 3]), HALF * (bounds[0, 1] + bounds[0, 4])
    m2 = HALF * (bounds[0, 2] + bounds[0, 5])
    for b in deal(team, blocks):
        square = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            d0, d1, d2 = U[i, 0] - m0, U[i, 1] - m1, U[i, 2] - m2
            square = max(square, d0 * d0 + d1 * d1 + d2 * d2)
        spread[b] = np.sqrt(square)
    for _ in deal(team, 1):
        for b in range(1, blocks):
            spread[0] = max(spread[0], spread[b])


@parallel
def remember_paths(team, columns, grains):
    """The paths that the lists were made for: where they begin, skins, directions and lengths."""
    origin, travel = grains.paths
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            origin[i, 0], origin[i, 1], origin[i, 2] = columns[0, i], columns[1, i], columns[2, i]
            origin[i, 3] = columns[7, i]
            travel[i, 0], travel[i, 1], travel[i, 2], travel[i, 3] = direction_and_length(
                columns[4, i], columns[5, i], columns[6, i]
            )


@parallel
def finish(team, grains, state_X, state_V, flags, force, dt, gravity, frozen):
    """Writes the state and the mean contact force; freezes what is not finite. frozen[b]: how many of block b."""
    X, U = grains.X, grains.U
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        many = 0
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            size = abs(X[i, 0]) + abs(X[i, 1]) + abs(X[i, 2]) + abs(U[i, 0]) + abs(U[i, 1]) + abs(U[i, 2])
            if not size < FAR:
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                many += 1
                for a in range(3):
                    state_V[i, a] = ZERO
                    force[i, a] = ZERO
                continue
            w = U[i, 3]
            for a in range(3):
                force[i, a] = (U[i, a] - state_V[i, a] - dt * gravity[a]) / (w * dt) if w > ZERO else ZERO
                state_X[i, a], state_V[i, a] = X[i, a], U[i, a]
        frozen[b] = many


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
def start_one(U, begun, warm, i, h, gravity, recalled):
    """v + h g and the warm start of grain i; see `start_substep`."""
    fall = h if U[i, 3] > ZERO else ZERO
    for a in range(3):
        guess = warm[i, a] if recalled else U[i, a] - begun[i, a] - fall * gravity[a]
        begun[i, a] = U[i, a]
        U[i, a] += fall * gravity[a] + guess


@intrinsic
def start_eight(context, velocities, begun, warm, first, h, g0, g1, g2, recalled):
    """`start_one` of eight grains in a row. velocities, begun, warm: addresses; warm is read even if not recalled."""
    signature = types.void(*([types.int64] * 4), *([types.float32] * 4), types.boolean)

    def generate(context, b, signature, arguments):
        velocities, begun, warm, first, h, *gravity, recalled = arguments
        weight = simd.splat(b, h) * _in_space(b, gravity)
        recalled = b.icmp_unsigned("!=", recalled, ir.Constant(recalled.type, 0))
        for pair in range(ROWS_AT_ONCE // 2):
            u, u_at = _two_rows(b, velocities, first, pair)
            u0, u0_at = _two_rows(b, begun, first, pair)
            remembered, _ = _two_rows(b, warm, first, pair)
            fall = select(positive(_last(u)), weight, 0.0)
            guess = Lanes(b, b.select(recalled, remembered.v, (u - u0 - fall).v))
            simd.store(b, u.v, u0_at)
            simd.store(b, select(_first_three(), u + (fall + guess), u).v, u_at)
        return context.get_dummy_value()

    return signature, generate


@device
def move_one(X, U, paths, i, h):
    """x + h v of grain i; above 0 if it has left its skin: the square of its distance beyond that of the skin."""
    X[i, 0] += h * U[i, 0]
    X[i, 1] += h * U[i, 1]
    X[i, 2] += h * U[i, 2]
    return off_path(X, paths, i) - paths.origin[i, 3] * paths.origin[i, 3]


@intrinsic
def move_eight(context, positions, velocities, origins, travels, first, h):
    """`move_one` of eight grains in a row, of which it returns the greatest. Addresses of X, U, origin and travel."""
    signature = types.float32(*([types.int64] * 5), types.float32)

    def generate(context, b, signature, arguments):
        positions, velocities, origins, travels, first, h = arguments
        step = _in_space(b, [h] * 3)
        most = None
        for pair in range(ROWS_AT_ONCE // 2):
            x, x_at = _two_rows(b, positions, first, pair)
            u, _ = _two_rows(b, velocities, first, pair)
            origin, _ = _two_rows(b, origins, first, pair)
            travel, _ = _two_rows(b, travels, first, pair)
            x = select(_first_three(), x + step * u, x)
            simd.store(b, x.v, x_at)
            d = x - origin
            # `paths.off_segment`
            along = minimum(maximum(_sum_of_three(d * travel), 0.0), _last(travel))
            d = d - along * travel
            beyond = _sum_of_three(d * d) - _last(origin * origin)
            most = beyond if most is None else maximum(most, beyond)
        assert most is not None
        one, other = (b.extract_element(most.v, ir.Constant(simd.INT32, lane)) for lane in (0, 4))
        return b.select(b.fcmp_ordered("<", one, other), other, one)

    return signature, generate


@parallel
def start_substep(team, grains, awake, h, gravity, recalled):
    """v + h g, and the impulses of the substep before as a first guess; `recalled`: `warm` holds their sum.

    awake[b]: whether anything in block b can move; where nothing can, both velocities are zero and stay so.
    """
    U_at, begun_at = grains.U.ctypes.data, grains.begun.ctypes.data
    # `start_eight` reads it even where it is not wanted: then from memory that is at hand
    warm_at = grains.warm.ctypes.data if recalled else begun_at
    g0, g1, g2 = gravity[0], gravity[1], gravity[2]
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        begin = b * BLOCK
        end = min(grains.n, begin + BLOCK) if awake[b] else begin
        rest = end - (end - begin) % ROWS_AT_ONCE
        for i in range(begin, rest, ROWS_AT_ONCE):
            start_eight(U_at, begun_at, warm_at, i, h, g0, g1, g2, recalled)
        for i in range(rest, end):
            start_one(grains.U, grains.begun, grains.warm, i, h, gravity, recalled)


@parallel
def move(team, grains, awake, h, left):
    """x + h v. left[b]: above 0 if a grain of block b has left its skin. awake: as at the start."""
    X, U, paths = grains.X, grains.U, grains.paths
    X_at, U_at, origin_at, travel_at = X.ctypes.data, U.ctypes.data, paths.origin.ctypes.data, paths.travel.ctypes.data
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        beyond = ZERO
        begin = b * BLOCK
        end = min(grains.n, begin + BLOCK) if awake[b] else begin
        rest = end - (end - begin) % ROWS_AT_ONCE
        for i in range(begin, rest, ROWS_AT_ONCE):
            beyond = max(beyond, move_eight(X_at, U_at, origin_at, travel_at, i, h))
        for i in range(rest, end):
            beyond = max(beyond, move_one(X, U, paths, i, h))
        left[b] = beyond


@bare_inner
def move_back(grains, h):
    X, U = grains.X, grains.U
    for i in range(grains.n):
        X[i, 0] -= h * U[i, 0]
        X[i, 1] -= h * U[i, 1]
        X[i, 2] -= h * U[i, 2]
