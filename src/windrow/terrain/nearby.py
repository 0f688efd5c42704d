"""Soil that slides in a small place: all sweeps of a step in one call, over a box of columns.

`Avalanche` looks at whole tiles on a team of threads, which takes longer to begin than a few hundred columns take. A
column gives nothing as long as it and its neighbours stay as they were when it gave nothing before. So it is enough to
look at those that may have changed, `Ground.busy`: next time, at the box around all that gave, and two columns more.
"""

from __future__ import annotations

import numpy as np

from windrow.geometry.terms import F64, I64, U8
from windrow.kernel import SameTypes, bare_inner, bare_kernel
from windrow.terrain.ground import Ground
from windrow.terrain.layers import TILE, Columns, Units, height_of
from windrow.terrain.sliding import (
    STEP_X,
    STEP_Y,
    Sliding,
    flows_from,
    get_from,
    give_away,
    least_drop,
    may_give,
    work_room,
)

SWEEPS = 4
"""Of a step: soil slides at up to so many cells per step."""
MOST = 96 * 96
"""Columns in a box that are looked at in this way."""
STILL = 0.02
"""Excess, over the width of a cell, at which soil comes to rest here: slopes stand 1.1° steeper at most."""
REACH = 2 * SWEEPS + 2
"""Columns around the box that a step may read."""


class Nearby:
    """Slides the busy box of one ground."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._place = np.full(ground.tiles, -1, np.int32)
        self._range = (0, 0, 0, 0)
        self._marks = np.zeros((ground.nx, ground.ny), np.uint8)
        self._work = work_room(1, self._place, self._marks)
        self._changed = np.zeros(4, np.int64)
        self._gave = np.zeros(0, np.uint8)
        self._slide = SameTypes(slide_box)

    def fits(self, looks: bool) -> bool:
        """Whether the busy box is small, and it is not the turn of faces."""
        i0, i1, j0, j1 = self.ground.busy.tolist()
        return not looks and (i1 - i0) * (j1 - j0) <= MOST

    def step(self, walls: F64) -> bool:
        """Lets soil slide for one step; returns whether any may slide in the next."""
        ground, busy = self.ground, self.ground.busy
        if busy[1] > busy[0]:
            self._look_at(busy.tolist())
            room = int(busy[1] - busy[0] + 4 * SWEEPS + 4) * int(busy[3] - busy[2] + 4 * SWEEPS + 4)
            if room > len(self._gave):
                self._gave = np.zeros(2 * room, np.uint8)
            self._slide(
                ground.columns, self._work._replace(walls=walls, still=STILL), ground.tile_mass, busy, self._changed,
                self._gave, ground.nx, ground.ny,
            )  # fmt: skip
        ground.active[:] = 0
        changed = self._changed.tolist()
        if busy[1] > busy[0] or changed[1] > 0:
            i0, i1, j0, j1 = busy.tolist()
            if changed[1] > 0:
                ground.dug(*changed)
                busy[:] = i0, i1, j0, j1
                ground.active[:] = 0
            if i1 > i0:
                ground.active[i0 // TILE : (i1 - 1) // TILE + 1, j0 // TILE : (j1 - 1) // TILE + 1] = 1
        self._changed[:] = 0
        return bool(busy[1] > busy[0])

    def _look_at(self, box: list[int]) -> None:
        """Work space for all tiles that a step may read; they are brought into memory."""
        ground = self.ground
        i0, i1 = max(box[0] - REACH, 0) // TILE, (min(box[1] + REACH, ground.nx) - 1) // TILE + 1
        j0, j1 = max(box[2] - REACH, 0) // TILE, (min(box[3] + REACH, ground.ny) - 1) // TILE + 1
        if (ground.columns.slot[i0:i1, j0:j1] < 0).any():
            tiles = np.zeros(ground.tiles, np.bool_)
            tiles[i0:i1, j0:j1] = True
            ground.open(tiles)
        if (i0, i1, j0, j1) == self._range:
            return
        a0, a1, b0, b1 = self._range
        self._place[a0:a1, b0:b1] = -1
        count = (i1 - i0) * (j1 - j0)
        self._place[i0:i1, j0:j1] = np.arange(count, dtype=np.int32).reshape(i1 - i0, j1 - j0)
        if count > len(self._work.moved):
            self._work = work_room(2 * count, self._place, self._marks)
        self._range = i0, i1, j0, j1


@bare_inner
def _move(columns: Columns, work: Sliding, gave: U8, at: int, wide: int, i: int, j: int) -> Units:
    """`sliding.move_column`, where `gave` tells who gives; `at`: place of column (i, j) in it."""
    around = gave[at]
    for d in range(8):
        around |= gave[at + STEP_X[d] * wide + STEP_Y[d]]
    if around == 0:
        return np.int64(0)
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    out, came = np.int64(0), np.int64(0)
    if gave[at]:
        t = work.place[i // TILE, j // TILE]
        for d in range(8):
            out += work.flow[t, d, c]
        give_away(columns, s, c, out)
    for d in range(8):
        if gave[at + STEP_X[d] * wide + STEP_Y[d]]:
            a, b = i + STEP_X[d], j + STEP_Y[d]
            u = work.place[a // TILE, b // TILE]
            came += get_from(columns, work, s, c, u, (a % TILE) * TILE + b % TILE, 7 - d)
    if out > 0 or came > 0:
        columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
    return came - out


@bare_kernel
def slide_box(
    columns: Columns, work: Sliding, tile_mass: I64, busy: I64, changed: I64, gave: U8, nx: int, ny: int
) -> None:
    """All sweeps of a step over the columns of a box (first and after the last along x, along y).

    The box becomes that of the columns that may slide next; changed: that of the columns that did, 0 in the second
    number if none. gave: room for a box with a ring of two columns.
    """
    least = least_drop(columns)
    for _ in range(SWEEPS):
        i0, i1, j0, j1 = busy[0], busy[1], busy[2], busy[3]
        if i1 <= i0:
            return
        wide = j1 - j0 + 4
        for at in range((i1 - i0 + 4) * wide):
            gave[at] = 0
        a0, a1, b0, b1 = nx, 0, ny, 0
        for i in range(i0, i1):
            for j in range(j0, j1):
                if not may_give(columns, i, j, least):
                    continue
                t, c = work.place[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
                if flows_from(columns, work, t, c, i, j, nx, ny) != 0:
                    gave[(i - i0 + 2) * wide + j - j0 + 2] = 1
                    a0, a1, b0, b1 = min(a0, i), max(a1, i + 1), min(b0, j), max(b1, j + 1)
        if a1 <= a0:
            busy[0] = busy[1] = busy[2] = busy[3] = 0
            return
        for i in range(max(a0 - 1, 0), min(a1 + 1, nx)):
            for j in range(max(b0 - 1, 0), min(b1 + 1, ny)):
                at = (i - i0 + 2) * wide + j - j0 + 2
                tile_mass[i // TILE, j // TILE] += _move(columns, work, gave, at, wide, i, j)
        if changed[1] == 0:
            changed[0], changed[2] = a0, b0
        changed[0], changed[1] = min(changed[0], max(a0 - 1, 0)), max(changed[1], min(a1 + 1, nx))
        changed[2], changed[3] = min(changed[2], max(b0 - 1, 0)), max(changed[3], min(b1 + 1, ny))
        busy[0], busy[1] = max(a0 - 2, 0), min(a1 + 2, nx)
        busy[2], busy[3] = max(b0 - 2, 0), min(b1 + 2, ny)
