"""The loops of P²: predict, iterate, finish. The laws are in `laws.py`, the order of calls in `solver.py`.

Rows of the working arrays A and B are {p_x, p_y, p_z, r, d_x, d_y, d_z, w} with d = p − x: one contact needs all
eight of them and nothing else. An iteration reads A and writes B (Jacobi), or updates A in place
(Gauss-Seidel).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device, kernel
from windrow.solvers.p2.laws import (
    ONE,
    RATE,
    TINY,
    ZERO,
    contact,
    normal_still_to_come,
    relaxation,
)
from windrow.solvers.p2.vector import (
    DONE,
    LEAN_X,
    LEAN_Y,
    LEAN_Z,
    LEFT,
    ROOT,
    first_sums,
    first_sums_one_material,
    next_sums,
    next_sums_one_material,
)
from windrow.state.state import FROZEN
from windrow.team import deal, parallel

F = np.float32


class Lists(NamedTuple):
    """Pairs of grains: neighbour lists in slices of eight, and what their contacts are made of."""

    first: Any
    depth: Any
    neighbours: Any
    relaxations: Any
    material: Any
    kinds: int
    table: Any


class Walls(NamedTuple):
    """Contacts with shapes. What a parallel kernel writes is not in here: it would write to a copy."""

    start: Any
    end: Any
    plane: Any
    slide: Any
    pair: Any
    table: Any


class LinkRows(NamedTuple):
    """Distance constraints of each grain: the other grain; length, rate and spring share."""

    start: Any
    other: Any
    value: Any


FAR = F(1e7)
"""Beyond this distance from the origin (m) float32 cannot carry a grain; it is frozen where it was."""

WAKING = F(4.0)
"""A grain wakes the ones it touches when it moves this many times further than the sleep threshold. With 1,
the slow creep of one grain keeps a whole heap awake."""
MOVING = np.uint8(1)
CARRIED_MOST = np.uint8(255)
"""Activity of a grain that a moving wall touches."""


@parallel
def predict(team, X, V, flags, count, dt, gravity, A):
    """Rows of A: p = x + Δt v + Δt² g, equation 2. A pinned grain (w = 0) follows its velocity only.

    What is not finite, or would leave the world in this step, is frozen before it is sorted into a cell.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            fall = dt * dt if w > ZERO else ZERO
            d0 = dt * V[i, 0] + fall * gravity[0]
            d1 = dt * V[i, 1] + fall * gravity[1]
            d2 = dt * V[i, 2] + fall * gravity[2]
            p0, p1, p2 = X[i, 0] + d0, X[i, 1] + d1, X[i, 2] + d2
            if not (abs(p0) < FAR and abs(p1) < FAR and abs(p2) < FAR):
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                for a in range(3):
                    if not abs(X[i, a]) < FAR:
                        X[i, a] = ZERO
                p0, p1, p2 = X[i, 0], X[i, 1], X[i, 2]
                d0 = d1 = d2 = w = ZERO
            A[i, 0], A[i, 1], A[i, 2], A[i, 3] = p0, p1, p2, X[i, 3]
            A[i, 4], A[i, 5], A[i, 6], A[i, 7] = d0, d1, d2, w


