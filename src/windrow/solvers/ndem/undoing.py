"""What a substep that is taken back did to the impulses.

Shear impulses are the memory of springs: a substep that is begun again must find them as it found them the first time.
They follow from `laws.held_shear`, which the first sweep has kept. Impulses along the normal are a first guess in any
case, and stay as they are; contacts that were not loaded are so again.
"""

from __future__ import annotations

import numpy as np

from windrow.kernel import device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.laws import GRIP, HELD_X, HELD_Y, HELD_Z, NX, NY, NZ, SPRING, ZERO, shear_damper
from windrow.solvers.ndem.vector import FACE_X, GAIN_X

HALF = np.float32(0.5)


@device
def before_substep(l0, l1, l2, n0, n1, n2, s0, s1, s2, b0, b1, b2, damper):
    """The impulse that `held_shear` s was made of, from the present one l; b: relative velocity then."""
    if s0 == ZERO and s1 == ZERO and s2 == ZERO:
        return ZERO, ZERO, ZERO
    along, v = l0 * n0 + l1 * n1 + l2 * n2, b0 * n0 + b1 * n1 + b2 * n2
    return (
        along * n0 + s0 - damper * (b0 - v * n0),
        along * n1 + s1 - damper * (b1 - v * n1),
        along * n2 + s2 - damper * (b2 - v * n2),
    )


@device
def _undo_lane(row, impulse, b, lane, b0, b1, b2, h):
    impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = before_substep(
        impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane],
        row[b, NX, lane], row[b, NY, lane], row[b, NZ, lane],
        row[b, HELD_X, lane], row[b, HELD_Y, lane], row[b, HELD_Z, lane], b0, b1, b2,
        shear_damper(row[b, GRIP, lane], row[b, SPRING, lane], h),
    )  # fmt: skip


@kernel
def undo_pairs(U0, ends, alive, busy, row, impulse, h):
    for b in range(ends.shape[0]):
        if alive[b] and busy[b]:
            for lane in range(WIDTH):
                i, j = ends[b, 0, lane], ends[b, 1, lane]
                b0, b1, b2 = U0[i, 0] - U0[j, 0], U0[i, 1] - U0[j, 1], U0[i, 2] - U0[j, 2]
                _undo_lane(row, impulse, b, lane, b0, b1, b2, h)


@kernel
def undo_walls(U0, ends, alive, busy, row, impulse, face, h, h_before):
    """face: with the velocities of the substep that is taken back."""
    back = HALF * (h + h_before)
    for b in range(ends.shape[0]):
        if alive[b] and busy[b]:
            for lane in range(WIDTH):
                i = ends[b, lane]
                b0 = U0[i, 0] - (face[b, FACE_X, lane] - back * face[b, GAIN_X, lane])
                b1 = U0[i, 1] - (face[b, FACE_X + 1, lane] - back * face[b, GAIN_X + 1, lane])
                b2 = U0[i, 2] - (face[b, FACE_X + 2, lane] - back * face[b, GAIN_X + 2, lane])
                _undo_lane(row, impulse, b, lane, b0, b1, b2, h)


@kernel
def undo_strays(U, U0, ends, row, impulse, h):
    for q in range(ends.shape[0]):
        i, j = ends[q, 0], ends[q, 1]
        if U[i, 3] + U[j, 3] > ZERO:
            impulse[q, 0], impulse[q, 1], impulse[q, 2] = before_substep(
                impulse[q, 0], impulse[q, 1], impulse[q, 2], row[q, NX], row[q, NY], row[q, NZ],
                row[q, HELD_X], row[q, HELD_Y], row[q, HELD_Z],
                U0[i, 0] - U0[j, 0], U0[i, 1] - U0[j, 1], U0[i, 2] - U0[j, 2],
                shear_damper(row[q, GRIP], row[q, SPRING], h),
            )  # fmt: skip
