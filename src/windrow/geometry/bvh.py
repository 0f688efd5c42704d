"""A bounding-volume tree over triangles: closest point, and first crossing of a segment.

The tree is complete and its order implicit. Node 1 is the root, node k has children 2k and 2k + 1, and with
2^levels leaves, leaf number j (node 2^levels + j) holds the triangles from (j·n) >> levels up to
((j + 1)·n) >> levels, so that no links are stored. Each level halves its triangles at the median of their
centres along the longest side. It is built level by level in NumPy: a million triangles take seconds, and
nothing has to be compiled for it.

Both searches take a `filters` list of planes (nx, ny, nz, offset): closest points that do not stand at least
`tolerance` in front of every one of them are passed over. That is how a grain gets the second wall of a
concave corner, and never a second contact with a flat or convex surface it already rests on.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.kinds import FACING, FAR, PLACES
from windrow.geometry.primitives import TINY
from windrow.geometry.terms import F32, F64, I32, I64, Closest, Crossing, Point
from windrow.geometry.triangle import closest_on_triangle, segment_through_triangle, triangle_normal
from windrow.kernel import inner, kernel

TRIANGLES_PER_LEAF = 4
STACK = 64
"""Entries the searches need in their `stack`: two per level, and no tree has more than 32 levels."""


def build_tree(triangles: F64) -> tuple[I64, F32, int]:
    """Order of the triangles (n, 3, 3), node boxes (2·2^levels, 6) as lower and upper corner, and levels.

    Row 0 of the boxes is unused.
    """
    count = len(triangles)
    levels = (max(0, count - 1) // TRIANGLES_PER_LEAF).bit_length()
    lower, upper = triangles.min(axis=1), triangles.max(axis=1)
    centers = 0.5 * (lower + upper)
    order = np.arange(count)
    for level in range(levels):
        first = _first_of_node(count, level)
        node = np.repeat(np.arange(len(first)), np.diff(np.append(first, count)))
        ordered = centers[order]
        extent = np.maximum.reduceat(ordered, first) - np.minimum.reduceat(ordered, first)
        along = ordered[np.arange(count), extent.argmax(axis=1)[node]]
        order = order[np.lexsort((along, node))]
    boxes = np.zeros((2 << levels, 6))
    first = _first_of_node(count, levels)
    leaves = 1 << levels
    boxes[leaves:, :3] = np.minimum.reduceat(lower[order], first)
    boxes[leaves:, 3:] = np.maximum.reduceat(upper[order], first)
    for level in range(levels - 1, -1, -1):
        nodes = np.arange(1 << level, 2 << level)
        boxes[nodes, :3] = np.minimum(boxes[2 * nodes, :3], boxes[2 * nodes + 1, :3])
        boxes[nodes, 3:] = np.maximum(boxes[2 * nodes, 3:], boxes[2 * nodes + 1, 3:])
    return order, boxes.astype(np.float32), levels


def _first_of_node(count: int, level: int) -> I64:
    return (np.arange(1 << level, dtype=np.int64) * count) >> level


@inner
def passed_over(x: float, y: float, z: float, filters: F64, filter_count: int, tolerance: float) -> bool:
    """Whether a surface point fails to stand in front of one of the planes."""
    for k in range(filter_count):
        if filters[k, 0] * x + filters[k, 1] * y + filters[k, 2] * z - filters[k, 3] <= tolerance:
            return True
    return False


@inner
def _box_behind(numbers: F32, at: int, filters: F64, filter_count: int, tolerance: float) -> bool:
    """Whether all of a node's box is behind one of the planes."""
    for k in range(filter_count):
        nx, ny, nz = filters[k, 0], filters[k, 1], filters[k, 2]
        x = numbers[at + 3] if nx > 0.0 else numbers[at]
        y = numbers[at + 4] if ny > 0.0 else numbers[at + 1]
        z = numbers[at + 5] if nz > 0.0 else numbers[at + 2]
        if nx * x + ny * y + nz * z - filters[k, 3] <= tolerance:
            return True
    return False


@inner
def _box_distance_squared(p: Point, numbers: F32, at: int) -> float:
    dx = max(numbers[at] - p[0], p[0] - numbers[at + 3], 0.0)
    dy = max(numbers[at + 1] - p[1], p[1] - numbers[at + 4], 0.0)
    dz = max(numbers[at + 2] - p[2], p[2] - numbers[at + 5], 0.0)
    return dx * dx + dy * dy + dz * dz


@kernel
def corner(numbers: F32, at: int) -> Point:
    return np.float64(numbers[at]), np.float64(numbers[at + 1]), np.float64(numbers[at + 2])


