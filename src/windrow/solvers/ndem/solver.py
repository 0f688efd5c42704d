"""One step of NDEM."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import bounds_of
from windrow.collide.walls import find_walls
from windrow.kernel import BLOCK
from windrow.scene.settings import NDEM
from windrow.simd import WIDTH
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem import kernels, memory, rows, sleeping
from windrow.solvers.ndem.bodies import BodyContacts, give_bodies, swiftest_meeting, weigh_meetings
from windrow.solvers.ndem.burden import Burdens
from windrow.solvers.ndem.colouring import IDLE, STRAYS_LEAST, Batches
from windrow.solvers.ndem.contacts import remembered_contacts
from windrow.solvers.ndem.laws import CARRIED, LAW, ROW
from windrow.solvers.ndem.links import LinkRows, recall_links, weigh_links
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.poses import ObstaclePoses
from windrow.solvers.ndem.reach import drop_in, reach_of
from windrow.solvers.ndem.roaming import Roamers
from windrow.solvers.ndem.substeps import (
    LIGHT_BURDEN,
    Grading,
    stiffness_carried,
    substeps_for_impact,
    substeps_for_stiffness,
    sweeps_for_burden,
)
from windrow.solvers.ndem.vector import PAIR_COLUMNS
from windrow.solvers.ndem.waking import Kept, Sleepers
from windrow.solvers.ndem.walls import Poses, WallBatches
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.state.contacts import Contacts
from windrow.state.model import Model
from windrow.state.room import room
from windrow.state.state import FROZEN, State
from windrow.team import TEAM

F = np.float32
RETRIES = 2
"""Times that a substep is begun again with wider lists before it is taken as it is."""
COUNTED = ("substeps", "searches", "relisted", "levels", "missed_pairs", "strays")
AWAY = 1e6
"""Where idle lanes' grains are, m: far from each other."""


