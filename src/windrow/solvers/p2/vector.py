"""Pairs of P² for eight grains at once, by the laws of `laws.py`.

The relaxation 1 − α^(1/n) depends on masses and materials only. The first iteration of a step computes it and
stores it beside the neighbour entry; the others read it, which spares them a root per contact.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, Sum, minimum, select, square_root
from windrow.solvers.p2.laws import PAIR_COLUMNS, RATE, contact, normal_still_to_come, relaxation

# Places in the array of numbers common to all contacts: −1/n, ε ĝ of equation 37, iterations done and left.
ROOT, LEAN_X, LEAN_Y, LEAN_Z, DONE, LEFT = range(6)


def _pair(
    me: list[Lanes], other: list[Lanes], row: list[Lanes], relax: Lanes, left: Any, common: list[Lanes]
) -> tuple[Lanes, Lanes, Lanes, Any]:
    """Correction of `me` by `other` (not yet averaged), and whether the two touch."""
    nx, ny, nz = (me[k] - other[k] for k in range(3))
    d2 = nx * nx + ny * ny + nz * nz + 1e-20
    inverse = 1.0 / square_root(d2)
    n = nx, ny, nz = nx * inverse, ny * inverse, nz * inverse
    gap = d2 * inverse - (me[3] + other[3])
    touching = gap <= 0.0
    u = [me[k] - other[k] for k in range(4, 7)]
    w, r_min = me[7] + other[7] + 1e-20, minimum(me[3], other[3])
    to_come = normal_still_to_come(relax, left)
    along, friction, t, inverse_w = contact(n, u, gap, r_min, w, relax, to_come, common[DONE], common[LEFT], row)
    lean = 1.0 - (common[LEAN_X] * nx + common[LEAN_Y] * ny + common[LEAN_Z] * nz)
    weight = lean * me[7] * inverse_w
    along, across = weight * along, weight * friction
    return along * nx - across * t[0], along * ny - across * t[1], along * nz - across * t[2], touching


def _make(one_material: bool, first_iteration: bool) -> Any:
    @intrinsic
    def sums(context, rows, entries, relaxations, depth, first, last, common, table, materials, kinds, out):
        """Adds up the corrections of grains first … first+7 (clipped to last) over their neighbour lists.

        All arguments are int64; all but depth, first, last and kinds are addresses. out receives four times
        eight floats: the sums of x, y, z and the number of touching neighbours.
        """
        signature = types.void(*([types.int64] * 11))

        def generate(context, b, signature, arguments):
            rows, entries, relaxations, depth, first, last, common, table, materials, kinds, out = arguments
            own = []
            for lane in range(simd.WIDTH):
                i = b.add(first, ir.Constant(simd.INT64, lane))
                own.append(b.select(b.icmp_signed("<", i, last), i, last))
            me = simd.load_rows(b, rows, own)
            numbers = [simd.parameter(b, common, k) for k in range(6)]
            left = b.fptosi(simd.load(b, simd.offset(b, common, 4 * LEFT)), simd.INT64)
            if one_material:
                pair_row = [simd.parameter(b, table, k) for k in range(5)]
            else:
                own_rows = [b.mul(_material(b, materials, i), kinds) for i in own]
            total = [Sum(b) for _ in range(4)]
            own_vector = _integers(b, own)
            with simd.loop(b, depth) as k:
                where = simd.address(b, entries, k, 4 * simd.WIDTH)
                others = simd.load_indices(b, where)
                other = simd.load_rows(b, rows, others)
                if one_material:
                    row = pair_row
                else:
                    places = [
                        b.add(r, _material(b, materials, j)) for r, j in zip(own_rows, others, strict=True)
                    ]
                    row = simd.load_rows(b, table, places)
                kept = simd.address(b, relaxations, k, 4 * simd.WIDTH)
                if first_iteration:
                    relax = relaxation(me[7] + other[7], row[RATE], numbers[ROOT])
                    simd.store(b, relax.v, kept)
                else:
                    relax = Lanes(b, simd.load(b, kept, simd.VECTOR))
                x, y, z, touching = _pair(me, other, row, relax, left, numbers)
                filler = b.icmp_signed("==", simd.load(b, where, simd.INT_VECTOR), own_vector)
                active = b.and_(touching, b.not_(filler))
                for column, value in zip(total, (x, y, z), strict=False):
                    column.add(select(active, value, 0.0))
                total[3].add(select(active, Lanes(b, ir.Constant(simd.VECTOR, [1.0] * 8)), 0.0))
            for k, column in enumerate(total):
                simd.store(b, column.total, simd.offset(b, out, 32 * k))
            return context.get_dummy_value()

        return signature, generate

    return sums


def _material(b: Any, materials: Any, i: Any) -> Any:
    return b.sext(simd.load(b, simd.address(b, materials, i, 4), simd.INT32), simd.INT64)


def _integers(b: Any, values: list[Any]) -> Any:
    vector = ir.Constant(simd.INT_VECTOR, ir.Undefined)
    for lane, value in enumerate(values):
        vector = b.insert_element(vector, b.trunc(value, simd.INT32), ir.Constant(simd.INT32, lane))
    return vector


first_sums_one_material, first_sums = _make(True, True), _make(False, True)
next_sums_one_material, next_sums = _make(True, False), _make(False, False)
assert PAIR_COLUMNS == simd.WIDTH
