"""Free motion of rigid bodies over a substep of length h.

Positions and velocities leapfrog: a velocity is that of the middle of the substep which it carried the body
through. For rotation that means that angular momentum belongs to the orientation in that middle. A substep is

    begin    Π = exp(−h/2 ŵ) I w           momentum at the present orientation (all in the body's frame)
    kick     Π' = Π + impulses             of forces, joints and contacts
    end      exp(h/2 ŵ') I w' = Π'         the angular velocity that carries the body on (three Newton steps)

which is symmetric in time and keeps angular momentum exactly, so that tumbling neither gains nor loses energy
in the long run. The gyroscopic torque is all in the two half turns. Adding −h ω × Iω instead blows up for
slender bodies, and the implicit form of it brakes them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_math import rotate
from windrow.geometry.terms import F64, I64, Point
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.vectors import (
    cross,
    dot,
    matrix_of,
    minus,
    scaled,
    solved,
    times,
    times_transposed,
    turn,
    turned,
)

NEWTON_MOST = 12


class BodyTable(NamedTuple):
    """Constants of the bodies."""

    inverse_mass: F64
    """(n,) 1/kg; 0: fixed"""
    inertia: F64
    """(n, 3, 3) in the body's frame about its centre of mass, kg m²"""
    inverse_inertia: F64
    """(n, 3, 3) 1/(kg m²); 0: fixed"""


class Motion(NamedTuple):
    """Where the bodies are and how they move: all that free flight needs to go on."""

    x: F64
    """(n, 3) centre of mass, m"""
    q: F64
    """(n, 4) orientation, unit quaternion w, x, y, z"""
    V: F64
    """(n, 6) velocity of the centre of mass, m/s, and angular velocity, rad/s, in the world"""
    R: F64
    """(n, 3, 3) matrix of q, body to world; follows from q"""
    inverse_inertia: F64
    """(n, 3, 3) in the world, 1/(kg m²); follows from q"""


def motion_of(position: F64, orientation: F64, velocity: F64) -> Motion:
    n = len(position)
    return Motion(
        position.copy(), orientation.copy(), velocity.copy(), np.zeros((n, 3, 3)), np.zeros((n, 3, 3))
    )


@bare_kernel
def refresh(table: BodyTable, motion: Motion, i: int) -> None:
    """What follows from the orientation of body i."""
    R = motion.R[i]
    matrix_of(motion.q[i], R)
    if table.inverse_mass[i] == 0.0:
        return
    local = table.inverse_inertia[i]
    world = motion.inverse_inertia[i]
    for a in range(3):
        # a-th row of R · local
        p = R[a, 0] * local[0, 0] + R[a, 1] * local[1, 0] + R[a, 2] * local[2, 0]
        q = R[a, 0] * local[0, 1] + R[a, 1] * local[1, 1] + R[a, 2] * local[2, 1]
        r = R[a, 0] * local[0, 2] + R[a, 1] * local[1, 2] + R[a, 2] * local[2, 2]
        for b in range(a + 1):
            world[a, b] = p * R[b, 0] + q * R[b, 1] + r * R[b, 2]
            world[b, a] = world[a, b]


@bare_kernel
def refresh_all(table: BodyTable, motion: Motion) -> None:
    for i in range(motion.x.shape[0]):
        refresh(table, motion, i)


@bare_kernel
def refresh_these(table: BodyTable, motion: Motion, chosen: I64) -> None:
    for i in chosen:
        refresh(table, motion, i)


@bare_inner
def spin_begun(inertia: F64, inverse: F64, w: Point, h: float) -> Point:
    """Angular velocity I⁻¹ Π at the present orientation, of a body that was carried here by w."""
    momentum = times(inertia, w)
    gyroscopic = cross(w, momentum)
    if h * h * dot(gyroscopic, gyroscopic) <= 1e-28 * dot(momentum, momentum):
        return w
    return times(inverse, turned(momentum, scaled(w, -0.5 * h)))


@bare_inner
def spin_ended(inertia: F64, w: Point, h: float) -> Point:
    """Angular velocity that carries a body on whose momentum at the present orientation is I w."""
    momentum = times(inertia, w)
    gyroscopic = cross(w, momentum)
    if h * h * dot(gyroscopic, gyroscopic) <= 1e-28 * dot(momentum, momentum):
        return w
    s = 0.5 * h
    guess = w
    change = w
    for _ in range(NEWTON_MOST):
        p = turned(momentum, scaled(guess, -s))
        residual = minus(times(inertia, guess), p)
        change = solved(
            (inertia[0, 0], inertia[0, 1] + s * p[2], inertia[0, 2] - s * p[1]),
            (inertia[1, 0] - s * p[2], inertia[1, 1], inertia[1, 2] + s * p[0]),
            (inertia[2, 0] + s * p[1], inertia[2, 1] - s * p[0], inertia[2, 2]),
            residual,
        )
        guess = minus(guess, change)
        # What is then left is of the order of the square of this change.
        if dot(change, change) <= 1e-17 * dot(guess, guess):
            return guess
    # So fast that half a substep turns the body too far for the equation: leave its spin alone.
    return w if dot(change, change) > 1e-16 * dot(guess, guess) else guess


@bare_inner
def begin(table: BodyTable, motion: Motion, gravity: F64, impulse: F64, h: float, i: int) -> Point:
    """Velocity of body i at its present place after gravity and outer impulses (N s, N m s, world).

    Returns what the half turn from the last substep added to its spin, rad/s.
    """
    if table.inverse_mass[i] == 0.0:
        return 0.0, 0.0, 0.0
    V, R = motion.V[i], motion.R[i]
    w = times_transposed(R, (V[3], V[4], V[5]))
    spin = times(R, spin_begun(table.inertia[i], table.inverse_inertia[i], w, h))
    kick = times(motion.inverse_inertia[i], (impulse[i, 3], impulse[i, 4], impulse[i, 5]))
    half_turn = (spin[0] - V[3], spin[1] - V[4], spin[2] - V[5])
    for k in range(3):
        V[k] += h * gravity[k] + table.inverse_mass[i] * impulse[i, k]
        V[3 + k] = spin[k] + kick[k]
    return half_turn


@bare_inner
def end_spin(table: BodyTable, motion: Motion, spin: Point, h: float, i: int) -> Point:
    """Angular velocity (world) that carries body i on which spins so at its present place."""
    R = motion.R[i]
    return times(R, spin_ended(table.inertia[i], times_transposed(R, spin), h))


@bare_kernel
def drift(motion: Motion, h: float, i: int) -> None:
    """Moves body i with its velocity."""
    V = motion.V[i]
    for k in range(3):
        motion.x[i, k] += h * V[k]
    turn(motion.q[i], (h * V[3], h * V[4], h * V[5]))


def angular_momentum(table: BodyTable, motion: Motion, h: float, about: F64 | None = None) -> F64:
    """(3,) of all moving bodies, kg m²/s, about a point; what free flight in substeps of h keeps exactly."""
    origin = np.zeros(3) if about is None else np.asarray(about, np.float64)
    total = np.zeros(3)
    for i in np.flatnonzero(table.inverse_mass > 0):
        v, w = motion.V[i, :3], motion.V[i, 3:]
        R = np.zeros((3, 3))
        matrix_of(motion.q[i], R)
        local = rotate(R.T, w)
        middle = np.array(turned(tuple(rotate(table.inertia[i], local)), tuple(-0.5 * h * local)))
        place = motion.x[i] - 0.5 * h * v - origin
        total += rotate(R, middle) + np.cross(place, v) / table.inverse_mass[i]
    return total
