"""One step of P², in the order of the paper."""

from __future__ import annotations

from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.holding import hold_at_walls
from windrow.collide.levels import finest_size
from windrow.collide.neighbours import find_neighbours
from windrow.collide.paths import Cutoff
from windrow.collide.walls import WallContacts, find_walls
from windrow.fixed_math import norm
from windrow.kernel import BLOCK
from windrow.scene.settings import P2, SolverBase
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.meeting import no_meetings
from windrow.solvers.movers.movers import Movers
from windrow.solvers.p2 import bodies, kernels, limits, splitting
from windrow.solvers.p2.calibration import PROTOCOL
from windrow.solvers.p2.contacts import TOLD, body_contacts, spring_contacts, told_contacts, wall_contacts
from windrow.solvers.p2.laws import pair_table
from windrow.solvers.p2.pinching import keep_in_place, mark_pinched
from windrow.solvers.p2.vector import DONE, LEFT
from windrow.solvers.reaction import reactions
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.state.columns import StateColumn
from windrow.state.contacts import Contacts
from windrow.state.form import Array, checked
from windrow.state.model import Model
from windrow.state.state import State

F = np.float32
LIST_START = 12
"""Neighbour entries per grain the lists start with, filling included; they grow when a scene needs more."""

SLEEP_SHARE = 0.25
"""A grain may sleep only if it moved less than this share of Δt² g: with small steps even a falling grain
moves little, and must not be taken for one at rest."""


NOBODY = np.zeros(0, np.int64)
CARRIED = StateColumn(
    "carried",
    np.uint8,
    description="how near, in grains, a moving wall carries this one; 0: not carried",
    settable=False,
)


