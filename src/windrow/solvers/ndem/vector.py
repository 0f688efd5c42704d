"""Contacts eight at a time: one batch is eight contacts of which no two share a grain.

The formulas are those of `laws.py`; a test compares the two. A batch is read as columns of eight: `ends` (which
grains), `impulse`, `row` (normal, bias, softness) and `law` (friction, adhesion), all laid out one batch after the
other, while the grains' rows {x, y, z, r} and {v_x, v_y, v_z, w} lie anywhere and are transposed on the way.
The first sweep of a substep computes the geometry from positions and keeps it for the sweeps after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, maximum, minimum, positive, select, square_root
from windrow.solvers.ndem.laws import (
    BIAS,
    CORE,
    CORE_RATE,
    CORE_RETURN,
    EASY,
    EASY_NOW,
    GRIP,
    HELD_X,
    LAST_X,
    LAW,
    LEAST_DEPTH,
    MU_K,
    MU_S,
    NO_FRICTION,
    PULL,
    REST,
    ROUNDING,
    ROW,
    SHEAR,
    SLIDING,
    SOFT,
    SOFT_NOW,
    SPRING,
    STRENGTH,
    STRETCH,
)

COLUMN = 4 * simd.WIDTH
"""Bytes of a column of a batch."""
TINY = 1e-30
HALF = ir.VectorType(simd.FLOAT, 4)

SAFE = 0.02
"""Open contacts that would still be open by this much, of the smaller radius, at the end of the substep are left out
of it: if others drive them together nevertheless, the next substep sees it."""

# Places in the array of numbers common to all contacts: of the substep, and of a pair of grains of the only material.
STEP, INVERSE_STEP, COMMON_MU_S, COMMON_MU_K, COMMON_STIFFNESS, COMMON_DAMPING, RELAXATION, CARRIED_MOST = (
    range(8)
)
STEP_BEFORE = 8
COMMON = 9

PAIR_COLUMNS = 8
"""Width of the table of material pairs: the model's five columns, filled up to a vector."""

Vector = list[Lanes]


def _take(b: Any, first: Any, second: Any, order: list[int]) -> Any:
    return b.shuffle_vector(first, second, ir.Constant(ir.VectorType(simd.INT32, len(order)), order))


def _turned(b: Any, pairs: list[Any]) -> list[Any]:
    """Transposes the two 4 × 4 halves of four vectors, each by itself; its own inverse."""
    low, high = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    a0, a1 = _take(b, pairs[0], pairs[1], low), _take(b, pairs[0], pairs[1], high)
    c0, c1 = _take(b, pairs[2], pairs[3], low), _take(b, pairs[2], pairs[3], high)
    low, high = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    return [_take(b, a0, c0, low), _take(b, a0, c0, high), _take(b, a1, c1, low), _take(b, a1, c1, high)]


def load_grains(b: Any, base: Any, places: list[Any]) -> Vector:
    """Eight rows of four floats as four columns."""
    rows = [simd.load(b, simd.address(b, base, i, 16), HALF) for i in places]
    pairs = [_take(b, rows[k], rows[k + 4], list(range(8))) for k in range(4)]
    return [Lanes(b, column) for column in _turned(b, pairs)]


def store_grains(b: Any, base: Any, places: list[Any], columns: Vector) -> None:
    pairs = _turned(b, [column.v for column in columns])
    for k, pair in enumerate(pairs):
        simd.store(b, _take(b, pair, pair, [0, 1, 2, 3]), simd.address(b, base, places[k], 16))
        simd.store(b, _take(b, pair, pair, [4, 5, 6, 7]), simd.address(b, base, places[k + 4], 16))


def load_column(b: Any, where: Any, column: int) -> Lanes:
    return Lanes(b, simd.load(b, simd.offset(b, where, COLUMN * column), simd.VECTOR))


def store_column(b: Any, lanes: Lanes, where: Any, column: int) -> None:
    simd.store(b, lanes.v, simd.offset(b, where, COLUMN * column))


def dot(a: Vector, c: Vector) -> Lanes:
    return a[0] * c[0] + a[1] * c[1] + a[2] * c[2]


@dataclass
class _Soft:
    """b, λ_r and s (closing, opening) of `laws.normal_impulse`."""

    bias: Lanes
    rest: Lanes
    soft: Lanes
    easy: Lanes


