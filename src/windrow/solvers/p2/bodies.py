"""Contacts of P² with moving bodies: one after another, each body answering at once.

A body's share of a contact's displacement goes into its velocity through its mobility, so that the momentum the grain
gained is exactly what the body lost. Averaging, which P² uses between grains, would let a bucket sink away
under many light grains; projecting one contact after another does not.
"""

from __future__ import annotations

import math

import numpy as np

from windrow.geometry.terms import F32, F64, I32
from windrow.kernel import inner, kernel
from windrow.solvers.movers.meeting import TURN, Meetings, Moving, book_impulse, push_back, velocity_at
from windrow.solvers.p2.kernels import closed_contact

F = np.float32
ZERO = F(0.0)


@kernel
def start_bodies(moving: Moving, h: float) -> None:
    """Velocities that the bodies end a substep of h (s) with, unless the grains give them something else."""
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.V[s, k] += h * moving.rate[s, k]


@inner
def push_within(
    moving: Moving, meetings: Meetings, q: int, l0: float, l1: float, l2: float, h: float
) -> bool:
    """`push_back`, unless the body would be spun so fast that its contacts do not hold to the end of the substep.

    Corrections of places know no energy: without this limit, a sheet that turns over within a substep is thrown.
    """
    V, s = moving.V, meetings.place[q]
    before = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    push_back(moving, meetings, q, l0, l1, l2)
    after = V[s, 3] * V[s, 3] + V[s, 4] * V[s, 4] + V[s, 5] * V[s, 5]
    if after > before and h * h * after > TURN * TURN:
        push_back(moving, meetings, q, -l0, -l1, -l2)
        return False
    return True


@kernel
def project_bodies(
    A: F32, meetings: Meetings, moving: Moving, table: F32, common: F32, h: float, impulse: F64
) -> None:
    """One pass over the contacts: the law of `kernels.wall_correction`, shared between grain and body by mass.

    impulse (m, 3): what each contact gave its grain so far, N s.
    """
    for q in range(len(meetings.grain)):
        i, s = meetings.grain[q], meetings.place[q]
        row, n = table[meetings.pair[q]], meetings.plane[q]
        w_grain = A[i, 7]
        w = w_grain + F(meetings.give[q, 0])
        if w <= ZERO:
            continue
        b0, b1, b2 = velocity_at(moving.V, s, meetings.arm, q)
        b0, b1, b2 = F(h * b0), F(h * b1), F(h * b2)
        r = A[i, 3]
        gap = n[0] * (A[i, 0] - b0) + n[1] * (A[i, 1] - b1) + n[2] * (A[i, 2] - b2) - n[3] - r
        if gap > ZERO:
            continue
        u = A[i, 4] - b0, A[i, 5] - b1, A[i, 6] - b2
        displaced, f, t, _ = closed_contact((n[0], n[1], n[2]), u, gap, r, w, row, common)
        # Impulses: the normal one by w; across it the body may give way more, and never must overshoot.
        along = np.float64(displaced) / (np.float64(w) * h)
        across = -np.float64(f) / ((np.float64(w_grain) + meetings.give[q, 1]) * h)
        l0 = along * n[0] + across * t[0]
        l1 = along * n[1] + across * t[1]
        l2 = along * n[2] + across * t[2]
        if not push_within(moving, meetings, q, l0, l1, l2, h):
            continue
        d0, d1, d2 = F(h * w_grain * l0), F(h * w_grain * l1), F(h * w_grain * l2)
        A[i, 0] += d0
        A[i, 1] += d1
        A[i, 2] += d2
        A[i, 4] += d0
        A[i, 5] += d1
        A[i, 6] += d2
        impulse[q, 0] += l0
        impulse[q, 1] += l1
        impulse[q, 2] += l2
        book_impulse(moving.given, meetings, q, l0, l1, l2)


@kernel
def book_held(
    start: I32, end: I32, push: F32, A: F32, count: int, meetings: Meetings, moving: Moving, h: float,
    impulse: F64,
) -> None:  # fmt: skip
    """Displacements that kept grains from going through a body, after the last pass; see `collide.holding`.

    Where a grain is put back to says nothing of how hard it was hit. The impulse is the one that stops it at the body,
    as far as the displacement asks for it; the rest moves the grain, and gives nobody speed.
    """
    q = 0
    for i in range(count):
        for row in range(start[i], end[i]):
            p0, p1, p2 = np.float64(push[row, 0]), np.float64(push[row, 1]), np.float64(push[row, 2])
            size = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2)
            w = np.float64(A[i, 7])
            if w > 0.0 and size > 0.0:
                n0, n1, n2 = p0 / size, p1 / size, p2 / size
                b0, b1, b2 = velocity_at(moving.V, meetings.place[q], meetings.arm, q)
                u0, u1, u2 = (A[i, 4] - p0) / h - b0, (A[i, 5] - p1) / h - b1, (A[i, 6] - p2) / h - b2
                closing = -(u0 * n0 + u1 * n1 + u2 * n2)
                l = min(max(closing, 0.0) / (w + meetings.give[q, 0]), size / (w * h))
                l0, l1, l2 = l * n0, l * n1, l * n2
                A[i, 4] += F(h * w * l0 - p0)
                A[i, 5] += F(h * w * l1 - p1)
                A[i, 6] += F(h * w * l2 - p2)
                impulse[q, 0] += l0
                impulse[q, 1] += l1
                impulse[q, 2] += l2
                push_back(moving, meetings, q, l0, l1, l2)
                book_impulse(moving.given, meetings, q, l0, l1, l2)
            q += 1


@kernel
def end_bodies(moving: Moving, h: float) -> None:
    """Bodies move."""
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.moved[s, k] += h * moving.V[s, k]
