"""How bodies of a machine answer to impulses, joints included.

An impulse on a bucket moves the whole machine. For contacts, all that matters is the effective inverse mass of
the bodies that are touched,

    W = Eᵀ (M⁻¹ − M⁻¹ G_Fᵀ S_F⁻¹ G_F M⁻¹) E,

F the rows that are not at a bound and E the touched bodies: 6 × 6 for each pair of them within one machine. It is
taken once a step. With it, sweeps over contacts feel the machine's mass as it is; a bucket taken for a free
body flies, and one taken for immovable cannot be stopped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import inner, kernel
from windrow.solvers.multibody.contacts import Contacts
from windrow.solvers.multibody.direct import feel, yield_to
from windrow.solvers.multibody.factor import forward_six
from windrow.solvers.multibody.machine import Machine
from windrow.solvers.multibody.motion import BodyTable, Motion


class Slots(NamedTuple):
    """Bodies of machines that are touched, ordered by machine."""

    used: I64
    body: I64
    """(slots,)"""
    of_body: I64
    """(bodies,) slot of each body; −1: none"""
    machine: I64
    """(bodies,) number of the machine that a body belongs to; −1: none"""
    first: I64
    """(slots,) first slot of the same machine"""
    end: I64
    """(slots,) one after its last"""
    W: F64
    """(slots, slots, 6, 6) velocity of one per impulse on another; zero between machines"""
    wrench: F64
    """(slots, 6) impulse on each, N s and N m s"""
    bounced: F64
    """(slots, 6) the part of it that impacts with restitution made in this substep"""


def slots_with_room(room: int, bodies: int, machine: I64) -> Slots:
    return Slots(
        used=np.zeros(1, np.int64),
        body=np.zeros(room, np.int64),
        of_body=np.full(bodies, -1, np.int64),
        machine=machine,
        first=np.zeros(room, np.int64),
        end=np.zeros(room, np.int64),
        W=np.zeros((room, room, 6, 6)),
        wrench=np.zeros((room, 6)),
        bounced=np.zeros((room, 6)),
    )


@kernel
def take_slots(slots: Slots, contacts: Contacts, members: I64) -> None:
    """Gives a slot to each body of a machine that a contact touches."""
    for s in range(slots.used[0]):
        slots.of_body[slots.body[s]] = -1
    for c in range(contacts.found[0]):
        for side in range(2):
            b = contacts.body[c, side]
            if slots.machine[b] >= 0:
                slots.of_body[b] = 0
    n = 0
    for b in members:
        if slots.of_body[b] >= 0:
            slots.of_body[b], slots.body[n] = n, b
            first = (
                n if n == 0 or slots.machine[slots.body[n - 1]] != slots.machine[b] else slots.first[n - 1]
            )
            slots.first[n] = first
            n += 1
            for s in range(first, n):
                slots.end[s] = n
    slots.used[0] = n


@inner
def inverse_mass_times(table: BodyTable, motion: Motion, b: int, wrench: F64, out: F64) -> None:
    """M⁻¹ of body b times a wrench, into out (6,)."""
    I = motion.inverse_inertia[b]
    for k in range(3):
        out[k] = table.inverse_mass[b] * wrench[k]
        out[3 + k] = I[k, 0] * wrench[3] + I[k, 1] * wrench[4] + I[k, 2] * wrench[5]


@inner
def measure_response(slots: Slots, machine: Machine, table: BodyTable, motion: Motion) -> None:
    """W of all slots, with the factors of the last solution of the joints."""
    unit, kick = np.zeros(6), np.zeros(6)
    system, rows, W = machine.system, machine.rows, slots.W
    n, used = system.pattern.size, slots.used[0]
    # S = L D Lᵀ, so that half of a solution, Y = L⁻¹ G M⁻¹ E, is enough: W = Eᵀ M⁻¹ E − Yᵀ D⁻¹ Y.
    Y, work, block = np.empty((used, n, 6)), system.work, np.empty((6, 6))
    for s in range(used):
        b = slots.body[s]
        for k in range(6):
            unit[:] = 0.0
            unit[k] = 1.0
            inverse_mass_times(table, motion, b, unit, kick)
            work[:] = 0.0
            feel(rows.J, rows.body, rows.blocks, rows.active, b, kick, work)
            for r in range(n):
                Y[s, r, k] = work[r]
            for i in range(6):
                W[s, s, i, k] = kick[i]
        forward_six(system.pattern, system.factors, Y, s)
        for t in range(slots.first[s], s + 1):
            weigh(Y, s, t, system.factors, n, block)
            for i in range(6):
                for k in range(i + 1 if t == s else 6):
                    own = W[s, s, i, k] if t == s else 0.0
                    W[s, t, i, k] = W[t, s, k, i] = own - block[i, k]


@inner
def weigh(Y: F64, s: int, t: int, diagonal: F64, n: int, out: F64) -> None:
    """Yᵀ D⁻¹ Y between two slots, into out (6, 6)."""
    out[:] = 0.0
    for r in range(n):
        inverse = 1.0 / diagonal[r]
        for i in range(6):
            w = Y[s, r, i] * inverse
            if w != 0.0:
                for k in range(6):
                    out[i, k] += w * Y[t, r, k]


@inner
def respond_to_wrenches(
    slots: Slots, machine: Machine, table: BodyTable, motion: Motion, wrench: F64
) -> None:
    """Velocities of all bodies of the machines after impulses (slots, 6) on the touched ones."""
    kick = np.zeros(6)
    system, rows = machine.system, machine.rows
    system.work[:] = 0.0
    touched = False
    for s in range(slots.used[0]):
        b = slots.body[s]
        inverse_mass_times(table, motion, b, wrench[s], kick)
        for i in range(6):
            motion.V[b, i] += kick[i]
        touched |= feel(rows.J, rows.body, rows.blocks, rows.active, b, kick, system.work)
    if touched:
        yield_to(system, rows, motion.V)
