"""The loops of granular SPH over particles; `solver.py` says in which order.

Particles are in the order of the grid, eight to a slice. Rows: X {x, y, z, r}, V {v, 1/m}, U {v at the end of the
substep, if nothing changes, –}, T {σ = p + s: xx, yy, zz, xy, xz, yz; p; –}.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device
from windrow.solvers.smoothed.touching import DISTANCE, FRICTION, MOVABLE, MOVES, WEIGHT
from windrow.solvers.sph.laws import (
    COHESION,
    DENSITY,
    SLOPE,
    SURFACE,
    WETTED,
    excess,
    pressure_stiffness,
    shear_viscosity,
    sheared,
    stopped,
    traction,
    turned,
    wetness,
    yielded,
)
from windrow.solvers.sph.vector import pair_sums, stress_divergences, velocity_gradients
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
SUMS = 80
"""Floats of scratch for the sums of one slice: nine times eight, and some to fill a cache line."""
HUGE = F(1e15)
"""Pa; no pressure"""
NOTHING = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
SPRAY = F(0.7)
"""Fill below which a particle is on its own: it bears no stress."""


class SmoothedNeighbours(NamedTuple):
    """Neighbours within h and a skin, and of those, each substep, the ones within h with the gradients of W."""

    first: Any
    depth: Any
    neighbours: Any
    near_depth: Any
    near: Any
    gradients: Any


class SPHSubstep(NamedTuple):
    """A substep."""

    dt: Any
    """its length, s"""
    part: Any
    """that it is of the step; forces are averaged by it"""
    gravity: Any
    """m/s²"""
    share: Any
    """of an excess of fill that is corrected"""
    turn: Any
    """Δt in the first iteration, in which stresses turn with the sand, else 0"""
    most: Any
    """pressure over density that substeps carry, m²/s²"""


class Sand(NamedTuple):
    """What particles are made of, and what they carry from step to step."""

    material: Any
    table: Any
    pressure: Any
    stress: Any
    moisture: Any
    fill: Any


@device
def gradient_of(sums, lane, volume, U, i, touches):
    """Velocity gradient of particle i: V times its sum over neighbours, and (v_wall − v)⊗∇λ of its walls, (18)."""
    l0, l1, l2 = volume * sums[lane], volume * sums[8 + lane], volume * sums[16 + lane]
    l3, l4, l5 = volume * sums[24 + lane], volume * sums[32 + lane], volume * sums[40 + lane]
    l6, l7, l8 = volume * sums[48 + lane], volume * sums[56 + lane], volume * sums[64 + lane]
    row = touches.row
    for q in range(touches.start[i], touches.start[i + 1]):
        k = -row[q, WEIGHT]
        n0, n1, n2 = k * row[q, 0], k * row[q, 1], k * row[q, 2]
        d0, d1, d2 = row[q, MOVES] - U[i, 0], row[q, MOVES + 1] - U[i, 1], row[q, MOVES + 2] - U[i, 2]
        l0, l1, l2 = l0 + d0 * n0, l1 + d0 * n1, l2 + d0 * n2
        l3, l4, l5 = l3 + d1 * n0, l4 + d1 * n1, l5 + d1 * n2
        l6, l7, l8 = l6 + d2 * n0, l7 + d2 * n1, l8 + d2 * n2
    return (l0, l1, l2, l3, l4, l5, l6, l7, l8)


@device
def bearing_row(T, i, p, s):
    """Row i of T."""
    T[i, 0], T[i, 1], T[i, 2] = p + s[0], p + s[1], p + s[2]
    T[i, 3], T[i, 4], T[i, 5], T[i, 6] = s[3], s[4], s[5], p


@device
def at_walls(X, T, i, w, u0, u1, u2, begin, end, touches, spline, dt):
    """Velocity of particle i after its walls pressed on it; what they gave is booked in `touches.push`."""
    row, push = touches.row, touches.push
    p = T[i, 6]
    s = (T[i, 0] - p, T[i, 1] - p, T[i, 2] - p, T[i, 3], T[i, 4], T[i, 5])
    while end > begin and row[end - 1, FRICTION] == MOVABLE:
        end -= 1
    for q in range(begin, end):
        f0, f1, f2 = traction(p, s, row[q, 0], row[q, 1], row[q, 2], row[q, WEIGHT], row[q, FRICTION])
        j = dt * spline.volume
        push[q, 0], push[q, 1], push[q, 2] = j * f0, j * f1, j * f2
        u0, u1, u2 = u0 + w * push[q, 0], u1 + w * push[q, 1], u2 + w * push[q, 2]
    for q in range(begin, end):
        m0, m1, m2 = row[q, MOVES], row[q, MOVES + 1], row[q, MOVES + 2]
        gap = row[q, DISTANCE] - X[i, 3]
        e0, e1, e2 = stopped(
            u0 - m0, u1 - m1, u2 - m2, row[q, 0], row[q, 1], row[q, 2], gap, row[q, FRICTION], dt
        )
        e0, e1, e2 = e0 + m0, e1 + m1, e2 + m2
        push[q, 0] += (e0 - u0) / w
        push[q, 1] += (e1 - u1) / w
        push[q, 2] += (e2 - u2) / w
        u0, u1, u2 = e0, e1, e2
    return u0, u1, u2


@parallel
def weigh(team, X, V, count, lists, wall_fill, spline, numbers, sand, scratch, drift):
    """Lists the neighbours within h, with ∇W; fill; viscous accelerations into drift.

    wall_fill: what walls add to the fill.
    """
    h2 = spline.h * spline.h
    places, velocities, near = X.ctypes.data, V.ctypes.data, lists.near
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        sums, out = scratch[b], scratch.ctypes.data + b * 4 * SUMS
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            first, depth, longest = lists.first[s], lists.depth[s], 0
            lanes = min(8, count - 8 * s)
            for lane in range(lanes):
                i = 8 * s + lane
                x, y, z = X[i, 0], X[i, 1], X[i, 2]
                found = 0
                for k in range(depth):
                    j = lists.neighbours[first + 8 * k + lane]
                    d0, d1, d2 = x - X[j, 0], y - X[j, 1], z - X[j, 2]
                    near[first + 8 * found + lane] = j
                    found += 1 if (d0 * d0 + d1 * d1 + d2 * d2 < h2 and j != i) else 0
                sums[72 + lane] = F(found)
                longest = max(longest, found)
            for lane in range(8):
                own = min(8 * s + lane, count - 1)
                found = int(sums[72 + lane]) if lane < lanes else 0
                for k in range(found, longest):
                    near[first + 8 * k + lane] = own
            lists.near_depth[s] = longest
            at = lists.near.ctypes.data + 4 * first
            grads = lists.gradients.ctypes.data + 12 * first
            pair_sums(places, velocities, at, longest, 8 * s, count - 1, numbers.ctypes.data, grads, out)
            for lane in range(lanes):
                i = 8 * s + lane
                # the particle itself counts once, its copies that fill the list up not at all
                bells = sums[lane] - F(longest) + sums[72 + lane] + ONE
                sand.fill[i] = spline.volume * spline.height * bells + wall_fill[i]
                w = V[i, 3]
                drift[i, 0], drift[i, 1], drift[i, 2] = w * sums[8 + lane], w * sums[16 + lane], w * sums[24 + lane]


@parallel
def bear(team, U, V, count, lists, touches, spline, pace, sand, T, scratch):
    """Pass A: velocity gradients of U, and with them pressure and stress, (6), (11), (4); T for `push`.
    """
    dt, turn, share = pace.dt, pace.turn, pace.share
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        sums, out = scratch[b], scratch.ctypes.data + b * 4 * SUMS
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            first = lists.first[s]
            at, grads = lists.near.ctypes.data + 4 * first, lists.gradients.ctypes.data + 12 * first
            velocity_gradients(U.ctypes.data, at, grads, lists.near_depth[s], 8 * s, count - 1, out)
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                l = gradient_of(sums, lane, spline.volume, U, i, touches)
                row = sand.table[sand.material[i]]
                mass = ONE / V[i, 3] if V[i, 3] > ZERO else row[DENSITY] * spline.volume
                fill = sand.fill[i]
                p, stiffness = sand.pressure[i], pressure_stiffness(mass, dt, spline)
                more = excess(fill, l[0] + l[4] + l[8], dt, share, p / stiffness)
                p = max(p + stiffness * more, ZERO)
                r = (
                    sand.stress[i, 0], sand.stress[i, 1], sand.stress[i, 2],
                    sand.stress[i, 3], sand.stress[i, 4], sand.stress[i, 5],
                )  # fmt: skip
                if turn > ZERO:
                    r = turned(r, l, turn)
                r = sheared(r, l, shear_viscosity(mass, dt, spline))
                cohesion = row[COHESION] + row[WETTED] * wetness(sand.moisture[i])
                if fill < SPRAY:
                    p, cohesion = ZERO, ZERO
                p = min(p, pace.most * row[DENSITY])
                if not p < HUGE:  # a lost number stays with its particle
                    p, cohesion, r = ZERO, ZERO, NOTHING
                r = yielded(r, p, int(row[SURFACE]), row[SLOPE], cohesion)
                sand.pressure[i] = p
                for k in range(6):
                    sand.stress[i, k] = r[k]
                bearing_row(T, i, p, r)


@parallel
def carry(team, count, lasting, sand, T):
    """T of the pressures and stresses that the last substep left; none are left where they do not last."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            s = sand.stress[i]
            if not lasting:
                sand.pressure[i] = ZERO
                for k in range(6):
                    s[k] = ZERO
            bearing_row(T, i, sand.pressure[i], (s[0], s[1], s[2], s[3], s[4], s[5]))


