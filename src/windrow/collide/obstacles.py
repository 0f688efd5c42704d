"""Obstacles where they are in one step, as the arrays that contact search passes around."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from windrow.geometry.borrow import borrowed
from windrow.geometry.kinds import SIZES
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I32, Point
from windrow.kernel import bare_inner, bare_kernel, inner, kernel

F = np.float32
FARTHEST = F(3e38)


class Obstacles(NamedTuple):
    """Shapes (see `geometry.table`) and poses; b of them."""

    planes: I32
    solids: I32
    slots: I32
    material: I32
    param: F64
    numbers: F32
    box: F64
    placed: F32
    """(b, 5) in the world at the end of the step. A plane: normal and offset; any other: centre and radius of
    a ball around it (radius −1: none), enlarged by how far the ball moved. Last: 1 for one that moves."""
    pose0: F64
    """(b, 12) at the start of the step: rotation row by row, then position"""
    pose1: F64
    """(b, 12) at the end"""


def obstacles_in_step(table: ShapeTable, pose0: F64, pose1: F64) -> tuple[Obstacles, float]:
    """The obstacles of a step, and how far any point of any of them moves in it, m (planes: their origin)."""
    pose0, pose1 = np.array(pose0, np.float64, order="C"), np.array(pose1, np.float64, order="C")
    placed = np.zeros((len(table.kind), 5), np.float32)
    farthest = place(table.planes, table.solids, table.param, table.bound, pose0, pose1, placed)
    shapes = (table.slots, table.material, table.param, table.numbers, table.box)
    return Obstacles(table.planes, table.solids, *shapes, placed, pose0, pose1), float(farthest)


@bare_kernel
def place(planes: I32, solids: I32, param: F64, bound: F32, pose0: F64, pose1: F64, placed: F32) -> float:
    """Fills `placed`; returns how far any point moves, m."""
    farthest = 0.0
    for s in planes:
        normal = _turned(pose1, s, param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2])
        offset = normal[0] * pose1[s, 9] + normal[1] * pose1[s, 10] + normal[2] * pose1[s, 11]
        for k in range(3):
            placed[s, k] = normal[k]
        placed[s, 3] = param[s, SIZES + 3] + offset
        farthest = max(farthest, _apart(pose0[s], pose1[s], 9, 12))
    for s in solids:
        x, y, z = np.float64(bound[s, 0]), np.float64(bound[s, 1]), np.float64(bound[s, 2])
        radius = np.float64(bound[s, 3])
        before, after = _turned(pose0, s, x, y, z), _turned(pose1, s, x, y, z)
        square = 0.0
        for k in range(3):
            here = after[k] + pose1[s, 9 + k]
            way = here - (before[k] + pose0[s, 9 + k])
            square += way * way
            placed[s, k] = here
        moved = math.sqrt(square)
        placed[s, 3] = radius + moved if radius >= 0.0 else -1.0
        farthest = max(farthest, moved + _apart(pose0[s], pose1[s], 0, 9) * max(radius, 0.0))
    for s in range(len(placed)):
        for k in range(12):
            if pose0[s, k] != pose1[s, k]:
                placed[s, 4] = 1.0
    return farthest


@bare_inner
def _turned(pose: F64, s: int, x: float, y: float, z: float) -> Point:
    """A vector of obstacle s in the axes of the world."""
    return (
        pose[s, 0] * x + pose[s, 1] * y + pose[s, 2] * z,
        pose[s, 3] * x + pose[s, 4] * y + pose[s, 5] * z,
        pose[s, 6] * x + pose[s, 7] * y + pose[s, 8] * z,
    )


@bare_inner
def _apart(a: F64, b: F64, first: int, end: int) -> float:
    """Length of the difference of these entries."""
    square = 0.0
    for k in range(first, end):
        square += (b[k] - a[k]) * (b[k] - a[k])
    return math.sqrt(square)


@kernel
def borrowed_obstacles(obstacles: Obstacles) -> Obstacles:
    """The same without reference counts, see `geometry.borrow`."""
    return Obstacles(
        borrowed(obstacles.planes),
        borrowed(obstacles.solids),
        borrowed(obstacles.slots),
        borrowed(obstacles.material),
        borrowed(obstacles.param),
        borrowed(obstacles.numbers),
        borrowed(obstacles.box),
        borrowed(obstacles.placed),
        borrowed(obstacles.pose0),
        borrowed(obstacles.pose1),
    )


@inner
def to_local(pose: F64, s: int, x: float, y: float, z: float) -> Point:
    """World point in the frame of obstacle s."""
    x, y, z = x - pose[s, 9], y - pose[s, 10], z - pose[s, 11]
    return (
        pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z,
        pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z,
        pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z,
    )


@inner
def in_ball(placed: F32, s: int, x: float, y: float, z: float, reach: float) -> bool:
    """Whether a point is within reach of the ball around obstacle s, if it has one; never if it is not a number."""
    radius = placed[s, 3]
    if radius < F(0.0):
        return bool(abs(x) + abs(y) + abs(z) + reach < FARTHEST)
    dx, dy, dz, far = x - placed[s, 0], y - placed[s, 1], z - placed[s, 2], radius + reach
    return bool(dx * dx + dy * dy + dz * dz <= far * far)


@inner
def in_box(box: F64, s: int, p: Point, reach: float) -> bool:
    """Whether a local point is within reach of the box around shape s: cheaper than any distance."""
    return bool(
        p[0] >= box[s, 0] - reach
        and p[1] >= box[s, 1] - reach
        and p[2] >= box[s, 2] - reach
        and p[0] <= box[s, 3] + reach
        and p[1] <= box[s, 4] + reach
        and p[2] <= box[s, 5] + reach
    )
