"""Which stepper computes which settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from windrow.errors import SceneError, unknown_name
from windrow.solvers.p2.solver import P2Stepper
from windrow.solvers.report import SolverReport
from windrow.state.model import Model
from windrow.state.state import State


class Stepper(Protocol):
    """A solver with its workspace: same state in, same state out, whatever happened before."""

    def step(self, state: State) -> SolverReport: ...


STEPPERS: dict[str, Callable[[Any, Model], Stepper]] = {"p2": P2Stepper}


def stepper_for(settings: Any, model: Model) -> Stepper:
    if settings.name not in STEPPERS:
        raise SceneError(f"solver.name: {unknown_name('solver', settings.name, STEPPERS)}")
    return STEPPERS[settings.name](settings, model)
