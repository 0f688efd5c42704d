"""The direct solver: impulses of all joint rows at once, bounds included.

With S = G M⁻¹ Gᵀ + Σ and b = rhs − G v the impulses λ are the solution of a mixed linear complementarity
problem: S λ − b is zero where λ is free, ≥ 0 where it is at its lower bound, ≤ 0 at its upper one.

Block principal pivoting: guess which rows are at a bound (the last step's guess is right 98 times in 100),
solve for the others, move all rows that contradict the guess to where they belong, repeat. When that stops
making progress, only the last contradicting row moves (Murty's rule, which ends for every positive definite
S). The number of solves is capped all the same; what is then left unsolved goes to projected Gauss-Seidel
sweeps, which never violate a bound and never add energy, and the step says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import inner, kernel
from windrow.solvers.multibody.factor import Pattern, factorise, product, solve
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.rows import UNBOUNDED, Rows, rate_of

PIVOTS_MOST = 60
PATIENCE = 5
"""Solves without progress before single rows are moved."""
FALLBACK_SWEEPS = 200
SPEED_ROW_SOFTNESS = 1e-8
"""σ of rows on speeds relative to the diagonal, so that a motor and a brake on one joint are not singular."""


class System(NamedTuple):
    """The matrix S: pattern, recipe to fill it, and room for it and its factors."""

    pattern: Pattern
    recipe: I64
    """(products, 5): row, its block, other row, its block, place of the sum"""
    matrix: F64
    factors: F64
    right: F64
    """b"""
    work: F64
    fixed_bound: I64
    """(r,) 1: a row that is always at its bound (a force)"""


@kernel
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
    matrix = system.matrix
    matrix[:] = 0.0
    recipe = system.recipe
    for p in range(recipe.shape[0]):
        r, o, c, oc = recipe[p, 0], recipe[p, 1], recipe[p, 2], recipe[p, 3]
        matrix[recipe[p, 4]] += (
            MJ[r, o] * J[c, oc]
            + MJ[r, o + 1] * J[c, oc + 1]
            + MJ[r, o + 2] * J[c, oc + 2]
            + MJ[r, o + 3] * J[c, oc + 3]
            + MJ[r, o + 4] * J[c, oc + 4]
            + MJ[r, o + 5] * J[c, oc + 5]
        )
    for r in range(n):
        if rows.sigma[r] > 0.0:
            matrix[r] += rows.sigma[r]
        else:
            matrix[r] += SPEED_ROW_SOFTNESS * matrix[r] + 1e-300


@kernel
def take_right_side(system: System, rows: Rows, V: F64) -> None:
    """b from the velocities without joint impulses."""
    J, body, blocks, rhs, bend, right = rows.J, rows.body, rows.blocks, rows.rhs, rows.bend, system.right
    for r in range(system.pattern.size):
        right[r] = rhs[r] - bend[r] - rate_of(J, body, blocks, r, V)


@inner
def factorise_free(system: System, rows: Rows) -> None:
    """Factors of S with the rows at bounds cut out (a unit diagonal in their place)."""
    pattern, factors = system.pattern, system.factors
    n = pattern.size
    factors[:] = system.matrix
    for c in range(n):
        held = rows.active[c] != 0
        if held:
            factors[c] = 1.0
        for p in range(pattern.start[c], pattern.start[c + 1]):
            if held or rows.active[pattern.row[p]] != 0:
                factors[n + p] = 0.0
    factorise(pattern, factors)


@inner
def solve_free(system: System, rows: Rows) -> None:
    """λ of the free rows, those at bounds given."""
    n = system.pattern.size
    impulse, work = rows.impulse, system.work
    bounded = False
    for r in range(n):
        at = rows.active[r]
        impulse[r] = 0.0 if at == 0 else (rows.low[r] if at < 0 else rows.high[r])
        bounded |= impulse[r] != 0.0
    if bounded:
        product(system.pattern, system.matrix, impulse, work)
        for r in range(n):
            if rows.active[r] == 0:
                impulse[r] = system.right[r] - work[r]
    else:
        for r in range(n):
            if rows.active[r] == 0:
                impulse[r] = system.right[r]
    solve(system.pattern, system.factors, impulse)


@inner
def wanted_state(system: System, rows: Rows, r: int) -> int:
    """Where row r belongs, judged by the present λ and by S λ in `system.work`."""
    low, high, now = rows.low[r], rows.high[r], rows.active[r]
    if system.fixed_bound[r] != 0 or (low <= -UNBOUNDED and high >= UNBOUNDED):
        return now
    if low >= high:
        # A brake that is not applied: one value only, nothing to decide.
        return -1
    if now == 0:
        slack = 1e-9 * max(abs(low) if low > -UNBOUNDED else 0.0, abs(high) if high < UNBOUNDED else 0.0)
        if rows.impulse[r] < low - slack:
            return -1
        return 1 if rows.impulse[r] > high + slack else 0
    speed = system.work[r] - system.right[r]
    tolerance = 1e-11 * (1.0 + abs(system.right[r]))
    return 0 if (now < 0 and speed < -tolerance) or (now > 0 and speed > tolerance) else now


@kernel
def solve_bounded(system: System, rows: Rows, fresh: bool) -> int:
    """λ of all rows; returns the number of factorisations, negative when the fallback had to finish.

    `fresh` says that S changed since the last call; otherwise the factors are used again.
    """
    n = system.pattern.size
    if n == 0:
        return 0
    fewest, patience, solves = n + 1, PATIENCE, 0
    for r in range(n):
        if system.fixed_bound[r] != 0 or rows.low[r] >= rows.high[r]:
            rows.active[r] = -1
    while solves < PIVOTS_MOST:
        if fresh or solves > 0:
            factorise_free(system, rows)
        solve_free(system, rows)
        solves += 1
        product(system.pattern, system.matrix, rows.impulse, system.work)
        wrong, last = 0, -1
        for r in range(n):
            if wanted_state(system, rows, r) != rows.active[r]:
                wrong += 1
                last = r
        if wrong == 0:
            return solves
        if wrong < fewest:
            fewest, patience = wrong, PATIENCE
        elif patience > 0:
            patience -= 1
        single = patience == 0
        for r in range(n):
            if not single or r == last:
                rows.active[r] = wanted_state(system, rows, r)
    sweep_bounded(system, rows)
    return -solves


@kernel
def sweep_bounded(system: System, rows: Rows) -> None:
    """Projected Gauss-Seidel from the last solution, cut to its bounds; leaves a consistent active set."""
    pattern, matrix, work = system.pattern, system.matrix, system.work
    n = pattern.size
    impulse = rows.impulse
    for r in range(n):
        impulse[r] = min(max(impulse[r], rows.low[r]), rows.high[r])
    product(pattern, matrix, impulse, work)
    dense = np.zeros((n, n))
    for c in range(n):
        dense[c, c] = matrix[c]
        for p in range(pattern.start[c], pattern.start[c + 1]):
            dense[c, pattern.row[p]] = dense[pattern.row[p], c] = matrix[n + p]
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


@kernel
def apply_impulses(system: System, rows: Rows, V: F64) -> None:
    """v += M⁻¹ Gᵀ λ."""
    for r in range(system.pattern.size):
        l = rows.impulse[r]
        if l != 0.0:
            for block in range(rows.blocks[r]):
                b, o = rows.body[r, block], 6 * block
                for k in range(6):
                    V[b, k] += rows.MJ[r, o + k] * l


@inner
def feel(J: F64, body: I32, blocks: I64, active: I64, b: int, change: F64, work: F64) -> bool:
    """Adds G of the free rows times a velocity change of body b to `work`; whether any row felt it."""
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


@inner
def yield_to(system: System, rows: Rows, out: F64) -> None:
    """Adds to `out` (bodies, 6) what the joints make of velocity changes that `feel` put into `system.work`.

    That is −M⁻¹ G_Fᵀ S_F⁻¹ G_F applied to the changes, F the free rows of the last solution.
    """
    work, MJ, body, blocks = system.work, rows.MJ, rows.body, rows.blocks
    solve(system.pattern, system.factors, work)
    for r in range(system.pattern.size):
        l = work[r]
        if l != 0.0 and rows.active[r] == 0:
            for block in range(blocks[r]):
                other, o = body[r, block], 6 * block
                for k in range(6):
                    out[other, k] -= MJ[r, o + k] * l


@inner
def respond(system: System, rows: Rows, b: int, change: F64, out: F64) -> None:
    """Adds to `out` (bodies, 6) what the joints make of a velocity change of body b."""
    system.work[:] = 0.0
    if feel(rows.J, rows.body, rows.blocks, rows.active, b, change, system.work):
        yield_to(system, rows, out)
