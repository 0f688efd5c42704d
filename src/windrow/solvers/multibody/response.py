"""How bodies of a machine answer to impulses, joints included.

An impulse on a bucket moves the whole machine. For contacts, all that matters is the effective inverse mass of
the bodies that are touched,

    W = Eᵀ (M⁻¹ − M⁻¹ G_Fᵀ S_F⁻¹ G_F M⁻¹) E,

F the rows that are not at a bound and E the touched bodies: 6 × 6 for each pair of them within one machine. It is
taken once a step, and again when a row comes to a bound or leaves it (`agreement`). With it, sweeps over contacts feel
the machine's mass as it is; a bucket taken for a free body flies, and one taken for immovable cannot be stopped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, inner
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.direct import factorise_free, yield_to
from windrow.solvers.multibody.factor import forward_all
from windrow.solvers.multibody.machine import Machine
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.tiles import LANES, take_line


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
    given: F64
    """(slots, 6) the same before a sweep"""
    bounced: F64
    """(slots, 6) the part of it that impacts with restitution made in this substep"""
    held: I64
    """(r,) 1: a row of the joints that W is of; 0: one at a bound, which gives way to contacts"""


def slots_with_room(room: int, bodies: int, machine: I64, rows: int) -> Slots:
    return Slots(
        used=np.zeros(1, np.int64),
        body=np.zeros(room, np.int64),
        of_body=np.full(bodies, -1, np.int64),
        machine=machine,
        first=np.zeros(room, np.int64),
        end=np.zeros(room, np.int64),
        W=np.zeros((room, room, 6, 6)),
        wrench=np.zeros((room, 6)),
        given=np.zeros((room, 6)),
        bounced=np.zeros((room, 6)),
        held=np.zeros(rows, np.int64),
    )


@bare_inner
def take_slots(slots: Slots, contacts: ContactBuffers, members: I64) -> None:
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


@bare_inner
def kick(table: BodyTable, motion: Motion, b: int, wrench: F64, s: int) -> None:
    """Adds M⁻¹ times wrench s to the velocity of body b."""
    V, I = motion.V, motion.inverse_inertia
    for k in range(3):
        V[b, k] += table.inverse_mass[b] * wrench[s, k]
        V[b, 3 + k] += I[b, k, 0] * wrench[s, 3] + I[b, k, 1] * wrench[s, 4] + I[b, k, 2] * wrench[s, 5]


@inner
def measure_response(slots: Slots, machine: Machine, table: BodyTable, motion: Motion) -> None:
    """W of all slots, with the factors of the last solution of the joints."""
    system, rows, W, of_body = machine.system, machine.rows, slots.W, slots.of_body
    factored, blocks, body, MJ = system.factored, rows.blocks, rows.body, rows.MJ
    n, used = system.pattern.size, slots.used[0]
    width = 6 * used
    lines = (width + LANES - 1) // LANES
    # S = L D Lᵀ, so that half of a solution, Y = L⁻¹ G M⁻¹ E, is enough: W = Eᵀ M⁻¹ E − Yᵀ D⁻¹ Y.
    Y, total, reached = np.zeros((n, lines * LANES)), np.zeros((width, lines * LANES)), np.zeros(n, np.int64)
    for r in range(n):
        slots.held[r] = 1 if factored[r] == 0 else 0
        if factored[r] == 0:
            for block in range(blocks[r]):
                s = of_body[body[r, block]]
                if s >= 0:
                    reached[r] = 1
                    for k in range(6):
                        Y[r, 6 * s + k] += MJ[r, 6 * block + k]
    forward_all(system.pattern, system.factors, Y, lines, reached)
    diagonal = system.factors.reshape(system.factors.size)
    for r in range(n):
        if reached[r] == 1:
            inverse = 1.0 / diagonal[r]
            for i in range(width):
                if Y[r, i] != 0.0:
                    # Symmetric: nothing left of the diagonal.
                    for k in range(i // LANES, lines):
                        take_line(
                            total.ctypes.data, i * lines + k, Y[r, i] * inverse, Y.ctypes.data, r * lines + k
                        )
    for s in range(used):
        for t in range(slots.first[s], slots.end[s]):
            for i in range(6):
                for k in range(6):
                    p, q = min(6 * s + i, 6 * t + k), max(6 * s + i, 6 * t + k)
                    W[s, t, i, k] = total[p, q]
        b = slots.body[s]
        for i in range(3):
            W[s, s, i, i] += table.inverse_mass[b]
            for k in range(3):
                W[s, s, 3 + i, 3 + k] += motion.inverse_inertia[b, i, k]


@bare_inner
def is_exact(slots: Slots, machine: Machine) -> bool:
    """Whether W is that of the rows that are free now; only rows along a coordinate have bounds."""
    active, wrong = machine.rows.active, 0
    for r in machine.axial.row:
        if slots.held[r] != (1 if active[r] == 0 else 0):
            wrong += 1
    return wrong == 0


@bare_inner
def is_safe(slots: Slots, machine: Machine) -> bool:
    """Whether a machine answers no more than W says: all rows that W takes for held are free."""
    active, wrong = machine.rows.active, 0
    for r in machine.axial.row:
        if slots.held[r] == 1 and active[r] != 0:
            wrong += 1
    return wrong == 0


@inner
def measure_softer(slots: Slots, machine: Machine, table: BodyTable, motion: Motion) -> None:
    """W of the rows that are free now and were when W was last measured; leaves factors that are no solution's."""
    system, rows = machine.system, machine.rows
    now, n = np.zeros(system.pattern.size, np.int64), system.pattern.size
    for r in range(n):
        now[r] = rows.active[r]
        if slots.held[r] == 0:
            rows.active[r] = -1
    factorise_free(system, rows)
    for r in range(n):
        rows.active[r] = now[r]
    measure_response(slots, machine, table, motion)


@bare_inner
def respond_to_wrenches(
    slots: Slots, machine: Machine, table: BodyTable, motion: Motion, wrench: F64
) -> None:
    """Velocities of all bodies of the machines after impulses (slots, 6) on the touched ones, by the present factors.

    `system.work` is then minus what the joints' rows gave.
    """
    system, rows = machine.system, machine.rows
    work, MJ = system.work, rows.MJ
    for s in range(slots.used[0]):
        kick(table, motion, slots.body[s], wrench, s)
    touched = False
    for r in range(system.pattern.size):
        work[r] = 0.0
        if system.factored[r] == 0:
            for block in range(rows.blocks[r]):
                s = slots.of_body[rows.body[r, block]]
                if s >= 0:
                    o = 6 * block
                    for k in range(6):
                        work[r] += MJ[r, o + k] * wrench[s, k]
                    touched = True
    if touched:
        yield_to(system, rows, motion.V)
