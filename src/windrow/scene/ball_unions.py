"""Volume, centre and moments of balls that overlap, each part of space counted once.

A plane z cuts the balls into discs. Along the outline of their union, which is made of arcs, Green's theorem gives area
and moments of the slice; both integrals, along arcs and over z, are Gauss's, between all heights at which the outline
changes its kind. What is integrated is smooth there, so that the result is exact to some 1e-10.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from windrow.fixed_math import arctangent2, cosine, cube, norm, sine_cosine
from windrow.scene.arrays import FloatArray

NODES = 20
"""Points of Gauss's rule on an arc and between two heights."""
MOST_BALLS = 64
SAME = 1e-12


class Union(NamedTuple):
    """Of unit density, m."""

    volume: float
    center: FloatArray
    inertia: FloatArray
    """(3, 3) about the centre, m⁵"""


@cache
def gauss(count: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on [−1, 1]: roots of Legendre's polynomial by Newton's method."""
    nodes, weights = np.zeros(count), np.zeros(count)
    for k in range(count):
        x = float(cosine(math.pi * (k + 0.75) / (count + 0.5)))
        slope = 1.0
        for _ in range(50):
            before, value = 1.0, x
            for n in range(2, count + 1):
                before, value = value, ((2 * n - 1) * x * value - (n - 1) * before) / n
            slope = count * (x * value - before) / (x * x - 1.0)
            x -= value / slope
        nodes[k], weights[k] = x, 2.0 / ((1.0 - x * x) * slope * slope)
    return nodes, weights


def ball_union(centers: FloatArray, radii: FloatArray) -> Union:
    """Of balls at `centers` (n, 3) with `radii` (n,), m."""
    x, w = gauss(NODES)
    # about the mean centre, so that nothing large cancels
    midst = centers.mean(axis=0)
    places = centers - midst
    total = np.zeros(10)
    heights = _heights(places, radii)
    for low, high in itertools.pairwise(heights):
        # z = middle − half cos φ: roots at the ends of an interval become smooth
        angle = 0.5 * math.pi * (x + 1.0)
        s, c = sine_cosine(angle)
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        for z, weight in zip(middle - half * c, 0.5 * math.pi * w * half * s, strict=True):
            area, mx, my, xx, yy, xy = _slice(places, radii, float(z))
            total += weight * np.array([area, mx, my, z * area, xx, yy, z * z * area, xy, z * mx, z * my])
    volume = float(total[0])
    center = total[1:4] / volume
    xx, yy, zz, xy, xz, yz = total[4:] - volume * np.array(
        [center[a] * center[b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    )
    inertia = np.array([[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]])
    return Union(volume, midst + center, inertia)


def _slice(centers: FloatArray, radii: FloatArray, z: float) -> FloatArray:
    """∫ of 1, x, y, x², y², xy over the union of the discs at height z, along the arcs of its outline."""
    square = radii * radii - (z - centers[:, 2]) * (z - centers[:, 2])
    cut = square > 0.0
    middle, rho = centers[cut, :2], np.sqrt(square[cut])
    nodes, weights = gauss(NODES)
    total = np.zeros(6)
    for k in range(len(rho)):
        for begin, end in _free_arcs(middle, rho, k):
            half = 0.5 * (end - begin)
            s, c = sine_cosine(0.5 * (begin + end) + half * nodes)
            x, y = middle[k, 0] + rho[k] * c, middle[k, 1] + rho[k] * s
            dx, dy = -rho[k] * s * half * weights, rho[k] * c * half * weights
            total += (
                0.5 * float((x * dy - y * dx).sum()),
                0.5 * float((x * x * dy).sum()),
                -0.5 * float((y * y * dx).sum()),
                float((cube(x) * dy).sum()) / 3.0,
                -float((cube(y) * dx).sum()) / 3.0,
                0.5 * float((x * x * y * dy).sum()),
            )
    return total


def _free_arcs(middle: FloatArray, rho: FloatArray, k: int) -> Iterator[tuple[float, float]]:
    """Arcs of circle k (angles) that no other disc covers; of two equal discs the first one has them."""
    covered: list[tuple[float, float]] = []
    for m in range(len(rho)):
        if m == k:
            continue
        d = middle[m] - middle[k]
        distance = float(norm(d))
        equal = distance < SAME and abs(rho[m] - rho[k]) < SAME
        if equal and m > k:
            continue
        if equal or distance + rho[k] <= rho[m]:
            return
        if distance >= rho[k] + rho[m] or distance + rho[m] <= rho[k]:
            continue
        along = (distance * distance + rho[k] * rho[k] - rho[m] * rho[m]) / (2.0 * distance)
        across = math.sqrt(max(rho[k] * rho[k] - along * along, 0.0))
        opening, toward = float(arctangent2(across, along)), float(arctangent2(d[1], d[0]))
        begin, end = toward - opening, toward + opening
        if begin < -math.pi:
            covered += [(begin + 2.0 * math.pi, math.pi), (-math.pi, end)]
        elif end > math.pi:
            covered += [(begin, math.pi), (-math.pi, end - 2.0 * math.pi)]
        else:
            covered.append((begin, end))
    at = -math.pi
    for begin, end in sorted(covered):
        if begin > at:
            yield at, begin
        at = max(at, end)
    if at < math.pi:
        yield at, math.pi


def _heights(centers: FloatArray, radii: FloatArray) -> list[float]:
    """All heights at which the outline of a slice may change its kind, in order."""
    found = [*(centers[:, 2] - radii), *(centers[:, 2] + radii)]
    for i in range(len(radii)):
        for j in range(i):
            found += _circle_heights(centers, radii, i, j)
            for k in range(j):
                found += _corner_heights(centers[[i, j, k]], radii[[i, j, k]])
    ordered = sorted(float(z) for z in found)
    size = ordered[-1] - ordered[0]
    kept = [ordered[0]]
    for z in ordered[1:]:
        if z - kept[-1] > 1e-11 * size:
            kept.append(z)
    return kept


def _circle_heights(centers: FloatArray, radii: FloatArray, i: int, j: int) -> list[float]:
    """Lowest and highest point of the circle in which two balls meet; and where equal slices are."""
    d = centers[j] - centers[i]
    distance = float(norm(d))
    if distance < SAME or distance >= radii[i] + radii[j] or distance <= abs(radii[i] - radii[j]):
        return []
    along = (distance * distance + radii[i] * radii[i] - radii[j] * radii[j]) / (2.0 * distance)
    rho = math.sqrt(max(radii[i] * radii[i] - along * along, 0.0))
    n = d / distance
    middle = float(centers[i, 2] + along * n[2])
    reach = rho * math.sqrt(max(1.0 - float(n[2]) * float(n[2]), 0.0))
    return [middle - reach, middle + reach]


def _corner_heights(centers: FloatArray, radii: FloatArray) -> list[float]:
    """Heights of the two points in which three spheres meet."""
    a, b = centers[1] - centers[0], centers[2] - centers[0]
    aa, ab, bb = (float((u * v).sum()) for u, v in ((a, a), (a, b), (b, b)))
    det = aa * bb - ab * ab
    if det < 1e-20 * max(aa * bb, 1e-300):
        return []
    square = radii * radii
    p, q = 0.5 * float(square[0] - square[1] + aa), 0.5 * float(square[0] - square[2] + bb)
    s, t = (p * bb - q * ab) / det, (q * aa - p * ab) / det
    foot = s * a + t * b
    left = float(square[0]) - float((foot * foot).sum())
    if left <= 0.0:
        return []
    normal = np.cross(a, b) / math.sqrt(det)
    reach = math.sqrt(left) * float(normal[2])
    return [float(centers[0, 2] + foot[2]) - abs(reach), float(centers[0, 2] + foot[2]) + abs(reach)]
