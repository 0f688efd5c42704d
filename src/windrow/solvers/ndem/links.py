"""Links: distance constraints between grains as rows of the same kind as contacts, which also pull.

A link of length L has C = |x_i − x_j| − L and the impulse of an implicit spring-damper, λ = −q (v' + h k C/q) with
q = h² k + h c, without bounds and without friction (see `laws.py`). A rigid link has the stiffness that a substep
carries, and takes its violation back over the solver's relaxation time. Links are solved one after the other, in the
order of the scene: along a rope this is the order in which its load travels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel
from windrow.solvers.ndem.laws import CARRIED, ONE, TINY, ZERO, softness
from windrow.state.form import Array
from windrow.state.model import Links

F = np.float32
MOST = F(CARRIED)

# Columns of a link: its law, then the geometry and bias of the present substep.
STIFFNESS, DAMPING, LENGTH, SOFT, RATE, NX, NY, NZ, BIAS = range(9)
COLUMNS = 9
RIGID = F(1e30)


@kernel
def weigh_links(U, ends, row, h, relaxation):
    """Softness of each link for substep h."""
    for q in range(ends.shape[0]):
        K = U[ends[q, 0], 3] + U[ends[q, 1], 3]
        k, c = row[q, STIFFNESS], row[q, DAMPING]
        if k >= RIGID:
            k = MOST * MOST / (h * h * max(K, TINY))
            c = max(c, max(h, relaxation) * k)
        row[q, SOFT], row[q, RATE] = softness(k, c, K, h, MOST)


@kernel
def recall_links(U, U0, ends, impulse, scale):
    """Adds the scaled impulses to the warm start."""
    for q in range(ends.shape[0]):
        i, j = ends[q, 0], ends[q, 1]
        for a in range(3):
            impulse[q, a] *= scale
            U0[i, a] += U[i, 3] * impulse[q, a]
            U0[j, a] -= U[j, 3] * impulse[q, a]


@kernel
def sweep_links(X, U, ends, impulse, row, first):
    """One sweep; the first of a substep computes the geometry."""
    for q in range(ends.shape[0]):
        i, j = ends[q, 0], ends[q, 1]
        K = U[i, 3] + U[j, 3]
        if K <= ZERO:
            continue
        if first:
            n0, n1, n2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
            distance = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + TINY)
            inverse = ONE / distance
            row[q, NX], row[q, NY], row[q, NZ] = n0 * inverse, n1 * inverse, n2 * inverse
            row[q, BIAS] = row[q, RATE] * (distance - row[q, LENGTH])
        n0, n1, n2 = row[q, NX], row[q, NY], row[q, NZ]
        v = (U[i, 0] - U[j, 0]) * n0 + (U[i, 1] - U[j, 1]) * n1 + (U[i, 2] - U[j, 2]) * n2
        before = impulse[q, 0] * n0 + impulse[q, 1] * n1 + impulse[q, 2] * n2
        along = row[q, SOFT] * (K * before - v - row[q, BIAS])
        for a in range(3):
            change = along * row[q, NX + a] - impulse[q, a]
            impulse[q, a] += change
            U[i, a] += U[i, 3] * change
            U[j, a] -= U[j, 3] * change


class LinkRows:
    """The links whose grains are both present, by the grains' places."""

    def __init__(self, links: Links) -> None:
        self.links = links
        count = len(links.first)
        self.every_impulse: NDArray[np.float32] = np.zeros((count, 3), np.float32)
        """The memory: impulse of each link of the scene, N s."""
        self.alive = np.zeros(0, np.int64)
        self.ends: NDArray[np.int32] = np.zeros((0, 2), np.int32)
        self.impulse: NDArray[np.float32] = np.zeros((0, 3), np.float32)
        self.row: NDArray[np.float32] = np.zeros((0, COLUMNS), np.float32)

    def place(self, ids: NDArray[np.int64]) -> None:
        """Finds the grains of each link among ids, which are in the order of places."""
        links = self.links
        if len(links.first) == 0:
            return
        self.keep()
        first, second = links.places(ids)
        self.alive = np.flatnonzero((first >= 0) & (second >= 0))
        self.ends = np.stack([first[self.alive], second[self.alive]], axis=1).astype(np.int32)
        self.impulse = self.every_impulse[self.alive].copy()
        self.row = np.zeros((len(self.alive), COLUMNS), np.float32)
        self.row[:, STIFFNESS] = np.minimum(links.stiffness[self.alive], RIGID)
        self.row[:, DAMPING] = links.damping[self.alive]
        self.row[:, LENGTH] = links.length[self.alive]

    def keep(self) -> None:
        """Writes the impulses back to the memory."""
        self.every_impulse[:] = 0.0
        self.every_impulse[self.alive] = self.impulse

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
            self.alive, self.impulse = np.zeros(0, np.int64), np.zeros((0, 3), np.float32)
            self.place(ids)
            self.every_impulse[:] = data["link_impulse"]
            self.impulse = self.every_impulse[self.alive].copy()
