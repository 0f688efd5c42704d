"""Questions about points and shapes that are asked from plain Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.fixed_math import dot, rotate
from windrow.geometry.borrow import borrowed
from windrow.geometry.bvh import STACK
from windrow.geometry.distance import closest
from windrow.geometry.kinds import FAR, SIZES
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I32
from windrow.kernel import BLOCK
from windrow.scene.shapes import Box, Cylinder, Sphere
from windrow.team import deal, parallel_counted


def distance_to_obstacles(table: ShapeTable, poses: ArrayLike, points: ArrayLike) -> tuple[F64, I32]:
    """Signed distance (m) of each point (n, 3) to the nearest obstacle, and which that is.

    Negative inside a solid or outside a container. Without obstacles the distance is infinite and the
    obstacle −1. `poses` (bodies, 12): rotation row by row, then position.
    """
    places = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
    distance, nearest = np.full(len(places), np.inf), np.full(len(places), -1, np.int32)
    if len(places) == 0 or len(table.kind) == 0:
        return distance, nearest
    pose = np.ascontiguousarray(poses, np.float64)
    for s in table.planes:
        normal = rotate(pose[s, :9].reshape(3, 3), table.param[s, SIZES : SIZES + 3])
        d = dot(places - pose[s, 9:], normal) - table.param[s, SIZES + 3]
        nearest[d < distance] = s
        distance = np.minimum(distance, d)
    # Nothing else is compiled for a scene of planes only.
    if len(table.solids):
        _nearest_solid(table.param, table.numbers, table.solids, pose, places, distance, nearest)
    return distance, nearest


@parallel_counted
def _nearest_solid(
    team: int, param: F64, numbers: F32, solids: I32, pose: F64, points: F64, distance: F64, nearest: I32
) -> None:
    count = len(points)
    for block in deal(team, (count + BLOCK - 1) // BLOCK):
        filters, stack = np.empty((1, 4)), np.empty(STACK, np.int32)
        for i in range(block * BLOCK, min(count, block * BLOCK + BLOCK)):
            for k in range(len(solids)):
                s = solids[k]
                x, y, z = points[i, 0] - pose[s, 9], points[i, 1] - pose[s, 10], points[i, 2] - pose[s, 11]
                local = (
                    pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z,
                    pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z,
                    pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z,
                )
                d = closest(
                    borrowed(param),
                    borrowed(numbers),
                    s,
                    local,
                    FAR,
                    borrowed(filters),
                    0,
                    0.0,
                    borrowed(stack),
                )[0]
                if d < distance[i]:
                    distance[i], nearest[i] = d, s


def inside_region(
    shape: Box | Sphere | Cylinder, position: ArrayLike, rotation: ArrayLike, points: ArrayLike
) -> NDArray[np.bool_]:
    """Which of the points (n, 3) lie in a region at `position` (3,) turned by `rotation` (3, 3)."""
    places = np.asarray(points, np.float64).reshape(-1, 3)
    local = rotate(np.asarray(rotation).T, places - np.asarray(position))
    if isinstance(shape, Box):
        inside = (np.abs(local) <= 0.5 * np.asarray(shape.size)).all(axis=1)
    elif isinstance(shape, Sphere):
        inside = dot(local, local) <= shape.radius * shape.radius
    else:
        around = dot(local[:, :2], local[:, :2]) <= shape.radius * shape.radius
        inside = around & (np.abs(local[:, 2]) <= 0.5 * shape.height)
    return np.asarray(inside, np.bool_)
