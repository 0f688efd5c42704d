"""A progress bar with the real-time factor and the time left; it also says what is being compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from windrow.sim.run import Progress

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


class Bar(Progress):
    """Drawn on standard error, so that standard output stays clean for results."""

    def __init__(self) -> None:
        self._rich = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.2f}/{task.total:.2f} s"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=False,
        )

    def begin(self, seconds: float) -> None:
        self._rich.start()
        self._task = self._rich.add_task("simulating", total=max(seconds, 1e-9), speed="")
        self._start: float | None = None

    def compiling(self, kernel: str) -> None:
        self._rich.update(self._task, description=f"compiling {kernel} (first run only)")
        self._rich.refresh()

    def advance(self, simulation: Simulation, wall: float) -> None:
        if self._start is None:
            self._start = simulation.time - simulation.solver.dt
        done = simulation.time - self._start
        factor = f"{done / wall:.2f}× real time" if wall > 0 else ""
        self._rich.update(
            self._task,
            completed=done,
            description=f"simulating {simulation.state.count:,} grains",
            speed=factor,
        )

    def end(self) -> None:
        self._rich.stop()
