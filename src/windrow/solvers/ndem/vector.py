"""Contacts eight at a time: one batch is eight contacts of which no two share a grain.

The laws are in `laws.py`. A batch is read as columns of eight: `ends` (which grains), `impulse`, `row` (normal, bias,
softness) and `law` (friction, adhesion), all laid out one batch after the other, while the grains' rows {x, y, z, r}
and {v_x, v_y, v_z, w} lie anywhere and are transposed on the way.

Once per interval, `warm_start` adds up for each grain the velocity that the remembered impulses give it and the number
of contacts that carry any, and `prepare` turns stiffness and damping into softness, for the substep at hand and for how
crowded the contact is. The first sweep of a substep computes the geometry from positions and keeps it for the sweeps
after it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, maximum, minimum, positive, select, square_root
from windrow.solvers.formula import dot
from windrow.solvers.ndem import records as col
from windrow.solvers.ndem.laws import (
    CORE,
    adhesive_impulse,
    bias_and_softness,
    contact_impulse,
    contact_softness,
    held_shear,
    shear_grip,
    springs_back,
)

COLUMN = 4 * simd.WIDTH
"""Bytes of a column of a batch."""
TINY = 1e-30
PI = 3.14159265358979
HALF = ir.VectorType(simd.FLOAT, 4)

SAFE = 0.02
"""Open contacts that would still be open by this much, of the smaller radius, at the end of the substep are left out
of it: if others drive them together nevertheless, the next substep sees it."""

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


class StepLength(Lanes):
    """h, in all lanes. What is divided by it is multiplied by 1/h."""

    __slots__ = ("inverse",)

    def __init__(self, b: Any, common: Any) -> None:
        super().__init__(b, simd.parameter(b, common, col.STEP).v)
        self.inverse = simd.parameter(b, common, col.INVERSE_STEP)

    def __rtruediv__(self, other: Any) -> Lanes:
        return self.inverse * other


class _Batch:
    """Where the columns of one batch are, and what its contacts have in common."""

    def __init__(
        self, b: Any, batch: Any, impulse: Any, row: Any, law: Any, common: Any, own_law: bool
    ) -> None:
        self.b = b
        self.impulse = simd.address(b, impulse, batch, 3 * COLUMN)
        self.row = simd.address(b, row, batch, col.ROW * COLUMN)
        self.law = simd.address(b, law, batch, col.LAW * COLUMN)
        self.h = StepLength(b, common)
        self.own_law = own_law
        if own_law:
            self.mu = load_column(b, self.law, col.MU_S), load_column(b, self.law, col.MU_K)
        else:
            self.mu = simd.parameter(b, common, col.COMMON_MU_S), simd.parameter(b, common, col.COMMON_MU_K)
        self.before = [load_column(b, self.impulse, k) for k in range(3)]

    def active(self, n: Vector, gap: Lanes, r_min: Lanes, u: Vector) -> Any:
        """Whether any of the contacts is loaded, or may close in this substep."""
        b = self.b
        closing = (gap + self.h * dot(u, n)) < SAFE * r_min
        return simd.any_of(b, b.or_(closing, positive(dot(self.before, self.before))))

    def begin(
        self, n: Vector, gap: Lanes, r_min: Lanes, core: Lanes, u: Vector, began: Vector, K: Lanes, peak: Any
    ) -> Vector:
        """The impulse of the first sweep; keeps what the other sweeps need, and the deepest overlap."""
        b = self.b
        soft, easy, spring = (load_column(b, self.row, k) for k in (col.SOFT, col.EASY, col.SPRING))
        bias, rest, soft = bias_and_softness(gap, dot(u, n), core, self.h, K, soft, spring)
        for k, lanes in enumerate((*n, bias, rest, soft)):
            store_column(b, lanes, self.row, k)
        easy = select(springs_back(self.before, n, self.mu[1]), easy, soft)
        store_column(b, easy, self.row, col.EASY_NOW)
        pull = None
        if self.own_law:
            pull = adhesive_impulse(gap, r_min, load_column(b, self.law, col.STRENGTH), dot(self.before, n))
            store_column(b, pull, self.law, col.PULL)
        grip = load_column(b, self.row, col.GRIP)
        held = held_shear(self.before, n, began, grip, K, spring, self.h)
        for k in range(3):
            store_column(b, held[k], self.row, col.HELD_X + k)
            store_column(b, self.before[k], self.row, col.LAST_X + k)
        size, deepest = maximum(r_min, 1e-12), load_column(b, peak, 0)
        with b.if_then(simd.any_of(b, deepest * size < -gap), likely=False):
            store_column(b, maximum(deepest, -gap / size), peak, 0)
        normal, friction = (bias, rest, soft, easy), (*self.mu, pull)
        return list(contact_impulse(u, n, self.before, held, (K, K), normal, grip, friction))

    def go_on(self, u: Vector, K: Lanes) -> Vector:
        """The impulse of a later sweep."""
        b = self.b
        n = [load_column(b, self.row, k) for k in range(3)]
        pull = load_column(b, self.law, col.PULL) if self.own_law else None
        normal = tuple(load_column(b, self.row, k) for k in (col.BIAS, col.REST, col.SOFT_NOW, col.EASY_NOW))
        grip = load_column(b, self.row, col.GRIP)
        held = [load_column(b, self.row, col.HELD_X + k) for k in range(3)]
        return list(contact_impulse(u, n, self.before, held, (K, K), normal, grip, (*self.mu, pull)))

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


@intrinsic
def first_walls(context, positions, velocities, begun, ends, impulse, row, law, face, common, peak, batch):
    """One batch of contacts with walls, whose planes move on by a substep; returns 0 if none of them can act."""
    signature = types.int64(*([types.int64] * 11))

    def generate(context, b, signature, arguments):
        positions, velocities, begun, ends, impulse, row, law, face, common, peak, batch = arguments
        i = simd.load_indices(b, simd.address(b, ends, batch, COLUMN))
        vi, x = load_grains(b, velocities, i), load_grains(b, positions, i)
        where = simd.address(b, face, batch, col.FACE * COLUMN)
        wall = [load_column(b, where, k) for k in (col.FACE_X, col.FACE_Y, col.FACE_Z)]
        contact = _Batch(b, batch, impulse, row, law, common, own_law=True)
        # the mean velocity over the substep before, which may have been of another length
        later = 0.5 * (contact.h - simd.parameter(b, common, col.STEP_BEFORE))
        before = [wall[k] + later * load_column(b, where, col.GAIN_X + k) for k in range(3)]
        for k, column in enumerate((col.GAIN_X, col.GAIN_Y, col.GAIN_Z)):
            wall[k] = wall[k] + contact.h * load_column(b, where, column)
            store_column(b, wall[k], where, col.FACE_X + k)
        u = [vi[k] - wall[k] for k in range(3)]
        n = [load_column(b, contact.row, k) for k in range(3)]
        offset = load_column(b, where, col.OFFSET)
        gap = dot(n, x) - offset - x[3]
        store_column(b, offset + contact.h * dot(n, wall), where, col.OFFSET)
        active = contact.active(n, gap, x[3], u)
        with b.if_then(active, likely=True):
            bi = load_grains(b, begun, i)
            began = [bi[k] - before[k] for k in range(3)]
            deepest = load_column(b, where, col.DEEPEST)
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
        where = simd.address(b, face, batch, col.FACE * COLUMN)
        u = [vi[k] - load_column(b, where, column) for k, column in enumerate((col.FACE_X, col.FACE_Y, col.FACE_Z))]
        contact = _Batch(b, batch, impulse, row, law, common, own_law=True)
        change = contact.change(contact.go_on(u, vi[3]))
        store_grains(b, velocities, i, [*(vi[k] + vi[3] * change[k] for k in range(3)), vi[3]])
        return context.get_dummy_value()

    return signature, generate


first_pairs, first_pairs_alike = _first_pairs(True), _first_pairs(False)
next_pairs, next_pairs_alike = _next_pairs(True), _next_pairs(False)


def _recalled(b: Any, impulse: Any, batch: Any, scale: Any) -> tuple[Vector, Any]:
    """Scales the impulses of a batch in place; returns them and which are not zero."""
    where = simd.address(b, impulse, batch, 3 * COLUMN)
    factor = simd.splat(b, scale)
    scaled = [factor * load_column(b, where, k) for k in range(3)]
    for k in range(3):
        store_column(b, scaled[k], where, k)
    return scaled, positive(dot(scaled, scaled))


def _give(
    b: Any, velocities: Any, sums: Any, places: list[Any], impulse: Vector, loaded: Any, sign: float
) -> None:
    """Adds w λ to the sums of eight grains, and one to their count if they can move and the contact is loaded."""
    w = load_grains(b, velocities, places)[3]
    total = load_grains(b, sums, places)
    counted = select(b.and_(loaded, positive(w)), total[3] + 1.0, total[3])
    store_grains(b, sums, places, [*(total[k] + sign * w * impulse[k] for k in range(3)), counted])


@intrinsic
def warm_start_pairs(context, velocities, sums, ends, impulse, scale, batch):
    """Adds the scaled impulses of a batch to the sums of its grains."""
    signature = types.void(*([types.int64] * 4), types.float32, types.int64)

    def generate(context, b, signature, arguments):
        velocities, sums, ends, impulse, scale, batch = arguments
        scaled, loaded = _recalled(b, impulse, batch, scale)
        where = simd.address(b, ends, batch, 2 * COLUMN)
        _give(b, velocities, sums, simd.load_indices(b, where), scaled, loaded, 1.0)
        _give(b, velocities, sums, simd.load_indices(b, simd.offset(b, where, COLUMN)), scaled, loaded, -1.0)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def warm_start_walls(context, velocities, sums, ends, impulse, scale, batch):
    """The same for contacts with walls."""
    signature = types.void(*([types.int64] * 4), types.float32, types.int64)

    def generate(context, b, signature, arguments):
        velocities, sums, ends, impulse, scale, batch = arguments
        scaled, loaded = _recalled(b, impulse, batch, scale)
        _give(
            b,
            velocities,
            sums,
            simd.load_indices(b, simd.address(b, ends, batch, COLUMN)),
            scaled,
            loaded,
            1.0,
        )
        return context.get_dummy_value()

    return signature, generate


def _loaded(b: Any, impulse: Any, batch: Any) -> Any:
    where = simd.address(b, impulse, batch, 3 * COLUMN)
    before = [load_column(b, where, k) for k in range(3)]
    return positive(dot(before, before))


def _store_softness(b: Any, k: Lanes, c: Lanes, K: Lanes, others: Lanes, common: Any, row: Any) -> None:
    """Of eight contacts of stiffness k, as far as the substep carries it."""
    h, relaxation = simd.parameter(b, common, col.STEP), simd.parameter(b, common, col.RELAXATION)
    k = minimum(k, simd.parameter(b, common, col.CARRIED_MOST) / maximum(K, 1e-30))
    columns = (*contact_softness(k, c, K, h, others, relaxation), shear_grip(k, K, h))
    for column, lanes in zip((col.SOFT, col.EASY, col.SPRING, col.GRIP), columns, strict=True):
        store_column(b, lanes, row, column)


def _store_law(b: Any, values: Vector, common: Any, law: Any) -> None:
    store_column(b, values[col.STATIC], law, col.MU_S)
    store_column(b, values[col.KINETIC], law, col.MU_K)
    store_column(b, PI * simd.parameter(b, common, col.STEP) * values[col.ADHESION], law, col.STRENGTH)


def _any(b: Any, mask: Any) -> Any:
    """1 if the mask holds in any lane, else 0."""
    bits = b.bitcast(mask, ir.IntType(8))
    return b.zext(b.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(8), 0)), simd.INT64)


def _integer(b: Any, base: Any, place: Any) -> Any:
    return b.sext(simd.load(b, simd.address(b, base, place, 4), simd.INT32), simd.INT64)


def _prepare_pairs(own_law: bool) -> Any:
    @intrinsic
    def prepare_pairs(
        context, velocities, sums, ends, impulse, row, law, common, material, table, kinds, batch
    ):
        """Softness (and friction) of a batch of contacts between grains; sums: see `warm_start_pairs`.

        Returns 0 if no grain of the batch can move.
        """
        signature = types.int64(*([types.int64] * 11))

        def generate(context, b, signature, arguments):
            velocities, sums, ends, impulse, row, law, common, material, table, kinds, batch = arguments
            where = simd.address(b, ends, batch, 2 * COLUMN)
            i, j = simd.load_indices(b, where), simd.load_indices(b, simd.offset(b, where, COLUMN))
            wi, wj = load_grains(b, velocities, i)[3], load_grains(b, velocities, j)[3]
            counted = load_grains(b, sums, i)[3] + load_grains(b, sums, j)[3]
            zero = wi * 0.0
            own = select(positive(wi), zero + 1.0, 0.0) + select(positive(wj), zero + 1.0, 0.0)
            others = counted - select(_loaded(b, impulse, batch), own, 0.0)
            if own_law:
                rows = [
                    b.add(b.mul(_integer(b, material, first), kinds), _integer(b, material, second))
                    for first, second in zip(i, j, strict=True)
                ]
                values = simd.load_rows(b, table, rows)
                _store_law(b, values, common, simd.address(b, law, batch, col.LAW * COLUMN))
                k, c = values[col.STIFFNESS], values[col.DAMPING]
            else:
                k, c = simd.parameter(b, common, col.COMMON_STIFFNESS), simd.parameter(b, common, col.COMMON_DAMPING)
            _store_softness(b, k, c, wi + wj, others, common, simd.address(b, row, batch, col.ROW * COLUMN))
            return _any(b, positive(wi + wj))

        return signature, generate

    return prepare_pairs


@intrinsic
def prepare_walls(context, velocities, sums, ends, impulse, row, law, common, kind, table, batch):
    """The same for contacts with walls; kind: row of the table for each of them."""
    signature = types.int64(*([types.int64] * 10))

    def generate(context, b, signature, arguments):
        velocities, sums, ends, impulse, row, law, common, kind, table, batch = arguments
        i = simd.load_indices(b, simd.address(b, ends, batch, COLUMN))
        w = load_grains(b, velocities, i)[3]
        one = w * 0.0 + 1.0
        others = load_grains(b, sums, i)[3] - select(_loaded(b, impulse, batch), one, 0.0)
        values = simd.load_rows(b, table, simd.load_indices(b, simd.address(b, kind, batch, COLUMN)))
        _store_law(b, values, common, simd.address(b, law, batch, col.LAW * COLUMN))
        where = simd.address(b, row, batch, col.ROW * COLUMN)
        _store_softness(b, values[col.STIFFNESS], values[col.DAMPING], w, others, common, where)
        return _any(b, positive(w))

    return signature, generate


prepare_pairs, prepare_pairs_alike = _prepare_pairs(True), _prepare_pairs(False)
