"""All substeps of one step, in compiled code.

for each substep
  begin      velocities after gravity and outer forces
  joints     impulses of all joints, motors and limits at once, as if contacts gave what they gave before: which
             limits and motors hold depends on the load
  impacts    of contacts that bounce
  normals    of machines on what cannot be moved, all at once
  sweep      friction and all other contacts, warm started, feeling machines through their effective mass
  normals    again
  joints     again, with what the contacts gave; where a row comes to a bound, contacts and joints once more, see
             `agreement`
  drift      positions with the new velocities
  relax      normals, a sweep and normals that take back the speed of pushing apart
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.agreement import (
    SOFTENED,
    TouchRows,
    add_contact_impulses,
    agree,
    count,
    feel_machines,
    relax,
)
from windrow.solvers.multibody.contacts import ContactBuffers, Remembered, recall_impulses
from windrow.solvers.multibody.impacts import bounce
from windrow.solvers.multibody.laws import Laws, take_laws
from windrow.solvers.multibody.machine import (
    Machine,
    begin_motion,
    book_work,
    hold_joints,
    prepare_joints,
    read_joints,
)
from windrow.solvers.multibody.motion import BodyTable, Motion, begin, drift, end_spin, refresh
from windrow.solvers.multibody.normals import choose_normals
from windrow.solvers.multibody.response import Slots, is_exact, take_slots
from windrow.solvers.multibody.sweeps import (
    close_gaps,
    gather_wrenches,
    prepare_contacts,
    remembered_wrenches,
    soften,
    sweep,
    total_up,
    warm_start,
    weigh_contacts,
)


class Softness(NamedTuple):
    """Numbers of the contact springs."""

    rate: float
    """Hz"""
    ratio: float
    """of damping to critical damping"""
    fastest: float
    """m/s at which overlaps are pushed apart at most"""
    sweeps: int
    """passes with bias per substep"""


class Drive(NamedTuple):
    """What moves the bodies from outside, and for how long."""

    gravity: F64
    """(3,) m/s²"""
    impulse: F64
    """(bodies, 6) per substep, N s and N m s"""
    h: float
    """length of a substep, s"""
    substeps: int


@bare_kernel
def take_up(
    contacts: ContactBuffers,
    owner: I64,
    laws: Laws,
    law: F64,
    motion: Motion,
    memory: Remembered,
    near: float,
    slots: Slots,
    members: I64,
) -> None:
    """What contacts that were just found are between, by what law, and with the impulses they had."""
    for c in range(contacts.found[0]):
        contacts.body[c, 0] = owner[contacts.real[c, 0]]
        contacts.body[c, 1] = owner[contacts.real[c, 1]]
    take_laws(contacts, laws, law)
    recall_impulses(contacts, motion, memory, near)
    take_slots(slots, contacts, members)


@bare_inner
def weigh_loads(table: BodyTable, active: I64, gravity: F64, impulse: F64, h: float, pressed: F64) -> None:
    """(load + weight)/weight of all bodies that move, into `pressed`; 1 where nothing weighs anything."""
    g = sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    for i in active:
        load = sqrt(impulse[i, 0] ** 2 + impulse[i, 1] ** 2 + impulse[i, 2] ** 2)
        pressed[i] = 1.0 + load * table.inverse_mass[i] / (h * g) if g > 0.0 else 1.0


@bare_kernel
def advance(
    table: BodyTable,
    motion: Motion,
    active: I64,
    loose: I64,
    machine: Machine,
    pressed: F64,
    controls: F64,
    touch: TouchRows,
    softness: Softness,
    drive: Drive,
    pushed: F64,
    counts: I64,
) -> None:
    """`active` are all bodies that move, `loose` those of them without joints.

    Into `pushed` (2,) and `counts` goes what `agreement` says.
    """
    contacts, sweeps, slots, normals = touch
    gravity, impulse, h, substeps = drive
    members = machine.members
    jointed, touched, touching = len(members) > 0, slots.used[0] > 0, contacts.found[0] > 0
    machine.rows.total[:] = 0.0
    machine.rows.work[:] = 0.0
    contacts.total[: contacts.found[0]] = 0.0
    pushed[:] = 0.0
    counts[:] = 0
    weigh_loads(table, active, gravity, impulse, h, pressed)
    for step in range(substeps):
        for i in active:
            refresh(table, motion, i)
        if jointed:
            prepare_joints(machine, table, motion, controls, h)
        for i in active:
            # The half turn that ends this substep is nearly the one that begins it.
            machine.turning[i, 0], machine.turning[i, 1], machine.turning[i, 2] = begin(
                table, motion, gravity, impulse, h, i
            )
        for i in loose:
            V = motion.V[i]
            V[3], V[4], V[5] = end_spin(table, motion, (V[3], V[4], V[5]), h, i)
        if jointed:
            for b in members:
                for k in range(6):
                    machine.begun[b, k] = motion.V[b, k]
            if touched:
                slots.bounced[: slots.used[0]] = 0.0
                if step == 0:
                    remembered_wrenches(contacts, motion, slots)
                else:
                    gather_wrenches(contacts, sweeps, slots)
                add_contact_impulses(slots, table, motion)
            count(counts, hold_joints(machine, table, motion, h, True, not touched))
        if touching:
            if step == 0:
                prepare_contacts(contacts, sweeps, motion)
                choose_normals(normals, contacts, sweeps, slots, table)
            if touched and (step == 0 or not is_exact(slots, machine)):
                counts[SOFTENED] += 1 if step > 0 else 0
                feel_machines(touch, machine, table, motion, step == 0)
            elif step == 0:
                weigh_contacts(contacts, sweeps, table, motion, slots, True)
            bounce(contacts, sweeps, motion, slots, h)
            warm_start(contacts, sweeps, motion, slots)
            soften(contacts, sweeps, pressed, h, softness.rate, softness.ratio, softness.fastest, True)
            if touched:
                agree(touch, machine, table, motion, h, softness.sweeps, pushed, counts)
            else:
                for _ in range(softness.sweeps):
                    sweep(contacts, sweeps, motion, slots)
        begin_motion(machine, motion, h)
        for i in active:
            drift(motion, h, i)
        if touching:
            # By the gaps before: what just came near is the next substep's, and meets it at full speed.
            soften(contacts, sweeps, pressed, h, softness.rate, softness.ratio, softness.fastest, False)
            close_gaps(contacts, sweeps, motion, h)
            if touched:
                relax(touch, machine, table, motion, h, counts)
            else:
                sweep(contacts, sweeps, motion, slots)
            total_up(contacts, sweeps)
        book_work(machine, motion)
    for i in active:
        refresh(table, motion, i)
    read_joints(machine, motion)
