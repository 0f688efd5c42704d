"""Contacts of particles with moving bodies: one after another, each body answering at once.

A body is met by contact alone. Half-spaces of sand that push, as of obstacles (`laws.traction`), would give a light
body in one substep more than it has mass for. An impulse that stops what approaches, shared by masses, gives no energy
and keeps momentum exactly. It is found again in each iteration from the body's velocity at the start of the substep, so
that pressure in the sand follows what the body really does.
"""

from __future__ import annotations

import math

import numpy as np

from windrow.geometry.terms import F32, F64
from windrow.kernel import inner, kernel
from windrow.solvers.movers.meeting import TURN, Meetings, Moving, push_back, velocity_at

STATIC = 2
"""Column of the model's pair values"""
SWEEPS = 4
"""Passes over the contacts of bodies in each iteration."""


@kernel
def meet_bodies(
    X: F32, V: F32, U: F32, meetings: Meetings, moving: Moving, begun: F64, pairs: F32, dt: float, impulse: F64
) -> None:
    """Velocities U of particles, and those of the bodies, after contacts; impulse (m, 3): on the particles, N s.

    begun: velocities of the bodies before any contact. Impulses add up over the sweeps, and never pull.
    """
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.V[s, k] = begun[s, k]
    for q in range(len(meetings.grain)):
        impulse[q, 0] = impulse[q, 1] = impulse[q, 2] = 0.0
    for _ in range(SWEEPS):
        for q in range(len(meetings.grain)):
            i, n = meetings.grain[q], meetings.plane[q]
            w = np.float64(V[i, 3])
            n0, n1, n2 = np.float64(n[0]), np.float64(n[1]), np.float64(n[2])
            along, across = w + meetings.give[q, 0], w + meetings.give[q, 1]
            if along <= 0.0:
                continue
            b0, b1, b2 = velocity_at(moving.V, meetings.place[q], meetings.arm, q)
            u0, u1, u2 = U[i, 0] - b0, U[i, 1] - b1, U[i, 2] - b2
            closing = u0 * n0 + u1 * n1 + u2 * n2
            gap = n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - n[3] - X[i, 3]
            before = impulse[q, 0] * n0 + impulse[q, 1] * n1 + impulse[q, 2] * n2
            press = max(before - (closing + max(gap, 0.0) / dt) / along, 0.0)
            if press == 0.0 and before == 0.0:
                continue
            # across: what stops the sliding, together with what was given before, within Coulomb's cone
            t0, t1, t2 = u0 - closing * n0, u1 - closing * n1, u2 - closing * n2
            r0, r1, r2 = impulse[q, 0] - before * n0, impulse[q, 1] - before * n1, impulse[q, 2] - before * n2
            r0, r1, r2 = r0 - t0 / across, r1 - t1 / across, r2 - t2 / across
            size, most = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2), pairs[meetings.pair[q], STATIC] * press
            if size > most:
                r0, r1, r2 = r0 * most / size, r1 * most / size, r2 * most / size
            l0 = press * n0 + r0 - impulse[q, 0]
            l1 = press * n1 + r1 - impulse[q, 1]
            l2 = press * n2 + r2 - impulse[q, 2]
            if not push_within(moving, meetings, q, l0, l1, l2, dt):
                continue
            impulse[q, 0] += l0
            impulse[q, 1] += l1
            impulse[q, 2] += l2
            U[i, 0] += np.float32(w * l0)
            U[i, 1] += np.float32(w * l1)
            U[i, 2] += np.float32(w * l2)


@inner
def push_within(moving: Moving, meetings: Meetings, q: int, l0: float, l1: float, l2: float, dt: float) -> bool:
    """`push_back`, unless the body would be spun so fast that its contacts do not hold to the end of the substep."""
    V, s = moving.V, meetings.place[q]
    before = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    push_back(moving, meetings, q, l0, l1, l2)
    after = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    if after > before and dt * dt * after > TURN * TURN:
        push_back(moving, meetings, q, -l0, -l1, -l2)
        return False
    return True
