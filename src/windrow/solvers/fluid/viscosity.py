"""Viscosity, implicit: (M + Δt K) v = M v*, with K of friction between neighbours and at walls.

Morris, Fox and Zhu (1997): the force between i and j is 2 μ V² (x·∇W)/(x² + 0.01 h²) (v_i − v_j). On a lattice this is
the second difference of the velocity but for a factor, which `friction_factor` makes exact. A wall holds the layer
beside it by μ d₀²/d (v_wall − v), d being the layer's distance, so that a linear profile ends at the wall.

Conjugate gradients, with the masses as preconditioner: they change no sum of momenta at any iteration. Thin fluids are
done after one or two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.fixed_math import norm
from windrow.geometry.terms import F32, F64
from windrow.kernel import BLOCK, device
from windrow.solvers.fluid.kernels import NeighbourRows
from windrow.solvers.smoothed.spline import SUPPORT, Spline, wall_weight
from windrow.solvers.smoothed.touching import DISTANCE, FRICTION, MOVABLE, MOVES, Touches
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
MOST = 60
"""iterations"""
ENOUGH = 1e-4
"""Residual that is left, of the first"""
NEAREST = F(0.25)
"""Distance over d₀ that friction at a wall is computed for at least"""


class Solve(NamedTuple):
    """Rows of the conjugate gradients: residual, direction and its product, (n, 4) each."""

    residual: F32
    direction: F32
    product: F32


def room(capacity: int) -> Solve:
    return Solve(*(np.zeros((capacity + 8, 4), np.float32) for _ in range(3)))


def friction_factor(spline: Spline) -> float:
    """What 2 Σ c z² over a lattice must be multiplied by, so that its Laplacian is exact: 1.0 or nearly."""
    d, h = float(spline.h) / SUPPORT, float(spline.h)
    reach = np.arange(-2, 3, dtype=np.float64) * d
    place = np.stack(np.meshgrid(reach, reach, reach, indexing="ij"), axis=-1).reshape(-1, 3)
    r = norm(place)
    q = np.minimum(r / h, 1.0)
    slope = np.where(q <= 0.5, 18.0 * q - 12.0, -6.0 * (1.0 - q) * (1.0 - q) / np.maximum(q, 0.5))
    c = -float(spline.volume) * float(spline.height) / (h * h) * slope * r * r / (r * r + 0.01 * h * h)
    # Σ 2 c (v_j − v_i) of v = z²/2 must be 1
    return 1.0 / float((c * place[:, 2] * place[:, 2]).sum())


@device
def wall_friction(distance, spline):
    """Force of a wall per viscosity and velocity on a particle at this distance, m: d₀²/d at d = d₀/2."""
    d0 = spline.h / F(SUPPORT)
    share = wall_weight(distance / spline.h) / wall_weight(F(0.5) / F(SUPPORT))
    return share * d0 * d0 / max(distance, NEAREST * d0)


@parallel
def start(team, X, V, U, count, rows, touches, spline, drag, solve, partial):
    """Residual −Δt K v and first direction; drag: Δt μ times the factor, kg/m; partial[b]: Σ r·z."""
    row, near, G = touches.row, rows.near, rows.gradient
    r, p = solve.residual, solve.direction
    weight = F(2.0) * drag * spline.volume
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        total = 0.0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            f0 = f1 = f2 = ZERO
            for t in range(rows.begin[i], rows.end[i]):
                j = near[t]
                c = weight * G[t, 3]
                f0 += c * (U[j, 0] - U[i, 0])
                f1 += c * (U[j, 1] - U[i, 1])
                f2 += c * (U[j, 2] - U[i, 2])
            for q in range(touches.start[i], touches.start[i + 1]):
                if row[q, FRICTION] == MOVABLE:
                    continue
                c = drag * wall_friction(row[q, DISTANCE], spline)
                # along the wall only: contact holds what goes across
                d0, d1, d2 = row[q, MOVES] - U[i, 0], row[q, MOVES + 1] - U[i, 1], row[q, MOVES + 2] - U[i, 2]
                n = d0 * row[q, 0] + d1 * row[q, 1] + d2 * row[q, 2]
                f0 += c * (d0 - n * row[q, 0])
                f1 += c * (d1 - n * row[q, 1])
                f2 += c * (d2 - n * row[q, 2])
            if w == ZERO:
                f0 = f1 = f2 = ZERO
            r[i, 0], r[i, 1], r[i, 2] = f0, f1, f2
            p[i, 0], p[i, 1], p[i, 2] = w * f0, w * f1, w * f2
            total += np.float64(w) * (f0 * f0 + f1 * f1 + f2 * f2)
        partial[b] = total


@parallel
def multiply(team, V, count, rows, touches, spline, drag, solve, partial):
    """Product of (M + Δt K) and the direction; partial[b]: their scalar product."""
    row, near, G = touches.row, rows.near, rows.gradient
    p, Q = solve.direction, solve.product
    weight = F(2.0) * drag * spline.volume
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        total = 0.0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            if w == ZERO:
                Q[i, 0] = Q[i, 1] = Q[i, 2] = ZERO
                continue
            p0, p1, p2 = p[i, 0], p[i, 1], p[i, 2]
            f0, f1, f2 = p0 / w, p1 / w, p2 / w
            for t in range(rows.begin[i], rows.end[i]):
                j = near[t]
                c = weight * G[t, 3]
                f0 += c * (p0 - p[j, 0])
                f1 += c * (p1 - p[j, 1])
                f2 += c * (p2 - p[j, 2])
            for q in range(touches.start[i], touches.start[i + 1]):
                if row[q, FRICTION] != MOVABLE:
                    c = drag * wall_friction(row[q, DISTANCE], spline)
                    n = p0 * row[q, 0] + p1 * row[q, 1] + p2 * row[q, 2]
                    f0 += c * (p0 - n * row[q, 0])
                    f1 += c * (p1 - n * row[q, 1])
                    f2 += c * (p2 - n * row[q, 2])
            Q[i, 0], Q[i, 1], Q[i, 2] = f0, f1, f2
            total += p0 * f0 + p1 * f1 + p2 * f2
        partial[b] = total


@parallel
def advance(team, V, U, count, step, solve, partial):
    """Velocities and residuals after a step along the direction; partial[b]: Σ r·z."""
    r, p, Q = solve.residual, solve.direction, solve.product
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        total = 0.0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            if w > ZERO:
                for a in range(3):
                    U[i, a] += step * p[i, a]
                    r[i, a] -= step * Q[i, a]
                    total += np.float64(w) * r[i, a] * r[i, a]
        partial[b] = total


@parallel
def turn(team, V, count, share, solve):
    """The next direction."""
    r, p = solve.residual, solve.direction
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                p[i, a] = V[i, 3] * r[i, a] + share * p[i, a]


@parallel
def book_walls(team, U, count, touches, spline, drag):
    """What friction at walls gave each particle."""
    row, push = touches.row, touches.push
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if U[i, 3] == ZERO:
                continue
            for q in range(touches.start[i], touches.start[i + 1]):
                if row[q, FRICTION] != MOVABLE:
                    c = drag * wall_friction(row[q, DISTANCE], spline)
                    d0, d1, d2 = row[q, MOVES] - U[i, 0], row[q, MOVES + 1] - U[i, 1], row[q, MOVES + 2] - U[i, 2]
                    n = d0 * row[q, 0] + d1 * row[q, 1] + d2 * row[q, 2]
                    push[q, 0] += c * (d0 - n * row[q, 0])
                    push[q, 1] += c * (d1 - n * row[q, 1])
                    push[q, 2] += c * (d2 - n * row[q, 2])


def slow_down(
    X: F32, V: F32, U: F32, count: int, rows: NeighbourRows, touches: Touches, spline: Spline, drag: float,
    solve: Solve,
    partial: F64,
) -> int:  # fmt: skip
    """Velocities U after friction of Δt μ = drag (kg/m, times the lattice's factor); returns the iterations."""
    blocks, d = (count + BLOCK - 1) // BLOCK, F(drag)
    start(X, V, U, count, rows, touches, spline, d, solve, partial)
    first = left = sum(partial[:blocks].tolist())
    many = 0
    while left > ENOUGH * ENOUGH * first and left > 1e-30 and many < MOST:
        multiply(V, count, rows, touches, spline, d, solve, partial)
        below = sum(partial[:blocks].tolist())
        if not below > 0.0:
            break
        advance(V, U, count, F(left / below), solve, partial)
        now = sum(partial[:blocks].tolist())
        turn(V, count, F(now / left), solve)
        left, many = now, many + 1
    book_walls(U, count, touches, spline, d)
    return many
