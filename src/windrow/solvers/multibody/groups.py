"""Bodies that move as one: mass, centre, inertia, momentum and angular momentum of the whole.

A group is a row of the same arrays as the bodies. It is always made from what its members are and do at that
moment, so that making, changing and dissolving groups keeps all five exactly, whatever happened before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import solve
from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel, kernel
from windrow.solvers.multibody.motion import BodyTable, Motion, refresh
from windrow.solvers.multibody.vectors import cross, row, times, times_transposed


class Groups(NamedTuple):
    """Who belongs to whom."""

    owner: I64
    """(things,) row that moves a body: its own, a group's, or the world's"""
    offset: F64
    """(things, 3) of a member's centre from the group's, in the group's frame, m"""
    turn: F64
    """(things, 4) orientation of a member in the group's frame, quaternion"""


@bare_inner
def times_quaternion(p: F64, q: F64, out: F64) -> None:
    a, b, c, d = p[0], p[1], p[2], p[3]
    e, f, g, h = q[0], q[1], q[2], q[3]
    out[0] = a * e - b * f - c * g - d * h
    out[1] = a * f + b * e + c * h - d * g
    out[2] = a * g - b * h + c * e + d * f
    out[3] = a * h + b * g - c * f + d * e


@kernel
def gather_group(groups: Groups, table: BodyTable, motion: Motion, members: I64, g: int) -> None:
    """Makes row g the rigid body that its members are together; they must be placed and moving as they are."""
    mass = 0.0
    center, speed = np.zeros(3), np.zeros(3)
    for b in members:
        m = 1.0 / table.inverse_mass[b]
        mass += m
        for k in range(3):
            center[k] += m * motion.x[b, k]
            speed[k] += m * motion.V[b, k]
    center /= mass
    speed /= mass
    inertia, turning = np.zeros((3, 3)), np.zeros(3)
    for b in members:
        m, R = 1.0 / table.inverse_mass[b], motion.R[b]
        d = (motion.x[b, 0] - center[0], motion.x[b, 1] - center[1], motion.x[b, 2] - center[2])
        v = (motion.V[b, 0] - speed[0], motion.V[b, 1] - speed[1], motion.V[b, 2] - speed[2])
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        spin = times_transposed(R, (motion.V[b, 3], motion.V[b, 4], motion.V[b, 5]))
        own = times(R, times(table.inertia[b], spin))
        orbit = cross(d, v)
        for i in range(3):
            turning[i] += own[i] + m * orbit[i]
            for j in range(3):
                s = 0.0
                for k in range(3):
                    for l in range(3):
                        s += R[i, k] * table.inertia[b, k, l] * R[j, l]
                inertia[i, j] += s - m * d[i] * d[j]
            inertia[i, i] += m * square
    inverse = solve(inertia, np.eye(3))
    spin = times(inverse, (turning[0], turning[1], turning[2]))
    table.inverse_mass[g] = 1.0 / mass
    for i in range(3):
        motion.x[g, i], motion.V[g, i], motion.V[g, 3 + i] = center[i], speed[i], spin[i]
        for j in range(3):
            table.inertia[g, i, j] = 0.5 * (inertia[i, j] + inertia[j, i])
            table.inverse_inertia[g, i, j] = 0.5 * (inverse[i, j] + inverse[j, i])
    motion.q[g, 0] = 1.0
    motion.q[g, 1] = motion.q[g, 2] = motion.q[g, 3] = 0.0
    for b in members:
        groups.owner[b] = g
        for k in range(3):
            groups.offset[b, k] = motion.x[b, k] - center[k]
        for k in range(4):
            groups.turn[b, k] = motion.q[b, k]
    refresh(table, motion, g)


@bare_kernel
def place_members(groups: Groups, table: BodyTable, motion: Motion, members: I64) -> None:
    """Moves the members with their groups."""
    for b in members:
        g = groups.owner[b]
        d = times(motion.R[g], row(groups.offset, b))
        w = (motion.V[g, 3], motion.V[g, 4], motion.V[g, 5])
        orbit = cross(w, d)
        for k in range(3):
            motion.x[b, k] = motion.x[g, k] + d[k]
            motion.V[b, k] = motion.V[g, k] + orbit[k]
            motion.V[b, 3 + k] = w[k]
        times_quaternion(motion.q[g], groups.turn[b], motion.q[b])
        refresh(table, motion, b)
