"""A solid given by signed distances on a regular grid: trilinear value, its gradient as normal.

Sampled functions are not always distances. If the samples around the surface do not rise by one metre per
metre, a value is divided by the length of its own gradient, which makes it a distance near the surface. (True
distances are left alone: the gradient of the interpolation is rough, and would make a ball's surface so too.)
While following a path, values are divided by the steepest gradient of the whole grid, so that no step can
jump over the surface. Beyond the grid there is no solid.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.kinds import FACING, PLACES, SIZES
from windrow.geometry.primitives import TINY, clipped
from windrow.geometry.terms import F32, F64, Closest, Point
from windrow.kernel import inner

FLATTEST = 0.2
"""Least gradient a value is divided by: where sides meet in the middle of the solid it vanishes."""


@inner
def sampled_value(p: Point, param: F64, numbers: F32, s: int) -> tuple[float, float, float, float]:
    """Trilinear value at a point of the grid (the nearest one for points beyond) and its gradient."""
    first, nx = int(param[s, PLACES]), int(param[s, PLACES + 1])
    ny, nz = int(param[s, PLACES + 2]), int(param[s, PLACES + 3])
    h = param[s, SIZES + 3]
    u = clipped((p[0] - param[s, SIZES]) / h, nx - 1.0)
    v = clipped((p[1] - param[s, SIZES + 1]) / h, ny - 1.0)
    w = clipped((p[2] - param[s, SIZES + 2]) / h, nz - 1.0)
    i, j, k = min(int(u), nx - 2), min(int(v), ny - 2), min(int(w), nz - 2)
    u, v, w = u - i, v - j, w - k
    at = first + (i * ny + j) * nz + k
    step = ny * nz
    a000, a001 = np.float64(numbers[at]), np.float64(numbers[at + 1])
    a010, a011 = np.float64(numbers[at + nz]), np.float64(numbers[at + nz + 1])
    a100, a101 = np.float64(numbers[at + step]), np.float64(numbers[at + step + 1])
    a110, a111 = np.float64(numbers[at + step + nz]), np.float64(numbers[at + step + nz + 1])
    b00, b01 = a000 + w * (a001 - a000), a010 + w * (a011 - a010)
    b10, b11 = a100 + w * (a101 - a100), a110 + w * (a111 - a110)
    c0, c1 = b00 + v * (b01 - b00), b10 + v * (b11 - b10)
    gx = (c1 - c0) / h
    gy = ((b01 - b00) + u * ((b11 - b10) - (b01 - b00))) / h
    w00, w01, w10, w11 = a001 - a000, a011 - a010, a101 - a100, a111 - a110
    w0, w1 = w00 + v * (w01 - w00), w10 + v * (w11 - w10)
    gz = (w0 + u * (w1 - w0)) / h
    return c0 + u * (c1 - c0), gx, gy, gz


@inner
def _to_grid(p: Point, param: F64, s: int) -> Point:
    """From the nearest point of the grid to p: zero unless p lies beyond the grid."""
    h = param[s, SIZES + 3]
    low_x, low_y, low_z = param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2]
    x = p[0] - min(max(p[0], low_x), low_x + (param[s, PLACES + 1] - 1.0) * h)
    y = p[1] - min(max(p[1], low_y), low_y + (param[s, PLACES + 2] - 1.0) * h)
    z = p[2] - min(max(p[2], low_z), low_z + (param[s, PLACES + 3] - 1.0) * h)
    return x, y, z


@inner
def closest_in_samples(p: Point, param: F64, numbers: F32, s: int) -> Closest:
    """Distance, normal and surface point."""
    facing = param[s, FACING]
    value, gx, gy, gz = sampled_value(p, param, numbers, s)
    slope = sqrt(gx * gx + gy * gy + gz * gz)
    if slope > TINY:
        ux, uy, uz = gx / slope, gy / slope, gz / slope
    else:
        ux, uy, uz = 0.0, 0.0, 1.0
    d = value if param[s, SIZES + 5] > 0.0 else value / max(slope, FLATTEST)
    ox, oy, oz = _to_grid(p, param, s)
    beyond = sqrt(ox * ox + oy * oy + oz * oz)
    if beyond > TINY:
        # The surface lies inside the grid, at or behind the point of the grid that is nearest to p.
        behind = max(d, 0.0)
        ux, uy, uz = ox + behind * ux, oy + behind * uy, oz + behind * uz
        length = max(sqrt(ux * ux + uy * uy + uz * uz), TINY)
        ux, uy, uz = ux / length, uy / length, uz / length
        d = max(length, beyond)
    return facing * d, facing * ux, facing * uy, facing * uz, p[0] - d * ux, p[1] - d * uy, p[2] - d * uz


@inner
def free_way_in_samples(p: Point, param: F64, numbers: F32, s: int) -> float:
    """Length, m, that surely lies between p and the surface, whatever the direction; not positive inside."""
    value, _, _, _ = sampled_value(p, param, numbers, s)
    sure = value / param[s, SIZES + 4]
    ox, oy, oz = _to_grid(p, param, s)
    beyond = ox * ox + oy * oy + oz * oz
    if beyond > 0.0:
        # From outside a convex box every point of it is at least as far as along a right angle.
        sure = sqrt(beyond + max(sure, 0.0) * max(sure, 0.0))
    return param[s, FACING] * sure
