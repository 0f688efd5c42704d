"""Random places without overlap: random sequential addition, many candidates at a time.

Grains are placed class of sizes by class, largest first, because small ones still find room where large ones
no longer do. Each class has its own cells, about a diameter wide, so a candidate is compared with a handful
of placed grains whatever the mixture. Random addition jams at 0.38 of the space; what is asked for here stays
well below, so that all find room whatever the seed: how many grains there are depends on the space alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot
from windrow.scene.arrays import BoolArray, FloatArray, IntArray
from windrow.scene.cells import cell_keys, key_shift, near_pairs, size_classes
from windrow.scene.grains import Grading, RadiusRange, largest_radius, mean_volume
from windrow.scene.rooms import Filling, Room, room_of

FILLED = 0.28
"""Share of the space that grains take, less what is lost at its sides."""
LOST_AT_SIDES = 0.26
"""Of a radius, at each side of the space: so much of it stays empty beyond what lies inside (measured)."""

MOST_SCATTERED = 1_000_000
"""Grains in one random packing; a lattice with jitter takes over beyond."""

SIZES_APART = 1.1
"""Ratio of radii from which on grains are placed one after the other."""
IDLE_ROUNDS = 8
"""In a row without a grain that finds room, after which a filling is given up."""
MOST_BEGINNINGS = 100
"""Times that a space is filled again where the last grains found no room; happens where a handful fits."""
CANDIDATES_LEAST, CANDIDATES_MOST = 4096, 200_000
"""Places tried at once: the last grains to come need many."""


class _Placed:
    """Grains of one class of sizes in their cells: a table of cells, and a chain of grains from each."""

    def __init__(self, capacity: int, largest: float) -> None:
        self.edge = 2 * largest
        self.position = np.empty((capacity, 3))
        self.radius = np.empty(capacity)
        self.count = 0
        slots = 1 << max(4, (2 * capacity).bit_length())
        # Keys are scrambled into the table's slots; sharing a slot only lengthens a chain.
        self._mask = np.uint64(slots - 1)
        self._head = np.full(slots, -1, dtype=np.int64)
        self._next = np.empty(capacity, dtype=np.int64)

    def _slots(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return ((keys ^ (keys >> np.uint64(29))) & self._mask).astype(np.int64)

    def add(self, position: FloatArray, radius: FloatArray) -> None:
        first, last = self.count, self.count + len(radius)
        self.position[first:last] = position
        self.radius[first:last] = radius
        self.count = last
        slot = self._slots(cell_keys(position, self.edge))
        order = np.argsort(slot, kind="stable")
        grain, slot = order + first, slot[order]
        follows = np.empty(len(grain), dtype=np.bool_)
        follows[:1] = False
        follows[1:] = slot[1:] == slot[:-1]
        self._next[grain] = np.where(follows, np.roll(grain, 1), self._head[slot])
        self._head[slot] = grain

    def free(self, position: FloatArray, radius: FloatArray) -> BoolArray:
        """Which candidates, none larger than this class, touch none of its grains."""
        free = np.ones(len(radius), dtype=np.bool_)
        keys = cell_keys(position, self.edge)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for dz in (-1, 0, 1):
                    tested = np.flatnonzero(free)
                    grain = self._head[self._slots(keys[tested] + key_shift(dx, dy, dz))]
                    while True:
                        tested, grain = tested[grain >= 0], grain[grain >= 0]
                        if not len(grain):
                            break
                        gap = position[tested] - self.position[grain]
                        limit = radius[tested] + self.radius[grain]
                        free[tested[dot(gap, gap) < limit * limit]] = False
                        grain = self._next[grain]
        return free


def scattered(source: Filling, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Centres (n, 3) and radii (n,) of grains at random places, m, from below upwards."""
    room = room_of(source)
    largest = largest_radius(source.radius)
    room.shrunk(largest)
    fitting = _fitting(room, source.radius)
    wanted = source.count if source.count is not None else fitting
    if wanted > MOST_SCATTERED:
        raise SceneError(
            f"{wanted} grains at random places are more than {MOST_SCATTERED}; "
            'use packing = "dense", packing = "hexagonal" with jitter, larger grains, or a count'
        )
    if wanted > fitting:
        raise SceneError(_does_not_fit(wanted, fitting))
    radius = _mixture(source.radius, wanted, random)
    height = float(room.upper[2] - room.lower[2])
    needed = height
    if source.count is not None and room.rounded != "all":
        needed = min(height, height * wanted / fitting + 2 * largest)
    for _ in range(MOST_BEGINNINGS):
        position, placed = _fill(room.up_to(needed), radius, random)
        if placed.all():
            break
        needed = min(height, 1.3 * needed)
    if source.count is not None and not placed.all():
        raise SceneError(_does_not_fit(wanted, int(placed.sum())))
    position, radius = position[placed], radius[placed]
    upwards = np.argsort(position[:, 2], kind="stable")
    return position[upwards], radius[upwards]