@parallel
def columns_of(team, A, count, S):
    """Positions and radii as four columns, for the neighbour search."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            S[0, i], S[1, i], S[2, i], S[3, i] = A[i, 0], A[i, 1], A[i, 2], A[i, 3]


@device
def closed_contact(n, u, gap, r_min, w, row, common):
    """`contact` in the iteration that `common` tells of."""
    relax = relaxation(w, row[RATE], common[ROOT])
    to_come = normal_still_to_come(relax, common[LEFT])
    return contact(n, u, gap, r_min, w, relax, to_come, common[DONE], common[LEFT], row)


@device
def wall_correction(A, i, walls, q, common):
    """Correction of grain i by wall contact q, not yet averaged, and whether they touch."""
    plane, slide, row = walls.plane, walls.slide, walls.table[walls.pair[q]]
    n0, n1, n2 = plane[q, 0], plane[q, 1], plane[q, 2]
    r, w = A[i, 3], A[i, 7]
    gap = n0 * A[i, 0] + n1 * A[i, 1] + n2 * A[i, 2] - plane[q, 3] - r
    if gap > ZERO or w == ZERO:
        return ZERO, ZERO, ZERO, False
    u = A[i, 4] - slide[q, 0], A[i, 5] - slide[q, 1], A[i, 6] - slide[q, 2]
    along, f, t, _ = closed_contact((n0, n1, n2), u, gap, r, w, row, common)
    return along * n0 - f * t[0], along * n1 - f * t[1], along * n2 - f * t[2], True


@device
def link_pull(A, i, j, value, root):
    """Correction of grain i by a distance constraint to grain j: the spring-damper of 21–23, pulling as well."""
    length, rate, spring_share = value[0], value[1], value[2]
    n0, n1, n2 = A[i, 0] - A[j, 0], A[i, 1] - A[j, 1], A[i, 2] - A[j, 2]
    d = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    inverse = ONE / max(d, TINY)
    n0, n1, n2 = n0 * inverse, n1 * inverse, n2 * inverse
    w = A[i, 7] + A[j, 7]
    if w == ZERO:
        return ZERO, ZERO, ZERO
    approach = (A[i, 4] - A[j, 4]) * n0 + (A[i, 5] - A[j, 5]) * n1 + (A[i, 6] - A[j, 6]) * n2
    relax = relaxation(w, rate, root) if rate < F(1e30) else ONE
    along = -relax * (spring_share * (d - length) + (ONE - spring_share) * approach) * A[i, 7] / w
    return along * n0, along * n1, along * n2


@device
def link_correction(A, i, links, q, root):
    """The same for link q of grain i."""
    return link_pull(A, i, links.other[q], links.value[q], root)


@device
def book(pushes, q, a0, a1, a2, share):
    """Books what wall contact q gave its grain."""
    pushes[q, 0] += share * a0
    pushes[q, 1] += share * a1
    pushes[q, 2] += share * a2


@parallel
def jacobi(team, A, B, iteration, count, lists, walls, links, common, wall_now, pushes, scratch):
    """One iteration: every grain moves by the average of its active corrections, equation 9.

    `wall_now` keeps the corrections by walls until they are averaged; `pushes` adds up what came of them.
    """
    rows, entries, kept = A.ctypes.data, lists.neighbours.ctypes.data, lists.relaxations.ctypes.data
    table, material, numbers = lists.table.ctypes.data, lists.material.ctypes.data, common.ctypes.data
    last, kinds, out = count - 1, lists.kinds, scratch.ctypes.data
    linked = links.start.shape[0] > 1
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        sums = scratch[b]
        for s in range(b * BLOCK // 8, min((count + 7) // 8, (b + 1) * BLOCK // 8)):
            at, n, o = 4 * lists.first[s], lists.depth[s], out + b * 128
            e, k = entries + at, kept + at
            if kinds == 1 and iteration == 0:
                first_sums_one_material(rows, e, k, n, 8 * s, last, numbers, table, material, kinds, o)
            elif kinds == 1:
                next_sums_one_material(rows, e, k, n, 8 * s, last, numbers, table, material, kinds, o)
            elif iteration == 0:
                first_sums(rows, e, k, n, 8 * s, last, numbers, table, material, kinds, o)
            else:
                next_sums(rows, e, k, n, 8 * s, last, numbers, table, material, kinds, o)
            for lane in range(min(8, count - 8 * s)):
                i = 8 * s + lane
                c0, c1, c2, active = sums[lane], sums[8 + lane], sums[16 + lane], sums[24 + lane]
                w0, w1 = walls.start[i], walls.end[i]
                for q in range(w0, w1):
                    a0, a1, a2, touching = wall_correction(A, i, walls, q, common)
                    wall_now[q, 0], wall_now[q, 1], wall_now[q, 2] = a0, a1, a2
                    c0, c1, c2 = c0 + a0, c1 + a1, c2 + a2
                    if touching:
                        active += ONE
                if linked:
                    for q in range(links.start[i], links.start[i + 1]):
                        a0, a1, a2 = link_correction(A, i, links, q, common[ROOT])
                        c0, c1, c2 = c0 + a0, c1 + a1, c2 + a2
                        active += ONE
                share = ONE / max(active, ONE)
                for q in range(w0, w1):
                    book(pushes, q, wall_now[q, 0], wall_now[q, 1], wall_now[q, 2], share)
                c0, c1, c2 = share * c0, share * c1, share * c2
                B[i, 0], B[i, 1], B[i, 2], B[i, 3] = A[i, 0] + c0, A[i, 1] + c1, A[i, 2] + c2, A[i, 3]
                B[i, 4], B[i, 5], B[i, 6], B[i, 7] = A[i, 4] + c0, A[i, 5] + c1, A[i, 6] + c2, A[i, 7]


@device
def pair_correction(A, i, j, row, common):
    """λ_n n + λ_f t of a pair (equations 31, 32), to be weighted by w_i/w for i and −w_j/w for j; and n·εĝ."""
    n0, n1, n2 = A[i, 0] - A[j, 0], A[i, 1] - A[j, 1], A[i, 2] - A[j, 2]
    d2 = n0 * n0 + n1 * n1 + n2 * n2 + TINY
    inverse = ONE / math.sqrt(d2)
    gap = d2 * inverse - (A[i, 3] + A[j, 3])
    w = A[i, 7] + A[j, 7]
    if gap > ZERO or w == ZERO:
        return ZERO, ZERO, ZERO, ZERO, False
    n0, n1, n2 = n0 * inverse, n1 * inverse, n2 * inverse
    u = A[i, 4] - A[j, 4], A[i, 5] - A[j, 5], A[i, 6] - A[j, 6]
    along, f, t, _ = closed_contact((n0, n1, n2), u, gap, min(A[i, 3], A[j, 3]), w, row, common)
    lean = common[LEAN_X] * n0 + common[LEAN_Y] * n1 + common[LEAN_Z] * n2
    return along * n0 - f * t[0], along * n1 - f * t[1], along * n2 - f * t[2], lean, True


@device
def shift(A, i, a0, a1, a2, factor):
    """Moves predicted position and displacement of grain i together."""
    A[i, 0] += factor * a0
    A[i, 1] += factor * a1
    A[i, 2] += factor * a2
    A[i, 4] += factor * a0
    A[i, 5] += factor * a1
    A[i, 6] += factor * a2


@kernel
def gauss_seidel(A, count, lists, walls, links, common, pushes):
    """One sweep of the original sequential solver: each constraint is projected at once, without averaging."""
    linked = links.start.shape[0] > 1
    for i in range(count):
        s = i // 8
        for k in range(lists.depth[s]):
            j = lists.neighbours[lists.first[s] + 8 * k + i % 8]
            if j <= i:
                continue
            row = lists.table[0 if lists.kinds == 1 else lists.material[i] * lists.kinds + lists.material[j]]
            a0, a1, a2, lean, touching = pair_correction(A, i, j, row, common)
            if touching:
                w = A[i, 7] + A[j, 7]
                shift(A, i, a0, a1, a2, (ONE - lean) * A[i, 7] / w)
                shift(A, j, a0, a1, a2, -(ONE + lean) * A[j, 7] / w)
        for q in range(walls.start[i], walls.end[i]):
            a0, a1, a2, touching = wall_correction(A, i, walls, q, common)
            if touching:
                shift(A, i, a0, a1, a2, ONE)
                book(pushes, q, a0, a1, a2, ONE)
        if linked:
            for q in range(links.start[i], links.start[i + 1]):
                j = links.other[q]
                if j < i or A[i, 7] + A[j, 7] == ZERO:
                    continue
                # both corrections from the same positions, then both shifts
                a0, a1, a2 = link_correction(A, i, links, q, common[ROOT])
                if A[i, 7] > ZERO:
                    shift(A, j, a0, a1, a2, -A[j, 7] / A[i, 7])
                    shift(A, i, a0, a1, a2, ONE)
                else:
                    a0, a1, a2 = link_pull(A, j, i, links.value[q], common[ROOT])
                    shift(A, j, a0, a1, a2, ONE)


@parallel
def mark_activity(team, A, count, threshold, walls, carried, activity):
    """What may wake others: grains that moved much further than the threshold, and grains a moving wall carries."""
    plane, slide = walls.plane, walls.slide
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            d2 = A[i, 4] * A[i, 4] + A[i, 5] * A[i, 5] + A[i, 6] * A[i, 6]
            level = MOVING if d2 > (WAKING * threshold) ** 2 else np.uint8(0)
            for q in range(walls.start[i], walls.end[i]):
                moved = slide[q, 0] * slide[q, 0] + slide[q, 1] * slide[q, 1] + slide[q, 2] * slide[q, 2]
                gap = (
                    plane[q, 0] * A[i, 0]
                    + plane[q, 1] * A[i, 1]
                    + plane[q, 2] * A[i, 2]
                    - plane[q, 3]
                    - A[i, 3]
                )
                if moved > (F(1e-6) * A[i, 3]) ** 2 and gap <= F(0.1) * A[i, 3]:
                    level = CARRIED_MOST
            activity[i] = max(level, carried[i])


class Sleep(NamedTuple):
    """What decides whether grains sleep."""

    threshold: np.float32
    """displacement in a substep, m; 0: none sleeps"""
    carried: Any
    activity: Any
    """see `mark_activity`"""


@parallel
def finish(team, X, V, flags, force, A, count, dt, gravity, sleep, lists, partial):
    """v = (p − x)/Δt and x = p, equation 3; sleeping; the guard. partial[b] = frozen, asleep grains of block b.

    A grain sleeps (keeps x, loses v) when the length of its displacement is below the threshold and nothing
    it touches moves. A grain carried by a moving wall does not sleep, nor does one that rests on a carried
    one: the level in `carried` falls by one from grain to grain, so that a load wakes layer by layer and
    falls asleep again when the wall stops.
    """
    inverse_dt = ONE / dt
    threshold, carried, activity = sleep
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        frozen = 0
        asleep = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            w = V[i, 3]
            d0, d1, d2 = A[i, 4], A[i, 5], A[i, 6]
            if w == ZERO:  # pinned: goes where its velocity takes it, whatever it meets
                d0, d1, d2 = dt * V[i, 0], dt * V[i, 1], dt * V[i, 2]
            level = np.uint8(0)
            still = False
            if threshold > ZERO:
                stirred = False
                if activity[i] == CARRIED_MOST:
                    level = CARRIED_MOST - np.uint8(1)
                s = i // 8
                for k in range(lists.depth[s]):
                    j = lists.neighbours[lists.first[s] + 8 * k + i % 8]
                    if j != i and activity[j] > np.uint8(0):
                        stirred = True
                        if activity[j] > np.uint8(2):
                            level = max(level, activity[j] - np.uint8(1))
                still = (
                    w > ZERO
                    and not stirred
                    and level == np.uint8(0)
                    and d0 * d0 + d1 * d1 + d2 * d2 < threshold * threshold
                )
            carried[i] = level
            finite = (d0 * d0 + d1 * d1 + d2 * d2) < FAR * FAR
            if not finite:
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                frozen += 1
                still = True
                w = ZERO
            if w > ZERO:
                scale = inverse_dt * inverse_dt / w
                force[i, 0] = scale * (d0 - dt * V[i, 0] - dt * dt * gravity[0])
                force[i, 1] = scale * (d1 - dt * V[i, 1] - dt * dt * gravity[1])
                force[i, 2] = scale * (d2 - dt * V[i, 2] - dt * dt * gravity[2])
            else:
                force[i, 0] = force[i, 1] = force[i, 2] = ZERO
            if still:
                asleep += 1
                V[i, 0] = V[i, 1] = V[i, 2] = ZERO
            else:
                X[i, 0] += d0
                X[i, 1] += d1
                X[i, 2] += d2
                if w > ZERO:
                    V[i, 0], V[i, 1], V[i, 2] = d0 * inverse_dt, d1 * inverse_dt, d2 * inverse_dt
        partial[b, 0] = frozen
        partial[b, 1] = asleep
