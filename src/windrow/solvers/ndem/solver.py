"""One step of NDEM; docs/solver-ndem.md follows it through the files."""

from __future__ import annotations

import math
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import bounds_of
from windrow.collide.paths import Horizon
from windrow.collide.walls import find_walls
from windrow.geometry.terms import F32
from windrow.kernel import BLOCK
from windrow.scene.settings import NDEM
from windrow.solvers.interface import Solver, WarmupStage
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem import advance, limits, memory, motion, substeps
from windrow.solvers.ndem.arrivals import changes_between, take_over
from windrow.solvers.ndem.batching import Batcher
from windrow.solvers.ndem.bodies import swiftest_meeting
from windrow.solvers.ndem.calibration import PROTOCOL
from windrow.solvers.ndem.interval import NOBODY, Interval, StepProgress, Workspace
from windrow.solvers.ndem.laws import CARRIED
from windrow.solvers.ndem.memory import ContactMemory, remembered_contacts
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.records import (
    IDLE,
    PAIR_COLUMNS,
    ContactSet,
    ExtraSweeps,
    Overflow,
    PairBatches,
    SubstepTerms,
    WorkRows,
)
from windrow.solvers.ndem.skin import Escaped, cutoff_for, drop_in
from windrow.solvers.ndem.sleep import (
    ASLEEP,
    AWAKE,
    SLEEP,
    Rollback,
    SleepBackoff,
    Sleepers,
    release_sleepers,
)
from windrow.solvers.ndem.walls import ObstaclePoses, pinched_by
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.state.contacts import Contacts as TouchedContacts
from windrow.state.model import Model
from windrow.state.state import FROZEN, State
from windrow.team import TEAM

F = np.float32
RETRIES = 2
"""Times that a substep is begun again with wider lists before it is taken as it is."""
COUNTED = ("substeps", "searches", "relisted", "levels", "missed_pairs", "overflow")


