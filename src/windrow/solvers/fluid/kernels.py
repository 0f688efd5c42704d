"""The loops of the constraint fluid over particles; `solver.py` says in which order.

Rows: X {x, y, z, r}, V {v, 1/m}, U {v at the end of the substep, 1/m}. A particle's multiplier acts on itself by
A = ∂q/∂x, walls included, and on its neighbours by the rows G = V ∇W (`rows.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device
from windrow.solvers.fluid.laws import contact_target, density_target, room_left
from windrow.solvers.fluid.rows import BELLS, DRIFT, GRADIENT, PULL, SQUARES, row_dot, row_pull, row_terms
from windrow.solvers.smoothed.spline import wall_pull
from windrow.solvers.smoothed.touching import DISTANCE, FRICTION, MOVABLE, MOVES, WEIGHT
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
TINY = F(1e-20)
SPACE = 16
"""Entries of a slice's rows beyond those of its lists: rows have even lengths, and are written eight at a time."""
PRESS, TARGET, GAP = 9, 10, 11
"""Columns of the table of walls that the fluid uses: impulse of the contact, N s; least velocity away from it, m/s;
distance that is left, m."""
OPPOSITE = F(-0.3)
"""Cosine between the normals of two walls from which on a particle may be caught between them."""
SUMS = 16
"""Floats of scratch of a block"""


class NeighbourRows(NamedTuple):
    """Neighbours within h of each particle, one after the other, with gradients; see `rows.py`."""

    begin: Any
    end: Any
    near: Any
    gradient: Any


class Listed(NamedTuple):
    """Lists that rows are taken from, in slices of eight (`smoothed.listing`)."""

    first: Any
    depth: Any
    neighbours: Any


class Work(NamedTuple):
    """Numbers of `row_terms`, and room for what it gives, a row for each block."""

    numbers: Any
    scratch: Any


class Water(NamedTuple):
    """What each particle knows in a substep."""

    A: Any
    """(n, 4) ∂q/∂x by its own place, 1/m; 1/S, the inverse of its row's diagonal, kg m²"""
    target: Any
    """(n,) what G v must be at most, negative, 1/s"""
    multiplier: Any
    """(n,) λ, N s m"""
    fill: Any
    """(n,)"""
    drift: Any
    """(n, 4) what cohesion, adhesion and smoothing give in the substep, m/s; sum of w_j |G|², 1/(kg m²)"""


class FluidSubstep(NamedTuple):
    """A substep, and the numbers of the fluid."""

    dt: Any
    """s"""
    gravity: Any
    """m/s²"""
    ups: Any
    """Υ"""
    back: Any
    """rate at which an excess is taken back, 1/s"""
    most: Any
    """greatest multiplier: what has no room is not pressed further and further, N s m"""
    softness: Any
    """Σ"""
    smoothing: Any
    """share of the difference to its neighbours' velocities that a particle loses, –"""
    cohesion: Any
    """force between two particles per distance and W/W(0), N/m"""
    adhesion: Any
    """share of the cohesion that walls have, –"""


@device
def wall_terms(i, count, touches, spline):
    """Of the walls of particle i, bodies left out: their part of ∂q/∂x, and n·v weighted so, 1/m and 1/s."""
    row = touches.row
    a0 = a1 = a2 = moves = ZERO
    for q in range(touches.start[i], touches.start[i + 1]):
        if row[q, FRICTION] == MOVABLE:  # met by contact alone, see `bodies.py`
            continue
        k = -row[q, WEIGHT]
        n0, n1, n2 = k * row[q, 0], k * row[q, 1], k * row[q, 2]
        a0, a1, a2 = a0 + n0, a1 + n1, a2 + n2
        moves += n0 * row[q, MOVES] + n1 * row[q, MOVES + 1] + n2 * row[q, MOVES + 2]
    return a0, a1, a2, moves


@device
def half_room(q, radius, touches, i):
    """How far particle i keeps from wall q: its radius, or half of the room between that wall and one opposite to it.

    A film thinner than a particle, such as under a heavy body, would otherwise carry it, and dance.
    """
    row = touches.row
    for k in range(touches.start[i], touches.start[i + 1]):
        if row[q, 0] * row[k, 0] + row[q, 1] * row[k, 1] + row[q, 2] * row[k, 2] < OPPOSITE:
            radius = min(radius, F(0.5) * (row[q, DISTANCE] + row[k, DISTANCE]))
    return radius


