"""Closest point of any shape to a point in the shape's frame: the one place that knows all kinds.

Distances are positive where grains may be and negative inside the solid, with `inside` already applied: for a
container the solid is what lies around it. The normal points to where grains may be. Thin sheets and shells
have no inside: their distance is never negative (less half a shell's thickness) and the normal points to the
side the point is on.
"""

from __future__ import annotations

import numpy as np

from windrow.geometry.bvh import STACK, closest_on_mesh
from windrow.geometry.height import closest_on_ground
from windrow.geometry.kinds import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    FACING,
    FAR,
    HEIGHT_FIELD,
    KIND,
    MESH,
    PLANE,
    REVOLUTION,
    SIZES,
    SPHERE,
)
from windrow.geometry.primitives import (
    box_distance,
    box_wall,
    capsule_distance,
    cone_distance,
    cone_wall,
    cylinder_distance,
    cylinder_wall,
    sphere_distance,
)
from windrow.geometry.revolution import closest_on_shell
from windrow.geometry.samples import closest_in_samples
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I32, Closest, Distance, Point
from windrow.kernel import inner, kernel


@inner
def solid_distance(param: F64, s: int, x: float, y: float, z: float) -> Distance:
    """Signed distance and outward normal of the shapes that have a formula."""
    kind = int(param[s, KIND])
    a, b, c = param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2]
    if kind == PLANE:
        return a * x + b * y + c * z - param[s, SIZES + 3], a, b, c
    if kind == BOX:
        return box_distance(x, y, z, a, b, c)
    if kind == SPHERE:
        return sphere_distance(x, y, z, a)
    if kind == CYLINDER:
        return cylinder_distance(x, y, z, a, b)
    if kind == CAPSULE:
        return capsule_distance(x, y, z, a, b)
    return cone_distance(x, y, z, a, b, c)


@kernel
def closest(
    param: F64,
    numbers: F32,
    s: int,
    p: Point,
    limit: float,
    filters: F64,
    filter_count: int,
    tolerance: float,
    stack: I32,
) -> Closest:
    """Closest surface point of shape s, or distance FAR when it has none within `limit`.

    Shapes with a formula answer at any distance. `filters`, see `geometry.bvh`, are used by concave surfaces.
    `stack` is scratch space of `bvh.STACK` entries.
    """
    kind = int(param[s, KIND])
    if kind <= CONE:
        facing = param[s, FACING]
        d, nx, ny, nz = solid_distance(param, s, p[0], p[1], p[2])
        cx, cy, cz = p[0] - d * nx, p[1] - d * ny, p[2] - d * nz
        return facing * d, facing * nx, facing * ny, facing * nz, cx, cy, cz
    if kind == MESH:
        return closest_on_mesh(p, param, numbers, s, limit, filters, filter_count, tolerance, stack)
    if kind == HEIGHT_FIELD:
        return closest_on_ground(p, param, numbers, s, limit, filters, filter_count, tolerance)
    if kind == REVOLUTION:
        return closest_on_shell(p, param, numbers, s, limit, filters, filter_count, tolerance)
    return closest_in_samples(p, param, numbers, s)


@inner
def container_wall(param: F64, s: int, k: int, p: Point) -> Distance:
    """Wall number k of a container with a formula: gap to it and the normal into the container."""
    kind = int(param[s, KIND])
    a, b, c = param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2]
    if kind == BOX:
        return box_wall(k, p[0], p[1], p[2], a, b, c)
    if kind == CYLINDER:
        return cylinder_wall(k, p[0], p[1], p[2], a, b)
    if kind == CONE:
        return cone_wall(k, p[0], p[1], p[2], a, b, c)
    d, nx, ny, nz = solid_distance(param, s, p[0], p[1], p[2])
    return -d, -nx, -ny, -nz


@inner
def shape_distance(table: ShapeTable, s: int, x: float, y: float, z: float) -> Distance:
    """Signed distance of a local point to shape s and the normal there, however far it is."""
    filters = np.empty((1, 4))
    stack = np.empty(STACK, np.int32)
    d, nx, ny, nz, _, _, _ = closest(table.param, table.numbers, s, (x, y, z), FAR, filters, 0, 0.0, stack)
    return d, nx, ny, nz
