"""Grains and what they may not be in: ground, walls and bodies, each with the velocity that it has there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.collide.obstacles import Obstacles, in_ball, to_local
from windrow.geometry.distance import closest
from windrow.geometry.height import beyond_edge, ground_under
from windrow.geometry.kinds import HEIGHT_FIELD, KIND
from windrow.geometry.sweep import barrier
from windrow.geometry.terms import F64, I32, Point
from windrow.kernel import inner

D: Any = np.float64
SWEEPS = 6
"""Times that a grain is pushed out of all that it is in, before it counts as without room"""
TOUCH = 1e-3
"""Share of its radius by which a grain may lie in a wall"""

Held = tuple[Point, Point, bool]


class TeamScratch(NamedTuple):
    """Room to work in, one for each member of the team."""

    near: I32
    """obstacles near a block of grains"""
    filters: F64
    stack: I32


@inner
def to_world(pose: F64, s: int, p: Point) -> Point:
    return (
        pose[s, 0] * p[0] + pose[s, 1] * p[1] + pose[s, 2] * p[2] + pose[s, 9],
        pose[s, 3] * p[0] + pose[s, 4] * p[1] + pose[s, 5] * p[2] + pose[s, 10],
        pose[s, 6] * p[0] + pose[s, 7] * p[1] + pose[s, 8] * p[2] + pose[s, 11],
    )


@inner
def near_ones(walls: Obstacles, low: Point, high: Point, reach: float, scratch: TeamScratch) -> int:
    """Notes which obstacles a box (m) comes within reach of; solids first, planes and ground last. Returns how many."""
    near, many = scratch.near, 0
    x, y, z = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])
    a, b, c = high[0] - x, high[1] - y, high[2] - z
    far = np.sqrt(a * a + b * b + c * c) + reach
    for turn in range(2):
        for k in range(len(walls.solids)):
            s = walls.solids[k]
            ground = walls.param[s, KIND] == HEIGHT_FIELD
            if ground != (turn == 1) or not in_ball(walls.placed, s, x, y, z, far):
                continue
            p = to_local(walls.pose1, s, x, y, z)
            found = closest(walls.param, walls.numbers, s, p, far, scratch.filters, 0, 0.0, scratch.stack)
            if found[0] <= far:
                near[many] = s
                many += 1
    for k in range(len(walls.planes)):
        s = walls.planes[k]
        n0, n1, n2 = D(walls.placed[s, 0]), D(walls.placed[s, 1]), D(walls.placed[s, 2])
        lowest = n0 * x + n1 * y + n2 * z - abs(n0) * a - abs(n1) * b - abs(n2) * c - D(walls.placed[s, 3])
        if lowest < reach:
            near[many] = s
            many += 1
    return many


@inner
def gap_to(
    walls: Obstacles, s: int, a: Point, b: Point, radius: float, scratch: TeamScratch
) -> tuple[float, Point]:
    """Gap (m) between obstacle s and a ball that went from a to b, negative in it; and the normal, in the world."""
    p = to_local(walls.pose1, s, b[0], b[1], b[2])
    kind = int(walls.param[s, KIND])
    if kind == 0:
        n = (D(walls.placed[s, 0]), D(walls.placed[s, 1]), D(walls.placed[s, 2]))
        return n[0] * b[0] + n[1] * b[1] + n[2] * b[2] - D(walls.placed[s, 3]) - radius, n
    if kind == HEIGHT_FIELD:
        height, slope_x, slope_y = ground_under(p[0], p[1], walls.param, walls.numbers, s)
        length = np.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
        m = (-slope_x / length, -slope_y / length, 1.0 / length)
        gap = (p[2] - height) / length - radius
        if beyond_edge(p[0], p[1], walls.param, s):
            gap = 1.0
    else:
        q = to_local(walls.pose0, s, a[0], a[1], a[2])
        hit = barrier(walls.param, walls.numbers, s, q, p, radius, scratch.filters, scratch.stack)
        if hit[0] <= 1.0:
            m = (hit[1], hit[2], hit[3])
            gap = (p[0] - hit[4]) * m[0] + (p[1] - hit[5]) * m[1] + (p[2] - hit[6]) * m[2] - radius
        else:
            at = closest(
                walls.param, walls.numbers, s, p, 2.0 * radius, scratch.filters, 0, 0.0, scratch.stack
            )  # fmt: skip
            m = (at[1], at[2], at[3])
            gap = at[0] - radius
    pose = walls.pose1
    n = (
        pose[s, 0] * m[0] + pose[s, 1] * m[1] + pose[s, 2] * m[2],
        pose[s, 3] * m[0] + pose[s, 4] * m[1] + pose[s, 5] * m[2],
        pose[s, 6] * m[0] + pose[s, 7] * m[1] + pose[s, 8] * m[2],
    )
    return gap, n


@inner
def pushed(
    gap: float, n: Point, a: Point, b: Point, v: Point, moves: Point, rub: tuple[float, float]
) -> tuple[Point, Point]:
    """Place and velocity of a ball in a wall after the wall has held it: it leaves along the normal, and Coulomb
    friction acts on what it slid. moves: velocity of the wall there, m/s; rub: friction, –, and time step, s."""
    friction, dt = rub
    u = (v[0] - moves[0], v[1] - moves[1], v[2] - moves[2])
    inward = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    b = (b[0] - gap * n[0], b[1] - gap * n[1], b[2] - gap * n[2])
    if inward >= 0.0:
        return b, v
    t = (u[0] - inward * n[0], u[1] - inward * n[1], u[2] - inward * n[2])
    speed = np.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
    keep = max(0.0, 1.0 + friction * inward / speed) if speed > 1e-12 else 0.0
    v = (moves[0] + keep * t[0], moves[1] + keep * t[1], moves[2] + keep * t[2])
    # what it slid along the wall in this step, relative to the wall
    d = (b[0] - a[0] - dt * moves[0], b[1] - a[1] - dt * moves[1], b[2] - a[2] - dt * moves[2])
    along = d[0] * n[0] + d[1] * n[1] + d[2] * n[2]
    less = 1.0 - keep
    b = (
        b[0] - less * (d[0] - along * n[0]),
        b[1] - less * (d[1] - along * n[1]),
        b[2] - less * (d[2] - along * n[2]),
    )
    return b, v


@inner
def kept_out(
    walls: Obstacles,
    many: int,
    a: Point,
    b: Point,
    v: Point,
    radius: float,
    rub: tuple[float, float],
    scratch: TeamScratch,
) -> Held:
    """Place and velocity of a grain that would go from a to b with v, and whether there is room for it."""
    dt = rub[1]
    for _ in range(SWEEPS):
        touched = False
        for k in range(many):
            s = scratch.near[k]
            gap, n = gap_to(walls, s, a, b, radius, scratch)
            if gap >= -TOUCH * radius:
                continue
            touched = True
            here = to_local(walls.pose1, s, b[0], b[1], b[2])
            before = to_world(walls.pose0, s, here)
            moves = ((b[0] - before[0]) / dt, (b[1] - before[1]) / dt, (b[2] - before[2]) / dt)
            b, v = pushed(gap, n, a, b, v, moves, rub)
        if not touched:
            return b, v, True
    return b, v, False