def _bias_and_softness(
    gap: Lanes,
    approach: Lanes,
    core: Lanes,
    K: Lanes,
    soft: Lanes,
    spring: Lanes,
    h: Lanes,
    per_h: Lanes,
) -> tuple[Lanes, Lanes, Lanes]:
    """`laws.bias_and_softness`."""
    b = gap.b
    short = gap + core
    through = (short + h * approach) < 0.0
    movable = positive(K)
    back = maximum(float(CORE_RETURN) * short * per_h, -float(CORE_RATE) * core)
    stop = select(short < 0.0, back, short * per_h)
    rigid = b.and_(through, movable)
    bias = select(rigid, stop, maximum(gap, 0.0) * per_h)
    rest = select(rigid, 0.0, spring * minimum(maximum(-gap, 0.0), core))
    return bias, rest, select(rigid, 1.0 / (K + TINY), soft)


def _impulse(
    u: Vector,
    n: Vector,
    before: Vector,
    K: Lanes,
    s: _Soft,
    mu: tuple[Lanes, Lanes],
    grip: Lanes,
    held: Vector,
    pull: Lanes | None,
) -> Vector:
    """`laws.contact_impulse`; without a pull the adhesive half of it is left out."""
    v, along_before = dot(u, n), dot(before, n)
    x = K * (along_before - s.rest) - v - s.bias
    closing, opening = s.rest + s.soft * x, s.rest + s.easy * x
    push = maximum(maximum(closing, opening), 0.0)
    along = push
    if pull is not None:
        soft_share, easy_share = maximum(1.0 - s.soft * K, 1e-6), maximum(1.0 - s.easy * K, 1e-6)
        against = maximum(maximum(closing - pull * soft_share, opening - pull * easy_share), -pull)
        shut = minimum(push, maximum(along_before - v / (K + TINY), against))
        sticky = pull.b.and_(positive(pull), positive(K))
        along = select(sticky, shut, push)
        after = v + K * (along - along_before) + s.bias
        loaded = s.rest - minimum(s.soft / soft_share * after, s.easy / easy_share * after)
        push = select(sticky, maximum(loaded, 0.0), push)
    t = [held[k] + grip * (K * (before[k] - along_before * n[k]) - (u[k] - v * n[k])) for k in range(3)]
    size = square_root(dot(t, t) + TINY)
    most, kept = mu[0] * push, mu[1] * push
    if pull is not None:
        most, kept = most + pull, kept + pull
    share = select(size <= most, 1.0, select(size <= float(SLIDING) * most, most, kept) / size)
    # where neither side can move there is nothing to solve: what a sleeper carries is kept
    movable = positive(K)
    return [select(movable, along * n[k] + share * t[k], before[k]) for k in range(3)]


def _adhesive_impulse(gap: Lanes, r_min: Lanes, strength: Lanes, before: Lanes) -> Lanes:
    """`laws.adhesive_impulse`."""
    torn = positive(gap - select(before < 0.0, float(STRETCH) * r_min, 0.0))
    depth = maximum(minimum(-gap, r_min), float(LEAST_DEPTH) * r_min)
    return select(torn, 0.0, strength * depth * (2.0 * r_min - depth))


