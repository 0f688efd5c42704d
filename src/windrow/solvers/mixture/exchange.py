"""The loops over grains and the liquid around them; `solver.py` says in which order.

A grain meets the particles of liquid within h of it, with the weights V W of the fill. What it gives them is spread by
these weights, so that momentum is kept to rounding whatever the law.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32
from windrow.kernel import BLOCK, device, kernel
from windrow.solvers.mixture.laws import LEAST_VOIDS, drag_factor, drag_taken, wetness
from windrow.solvers.smoothed.spline import bell, bell_slope
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, HALF, ONE = F(0.0), F(0.5), F(1.0)
ROUNDS = 4
"""Of the drag, which depends on the speed that it changes."""
TINY = F(1e-20)


class Cells(NamedTuple):
    """Particles of liquid by cells of side h on a torus; see `collide.grid`."""

    low: Any
    inverse: Any
    """1/m"""
    size: Any
    """(3,) cells along each axis, three at least"""
    start: Any
    order: Any


class Near(NamedTuple):
    """Particles of liquid within h of each grain: those of grain i are the rows start[i] … start[i + 1]."""

    start: Any
    particle: Any
    weight: Any
    """V W, –"""
    gradient: Any
    """(rows, 3) its gradient by the particle's place, 1/m"""


class PhaseRows(NamedTuple):
    """Rows of one of the two: X {x, y, z, r}, V {v, 1/m}, flow: force of the other one, N."""

    X: Any
    V: Any
    flow: Any


class Flow(NamedTuple):
    """Numbers of the step and of the liquid."""

    dt: Any
    cube: Any
    """volume of a particle of liquid, m³"""
    viscosity: Any
    """Pa s"""
    drag: Any
    """whether there is any"""


@device
def fraction(X, i, P, j, h):
    """q = r/h of grain i and particle j."""
    d0, d1, d2 = X[i, 0] - P[j, 0], X[i, 1] - P[j, 1], X[i, 2] - P[j, 2]
    return np.sqrt(d0 * d0 + d1 * d1 + d2 * d2) / h


@device
def cubes_in(radius, volume):
    """Volume of a grain over that of a particle of liquid."""
    return F(4.0 / 3.0 * np.pi) * radius * radius * radius / F(volume)


@device
def column_along(x, low, inverse, size):
    """Index along one axis, on the torus, of a place anywhere."""
    return np.int64(np.floor((x - low) * inverse)) % size


