"""Contacts by soft, substepped, warm-started Gauss-Seidel sweeps.

Per substep: one sweep with bias, in which contacts are springs so stiff and so damped that overlaps vanish
within a few substeps and no energy comes of it; positions move; one sweep without bias, which takes back the
speed that pushing apart gave (after the soft step of Box2D v3). Impulses start from those of the substep
before, so that a pile at rest is solved before the sweep begins. Contacts with a stiffness of their own (tyres)
are that spring and damper, in both sweeps.

    λ ← λ + s (b − v_n)/K − r λ,   λ ≥ 0
    stiff:   s = a₂a₃, r = a₃, b = −min(ωC/a₁, …),  a₁ = 2ζ + hω, a₂ = hωa₁, a₃ = 1/(1 + a₂)
    spring:  s = K/(K + γ), r = γ/(K + γ), b = −C k/(c + hk),  γ = 1/(h (c + hk))
             a₂ times (load + weight)/weight of a body that another solver loads: grains weigh on the bucket, too
    gap:     s = 1, r = 0, b = −C/h  (it may close, no more; a spring may close further, and pushes by the overlap
             that it then has: γ = 1/(h² k))

Friction is a tangential impulse within the cone of the normal one: it sticks up to static friction and slides
with kinetic. Rolling resistance is a torque within lever times normal impulse.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.contacts import (
    DAMPING,
    KINETIC,
    LAWS,
    ROLLING,
    STATIC,
    STIFFNESS,
    ContactBuffers,
)
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.response import Slots
from windrow.solvers.multibody.vectors import any_perpendicular, cross, row

DIRECTION, ARM_A, ARM_B, MOVE_A, MOVE_B, MASS, WIDTH = 0, 9, 18, 27, 45, 63, 66
"""Columns of a contact's row: three directions (normal, two tangents); r × direction of both bodies; velocity
change of both per impulse along each direction; K of each direction."""

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
    direct: I64
    """(c,) 1: `normals` solves its normal impulse, and the sweeps do its friction"""


def sweeps_with_room(room: int) -> Sweeps:
    return Sweeps(
        np.zeros((room, WIDTH)),
        np.zeros((room, 3)),
        np.zeros((room, LAWS)),
        np.zeros((room, 3)),
        np.zeros(room, np.int64),
    )


@bare_inner
def move_through(rows: F64, c: int, d: int, side: int, W: F64, s: int) -> float:
    """Velocity change of a machine's body per impulse along direction d; returns its share of K."""
    sign = 1.0 if side == 0 else -1.0
    o, arm = (MOVE_A if side == 0 else MOVE_B) + 6 * d, (ARM_A if side == 0 else ARM_B) + 3 * d
    x, y, z = sign * rows[c, 3 * d], sign * rows[c, 3 * d + 1], sign * rows[c, 3 * d + 2]
    u, v, w = rows[c, arm], rows[c, arm + 1], rows[c, arm + 2]
    for k in range(6):
        rows[c, o + k] = (
            W[s, s, k, 0] * x
            + W[s, s, k, 1] * y
            + W[s, s, k, 2] * z
            + W[s, s, k, 3] * u
            + W[s, s, k, 4] * v
            + W[s, s, k, 5] * w
        )
    return (
        rows[c, o] * x
        + rows[c, o + 1] * y
        + rows[c, o + 2] * z
        + rows[c, o + 3] * u
        + rows[c, o + 4] * v
        + rows[c, o + 5] * w
    )


@bare_inner
def move_alone(rows: F64, c: int, d: int, side: int, m: float, I: F64, b: int) -> float:
    """The same for a body without joints, of inverse mass m and inverse inertia I[b]."""
    sign = m if side == 0 else -m
    o, arm = (MOVE_A if side == 0 else MOVE_B) + 6 * d, (ARM_A if side == 0 else ARM_B) + 3 * d
    u, v, w = rows[c, arm], rows[c, arm + 1], rows[c, arm + 2]
    p = I[b, 0, 0] * u + I[b, 0, 1] * v + I[b, 0, 2] * w
    q = I[b, 0, 1] * u + I[b, 1, 1] * v + I[b, 1, 2] * w
    r = I[b, 0, 2] * u + I[b, 1, 2] * v + I[b, 2, 2] * w
    rows[c, o] = sign * rows[c, 3 * d]
    rows[c, o + 1] = sign * rows[c, 3 * d + 1]
    rows[c, o + 2] = sign * rows[c, 3 * d + 2]
    rows[c, o + 3], rows[c, o + 4], rows[c, o + 5] = p, q, r
    return m + p * u + q * v + r * w


