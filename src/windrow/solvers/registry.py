"""Which stepper computes which settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem.solver import NDEMStepper
from windrow.solvers.p2.solver import P2Stepper
from windrow.solvers.report import SolverReport
from windrow.state.contacts import Contacts
from windrow.state.model import Model
from windrow.state.state import State


class Stepper(Protocol):
    """A solver with its workspace: same state in, same state out, whatever happened before."""

    def step(self, state: State, dt: float, movers: Movers | None = None) -> SolverReport:
        """Advances the grains by dt (s), and exchanges impulses with the bodies among the movers."""
        ...

    def memory(self) -> dict[str, NDArray[Any]]:
        """What the solver itself carries from step to step (contact memory); empty if nothing."""
        ...

    def check(self, memory: dict[str, NDArray[Any]]) -> None:
        """Raises FileFormatError unless `recall` can take this: compiled code indexes with it, and checks nothing."""
        ...

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Takes back what `memory` gave, so that a restored run continues to the bit."""
        ...


@runtime_checkable
class TellsContacts(Protocol):
    """A stepper that knows what its contacts carry."""

    def contacts(self, state: State) -> Contacts:
        """Contacts of the last step, with their forces; the solver says what these are."""
        ...


STEPPERS: dict[str, Callable[[Any, Model], Stepper]] = {"p2": P2Stepper, "ndem": NDEMStepper}


def stepper_for(settings: Any, model: Model) -> Stepper:
    if settings.name not in STEPPERS:
        raise SceneError(f"solver.name: {unknown_name('solver', settings.name, STEPPERS)}")
    return STEPPERS[settings.name](settings, model)
