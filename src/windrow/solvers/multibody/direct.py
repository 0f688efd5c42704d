"""The direct solver: impulses of all joint rows at once, bounds included.

With S = G M⁻¹ Gᵀ + Σ and b = rhs − G v the impulses λ are the solution of a mixed linear complementarity
problem: S λ − b is zero where λ is free, ≥ 0 where it is at its lower bound, ≤ 0 at its upper one.

Block principal pivoting: guess which rows are at a bound (the last step's guess is right 98 times in 100),
solve for the others, move rows that contradict the guess to where they belong (`pivoting`), repeat. The number
of solves is capped; what is then left unsolved goes to projected Gauss-Seidel sweeps, which never violate a bound
and never add energy, and the step says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import bare_inner, bare_kernel, inner
from windrow.solvers.multibody.factor import Pattern, factorise, product, solve, take_column, times_row
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.pivoting import FALLBACK_SWEEPS, PATIENCE, pivot
from windrow.solvers.multibody.rows import UNBOUNDED, Rows, rate_of
from windrow.solvers.multibody.tiles import LANES, add_products

PIVOTS_MOST = 60
SPEED_ROW_SOFTNESS = 1e-8
"""σ of rows on speeds relative to the diagonal, so that a motor and a brake on one joint are not singular."""


class System(NamedTuple):
    """The matrix S: pattern, recipe to fill it, and room for it and its factors."""

    pattern: Pattern
    user_start: I64
    """(bodies with rows + 1,) first entry of each in the two lists that follow"""
    user_row: I64
    """rows that act on a body, ascending"""
    user_block: I64
    """which block of such a row is the body's"""
    user_pairs: I64
    """how many of them, counted from the body's first, it is multiplied with: those up to its own row"""
    target: I64
    """place that each product of two rows on a body is added to, four at a time"""
    turned: F64
    """(6, most rows on one body) room for Jᵀ of one body"""
    matrix: F64
    factors: F64
    factored: I64
    """(r,) states of the rows that the factors are of: those of `Rows.active` when they were made"""
    right: F64
    """b"""
    work: F64
    wanted: I64
    """(r,) room for `solve_bounded`"""
    fixed_bound: I64
    """(r,) 1: a row that is always at its bound (a force)"""


@bare_kernel
def assemble(system: System, rows: Rows, table: BodyTable, motion: Motion) -> None:
    """S and M⁻¹Gᵀ from the rows."""
    n = system.pattern.size
    J, MJ = rows.J, rows.MJ
    for r in range(n):
        for block in range(rows.blocks[r]):
            b, o = rows.body[r, block], 6 * block
            w = table.inverse_mass[b]
            I = motion.inverse_inertia[b]
            x, y, z = J[r, o + 3], J[r, o + 4], J[r, o + 5]
            for k in range(3):
                MJ[r, o + k] = w * J[r, o + k]
                MJ[r, o + 3 + k] = I[k, 0] * x + I[k, 1] * y + I[k, 2] * z
    matrix = system.matrix.reshape(system.matrix.size)
    matrix[:] = 0.0
    turned, row, part = system.turned, system.user_row, system.user_block
    places, targets = matrix.ctypes.data, system.target.ctypes.data
    t = 0
    for b in range(system.user_start.shape[0] - 1):
        first, end = system.user_start[b], system.user_start[b + 1]
        for i in range(first, end):
            r, o = row[i], 6 * part[i]
            for k in range(6):
                turned[k, i - first] = J[r, o + k]
        for i in range(first, end):
            r, o = row[i], 6 * part[i]
            left = MJ.ctypes.data + 8 * (MJ.shape[1] * r + o)
            for c in range(0, system.user_pairs[i], LANES):
                add_products(places, targets + 8 * t, left, turned.ctypes.data + 8 * c, turned.shape[1])
                t += LANES
    for r in range(n):
        if rows.sigma[r] > 0.0:
            matrix[r] += rows.sigma[r]
        else:
            matrix[r] += SPEED_ROW_SOFTNESS * matrix[r] + 1e-300


@bare_kernel
def take_right_side(system: System, rows: Rows, V: F64) -> None:
    """b from the velocities without joint impulses."""
    J, body, blocks, rhs, bend, right = rows.J, rows.body, rows.blocks, rows.rhs, rows.bend, system.right
    for r in range(system.pattern.size):
        right[r] = rhs[r] - bend[r] - rate_of(J, body, blocks, r, V)


@bare_inner
def factorise_free(system: System, rows: Rows) -> None:
    """Factors of S with the rows at bounds cut out (a unit diagonal in their place)."""
    pattern, factors = system.pattern, system.factors
    flat, matrix = factors.reshape(factors.size), system.matrix.reshape(factors.size)
    for k in range(flat.shape[0]):
        flat[k] = matrix[k]
    for r in range(pattern.size):
        system.factored[r] = rows.active[r]
        if rows.active[r] != 0:
            s = pattern.block_of[r]
            flat[r] = 1.0
            for c in range(r + 1, pattern.block[s + 1]):
                flat[pattern.own[r] + c] = 0.0
            lines = (pattern.tail_start[s + 1] - pattern.tail_start[s]) // LANES
            factors[pattern.tail[r] : pattern.tail[r] + lines] = 0.0
            for k in range(pattern.left_start[r], pattern.left_start[r + 1]):
                flat[pattern.left_place[k]] = 0.0
    factorise(pattern, factors)


@bare_inner
def solve_free(system: System, rows: Rows) -> None:
    """λ of the free rows, those at bounds given."""
    n = system.pattern.size
    impulse, active, right, work = rows.impulse, rows.active, system.right, system.work
    flat = system.matrix.reshape(system.matrix.size)
    for r in range(n):
        work[r] = right[r]
    for r in range(n):
        if active[r] != 0:
            impulse[r] = rows.low[r] if active[r] < 0 else rows.high[r]
            if impulse[r] != 0.0:
                take_column(system.pattern, flat, impulse[r], r, work)
    for r in range(n):
        if active[r] == 0:
            impulse[r] = work[r]
    solve(system.pattern, system.factors, impulse)