@parallel
def meet(team, X, count, P, cells, h, bulk, near, fill):
    """Counts the particles near each grain into near.start[i + 1]; with `fill` it writes them, and their weights."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            at = near.start[i]
            many = 0
            c0 = column_along(X[i, 0], cells.low[0], cells.inverse, cells.size[0])
            c1 = column_along(X[i, 1], cells.low[1], cells.inverse, cells.size[1])
            c2 = column_along(X[i, 2], cells.low[2], cells.inverse, cells.size[2])
            for o in range(27):
                x = (c0 + o // 9 - 1) % cells.size[0]
                y = (c1 + o // 3 % 3 - 1) % cells.size[1]
                z = (c2 + o % 3 - 1) % cells.size[2]
                c = (x * cells.size[1] + y) * cells.size[2] + z
                for k in range(cells.start[c], cells.start[c + 1]):
                    j = cells.order[k]
                    q = fraction(X, i, P, j, h)
                    if q < ONE:
                        if fill:
                            near.particle[at + many] = j
                            near.weight[at + many] = bulk * bell(q)
                            steep = bulk / (h * h) * bell_slope(q)
                            for a in range(3):
                                near.gradient[at + many, a] = steep * (P[j, a] - X[i, a])
                        many += 1
            if not fill:
                near.start[i + 1] = many


@kernel
def crowd(grains: PhaseRows, count: int, near: Near, volume: float, particles: int, solid: F32, lean: F32) -> None:
    """solid[j]: share of the room around particle j that grains fill; lean[j]: its gradient there, and how fast it
    changes because grains move. volume: of a particle, m³."""
    X, V = grains.X, grains.V
    for j in range(particles):
        solid[j] = ZERO
        for a in range(4):
            lean[j, a] = ZERO
    for i in range(count):
        share = cubes_in(X[i, 3], volume)
        for k in range(near.start[i], near.start[i + 1]):
            j = near.particle[k]
            solid[j] += share * near.weight[k]
            for a in range(3):
                g = share * near.gradient[k, a]
                lean[j, a] += g
                lean[j, 3] += g * V[i, a]


@kernel
def exchange(
    grains: PhaseRows,
    count: int,
    water: PhaseRows,
    near: Near,
    walls: F32,
    gained: F32,
    density: F32,
    taken: F32,
    flow: Flow,
) -> None:
    """Buoyancy and drag of all grains, one after the other, and the opposite on the liquid, as forces over the step.

    Velocities of both are changed by all of it, so that a grain sees what others have done. walls: share of the room
    around each grain that walls fill; gained: velocity that the liquid's own step gave each particle beyond gravity,
    m/s, its share of solid, and the sum of its multipliers, N s m; density: of each particle, kg/m³; taken: what the
    walls beside each grain get of it, N.

    That velocity tells the gradient of the pressure: −Δt ∇p = ρ (Δu − Δt g). The liquid has pushed already at the room
    that grains take, by its multipliers; what differs from that goes to the liquid around a grain or, beside a wall, to
    the wall: there is no liquid that would push from the other side.
    """
    X, V, U = grains.X, grains.V, water.V
    inverse = ONE / flow.dt
    for i in range(count):
        begin, end = near.start[i], near.start[i + 1]
        total = square = crowded = rho = ZERO
        u0 = u1 = u2 = j0 = j1 = j2 = p0 = p1 = p2 = ZERO
        for a in range(3):
            grains.flow[i, a] = taken[i, a] = ZERO
        own = cubes_in(X[i, 3], flow.cube)
        for k in range(begin, end):
            j, w = near.particle[k], near.weight[k]
            total += w
            square += w * w * U[j, 3]
            crowded += w * (gained[j, 3] - own * w)
            rho += w * density[j]
            u0, u1, u2 = u0 + w * U[j, 0], u1 + w * U[j, 1], u2 + w * U[j, 2]
            j0, j1, j2 = j0 + w * gained[j, 0], j1 + w * gained[j, 1], j2 + w * gained[j, 2]
            press = own * gained[j, 4]
            p0, p1, p2 = (
                p0 + press * near.gradient[k, 0], p1 + press * near.gradient[k, 1], p2 + press * near.gradient[k, 2],
            )  # fmt: skip
        if not total > TINY:
            continue
        crowded, rho = max(crowded / total, ZERO), rho / total
        wet = wetness(total, ONE - walls[i] - crowded)
        ease = max(V[i, 3] + square / (total * total), TINY)
        push = wet * own * flow.cube * rho / total
        j0, j1, j2 = push * j0, push * j1, push * j2
        if walls[i] > ZERO:
            taken[i, 0], taken[i, 1], taken[i, 2] = inverse * (p0 - j0), inverse * (p1 - j1), inverse * (p2 - j2)
            p0, p1, p2 = j0, j1, j2
        if flow.drag and wet > ZERO:
            # the liquid's velocity past the grain in the middle of the step
            u0 = u0 / total - V[i, 0] - HALF * V[i, 3] * j0
            u1 = u1 / total - V[i, 1] - HALF * V[i, 3] * j1
            u2 = u2 / total - V[i, 2] - HALF * V[i, 3] * j2
            speed = np.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
            voids = max(ONE - crowded, LEAST_VOIDS)
            share = ZERO
            for _ in range(ROUNDS):
                left = speed * (ONE - HALF * ease * share)
                share = drag_taken(wet * drag_factor(left, X[i, 3], rho, flow.viscosity, voids), ease, flow.dt)
            j0, j1, j2 = j0 + share * u0, j1 + share * u1, j2 + share * u2
        V[i, 0], V[i, 1], V[i, 2] = V[i, 0] + V[i, 3] * j0, V[i, 1] + V[i, 3] * j1, V[i, 2] + V[i, 3] * j2
        grains.flow[i, 0], grains.flow[i, 1], grains.flow[i, 2] = inverse * j0, inverse * j1, inverse * j2
        j0, j1, j2 = (j0 - p0) / total, (j1 - p1) / total, (j2 - p2) / total
        for k in range(begin, end):
            j, w = near.particle[k], near.weight[k]
            for a, part in enumerate((w * j0, w * j1, w * j2)):
                U[j, a] -= U[j, 3] * part
                water.flow[j, a] -= inverse * part


@parallel
def kick(team, V, flags, flow, count, dt):
    """Velocities after half of a step of the forces of the other one. dt: the half, s."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if not flags[i]:
                for a in range(3):
                    V[i, a] += dt * V[i, 3] * flow[i, a]


