"""The loops of NDEM: recall, weigh, advance. The laws are in `laws.py`, the order of calls in `solver.py`.

Working rows: X {x, y, z, r}, U {v_x, v_y, v_z, w}, and U0, the velocity a substep begins with. U − U0 − h g at the end
of a substep is what all contacts of a grain gave it, and so is the warm start of the next one.
"""

from __future__ import annotations

import math

import numpy as np

from windrow.collide.roaming import runs_into_unlisted
from windrow.crew import board_and_shares, take, wait
from windrow.kernel import BLOCK, bare_inner, device, kernel, kernel_parallel, prange
from windrow.simd import WIDTH
from windrow.solvers.ndem.bodies import (
    BodyRows,
    end_bodies,
    give_bodies,
    start_bodies,
    sweep_bodies,
    undo_bodies,
)
from windrow.solvers.ndem.laws import (
    ADHESION,
    CARRIED,
    DAMPING,
    EASY,
    GRIP,
    KINETIC,
    LAST_X,
    MU_K,
    MU_S,
    ONE,
    SOFT,
    SPRING,
    STATIC,
    STIFFNESS,
    STRENGTH,
    ZERO,
    contact_softness,
    shear_grip,
)
from windrow.solvers.ndem.links import recall_links, sweep_links
from windrow.solvers.ndem.motion import move, move_back, start_substep
from windrow.solvers.ndem.sweeps import first_sweep, next_sweep
from windrow.solvers.ndem.vector import (
    RELAXATION,
    STEP,
    STEP_BEFORE,
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
MOST = F(CARRIED)
AFRESH = 6
"""Substeps after which the warm start is summed up from the impulses again. In between it is what the substep before
gave each grain, rounding errors included; they would add up, and momentum with them."""
PI = F(math.pi)
GOES_ON, LEFT, UNDONE, STIRRED = range(4)
"""What becomes of a substep: the next one follows; or it is the last because a grain has run into one that it is not
listed with; or it was therefore taken back; or it stirred sleepers."""


@device
def _give(U0, i, w, l0, l1, l2):
    """Adds an impulse to the warm start of grain i, and counts it."""
    U0[i, 0] += w * l0
    U0[i, 1] += w * l1
    U0[i, 2] += w * l2
    if w > ZERO and l0 * l0 + l1 * l1 + l2 * l2 > ZERO:
        U0[i, 3] += ONE


@bare_inner
def _recall(
    board, member, done, alone, blocks, U, U0, count, scale, turns, turn_begin, pair_begin, ends, impulse,
    wall_begin, wall_ends, wall_impulse, stray_ends, stray_impulse,
):  # fmt: skip
    """What a member of a crew does of `recall_impulses`; blocks: shares of the blocks of grains."""
    U_at, U0_at, ends_at, impulse_at = U.ctypes.data, U0.ctypes.data, ends.ctypes.data, impulse.ctypes.data
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    mine = 0
    b = take(board, member, done, blocks)
    while b >= 0:
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            U0[i, 0] = U0[i, 1] = U0[i, 2] = U0[i, 3] = ZERO
        mine += 1
        b = take(board, member, done, blocks)
    done = wait(board, mine, done + blocks[-1])
    for stage in range(turn_begin.shape[0]):
        begin, mine = turn_begin[stage], 0
        turn = take(board, member, done, begin)
        while turn >= 0:
            p = turns[turn]
            for b in range(pair_begin[p], pair_begin[p + 1]):
                recall_pairs(U_at, U0_at, ends_at, impulse_at, scale, b)
            for b in range(wall_begin[p], wall_begin[p + 1]):
                recall_walls(U_at, U0_at, wall_ends_at, wall_impulse_at, scale, b)
            mine += 1
            turn = take(board, member, done, begin)
        done = wait(board, mine, done + begin[-1] - begin[0])
    mine = 0
    if take(board, member, done, alone) >= 0:
        mine = 1
        for q in range(stray_ends.shape[0]):
            i, j = stray_ends[q, 0], stray_ends[q, 1]
            l0, l1, l2 = scale * stray_impulse[q, 0], scale * stray_impulse[q, 1], scale * stray_impulse[q, 2]
            stray_impulse[q, 0], stray_impulse[q, 1], stray_impulse[q, 2] = l0, l1, l2
            _give(U0, i, U[i, 3], l0, l1, l2)
            _give(U0, j, U[j, 3], -l0, -l1, -l2)
    return wait(board, mine, done + 1)


@kernel_parallel
def recall_impulses(
    U, U0, count, scale, turns, turn_begin, pair_begin, ends, impulse, wall_begin, wall_ends, wall_impulse,
    stray_ends, stray_impulse,
):  # fmt: skip
    """U0 = {sum of w λ, number of loaded contacts} of each grain, from impulses scaled to the present substep."""
    members = turn_begin.shape[1] - 1
    board, alone, blocks = board_and_shares(members, (count + BLOCK - 1) // BLOCK)
    for member in prange(members):
        _recall(
            board.ctypes.data, member, 0, alone, blocks, U, U0, count, scale, turns, turn_begin, pair_begin, ends,
            impulse,
            wall_begin, wall_ends, wall_impulse, stray_ends, stray_impulse,
        )  # fmt: skip


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


@bare_inner
def _advance(
    board, member, alone, blocks, outcome, X, U, U0, home, way, count, awake, substeps, sweeps, gravity,
    turns, turn_begin, more_turns, more_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy, wall_total,
    stray_ends, stray_impulse, stray_row, stray_law, link_ends, link_impulse, link_row, common, peak, partial,
    careful, watch, meetings, moving, body_impulse, body_number, body_begun, edge,
):  # fmt: skip
    """What a member of a crew does of `advance`. outcome[s]: what became of substep s, and how many it stirred."""
    h = common[STEP]
    bodies = BodyRows(meetings, moving, body_impulse, body_number, body_begun)
    links, body_contacts, sleepers = len(link_ends) > 0, len(bodies.impulse) > 0, len(edge.sleepers) > 0
    done = 0
    for s in range(substeps):
        afresh = s % AFRESH == 0
        if afresh and s > 0:
            done = _recall(
                board, member, done, alone, blocks, U, U0, count, ONE, turns, turn_begin, pair_begin, ends, impulse,
                wall_begin, wall_ends, wall_impulse, stray_ends, stray_impulse,
            )  # fmt: skip
            mine = 0
            if take(board, member, done, alone) >= 0:
                mine = 1
                recall_links(U, U0, link_ends, link_impulse, ONE)
                give_bodies(U, U0, bodies, ONE)
            done = wait(board, mine, done + 1)
        done = start_substep(board, member, done, blocks, U, U0, count, awake, h, gravity, afresh)
        mine = 0
        if take(board, member, done, alone) >= 0:
            mine = 1
            start_bodies(bodies, h)
        done = wait(board, mine, done + 1)
        done = first_sweep(
            board, member, done, alone, X, U, U0, turns, turn_begin, pair_begin, wall_begin,
            ends, impulse, row, law, own_law, alive, busy,
            wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy,
            stray_ends, stray_impulse, stray_row, stray_law, common, peak,
        )  # fmt: skip
        for sweep in range(1, sweeps + more_begin.shape[0] + 1):
            if links or body_contacts:
                mine = 0
                if take(board, member, done, alone) >= 0:
                    mine = 1
                    sweep_links(X, U, link_ends, link_impulse, link_row, sweep == 1)
                    depth = sweep_bodies(X, U, U0, bodies, h, sweep == 1)
                    peak[0, 0] = max(peak[0, 0], depth)
                done = wait(board, mine, done + 1)
            if sweep == sweeps + more_begin.shape[0]:
                break
            # the last ones go over a few pencils only
            some = sweep >= sweeps
            done = next_sweep(
                board, member, done, alone, X, U, U0,
                more_turns if some else turns, more_begin[sweep - sweeps] if some else turn_begin,
                pair_begin, wall_begin, ends, impulse, row, law, own_law, busy,
                wall_ends, wall_impulse, wall_row, wall_law, face, wall_busy,
                stray_ends, stray_impulse, stray_row, stray_law, common,
            )  # fmt: skip
        if sleepers:
            mine = 0
            if take(board, member, done, alone) >= 0:
                mine = 1
                outcome[s, 1] = stirs_sleepers(edge, impulse, stray_impulse, link_impulse, bodies.impulse)
                outcome[s, 0] = STIRRED if outcome[s, 1] > 0 else GOES_ON
            done = wait(board, mine, done + 1)
            if outcome[s, 1] > 0:
                return
        done = move(board, member, done, blocks, X, U, home, way, count, awake, h, partial)
        mine = 0
        if take(board, member, done, alone) >= 0:
            mine = 1
            left = False
            for b in range(blocks[-1]):
                left = left or partial[b, 0] > ZERO
            left = left and runs_into_unlisted(X, U, home, way, count, partial, watch)
            if left and careful:
                outcome[s, 0] = UNDONE
                move_back(X, U, count, h)
                undo_impulses(alive, busy, row, impulse)
                undo_impulses(wall_alive, wall_busy, wall_row, wall_impulse)
                for q in range(stray_ends.shape[0]):
                    if U[stray_ends[q, 0], 3] + U[stray_ends[q, 1], 3] > ZERO:
                        for a in range(3):
                            stray_impulse[q, a] = stray_row[q, LAST_X + a]
                undo_bodies(bodies)
            else:
                outcome[s, 0] = LEFT if left else GOES_ON
                add_wall_impulses(wall_impulse, wall_total)
                end_bodies(bodies, h)
                common[STEP_BEFORE] = common[STEP_BEFORE] if left else h
        done = wait(board, mine, done + 1)
        if outcome[s, 0] != GOES_ON:
            return


@kernel_parallel
def advance(
    X, U, U0, home, way, count, awake, substeps, sweeps, gravity, turns, turn_begin, more_turns, more_begin,
    pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy, wall_total,
    stray_ends, stray_impulse, stray_row, stray_law, link_ends, link_impulse, link_row, common, peak, partial,
    careful, watch, meetings, moving, body_impulse, body_number, body_begun, edge,
):  # fmt: skip
    """Up to so many substeps; returns how many were done, whether one more was taken back, and how many sleepers the
    last one stirred: after that nothing is worth keeping (see `waking.py`).

    When a grain leaves its path, it may run into one that it is not listed with. If it does, and if
    `careful`, the substep is undone, with U left as it would have been, so that new lists can cover it; else the next
    leg begins there.
    meetings … body_begun: the fields of `BodyRows` (Numba hands no tuples of tuples to its threads).
    more_turns and more_begin: what is swept again after the ordinary sweeps, one table of turns for each further sweep.
    """
    members = turn_begin.shape[1] - 1
    board, alone, blocks = board_and_shares(members, (count + BLOCK - 1) // BLOCK)
    outcome = np.zeros((substeps, 2), np.int64)
    for member in prange(members):
        _advance(
            board.ctypes.data, member, alone, blocks, outcome, X, U, U0, home, way, count, awake, substeps, sweeps,
            gravity,
            turns, turn_begin, more_turns, more_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law,
            alive, busy, wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy, wall_total,
            stray_ends, stray_impulse, stray_row, stray_law, link_ends, link_impulse, link_row, common, peak, partial,
            careful, watch, meetings, moving, body_impulse, body_number, body_begun, edge,
        )  # fmt: skip
    for s in range(substeps):
        if outcome[s, 0] != GOES_ON:
            return s + (outcome[s, 0] == LEFT), outcome[s, 0] == UNDONE, outcome[s, 1]
    return substeps, False, 0


@kernel_parallel
def restart_substep(U0, order, count, U):
    """After a substep was taken back and the grains were sorted: the velocity it had begun with, from U0 as it was."""
    for b in prange((count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                U[k, a] = U0[order[k], a]
