"""An operator that works from a list of phases: hold these controls until that has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from windrow.errors import SceneError
from windrow.solvers.multibody.stepper import MultibodyStepper

Condition = Callable[[MultibodyStepper], bool]


class HasBodies(Protocol):
    """A simulation with bodies in it."""

    @property
    def bodies(self) -> MultibodyStepper | None: ...


def bodies_in(machine: MultibodyStepper | HasBodies) -> MultibodyStepper:
    """The bodies themselves, or those of a simulation."""
    if isinstance(machine, MultibodyStepper):
        return machine
    if machine.bodies is None:
        raise SceneError("the scene has no bodies; add a machine with scene.add_machine(…)")
    return machine.bodies


@dataclass(frozen=True)
class Phase:
    """Controls that are held until a condition holds, or for so long at most."""

    name: str
    controls: dict[str, float]
    seconds: float
    """longest duration, s"""
    until: Condition | None = None
    """ends the phase early"""


@dataclass
class Operator:
    """Goes through its phases; controls that a phase does not name are let go."""

    phases: list[Phase]
    names: list[str]
    """all controls that it handles"""
    done: list[tuple[str, float]] = field(default_factory=list)
    """name and duration, s, of the phases that are over"""
    _number: int = 0
    _elapsed: float = 0.0

    @property
    def finished(self) -> bool:
        return self._number >= len(self.phases)

    @property
    def phase(self) -> str:
        """Name of the present phase; empty when all are over."""
        return "" if self.finished else self.phases[self._number].name

    def reset(self) -> None:
        """Begins again with the first phase; a simulation that is reset does not know who drives it."""
        self.done.clear()
        self._number, self._elapsed = 0, 0.0

    def act(self, machine: MultibodyStepper | HasBodies, dt: float) -> None:
        """Sets the controls for the step of length dt that follows."""
        bodies = bodies_in(machine)
        while not self.finished:
            phase = self.phases[self._number]
            over = self._elapsed >= phase.seconds or (phase.until is not None and phase.until(bodies))
            if not over:
                break
            self.done.append((phase.name, self._elapsed))
            self._number, self._elapsed = self._number + 1, 0.0
        held = {} if self.finished else self.phases[self._number].controls
        for name in self.names:
            bodies.control(name, held.get(name, 0.0))
        self._elapsed += dt
