"""Poses of the obstacles at the times that a step asks for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.state.model import Model

REMEMBERED = 4
"""Times whose poses are kept: those of the end of a leg are asked for again at the begin of the next."""


class ObstaclePoses:
    """The poses of a model's obstacles."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.fixed = all(obstacle.motion is None for obstacle in model.obstacles)
        """No obstacle ever moves."""
        self._known: dict[float, NDArray[np.float64]] = {}

    def at(self, time: float) -> NDArray[np.float64]:
        if self.fixed:
            time = 0.0
        if time not in self._known:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            self._known[time] = self.model.poses(time)
        return self._known[time]

    def rest(self, time: float, dt: float) -> bool:
        """Whether no obstacle moves in the step of dt (s) that begins at `time` (s)."""
        now = self.at(time)
        return all(np.array_equal(now, self.at(time + share * dt)) for share in (0.5, 1.0))
