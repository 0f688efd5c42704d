"""Mass splitting: contact forces that converge to the spring-damper forces as iterations grow.

Plain P² averages the corrections of a grain's n constraints, and its section 9 names the price: with more than
one contact the forces do not converge. Two changes remedy that (Tonge et al. 2012 for the first):

* A grain with c_i active constraints is split into c_i parts of mass m_i/c_i, one in each constraint, so that
  the pair's inverse mass is W = c_i w_i + c_j w_j. The average of the parts then moves grain i by w_i ΔΛ n, equal
  and opposite in momentum to what grain j receives.
* Each contact remembers what it has applied in this step, Λ = Δt² f, and an iteration applies the difference
  to the force that the present positions ask for: ΔΛ = −(κ C_s + (1 − κ) C_d + Λ/q)/(1/q + W). Its fixed point is
  implicit Euler of all springs and dampers together, whatever the number of iterations. The factors of
  equation 28 have no such fixed point once a grain has two contacts.

Both grains of a pair compute the same ΔΛ from the same numbers, so that momentum is exchanged exactly
without writing to one another. Error reduction (37) is not used here: it would break that.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import BLOCK, device
from windrow.solvers.p2.kernels import book
from windrow.solvers.p2.laws import (
    ADHESION,
    KINETIC,
    ONE,
    RATE,
    SPRING_SHARE,
    STATIC,
    TINY,
    ZERO,
    adhesion_limit,
    friction_share,
)
from windrow.team import deal, parallel

F = np.float32


class SplitRows(NamedTuple):
    """The arrays of `Impulses`."""

    pair: NDArray[Any]
    wall: NDArray[Any]
    link: NDArray[Any]
    parts: NDArray[Any]
    parts_next: NDArray[Any]


class Impulses:
    """What each constraint has applied in this step, in kg m (Δt² f): normal, pull, and tangential x, y, z."""

    def __init__(self) -> None:
        self.pair = np.zeros((0, 5), np.float32)
        self.wall = np.zeros((0, 5), np.float32)
        self.link = np.zeros(0, np.float32)
        self.parts = np.zeros(0, np.float32)
        self.parts_next = np.zeros(0, np.float32)

    def clear(self, pairs: int, walls: int, links: int, count: int) -> None:
        if (
            len(self.pair) < pairs
            or len(self.wall) < walls
            or len(self.link) < links
            or len(self.parts) < count
        ):
            self.pair = np.zeros((pairs, 5), np.float32)
            self.wall = np.zeros((walls, 5), np.float32)
            self.link = np.zeros(links, np.float32)
            self.parts = np.zeros(count, np.float32)
            self.parts_next = np.zeros(count, np.float32)
        self.pair[:] = 0.0
        self.wall[:] = 0.0
        self.link[:] = 0.0

    def swap(self) -> None:
        self.parts, self.parts_next = self.parts_next, self.parts

    @property
    def arrays(self) -> SplitRows:
        return SplitRows(self.pair, self.wall, self.link, self.parts, self.parts_next)


@parallel
def count_parts(team, A, count, lists, walls, links, parts):
    """c_i at the predicted positions, for the first iteration."""
    plane = walls.plane
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            active = ZERO
            s = i // 8
            for k in range(lists.depth[s]):
                j = lists.neighbours[lists.first[s] + 8 * k + i % 8]
                d2 = (A[i, 0] - A[j, 0]) ** 2 + (A[i, 1] - A[j, 1]) ** 2 + (A[i, 2] - A[j, 2]) ** 2
                if j != i and d2 <= (A[i, 3] + A[j, 3]) ** 2:
                    active += ONE
            for q in range(walls.start[i], walls.end[i]):
                if (
                    plane[q, 0] * A[i, 0] + plane[q, 1] * A[i, 1] + plane[q, 2] * A[i, 2] - plane[q, 3]
                    <= A[i, 3]
                ):
                    active += ONE
            if links.start.shape[0] > 1:
                active += F(links.start[i + 1] - links.start[i])
            parts[i] = max(active, ONE)


@device
def contact_change(gap, n0, n1, n2, u0, u1, u2, W, r_min, row, memory, q):
    """Change of the impulse of contact q, and updates its memory. W is the split inverse mass."""
    old0 = memory[q, 0] * n0 - memory[q, 1] * n0 + memory[q, 2]
    old1 = memory[q, 0] * n1 - memory[q, 1] * n1 + memory[q, 3]
    old2 = memory[q, 0] * n2 - memory[q, 1] * n2 + memory[q, 4]
    approach = n0 * u0 + n1 * u1 + n2 * u2
    rate, share = row[RATE], row[SPRING_SHARE]
    normal = ZERO
    if rate > ZERO:
        violation = share * gap + (ONE - share) * max(approach, gap) + memory[q, 0] / rate
        normal = max(ZERO, memory[q, 0] - violation / (ONE / rate + W))
    limit = adhesion_limit(min(gap, ZERO), r_min, ONE, row[ADHESION])
    # the pull acts on what is left of the separation after the push of this iteration
    leaving = approach + (normal - memory[q, 0]) * W
    pull = min(max(memory[q, 1] + leaving / W, ZERO), limit)
    t0 = memory[q, 2] - (u0 - approach * n0) / W
    t1 = memory[q, 3] - (u1 - approach * n1) / W
    t2 = memory[q, 4] - (u2 - approach * n2) / W
    along = t0 * n0 + t1 * n1 + t2 * n2  # the normal has turned since: keep the memory tangential
    t0, t1, t2 = t0 - along * n0, t1 - along * n1, t2 - along * n2
    wanted = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    cap = row[STATIC] * normal + limit
    f = friction_share(wanted, ONE / max(wanted, TINY), cap, normal, row[KINETIC], limit)
    memory[q, 0], memory[q, 1] = normal, pull
    memory[q, 2], memory[q, 3], memory[q, 4] = f * t0, f * t1, f * t2
    return (
        (normal - pull) * n0 + f * t0 - old0,
        (normal - pull) * n1 + f * t1 - old1,
        (normal - pull) * n2 + f * t2 - old2,
    )


@parallel
def split_jacobi(team, A, B, count, lists, walls, links, pushes, memory):
    """One iteration; the contact tables are those of a single iteration (`pair_table(..., iterations=1)`)."""
    pair_memory, wall_memory, link_memory, parts, parts_next = memory
    linked = links.start.shape[0] > 1
    plane, slide = walls.plane, walls.slide
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            c0 = c1 = c2 = ZERO
            active = ZERO
            w = A[i, 7]
            s = i // 8
            for k in range(lists.depth[s]):
                q = lists.first[s] + 8 * k + i % 8
                j = lists.neighbours[q]
                if j == i:
                    continue
                n0, n1, n2 = A[i, 0] - A[j, 0], A[i, 1] - A[j, 1], A[i, 2] - A[j, 2]
                d2 = n0 * n0 + n1 * n1 + n2 * n2 + TINY
                inverse = ONE / math.sqrt(d2)
                gap = d2 * inverse - (A[i, 3] + A[j, 3])
                W = parts[i] * w + parts[j] * A[j, 7]
                if (gap > ZERO and pair_memory[q, 0] == ZERO and pair_memory[q, 1] == ZERO) or W == ZERO:
                    continue
                row = lists.table[
                    0 if lists.kinds == 1 else lists.material[i] * lists.kinds + lists.material[j]
                ]
                a0, a1, a2 = contact_change(
                    gap,
                    n0 * inverse,
                    n1 * inverse,
                    n2 * inverse,
                    A[i, 4] - A[j, 4],
                    A[i, 5] - A[j, 5],
                    A[i, 6] - A[j, 6],
                    W,
                    min(A[i, 3], A[j, 3]),
                    row,
                    pair_memory,
                    q,
                )
                c0, c1, c2 = c0 + w * a0, c1 + w * a1, c2 + w * a2
                active += ONE
            for q in range(walls.start[i], walls.end[i]):
                gap = (
                    plane[q, 0] * A[i, 0]
                    + plane[q, 1] * A[i, 1]
                    + plane[q, 2] * A[i, 2]
                    - plane[q, 3]
                    - A[i, 3]
                )
                if (gap > ZERO and wall_memory[q, 0] == ZERO and wall_memory[q, 1] == ZERO) or w == ZERO:
                    continue
                a0, a1, a2 = contact_change(
                    gap,
                    plane[q, 0],
                    plane[q, 1],
                    plane[q, 2],
                    A[i, 4] - slide[q, 0],
                    A[i, 5] - slide[q, 1],
                    A[i, 6] - slide[q, 2],
                    parts[i] * w,
                    A[i, 3],
                    walls.table[walls.pair[q]],
                    wall_memory,
                    q,
                )
                c0, c1, c2 = c0 + w * a0, c1 + w * a1, c2 + w * a2
                book(pushes, q, a0, a1, a2, w)
                active += ONE
            if linked:
                for q in range(links.start[i], links.start[i + 1]):
                    j = links.other[q]
                    W = parts[i] * w + parts[j] * A[j, 7]
                    active += ONE
                    if W == ZERO or links.value[q, 1] == ZERO:
                        continue
                    n0, n1, n2 = A[i, 0] - A[j, 0], A[i, 1] - A[j, 1], A[i, 2] - A[j, 2]
                    d = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
                    inverse = w / max(d, TINY)
                    approach = (
                        (A[i, 4] - A[j, 4]) * n0 + (A[i, 5] - A[j, 5]) * n1 + (A[i, 6] - A[j, 6]) * n2
                    ) / max(d, TINY)
                    share, soft = links.value[q, 2], ONE / links.value[q, 1]
                    wanted = (
                        share * (d - links.value[q, 0]) + (ONE - share) * approach + soft * link_memory[q]
                    )
                    change = -wanted / (soft + W)
                    link_memory[q] += change
                    c0, c1, c2 = (
                        c0 + change * inverse * n0,
                        c1 + change * inverse * n1,
                        c2 + change * inverse * n2,
                    )
            parts_next[i] = max(active, ONE)
            B[i, 0], B[i, 1], B[i, 2], B[i, 3] = A[i, 0] + c0, A[i, 1] + c1, A[i, 2] + c2, A[i, 3]
            B[i, 4], B[i, 5], B[i, 6], B[i, 7] = A[i, 4] + c0, A[i, 5] + c1, A[i, 6] + c2, w
