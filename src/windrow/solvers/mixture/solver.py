"""One step of a liquid with grains.

advance   split: particles of the liquid, and grains, each in a state of its own
          half of the forces that each had of the other (`exchange.kick`)
          who is near whom, and what room grains take (`meeting.find`)
          liquid: a step of its solver, in the room that the grains leave it
          grains: a step of theirs
          forces on each other (`meeting.push`); half of them
          join: all rows in one state again, grains first

The state has all there is: ids, columns, recordings and snapshots know nothing of two solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.scene import Scene
from windrow.scene.settings import NDEM, Fluid, Mixture, SolverBase
from windrow.solvers.fluid.solver import FluidStepper, FluidSubstep
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.mixture.exchange import kick
from windrow.solvers.mixture.laws import LEAST_VOIDS
from windrow.solvers.mixture.meeting import Immersion, places
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem.solver import NDEMStepper
from windrow.solvers.report import SolverReport
from windrow.solvers.smoothed.spline import Spline, spline_for
from windrow.state.columns import StateColumn
from windrow.state.contacts import Contacts
from windrow.state.model import Model
from windrow.state.state import PER_GRAIN, State

F: Any = np.float32
LARGEST = 2.0
"""Radius of a grain over that of a particle of liquid, at most."""
OVERFULL = 1.25
"""Fill of the liquid by itself and by grains at the start, from which on both are refused."""
BOTH = ("substeps", "searches", "sweeps")
"""Notes of both solvers; those of the grains have "grain_" before their names."""

COLUMNS = (
    *NDEMStepper.columns,
    *FluidStepper.columns,
    StateColumn(
        "flow", np.float32, 3, "N", recorded=True, settable=False,
        description="force of the liquid on a grain; of grains on the liquid, beyond the room they take",
    ),
    StateColumn(
        "lean", np.float32, 4, description="gradient of solid, 1/m; its rate as grains move, 1/s", settable=False
    ),
    StateColumn("pressed", description="sum of the liquid's multipliers over a step, N s m", settable=False),
    StateColumn(
        "solid", description="share of the room around a particle of liquid that grains fill", recorded=True, low=0,
        settable=False,
    ),
)  # fmt: skip


class CrowdedFluid(FluidStepper):
    """The liquid, in the room that grains leave."""

    columns = COLUMNS

    def _crowd(self, state: State) -> None:
        n = state.count
        self.surroundings.walls.fill[:n] += state.columns["solid"][:n]

    def _lean(self, state: State) -> None:
        n = state.count
        self.water.A[:n, :3] += state.columns["lean"][:n, :3]

    def _follow(self, state: State, pace: FluidSubstep) -> None:
        n = state.count
        moves = state.columns["lean"][:n, 3]
        self.water.target[:n] -= np.where(self.water.fill[:n] >= 1.0, F(1.0) - pace.ups, F(1.0)) * moves

    def _press(self, state: State) -> None:
        n = state.count
        state.columns["pressed"][:n] += self.water.multiplier[:n]


class MixtureStepper(Solver):
    """Liquid and grains for one model."""

    settings_class = Mixture
    columns = COLUMNS
    kernels = (
        "windrow.solvers.mixture.", "windrow.solvers.ndem.", "windrow.solvers.fluid.", "windrow.solvers.smoothed.",
    )  # fmt: skip
    warmup = MappingProxyType({"": WarmupStage((Mixture(), Mixture(method="conjugate_gradient")))})
    computes_links = False
    settings: Mixture

    def __init__(self, settings: Mixture, model: Model) -> None:
        super().__init__(settings, model)
        if len(model.links.first):
            raise SceneError("links: Mixture has none between particles; use the solver NDEM for ropes and nets")
        self.liquid = np.array([made_of.liquid for made_of in model.scene.materials.values()])
        known = {name: getattr(settings, name) for name in Fluid.model_fields if name != "name"}
        self.fluid = CrowdedFluid(Fluid(**known), model)
        self.dry = NDEMStepper(NDEM(dt=settings.dt, substeps=settings.grain_substeps), model)
        obstacles = len(model.obstacles)
        self.water, self.grains = (State.empty(model.capacity, 0, obstacles, COLUMNS) for _ in range(2))
        self.meeting = Immersion(settings, model)
        self.spline: Spline | None = None
        self._size = 0.0

    @classmethod
    def resolved(cls, settings: Mixture, scene: Scene, grains: Any) -> Mixture:
        """Refuses what only one of the two solvers computes."""
        if scene.bodies:
            raise SceneError("bodies: Mixture has none. Use Fluid or NDEM for rigid bodies, or obstacles that move")
        if scene.terrain_grains:
            raise SceneError("terrain.fidelity: Mixture has no ground that turns into grains; use fidelity = 'field'")
        liquid = np.array([made_of.liquid for made_of in scene.materials.values()])[grains["material"]]
        if liquid.any() and not liquid.all():
            most, size = float(grains["radius"][~liquid].max()), float(grains["radius"][liquid].max())
            if most > LARGEST * size:
                raise SceneError(
                    f"particles: grains of radius {most:.4g} m are not resolved by liquid of radius {size:.4g} m; at "
                    f"most {LARGEST:g} times that. Use larger particles of liquid, or Fluid with rigid bodies"
                )
        return settings

    # --- the step --------------------------------------------------------------------------------------------

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """Both, one after the other, and what they do to each other."""
        self.fluid.stop = self.dry.stop = self.stop
        self._split(state)
        water, grains = self.water, self.grains
        n, spline = water.count, self._spline()
        self._kick(0.5 * dt)
        if spline is not None:
            self.meeting.find(grains, water, spline)
        # A row of the liquid says that particles and grains together fill no more than there is room. Its multiplier is
        # V p/ε, p being the pressure and ε the share that grains leave: so liquid gets ε of the gradient of p.
        voids = np.maximum(F(1.0) - water.columns["solid"][:n], LEAST_VOIDS)
        water.columns["pressure"][:n] /= voids
        ids, before = water.id[:n].copy(), water.V[:n, :3].copy()
        flowed, moved = SolverReport(span=dt), SolverReport(span=dt)
        clock = perf_counter()
        self.fluid.advance(water, dt, None, flowed)
        clock = report.lap("solve", clock)
        self.dry.advance(grains, dt, None, moved)
        clock = report.lap("grains", clock)
        if spline is not None:
            place = places(ids, water.id[:n])
            water.columns["pressure"][:n] *= voids[place]
            if state.step == 0 and state.time == 0.0:
                self._refuse_overfull(n)
            gained = np.zeros((n, 5), np.float32)
            gained[:, :3] = water.V[:n, :3] - before[place] - F(dt) * self.model.gravity
            gained[:, 3], gained[:, 4] = water.columns["solid"][:n], water.columns["pressed"][:n]
            self.meeting.push(grains, water, dt, spline, gained, self.model.poses(state.time + dt))
        self._kick(0.5 * dt)
        self._join(state)
        report.lap("exchange", clock)
        self._tell(report, flowed, moved)

    def _split(self, state: State) -> None:
        """Rows of the one state into two, in their order."""
        liquid = self.liquid[state.material[: state.count]]
        for part, chosen in ((self.water, liquid), (self.grains, ~liquid)):
            rows = np.flatnonzero(chosen)
            for name, source in state.per_grain().items():
                self._array(part, name)[: len(rows)] = source[rows]
            part.count, part.time, part.step, part.next_id = len(rows), state.time, state.step, state.next_id
            part.body_force[:], part.body_torque[:] = 0.0, 0.0

    def _join(self, state: State) -> None:
        """Rows of the two into the one state: grains, then liquid."""
        n, m = self.grains.count, self.water.count
        for name, target in state.per_grain().items():
            target[:n] = self._array(self.grains, name)[:n]
            target[n : n + m] = self._array(self.water, name)[:m]
        obstacles = len(self.grains.body_force)
        state.body_force[:obstacles] += self.grains.body_force + self.water.body_force
        state.body_torque[:obstacles] += self.grains.body_torque + self.water.body_torque

    @staticmethod
    def _array(part: State, name: str) -> NDArray[Any]:
        if name in PER_GRAIN:
            array: NDArray[Any] = getattr(part, name)
            return array
        return part.columns[name]

    def _kick(self, dt: float) -> None:
        for part in (self.grains, self.water):
            kick(part.V, part.flags, part.columns["flow"], part.count, F(dt))

    def _spline(self) -> Spline | None:
        """The kernel of the liquid; None: there is none."""
        if self.water.count == 0:
            return None
        size = 2.0 * float(self.water.X[: self.water.count, 3].max())
        if self.spline is None or self._size != size:
            self.spline, self._size = spline_for(size), size
        return self.spline

    def _refuse_overfull(self, count: int) -> None:
        """Liquid and grains that begin in one place would burst apart."""
        solid = self.water.columns["solid"][:count]
        fill = self.water.columns["density"][:count] / self.meeting.table[self.water.material[:count]]
        crowded = solid > 0.05
        if crowded.sum() < 20:
            return
        most = float(np.quantile(fill[crowded], 0.9))
        if most > OVERFULL:
            raise SceneError(
                f"particles: where liquid and grains begin together, they fill {most:.0%} of the room. Let the grains "
                "fall in, or pour the liquid on, or leave out some of the liquid"
            )

    def _tell(self, report: SolverReport, flowed: SolverReport, moved: SolverReport) -> None:
        report.notes.update(moved.notes)
        report.notes.update({f"grain_{name}": moved.notes[name] for name in BOTH if name in moved.notes})
        report.notes.update(flowed.notes)
        report.pairs, report.wall_contacts = flowed.pairs + moved.pairs, flowed.wall_contacts + moved.wall_contacts
        report.frozen = flowed.frozen + moved.frozen

    # --- memory and changes ----------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        return self.dry.memory()

    def check(self, memory: dict[str, NDArray[Any]]) -> None:
        self.dry.check(memory)

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        self.dry.recall(memory)
        self.fluid.recall({})
        self.meeting.forget()

    def grains_changed(self) -> None:
        self.dry.grains_changed()

    # --- what it tells ---------------------------------------------------------------------------------------

    def contacts(self, state: State) -> Contacts | None:
        """Those of the grains."""
        self._split(state)
        return self.dry.contacts(self.grains)

    @classmethod
    def variants(cls) -> dict[str, SolverBase]:
        """With the step that the grains' own solver has, so that grains alone move as they do with it."""
        return {"": Mixture(dt=NDEM().dt)}

    @classmethod
    def work(cls, settings: Any, phase: str, automatic: float) -> float:
        if phase != "grains":
            return FluidStepper.work(settings, phase, automatic)
        chosen = NDEMStepper.automatic_substeps(NDEM(), {})
        return NDEMStepper.work(NDEM(dt=settings.dt, substeps=settings.grain_substeps), "solve", chosen)

    @classmethod
    def automatic_substeps(cls, settings: Any, notes: Mapping[str, float]) -> float:
        return FluidStepper.automatic_substeps(settings, notes)

    @classmethod
    def step_warning(cls, settings: Any, notes: Mapping[str, float]) -> UserWarning | None:
        if "substeps" in notes:
            told = FluidStepper.step_warning(settings, notes)
            if told is not None:
                return told
        own = {**notes, **{name: notes[f"grain_{name}"] for name in BOTH if f"grain_{name}" in notes}}
        return NDEMStepper.step_warning(NDEM(dt=settings.dt, substeps=settings.grain_substeps), own)