class _Batch:
    """Where the columns of one batch are, and what its contacts have in common."""

    def __init__(
        self, b: Any, batch: Any, impulse: Any, row: Any, law: Any, common: Any, own_law: bool
    ) -> None:
        self.b = b
        self.impulse = simd.address(b, impulse, batch, 3 * COLUMN)
        self.row = simd.address(b, row, batch, ROW * COLUMN)
        self.law = simd.address(b, law, batch, LAW * COLUMN)
        self.h = simd.parameter(b, common, STEP)
        self.per_h = simd.parameter(b, common, INVERSE_STEP)
        self.own_law = own_law
        if own_law:
            self.mu = load_column(b, self.law, MU_S), load_column(b, self.law, MU_K)
        else:
            self.mu = simd.parameter(b, common, COMMON_MU_S), simd.parameter(b, common, COMMON_MU_K)
        self.before = [load_column(b, self.impulse, k) for k in range(3)]

    def active(self, n: Vector, gap: Lanes, r_min: Lanes, u: Vector) -> Any:
        """Whether any of the contacts is loaded, or may close in this substep."""
        b = self.b
        closing = (gap + self.h * dot(u, n)) < SAFE * r_min
        return simd.any_of(b, b.or_(closing, positive(dot(self.before, self.before))))

    def springs_back(self, n: Vector) -> Any:
        """`laws.springs_back`."""
        along = dot(self.before, n)
        most = (float(NO_FRICTION) * self.mu[1] + float(ROUNDING)) * along
        return positive(dot(self.before, self.before) - along * along - most * most)

    def held_shear(self, n: Vector, began: Vector, grip: Lanes, K: Lanes, spring: Lanes) -> Vector:
        """`laws.held_shear`."""
        along, v = dot(self.before, n), dot(began, n)
        yielding = 1.0 - grip * K
        damper = maximum(grip - yielding * float(SHEAR) * self.h * spring, 0.0)
        damper = select(dot(self.before, self.before) <= 0.0, 0.0, damper)
        return [yielding * (self.before[k] - along * n[k]) + damper * (began[k] - v * n[k]) for k in range(3)]

    def begin(
        self, n: Vector, gap: Lanes, r_min: Lanes, core: Lanes, u: Vector, began: Vector, K: Lanes, peak: Any
    ) -> Vector:
        """The impulse of the first sweep; keeps what the other sweeps need, and the deepest overlap."""
        b = self.b
        soft, easy, spring = (load_column(b, self.row, k) for k in (SOFT, EASY, SPRING))
        bias, rest, soft = _bias_and_softness(gap, dot(u, n), core, K, soft, spring, self.h, self.per_h)
        for k, lanes in enumerate((*n, bias, rest, soft)):
            store_column(b, lanes, self.row, k)
        easy = select(self.springs_back(n), easy, soft)
        store_column(b, easy, self.row, EASY_NOW)
        s = _Soft(bias, rest, soft, easy)
        pull = None
        if self.own_law:
            pull = _adhesive_impulse(gap, r_min, load_column(b, self.law, STRENGTH), dot(self.before, n))
            store_column(b, pull, self.law, PULL)
        grip = load_column(b, self.row, GRIP)
        held = self.held_shear(n, began, grip, K, spring)
        for k in range(3):
            store_column(b, held[k], self.row, HELD_X + k)
            store_column(b, self.before[k], self.row, LAST_X + k)
        size, deepest = maximum(r_min, 1e-12), load_column(b, peak, 0)
        with b.if_then(simd.any_of(b, deepest * size < -gap), likely=False):
            store_column(b, maximum(deepest, -gap / size), peak, 0)
        return _impulse(u, n, self.before, K, s, self.mu, grip, held, pull)

    def go_on(self, u: Vector, K: Lanes) -> Vector:
        """The impulse of a later sweep."""
        b = self.b
        n = [load_column(b, self.row, k) for k in range(3)]
        pull = load_column(b, self.law, PULL) if self.own_law else None
        s = _Soft(*(load_column(b, self.row, k) for k in (BIAS, REST, SOFT_NOW, EASY_NOW)))
        grip = load_column(b, self.row, GRIP)
        held = [load_column(b, self.row, HELD_X + k) for k in range(3)]
        return _impulse(u, n, self.before, K, s, self.mu, grip, held, pull)

    def change(self, after: Vector) -> Vector:
        """Stores the impulse and returns by how much it changed."""
        for k in range(3):
            store_column(self.b, after[k], self.impulse, k)
        return [after[k] - self.before[k] for k in range(3)]


def _first_pairs(own_law: bool) -> Any:
    @intrinsic
    def first_pairs(context, positions, velocities, begun, ends, impulse, row, law, common, peak, batch):
        """One batch of contacts between grains; returns 0 if none of them can act in this substep.

        All arguments are int64, and addresses but for the last.
        """
        signature = types.int64(*([types.int64] * 10))

        def generate(context, b, signature, arguments):
            positions, velocities, begun, ends, impulse, row, law, common, peak, batch = arguments
            where = simd.address(b, ends, batch, 2 * COLUMN)
            i, j = simd.load_indices(b, where), simd.load_indices(b, simd.offset(b, where, COLUMN))
            vi, vj = load_grains(b, velocities, i), load_grains(b, velocities, j)
            u, K = [vi[k] - vj[k] for k in range(3)], vi[3] + vj[3]
            contact = _Batch(b, batch, impulse, row, law, common, own_law)
            xi, xj = load_grains(b, positions, i), load_grains(b, positions, j)
            line = [xi[k] - xj[k] for k in range(3)]
            square = dot(line, line) + TINY
            inverse = 1.0 / square_root(square)
            n = [component * inverse for component in line]
            gap = square * inverse - (xi[3] + xj[3])
            r_min = minimum(xi[3], xj[3])
            active = contact.active(n, gap, r_min, u)
            with b.if_then(active, likely=True):
                bi, bj = load_grains(b, begun, i), load_grains(b, begun, j)
                began = [bi[k] - bj[k] for k in range(3)]
                change = contact.change(contact.begin(n, gap, r_min, CORE * r_min, u, began, K, peak))
                store_grains(b, velocities, i, [*(vi[k] + vi[3] * change[k] for k in range(3)), vi[3]])
                store_grains(b, velocities, j, [*(vj[k] - vj[3] * change[k] for k in range(3)), vj[3]])
            return b.zext(active, simd.INT64)

        return signature, generate

    return first_pairs


