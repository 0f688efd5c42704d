"""Pairs of grains that touch, from positions alone: for reading a state, not for stepping it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm

Ends = NDArray[np.int64]


def touching_pairs(
    position: NDArray[np.float64], radius: NDArray[np.float64], reach: float = 1.0
) -> tuple[Ends, Ends, NDArray[np.float64]]:
    """Rows i < j of the pairs nearer than `reach` times the sum of their radii, in order, and their distances, m.

    Grains that are not finite touch nothing.
    """
    near = _near_pairs(position, radius, reach)
    i, j = near.min(axis=1), near.max(axis=1)
    distance = norm(position[j] - position[i])
    touching = distance < reach * (radius[i] + radius[j])
    i, j, distance = i[touching], j[touching], distance[touching]
    order = np.lexsort((j, i))
    return i[order], j[order], distance[order]


def _near_pairs(x: NDArray[np.float64], r: NDArray[np.float64], reach: float) -> NDArray[np.int64]:
    """(p, 2) at least all pairs within reach."""
    from scipy.spatial import cKDTree

    usable = np.nonzero(np.isfinite(x).all(axis=1) & np.isfinite(r) & (r > 0))[0]
    if len(usable) == 0:
        return np.empty((0, 2), np.int64)
    # Searched in classes of radii within a factor of two, so that one boulder does not slow the sand.
    level = np.frexp(r[usable] / r[usable].min())[1]
    classes = [usable[level == k] for k in np.unique(level)]
    trees = [cKDTree(x[members]) for members in classes]
    largest = [r[members].max() for members in classes]
    found = [np.empty((0, 2), np.int64)]
    for a, members in enumerate(classes):
        found.append(members[trees[a].query_pairs(reach * 2 * largest[a], output_type="ndarray")])
        for b in range(a + 1, len(classes)):
            cross = trees[a].sparse_distance_matrix(
                trees[b], reach * (largest[a] + largest[b]), output_type="ndarray"
            )
            found.append(np.stack([members[cross["i"]], classes[b][cross["j"]]], axis=1))
    return np.concatenate(found)
