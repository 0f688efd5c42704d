"""How densely grains lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

POINTS_PER_RADIUS = 2.5
"""Sample points along one mean radius."""
NEAREST = 8
"""Centres looked at from each point; the grain a point lies in is among the nearest ones."""


def solid_fraction(position: ArrayLike, radius: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> float:
    """Share of the box from `lower` to `upper` (m) that lies inside grains; an overlap counts once.

    Counted on a regular grid of points. Keep two diameters away from walls and from the surface, where grains lie
    less densely.
    """
    from scipy.spatial import cKDTree

    x = np.asarray(position, np.float64).reshape(-1, 3)
    r = np.broadcast_to(np.asarray(radius, np.float64), (len(x),))
    low, high = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
    if not (high > low).all():
        raise ValueError(f"the box from {low.tolist()} to {high.tolist()} m is empty")
    if len(x) == 0:
        return 0.0
    step = float(r.mean()) / POINTS_PER_RADIUS
    axes = [
        a + (np.arange(n) + 0.5) * (b - a) / n
        for a, b, n in zip(low, high, np.ceil((high - low) / step).astype(int), strict=True)
    ]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    nearest = min(NEAREST, len(x))
    distance, grain = cKDTree(x).query(points, k=nearest)
    inside = (distance < r[grain]).reshape(len(points), -1).any(axis=1)
    return float(inside.mean())
