"""Fine grains in a live station: as many as were asked for, or as many as the frame rate carries.

They are placed on the simulation's particles and follow them from frame to frame. When that takes longer than a frame
leaves time for, fewer are placed; more again when there is time for long. So it is when particles came, and would bring
too many.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from windrow.detail.coarse import linked_ids, solid_ones
from windrow.detail.named import NamedDetail
from windrow.detail.planning import volume_of
from windrow.detail.regions import Region
from windrow.errors import SceneError
from windrow.geometry.terms import F64
from windrow.sim.simulation import Simulation
from windrow.state.frame import Frame
from windrow.view.rows import Grains

FEWEST, MOST = 1_000, 2_000_000
STEP = 0.04
"""s of a step of the fine grains, at most: one for each frame in real time"""
BUDGET = 0.012
"""Wall seconds that fine grains may take of a frame: at 30 Hz it has 33 ms, and the simulation needs most of them"""
LATELY, LONG = 15, 150
"""Frames in a row that decide, to place fewer and to place more again. To place fewer the quickest of them counts: the
others may have had to wait for a processor"""
TOO_MANY = 1.5
"""Grains over those wanted, from which on they are placed anew"""
EACH_FEWEST, EACH_MOST = 4, 100
"""Fine grains on one particle"""


class FineGrains:
    """What a station shows instead of the particles."""

    def __init__(self, grains: int) -> None:
        if not FEWEST <= grains <= MOST:
            raise SceneError(f"--fine {grains}: use {FEWEST} to {MOST} fine grains")
        self.asked = grains
        self.wanted = grains
        """as many as the frame rate carries"""
        self._most = 0
        """grains, from which on they are placed anew"""
        self._detail: NamedDetail | None = None
        self._next = 0
        """name of the grain that comes next: a page must not take one that is placed anew for one that was there"""
        self._of: tuple[int, int] | None = None
        """the simulation and its epoch that they are of"""
        self._linked: NDArray[np.int64] = np.zeros(0, np.int64)
        self._seconds: deque[float] = deque(maxlen=LONG)

    @property
    def count(self) -> int:
        return 0 if self._detail is None else len(self._detail)

    def grains(self, simulation: Simulation, epoch: int, quantities: Collection[str]) -> Grains:
        """Fine grains where the simulation is now, with the particles that carry none."""
        frame = simulation.frame()
        if self._of != (id(simulation), epoch):
            self._detail, self._of = None, (id(simulation), epoch)
            self._linked = linked_ids(simulation.scene)
        detail = self._detail
        if detail is not None and frame.time > detail.time:
            begin = perf_counter()
            detail.follow(frame)
            self._next = detail.next
            self.note(perf_counter() - begin)
            if detail.count > self._most:
                detail = None
        if detail is None:
            detail = self._placed(simulation, frame)
        self._detail = detail
        return self._rows(frame, detail, quantities)

    def note(self, seconds: float) -> None:
        """How long the grains took for a frame: if that is too long, fewer are placed."""
        self._seconds.append(seconds)
        kept = list(self._seconds)
        if len(kept) >= LATELY and min(kept[-LATELY:]) > BUDGET:
            self._change(max(0.5, 0.8 * BUDGET / min(kept[-LATELY:])))
        elif len(kept) == LONG and median(kept) < 0.3 * BUDGET:
            self._change(2.0)

    def _change(self, factor: float) -> None:
        """Another number of grains, from the next frame on."""
        self._seconds.clear()
        wanted = min(max(FEWEST, int(self.wanted * factor)), self.asked)
        if wanted != self.wanted:
            self.wanted, self._most = wanted, 0

    def _placed(self, simulation: Simulation, frame: Frame) -> NamedDetail | None:
        volume, coarse = volume_of(frame, Region(), self._linked)
        if coarse == 0:
            return None
        number = min(max(self.wanted, EACH_FEWEST * coarse), EACH_MOST * coarse)
        self._most = int(TOO_MANY * max(number, self.wanted))
        placed = NamedDetail(simulation.scene, frame, number / volume, step=STEP, first=self._next)
        self._next = placed.next
        return placed

    def _rows(self, frame: Frame, detail: NamedDetail | None, quantities: Collection[str]) -> Grains:
        """Fine grains have even ids, particles odd ones. Of the quantities, fine grains have a speed only."""
        kept = np.ones(len(frame.id), np.bool_) if detail is None else solid_ones(frame, self._linked)
        own = np.asarray(frame.id)[kept]
        place = np.asarray(frame.position, np.float32)[kept]
        speed = np.asarray(frame.velocity, np.float32)[kept]
        radius = np.asarray(frame.radius, np.float32)[kept]
        material = np.asarray(frame.material, np.int32)[kept]
        if detail is None:
            vectors = {name: speed if name == "speed" else np.zeros_like(speed) for name in quantities}
            return Grains(2 * own + 1, place, radius, material, vectors)
        fine: F64 | NDArray[np.float32] = detail.velocity
        both = np.concatenate([fine, speed])
        return Grains(
            id=np.concatenate([2 * detail.name, 2 * own + 1]),
            position=np.concatenate([detail.position, place]),
            radius=np.concatenate([detail.radius, radius]),
            material=np.concatenate([detail.material, material]),
            vectors={name: both if name == "speed" else np.zeros_like(both) for name in quantities},
        )
