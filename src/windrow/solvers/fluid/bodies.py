"""The rows of particles beside moving bodies: one after another, after each sweep over the others.

A body answers to each contact at once and through all that holds it (`movers`). It is met by contact alone: it fills
the room that it takes, but density rows have no gradient by it. With one, its edges, which are half-spaces to what is
beside them, would push too, and a box of half the density of water would float too high by 5 to 13 %.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import inner, kernel
from windrow.solvers.fluid.kernels import GAP, PRESS, FluidSubstep, NeighbourRows, Water
from windrow.solvers.fluid.laws import pushed, room_left
from windrow.solvers.fluid.rows import row_add, row_dot
from windrow.solvers.fluid.sweeps import sweep_walls
from windrow.solvers.movers.loads import start_with
from windrow.solvers.movers.meeting import TURN, Meetings, Moving, book_impulse, push_back, velocity_at
from windrow.solvers.smoothed.touching import Touches

FASTEST = 1e5
"""m/s; what is said to be faster is a number that was lost"""


class Held(NamedTuple):
    """Contacts with bodies, and where each stands in the table of walls."""

    meetings: Meetings
    moving: Moving
    rows: I64


@kernel
def rows_of_meetings(meetings: Meetings, start: I64) -> I64:
    """(m,) row in the table of walls of each contact with a body; they end those of their particle."""
    many = len(meetings.grain)
    rows = np.empty(many, np.int64)
    m = 0
    while m < many:
        i, last = meetings.grain[m], m
        while last < many and meetings.grain[last] == i:
            last += 1
        for k in range(m, last):
            rows[k] = start[i + 1] - last + k
        m = last
    return rows


@kernel
def within(moving: Moving, meetings: Meetings, m: int, l0: float, l1: float, l2: float, dt: float) -> bool:
    """The body answers, unless it would be spun so fast that its contacts do not hold to the end of the substep."""
    V, s = moving.V, meetings.place[m]
    before = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    push_back(moving, meetings, m, l0, l1, l2)
    after = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    if after > before and dt * dt * after > TURN * TURN:
        push_back(moving, meetings, m, -l0, -l1, -l2)
        return False
    return True


@kernel
def begin_bodies(
    U: F32, meetings: Meetings, moving: Moving, touches: Touches, rows: I64, dt: float, impulse: F64
) -> None:
    """Bodies receive the opposite of what particles have: of adhesion, and of contact of the substep before.

    What was a blow in the substep before is not given again, to neither.
    """
    row = touches.row
    push = np.zeros((moving.V.shape[0], 6))
    for m in range(len(meetings.grain)):
        press = np.float64(row[rows[m], PRESS])
        n = meetings.plane[m]
        book_impulse(push, meetings, m, press * n[0], press * n[1], press * n[2])
    share = start_with(moving, push, dt)
    for m in range(len(meetings.grain)):
        q, i = rows[m], meetings.grain[m]
        lost = np.float64(row[q, PRESS]) * (1.0 - share[meetings.place[m]])
        row[q, PRESS] -= np.float32(lost)
        press = np.float64(row[q, PRESS])
        for a in range(3):
            U[i, a] -= np.float32(U[i, 3] * lost * meetings.plane[m, a])
            impulse[m, a] = press * meetings.plane[m, a] + touches.push[q, a]
        p0, p1, p2 = touches.push[q, 0], touches.push[q, 1], touches.push[q, 2]
        if p0 != 0.0 or p1 != 0.0 or p2 != 0.0:
            push_back(moving, meetings, m, p0, p1, p2)


@kernel
def sweep_bodies(
    U: F32, rows: NeighbourRows, touches: Touches, water: Water, held: Held, pace: FluidSubstep, radius: float,
    impulse: F64
) -> float:
    """The rows of all particles beside bodies, one after another: density, walls, contacts with the bodies.

    Returns the sum of what density rows lacked, as a change of fill.
    """
    meetings, moving, table = held
    near, gradients, at = rows.near.ctypes.data, rows.gradient.ctypes.data, U.ctypes.data
    row, dt = touches.row, np.float64(pace.dt)
    lacking = 0.0
    m, many = 0, len(meetings.grain)
    while m < many:
        i, last = meetings.grain[m], m + 1
        while last < many and meetings.grain[last] == i:
            last += 1
        A, w = water.A[i], U[i, 3]
        rate = A[0] * U[i, 0] + A[1] * U[i, 1] + A[2] * U[i, 2]
        rate -= row_dot(near, gradients, at, rows.begin[i], rows.end[i])
        if abs(rate) < FASTEST:
            before = water.multiplier[i]
            most = pace.most * room_left(water.fill[i])
            after = pushed(before, water.target[i], rate, pace.softness, A[3], most)
            change = after - before
            if change != 0.0:
                water.multiplier[i] = after
                lacking += abs(change / A[3])
                for a in range(3):
                    U[i, a] -= w * change * A[a]
                row_add(near, gradients, at, rows.begin[i], rows.end[i], change)
        sweep_walls(touches, i, U)
        for k in range(m, last):
            press_body(U, row, table[k], meetings, moving, k, np.float64(pace.back), radius, dt, impulse)
        m = last
    return lacking * dt


@inner
def away_from(meetings: Meetings, moving: Moving, m: int) -> float:
    """Velocity of the body's point of contact m, toward the particle, m/s."""
    b0, b1, b2 = velocity_at(moving.V, meetings.place[m], meetings.arm, m)
    n = meetings.plane[m]
    return np.float64(b0 * n[0] + b1 * n[1] + b2 * n[2])


@inner
def press_body(
    U: F32, row: F32, q: int, meetings: Meetings, moving: Moving, m: int, back: float, radius: float, dt: float,
    impulse: F64,
) -> None:  # fmt: skip
    """The contact row m, which is q in the table of walls: none approaches by more than its gap."""
    i, n = meetings.grain[m], meetings.plane[m]
    w = np.float64(U[i, 3])
    along = w + meetings.give[m, 0]
    away = U[i, 0] * n[0] + U[i, 1] * n[1] + U[i, 2] * n[2] - away_from(meetings, moving, m)
    if along <= 0.0 or not abs(away) < FASTEST:
        return
    gap = np.float64(row[q, GAP])
    target = -gap / dt if gap > 0.0 else back * min(-gap, radius)
    before = np.float64(row[q, PRESS])
    press = np.float64(np.float32(max(before + (target - away) / along, 0.0)))
    change = press - before
    if change == 0.0 or not within(moving, meetings, m, change * n[0], change * n[1], change * n[2], dt):
        return
    row[q, PRESS] = np.float32(press)
    for a in range(3):
        impulse[m, a] += change * n[a]
        U[i, a] += np.float32(w * change * n[a])


@kernel
def book_rows(meetings: Meetings, touches: Touches, rows: I64, impulse: F64) -> None:
    """What contacts gave particles in the substep, as the table of walls has it: contact and adhesion."""
    for m in range(len(meetings.grain)):
        q = rows[m]
        press = np.float64(touches.row[q, PRESS])
        for a in range(3):
            impulse[m, a] = press * meetings.plane[m, a] + touches.push[q, a]
