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

from windrow.geometry.terms import F64, I64
from windrow.kernel import kernel
from windrow.solvers.multibody.contacts import DAMPING, STATIC, STIFFNESS, Contacts
from windrow.solvers.multibody.motion import BodyTable, Motion

STICKS = 0.95
"""Share of its cone up to which friction counts as holding."""
GIVE = 0.02
"""Compliance of a contact without a stiffness of its own, of the mobility of what it holds: the damping that
`sweeps` gives such contacts lets a step move it by about this share."""
CARRIES = 1e-9
"""Least impulse of a contact that holds, N s."""


class Mobility(NamedTuple):
    """Touched bodies in the order of their groups; what belongs to different groups moves apart."""

    body: I64
    """(k,)"""
    first: I64
    """(k,) first place of the same group"""
    end: I64
    """(k,) one after its last"""
    W: F64
    """(k, widest group, 6, 6) of place s and the t-th of its group: velocity of that per impulse on s"""


class Holds(NamedTuple):
    """Directions in which contacts hold bodies."""

    place: I64
    """(h, 2) places of the two bodies in the mobility; −1: none, or fixed"""
    J: F64
    """(h, 2, 6) speed along the direction per velocity of each"""
    sigma: F64
    """(h,) compliance, m/s per N s; negative: of the mobility itself"""


def directions(normal: F64) -> F64:
    """(c, 3, 3) unit vectors: each normal, and two across it."""
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    first = np.cross(normal, least)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([normal, first, np.cross(normal, first)], axis=1)


def holds_of(
    contacts: Contacts, law: F64, motion: Motion, table: BodyTable, place: I64, span: float
) -> Holds:
    """Rows of the contacts that carried load over the last `span` s; `place` (things,) in the mobility or −1."""
    n = int(contacts.found[0])
    real, total = contacts.real[:n].astype(np.int64), contacts.total[:n]
    along = np.einsum("ci,ci->c", total, contacts.normal[:n])
    here = place[real]
    chosen = np.flatnonzero((along > CARRIES) & (here >= 0).any(axis=1))
    real, here, along, law = real[chosen], here[chosen], along[chosen], law[chosen]
    axes = directions(contacts.normal[chosen])
    side = total[chosen] - along[:, None] * axes[:, 0]
    sticks = np.linalg.norm(side, axis=1) < STICKS * law[:, STATIC] * along
    # A spring of its own gives by 1/(dt (c + dt k)) in a step.
    spring = span * (law[:, DAMPING] + span * law[:, STIFFNESS])
    give = np.where(law[:, STIFFNESS] > 0, 1.0 / np.maximum(spring, 1e-30), 0.0)
    rows, J, sigma = [], [], []
    for d in range(3):
        used = np.arange(len(chosen)) if d == 0 else np.flatnonzero(sticks)
        direction, blocks = axes[used, d], np.zeros((len(used), 2, 6))
        other = np.zeros(len(used))
        for s, sign in ((0, 1.0), (1, -1.0)):
            body = real[used, s]
            arm = contacts.point[chosen][used] - motion.x[body]
            blocks[:, s, :3], blocks[:, s, 3:] = sign * direction, sign * np.cross(arm, direction)
            # A partner outside of the mobility yields by its own mass.
            turn = blocks[:, s, 3:]
            own = table.inverse_mass[body] + np.einsum(
                "ci,cij,cj->c", turn, motion.inverse_inertia[body], turn
            )
            other += np.where(here[used, s] < 0, own, 0.0)
        rows.append(here[used])
        J.append(blocks)
        sigma.append(np.where(give[used] > 0, give[used] + other, np.where(other > 0, other, -GIVE)))
    return Holds(np.concatenate(rows), np.concatenate(J), np.concatenate(sigma))


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
            moved = J @ whole
            system = moved @ J.T
            for q in range(count):
                system[q, q] += sigma[q] if sigma[q] >= 0.0 else -sigma[q] * system[q, q] + 1e-15
            whole -= moved.T @ np.linalg.solve(system, moved)
            for a in range(s, end):
                for b in range(s, end):
                    W[a, b - s] = whole[6 * (b - s) : 6 * (b - s) + 6, 6 * (a - s) : 6 * (a - s) + 6]
        s = end
