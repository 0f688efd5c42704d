"""Sums over neighbours for eight particles at once; each lane is a particle, each turn of the loop a neighbour of each.

Lists of neighbours lie in slices of eight (`collide.neighbours`), filled up with the particle itself, whose gradient is
zero. Gradients lie beside them: eight x, eight y and eight z for every eight entries.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.simd import Lanes, Sum, maximum, minimum, select, square_root

INVERSE_H, STEEPNESS, VISCOUS, SOFT = range(4)
"""Places among the numbers of `pair_sums`: 1/h; W(0)/h²; σ c_s h V m with one mass m for all pairs; 0.01 h²"""

Value = Any


def _own(b: Value, first: Value, last: Value) -> list[Value]:
    """Numbers of the eight particles, clipped to the last."""
    own = []
    for lane in range(simd.WIDTH):
        i = b.add(first, ir.Constant(simd.INT64, lane))
        own.append(b.select(b.icmp_signed("<", i, last), i, last))
    return own


@intrinsic
def pair_sums(context, places, velocities, entries, depth, first, last, numbers, gradients, out):
    """∇W of all entries into `gradients`; out: eight each of Σ W/W(0), fillers included, and of viscous Σ f ∇W, x y z.

    (20) between particles: f = σ c_s h V m min(v·x, 0)/(x² + 0.01 h²), with velocities and places of one relative to
    the other; their sums are forces, N. All arguments are int64, and all but depth, first and last addresses.
    """
    signature = types.void(*([types.int64] * 9))

    def generate(context, b, signature, arguments):
        places, velocities, entries, depth, first, last, numbers, gradients, out = arguments
        own = _own(b, first, last)
        x, v = simd.load_short_rows(b, places, own)[:3], simd.load_short_rows(b, velocities, own)[:3]
        inverse_h, slope, viscous, soft = (simd.parameter(b, numbers, k) for k in range(4))
        bells, forces = Sum(b), [Sum(b) for _ in range(3)]
        with simd.loop(b, depth) as k:
            others = simd.load_indices(b, simd.address(b, entries, k, 4 * simd.WIDTH))
            y, u = simd.load_short_rows(b, places, others), simd.load_short_rows(b, velocities, others)
            d = [x[a] - y[a] for a in range(3)]
            d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            q = minimum(square_root(d2) * inverse_h, 1.0)
            t = 1.0 - q
            near = q <= 0.5
            bells.add(select(near, 6.0 * q * q * (q - 1.0) + 1.0, 2.0 * t * t * t))
            g = slope * select(near, 18.0 * q - 12.0, -6.0 * t * t / maximum(q, 0.5))
            closing = (v[0] - u[0]) * d[0] + (v[1] - u[1]) * d[1] + (v[2] - u[2]) * d[2]
            f = viscous * minimum(closing, 0.0) / (d2 + soft)
            where = simd.address(b, gradients, k, 12 * simd.WIDTH)
            for a in range(3):
                along = g * d[a]
                simd.store(b, along.v, simd.offset(b, where, 32 * a))
                forces[a].add(f * along)
        for k, column in enumerate([bells, *forces]):
            simd.store(b, column.total, simd.offset(b, out, 32 * k))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def velocity_gradients(context, velocities, entries, gradients, depth, first, last, out):
    """out: eight each of Σ_j (v_j − v_i)_a ∇W_b, ab = xx, xy, xz, yx, … zz; (3) without V."""
    signature = types.void(*([types.int64] * 7))

    def generate(context, b, signature, arguments):
        velocities, entries, gradients, depth, first, last, out = arguments
        v = simd.load_short_rows(b, velocities, _own(b, first, last))
        sums = [Sum(b) for _ in range(9)]
        with simd.loop(b, depth) as k:
            others = simd.load_indices(b, simd.address(b, entries, k, 4 * simd.WIDTH))
            u, g = simd.load_short_rows(b, velocities, others), _gradient(b, gradients, k)
            for a in range(3):
                difference = u[a] - v[a]
                for c in range(3):
                    sums[3 * a + c].add(difference * g[c])
        for k, column in enumerate(sums):
            simd.store(b, column.total, simd.offset(b, out, 32 * k))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def stress_divergences(context, stresses, entries, gradients, depth, first, last, out):
    """out: eight each of x, y, z of Σ_j (σ_i + σ_j)·∇W; stresses: rows of eight, xx, yy, zz, xy, xz, yz first.

    (2) and (5) at once.
    """
    signature = types.void(*([types.int64] * 7))

    def generate(context, b, signature, arguments):
        stresses, entries, gradients, depth, first, last, out = arguments
        mine = simd.load_rows(b, stresses, _own(b, first, last))[:6]
        sums = [Sum(b) for _ in range(3)]
        with simd.loop(b, depth) as k:
            others = simd.load_indices(b, simd.address(b, entries, k, 4 * simd.WIDTH))
            theirs, g = simd.load_rows(b, stresses, others), _gradient(b, gradients, k)
            xx, yy, zz, xy, xz, yz = (mine[c] + theirs[c] for c in range(6))
            sums[0].add(xx * g[0] + xy * g[1] + xz * g[2])
            sums[1].add(xy * g[0] + yy * g[1] + yz * g[2])
            sums[2].add(xz * g[0] + yz * g[1] + zz * g[2])
        for k, column in enumerate(sums):
            simd.store(b, column.total, simd.offset(b, out, 32 * k))
        return context.get_dummy_value()

    return signature, generate


def _gradient(b: Value, gradients: Value, k: Value) -> list[Lanes]:
    where = simd.address(b, gradients, k, 12 * simd.WIDTH)
    return [Lanes(b, simd.load(b, simd.offset(b, where, 32 * a), simd.VECTOR)) for a in range(3)]
