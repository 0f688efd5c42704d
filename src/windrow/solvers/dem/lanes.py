"""Eight contacts at once: `laws.contact` on the lanes of `simd`, between rows of grains and lists of neighbours.

Rows of the working array, 16 floats, one cache line each: a contact needs all of a partner's row and nothing else.

    x y z r | v_x v_y v_z w | ω_x ω_y ω_z material | low_x low_y low_z –

`low` is what the float32 of a place leaves out: steps of DEM are so short that a slow grain's way in one of them is
less than the distance of neighbouring floats. Overlaps are differences of both parts. Each grain's own row, which
partners do not read, has the same for its velocities, where it was when the lists were made, and what acts on it:

    low of v | home_x || low of ω | home_y || force | home_z || torque –
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, Sum, maximum, minimum, select, square_root
from windrow.solvers.dem.laws import PAIR_COLUMNS, STATE, TINY, Given, Law, Touch, contact, cross, dot, reach

HALF = ir.VectorType(simd.FLOAT, 4)
ROW = 16
LINE = 4 * ROW
"""bytes of a row"""
COLUMN = 4 * simd.WIDTH
"""bytes of a column of eight lanes"""

# Numbers common to all contacts.
STEP, KICK, DRIFT, GRAVITY_X, GRAVITY_Y, GRAVITY_Z, LEVER, LEAST = range(8)
COMMON = 8
"""Time that springs stretch, that forces act, that grains move, s; gravity, m/s²; what of half the overlap
the lever of a force is shorter than the radius: 1 or 0; and what springs and dampers push with at least, N"""

LANES = SimpleNamespace(
    select=select,
    root=square_root,
    larger=maximum,
    smaller=minimum,
    rounded=lambda a: Lanes(a.b, a.v),
)
"""What `laws` needs of numbers, for lanes. `rounded` keeps a product from being fused with what is added to it: in a
sum of two products only one would be, and i and j would see it differently."""


def _take(b: Any, first: Any, second: Any, order: list[int]) -> Any:
    return b.shuffle_vector(first, second, ir.Constant(ir.VectorType(simd.INT32, len(order)), order))


def _turned(b: Any, pairs: list[Any]) -> list[Any]:
    """Four rows of two halves each (lanes k and k + 4) to four columns of eight, and back."""
    low, high = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    a0, a1 = _take(b, pairs[0], pairs[1], low), _take(b, pairs[0], pairs[1], high)
    c0, c1 = _take(b, pairs[2], pairs[3], low), _take(b, pairs[2], pairs[3], high)
    low, high = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    return [_take(b, a0, c0, low), _take(b, a0, c0, high), _take(b, a1, c1, low), _take(b, a1, c1, high)]


def load_quads(b: Any, base: Any, places: list[Any], quad: int, line: int = LINE) -> list[Lanes]:
    """Floats 4·quad … 4·quad + 3 of eight rows, as four columns."""
    rows = [simd.load(b, simd.offset(b, simd.address(b, base, i, line), 16 * quad), HALF) for i in places]
    pairs = [_take(b, rows[k], rows[k + 4], list(range(8))) for k in range(4)]
    return [Lanes(b, column) for column in _turned(b, pairs)]


def store_quads(b: Any, base: Any, places: list[Any], quad: int, columns: list[Lanes], line: int = LINE) -> None:
    pairs = _turned(b, [column.v for column in columns])
    for k, pair in enumerate(pairs):
        for half, lane in ((0, k), (4, k + 4)):
            where = simd.offset(b, simd.address(b, base, places[lane], line), 16 * quad)
            simd.store(b, _take(b, pair, pair, [half, half + 1, half + 2, half + 3]), where)


def load_column(b: Any, where: Any, column: int) -> Lanes:
    return Lanes(b, simd.load(b, simd.offset(b, where, COLUMN * column), simd.VECTOR))


def store_column(b: Any, lanes: Lanes, where: Any, column: int) -> None:
    simd.store(b, lanes.v, simd.offset(b, where, COLUMN * column))


def _whole(b: Any, lanes: Lanes) -> list[Any]:
    """Lanes that hold whole numbers, as int64 scalars."""
    integers = b.fptosi(lanes.v, simd.INT_VECTOR)
    return [
        b.sext(b.extract_element(integers, ir.Constant(simd.INT32, k)), simd.INT64) for k in range(simd.WIDTH)
    ]


def _pair_rows(b: Any, table: Any, places: list[Any]) -> list[Lanes]:
    rows: list[Lanes] = []
    for quad in range(PAIR_COLUMNS // 4):
        rows += load_quads(b, table, places, quad, 4 * PAIR_COLUMNS)
    return rows


def _consecutive(b: Any, first: Any, last: Any) -> list[Any]:
    """first … first + 7, none beyond the last."""
    found = []
    for lane in range(simd.WIDTH):
        i = b.add(first, ir.Constant(simd.INT64, lane))
        found.append(b.select(b.icmp_signed("<", i, last), i, last))
    return found


class _Grain:
    """Eight grains' rows; the parts are loaded when they are asked for."""

    def __init__(self, b: Any, rows: Any, places: list[Any]) -> None:
        self.b, self.rows, self.places = b, rows, places
        *self.x, self.r = load_quads(b, rows, places, 0)

    def load(self) -> None:
        """All that a contact needs."""
        *self.v, self.w = load_quads(self.b, self.rows, self.places, 1)
        *self.spin, self.material = load_quads(self.b, self.rows, self.places, 2)
        *self.low, _ = load_quads(self.b, self.rows, self.places, 3)


