"""`windrow warmup`: compiles every kernel once, so that later runs start at once; and makes the list of kernels.

Kernels are compiled for the types they are called with. The safest way to list the right ones is to do, in small, what
users do: run a scene that has one of everything, with each method, and draw it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from windrow.cli.console import bar, compiling_told, tell, warnings_told
from windrow.cli.options import Quiet

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.solvers.interface import Solver, WarmupStage

STEPS = 3
"""Of each small run; some kernels are first called when there are grains, and contacts, from the step before."""
STANDING = 20
"""Steps with each lever of the machines that do not dig yet."""
DRIVEN = 90
"""Steps of the scenes that are driven: by then grains and bodies have met."""


def warmup(
    quiet: Quiet = False,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For developers: write the list of kernels anew, by running one scene of each kind."
        ),
    ] = None,
    record_part: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Compile every kernel now, on all cores; the first run of a scene then starts at once."""
    from windrow.compiler import compile_parts

    if record_part is not None and record is not None:
        _record_part(record_part, record)
        return
    if record is not None:
        _record(record, quiet)
        return
    begin = perf_counter()
    with warnings_told(), compiling_told(quiet):
        compiled = compile_parts(parts())
    if not quiet:
        what = f"{compiled} kernels compiled" if compiled else "everything was compiled already"
        tell(f"{what}; {perf_counter() - begin:.1f} s")


def parts() -> dict[str, Callable[[], None]]:
    """Parts of the program that not every user needs, and work that calls all kernels of each."""
    from windrow.sim.kernel_parts import BEFORE_GRAINS, bodies_part, stage_part
    from windrow.solvers.registry import solver_class, solver_names

    solvers = {name: solver_class(name) for name in solver_names()}
    return {
        **{
            stage_part(name, stage): partial(_simulate, work)
            for name, solver in solvers.items()
            for stage, work in solver.warmup.items()
        },
        "bodies": _move_bodies,
        **{bodies_part(name): partial(_fill_buckets, solver) for name, solver in solvers.items() if solver.with_bodies},
        "terrain": _move_ground,
        "terrain grains": _dig,
        "terrain bodies": _work_on_ground,
        BEFORE_GRAINS: _stand_on_ground,
        "pictures": _draw,
        "detail": _refine,
        "detail pictures": _draw_fine,
        "station": _serve,
    }


def _record_part(part: str, file: Path) -> None:
    """Does the work of a part and writes down what it compiled and what it called."""
    from windrow.compiler import dispatchers
    from windrow.kernel import called_by_python, compile_times

    with compile_times() as compiled:
        parts()[part]()
    known = {
        kernel: name
        for module in [name for name in sys.modules if name.startswith("windrow.")]
        for name, kernel in dispatchers(module).items()
    }
    made = [(known[c.kernel], c.types, c.seconds, known.get(c.root, "")) for c in compiled if c.kernel in known]
    called = [(name, types) for kernel, name in known.items() if called_by_python(kernel) for types in kernel.overloads]
    file.write_bytes(pickle.dumps((made, called)))


def _record(file: Path, quiet: bool) -> None:
    """Runs each part in a process of its own, with an empty store, and writes the list of kernels."""
    from windrow.compiler import write_list

    found = {}
    with TemporaryDirectory() as folder, bar("recording", len(parts()), quiet) as done:
        environment = {**os.environ, "WINDROW_CACHE": f"{folder}/store", "WINDROW_COMPILE": "here"}
        for number, part in enumerate(parts(), start=1):
            result = Path(folder) / "result"
            command = [sys.executable, "-m", "windrow", "warmup", "--record-part", part, "--record", str(result)]
            subprocess.run(command, env=environment, check=True)
            found[part] = pickle.loads(result.read_bytes())
            done(number)
    write_list(file, found)