def _fitting(room: Room, radius: float | RadiusRange | Grading) -> int:
    """How many grains find room, whatever the seed; one at least."""
    if isinstance(radius, Grading):
        # By volume, because the many small ones lie close to the sides.
        lost = float((radius.mass_fractions * radius.radii).sum() / radius.mass_fractions.sum())
    else:
        lost = largest_radius(radius)
    inner = room.inner_volume(LOST_AT_SIDES * lost)
    return max(1, int(min(FILLED * inner / mean_volume(radius), 1e18)))


def _mixture(radius: float | RadiusRange | Grading, count: int, random: np.random.Generator) -> FloatArray:
    """Radii (count,), as many of each size as its share says: no seed has more large ones than find room."""
    if isinstance(radius, RadiusRange):
        return radius.min + (radius.max - radius.min) * (np.arange(count) + random.random(count)) / count
    if not isinstance(radius, Grading):
        return np.full(count, radius)
    share = radius.number_fractions() * count
    many = np.floor(share).astype(np.int64)
    left = np.argsort(many - share, kind="stable")[: count - int(many.sum())]
    many[left] += 1
    return np.repeat(radius.radii, many)


def _does_not_fit(wanted: int, found: int) -> str:
    return (
        f"count = {wanted}, but only about {found} grains find room at random; make the space larger, "
        'use packing = "dense" or "hexagonal", or leave count out'
    )


def _fill(room: Room, radius: FloatArray, random: np.random.Generator) -> tuple[FloatArray, BoolArray]:
    position = np.zeros((len(radius), 3))
    placed = np.zeros(len(radius), dtype=np.bool_)
    classes: list[_Placed] = []
    for members in size_classes(radius):
        classes.append(_Placed(len(members), float(radius[members].max())))
        for batch in _by_size(members, radius):
            if not _place(room, radius, batch, classes, random, position, placed):
                return position, placed
    return position, placed


def _by_size(members: IntArray, radius: FloatArray) -> list[IntArray]:
    """The same grains in batches, largest first: one that comes late finds no room where smaller ones do."""
    largest_first = members[np.argsort(-radius[members], kind="stable")]
    size = radius[largest_first]
    cuts, first = [], 0
    while size[-1] < size[first] / SIZES_APART:
        first = int(np.argmax(size < size[first] / SIZES_APART))
        cuts.append(first)
    return np.split(largest_first, cuts)


def _place(
    room: Room,
    radius: FloatArray,
    batch: IntArray,
    classes: list[_Placed],
    random: np.random.Generator,
    position: FloatArray,
    placed: BoolArray,
) -> bool:
    """Puts a batch of the last class to random places; returns whether all found one."""
    waiting, least, idle = batch, max(CANDIDATES_LEAST, len(batch) // 2), 0
    while len(waiting) and idle < IDLE_ROUNDS:
        candidates = np.tile(waiting, -(-least // len(waiting)))
        for begin in range(0, len(candidates), CANDIDATES_MOST):
            tried = candidates[begin : begin + CANDIDATES_MOST]
            tried = tried[~placed[tried]]
            found = _try(room, radius[tried], classes, random, position, tried)
            placed[found] = True
        before, waiting = len(waiting), waiting[~placed[waiting]]
        idle = idle + 1 if len(waiting) == before else 0
    return len(waiting) == 0


def _try(
    room: Room,
    radius: FloatArray,
    classes: list[_Placed],
    random: np.random.Generator,
    position: FloatArray,
    grains: IntArray,
) -> IntArray:
    """A candidate place for each grain, which may be there several times; keeps those that are free, one for each, and
    returns whose they are."""
    margin = radius[:, None]
    place = random.uniform(size=(len(radius), 3))
    place = room.lower + margin + place * np.maximum(room.upper - room.lower - 2 * margin, 0.0)
    kept = np.flatnonzero(room.contains(place, radius))
    for cells in classes:
        kept = kept[cells.free(place[kept], radius[kept])]
    kept = kept[np.unique(grains[kept], return_index=True)[1]]
    ok = np.ones(len(kept), dtype=np.bool_)
    # Among candidates that touch each other the earlier one stays, even if a third one removes it.
    for i, j in near_pairs(place[kept], classes[-1].edge):
        gap = place[kept[i]] - place[kept[j]]
        limit = radius[kept[i]] + radius[kept[j]]
        touching = dot(gap, gap) < limit * limit
        ok[np.maximum(i, j)[touching]] = False
    kept = kept[ok]
    position[grains[kept]] = place[kept]
    if len(kept):
        classes[-1].add(place[kept], radius[kept])
    return grains[kept]
