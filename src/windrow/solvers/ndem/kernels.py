"""The loops of NDEM: weigh, sweep, move. The laws are in `laws.py`, the order of calls in `solver.py`.

Working rows: X {x, y, z, r}, U {v_x, v_y, v_z, w}, and U0, the velocity a substep begins with. U − U0 − h g at the end
of a substep is what all contacts of a grain gave it, and so is the warm start of the next one.
"""

from __future__ import annotations

import math

import numpy as np

from windrow.kernel import BLOCK, device, kernel, kernel_parallel, prange
from windrow.simd import WIDTH
from windrow.solvers.ndem.bodies import end_bodies, give_bodies, start_bodies, sweep_bodies, undo_bodies
from windrow.solvers.ndem.laws import (
    ADHESION,
    BIAS,
    CARRIED,
    CORE,
    DAMPING,
    EASY,
    EASY_NOW,
    GRIP,
    HELD_X,
    HELD_Y,
    HELD_Z,
    KINETIC,
    LAST_X,
    MU_K,
    MU_S,
    NX,
    NY,
    NZ,
    ONE,
    PULL,
    REST,
    SOFT,
    SOFT_NOW,
    SPRING,
    STATIC,
    STIFFNESS,
    STRENGTH,
    TINY,
    ZERO,
    adhesive_impulse,
    bias_and_softness,
    contact_impulse,
    contact_softness,
    held_shear,
    shear_damper,
    shear_grip,
    springs_back,
)
from windrow.solvers.ndem.links import recall_links, sweep_links
from windrow.solvers.ndem.vector import (
    COLUMN,
    RELAXATION,
    STEP,
    STEP_BEFORE,
    first_pairs,
    first_pairs_alike,
    first_walls,
    next_pairs,
    next_pairs_alike,
    next_walls,
)
from windrow.solvers.ndem.waking import stirs_sleepers
from windrow.solvers.ndem.weighing import (
    recall_pairs,
    recall_walls,
    weigh_pairs,
    weigh_pairs_alike,
    weigh_walls,
)

F = np.float32
HALF = F(CORE)
MOST = F(CARRIED)
AFRESH = 6
"""Substeps after which the warm start is summed up from the impulses again. In between it is what the substep before
gave each grain, rounding errors included; they would add up, and momentum with them."""
PI = F(math.pi)


@device
def _give(U0, i, w, l0, l1, l2):
    """Adds an impulse to the warm start of grain i, and counts it."""
    U0[i, 0] += w * l0
    U0[i, 1] += w * l1
    U0[i, 2] += w * l2
    if w > ZERO and l0 * l0 + l1 * l1 + l2 * l2 > ZERO:
        U0[i, 3] += ONE


