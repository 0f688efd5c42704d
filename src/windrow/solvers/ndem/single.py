"""Contacts one at a time: the program of a contact with the laws in their plain form.

`vector.py` has the same program for eight contacts at once. Overflow and contacts with bodies run this one.

Links are distance constraints between grains, rows of the same kind as contacts, which also pull. A link of length L
has C = |x_i − x_j| − L and the impulse of an implicit spring-damper, λ = −q (v' + h k C/q) with q = h² k + h c, without
bounds and without friction (see `laws.py`). A rigid link has the stiffness that a substep carries, and takes its
violation back over the solver's relaxation time. Links are solved one after the other, in the order of the scene: along
a rope this is the order in which its load travels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F32
from windrow.kernel import bare_inner, device
from windrow.solvers.formula import dot
from windrow.solvers.ndem import records as col
from windrow.solvers.ndem.laws import (
    CARRIED,
    CORE,
    ONE,
    TINY,
    ZERO,
    adhesive_impulse,
    bias_and_softness,
    contact_impulse,
    contact_softness,
    held_shear,
    shear_grip,
    softness,
    springs_back,
)
from windrow.solvers.ndem.records import LinkedPairs
from windrow.state.form import Array
from windrow.state.model import Links

F = np.float32
MOST = F(CARRIED)
PI = F(math.pi)
RIGID = F(1e30)


@device
def prepare_contact(row, law, q, values, K, others, h, relaxation):
    """What of the law of contact q holds for an interval; K: along and across, others: loaded contacts of its grains
    beside this one. values: row of the table of material pairs."""
    k = min(values[col.STIFFNESS], MOST * MOST / (h * h * max(K[0], TINY)))
    soft = contact_softness(k, values[col.DAMPING], K[0], h, others, relaxation)
    row[q, col.SOFT], row[q, col.EASY], row[q, col.SPRING] = soft
    k = min(values[col.STIFFNESS], MOST * MOST / (h * h * max(K[1], TINY)))
    row[q, col.GRIP] = shear_grip(k, K[1], h)
    law[q, col.MU_S], law[q, col.MU_K] = values[col.STATIC], values[col.KINETIC]
    law[q, col.STRENGTH] = PI * h * values[col.ADHESION]


@device
def begin_contact(row, law, q, n, gap, r_min, u, began, l, K, h):
    """What of the law of contact q holds for a substep.

    n: normal; u, began: relative velocity now and when the substep began; l: impulse so far; K: along and across.
    """
    row[q, col.NX], row[q, col.NY], row[q, col.NZ] = n
    row[q, col.BIAS], row[q, col.REST], row[q, col.SOFT_NOW] = bias_and_softness(
        gap, dot(u, n), F(CORE) * r_min, h, K[0], row[q, col.SOFT], row[q, col.SPRING]
    )
    row[q, col.EASY_NOW] = row[q, col.EASY] if springs_back(l, n, law[q, col.MU_K]) else row[q, col.SOFT_NOW]
    law[q, col.PULL] = adhesive_impulse(gap, r_min, law[q, col.STRENGTH], dot(l, n))
    held = held_shear(l, n, began, row[q, col.GRIP], K[1], row[q, col.SPRING], h)
    row[q, col.HELD_X], row[q, col.HELD_Y], row[q, col.HELD_Z] = held
    row[q, col.LAST_X], row[q, col.LAST_Y], row[q, col.LAST_Z] = l


@device
def impulse_of(row, law, q, u, l, K):
    """The impulse of contact q after a sweep."""
    n = row[q, col.NX], row[q, col.NY], row[q, col.NZ]
    held = row[q, col.HELD_X], row[q, col.HELD_Y], row[q, col.HELD_Z]
    normal = row[q, col.BIAS], row[q, col.REST], row[q, col.SOFT_NOW], row[q, col.EASY_NOW]
    friction = law[q, col.MU_S], law[q, col.MU_K], law[q, col.PULL]
    return contact_impulse(u, n, l, held, K, normal, row[q, col.GRIP], friction)


@device
def impulse_before(impulse, q):
    return impulse[q, 0], impulse[q, 1], impulse[q, 2]


@device
def undo_impulse(row, impulse, q):
    """The impulse of contact q as it was when the substep began."""
    for a in range(3):
        impulse[q, a] = row[q, col.LAST_X + a]


@device
def between(A, i, j):
    """Difference of two rows in space."""
    return A[i, 0] - A[j, 0], A[i, 1] - A[j, 1], A[i, 2] - A[j, 2]


@device
def add_warm(warm, i, w, l, sign):
    """Adds an impulse to the warm start of grain i, and counts it."""
    warm[i, 0] += w * (sign * l[0])
    warm[i, 1] += w * (sign * l[1])
    warm[i, 2] += w * (sign * l[2])
    if w > ZERO and dot(l, l) > ZERO:
        warm[i, 3] += ONE


@bare_inner
def prepare_overflow(grains, overflow, material, kinds, table, h, relaxation):
    U, warm, impulse = grains.U, grains.warm, overflow.impulse
    for q in range(len(overflow.ends)):
        i, j = overflow.ends[q, 0], overflow.ends[q, 1]
        l, K = impulse_before(impulse, q), U[i, 3] + U[j, 3]
        own = (U[i, 3] > ZERO) + (U[j, 3] > ZERO) if dot(l, l) > ZERO else 0
        values, others = table[material[i] * kinds + material[j]], warm[i, 3] + warm[j, 3] - F(own)
        prepare_contact(overflow.row, overflow.law, q, values, (K, K), others, h, relaxation)


@bare_inner
def warm_start_overflow(grains, overflow, scale):
    impulse = overflow.impulse
    for q in range(len(overflow.ends)):
        i, j = overflow.ends[q, 0], overflow.ends[q, 1]
        for a in range(3):
            impulse[q, a] *= scale
        l = impulse_before(impulse, q)
        add_warm(grains.warm, i, grains.U[i, 3], l, ONE)
        add_warm(grains.warm, j, grains.U[j, 3], l, -ONE)


@bare_inner
def sweep_overflow(grains, overflow, h, first):
    """One sweep; the first of a substep computes the geometry, and returns the deepest overlap over the radius."""
    X, U, impulse, row, law = grains.X, grains.U, overflow.impulse, overflow.row, overflow.law
    deepest = ZERO
    for q in range(len(overflow.ends)):
        i, j = overflow.ends[q, 0], overflow.ends[q, 1]
        w = U[i, 3] + U[j, 3]
        if w <= ZERO:
            continue
        K, u, l = (w, w), between(U, i, j), impulse_before(impulse, q)
        if first:
            line = between(X, i, j)
            square = dot(line, line) + TINY
            inverse = ONE / math.sqrt(square)
            n = (line[0] * inverse, line[1] * inverse, line[2] * inverse)
            gap, r_min = square * inverse - (X[i, 3] + X[j, 3]), min(X[i, 3], X[j, 3])
            begin_contact(row, law, q, n, gap, r_min, u, between(grains.begun, i, j), l, K, h)
            deepest = max(deepest, -gap / max(r_min, F(1e-12)))
        after = impulse_of(row, law, q, u, l, K)
        for a in range(3):
            change = after[a] - l[a]
            impulse[q, a] = after[a]
            U[i, a] += U[i, 3] * change
            U[j, a] -= U[j, 3] * change
    return deepest


@bare_inner
def prepare_links(U, links, h, relaxation):
    """Softness of each link for substep h."""
    row = links.row
    for q in range(len(links.ends)):
        K = U[links.ends[q, 0], 3] + U[links.ends[q, 1], 3]
        k, c = row[q, col.LINK_STIFFNESS], row[q, col.LINK_DAMPING]
        if k >= RIGID:
            k = MOST * MOST / (h * h * max(K, TINY))
            c = max(c, max(h, relaxation) * k)
        row[q, col.LINK_SOFT], row[q, col.RATE] = softness(k, c, K, h, MOST)


@bare_inner
def warm_start_links(grains, links, scale):
    """Adds the scaled impulses to the warm start."""
    U, warm, impulse = grains.U, grains.warm, links.impulse
    for q in range(len(links.ends)):
        i, j = links.ends[q, 0], links.ends[q, 1]
        for a in range(3):
            impulse[q, a] *= scale
            warm[i, a] += U[i, 3] * impulse[q, a]
            warm[j, a] -= U[j, 3] * impulse[q, a]


@bare_inner
def sweep_links(grains, links, first):
    """One sweep; the first of a substep computes the geometry."""
    X, U, impulse, row = grains.X, grains.U, links.impulse, links.row
    for q in range(len(links.ends)):
        i, j = links.ends[q, 0], links.ends[q, 1]
        K = U[i, 3] + U[j, 3]
        if K <= ZERO:
            continue
        if first:
            n0, n1, n2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
            distance = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + TINY)
            inverse = ONE / distance
            row[q, col.LINK_NX], row[q, col.LINK_NY], row[q, col.LINK_NZ] = n0 * inverse, n1 * inverse, n2 * inverse
            row[q, col.LINK_BIAS] = row[q, col.RATE] * (distance - row[q, col.LENGTH])
        n0, n1, n2 = row[q, col.LINK_NX], row[q, col.LINK_NY], row[q, col.LINK_NZ]
        v = (U[i, 0] - U[j, 0]) * n0 + (U[i, 1] - U[j, 1]) * n1 + (U[i, 2] - U[j, 2]) * n2
        before = impulse[q, 0] * n0 + impulse[q, 1] * n1 + impulse[q, 2] * n2
        along = row[q, col.LINK_SOFT] * (K * before - v - row[q, col.LINK_BIAS])
        for a in range(3):
            change = along * row[q, col.LINK_NX + a] - impulse[q, a]
            impulse[q, a] += change
            U[i, a] += U[i, 3] * change
            U[j, a] -= U[j, 3] * change


class LinkStore:
    """The links of the scene, and those whose grains are both present."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.every_impulse: F32 = np.zeros((len(links.first), 3), np.float32)
        """The memory: impulse of each link of the scene, N s."""
        self.present = np.zeros(0, np.int64)
        """Numbers of the links whose grains are both present."""
        self.rows = LinkedPairs.none()

    def place(self, ids: NDArray[np.int64]) -> None:
        """Finds the grains of each link among ids, which are in the order of places."""
        links = self.links
        if len(links.first) == 0:
            return
        self.keep()
        first, second = links.places(ids)
        self.present = np.flatnonzero((first >= 0) & (second >= 0))
        ends = np.stack([first[self.present], second[self.present]], axis=1).astype(np.int32)
        row = np.zeros((len(self.present), col.LINK_COLUMNS), np.float32)
        row[:, col.LINK_STIFFNESS] = np.minimum(links.stiffness[self.present], RIGID)
        row[:, col.LINK_DAMPING] = links.damping[self.present]
        row[:, col.LENGTH] = links.length[self.present]
        self.rows = LinkedPairs(ends, self.every_impulse[self.present].copy(), row)

    def keep(self) -> None:
        """Writes the impulses back to the memory."""
        self.every_impulse[:] = 0.0
        self.every_impulse[self.present] = self.rows.impulse

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        if len(self.links.first) == 0:
            return {}
        self.keep()
        return {"link_impulse": self.every_impulse.copy()}

    def form(self) -> dict[str, Array]:
        """What `to_arrays` gives."""
        if len(self.links.first) == 0:
            return {}
        return {"link_impulse": Array(np.float32, (len(self.links.first), 3), finite=False)}

    def from_arrays(self, data: dict[str, NDArray[Any]], ids: NDArray[np.int64]) -> None:
        if "link_impulse" in data:
            self.present, self.rows = np.zeros(0, np.int64), LinkedPairs.none()
            self.place(ids)
            self.every_impulse[:] = data["link_impulse"]
            self.rows = self.rows._replace(impulse=self.every_impulse[self.present].copy())
