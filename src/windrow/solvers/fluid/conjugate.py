"""Conjugate gradients for all rows at once: density, walls and bodies, with multipliers that may not pull.

The rows are S x = b with x ≥ 0, S = G M⁻¹ Gᵀ + Σ. MPRGP (Dostál and Schöberl 2005): conjugate gradients among the rows
that push, a step of fixed length where one would begin to pull, and a step along the chopped gradient where rows at
rest want to push. S is never made: a product is two passes, velocities from multipliers (`scatter`), and rates of all
rows from velocities (`gather`). The diagonal preconditions: rows are scaled by its root.

x is laid out as the density rows, then the rows of walls and bodies as they stand in the table of touches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64
from windrow.kernel import BLOCK, kernel
from windrow.solvers.fluid.bodies import FASTEST, Held
from windrow.solvers.fluid.kernels import GAP, PRESS, TARGET, FluidSubstep, NeighbourRows, Water
from windrow.solvers.fluid.laws import contact_target, room_left
from windrow.solvers.fluid.rows import row_dot, row_pull
from windrow.solvers.movers.meeting import push_back, velocity_at
from windrow.solvers.smoothed.touching import FRICTION, MOVABLE, Touches
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
NORM = 3.2
"""Greatest eigenvalue of the scaled S; 2.98 was measured for density rows (a lattice and settled water)."""

PIECE = 2048
"""Rows of a piece of a loop over all rows."""
FREE, CHOPPED, CUT = range(3)


class Vectors(NamedTuple):
    """(rows,) each, but the last: what MPRGP keeps, in scaled rows."""

    x: F32
    scale: F32
    """root of the inverse diagonal; 0 for rows that cannot push"""
    gradient: F32
    direction: F32
    product: F32
    velocity: F32
    """(n, 4) that multipliers alone give"""


def vectors_for(count: int, rows: int) -> Vectors:
    """Room for so many particles and rows in all."""
    x, scale, gradient, direction, product = (np.zeros(rows, np.float32) for _ in range(5))
    return Vectors(x, scale, gradient, direction, product, np.zeros((count + 8, 4), np.float32))


@parallel
def begin(team, count, touches, water, U, x):
    """Scales, and the multipliers at hand as x."""
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            x.scale[i] = np.sqrt(water.A[i, 3])
            x.x[i] = water.multiplier[i] / x.scale[i]
            w = U[i, 3]
            for q in range(touches.start[i], touches.start[i + 1]):
                x.scale[count + q] = np.sqrt(ONE / w) if w > ZERO else ZERO
                x.x[count + q] = row[q, PRESS] * np.sqrt(w)


@parallel
def scatter(team, count, rows, touches, water, U, given, x):
    """Velocities that multipliers `given` (scaled) alone give: −M⁻¹ Gᵀ λ. The multipliers go into x.product."""
    near, gradients, values = rows.near.ctypes.data, rows.gradient.ctypes.data, x.product.ctypes.data
    row, out = touches.row, x.velocity
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            x.product[i] = x.scale[i] * given[i]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = U[i, 3]
            row_pull(near, gradients, values, rows.begin[i], rows.end[i], out.ctypes.data + 16 * i)
            for a in range(3):
                out[i, a] = -w * (x.product[i] * water.A[i, a] + out[i, a])
            for q in range(touches.start[i], touches.start[i + 1]):
                press = x.scale[count + q] * given[count + q]
                for a in range(3):
                    out[i, a] += w * press * row[q, a]


@kernel
def scatter_bodies(count: int, held: Held, given: F32, x: Vectors) -> F64:
    """Velocities of bodies that contacts `given` (scaled) alone give."""
    moving, meetings = held.moving, held.meetings
    before = moving.V.copy()
    moving.V[:] = 0.0
    for m in range(len(meetings.grain)):
        q = count + held.rows[m]
        press = np.float64(x.scale[q]) * given[q]
        if press != 0.0:
            n = meetings.plane[m]
            push_back(moving, meetings, m, press * n[0], press * n[1], press * n[2])
    out = moving.V.copy()
    moving.V[:] = before
    return out


@parallel
def gather(team, count, rows, touches, water, softness, given, velocity, x):
    """x.product: S times `given`, in scaled rows, of the velocities that `given` gives."""
    near, gradients, at = rows.near.ctypes.data, rows.gradient.ctypes.data, velocity.ctypes.data
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            A, v = water.A[i], velocity[i]
            rate = A[0] * v[0] + A[1] * v[1] + A[2] * v[2] - row_dot(near, gradients, at, rows.begin[i], rows.end[i])
            x.product[i] = x.scale[i] * (softness * x.scale[i] * given[i] - rate)
            for q in range(touches.start[i], touches.start[i + 1]):
                x.product[count + q] = x.scale[count + q] * (row[q, 0] * v[0] + row[q, 1] * v[1] + row[q, 2] * v[2])


@kernel
def gather_bodies(count: int, held: Held, velocity: F64, x: Vectors) -> None:
    """Rates of contacts by the velocities of the bodies."""
    meetings = held.meetings
    for m in range(len(meetings.grain)):
        q, n = count + held.rows[m], meetings.plane[m]
        b0, b1, b2 = velocity_at(velocity, meetings.place[m], meetings.arm, m)
        x.product[q] -= x.scale[q] * np.float32(b0 * n[0] + b1 * n[1] + b2 * n[2])


@parallel
def residual(team, X, count, rows, touches, water, pace, U, x):
    """x.gradient: what rows lack at velocities U, S x − b, scaled; rows of bodies without the bodies' velocities."""
    near, gradients, at = rows.near.ctypes.data, rows.gradient.ctypes.data, U.ctypes.data
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            A = water.A[i]
            rate = A[0] * U[i, 0] + A[1] * U[i, 1] + A[2] * U[i, 2]
            rate -= row_dot(near, gradients, at, rows.begin[i], rows.end[i])
            x.gradient[i] = -x.scale[i] * (water.target[i] + rate - pace.softness * water.multiplier[i])
            for q in range(touches.start[i], touches.start[i + 1]):
                away = row[q, 0] * U[i, 0] + row[q, 1] * U[i, 1] + row[q, 2] * U[i, 2]
                target = row[q, TARGET]
                if row[q, FRICTION] == MOVABLE:
                    target = contact_target(row[q, GAP], X[i, 3], pace.dt, pace.back)
                x.gradient[count + q] = x.scale[count + q] * (away - target)


