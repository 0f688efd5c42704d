"""Walls as particles feel them: one table of planes from obstacles and moving bodies, made anew in each substep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.collide.walls import WallContacts
from windrow.geometry.terms import F32, I32, I64
from windrow.kernel import BLOCK, device, kernel
from windrow.solvers.movers.meeting import Meetings, Moving, velocity_at
from windrow.solvers.movers.movers import Movers
from windrow.solvers.smoothed.spline import Spline, wall_share, wall_weight
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
STATIC = 2
"""Column of the model's pair values"""
SMALLEST = 1024
FASTEST = F(1e4)
"""m/s; what is said to be faster is a number that was lost"""


class Touches(NamedTuple):
    """Walls within h of particles; those of particle i are the rows start[i] … start[i + 1]."""

    start: Any
    row: Any
    """normal toward the particle; distance of its centre, m; velocity of the wall, m/s; |∇λ|, 1/m; friction, –"""
    push: Any
    """(rows, 3) what the wall gives the particle in the substep, N s"""


NORMAL, DISTANCE, MOVES, WEIGHT, FRICTION = 0, 3, 4, 7, 8
MOVABLE = F(-1.0)
"""In place of the friction of a wall that is a moving body: `bodies.py` has its contacts."""
TOUCH_COLUMNS = 12


