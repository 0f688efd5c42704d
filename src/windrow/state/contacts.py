"""Contacts: who presses on whom, where, and how hard, for measures, plots and pictures.

In the order of ids, whatever order the solver keeps. Nothing here is connected to a running simulation.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot


@dataclass(frozen=True)
class Contacts:
    """Contacts that carry a force; each once, sorted by `first`, `second`, `body`.

    Of two grains, `first` is the one with the smaller id. A contact of a grain with a body has `second` = −1, and
    one of two grains `body` = −1. A grain may touch one body at several points.
    """

    first: NDArray[np.int64]
    """(c,) id of a grain"""
    second: NDArray[np.int64]
    """(c,) id of the other grain; −1: a body"""
    body: NDArray[np.int64]
    """(c,) index of the body, in the order of the scene's obstacles; −1: two grains"""
    point: NDArray[np.float64]
    """(c, 3) where they touch, m"""
    normal: NDArray[np.float64]
    """(c, 3) unit vector, toward `first`"""
    force: NDArray[np.float64]
    """(c, 3) on `first`, N; the other receives the opposite"""

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def none(cls) -> Contacts:
        """No contacts."""
        name, vector = np.empty(0, np.int64), np.empty((0, 3))
        return cls(name, name, name, vector, vector, vector)

    @classmethod
    def in_order(cls, *parts: Contacts) -> Contacts:
        """Contacts from whatever order they come in: sorted, and turned where `first` > `second` ≥ 0."""
        first, second, body, point, normal, force = (
            np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)
        )
        turned = (second >= 0) & (first > second)
        sign = np.where(turned, -1.0, 1.0)[:, None]
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        normal, force = sign * normal, sign * force
        order = np.lexsort((*normal.T[::-1], body, second, first))
        return cls(first[order], second[order], body[order], point[order], normal[order], force[order])

    @property
    def with_body(self) -> NDArray[np.bool_]:
        """(c,) contacts of a grain with a body"""
        return self.second < 0

    @property
    def normal_force(self) -> NDArray[np.float64]:
        """(c,) N; positive: they push each other apart, negative: adhesion holds them together"""
        return np.asarray(dot(self.force, self.normal))

    @property
    def tangential_force(self) -> NDArray[np.float64]:
        """(c, 3) what of the force is friction, N"""
        return np.asarray(self.force - self.normal_force[:, None] * self.normal)

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Contacts:
        """Only the chosen contacts: those marked, or those with these numbers in this order."""
        return Contacts(*(getattr(self, one.name)[chosen] for one in fields(self)))

    def force_on_grains(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, 3) sum of the forces on each of the grains with these ids, which ascend, N."""
        total = np.zeros((len(ids), 3))
        for end, sign in ((self.first, 1.0), (self.second, -1.0)):
            row = rows_of(end, ids)
            there = row >= 0
            for axis in range(3):
                share = sign * self.force[there, axis]
                total[:, axis] += np.bincount(row[there], share, minlength=len(ids))
        return total

    def force_on_bodies(self, bodies: int) -> NDArray[np.float64]:
        """(bodies, 3) sum of the grains' forces on each body, N."""
        walls = self.where(self.with_body)
        return np.stack(
            [-np.bincount(walls.body, walls.force[:, axis], minlength=bodies) for axis in range(3)], axis=1
        )


def rows_of(wanted: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of the `wanted` ids is among the ascending `ids`; −1 for those that are not there."""
    if len(ids) == 0:
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return np.where(ids[at] == wanted, at, -1)
