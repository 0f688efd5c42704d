"""Contacts of machines and the rows of their joints, solved until they agree.

Contacts feel machines through W (`response`), in which a row at a bound gives way and every other row holds. When the
joints are solved again with what the contacts gave, a motor may come to its limit, or a cylinder off its stop. W then
says that the machine is held where it is not, and impulses that were found with it overshoot, a hundredfold if the
row was all that held. So, as long as a row is at a bound that W takes for held, W is measured again without it, and
the contacts go on from the velocities that there are. What was taken out of W stays out for this substep, so that
there are no more rounds than rows with bounds. A W that gives way too much is safe: impulses fall short, and the
next substep adds the rest.

What is left is watched. With u the speeds at the contacts after the substep, impulses p that solve them part bodies no
faster than their springs do (bias b and compliance σ of `sweeps`), and friction takes,

    Σ p·u − Σ pₙ max(b − σ pₙ, 0) ≤ 0;

whatever they give, an implicit step takes ½ |ΔV|² off. Where they give more nevertheless, they are swept again; if
that does not help, they are cut down to what gives nothing beyond the springs, and the step says so.
"""

from __future__ import annotations

from typing import NamedTuple

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.contacts import ROLLING, STIFFNESS, ContactBuffers
from windrow.solvers.multibody.direct import outside
from windrow.solvers.multibody.machine import Machine, hold_joints
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.normals import Normals, fill_matrices, solve_normals
from windrow.solvers.multibody.response import (
    Slots,
    is_safe,
    kick,
    measure_response,
    measure_softer,
    respond_to_wrenches,
)
from windrow.solvers.multibody.sweeps import (
    BIAS,
    FADE,
    MASS,
    SOFT,
    Sweeps,
    gather_wrenches,
    speed_along,
    sweep,
    weigh_contacts,
)
from windrow.solvers.multibody.vectors import dot, times, times_transposed

SOLVES, UNSOLVED, SOFTENED, HELD_BACK, COUNTED = range(5)
"""What is counted over a step, see `report`, and how much of it there is."""
TRIES = 4
"""Sweeps more, at most, because contacts gave energy."""
HALVINGS = 10
"""Times that impulses are halved before they are left out."""


class TouchRows(NamedTuple):
    """The contacts of a step, and all that solving them needs."""

    contacts: ContactBuffers
    sweeps: Sweeps
    slots: Slots
    normals: Normals


@bare_inner
def count(counts: I64, solves: int) -> None:
    counts[SOLVES] += abs(solves)
    if solves < 0:
        counts[UNSOLVED] += 1


@bare_inner
def add_contact_impulses(slots: Slots, table: BodyTable, motion: Motion) -> None:
    """M⁻¹ times the contacts' wrenches onto the velocities of the touched bodies, joints left out."""
    for s in range(slots.used[0]):
        kick(table, motion, slots.body[s], slots.wrench, s)


@bare_inner
def weigh(touch: TouchRows, table: BodyTable, motion: Motion, every: bool) -> None:
    """Contacts with the W that was just measured."""
    weigh_contacts(touch.contacts, touch.sweeps, table, motion, touch.slots, every)
    fill_matrices(touch.normals, touch.contacts, touch.sweeps, touch.slots)


@bare_inner
def feel_machines(touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, every: bool) -> None:
    """W as the joints are now, and contacts with it: all of them, or those that touch machines."""
    measure_response(touch.slots, machine, table, motion)
    weigh(touch, table, motion, every)


@bare_inner
def sweep_over(touch: TouchRows, motion: Motion, passes: int, counts: I64) -> None:
    """Normals at once, then friction and all other contacts in turn, and normals again."""
    contacts, sweeps, slots, normals = touch
    counts[UNSOLVED] += solve_normals(normals, contacts, sweeps, motion, slots, True)
    for _ in range(passes):
        sweep(contacts, sweeps, motion, slots)
        counts[UNSOLVED] += solve_normals(normals, contacts, sweeps, motion, slots, False)


@bare_inner
def give_to_machines(
    touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, h: float, fresh: bool, counts: I64
) -> None:
    """Velocities of machines from those that they begin the substep with and all that their contacts gave."""
    gather_wrenches(touch.contacts, touch.sweeps, touch.slots)
    for b in machine.members:
        for k in range(6):
            motion.V[b, k] = machine.begun[b, k]
    add_contact_impulses(touch.slots, table, motion)
    count(counts, hold_joints(machine, table, motion, h, fresh, True))


@bare_inner
def yield_more(touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, counts: I64) -> None:
    """W without the rows that came to a bound."""
    counts[SOFTENED] += 1
    measure_softer(touch.slots, machine, table, motion)
    weigh(touch, table, motion, False)


@bare_inner
def damped(machine: Machine, table: BodyTable, motion: Motion) -> float:
    """J, ½ |ΔV|²: what the substep takes off the work of all impulses on the machines because it is implicit."""
    V, begun, turning, total = motion.V, machine.begun, machine.turning, 0.0
    for b in machine.members:
        if table.inverse_mass[b] == 0.0:
            continue
        move = (V[b, 0] - begun[b, 0], V[b, 1] - begun[b, 1], V[b, 2] - begun[b, 2])
        spin = (
            V[b, 3] - begun[b, 3] - turning[b, 0],
            V[b, 4] - begun[b, 4] - turning[b, 1],
            V[b, 5] - begun[b, 5] - turning[b, 2],
        )
        spin = times_transposed(motion.R[b], spin)
        total += 0.5 * (dot(move, move) / table.inverse_mass[b] + dot(spin, times(table.inertia[b], spin)))
    return total