@parallel
def push(team, X, V, count, lists, touches, spline, pace, drift, T, U, scratch):
    """Pass B: forces of T and of the walls, and the velocities U that they lead to, (2), (5), (15)."""
    dt, gravity = pace.dt, pace.gravity
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        sums, out = scratch[b], scratch.ctypes.data + b * 4 * SUMS
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            first = lists.first[s]
            at, grads = lists.near.ctypes.data + 4 * first, lists.gradients.ctypes.data + 12 * first
            stress_divergences(T.ctypes.data, at, grads, lists.near_depth[s], 8 * s, count - 1, out)
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                w = V[i, 3]
                if w == ZERO:
                    U[i, 0], U[i, 1], U[i, 2] = V[i, 0], V[i, 1], V[i, 2]
                    continue
                k = -w * spline.volume * spline.volume
                u0 = V[i, 0] + dt * (k * sums[lane] + drift[i, 0] + gravity[0])
                u1 = V[i, 1] + dt * (k * sums[8 + lane] + drift[i, 1] + gravity[1])
                u2 = V[i, 2] + dt * (k * sums[16 + lane] + drift[i, 2] + gravity[2])
                begin, end = touches.start[i], touches.start[i + 1]
                if begin < end:
                    u0, u1, u2 = at_walls(X, T, i, w, u0, u1, u2, begin, end, touches, spline, dt)
                U[i, 0], U[i, 1], U[i, 2] = u0, u1, u2
