"""Grains as rows of four uint16, in the order of their ids, straight from arrays in any other order.

A simulation keeps its grains sorted by place. Sorting them by id for every frame would cost more than all the
rest; but who is there changes rarely, so the row of each id is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel

TOP = 65535
"""Highest uint16: the far side of the box."""
SPARSEST = 16
"""Numbers in the range of ids per grain, from which on ids are looked up by sorting instead of in a table."""


@dataclass(frozen=True)
class Grains:
    """Grains of one moment, in the order their arrays happen to have."""

    id: NDArray[np.int64]
    """(n,)"""
    position: NDArray[np.float32]
    """(n, 3 or more): x, y, z, m"""
    radius: NDArray[np.float32]
    """(n,) m"""
    material: NDArray[np.int32]
    """(n,)"""
    vectors: Mapping[str, NDArray[np.float32]]
    """(n, 3 or more) by quantity: its length is shown"""


@dataclass(frozen=True)
class GrainRows:
    """Bytes of all grains of a frame, for each quantity somebody wants to see."""

    count: int
    lower: NDArray[np.float32]
    """(3,) corner of the box, m"""
    size: NDArray[np.float32]
    """(3,) m"""
    by_quantity: dict[str, tuple[bytes, float]]
    """rows, and what the highest number of their last column stands for"""
    largest_radius: float
    roster_number: int
    roster: bytes = field(repr=False)

    def quantised(self, quantity: str) -> tuple[bytes, float]:
        """Rows with this quantity; those with another one, as if it were 0 everywhere, if it was not asked for."""
        if quantity in self.by_quantity:
            return self.by_quantity[quantity]
        return (next(iter(self.by_quantity.values()))[0] if self.by_quantity else b""), 0.0


class Roster:
    """Who is there: the row of every id, and the bytes that tell a page."""

    def __init__(self) -> None:
        self.number = 0
        """Goes up whenever somebody came or left."""
        self.count = -1
        self.data = b""
        self.largest_radius = 0.0
        self._first = 0
        self._rows = np.empty(0, np.int32)

    def forget(self) -> None:
        """The next grains are a new list, whatever their ids are."""
        self.count = -1

    def rows_of(self, grains: Grains) -> NDArray[np.int32]:
        """(n,) the row of each grain; lists everybody anew if they are not the same as last time."""
        rows = np.empty(len(grains.id), np.int32)
        same = self.count == len(grains.id) and _look_up(grains.id, self._first, self._rows, rows)
        if not same:
            self._list(grains, rows)
        return rows

    def _list(self, grains: Grains, rows: NDArray[np.int32]) -> None:
        ids = grains.id
        self.number += 1
        self.count = len(ids)
        self._first = int(ids.min()) if len(ids) else 0
        span = int(ids.max()) - self._first + 1 if len(ids) else 0
        if span <= SPARSEST * len(ids) + 4096:
            self._rows = np.empty(span, np.int32)
            _rank(ids, self._first, self._rows)
            _look_up(ids, self._first, self._rows, rows)
        else:
            self._rows = np.empty(0, np.int32)  # finds nobody, so that each frame comes here
            rows[np.argsort(ids, kind="stable")] = np.arange(len(ids), dtype=np.int32)
        self.largest_radius = float(grains.radius.max()) if len(ids) else 0.0
        share = np.rint(grains.radius * (TOP / max(self.largest_radius, 1e-30)))
        self.data = b"".join(
            [
                _in_rows(ids & 0xFFFFFFFF, rows, "<u4"),
                _in_rows(share, rows, "<u2"),
                _in_rows(grains.material, rows, "<u2"),
            ]
        )


def grain_rows(grains: Grains, roster: Roster) -> GrainRows:
    """All grains in the order of their ids, with every quantity that `grains.vectors` has."""
    rows = roster.rows_of(grains)
    lower, size = box_around(grains.position)
    by_quantity = {
        name: quantised(grains.position, vector, rows, lower, size) for name, vector in grains.vectors.items()
    }
    return GrainRows(len(rows), lower, size, by_quantity, roster.largest_radius, roster.number, roster.data)


def box_around(position: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lower corner and size, m, of the box around all positions that are finite."""
    bounds = np.empty((2, 3), np.float32)
    _bounds(position, bounds)
    if not np.isfinite(bounds).all():
        return np.zeros(3, np.float32), np.zeros(3, np.float32)
    return bounds[0], bounds[1] - bounds[0]


