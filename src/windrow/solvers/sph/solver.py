"""One step of granular SPH.

advance    sort and list once, then substeps until the time is over; again where particles leave what the lists cover
  substep  how long (`pacing`) → walls → neighbours within h, fill, viscosity (`weigh`)
           → velocities with the pressure and stress of the last substep (`push`)
           → iterations: pressure and stress from velocity gradients (`bear`), velocities from them (`push`)
           → places; nothing goes through a wall; walls and bodies get what they gave
"""

from __future__ import annotations

import math
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.holding import hold_at_walls
from windrow.collide.neighbours import find_neighbours
from windrow.collide.paths import Cutoff
from windrow.collide.walls import WallContacts, find_walls
from windrow.errors import SceneError
from windrow.kernel import BLOCK
from windrow.scene.scene import Scene
from windrow.scene.settings import SPH
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.movers import Movers
from windrow.solvers.p2.bodies import book_held, end_bodies, start_bodies
from windrow.solvers.reaction import reactions
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.solvers.sph import kernels, pacing
from windrow.solvers.sph.bodies import book_bodies, meet_bodies
from windrow.solvers.sph.laws import CORRECTION, DENSITY
from windrow.solvers.sph.materials import material_table
from windrow.solvers.sph.pacing import MOST, pressure_carried, substep_for
from windrow.solvers.sph.spline import SUPPORT, Spline, spline_for
from windrow.solvers.sph.touching import Walls, fastest_approach
from windrow.solvers.sph.vector import INVERSE_H, SOFT, STEEPNESS, VISCOUS
from windrow.state.columns import Column
from windrow.state.model import Model
from windrow.state.state import State

F = np.float32
SKIN = 0.2
"""How far beyond h lists reach, over d₀."""
LIST_START = 72
"""Neighbour entries per particle that the lists start with; they grow when a scene needs more."""
SOUND = 0.2
"""Speed of sound of the artificial viscosity, over d₀/Δt."""
NEARER = 0.25
"""How far a wall may go into the sand in a substep, over d₀."""
OVERFULL = 1.1
"""Fill of particles at the start from which on they are refused."""
ALIKE = 1e-3
"""How much radii may differ."""

COLUMNS = (
    Column("density", unit="kg/m³", description="of the bulk, by its neighbours", recorded=True, low=0, settable=False),
    Column("pressure", unit="Pa", description="mean of the normal stresses", recorded=True),
    Column("stress", np.float32, 6, "Pa", "deviatoric: xx, yy, zz, xy, xz, yz; compression is positive"),
    Column("moisture", unit="–", description="mass of water over dry mass", recorded=True, low=0, below=1.0001),
)


