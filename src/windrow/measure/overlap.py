"""Which grains touch, how deep, and with which force, from positions alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.collide.touching import touching_pairs


@dataclass(frozen=True)
class OverlappingPairs:
    """Pairs of grains; each pair once, `first` < `second`, in the order of both."""

    first: NDArray[np.int64]
    """(c,) row of the one grain"""
    second: NDArray[np.int64]
    """(c,) row of the other grain"""
    overlap: NDArray[np.float64]
    """(c,) sum of the radii less the distance, m; negative for a gap"""
    relative: NDArray[np.float64]
    """(c,) overlap over the smaller radius"""
    grains: int
    """number of grains that were searched"""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def per_grain(self) -> NDArray[np.int64]:
        """(n,) number of contacts of each grain."""
        ends = np.concatenate([self.first, self.second])
        return np.bincount(ends, minlength=self.grains)

    @property
    def mean_relative(self) -> float:
        """Mean overlap over the smaller radius; 0 without contacts."""
        return float(self.relative.mean()) if len(self) else 0.0

    @property
    def max_relative(self) -> float:
        """Largest overlap over the smaller radius; 0 without contacts."""
        return float(self.relative.max()) if len(self) else 0.0

    def where(self, chosen: NDArray[np.bool_]) -> OverlappingPairs:
        """Only the chosen pairs."""
        return OverlappingPairs(
            self.first[chosen], self.second[chosen], self.overlap[chosen], self.relative[chosen], self.grains
        )


def contacts(position: ArrayLike, radius: ArrayLike, reach: float = 1.0) -> OverlappingPairs:
    """Pairs whose distance is below `reach` times the sum of their radii (1: touching); grains that are not
    finite have none."""
    x = np.asarray(position, np.float64).reshape(-1, 3)
    r = np.asarray(radius, np.float64).reshape(-1)
    i, j, distance = touching_pairs(x, r, reach)
    overlap = r[i] + r[j] - distance
    return OverlappingPairs(i, j, overlap, overlap / np.minimum(r[i], r[j]), len(x))


def spring_forces(
    pairs: OverlappingPairs, stiffness: float | ArrayLike, material: ArrayLike | None = None
) -> NDArray[np.float64]:
    """(c,) normal force k ζ of each pair, N; ζ is the overlap, 0 for a gap.

    `stiffness` (N/m) is one number, one per pair, or a matrix over the `material` index of the two grains.
    """
    k = np.asarray(stiffness, np.float64)
    if k.ndim == 2:
        if material is None:
            raise ValueError("a stiffness for each pair of materials needs the material of each grain")
        m = np.asarray(material)
        k = k[m[pairs.first], m[pairs.second]]
    return k * np.maximum(pairs.overlap, 0.0)


def largest_cluster(position: ArrayLike, radius: ArrayLike, reach: float = 1.25) -> NDArray[np.bool_]:
    """(n,) the grains of the largest group in which each one is near another: the heap without stray
    grains."""
    return cluster_of(contacts(position, radius, reach))


def cluster_of(pairs: OverlappingPairs) -> NDArray[np.bool_]:
    """(n,) the grains of the largest group that the pairs connect."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if pairs.grains == 0:
        return np.zeros(0, bool)
    links = coo_matrix((np.ones(len(pairs)), (pairs.first, pairs.second)), shape=(pairs.grains,) * 2)
    label = connected_components(links, directed=False)[1]
    return label == np.bincount(label).argmax()
