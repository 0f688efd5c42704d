"""Clumps in DEM: balls that contacts see as grains, moved together as one rigid body, in double precision.

Contacts, walls, bodies and bonds give each ball its force and torque, as if it were a grain. Then, instead of each
ball, the clump moves: F = Σ f, T = Σ t + a × f with the arms a = R·local of its balls, and

    v += h F/m + h g,   L += h T,   x += h v,   ω = R I⁻¹ Rᵀ L,   R turned by h ω at the middle of the step

Angular momentum L is what is kept, so that a clump nobody touches keeps it to the bit. Balls get place and velocity
back. It runs in the same loop as everything else: a ball of a clump costs less than two grains do. Rejected: clumps as
bodies of `solvers/multibody`, whose contacts are solved at once, and whose spheres would meet grains through `movers`,
one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device
from windrow.solvers.dem.rows import FORCE, HOME, LOW, SPIN, SPIN_LOW, TORQUE, V_LOW, V, W, X
from windrow.state.state import FROZEN
from windrow.team import deal, parallel

PLACE, SPEED, TURN, MOMENTUM, PUSH, TWIST = 0, 3, 6, 15, 18, 21
MOTION = 24
"""Columns of a clump's motion: x (m), v (m/s), R row by row, L (kg m²/s), F (N), T (N m)"""
TOGETHER = 64
"""Clumps of one piece of a parallel loop."""
FAR = 1e7


class ClumpArrays(NamedTuple):
    """Clumps whose balls are there."""

    start: Any
    """(c + 1,) balls of clump c are start[c] … start[c + 1] − 1"""
    ball: Any
    """(balls,) places of their rows"""
    local: Any
    """(balls, 3) about the centre of mass, in the shape's frame, m"""
    mass: Any
    """(c,) kg"""
    inverse: Any
    """(c, 9) of the inertia, in the shape's frame, 1/(kg m²)"""
    motion: Any
    """(c, MOTION)"""
    watch: Any
    """(pieces,) greatest squares of the distances of balls from home, m²"""


@device
def _arm(motion, local, k):
    """R·local of ball k."""
    l0, l1, l2 = local[k, 0], local[k, 1], local[k, 2]
    return (
        motion[TURN] * l0 + motion[TURN + 1] * l1 + motion[TURN + 2] * l2,
        motion[TURN + 3] * l0 + motion[TURN + 4] * l1 + motion[TURN + 5] * l2,
        motion[TURN + 6] * l0 + motion[TURN + 7] * l1 + motion[TURN + 8] * l2,
    )


@device
def _spin(motion, inverse):
    """ω = R I⁻¹ Rᵀ L."""
    m0, m1, m2 = motion[MOMENTUM], motion[MOMENTUM + 1], motion[MOMENTUM + 2]
    b0 = motion[TURN] * m0 + motion[TURN + 3] * m1 + motion[TURN + 6] * m2
    b1 = motion[TURN + 1] * m0 + motion[TURN + 4] * m1 + motion[TURN + 7] * m2
    b2 = motion[TURN + 2] * m0 + motion[TURN + 5] * m1 + motion[TURN + 8] * m2
    w0 = inverse[0] * b0 + inverse[1] * b1 + inverse[2] * b2
    w1 = inverse[3] * b0 + inverse[4] * b1 + inverse[5] * b2
    w2 = inverse[6] * b0 + inverse[7] * b1 + inverse[8] * b2
    return (
        motion[TURN] * w0 + motion[TURN + 1] * w1 + motion[TURN + 2] * w2,
        motion[TURN + 3] * w0 + motion[TURN + 4] * w1 + motion[TURN + 5] * w2,
        motion[TURN + 6] * w0 + motion[TURN + 7] * w1 + motion[TURN + 8] * w2,
    )


