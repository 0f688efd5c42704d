"""Impacts of contacts that bounce."""

from __future__ import annotations

from windrow.geometry.terms import F64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.contacts import RESTITUTION, ContactBuffers
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.response import Slots
from windrow.solvers.multibody.sweeps import MASS, Sweeps, add_wrench, push, push_through, speed_along

IMPACT_ROUNDS = 64
IMPACT_SPEED = 0.05
"""Slower impacts, m/s, do not bounce."""


@bare_inner
def push_all(
    rows: F64, c: int, i0: float, i1: float, i2: float, V: F64, slots: Slots, a: int, b: int
) -> None:
    """Velocities after impulses along all three directions."""
    push(rows, c, 0, i0, V, a, b)
    if i1 != 0.0 or i2 != 0.0:
        push(rows, c, 1, i1, V, a, b)
        push(rows, c, 2, i2, V, a, b)
    if slots.of_body[a] >= 0:
        push_through(rows, c, i0, i1, i2, V, slots, a, 0)
    if slots.of_body[b] >= 0:
        push_through(rows, c, i0, i1, i2, V, slots, b, 1)


@bare_inner
def bounce(contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, slots: Slots, h: float) -> None:
    """Impacts of contacts that bounce, one after the other, until none of them closes.

    One after the other, because that is how a shock runs through a row of balls.
    """
    V, rows = motion.V, sweeps.row
    for _ in range(IMPACT_ROUNDS):
        closing = False
        for c in range(contacts.found[0]):
            e = sweeps.law[c, RESTITUTION]
            if e == 0.0:
                continue
            a, b = contacts.body[c, 0], contacts.body[c, 1]
            speed = speed_along(rows, c, 0, V, a, b)
            if speed < -IMPACT_SPEED and contacts.gap[c] <= -h * speed:
                impulse = -(1.0 + e) * speed / rows[c, MASS]
                push_all(rows, c, impulse, 0.0, 0.0, V, slots, a, b)
                add_wrench(rows[c], 0, impulse, slots, slots.bounced, a, b)
                for k in range(3):
                    contacts.total[c, k] += impulse * rows[c, k]
                closing = True
        if not closing:
            return