@kernel
def residual_bodies(count: int, held: Held, x: Vectors) -> None:
    """The bodies' part of it."""
    meetings = held.meetings
    for m in range(len(meetings.grain)):
        q, n = count + held.rows[m], meetings.plane[m]
        b0, b1, b2 = velocity_at(held.moving.V, meetings.place[m], meetings.arm, m)
        along = np.float32(b0 * n[0] + b1 * n[1] + b2 * n[2])
        if abs(along) < FASTEST:
            x.gradient[q] -= x.scale[q] * along


@parallel
def weigh_rows(team, total, count, bound, x, partial):
    """partial[b]: Σ β² of the chopped gradient, Σ φ̃ φ of the free one, and what density rows lack, unscaled."""
    for b in deal(team, (total + PIECE - 1) // PIECE):
        chopped = free = lacking = 0.0
        for k in range(b * PIECE, min(total, b * PIECE + PIECE)):
            g, y = x.gradient[k], x.x[k]
            if y > ZERO:
                free += np.float64(min(y / bound, g)) * g
            elif g < ZERO:
                chopped += np.float64(g) * g
            if k < count:
                lacking += abs(max(y - g, ZERO) - y) / x.scale[k]
        partial[b, 0], partial[b, 1], partial[b, 2] = chopped, free, lacking


@parallel
def weigh_along(team, total, x, partial):
    """partial[b]: p·Sp, g·p, and the longest step along −p on which no row begins to pull."""
    for b in deal(team, (total + PIECE - 1) // PIECE):
        bent = slope = 0.0
        longest = 1e30
        for k in range(b * PIECE, min(total, b * PIECE + PIECE)):
            p = np.float64(x.direction[k])
            bent += p * x.product[k]
            slope += p * x.gradient[k]
            if p > 0.0:
                longest = min(longest, x.x[k] / p)
        partial[b, 0], partial[b, 1], partial[b, 2] = bent, slope, longest


@parallel
def step_along(team, total, length, x, partial):
    """x and its gradient after a step along −p; partial[b]: φ·Sp."""
    for b in deal(team, (total + PIECE - 1) // PIECE):
        turned = 0.0
        for k in range(b * PIECE, min(total, b * PIECE + PIECE)):
            x.x[k] = max(x.x[k] - length * x.direction[k], ZERO)
            x.gradient[k] -= length * x.product[k]
            if x.x[k] > ZERO:
                turned += np.float64(x.gradient[k]) * x.product[k]
        partial[b, 0] = turned


@parallel
def aim(team, total, way, share, x):
    """The next direction: FREE φ − share · p; CHOPPED β; CUT what a step of fixed length `share` along φ changes."""
    for b in deal(team, (total + PIECE - 1) // PIECE):
        for k in range(b * PIECE, min(total, b * PIECE + PIECE)):
            g, y = x.gradient[k], x.x[k]
            if way == FREE:
                x.direction[k] = (g if y > ZERO else ZERO) - (share * x.direction[k] if share != ZERO else ZERO)
            elif way == CHOPPED:
                x.direction[k] = min(g, ZERO) if y == ZERO else ZERO
            else:
                x.direction[k] = y - max(y - share * g, ZERO) if y > ZERO else ZERO


@parallel
def settle(team, count, touches, water, most, U, x):
    """Multipliers and velocities of what was found; x.direction: change of x, x.velocity: what it gives."""
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            water.multiplier[i] = min(x.scale[i] * x.x[i], most * room_left(water.fill[i]))
            for a in range(3):
                U[i, a] += x.velocity[i, a]
            for q in range(touches.start[i], touches.start[i + 1]):
                row[q, PRESS] = x.scale[count + q] * x.x[count + q]


class Problem(NamedTuple):
    """All that a product with S needs."""

    many: int
    """particles"""
    rows: NeighbourRows
    touches: Touches
    water: Water
    pace: FluidSubstep
    U: F32
    held: Held | None


def multiply(problem: Problem, x: Vectors) -> F64:
    """x.product: S times x.direction; x.velocity: what it gives the particles. Returns what it gives the bodies."""
    n, rows, touches, water, pace, U, held = problem
    scatter(n, rows, touches, water, U, x.direction, x)
    given = np.zeros((0, 6)) if held is None else scatter_bodies(n, held, x.direction, x)
    gather(n, rows, touches, water, pace.softness, x.direction, x.velocity, x)
    if held is not None:
        gather_bodies(n, held, given, x)
    return given


def solve(
    X: F32, problem: Problem, x: Vectors, most: int, enough: float, partial: F64, look: Callable[[], None]
) -> int:
    """Multipliers of all rows, from those at hand; returns the products.

    enough: mean density error times n. look: called before each product; what it raises ends the step.
    """
    n, rows, touches, water, pace, U, held = problem
    total = n + int(touches.start[n])
    pieces, bound = (total + PIECE - 1) // PIECE, 1.8 / NORM
    begin(n, touches, water, U, x)
    before = x.x[:total].copy()
    residual(X, n, rows, touches, water, pace, U, x)
    if held is not None:
        residual_bodies(n, held, x)
    aim(total, FREE, ZERO, x)
    done = 0
    while done < most:
        look()
        weigh_rows(total, n, F(bound), x, partial)
        chopped, free, lacking = (sum(partial[:pieces, k].tolist()) for k in range(3))
        if lacking * float(pace.dt) <= enough:
            break
        proportional = chopped <= free
        if not proportional:
            aim(total, CHOPPED, ZERO, x)
        multiply(problem, x)
        done += 1
        weigh_along(total, x, partial)
        bent, slope = (sum(partial[:pieces, k].tolist()) for k in range(2))
        if not bent > 0.0:
            break
        length, longest = slope / bent, min(partial[:pieces, 2].tolist())
        if proportional and length > longest:
            step_along(total, F(longest), x, partial)
            aim(total, CUT, F(bound), x)
            multiply(problem, x)
            done += 1
            step_along(total, ONE, x, partial)
            aim(total, FREE, ZERO, x)
            continue
        step_along(total, F(length), x, partial)
        share = sum(partial[:pieces, 0].tolist()) / bent if proportional else 0.0
        aim(total, FREE, F(share), x)
    x.direction[:total] = x.x[:total] - before
    given = multiply(problem, x)
    settle(n, touches, water, pace.most, U, x)
    if held is not None:
        held.moving.V[:] += given
    return done
