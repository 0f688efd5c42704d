"""How other solvers exchange impulses with bodies.

A solver of grains that pushes on a body must know how the body will yield, joints and motors included, or the
two take turns overreacting. Per step (or substep) of its own:

    free = bodies.preview(dt).V                      velocities without the grains
    W = bodies.effective_inverse_mass(body)          6 × 6: velocity per impulse on that body
    …   sweeps over its contacts, in which body velocities are free + W · (sum of the impulses so far)
    bodies.push(body, impulse, point)                what the contacts gave
    bodies.step(dt)                                  everything moves

`Answers` says the same for all bodies at once, as solvers of grains ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import rotate
from windrow.geometry.terms import F64, I64
from windrow.kernel import inner, kernel
from windrow.scene.motion import quaternion_of
from windrow.solvers.movers.answering import BodyPlaces, Mobility
from windrow.solvers.multibody.contacts import FEATURES
from windrow.solvers.multibody.direct import respond
from windrow.solvers.multibody.machine import Machine
from windrow.solvers.multibody.motion import BodyTable, Motion, refresh_these

if TYPE_CHECKING:
    from windrow.solvers.multibody.stepper import MultibodyStepper


@inner
def inverse_mass_times(table: BodyTable, motion: Motion, b: int, wrench: F64, out: F64) -> None:
    """M⁻¹ of body b times a wrench, into out (6,)."""
    I = motion.inverse_inertia[b]
    for k in range(3):
        out[k] = table.inverse_mass[b] * wrench[k]
        out[3 + k] = I[k, 0] * wrench[3] + I[k, 1] * wrench[4] + I[k, 2] * wrench[5]


@kernel
def response_of(machine: Machine, table: BodyTable, motion: Motion, pushed: I64, W: F64) -> None:
    """W (k, k, 6, 6) of rows that move: velocity of one per impulse on another, through the joints."""
    n = motion.V.shape[0]
    unit, kick, change = np.zeros(6), np.zeros(6), np.zeros((n, 6))
    for s in range(len(pushed)):
        b = pushed[s]
        for k in range(6):
            unit[:] = 0.0
            unit[k] = 1.0
            inverse_mass_times(table, motion, b, unit, kick)
            change[:] = 0.0
            for i in range(6):
                change[b, i] = kick[i]
            respond(machine.system, machine.rows, b, kick, change)
            for t in range(len(pushed)):
                for i in range(6):
                    W[t, s, i, k] = change[pushed[t], i]


def lever(d: F64) -> F64:
    """(6, 6) velocity of a point at d from a centre, per velocity of that centre."""
    T = np.eye(6)
    T[:3, 3:] = [[0, d[2], -d[1]], [-d[2], 0, d[0]], [d[1], -d[0], 0]]
    return T


class Answers:
    """The bodies of a stepper as `movers.answering.AnsweringBodies`."""

    def __init__(self, stepper: MultibodyStepper) -> None:
        self._stepper, self._count = stepper, stepper.bodies.count
        self.center, self.mass = stepper.bodies.center, stepper.bodies.mass
        self.inertia = stepper.bodies.table.inertia[: self._count]
        # A push at distance a from the centre of mass turns it by a/(ρ² + a²) ≤ 1/(2ρ), ρ the radius of gyration.
        soft = np.trace(stepper.bodies.table.inverse_inertia[: self._count], axis1=1, axis2=2)
        self._yielding = 0.5 * np.sqrt(self.mass * soft)
        members = stepper.machine.members
        self._yielding[members[members < self._count]] = 0.0

    def now(self) -> BodyPlaces:
        n, motion = self._count, self._stepper.motion
        return BodyPlaces(motion.x[:n], motion.R[:n], motion.V[:n])

    def yielding(self) -> F64:
        return self._yielding

    def preview(self, dt: float, impulse: F64) -> BodyPlaces:
        outer = self._stepper.outer
        before = outer.copy()
        outer[: self._count] += impulse
        places = self._stepper.preview(dt)
        outer[:] = before
        return places

    def mobility(self, touched: I64) -> Mobility:
        return self._stepper.mobility(touched)

    def push(self, impulse: F64) -> None:
        self._stepper.outer[: self._count] += impulse

    def alone(self) -> NDArray[np.bool_]:
        count, contacts = self._count, self._stepper.contacts
        n = int(contacts.found[0])
        touched = contacts.real[:n][contacts.total[:n].any(axis=1)].ravel()
        free = (self._yielding > 0.0) & (self._stepper.merger.search.owner[:count] == np.arange(count))
        free[touched[touched < count]] = False
        return free

    def near(self) -> I64:
        known = self._stepper._remembered  # part of what is saved, unlike the contacts themselves
        pair = known.keys[: int(known.held[0])] // FEATURES
        owner, part = self._stepper.parts.body, np.unique(np.append(pair // FEATURES, pair % FEATURES))
        near = np.unique(owner[part[part < len(owner)]])
        return near[(near >= 0) & (near < self._count)].astype(np.int64)

    def put(self, chosen: I64, x: F64, R: F64) -> None:
        motion, table = self._stepper.motion, self._stepper.bodies.table
        for b in chosen:
            momentum = rotate(motion.R[b], rotate(table.inertia[b], rotate(motion.R[b].T, motion.V[b, 3:])))
            motion.V[b, 3:] = rotate(R[b], rotate(table.inverse_inertia[b], rotate(R[b].T, momentum)))
            motion.x[b], motion.q[b] = x[b], quaternion_of(R[b])
        if len(chosen):
            refresh_these(table, motion, chosen)
