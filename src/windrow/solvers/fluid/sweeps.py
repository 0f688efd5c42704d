"""Projected Gauss-Seidel: one density row after the other, and with it the contact rows of its particle.

Rows of different threads must share no particle. Slabs across the longest side of the fluid, each wider than 2 h,
take turns: all even ones at once, then all odd ones. Within a slab particles come in the order of the grid, upward, so
that a sweep carries a column's weight as one thread alone would. Two colours are enough, and no colour is small;
colours of cells, 27 of them, need twice the sweeps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, I64
from windrow.kernel import device, kernel
from windrow.solvers.fluid.kernels import PRESS, TARGET
from windrow.solvers.fluid.laws import pushed, room_left
from windrow.solvers.fluid.rows import row_add, row_dot
from windrow.solvers.smoothed.touching import FRICTION, MOVABLE
from windrow.team import deal, parallel

F: Any = np.float32
ZERO, ONE = F(0.0), F(1.0)
WIDTH = 2.02
"""Least width of a slab over h"""
MOST_SLABS = 64


class Slabs(NamedTuple):
    """Particles by slab: those of slab s are order[begin[s]] … order[begin[s + 1] − 1]."""

    order: I64
    begin: I64


def slabs_of(X: F32, count: int, h: float, order: I64) -> Slabs:
    """The slabs of the particles at X; order: room for their numbers."""
    place = X[:count, :3]
    low, high = place.min(axis=0), place.max(axis=0)
    axis = int(np.argmax(high - low))
    length = float(high[axis] - low[axis])
    many = min(max(int(length / (WIDTH * h)), 1), MOST_SLABS)
    begin = np.zeros(many + 1, np.int64)
    _sort_into(X, count, axis, float(low[axis]), many / max(length, 1e-9), many, order, begin)
    return Slabs(order, begin)


@kernel
def _sort_into(
    X: F32, count: int, axis: int, low: float, scale: float, many: int, order: I64, begin: I64
) -> None:
    """Counts particles by slab, and numbers them slab by slab in their order."""
    for i in range(count):
        s = min(max(int((X[i, axis] - low) * scale), 0), many - 1)
        begin[s + 1] += 1
    for s in range(many):
        begin[s + 1] += begin[s]
    place = begin[:-1].copy()
    for i in range(count):
        s = min(max(int((X[i, axis] - low) * scale), 0), many - 1)
        order[place[s]] = i
        place[s] += 1


@device
def at_body(touches, i):
    """Whether particle i is within reach of a moving body, whose rows end those of the particle."""
    end = touches.start[i + 1]
    return end > touches.start[i] and touches.row[end - 1, FRICTION] == MOVABLE


@device
def sweep_walls(touches, i, U):
    """The contact rows of particle i, those of bodies left out."""
    row, w = touches.row, U[i, 3]
    if w == ZERO:
        return
    for q in range(touches.start[i], touches.start[i + 1]):
        if row[q, FRICTION] != MOVABLE:
            away = row[q, 0] * U[i, 0] + row[q, 1] * U[i, 1] + row[q, 2] * U[i, 2]
            press = max(row[q, PRESS] + (row[q, TARGET] - away) / w, ZERO)
            change = press - row[q, PRESS]
            if change != ZERO:
                row[q, PRESS] = press
                for a in range(3):
                    U[i, a] += w * change * row[q, a]


@parallel
def sweep(team, slabs, rows, touches, pace, water, U, left):
    """One sweep over all particles but those at bodies; left[s]: sum of what rows of slab s lacked, change of fill."""
    order = slabs.order
    near, gradients, at = rows.near.ctypes.data, rows.gradient.ctypes.data, U.ctypes.data
    many = len(slabs.begin) - 1
    for colour in range(2):
        for k in deal(team, (many + 1 - colour) // 2):
            s = 2 * k + colour
            lacking = 0.0
            for m in range(slabs.begin[s], slabs.begin[s + 1]):
                i = order[m]
                if at_body(touches, i):
                    continue
                A, w, begin, end = water.A[i], U[i, 3], rows.begin[i], rows.end[i]
                rate = A[0] * U[i, 0] + A[1] * U[i, 1] + A[2] * U[i, 2] - row_dot(near, gradients, at, begin, end)
                before = water.multiplier[i]
                after = pushed(before, water.target[i], rate, pace.softness, A[3], pace.most * room_left(water.fill[i]))
                if after != before:
                    change = after - before
                    water.multiplier[i] = after
                    lacking += abs(change / A[3])
                    for a in range(3):
                        U[i, a] -= w * change * A[a]
                    row_add(near, gradients, at, begin, end, change)
                sweep_walls(touches, i, U)
            left[s] = lacking * pace.dt
