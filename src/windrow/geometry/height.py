"""Ground as heights on a grid: two triangles per cell, solid below, nothing beyond its edge.

Cell (i, j) is cut along the diagonal from its lower to its upper corner. Above the ground the distance is the
exact one to the nearest triangle; below it is the depth under the plane of the triangle overhead, which is
exact enough while shallow and always leads up.

Squares of 32 cells know their highest point, so that what is well above the ground there is told so at once.

A path is followed from grid line to grid line (lines of constant x, of constant y, and diagonals): between
two of them the ground is flat, so that the sign of the height at each line decides, and no ridge is jumped.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.bvh import passed_over
from windrow.geometry.kinds import FAR, PLACES, SIZES
from windrow.geometry.primitives import TINY, clipped
from windrow.geometry.terms import F32, F64, Closest, Crossing, Point
from windrow.geometry.triangle import closest_on_triangle
from windrow.kernel import inner, kernel

SQUARE = 32
"""Cells along the edge of a square whose highest point is known."""


def squares(nodes: int) -> int:
    """Squares along an axis with so many heights."""
    return -(-(nodes - 1) // SQUARE)


@kernel
def note_highest(param: F64, numbers: F32, s: int, i0: int, i1: int, j0: int, j1: int) -> None:
    """Looks for the highest points of all squares with a corner among the heights i0 … i1, j0 … j1 anew."""
    first, nx, ny = int(param[s, PLACES]), int(param[s, PLACES + 1]), int(param[s, PLACES + 2])
    highest, along = int(param[s, PLACES + 3]), (ny - 2) // SQUARE + 1
    for a in range(max(i0 - 1, 0) // SQUARE, min(i1, nx - 2) // SQUARE + 1):
        for b in range(max(j0 - 1, 0) // SQUARE, min(j1, ny - 2) // SQUARE + 1):
            high = np.float32(-np.inf)
            for i in range(a * SQUARE, min(a * SQUARE + SQUARE, nx - 1) + 1):
                for j in range(b * SQUARE, min(b * SQUARE + SQUARE, ny - 1) + 1):
                    high = max(high, numbers[first + i * ny + j])
            numbers[highest + a * along + b] = high


@inner
def clears_squares(x: float, y: float, lowest: float, limit: float, param: F64, numbers: F32, s: int) -> bool:
    """Whether all ground within `limit` of (x, y) is below a height; False where asking costs more than it saves."""
    nx, ny = int(param[s, PLACES + 1]), int(param[s, PLACES + 2])
    wide_x, wide_y = SQUARE * param[s, SIZES + 2], SQUARE * param[s, SIZES + 3]
    if limit > wide_x or limit > wide_y:
        return False
    highest, along = int(param[s, PLACES + 3]), (ny - 2) // SQUARE + 1
    far_x, far_y = float((nx - 2) // SQUARE), float(along - 1)
    a0 = int(clipped(np.floor((x - limit + param[s, SIZES]) / wide_x), far_x))
    a1 = int(clipped(np.floor((x + limit + param[s, SIZES]) / wide_x), far_x))
    b0 = int(clipped(np.floor((y - limit + param[s, SIZES + 1]) / wide_y), far_y))
    b1 = int(clipped(np.floor((y + limit + param[s, SIZES + 1]) / wide_y), far_y))
    for a in range(a0, a1 + 1):
        for b in range(b0, b1 + 1):
            if np.float64(numbers[highest + a * along + b]) >= lowest:
                return False
    return True


@inner
def ground_under(x: float, y: float, param: F64, numbers: F32, s: int) -> tuple[float, float, float]:
    """Height at (x, y) and its two slopes; at the nearest edge point when beyond the edge."""
    first, nx, ny = int(param[s, PLACES]), int(param[s, PLACES + 1]), int(param[s, PLACES + 2])
    dx, dy = param[s, SIZES + 2], param[s, SIZES + 3]
    u = clipped((x + param[s, SIZES]) / dx, nx - 1.0)
    v = clipped((y + param[s, SIZES + 1]) / dy, ny - 1.0)
    i, j = min(int(u), nx - 2), min(int(v), ny - 2)
    u, v = u - i, v - j
    at = first + i * ny + j
    h00, h01 = np.float64(numbers[at]), np.float64(numbers[at + 1])
    h10, h11 = np.float64(numbers[at + ny]), np.float64(numbers[at + ny + 1])
    if v < u:
        du, dv = h10 - h00, h11 - h10
    else:
        du, dv = h11 - h01, h01 - h00
    return h00 + u * du + v * dv, du / dx, dv / dy


@inner
def beyond_edge(x: float, y: float, param: F64, s: int) -> bool:
    return abs(x) > param[s, SIZES] or abs(y) > param[s, SIZES + 1]


@inner
def closest_on_ground(
    p: Point,
    param: F64,
    numbers: F32,
    s: int,
    limit: float,
    filters: F64,
    filter_count: int,
    tolerance: float,
) -> Closest:
    """Closest point of the ground within `limit`."""
    x, y, z = p
    first, nx, ny = int(param[s, PLACES]), int(param[s, PLACES + 1]), int(param[s, PLACES + 2])
    half_x, half_y = param[s, SIZES], param[s, SIZES + 1]
    dx, dy = param[s, SIZES + 2], param[s, SIZES + 3]
    if z - limit > param[s, SIZES + 5] or clears_squares(x, y, z - limit, limit, param, numbers, s):
        return FAR, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    height, slope_x, slope_y = ground_under(x, y, param, numbers, s)
    outside = beyond_edge(x, y, param, s)
    if z < height and not outside:
        length = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
        d = (z - height) / length
        ux, uy, uz = -slope_x / length, -slope_y / length, 1.0 / length
        return d, ux, uy, uz, x - d * ux, y - d * uy, z - d * uz
    reach = limit
    if not outside and filter_count == 0:
        reach = min(reach, z - height)
    best = reach * reach
    found = False
    cx, cy, cz = x, y, height
    if not outside and filter_count == 0 and z - height <= limit:
        found = True
    # Cells out of reach are cut off in floating point, because a far point would overflow an integer.
    i0 = int(clipped(np.floor((x - reach + half_x) / dx), nx - 2.0)) if x - reach <= half_x else nx
    i1 = int(min(np.floor((x + reach + half_x) / dx), nx - 2.0)) if x + reach >= -half_x else -1
    j0 = int(clipped(np.floor((y - reach + half_y) / dy), ny - 2.0)) if y - reach <= half_y else ny
    j1 = int(min(np.floor((y + reach + half_y) / dy), ny - 2.0)) if y + reach >= -half_y else -1
    for i in range(i0, i1 + 1):
        x0 = i * dx - half_x
        gap_x = max(x0 - x, x - x0 - dx, 0.0)
        for j in range(j0, j1 + 1):
            y0 = j * dy - half_y
            gap_y = max(y0 - y, y - y0 - dy, 0.0)
            at = first + i * ny + j
            h00, h01 = np.float64(numbers[at]), np.float64(numbers[at + 1])
            h10, h11 = np.float64(numbers[at + ny]), np.float64(numbers[at + ny + 1])
            gap_z = max(min(h00, h01, h10, h11) - z, z - max(h00, h01, h10, h11), 0.0)
            if gap_x * gap_x + gap_y * gap_y + gap_z * gap_z > best:
                continue
            low, high = (x0, y0, h00), (x0 + dx, y0 + dy, h11)
            for half in range(2):
                if half == 0:
                    tx, ty, tz, _ = closest_on_triangle(p, low, (x0 + dx, y0, h10), high)
                else:
                    tx, ty, tz, _ = closest_on_triangle(p, low, high, (x0, y0 + dy, h01))
                d2 = (x - tx) * (x - tx) + (y - ty) * (y - ty) + (z - tz) * (z - tz)
                if d2 < best and not passed_over(tx, ty, tz, filters, filter_count, tolerance):
                    best, found, cx, cy, cz = d2, True, tx, ty, tz
    if not found:
        return FAR, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    d = sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz))
    if d > TINY:
        return d, (x - cx) / d, (y - cy) / d, (z - cz) / d, cx, cy, cz
    length = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    return 0.0, -slope_x / length, -slope_y / length, 1.0 / length, cx, cy, cz


@inner
def _line_ahead(u: float, du: float) -> float:
    """The first whole number that u passes on its way."""
    return np.floor(u) + 1.0 if du > 0.0 else np.ceil(u) - 1.0


@inner
def _time_of_line(line: float, u: float, du: float) -> float:
    return (line - u) / du if du != 0.0 else 2.0


@inner
def segment_into_ground(p: Point, q: Point, param: F64, numbers: F32, s: int) -> Crossing:
    """Where segment pq first goes from above the ground to below it."""
    if min(p[2], q[2]) > param[s, SIZES + 5]:
        return 2.0, 0.0, 0.0, 1.0
    # The part of the path over the field.
    begin, end = 0.0, 1.0
    for axis in range(2):
        along = q[axis] - p[axis]
        if along == 0.0:
            if abs(p[axis]) > param[s, SIZES + axis]:
                return 2.0, 0.0, 0.0, 1.0
        else:
            t0, t1 = (-param[s, SIZES + axis] - p[axis]) / along, (param[s, SIZES + axis] - p[axis]) / along
            begin, end = max(begin, min(t0, t1)), min(end, max(t0, t1))
    if begin > end:
        return 2.0, 0.0, 0.0, 1.0
    dx, dy, dz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    px, py, pz = p[0] + begin * dx, p[1] + begin * dy, p[2] + begin * dz
    wide_x, wide_y = param[s, SIZES + 2], param[s, SIZES + 3]
    u, v = (px + param[s, SIZES]) / wide_x, (py + param[s, SIZES + 1]) / wide_y
    du, dv = dx / wide_x, dy / wide_y
    line_u, line_v, line_w = _line_ahead(u, du), _line_ahead(v, dv), _line_ahead(u - v, du - dv)
    height, _, _ = ground_under(px, py, param, numbers, s)
    t, above = 0.0, pz - height
    last = end - begin
    while t < last:
        t_u, t_v = _time_of_line(line_u, u, du), _time_of_line(line_v, v, dv)
        t_w = _time_of_line(line_w, u - v, du - dv)
        ahead = min(t_u, t_v, t_w, last)
        height, _, _ = ground_under(px + ahead * dx, py + ahead * dy, param, numbers, s)
        then = pz + ahead * dz - height
        if above >= 0.0 and then < 0.0:
            middle = 0.5 * (t + ahead)
            _, slope_x, slope_y = ground_under(px + middle * dx, py + middle * dy, param, numbers, s)
            length = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
            hit = begin + t + (ahead - t) * above / (above - then)
            return hit, -slope_x / length, -slope_y / length, 1.0 / length
        if t_u <= ahead:
            line_u += 1.0 if du > 0.0 else -1.0
        if t_v <= ahead:
            line_v += 1.0 if dv > 0.0 else -1.0
        if t_w <= ahead:
            line_w += 1.0 if du > dv else -1.0
        t, above = ahead, then
    return 2.0, 0.0, 0.0, 1.0
