"""How long a step would take with other numbers, told from how long the last ones took.

A station answers between two steps. Iterations times substeps at the ends of their sliders are a million times the
work, and a step takes minutes. Numbers are therefore cut to what `LONGEST_STEP` allows for this scene on this machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from windrow.scene.multibody import Multibody
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation, StepReport
from windrow.solvers.registry import solver_class

LONGEST_STEP = 0.5
"""Wall seconds that a step may take after a change of numbers: as long as an operator may wait for an answer."""
UNMEASURED = 10.0
"""Before a step has been measured, numbers may make about so many times the work of the scene's own."""
LATELY = 8
"""Steps that are looked at."""
HALVINGS = 40
COSTLY = frozenset({"iterations", "substeps", "grain_substeps", "sweeps", "margin", "dt", "method", "mass_splitting"})
"""Fields that a step may take longer by."""


class Numbers(NamedTuple):
    """Settings that decide how much work a step is."""

    solver: SolverSettings
    multibody: Multibody


def numbers_of(simulation: Simulation) -> Numbers:
    return Numbers(simulation.solver, simulation.scene.multibody)


@dataclass(frozen=True)
class Taken:
    """A step: wall seconds by phase, its numbers, and the substeps of the grains where they are automatic."""

    seconds: dict[str, float]
    numbers: Numbers
    substeps: float

    def with_others(self, numbers: Numbers) -> float:
        """Wall seconds with other numbers, rather too many than too few."""
        automatic = self.substeps * max(numbers.solver.dt / self.numbers.solver.dt, 1.0)
        return sum(
            seconds * _work(phase, numbers, automatic) / _work(phase, self.numbers, self.substeps)
            for phase, seconds in self.seconds.items()
        )


class Costs:
    """What the steps of a scene cost lately."""

    def __init__(self, simulation: Simulation) -> None:
        scene = simulation.assembled
        self._grains = bool(scene.particles or scene.emitters)
        share = LONGEST_STEP / UNMEASURED
        numbers = numbers_of(simulation)
        self._unmeasured = Taken({"solve": share, "bodies": share}, numbers, _automatic(numbers, {}))
        self._taken: deque[Taken] = deque(maxlen=LATELY)

    @property
    def measured(self) -> bool:
        return len(self._taken) > 0

    def forget(self) -> None:
        """The state is another one."""
        self._taken.clear()

    def note(self, simulation: Simulation, report: StepReport) -> None:
        """Takes in a step, unless grains had no part in it: there are none yet, or all of them sleep."""
        if "solve" in report.seconds or not self._grains:
            numbers = numbers_of(simulation)
            self._taken.append(Taken(dict(report.seconds), numbers, _automatic(numbers, report.notes)))

    def expected(self, numbers: Numbers) -> float:
        """Wall seconds that a step would take."""
        return median(taken.with_others(numbers) for taken in self._taken or [self._unmeasured])

    def limited(self, now: float, wanted: float, numbers_with: Callable[[float], Numbers]) -> float:
        """The value wanted, or the nearest to it that does not make a step too long, or longer than it is."""
        most = max(LONGEST_STEP, self.expected(numbers_with(now)))
        if self.expected(numbers_with(wanted)) <= most:
            return wanted
        low, high = now, wanted
        for _ in range(HALVINGS):
            middle = (low + high) // 2 if isinstance(now, int) else 0.5 * (low + high)
            if middle in (low, high):
                break
            if self.expected(numbers_with(middle)) <= most:
                low = middle
            else:
                high = middle
        return low if low == now or isinstance(low, int) else float(f"{low:.3g}")


def _work(phase: str, numbers: Numbers, automatic: float) -> float:
    """What the time of a phase grows with."""
    if phase == "exchange":
        return 1.0
    if phase.startswith("bodies"):
        return numbers.multibody.substeps * numbers.multibody.sweeps
    return solver_class(numbers.solver.name).work(numbers.solver, phase, automatic)


def _automatic(numbers: Numbers, notes: Mapping[str, float]) -> float:
    return solver_class(numbers.solver.name).automatic_substeps(numbers.solver, notes)
