"""What precedes the sweeps of a step, eight contacts at a time: impulses recalled, softness weighed.

Both are passes over all batches, once per step. The first adds up, for each grain, the velocity that last step's
impulses give it and the number of contacts that carry any; the second turns stiffness and damping into the
softness of `laws.contact_softness`, for the substep at hand and for how crowded the contact is.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, maximum, minimum, select, square_root
from windrow.solvers.ndem.laws import (
    ADHESION,
    DAMPING,
    EASY,
    GRIP,
    KINETIC,
    LAW,
    MU_K,
    MU_S,
    ROW,
    SHEAR,
    SHEAR_DAMPING,
    SOFT,
    SPRING,
    STATIC,
    STIFFNESS,
    STRENGTH,
)
from windrow.solvers.ndem.vector import (
    CARRIED_MOST,
    COLUMN,
    COMMON_DAMPING,
    COMMON_STIFFNESS,
    RELAXATION,
    STEP,
    Vector,
    dot,
    load_column,
    load_grains,
    positive,
    store_column,
    store_grains,
)

PI = 3.14159265358979


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
def recall_pairs(context, velocities, sums, ends, impulse, scale, batch):
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
def recall_walls(context, velocities, sums, ends, impulse, scale, batch):
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
    """`laws.contact_softness`, with the relaxation time where there are other loaded contacts; `laws.shear_grip`."""
    h = simd.parameter(b, common, STEP)
    k = minimum(k, simd.parameter(b, common, CARRIED_MOST) / maximum(K, 1e-30))
    crowded = maximum(c, simd.parameter(b, common, RELAXATION) * k)
    easy, hard = h * (h * k + c), h * (h * k + select(others <= 0.5, c, crowded))
    works = b.and_(positive(hard), positive(K))
    store_column(b, select(works, hard / (1.0 + hard * K), 0.0), row, SOFT)
    store_column(b, select(works, easy / (1.0 + easy * K), 0.0), row, EASY)
    store_column(b, select(works, h * k, 0.0), row, SPRING)
    shear = float(SHEAR) * k
    grip = h * (h * shear + 2.0 * float(SHEAR_DAMPING) * square_root(shear / maximum(K, 1e-30)))
    store_column(b, select(works, grip / (1.0 + grip * K), 0.0), row, GRIP)


def _store_law(b: Any, values: Vector, common: Any, law: Any) -> None:
    store_column(b, values[STATIC], law, MU_S)
    store_column(b, values[KINETIC], law, MU_K)
    store_column(b, PI * simd.parameter(b, common, STEP) * values[ADHESION], law, STRENGTH)


def _any(b: Any, mask: Any) -> Any:
    """1 if the mask holds in any lane, else 0."""
    bits = b.bitcast(mask, ir.IntType(8))
    return b.zext(b.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(8), 0)), simd.INT64)


def _integer(b: Any, base: Any, place: Any) -> Any:
    return b.sext(simd.load(b, simd.address(b, base, place, 4), simd.INT32), simd.INT64)


def _weigh_pairs(own_law: bool) -> Any:
    @intrinsic
    def weigh_pairs(
        context, velocities, sums, ends, impulse, row, law, common, material, table, kinds, batch
    ):
        """Softness (and friction) of a batch of contacts between grains; sums: see `recall_pairs`.

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
                _store_law(b, values, common, simd.address(b, law, batch, LAW * COLUMN))
                k, c = values[STIFFNESS], values[DAMPING]
            else:
                k, c = simd.parameter(b, common, COMMON_STIFFNESS), simd.parameter(b, common, COMMON_DAMPING)
            _store_softness(b, k, c, wi + wj, others, common, simd.address(b, row, batch, ROW * COLUMN))
            return _any(b, positive(wi + wj))

        return signature, generate

    return weigh_pairs


@intrinsic
def weigh_walls(context, velocities, sums, ends, impulse, row, law, common, kind, table, batch):
    """The same for contacts with walls; kind: row of the table for each of them."""
    signature = types.int64(*([types.int64] * 10))

    def generate(context, b, signature, arguments):
        velocities, sums, ends, impulse, row, law, common, kind, table, batch = arguments
        i = simd.load_indices(b, simd.address(b, ends, batch, COLUMN))
        w = load_grains(b, velocities, i)[3]
        one = w * 0.0 + 1.0
        others = load_grains(b, sums, i)[3] - select(_loaded(b, impulse, batch), one, 0.0)
        values = simd.load_rows(b, table, simd.load_indices(b, simd.address(b, kind, batch, COLUMN)))
        _store_law(b, values, common, simd.address(b, law, batch, LAW * COLUMN))
        where = simd.address(b, row, batch, ROW * COLUMN)
        _store_softness(b, values[STIFFNESS], values[DAMPING], w, others, common, where)
        return _any(b, positive(w))

    return signature, generate


weigh_pairs, weigh_pairs_alike = _weigh_pairs(True), _weigh_pairs(False)
