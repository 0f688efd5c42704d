"""The clumps of a scene while DEM runs: their motion, where their balls are, what is kept of them in a snapshot."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import inverse
from windrow.solvers.dem import clumps as law
from windrow.solvers.dem.clumps import ClumpArrays, move_clumps, part_clumps
from windrow.solvers.dem.kernels import ContactLists, DEMRows
from windrow.state.clumps import ClumpReadings
from windrow.state.form import Array, Form
from windrow.state.model import Model, places_of
from windrow.state.state import State


class ClumpStore:
    """All clumps of the start, and those that are there, with their balls at the grains' places."""

    def __init__(self, model: Model) -> None:
        self.links = links = model.links
        many = len(links.clump_first)
        self.inertia = links.clump_inertia.reshape(-1, 3, 3)
        self.inverse = np.array([inverse(one) for one in self.inertia]).reshape(-1, 9)
        self.first_ball = np.cumsum(links.clump_balls) - links.clump_balls
        self.ids = np.repeat(links.clump_first - self.first_ball, links.clump_balls) + np.arange(len(links.clump_local))
        """(balls,) of all clumps"""
        self.motion = np.zeros((many, law.MOTION))
        self.motion[:, law.PLACE : law.SPEED + 3] = links.clump_start[:, :6]
        self.motion[:, law.TURN : law.TURN + 9] = links.clump_start[:, 6:15]
        turn = links.clump_start[:, 6:15].reshape(-1, 3, 3)
        local = (turn * links.clump_start[:, 15:, None]).sum(axis=1)
        local = (self.inertia * local[:, None]).sum(axis=2)
        self.motion[:, law.MOMENTUM : law.MOMENTUM + 3] = (turn * local[:, None]).sum(axis=2)
        self.present = np.zeros(0, np.int64)
        self.placed = many == 0
        self.arrays = self._placed(np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.motion)

    def place(self, state: State) -> None:
        """Finds the balls after they were sorted, or other grains are there. Clumps come and go as a whole."""
        if len(self) == 0:
            return
        self.keep()
        place, _ = places_of(state.id[: state.count], self.ids, self.ids)
        self.present = np.flatnonzero(place[self.first_ball] >= 0)
        self.arrays = self._placed(place)
        self.placed = True

    def _placed(self, place: NDArray[np.int64]) -> ClumpArrays:
        links, chosen = self.links, self.present
        balls = links.clump_balls[chosen]
        start = np.concatenate([[0], np.cumsum(balls)])
        which = np.repeat(self.first_ball[chosen] - start[:-1], balls) + np.arange(int(start[-1]))
        return ClumpArrays(
            start=start.astype(np.int32),
            ball=place[which].astype(np.int32),
            local=links.clump_local[which],
            mass=links.clump_mass[chosen],
            inverse=self.inverse[chosen],
            motion=self.motion[chosen],
            watch=np.zeros((len(chosen) + law.TOGETHER - 1) // law.TOGETHER, np.float32),
        )

    def load(self, rows: DEMRows, flags: NDArray[np.uint8], h: float, gravity: NDArray[np.float32]) -> None:
        """Half a kick by the forces of the step before, and a drift."""
        if len(self.present):
            common = np.array([0.5 * h, h, *gravity.astype(np.float64)])
            move_clumps(rows.now, rows.own, flags, self.arrays, common, False)

    def farthest(self) -> float:
        """Greatest square of the distance of a ball from home, m²."""
        return float(self.arrays.watch.max(initial=0.0))

    def part(self, lists: ContactLists, state: State) -> None:
        """Balls of one clump do not touch each other."""
        if len(self):
            part_clumps(lists, state.count, state.columns["clump"])

    def keep(self) -> None:
        """Takes what the kernels wrote."""
        self.motion[self.present] = self.arrays.motion

    # --- what is kept and told ----------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Nothing in scenes without clumps."""
        if len(self) == 0:
            return {}
        self.keep()
        return {"clump_motion": self.motion.copy()}

    def form(self) -> Form:
        """What `to_arrays` gives."""
        return {"clump_motion": Array(np.float64, (len(self), law.MOTION))} if len(self) else {}

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        """The inverse of `to_arrays`; `place` must follow."""
        if len(self) == 0:
            return
        self.motion = data["clump_motion"].copy()
        self.present = np.zeros(0, np.int64)
        self.arrays, self.placed = self._placed(np.zeros(0, np.int64)), False

    def readings(self, state: State) -> ClumpReadings:
        self.keep()
        there = np.flatnonzero(np.isin(self.links.clump_first, state.id[: state.count]))
        motion = self.motion[there]
        turn, momentum = motion[:, law.TURN : law.TURN + 9].reshape(-1, 3, 3), motion[:, law.MOMENTUM : law.PUSH]
        local = (turn * momentum[:, :, None]).sum(axis=1)
        local = (self.inverse[there].reshape(-1, 3, 3) * local[:, None]).sum(axis=2)
        return ClumpReadings(
            number=there,
            first=self.links.clump_first[there],
            balls=self.links.clump_balls[there],
            mass=self.links.clump_mass[there],
            position=motion[:, : law.SPEED].copy(),
            velocity=motion[:, law.SPEED : law.TURN].copy(),
            rotation=turn.copy(),
            spin=(turn * local[:, None]).sum(axis=2),
            angular_momentum=momentum.copy(),
        )
