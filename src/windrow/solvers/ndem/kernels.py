"""The loops of NDEM: recall, weigh, advance. The laws are in `laws.py`, the order of calls in `solver.py`.

Working rows: X {x, y, z, r}, U {v_x, v_y, v_z, w}, and U0, the velocity a substep begins with. U − U0 − h g at the end
of a substep is what all contacts of a grain gave it, and so is the warm start of the next one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.collide.roaming import runs_into_unlisted
from windrow.kernel import BLOCK, device, kernel
from windrow.simd import WIDTH
from windrow.solvers.movers.meeting import turned_far
from windrow.solvers.ndem.bodies import (
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
from windrow.team import deal, deal_stretches, parallel

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


@parallel
def recall_impulses(
    team, U, U0, count, scale, turns, turn_begin, pair_begin, ends, impulse,
    wall_begin, wall_ends, wall_impulse, stray_ends, stray_impulse,
):  # fmt: skip
    """U0 = {sum of w λ, number of loaded contacts} of each grain, from impulses scaled to the present substep."""
    U_at, U0_at, ends_at, impulse_at = U.ctypes.data, U0.ctypes.data, ends.ctypes.data, impulse.ctypes.data
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            U0[i, 0] = U0[i, 1] = U0[i, 2] = U0[i, 3] = ZERO
    for stage in range(turn_begin.shape[0]):
        for turn in deal_stretches(team, turn_begin[stage]):
            p = turns[turn]
            for b in range(pair_begin[p], pair_begin[p + 1]):
                recall_pairs(U_at, U0_at, ends_at, impulse_at, scale, b)
            for b in range(wall_begin[p], wall_begin[p + 1]):
                recall_walls(U_at, U0_at, wall_ends_at, wall_impulse_at, scale, b)
    for _ in deal(team, min(len(stray_ends), 1)):
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


@parallel
def weigh_contacts(
    team, U, U0, material, kinds, table, common, own_law, ends, impulse, row, law, alive,
    wall_ends, wall_kind, wall_impulse, wall_row, wall_law, wall_alive, stray_ends, stray_impulse, stray_row, stray_law,
):  # fmt: skip
    """What of each contact's law holds for the whole step. U0[:, 3]: loaded contacts of each grain.

    alive[b]: whether any grain of the batch can move.
    """
    some = 64
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
    for part in deal(team, (ends.shape[0] + some - 1) // some):
        for b in range(part * some, min(ends.shape[0], (part + 1) * some)):
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
    for part in deal(team, (wall_ends.shape[0] + some - 1) // some):
        for b in range(part * some, min(wall_ends.shape[0], (part + 1) * some)):
            wall_alive[b] = weigh_walls(
                U_at, U0_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at,
                common_at, wall_kind_at, table_at, b,
            )  # fmt: skip
    for _ in deal(team, min(len(stray_ends), 1)):
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


@parallel
def advance(
    team, outcome, X, U, U0, home, way, count, awake, substeps, sweeps, gravity, turns, turn_begin, more_turns,
    more_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law, alive, busy,
    wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy, wall_total,
    stray_ends, stray_impulse, stray_row, stray_law, link_ends, link_impulse, link_row, common, peak, partial,
    careful, watch, bodies, edge,
):  # fmt: skip
    """Up to so many substeps. outcome[s]: what became of substep s, and how many sleepers it stirred: after that
    nothing is worth keeping (see `waking.py`). Zero before.

    When a grain leaves its path, it may run into one that it is not listed with. If it does, and if
    `careful`, the substep is undone, with U left as it would have been, so that new lists can cover it; else the next
    leg begins there.
    more_turns and more_begin: what is swept again after the ordinary sweeps, one table of turns for each further sweep.
    """
    h = common[STEP]
    links, body_contacts, sleepers = len(link_ends) > 0, len(bodies.impulse) > 0, len(edge.sleepers) > 0
    for s in range(substeps):
        afresh = s % AFRESH == 0
        if afresh and s > 0:
            recall_impulses(
                team, U, U0, count, ONE, turns, turn_begin, pair_begin, ends, impulse,
                wall_begin, wall_ends, wall_impulse, stray_ends, stray_impulse,
            )  # fmt: skip
            for _ in deal(team, 1):
                recall_links(U, U0, link_ends, link_impulse, ONE)
                give_bodies(U, U0, bodies, ONE)
        start_substep(team, U, U0, count, awake, h, gravity, afresh)
        for _ in deal(team, 1):
            start_bodies(U, bodies, h)
        first_sweep(
            team, X, U, U0, turns, turn_begin, pair_begin, wall_begin,
            ends, impulse, row, law, own_law, alive, busy,
            wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy,
            stray_ends, stray_impulse, stray_row, stray_law, common, peak,
        )  # fmt: skip
        for sweep in range(1, sweeps + more_begin.shape[0] + 1):
            if links or body_contacts:
                for _ in deal(team, 1):
                    sweep_links(X, U, link_ends, link_impulse, link_row, sweep == 1)
                    depth = sweep_bodies(X, U, U0, bodies, h, sweep == 1)
                    peak[0, 0] = max(peak[0, 0], depth)
            if sweep == sweeps + more_begin.shape[0]:
                break
            # the last ones go over a few pencils only
            some = sweep >= sweeps
            next_sweep(
                team, X, U, U0,
                more_turns if some else turns, more_begin[sweep - sweeps] if some else turn_begin,
                pair_begin, wall_begin, ends, impulse, row, law, own_law, busy,
                wall_ends, wall_impulse, wall_row, wall_law, face, wall_busy,
                stray_ends, stray_impulse, stray_row, stray_law, common,
            )  # fmt: skip
        if sleepers:
            for _ in deal(team, 1):
                outcome[s, 1] = stirs_sleepers(edge, impulse, stray_impulse, link_impulse, bodies.impulse)
                outcome[s, 0] = STIRRED if outcome[s, 1] > 0 else GOES_ON
            if outcome[s, 1] > 0:
                return
        move(team, X, U, home, way, count, awake, h, partial)
        for _ in deal(team, 1):
            left = False
            for b in range((count + BLOCK - 1) // BLOCK):
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
                add_wall_impulses(wall_impulse, wall_total)
                end_bodies(bodies, h)
                left = left or turned_far(bodies.moving)
                outcome[s, 0] = LEFT if left else GOES_ON
                common[STEP_BEFORE] = common[STEP_BEFORE] if left else h
        if outcome[s, 0] != GOES_ON:
            return


def done_of(outcome: NDArray[np.int64]) -> tuple[int, bool, int]:
    """How many substeps `advance` did, whether one more was taken back, and how many sleepers the last one stirred."""
    last = np.flatnonzero(outcome[:, 0] != GOES_ON)
    if len(last) == 0:
        return len(outcome), False, 0
    what, stirred = (int(n) for n in outcome[last[0]])
    return int(last[0]) + (what == LEFT), what == UNDONE, stirred


@parallel
def restart_substep(team, U0, order, count, U):
    """After a substep was taken back and the grains were sorted: the velocity it had begun with, from U0 as it was."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                U[k, a] = U0[order[k], a]
