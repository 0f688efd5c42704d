"""One step of DEM: velocity Verlet over contacts that remember.

step:    half a kick and a drift → substeps → state
substep: lists, if a grain has gone half their margin → walls and bodies → forces, kick and drift (one kernel)
"""

from __future__ import annotations

import warnings
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.holding import hold_at_walls
from windrow.collide.levels import finest_size
from windrow.collide.paths import Cutoff
from windrow.collide.walls import WallContacts, find_walls
from windrow.fixed_math import norm
from windrow.geometry.pieces import pieces_of
from windrow.kernel import BLOCK
from windrow.scene.settings import DEM, SolverBase
from windrow.scene.start import initial_joins
from windrow.scene.terrain import TerrainSurface
from windrow.solvers.dem import laws, memory
from windrow.solvers.dem.bond_store import BondStore, bond_step
from windrow.solvers.dem.calibration import PROTOCOL
from windrow.solvers.dem.clump_store import ClumpStore
from windrow.solvers.dem.contacts import told_contacts
from windrow.solvers.dem.kernels import (
    FAR,
    STEPS,
    DEMRows,
    Joined,
    StateRows,
    gather_rows,
    keep_homes,
    load_grains,
    store_grains,
)
from windrow.solvers.dem.kernels import (
    REST as REST_WIDTH,
)
from windrow.solvers.dem.lanes import COMMON, ROW
from windrow.solvers.dem.light import contacts_of, softened
from windrow.solvers.dem.lists import NeighbourLists, best_margin
from windrow.solvers.dem.materials import law_of, longest_neck, pair_table, refuse
from windrow.solvers.dem.rows import V
from windrow.solvers.dem.timestep import (
    TimeStepWarning,
    chosen_step,
    chosen_substeps,
    stable_step,
    step_warning,
)
from windrow.solvers.dem.walls import (
    WallTouches,
    gather_near,
    give_back,
    give_bodies,
    move_bodies,
    pull_bodies,
    put_back,
)
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.movers import Movers
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.state.bonds import BondReadings
from windrow.state.clumps import ClumpReadings
from windrow.state.columns import StateColumn
from windrow.state.contacts import Contacts
from windrow.state.model import Model
from windrow.state.room import room
from windrow.state.state import FROZEN, State

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.solvers.movers.answering import AnsweringBodies

F = np.float32
ALL = np.zeros(0, np.int32)
SPIN = StateColumn("spin", np.float32, 3, "rad/s", "angular velocity", sorted=False, recorded=True, finite=False)
REST = StateColumn(
    "rest",
    np.float32,
    REST_WIDTH,
    description="what float32 leaves out of place, velocity and spin (m, m/s, rad/s), and the torque, N m",
    sorted=False,
    finite=False,
    settable=False,
)


