"""The sweeps of NDEM over all contacts of grains with grains and walls. The laws are in `laws.py`.

All members of a team go through them together (`team.py`), pencil by pencil. Strays are one piece of work at the end.
"""

from __future__ import annotations

import math

import numpy as np

from windrow.kernel import device
from windrow.solvers.ndem.laws import (
    BIAS,
    CORE,
    EASY,
    EASY_NOW,
    GRIP,
    HELD_X,
    HELD_Y,
    HELD_Z,
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
    STRENGTH,
    TINY,
    ZERO,
    adhesive_impulse,
    bias_and_softness,
    contact_impulse,
    held_shear,
    springs_back,
)
from windrow.solvers.ndem.vector import (
    COLUMN,
    STEP,
    first_pairs,
    first_pairs_alike,
    first_walls,
    next_pairs,
    next_pairs_alike,
    next_walls,
)
from windrow.team import deal, deal_stretches, parallel

F = np.float32
HALF = F(CORE)


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
            row[q, GRIP], K, row[q, SPRING], h,
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


@parallel
def first_sweep(
    team, X, U, U0, turns, turn_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law,
    alive, busy, wall_ends, wall_impulse, wall_row, wall_law, face, wall_alive, wall_busy,
    stray_ends, stray_impulse, stray_row, stray_law, common, peak,
):  # fmt: skip
    """A sweep over all contacts that also computes their geometry; peak[p]: deepest overlaps met so far.

    busy[b]: whether any contact of batch b can act in this substep; the later sweeps leave out those that cannot.
    """
    X_at, U_at, U0_at, common_at = X.ctypes.data, U.ctypes.data, U0.ctypes.data, common.ctypes.data
    ends_at, impulse_at = ends.ctypes.data, impulse.ctypes.data
    row_at, law_at, peak_at = row.ctypes.data, law.ctypes.data, peak.ctypes.data
    wall_ends_at, wall_impulse_at = wall_ends.ctypes.data, wall_impulse.ctypes.data
    wall_row_at, wall_law_at, face_at = wall_row.ctypes.data, wall_law.ctypes.data, face.ctypes.data
    for stage in range(turn_begin.shape[0]):
        for turn in deal_stretches(team, turn_begin[stage]):
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
    for _ in deal(team, min(len(stray_ends), 1)):
        for q in range(len(stray_ends)):
            i, j = stray_ends[q, 0], stray_ends[q, 1]
            depth = sweep_stray(X, U, U0, i, j, q, stray_impulse, stray_row, stray_law, common[STEP], True)
            peak[0, 0] = max(peak[0, 0], depth)


@parallel
def next_sweep(
    team, X, U, U0, turns, turn_begin, pair_begin, wall_begin, ends, impulse, row, law, own_law,
    busy, wall_ends, wall_impulse, wall_row, wall_law, face, wall_busy, stray_ends, stray_impulse, stray_row, stray_law,
    common,
):  # fmt: skip
    """A sweep with the geometry of the first one."""
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
        for turn in deal_stretches(team, turn_begin[stage]):
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
                        U_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at, face_at, common_at, b
                    )
    for _ in deal(team, min(len(stray_ends), 1)):
        for q in range(len(stray_ends)):
            i, j = stray_ends[q, 0], stray_ends[q, 1]
            sweep_stray(X, U, U0, i, j, q, stray_impulse, stray_row, stray_law, common[STEP], False)