def _next_pairs(own_law: bool) -> Any:
    @intrinsic
    def next_pairs(context, velocities, ends, impulse, row, law, common, batch):
        """A later sweep over a batch of contacts between grains."""
        signature = types.void(*([types.int64] * 7))

        def generate(context, b, signature, arguments):
            velocities, ends, impulse, row, law, common, batch = arguments
            where = simd.address(b, ends, batch, 2 * COLUMN)
            i, j = simd.load_indices(b, where), simd.load_indices(b, simd.offset(b, where, COLUMN))
            vi, vj = load_grains(b, velocities, i), load_grains(b, velocities, j)
            contact = _Batch(b, batch, impulse, row, law, common, own_law)
            change = contact.change(contact.go_on([vi[k] - vj[k] for k in range(3)], vi[3] + vj[3]))
            store_grains(b, velocities, i, [*(vi[k] + vi[3] * change[k] for k in range(3)), vi[3]])
            store_grains(b, velocities, j, [*(vj[k] - vj[3] * change[k] for k in range(3)), vj[3]])
            return context.get_dummy_value()

        return signature, generate

    return next_pairs


# Columns of a wall's face: its offset now, its mean velocity over the substep, its acceleration, and the overlap at
# which it becomes rigid.
OFFSET, FACE_X, FACE_Y, FACE_Z, GAIN_X, GAIN_Y, GAIN_Z, DEEPEST = range(8)
FACE = 8


@intrinsic
def first_walls(context, positions, velocities, begun, ends, impulse, row, law, face, common, peak, batch):
    """One batch of contacts with walls, whose planes move on by a substep; returns 0 if none of them can act."""
    signature = types.int64(*([types.int64] * 11))

    def generate(context, b, signature, arguments):
        positions, velocities, begun, ends, impulse, row, law, face, common, peak, batch = arguments
        i = simd.load_indices(b, simd.address(b, ends, batch, COLUMN))
        vi, x = load_grains(b, velocities, i), load_grains(b, positions, i)
        where = simd.address(b, face, batch, FACE * COLUMN)
        wall = [load_column(b, where, k) for k in (FACE_X, FACE_Y, FACE_Z)]
        contact = _Batch(b, batch, impulse, row, law, common, own_law=True)
        # the mean velocity over the substep before, which may have been of another length
        later = 0.5 * (contact.h - simd.parameter(b, common, STEP_BEFORE))
        before = [wall[k] + later * load_column(b, where, GAIN_X + k) for k in range(3)]
        for k, column in enumerate((GAIN_X, GAIN_Y, GAIN_Z)):
            wall[k] = wall[k] + contact.h * load_column(b, where, column)
            store_column(b, wall[k], where, FACE_X + k)
        u = [vi[k] - wall[k] for k in range(3)]
        n = [load_column(b, contact.row, k) for k in range(3)]
        offset = load_column(b, where, OFFSET)
        gap = dot(n, x) - offset - x[3]
        store_column(b, offset + contact.h * dot(n, wall), where, OFFSET)
        active = contact.active(n, gap, x[3], u)
        with b.if_then(active, likely=True):
            bi = load_grains(b, begun, i)
            began = [bi[k] - before[k] for k in range(3)]
            deepest = load_column(b, where, DEEPEST)
            change = contact.change(contact.begin(n, gap, x[3], deepest, u, began, vi[3], peak))
            store_grains(b, velocities, i, [*(vi[k] + vi[3] * change[k] for k in range(3)), vi[3]])
        return b.zext(active, simd.INT64)

    return signature, generate


@intrinsic
def next_walls(context, velocities, ends, impulse, row, law, face, common, batch):
    """A later sweep over a batch of contacts with walls."""
    signature = types.void(*([types.int64] * 8))

    def generate(context, b, signature, arguments):
        velocities, ends, impulse, row, law, face, common, batch = arguments
        i = simd.load_indices(b, simd.address(b, ends, batch, COLUMN))
        vi = load_grains(b, velocities, i)
        where = simd.address(b, face, batch, FACE * COLUMN)
        u = [vi[k] - load_column(b, where, column) for k, column in enumerate((FACE_X, FACE_Y, FACE_Z))]
        contact = _Batch(b, batch, impulse, row, law, common, own_law=True)
        change = contact.change(contact.go_on(u, vi[3]))
        store_grains(b, velocities, i, [*(vi[k] + vi[3] * change[k] for k in range(3)), vi[3]])
        return context.get_dummy_value()

    return signature, generate


first_pairs, first_pairs_alike = _first_pairs(True), _first_pairs(False)
next_pairs, next_pairs_alike = _next_pairs(True), _next_pairs(False)
