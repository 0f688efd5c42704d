"""Which grains are near each other: a sorted cell grid in NumPy, for checks and packing before a run.

Cells are not stored in a box of cells but under keys that wrap around, so that two grains a thousand
kilometres apart cost no memory. Keys of cells above each other are consecutive: three neighbouring cells are
one range of the sorted keys. Two cells that share a key only add a pair that the distance test drops.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from windrow.scene.arrays import FloatArray, IntArray

_STRIDE_X = 0x9E3779B97F4A7C15
_STRIDE_Y = 0xC2B2AE3D27D4EB4F
_WRAP = 1 << 64
_BIAS = np.uint64(0x5851F42D4C957F2D)
"""Without it the keys would wrap between the cells at the origin, where grains are; ranges must not wrap."""

_PAIRS_AT_ONCE = 2_000_000

Keys = NDArray[np.uint64]


def cell_keys(position: FloatArray, edge: float) -> Keys:
    """Key of the cell that each point is in."""
    cell = np.floor(position / edge).astype(np.int64).astype(np.uint64)
    return cell[:, 0] * np.uint64(_STRIDE_X) + cell[:, 1] * np.uint64(_STRIDE_Y) + (cell[:, 2] + _BIAS)


def key_shift(dx: int, dy: int, dz: int = 0) -> np.uint64:
    """What to add to a key to get that of the cell (dx, dy, dz) away."""
    return np.uint64((dx * _STRIDE_X + dy * _STRIDE_Y + dz) % _WRAP)


def near_pairs(position: FloatArray, reach: float) -> Iterator[tuple[IntArray, IntArray]]:
    """Every pair (i, j) of points within `reach` of each other, once, and some further apart; in batches."""
    keys = cell_keys(position, reach)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    own = np.arange(len(keys))
    yield from _ranges(order, order, own + 1, np.searchsorted(keys, keys + key_shift(0, 0, 1), side="right"))
    for dx, dy in ((0, 1), (1, -1), (1, 0), (1, 1)):
        yield from _ranges(order, order, *_column(keys, keys, dx, dy))


def near_pairs_between(
    few: FloatArray, many: FloatArray, reach: float
) -> Iterator[tuple[IntArray, IntArray]]:
    """Every pair (i of `few`, j of `many`) within `reach` of each other, and some more; in batches."""
    keys = cell_keys(many, reach)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    wanted = cell_keys(few, reach)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            yield from _ranges(np.arange(len(few)), order, *_column(keys, wanted, dx, dy))


def _column(keys: Keys, wanted: Keys, dx: int, dy: int) -> tuple[IntArray, IntArray]:
    """Range of `keys` that lies in the three cells above each other, (dx, dy) away from each wanted cell."""
    return (
        np.searchsorted(keys, wanted + key_shift(dx, dy, -1), side="left"),
        np.searchsorted(keys, wanted + key_shift(dx, dy, 1), side="right"),
    )


def _ranges(
    from_index: IntArray, to_index: IntArray, begin: IntArray, end: IntArray
) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs of each `from_index` with its range of `to_index`, some millions at a time."""
    length = np.maximum(end - begin, 0)
    rows = np.flatnonzero(length)
    total = np.cumsum(length[rows])
    done = 0
    while done < len(rows):
        before = total[done - 1] if done else 0
        stop = max(done + 1, int(np.searchsorted(total, before + _PAIRS_AT_ONCE, side="right")))
        batch = rows[done:stop]
        lengths = length[batch]
        first = np.repeat(np.cumsum(lengths) - lengths, lengths)
        within = np.arange(int(lengths.sum())) - first
        yield np.repeat(from_index[batch], lengths), to_index[np.repeat(begin[batch], lengths) + within]
        done = stop


def size_classes(radius: FloatArray) -> list[IntArray]:
    """Indices of grains by size, largest first; radii within one class differ by less than a factor of 2."""
    if not len(radius):
        return []
    # A ratio of 2ⁿ is frexp's ½·2ⁿ⁺¹.
    level = np.frexp(radius.max() / radius * (1 + 1e-12))[1] - 1
    order = np.argsort(level, kind="stable")
    cuts = np.flatnonzero(np.diff(level[order])) + 1
    return list(np.split(order, cuts))