@device
def _turn(motion, w0, w1, w2, h):
    """Turns R by ω h: 2 arctan |ω h/2|, exactly a rotation (Cayley); rows are made perpendicular again."""
    t0, t1, t2 = 0.5 * h * w0, 0.5 * h * w1, 0.5 * h * w2
    scale = 2.0 / (1.0 + t0 * t0 + t1 * t1 + t2 * t2)
    for c in range(3):
        a0, a1, a2 = motion[TURN + c], motion[TURN + 3 + c], motion[TURN + 6 + c]
        c0, c1, c2 = t1 * a2 - t2 * a1, t2 * a0 - t0 * a2, t0 * a1 - t1 * a0
        motion[TURN + c] = a0 + scale * (c0 + t1 * c2 - t2 * c1)
        motion[TURN + 3 + c] = a1 + scale * (c1 + t2 * c0 - t0 * c2)
        motion[TURN + 6 + c] = a2 + scale * (c2 + t0 * c1 - t1 * c0)
    # rounding: the first row has length 1, the second is perpendicular to it, the third to both
    x0, x1, x2 = motion[TURN], motion[TURN + 1], motion[TURN + 2]
    size = 1.0 / np.sqrt(x0 * x0 + x1 * x1 + x2 * x2)
    x0, x1, x2 = size * x0, size * x1, size * x2
    y0, y1, y2 = motion[TURN + 3], motion[TURN + 4], motion[TURN + 5]
    along = x0 * y0 + x1 * y1 + x2 * y2
    y0, y1, y2 = y0 - along * x0, y1 - along * x1, y2 - along * x2
    size = 1.0 / np.sqrt(y0 * y0 + y1 * y1 + y2 * y2)
    y0, y1, y2 = size * y0, size * y1, size * y2
    motion[TURN], motion[TURN + 1], motion[TURN + 2] = x0, x1, x2
    motion[TURN + 3], motion[TURN + 4], motion[TURN + 5] = y0, y1, y2
    motion[TURN + 6], motion[TURN + 7], motion[TURN + 8] = x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0


@device
def _gather(own, clumps, c):
    """F and T of clump c from what its balls got."""
    motion = clumps.motion[c]
    for a in range(6):
        motion[PUSH + a] = 0.0
    for k in range(clumps.start[c], clumps.start[c + 1]):
        i = clumps.ball[k]
        a0, a1, a2 = _arm(motion, clumps.local, k)
        f0, f1, f2 = np.float64(own[i, FORCE]), np.float64(own[i, FORCE + 1]), np.float64(own[i, FORCE + 2])
        motion[PUSH] += f0
        motion[PUSH + 1] += f1
        motion[PUSH + 2] += f2
        motion[TWIST] += np.float64(own[i, TORQUE]) + (a1 * f2 - a2 * f1)
        motion[TWIST + 1] += np.float64(own[i, TORQUE + 1]) + (a2 * f0 - a0 * f2)
        motion[TWIST + 2] += np.float64(own[i, TORQUE + 2]) + (a0 * f1 - a1 * f0)


@device
def _hold(flags, clumps, c):
    """A clump of which a ball is frozen, or whose numbers are not finite, stays where it is, all of it."""
    motion = clumps.motion[c]
    for k in range(clumps.start[c], clumps.start[c + 1]):
        flags[clumps.ball[k]] |= FROZEN
    for a in range(3):
        if not abs(motion[PLACE + a]) < FAR:
            motion[PLACE + a] = 0.0
        motion[SPEED + a] = motion[MOMENTUM + a] = motion[PUSH + a] = motion[TWIST + a] = 0.0
    for a in range(9):
        if not abs(motion[TURN + a]) < 2.0:
            motion[TURN + a] = 1.0 if a % 4 == 0 else 0.0


