"""Planes on a picture: floors to the horizon, and walls that are hidden or shown as glass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot, norm, rotate, unit
from windrow.render.camera import UP, Box
from windrow.render.colors import linear
from windrow.render.surfaces import GLASS, NO_TRIANGLES, PosedTriangles, stacked

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

FLOOR_SLOPE = 0.5
"""Planes whose normal has more than this cosine with up are floors, the others are walls."""
FLOOR = (0.80, 0.80, 0.785)


@dataclass(frozen=True)
class WorldPlane:
    """A plane in world axes: a point on it, m, and its unit normal."""

    point: NDArray[np.float64]
    normal: NDArray[np.float64]

    @property
    def is_floor(self) -> bool:
        return bool(dot(self.normal, UP) > FLOOR_SLOPE)


def planes(scene: Scene, frame: Frame) -> list[WorldPlane]:
    """Every plane of the scene where the frame has it."""
    found = []
    for body, obstacle in enumerate(scene.obstacles):
        shape = obstacle.shape
        if shape.kind != "plane":
            continue
        rotation = np.asarray(frame.body_rotation[body], np.float64)
        normal = rotate(rotation, unit(shape.normal))
        point = np.asarray(frame.body_position[body]) + normal * shape.offset
        found.append(WorldPlane(point, normal))
    return found


def side_panes(found: list[WorldPlane], box: Box) -> PosedTriangles:
    """Walls as panes of glass: their parts near a box and in front of all other planes."""
    reach = float(norm(box[1] - box[0]))
    middle = 0.5 * (box[0] + box[1])
    room = 0.05 * reach
    sides = [(axis, float(dot(box[0], axis)) - room) for axis in np.eye(3)]
    sides += [(-axis, float(-dot(box[1], axis)) - room) for axis in np.eye(3)]
    parts = [NO_TRIANGLES]
    for plane in found:
        if plane.is_floor:
            continue
        quad = level_quad(plane, middle, reach).corners
        ring = np.vstack([quad[0], quad[1, 2:]])
        others = [(p.normal, float(dot(p.point, p.normal))) for p in found if p is not plane]
        for normal, offset in sides + others:
            ring = _cut(ring, dot(ring, normal) - offset)
        count = len(ring) - 2
        if count > 0:
            fan = np.stack([np.zeros(count, int), np.arange(count) + 1, np.arange(count) + 2], axis=1)
            border = np.ones((count, 3), bool)
            border[1:, 2] = border[:-1, 1] = False
            normals = np.broadcast_to(plane.normal, (count, 3, 3))
            color = np.broadcast_to(linear(GLASS), (count, 3))
            parts.append(PosedTriangles(ring[fan], normals, color, border))
    return stacked(parts)


def _cut(ring: NDArray[np.float64], height: NDArray[np.float64]) -> NDArray[np.float64]:
    """The part of a convex polygon where the height of its corners is not negative (Sutherland, Hodgman)."""
    kept = []
    for k in range(len(ring)):
        before, here = height[k - 1], height[k]
        if (before >= 0.0) != (here >= 0.0):
            kept.append(ring[k - 1] + (ring[k] - ring[k - 1]) * (before / (before - here)))
        if here >= 0.0:
            kept.append(ring[k])
    return np.array(kept).reshape(-1, 3)


def level_quad(plane: WorldPlane, around: NDArray[np.float64], reach: float) -> PosedTriangles:
    """Two triangles of a plane that extend `reach` metres to all sides of the point nearest to `around`."""
    middle = around - plane.normal * float(dot(around - plane.point, plane.normal))
    first, second = plane_axes(plane.normal)
    sides = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ring = np.array([middle + reach * (a * first + b * second) for a, b in sides])
    return PosedTriangles(
        ring[[[0, 1, 2], [0, 2, 3]]],
        np.broadcast_to(plane.normal, (2, 3, 3)),
        np.broadcast_to(linear(FLOOR), (2, 3)),
        np.zeros((2, 3), bool),
    )


def plane_axes(normal: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit axes within a plane: world x and y for a level floor."""
    first = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    if norm(first) < 1e-6:
        first = np.array([0.0, 1.0, 0.0]) - normal[1] * normal
    first = unit(first)
    return first, np.cross(normal, first)
