"""Simulation: a scene, its state, and the one step.

step:  exchange (emitters, sinks, edge of the domain: the only place counts change)
     → preview: where grains may meet rigid bodies, those say how they would move
     → solver (predict, collide, solve, finish; the guard freezes what is not finite); where grains touch rigid
       bodies, each feels the other through `solvers.movers`
     → bodies (joints, motors, contacts between them), with what the grains gave them
     → ground: bodies press it down, slopes that are too steep slide
     → report

run:   step until the time is up; a frame to the recording whenever one is due
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.compiler import compile_parts
from windrow.errors import SceneError, unknown_name
from windrow.kernel import load_kernels
from windrow.record.checkpoint import Mark, save_snapshot
from windrow.scene.digging import with_soil_materials
from windrow.scene.files import scene_to_json
from windrow.scene.grain_numbers import materials_for
from windrow.scene.scene import Scene
from windrow.scene.settings import DEFAULT, SolverSettings
from windrow.scene.start import initial_joins
from windrow.sim.advancing import advance, exchange_ground, move_ground
from windrow.sim.digging.diggers import Diggers
from windrow.sim.digging.setting_up import beds_of, lay_ground, own_surface
from windrow.sim.exchange import exchange
from windrow.sim.frames import frame_of
from windrow.sim.free_cores import FreeCores
from windrow.sim.given import ComputedProperty
from windrow.sim.ground import GroundArrays, GroundStepper, with_surface
from windrow.sim.joined import JoinedGrains
from windrow.sim.kernel_parts import kernel_modules, kernel_parts
from windrow.sim.limits import (
    layers_carried,
    layers_in,
    warn_after_step,
    warn_of_depth,
    warn_of_forces,
)
from windrow.sim.particles import Particles, fill_columns
from windrow.sim.report import StepReport
from windrow.sim.saved import Changes, Kept, Saved, Snapshot, read_from
from windrow.sim.saving import contents_of, kept_of, recall, snapshot_of
from windrow.sim.standing import refuse_bad_start
from windrow.sim.tools import Tools
from windrow.solvers.interface import Change
from windrow.solvers.movers.movers import Movers
from windrow.solvers.multibody.coupling import Answers
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.registry import solver_class, stepper_for
from windrow.state.contacts import Contacts
from windrow.state.frame import Frame
from windrow.state.model import Links, Model, model_of, pairs_of
from windrow.state.state import State, check_state, columns_in, digest, too_far
from windrow.team import TEAM, available_cores
from windrow.terrain.ground import ground_of

if TYPE_CHECKING:
    from windrow.record.recorder import Recorder
    from windrow.sim.run import RunSummary

GRAINS_PER_THREAD = 500
"""Fewer grains are not worth a further thread. Results do not depend on the number of threads."""
LOOK_EVERY = 0.5
"""Simulated seconds between two looks at how deep grains lie."""


class Simulation(JoinedGrains):
    """A running scene.

    Making one
        sim = wr.Simulation(wr.load_scene("loader_gravel"))     or with solver=wr.NDEM(), threads=2, seed=7

    Steps
        report = sim.step()                     one step of sim.solver.dt; sim.last_report keeps the report
        summary = sim.run(seconds=2.0, record="run.h5")         many steps, recorded
        with sim.record("driven.h5"): …         records the steps of any loop
        sim.control("lift", 0.5)                sets a control of a machine, −1…1; sim.controls names them
        sim.reset()                             back to the start, in place; sim.reset(snapshot): back to there

    What there is now
        sim.time                                s
        sim.particles.position                  (n, 3) m; also velocity, radius, mass, material, force, id, and the
                                                columns of the solver; sim.particles.columns names them
        sim.ledger["emitted"]                   grains and kilograms that came and went
        force, torque = sim.body("blade")       on an obstacle or body; sim.body_names has them all
        sim.check_forces()                      warns where P² does not tell the forces of the state
        sim.terrain.height                      the ground in columns, to read and to set
        sim.tools["bucket"].force               also parts, earthmoving, depth, rake_deg, payload, fill_factor
        sim.body_poses()                        where obstacles and bodies are
        sim.bodies.joint("lift").coordinate     readings of joints and bodies; sim.bodies is None if there are none
        sim.contacts.force                      who touches whom and how hard; sim.bonds.ended: bonds that broke
        frame = sim.frame()                     a copy of all that there is to see

    Kept and continued, to the bit
        snapshot = sim.snapshot()               then wr.Simulation.restore(snapshot), or sim.reset(snapshot)
        sim.fits(snapshot)                      whether reset takes it
        sim.save("now.h5")                      then wr.Simulation.load("now.h5"), or sim.reset("now.h5")
        sim.mark                                the recording whose checkpoint was loaded, until the next step
        sim.hash(), sim.contents()              the same for what continues alike; copy.deepcopy and pickle keep it

    What it was made of
        sim.scene, sim.solver, sim.seed         frozen; sim.assembled: the scene with the parts of its machines
        sim.threads                             at most
        sim.changes                             numbers changed in the station: time, path and value of each

    The scene is copied when the simulation is made: the one that was given may be changed afterwards, and nothing
    follows for the simulation. For other numbers, change a copy and make another one:

        scene = sim.scene.copy()
        scene.materials["gravel"].friction_static = 0.9
        sim = wr.Simulation(scene)
    """

    threads: int
    """at most; a number that was not given is cut to what other programs leave free"""
    model: Model
    """what the scene means to the solvers, in arrays"""
    state: State
    """all that the next step needs, in the solver's order"""
    particles: Particles
    """the grains in the order of their ids: sim.particles.position, .velocity, .radius, .force …"""
    bodies: MultibodyStepper | None
    """rigid bodies and joints in motion, with their readings; None: the scene has none"""
    tools: Tools
    """what digs and is filled, by name: forces and their parts, the earthmoving equation, payload"""
    last_report: StepReport | None
    """of the last step; None before the first, and after a reset"""
    on_phase: Callable[[str], None] | None
    """called after each phase of a step with its name; for those who look for bits, see `sim.tracing`"""
    changes: Changes
    """numbers of the scene that were changed while it ran: time (s), path and value of each"""
    mark: Mark | None
    """which recording the present moment is a checkpoint of; None: of none"""
    _start: Kept | None
    """what `reset` goes back to; None: it has not been found out yet"""

    def __init__(
        self, scene: Scene, solver: SolverSettings | None = None, threads: int | None = None, seed: int | None = None
    ) -> None:
        """Makes everything ready for the first step: places the grains, compiles what has not been compiled yet.

        scene: it is copied; see `windrow.load_scene` and `windrow.Scene`.
        solver: settings such as `wr.P2(iterations=20)` or `wr.NDEM()`; left out: those of the scene.
        threads: at most so many; left out: as many as other programs leave free. The result does not depend on it.
        seed: of everything random; left out: that of the scene.
        """
        if not isinstance(scene, Scene):
            raise SceneError(f"scene: a windrow.Scene is needed, got {type(scene).__name__}; see windrow.load_scene")
        seed = scene.seed if seed is None else int(seed)
        chosen = scene.solver if solver is None else solver
        scene = with_soil_materials(scene)
        grains_made_of = materials_for(scene.materials, chosen.grains_of or chosen.name, chosen.continuum)
        self._take_scene(scene.model_copy(update={"seed": seed, "materials": grains_made_of}), solver, threads)
        whole = self.assembled
        grains = whole.initial_particles(self.solver.continuum)
        count = len(grains["position"])
        if count == 0 and not whole.emitters and not whole.bodies and scene.terrain is None:
            raise SceneError(
                "particles: the scene has no grains, no emitter, no bodies and no terrain; add one of them"
            )
        wrong = too_far(grains["position"], grains["radius"])
        if wrong is not None:
            raise SceneError(f"particles: {wrong}")
        self._solver = solver_class(self.solver.name).resolved(self.solver, whole, grains).frozen("solver")
        self._build(count, Links(**initial_joins(whole, grains)))
        self.state.append(**grains)
        fill_columns(self.state, whole, self.solver.name)
        w = self.state.V[:count, 3].astype(np.float64)
        self.state.ledger.initial = count
        self.state.ledger.initial_mass = float((1.0 / w[w > 0]).sum())
        if self._ground is not None:
            self._ground.begin()
        refuse_bad_start(self, grains)
        warn_of_depth(self.solver, np.asarray(whole.gravity, np.float64), grains)
        self._start = kept_of(self)

    def _take_scene(self, scene: Scene, solver: SolverSettings | None, threads: int | None) -> None:
        self._scene = scene.frozen()
        self._columns = ground_of(self._scene)
        self._assembled = self._whole().frozen()
        self._solver = (self._scene.solver if solver is None else solver).frozen("solver")
        self.threads = threads if threads is not None else available_cores()
        self._free = FreeCores() if threads is None else None
        if self.threads < 1:
            raise SceneError(f"threads: {threads} given; at least 1 is needed")

    def _whole(self) -> Scene:
        scene = self._scene.assembled()
        return scene if self._columns is None else with_surface(scene, self._columns)

    def _build(self, count: int, links: Links) -> None:
        """All that follows from the scene and does not change in a run, and an empty state.

        count: grains that there are at the start.
        """
        scene = self.assembled
        self.model = model_of(scene, count, links, scene.base_dir, self.solver.continuum)
        self._stepper = stepper_for(self.solver, self.model)
        self.tools = Tools(self.scene, scene, self._columns)
        self._surface = own_surface(self.model.shapes) if scene.terrain_grains else self.model.shapes
        self.bodies = MultibodyStepper(scene, self._surface, self.tools.apart) if scene.bodies else None
        self._movers = None if self.bodies is None else Movers(Answers(self.bodies), self.model, beds_of(self))
        compile_parts(kernel_parts(scene, self.solver))
        load_kernels(*kernel_modules(scene, self._stepper.kernels))
        self.before_grains: Callable[[], None] | None = None  # called before ground turns into grains
        sizes = self.model.capacity, len(scene.emitters), len(self.body_names)
        self.state = State.empty(*sizes, columns_in(scene, self._stepper.columns))
        self._diggers: Diggers | None = None
        self._ground: GroundStepper | None = None
        lay_ground(self)
        self.particles = Particles(self.state)
        self.last_report = self.on_phase = None
        self.changes, self.mark, self._start = [], None, None
        self._recordings: list[Callable[[Simulation], None]] = []
        self._warned = False
        self._look_at_forces = 0.0 if layers_carried(self.solver) < math.inf else math.inf
        """s, from which on it is asked again whether forces that are read are right"""
        self._stepping = Lock()  # kernels let go of Python's own

    @ComputedProperty
    def scene(self) -> Scene:
        """As it was given, with the numbers of grains of this solver; frozen: change a `scene.copy()`."""
        return self._scene

    @ComputedProperty
    def assembled(self) -> Scene:
        """The scene with the bodies, joints and materials of its machines as its own; frozen."""
        return self._assembled

    @ComputedProperty
    def solver(self) -> SolverSettings:
        """How grains are computed; frozen."""
        return self._solver

    @ComputedProperty
    def seed(self) -> int:
        """Of everything random."""
        return self._scene.seed

    def _model_changed(self, what: Change, scene: Scene) -> None:
        """The only place where the model changes: takes those numbers of a scene, and tells whom they concern."""
        if what == "gravity":
            self.model.gravity[:] = scene.gravity
        else:
            self.model.pairs[:] = pairs_of(scene)
        self._stepper.model_changed(what)
        if self.bodies is not None:
            self.bodies.gravity[:] = scene.gravity
            self.bodies.wake_all()  # those at rest that are joined do not look at what has changed around them

    def _continue_as(self, scene: Scene, before: Simulation, path: str, value: Any) -> None:
        """Notes that a number of the scene is another one from now on; the model has it already.

        before: itself, or the one that it goes on from; the start is still the same, and recordings go on.
        """
        self._scene = scene.frozen()
        self._assembled = self._whole().frozen()
        self.__dict__.pop("_scene_text", None)
        self._start, self._recordings = before._start, before._recordings
        self.changes.append([self.time, path, value])

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self.state.time

    @property
    def ledger(self) -> dict[str, float]:
        """Grains by number, and all mass, kg: ground_mass + grain_mass + held_mass + left_mass − added_mass stays.

        mass_error: how far it is from what there was at the start, over all there was and came.
        """
        return self.state.ledger.as_dict() | self.state.masses()

    @property
    def terrain(self) -> GroundArrays:
        """The ground as arrays, to read and to set."""
        if self._ground is None:
            raise SceneError("the scene has no terrain; see Scene.add_terrain")
        return GroundArrays(self._ground, self.state)

    @property
    def body_names(self) -> list[str]:
        """Obstacles, then rigid bodies, each in the scene's order."""
        obstacles = [o.name or f"obstacle {k}" for k, o in enumerate(self.assembled.obstacles)]
        return obstacles + [body.name for body in self.assembled.bodies]

    @property
    def controls(self) -> list[str]:
        """Names of what an operator can move: motors, brakes and cylinders of machines."""
        return [] if self.bodies is None else list(self.bodies.joints.controls)

    def control(self, name: str, value: float) -> None:
        """Sets a control from now on; cut to −1…1: sim.control("lift", 0.5)."""
        if self.bodies is None:
            raise SceneError(f"control {name!r}: the scene has no machines; see Scene.add_machine")
        self.bodies.control(name, value)

    def body(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Force (N) and torque about its position (N m) of all that touches an obstacle or body, last step.

        force, torque = sim.body("blade")
        """
        if name not in self.body_names:
            raise SceneError(unknown_name("obstacle or body", name, self.body_names))
        k = self.body_names.index(name)
        self.check_forces(stacklevel=3)
        return self.state.body_force[k].copy(), self.state.body_torque[k].copy()

    def check_forces(self, stacklevel: int = 2) -> None:
        """Warns once, a `ForceWarning`, where more grains lie above each other than P² tells the forces of.

        Whoever reads forces from the state itself calls it; `body` and `contacts` do.
        """
        if self.time < self._look_at_forces:
            return
        layers = layers_in(self.state, np.asarray(self.scene.gravity, np.float64))
        told = warn_of_forces(self.solver, layers, stacklevel + 1)
        self._look_at_forces = math.inf if told else self.time + LOOK_EVERY

    @property
    def contacts(self) -> Contacts:
        """Which grains press on which, and on which bodies: points, normals and forces, in the order of ids."""
        found = self._stepper.contacts(self.state)
        if found is None:
            raise SceneError(f"solver {self.solver.name!r} does not tell its contact forces; use {DEFAULT!r}")
        self.check_forces(stacklevel=3)
        return found

    def step(self) -> StepReport:
        """Advances by the solver's dt; a second thread waits until the first is done."""
        with self._stepping:
            report = self._step()
            for look in self._recordings:
                look(self)
            return report

    def _step(self) -> StepReport:
        self.mark = None
        free = min(self.threads, self.threads if self._free is None else self._free.now())
        TEAM.use(min(free, 1 + self.state.count // GRAINS_PER_THREAD))
        begin = perf_counter()
        exchanged = exchange(self.model, self.state, self.solver.dt, self.seed, self._movers)
        exchange_seconds = perf_counter() - begin
        self._seen("exchange")
        dug, digging_seconds = exchange_ground(self)
        solved, moved = advance(self)
        ground_seconds = move_ground(self, free)
        self.last_report = StepReport(
            step=self.state.step,
            time=self.state.time,
            particles=self.state.count,
            contacts=solved.pairs + solved.wall_contacts + moved.contacts,
            seconds={
                "exchange": exchange_seconds, **digging_seconds, **solved.seconds, **moved.seconds, **ground_seconds,
            },
            asleep=solved.asleep,
            frozen=solved.frozen,
            emitted=exchanged.emitted,
            removed=exchanged.sunk + exchanged.left_domain,
            waiting=exchanged.waiting,
            ledger=self.ledger,
            notes={**solved.notes, **moved.notes(), **dug, **self.tools.notes()},
            frozen_bodies=moved.frozen,
        )
        if not self._warned:
            self._warned = warn_after_step(self.solver, solved.notes)
        return self.last_report

    def _seen(self, phase: str) -> None:
        if self.on_phase is not None:
            self.on_phase(phase)

    def body_poses(self) -> np.ndarray:
        """(obstacles and bodies, 12): rotation, row by row, and position of each, now"""
        poses = self.model.poses(self.state.time)
        return poses if self.bodies is None else np.concatenate([poses, self.bodies.poses()])

    def run(
        self,
        seconds: float | None = None,
        record: str | os.PathLike[str] | None = None,
        progress: bool = False,
        frame_rate: float | None = None,
    ) -> RunSummary:
        """Runs for so many simulated seconds (the scene's own length if none is given).

        record: file that frames are written to, `frame_rate` (Hz; else the scene's) of them per simulated second, with
        a checkpoint beside it. progress: whether a bar is shown. Ctrl-C ends it between two steps.
        """
        from windrow.sim.run import run

        return run(self, seconds=seconds, record=record, progress=progress, frame_rate=frame_rate)

    @contextmanager
    def record(self, path: str | os.PathLike[str], frame_rate: float | None = None) -> Iterator[Recorder]:
        """Records the steps that are made inside of a `with` block, whoever makes them.

            with sim.record("driven.h5") as recording:
                while sim.time < 5.0:
                    sim.control("lift", 0.5)
                    sim.step()

        The first frame is written at once, the others when they are due: `frame_rate` (Hz; else the scene's) of them
        per simulated second. `wr.Recording("driven.h5")` reads them, with controls, joints and forces of cylinders.
        Whatever ends the block leaves a recording that can be read, up to its last frame.
        """
        from windrow.sim.run import recorded

        with recorded(self, path, frame_rate) as recorder:
            yield recorder

    def frame(self) -> Frame:
        """A copy of what there is to see now, for recorders, measures and pictures."""
        return frame_of(self)

    def hash(self) -> str:
        """The same for two simulations of one scene and solver exactly when they continue alike."""
        return digest(self.contents())

    def contents(self) -> dict[str, Any]:
        """Everything that decides how it continues, by name."""
        return contents_of(self)

    @cached_property
    def _scene_text(self) -> str:
        return scene_to_json(self.scene)

    @cached_property
    def _solver_text(self) -> str:
        return json.dumps(self.solver.model_dump(mode="json"))

    def snapshot(self) -> Snapshot:
        """Everything needed to continue, to the bit: for `reset`, `Simulation.restore` and `record.save_snapshot`."""
        return snapshot_of(self)

    def reset(self, snapshot: Snapshot | str | os.PathLike[str] | None = None) -> None:
        """Back to the start, or to a snapshot of this scene, in place: nothing is built, packed or compiled again.

            start = sim.snapshot()       # or a file that sim.save wrote
            …
            sim.reset(start)             # sim.reset(): as it was made

        It then equals, to the bit, a simulation that was just made or restored. Controls are set as they were then.
        """
        if self._recordings:
            raise SceneError(
                "reset: a recording cannot go back in time; end the block of sim.record(…) first, and begin another"
            )
        if isinstance(snapshot, str | os.PathLike):
            with read_from(snapshot) as content:
                return self.reset(content)
        with self._stepping:
            if snapshot is None:
                return recall(self, self._beginning(), [], None)
            saved = Saved.of(snapshot)
            saved.refuse_other(self._scene_text, self._solver_text, self.state.capacity, self.model.links)
            return recall(self, saved.kept, saved.changes, saved.mark)

    def fits(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot is of this scene and solver, so that `reset` takes it."""
        return (snapshot.get("scene"), snapshot.get("solver")) == (self._scene_text, self._solver_text)

    def _beginning(self) -> Kept:
        """The start; one that was restored finds it out when it is first asked."""
        if self._start is None:
            self._start = Simulation(self.scene, self.solver, self.threads)._start
        assert self._start is not None
        return self._start

    @classmethod
    def restore(cls, snapshot: Snapshot, threads: int | None = None) -> Simulation:
        """A simulation that continues from a snapshot; no grain is placed anew.

        FileFormatError, before anything is computed, where it holds what none can.
        """
        saved = Saved.of(snapshot)
        simulation = cls.__new__(cls)
        simulation._take_scene(saved.scene(), saved.solver(), threads)
        check_state(saved.kept.state, simulation.assembled, solver_class(simulation.solver.name).columns)
        grains = saved.kept.state["ledger.initial"]
        simulation._build(grains, saved.links_of(grains, len(simulation.scene.bonds)))
        recall(simulation, saved.kept, saved.changes, saved.mark)
        return simulation

    def __reduce__(self) -> Any:
        """`pickle` and `copy` take the snapshot: what comes out continues to the bit."""
        return Simulation.restore, (self.snapshot(), self.threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a snapshot that `Simulation.load` continues from; an existing one is replaced as a whole."""
        save_snapshot(path, self.snapshot())

    @classmethod
    def load(cls, path: str | os.PathLike[str], threads: int | None = None) -> Simulation:
        """A simulation that continues from a file that `save`, or a recorded run, has written."""
        with read_from(path) as snapshot:
            return cls.restore(snapshot, threads)
