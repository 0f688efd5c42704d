"""What rigid bodies do to the ground they stand on: how hard each presses, where its lower side is, and the ruts."""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.terms import F64, I64, Point
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, HULL, ROD, PartTable
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.multibody.touch import in_world
from windrow.solvers.multibody.vectors import row, times
from windrow.terrain.compaction import sink
from windrow.terrain.ground import Ground
from windrow.terrain.layers import TILE

MOST_COLUMNS = 1 << 16
"""Columns below one body; of a larger one only so many are pressed."""
NOWHERE = 1e300
RATTLE = 0.1
"""s over which the force of a body is averaged"""
SLACK = 1e-6
"""m beyond a hull within which rounding may still find it"""
LEAST_FORCE = 1.0
"""N; what presses less leaves no trace"""


class Ruts:
    """Presses the bodies of one simulation into its ground."""

    def __init__(self, ground: Ground, bodies: MultibodyStepper, row: int) -> None:
        self.ground, self.bodies = ground, bodies
        self.thing = bodies.bodies.count + row
        """the ground among bodies and obstacles"""
        self._cells, self._low = np.zeros((MOST_COLUMNS, 3), np.int64), np.zeros(MOST_COLUMNS)
        self._sunk = np.zeros(1)
        faces = np.diff(bodies.parts.face_start)
        self._faces = np.zeros((int(faces.max(initial=0)), 4))
        self.load = np.zeros(bodies.bodies.count)
        """(bodies,) force of each on the ground, downwards, N: a mean, because rigid bodies rattle on it"""

    def step(self, dt: float) -> None:
        """Lets the ground sink under all bodies that stood on it in the last step."""
        force = self._loads(dt)
        self.load += (force - self.load) * (dt / (dt + RATTLE))
        for body in np.flatnonzero((force > LEAST_FORCE) & (self.load > LEAST_FORCE)).tolist():
            self._press(body, float(self.load[body]), dt)

    def _loads(self, dt: float) -> F64:
        """(bodies,) force of each on the ground in the last step, downwards, N."""
        contacts, n = self.bodies.contacts, int(self.bodies.contacts.found[0])
        real, impulse = contacts.real[:n], contacts.total[:n, 2]
        force = np.zeros(self.bodies.bodies.count)
        for side in range(2):
            on_ground = (real[:, 1 - side] == self.thing) & (real[:, side] < len(force))
            np.add.at(force, real[on_ground, side], (1.0 - 2.0 * side) * impulse[on_ground])
        return force / dt

    def _press(self, body: int, force: float, dt: float) -> None:
        ground = self.ground
        count = columns_below(
            self.bodies.parts, self.bodies.motion, body, ground.position, ground.cell, ground.nx, ground.ny,
            self._cells, self._low, self._faces,
        )  # fmt: skip
        if count == 0:
            return
        cells = self._cells[:count]
        corner = np.maximum(cells[:, :2].min(axis=0) - 2, 0)
        end = np.minimum(cells[:, :2].max(axis=0) + 3, [ground.nx, ground.ny])
        tiles = np.zeros(ground.tiles, np.bool_)
        tiles[corner[0] // TILE : (end[0] - 1) // TILE + 1, corner[1] // TILE : (end[1] - 1) // TILE + 1] = True
        ground.open(tiles)
        mask = np.zeros((end[0] - corner[0], end[1] - corner[1]), np.uint8)
        sink(ground.columns, cells, self._low, count, force, dt, mask, corner, self._sunk)
        if self._sunk[0] > 0.0:
            ground.changed(tiles)


@bare_kernel
def columns_below(
    parts: PartTable, motion: Motion, body: int, position: F64, cell: float, nx: int, ny: int, cells: I64, low: F64,
    faces: F64,
) -> int:  # fmt: skip
    """Columns below a body, and the height of its lower side over each, above the ground's position; returns how many.

    cells: numbers along x and y, and 1 if the body covers the middle of the column, 0 if that of a neighbour. The
    surface between two columns is a slope, so that an edge of the body rests on both. Parts that lie above each other
    give a column more than once. faces: (most of a part, 4) room for those of a hull.
    """
    count = 0
    for p in range(parts.start[body], parts.start[body + 1]):
        kind = parts.kind[p]
        if kind != BALL and kind != ROD and kind != HULL:
            continue
        center = in_world(motion, body, row(parts.center, p))
        wide_x = wide_y = parts.radius[p] + cell
        half = (0.0, 0.0, 0.0)
        if kind == ROD:
            half = times(motion.R[body], row(parts.axis, p))
            wide_x, wide_y = wide_x + abs(half[0]), wide_y + abs(half[1])
        if kind == HULL:
            wide_x, wide_y = _turn_hull(parts, motion, body, p, center, faces)
            wide_x, wide_y = wide_x + cell, wide_y + cell
        u, v = (center[0] - position[0]) / cell + 0.5 * (nx - 1), (center[1] - position[1]) / cell + 0.5 * (ny - 1)
        i0, i1 = max(int(np.ceil(u - wide_x / cell)), 0), min(int(np.floor(u + wide_x / cell)), nx - 1)
        j0, j1 = max(int(np.ceil(v - wide_y / cell)), 0), min(int(np.floor(v + wide_y / cell)), ny - 1)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                x, y = position[0] + cell * (i - 0.5 * (nx - 1)), position[1] + cell * (j - 0.5 * (ny - 1))
                middle = _lower_side(parts, motion, body, p, (x, y), center, half, cell, faces)
                z = middle
                if middle == NOWHERE:
                    for a in range(-1, 2):
                        for b in range(-1, 2):
                            at = x + a * cell, y + b * cell
                            if abs(at[0] - center[0]) <= wide_x - cell and abs(at[1] - center[1]) <= wide_y - cell:
                                z = min(z, _lower_side(parts, motion, body, p, at, center, half, cell, faces))
                if z < NOWHERE and count < cells.shape[0]:
                    cells[count, 0], cells[count, 1], low[count] = i, j, z - position[2]
                    cells[count, 2] = 1 if middle < NOWHERE else 0
                    count += 1
    return count


@bare_inner
def _turn_hull(parts: PartTable, motion: Motion, body: int, p: int, center: Point, faces: F64) -> tuple[float, float]:
    """Turns the faces of a hull into the world; returns how far it reaches from its middle along x and y, m."""
    first, wide_x, wide_y = parts.face_start[p], 0.0, 0.0
    for f in range(first, parts.face_start[p + 1]):
        n = times(motion.R[body], (parts.face[f, 0], parts.face[f, 1], parts.face[f, 2]))
        faces[f - first, 0], faces[f - first, 1], faces[f - first, 2] = n
        faces[f - first, 3] = parts.face[f, 3]
    for k in range(parts.corner_start[p], parts.corner_start[p + 1]):
        corner = in_world(motion, body, row(parts.corner, k))
        wide_x, wide_y = max(wide_x, abs(corner[0] - center[0])), max(wide_y, abs(corner[1] - center[1]))
    return wide_x + SLACK, wide_y + SLACK


@bare_inner
def _lower_side(parts, motion, body, p, at, center, half, cell, faces):  # type: ignore[no-untyped-def]
    """Height of the lower side of a part over a place; NOWHERE: it is not over it."""
    if parts.kind[p] == HULL:
        return _below_hull(parts, motion, body, p, at, faces)
    r, z, many = parts.radius[p], NOWHERE, 1
    if parts.kind[p] == ROD:
        many = 2 + int(np.ceil(4.0 * sqrt(half[0] * half[0] + half[1] * half[1]) / cell))
    for k in range(many):
        t = 0.0 if many == 1 else 2.0 * k / (many - 1.0) - 1.0
        dx, dy = at[0] - center[0] - t * half[0], at[1] - center[1] - t * half[1]
        if dx * dx + dy * dy < r * r:
            z = min(z, center[2] + t * half[2] - sqrt(r * r - dx * dx - dy * dy))
    return z


@bare_inner
def _below_hull(parts, motion, body, p, at, faces):  # type: ignore[no-untyped-def]
    """Where the upright line through a place enters a hull from below, m; NOWHERE: it does not."""
    low, high = -NOWHERE, NOWHERE
    rx, ry = at[0] - motion.x[body, 0], at[1] - motion.x[body, 1]
    for f in range(parts.face_start[p + 1] - parts.face_start[p]):
        n = faces[f, 0], faces[f, 1], faces[f, 2]
        rest = faces[f, 3] - n[0] * rx - n[1] * ry
        if n[2] > 1e-9:
            high = min(high, rest / n[2])
        elif n[2] < -1e-9:
            low = max(low, rest / n[2])
        elif rest < 0.0:
            return NOWHERE
    return low + motion.x[body, 2] if low <= high and low > -NOWHERE else NOWHERE
