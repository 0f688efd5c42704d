"""Simulation: a scene, its state, and the one step.

step:  exchange (emitters, sinks, edge of the domain: the only place counts change)
     → solver (predict, collide, solve, finish; the guard freezes what is not finite); where grains touch rigid
       bodies, each feels the other through `solvers.movers`
     → bodies (joints, motors, contacts between them), with what the grains gave them
     → report

run:   step until the time is up; a frame to the recording whenever one is due
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.compiler import compile_parts
from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.geometry.query import distance_to_obstacles
from windrow.kernel import load_kernels
from windrow.record.checkpoint import load_snapshot, save_snapshot
from windrow.scene.files import scene_from_json, scene_to_json
from windrow.scene.grain_numbers import materials_for
from windrow.scene.scene import Scene
from windrow.scene.settings import P2, SolverSettings, solver_settings_from_json
from windrow.sim.exchange import exchange
from windrow.sim.free_cores import FreeCores
from windrow.sim.limits import warn_of_depth, warn_of_stiffness
from windrow.sim.particles import Particles
from windrow.solvers.movers.movers import Movers
from windrow.solvers.multibody.report import MultibodyReport
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.registry import TellsContacts, stepper_for
from windrow.state.contacts import Contacts
from windrow.state.frame import Frame
from windrow.state.model import Links, Model, model_of
from windrow.state.state import State, digest, too_far
from windrow.team import TEAM, available_cores

if TYPE_CHECKING:
    from windrow.sim.run import RunSummary

GRAINS_PER_THREAD = 500
"""Fewer grains are not worth a further thread. Results do not depend on the number of threads."""


@dataclass
class StepReport:
    """What one step did."""

    step: int
    time: float
    """s, at the end of the step"""
    particles: int
    contacts: int
    """pairs of grains and grain–shape pairs within reach"""
    seconds: dict[str, float]
    """wall time by phase"""
    asleep: int
    frozen: int
    """grains held because their numbers were not finite"""
    emitted: int
    removed: int
    waiting: int
    """grains an emitter owed and could not place"""
    ledger: dict[str, float]
    notes: dict[str, float] = field(default_factory=dict)
    frozen_bodies: int = 0
    """rigid bodies held because their numbers were not finite, or beyond anything possible"""

    @property
    def wall(self) -> float:
        """s"""
        return sum(self.seconds.values())


def kernel_parts(scene: Scene, solver: SolverSettings) -> set[str]:
    """What kernels a scene needs, in the words of the list of kernels."""
    parts: set[str] = set()
    if scene.particles or scene.emitters:
        parts.add(solver.name)
        if isinstance(solver, P2) and solver.method != "jacobi":
            parts.add(f"p2 {solver.method}")
        if isinstance(solver, P2) and solver.mass_splitting:
            parts.add("p2 mass_splitting")
        if scene.bodies:
            parts.add(f"bodies {solver.name}")
    if scene.bodies:
        parts.add("bodies")
    return parts


class Simulation:
    """A running scene."""

    def __init__(
        self,
        scene: Scene,
        solver: SolverSettings | None = None,
        threads: int | None = None,
        seed: int | None = None,
    ) -> None:
        if not isinstance(scene, Scene):
            raise SceneError(
                f"scene: a windrow.Scene is needed, got {type(scene).__name__}; see windrow.load_scene"
            )
        self.seed = scene.seed if seed is None else int(seed)
        name = (scene.solver if solver is None else solver).name
        grains_made_of = materials_for(scene.materials, name)
        scene = scene.model_copy(update={"seed": self.seed, "materials": grains_made_of})
        whole = scene.assembled()
        grains = whole.initial_particles()
        count = len(grains["position"])
        if count == 0 and not scene.emitters and not whole.bodies:
            raise SceneError("particles: the scene has no grains, no emitter and no bodies; add one of them")
        wrong = too_far(grains["position"], grains["radius"])
        if wrong is not None:
            raise SceneError(f"particles: {wrong}")
        self._prepare(scene, solver, threads, count)
        self.state = State.empty(self.model.capacity, len(scene.emitters), len(self.body_names))
        self.state.append(**grains)
        w = self.state.V[:count, 3].astype(np.float64)
        self.state.ledger.initial = count
        self.state.ledger.initial_mass = float((1.0 / w[w > 0]).sum())
        self._refuse_buried(grains)
        warn_of_depth(self.solver, np.asarray(scene.gravity, np.float64), grains)
        self.particles = Particles(self.state)

    def _prepare(self, scene: Scene, solver: SolverSettings | None, threads: int | None, count: int) -> None:
        self.scene = scene
        """as it was given, with the numbers that grains of this solver get"""
        self.assembled = scene.assembled()
        """the same with the bodies, joints and materials of its machines as its own"""
        scene = self.assembled
        self.solver = scene.solver if solver is None else solver
        self.threads = threads if threads is not None else available_cores()
        """at most; a number that was not given is cut to what other programs leave free"""
        self._free = FreeCores() if threads is None else None
        if self.threads < 1:
            raise SceneError(f"threads: {threads} given; at least 1 is needed")
        self.model: Model = model_of(scene, count, Links(**scene.initial_links()), scene.base_dir)
        self._stepper = stepper_for(self.solver, self.model)
        self.bodies: MultibodyStepper | None = MultibodyStepper(scene) if scene.bodies else None
        """rigid bodies and joints in motion, with their readings; None: the scene has none"""
        self._movers = None if self.bodies is None else Movers(self.bodies, self.model)
        compile_parts(kernel_parts(scene, self.solver))
        bodies = ("windrow.geometry", "windrow.solvers.multibody", "windrow.solvers.movers")
        load_kernels(
            "windrow.team", "windrow.collide", "windrow.solvers.sorting", f"windrow.solvers.{self.solver.name}.",
            *(bodies if self.bodies is not None else ()),
        )  # fmt: skip
        self.last_report: StepReport | None = None
        self.on_phase: Callable[[str], None] | None = None
        """called after each phase of a step with its name; for those who look for bits, see `sim.tracing`"""
        self._told_stiffness = False
        self._stepping = Lock()  # kernels let go of Python's own

    @property
    def time(self) -> float:
        """s"""
        return self.state.time

    @property
    def ledger(self) -> dict[str, float]:
        return self.state.ledger.as_dict()

    @property
    def body_names(self) -> list[str]:
        """Obstacles, then rigid bodies, each in the scene's order."""
        obstacles = [o.name or f"obstacle {k}" for k, o in enumerate(self.scene.obstacles)]
        return obstacles + [body.name for body in self.assembled.bodies]

    @property
    def controls(self) -> list[str]:
        """Names of what an operator can move: motors, brakes and cylinders of machines."""
        return [] if self.bodies is None else list(self.bodies.joints.controls)

    def control(self, name: str, value: float) -> None:
        """Sets a control from now on; cut to −1…1."""
        if self.bodies is None:
            raise SceneError(f"control {name!r}: the scene has no machines; see Scene.add_machine")
        self.bodies.control(name, value)

    def body(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Force (N) and torque about its position (N m) of all that touches an obstacle or body, last step."""
        if name not in self.body_names:
            raise SceneError(unknown_name("obstacle or body", name, self.body_names))
        k = self.body_names.index(name)
        return self.state.body_force[k].copy(), self.state.body_torque[k].copy()

    @property
    def contacts(self) -> Contacts:
        """Which grains press on which, and on which bodies: points, normals and forces, in the order of ids.

        NDEM: exactly the forces of the last substep, friction included. P²: spring forces of the present
        overlaps between grains, and what the walls gave in the last substep (see `solvers.p2.contacts`).
        """
        if not isinstance(self._stepper, TellsContacts):
            raise SceneError(f"solver {self.solver.name!r} does not tell its contact forces; use 'ndem'")
        return self._stepper.contacts(self.state)

    def step(self) -> StepReport:
        """Advances by the solver's dt; a second thread waits until the first is done."""
        with self._stepping:
            return self._step()

    def _step(self) -> StepReport:
        free = self.threads if self._free is None else self._free.now()
        TEAM.use(min(self.threads, free, 1 + self.state.count // GRAINS_PER_THREAD))
        begin = perf_counter()
        exchanged = exchange(self.model, self.state, self.solver.dt, self.seed)
        exchange_seconds = perf_counter() - begin
        self._seen("exchange")
        if self._movers is not None:
            self._movers.begin(self.solver.dt)
        solved = self._stepper.step(self.state, self._movers)
        self._seen("solver")
        moved = self._step_bodies()
        self._seen("bodies")
        self.last_report = StepReport(
            step=self.state.step,
            time=self.state.time,
            particles=self.state.count,
            contacts=solved.pairs + solved.wall_contacts + moved.contacts,
            seconds={"exchange": exchange_seconds, **solved.seconds, **moved.seconds},
            asleep=solved.asleep,
            frozen=solved.frozen,
            emitted=exchanged.emitted,
            removed=exchanged.sunk + exchanged.left_domain,
            waiting=exchanged.waiting,
            ledger=self.ledger,
            notes={**solved.notes, **moved.notes()},
            frozen_bodies=moved.frozen,
        )
        if not self._told_stiffness:
            self._told_stiffness = warn_of_stiffness(self.solver, solved.notes)
        return self.last_report

    def _seen(self, phase: str) -> None:
        if self.on_phase is not None:
            self.on_phase(phase)

    def _step_bodies(self) -> MultibodyReport:
        """Moves the bodies, and adds what touches them to the forces on bodies and obstacles."""
        if self.bodies is None:
            return MultibodyReport()
        obstacles = len(self.scene.obstacles)
        assert self._movers is not None
        force, torque = self._movers.hand_over()
        self.state.body_force[obstacles:], self.state.body_torque[obstacles:] = force, torque
        report = self.bodies.step(self.solver.dt)
        force, torque = self.bodies.touch_forces()
        # in the stepper's order bodies come before obstacles
        order = np.roll(np.arange(len(force)), obstacles)
        self.state.body_force += force[order]
        self.state.body_torque += torque[order]
        return report

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
        """Runs for so many simulated seconds (the scene's own length if none is given)."""
        from windrow.sim.run import run

        return run(self, seconds=seconds, record=record, progress=progress, frame_rate=frame_rate)

    def frame(self) -> Frame:
        """A copy of what there is to see now."""
        state, order = self.state, self.state.by_id()
        poses = self.body_poses()
        with np.errstate(divide="ignore"):
            mass = (1.0 / state.V[order, 3].astype(np.float64)).astype(np.float32)
        report = self.last_report
        return Frame(
            time=state.time,
            step=state.step,
            id=state.id[order],
            position=state.X[order, :3],
            velocity=state.V[order, :3],
            radius=state.X[order, 3],
            mass=mass,
            material=state.material[order],
            force=state.force[order],
            body_names=self.body_names,
            body_position=poses[:, 9:],
            body_rotation=poses[:, :9].reshape(-1, 3, 3),
            body_force=state.body_force.copy(),
            body_torque=state.body_torque.copy(),
            material_names=list(self.model.material_names),
            notes={"ledger": self.ledger, **({"seconds": report.seconds} if report else {})},
        )

    def hash(self) -> str:
        """The same for two simulations exactly when they continue alike."""
        return digest(self.contents())

    def contents(self) -> dict[str, Any]:
        """Everything that decides how it continues, by name."""
        return {**self.state.snapshot(), **self._stepper.memory(), **self._bodies_memory()}

    def _bodies_memory(self) -> dict[str, Any]:
        if self.bodies is None or self._movers is None:
            return {}
        known = {**self.bodies.memory(), **self._movers.memory()}
        return {f"bodies.{k}": v for k, v in known.items()}

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue, to the bit."""
        return {
            **{f"state.{k}": v for k, v in self.state.snapshot().items()},
            **{f"memory.{k}": v for k, v in self._stepper.memory().items()},
            **self._bodies_memory(),
            "scene": scene_to_json(self.scene),
            "solver": json.dumps(self.solver.model_dump(mode="json")),
            "seed": self.seed,
        }

    @classmethod
    def restore(cls, snapshot: dict[str, Any], threads: int | None = None) -> Simulation:
        """Continues from a snapshot."""
        simulation = cls.__new__(cls)
        try:
            scene = scene_from_json(snapshot["scene"])
            solver = solver_settings_from_json(snapshot["solver"])
            state = State.restore({k[6:]: v for k, v in snapshot.items() if k.startswith("state.")})
        except (KeyError, ValueError) as problem:
            raise FileFormatError(
                f"the snapshot cannot be read: {problem}; write it again with this version"
            ) from None
        simulation.seed = int(snapshot["seed"])
        scene.capacity = state.capacity
        simulation._prepare(scene, solver, threads, state.count)
        simulation.state = state
        simulation._stepper.recall({k[7:]: v for k, v in snapshot.items() if k.startswith("memory.")})
        if simulation.bodies is not None and simulation._movers is not None:
            known = {k[7:]: v for k, v in snapshot.items() if k.startswith("bodies.")}
            simulation.bodies.recall(known)
            simulation._movers.recall(known)
        simulation.particles = Particles(state)
        return simulation

    def __reduce__(self) -> Any:
        """`pickle` and `copy` take the snapshot: what comes out continues to the bit."""
        return Simulation.restore, (self.snapshot(), self.threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a snapshot that `Simulation.load` continues from; an existing one is replaced as a whole."""
        save_snapshot(path, self.snapshot())

    @classmethod
    def load(cls, path: str | os.PathLike[str], threads: int | None = None) -> Simulation:
        return cls.restore(load_snapshot(path), threads)

    def _refuse_buried(self, grains: dict[str, np.ndarray]) -> None:
        """Grains that start deep inside an obstacle would be shot out of it."""
        if not self.scene.obstacles or len(grains["position"]) == 0:
            return
        poses = self.model.poses(0.0)
        distance, shape = distance_to_obstacles(
            self.model.shapes, poses, grains["position"].astype(np.float32)
        )
        buried = (distance < 0.5 * grains["radius"]) & ~grains["pinned"]
        if buried.any():
            k = int(np.nonzero(buried)[0][0])
            place = np.round(grains["position"][k], 4).tolist()
            depth = float(grains["radius"][k] - distance[k])
            raise SceneError(
                f"particles: {int(buried.sum())} grains start inside an obstacle; the first is grain {k} at "
                f"{place} m, {depth:.3g} m deep in {self.body_names[int(shape[k])]!r}. "
                "Move the grains or the obstacle."
            )
