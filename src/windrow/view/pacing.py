"""How simulated time keeps up with the clock on the wall."""

from __future__ import annotations

from collections import deque

MOST_BEHIND = 0.1
"""Wall seconds of work that are made up for; what is further behind is given up, or a slow moment would be
followed by a rush."""
SPEED_OVER = 1.0
"""Wall seconds over which the real-time factor is measured."""


class Pace:
    """Says when the next step is due."""

    def __init__(self) -> None:
        self.time_scale = 1.0
        """Simulated seconds per wall second."""
        self.late = 0
        """Steps that came so late that time had to be given up, since the scene began."""
        self.behind = 0.0
        """Wall seconds by which the step asked for last comes after it was due; negative: it is not due yet."""
        self._goal: float | None = None
        self._seen = 0.0
        self._past: deque[tuple[float, float]] = deque()

    def restart(self) -> None:
        """Forgets the past: after a pause, a jump in time or a long wait."""
        self._goal = None
        self._past.clear()

    def begin(self) -> None:
        """Another scene, or the same from another moment: nothing has been late yet."""
        self.late = 0
        self.restart()

    def wait(self, now: float, time: float, dt: float) -> float:
        """Wall seconds until the step from `time` to `time + dt` is due; 0 or less: it is due now."""
        if self._goal is None:
            self._goal = time
        else:
            self._goal += (now - self._seen) * self.time_scale
        self._seen = now
        self.behind = (self._goal - time - dt) / self.time_scale
        if self.behind > MOST_BEHIND:
            self._goal = time + dt + MOST_BEHIND * self.time_scale
            self.late += 1
        return -self.behind - 1e-6

    def note(self, now: float, time: float) -> None:
        """Remembers that `time` was reached at `now`."""
        self._past.append((now, time))
        while len(self._past) > 2 and now - self._past[0][0] > SPEED_OVER:
            self._past.popleft()

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per wall second over the last moments; 0 if there were none."""
        if len(self._past) < 2:
            return 0.0
        (begin, first), (end, last) = self._past[0], self._past[-1]
        return (last - first) / (end - begin) if end > begin else 0.0
