"""A simulation that runs while it is watched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from windrow.errors import SceneError, unknown_name
from windrow.scene.scene import Scene
from windrow.sim.attempt import attempt
from windrow.sim.frames import beds_told
from windrow.sim.simulation import Simulation
from windrow.solvers.stopping import Stop
from windrow.state.frame import Frame
from windrow.terrain.patches import patches_of
from windrow.view import parameters
from windrow.view.costs import COSTLY, LONGEST_STEP, Costs
from windrow.view.fine import FineGrains
from windrow.view.meanwhile import LOOK, Meanwhile
from windrow.view.messages import (
    ChooseScene,
    Command,
    ForTask,
    Parameter,
    Pause,
    Reset,
    Restore,
    Resume,
    Save,
    Step,
    TimeScale,
)
from windrow.view.pacing import Pace
from windrow.view.packing import BodyPoses, Moment, Quantity, as_vectors, moistures, shown_of
from windrow.view.rows import Grains
from windrow.view.workplace import Workplace

MOST_SAVES = 8
"""Snapshots kept in memory; the oldest makes room."""
MOST_STEPS = 1000
"""Steps that an operator may ask for before they are done."""
LONG = 0.05
"""Wall seconds from which on a step is long: the next is made so that it can be given up."""
IDLE = 0.25
"""Wall seconds between looks at the clock while paused."""


class LiveSource:
    """Steps a simulation at its own rate, or at the operator's."""

    mode = "live"
    waits_for_pages = False

    def __init__(
        self,
        simulation: Simulation,
        name: str = "",
        scenes: Mapping[str, Callable[[], Scene]] | None = None,
        paused: bool = False,
        fine: FineGrains | None = None,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        self.simulation = simulation
        self.fine = fine
        """shown instead of the particles"""
        self.meanwhile = meanwhile
        """what is still compiled"""
        self.name = name
        self.scenes = dict(scenes or {})
        """Names the operator may choose from, and how each scene is made."""
        self.paused = paused
        self.pace = Pace()
        self.generation = 1
        self.epoch = 1
        self.parameters_number = 1
        self.debrief: dict[str, Any] | None = None
        self.workplace = Workplace(simulation)
        self._costs = Costs(simulation)
        self._slow = 0
        """Steps in a row that took too long."""
        self._steps_left = 0
        self._stop = Stop()
        self._long = True
        """Whether the next step may take long, as far as is known"""
        self._changed: dict[str, parameters.Value] = {}
        self._saves: dict[int, dict[str, Any]] = {}
        self._saved_at: dict[int, float] = {}
        self._next_save = 1

    @property
    def stepping(self) -> bool:
        return self._steps_left > 0

    @property
    def scene(self) -> Scene:
        return self.simulation.scene

    @property
    def time(self) -> float:
        return self.simulation.time

    @property
    def controls(self) -> list[str]:
        return self.simulation.controls

    def steer(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            self.simulation.control(name, value)
        if any(values.values()):
            self.workplace.begin(self.simulation)

    def advance(self, now: float) -> float:
        if self._steps_left:
            if self._take_a_step():
                self._steps_left -= 1
            return self._held
        if self.paused:
            return IDLE
        wait = self.pace.wait(now, self.simulation.time, self.simulation.solver.dt)
        if wait > 0:
            return wait
        if self._take_a_step():
            self.pace.note(now, self.simulation.time)
        return self._held

    @property
    def _held(self) -> float:
        """Wall seconds until another step is worth while."""
        return LOOK if self.meanwhile is not None and self.meanwhile.held else 0.0

    def obey(self, command: Command) -> None:
        if isinstance(command, Pause):
            self.pause()
        elif isinstance(command, Resume):
            self.paused = False
            self.pace.restart()
        elif isinstance(command, TimeScale):
            self.pace.time_scale = command.value
        elif isinstance(command, Step):
            self._step(command.count)
        elif isinstance(command, Reset):
            self._reset()
        elif isinstance(command, ChooseScene):
            self._choose(command.name)
        elif isinstance(command, Save):
            self._save()
        elif isinstance(command, Restore):
            self._restore(command.number)
        elif isinstance(command, Parameter):
            self._change(command)
        elif isinstance(command, ForTask):
            self._for_task(command)
        else:
            raise SceneError("a live simulation cannot jump in time; save moments and restore them")

    def give_up(self) -> None:
        self._stop.ask()

    def go_on(self) -> None:
        self._stop.clear()

    def pause(self) -> None:
        self.paused = True
        self._steps_left = 0
        self.pace.restart()

    def frame(self) -> Frame:
        return self.simulation.frame()

    def moment(self, quantities: Collection[Quantity]) -> Moment:
        """Straight from the state: a frame would be sorted by id first."""
        state, poses = self.simulation.state, self.simulation.body_poses()
        columns = tuple(column.name for column in state.declared if column.recorded)
        quantities = shown_of(quantities, columns)
        if self.fine is not None:
            grains = self.fine.grains(self.simulation, self.epoch, quantities)
        else:
            grains = self._particles(quantities, columns)
        return Moment(
            time=state.time,
            grains=grains,
            bodies=BodyPoses(
                poses[:, 9:], poses[:, :9].reshape(-1, 3, 3), state.body_force, state.body_torque
            ),
            ground=None if state.ground is None else patches_of(state.ground),
            columns=columns,
        )

    def _particles(self, quantities: Collection[Quantity], columns: Collection[str]) -> Grains:
        state = self.simulation.state
        shown = state.shown()
        vectors = {"speed": state.V, "force": state.force}
        if "moisture" in quantities:
            names = self.simulation.model.material_names
            vectors["moisture"] = moistures(self.simulation.assembled, names)[state.material]
        vectors |= {name: as_vectors(state.columns[name]) for name in columns if name in quantities}
        return Grains(
            id=state.id[shown],
            position=state.X[shown],
            radius=state.X[shown][:, 3],
            material=state.material[shown],
            vectors={name: vectors[name][shown] for name in quantities},
        )

    def notes(self) -> dict[str, Any]:
        report = self.simulation.last_report
        told: dict[str, Any] = {
            "step": self.simulation.state.step,
            "real_time_factor": round(self.pace.real_time_factor, 3),
            "late": self.pace.late,
            "ledger": self.simulation.ledger,
        }
        if report is not None:
            told["step_seconds"] = round(report.wall, 6)
            told["seconds"] = {phase: round(seconds, 6) for phase, seconds in report.seconds.items()}
            told["contacts"] = report.contacts
            told["asleep"] = report.asleep
            told["frozen"] = report.frozen
        if beds := beds_told(self.simulation):
            told["beds"] = beds
        told.update(self.workplace.read(self.simulation))
        if self.workplace.just_ended:
            self._write_debrief()
        return told

    def status(self) -> dict[str, Any]:
        busy = "" if self.meanwhile is None else self.meanwhile.told()
        return {
            **({"busy": busy} if busy else {}),
            "paused": self.paused and not self.stepping,
            "time_scale": self.pace.time_scale,
            "scene": self.name,
            "saves": [{"number": n, "time": round(t, 4)} for n, t in self._saved_at.items()],
        }

    def parameters(self) -> list[dict[str, Any]]:
        return [item.told() for item in parameters.items(self.simulation)]

    def close(self) -> None:
        if self.meanwhile is not None:
            self.meanwhile.close()

    def _take_a_step(self) -> bool:
        """Makes a step, or gives it up half-way if it is a long one and somebody waits; returns whether it was made."""
        doubtful = self._long or (self.meanwhile is not None and not self.meanwhile.done)
        report = attempt(self.simulation, self._stop) if doubtful else self.simulation.step()
        if report is None:
            return False
        self._long = report.wall > LONG
        self._costs.note(self.simulation, report)
        self._slow = self._slow + 1 if report.wall > 2 * LONGEST_STEP else 0
        changed = [path for path in self._changed if path.rpartition(".")[2] in COSTLY]
        if self._slow == 2 and changed:  # more grains than when they were changed; whoever goes on is not asked again
            raise SceneError(
                f"steps take {report.wall:.1f} s now, and the station answers between steps; paused. Change "
                f"{' or '.join(changed)} again, or go on as it is"
            )
        return True

    def _step(self, count: int) -> None:
        if count < 1:
            raise SceneError("a simulation does not step back; save moments and restore them")
        wanted = self._steps_left + count
        self.pause()
        self._steps_left = min(wanted, MOST_STEPS)
        if wanted > MOST_STEPS:
            raise SceneError(f"{MOST_STEPS} steps wait to be done; those beyond were dropped")

    def _reset(self) -> None:
        """The beginning again, with the numbers that were changed since."""
        self.simulation.reset()
        self._continue_with(self.simulation, same_scene=True)

    def _choose(self, name: str) -> None:
        if name not in self.scenes:
            raise SceneError(unknown_name("scene", name, self.scenes))
        simulation = Simulation(self.scenes[name](), threads=self.simulation.threads)
        self._changed.clear()
        self._costs = Costs(simulation)
        self._continue_with(simulation, same_scene=False)
        self.name = name
        self._saves.clear()
        self._saved_at.clear()

    def _save(self) -> None:
        self._saves[self._next_save] = self.simulation.snapshot()
        self._saved_at[self._next_save] = self.simulation.time
        self._next_save += 1
        while len(self._saves) > MOST_SAVES:
            oldest = min(self._saves)
            del self._saves[oldest], self._saved_at[oldest]

    def _restore(self, number: int) -> None:
        if number not in self._saves:
            known = [str(kept) for kept in self._saves]
            raise SceneError(unknown_name("saved moment", str(number), known))
        saved = self._saves[number]
        if self.simulation.fits(saved):
            self.simulation.reset(saved)
            self._continue_with(self.simulation, same_scene=True)
        else:
            # numbers were changed since
            self._continue_with(Simulation.restore(saved, threads=self.simulation.threads), same_scene=True)

    def _change(self, command: Parameter) -> None:
        try:
            value = parameters.affordable(self.simulation, command.path, command.value, self._costs)
            self.simulation = parameters.changed(self.simulation, command.path, value)
        finally:
            self.parameters_number += 1
        self._changed[command.path] = value
        self._slow, self._long = 0, True
        self.pace.restart()
        if value != command.value:
            why = f"a step would take longer than {LONGEST_STEP} s, and the station answers between steps"
            if not self._costs.measured:
                why = "it is not known yet how long a step takes; more is possible after the first"
            raise SceneError(f"set to {value} instead of {command.value}: {why}")

    def _for_task(self, command: ForTask) -> None:
        if self.workplace.task is None:
            raise SceneError("this scene has no task")
        if command.action == "start":
            self.workplace.begin(self.simulation)
        elif self.workplace.task.stop():
            self._write_debrief()

    def _write_debrief(self) -> None:
        assert self.workplace.task is not None
        self.workplace.just_ended = False
        self.debrief = {
            "scene": self.name or self.scene.title,
            **self.workplace.task.debrief(),
            "parameters": dict(self._changed),
        }

    def _continue_with(self, simulation: Simulation, same_scene: bool) -> None:
        for name in simulation.controls:
            simulation.control(name, 0.0)  # a kept moment may have been one at full throttle
        self.simulation = simulation
        self.workplace = Workplace(simulation)
        self._costs.forget()
        self._steps_left, self._long = 0, True
        self.epoch += 1
        self.generation += 0 if same_scene else 1
        self.parameters_number += 1
        self.pace.begin()
