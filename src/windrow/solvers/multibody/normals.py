"""Normal impulses of a machine's contacts, all at once.

With the joints eliminated (`response`), a machine's contacts with what cannot be moved, and with itself, have the dense
matrix A = J W Jᵀ, J their normals. Their impulses λ solve

    v + A (λ − λ₀) + σ λ − b ≥ 0,   λ ≥ 0,   one of them zero,

v the speeds with the impulses λ₀ that are known, σ and b the compliance and the bias of `sweeps`' springs: the fixed
point of its sweeps. A second, tiny compliance acts on λ − λ₀ alone, so that six points on a plane, which can share a
load in many ways, keep the way they have. The rows with λ₀ > 0 are the guess of those that carry.

Contacts with bodies that move, rocks and loads among them, and between two machines are left to the sweeps, which
feel the same W.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.complementarity import solve_complementary
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.response import Slots
from windrow.solvers.multibody.sweeps import ARM_A, ARM_B, BIAS, FADE, MASS, SOFT, Sweeps, speed_along

NORMALS_MOST = 96
"""Contacts of one machine that are solved at once; those beyond are swept, and the step says how many."""
CLING = 1e-6
"""Compliance on changes of an impulse, of a contact's own inverse mass."""


class Normals(NamedTuple):
    """Contacts that are solved at once, machine by machine, and room for it."""

    size: I64
    """(machines,) how many"""
    contact: I64
    """(machines, NORMALS_MOST)"""
    left_out: I64
    """(1,) contacts that found no room"""
    matrix: F64
    """(machines, NORMALS_MOST²) J W Jᵀ, row by row without gaps"""
    sigma: F64
    """(NORMALS_MOST,) of the last problem solved, as are the next three"""
    right: F64
    impulse: F64
    carries: I64
    wanted: I64
    work: F64
    factored: I64
    """(machines, NORMALS_MOST) rows of each machine that its factors are of"""
    factor: F64
    """(machines, NORMALS_MOST²)"""
    moved: F64
    """(slots, 6) velocities of touched bodies after one impulse, or the wrenches that changes of all make"""


def normals_with_room(machines: int, slots: int) -> Normals:
    most = NORMALS_MOST
    return Normals(
        size=np.zeros(machines, np.int64),
        contact=np.zeros((machines, most), np.int64),
        left_out=np.zeros(1, np.int64),
        matrix=np.zeros((machines, most * most)),
        sigma=np.zeros(most),
        right=np.zeros(most),
        impulse=np.zeros(most),
        carries=np.zeros(most, np.int64),
        wanted=np.zeros(most, np.int64),
        work=np.zeros(most),
        factored=np.zeros((machines, most), np.int64),
        factor=np.zeros((machines, most * most)),
        moved=np.zeros((slots, 6)),
    )


@bare_inner
def machine_of(slots: Slots, table: BodyTable, a: int, b: int) -> int:
    """The one machine that is touched by a contact whose other side cannot be moved or is its own; −1: none."""
    s, t = slots.of_body[a], slots.of_body[b]
    if s >= 0 and t >= 0:
        return slots.machine[a] if slots.machine[a] == slots.machine[b] else -1
    if s >= 0:
        return slots.machine[a] if table.inverse_mass[b] == 0.0 else -1
    if t >= 0:
        return slots.machine[b] if table.inverse_mass[a] == 0.0 else -1
    return -1


@bare_inner
def choose_normals(
    normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, slots: Slots, table: BodyTable
) -> None:
    """Finds the contacts that are solved at once."""
    size, left_out = normals.size, 0
    for m in range(size.shape[0]):
        size[m] = 0
    for c in range(contacts.found[0]):
        m = machine_of(slots, table, contacts.body[c, 0], contacts.body[c, 1])
        sweeps.direct[c] = 0
        if m >= 0 and size[m] < NORMALS_MOST:
            sweeps.direct[c] = 1
            normals.contact[m, size[m]] = c
            size[m] += 1
        elif m >= 0:
            left_out += 1
    normals.left_out[0] = left_out


@bare_inner
def fill_matrices(normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, slots: Slots) -> None:
    """A of all machines, from rows that `prepare_contacts` left and the present W."""
    for m in range(normals.size.shape[0]):
        fill_matrix(normals, contacts, sweeps, slots, m)