class NDEMStepper:
    """The workspace of NDEM for one model, its contact memory, and its step."""

    def __init__(self, settings: NDEM, model: Model) -> None:
        self.settings = settings
        self.model = model
        capacity = model.capacity
        blocks = (capacity + BLOCK - 1) // BLOCK
        self.X, self.U, self.U0 = (room((capacity + IDLE, 4), np.float32) for _ in range(3))
        self.X[capacity::2, :3], self.X[capacity + 1 :: 2, :3] = AWAY, -AWAY
        self.rows, self.spare_rows = (room((capacity, 8), np.float32) for _ in range(2))
        self.home, self.way = room((capacity, 4), np.float32), room((capacity, 4), np.float32)
        """The paths that lists were made for: {where they begin, cover} and {direction, length}."""
        self.partial, self.velocities = (np.zeros((blocks + 1, wide), np.float32) for wide in (2, 6))
        self.sorter = Sorter(capacity)
        self.batches, self.batches_before = Batches(capacity), Batches(capacity)
        self.pencils = Pencils(capacity)
        self.roamers = Roamers(capacity)
        self.walls = WallBatches(capacity)
        self.links = LinkRows(model.links)
        self.bodies = BodyContacts(model.scene)
        self.movers: Movers | None = None
        self.identity = np.arange(capacity, dtype=np.int32)
        self.old = room(capacity, np.int32)
        self._make_room_for(self.batches.room_least, STRAYS_LEAST)
        self.sleepers = Sleepers(capacity, model.gravity)
        self.stepped = False
        """Whether the working rows are those of the last step."""
        self.peak = np.zeros((1, WIDTH), np.float32)
        self.material = np.zeros(capacity + IDLE, np.int32)
        self.burdens = Burdens(capacity + IDLE)
        self.table = np.zeros((len(model.pairs), PAIR_COLUMNS), np.float32)
        self.table[:, : model.pairs.shape[1]] = model.pairs
        self.common = np.zeros(8, np.float32)
        self.ids = np.zeros(0, np.int64)
        """Ids in the order that lists and memory refer to."""
        self.listed = False
        self.undone = False
        self.retries = 0
        """How often in a row no substep could be kept."""
        self.covers_step = False
        """Whether a search of this step made lists that hold for all of it."""
        self.held = 0.0
        """How far from where a leg begins its walls hold for all grains, m."""
        self.impact = 0.0
        """Swiftest meeting that the last search found, 1/s."""
        self.pairs = 0
        self.h = 0.0
        """Substep that the impulses of the memory belong to, s; 0: no memory."""
        self.h_kept = 0.0
        """Length of the last substep that was not undone, s; 0: there was none."""
        self.felt = np.zeros(3, np.float32)
        """Gravity in the last step that was computed, m/s²."""
        self.poses = ObstaclePoses(model)
        self.grading: Grading | None = None
        self.graded = (-1, -1)

    def step(self, state: State, movers: Movers | None = None) -> SolverReport:
        """Advances the state by dt, in legs: lists and walls hold for one leg, which is mostly the whole step."""
        self.movers = movers
        report = SolverReport()
        report.notes.update(dict.fromkeys(COUNTED, 0), overlap_peak=0.0, missed_depth=0.0)
        dt, done = self.settings.dt, 0.0
        self.covers_step = False
        if state.count:
            self._begin(state)
        if state.count and self._all_asleep(state):
            report.asleep, report.pairs, report.wall_contacts = state.count, self.pairs, self.walls.count
            self.sleepers.patience.longer = 1
        else:
            state.body_force[:] = 0.0
            state.body_torque[:] = 0.0
            legs = 0
            while state.count and done < dt * (1.0 - 1e-9):
                if legs:
                    rows.hold_lost(state, self.X, self.U, self.U0)
                done += self._leg(state, done, report)
                legs += 1
            self.felt[:] = self.model.gravity
            if state.count:
                self._finish(state, report)
        state.step += 1
        state.time = state.time + dt
        self.movers = None
        return report

    def memory(self) -> dict[str, NDArray[Any]]:
        """Lists and impulses: a restored run goes on with the same contacts in the same order."""
        return memory.to_arrays(self) if self.listed else {}

    def recall(self, memory_: dict[str, NDArray[Any]]) -> None:
        if memory_:
            memory.from_arrays(self, memory_)

    def contacts(self, state: State) -> Contacts:
        """Contacts with their forces over the last substep."""
        known = remembered_contacts(self.batches, self.walls, self.ids, self.h, state)
        return Contacts.in_order(known, self.bodies.contacts(state, self.h)) if self.h > 0.0 else known

    def _begin(self, state: State) -> None:
        """Takes over the state, and finds the memory's grains among those present."""
        count = state.count
        if self.graded != (count, state.next_id) or self.grading is None:
            self.grading = Grading.of(state, self.model)
            self.graded = (count, state.next_id)
        self.sleepers.begin(state, self.settings)
        now = state.id[:count]
        self.came = None
        if not np.array_equal(self.ids, now):
            self.came = memory.places_before(self.ids, now)
        same = self.stepped and self.came is None
        rows.begin(state.X, state.V, state.flags, count, F(self.settings.dt), same, self.X, self.U)
        self.stepped = True

    def _all_asleep(self, state: State) -> bool:
        """Whether nothing moves, and nothing is there that could wake anybody."""
        if (
            self.settings.sleep_speed == 0.0
            or not self.listed
            or self.came is not None
            or self.movers is not None
            or not np.array_equal(self.felt, self.model.gravity)
            or not self.poses.rest(state.time, self.settings.dt)
        ):
            return False
        flags, w = state.flags[: state.count], state.V[: state.count, 3]
        return bool((((flags & (sleeping.ASLEEP | FROZEN)) != 0) | (w == 0)).all())

    def _leg(self, state: State, done: float, report: SolverReport) -> float:
        """Search if the lists no longer hold, find walls, choose substeps, advance; returns the time it took."""
        clock = perf_counter()
        dt, count = self.settings.dt, state.count
        assert self.grading is not None
        rest = dt - done
        stiff = substeps_for_stiffness(self.settings, self.grading)
        margin = self.settings.margin * self.grading.r_mean
        rows.strayed_and_fastest(self.X, self.U, self.home, self.way, count, F(rest), self.partial)
        strayed, fast = self.partial[0, :2].astype(np.float64)
        kept = self.listed and self.came is None
        calm = not self.undone and self.roamers.count == 0 and strayed == 0
        span, impact, old = rest, 0.0, self.identity
        clock = report.lap("begin", clock)
        if not (kept and calm):
            order = self.identity
            # a whole search also pays when nothing is fast any more: then lists hold for long
            few = kept and strayed <= self.roamers.most(count) and 4.0 * fast * rest > margin
            added = self._relist(margin, rest, dt / stiff, report) if few else None
            if added is None:
                span, self.impact = self._search(state, margin, float(fast), rest, dt / stiff, report)
                self.covers_step = span >= rest
                old, order = self.old, self.sorter.order
            impact = self.impact if added is None else max(added, self.impact if self.covers_step else 0.0)
            if self.undone:
                kernels.restart_substep(self.U0, order, count, self.U)
            clock = report.lap("search", clock)

        now = state.time + done
        poses = self.poses.at(now), self.poses.at(now + 0.5 * span), self.poses.at(now + span)
        way = margin + float(fast) * span
        wall_impact = self._find_walls(state, poses, way, span, old, report)
        body_impact = self._find_bodies(state, way, span, done, report)
        self.held = way
        clock = report.lap("walls", clock)

        whole = substeps_for_impact(self.settings, self.grading, max(impact, wall_impact, body_impact))
        many = max(1, math.ceil(rest * whole / dt - 1e-6))
        h = rest / many
        leg = max(1, min(many, int(span / h + 1e-6)))
        if not self.poses.fixed:
            self.walls.quicken(h)
        self._weigh(state, h)
        clock = report.lap("weigh", clock)
        if self.sleepers.any:
            leg = self._advance_among_sleepers(state, leg, report)
        else:
            leg = self._advance(state, leg, report)[0]
        clock = report.lap("solve", clock)

        # what the bodies received adds up to a mean over the whole step
        self.walls.react(
            self.X, self.poses.at(state.time + done + leg * h), dt, state.body_force, state.body_torque
        )
        self.walls.remember()
        if self.movers is not None:
            self.bodies.remember()
            self.movers.pass_by(leg * h)
        report.lap("react", clock)
        report.notes["substeps"] += leg
        report.notes["stiffness_used"] = stiffness_carried(h, self.grading)
        report.notes["stiffness_asked"] = self.grading.stiffness
        return leg * h

    def _relist(self, margin: float, rest: float, h: float, report: SolverReport) -> float | None:
        """Lists only those anew that have moved; returns the swiftest meeting (1/s), or None if they are too many."""
        batches, drop = self.batches, drop_in(self.model.gravity, rest, self.h or h)
        found = self.roamers.relist(
            batches, self.sorter.levels, self.X, self.U, self.home, self.way, 0.5 * margin, rest, drop
        )
        if found is None:
            return None
        self.pairs = int(batches.lists.length[: len(self.ids)].sum())
        self._make_room()
        report.notes["relisted"] = self.roamers.count
        self._note_missed(found[1], found[2], report)
        return found[0]

    def _note_missed(self, many: int, depth: float, report: SolverReport) -> None:
        report.notes["missed_pairs"] += many
        report.notes["missed_depth"] = max(report.notes["missed_depth"], depth)

    def _search(
        self, state: State, margin: float, fast: float, rest: float, h: float, report: SolverReport
    ) -> tuple[float, float]:
        """Sorts the grains, lists their pairs and batches them; returns how long the lists hold (s) and the swiftest
        meeting (1/s)."""
        assert self.grading is not None
        count = state.count
        bounds_of(self.U, count, self.velocities)
        rows.farthest_from_middle(self.U, count, self.velocities, self.partial)
        reach = reach_of(
            self.U[:count], self.grading.r_fine, self.model.gravity, margin, fast, float(self.partial[0, 0]), rest, h,
            self.h or h, self.settings.dt,
        )  # fmt: skip
        rows.join_rows(self.X, self.U, count, self.rows)
        if self.sorter.sort(state, self.rows, self.spare_rows, self.grading.r_fine, reach):
            self.rows, self.spare_rows = self.spare_rows, self.rows
            rows.split_rows(self.rows, count, self.X, self.U)
        order = self.sorter.order[:count]
        self.old[:count] = order if self.came is None else self.came[order]
        self.came = None

        self.batches, self.batches_before = self.batches_before, self.batches
        levels = self.sorter.levels
        impact = self.batches.lists.search(self.X, self.U, levels, reach)
        self.pencils.divide(levels)
        before = self.batches_before if self.listed else None
        missed, depth = self.pencils.batch(
            self.batches, before, self.old, self.model.capacity, self.X, TEAM.members
        )
        rows.remember_paths(self.batches.lists.columns, count, self.home, self.way)
        self.ids = state.id[:count].copy()
        self.links.place(self.ids)
        self.listed = True
        self.roamers.forget(reach.far)
        self.pairs = int(self.batches.lists.length[:count].sum())
        self._make_room()
        self.burdens.known = False
        report.notes["searches"] += 1
        self._note_missed(missed, depth, report)
        return reach.span, impact

    def _make_room(self) -> None:
        """Workspace for as many batches and strays as there are."""
        batches, strays = len(self.batches.ends), len(self.batches.stray_ends)
        if len(self.row) < batches or len(self.stray_row) < strays:
            self._make_room_for(batches + batches // 4, strays + strays // 4)
        if len(self.peak) != self.pencils.count:
            self.peak = np.zeros((self.pencils.count, WIDTH), np.float32)

    def _make_room_for(self, batches: int, strays: int) -> None:
        # grains that are all alike need no law of their own, and so none of its memory
        self.row, self.law = (
            room((batches, ROW, WIDTH), np.float32),
            np.zeros((batches, LAW, WIDTH), np.float32),
        )
        self.alive, self.busy = room(batches, np.uint8), room(batches, np.uint8)
        self.stray_row, self.stray_law = room((strays, ROW), np.float32), room((strays, LAW), np.float32)

    def _find_walls(
        self,
        state: State,
        poses: Poses,
        margin: float,
        span: float,
        old: NDArray[np.int32],
        report: SolverReport,
    ) -> float:
        """Contacts with walls over `span`; returns the swiftest meeting, 1/s."""
        model, count = self.model, state.count
        rows.predict(self.X, self.U, count, F(span), model.gravity, self.rows)
        find_walls(
            self.X, self.rows, state.material, count, model.shapes, poses[0], poses[2], margin, model.kinds,
            self.walls.contacts,
        )  # fmt: skip
        batches, impact = self.walls.fill(self.pencils, old, model.capacity, self.X, self.U, span, poses)
        self.pencils.schedule(TEAM.members, batches)
        report.wall_contacts = self.walls.count
        return impact

    def _find_bodies(
        self, state: State, margin: float, span: float, done: float, report: SolverReport
    ) -> float:
        """Contacts with moving bodies over `span`; returns the swiftest meeting, 1/s."""
        if self.movers is None:
            return 0.0
        # `rows` holds the prediction that the walls were found with
        self.movers.find(self.X, self.rows, state.material, state.count, span, margin, done)
        self.bodies.take(self.movers, state.id)
        report.wall_contacts += len(self.movers.meetings.grain)
        return float(swiftest_meeting(self.X, self.U, self.bodies.rows, span))

    def _weigh(self, state: State, h: float) -> None:
        """Scales the memory to the substep, and fixes what of each contact's law holds for the leg."""
        batches, walls, pencils = self.batches, self.walls, self.pencils
        assert self.grading is not None
        self.common = self._common_numbers(h)
        scale = F(h / self.h) if self.h > 0.0 else F(1.0)
        self.h = h
        self.material[: state.count] = state.material[: state.count]
        self._make_room()
        kernels.recall_impulses(
            self.U, self.U0, state.count, scale, pencils.turns, pencils.turn_begin, pencils.begin,
            batches.ends, batches.impulse, pencils.wall_begin, walls.ends, walls.impulse,
            batches.stray_ends, batches.stray_impulse,
        )  # fmt: skip
        recall_links(self.U, self.U0, self.links.ends, self.links.impulse, scale)
        give_bodies(self.U, self.U0, self.bodies.rows, scale)
        if self.sleepers.any:
            movable = None if self.poses.fixed else walls, None if self.movers is None else self.bodies
            self.sleepers.wake(state, self.U, self.U0, h, batches, *movable)
        kernels.weigh_contacts(
            self.U, self.U0, self.material, self.model.kinds, self.table, self.common, not self.grading.alike,
            batches.ends, batches.impulse, self.row, self.law, self.alive,
            walls.ends, walls.kind, walls.impulse, walls.row, walls.law, walls.alive,
            batches.stray_ends, batches.stray_impulse, self.stray_row, self.stray_law,
        )  # fmt: skip
        weigh_meetings(self.U, self.U0, self.table, self.bodies.rows, F(h), F(self.settings.relaxation_time))
        weigh_links(self.U, self.links.ends, self.links.row, F(h), F(self.settings.relaxation_time))

    def _advance_among_sleepers(self, state: State, leg: int, report: SolverReport) -> int:
        """`_advance`, begun again with more grains awake as long as it stirs sleepers; see `waking.py`."""
        batches, links, bodies, count = self.batches, self.links, self.bodies.rows, state.count
        impulses = (batches.impulse, batches.stray_impulse, links.impulse, bodies.impulse)
        contacts = (batches.ends, self.alive, batches.stray_ends, links.ends, bodies.meetings.grain)
        times = 0
        while True:
            self.sleepers.find_edge(state, self.h, (self.U, state.flags, count, *contacts), impulses)
            kept = self._keep(count) if len(self.sleepers.edge.sleepers) else None
            done, stirred = self._advance(state, leg, report)
            if stirred and kept is not None:
                times += 1
                self.sleepers.widen(state, batches, times)
                kept.put_back()
            sleeping.rouse(state.V, state.flags, count, self.U)
            if not stirred:
                return done
            self._weigh(state, self.h)

    def _keep(self, count: int) -> Kept:
        """All that `_advance` changes."""
        batches, walls, bodies, moving = self.batches, self.walls, self.bodies.rows, self.bodies.rows.moving
        kept = Kept()
        kept.keep(self.X[:count], self.U[:count], some=self.U[:count, 3] > 0.0)
        kept.keep(batches.impulse, some=self.alive[: len(batches.impulse)] > 0)
        kept.keep(batches.stray_impulse, self.links.impulse, walls.impulse, walls.face, walls.total)
        kept.keep(bodies.impulse, moving.V, moving.moved, moving.given)
        return kept

    def _common_numbers(self, h: float) -> NDArray[np.float32]:
        """What all contacts have in common, in the order of `vector.STEP` and those after it."""
        assert self.grading is not None
        kind = int(self.grading.kinds[0])
        k, c, mu_s, mu_k, _ = self.model.pairs[kind * (self.model.kinds + 1)]
        carried = CARRIED * CARRIED / (h * h)
        step, calming = (h, 1.0 / h), self.settings.relaxation_time
        return np.array([*step, mu_s, mu_k, k, c, calming, carried, self.h_kept or h], np.float32)

    def _advance(self, state: State, leg: int, report: SolverReport) -> tuple[int, int]:
        """Sweeps and moves, `leg` substeps at most; returns how many, and how many sleepers the last one stirred."""
        batches, walls, pencils = self.batches, self.walls, self.pencils
        assert self.grading is not None
        self.peak[:] = 0.0
        more_turns, more_begin = self._more_sweeps(state)
        turns = pencils.turns, pencils.turn_begin
        if len(self.sleepers.edge.sleepers):
            turns = pencils.turns_of_awake(self.alive, walls.alive)
        outcome = np.zeros((leg, 2), np.int64)
        kernels.advance(
            outcome, self.X, self.U, self.U0, self.home, self.way, state.count, self.sleepers.awake, leg,
            self.settings.sweeps, self.model.gravity, *turns, more_turns, more_begin, pencils.begin, pencils.wall_begin,
            batches.ends, batches.impulse, self.row, self.law, not self.grading.alike, self.alive, self.busy,
            walls.ends, walls.impulse, walls.row, walls.law, walls.face, walls.alive, walls.busy, walls.total,
            batches.stray_ends, batches.stray_impulse, self.stray_row, self.stray_law,
            self.links.ends, self.links.impulse, self.links.row, self.common, self.peak, self.partial,
            self.retries < RETRIES, self.roamers.watch(batches, self.sorter.levels, self.rows, self.held),
            self.bodies.rows, self.sleepers.edge,
        )  # fmt: skip
        done, self.undone, stirred = kernels.done_of(outcome)
        if stirred:
            return done, stirred
        notes = report.notes
        notes["overlap_peak"] = max(notes["overlap_peak"], float(self.peak.max(initial=0.0)))
        notes["strays"] = len(batches.stray_ends)
        notes["levels"] = len(pencils.level_begin) - 1
        notes["sweeps"] = self.settings.sweeps + len(more_begin)
        self.h_kept = self.h if done else self.h_kept
        self.retries = self.retries + 1 if self.undone and done == 0 else 0
        return done, 0

    def _more_sweeps(self, state: State) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Turns of the sweeps beyond those of the settings; see `Pencils.turns_of_some`."""
        assert self.grading is not None
        wanted = np.zeros(self.pencils.count, np.int64)
        if self.grading.mass_ratio > LIGHT_BURDEN:
            where = self.h, self.model.gravity, self.pencils, self.batches, self.sorter.levels
            burden = self.burdens.of_pencils(state, self.X, self.U, self.U0, *where)
            wanted = sweeps_for_burden(self.settings, burden) - self.settings.sweeps
        return self.pencils.turns_of_some(wanted)

    def _finish(self, state: State, report: SolverReport) -> None:
        """Writes the state."""
        clock = perf_counter()
        count = state.count
        if self.settings.sleep_speed > 0.0:
            report.asleep = self.sleepers.fall_asleep(
                state, self.U, self.U0, self.h, self.batches, self.settings
            )
        rows.finish(
            self.X, self.U, state.X, state.V, state.flags, state.force, count, F(self.settings.dt), self.model.gravity,
            self.partial,
        )  # fmt: skip
        report.frozen = int(self.partial[: (count + BLOCK - 1) // BLOCK, 0].sum())
        report.pairs = self.pairs
        report.lap("finish", clock)