class TouchTable:
    """The table of touches, and what the walls add to the fill of each particle."""

    def __init__(self, capacity: int) -> None:
        self.start: I64 = np.zeros(capacity + 1, np.int64)
        self.fill: F32 = np.zeros(capacity, np.float32)
        self.row: F32 = np.zeros((SMALLEST, TOUCH_COLUMNS), np.float32)
        self.push: F32 = np.zeros((SMALLEST, 3), np.float32)

    @property
    def touches(self) -> Touches:
        return Touches(self.start, self.row, self.push)

    def lay(
        self, X: F32, count: int, dt: float, obstacles: WallContacts, movers: Movers | None, pairs: F32, spline: Spline
    ) -> int:
        """Makes the table for particles at X; returns its rows. obstacles: found for the next dt (s)."""
        bodies = obstacles if movers is None else movers.walls
        needed = count_touches(
            obstacles.start, obstacles.end, bodies.start, bodies.end, movers is not None, count, self.start
        )  # fmt: skip
        if needed > len(self.row):
            self.row = np.zeros((needed + needed // 4, TOUCH_COLUMNS), np.float32)
            self.push = np.zeros((len(self.row), 3), np.float32)
        place_obstacles(
            X, count, F(dt), obstacles.start, obstacles.end, obstacles.plane, obstacles.slide, obstacles.pair, pairs,
            self.touches,
        )  # fmt: skip
        if movers is not None:
            place_bodies(X, count, movers.meetings, movers.moving, self.touches)
        weigh_walls(count, spline, self.touches, self.fill)
        return int(needed)

    def give_obstacles(self, V: F32, count: int, dt: float, obstacles: WallContacts) -> None:
        """Books what the walls gave as displacements, as `solvers.reaction` reads them."""
        book_obstacles(V, count, F(dt), obstacles.start, obstacles.end, self.touches, obstacles.push)


@kernel
def count_touches(start: I32, end: I32, body_start: I32, body_end: I32, bodies: bool, count: int, touch: I64) -> int:
    """First row of each particle; returns how many there are."""
    total = 0
    for i in range(count):
        touch[i] = total
        total += end[i] - start[i]
        if bodies:
            total += body_end[i] - body_start[i]
    touch[count] = total
    return total


@parallel
def place_obstacles(team, X, count, dt, start, end, plane, slide, pair, pairs, touches):
    """Rows of obstacles come first. Planes are given where they are at the end of the substep."""
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            q = touches.start[i]
            for k in range(start[i], end[i]):
                n0, n1, n2 = plane[k, 0], plane[k, 1], plane[k, 2]
                offset = plane[k, 3] - n0 * slide[k, 0] - n1 * slide[k, 1] - n2 * slide[k, 2]
                row[q, 0], row[q, 1], row[q, 2] = n0, n1, n2
                row[q, DISTANCE] = n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - offset
                for a in range(3):
                    row[q, MOVES + a] = slide[k, a] / dt
                row[q, FRICTION] = pairs[pair[k], STATIC]
                q += 1


@kernel
def place_bodies(X: F32, count: int, meetings: Meetings, moving: Moving, touches: Touches) -> None:
    """Rows of moving bodies end those of a particle."""
    row, start, n = touches.row, touches.start, meetings.plane
    many = len(meetings.grain)
    for m in range(many):
        i = meetings.grain[m]
        # meetings are in the order of the particles
        after = 1
        while m + after < many and meetings.grain[m + after] == i:
            after += 1
        q = start[i + 1] - after
        row[q, 0], row[q, 1], row[q, 2] = n[m, 0], n[m, 1], n[m, 2]
        row[q, DISTANCE] = n[m, 0] * X[i, 0] + n[m, 1] * X[i, 1] + n[m, 2] * X[i, 2] - n[m, 3]
        b0, b1, b2 = velocity_at(moving.V, meetings.place[m], meetings.arm, m)
        row[q, MOVES], row[q, MOVES + 1], row[q, MOVES + 2] = b0, b1, b2
        row[q, FRICTION] = MOVABLE


@device
def overlap(row, q, k, share):
    """Which part of wall q's plane lies inside wall k, where a particle sees `share` of k.

    Planes at right angles share in proportion, opposite ones nothing; of two alike the nearer counts alone.
    """
    c = row[q, 0] * row[k, 0] + row[q, 1] * row[k, 1] + row[q, 2] * row[k, 2]
    if c <= ZERO:
        return share * (ONE - c * c)
    nearer = row[k, DISTANCE] < row[q, DISTANCE] or (row[k, DISTANCE] == row[q, DISTANCE] and k < q)
    return share + c * c * ((ONE if nearer else ZERO) - share)


@parallel
def weigh_walls(team, count, spline, touches, fill):
    """|∇λ| of each wall, less what other walls cover of it, and the fill by all walls of a particle."""
    row = touches.row
    inverse = ONE / spline.h
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            total = ZERO
            begin, end = touches.start[i], touches.start[i + 1]
            for q in range(begin, end):
                at = row[q, DISTANCE] * inverse
                weight = spline.wall_slope * inverse * wall_weight(at)
                share = spline.wall_fill * wall_share(at)
                for k in range(begin, end):
                    if k != q:
                        covered = overlap(row, q, k, wall_share(row[k, DISTANCE] * inverse))
                        weight *= ONE - covered
                        if row[k, DISTANCE] < row[q, DISTANCE] or (row[k, DISTANCE] == row[q, DISTANCE] and k < q):
                            share *= ONE - covered
                row[q, WEIGHT] = ZERO if row[q, FRICTION] == MOVABLE else weight
                total += share
            fill[i] = total


@parallel
def fastest_approach(team, X, V, count, touches, partial):
    """partial[b]: greatest speed (m/s) at which a particle of block b and a wall that it can reach approach."""
    row = touches.row
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        most = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for q in range(touches.start[i], touches.start[i + 1]):
                speed = ZERO
                for a in range(3):
                    speed += row[q, a] * (row[q, MOVES + a] - V[i, a])
                if row[q, DISTANCE] < F(2.0) * X[i, 3] and most < speed < FASTEST:
                    most = speed
        partial[b] = most


@parallel
def book_obstacles(team, V, count, dt, start, end, touches, push):
    """push: displacement Δt J/m that impulse J means."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            q = touches.start[i]
            for k in range(start[i], end[i]):
                for a in range(3):
                    push[k, a] = dt * V[i, 3] * touches.push[q, a]
                q += 1
