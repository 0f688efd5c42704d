"""Obstacles where they are in one step, as the arrays that contact search passes around."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_math import dot, norm, rotate
from windrow.geometry.borrow import borrowed
from windrow.geometry.kinds import SIZES
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I32, Point
from windrow.kernel import kernel

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
    planes, solids = table.planes, table.solids
    rotation0, rotation1 = pose0[:, :9].reshape(-1, 3, 3), pose1[:, :9].reshape(-1, 3, 3)
    placed = np.zeros((len(table.kind), 5))
    normal = rotate(rotation1[planes], table.param[planes, SIZES : SIZES + 3])
    placed[planes, :3] = normal
    placed[planes, 3] = table.param[planes, SIZES + 3] + dot(normal, pose1[planes, 9:])
    center = table.bound[solids, :3].astype(np.float64)
    radius = table.bound[solids, 3].astype(np.float64)
    before = rotate(rotation0[solids], center) + pose0[solids, 9:]
    after = rotate(rotation1[solids], center) + pose1[solids, 9:]
    moved = norm(after - before)
    placed[solids, :3] = after
    placed[solids, 3] = np.where(radius >= 0, radius + moved, -1.0)
    placed[:, 4] = (pose0 != pose1).any(axis=1)
    turned = norm(pose1[solids, :9] - pose0[solids, :9]) * np.maximum(radius, 0.0)
    lifted = norm(pose1[planes, 9:] - pose0[planes, 9:])
    farthest = max(np.max(moved + turned, initial=0.0), np.max(lifted, initial=0.0))
    shapes = (table.slots, table.material, table.param, table.numbers, table.box)
    return Obstacles(planes, solids, *shapes, placed.astype(np.float32), pose0, pose1), float(farthest)


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


@kernel
def to_local(pose: F64, s: int, x: float, y: float, z: float) -> Point:
    """World point in the frame of obstacle s."""
    x, y, z = x - pose[s, 9], y - pose[s, 10], z - pose[s, 11]
    return (
        pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z,
        pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z,
        pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z,
    )


@kernel
def in_ball(placed: F32, s: int, x: float, y: float, z: float, reach: float) -> bool:
    """Whether a point is within reach of the ball around obstacle s, if it has one; never if it is not a number."""
    radius = placed[s, 3]
    if radius < F(0.0):
        return bool(abs(x) + abs(y) + abs(z) + reach < FARTHEST)
    dx, dy, dz, far = x - placed[s, 0], y - placed[s, 1], z - placed[s, 2], radius + reach
    return bool(dx * dx + dy * dy + dz * dz <= far * far)


@kernel
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