def _touch(me: _Grain, other: _Grain, lever: Lanes) -> tuple[Touch, Lanes]:
    """The contact of two grains seen from `me`, and the lever of its force, m."""
    d = [(me.x[a] - other.x[a]) + (me.low[a] - other.low[a]) for a in range(3)]
    square = dot(d, d) + TINY
    inverse = 1.0 / square_root(square)
    n = [component * inverse for component in d]
    both = me.r + other.r
    overlap = both - LANES.rounded(square * inverse)
    short = (0.5 * lever) * overlap
    mine, theirs = me.r - short, other.r - short
    turn = [LANES.rounded(mine * me.spin[a]) + LANES.rounded(theirs * other.spin[a]) for a in range(3)]
    slip = cross(turn, n)
    velocity = [(me.v[a] - other.v[a]) - LANES.rounded(slip[a]) for a in range(3)]
    turning = [me.spin[a] - other.spin[a] for a in range(3)]
    radius = LANES.rounded(me.r * other.r) / both
    smaller = minimum(me.r, other.r)
    return Touch(overlap, tuple(n), tuple(velocity), tuple(turning), radius, smaller, me.w + other.w + TINY), mine


def _wall_touch(me: _Grain, plane: list[Lanes], wall: list[Lanes], lever: Lanes) -> tuple[Touch, Lanes]:
    """The contact with a plane that moves: n·x ≥ offset + r."""
    n = plane[:3]
    overlap = (plane[3] - LANES.rounded(dot(n, me.x))) - LANES.rounded(dot(n, me.low)) + me.r
    mine = me.r - (0.5 * lever) * overlap
    slip = cross([mine * me.spin[a] for a in range(3)], n)
    velocity = [(me.v[a] - wall[a]) - LANES.rounded(slip[a]) for a in range(3)]
    return Touch(overlap, tuple(n), tuple(velocity), tuple(me.spin), me.r, me.r, me.w + TINY), mine


def _torque(touch: Touch, mine: Lanes, given: Given) -> list[Lanes]:
    """On i: the force acts at −n times the lever."""
    turn = cross(touch.normal, given.sideways)
    return [LANES.rounded(given.couple[a]) - LANES.rounded(mine * turn[a]) for a in range(3)]


def _compensated(value: Lanes, low: Lanes, change: Lanes) -> tuple[Lanes, Lanes]:
    """value + low + change, and what the sum of float32 leaves out of it (Kahan 1965)."""
    added = LANES.rounded(change) + low
    total = value + added
    return total, added - (total - value)