@parallel
def weigh(team, X, V, count, listed, rows, touches, wall_fill, spline, work, pace, water):
    """Rows of the neighbours within h; fill, ∂q/∂x, and what cohesion and smoothing do in the substep."""
    h2, numbers, scratch = spline.h * spline.h, work.numbers, work.scratch
    places, velocities, near = X.ctypes.data, V.ctypes.data, rows.near
    bulk = spline.volume * spline.height
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        sums, out = scratch[b], scratch.ctypes.data + b * 4 * SUMS
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            first, depth = listed.first[s], listed.depth[s]
            at = first + SPACE * s
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                x, y, z = X[i, 0], X[i, 1], X[i, 2]
                found = at
                for k in range(depth):
                    j = listed.neighbours[first + 8 * k + lane]
                    d0, d1, d2 = x - X[j, 0], y - X[j, 1], z - X[j, 2]
                    near[found] = j
                    found += 1 if (d0 * d0 + d1 * d1 + d2 * d2 < h2 and j != i) else 0
                many = found - at
                chunks = (many + 7) // 8
                for k in range(found, at + 8 * chunks):
                    near[k] = i
                rows.begin[i], rows.end[i] = at, at + (many + 1) // 2 * 2
                row_terms(
                    places, velocities, i, near.ctypes.data + 4 * at, chunks, numbers.ctypes.data,
                    rows.gradient.ctypes.data + 16 * at, out,
                )  # fmt: skip
                at = rows.end[i]
                # the particle itself counts once, its copies that fill the chunks up not at all
                fill = bulk * (sums[BELLS] - F(8 * chunks - many) + ONE) + wall_fill[i]
                water.fill[i] = fill
                for a in range(3):
                    water.A[i, a] = sums[GRADIENT + a]
                blend = pace.smoothing * bulk
                pull = pace.dt * V[i, 3] * pace.cohesion
                for a in range(3):
                    water.drift[i, a] = blend * sums[DRIFT + a] + pull * sums[PULL + a]
                water.drift[i, 3] = sums[SQUARES]
                cube = spline.h * spline.h * spline.h
                stick = pace.dt * pace.cohesion * pace.adhesion * cube * spline.h / spline.volume
                for q in range(touches.start[i], touches.start[i + 1]):
                    k = -stick * wall_pull(touches.row[q, DISTANCE] / spline.h) if V[i, 3] > ZERO else ZERO
                    for a in range(3):
                        touches.push[q, a] = k * touches.row[q, a]
                        water.drift[i, a] += V[i, 3] * touches.push[q, a]


@parallel
def prepare(team, X, V, count, rows, touches, spline, pace, pressure, held, water, U):
    """Targets and diagonals of all rows; velocities U with gravity, and with the multipliers of the substep before.

    pressure: of each particle, Pa; held: force of walls and bodies on it, N.
    """
    row = touches.row
    near, gradients, at = rows.near.ctypes.data, rows.gradient.ctypes.data, V.ctypes.data
    values, dt = water.multiplier.ctypes.data, pace.dt
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            a0, a1, a2, moves = wall_terms(i, count, touches, spline)
            A, w = water.A[i], V[i, 3]
            A[0], A[1], A[2] = A[0] + a0, A[1] + a1, A[2] + a2
            rate = A[0] * V[i, 0] + A[1] * V[i, 1] + A[2] * V[i, 2] - moves
            rate -= row_dot(near, gradients, at, rows.begin[i], rows.end[i])
            # walls move as they do, in this substep as in the one before
            water.target[i] = density_target(water.fill[i] - ONE, rate, dt, pace.ups, pace.back) - moves
            diagonal = w * (A[0] * A[0] + A[1] * A[1] + A[2] * A[2]) + water.drift[i, 3] + pace.softness
            A[3] = ONE / max(diagonal, TINY)
            most = pace.most * room_left(water.fill[i])
            water.multiplier[i] = min(max(pressure[i], ZERO) * dt * spline.volume, most)
            for q in range(touches.start[i], touches.start[i + 1]):
                keeps = half_room(q, X[i, 3], touches, i)
                gap = row[q, DISTANCE] - keeps
                # what is caught is stopped, but not pushed: walls that part would throw it out
                row[q, GAP] = gap if keeps == X[i, 3] else max(gap, ZERO)
                row[q, TARGET] = contact_target(row[q, GAP], X[i, 3], dt, pace.back)
                moving = row[q, 0] * row[q, MOVES] + row[q, 1] * row[q, MOVES + 1] + row[q, 2] * row[q, MOVES + 2]
                row[q, TARGET] += moving
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            U[i, 3] = w
            if w == ZERO:
                U[i, 0], U[i, 1], U[i, 2] = V[i, 0], V[i, 1], V[i, 2]
                for q in range(touches.start[i], touches.start[i + 1]):
                    row[q, PRESS] = ZERO
                continue
            row_pull(near, gradients, values, rows.begin[i], rows.end[i], U.ctypes.data + 16 * i)
            U[i, 3] = w
            own = water.multiplier[i]
            for a in range(3):
                U[i, a] = V[i, a] + dt * pace.gravity[a] + water.drift[i, a] - w * (own * water.A[i, a] + U[i, a])
            h0, h1, h2 = dt * held[i, 0], dt * held[i, 1], dt * held[i, 2]
            for q in range(touches.start[i], touches.start[i + 1]):
                press = h0 * row[q, 0] + h1 * row[q, 1] + h2 * row[q, 2]
                row[q, PRESS] = press if press > ZERO else ZERO
                if not press > ZERO:  # a body whose numbers are lost has no normal
                    continue
                h0, h1, h2 = h0 - press * row[q, 0], h1 - press * row[q, 1], h2 - press * row[q, 2]
                for a in range(3):
                    U[i, a] += w * press * row[q, a]


@parallel
def finish(team, count, touches, spline, pace, water, pressure, held):
    """Pressures, and what each wall gave each particle; impulses of bodies are in PRESS, too."""
    row, push = touches.row, touches.push
    inverse = ONE / pace.dt
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            pressure[i] = water.multiplier[i] * inverse / spline.volume
            h0 = h1 = h2 = ZERO
            for q in range(touches.start[i], touches.start[i + 1]):
                press = row[q, PRESS]
                h0, h1, h2 = h0 + press * row[q, 0], h1 + press * row[q, 1], h2 + press * row[q, 2]
                j = press + water.multiplier[i] * row[q, WEIGHT]
                for a in range(3):
                    push[q, a] += j * row[q, a]
            held[i, 0], held[i, 1], held[i, 2] = inverse * h0, inverse * h1, inverse * h2