class DEMStepper(Solver):
    """The workspace of DEM for one model, and its step."""

    settings_class = DEM
    calibration = PROTOCOL
    # a step reads both before it sorts, and writes them at its end
    columns = (SPIN, REST)
    kernels = ("windrow.solvers.dem.",)
    warmup = MappingProxyType(
        {
            "": WarmupStage((DEM(),)),
            "hertz": WarmupStage((DEM(contact="hertz"),)),
            "jkr": WarmupStage((DEM(contact="hertz", surface_energy="jkr"),), surface_energy=0.1),
        }
    )
    with_bodies = (DEM(substeps=4),)
    computes_links = False
    computes = frozenset({"bonds", "clumps"})
    computed_by = frozenset({"lammps"})
    # a grain leaves a tool with 1 + e times its speed
    tolerances = MappingProxyType({"speed of what a tool hits": 1.2})
    settings: DEM

    def __init__(self, settings: DEM, model: Model) -> None:
        super().__init__(settings, model)
        capacity = model.capacity
        blocks = (capacity + BLOCK - 1) // BLOCK
        plain = pair_table(settings, model.scene)
        self.table = np.tile(plain, (1 + len(model.scene.bodies), 1))
        """Rows of pairs of materials; behind them the same for each body (`light`)"""
        self.pairs = len(plain)
        self.reach = float(self.table[:, laws.BRIDGE_REACH].max(initial=0.0))
        """Gap over which bridges pull, or stretched surfaces (m)."""
        self.law = law_of(settings, self.table, alike=False)
        now, then, own = (room((capacity + 8, ROW), np.float32) for _ in range(3))
        self.rows = DEMRows(now, then, own, np.zeros(0, np.uint8))
        self.sorter = Sorter(capacity)
        self.lists = NeighbourLists(capacity, self.law.memory)
        self.found = WallContacts(capacity)
        self.walls, self.bodies = WallTouches(capacity), WallTouches(capacity)
        self.bonds, self.clumps = BondStore(model), ClumpStore(model)
        self.pace = np.zeros((2, 5))
        self.watch = np.zeros((blocks, 8), np.float32)
        assert settings.substeps is not None
        self.substeps = settings.substeps
        self.ended = np.zeros(self.substeps + 1, np.int64)
        """What became of each substep; the last number is for `stop`"""
        self.common = np.zeros((2, COMMON), np.float32)
        self.ids = np.zeros(0, np.int64)
        """Whose lists these are, in the order of the lists."""
        self.margin = 0.0
        """Of the lists, m."""
        self._before = np.zeros(0, np.int32)
        """Where the grains were before the last sort."""
        self.graded = self.bodies_graded = (-1, -1)
        self.finest, self.radius, self.pair = 0.0, 0.0, -1
        shapes = [obstacle.shape for obstacle in model.obstacles]
        self.moving_walls = any(o.motion is not None for o in model.obstacles) or any(
            isinstance(shape, TerrainSurface) for shape in shapes
        )
        self.only_planes = len(model.shapes.solids) == 0
        self.near: NDArray[np.int32] = np.zeros(0, np.int32)
        """Grains that are near obstacles which do not move."""
        self.owner = pieces_of(model.scene).owner if model.scene.bodies else np.zeros(0, np.int64)
        """(pieces,) body"""
        room_for = capacity if not self.only_planes or self.moving_walls or model.scene.bodies else 0
        self.here, self.there = room((room_for, 4), np.float32), room((room_for, 8), np.float32)

    # --- the step --------------------------------------------------------------------------------------------

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """Moves the grains by dt."""
        if state.count == 0:
            return
        clock = perf_counter()
        n = self.substeps
        h = dt / n
        self._grade(state)
        if movers is not None:
            self._grade_bodies(state, movers.bodies)
        self._set_numbers(h)
        grains = self._grains(state)
        load_grains(grains, state.count, self._half_kick(h), self.rows, self.watch)
        others = not np.array_equal(self.ids, state.id[: state.count])
        if others or not self.clumps.placed:
            self.clumps.place(state)
        self.clumps.load(self.rows, state.flags, h, self.model.gravity)
        clock = report.lap("predict", clock)
        searches, lost, broken, done = 0, 0, 0, 0
        stale = others or self._farthest(state) > self._limit
        sorted_now = False
        if not self.bonds.placed:
            self.bonds.place(state, state.time)
        while done < n:
            self.stop.look()
            if stale:
                lost += self._list(state, state.time + (done + 1) * h, h)
                searches, sorted_now = searches + 1, True
                clock = report.lap("neighbours", clock)
            todo = self._find_walls(state, movers, done, n, h, sorted_now)
            clock = report.lap("walls", clock)
            made, stale = self._advance(state, todo, done + todo == n)
            broken += self.bonds.note(state.time + done * h, h)
            if movers is not None and len(movers.meetings.grain):
                give_bodies(self.bodies.now, movers.meetings, movers.moving, h)
            if movers is not None:
                move_bodies(movers.moving, h)
                movers.pass_by(h)
            done += made
            sorted_now = False
            self.walls.reactions(
                self.rows.now, self.model.poses(state.time + done * h), 1.0 / n, state.body_force, state.body_torque
            )
            clock = report.lap("solve", clock)
        store_grains(self._grains(state), state.count, self.rows)
        report.lap("finish", clock)
        report.pairs = int(self.lists.length[: state.count].sum()) // 2
        report.wall_contacts = self.walls.many + self.bodies.many
        report.frozen = int((state.flags[: state.count] & FROZEN).sum())
        report.notes.update(substeps=n, searches=searches, lost_contacts=lost)
        if len(self.bonds):
            self.bonds.count_in(state)
            report.notes["broken_bonds"] = broken

    def _grade(self, state: State) -> None:
        """What follows from the radii and materials of the grains, when there are others."""
        if self.graded == (state.count, state.next_id):
            return
        self.graded = (state.count, state.next_id)
        self.finest = finest_size(state.X[: state.count, 3])
        if self.law.stretches:
            liquid = float(self.table[:, laws.BRIDGE_REACH].max(initial=0.0))
            self.reach = max(liquid, longest_neck(self.table, float(state.X[: state.count, 3].max())))
        # a mean would depend on the order of the grains, and a restarted run on when it was taken
        self.radius = float(np.quantile(state.X[: state.count, 3], 0.5, method="lower"))
        material = int(state.material[0])
        alike = bool((state.material[: state.count] == material).all())
        law = law_of(self.settings, self.table, alike)
        self.pair = material * (self.model.kinds + 1) if not law.mixed else 0
        self.law = law

    def _grade_bodies(self, state: State, bodies: AnsweringBodies) -> None:
        """Rows of the table for each body: those of light ones are softer."""
        w = state.V[: state.count, 3].astype(np.float64)
        w = w[w > 0.0]
        if self.bodies_graded == self.graded or len(w) == 0:
            return
        self.bodies_graded = self.graded
        radii = state.X[: state.count, 3].astype(np.float64)
        small, large = float(radii.min()), float(radii.max())
        plain, hertz = self.table[: self.pairs], self.settings.contact == "hertz"
        assert self.settings.dt is not None
        h = self.settings.dt / self.substeps
        for b in range(len(bodies.mass)):
            mass = float(bodies.mass[b])
            K = float(w.max()) + contacts_of(mass, bodies.inertia[b], small) / mass
            first = self.pairs * (1 + b)
            self.table[first : first + self.pairs] = softened(plain, hertz, K, 1.0 / float(w.min()), large, h)

    def _set_numbers(self, h: float) -> None:
        """Numbers of a substep, and of one that ends the step."""
        lever = 1.0 if self.settings.lever == "overlap" else 0.0
        gravity = self.model.gravity
        least = 0.0 if self.settings.limit_damping else -np.inf
        self.common[0] = h, h, h, *gravity, lever, least
        self.common[1] = h, 0.5 * h, 0.0, *gravity, lever, least
        self.pace[0], self.pace[1] = (h, h, *gravity), (0.5 * h, 0.0, *gravity)

    def _half_kick(self, h: float) -> NDArray[np.float32]:
        numbers = self.common[0].copy()
        numbers[1] = 0.5 * h
        return numbers

    def _grains(self, state: State) -> StateRows:
        spin, rest = state.columns["spin"], state.columns["rest"]
        return StateRows(state.X, state.V, spin, rest, state.force, state.material, state.flags)

    def _farthest(self, state: State) -> float:
        return max(float(self.watch[: (state.count + BLOCK - 1) // BLOCK].max()), self.clumps.farthest())

    @property
    def _limit(self) -> float:
        """Square of the way that grains may go before they are listed again, m²."""
        half = 0.5 * (self.margin - self._reach_most())
        return half * half

    def _list(self, state: State, time: float, h: float) -> int:
        """Sorts and lists the grains where they are; returns the contacts that were lost."""
        count, old = state.count, len(self.ids)
        before = places_before(self.ids, state.id[:count])
        self.lists.collect(old)
        rows = self.rows.now[:count]
        self._hold_lost(state, rows)
        if self.settings.margin is None:
            fastest = float(norm(rows[:, V : V + 3]).max())
            skin = best_margin(h * fastest / self.radius)
        else:
            skin = max(self.settings.margin, 1e-3)
        self.margin = skin * self.radius + self._reach_most()
        if self.sorter.sort(state, self.rows.now, self.rows.then, self.finest, Cutoff.still(self.margin)):
            now, then, own, flags = self.rows
            gather_rows(self.sorter.order, count, own, now)
            self.rows = DEMRows(then, own, now, flags)
            for spare in (self.rows.now, self.rows.own, self.rows.then):
                spare[count : count + 8] = 0.0
            before = before[self.sorter.order[:count]]
        keep_homes(self.rows, count, self.lists.columns)
        self.lists.search(self.rows.now, self.sorter.levels, count, self.margin)
        self.clumps.part(self.lists.arrays, state)
        lost = self.lists.recall(before, count, old)
        self.ids = state.id[:count].copy()
        self._before = before
        self.bonds.place(state, time - h)
        self.clumps.place(state)
        self._list_walls(state, time)
        return lost

    def _hold_lost(self, state: State, rows: NDArray[np.float32]) -> None:
        """Freezes what has no place or speed any more, such as what a lost body pushed: it could not be sorted."""
        size = np.abs(rows[:, :3]).sum(axis=1) + np.abs(rows[:, V : V + 3]).sum(axis=1)
        lost = np.flatnonzero(~(size < FAR))
        if len(lost):
            state.flags[lost] |= FROZEN
            rows[lost, :3] = np.where(np.abs(rows[lost, :3]) < FAR, rows[lost, :3], 0.0)
            rows[lost, V:] = 0.0
            self.rows.own[lost] = 0.0

    def _reach_most(self) -> float:
        sticky = bool((self.table[:, laws.ADHESION] > 0).any())
        return max(self.reach, laws.STRETCH * self.radius * 2.0 if sticky else 0.0)

    def _list_walls(self, state: State, time: float) -> None:
        """Planes that do not move are found once; for other shapes, the grains that are near them."""
        rows, count = self.rows.now, state.count
        if self.moving_walls or not self.model.obstacles:
            return
        poses = self.model.poses(time)
        arguments = self.model.shapes, poses, poses, self.margin, self.model.kinds, self.found
        find_walls(rows, rows, state.material, count, *arguments)
        if self.only_planes:
            self.walls.take(self.found, count, 0.0, self._before, ALL)
        else:
            near = self.found.end[:count] > self.found.start[:count]
            self.near = np.flatnonzero(near).astype(np.int32)

    def _find_walls(self, state: State, movers: Movers | None, done: int, n: int, h: float, fresh: bool) -> int:
        """Contacts with obstacles and bodies at the grains' places; returns for how many substeps they hold."""
        time = state.time + (done + 1) * h
        count, rows = state.count, self.rows.now
        before = self._before if fresh else np.arange(count, dtype=np.int32)
        each = bool(self.model.obstacles) and (self.moving_walls or not self.only_planes)
        if each:
            poses = self.model.poses(time - h), self.model.poses(time)
            near = ALL if self.moving_walls else self.near
            many = count if self.moving_walls else len(near)
            material = state.material if self.moving_walls else state.material[near]
            here, there, found = self.here, self.there, self.found
            gather_near(rows, F(h), near, many, here, there)
            shapes, reach = self.model.shapes, self._reach_most()
            find_walls(here, there, material, many, shapes, *poses, reach, self.model.kinds, found)
            if hold_at_walls(here, there, many, found):
                put_back(there, near, many, *_pushes(found), np.zeros(0), F(1.0 / h), rows)
            self.walls.take(found, many, h, before, near)
        if movers is not None:
            gather_near(rows, F(h), ALL, count, self.here, self.there)
            movers.find(self.here, self.there, state.material, count, h, self._reach_most(), done * h)
            if hold_at_walls(self.here, self.there, count, movers.walls):
                place = movers.meetings.place
                give = movers.meetings.give[:, 0] * np.bincount(place)[place]  # as if all were put back at once
                put_back(self.there, ALL, count, *_pushes(movers.walls), give, F(1.0 / h), rows)
                walls = movers.walls
                give_back(walls.start, walls.end, walls.push, count, movers.meetings, movers.moving)
            pull_bodies(movers.moving, h)
            self.bodies.take_meetings(movers.meetings, movers.moving, h, before)
            self.bodies.now.pair[: self.bodies.many] += self.pairs * (1 + movers.owner[movers.meetings.piece])
        return 1 if each or movers is not None else n - done

    def _advance(self, state: State, todo: int, ends: bool) -> tuple[int, bool]:
        """Makes substeps; returns how many, and whether the lists no longer hold."""
        plan = np.array([state.count, todo, ends, self.model.kinds, self.pair], np.int64)
        rows = self.rows._replace(flags=state.flags)
        self.stop.show_in(self.ended[-1:])
        joined = Joined(self.bonds.arrays, self.clumps.arrays, self.pace)
        STEPS[self.law](
            rows, self.lists.arrays, self.walls.now, self.bodies.now, joined, self.table, self.common, plan,
            F(self._limit), self.watch, self.ended,
        )  # fmt: skip
        self.stop.look()
        made = int(np.argmax(self.ended[:todo] > 0)) + 1
        if made % 2:
            now, then, own, flags = self.rows
            self.rows = DEMRows(then, now, own, flags)
        return made, bool(self.ended[made - 1] == 2)

    # --- memory and what it tells ----------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        return memory.to_arrays(self)

    def check(self, memory_: dict[str, NDArray[Any]]) -> None:
        memory.check(self, memory_)

    def recall(self, memory_: dict[str, NDArray[Any]]) -> None:
        memory.from_arrays(self, memory_)

    def contacts(self, state: State) -> Contacts:
        """Contacts with forces by the law at the present places and velocities."""
        return told_contacts(self, state)

    def bond_readings(self) -> BondReadings:
        return self.bonds.readings()

    def clump_readings(self, state: State) -> ClumpReadings:
        return self.clumps.readings(state)

    @classmethod
    def resolved(cls, settings: DEM, scene: Scene, grains: Any) -> DEM:
        refuse(settings, scene)
        table = pair_table(settings, scene)
        stable = stable_step(settings, scene, table, grains)
        if scene.bonds:
            stable = min(stable, bond_step(scene, initial_joins(scene, grains), grains))
        changes: dict[str, Any] = {}
        if settings.substeps is None:
            changes["substeps"] = chosen_substeps(settings, stable)
        if settings.dt is None:
            changes["dt"] = chosen_step(settings, stable)
        if changes:
            return settings.model_copy(update=changes)
        warning = step_warning(settings, stable)
        if warning is not None:
            warnings.warn(warning, TimeStepWarning, stacklevel=4)
        return settings

    @classmethod
    def variants(cls) -> dict[str, SolverBase]:
        return {"": DEM(dt=1 / 60, substeps=None)}

    @classmethod
    def stages(cls, settings: DEM) -> tuple[str, ...]:
        stretched = ("jkr",) if settings.surface_energy == "jkr" else ()
        return ("", "hertz", *stretched) if settings.contact == "hertz" else ("",)

    @classmethod
    def work(cls, settings: DEM, phase: str, automatic: float) -> float:
        return float(settings.substeps or 1) if phase in ("neighbours", "walls", "solve") else 1.0


def _pushes(found: WallContacts) -> tuple[NDArray[Any], ...]:
    return found.start, found.end, found.plane, found.push, found.slide


def places_before(before: NDArray[np.int64], now: NDArray[np.int64]) -> NDArray[np.int32]:
    """Where each of the ids `now` was among the ids `before`; −1 for those that were not there."""
    if len(before) == len(now) and np.array_equal(before, now):
        return np.arange(len(now), dtype=np.int32)
    if len(before) == 0:
        return np.full(len(now), -1, np.int32)
    order = np.argsort(before, kind="stable")
    at = order[np.minimum(np.searchsorted(before, now, sorter=order), len(before) - 1)]
    return np.where(before[at] == now, at, -1).astype(np.int32)