def quantised(
    position: NDArray[np.float32],
    vector: NDArray[np.float32],
    rows: NDArray[np.int32],
    lower: NDArray[np.float32],
    size: NDArray[np.float32],
) -> tuple[bytes, float]:
    """Four uint16 for each grain, at its row, and the length of the vectors that the highest of them stands for."""
    out = np.empty((len(rows), 4), np.uint16)
    highest = _quantise(position, vector, rows, lower, size, out)
    return out.astype("<u2", copy=False).tobytes(), float(highest)


def _in_rows(values: NDArray[np.generic], rows: NDArray[np.int32], kind: str) -> bytes:
    out = np.empty(len(rows), kind)
    out[rows] = values
    return out.tobytes()


@kernel
def _rank(ids, first, rows):  # type: ignore[no-untyped-def]
    """rows[id − first] = how many ids are lower; −1 where there is no such id."""
    rows[:] = -1
    for i in range(ids.size):
        rows[ids[i] - first] = 0
    lower = 0
    for k in range(rows.size):
        if rows[k] == 0:
            rows[k] = lower
            lower += 1


@kernel
def _look_up(ids, first, table, rows):  # type: ignore[no-untyped-def]
    """Whether all ids are in the table; no id comes twice, so as many as it has are exactly those it has."""
    for i in range(ids.size):
        k = ids[i] - first
        if k < 0 or k >= table.size or table[k] < 0:
            return False
        rows[i] = table[k]
    return True


@kernel
def _bounds(position, bounds):  # type: ignore[no-untyped-def]
    """Serial: pages are served beside the simulation, whose threads should not wait for them."""
    for axis in range(3):
        bounds[0, axis] = np.float32(np.inf)
        bounds[1, axis] = np.float32(-np.inf)
    for i in range(position.shape[0]):
        for axis in range(3):
            x = position[i, axis]
            if np.isfinite(x):
                bounds[0, axis] = min(bounds[0, axis], x)
                bounds[1, axis] = max(bounds[1, axis], x)


@kernel
def _quantise(position, vector, place, lower, size, rows):  # type: ignore[no-untyped-def]
    """Shares of the box, rounded; what is not finite goes to the lower corner with the value zero."""
    top = np.float32(TOP)
    highest = np.float32(0.0)
    for i in range(vector.shape[0]):
        square = vector[i, 0] * vector[i, 0] + vector[i, 1] * vector[i, 1] + vector[i, 2] * vector[i, 2]
        if np.isfinite(square):
            highest = max(highest, square)
    highest = np.sqrt(highest)
    value_scale = top / highest if highest > np.float32(0.0) else np.float32(0.0)
    for i in range(position.shape[0]):
        row = place[i]
        for axis in range(3):
            share = np.float32(0.0)
            if size[axis] > np.float32(0.0):
                share = (position[i, axis] - lower[axis]) / size[axis]
            if not np.isfinite(share):
                share = np.float32(0.0)
            share = min(max(share, np.float32(0.0)), np.float32(1.0))
            rows[row, axis] = np.uint16(share * top + np.float32(0.5))
        square = vector[i, 0] * vector[i, 0] + vector[i, 1] * vector[i, 1] + vector[i, 2] * vector[i, 2]
        value = np.sqrt(square) * value_scale if np.isfinite(square) else np.float32(0.0)
        rows[row, 3] = np.uint16(min(value, top) + np.float32(0.49))
    return highest
