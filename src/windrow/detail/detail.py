"""Detail: fine grains on the frames of a run, from one frame to the next.

follow:  the frame ahead → poses and ways until there
       → steps of at most 10 ms: coarse particles laid out → grains follow (`kernels.follow`) → now and then a sort
       → grains of particles that came
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.detail.around import Around, interpolated
from windrow.detail.coarse import Carriers, CoarsePaths, carriers_of, laid_out, linked_ids
from windrow.detail.kernels import CHUNK, FREE, LEFT, LOST, SIZES, Coarse, FineRows, follow
from windrow.detail.looks import Looks
from windrow.detail.regions import Region
from windrow.detail.sampling import sample
from windrow.detail.sorting import FineSorter, box_of
from windrow.errors import SceneError
from windrow.fixed_math import norm, power
from windrow.geometry.terms import F32, F64
from windrow.scene.scene import Scene
from windrow.state.frame import Frame

STEP = 0.01
"""s"""
SORT_EVERY = 5
"""steps"""
TOGETHER = 64
"""Grains that a cell of the sort should hold"""
FRICTION = 0.5
"""At walls, of grains that no coarse particle carries"""


class Detail:
    """Fine grains on a run.

        fine = wr.detail(sim, grains=2_000_000)       # or of a recording's first frame
        sim.run(seconds=0.1)
        fine.follow(sim.frame())                      # to where the run is now
        fine.position, fine.velocity, fine.radius     # (n, 3), (n, 3), (n,)

    The coarse run is never changed by it.
    """

    def __init__(
        self,
        scene: Scene,
        frame: Frame,
        each: float,
        *,
        region: Region | None = None,
        step: float = STEP,
        looks: Looks | None = None,
        seed: int = 0,
        capacity: int = 0,
        empty: bool = False,
    ) -> None:
        """each: grains for each cubic metre of coarse radii cubed; see `entry.density_of`. empty: place none yet."""
        self.scene, self.each, self.seed, self.step = scene, each, seed, step
        self.region, self.looks = region or Region(), looks or Looks()
        self.around = Around(scene)
        self.gravity = np.asarray(scene.gravity, np.float64)
        self._linked = linked_ids(scene)
        self.mean_radius = float(power(1.0 / each, 1.0 / 3.0))
        """of a grain of mean volume, m: as much solid as in the coarse particles"""
        self.sizes: F32 = (self.mean_radius * self.looks.size_table()).astype(np.float32)
        """(SIZES,) radius of each rank, m"""
        self.count, self.steps = 0, 0
        """rows of grains, some of which may be gone; steps made"""
        self.lost = self.left = 0
        """grains that found no room between bodies; those that went with coarse particles, or out of the scene"""
        self.free = 0
        """grains that no particle carried wholly in the last step"""
        self.frame = frame
        self._carriers = self._carriers_of(frame)
        self._poses = self.around.poses(frame)
        self.grains = _room(0)
        self._sorter = FineSorter(0)
        self._grow(max(capacity, 1))
        if not empty:
            self._place(self._carriers, self._carriers.member, frame)
            self._sort()

    @property
    def time(self) -> float:
        """s"""
        return self.frame.time

    @property
    def position(self) -> NDArray[np.float32]:
        """(n, 3) m, of the grains that are there."""
        return self._columns(self.grains[:3])

    @property
    def velocity(self) -> NDArray[np.float32]:
        """(n, 3) m/s"""
        return self._columns(self.grains[3:6])

    @property
    def radius(self) -> NDArray[np.float32]:
        """(n,) m"""
        look = self.grains.look[: self.count][self._there]
        return self.sizes[look & np.uint32(SIZES - 1)]

    @property
    def members(self) -> NDArray[np.int64]:
        """Ids of the coarse particles that the grains stand for."""
        return self._carriers.id[self._carriers.member]

    def __len__(self) -> int:
        return int(self._there.sum())

    @property
    def _there(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.grains.x[: self.count])

    def _columns(self, columns: tuple[Any, ...]) -> NDArray[np.float32]:
        return np.stack([column[: self.count][self._there] for column in columns], axis=1)

    def follow(self, frame: Frame) -> None:
        """Moves all grains to the time of a later frame."""
        seconds = frame.time - self.frame.time
        if seconds <= 0.0:
            raise SceneError(
                f"frame at {frame.time:g} s: fine grains are at {self.frame.time:g} s and only go forward; begin anew "
                "with windrow.detail"
            )
        ahead, poses = self._carriers_of(frame), self.around.poses(frame)
        way = CoarsePaths(self._carriers, ahead, seconds)
        bounds = _bounds(self._carriers, ahead)
        parts = max(1, math.ceil(seconds / self.step - 1e-6))
        for part in range(parts):
            begin, end = part / parts, (part + 1) / parts
            pose0, pose1 = interpolated(self._poses, poses, begin), interpolated(self._poses, poses, end)
            coarse = way.rows(begin, end, part + 1 == parts)
            self._step(coarse, pose0, pose1, seconds / parts, bounds)
        came = ahead.member & ~np.isin(ahead.id, self._carriers.id[self._carriers.member])
        self._carriers, self._poses, self.frame = ahead, poses, frame
        if came.any():
            self._sort()
            self._place(ahead, came, frame)

    def _step(self, coarse: Coarse, pose0: F64, pose1: F64, dt: float, bounds: F64) -> None:
        walls, moved = self.around.between(pose0, pose1)
        numbers = np.array([dt, *self.gravity, FRICTION, float(self.sizes[-1]) + moved], np.float32)
        counts = np.zeros((max(1, -(-self.count // CHUNK)), 3), np.int64)
        follow(self.grains, self.count, coarse, walls, self.sizes, numbers, bounds, counts)
        self.lost += int(counts[:, LOST].sum())
        self.left += int(counts[:, LEFT].sum())
        self.free = int(counts[:, FREE].sum())
        self.steps += 1
        if self.steps % SORT_EVERY == 0:
            self._sort()

    def _carriers_of(self, frame: Frame) -> Carriers:
        return carriers_of(frame, self._linked, self.region.inside(frame))

    def _sort(self) -> None:
        low, high = box_of(self.grains, self.count)
        side = self.mean_radius * float(power(TOGETHER * 8.0, 1.0 / 3.0))
        self.grains, self.count = self._sorter.sort(self.grains, self.count, low, high, side)

    def _place(self, carriers: Carriers, chosen: NDArray[np.bool_], frame: Frame) -> None:
        """Grains for some of the coarse particles of a frame."""
        ids = carriers.id[chosen].astype(np.uint64)
        keys = _mixed(ids + np.uint64(self.seed * 0xD1B54A32D192ED03 & 0xFFFFFFFFFFFFFFFF))
        radius = carriers.radius[chosen]
        wanted = np.floor(self.each * radius * radius * radius + _mixed(keys) / 18446744073709551616.0).astype(np.int64)
        first = np.zeros(len(ids) + 1, np.int64)
        np.cumsum(wanted, out=first[1:])
        total = int(first[-1])
        self._grow(self.count + total)
        none = np.zeros(len(carriers.id), np.bool_)
        coarse, order = laid_out(carriers.place, carriers.velocity, carriers, none)
        rows = np.empty(len(order), np.int64)
        rows[order] = np.arange(len(order))
        walls, _ = self.around.between(self._poses, self._poses)
        at = np.searchsorted(frame.id, carriers.id[chosen])
        kind = np.asarray(frame.material)[at].astype(np.int64)
        new = some_of(self.grains, self.count, self.count + total)
        sample(new, coarse, rows[chosen], first, keys, kind, walls, self.sizes, self.sizes[-1])
        self.count += total

    def _grow(self, capacity: int) -> None:
        old, size = self.grains, len(self.grains.x)
        if capacity <= size and size:
            return
        capacity = max(capacity, int(1.3 * size))
        self.grains = _room(capacity)
        for column, before in zip(self.grains, old, strict=True):
            column[: self.count] = before[: self.count]
        self._sorter = FineSorter(capacity)


def _room(capacity: int) -> FineRows:
    x, y, z, u, v, w = (np.zeros(capacity, np.float32) for _ in range(6))
    return FineRows(x, y, z, u, v, w, np.zeros(capacity, np.uint32))



def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """64 bits that look random, for each key."""
    with np.errstate(over="ignore"):
        x = keys + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _bounds(before: Carriers, after: Carriers) -> F64:
    """Beyond which grains are gone: the box of all coarse particles and its diagonal around it, m."""
    both = np.concatenate([before.place, after.place])
    if len(both) == 0:
        return np.array([-np.inf] * 3 + [np.inf] * 3)
    low, high = both.min(axis=0), both.max(axis=0)
    more = max(float(norm(high - low)), 100.0 * float(np.max(before.radius, initial=0.0)))
    return np.concatenate([low - more, high + more])


def some_of(grains: FineRows, begin: int, end: int) -> FineRows:
    """The same memory."""
    columns: list[Any] = [column[begin:end] for column in grains]
    return FineRows(*columns)
