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
from windrow.solvers.smoothed.spline import bell
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


class Bodies(NamedTuple):
    """Rows of one of the two: X {x, y, z, r}, V {v, 1/m}, flow: force of the other one, N."""

    X: Any
    V: Any
    flow: Any


class Flow(NamedTuple):
    """Numbers of the step and of the liquid."""

    dt: Any
    h: Any
    bulk: Any
    """V W(0), –"""
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
                        many += 1
            if not fill:
                near.start[i + 1] = many


@kernel
def crowd(X: F32, count: int, near: Near, volume: float, particles: int, solid: F32) -> None:
    """solid[j]: share of the room around particle j that grains fill. volume: of a particle, m³."""
    for j in range(particles):
        solid[j] = ZERO
    for i in range(count):
        r = X[i, 3]
        share = F(4.0 / 3.0 * np.pi) * r * r * r / F(volume)
        for k in range(near.start[i], near.start[i + 1]):
            solid[near.particle[k]] += share * near.weight[k]


@kernel
def exchange(
    grains: Bodies, count: int, water: Bodies, near: Near, walls: F32, gained: F32, solid: F32, density: F32,
    flow: Flow,
) -> None:  # fmt: skip
    """Buoyancy and drag of all grains, one after the other, and the opposite on the liquid, as forces over the step.

    Velocities of both are changed by all of it, so that a grain sees what others have done. walls: share of the room around each
    grain that walls fill; gained: velocity that the liquid's own step gave each particle beyond gravity, m/s; density: of
    each particle, kg/m³.

    That velocity tells the gradient of the pressure: −Δt ∇p = ε ρ (Δu − Δt g), ε being the share that grains leave. The
    pressures of single particles tell it less well, and not beside walls.
    """
    X, V, P, U = grains.X, grains.V, water.X, water.V
    for i in range(count):
        begin, end = near.start[i], near.start[i + 1]
        total = square = crowded = solids = rho = ZERO
        u0 = u1 = u2 = j0 = j1 = j2 = ZERO
        r = X[i, 3]
        volume = F(4.0 / 3.0 * np.pi) * r * r * r
        own = volume / (F(8.0) * P[0, 3] * P[0, 3] * P[0, 3])
        for k in range(begin, end):
            j, w = near.particle[k], near.weight[k]
            total += w
            square += w * w * U[j, 3]
            solids += w * solid[j]
            crowded += w * (solid[j] - own * w)
            rho += w * density[j]
            u0, u1, u2 = u0 + w * U[j, 0], u1 + w * U[j, 1], u2 + w * U[j, 2]
            j0, j1, j2 = j0 + w * gained[j, 0], j1 + w * gained[j, 1], j2 + w * gained[j, 2]
        for a in range(3):
            grains.flow[i, a] = ZERO
        if not total > TINY:
            continue
        crowded, rho = max(crowded / total, ZERO), rho / total
        wet = wetness(total, ONE - walls[i] - crowded)
        ease = V[i, 3] + square / (total * total)
        if not (wet > ZERO and ease > ZERO):
            continue
        push = wet * volume * rho * max(ONE - solids / total, LEAST_VOIDS) / total
        j0, j1, j2 = push * j0, push * j1, push * j2
        if flow.drag:
            # the liquid's velocity past the grain in the middle of the step
            u0 = u0 / total - V[i, 0] - HALF * ease * j0
            u1 = u1 / total - V[i, 1] - HALF * ease * j1
            u2 = u2 / total - V[i, 2] - HALF * ease * j2
            speed = np.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
            voids = max(ONE - crowded, LEAST_VOIDS)
            taken = ZERO
            for _ in range(ROUNDS):
                left = speed * (ONE - HALF * ease * taken)
                taken = drag_taken(wet * drag_factor(left, r, rho, flow.viscosity, voids), ease, flow.dt)
            j0, j1, j2 = j0 + taken * u0, j1 + taken * u1, j2 + taken * u2
        if not abs(j0) + abs(j1) + abs(j2) < F(1e30):
            continue
        V[i, 0], V[i, 1], V[i, 2] = V[i, 0] + V[i, 3] * j0, V[i, 1] + V[i, 3] * j1, V[i, 2] + V[i, 3] * j2
        inverse = ONE / flow.dt
        grains.flow[i, 0], grains.flow[i, 1], grains.flow[i, 2] = inverse * j0, inverse * j1, inverse * j2
        for k in range(begin, end):
            j, w = near.particle[k], near.weight[k] / total
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


