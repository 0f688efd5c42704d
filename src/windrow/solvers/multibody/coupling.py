"""How other solvers exchange impulses with bodies.

A solver of grains that pushes on a body must know how the body will yield, joints and motors included, or the
two take turns overreacting. Per step (or substep) of its own:

    free = bodies.preview(dt)                        velocities without the grains
    W = bodies.effective_inverse_mass(body)          6 × 6: velocity per impulse on that body
    …   sweeps over its contacts, in which body velocities are free + W · (sum of the impulses so far)
    bodies.push(body, impulse, point)                what the contacts gave
    bodies.step(dt)                                  everything moves
"""

from __future__ import annotations

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import inner, kernel
from windrow.solvers.multibody.direct import respond
from windrow.solvers.multibody.machine import Machine
from windrow.solvers.multibody.motion import BodyTable, Motion


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
