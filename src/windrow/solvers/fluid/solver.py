"""One step of the constraint fluid.

advance    sort and list once, then substeps until the time is over; again where particles leave what the lists cover
  substep  how long (`pacing`) → walls → neighbours within h, fill and its gradients (`weigh`)
           → targets; velocities with gravity, and with the pressures of the substep before (`prepare`)
           → viscosity (`slow_down`) → sweeps over density rows, wall rows and body rows, or conjugate gradients
           → places; nothing goes through a wall; walls and bodies get what they gave
"""

from __future__ import annotations

from time import perf_counter
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.kernel import BLOCK
from windrow.scene.scene import Scene
from windrow.scene.settings import Fluid
from windrow.solvers.fluid import conjugate, kernels, pacing
from windrow.solvers.fluid.bodies import Held, begin_bodies, book_rows, rows_of_meetings, sweep_bodies
from windrow.solvers.fluid.kernels import FluidSubstep
from windrow.solvers.fluid.laws import adhesion, cohesion, rate_back, softness, upsilon
from windrow.solvers.fluid.pacing import DEEP, MOST, layers, pressure_carried, substep_for
from windrow.solvers.fluid.rows import INVERSE_H, SOFT, STEEPNESS
from windrow.solvers.fluid.sweeps import MOST_SLABS, slabs_of, sweep
from windrow.solvers.fluid.viscosity import friction_factor, room, slow_down
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.movers import Movers
from windrow.solvers.report import SolverReport
from windrow.solvers.smoothed.listing import SKIN, Listing
from windrow.solvers.smoothed.moving import Span, foresee, move, propose
from windrow.solvers.smoothed.spline import SUPPORT, Spline, spline_for
from windrow.solvers.smoothed.surroundings import Surroundings
from windrow.state.columns import StateColumn
from windrow.state.model import Model
from windrow.state.state import State

F: Any = np.float32
OVERFULL = 1.1
"""Fill of particles at the start from which on they are refused."""
ALIKE = 1e-3
"""How much radii may differ."""

COLUMNS = (
    StateColumn(
        "density", unit="kg/m³", description="by its neighbours and walls", recorded=True, low=0, settable=False
    ),
    StateColumn("pressure", unit="Pa", description="mean over the last substep", recorded=True, low=0),
    StateColumn("held", np.float32, 3, "N", "force of walls and bodies in the last substep", settable=False),
)


BOTH = (Fluid(method="gauss_seidel"), Fluid(method="conjugate_gradient"))
"""Settings that call all kernels"""


