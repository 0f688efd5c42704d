"""What ground gives back to a tool that is a rigid body: bounded impulses, found implicitly.

In a step the body would reach velocities V* without the tool (`preview`), and answers to impulses by W, joints
included. Rows: the load's three, of a point of mass m at its centre; then what resists: cutting, penetration, the
floor. With their directions and lever arms J, impulses λ end with

    J V = J V* + J W Jᵀ λ
    load:    λ = m (v_before − v) + m g dt          so that its inertia is implicit, however light the bucket is
    others:  0 ≤ λ ≤ F dt,  and v = 0 along the row where λ < F dt

A resistance thus stops a motion at most and never turns it round, as dry friction does. Solved by sweeps over the few
rows (projected Gauss-Seidel), with V* and W of the impulses found so far, until they stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.fixed_math import dot, norm
from windrow.geometry.terms import F64
from windrow.kernel import kernel
from windrow.solvers.multibody.stepper import MultibodyStepper

SWEEPS = 60
ROUNDS = 6
"""Times that bodies are asked at most how they answer."""
SETTLED = 1e-6
"""m/s by which the impulses of a round change velocities when they are found"""


@dataclass(frozen=True)
class Pushes:
    """What acts on one tool."""

    resisting: list[tuple[F64, F64]]
    """force in full (3,), N, and the point where it acts (3,), m"""
    mass: float
    """of the load, kg"""
    centre: F64
    """(3,) of the load, m"""


def push_back(bodies: MultibodyStepper, body: int, pushes: Pushes, dt: float) -> list[F64]:
    """Adds to the coming step of a body what its tool meets; returns mean forces (3,), N: load, then each resisting."""
    rows, bounds = [], []
    if pushes.mass > 0.0:
        arm = pushes.centre - bodies.motion.x[body]
        rows += [np.append(axis, np.cross(arm, axis)) for axis in np.eye(3)]
    for force, point in pushes.resisting:
        size = float(norm(force))
        way = force / size if size > 0.0 else np.zeros(3)
        rows.append(np.append(way, np.cross(point - bodies.motion.x[body], way)))
        bounds.append(size * dt)
    forces = [np.zeros(3)] * (1 + len(pushes.resisting))
    loaded = len(rows) - len(bounds)
    if not loaded and not any(bounds):
        return forces
    J, impulse, aim = np.array(rows), np.zeros(len(rows)), np.zeros(len(rows))
    if loaded:
        before = np.array([float(dot(row, bodies.motion.V[body])) for row in rows[:3]])
        aim[:3] = before + dt * bodies.gravity
    outer = bodies.outer[body].copy()
    for _ in range(ROUNDS):
        # A motor that gives way at its limit answers otherwise than one that holds: it is asked again.
        free = bodies.preview(dt).V[body]
        changed = settle(J, bodies.effective_inverse_mass(body), free, pushes.mass, aim, np.array(bounds), impulse)
        bodies.outer[body] = outer + sum(one * row for one, row in zip(impulse, J, strict=True))
        if changed < SETTLED:
            break
    if loaded:
        forces[0] = impulse[:3] / dt
    for k in range(len(bounds)):
        forces[1 + k] = impulse[loaded + k] / dt * J[loaded + k, :3]
    return forces


@kernel
def settle(J: F64, W: F64, free: F64, mass: float, aim: F64, bounds: F64, impulse: F64) -> float:
    """Finds the impulses of all rows from those that `free` was reached with; returns how much that changes a velocity.

    aim: v_before + g dt of the load's rows.
    """
    n, loaded = len(J), len(J) - len(bounds)
    answer = np.zeros((n, 6))
    for r in range(n):
        for a in range(6):
            for b in range(6):
                answer[r, a] += W[a, b] * J[r, b]
    V = free.copy()
    for _ in range(SWEEPS):
        for r in range(n):
            v, own = 0.0, 0.0
            for a in range(6):
                v += J[r, a] * V[a]
                own += J[r, a] * answer[r, a]
            if own <= 0.0:
                continue
            if r < loaded:
                # λ/m + v = aim
                change = (aim[r] - v - impulse[r] / mass) / (own + 1.0 / mass)
            else:
                wanted = min(max(impulse[r] - v / own, 0.0), bounds[r - loaded])
                change = wanted - impulse[r]
            impulse[r] += change
            for a in range(6):
                V[a] += change * answer[r, a]
    most = 0.0
    for r in range(n):
        v = 0.0
        for a in range(6):
            v += J[r, a] * (V[a] - free[a])
        most = max(most, abs(v))
    return most
