"""One step of granular SPH.

advance    sort and list once, then substeps until the time is over; again where particles leave what the lists cover
  substep  how long (`pacing`) → walls → neighbours within h, fill, viscosity (`weigh`)
           → velocities with the pressure and stress of the last substep (`push`)
           → iterations: pressure and stress from velocity gradients (`bear`), velocities from them (`push`)
           → places; nothing goes through a wall; walls and bodies get what they gave
"""

from __future__ import annotations

from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.kernel import BLOCK
from windrow.scene.scene import Scene
from windrow.scene.settings import SPH
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.movers import Movers
from windrow.solvers.report import SolverReport
from windrow.solvers.smoothed.listing import SKIN, Listing
from windrow.solvers.smoothed.moving import Span, foresee, move, propose
from windrow.solvers.smoothed.spline import SUPPORT, Spline, spline_for
from windrow.solvers.smoothed.surroundings import Surroundings
from windrow.solvers.sph import kernels, pacing
from windrow.solvers.sph.bodies import meet_bodies
from windrow.solvers.sph.laws import CORRECTION, DENSITY
from windrow.solvers.sph.materials import material_table
from windrow.solvers.sph.pacing import MOST, pressure_carried, substep_for
from windrow.solvers.sph.vector import INVERSE_H, SOFT, STEEPNESS, VISCOUS
from windrow.state.columns import StateColumn
from windrow.state.model import Model
from windrow.state.state import State

F = np.float32
SOUND = 0.2
"""Speed of sound of the artificial viscosity, over d₀/Δt."""
OVERFULL = 1.1
"""Fill of particles at the start from which on they are refused."""
ALIKE = 1e-3
"""How much radii may differ."""

COLUMNS = (
    StateColumn(
        "density", unit="kg/m³", description="of the bulk, by its neighbours", recorded=True, low=0, settable=False
    ),
    StateColumn("pressure", unit="Pa", description="mean of the normal stresses", recorded=True),
    StateColumn("stress", np.float32, 6, "Pa", "deviatoric: xx, yy, zz, xy, xz, yz; compression is positive"),
    StateColumn("moisture", unit="–", description="mass of water over dry mass", recorded=True, low=0, below=1.0001),
)