@bare_inner
def prepare_contacts(contacts: ContactBuffers, sweeps: Sweeps, motion: Motion) -> None:
    """Directions and arms of all contacts; impulses from the world into the contact's directions."""
    rows, x = sweeps.row, motion.x
    for c in range(contacts.found[0]):
        n = row(contacts.normal, c)
        t = any_perpendicular(n)
        u = cross(n, t)
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        p = row(contacts.point, c)
        arm_a = (p[0] - x[a, 0], p[1] - x[a, 1], p[2] - x[a, 2])
        arm_b = (p[0] - x[b, 0], p[1] - x[b, 1], p[2] - x[b, 2])
        for d in range(3):
            direction = n if d == 0 else (t if d == 1 else u)
            ja, jb = cross(arm_a, direction), cross(direction, arm_b)
            for k in range(3):
                rows[c, 3 * d + k] = direction[k]
                rows[c, ARM_A + 3 * d + k], rows[c, ARM_B + 3 * d + k] = ja[k], jb[k]
            sweeps.impulse[c, d] = (
                contacts.impulse[c, 0] * direction[0]
                + contacts.impulse[c, 1] * direction[1]
                + contacts.impulse[c, 2] * direction[2]
            )
        if sweeps.impulse[c, 0] <= 0.0:
            for k in range(3):
                sweeps.impulse[c, k] = contacts.twist[c, k] = 0.0


@bare_inner
def weigh_contacts(
    contacts: ContactBuffers, sweeps: Sweeps, table: BodyTable, motion: Motion, slots: Slots, every: bool
) -> None:
    """Velocity changes per impulse and K of contacts: of all, or of those that touch a machine."""
    rows, I, soft = sweeps.row, motion.inverse_inertia, sweeps.soft
    for c in range(contacts.found[0]):
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        s, q = slots.of_body[a], slots.of_body[b]
        if not every and s < 0 and q < 0:
            continue
        sprung = not every and sweeps.law[c, STIFFNESS] > 0.0
        gamma = rows[c, MASS] * soft[c, FADE] / soft[c, SOFT] if sprung else 0.0
        for d in range(3):
            if s >= 0:
                K = move_through(rows, c, d, 0, slots.W, s)
            else:
                K = move_alone(rows, c, d, 0, table.inverse_mass[a], I, a)
            if q >= 0:
                K += move_through(rows, c, d, 1, slots.W, q)
            else:
                K += move_alone(rows, c, d, 1, table.inverse_mass[b], I, b)
            if s >= 0 and q >= 0 and slots.machine[a] == slots.machine[b]:
                K += 2.0 * cross_mass(rows[c], d, slots.W[s, q])
            rows[c, MASS + d] = K if K > 1e-300 else 1e300
        if sprung:
            # The spring is the same, whatever it pushes on.
            K = rows[c, MASS]
            soft[c, SOFT], soft[c, FADE] = K / (K + gamma), gamma / (K + gamma)


@bare_inner
def cross_mass(r: F64, d: int, W: F64) -> float:
    """Share of K of the coupling between both bodies of one machine."""
    s = 0.0
    for i in range(6):
        left = r[3 * d + i] if i < 3 else r[ARM_A + 3 * d + i - 3]
        for k in range(6):
            right = -r[3 * d + k] if k < 3 else r[ARM_B + 3 * d + k - 3]
            s += left * W[i, k] * right
    return s


@bare_inner
def speed_along(rows: F64, c: int, d: int, V: F64, a: int, b: int) -> float:
    """Relative velocity of the contact along direction d, positive when parting."""
    o, p, q = 3 * d, ARM_A + 3 * d, ARM_B + 3 * d
    return (
        rows[c, o] * (V[a, 0] - V[b, 0])
        + rows[c, o + 1] * (V[a, 1] - V[b, 1])
        + rows[c, o + 2] * (V[a, 2] - V[b, 2])
        + rows[c, p] * V[a, 3]
        + rows[c, p + 1] * V[a, 4]
        + rows[c, p + 2] * V[a, 5]
        + rows[c, q] * V[b, 3]
        + rows[c, q + 1] * V[b, 4]
        + rows[c, q + 2] * V[b, 5]
    )


@bare_inner
def push(rows: F64, c: int, d: int, impulse: float, V: F64, a: int, b: int) -> None:
    o, p = MOVE_A + 6 * d, MOVE_B + 6 * d
    for k in range(6):
        V[a, k] += rows[c, o + k] * impulse
        V[b, k] += rows[c, p + k] * impulse