@bare_inner
def fill_matrix(normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, slots: Slots, m: int) -> None:
    """A of machine m, column by column: what one impulse moves, along all normals."""
    n, moved, rows, W = normals.size[m], normals.moved, sweeps.row, slots.W
    for j in range(n):
        c = normals.contact[m, j]
        first = end = 0
        for side in range(2):
            s = slots.of_body[contacts.body[c, side]]
            if s < 0:
                continue
            sign, arm = (1.0, ARM_A) if side == 0 else (-1.0, ARM_B)
            fresh = end == 0
            first, end = slots.first[s], slots.end[s]
            for t in range(first, end):
                if fresh:
                    for k in range(6):
                        moved[t, k] = 0.0
                for i in range(3):
                    x, u = sign * rows[c, i], rows[c, arm + i]
                    for k in range(6):
                        moved[t, k] += W[s, t, i, k] * x + W[s, t, 3 + i, k] * u
        for i in range(j, n):
            d = normals.contact[m, i]
            speed = 0.0
            for side in range(2):
                t = slots.of_body[contacts.body[d, side]]
                if t >= 0:
                    sign, arm = (1.0, ARM_A) if side == 0 else (-1.0, ARM_B)
                    for k in range(3):
                        speed += sign * rows[d, k] * moved[t, k] + rows[d, arm + k] * moved[t, 3 + k]
            normals.matrix[m, i * n + j] = normals.matrix[m, j * n + i] = speed


@bare_inner
def solve_normals(
    normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, slots: Slots, fresh: bool
) -> int:
    """New normal impulses and the velocities that they make; returns how many problems pivoting did not finish.

    `fresh` says that the springs of the contacts are not those of the last call.
    """
    failed = 0
    for m in range(normals.size.shape[0]):
        if normals.size[m] > 0 and pose_problem(normals, contacts, sweeps, motion, m):
            solves = solve_complementary(
                normals.matrix[m],
                normals.size[m],
                normals.sigma,
                normals.right,
                normals.impulse,
                normals.carries,
                normals.wanted,
                normals.factored[m],
                normals.factor[m],
                normals.work,
                fresh,
            )
            failed += 1 if solves < 0 else 0
            give_impulses(normals, contacts, sweeps, motion, slots, m)
    return failed


@bare_inner
def pose_problem(normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, m: int) -> bool:
    """σ, right side and guess of machine m; whether any contact carries or is about to."""
    n, soft, rows, matrix = normals.size[m], sweeps.soft, sweeps.row, normals.matrix[m]
    impulse, right = normals.impulse, normals.right
    needed = False
    for i in range(n):
        c = normals.contact[m, i]
        K, known = rows[c, MASS], sweeps.impulse[c, 0]
        speed = speed_along(rows, c, 0, motion.V, contacts.body[c, 0], contacts.body[c, 1])
        normals.sigma[i] = K * (soft[c, FADE] / soft[c, SOFT] + CLING)
        right[i] = soft[c, BIAS] - speed + CLING * K * known
        impulse[i] = known
        normals.carries[i] = 1 if known > 0.0 else 0
        needed = needed or known > 0.0 or right[i] > 0.0
    if needed:
        for j in range(n):
            if impulse[j] > 0.0:
                for i in range(n):
                    right[i] += matrix[j * n + i] * impulse[j]
    return needed


@bare_inner
def give_impulses(
    normals: Normals, contacts: ContactBuffers, sweeps: Sweeps, motion: Motion, slots: Slots, m: int
) -> None:
    """Hands the solution over, and its change to the velocities of the touched bodies."""
    n, wrench, rows, W, V = normals.size[m], normals.moved, sweeps.row, slots.W, motion.V
    first = end = 0
    for i in range(n):
        c = normals.contact[m, i]
        change = normals.impulse[i] - sweeps.impulse[c, 0]
        sweeps.impulse[c, 0] = normals.impulse[i]
        for side in range(2):
            s = slots.of_body[contacts.body[c, side]]
            if s < 0:
                continue
            if end == 0:
                first, end = slots.first[s], slots.end[s]
                for t in range(first, end):
                    for k in range(6):
                        wrench[t, k] = 0.0
            sign, arm = (change, ARM_A) if side == 0 else (-change, ARM_B)
            for k in range(3):
                wrench[s, k] += sign * rows[c, k]
                wrench[s, 3 + k] += change * rows[c, arm + k]
    for s in range(first, end):
        for t in range(first, end):
            b = slots.body[t]
            for i in range(6):
                for k in range(6):
                    V[b, k] += W[s, t, i, k] * wrench[s, i]
