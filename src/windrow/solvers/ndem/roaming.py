"""The few grains that move in a bed at rest: their new contacts join the lists without a search of all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import Levels
from windrow.collide.roaming import ASKED_MOST, NEW_MOST, Watch, find_roamers, list_roamers, settle_roamers
from windrow.kernel import BLOCK, kernel
from windrow.solvers.ndem.colouring import Batches

F = np.float32
SHARE_MOST, FEWEST, MOST = 0.01, 16, 800
"""Roamers beyond this share of the grains, or this number, are reason enough for a whole search."""
STRAYS_SHARE, STRAYS_FEWEST = 0.03, 200
"""The same for what they add: it is swept by one thread, contact by contact."""


@kernel
def _append(chosen, new, many, first, length, other, slot, end, lanes, stray, stray_ends, stray_impulse):
    """Moves each list that grows to the end of the lists; new contacts are strays without an impulse."""
    for a in range(len(chosen)):
        if many[a] == 0:
            continue
        i = chosen[a]
        for k in range(length[i]):
            other[end + k], slot[end + k] = other[first[i] + k], slot[first[i] + k]
        first[i] = end
        end += length[i]
        for k in range(many[a]):
            other[end], slot[end] = -1 - new[a, k], lanes + stray
            stray_ends[stray, 0], stray_ends[stray, 1] = i, new[a, k]
            stray_impulse[stray, 0] = stray_impulse[stray, 1] = stray_impulse[stray, 2] = F(0.0)
            end += 1
            stray += 1
        length[i] += many[a]
    return end


class Roamers:
    """Who has left its path since the last search of all."""

    def __init__(self, capacity: int) -> None:
        self.roaming = np.zeros(capacity, np.uint8)
        self.count = 0
        self.reach = 0.0
        """How far the search of all reached beyond touching, m."""
        self._many = np.zeros((capacity + BLOCK - 1) // BLOCK, np.int32)
        self._loose = np.zeros(MOST + ASKED_MOST, np.int32)

    def forget(self, reach: float) -> None:
        """After a search of all, as far as `reach` (m), nobody roams."""
        self.reach = reach
        if self.count:
            self.roaming[:] = 0
        self.count = 0

    def watch(self, batches: Batches, levels: Levels, rows: NDArray[np.float32], held: float) -> Watch:
        """For those that leave their paths in the leg to come. rows, held: see `Watch`."""
        lists = batches.lists
        return Watch(
            levels.frame, levels.shape, levels.start, self.roaming, self._loose, lists.first, lists.length, lists.other,
            rows, np.array([self.reach, held], np.float32),
        )  # fmt: skip

    @staticmethod
    def most(count: int) -> float:
        """Roamers among so many grains that are not yet too many."""
        return min(max(SHARE_MOST * count, FEWEST), MOST)

    def relist(
        self,
        batches: Batches,
        levels: Levels,
        X: NDArray[np.float32],
        V: NDArray[np.float32],
        home: NDArray[np.float32],
        way: NDArray[np.float32],
        half: float,
        time: float,
        drop: NDArray[np.float32],
    ) -> tuple[float, int, float] | None:
        """Adds to the lists what roamers may meet within the time (s). half, drop: see `Reach`.

        Returns the swiftest meeting (1/s), how many new pairs overlap already, and the deepest of those overlaps over
        the radius.

        None: they are too many, and a whole search is due.
        """
        count = int(levels.begin[-1])
        numbers = (F(half), F(time), drop)
        find_roamers(X, V, home, way, count, F(time), self.roaming, self._many)
        self.count = int(self._many[: (count + BLOCK - 1) // BLOCK].sum())
        if self.count > self.most(count):
            return None
        chosen = np.flatnonzero(self.roaming[:count]).astype(np.int32)
        new = np.zeros((len(chosen), NEW_MOST), np.int32)
        many, met = np.zeros(len(chosen), np.int32), np.zeros((len(chosen), 3), np.float32)
        lists = batches.lists
        list_roamers(
            X, V, home, way, levels, F(self.reach), self.roaming, chosen, *numbers, lists.first, lists.length,
            lists.other, new, many, met,
        )  # fmt: skip
        strays = len(batches.stray_ends) + int(many.sum())
        pairs = len(batches.ends) * 8
        if many.max(initial=0) > NEW_MOST or strays > max(STRAYS_SHARE * pairs, STRAYS_FEWEST):
            return None
        if many.any():
            before = len(batches.stray_ends)
            batches.grow(int(lists.length[chosen[many > 0]].sum() + many.sum()), strays)
            lists.end = _append(
                chosen, new, many, lists.first, lists.length, lists.other, batches.slot, lists.end,
                pairs, before, batches.stray_ends, batches.stray_impulse,
            )  # fmt: skip
        settle_roamers(X, V, chosen, *numbers, home, way)
        return float(met[:, 0].max(initial=0.0)), int(met[:, 1].sum()), float(met[:, 2].max(initial=0.0))

    def to_arrays(self, count: int) -> dict[str, NDArray[Any]]:
        return {"roaming": self.roaming[:count].copy(), "reach": np.array([self.reach])}

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        roaming = np.asarray(data["roaming"], np.uint8)
        self.roaming[:] = 0
        self.roaming[: len(roaming)] = roaming
        self.count = int(roaming.sum())
        self.reach = float(data["reach"][0])
