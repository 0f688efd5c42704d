"""Where heavy grains press on light ones: what needs more sweeps than the rest, and only there.

A sweep lets a light grain pass on about its own mass's worth of a load that stops. Where a grain brings many times the
mass of those it rests on, and is not yet at rest, the pencils around it get more sweeps; all others keep to the
settings. A load at rest is carried by the impulses that are remembered, however heavy it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import Levels
from windrow.kernel import BLOCK, device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.colouring import Batches
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.substeps import LIGHT_BURDEN
from windrow.state.state import State
from windrow.team import deal, deal_stretches, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
AROUND, FURTHER = F(1.5), F(4.0)
"""How far from a heavy grain's axis pencils are swept more often: its radius, and that of the finest level."""
FLAT = F(0.35)
"""Overlap, of the smaller radius, from which on a load counts in full even if it rests."""


@device
def unrest(U, U0, i, h, gravity):
    """1 for a grain that falls or is faster than a fall of one substep; 0 if it rests and what it has balances it.

    U0[:, :3]: what the remembered impulses will give it, m/s.
    """
    square = limit = ZERO
    for a in range(3):
        left = U[i, a] + h * gravity[a] + U0[i, a]
        square += left * left
        limit += h * gravity[a] * h * gravity[a]
    return ONE if square >= limit else np.sqrt(square / limit)


@device
def bear(X, U, U0, i, j, h, gravity, light, burden):
    """Notes for the heavier of two grains how many times its partner's mass it brings to each loaded contact.

    U0[:, 3]: loaded contacts of each grain. What is at rest brings nothing, unless it presses the other one flat.
    """
    if U[i, 3] > U[j, 3]:
        i, j = j, i
    if U[i, 3] <= ZERO:
        return
    heavy = U[j, 3] / (U[i, 3] * max(U0[i, 3], ONE))
    if heavy <= max(light, burden[i]):
        return
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    near = X[i, 3] + X[j, 3] - FLAT * min(X[i, 3], X[j, 3])
    if d0 * d0 + d1 * d1 + d2 * d2 > near * near:
        heavy *= unrest(U, U0, i, h, gravity)
    burden[i] = max(burden[i], heavy)


@parallel
def find_steep(team, V, ends, count, light, steep):
    """steep[b]: whether any contact of batch b has a grain more than `light` times as heavy as the other.

    V: rows {v_x, v_y, v_z, w}, w = 0 for what cannot move.
    """
    some = 64
    for part in deal(team, (ends.shape[0] + some - 1) // some):
        for b in range(part * some, min(ends.shape[0], (part + 1) * some)):
            steep[b] = 0
            for lane in range(WIDTH):
                i, j = ends[b, 0, lane], ends[b, 1, lane]
                if i < count:
                    lighter, heavier = max(V[i, 3], V[j, 3]), min(V[i, 3], V[j, 3])
                    if heavier > ZERO and lighter > light * heavier:
                        steep[b] = 1


@parallel
def weigh_burdens(
    team, X, U, U0, h, gravity, light, turns, turn_begin, pair_begin, ends, steep, stray_ends, burden
):  # fmt: skip
    """burden[i]: the greatest burden, above `light`, of the contacts that grain i is the heavier part of, those to come
    included. steep: see `find_steep`.

    Pencils swept at the same time share no grain, so that none waits for another.
    """
    for b in deal(team, (len(burden) + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(len(burden), b * BLOCK + BLOCK)):
            burden[i] = ZERO
    for stage in range(turn_begin.shape[0]):
        for turn in deal_stretches(team, turn_begin[stage]):
            p = turns[turn]
            for b in range(pair_begin[p], pair_begin[p + 1]):
                for lane in range(WIDTH if steep[b] else 0):
                    bear(X, U, U0, ends[b, 0, lane], ends[b, 1, lane], h, gravity, light, burden)
    for _ in deal(team, min(len(stray_ends), 1)):
        for q in range(stray_ends.shape[0]):
            bear(X, U, U0, stray_ends[q, 0], stray_ends[q, 1], h, gravity, light, burden)


@kernel
def burden_pencils(X, count, burden, light, levels, widths, pencil_begin, greatest):
    """greatest[p]: the greatest burden, above `light`, of grains that pencil p is near.

    widths: of each level's pencils along x and y, in cells.
    """
    frame, shape = levels.frame, levels.shape
    greatest[:] = ZERO
    for i in range(count):
        if burden[i] <= light:
            continue
        far = AROUND * X[i, 3] + FURTHER * frame[0, 4]
        for k in range(len(widths)):
            gx, gy, wide_x, wide_y = shape[k, 0], shape[k, 1], widths[k, 0], widths[k, 1]
            along_x, along_y = (gx + wide_x - 1) // wide_x, (gy + wide_y - 1) // wide_y
            cells = np.int64(np.ceil(far * frame[k, 3]))
            cx = np.int64((X[i, 0] - frame[k, 0]) * frame[k, 3]) % gx
            cy = np.int64((X[i, 1] - frame[k, 1]) * frame[k, 3]) % gy
            # one more each way for the last pencil, which may be narrower
            x0, nx = (cx - cells) // wide_x - 1, min(2 * cells // wide_x + 3, along_x)
            y0, ny = (cy - cells) // wide_y - 1, min(2 * cells // wide_y + 3, along_y)
            for a in range(nx):
                for b in range(ny):
                    p = pencil_begin[k] + (x0 + a) % along_x * along_y + (y0 + b) % along_y
                    greatest[p] = max(greatest[p], burden[i])


class Burdens:
    """Workspace: what heavy grains bring to light ones."""

    def __init__(self, rows: int) -> None:
        self.burden = np.zeros(rows, np.float32)
        self.steep = np.zeros(0, np.uint8)
        self.known = False
        """Whether `steep` is that of the present batches."""

    def of_pencils(
        self,
        state: State,
        X: NDArray[np.float32],
        U: NDArray[np.float32],
        U0: NDArray[np.float32],
        h: float,
        gravity: NDArray[np.float32],
        pencils: Pencils,
        batches: Batches,
        levels: Levels,
    ) -> NDArray[np.float32]:
        """The greatest burden that each pencil is near."""
        light = F(LIGHT_BURDEN)
        if not self.known:
            if len(self.steep) < len(batches.ends):
                self.steep = np.zeros(len(batches.ends) + len(batches.ends) // 8, np.uint8)
            find_steep(state.V, batches.ends, state.count, light, self.steep)
            self.known = True
        weigh_burdens(
            X, U, U0, F(h), gravity, light, pencils.turns, pencils.turn_begin, pencils.begin,
            batches.ends, self.steep, batches.stray_ends, self.burden,
        )  # fmt: skip
        greatest = np.zeros(pencils.count, np.float32)
        burden_pencils(
            X, state.count, self.burden, light, levels, pencils.widths, pencils.level_begin, greatest
        )
        return greatest
