"""Shells made by turning a line of (r, z) points around z: tubes, funnels, hoppers, hourglasses.

The whole problem lies in the half plane through the axis and the grain, where the shell is a polyline and the
grain a disc. Past the first contact the polyline mirrored at the axis counts too, so that a grain in a narrow
neck rests on both sides of it. A shell of thickness 2h is the set of points within h of the line: distances
lose h, and everything else stays.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.bvh import passed_over
from windrow.geometry.kinds import FAR, PLACES, SIZES
from windrow.geometry.primitives import TINY, radial
from windrow.geometry.terms import F32, F64, Closest, Crossing, Point
from windrow.kernel import inner

SLACK = 1e-7
"""Length, m, by which a crossing may lie beside a profile segment: closes the seams between segments."""
ROUNDING = 1e-9
"""Share by which a segment must be farther along the axis than what is looked for to be left out unseen."""


@inner
def closest_on_shell(
    p: Point,
    param: F64,
    numbers: F32,
    s: int,
    limit: float,
    filters: F64,
    filter_count: int,
    tolerance: float,
) -> Closest:
    """Closest point of the shell within `limit`."""
    half = param[s, SIZES]
    first, points = int(param[s, PLACES]), int(param[s, PLACES + 1])
    rho, ux, uy = radial(p[0], p[1])
    best = (limit + half) * (limit + half)
    found = -1
    side = 1.0
    cr = cz = 0.0
    for k in range(points - 1):
        r0, z0 = np.float64(numbers[first + 2 * k]), np.float64(numbers[first + 2 * k + 1])
        z1 = np.float64(numbers[first + 2 * k + 3])
        beyond = max(min(z0, z1) - p[2], p[2] - max(z0, z1))
        if beyond > 0.0 and beyond * beyond > best * (1.0 + ROUNDING):
            continue
        dr, dz = numbers[first + 2 * k + 2] - r0, numbers[first + 2 * k + 3] - z0
        square = dr * dr + dz * dz
        for mirrored in range(2 if filter_count > 0 else 1):
            across = rho if mirrored == 0 else -rho
            t = min(max(((across - r0) * dr + (p[2] - z0) * dz) / square, 0.0), 1.0)
            r, z = r0 + t * dr, z0 + t * dz
            d2 = (across - r) * (across - r) + (p[2] - z) * (p[2] - z)
            if d2 >= best:
                continue
            sign = 1.0 if mirrored == 0 else -1.0
            if filter_count > 0:
                d = max(sqrt(d2), TINY)
                out_r = sign * (r + half * (across - r) / d)
                out_z = z + half * (p[2] - z) / d
                if passed_over(ux * out_r, uy * out_r, out_z, filters, filter_count, tolerance):
                    continue
            best, found, side, cr, cz = d2, k, sign, r, z
    if found < 0:
        return FAR, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    d = sqrt(best)
    if d > TINY:
        nr, nz = (side * rho - cr) / d, (p[2] - cz) / d
    else:
        dr = np.float64(numbers[first + 2 * found + 2] - numbers[first + 2 * found])
        dz = np.float64(numbers[first + 2 * found + 3] - numbers[first + 2 * found + 1])
        length = sqrt(dr * dr + dz * dz)
        nr, nz = dz / length, -dr / length
    cr, cz = side * (cr + half * nr), cz + half * nz
    nr *= side
    return d - half, ux * nr, uy * nr, nz, ux * cr, uy * cr, cz


@inner
def segment_through_shell(p: Point, q: Point, param: F64, numbers: F32, s: int) -> Crossing:
    """First crossing of segment pq with the turned line.

    A point of the path lies on the cone of a profile segment of direction (dr, dz) when
    ρ dz = r₀ dz + (z − z₀) dr, squared a quadratic in t; a flat ring (dz = 0) is crossed where z = z₀.
    """
    first, points = int(param[s, PLACES]), int(param[s, PLACES + 1])
    dx, dy, dz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    path = sqrt(dx * dx + dy * dy + dz * dz)
    slack = SLACK + 1e-6 * path
    lowest, highest = min(p[2], q[2]) - 2.0 * slack, max(p[2], q[2]) + 2.0 * slack
    best = 2.0
    bx, by, bz = 0.0, 0.0, 1.0
    for k in range(points - 1):
        r0, z0 = np.float64(numbers[first + 2 * k]), np.float64(numbers[first + 2 * k + 1])
        z1 = np.float64(numbers[first + 2 * k + 3])
        if max(z0, z1) < lowest or min(z0, z1) > highest:
            continue
        sr, sz = numbers[first + 2 * k + 2] - r0, numbers[first + 2 * k + 3] - z0
        length = sqrt(sr * sr + sz * sz)
        sr, sz = sr / length, sz / length
        if abs(sz) < 1e-9:
            roots = (z0 - p[2]) / dz if dz != 0.0 else -1.0
            low, high = roots, -1.0
        else:
            offset, rate = r0 * sz + (p[2] - z0) * sr, dz * sr
            a = (dx * dx + dy * dy) * sz * sz - rate * rate
            b = (p[0] * dx + p[1] * dy) * sz * sz - offset * rate
            c = (p[0] * p[0] + p[1] * p[1]) * sz * sz - offset * offset
            under = b * b - a * c
            if under < 0.0:
                continue
            # The stable pair of roots: never the difference of two nearly equal numbers.
            m = -(b + sqrt(under)) if b >= 0.0 else sqrt(under) - b
            low = m / a if a != 0.0 else -1.0
            high = c / m if m != 0.0 else -1.0
        for which in range(2):
            t = low if which == 0 else high
            if not (t > 0.0 and t <= 1.0 and t < best):
                continue
            rho, ux, uy = radial(p[0] + t * dx, p[1] + t * dy)
            z = p[2] + t * dz
            along = (rho - r0) * sr + (z - z0) * sz
            beside = (rho - r0) * sz - (z - z0) * sr
            if along < -slack or along > length + slack or abs(beside) > slack:
                continue
            side = -1.0 if dx * ux * sz + dy * uy * sz - dz * sr > 0.0 else 1.0
            best = t
            bx, by, bz = side * ux * sz, side * uy * sz, -side * sr
    return best, bx, by, bz