@bare_inner
def energy_given(touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, pushed: F64) -> float:
    """J beyond that of their springs that contacts solved at once give in this substep.

    Into `pushed` (1,) what those without a stiffness gave, whose springs only push overlaps apart.
    """
    contacts, sweeps, _, normals = touch
    V, given, apart = motion.V, 0.0, 0.0
    for m in range(normals.size.shape[0]):
        for i in range(normals.size[m]):
            c = normals.contact[m, i]
            a, b, p = contacts.body[c, 0], contacts.body[c, 1], sweeps.impulse[c, 0]
            if p == 0.0:
                continue
            work = p * speed_along(sweeps.row, c, 0, V, a, b)
            if sweeps.law[c, STIFFNESS] == 0.0:
                apart += max(work, 0.0)
            sigma = sweeps.row[c, MASS] * sweeps.soft[c, FADE] / sweeps.soft[c, SOFT]
            given += work - p * max(sweeps.soft[c, BIAS] - sigma * p, 0.0)
            for d in range(1, 3):
                given += sweeps.impulse[c, d] * speed_along(sweeps.row, c, d, V, a, b)
            if sweeps.law[c, ROLLING] > 0.0:
                for k in range(3):
                    given += contacts.twist[c, k] * (V[a, 3 + k] - V[b, 3 + k])
    pushed[0] = apart
    return given - damped(machine, table, motion) if given > 0.0 else given


@bare_inner
def agree(
    touch: TouchRows,
    machine: Machine,
    table: BodyTable,
    motion: Motion,
    h: float,
    passes: int,
    pushed: F64,
    counts: I64,
) -> None:
    """Contacts, and the joints with what they gave; `pushed` (2,): J that pushing apart took, now and in this step."""
    sweep_over(touch, motion, passes, counts)
    give_to_machines(touch, machine, table, motion, h, False, counts)
    tries = 0
    while True:
        fresh = not is_safe(touch.slots, machine)
        if fresh:
            yield_more(touch, machine, table, motion, counts)
        elif energy_given(touch, machine, table, motion, pushed) <= 0.0:
            break
        elif tries == TRIES:
            hold_back(touch, machine, table, motion, h, pushed, counts)
            break
        else:
            tries += 1
        sweep_over(touch, motion, passes, counts)
        give_to_machines(touch, machine, table, motion, h, fresh, counts)
    pushed[1] += pushed[0]


@bare_inner
def hold_back(
    touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, h: float, pushed: F64, counts: I64
) -> None:
    """Cuts the impulses of contacts solved at once until they give no energy; without any they cannot."""
    contacts, sweeps, _, normals = touch
    counts[HELD_BACK] += 1
    for halving in range(HALVINGS + 1):
        part = 0.5 if halving < HALVINGS else 0.0
        for m in range(normals.size.shape[0]):
            for i in range(normals.size[m]):
                c = normals.contact[m, i]
                for k in range(3):
                    sweeps.impulse[c, k] *= part
                    contacts.twist[c, k] *= part
        give_to_machines(touch, machine, table, motion, h, False, counts)
        if energy_given(touch, machine, table, motion, pushed) <= 0.0:
            break
    feel_machines(touch, machine, table, motion, False)


@bare_inner
def relax(touch: TouchRows, machine: Machine, table: BodyTable, motion: Motion, h: float, counts: I64) -> None:
    """Contacts without bias, after the bodies have moved; machines answer to what that changes as a whole."""
    slots, before = touch.slots, machine.carried
    wrench, given = slots.wrench, slots.given
    for s in range(slots.used[0]):
        for k in range(6):
            given[s, k] = wrench[s, k]
    sweep_over(touch, motion, 1, counts)
    gather_wrenches(touch.contacts, touch.sweeps, slots)
    for s in range(slots.used[0]):
        for k in range(6):
            given[s, k] = wrench[s, k] - given[s, k]
    for b in machine.members:
        for k in range(6):
            motion.V[b, k] = before[b, k]
    respond_to_wrenches(slots, machine, table, motion, given)
    if not take_change(machine):
        give_to_machines(touch, machine, table, motion, h, False, counts)
        while not is_safe(slots, machine):
            yield_more(touch, machine, table, motion, counts)
            sweep_over(touch, motion, 1, counts)
            give_to_machines(touch, machine, table, motion, h, True, counts)


@bare_inner
def take_change(machine: Machine) -> bool:
    """Adds what the rows gave in `respond_to_wrenches` to their impulses, unless that is beyond a bound of one."""
    system, rows = machine.system, machine.rows
    for r in machine.axial.row:
        if (
            system.factored[r] == 0
            and outside(rows.low[r], rows.high[r], rows.impulse[r] - system.work[r]) != 0
        ):
            return False
    for r in range(system.pattern.size):
        if system.factored[r] == 0:
            rows.impulse[r] -= system.work[r]
    return True