class SPHStepper(Solver):
    """The workspace of granular SPH for one model, and its step."""

    settings_class = SPH
    columns = COLUMNS
    kernels = ("windrow.solvers.sph.", "windrow.solvers.smoothed.")
    warmup = MappingProxyType({"": WarmupStage((SPH(),))})
    with_bodies = (SPH(),)
    computes_links = False
    step_warning = staticmethod(pacing.hurry_warning)
    work = staticmethod(pacing.work)
    automatic_substeps = staticmethod(pacing.automatic_substeps)
    settings: SPH

    def __init__(self, settings: SPH, model: Model) -> None:
        super().__init__(settings, model)
        if len(model.links.first):
            raise SceneError("links: SPH has no links between particles; use the solver NDEM for ropes and nets")
        capacity = model.capacity
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.A, self.T = (np.zeros((capacity + 8, 8), np.float32) for _ in range(2))
        self.U, self.drift, self.before = (np.zeros((capacity + 8, 4), np.float32) for _ in range(3))
        self.fill = np.zeros(capacity, np.float32)
        self.listing = Listing(capacity, self.columns)
        self.near_depth = np.zeros(capacity // 8 + 2, np.int32)
        self._make_lists()
        self.surroundings = Surroundings(model)
        self.scratch = np.zeros((blocks, kernels.SUMS), np.float32)
        self.partial = np.zeros((blocks, 2), np.int64)
        self.numbers = np.zeros(4, np.float32)
        self.table = material_table(model.scene.materials, settings)
        self.spline: Spline | None = None

    @classmethod
    def resolved(cls, settings: SPH, scene: Scene, grains: Any) -> SPH:
        """Grains that ground turns into have many radii."""
        if scene.terrain_grains:
            raise SceneError(
                "terrain.fidelity: ground turns into grains of many radii, and SPH takes one radius for all. Use "
                "fidelity = 'field', or the solver NDEM."
            )
        return settings

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """Substeps until dt is over; lists hold for all of it unless particles leave what they cover."""
        report.notes.update(substeps=0, searches=0)
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
                    self._make_lists()
                report.notes["searches"] += 1
                clock = report.lap("neighbours", clock)
                listed = True
            h = substep_for(self.settings, state, dt - done, dt, spline, self.table, self.model.gravity)
            shortest = dt / MOST if self.settings.substeps is None else None
            h, poses = self.surroundings.find(state, self.A, done, h, dt - done, spline, shortest)
            report.lap("walls", clock)
            listed = not self._substep(state, h, dt, poses, spline, report)
            done += h
        density = self.table[state.material[: state.count], DENSITY]
        state.columns["density"][: state.count] = self.fill[: state.count] * density
        report.frozen = int(self.partial[: (state.count + BLOCK - 1) // BLOCK, 0].sum())
        report.wall_contacts = int(self.surroundings.walls.start[state.count])
        report.pairs = int(self.listing.length[: state.count].sum()) // 2
        self.surroundings.movers = None

    def _spline(self, state: State) -> Spline:
        """The kernel for the particles' size, which must be the same for all."""
        radius = state.X[: state.count, 3]
        low, high = float(radius.min()), float(radius.max())
        if high > (1.0 + ALIKE) * low:
            raise SceneError(
                f"particles: radii from {low:.4g} to {high:.4g} m; SPH takes one radius for all. "
                "Give all sources the same radius, or use the solver NDEM."
            )
        return spline_for(2.0 * high)

    def _refuse_overfull(self, count: int) -> None:
        """Particles that begin in less room than they stand for would burst apart; walls that hit them do not count."""
        most = float(np.quantile(self.fill[:count] - self.surroundings.walls.fill[:count], 0.99))
        if most > OVERFULL:
            raise SceneError(
                f"particles: they begin {most - 1.0:.0%} denser than the sand they stand for; a particle of SPH is a "
                'cube of side 2 radius. Use packing = "cubic", or a spacing of at least two radii along each axis.'
            )

    def _make_lists(self) -> None:
        room = self.listing.room
        self.near = np.zeros(room, np.int32)
        self.gradients = np.zeros(3 * room, np.float32)

    def _substep(
        self, state: State, h: float, span: float, poses: NDArray[np.float64], spline: Spline, report: SolverReport
    ) -> bool:
        """One substep of h (s) of a step of `span`; returns whether particles left what lists cover."""
        clock = perf_counter()
        n, X, V = state.count, state.X, state.V
        listing = self.listing
        lists = kernels.SmoothedNeighbours(
            listing.first, listing.depth, listing.neighbours, self.near_depth, self.near, self.gradients
        )
        sand = kernels.Sand(
            state.material, self.table, state.columns["pressure"], state.columns["stress"],
            state.columns["moisture"], self.fill,
        )  # fmt: skip
        walls = self.surroundings.walls
        touches = walls.touches
        self._set_numbers(state, h, spline)
        kernels.weigh(X, V, n, lists, walls.fill, spline, self.numbers, sand, self.scratch, self.drift)
        if state.step == 0 and state.time == 0.0 and report.notes["substeps"] == 0:
            self._refuse_overfull(n)
        clock = report.lap("weigh", clock)

        dt, lasting = F(h), self.settings.scheme == "lasting"
        share = CORRECTION if lasting else F(1.0)
        most = F(pressure_carried(self.settings, span, spline))
        pace = kernels.SPHSubstep(dt, F(h / span), self.model.gravity, share, F(0.0), most)
        kernels.carry(n, lasting, sand, self.T)
        kernels.push(X, V, n, lists, touches, spline, pace, self.drift, self.T, self.U, self.scratch)
        self._meet_bodies(state, h)
        for iteration in range(self.settings.iterations):
            self.stop.look()
            turning = pace._replace(turn=dt if iteration == 0 and lasting else F(0.0))
            kernels.bear(self.U, V, n, lists, touches, spline, turning, sand, self.T, self.scratch)
            kernels.push(X, V, n, lists, touches, spline, pace, self.drift, self.T, self.U, self.scratch)
            self._meet_bodies(state, h)
        clock = report.lap("solve", clock)

        propose(X, self.U, state.flags, n, dt, self.A)
        self.surroundings.give(state, self.A, h, span, poses)
        skin = F(SKIN * float(spline.h) / SUPPORT)
        stretch = Span(dt, pace.part, pace.gravity)
        move(X, V, state.flags, n, stretch, self.A, state.force, self.listing.rows, skin, self.partial)
        report.lap("move", clock)
        report.notes["substeps"] += 1
        return bool(self.partial[: (n + BLOCK - 1) // BLOCK, 1].any())

    def _meet_bodies(self, state: State, h: float) -> None:
        """Contacts with moving bodies, from their velocities at the start of the substep."""
        met, movers = self.surroundings, self.surroundings.movers
        if movers is not None and len(movers.meetings.grain):
            meet_bodies(
                state.X, state.V, self.U, movers.meetings, movers.moving, met.begun, self.model.pairs, h, met.impulse
            )  # fmt: skip

    def _set_numbers(self, state: State, h: float, spline: Spline) -> None:
        numbers, reach, volume = self.numbers, float(spline.h), float(spline.volume)
        mass = float(self.table[:, 0].max()) * volume
        numbers[INVERSE_H] = 1.0 / reach
        numbers[STEEPNESS] = float(spline.height) / (reach * reach)
        numbers[VISCOUS] = self.settings.viscous * SOUND * reach / SUPPORT / h * reach * volume * mass
        numbers[SOFT] = 0.01 * reach * reach

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """What the workspace still knows is of another state."""
        self.surroundings.forget()
