"""Contacts by soft, substepped, warm-started Gauss-Seidel sweeps.

Per substep: one sweep with bias, in which contacts are springs so stiff and so damped that overlaps vanish
within a few substeps and no energy comes of it; positions move; one sweep without bias, which takes back the
speed that pushing apart gave (after the soft step of Box2D v3). Impulses start from those of the substep
before, so that a pile at rest is solved before the sweep begins. Contacts with a stiffness of their own (tyres)
are that spring and damper, in both sweeps.

    λ ← λ + s (b − v_n)/K − r λ,   λ ≥ 0
    stiff:   s = a₂a₃, r = a₃, b = −min(ωC/a₁, …),  a₁ = 2ζ + hω, a₂ = hωa₁, a₃ = 1/(1 + a₂)
    spring:  s = K/(K + γ), r = γ/(K + γ), b = −C k/(c + hk),  γ = 1/(h (c + hk))
    gap:     s = 1, r = 0, b = −C/h  (it may close, no more)

Friction is a tangential impulse within the cone of the normal one: it sticks up to static friction and slides
with kinetic. Rolling resistance is a torque within lever times normal impulse.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64
from windrow.kernel import inner
from windrow.solvers.multibody.contacts import (
    DAMPING,
    KINETIC,
    LAWS,
    RESTITUTION,
    ROLLING,
    STATIC,
    STIFFNESS,
    Contacts,
)
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.response import Slots
from windrow.solvers.multibody.vectors import any_perpendicular, cross, row

DIRECTION, ARM_A, ARM_B, MOVE_A, MOVE_B, MASS, WIDTH = 0, 9, 18, 27, 45, 63, 66
"""Columns of a contact's row: three directions (normal, two tangents); r × direction of both bodies; velocity
change of both per impulse along each direction; K of each direction."""

IMPACT_ROUNDS = 64
IMPACT_SPEED = 0.05
"""Slower impacts, m/s, do not bounce."""
SOFT, FADE, BIAS = range(3)


class Sweeps(NamedTuple):
    """Rows of the contacts of this step."""

    row: F64
    """(c, WIDTH)"""
    impulse: F64
    """(c, 3) along the three directions, N s"""
    law: F64
    """(c, LAWS)"""
    soft: F64
    """(c, 3) s, r and b of the sweep to come"""


def sweeps_with_room(room: int) -> Sweeps:
    return Sweeps(np.zeros((room, WIDTH)), np.zeros((room, 3)), np.zeros((room, LAWS)), np.zeros((room, 3)))


@inner
def move_of(
    sweeps: Sweeps, c: int, d: int, side: int, b: int, table: BodyTable, motion: Motion, slots: Slots
) -> float:
    """Velocity change of body b per impulse along direction d; returns its share of K."""
    r = sweeps.row[c]
    sign = 1.0 if side == 0 else -1.0
    o, arm = (MOVE_A if side == 0 else MOVE_B) + 6 * d, (ARM_A if side == 0 else ARM_B) + 3 * d
    x, y, z = sign * r[3 * d], sign * r[3 * d + 1], sign * r[3 * d + 2]
    u, v, w = r[arm], r[arm + 1], r[arm + 2]
    s = slots.of_body[b]
    if s >= 0:
        W = slots.W[s, s]
        for k in range(6):
            r[o + k] = W[k, 0] * x + W[k, 1] * y + W[k, 2] * z + W[k, 3] * u + W[k, 4] * v + W[k, 5] * w
    else:
        m, I = table.inverse_mass[b], motion.inverse_inertia[b]
        r[o], r[o + 1], r[o + 2] = m * x, m * y, m * z
        for k in range(3):
            r[o + 3 + k] = I[k, 0] * u + I[k, 1] * v + I[k, 2] * w
    return r[o] * x + r[o + 1] * y + r[o + 2] * z + r[o + 3] * u + r[o + 4] * v + r[o + 5] * w


@inner
def prepare_contacts(
    contacts: Contacts, sweeps: Sweeps, table: BodyTable, motion: Motion, slots: Slots
) -> None:
    """Directions, arms and masses of all contacts; impulses from the world into the contact's directions."""
    for c in range(contacts.found[0]):
        n = row(contacts.normal, c)
        t = any_perpendicular(n)
        u = cross(n, t)
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        r = sweeps.row[c]
        for k in range(3):
            r[k], r[3 + k], r[6 + k] = n[k], t[k], u[k]
        point = row(contacts.point, c)
        arm_a = (point[0] - motion.x[a, 0], point[1] - motion.x[a, 1], point[2] - motion.x[a, 2])
        arm_b = (point[0] - motion.x[b, 0], point[1] - motion.x[b, 1], point[2] - motion.x[b, 2])
        for d in range(3):
            direction = (r[3 * d], r[3 * d + 1], r[3 * d + 2])
            ja, jb = cross(arm_a, direction), cross(direction, arm_b)
            for k in range(3):
                r[ARM_A + 3 * d + k], r[ARM_B + 3 * d + k] = ja[k], jb[k]
            K = move_of(sweeps, c, d, 0, a, table, motion, slots)
            K += move_of(sweeps, c, d, 1, b, table, motion, slots)
            s, q = slots.of_body[a], slots.of_body[b]
            if s >= 0 and q >= 0 and slots.machine[a] == slots.machine[b]:
                K += 2.0 * cross_mass(r, d, slots.W[s, q])
            r[MASS + d] = K if K > 1e-300 else 1e300
            sweeps.impulse[c, d] = (
                contacts.impulse[c, 0] * direction[0]
                + contacts.impulse[c, 1] * direction[1]
                + contacts.impulse[c, 2] * direction[2]
            )
        if sweeps.impulse[c, 0] <= 0.0:
            for k in range(3):
                sweeps.impulse[c, k] = contacts.twist[c, k] = 0.0


