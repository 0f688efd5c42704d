"""How densely grains lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

POINTS_PER_GRAIN = 65
"""Sample points in the volume of a mean grain."""
FEWEST_POINTS, MOST_POINTS = 20_000, 2_000_000
ROOT = 1.2207440846057596
"""Root of x⁴ = x + 1: its powers give the evenest additive sequence in three dimensions."""
NEAREST = 8
"""Centres looked at from each point; the grain a point lies in is among the nearest ones."""


def solid_fraction(position: ArrayLike, radius: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> float:
    """Share of the box from `lower` to `upper` (m) that lies inside grains; an overlap counts once.

    Counted on evenly scattered points: a regular grid of them could fall in with a regular packing. Keep two diameters
    away from walls and from the surface, where grains lie less densely.
    """
    from scipy.spatial import cKDTree

    x = np.asarray(position, np.float64).reshape(-1, 3)
    r = np.broadcast_to(np.asarray(radius, np.float64), (len(x),))
    low, high = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
    if not (high > low).all():
        raise ValueError(f"the box from {low.tolist()} to {high.tolist()} m is empty")
    if len(x) == 0:
        return 0.0
    wanted = POINTS_PER_GRAIN * float(np.prod(high - low)) / (4.0 / 3.0 * np.pi * float(r.mean()) ** 3)
    count = int(np.clip(wanted, FEWEST_POINTS, MOST_POINTS))
    stride = ROOT ** -np.arange(1.0, 4.0)
    points = low + ((0.5 + np.arange(1, count + 1)[:, None] * stride) % 1.0) * (high - low)
    nearest = min(NEAREST, len(x))
    distance, grain = cKDTree(x).query(points, k=nearest)
    inside = (distance < r[grain]).reshape(len(points), -1).any(axis=1)
    return float(inside.mean())