@inner
def closest_on_mesh(
    p: Point,
    param: F64,
    numbers: F32,
    s: int,
    limit: float,
    filters: F64,
    filter_count: int,
    tolerance: float,
    stack: I32,
) -> Closest:
    """Closest point of a mesh within `limit` of p.

    A thin sheet has no pseudonormals (normals = −1), its distance no sign, and its normal points to p.
    Otherwise the sign comes from the pseudonormal of the part of the triangle that is closest (Bærentzen and
    Aanæs 2005). Past the first contact (filter_count > 0) only triangles that p sees from their free side
    are meant.
    """
    triangles, count = int(param[s, PLACES]), int(param[s, PLACES + 1])
    nodes, levels = int(param[s, PLACES + 2]), int(param[s, PLACES + 3])
    normals, facing = int(param[s, PLACES + 4]), param[s, FACING]
    best = limit * limit
    found = -1
    part = 0
    cx = cy = cz = 0.0
    leaves = 1 << levels
    stack[0] = 1
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        at = nodes + 6 * node
        if _box_distance_squared(p, numbers, at) > best:
            continue
        if filter_count > 0 and _box_behind(numbers, at, filters, filter_count, tolerance):
            continue
        if node < leaves:
            left = 2 * node
            near = _box_distance_squared(p, numbers, nodes + 6 * left)
            far = _box_distance_squared(p, numbers, nodes + 6 * left + 6)
            swap = 1 if far < near else 0
            if max(near, far) <= best:
                stack[top] = left + 1 - swap
                top += 1
            if min(near, far) <= best:
                stack[top] = left + swap
                top += 1
            continue
        leaf = node - leaves
        for k in range((leaf * count) >> levels, ((leaf + 1) * count) >> levels):
            first = triangles + 9 * k
            a, b, c = corner(numbers, first), corner(numbers, first + 3), corner(numbers, first + 6)
            x, y, z, lies_on = closest_on_triangle(p, a, b, c)
            dx, dy, dz = p[0] - x, p[1] - y, p[2] - z
            d2 = dx * dx + dy * dy + dz * dz
            # Ties go to the lower number, so that the answer does not depend on the order of the search.
            if d2 > best or (d2 == best and found >= 0 and k > found):
                continue
            if filter_count > 0:
                if passed_over(x, y, z, filters, filter_count, tolerance):
                    continue
                if normals >= 0:
                    nx, ny, nz = triangle_normal(a, b, c)
                    if facing * (dx * nx + dy * ny + dz * nz) <= 0.0:
                        continue
            best, found, part, cx, cy, cz = d2, k, lies_on, x, y, z
    if found < 0:
        return FAR, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    d = sqrt(best)
    ux, uy, uz = p[0] - cx, p[1] - cy, p[2] - cz
    if normals >= 0:
        nx, ny, nz = corner(numbers, normals + 21 * found + 3 * part)
        if facing * (ux * nx + uy * ny + uz * nz) < 0.0:
            d = -d
        nx, ny, nz = facing * nx, facing * ny, facing * nz
    else:
        first = triangles + 9 * found
        nx, ny, nz = triangle_normal(
            corner(numbers, first), corner(numbers, first + 3), corner(numbers, first + 6)
        )
        length = sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx / length, ny / length, nz / length
    if abs(d) > TINY:
        nx, ny, nz = ux / d, uy / d, uz / d
    return d, nx, ny, nz, cx, cy, cz


@inner
def _segment_misses_box(p: Point, q: Point, numbers: F32, at: int, before: float) -> bool:
    """Whether segment pq leaves the node's box aside over t = 0 … before."""
    enter, leave = 0.0, before
    for axis in range(3):
        start = p[axis]
        along = q[axis] - start
        low, high = numbers[at + axis] - start, numbers[at + 3 + axis] - start
        if along == 0.0:
            if low > 0.0 or high < 0.0:
                return True
        else:
            t0, t1 = low / along, high / along
            enter = max(enter, min(t0, t1) - 1e-9)
            leave = min(leave, max(t0, t1) + 1e-9)
    return enter > leave


@inner
def segment_through_mesh(p: Point, q: Point, param: F64, numbers: F32, s: int, stack: I32) -> Crossing:
    """First triangle that segment pq goes through; of a solid, the first through which it goes in."""
    triangles, count = int(param[s, PLACES]), int(param[s, PLACES + 1])
    nodes, levels = int(param[s, PLACES + 2]), int(param[s, PLACES + 3])
    normals, facing = int(param[s, PLACES + 4]), param[s, FACING]
    best = 2.0
    bx, by, bz = 0.0, 0.0, 1.0
    leaves = 1 << levels
    stack[0] = 1
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if _segment_misses_box(p, q, numbers, nodes + 6 * node, min(best, 1.0)):
            continue
        if node < leaves:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node
            top += 2
            continue
        leaf = node - leaves
        for k in range((leaf * count) >> levels, ((leaf + 1) * count) >> levels):
            first = triangles + 9 * k
            a, b, c = corner(numbers, first), corner(numbers, first + 3), corner(numbers, first + 6)
            t, side = segment_through_triangle(p, q, a, b, c)
            if t < best and (normals < 0 or side * facing > 0.0):
                best = t
                nx, ny, nz = triangle_normal(a, b, c)
                length = side / sqrt(nx * nx + ny * ny + nz * nz)
                bx, by, bz = nx * length, ny * length, nz * length
    return best, bx, by, bz