class SPHStepper(Solver):
    """The workspace of granular SPH for one model, and its step."""

    settings_class = SPH
    columns = COLUMNS
    kernels = ("windrow.solvers.sph.",)
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
        self.A, self.rows, self.spare_rows = (np.zeros((capacity + 8, 8), np.float32) for _ in range(3))
        self.T = np.zeros((capacity + 8, 8), np.float32)
        self.U, self.drift, self.before = (np.zeros((capacity + 8, 4), np.float32) for _ in range(3))
        self.fill = np.zeros(capacity, np.float32)
        self.by_axis = np.zeros((4, capacity + 16), np.float32)
        self.sorter = Sorter(capacity, self.columns)
        slices = capacity // 8 + 2
        self.first = np.zeros(slices, np.int64)
        self.depth, self.near_depth = np.zeros(slices, np.int32), np.zeros(slices, np.int32)
        self.length = np.zeros(capacity, np.int32)
        self.share = np.arange(blocks + 1) * BLOCK * LIST_START
        self.needed = np.zeros(blocks, np.int64)
        self._make_lists()
        self.obstacles = WallContacts(capacity)
        self.walls = Walls(capacity)
        self.scratch = np.zeros((blocks, kernels.SUMS), np.float32)
        self.partial, self.speeds = np.zeros((blocks, 2), np.int64), np.zeros(blocks, np.float32)
        self.numbers = np.zeros(4, np.float32)
        self.table = material_table(model.scene.materials, settings)
        self.spline: Spline | None = None
        self.movers: Movers | None = None
        self.impulse, self.begun = np.zeros((0, 3)), np.zeros((0, 6))
        """What bodies gave particles in the substep, N s; velocities of the bodies before any contact."""

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
        self.movers = movers
        if state.count == 0:
            return
        spline = self._spline(state)
        state.force[: state.count] = 0.0
        kernels.foresee(state.X, state.V, state.flags, state.count, F(dt), self.A)  # freezes what cannot be sorted
        done, listed = 0.0, False
        while dt - done > 1e-9 * dt:  # a whole number of substeps, but for rounding
            clock = perf_counter()
            if not listed:
                self._list(state, dt - done, spline, report)
                clock = report.lap("neighbours", clock)
                listed = True
            h = substep_for(self.settings, state, dt - done, dt, spline, self.table, self.model.gravity)
            h, poses = self._find_walls(state, done, h, dt, spline)
            report.lap("walls", clock)
            listed = not self._substep(state, h, dt, poses, spline, report)
            done += h
        density = self.table[state.material[: state.count], DENSITY]
        state.columns["density"][: state.count] = self.fill[: state.count] * density
        report.frozen = int(self.partial[: (state.count + BLOCK - 1) // BLOCK, 0].sum())
        report.wall_contacts = int(self.walls.start[state.count])
        report.pairs = int(self.length[: state.count].sum()) // 2
        self.movers = None

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

    def _list(self, state: State, span: float, spline: Spline, report: SolverReport) -> None:
        """Sorts the particles, and lists who may come within h of whom in the next `span` s."""
        n, h = state.count, float(spline.h)
        skin = SKIN * h / SUPPORT
        radius = 0.5 * h / SUPPORT
        margin = h + skin - 2.0 * radius
        kernels.lay_rows(state.X, state.V, n, F(span), F(skin), self.rows)
        self.sorter.sort(state, self.rows, self.spare_rows, 1.001 * radius, Cutoff.still(margin))
        kernels.lay_rows(state.X, state.V, n, F(span), F(skin), self.rows)
        kernels.lay_columns(self.rows, n, self.by_axis)
        blocks = (n + BLOCK - 1) // BLOCK
        while True:
            find_neighbours(
                self.rows, self.by_axis, self.sorter.levels, F(margin), self.share, self.first, self.depth, self.length,
                self.neighbours, self.needed,
            )  # fmt: skip
            owned = np.diff(self.share)
            if (self.needed[:blocks] <= owned[:blocks]).all():
                break
            room = np.maximum(self.needed[:blocks], np.quantile(self.needed[:blocks], 0.9))
            owned[:blocks] = np.maximum(owned[:blocks], (1.15 * room).astype(np.int64))
            self.share[1:] = np.cumsum(-(-owned // 8) * 8)
            self._make_lists()
        report.notes["searches"] += 1

    def _refuse_overfull(self, count: int) -> None:
        """Particles that begin in less room than they stand for would burst apart; walls that hit them do not count."""
        most = float(np.quantile(self.fill[:count] - self.walls.fill[:count], 0.99))
        if most > OVERFULL:
            raise SceneError(
                f"particles: they begin {most - 1.0:.0%} denser than the sand they stand for; a particle of SPH is a "
                'cube of side 2 radius. Use packing = "cubic", or a spacing of at least two radii along each axis.'
            )

    def _make_lists(self) -> None:
        room = int(self.share[-1])
        self.neighbours, self.near = np.zeros(room, np.int32), np.zeros(room, np.int32)
        self.gradients = np.zeros(3 * room, np.float32)

    def _substep(
        self, state: State, h: float, span: float, poses: NDArray[np.float64], spline: Spline, report: SolverReport
    ) -> bool:
        """One substep of h (s) of a step of `span`; returns whether particles left what lists cover."""
        clock = perf_counter()
        n, X, V = state.count, state.X, state.V
        lists = kernels.Lists(self.first, self.depth, self.neighbours, self.near_depth, self.near, self.gradients)
        sand = kernels.Sand(
            state.material, self.table, state.columns["pressure"], state.columns["stress"],
            state.columns["moisture"], self.fill,
        )  # fmt: skip
        touches = self.walls.touches
        self._set_numbers(state, h, spline)
        kernels.weigh(X, V, n, lists, self.walls.fill, spline, self.numbers, sand, self.scratch, self.drift)
        if state.step == 0 and report.notes["substeps"] == 0:
            self._refuse_overfull(n)
        clock = report.lap("weigh", clock)

        dt, lasting = F(h), self.settings.scheme == "lasting"
        share = CORRECTION if lasting else F(1.0)
        most = F(pressure_carried(self.settings, span, spline))
        pace = kernels.Pace(dt, F(h / span), self.model.gravity, share, F(0.0), most)
        kernels.carry(n, lasting, sand, self.T)
        kernels.push(X, V, n, lists, touches, spline, pace, self.drift, self.T, self.U, self.scratch)
        self._meet_bodies(state, h)
        for iteration in range(self.settings.iterations):
            turning = pace._replace(turn=dt if iteration == 0 and lasting else F(0.0))
            kernels.bear(self.U, V, n, lists, touches, spline, turning, sand, self.T, self.scratch)
            kernels.push(X, V, n, lists, touches, spline, pace, self.drift, self.T, self.U, self.scratch)
            self._meet_bodies(state, h)
        clock = report.lap("solve", clock)

        kernels.propose(X, self.U, state.flags, n, dt, self.A)
        self._give_walls(state, h, span, poses)
        skin = F(SKIN * float(spline.h) / SUPPORT)
        kernels.move(X, V, state.flags, n, pace, self.A, state.force, self.rows, skin, self.partial)
        report.lap("move", clock)
        report.notes["substeps"] += 1
        return bool(self.partial[: (n + BLOCK - 1) // BLOCK, 1].any())

    def _find_walls(
        self, state: State, done: float, h: float, dt: float, spline: Spline
    ) -> tuple[float, NDArray[np.float64]]:
        """The table of walls for the next substep, `done` s after the step of dt began.

        Returns how long it is, at most h, and the obstacles' poses after it. No wall goes further than NEARER d₀ into
        the sand at once.
        """
        poses = self._look_for_walls(state, done, h, spline)
        fastest_approach(state.X, state.V, state.count, self.walls.touches, self.speeds)
        speed = float(self.speeds[: (state.count + BLOCK - 1) // BLOCK].max())
        longest = max(NEARER * float(spline.h) / SUPPORT / max(speed, 1e-9), dt / MOST)
        if h > longest and self.settings.substeps is None:
            rest = dt - done
            h = rest / math.ceil(rest / longest)
            poses = self._look_for_walls(state, done, h, spline)
        if self.movers is not None:
            start_bodies(self.movers.moving, h)
            self.begun = self.movers.moving.V.copy()
            self.impulse = np.zeros((len(self.movers.meetings.grain), 3))
        return h, poses

    def _look_for_walls(self, state: State, done: float, h: float, spline: Spline) -> NDArray[np.float64]:
        """Walls within reach in the next h s; returns the obstacles' poses after it."""
        model, n, time = self.model, state.count, state.time + done
        kernels.foresee(state.X, state.V, state.flags, n, F(h), self.A)
        reach = float(spline.h) * (1.0 - 0.5 / SUPPORT)
        poses = model.poses(time), model.poses(time + h)
        find_walls(
            state.X, self.A, state.material, n, model.shapes, *poses, reach, model.kinds, self.obstacles
        )  # fmt: skip
        if self.movers is not None:
            self.movers.find(state.X, self.A, state.material, n, h, reach, done)
        self.walls.lay(state.X, n, h, self.obstacles, self.movers, model.pairs, spline)
        return poses[1]

    def _meet_bodies(self, state: State, h: float) -> None:
        """Contacts with moving bodies, from their velocities at the start of the substep."""
        movers = self.movers
        if movers is not None and len(movers.meetings.grain):
            meet_bodies(
                state.X, state.V, self.U, movers.meetings, movers.moving, self.begun, self.model.pairs, h, self.impulse
            )  # fmt: skip

    def _give_walls(self, state: State, h: float, span: float, poses: NDArray[np.float64]) -> None:
        """Nothing goes through a wall; obstacles and bodies receive the opposite of what they gave."""
        n = state.count
        self.walls.give_obstacles(state.V, n, h, self.obstacles)
        hold_at_walls(state.X, self.A, n, self.obstacles)
        force, torque = state.body_force.copy(), state.body_torque.copy()
        reactions(self.obstacles, self.A, state, poses, h)
        # means over the step
        state.body_force[:] = force + h / span * (state.body_force - force)
        state.body_torque[:] = torque + h / span * (state.body_torque - torque)
        movers = self.movers
        if movers is not None:
            book_bodies(movers.meetings, movers.moving, self.impulse)
            if len(movers.meetings.grain) and hold_at_walls(state.X, self.A, n, movers.walls):
                walls = movers.walls
                book_held(
                    walls.start, walls.end, walls.push, self.A, n, movers.meetings, movers.moving, h, self.impulse
                )  # fmt: skip
            end_bodies(movers.moving, h)
            movers.pass_by(h)

    def _set_numbers(self, state: State, h: float, spline: Spline) -> None:
        numbers, reach, volume = self.numbers, float(spline.h), float(spline.volume)
        mass = float(self.table[:, 0].max()) * volume
        numbers[INVERSE_H] = 1.0 / reach
        numbers[STEEPNESS] = float(spline.height) / (reach * reach)
        numbers[VISCOUS] = self.settings.viscous * SOUND * reach / SUPPORT / h * reach * volume * mass
        numbers[SOFT] = 0.01 * reach * reach

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """What the workspace still knows is of another state."""
        self.obstacles.obstacles = None