@device
def _share(rows, own, clumps, c, held):
    """Balls of clump c get their places and velocities; returns the greatest square of a distance from home."""
    motion, farthest = clumps.motion[c], np.float32(0.0)
    w0, w1, w2 = _spin(motion, clumps.inverse[c])
    for k in range(clumps.start[c], clumps.start[c + 1]):
        i = clumps.ball[k]
        a0, a1, a2 = _arm(motion, clumps.local, k)
        square = np.float32(0.0)
        for a, arm, turn, w in (
            (0, a0, w1 * a2 - w2 * a1, w0),
            (1, a1, w2 * a0 - w0 * a2, w1),
            (2, a2, w0 * a1 - w1 * a0, w2),
        ):
            x, v = motion[PLACE + a] + arm, motion[SPEED + a] + turn
            rows[i, X + a], rows[i, V + a], rows[i, SPIN + a] = np.float32(x), np.float32(v), np.float32(w)
            rows[i, LOW + a] = np.float32(x - np.float64(rows[i, X + a]))
            own[i, V_LOW + a] = np.float32(v - np.float64(rows[i, V + a]))
            own[i, SPIN_LOW + a] = np.float32(w - np.float64(rows[i, SPIN + a]))
            gone = rows[i, X + a] - own[i, HOME + 4 * a]
            square += gone * gone
        rows[i, W] = np.float32(0.0) if held else np.float32(1.0 / clumps.mass[c])
        farthest = farthest if square <= farthest else square
    return farthest


@parallel
def move_clumps(team, rows, own, flags, clumps, common, fresh):
    """Kicks and moves all clumps, and puts their balls into `rows`.

    common: kick (s), drift (s), gravity (m/s²). fresh: whether the balls' forces are new; else those of the step before
    act once more.
    """
    kick, drift = common[0], common[1]
    for b in deal(team, len(clumps.watch)):
        farthest = np.float32(0.0)
        for c in range(b * TOGETHER, min(len(clumps.mass), b * TOGETHER + TOGETHER)):
            motion = clumps.motion[c]
            if fresh:
                _gather(own, clumps, c)
            held = False
            for k in range(clumps.start[c], clumps.start[c + 1]):
                held = held or (flags[clumps.ball[k]] & FROZEN) != 0
            size = 0.0
            for a in range(3):
                motion[SPEED + a] += kick * (motion[PUSH + a] / clumps.mass[c] + common[2 + a])
                motion[MOMENTUM + a] += kick * motion[TWIST + a]
                motion[PLACE + a] += drift * motion[SPEED + a]
                size += abs(motion[SPEED + a]) + abs(motion[PLACE + a]) + abs(motion[MOMENTUM + a]) / clumps.mass[c]
            if held or not size < FAR:
                held = True
                _hold(flags, clumps, c)
            elif drift > 0.0:
                # ω at the middle of the step, for a turn that is right to second order
                t0, t1, t2, t3, t4, t5, t6, t7, t8 = (
                    motion[TURN], motion[TURN + 1], motion[TURN + 2], motion[TURN + 3], motion[TURN + 4],
                    motion[TURN + 5], motion[TURN + 6], motion[TURN + 7], motion[TURN + 8],
                )  # fmt: skip
                w0, w1, w2 = _spin(motion, clumps.inverse[c])
                _turn(motion, w0, w1, w2, 0.5 * drift)
                w0, w1, w2 = _spin(motion, clumps.inverse[c])
                motion[TURN], motion[TURN + 1], motion[TURN + 2] = t0, t1, t2
                motion[TURN + 3], motion[TURN + 4], motion[TURN + 5] = t3, t4, t5
                motion[TURN + 6], motion[TURN + 7], motion[TURN + 8] = t6, t7, t8
                _turn(motion, w0, w1, w2, drift)
            farthest = max(farthest, _share(rows, own, clumps, c, held))
        clumps.watch[b] = farthest


@parallel
def part_clumps(team, lists, count, clump):
    """Takes pairs of balls of one clump out of the lists: an entry that names the grain itself is none."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for s in range(b * BLOCK // 8, (min(count, b * BLOCK + BLOCK) + 7) // 8):
            for at in range(lists.first[s], lists.first[s] + 8 * lists.depth[s], 8):
                for lane in range(min(8, count - 8 * s)):
                    i, j = 8 * s + lane, lists.neighbours[at + lane]
                    if clump[i] >= 0 and clump[i] == clump[j]:
                        lists.neighbours[at + lane] = i