@inner
def cross_mass(r: F64, d: int, W: F64) -> float:
    """Share of K of the coupling between both bodies of one machine."""
    s = 0.0
    for i in range(6):
        left = r[3 * d + i] if i < 3 else r[ARM_A + 3 * d + i - 3]
        for k in range(6):
            right = -r[3 * d + k] if k < 3 else r[ARM_B + 3 * d + k - 3]
            s += left * W[i, k] * right
    return s


@inner
def speed_along(r: F64, d: int, V: F64, a: int, b: int) -> float:
    """Relative velocity of the contact along direction d, positive when parting."""
    o, p, q = 3 * d, ARM_A + 3 * d, ARM_B + 3 * d
    return (
        r[o] * (V[a, 0] - V[b, 0])
        + r[o + 1] * (V[a, 1] - V[b, 1])
        + r[o + 2] * (V[a, 2] - V[b, 2])
        + r[p] * V[a, 3]
        + r[p + 1] * V[a, 4]
        + r[p + 2] * V[a, 5]
        + r[q] * V[b, 3]
        + r[q + 1] * V[b, 4]
        + r[q + 2] * V[b, 5]
    )


@inner
def push(r: F64, d: int, impulse: float, V: F64, a: int, b: int) -> None:
    o, p = MOVE_A + 6 * d, MOVE_B + 6 * d
    for k in range(6):
        V[a, k] += r[o + k] * impulse
        V[b, k] += r[p + k] * impulse


@inner
def push_through(r: F64, i0: float, i1: float, i2: float, V: F64, slots: Slots, b: int, side: int) -> None:
    """What an impulse on body b does to the other touched bodies of its machine."""
    s = slots.of_body[b]
    if slots.end[s] - slots.first[s] == 1:
        return
    sign = 1.0 if side == 0 else -1.0
    arm = ARM_A if side == 0 else ARM_B
    x = sign * (i0 * r[0] + i1 * r[3] + i2 * r[6])
    y = sign * (i0 * r[1] + i1 * r[4] + i2 * r[7])
    z = sign * (i0 * r[2] + i1 * r[5] + i2 * r[8])
    u = i0 * r[arm] + i1 * r[arm + 3] + i2 * r[arm + 6]
    v = i0 * r[arm + 1] + i1 * r[arm + 4] + i2 * r[arm + 7]
    w = i0 * r[arm + 2] + i1 * r[arm + 5] + i2 * r[arm + 8]
    for t in range(slots.first[s], slots.end[s]):
        if t != s:
            W = slots.W[t, s]
            other = slots.body[t]
            for k in range(6):
                V[other, k] += (
                    W[k, 0] * x + W[k, 1] * y + W[k, 2] * z + W[k, 3] * u + W[k, 4] * v + W[k, 5] * w
                )


@inner
def push_all(r: F64, i0: float, i1: float, i2: float, V: F64, slots: Slots, a: int, b: int) -> None:
    """Velocities after impulses along all three directions."""
    if i0 != 0.0:
        push(r, 0, i0, V, a, b)
    if i1 != 0.0 or i2 != 0.0:
        push(r, 1, i1, V, a, b)
        push(r, 2, i2, V, a, b)
    if slots.of_body[a] >= 0:
        push_through(r, i0, i1, i2, V, slots, a, 0)
    if slots.of_body[b] >= 0:
        push_through(r, i0, i1, i2, V, slots, b, 1)


