"""How touched bodies answer to impulses during one step, with all that holds them.

Joints count exactly (`response`). So do contacts that carry load: a bucket on the ground does not give way under
the grains that fill it, though no joint stops it. While a contact carries, it is a row J like a joint's, with the
compliance σ its softness has over the step; friction that does not slide holds sideways as well. With W of the
joints alone,

    W' = W − W Jᵀ (J W Jᵀ + σ)⁻¹ J W.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import product, solve
from windrow.geometry.terms import F64, I64
from windrow.kernel import device, kernel
from windrow.solvers.movers.answering import Mobility
from windrow.solvers.multibody.contacts import DAMPING, STATIC, STIFFNESS, ContactBuffers
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.vectors import any_perpendicular, cross, dot, minus, row

STICKS = 0.95
"""Share of its cone up to which friction counts as holding."""
GIVE = 0.02
"""Compliance of a contact without a stiffness of its own, of the mobility of what it holds: the damping that
`sweeps` gives such contacts lets a step move it by about this share."""
CARRIES = 1e-9
"""Least impulse of a contact that holds, N s."""


RESTS = 0.2
"""Speed along its normal, m/s, up to which a contact counts as one that carries. What it gives beyond that is a blow,
which holds nobody: a plate that has just hit the floor is free to leave it."""


class Holds(NamedTuple):
    """Directions in which contacts hold bodies."""

    place: I64
    """(h, 2) places of the two bodies in the mobility; −1: none, or fixed"""
    J: F64
    """(h, 2, 6) speed along the direction per velocity of each"""
    sigma: F64
    """(h,) compliance, m/s per N s; negative: of the mobility itself"""


@device
def approach(motion: Motion, contacts: ContactBuffers, c: int, body: int) -> float:
    """Speed of a body's point at contact c along its normal."""
    V, normal = motion.V[body], row(contacts.normal, c)
    turning = cross((V[3], V[4], V[5]), minus(row(contacts.point, c), row(motion.x, body)))
    return dot((V[0] + turning[0], V[1] + turning[1], V[2] + turning[2]), normal)


@kernel
def holds_of(
    contacts: ContactBuffers, law: F64, motion: Motion, table: BodyTable, place: I64, span: float
) -> Holds:
    """Rows of the contacts that carried load over the last `span` s; `place` (things,) in the mobility or −1."""
    n = contacts.found[0]
    rows, J, sigma = np.zeros((3 * n, 2), np.int64), np.zeros((3 * n, 2, 6)), np.zeros(3 * n)
    count = 0
    for c in range(n):
        total, normal = row(contacts.total, c), row(contacts.normal, c)
        along = dot(total, normal)
        a, b = contacts.real[c, 0], contacts.real[c, 1]
        if along <= CARRIES or (place[a] < 0 and place[b] < 0):
            continue
        if abs(approach(motion, contacts, c, a) - approach(motion, contacts, c, b)) > RESTS:
            continue
        side = minus(total, (along * normal[0], along * normal[1], along * normal[2]))
        sticks = dot(side, side) < (STICKS * law[c, STATIC] * along) ** 2
        first = any_perpendicular(normal)
        second = cross(normal, first)
        for d in range(3 if sticks else 1):
            direction = normal if d == 0 else (first if d == 1 else second)
            other = 0.0
            for s in range(2):
                body, sign = (a, 1.0) if s == 0 else (b, -1.0)
                turn = cross(minus(row(contacts.point, c), row(motion.x, body)), direction)
                rows[count, s] = place[body]
                for k in range(3):
                    J[count, s, k], J[count, s, 3 + k] = sign * direction[k], sign * turn[k]
                if place[body] < 0:
                    # A partner outside of the mobility yields by its own mass.
                    other += table.inverse_mass[body]
                    for i in range(3):
                        for k in range(3):
                            other += turn[i] * motion.inverse_inertia[body, i, k] * turn[k]
            if law[c, STIFFNESS] > 0.0:
                # A spring of its own gives by 1/(dt (c + dt k)) in a step.
                other += 1.0 / (span * (law[c, DAMPING] + span * law[c, STIFFNESS]))
            sigma[count] = other if other > 0.0 else -GIVE
            count += 1
    return Holds(rows[:count], J[:count], sigma[:count])


@kernel
def hold(mobility: Mobility, holds: Holds) -> None:
    """Takes from W what the rows hold, group by group."""
    k, W = len(mobility.body), mobility.W
    s = 0
    while s < k:
        end = mobility.end[s]
        size = 6 * (end - s)
        count = 0
        for r in range(len(holds.sigma)):
            if s <= max(holds.place[r, 0], holds.place[r, 1]) < end:
                count += 1
        if count > 0:
            whole, J, sigma = np.zeros((size, size)), np.zeros((count, size)), np.zeros(count)
            for a in range(s, end):
                for b in range(s, end):
                    whole[6 * (b - s) : 6 * (b - s) + 6, 6 * (a - s) : 6 * (a - s) + 6] = W[a, b - s]
            q = 0
            for r in range(len(holds.sigma)):
                if s <= max(holds.place[r, 0], holds.place[r, 1]) < end:
                    for side in range(2):
                        p = holds.place[r, side]
                        if s <= p < end:
                            J[q, 6 * (p - s) : 6 * (p - s) + 6] += holds.J[r, side]
                    sigma[q] = holds.sigma[r]
                    q += 1
            moved = product(J, whole)
            system = product(moved, J.T)
            for q in range(count):
                system[q, q] += sigma[q] if sigma[q] >= 0.0 else -sigma[q] * system[q, q] + 1e-15
            whole -= product(moved.T, solve(system, moved))
            for a in range(s, end):
                for b in range(s, end):
                    W[a, b - s] = whole[6 * (b - s) : 6 * (b - s) + 6, 6 * (a - s) : 6 * (a - s) + 6]
        s = end