@bare_inner
def push_through(
    rows: F64, c: int, i0: float, i1: float, i2: float, V: F64, slots: Slots, b: int, side: int
) -> None:
    """What an impulse on body b does to the other touched bodies of its machine."""
    s = slots.of_body[b]
    first, end = slots.first[s], slots.end[s]
    if end - first == 1:
        return
    sign = 1.0 if side == 0 else -1.0
    arm, W = ARM_A if side == 0 else ARM_B, slots.W
    x = sign * (i0 * rows[c, 0] + i1 * rows[c, 3] + i2 * rows[c, 6])
    y = sign * (i0 * rows[c, 1] + i1 * rows[c, 4] + i2 * rows[c, 7])
    z = sign * (i0 * rows[c, 2] + i1 * rows[c, 5] + i2 * rows[c, 8])
    u = i0 * rows[c, arm] + i1 * rows[c, arm + 3] + i2 * rows[c, arm + 6]
    v = i0 * rows[c, arm + 1] + i1 * rows[c, arm + 4] + i2 * rows[c, arm + 7]
    w = i0 * rows[c, arm + 2] + i1 * rows[c, arm + 5] + i2 * rows[c, arm + 8]
    for t in range(first, end):
        if t != s:
            other = slots.body[t]
            for k in range(6):
                V[other, k] += (
                    W[t, s, k, 0] * x
                    + W[t, s, k, 1] * y
                    + W[t, s, k, 2] * z
                    + W[t, s, k, 3] * u
                    + W[t, s, k, 4] * v
                    + W[t, s, k, 5] * w
                )


@bare_inner
def warm_start(contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, slots: Slots) -> None:
    """Velocities of bodies without joints after the impulses that the contacts had before.

    Machines have felt them already, see `remembered_wrenches`.
    """
    i, V, rows = sweeps.impulse, motion.V, sweeps.row
    for c in range(contacts.found[0]):
        if i[c, 0] == 0.0:
            continue
        for side in range(2):
            b = contacts.body[c, side]
            if slots.of_body[b] >= 0:
                continue
            move = MOVE_A if side == 0 else MOVE_B
            for d in range(3):
                for k in range(6):
                    V[b, k] += rows[c, move + 6 * d + k] * i[c, d]
            if sweeps.law[c, ROLLING] > 0.0:
                I, t = motion.inverse_inertia[b], row(contacts.twist, c)
                sign = 1.0 if side == 0 else -1.0
                for k in range(3):
                    V[b, 3 + k] += sign * (I[k, 0] * t[0] + I[k, 1] * t[1] + I[k, 2] * t[2])


@bare_inner
def soften(
    contacts: ContactBuffers,
    sweeps: Sweeps,
    pressed: F64,
    h: float,
    rate: float,
    ratio: float,
    fastest: float,
    biased: bool,
) -> None:
    """s, r and b of every contact for the sweep to come; `pressed` (bodies,) is by what factor loads stiffen it."""
    omega = 2.0 * pi * min(rate, 0.25 / h)
    a1 = 2.0 * ratio + h * omega
    soft = sweeps.soft
    for c in range(contacts.found[0]):
        gap = contacts.gap[c]
        stiffness = sweeps.law[c, STIFFNESS]
        if gap > 0.0 and stiffness > 0.0:
            K, gamma = sweeps.row[c, MASS], 1.0 / (h * h * stiffness)
            soft[c, SOFT], soft[c, FADE], soft[c, BIAS] = K / (K + gamma), gamma / (K + gamma), -gap / h
        elif gap > 0.0:
            soft[c, SOFT], soft[c, FADE], soft[c, BIAS] = 1.0, 0.0, -gap / h
        elif stiffness > 0.0:
            if biased:
                K = sweeps.row[c, MASS]
                yielding = sweeps.law[c, DAMPING] + h * stiffness
                gamma = 1.0 / (h * yielding)
                soft[c, SOFT], soft[c, FADE] = K / (K + gamma), gamma / (K + gamma)
                soft[c, BIAS] = -gap * stiffness / yielding
        elif biased:
            a2 = h * omega * a1 * max(pressed[contacts.body[c, 0]], pressed[contacts.body[c, 1]])
            a3 = 1.0 / (1.0 + a2)
            soft[c, SOFT], soft[c, FADE] = a2 * a3, a3
            soft[c, BIAS] = min(-gap * omega / a1, fastest)
        else:
            soft[c, SOFT], soft[c, FADE], soft[c, BIAS] = 1.0, 0.0, 0.0