class NDEMStepper(Solver):
    """NDEM for one model: its memory, its workspace, and its step."""

    settings_class = NDEM
    columns = (SLEEP,)
    kernels = ("windrow.solvers.ndem.",)
    warmup = MappingProxyType({"": WarmupStage((NDEM(),), resting=(NDEM(sleep_speed=1.0),))})
    with_bodies = (NDEM(),)
    calibration = PROTOCOL
    tolerances = MappingProxyType(
        {"height on a spring, mm": 0.05, "acceleration on an incline": 0.005, "angle of a soil's heap, degrees": 1.5}
    )
    settings: NDEM

    def __init__(self, settings: NDEM, model: Model) -> None:
        super().__init__(settings, model)
        capacity = model.capacity
        self.grains = WorkRows.of(capacity)
        self.kept = ContactMemory(model)
        self.scratch = Workspace(capacity, self.kept.pairs.room_least)
        self.sorter, self.pencils = Sorter(capacity, self.columns), Pencils()
        self.batcher, self.escaped = Batcher(capacity), Escaped(capacity)
        self.sleepers = Sleepers(capacity, model.gravity)
        self.loads = substeps.MassRatioLoads(capacity + IDLE)
        self.poses = ObstaclePoses(model)
        self.table = np.zeros((len(model.pairs), PAIR_COLUMNS), np.float32)
        self.table[:, : model.pairs.shape[1]] = model.pairs
        self._forget()

    def _forget(self) -> None:
        """As before the first step; what is left in the workspace means nothing then."""
        self.stepped = False
        """Whether the working rows are those of the last step."""
        self.statistics: substeps.GrainStatistics
        self._statistics_of = (-1, -1)
        self.kept.forget()
        self.escaped.forget(0.0)
        self.sleepers.backoff = SleepBackoff()
        self.loads.known = False

    def step(self, state: State, dt: float, movers: Movers | None = None) -> SolverReport:
        """As in the base class; but where all sleep, bodies and obstacles keep the forces of the last step."""
        report = SolverReport()
        self.advance(state, dt, movers, report)
        state.time = state.time + report.span
        return report

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """The step, in intervals."""
        report.notes.update(dict.fromkeys(COUNTED, 0), overlap_peak=0.0, missed_depth=0.0, pinched=0)
        progress = self._begin(state, dt, movers)
        if state.count and self._all_asleep(state, progress):
            self._sleep_on(state, report)
        else:
            state.body_force[:] = 0.0
            state.body_torque[:] = 0.0
            interval = None
            while state.count and progress.goes_on:
                self.stop.look()
                clock = perf_counter()
                interval = self._begin_interval(state, progress)
                clock = report.lap("begin", clock)
                self._hold_lists(state, progress, interval, report)
                clock = report.lap("search", clock)
                self._find_walls(state, progress, interval, report)
                self._find_bodies(state, progress, interval, report)
                clock = report.lap("walls", clock)
                self._choose_substeps(interval)
                self._prepare(state, progress, interval)
                clock = report.lap("prepare", clock)
                done = self._advance(state, progress, interval, report)
                clock = report.lap("solve", clock)
                self._react(state, progress, interval, done * interval.h)
                progress.pass_by(done * interval.h, state)
                report.lap("react", clock)
            self._finish(state, progress, interval, report)
        report.span = progress.dt

    def grains_changed(self) -> None:
        """Those that were fixed have no pairs yet with others that were."""
        self._statistics_of = (-1, -1)

    def memory(self) -> dict[str, NDArray[Any]]:
        """Lists and impulses: a restored run goes on with the same contacts in the same order."""
        return memory.to_arrays(self) if self.kept.listed else {}

    def check(self, memory_: dict[str, NDArray[Any]]) -> None:
        if memory_:
            memory.check(self, memory_)

    def recall(self, memory_: dict[str, NDArray[Any]]) -> None:
        self._forget()
        if memory_:
            memory.from_arrays(self, memory_)

    def wake(self, state: State, near: NDArray[np.bool_]) -> None:
        np.putmask(state.columns["sleep"][: state.count], near[: state.count], AWAKE)

    work = staticmethod(limits.work)
    automatic_substeps = staticmethod(limits.automatic_substeps)
    step_warning = staticmethod(limits.stiffness_warning)

    def contacts(self, state: State) -> TouchedContacts:
        """Contacts with their forces over the last substep."""
        return remembered_contacts(self.kept, state)

    def _begin(self, state: State, dt: float, movers: Movers | None) -> StepProgress:
        """Takes over the state, and finds the memory's grains among those present."""
        count = state.count
        self.grains = self.grains._replace(n=count)
        if count == 0:
            return StepProgress(dt, movers, None)
        if self._statistics_of != (count, state.next_id):
            before = getattr(self, "statistics", None)
            self.statistics = substeps.GrainStatistics.of(state, self.model, before)
            self._statistics_of = (count, state.next_id)
        self.sleepers.begin(state, self.settings)
        changed, came, new = self._changed(state), None, NOBODY
        if changed:
            changes = changes_between(self.kept.ids, state.id[:count], self.escaped.most(count))
            if changes is None or not self.kept.listed:
                came = memory.places_before(self.kept.ids, state.id[:count])
            else:
                new = take_over(self.kept, changes, self.escaped, self.grains, self.pencils, state)
                self.loads.known = False
        same = self.stepped and came is None
        motion.begin(state.X, state.V, state.flags, state.columns["sleep"], F(dt), same, self.grains)
        self.stepped = True
        return StepProgress(dt, movers, came, new, changed)

    def _changed(self, state: State) -> bool:
        """Whether grains have come, left or been freed since the last step."""
        ids, kept = state.id[: state.count], self.kept
        if not np.array_equal(kept.ids, ids):
            return True
        return bool(kept.any_fixed and (state.V[: state.count, 3] > 0.0)[kept.fixed[: state.count] > 0].any())

    def _all_asleep(self, state: State, progress: StepProgress) -> bool:
        """Whether nothing moves, and nothing is there that could wake a grain."""
        if (
            self.settings.sleep_speed == 0.0
            or not self.kept.listed
            or progress.changed
            or progress.movers is not None
            or not np.array_equal(self.kept.gravity, self.model.gravity)
            or not self.poses.rest(state.time, progress.dt)
        ):
            return False
        asleep = state.columns["sleep"][: state.count] == ASLEEP
        return bool((asleep | (state.flags[: state.count] == FROZEN) | (state.V[: state.count, 3] == 0)).all())

    def _sleep_on(self, state: State, report: SolverReport) -> None:
        report.asleep, report.pairs, report.wall_contacts = state.count, self.kept.listed_pairs, self.kept.walls.count
        self.sleepers.backoff.longer = 1

    def _begin_interval(self, state: State, progress: StepProgress) -> Interval:
        """Looks at how fast grains are, and how many are leaving their skins."""
        if progress.done > 0.0 or progress.retries:
            motion.hold_lost(state, self.grains)
        rest = progress.dt - progress.done
        work, statistics = self.scratch, self.statistics
        motion.leaving_and_fastest(self.grains, F(rest), work.leaving, work.fastest)
        return Interval(
            rest=rest,
            margin=self.settings.margin * statistics.r_mean,
            least=self.settings.dt / substeps.substeps_for_stiffness(self.settings, statistics),
            fast=float(work.fastest[0]),
            leaving=int(work.leaving[0]),
            span=rest,
            old=work.identity,
        )

    def _hold_lists(self, state: State, progress: StepProgress, interval: Interval, report: SolverReport) -> None:
        """Keeps the lists as they are, lists only escaped grains anew, or searches all."""
        kept, new = self.kept.listed and progress.came is None, len(progress.new)
        far = interval.fast * interval.rest
        escapes = interval.leaving > 0 or (self.escaped.count > 0 and 2.0 * far > interval.margin)
        if kept and not progress.undone and not escapes and new == 0:
            return
        order = self.scratch.identity
        few = interval.leaving + new <= self.escaped.most(state.count)
        # a search of all also pays when nothing is fast any more: then lists hold for long
        few = few and (4.0 * far > interval.margin or (interval.leaving == 0 and not progress.undone))
        if not (kept and few and self._update_lists(progress, interval, report)):
            self._search(state, progress, interval, report)
            order = self.sorter.order
        progress.new = NOBODY
        if progress.undone:
            advance.restart_substep(self.grains, order)

    def _update_lists(self, progress: StepProgress, interval: Interval, report: SolverReport) -> bool:
        """Lists only the escaped grains anew; returns whether they are few enough."""
        drop = drop_in(self.model.gravity, interval.rest, self.kept.h or interval.least)
        horizon = Horizon(F(0.5 * interval.margin), F(interval.rest), drop)
        if progress.undone:
            self.escaped.list_again(self.grains.n)
        found = self.escaped.update_lists(self.kept.pairs, self.sorter.levels, self.grains, horizon)
        if found is None:
            return False
        interval.impact = max(found[0], progress.impact if progress.covers_rest else 0.0)
        report.notes["relisted"] = self.escaped.count
        self._note_lists(found[1], found[2], report)
        return True

    def _search(self, state: State, progress: StepProgress, interval: Interval, report: SolverReport) -> None:
        """Sorts the grains, lists their pairs and batches them."""
        work, kept, grains = self.scratch, self.kept, self.grains
        bounds_of(grains.U, state.count, work.velocity_bounds)
        motion.spread_of_velocities(grains.U, state.count, work.velocity_bounds, work.spread)
        cutoff = cutoff_for(
            grains.U[: state.count], self.statistics.r_fine, self.model.gravity, interval.margin, interval.fast,
            float(work.spread[0]), interval.rest, interval.least, kept.h or interval.least, self.settings.dt,
        )  # fmt: skip
        motion.join_rows(grains, work.sort_rows)
        if self.sorter.sort(state, work.sort_rows, work.spare_rows, self.statistics.r_fine, cutoff):
            work.sort_rows, work.spare_rows = work.spare_rows, work.sort_rows
            motion.split_rows(work.sort_rows, grains)
        order = self.sorter.order[: state.count]
        work.old[: state.count] = order if progress.came is None else progress.came[order]
        work.old[: state.count][np.isin(order, progress.new)] = -1
        interval.old, progress.came = work.old, None

        kept.pairs, kept.pairs_before = kept.pairs_before, kept.pairs
        impact = kept.pairs.lists.search(grains.X, grains.U, self.sorter.levels, cutoff)
        self.pencils.divide(self.sorter.levels, TEAM.members)
        before = kept.pairs_before if kept.listed else None
        missed = self.batcher.fill(self.pencils, kept.pairs, before, work.old, grains.X)
        motion.remember_paths(kept.pairs.lists.columns, grains)
        kept.ids = state.id[: state.count].copy()
        kept.fixed[: state.count] = state.V[: state.count, 3] == 0.0
        kept.links.place(kept.ids)
        kept.listed = True
        self.escaped.forget(cutoff.far)
        self.loads.known = False
        interval.span, interval.impact, progress.impact = cutoff.span, impact, impact
        progress.covers_rest = cutoff.span >= interval.rest
        report.notes["searches"] += 1
        self._note_lists(*missed, report)

    def _note_lists(self, missed: int, depth: float, report: SolverReport) -> None:
        """Counts pairs, and those that overlapped before they were listed."""
        self.kept.listed_pairs = int(self.kept.pairs.lists.length[: len(self.kept.ids)].sum())
        report.notes["missed_pairs"] += missed
        report.notes["missed_depth"] = max(report.notes["missed_depth"], depth)

    def _find_walls(self, state: State, progress: StepProgress, interval: Interval, report: SolverReport) -> None:
        """Contacts with walls, and who sweeps which pencil."""
        model, walls, span = self.model, self.kept.walls, interval.span
        now = state.time + progress.done
        poses = self.poses.at(now), self.poses.at(now + 0.5 * span), self.poses.at(now + span)
        motion.predict(self.grains, F(span), model.gravity, self.scratch.predicted)
        find_walls(
            self.grains.X, self.scratch.predicted, state.material, state.count, model.shapes, poses[0], poses[2],
            interval.wall_margin, model.kinds, walls.contacts,
        )  # fmt: skip
        batches, impact = walls.fill(self.pencils, interval.old, model.capacity, self.grains, span, poses)
        interval.schedule = self.pencils.schedule(TEAM.members, batches)
        interval.impact = max(interval.impact, impact)
        report.wall_contacts = walls.count

    def _find_bodies(self, state: State, progress: StepProgress, interval: Interval, report: SolverReport) -> None:
        """Contacts with moving bodies."""
        movers, bodies = progress.movers, self.kept.bodies
        if movers is None:
            return
        found = self.grains.X, self.scratch.predicted, state.material, state.count
        movers.find(*found, interval.span, interval.wall_margin, progress.done)
        bodies.take(movers, state.id)
        report.wall_contacts += len(movers.meetings.grain)
        impact = swiftest_meeting(self.grains.X, self.grains.U, bodies.rows, interval.span)
        interval.impact = max(interval.impact, float(impact))

    def _choose_substeps(self, interval: Interval) -> None:
        """As many substeps of equal length as stiffness and impacts ask for."""
        whole = substeps.substeps_for_impact(self.settings, self.statistics, interval.impact)
        many = max(1, math.ceil(interval.rest * whole / self.settings.dt - 1e-6))
        interval.h = interval.rest / many
        interval.substeps = max(1, min(many, int(interval.span / interval.h + 1e-6)))
        if not self.poses.fixed:
            self.kept.walls.quicken(interval.h)

    def _prepare(self, state: State, progress: StepProgress, interval: Interval) -> None:
        """Scales the memory to the substep, and fixes what of each contact's law holds for the interval."""
        kept, work, grains, h = self.kept, self.scratch, self.grains, interval.h
        near = [kept.walls.contacts] if kept.walls.no_room else []
        near += [] if progress.movers is None else [progress.movers.walls]
        interval.pinched = sum(pinched_by(found, grains, work.held) for found in near)
        interval.contacts = self._contacts()
        interval.common = self._common_numbers(h)
        scale = F(h / kept.h) if kept.h > 0.0 else F(1.0)
        kept.h = h
        work.material[: state.count] = state.material[: state.count]
        advance.warm_start(grains, scale, interval.schedule, interval.contacts)
        if self.sleepers.any:
            self.sleepers.wake(state, grains, h, interval.contacts, not self.poses.fixed)
        step = self._step_of(progress, interval)
        advance.prepare(grains, work.material, self.model.kinds, self.table, step, interval.contacts)

    def _contacts(self) -> ContactSet:
        kept, work = self.kept, self.scratch
        work.make_room(len(kept.pairs.ends), len(kept.pairs.overflow_ends), self.pencils.count)
        pairs = PairBatches(kept.pairs.ends, kept.pairs.impulse, work.row, work.law, work.movable, work.active)
        overflow = Overflow(
            kept.pairs.overflow_ends, kept.pairs.overflow_impulse, work.overflow_row, work.overflow_law
        )
        return ContactSet(pairs, kept.walls.batches, overflow, kept.links.rows, kept.bodies.rows)

    def _common_numbers(self, h: float) -> F32:
        """What all contacts have in common, in the order of `records.STEP` and those after it."""
        kind = int(self.statistics.kinds[0])
        k, c, mu_s, mu_k, _ = self.model.pairs[kind * (self.model.kinds + 1)]
        carried = CARRIED * CARRIED / (h * h)
        step, calming = (h, 1.0 / h), self.settings.relaxation_time
        return np.array([*step, mu_s, mu_k, k, c, calming, carried, self.kept.h_kept or h], np.float32)

    def _step_of(self, progress: StepProgress, interval: Interval) -> SubstepTerms:
        own_law, careful = not self.statistics.alike, progress.retries < RETRIES
        return SubstepTerms(
            interval.common, self.model.gravity, interval.substeps, self.settings.sweeps, own_law, careful
        )

    def _advance(self, state: State, progress: StepProgress, interval: Interval, report: SolverReport) -> int:
        """Sweeps and moves; returns how many substeps were done.

        An interval that disturbs sleepers is rolled back, and begun again with more grains awake; see `sleep.py`.
        """
        times = 0
        while True:
            rollback = None
            if self.sleepers.any:
                self.sleepers.find_boundary(state, self.grains, interval.h, interval.contacts)
                if len(self.sleepers.boundary.sleepers):
                    rollback = self._rollback(interval.contacts)
            done, disturbed = self._run(state, progress, interval, report)
            if disturbed and rollback is not None:
                times += 1
                self.sleepers.widen(state, interval.contacts, times)
                rollback.restore()
            if self.sleepers.any or interval.pinched:
                release_sleepers(state.V, state.flags, self.grains)
            if not disturbed:
                break
            self._prepare(state, progress, interval)
        notes = report.notes
        notes["pinched"] = max(notes["pinched"], interval.pinched)
        notes["substeps"] += done
        notes["stiffness_used"] = substeps.stiffness_carried(interval.h, self.statistics)
        notes["stiffness_asked"] = self.statistics.stiffness
        return done

    def _rollback(self, contacts: ContactSet) -> Rollback:
        """All that `_run` changes."""
        count, grains, pairs, bodies = self.grains.n, self.grains, contacts.pairs, contacts.bodies
        rollback, moving = Rollback(), bodies.moving
        rollback.keep(grains.X[:count], grains.U[:count], some=grains.U[:count, 3] > 0.0)
        rollback.keep(pairs.impulse, some=pairs.movable[: len(pairs.impulse)] > 0)
        rollback.keep(contacts.overflow.impulse, contacts.links.impulse)
        rollback.keep(contacts.walls.impulse, contacts.walls.face, contacts.walls.total)
        rollback.keep(bodies.impulse, moving.V, moving.moved, moving.given)
        return rollback

    def _run(
        self, state: State, progress: StepProgress, interval: Interval, report: SolverReport
    ) -> tuple[int, int]:
        """The substeps; returns how many were done, and how many sleepers the last one disturbed."""
        work, pairs, boundary = self.scratch, self.kept.pairs, self.sleepers.boundary
        work.peak[:] = 0.0
        extra, schedule = self._extra_sweeps(state, interval), interval.schedule
        if len(boundary.sleepers):
            schedule = self.pencils.schedule_of_awake(work.movable, interval.contacts.walls.movable)
        outcome = np.zeros((interval.substeps + 1, 2), np.int64)
        self.stop.show_in(outcome[-1:, 0])
        watch = self.escaped.watch(pairs, self.sorter.levels, work.predicted, interval.wall_margin)
        advance.advance(
            outcome, self.grains, interval.contacts, schedule, extra, self._step_of(progress, interval), watch,
            boundary, self.sleepers.awake, work.peak,
        )  # fmt: skip
        self.stop.look()
        done, progress.undone, disturbed = advance.done_of(outcome[:-1])
        if disturbed:
            return done, disturbed
        notes = report.notes
        notes["overlap_peak"] = max(notes["overlap_peak"], float(work.peak.max(initial=0.0)))
        notes["overflow"] = len(pairs.overflow_ends)
        notes["levels"] = len(self.pencils.level_begin) - 1
        notes["sweeps"] = self.settings.sweeps + len(extra.turn_begin)
        self.kept.h_kept = interval.h if done else self.kept.h_kept
        progress.retries = progress.retries + 1 if progress.undone and done == 0 else 0
        return done, 0

    def _extra_sweeps(self, state: State, interval: Interval) -> ExtraSweeps:
        """Sweeps beyond those of the settings, around heavy grains."""
        wanted = np.zeros(self.pencils.count, np.int64)
        if self.statistics.mass_ratio > substeps.LIGHT_LOAD:
            where = interval.h, self.model.gravity, self.pencils, interval.schedule
            load = self.loads.of_pencils(state, self.grains, *where, self.kept.pairs, self.sorter.levels)
            wanted = substeps.sweeps_for_load(self.settings, load) - self.settings.sweeps
        return self.pencils.extra_sweeps(wanted)

    def _react(self, state: State, progress: StepProgress, interval: Interval, time: float) -> None:
        """What obstacles and bodies received in the interval; its contacts become memory."""
        walls, movers = self.kept.walls, progress.movers
        # what obstacles received adds up to a mean over the whole step
        poses = self.poses.at(state.time + progress.done + time)
        walls.react(self.grains.X, poses, progress.dt, state.body_force, state.body_torque)
        walls.remember()
        if movers is not None:
            self.kept.bodies.remember()
            movers.pass_by(time)

    def _finish(
        self, state: State, progress: StepProgress, interval: Interval | None, report: SolverReport
    ) -> None:
        """Writes the state."""
        self.kept.gravity[:] = self.model.gravity
        if interval is None:
            return
        clock = perf_counter()
        if self.settings.sleep_speed > 0.0:
            found = self.grains, interval.h, interval.contacts
            report.asleep = self.sleepers.fall_asleep(state, *found, self.settings)
        motion.finish(
            self.grains, state.X, state.V, state.flags, state.force, F(progress.dt), self.model.gravity,
            self.scratch.frozen,
        )  # fmt: skip
        report.frozen = int(self.scratch.frozen[: (state.count + BLOCK - 1) // BLOCK].sum())
        report.pairs = self.kept.listed_pairs
        report.lap("finish", clock)
