"""Contact rows of moving bodies, between two sweeps over the density rows: each body answers at once.

A body is met by contact alone: density rows that pushed it, each as if it were alone, would give a light body more than
it has mass for. A contact shares its impulse by masses, keeps momentum exactly and gives no energy.
"""

from __future__ import annotations

import numpy as np

from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import kernel
from windrow.solvers.fluid.kernels import GAP, PRESS
from windrow.solvers.movers.meeting import TURN, Meetings, Moving, push_back, velocity_at
from windrow.solvers.smoothed.touching import Touches

FASTEST = 1e5
"""m/s; what is said to be faster is a number that was lost"""
PASSES = 2
"""over the contacts of bodies after each sweep"""


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
    """Bodies receive the opposite of what particles were given: adhesion, and the impulses of the substep before."""
    for m in range(len(meetings.grain)):
        i, q = meetings.grain[m], rows[m]
        press = np.float64(touches.row[q, PRESS])
        n0, n1, n2 = meetings.plane[m, 0], meetings.plane[m, 1], meetings.plane[m, 2]
        impulse[m, 0], impulse[m, 1], impulse[m, 2] = press * n0, press * n1, press * n2
        p0, p1, p2 = touches.push[q, 0], touches.push[q, 1], touches.push[q, 2]
        if p0 != 0.0 or p1 != 0.0 or p2 != 0.0:
            push_back(moving, meetings, m, p0, p1, p2)
            impulse[m, 0] += p0
            impulse[m, 1] += p1
            impulse[m, 2] += p2
        if press > 0.0 and not within(moving, meetings, m, press * n0, press * n1, press * n2, dt):
            w = U[i, 3] * np.float32(press)
            U[i, 0] -= w * n0
            U[i, 1] -= w * n1
            U[i, 2] -= w * n2
            touches.row[q, PRESS] = 0.0
            impulse[m, 0] -= press * n0
            impulse[m, 1] -= press * n1
            impulse[m, 2] -= press * n2


@kernel
def sweep_bodies(
    X: F32, U: F32, meetings: Meetings, moving: Moving, touches: Touches, rows: I64, dt: float, back: float,
    impulse: F64,
) -> None:  # fmt: skip
    """Contacts of particles with bodies, one after another: none approaches by more than its gap."""
    row = touches.row
    for _ in range(PASSES):
        for m in range(len(meetings.grain)):
            i, q = meetings.grain[m], rows[m]
            w = np.float64(U[i, 3])
            along = w + meetings.give[m, 0]
            if along <= 0.0:
                continue
            n0, n1, n2 = np.float64(row[q, 0]), np.float64(row[q, 1]), np.float64(row[q, 2])
            b0, b1, b2 = velocity_at(moving.V, meetings.place[m], meetings.arm, m)
            away = (U[i, 0] - b0) * n0 + (U[i, 1] - b1) * n1 + (U[i, 2] - b2) * n2
            if not abs(away) < FASTEST:
                continue
            gap = np.float64(row[q, GAP])
            target = -gap / dt if gap > 0.0 else back * min(-gap, np.float64(X[i, 3]))
            before = np.float64(row[q, PRESS])
            press = np.float64(np.float32(max(before + (target - away) / along, 0.0)))
            change = press - before
            if change == 0.0 or not within(moving, meetings, m, change * n0, change * n1, change * n2, dt):
                continue
            row[q, PRESS] = np.float32(press)
            impulse[m, 0] += change * n0
            impulse[m, 1] += change * n1
            impulse[m, 2] += change * n2
            U[i, 0] += np.float32(w * change * n0)
            U[i, 1] += np.float32(w * change * n1)
            U[i, 2] += np.float32(w * change * n2)


@kernel
def book_rows(meetings: Meetings, touches: Touches, rows: I64, impulse: F64) -> None:
    """What contacts gave particles in the substep, as the table of walls has it: contact, and adhesion."""
    for m in range(len(meetings.grain)):
        q = rows[m]
        press = np.float64(touches.row[q, PRESS])
        for a in range(3):
            impulse[m, a] = press * meetings.plane[m, a] + touches.push[q, a]