class FluidStepper(Solver):
    """The workspace of the constraint fluid for one model, and its step."""

    settings_class = Fluid
    columns: ClassVar[tuple[StateColumn, ...]] = COLUMNS
    kernels = ("windrow.solvers.fluid.", "windrow.solvers.smoothed.")
    warmup = MappingProxyType({"": WarmupStage(BOTH)})
    with_bodies = BOTH
    computes_links = False
    step_warning = staticmethod(pacing.hurry_warning)
    work = staticmethod(pacing.work)
    automatic_substeps = staticmethod(pacing.automatic_substeps)
    settings: Fluid

    def __init__(self, settings: Fluid, model: Model) -> None:
        super().__init__(settings, model)
        if len(model.links.first):
            raise SceneError("links: Fluid has no links between particles; use the solver NDEM for ropes and nets")
        capacity = model.capacity
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.A = np.zeros((capacity + 8, 8), np.float32)
        self.U = np.zeros((capacity + 8, 4), np.float32)
        self.water = kernels.Water(
            A=np.zeros((capacity + 8, 4), np.float32),
            target=np.zeros(capacity, np.float32),
            multiplier=np.zeros(capacity, np.float32),
            fill=np.zeros(capacity, np.float32),
            drift=np.zeros((capacity + 8, 4), np.float32),
        )
        self.begin, self.end, self.order = (np.zeros(capacity, np.int64) for _ in range(3))
        self.listing = Listing(capacity, self.columns)
        self._make_rows()
        self.surroundings = Surroundings(model)
        self.scratch = np.zeros((blocks, kernels.SUMS), np.float32)
        self.partial, self.sums = np.zeros((blocks, 2), np.int64), np.zeros(blocks)
        self.left = np.zeros(MOST_SLABS)
        self.friction = room(capacity)
        self.vectors, self.weights = conjugate.vectors_for(0, 0), np.zeros((0, 3))
        self.numbers = np.zeros(3, np.float32)
        self.table = np.array([m.density for m in model.scene.materials.values()], np.float32)
        self.spline: Spline | None = None
        self._size = self._factor = 0.0

    @classmethod
    def resolved(cls, settings: Fluid, scene: Scene, grains: Any) -> Fluid:
        """Grains that ground turns into have many radii."""
        if scene.terrain_grains:
            raise SceneError(
                "terrain.fidelity: ground turns into grains of many radii, and Fluid takes one radius for all. Use "
                "fidelity = 'field', or the solver NDEM."
            )
        return settings

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """Substeps until dt is over; lists hold for all of it unless particles leave what they cover."""
        report.notes.update(substeps=0, searches=0, sweeps=0, density_error=0.0)
        self.surroundings.movers = movers
        if state.count == 0:
            return
        spline = self._spline(state)
        state.force[: state.count] = 0.0
        foresee(state.X, state.V, state.flags, state.count, F(dt), self.A)  # freezes what cannot be sorted
        done, listed = 0.0, False
        while dt - done > 1e-9 * dt:  # a whole number of substeps, but for rounding
            self.stop.look()
            clock = perf_counter()
            if not listed:
                if self.listing.make(state, dt - done, spline):
                    self._make_rows()
                report.notes["searches"] += 1
                clock = report.lap("neighbours", clock)
                listed = True
            h = substep_for(self.settings, state, dt - done, dt, spline, self.table, self.model.gravity)
            shortest = dt / MOST if self.settings.substeps is None else None
            h, poses = self.surroundings.find(state, self.A, done, h, dt - done, spline, shortest)
            report.lap("walls", clock)
            self._crowd(state)
            listed = not self._substep(state, h, dt, poses, spline, report)
            done += h
        n = state.count
        state.columns["density"][:n] = self.water.fill[:n] * self.table[state.material[:n]]
        report.notes["density_error"] = float(np.maximum(self.water.fill[:n] - 1.0, 0.0).mean(dtype=np.float64))
        report.frozen = int(self.partial[: (n + BLOCK - 1) // BLOCK, 0].sum())
        report.wall_contacts = int(self.surroundings.walls.start[n])
        report.pairs = int(self.listing.length[:n].sum()) // 2
        self.surroundings.movers = None

    def _crowd(self, state: State) -> None:
        """What else takes room of the particles, beside the walls: adds to the walls' fill."""
        return

    def _lean(self, state: State) -> None:
        """Adds to ∂q/∂x what that depends on the place in it."""
        return

    def _follow(self, state: State, pace: FluidSubstep) -> None:
        """Adds to the targets what moves in it."""
        return

    def _press(self, state: State) -> None:
        """Takes note of the multipliers that were found."""
        return

    def _spline(self, state: State) -> Spline:
        """The kernel for the particles' size, which must be the same for all."""
        radius = state.X[: state.count, 3]
        low, high = float(radius.min()), float(radius.max())
        if high > (1.0 + ALIKE) * low:
            raise SceneError(
                f"particles: radii from {low:.4g} to {high:.4g} m; Fluid takes one radius for all. "
                "Give all sources the same radius, or use the solver NDEM."
            )
        if self.spline is None or self._size != high:
            self._size, self.spline = high, spline_for(2.0 * high)
            self._factor = friction_factor(self.spline)
        return self.spline

    def _refuse_overfull(self, count: int) -> None:
        """Particles that begin in less room than they stand for would burst apart."""
        most = float(np.quantile(self.water.fill[:count] - self.surroundings.walls.fill[:count], 0.99))
        if most > OVERFULL:
            raise SceneError(
                f"particles: they begin {most - 1.0:.0%} denser than the liquid they stand for; a particle of Fluid is "
                'a cube of side 2 radius. Use packing = "cubic", or a spacing of at least two radii along each axis.'
            )

    def _make_rows(self) -> None:
        room = self.listing.room + kernels.SPACE * (len(self.listing.first) + 1)
        self.rows = kernels.NeighbourRows(
            self.begin, self.end, np.zeros(room, np.int32), np.zeros((room, 4), np.float32)
        )

    def _pace(self, h: float, spline: Spline) -> FluidSubstep:
        """The numbers of a substep of h (s)."""
        s, volume = self.settings, float(spline.volume)
        return FluidSubstep(
            dt=F(h),
            gravity=self.model.gravity,
            ups=F(upsilon(s.relaxation)),
            back=F(rate_back(s.relaxation, h)),
            most=F(h * volume * pressure_carried(s, s.dt, spline) * float(self.table.max())),
            softness=F(softness(s.compliance, s.relaxation, h, volume)),
            smoothing=F(s.smoothing),
            cohesion=F(cohesion(s.surface_tension, float(spline.h), volume)),
            adhesion=F(adhesion(s.wetting_angle_deg) if s.surface_tension > 0.0 else 0.0),
        )

    def _substep(
        self, state: State, h: float, span: float, poses: NDArray[np.float64], spline: Spline, report: SolverReport
    ) -> bool:
        """One substep of h (s) of a step of `span`; returns whether particles left what lists cover."""
        clock = perf_counter()
        n, X, V, U, rows, water = state.count, state.X, state.V, self.U, self.rows, self.water
        listing, walls, pace = self.listing, self.surroundings.walls, self._pace(h, spline)
        touches, reach = walls.touches, float(spline.h)
        self.numbers[INVERSE_H] = 1.0 / reach
        self.numbers[STEEPNESS] = float(spline.volume) * float(spline.height) / (reach * reach)
        self.numbers[SOFT] = 0.01 * reach * reach
        work = kernels.Work(self.numbers, self.scratch)
        listed = kernels.Listed(listing.first, listing.depth, listing.neighbours)
        kernels.weigh(X, V, n, listed, rows, touches, walls.fill, spline, work, pace, water)
        self._lean(state)
        if state.step == 0 and state.time == 0.0 and report.notes["substeps"] == 0:
            self._refuse_overfull(n)
        clock = report.lap("weigh", clock)

        pressure, held = state.columns["pressure"], state.columns["held"]
        kernels.prepare(X, V, n, rows, touches, spline, pace, pressure, held, water, U)
        self._follow(state, pace)
        if self.settings.viscosity > 0.0:
            drag = h * self.settings.viscosity * self._factor
            slow_down(X, V, U, n, rows, touches, spline, drag, self.friction, self.sums)
        clock = report.lap("viscosity", clock)
        report.notes["sweeps"] += self._solve(state, pace, spline)
        self._press(state)
        kernels.finish(n, touches, spline, pace, water, pressure, held)
        clock = report.lap("solve", clock)

        propose(X, U, state.flags, n, pace.dt, self.A)
        self.surroundings.give(state, self.A, h, span, poses)
        skin = F(SKIN * reach / SUPPORT)
        stretch = Span(pace.dt, F(h / span), pace.gravity)
        move(X, V, state.flags, n, stretch, self.A, state.force, listing.rows, skin, self.partial)
        report.lap("move", clock)
        report.notes["substeps"] += 1
        return bool(self.partial[: (n + BLOCK - 1) // BLOCK, 1].any())

    def _solve(self, state: State, pace: FluidSubstep, spline: Spline) -> int:
        """Multipliers of all rows, until the mean density error is small; returns the sweeps or products."""
        touches, movers = self.surroundings.walls.touches, self.surroundings.movers
        held = None
        if movers is not None and len(movers.meetings.grain):
            table = rows_of_meetings(movers.meetings, touches.start)
            held = Held(movers.meetings, movers.moving, table)
            dt = float(pace.dt)
            begin_bodies(self.U, *held[:2], touches, table, dt, self.surroundings.impulse)
        method = self.settings.method
        if method == "auto":
            deep = layers(state, spline, self.table, self.model.gravity) > DEEP
            method = "conjugate_gradient" if deep else "gauss_seidel"
        if method == "conjugate_gradient":
            return self._descend(state, pace, held)
        return self._sweep(state, pace, spline, held)

    def _sweep(self, state: State, pace: FluidSubstep, spline: Spline, held: Held | None) -> int:
        """Projected Gauss-Seidel: density and wall rows, then those of bodies."""
        n, U, touches = state.count, self.U, self.surroundings.walls.touches
        slabs = slabs_of(state.X, n, float(spline.h), self.order)
        for many in range(1, self.settings.iterations + 1):
            self.stop.look()
            sweep(slabs, self.rows, touches, pace, self.water, U, self.left)
            left = 0.0
            if held is not None:
                radius = 0.5 * float(spline.h) / SUPPORT
                left = sweep_bodies(U, self.rows, touches, self.water, held, pace, radius, self.surroundings.impulse)
            if left + sum(self.left[: len(slabs.begin) - 1].tolist()) <= self.settings.tolerance * n:
                return many
        return self.settings.iterations

    def _descend(self, state: State, pace: FluidSubstep, held: Held | None) -> int:
        """Conjugate gradients over all rows; bodies move last, by what was found."""
        n, touches = state.count, self.surroundings.walls.touches
        total = n + int(touches.start[n])
        if len(self.vectors.x) < total:
            self.vectors = conjugate.vectors_for(self.model.capacity, total + total // 4)
            self.weights = np.zeros((len(self.vectors.x) // conjugate.PIECE + 1, 3))
        problem = conjugate.Problem(n, self.rows, touches, self.water, pace, self.U, held)
        enough = self.settings.tolerance * n
        most, look = self.settings.iterations, self.stop.look
        many = conjugate.solve(state.X, problem, self.vectors, most, enough, self.weights, look)
        if held is not None:
            book_rows(held.meetings, touches, held.rows, self.surroundings.impulse)
        return many

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """What the workspace still knows is of another state."""
        self.surroundings.forget()