@bare_inner
def sweep(contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, slots: Slots) -> None:
    """One pass over all contacts."""
    V, rows, impulse, soft = motion.V, sweeps.row, sweeps.impulse, sweeps.soft
    law, direct = sweeps.law, sweeps.direct
    for c in range(contacts.found[0]):
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        before, i1, i2 = impulse[c, 0], impulse[c, 1], impulse[c, 2]
        normal = before
        if direct[c] == 0:
            speed = speed_along(rows, c, 0, V, a, b)
            normal += soft[c, SOFT] * (soft[c, BIAS] - speed) / rows[c, MASS] - soft[c, FADE] * before
            normal = max(normal, 0.0)
        if normal == 0.0 and before == 0.0 and i1 == 0.0 and i2 == 0.0:
            continue
        if normal != before:
            push(rows, c, 0, normal - before, V, a, b)
            impulse[c, 0] = normal
        f1 = i1 - speed_along(rows, c, 1, V, a, b) / rows[c, MASS + 1]
        f2 = i2 - speed_along(rows, c, 2, V, a, b) / rows[c, MASS + 2]
        wanted = sqrt(f1 * f1 + f2 * f2)
        if wanted > law[c, STATIC] * normal:
            cut = law[c, KINETIC] * normal / wanted
            f1 *= cut
            f2 *= cut
        push(rows, c, 1, f1 - i1, V, a, b)
        push(rows, c, 2, f2 - i2, V, a, b)
        impulse[c, 1], impulse[c, 2] = f1, f2
        if slots.of_body[a] >= 0:
            push_through(rows, c, normal - before, f1 - i1, f2 - i2, V, slots, a, 0)
        if slots.of_body[b] >= 0:
            push_through(rows, c, normal - before, f1 - i1, f2 - i2, V, slots, b, 1)
        if law[c, ROLLING] > 0.0:
            resist_rolling(contacts, motion, slots, c, a, b, law[c, ROLLING] * normal)


@bare_inner
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


@bare_inner
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


@bare_inner
def resist_rolling(
    contacts: ContactBuffers, motion: Motion, slots: Slots, c: int, a: int, b: int, most: float
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


@bare_inner
def add_wrench(r: F64, d: int, impulse: float, slots: Slots, wrench: F64, a: int, b: int) -> None:
    """Adds an impulse along direction d to the wrenches of those of its bodies that have slots."""
    for side in range(2):
        s = slots.of_body[a if side == 0 else b]
        if s >= 0:
            sign, arm = (1.0, ARM_A) if side == 0 else (-1.0, ARM_B)
            for k in range(3):
                wrench[s, k] += sign * impulse * r[3 * d + k]
                wrench[s, 3 + k] += impulse * r[arm + 3 * d + k]


@bare_inner
def close_gaps(contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, h: float) -> None:
    """Gaps after a substep with the present velocities."""
    for c in range(contacts.found[0]):
        speed = speed_along(sweeps.row, c, 0, motion.V, contacts.body[c, 0], contacts.body[c, 1])
        contacts.gap[c] += h * speed


@bare_inner
def remembered_wrenches(contacts: ContactBuffers, motion: Motion, slots: Slots) -> None:
    """Impulse on each slot of contacts as they are remembered, before their rows are prepared."""
    for s in range(slots.used[0]):
        for k in range(6):
            slots.wrench[s, k] = 0.0
    for c in range(contacts.found[0]):
        p, n, t = row(contacts.impulse, c), row(contacts.normal, c), row(contacts.twist, c)
        if p[0] * n[0] + p[1] * n[1] + p[2] * n[2] <= 0.0:
            continue
        for side in range(2):
            b = contacts.body[c, side]
            s = slots.of_body[b]
            if s < 0:
                continue
            sign, at = 1.0 if side == 0 else -1.0, motion.x[b]
            arm = (
                contacts.point[c, 0] - at[0],
                contacts.point[c, 1] - at[1],
                contacts.point[c, 2] - at[2],
            )
            turn = cross(arm, p)
            for k in range(3):
                slots.wrench[s, k] += sign * p[k]
                slots.wrench[s, 3 + k] += sign * (turn[k] + t[k])


@bare_inner
def gather_wrenches(contacts: ContactBuffers, sweeps: Sweeps, slots: Slots) -> None:
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


@bare_inner
def total_up(contacts: ContactBuffers, sweeps: Sweeps) -> None:
    """Impulses of this substep back into the world, and into the sum over the step."""
    rows, i = sweeps.row, sweeps.impulse
    for c in range(contacts.found[0]):
        for k in range(3):
            contacts.impulse[c, k] = (
                i[c, 0] * rows[c, k] + i[c, 1] * rows[c, 3 + k] + i[c, 2] * rows[c, 6 + k]
            )
            contacts.total[c, k] += contacts.impulse[c, k]
