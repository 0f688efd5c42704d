"""A recording played back."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from windrow.errors import SceneError
from windrow.record.recording import Recording
from windrow.scene.scene import Scene
from windrow.state.frame import Frame
from windrow.view.messages import Command, Pause, Reset, Resume, Seek, Step, TimeScale
from windrow.view.pacing import Pace
from windrow.view.packing import Moment, Quantity, moment_of

IDLE = 0.25
"""Wall seconds between looks while paused or at the end; a file that still grows is read further then."""


class ReplaySource:
    """Plays a recording at its own pace, from and to any moment."""

    mode = "replay"
    waits_for_pages = True
    stepping = False

    def __init__(self, path: str | os.PathLike[str], paused: bool = False) -> None:
        self.recording = Recording(path)
        self.name = Path(path).name
        self.paused = paused
        self.pace = Pace()
        self.generation = 1
        self.epoch = 1
        self.parameters_number = 0
        self.debrief: dict[str, Any] | None = None
        self._scene = self.recording.scene
        self._times = self.recording.times
        self._at = 0

    @property
    def scene(self) -> Scene:
        return self._scene

    @property
    def time(self) -> float:
        return float(self._times[self._at])

    @property
    def controls(self) -> list[str]:
        return []

    def steer(self, values: Mapping[str, float]) -> None:
        """A recording has no levers."""

    def give_up(self) -> None:
        """Its steps are short."""

    def go_on(self) -> None:
        """See `give_up`."""

    def advance(self, now: float) -> float:
        if self._at + 1 >= len(self._times):
            self._take_in_more()
            if self.recording.finished and not self.paused and self._at + 1 >= len(self._times):
                self.pause()
            return IDLE
        if self.paused:
            return IDLE
        wait = self.pace.wait(now, self.time, float(self._times[self._at + 1] - self._times[self._at]))
        if wait > 0:
            return wait
        self._at += 1
        self.pace.note(now, self.time)
        return 0.0

    def obey(self, command: Command) -> None:
        if isinstance(command, Pause):
            self.pause()
        elif isinstance(command, Resume):
            if self._at + 1 >= len(self._times):
                self._go_to(0)
            self.paused = False
            self.pace.restart()
        elif isinstance(command, TimeScale):
            self.pace.time_scale = command.value
        elif isinstance(command, Step):
            self.pause()
            self._go_to(self._at + command.count)
        elif isinstance(command, Reset):
            self._go_to(0)
        elif isinstance(command, Seek):
            self._go_to(int(np.argmin(np.abs(self._times - command.time))))
        else:
            raise SceneError("a recording can be played, not changed; run its scene to steer it")

    def pause(self) -> None:
        self.paused = True
        self.pace.restart()

    def frame(self) -> Frame:
        return self.recording[self._at]

    def moment(self, quantities: Collection[Quantity]) -> Moment:
        return moment_of(self.frame(), quantities, self.scene)

    def notes(self) -> dict[str, Any]:
        noted = self.recording.notes(self._at)
        told: dict[str, Any] = {
            "step": int(self.recording.rows["step"][self._at]),
            "real_time_factor": round(self.pace.real_time_factor, 3),
            "ledger": noted.get("ledger", {}),
        }
        if "beds" in noted:
            told["beds"] = noted["beds"]
        if "seconds" in noted:
            told["step_seconds"] = round(sum(noted["seconds"].values()), 6)
        return told

    def status(self) -> dict[str, Any]:
        return {
            "paused": self.paused,
            "time_scale": self.pace.time_scale,
            "scene": self.name,
            "first": float(self._times[0]),
            "last": float(self._times[-1]),
            "frames": len(self._times),
        }

    def parameters(self) -> list[dict[str, Any]]:
        return []

    def close(self) -> None:
        self.recording.close()

    def _go_to(self, index: int) -> None:
        self._at = min(max(index, 0), len(self._times) - 1)
        self.epoch += 1
        self.pace.restart()

    def _take_in_more(self) -> None:
        if not self.recording.finished:
            self.recording.refresh()
            self._times = self.recording.times