class P2Stepper(Solver):
    """The workspace of P² for one model, and its step."""

    settings_class = P2
    columns = (CARRIED,)
    kernels = ("windrow.solvers.p2.",)
    warmup = MappingProxyType(
        {
            "": WarmupStage((P2(sleep_threshold=3e-4),)),
            "gauss_seidel": WarmupStage((P2(method="gauss_seidel"),)),
            "mass_splitting": WarmupStage((P2(mass_splitting=True),)),
        }
    )
    with_bodies = (P2(), P2(mass_splitting=True))
    calibration = PROTOCOL
    live = frozenset({"gravity", "pairs"})  # both are looked up in every substep
    settings: P2

    def __init__(self, settings: P2, model: Model) -> None:
        super().__init__(settings, model)
        capacity = model.capacity
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.A = np.zeros((capacity + 8, 8), np.float32)
        self.B = np.zeros((capacity + 8, 8), np.float32)
        self.by_axis = np.zeros((4, capacity + 16), np.float32)
        self.sorter = Sorter(capacity, self.columns)
        self.first = np.zeros(capacity // 8 + 2, np.int64)
        self.depth = np.zeros(capacity // 8 + 2, np.int32)
        self.length = np.zeros(capacity, np.int32)
        self.share = np.arange(blocks + 1) * BLOCK * LIST_START
        self.neighbours = np.zeros(int(self.share[-1]), np.int32)
        self.relaxations = np.zeros(int(self.share[-1]), np.float32)
        self.finest, self.graded = 0.0, (-1, -1)
        """Largest radius of the finest grid level, m, and for which grains."""
        self.needed = np.zeros(blocks, np.int64)
        self.walls = WallContacts(capacity)
        self.wall_now = np.zeros((1, 4), np.float32)
        self.scratch = np.zeros((blocks, 32), np.float32)
        self.activity = np.zeros(capacity, np.uint8)
        self.partial = np.zeros((blocks, 2), np.int64)
        self.pinched = np.zeros(capacity, np.uint8)
        self.links = kernels.LinkRows(
            np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.float32)
        )
        self.impulses = splitting.Impulses()
        self.h = settings.dt / settings.substeps
        """Length of the last substep, s."""
        self.movers: Movers | None = None
        self.meetings, self.body_impulse = no_meetings(0), np.zeros((0, 3))
        """Contacts with bodies in the last substep, and what they gave the grains, N s."""
        self.recalled: Contacts | None = None
        """What obstacles and bodies gave in the last substep, if that was before a restart."""

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """Advances the state by dt: predict → neighbours and walls → iterate → finish, once per substep."""
        self.movers = movers
        n = self.settings.substeps
        h = self.h = dt / n
        for k in range(n):
            self._substep(state, state.time + k * h, h, report)
        state.body_force /= n
        state.body_torque /= n
        self.movers = None

    def readings(self, state: State) -> dict[str, NDArray[Any]]:
        given = self._given(state)
        told = Contacts.none() if given is None else given
        return {"told": np.array(given is not None, np.uint8)} | {name: getattr(told, name).copy() for name in TOLD}

    def check(self, memory: dict[str, NDArray[Any]]) -> None:
        checked("memory", memory, {"told": Array(np.uint8, (), below=2)} | TOLD, {})

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """What the workspace still knows is of another state."""
        self.graded = (-1, -1)
        self.walls.obstacles = None
        self.meetings, self.body_impulse = no_meetings(0), np.zeros((0, 3))
        self.recalled = told_contacts({name: memory[name].copy() for name in TOLD}) if memory["told"] else None

    def contacts(self, state: State) -> Contacts:
        """Contacts with forces by the spring law on the present overlaps, and by what walls gave."""
        return spring_contacts(self.model, state, self._given(state))

    def _given(self, state: State) -> Contacts | None:
        """What obstacles and bodies gave the grains in the last substep; None: there was none."""
        if self.walls.obstacles is None:
            return self.recalled
        h = self.h
        given = Contacts.in_order(
            wall_contacts(state, self.walls, h),
            body_contacts(self.model.scene, state, self.meetings, self.body_impulse, h),
        )
        # a grain whose numbers were lost since then touches nobody
        return given.where(np.asarray(np.isfinite(given.point + given.force).all(axis=1)))

    @classmethod
    def stages(cls, settings: P2) -> tuple[str, ...]:
        chosen = (settings.method != "jacobi", settings.method), (settings.mass_splitting, "mass_splitting")
        return ("", *(stage for needed, stage in chosen if needed))

    @classmethod
    def variants(cls) -> dict[str, SolverBase]:
        split, serial = P2(mass_splitting=True, iterations=20), P2(method="gauss_seidel")
        return {"": P2(), "mass_splitting": split, "gauss_seidel": serial}

    work = staticmethod(limits.work)
    depth_warning = staticmethod(limits.depth_warning)
    layers_told = staticmethod(limits.layers_told)
    force_warning = staticmethod(limits.force_warning)

    def _substep(self, state: State, time: float, h: float, report: SolverReport) -> None:
        model, settings = self.model, self.settings
        if state.count == 0:
            return
        clock = perf_counter()
        gravity = model.gravity
        kernels.predict(state.X, state.V, state.flags, state.count, F(h), gravity, self.A)
        clock = report.lap("predict", clock)

        radius_mean = float(state.X[: state.count, 3].mean(dtype=np.float64))
        if self.graded != (state.count, state.next_id):
            self.finest = finest_size(state.X[: state.count, 3])
            self.graded = (state.count, state.next_id)
        margin = settings.margin * radius_mean
        if self.sorter.sort(state, self.A, self.B, self.finest, Cutoff.still(margin)):
            self.A, self.B = self.B, self.A
        self._place_links(state, h)
        clock = report.lap("sort", clock)

        self._find_neighbours(state.count, margin)
        clock = report.lap("neighbours", clock)

        poses = model.poses(time), model.poses(time + h)
        find_walls(
            state.X,
            self.A,
            state.material,
            state.count,
            model.shapes,
            *poses,
            margin,
            model.kinds,
            self.walls,
        )
        if self.movers is not None:
            elapsed = time - state.time
            self.movers.find(state.X, self.A, state.material, state.count, h, margin, elapsed)
            bodies.start_bodies(self.movers.moving, h)
            self.meetings = self.movers.meetings
            self.body_impulse = np.zeros((len(self.meetings.grain), 3))
        without_room = self._find_pinched(state, report)
        keep_in_place(state.X, self.A, self.walls, without_room)
        clock = report.lap("walls", clock)

        self._iterate(state, h)
        keep_in_place(state.X, self.A, self.walls, without_room)
        clock = report.lap("solve", clock)

        self._finish(state, h, report)
        if self.movers is not None:
            bodies.end_bodies(self.movers.moving, h)
            self.movers.pass_by(h)
        reactions(self.walls, self.A, state, poses[1], h)
        report.lap("finish", clock)
        report.pairs = int(self.length[: state.count].sum()) // 2
        report.wall_contacts = self.walls.count(state.count)
        if self.movers is not None:
            report.wall_contacts += len(self.movers.meetings.grain)

    def _find_pinched(self, state: State, report: SolverReport) -> NDArray[np.int64]:
        """Rows of grains that have no room."""
        walls = self.walls
        mark_pinched(
            state.X, self.A, state.count, walls.start, walls.end, walls.plane, walls.slide, walls.pair,
            self.model.pairs, self.pinched, self.partial,
        )
        many = int(self.partial[: (state.count + BLOCK - 1) // BLOCK, 0].sum())
        report.notes["pinched"] = max(report.notes.get("pinched", 0), many)
        return np.flatnonzero(self.pinched[: state.count]) if many else NOBODY

    def _find_neighbours(self, count: int, margin: float) -> None:
        kernels.columns_of(self.A, count, self.by_axis)
        blocks = (count + BLOCK - 1) // BLOCK
        while True:
            find_neighbours(
                self.A,
                self.by_axis,
                self.sorter.levels,
                F(margin),
                self.share,
                self.first,
                self.depth,
                self.length,
                self.neighbours,
                self.needed,
            )
            owned = np.diff(self.share)
            if (self.needed[:blocks] <= owned[:blocks]).all():
                return
            # ordinary blocks get what most of them need, so that they do not outgrow their shares one after the other
            needed = self.needed[:blocks]
            room = np.maximum(needed, np.quantile(needed, 0.9))
            owned[:blocks] = np.maximum(owned[:blocks], (1.15 * room).astype(np.int64))
            self.share[1:] = np.cumsum(-(-owned // 8) * 8)
            self.neighbours = np.zeros(int(self.share[-1]), np.int32)
            self.relaxations = np.zeros(int(self.share[-1]), np.float32)

    def _iterate(self, state: State, h: float) -> None:
        settings, model, walls = self.settings, self.model, self.walls
        n = settings.iterations
        # equation 28 belongs to averaging; mass splitting has a fixed point of its own
        fraction = h * settings.substeps / settings.dt
        table = pair_table(model.pairs, h, 1 if settings.mass_splitting else n, fraction)
        strength = float(norm(model.gravity.astype(np.float64)))
        lean = settings.error_reduction * model.gravity / strength if strength > 0 else np.zeros(3)
        common = np.array([-1.0 / n, *lean, 0, n, 0, 0], np.float32)
        material = int(state.material[0])
        alike = bool((state.material[: state.count] == material).all())
        kinds, grain_table = (1, table[[material * (model.kinds + 1)]]) if alike else (model.kinds, table)
        if len(self.wall_now) < len(walls.plane):
            self.wall_now = np.zeros_like(walls.plane)
        self.lists = kernels.Lists(
            self.first, self.depth, self.neighbours, self.relaxations, state.material, kinds, grain_table
        )
        self.touches = kernels.Walls(walls.start, walls.end, walls.plane, walls.slide, walls.pair, table)
        rows = self.lists, self.touches, self.links
        if settings.mass_splitting:
            memory = self.impulses
            memory.clear(len(self.neighbours), len(walls.plane), len(self.links.other), state.count)
            splitting.count_parts(self.A, state.count, *rows, memory.parts)
            for iteration in range(n):
                self.stop.look()
                splitting.split_jacobi(self.A, self.B, state.count, *rows, walls.push, memory.arrays)
                self.A, self.B = self.B, self.A
                memory.swap()
                common[DONE], common[LEFT] = iteration, n - iteration
                self._meet_bodies(common, h)
        elif settings.method == "gauss_seidel":
            for iteration in range(n):
                self.stop.look()
                common[DONE], common[LEFT] = iteration, n - iteration
                kernels.gauss_seidel(self.A, state.count, *rows, common, walls.push)
                self._meet_bodies(common, h)
        else:
            for iteration in range(n):
                self.stop.look()
                common[DONE], common[LEFT] = iteration, n - iteration
                kernels.jacobi(
                    self.A,
                    self.B,
                    iteration,
                    state.count,
                    *rows,
                    common,
                    self.wall_now,
                    walls.push,
                    self.scratch,
                )
                self.A, self.B = self.B, self.A
                self._meet_bodies(common, h)
        hold_at_walls(state.X, self.A, state.count, walls)
        if self.movers is not None and len(self.movers.meetings.grain):
            self._hold_at_bodies(state, self.movers, h)

    def _meet_bodies(self, common: NDArray[np.float32], h: float) -> None:
        """Grains and moving bodies part, one contact after another."""
        if self.movers is not None and len(self.movers.meetings.grain):
            table = pair_table(self.model.pairs, h, self.settings.iterations)
            bodies.project_bodies(
                self.A, self.movers.meetings, self.movers.moving, table, common, h, self.body_impulse
            )

    def _hold_at_bodies(self, state: State, movers: Movers, h: float) -> None:
        """No centre goes through a body; what that takes, the body gives."""
        if hold_at_walls(state.X, self.A, state.count, movers.walls):
            walls = movers.walls
            bodies.book_held(
                walls.start, walls.end, walls.push, self.A, state.count, movers.meetings, movers.moving, h,
                self.body_impulse,
            )  # fmt: skip

    def _finish(self, state: State, h: float, report: SolverReport) -> None:
        gravity = self.model.gravity
        fall = SLEEP_SHARE * h * h * float(norm(gravity.astype(np.float64)))
        threshold = F(min(self.settings.sleep_threshold / self.settings.substeps, fall))
        if threshold > 0:
            kernels.mark_activity(self.A, state.count, threshold, self.touches, state.columns["carried"], self.activity)
        kernels.finish(
            state.X, state.V, state.flags, state.force, self.A, state.count, F(h), gravity,
            kernels.Sleep(threshold, state.columns["carried"], self.activity), self.lists, self.partial,
        )  # fmt: skip
        blocks = (state.count + BLOCK - 1) // BLOCK
        report.frozen, report.asleep = (int(v) for v in self.partial[:blocks].sum(axis=0))

    def _place_links(self, state: State, h: float) -> None:
        """Links by the present places of their grains; a link whose grain is gone is gone with it."""
        links = self.model.links
        if len(links.first) == 0:
            return
        i, j = links.places(state.id[: state.count])
        alive = (i >= 0) & (j >= 0)
        q = h * h * links.stiffness + h * links.damping
        share = np.where(
            np.isinf(links.stiffness),
            1.0,
            np.divide(h * h * links.stiffness, q, out=np.zeros_like(q), where=(q > 0) & np.isfinite(q)),
        )
        value = np.stack([links.length, np.minimum(q, 1e38), share], axis=1).astype(np.float32)[alive]
        ends = np.concatenate([i[alive], j[alive]])
        order = np.argsort(ends, kind="stable")
        start = np.zeros(state.count + 1, np.int32)
        np.cumsum(np.bincount(ends, minlength=state.count), out=start[1:])
        other = np.concatenate([j[alive], i[alive]])[order].astype(np.int32)
        self.links = kernels.LinkRows(start, other, np.concatenate([value, value])[order])