@kernel_parallel
def recall_impulses(
    U, U0, count, scale, turns, turn_begin, pair_begin, ends, impulse, wall_begin, wall_ends, wall_impulse,
    stray_ends, stray_impulse,
):  # fmt: skip
    """U0 = {sum of w λ, number of loaded contacts} of each grain, from impulses scaled to the present substep."""
    workers = turn_begin.shape[1] - 1
    U_at, U0_at, ends_at, impulse_at = U.ctypes.data, U0.ctypes.data, ends.ctypes.data, impulse.ctypes.data
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    for b in prange((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            U0[i, 0] = U0[i, 1] = U0[i, 2] = U0[i, 3] = ZERO
    for stage in range(turn_begin.shape[0]):
        for worker in prange(workers):
            for turn in range(turn_begin[stage, worker], turn_begin[stage, worker + 1]):
                p = turns[turn]
                for b in range(pair_begin[p], pair_begin[p + 1]):
                    recall_pairs(U_at, U0_at, ends_at, impulse_at, scale, b)
                for b in range(wall_begin[p], wall_begin[p + 1]):
                    recall_walls(U_at, U0_at, wall_ends_at, wall_impulse_at, scale, b)
    for q in range(stray_ends.shape[0]):
        i, j = stray_ends[q, 0], stray_ends[q, 1]
        l0, l1, l2 = scale * stray_impulse[q, 0], scale * stray_impulse[q, 1], scale * stray_impulse[q, 2]
        stray_impulse[q, 0], stray_impulse[q, 1], stray_impulse[q, 2] = l0, l1, l2
        _give(U0, i, U[i, 3], l0, l1, l2)
        _give(U0, j, U[j, 3], -l0, -l1, -l2)


@device
def weight(values, K, others, h, relaxation):
    """Softness of a contact with so many other loaded contacts at its grains; see `laws.contact_softness`."""
    return contact_softness(
        values[STIFFNESS], values[DAMPING], K, h, MOST, relaxation if others > ZERO else ZERO
    )


@kernel_parallel
def weigh_contacts(
    U, U0, material, kinds, table, common, own_law, ends, impulse, row, law, alive,
    wall_ends, wall_kind, wall_impulse, wall_row, wall_law, wall_alive, stray_ends, stray_impulse, stray_row, stray_law,
):  # fmt: skip
    """What of each contact's law holds for the whole step. U0[:, 3]: loaded contacts of each grain.

    alive[b]: whether any grain of the batch can move.
    """
    share = 64
    U_at, U0_at, material_at, table_at = (
        U.ctypes.data,
        U0.ctypes.data,
        material.ctypes.data,
        table.ctypes.data,
    )
    ends_at, impulse_at, row_at, law_at = (
        ends.ctypes.data,
        impulse.ctypes.data,
        row.ctypes.data,
        law.ctypes.data,
    )
    wall_ends_at, wall_impulse_at, common_at = (
        wall_ends.ctypes.data,
        wall_impulse.ctypes.data,
        common.ctypes.data,
    )
    wall_row_at, wall_law_at, wall_kind_at = wall_row.ctypes.data, wall_law.ctypes.data, wall_kind.ctypes.data
    for part in prange((ends.shape[0] + share - 1) // share):
        for b in range(part * share, min(ends.shape[0], (part + 1) * share)):
            if own_law:
                alive[b] = weigh_pairs(
                    U_at,
                    U0_at,
                    ends_at,
                    impulse_at,
                    row_at,
                    law_at,
                    common_at,
                    material_at,
                    table_at,
                    kinds,
                    b,
                )
            else:
                alive[b] = weigh_pairs_alike(
                    U_at,
                    U0_at,
                    ends_at,
                    impulse_at,
                    row_at,
                    law_at,
                    common_at,
                    material_at,
                    table_at,
                    kinds,
                    b,
                )
    for part in prange((wall_ends.shape[0] + share - 1) // share):
        for b in range(part * share, min(wall_ends.shape[0], (part + 1) * share)):
            wall_alive[b] = weigh_walls(
                U_at, U0_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at,
                common_at, wall_kind_at, table_at, b,
            )  # fmt: skip
    for q in range(stray_ends.shape[0]):
        i, j = stray_ends[q, 0], stray_ends[q, 1]
        values = table[material[i] * kinds + material[j]]
        l0, l1, l2 = stray_impulse[q, 0], stray_impulse[q, 1], stray_impulse[q, 2]
        own = (U[i, 3] > ZERO) + (U[j, 3] > ZERO) if l0 * l0 + l1 * l1 + l2 * l2 > ZERO else 0
        others = U0[i, 3] + U0[j, 3] - F(own)
        stray_row[q, SOFT], stray_row[q, EASY], stray_row[q, SPRING] = weight(
            values, U[i, 3] + U[j, 3], others, common[STEP], common[RELAXATION]
        )
        stray_row[q, GRIP] = shear_grip(values[STIFFNESS], U[i, 3] + U[j, 3], common[STEP], MOST)
        stray_law[q, MU_S], stray_law[q, MU_K] = values[STATIC], values[KINETIC]
        stray_law[q, STRENGTH] = PI * common[STEP] * values[ADHESION]


@kernel_parallel
def start_substep(U, U0, count, awake, h, gravity, recalled):
    """v + h g, and the impulses of the substep before as a first guess; `recalled`: U0 holds their sum.

    awake[b]: whether anything in block b can move; where nothing can, both velocities are zero and stay so.
    """
    for b in prange((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK) if awake[b] else 0):
            fall = h if U[i, 3] > ZERO else ZERO
            for a in range(3):
                guess = U0[i, a] if recalled else U[i, a] - U0[i, a] - fall * gravity[a]
                U0[i, a] = U[i, a]
                U[i, a] += fall * gravity[a] + guess


@device
def sweep_stray(X, U, U0, i, j, q, impulse, row, law, h, first):
    """One contact by itself, with the laws in their plain form; returns its overlap over the smaller radius."""
    K = U[i, 3] + U[j, 3]
    depth = ZERO
    if K <= ZERO:
        return depth
    u0, u1, u2 = U[i, 0] - U[j, 0], U[i, 1] - U[j, 1], U[i, 2] - U[j, 2]
    l0, l1, l2 = impulse[q, 0], impulse[q, 1], impulse[q, 2]
    if first:
        n0, n1, n2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
        square = n0 * n0 + n1 * n1 + n2 * n2 + TINY
        inverse = ONE / math.sqrt(square)
        n0, n1, n2 = n0 * inverse, n1 * inverse, n2 * inverse
        gap = square * inverse - (X[i, 3] + X[j, 3])
        r_min = min(X[i, 3], X[j, 3])
        approach = u0 * n0 + u1 * n1 + u2 * n2
        row[q, NX], row[q, NY], row[q, NZ] = n0, n1, n2
        row[q, BIAS], row[q, REST], row[q, SOFT_NOW] = bias_and_softness(
            gap, approach, HALF * r_min, h, K, row[q, SOFT], row[q, SPRING]
        )
        back = springs_back(l0, l1, l2, n0, n1, n2, law[q, MU_K])
        row[q, EASY_NOW] = row[q, EASY] if back else row[q, SOFT_NOW]
        law[q, PULL] = adhesive_impulse(gap, r_min, law[q, STRENGTH], l0 * n0 + l1 * n1 + l2 * n2)
        row[q, HELD_X], row[q, HELD_Y], row[q, HELD_Z] = held_shear(
            l0, l1, l2, n0, n1, n2, U0[i, 0] - U0[j, 0], U0[i, 1] - U0[j, 1], U0[i, 2] - U0[j, 2],
            shear_damper(row[q, GRIP], row[q, SPRING], h),
        )  # fmt: skip
        row[q, LAST_X], row[q, LAST_X + 1], row[q, LAST_X + 2] = l0, l1, l2
        depth = -gap / max(r_min, F(1e-12))
    a0, a1, a2 = contact_impulse(
        u0, u1, u2, row[q, NX], row[q, NY], row[q, NZ], l0, l1, l2, row[q, HELD_X], row[q, HELD_Y], row[q, HELD_Z],
        K, K, row[q, BIAS], row[q, REST], row[q, SOFT_NOW], row[q, EASY_NOW], row[q, GRIP],
        law[q, MU_S], law[q, MU_K], law[q, PULL],
    )  # fmt: skip
    impulse[q, 0], impulse[q, 1], impulse[q, 2] = a0, a1, a2
    a0, a1, a2 = a0 - l0, a1 - l1, a2 - l2
    U[i, 0] += U[i, 3] * a0
    U[i, 1] += U[i, 3] * a1
    U[i, 2] += U[i, 3] * a2
    U[j, 0] -= U[j, 3] * a0
    U[j, 1] -= U[j, 3] * a1
    U[j, 2] -= U[j, 3] * a2
    return depth


@kernel_parallel
def first_sweep(
    X, U, U0, turns, turn_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy,
    stray_ends, stray_impulse, stray_row, stray_law, common, peak,
):  # fmt: skip
    """A sweep over all contacts that also computes their geometry; peak[p]: deepest overlaps met so far.

    busy[b]: whether any contact of batch b can act in this substep; the later sweeps leave out those that cannot.
    """
    workers = turn_begin.shape[1] - 1
    X_at, U_at, U0_at = X.ctypes.data, U.ctypes.data, U0.ctypes.data
    common_at, peak_at = common.ctypes.data, peak.ctypes.data
    ends_at, impulse_at, row_at, law_at = (
        ends.ctypes.data,
        impulse.ctypes.data,
        row.ctypes.data,
        law.ctypes.data,
    )
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    wall_row_at, wall_law_at, face_at = wall_row.ctypes.data, wall_law.ctypes.data, face.ctypes.data
    for stage in range(turn_begin.shape[0]):
        for worker in prange(workers):
            for turn in range(turn_begin[stage, worker], turn_begin[stage, worker + 1]):
                p = turns[turn]
                deepest = peak_at + p * COLUMN
                for b in range(pair_begin[p], pair_begin[p + 1]):
                    busy[b] = 0
                    if alive[b]:
                        if own_law:
                            busy[b] = first_pairs(
                                X_at, U_at, U0_at, ends_at, impulse_at, row_at, law_at, common_at, deepest, b
                            )
                        else:
                            busy[b] = first_pairs_alike(
                                X_at, U_at, U0_at, ends_at, impulse_at, row_at, law_at, common_at, deepest, b
                            )
                for b in range(wall_begin[p], wall_begin[p + 1]):
                    wall_busy[b] = 0
                    if wall_alive[b]:
                        wall_busy[b] = first_walls(
                            X_at, U_at, U0_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at, face_at,
                            common_at, deepest, b,
                        )  # fmt: skip
    for q in range(stray_ends.shape[0]):
        depth = sweep_stray(
            X, U, U0, stray_ends[q, 0], stray_ends[q, 1], q, stray_impulse, stray_row, stray_law, common[STEP], True
        )  # fmt: skip
        peak[0, 0] = max(peak[0, 0], depth)


@kernel_parallel
def next_sweep(
    X, U, U0, turns, turn_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_busy, stray_ends, stray_impulse, stray_row, stray_law,
    common,
):  # fmt: skip
    """A sweep with the geometry of the first one."""
    workers = turn_begin.shape[1] - 1
    U_at, common_at = U.ctypes.data, common.ctypes.data
    ends_at, impulse_at, row_at, law_at = (
        ends.ctypes.data,
        impulse.ctypes.data,
        row.ctypes.data,
        law.ctypes.data,
    )
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    wall_row_at, wall_law_at, face_at = wall_row.ctypes.data, wall_law.ctypes.data, face.ctypes.data
    for stage in range(turn_begin.shape[0]):
        for worker in prange(workers):
            for turn in range(turn_begin[stage, worker], turn_begin[stage, worker + 1]):
                p = turns[turn]
                for b in range(pair_begin[p], pair_begin[p + 1]):
                    if busy[b]:
                        if own_law:
                            next_pairs(U_at, ends_at, impulse_at, row_at, law_at, common_at, b)
                        else:
                            next_pairs_alike(U_at, ends_at, impulse_at, row_at, law_at, common_at, b)
                for b in range(wall_begin[p], wall_begin[p + 1]):
                    if wall_busy[b]:
                        next_walls(
                            U_at,
                            wall_ends_at,
                            wall_impulse_at,
                            wall_row_at,
                            wall_law_at,
                            face_at,
                            common_at,
                            b,
                        )
    for q in range(stray_ends.shape[0]):
        sweep_stray(
            X, U, U0, stray_ends[q, 0], stray_ends[q, 1], q, stray_impulse, stray_row, stray_law, common[STEP], False
        )  # fmt: skip


@kernel_parallel
def move(X, U, home, count, awake, h, partial):
    """x + h v. Returns whether any grain has left the cover of its list. awake: see `start_substep`."""
    blocks = (count + BLOCK - 1) // BLOCK
    for b in prange(blocks):
        left = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK) if awake[b] else 0):
            X[i, 0] += h * U[i, 0]
            X[i, 1] += h * U[i, 1]
            X[i, 2] += h * U[i, 2]
            d0, d1, d2 = X[i, 0] - home[i, 0], X[i, 1] - home[i, 1], X[i, 2] - home[i, 2]
            left = max(left, d0 * d0 + d1 * d1 + d2 * d2 - home[i, 3] * home[i, 3])
        partial[b, 0] = left
    out = False
    for b in range(blocks):
        out = out or partial[b, 0] > ZERO
    return out


@kernel_parallel
def move_back(X, U, count, h):
    for b in prange((count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            X[i, 0] -= h * U[i, 0]
            X[i, 1] -= h * U[i, 1]
            X[i, 2] -= h * U[i, 2]


@kernel
def undo_impulses(alive, busy, row, impulse):
    """Impulses of batches as they were when the substep began."""
    for b in range(impulse.shape[0]):
        if alive[b] and busy[b]:
            for a in range(3):
                for lane in range(WIDTH):
                    impulse[b, a, lane] = row[b, LAST_X + a, lane]


@kernel
def add_wall_impulses(impulse, total):
    """Sums up what the walls gave in a substep."""
    for b in range(total.shape[0]):
        for a in range(3):
            for lane in range(WIDTH):
                total[b, a, lane] += impulse[b, a, lane]


@kernel
def advance(
    X, U, U0, home, count, awake, substeps, sweeps, gravity, turns, turn_begin, more_turns, more_begin,
    pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy, wall_total,
    stray_ends, stray_impulse, stray_row, stray_law, link_ends, link_impulse, link_row, common, peak, partial,
    careful, bodies, edge,
):  # fmt: skip
    """Up to so many substeps; returns how many were done, whether one more was taken back, and how many sleepers the
    last one stirred: after that nothing is worth keeping (see `waking.py`).

    When a grain leaves the cover of its list, it may run into one that it is not listed with. If `careful`, the substep
    is then undone, with U left as it would have been, so that new lists can cover it; else the next leg begins there.
    more_turns and more_begin: what is swept again after the ordinary sweeps, one table of turns for each further sweep.
    """
    h = common[STEP]
    for s in range(substeps):
        afresh = s % AFRESH == 0
        if afresh and s > 0:
            recall_impulses(
                U, U0, count, ONE, turns, turn_begin, pair_begin, ends, impulse, wall_begin, wall_ends, wall_impulse,
                stray_ends, stray_impulse,
            )  # fmt: skip
            recall_links(U, U0, link_ends, link_impulse, ONE)
            give_bodies(U, U0, bodies, ONE)
        start_substep(U, U0, count, awake, h, gravity, afresh)
        start_bodies(bodies, h)
        first_sweep(
            X, U, U0, turns, turn_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
            wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy,
            stray_ends, stray_impulse, stray_row, stray_law, common, peak,
        )  # fmt: skip
        sweep_links(X, U, link_ends, link_impulse, link_row, True)
        peak[0, 0] = max(peak[0, 0], sweep_bodies(X, U, U0, bodies, h, True))
        for sweep in range(1, sweeps + more_begin.shape[0]):
            # the last ones go over a few pencils only
            some = sweep >= sweeps
            next_sweep(
                X, U, U0, more_turns if some else turns, more_begin[sweep - sweeps] if some else turn_begin,
                pair_begin, wall_begin, ends, impulse, row, law, own_law, busy,
                wall_ends, wall_impulse, wall_row, wall_law, face, wall_busy,
                stray_ends, stray_impulse, stray_row, stray_law, common,
            )  # fmt: skip
            sweep_links(X, U, link_ends, link_impulse, link_row, False)
            sweep_bodies(X, U, U0, bodies, h, False)
        if len(edge.sleepers) > 0:
            stirred = stirs_sleepers(edge, impulse, stray_impulse, link_impulse, bodies.impulse)
            if stirred > 0:
                return s, False, stirred
        if move(X, U, home, count, awake, h, partial):
            if careful:
                move_back(X, U, count, h)
                undo_impulses(alive, busy, row, impulse)
                undo_impulses(wall_alive, wall_busy, wall_row, wall_impulse)
                for q in range(stray_ends.shape[0]):
                    if U[stray_ends[q, 0], 3] + U[stray_ends[q, 1], 3] > ZERO:
                        for a in range(3):
                            stray_impulse[q, a] = stray_row[q, LAST_X + a]
                undo_bodies(bodies)
                return s, True, 0
            add_wall_impulses(wall_impulse, wall_total)
            end_bodies(bodies, h)
            return s + 1, False, 0
        add_wall_impulses(wall_impulse, wall_total)
        end_bodies(bodies, h)
        common[STEP_BEFORE] = h
    return substeps, False, 0


@kernel_parallel
def restart_substep(U0, order, count, U):
    """After a substep was taken back and the grains were sorted: the velocity it had begun with, from U0 as it was."""
    for b in prange((count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                U[k, a] = U0[order[k], a]