@inner
def warm_start(contacts: Contacts, sweeps: Sweeps, motion: Motion, slots: Slots) -> None:
    """Velocities after the impulses that the contacts had before."""
    V = motion.V
    for c in range(contacts.found[0]):
        i = sweeps.impulse[c]
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        if i[0] != 0.0:
            push_all(sweeps.row[c], i[0], i[1], i[2], V, slots, a, b)
        if sweeps.law[c, ROLLING] > 0.0:
            twist(motion, slots, a, b, contacts.twist[c, 0], contacts.twist[c, 1], contacts.twist[c, 2])


@inner
def soften(
    contacts: Contacts, sweeps: Sweeps, h: float, rate: float, ratio: float, fastest: float, biased: bool
) -> None:
    """s, r and b of every contact for the sweep to come."""
    omega = 2.0 * pi * min(rate, 0.25 / h)
    a1 = 2.0 * ratio + h * omega
    a2 = h * omega * a1
    a3 = 1.0 / (1.0 + a2)
    for c in range(contacts.found[0]):
        gap = contacts.gap[c]
        soft = sweeps.soft[c]
        stiffness = sweeps.law[c, STIFFNESS]
        if gap > 0.0:
            soft[SOFT], soft[FADE], soft[BIAS] = 1.0, 0.0, -gap / h
        elif stiffness > 0.0:
            if biased:
                K = sweeps.row[c, MASS]
                yielding = sweeps.law[c, DAMPING] + h * stiffness
                gamma = 1.0 / (h * yielding)
                soft[SOFT], soft[FADE] = K / (K + gamma), gamma / (K + gamma)
                soft[BIAS] = -gap * stiffness / yielding
        elif biased:
            soft[SOFT], soft[FADE] = a2 * a3, a3
            soft[BIAS] = min(-gap * omega / a1, fastest)
        else:
            soft[SOFT], soft[FADE], soft[BIAS] = 1.0, 0.0, 0.0


@inner
def sweep(contacts: Contacts, sweeps: Sweeps, motion: Motion, slots: Slots) -> None:
    """One pass over all contacts."""
    V = motion.V
    for c in range(contacts.found[0]):
        r, soft, law, impulse = sweeps.row[c], sweeps.soft[c], sweeps.law[c], sweeps.impulse[c]
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        before = impulse[0]
        normal = (
            before + soft[SOFT] * (soft[BIAS] - speed_along(r, 0, V, a, b)) / r[MASS] - soft[FADE] * before
        )
        normal = max(normal, 0.0)
        if normal == 0.0 and before == 0.0:
            continue
        push(r, 0, normal - before, V, a, b)
        impulse[0] = normal
        i1, i2 = impulse[1], impulse[2]
        f1 = i1 - speed_along(r, 1, V, a, b) / r[MASS + 1]
        f2 = i2 - speed_along(r, 2, V, a, b) / r[MASS + 2]
        wanted = sqrt(f1 * f1 + f2 * f2)
        if wanted > law[STATIC] * normal:
            cut = law[KINETIC] * normal / wanted
            f1 *= cut
            f2 *= cut
        push(r, 1, f1 - i1, V, a, b)
        push(r, 2, f2 - i2, V, a, b)
        impulse[1], impulse[2] = f1, f2
        if slots.of_body[a] >= 0:
            push_through(r, normal - before, f1 - i1, f2 - i2, V, slots, a, 0)
        if slots.of_body[b] >= 0:
            push_through(r, normal - before, f1 - i1, f2 - i2, V, slots, b, 1)
        if law[ROLLING] > 0.0:
            resist_rolling(contacts, motion, slots, c, a, b, law[ROLLING] * normal)


@inner
def spin_mass(motion: Motion, slots: Slots, b: int, x: float, y: float, z: float) -> float:
    """Inverse inertia of body b about a unit direction."""
    I = motion.inverse_inertia[b]
    s = slots.of_body[b]
    if s >= 0:
        I = slots.W[s, s, 3:, 3:]
    return (
        x * (I[0, 0] * x + 2.0 * I[0, 1] * y + 2.0 * I[0, 2] * z)
        + y * (I[1, 1] * y + 2.0 * I[1, 2] * z)
        + z * I[2, 2] * z
    )


@inner
def twist(motion: Motion, slots: Slots, a: int, b: int, x: float, y: float, z: float) -> None:
    """Velocities after a torque impulse on a, and its opposite on b."""
    V = motion.V
    for side in range(2):
        body = a if side == 0 else b
        sign = 1.0 if side == 0 else -1.0
        s = slots.of_body[body]
        if s >= 0:
            for t in range(slots.first[s], slots.end[s]):
                W, other = slots.W[t, s], slots.body[t]
                for k in range(6):
                    V[other, k] += sign * (W[k, 3] * x + W[k, 4] * y + W[k, 5] * z)
        else:
            I = motion.inverse_inertia[body]
            for k in range(3):
                V[body, 3 + k] += sign * (I[k, 0] * x + I[k, 1] * y + I[k, 2] * z)