def one_of_everything(links: bool = True, alike: bool = False) -> Scene:
    """A small scene with every kind of obstacle, mixed materials and radii, a rope, an emitter and a sink.

    alike: all particles have one radius; links: with the rope.
    """
    import numpy as np

    from windrow.scene import Box, Scene, Spin

    scene = Scene(title="one of everything")
    grains: dict[str, Any] = {"stiffness": 1e4, "damping": 15.0, "young_modulus": 1e6}
    scene.add_material("sand", density=1600.0, **grains)
    scene.add_material("clay", density=1800.0, adhesion=500.0, **grains)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    shelf = iter([(x, y, 0.3) for x in (-1.5, -0.5, 0.5, 1.5) for y in (-1.5, -0.5, 0.5, 1.5)])
    scene.add_box(next(shelf), (0.3, 0.3, 0.3), "clay", motion=Spin(axis=(0, 0, 1), rate=1.0))
    scene.add_sphere(next(shelf), 0.2, "sand")
    scene.add_cylinder(next(shelf), 0.2, 0.3, "sand")
    scene.add_capsule(next(shelf), 0.1, 0.3, "sand")
    scene.add_cone(next(shelf), 0.2, 0.3, "sand")
    scene.add_height_field((0.6, 0.6), np.array([[0.0, 0.1], [0.1, 0.0]]), "sand", position=next(shelf))
    corners = np.array([[0.0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    for some in (faces, faces[:3]):
        mesh = _Triangles(corners, some)
        scene.add_mesh(mesh, "sand", position=next(shelf))
    scene.add_revolution([(0.3, 0.3), (0.1, 0.0)], "sand", position=next(shelf))
    scene.add_distance_function(
        lambda p: np.linalg.norm(p, axis=1) - 0.2, (-0.3,) * 3, (0.3,) * 3, 0.05, "sand", position=next(shelf)
    )
    scene.add_box((0, 0, 5), (12, 12, 12), "sand", inside=True)
    for material, x in (("sand", -1.0), ("clay", 0.5)):
        radius: Any = 0.04 if alike else {"min": 0.03, "max": 0.05}
        scene.add_block((x, -1.0, 1.0), (0.5, 0.5, 0.5), radius, material)
    if links:
        scene.add_rope((-1, 1, 2), (1, 1, 2), 8, "sand", pinned_start=True)
    scene.add_emitter(Box(size=(0.3, 0.3, 0.3)), 0.04, "sand", position=(0, 0, 3), rate=600.0, count=20)
    scene.add_sink(Box(size=(0.5, 0.5, 0.5)), position=(0, 0, 1))
    return scene


class _Triangles:
    """What `Scene.add_mesh` asks of a mesh."""

    def __init__(self, vertices: Any, faces: Any) -> None:
        self.vertices, self.faces = vertices, faces


def _simulate(work: WarmupStage) -> None:
    """A few steps of all scenes; and a bed that comes to rest, and a grain that falls on it."""
    from windrow.sim.simulation import Simulation
    from windrow.solvers.registry import solver_class

    for settings in work.settings:
        links, alike = solver_class(settings.name).computes_links, settings.continuum
        more = () if alike else (_unequal(), _two_kinds(), *((_wet(),) if settings.liquid else ()))
        for scene in (one_of_everything(links, alike), _plain(), *more):
            for name, material in scene.materials.items():
                if work.surface_energy > 0.0 and material.adhesion == 0.0:
                    scene.materials[name] = material.model_copy(update={"surface_energy": work.surface_energy})
            simulation = Simulation(scene, solver=settings)
            simulation.run(seconds=STEPS * simulation.solver.dt)
    for settings in work.resting:
        scene = _plain()
        scene.add_particles([(0.0, 0.0, 4.0)], radius=0.04, material="sand")
        simulation = Simulation(scene, solver=settings)
        for _ in range(DRIVEN):
            simulation.step()


def _fill_buckets(solver: type[Solver]) -> None:
    """Buckets that grains lie in, and the built-in scenes with bodies and grains."""
    from windrow.scene.files import built_in_scenes, load_scene
    from windrow.sim.simulation import Simulation
    from windrow.validate.coupling import bucket

    for settings in solver.with_bodies:
        simulation = Simulation(bucket(50.0, True, settings, fill=0.2))
        simulation.run(seconds=STEPS * simulation.solver.dt)
    for scene in map(load_scene, built_in_scenes()):
        if (scene.bodies or scene.machines) and has_grains(scene) and isinstance(scene.solver, solver.settings_class):
            _drive(scene)


def _move_bodies() -> None:
    """Every built-in scene that has bodies and neither grains nor ground, and rocks that merge."""
    from windrow.scene.files import built_in_scenes, load_scene

    for scene in map(load_scene, built_in_scenes()):
        if (scene.bodies or scene.machines) and not has_grains(scene) and scene.terrain is None:
            _drive(scene)
    _merge_bodies()


def _move_ground() -> None:
    """Ground that is set, slides and falls; saved, looked at, and dug without grains."""
    from windrow.scene.files import load_scene
    from windrow.sim.simulation import Simulation

    _set_ground(_ground())
    digging = Simulation(load_scene("field_bucket"))
    while digging.time < 3.0:
        digging.step()


def _ground() -> Scene:
    """Soil in two layers."""
    from windrow.scene import Scene

    scene = Scene(title="ground")
    scene.add_material("sand", soil="dry_sand")
    layers = [{"soil": "dry_sand", "thickness": 0.3}, {"soil": "loam"}]
    scene.add_terrain(size=(6.4, 6.4), cell=0.1, layers=layers, fidelity="field")
    return scene


def _set_ground(scene: Scene) -> None:
    """A pit is made, which falls in; and all that is told of it."""
    from windrow.sim.simulation import Simulation

    simulation = Simulation(scene)
    simulation.terrain.set_height(-1.5, x=(0.0, 2.0), y=(-1.0, 1.0))
    for _ in range(STEPS):
        simulation.step()
    terrain = simulation.terrain
    _ = terrain.mass, terrain.density, terrain.soil, terrain.height, simulation.frame()
    Simulation.restore(simulation.snapshot()).step()


def _work_on_ground() -> None:
    """A block and grains on ground, and every built-in scene with machines on it; a wheel loader that digs without
    grains, and one among grains."""
    from windrow.scene import Box, Scene
    from windrow.scene.files import built_in_scenes, load_scene
    from windrow.sim.simulation import Simulation

    scene = _ground()
    scene.add_particles([(1.0, 1.0, 0.1)], radius=0.05, material="sand")
    scene.add_body("block", "sand", shapes=[Box(size=(0.5, 0.5, 0.5))], position=(-1.0, -1.0, 0.25))
    _set_ground(scene)
    for scene in map(load_scene, built_in_scenes()):
        if scene.terrain is not None and (scene.bodies or scene.machines):
            _drive(scene)
    for fidelity in ("field", "hybrid"):
        scene = Scene(title="digging")
        scene.add_material("sand", soil="dry_sand")
        scene.add_terrain(size=(12.8, 6.4), cell=0.2, soil="dry_sand", fidelity=fidelity)
        scene.add_machine("wheel_loader", position=(-2.0, 0.0, 0.0))
        if fidelity == "hybrid":
            scene.add_particles([(4.0, 1.0, 1.0)], radius=0.05, material="sand")
        _drive(scene)
    Simulation.restore(Simulation(scene).snapshot()).step()


class _GrainsComeError(Exception):
    """Ground is about to turn into grains."""


def _stand_on_ground() -> None:
    """Machines of every built-in scene whose ground turns into grains before them, as long as there are none."""
    from windrow.scene.files import built_in_scenes, load_scene
    from windrow.sim.kernel_parts import BEFORE_GRAINS, first_parts
    from windrow.sim.simulation import Simulation

    def leave() -> None:
        raise _GrainsComeError

    for scene in map(load_scene, built_in_scenes()):
        if BEFORE_GRAINS in first_parts(scene.assembled(), scene.solver):
            simulation = Simulation(scene)
            simulation.before_grains = leave
            for lever in simulation.controls:
                simulation.reset()
                simulation.control(lever, 1.0)
                with suppress(_GrainsComeError):
                    for _ in range(STANDING):
                        simulation.step()


def _dig() -> None:
    """Ground that turns into grains before a blade, and back behind it; a box of grains; grains in want of room."""
    from windrow.scene import Scene
    from windrow.sim.digging.digging import DiggingWarning
    from windrow.sim.simulation import Simulation

    box = {"fidelity": "grains", "grains_box": ((-0.3, -0.3, -0.2), (0.3, 0.3, 0.2))}
    few: dict[str, Any] = {"most_grains": 600}
    plain: dict[str, Any] = {}
    for fields in (plain, few, box):
        scene = Scene(title="dug")
        scene.add_material("steel")
        scene.add_terrain(size=(2.5, 2.0), cell=0.125, depth=1.0, soil="dry_sand", **fields)
        motion = {"kind": "linear", "velocity": (0.4, 0.0, 0.3), "start": 0.2}
        scene.add_box((-0.4, 0.0, 0.2), (0.06, 0.4, 0.6), "steel", digs=True, motion=motion)
        simulation = Simulation(scene)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DiggingWarning)
            for _ in range(DRIVEN):
                simulation.step()
        simulation.frame()


def has_grains(scene: Scene) -> bool:
    return bool(scene.particles or scene.emitters)


def _drive(scene: Scene) -> None:
    """Some steps with all levers moving, and what is in the tools then."""
    from windrow.machines.readings import payload
    from windrow.sim.simulation import Simulation

    simulation = Simulation(scene)
    for step in range(DRIVEN):
        for number, lever in enumerate(simulation.controls):
            simulation.control(lever, 1.0 if (step // 20 + number) % 2 else -1.0)
        simulation.step()
    for machine in scene.placed_machines():
        if machine.tool is not None:
            payload(simulation, machine.tool)


def _merge_bodies() -> None:
    """Rocks that are joined with each other and with the ground and come loose again, which they do by themselves only
    after some time."""
    import numpy as np

    from windrow.scene import Merging, Multibody, Scene, Sphere
    from windrow.sim.simulation import Simulation

    scene = Scene(title="merged", multibody=Multibody(merging=Merging()))
    scene.add_material("rock", density=2600.0)
    scene.add_plane((0, 0, 1), 0.0, "rock")
    for k in range(3):
        scene.add_body(f"rock {k}", "rock", shapes=[Sphere(radius=0.2)], position=(0.4 * k, 0.0, 0.2))
    simulation = Simulation(scene)
    assert simulation.bodies is not None
    merger = simulation.bodies.merger
    some = np.arange(2)
    for change in (merger.join, merger.lay_down, merger.split):
        simulation.run(seconds=STEPS * simulation.solver.dt)
        change(some)
    simulation.run(seconds=STEPS * simulation.solver.dt)


def _plain() -> Scene:
    """One material and a floor: the solver has a shorter way for it."""
    from windrow.scene import Scene

    scene = Scene(title="plain")
    scene.add_material("sand", density=1600.0, damping=150.0, young_modulus=1e7)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.add_block((-0.2, -0.2, 0.05), (0.4, 0.4, 0.4), 0.04, "sand")
    return scene


def _wet() -> Scene:
    """Grains in a liquid."""
    scene = _plain()
    scene.add_material("water", density=1000.0, liquid=True)
    scene.add_block((-0.2, -0.2, 0.0), (0.4, 0.4, 0.8), 0.04, "water", spacing=0.1)
    return scene


def _two_kinds() -> Scene:
    """Grains of two materials, without adhesion."""
    scene = _plain()
    scene.add_material("gravel", density=2000.0, damping=150.0, young_modulus=1e7)
    scene.add_block((0.3, -0.2, 0.05), (0.2, 0.2, 0.2), 0.04, "gravel")
    return scene


def _unequal() -> Scene:
    """A boulder, two grains at rest and one that flies towards them: levels of the grid, and lists of the few."""
    from windrow.scene import Scene

    scene = Scene(title="unequal")
    scene.add_material("sand", density=1600.0, damping=150.0, young_modulus=1e7)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.add_particles([(2.0, 0.0, 0.4)], radius=0.4, material="sand")
    scene.add_particles(
        [(0.0, 0.0, 0.04), (0.1, 0.0, 0.04), (-0.7, 0.0, 0.06)],
        radius=0.04,
        velocity=[(0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (12.0, 0.0, 0.0)],
        material="sand",
    )
    return scene


def _draw() -> None:
    from windrow.render.picture import draw
    from windrow.sim.simulation import Simulation

    scene = one_of_everything()
    draw(Simulation(scene).frame(), scene, size=(64, 36))


def _refine() -> Any:
    """Fine grains among one of everything, saved and loaded again."""
    from windrow.detail.entry import detail
    from windrow.record.recording import Recording
    from windrow.sim.simulation import Simulation

    with TemporaryDirectory() as folder:
        simulation = Simulation(one_of_everything())
        simulation.run(seconds=STEPS * simulation.solver.dt, record=f"{folder}/run.h5")
        with Recording(f"{folder}/run.h5") as recording, detail(recording, 20_000, out=f"{folder}/run.fine") as made:
            made.positions(0)
        return detail(simulation, 20_000)


def _draw_fine() -> None:
    from windrow.render.fine import draw_detail

    draw_detail(_refine(), size=(64, 36))


def _serve() -> None:
    from windrow.machines.weighing import Scales
    from windrow.sim.simulation import Simulation
    from windrow.view.description import description_of
    from windrow.view.live import LiveSource
    from windrow.view.rows import Roster, grain_rows

    source = LiveSource(Simulation(one_of_everything()))
    description_of(source.scene, source.frame(), 1, "live")
    grain_rows(source.moment(("speed", "force")).grains, Roster())
    Scales(None).weigh(source.simulation, [])
    source.notes()