@bare_inner
def outside(low: float, high: float, impulse: float) -> int:
    """Bound that an impulse is beyond, 0: none."""
    slack = 1e-9 * max(abs(low) if low > -UNBOUNDED else 0.0, abs(high) if high < UNBOUNDED else 0.0)
    if impulse < low - slack:
        return -1
    return 1 if impulse > high + slack else 0


@bare_inner
def find_states(system: System, rows: Rows) -> None:
    """Where each row belongs, judged by the present λ, into `system.wanted`."""
    active, low, high, wanted, right = rows.active, rows.low, rows.high, system.wanted, system.right
    flat = system.matrix.reshape(system.matrix.size)
    for r in range(system.pattern.size):
        now = active[r]
        wanted[r] = now
        if system.fixed_bound[r] != 0 or (low[r] <= -UNBOUNDED and high[r] >= UNBOUNDED):
            continue
        if low[r] >= high[r]:
            # A brake that is not applied: one value only, nothing to decide.
            wanted[r] = -1
        elif now == 0:
            wanted[r] = outside(low[r], high[r], rows.impulse[r])
        else:
            speed = times_row(system.pattern, flat, rows.impulse, r) - right[r]
            tolerance = 1e-11 * (1.0 + abs(right[r]))
            if (now < 0 and speed < -tolerance) or (now > 0 and speed > tolerance):
                wanted[r] = 0


@bare_kernel
def solve_bounded(system: System, rows: Rows, fresh: bool) -> int:
    """λ of all rows; returns the number of factorisations, negative when the fallback had to finish.

    `fresh` says that S changed since the last call; otherwise the factors are used again.
    """
    n = system.pattern.size
    if n == 0:
        return 0
    active, wanted = rows.active, system.wanted
    fewest, patience, solves = n + 1, PATIENCE, 0
    for r in range(n):
        if system.fixed_bound[r] != 0 or rows.low[r] >= rows.high[r]:
            active[r] = -1
    while solves < PIVOTS_MOST:
        if fresh or solves > 0:
            factorise_free(system, rows)
        solve_free(system, rows)
        solves += 1
        find_states(system, rows)
        wrong = 0
        for r in range(n):
            wrong += wanted[r] != active[r]
        if wrong == 0:
            return solves
        fewest, patience = pivot(active, wanted, n, wrong, fewest, patience)
    sweep_bounded(system, rows)
    return -solves


@inner
def sweep_bounded(system: System, rows: Rows) -> None:
    """Projected Gauss-Seidel from the last solution, cut to its bounds; leaves a consistent active set."""
    n = system.pattern.size
    impulse, unit = rows.impulse, np.zeros(n)
    for r in range(n):
        impulse[r] = min(max(impulse[r], rows.low[r]), rows.high[r])
    dense = np.zeros((n, n))
    for r in range(n):
        unit[r] = 1.0
        product(system.pattern, system.matrix, unit, dense[r])
        unit[r] = 0.0
    for _ in range(FALLBACK_SWEEPS):
        for r in range(n):
            s = system.right[r]
            for k in range(n):
                s -= dense[r, k] * impulse[k]
            impulse[r] = min(max(impulse[r] + s / dense[r, r], rows.low[r]), rows.high[r])
    for r in range(n):
        at_low, at_high = impulse[r] <= rows.low[r], impulse[r] >= rows.high[r]
        rows.active[r] = -1 if at_low else (1 if at_high else 0)
    factorise_free(system, rows)


@bare_kernel
def apply_impulses(system: System, rows: Rows, V: F64) -> None:
    """v += M⁻¹ Gᵀ λ."""
    for r in range(system.pattern.size):
        l = rows.impulse[r]
        if l != 0.0:
            for block in range(rows.blocks[r]):
                b, o = rows.body[r, block], 6 * block
                for k in range(6):
                    V[b, k] += rows.MJ[r, o + k] * l


@bare_inner
def feel(J: F64, body: I32, blocks: I64, active: I64, b: int, change: F64, work: F64) -> bool:
    """Adds G of the rows not at a bound times a velocity change of body b to `work`; whether any row felt it."""
    touched = False
    for r in range(work.shape[0]):
        if active[r] == 0:
            for block in range(blocks[r]):
                if body[r, block] == b:
                    o = 6 * block
                    for k in range(6):
                        work[r] += J[r, o + k] * change[k]
                    touched = True
    return touched


@bare_inner
def yield_to(system: System, rows: Rows, out: F64) -> None:
    """Adds to `out` (bodies, 6) what the joints make of velocity changes that `feel` put into `system.work`.

    That is −M⁻¹ G_Fᵀ S_F⁻¹ G_F applied to the changes, F the free rows that the factors are of.
    """
    work, MJ, body, blocks = system.work, rows.MJ, rows.body, rows.blocks
    solve(system.pattern, system.factors, work)
    for r in range(system.pattern.size):
        l = work[r]
        if l != 0.0 and system.factored[r] == 0:
            for block in range(blocks[r]):
                other, o = body[r, block], 6 * block
                for k in range(6):
                    out[other, k] -= MJ[r, o + k] * l


@bare_inner
def respond(system: System, rows: Rows, b: int, change: F64, out: F64) -> None:
    """Adds to `out` (bodies, 6) what the joints make of a velocity change of body b."""
    system.work[:] = 0.0
    if feel(rows.J, rows.body, rows.blocks, system.factored, b, change, system.work):
        yield_to(system, rows, out)