@inner
def resist_rolling(
    contacts: Contacts, motion: Motion, slots: Slots, c: int, a: int, b: int, most: float
) -> None:
    """Stops relative spin, within a torque impulse."""
    V = motion.V
    x, y, z = V[a, 3] - V[b, 3], V[a, 4] - V[b, 4], V[a, 5] - V[b, 5]
    rate = sqrt(x * x + y * y + z * z)
    if rate < 1e-300:
        return
    dx, dy, dz = x / rate, y / rate, z / rate
    K = spin_mass(motion, slots, a, dx, dy, dz) + spin_mass(motion, slots, b, dx, dy, dz)
    if K < 1e-300:
        return
    held = contacts.twist[c]
    nx, ny, nz = held[0] - x / K, held[1] - y / K, held[2] - z / K
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if length > most:
        nx, ny, nz = nx * most / length, ny * most / length, nz * most / length
    twist(motion, slots, a, b, nx - held[0], ny - held[1], nz - held[2])
    held[0], held[1], held[2] = nx, ny, nz


@inner
def add_wrench(r: F64, d: int, impulse: float, slots: Slots, wrench: F64, a: int, b: int) -> None:
    """Adds an impulse along direction d to the wrenches of those of its bodies that have slots."""
    for side in range(2):
        s = slots.of_body[a if side == 0 else b]
        if s >= 0:
            sign, arm = (1.0, ARM_A) if side == 0 else (-1.0, ARM_B)
            for k in range(3):
                wrench[s, k] += sign * impulse * r[3 * d + k]
                wrench[s, 3 + k] += impulse * r[arm + 3 * d + k]


@inner
def bounce(contacts: Contacts, sweeps: Sweeps, motion: Motion, slots: Slots, h: float) -> None:
    """Impacts of contacts that bounce, one after the other, until none of them closes.

    One after the other, because that is how a shock runs through a row of balls.
    """
    V = motion.V
    for _ in range(IMPACT_ROUNDS):
        closing = False
        for c in range(contacts.found[0]):
            e = sweeps.law[c, RESTITUTION]
            if e == 0.0:
                continue
            r = sweeps.row[c]
            a, b = contacts.body[c, 0], contacts.body[c, 1]
            speed = speed_along(r, 0, V, a, b)
            if speed < -IMPACT_SPEED and contacts.gap[c] <= -h * speed:
                impulse = -(1.0 + e) * speed / r[MASS]
                push_all(r, impulse, 0.0, 0.0, V, slots, a, b)
                add_wrench(r, 0, impulse, slots, slots.bounced, a, b)
                for k in range(3):
                    contacts.total[c, k] += impulse * r[k]
                closing = True
        if not closing:
            return


@inner
def close_gaps(contacts: Contacts, sweeps: Sweeps, motion: Motion, h: float) -> None:
    """Gaps after a substep with the present velocities."""
    for c in range(contacts.found[0]):
        speed = speed_along(sweeps.row[c], 0, motion.V, contacts.body[c, 0], contacts.body[c, 1])
        contacts.gap[c] += h * speed


@inner
def gather_wrenches(contacts: Contacts, sweeps: Sweeps, slots: Slots) -> None:
    """Impulse of all contacts on each slot."""
    for s in range(slots.used[0]):
        for k in range(6):
            slots.wrench[s, k] = slots.bounced[s, k]
    for c in range(contacts.found[0]):
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        if slots.of_body[a] < 0 and slots.of_body[b] < 0:
            continue
        for d in range(3):
            add_wrench(sweeps.row[c], d, sweeps.impulse[c, d], slots, slots.wrench, a, b)
        if sweeps.law[c, ROLLING] > 0.0:
            for side in range(2):
                s = slots.of_body[a if side == 0 else b]
                if s >= 0:
                    for k in range(3):
                        slots.wrench[s, 3 + k] += (1.0 if side == 0 else -1.0) * contacts.twist[c, k]


@inner
def total_up(contacts: Contacts, sweeps: Sweeps) -> None:
    """Impulses of this substep back into the world, and into the sum over the step."""
    for c in range(contacts.found[0]):
        r, i = sweeps.row[c], sweeps.impulse[c]
        for k in range(3):
            contacts.impulse[c, k] = i[0] * r[k] + i[1] * r[3 + k] + i[2] * r[6 + k]
            contacts.total[c, k] += contacts.impulse[c, k]
