"""What a machine's work comes to: loads and their cycles, fill, what arrives and what is lost, m³ an hour, energy.

A log is read after every step. A cycle ends when the operator comes to its first phase again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from windrow.errors import SceneError
from windrow.machines.readings import working_power
from windrow.machines.weighing import PosedBox, Scales, ground_in
from windrow.scene.corners import Corners
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.state.state import State

CARRYING = ("swing", "carry")
"""Phases at whose begin a bucket is clear of the ground, or a blade full: what is in it then is carried."""


class Site(Protocol):
    """A simulation with tools."""

    @property
    def tools(self) -> Mapping[str, Any]: ...

    @property
    def solver(self) -> Any: ...

    @property
    def time(self) -> float: ...

    @property
    def bodies(self) -> MultibodyStepper | None: ...

    @property
    def state(self) -> State: ...

    @property
    def terrain(self) -> Any: ...


class Works(Protocol):
    """An operator."""

    @property
    def phase(self) -> str: ...

    @property
    def finished(self) -> bool: ...


@dataclass
class Load:
    """One cycle; kg, s, J."""

    begin: float
    seconds: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)
    """s by phase"""
    carried: float = 0.0
    """in the tool when it was clear of the ground"""
    fill: float = 0.0
    """loose volume of that over the rated one"""
    volume: float = 0.0
    """loose, m³"""
    arrived: float = 0.0
    """more in the destination than after the cycle before"""
    energy: float = 0.0
    """that drives and cylinders gave to what they moved"""

    @property
    def lost(self) -> float:
        """Carried, and not arrived."""
        return max(self.carried - self.arrived, 0.0)


class WorkLog:
    """Watches one machine that digs with `tool` and dumps into `into`: a tool as well, or a zone of the ground.

    None: what becomes of its loads is not watched.
    """

    def __init__(self, simulation: Site, tool: str = "bucket", into: str | Corners | None = None) -> None:
        for name in (tool, into):
            if isinstance(name, str) and name not in simulation.tools:
                raise SceneError(f"work log: there is no tool {name!r}; there are {', '.join(simulation.tools)}")
        self.tool, self.into = tool, into
        self.loads: list[Load] = []
        self._now: Load | None = None
        self._phase, self._first = "", ""
        self._held = self._destination(simulation)

    def read(self, simulation: Site, operator: Works) -> None:
        """To be called after each step."""
        phase, dt = operator.phase, simulation.solver.dt
        if phase != self._phase:
            self._next(simulation, phase)
        if self._now is not None and phase:
            self._now.phases[phase] = self._now.phases.get(phase, 0.0) + dt
            self._now.seconds += dt
            if simulation.bodies is not None:
                self._now.energy += dt * working_power(simulation.bodies)

    def _next(self, simulation: Site, phase: str) -> None:
        tool = simulation.tools[self.tool]
        if self._now is not None and phase in CARRYING:
            self._now.carried, self._now.fill, self._now.volume = tool.payload, tool.fill_factor, tool.volume
        if not self._first:
            self._first = phase
        if (phase == self._first or not phase) and self._now is not None:
            now = self._destination(simulation)
            self._now.arrived, self._held = now - self._held, now
            self._now = None
        if phase and self._now is None:
            self._now = Load(simulation.time)
            self.loads.append(self._now)
        self._phase = phase

    def _destination(self, simulation: Site) -> float:
        if self.into is None:
            return 0.0
        if isinstance(self.into, str):
            return float(simulation.tools[self.into].payload)
        room = PosedBox(np.eye(3), np.zeros(3), np.array(self.into.lower), np.array(self.into.upper))
        (grains,), _, _ = Scales(simulation.bodies).weigh(simulation, [room])
        return grains.mass + ground_in(self.into, simulation.terrain).mass

    @property
    def done(self) -> list[Load]:
        """Cycles that are over."""
        return [load for load in self.loads if load is not self._now]

    def total(self) -> dict[str, float]:
        """Of all cycles that are over: means of time (s), fill and energy per m³ (J), kg, and m³ (loose) an hour."""
        loads = self.done
        if not loads:
            return {"cycles": 0.0}
        seconds, volume = sum(load.seconds for load in loads), sum(load.volume for load in loads)
        carried, arrived = sum(load.carried for load in loads), sum(load.arrived for load in loads)
        total = {
            "cycles": float(len(loads)),
            "cycle_seconds": seconds / len(loads),
            "fill_factor": sum(load.fill for load in loads) / len(loads),
            "carried": carried,
            "cubic_metres_per_hour": 3600.0 * volume / seconds,
            "energy_per_cubic_metre": sum(load.energy for load in loads) / max(volume, 1e-9),
        }
        return total if self.into is None else total | {"arrived": arrived, "lost": max(carried - arrived, 0.0)}

    def table(self) -> str:
        """The cycles, one a line, as Markdown."""
        lines = ["| cycle | time | carried | fill | arrived | energy |", "| ---: | ---: | ---: | ---: | ---: | ---: |"]
        for k, load in enumerate(self.done, start=1):
            lines.append(
                f"| {k} | {load.seconds:.1f} s | {load.carried:.0f} kg | {load.fill:.2f} | {load.arrived:.0f} kg | "
                f"{load.energy / 1e3:.0f} kJ |"
            )
        return "\n".join(lines)
