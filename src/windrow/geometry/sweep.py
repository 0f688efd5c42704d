"""Paths of grains past a shape, in the shape's frame: what stops a grain that would pass through in one step.

A grain goes from a (in the shape's frame at the start of the step) to b (at the end). Usually the surface
near b tells all. It does not when the grain is fast or the wall is thin: b may lie beyond the wall, nearest to
the wrong side of it. Then a `barrier` is needed: the plane of the surface where the path met it.

Sphere tracing finds where a grain of given radius first touches: as far as the distance less the radius, a
step cannot overshoot. Crossings of the centre are found exactly for triangles, heights and shells, and by
tracing for the rest.
"""

from __future__ import annotations

from math import sqrt

from windrow.geometry.bvh import segment_through_mesh
from windrow.geometry.distance import closest
from windrow.geometry.height import segment_into_ground
from windrow.geometry.kinds import (
    CONE,
    DISTANCE_GRID,
    FACING,
    FAR,
    HEIGHT_FIELD,
    KIND,
    MESH,
    REVOLUTION,
    SIZES,
)
from windrow.geometry.revolution import segment_through_shell
from windrow.geometry.samples import free_way_in_samples
from windrow.geometry.terms import F32, F64, I32, Closest, Point
from windrow.kernel import inner, kernel

MOST_STEPS = 200
"""Sphere-tracing steps; only a path that creeps along a surface needs more, and then it counts as a touch."""
SAME_SIDE = 0.5
"""Cosine between the normals at the first touch and at b above which b is still on the side it came from."""
FAST = 0.5
"""Share of its radius that a grain must move in a step to slip through a hole smaller than itself."""


@kernel
def apart(a: Point, b: Point) -> float:
    """Distance between two points, m."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    return sqrt(dx * dx + dy * dy + dz * dz)


@inner
def on_way(a: Point, b: Point, t: float) -> Point:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])


@inner
def first_touch(
    param: F64, numbers: F32, s: int, a: Point, b: Point, radius: float, filters: F64, stack: I32
) -> Closest:
    """First touch of a ball that goes from a to b: `(t, normal, surface point)`, t = 2 when there is none.

    A ball that overlaps the shape at a touches at t = 0.
    """
    path = apart(a, b)
    close = 0.01 * radius
    sampled = int(param[s, KIND]) == DISTANCE_GRID
    t = 0.0
    nx, ny, nz, cx, cy, cz = 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        q = on_way(a, b, t)
        limit = (1.0 - t) * path + radius + 2.0 * close
        d, nx, ny, nz, cx, cy, cz = closest(param, numbers, s, q, limit, filters, 0, 0.0, stack)
        if d - radius <= close:
            return t, nx, ny, nz, cx, cy, cz
        step = d - radius
        if sampled:
            step = max(free_way_in_samples(q, param, numbers, s) - radius, min(0.1 * radius, 0.5 * d))
        if step >= (1.0 - t) * path:
            return 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
        t += step / path
    return t, nx, ny, nz, cx, cy, cz


@inner
def first_crossing(
    param: F64, numbers: F32, s: int, a: Point, b: Point, radius: float, filters: F64, stack: I32
) -> Closest:
    """Where the centre of a grain that goes from a to b enters the solid or passes the sheet.

    Returned as by `first_touch`. A centre that is in the solid already does not enter it. `radius` only sets
    the accuracy.
    """
    kind = int(param[s, KIND])
    half = 0.0
    if kind == MESH:
        t, nx, ny, nz = segment_through_mesh(a, b, param, numbers, s, stack)
    elif kind == REVOLUTION:
        t, nx, ny, nz = segment_through_shell(a, b, param, numbers, s)
        half = param[s, SIZES]
    elif kind == HEIGHT_FIELD:
        t, nx, ny, nz = segment_into_ground(a, b, param, numbers, s)
    else:
        start = closest(param, numbers, s, a, FAR, filters, 0, 0.0, stack)
        if start[0] <= 0.0 or (kind <= CONE and param[s, FACING] < 0.0):
            return 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
        return first_touch(param, numbers, s, a, b, min(0.01 * radius, 0.5 * start[0]), filters, stack)
    x, y, z = on_way(a, b, t)
    return t, nx, ny, nz, x + half * nx, y + half * ny, z + half * nz


@inner
def barrier(
    param: F64, numbers: F32, s: int, a: Point, b: Point, radius: float, filters: F64, stack: I32
) -> Closest:
    """The plane `(t, normal, point)` that must hold a grain going from a to b; t = 2: the one nearest b does.

    Convex solids: the plane at the first touch separates the grain from all of the solid; it is needed when
    the normal at b no longer agrees with it. Concave surfaces: the first touch may be with the floor while a
    wall further on is crossed; the touch counts if it stops the grain, else the plane at the crossing does.
    """
    kind = int(param[s, KIND])
    path = apart(a, b)
    none = (2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    if kind <= CONE:
        # Around a container everything is solid: the wall nearest to b is the right one wherever b is.
        if param[s, FACING] < 0.0:
            return none
        d, nx, ny, nz, _, _, _ = closest(param, numbers, s, b, FAR, filters, 0, 0.0, stack)
        if d > path:
            return none
        touch = first_touch(param, numbers, s, a, b, radius, filters, stack)
        if touch[0] > 1.0 or nx * touch[1] + ny * touch[2] + nz * touch[3] > SAME_SIDE:
            return none
        return touch
    crossing = first_crossing(param, numbers, s, a, b, radius, filters, stack)
    crosses = crossing[0] <= 1.0
    # Ground has no holes to slip through, and a slow grain is held by the rim it overlaps.
    if not crosses and (kind == HEIGHT_FIELD or path < FAST * radius):
        return none
    touch = first_touch(param, numbers, s, a, b, radius, filters, stack)
    if touch[0] > 1.0:
        return crossing
    stops = (b[0] - touch[4]) * touch[1] + (b[1] - touch[5]) * touch[2] + (b[2] - touch[6]) * touch[3] <= 0.0
    if crosses:
        return touch if stops else crossing
    d, nx, ny, nz, _, _, _ = closest(param, numbers, s, b, path + 2.0 * radius, filters, 0, 0.0, stack)
    if stops and nx * touch[1] + ny * touch[2] + nz * touch[3] < 0.0:
        return touch
    return none
