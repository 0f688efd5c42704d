"""Times of single steps by phase: a file with a row for each, how they are spread, and a picture of the pass."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from windrow.files import replacing
from windrow.measure.plot_style import BLACK, CYCLE, labelled, legend, new_figure, save_figure
from windrow.sim.report import StepReport
from windrow.sim.simulation import Simulation

PHASES = ("exchange", "digging", "solver", "bodies", "ground", "rest")
"""In the order of a step: emitters and sinks; ground and grains; grains with the bodies' preview; bodies; tools and
what the ground does; the report."""
FRAME = 1e3 / 60
"""ms that a step may take in real time"""
SHARES = (0.5, 0.9, 0.99, 1.0)
NAMES = ("median", "90 %", "99 %", "most")


class Steps:
    """Makes the steps of a simulation and takes their times."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.rows: list[list[float]] = []
        self.columns = ["time s", "grains", "mass error", *(f"{p} ms" for p in ("step", *PHASES))]
        self.columns += [f"{p} processor ms" for p in ("step", *PHASES)]
        simulation.on_phase = self._seen
        self._last = np.zeros(2)
        self._spent: dict[str, NDArray[np.float64]] = {}

    def step(self) -> StepReport:
        """One step, told in a row."""
        begin = self._last = _clocks()
        self._spent = {phase: np.zeros(2) for phase in PHASES}
        report = self.simulation.step()
        self._seen("rest")
        whole = self._last - begin
        row = [report.time, float(report.particles), abs(report.ledger["mass_error"])]
        for k in range(2):
            row += [whole[k], *(self._spent[phase][k] for phase in PHASES)]
        self.rows.append(row)
        return report

    def _seen(self, phase: str) -> None:
        now = _clocks()
        self._spent[phase if phase in PHASES else "rest"] += now - self._last
        self._last = now

    def column(self, name: str) -> NDArray[np.float64]:
        """One number of all steps; see `columns`."""
        return np.array(self.rows)[:, self.columns.index(name)]

    def spread(self, clock: str = "") -> dict[str, float]:
        """ms: of the step and of each phase, by the shares of steps that take no longer; clock: "" or "processor "."""
        told = {}
        for phase in ("step", *PHASES[1:-1]):
            for share, name in zip(SHARES, NAMES, strict=True):
                told[f"{phase} {clock}ms, {name}"] = float(np.quantile(self.column(f"{phase} {clock}ms"), share))
        return told

    def write(self, path: Path) -> None:
        """A line for each step, separated by commas."""
        with replacing(path) as partial:
            np.savetxt(partial, self.rows, fmt="%.6g", delimiter=",", header=",".join(self.columns), comments="")


def draw(passes: dict[str, Steps], path: Path) -> None:
    """Time of each step over the passes, by phase, with the frame of real time."""
    figure, axes = new_figure(9.0, 0.6 + 2.6 * len(passes), len(passes), 1)
    for one, (title, steps) in zip(axes, passes.items(), strict=True):
        time, phases = steps.column("time s"), PHASES[1:-1]
        one.stackplot(time, *(steps.column(f"{p} ms") for p in phases), labels=phases, colors=CYCLE, linewidth=0.0)
        one.axhline(FRAME, color=BLACK, linewidth=0.9, linestyle="--", label="real time")
        whole = np.quantile(steps.column("step ms"), SHARES)
        told = ", ".join(f"{name} {value:.1f}" for name, value in zip(NAMES, whole, strict=True))
        labelled(one, f"{title}: {told} ms", "time (s)", "step (ms)")
        one.set_xlim(time[0], time[-1])
        one.set_ylim(0.0, max(2.5 * FRAME, 1.05 * whole[2]))
        grains = one.twinx()
        grains.plot(time, 1e-3 * steps.column("grains"), color=BLACK, linewidth=0.8, alpha=0.6)
        grains.set_ylabel("grains (1,000)", fontsize=9.5)
        grains.set_ylim(bottom=0.0)
        legend(one, loc="upper left", bbox_to_anchor=(1.08, 1.0))
    save_figure(figure, path)


def _clocks() -> NDArray[np.float64]:
    """Wall and processor time, ms."""
    return np.array([1e3 * perf_counter(), 1e3 * process_time()])
