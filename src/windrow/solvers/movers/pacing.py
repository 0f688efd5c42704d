"""How long a part of a step may be in which grains and bodies push each other.

During a part, contacts keep their normals and lever arms, and a body's mobility is that of its orientation at the
beginning. That holds while bodies turn little. A light body that hits the ground fast is spun within the step: if
contacts then pushed where it no longer is, they would do work that nobody put in, and throw it. So a step in which a
body turns, or may be made to turn, by more than `TURN` is made in parts, each with the bodies' own step at its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_math import norm
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import kernel
from windrow.solvers.movers.answering import AnsweringBodies, BodyPlaces
from windrow.solvers.movers.meeting import TURN

MOST_PARTS = 64


class Outlines(NamedTuple):
    """What is known of the bodies from far away."""

    radius: F64
    """(bodies,) of a ball about the centre of mass that holds all its pieces, m; negative: it has none"""
    yielding: F64
    """(bodies,) see `AnsweringBodies.yielding`"""


def outlines_of(bodies: AnsweringBodies, table: ShapeTable, owner: I64, place: F64) -> Outlines:
    """place: (pieces, 3) of the pieces' origins from the centres of mass of their bodies, m."""
    radius = np.full(len(bodies.mass), -1.0)
    far = norm(place) + norm(table.bound[:, :3].astype(np.float64)) + table.bound[:, 3]
    np.maximum.at(radius, owner, far)
    return Outlines(radius, bodies.yielding())


def may_meet(outlines: Outlines, placed: BodyPlaces, X: F32, U: F32, dt: float) -> bool:
    """Whether a body's ball comes near the box around the grains within dt (s); grains and bodies go straight.

    X, U: rows of the grains as in `longest_part`. It is wrong seldom: for a grain that is thrown far within dt.
    """
    if len(X) == 0:
        return False
    bounds = np.zeros(8)
    bounds_of_grains(X, U, bounds)
    speed = np.sqrt(bounds[0]) + norm(placed.V[:, :3])
    reach = outlines.radius + 2.0 * bounds[1] + dt * speed
    low, high = bounds[2:5], bounds[5:]
    apart = norm(np.maximum(np.maximum(low - placed.x, placed.x - high), 0.0))
    return not np.all((outlines.radius < 0.0) | (apart > reach))


@kernel
def bounds_of_grains(X: F32, U: F32, bounds: F64) -> None:
    """Of all grains: the greatest square of a speed, the greatest radius, and lower and upper corner of a box."""
    bounds[0] = bounds[1] = 0.0
    bounds[2:5], bounds[5:] = np.inf, -np.inf
    for i in range(len(X)):
        square = U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2]
        # what is no number may be anywhere
        bounds[0] = max(bounds[0], square if square < np.inf else np.inf)
        bounds[1] = max(bounds[1], X[i, 3])
        for k in range(3):
            bounds[2 + k] = min(bounds[2 + k], X[i, k])
            bounds[5 + k] = max(bounds[5 + k], X[i, k])


@kernel
def longest_part(outlines: Outlines, x: F64, V: F64, X: F32, U: F32, count: int, rest: float) -> float:
    """Time, s, of the `rest` of the step, for which contacts between grains and bodies hold.

    x, V: (bodies, …) centres of mass and velocities; X, U: rows {x, y, z, r} and {v_x, v_y, v_z, 1/m} of the grains.
    """
    fastest = 0.0
    for i in range(count):
        fastest = max(fastest, float(U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2]))
    fastest = np.sqrt(fastest)
    longest = rest
    for b in range(len(outlines.radius)):
        spin = np.sqrt(V[b, 3] * V[b, 3] + V[b, 4] * V[b, 4] + V[b, 5] * V[b, 5])
        speed = np.sqrt(V[b, 0] * V[b, 0] + V[b, 1] * V[b, 1] + V[b, 2] * V[b, 2])
        may_turn = spin + outlines.yielding[b] * (speed + fastest)
        if outlines.radius[b] < 0.0 or not np.isfinite(may_turn) or may_turn * rest <= TURN:
            continue
        for i in range(count):
            apart = closing = 0.0
            for k in range(3):
                apart += (X[i, k] - x[b, k]) * (X[i, k] - x[b, k])
                closing += (U[i, k] - V[b, k]) * (U[i, k] - V[b, k])
            closing = np.sqrt(closing)
            gap = np.sqrt(apart) - outlines.radius[b] - X[i, 3]
            if gap >= closing * longest:
                continue
            part = TURN / (spin + outlines.yielding[b] * closing + 1e-9)
            longest = min(longest, max(part, gap / closing if closing > 0.0 else 0.0))
    return longest
