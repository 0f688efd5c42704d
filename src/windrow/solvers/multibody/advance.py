"""All substeps of one step, in compiled code.

for each substep
  begin      velocities after gravity and outer forces
  joints     impulses of all joints, motors and limits at once, as if contacts gave what they gave before: which
             limits and motors hold depends on the load
  impacts    of contacts that bounce
  normals    of machines on what cannot be moved, all at once
  sweep      friction and all other contacts, warm started, feeling machines through their effective mass
  normals    again
  joints     again, with what the contacts gave
  drift      positions with the new velocities
  relax      normals, a sweep and normals that take back the speed of pushing apart
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.contacts import Contacts, Remembered, recall_impulses
from windrow.solvers.multibody.impacts import bounce
from windrow.solvers.multibody.laws import Laws, take_laws
from windrow.solvers.multibody.machine import Machine, hold_joints, prepare_joints, read_joints
from windrow.solvers.multibody.motion import BodyTable, Motion, begin, drift, end_spin, refresh
from windrow.solvers.multibody.normals import Normals, choose_normals, solve_normals
from windrow.solvers.multibody.response import (
    Slots,
    kick,
    measure_response,
    respond_to_wrenches,
    take_slots,
)
from windrow.solvers.multibody.sweeps import (
    Sweeps,
    close_gaps,
    gather_wrenches,
    prepare_contacts,
    remembered_wrenches,
    soften,
    sweep,
    total_up,
    warm_start,
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


@bare_kernel
def take_up(
    contacts: Contacts,
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
def add_contact_impulses(slots: Slots, table: BodyTable, motion: Motion) -> None:
    """M⁻¹ times the contacts' wrenches onto the velocities of the touched bodies, joints left out."""
    for s in range(slots.used[0]):
        kick(table, motion, slots.body[s], slots.wrench, s)


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
    begun: F64,
    pressed: F64,
    controls: F64,
    contacts: Contacts,
    sweeps: Sweeps,
    slots: Slots,
    normals: Normals,
    softness: Softness,
    gravity: F64,
    impulse: F64,
    h: float,
    substeps: int,
    pivots: I64,
) -> None:
    """`active` are all bodies that move, `loose` those of them without joints; `impulse` per substep."""
    members = machine.members
    jointed, touched, touching = len(members) > 0, slots.used[0] > 0, contacts.found[0] > 0
    machine.rows.total[:] = 0.0
    contacts.total[: contacts.found[0]] = 0.0
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
                    begun[b, k] = motion.V[b, k]
            if touched:
                slots.bounced[: slots.used[0]] = 0.0
                if step == 0:
                    remembered_wrenches(contacts, motion, slots)
                else:
                    gather_wrenches(contacts, sweeps, slots)
                add_contact_impulses(slots, table, motion)
            count(pivots, hold_joints(machine, table, motion, h, True, not touched))
        if touching:
            if step == 0:
                if touched:
                    measure_response(slots, machine, table, motion)
                prepare_contacts(contacts, sweeps, table, motion, slots)
                choose_normals(normals, contacts, sweeps, slots, table)
            bounce(contacts, sweeps, motion, slots, h)
            warm_start(contacts, sweeps, motion, slots)
            soften(contacts, sweeps, pressed, h, softness.rate, softness.ratio, softness.fastest, True)
            pivots[1] += solve_normals(normals, contacts, sweeps, motion, slots, True)
            for _ in range(softness.sweeps):
                sweep(contacts, sweeps, motion, slots)
                pivots[1] += solve_normals(normals, contacts, sweeps, motion, slots, False)
            if touched:
                gather_wrenches(contacts, sweeps, slots)
                for b in members:
                    for k in range(6):
                        motion.V[b, k] = begun[b, k]
                add_contact_impulses(slots, table, motion)
                count(pivots, hold_joints(machine, table, motion, h, False, True))
        for i in active:
            drift(motion, h, i)
        if touching:
            # By the gaps before: what just came near is the next substep's, and meets it at full speed.
            soften(contacts, sweeps, pressed, h, softness.rate, softness.ratio, softness.fastest, False)
            close_gaps(contacts, sweeps, motion, h)
            pivots[1] += relax(table, motion, machine, begun, contacts, sweeps, slots, normals, touched)
            total_up(contacts, sweeps)
        for r in range(machine.rows.total.shape[0]):
            machine.rows.total[r] += machine.rows.impulse[r]
    for i in active:
        refresh(table, motion, i)
    read_joints(machine, motion)


@bare_inner
def count(pivots: I64, solves: int) -> None:
    pivots[0] += abs(solves)
    if solves < 0:
        pivots[1] += 1


@bare_inner
def relax(
    table: BodyTable,
    motion: Motion,
    machine: Machine,
    before: F64,
    contacts: Contacts,
    sweeps: Sweeps,
    slots: Slots,
    normals: Normals,
    touched: bool,
) -> int:
    """A sweep without bias; machines answer to what it changes as a whole. Returns what `solve_normals` does."""
    if not touched:
        sweep(contacts, sweeps, motion, slots)
        return 0
    for b in machine.members:
        for k in range(6):
            before[b, k] = motion.V[b, k]
    wrench, given = slots.wrench, slots.given
    for s in range(slots.used[0]):
        for k in range(6):
            given[s, k] = wrench[s, k]
    failed = solve_normals(normals, contacts, sweeps, motion, slots, True)
    sweep(contacts, sweeps, motion, slots)
    failed += solve_normals(normals, contacts, sweeps, motion, slots, False)
    gather_wrenches(contacts, sweeps, slots)
    for s in range(slots.used[0]):
        for k in range(6):
            given[s, k] = wrench[s, k] - given[s, k]
    for b in machine.members:
        for k in range(6):
            motion.V[b, k] = before[b, k]
    respond_to_wrenches(slots, machine, table, motion, given)
    return failed
