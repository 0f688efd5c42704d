"""Loops that move smoothed particles, and lay out the rows that they are sorted and listed by.

Rows: X {x, y, z, r}, V {v, 1/m}, U {v at the end of the substep, –}, A {place at its end, r; displacement, 1/m}.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK
from windrow.state.state import FROZEN
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
FAR = F(1e7)
"""Beyond this distance from the origin (m) float32 cannot carry a particle; it is frozen where it was."""
FARTHEST = F(30.0)
"""Radii that lists reach further for a fast particle at most; one that is faster still is listed again on its way."""


class Span(NamedTuple):
    """A substep, as motion reads it."""

    dt: Any
    """its length, s"""
    part: Any
    """that it is of the step; forces are averaged by it"""
    gravity: Any
    """m/s²"""


@parallel
def lay_rows(team, X, V, count, dt, skin, rows):
    """Rows to sort and to list by: {x, y, z, r and what it may go beyond half the skin, v, w}.

    A particle that is fast reaches further than the others; it alone pays for it.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            v0, v1, v2 = V[i, 0], V[i, 1], V[i, 2]
            way = F(1.2) * dt * np.sqrt(v0 * v0 + v1 * v1 + v2 * v2) - F(0.5) * skin
            reach = X[i, 3] + min(max(way, ZERO), FARTHEST * X[i, 3])
            rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = X[i, 0], X[i, 1], X[i, 2], reach
            rows[i, 4], rows[i, 5], rows[i, 6], rows[i, 7] = v0, v1, v2, V[i, 3]


@parallel
def lay_columns(team, rows, count, columns):
    """Places and reaches as four columns, for the search."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            columns[0, i], columns[1, i], columns[2, i], columns[3, i] = rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3]


@parallel
def foresee(team, X, V, flags, count, dt, A):
    """Rows of A: {x + Δt v, r, Δt v, w}. What is not finite, or would leave the world, is frozen."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            d0, d1, d2 = dt * V[i, 0], dt * V[i, 1], dt * V[i, 2]
            if not (abs(X[i, 0] + d0) < FAR and abs(X[i, 1] + d1) < FAR and abs(X[i, 2] + d2) < FAR):
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                for a in range(3):
                    V[i, a] = ZERO
                    if not abs(X[i, a]) < FAR:
                        X[i, a] = ZERO
                d0 = d1 = d2 = ZERO
            A[i, 0], A[i, 1], A[i, 2], A[i, 3] = X[i, 0] + d0, X[i, 1] + d1, X[i, 2] + d2, X[i, 3]
            A[i, 4], A[i, 5], A[i, 6], A[i, 7] = d0, d1, d2, w


@parallel
def propose(team, X, U, flags, count, dt, A):
    """Rows of A: where U takes the particles."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            d0, d1, d2 = dt * U[i, 0], dt * U[i, 1], dt * U[i, 2]
            if not (abs(X[i, 0] + d0) < FAR and abs(X[i, 1] + d1) < FAR and abs(X[i, 2] + d2) < FAR):
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                d0 = d1 = d2 = ZERO
            A[i, 0], A[i, 1], A[i, 2], A[i, 3] = X[i, 0] + d0, X[i, 1] + d1, X[i, 2] + d2, X[i, 3]
            A[i, 4], A[i, 5], A[i, 6] = d0, d1, d2


@parallel
def move(team, X, V, flags, count, span, A, force, home, skin, partial):
    """x and v by A. partial[b]: frozen particles of block b, and whether one has left what its lists cover.

    home: rows {x, y, z, reach} that lists were made for.
    """
    inverse, part, gravity = ONE / span.dt, span.part, span.gravity
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        frozen, left = 0, 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            X[i, 0] += A[i, 4]
            X[i, 1] += A[i, 5]
            X[i, 2] += A[i, 6]
            w = V[i, 3]
            if w > ZERO:
                for a in range(3):
                    v = inverse * A[i, 4 + a]
                    force[i, a] += part / w * (inverse * (v - V[i, a]) - gravity[a])
                    V[i, a] = v
            if flags[i] & FROZEN:
                frozen += 1
                V[i, 0] = V[i, 1] = V[i, 2] = ZERO
            d0, d1, d2 = X[i, 0] - home[i, 0], X[i, 1] - home[i, 1], X[i, 2] - home[i, 2]
            cover = F(0.5) * skin + home[i, 3] - X[i, 3]
            if d0 * d0 + d1 * d1 + d2 * d2 > cover * cover:
                left = 1
        partial[b, 0], partial[b, 1] = frozen, left