def make_pair_slice(law: Law) -> Any:
    """Code for the pairs of eight grains, and their motion under all that acts on them."""

    @intrinsic
    def pair_slice(context, rows, out, own, entries, memory, depth, first, table, kinds, common, watch):
        """One step of grains first … first + 7; addresses and whole numbers, all int64.

        Adds to the forces of their own rows, moves them, and writes their rows to `out`. watch: eight floats, the
        greatest squares of the distances from home so far. Returns a bit for each grain whose numbers are not finite.
        """
        signature = types.int64(*([types.int64] * 11))

        def generate(context, b, signature, arguments):
            rows, out, own, entries, memory, depth, first, table, kinds, common, watch = arguments
            places = [b.add(first, ir.Constant(simd.INT64, lane)) for lane in range(simd.WIDTH)]
            me = _Grain(b, rows, places)
            me.load()
            numbers = [simd.parameter(b, common, k) for k in range(COMMON)]
            own_rows = None if not law.mixed else [b.mul(k, kinds) for k in _whole(b, me.material)]
            one_pair = None if law.mixed else [simd.parameter(b, table, k) for k in range(PAIR_COLUMNS)]
            own_quads = [load_quads(b, own, places, quad) for quad in range(4)]
            total = [Sum(b) for _ in range(6)]
            for k, s in enumerate(total):
                s.replace(own_quads[2 + k // 3][k % 3])
            own_vector = _integers(b, places)
            with simd.loop(b, depth) as k:
                where = simd.address(b, entries, k, COLUMN)
                listed = simd.load(b, where, simd.INT_VECTOR)
                real = b.icmp_signed("!=", listed, own_vector)
                other = _Grain(b, rows, simd.load_indices(b, where))
                kept = simd.address(b, memory, k, law.memory * COLUMN)
                state = load_column(b, kept, STATE)
                alive = b.fcmp_ordered("!=", state.v, ir.Constant(simd.VECTOR, [0.0] * 8))
                d = [me.x[a] - other.x[a] for a in range(3)]
                limit = 1.0001 * (me.r + other.r)
                near = b.and_((dot(d, d) < limit * limit), real)
                with b.if_then(simd.any_of(b, b.or_(near, alive)), likely=True):
                    other.load()
                    pair = one_pair
                    if own_rows is not None:
                        theirs = _whole(b, other.material)
                        pair = _pair_rows(b, table, [b.add(r, t) for r, t in zip(own_rows, theirs, strict=True)])
                    touch, mine = _touch(me, other, numbers[LEVER])
                    acts = touch.overlap > 0.0
                    if law.coheres:
                        within = touch.overlap + reach(LANES, law, touch, pair) > 0.0
                        acts = b.or_(acts, b.and_(alive, within))
                    acts = b.and_(acts, real)
                    given = _remembered(b, law, touch, pair, kept, acts, state, numbers)
                    torque = _torque(touch, mine, given)
                    movable = b.and_(acts, touch.inverse_mass > 2.0 * TINY)
                    for s, value in zip(total, (*given.force, *torque), strict=True):
                        s.add(select(movable, LANES.rounded(value), 0.0))
            return _move(b, me, [Lanes(b, s.total) for s in total], own_quads, numbers, out, own, watch)

        return signature, generate

    return pair_slice


def _remembered(
    b: Any, law: Law, touch: Touch, pair: Any, kept: Any, acts: Any, state: Lanes, numbers: list[Lanes]
) -> Given:
    """The law with the memory at `kept`, which is renewed; contacts that do not act forget."""
    memory = [state if k == STATE else load_column(b, kept, k) for k in range(law.memory)]
    given = contact(LANES, law, touch, pair, memory, numbers[STEP], numbers[LEAST])
    for k, value in enumerate(given.memory):
        store_column(b, select(acts, value, 0.0), kept, k)
    return given


def _move(
    b: Any, me: _Grain, acting: list[Lanes], own_quads: Any, numbers: Any, out: Any, own: Any, watch: Any
) -> Any:
    """Velocities by the forces, places by the velocities; w = 0 goes where its velocity takes it."""
    free = me.w > 0.0
    v_low, w_low, home = own_quads[0][:3], own_quads[1][:3], [own_quads[a][3] for a in range(3)]
    kick, drift = numbers[KICK], numbers[DRIFT]
    spin_rate = kick * (2.5 * me.w / LANES.rounded(me.r * me.r))
    v, spin, x, low, v_rest, w_rest = [], [], [], [], [], []
    square: Lanes | None = None
    for a in range(3):
        change = kick * select(free, me.w * acting[a] + numbers[GRAVITY_X + a], 0.0)
        speed, rest = _compensated(me.v[a], v_low[a], change)
        v.append(speed)
        v_rest.append(rest)
        speed, rest = _compensated(me.spin[a], w_low[a], spin_rate * acting[3 + a])
        spin.append(speed)
        w_rest.append(rest)
        place, rest = _compensated(me.x[a], me.low[a], drift * v[a])
        x.append(place)
        low.append(rest)
        gone = place - home[a]
        square = gone * gone if square is None else square + gone * gone
    assert square is not None
    store_quads(b, own, me.places, 0, [*v_rest, home[0]])
    store_quads(b, own, me.places, 1, [*w_rest, home[1]])
    store_quads(b, own, me.places, 2, [*acting[:3], home[2]])
    store_quads(b, own, me.places, 3, [*acting[3:], own_quads[3][3]])
    store_quads(b, out, me.places, 0, [*x, me.r])
    store_quads(b, out, me.places, 1, [*v, me.w])
    store_quads(b, out, me.places, 2, [*spin, me.material])
    store_quads(b, out, me.places, 3, [*low, low[0]])
    farthest = Lanes(b, simd.load(b, watch, simd.VECTOR))
    # a distance that is no number stays none, so that it is seen
    simd.store(b, select(b.not_(square <= farthest), square, farthest).v, watch)
    size = dot(x, x) + dot(v, v) + dot(spin, spin)
    bad = b.not_(size < 1e14)
    return b.zext(b.bitcast(bad, ir.IntType(simd.WIDTH)), simd.INT64)


@intrinsic
def live_lanes(context, state, entries, first):
    """Bit k says that entry k of eight remembers something, and is a grain later than first + k; addresses, int64."""
    signature = types.int64(types.int64, types.int64, types.int64)

    def generate(context, b, signature, arguments):
        state, entries, first = arguments
        remembered = simd.load(b, state, simd.VECTOR)
        live = b.fcmp_unordered("!=", remembered, ir.Constant(simd.VECTOR, [0.0] * simd.WIDTH))
        lanes = ir.Constant(simd.INT_VECTOR, list(range(simd.WIDTH)))
        own = b.add(simd.splat_integer(b, first), lanes)
        later = b.icmp_signed(">", simd.load(b, entries, simd.INT_VECTOR), own)
        return b.zext(b.bitcast(b.and_(live, later), ir.IntType(simd.WIDTH)), simd.INT64)

    return signature, generate


@intrinsic
def lowest_bit(context, bits):
    """Position of the lowest set bit of a non-zero int64."""

    def generate(context, b, signature, arguments):
        return b.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def make_wall_batch(law: Law) -> Any:
    """Code for eight contacts with walls."""

    @intrinsic
    def wall_batch(context, rows, grain, plane, wall, pair_row, memory, given_rows, first, last, table, common):
        """What contacts first … first + 7 (none beyond last) give their grains; addresses and whole numbers, all int64.

        plane, wall: rows of 4; memory, given_rows: rows of 8. A row of what was given: force, overlap; torque, lever.
        """
        signature = types.void(*([types.int64] * 11))

        def generate(context, b, signature, arguments):
            rows, grain, plane, wall, pair_row, memory, given_rows, first, last, table, common = arguments
            places = _consecutive(b, first, last)
            grains = [b.sext(simd.load(b, simd.address(b, grain, q, 4), simd.INT32), simd.INT64) for q in places]
            pairs = [b.sext(simd.load(b, simd.address(b, pair_row, q, 4), simd.INT32), simd.INT64) for q in places]
            me = _Grain(b, rows, grains)
            me.load()
            pair = _pair_rows(b, table, pairs)
            numbers = [simd.parameter(b, common, k) for k in range(COMMON)]
            touch, mine = _wall_touch(
                me, load_quads(b, plane, places, 0, 16), load_quads(b, wall, places, 0, 16), numbers[LEVER]
            )
            columns = load_quads(b, memory, places, 0, 32)
            if law.resists:
                columns += load_quads(b, memory, places, 1, 32)
            acts = touch.overlap > 0.0
            if law.coheres:
                alive = b.fcmp_ordered("!=", columns[STATE].v, ir.Constant(simd.VECTOR, [0.0] * 8))
                within = touch.overlap + reach(LANES, law, touch, pair) > 0.0
                acts = b.or_(acts, b.and_(alive, within))
            given = contact(LANES, law, touch, pair, columns, numbers[STEP], numbers[LEAST])
            kept = [select(acts, value, 0.0) for value in given.memory]
            store_quads(b, memory, places, 0, kept[:4], 32)
            if law.resists:
                store_quads(b, memory, places, 1, kept[4:], 32)
            movable = b.and_(acts, me.w > 0.0)
            torque = _torque(touch, mine, given)
            force = [select(movable, LANES.rounded(value), 0.0) for value in (*given.force, *torque)]
            store_quads(b, given_rows, places, 0, [*force[:3], touch.overlap], 32)
            store_quads(b, given_rows, places, 1, [*force[3:], mine], 32)
            return context.get_dummy_value()

        return signature, generate

    return wall_batch


def _integers(b: Any, values: list[Any]) -> Any:
    vector = ir.Constant(simd.INT_VECTOR, ir.Undefined)
    for lane, value in enumerate(values):
        vector = b.insert_element(vector, b.trunc(value, simd.INT32), ir.Constant(simd.INT32, lane))
    return vector
