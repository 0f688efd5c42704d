"""`windrow warmup`: compiles every kernel once, so that later runs start from the cache.

Kernels are compiled for the types they are called with. The safest way to have the right ones is to do, in
small, what users do: run a scene that has one of everything, with each method, and draw it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from windrow.cli.console import bar, tell, warnings_told
from windrow.cli.options import Quiet

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

STEPS = 3
"""Of each small run; some kernels are first called when there are grains, and contacts, from the step before."""
DRIVEN = 90
"""Steps of the scenes that are driven: by then grains and bodies have met."""


def warmup(
    quiet: Quiet = False,
    backwards: Annotated[
        bool, typer.Option("--backwards", help="Last things first: two at once, one of them so, share the work.")
    ] = False,
) -> None:
    """Compile every kernel now; the first run of a scene then starts at once."""
    from windrow.kernel import compiling

    begin = perf_counter()
    compiled: list[str] = []

    def note(name: str) -> None:
        compiled.append(name)
        if not quiet:
            tell(f"  compiling {name}")

    parts = stages()[:: -1 if backwards else 1]
    with warnings_told(), compiling(note), bar("warming up", len(parts), quiet) as done:
        for number, (name, work) in enumerate(parts, start=1):
            if not quiet:
                tell(name)
            work()
            done(number)
    if not quiet:
        what = f"{len(compiled)} functions compiled" if compiled else "everything was in the cache already"
        tell(f"{what}; {perf_counter() - begin:.1f} s")


def stages() -> list[tuple[str, Callable[[], None]]]:
    """Names of the things to do, and how."""
    return [
        ("P² with parallel Jacobi", lambda: _simulate({"name": "p2", "sleep_threshold": 3e-4})),
        ("P² with Gauss-Seidel", lambda: _simulate({"name": "p2", "method": "gauss_seidel"})),
        ("P² with mass splitting", lambda: _simulate({"name": "p2", "mass_splitting": True})),
        ("NDEM", lambda: _simulate({"name": "ndem"}, links=False)),
        ("NDEM with sleepers", _doze),
        ("bodies, machines and grains", _move_bodies),
        ("bodies that merge and split", _merge_bodies),
        ("pictures", _draw),
        ("the station in the browser", _serve),
    ]


def one_of_everything(links: bool = True) -> Scene:
    """A small scene with every kind of obstacle, mixed materials and radii, a rope, an emitter and a sink."""
    import numpy as np

    from windrow.scene import Box, Scene, Spin

    scene = Scene(title="one of everything")
    scene.add_material("sand", density=1600.0, stiffness=1e4, damping=15.0)
    scene.add_material("clay", density=1800.0, stiffness=1e4, damping=15.0, adhesion=500.0)
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
        scene.add_block((x, -1.0, 1.0), (0.5, 0.5, 0.5), {"min": 0.03, "max": 0.05}, material)
    if links:
        scene.add_rope((-1, 1, 2), (1, 1, 2), 8, "sand", pinned_start=True)
    scene.add_emitter(Box(size=(0.3, 0.3, 0.3)), 0.04, "sand", position=(0, 0, 3), rate=600.0, count=20)
    scene.add_sink(Box(size=(0.5, 0.5, 0.5)), position=(0, 0, 1))
    return scene


class _Triangles:
    """What `Scene.add_mesh` asks of a mesh."""

    def __init__(self, vertices: Any, faces: Any) -> None:
        self.vertices, self.faces = vertices, faces


def _simulate(settings: dict[str, Any], links: bool = True) -> None:
    """A few steps of all scenes; not every solver has links."""
    from windrow.sim.simulation import Simulation

    for scene in (one_of_everything(links), _plain(), _unequal()):
        scene.solver = cast(Any, settings)
        simulation = Simulation(scene)
        simulation.run(seconds=STEPS * simulation.solver.dt)


def _doze() -> None:
    """A bed that falls asleep, and a grain that wakes it."""
    from windrow.scene.settings import NDEM
    from windrow.sim.simulation import Simulation

    scene = _plain()
    scene.add_particles([(0.0, 0.0, 4.0)], radius=0.04, material="sand")
    simulation = Simulation(scene, solver=NDEM(sleep_speed=1.0))
    for _ in range(DRIVEN):
        simulation.step()


def _move_bodies() -> None:
    """Buckets that grains lie in, with each solver, and every built-in scene that has bodies, its levers moving."""
    from windrow.scene.files import built_in_scenes, load_scene
    from windrow.scene.settings import NDEM, P2
    from windrow.sim.simulation import Simulation
    from windrow.validate.coupling import bucket

    for solver in (P2(), P2(mass_splitting=True), NDEM()):
        simulation = Simulation(bucket(50.0, True, solver, fill=0.2))
        simulation.run(seconds=STEPS * simulation.solver.dt)
    for scene in map(load_scene, built_in_scenes()):
        if scene.bodies or scene.machines:
            simulation = Simulation(scene)
            for step in range(DRIVEN):
                for number, lever in enumerate(simulation.controls):
                    simulation.control(lever, 1.0 if (step // 20 + number) % 2 else -1.0)
                simulation.step()


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
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.add_block((-0.2, -0.2, 0.05), (0.4, 0.4, 0.4), 0.04, "sand")
    return scene


def _unequal() -> Scene:
    """A boulder, two grains at rest and one that flies towards them: levels of the grid, and lists of the few."""
    from windrow.scene import Scene

    scene = Scene(title="unequal")
    scene.add_material("sand", density=1600.0)
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


def _serve() -> None:
    from windrow.sim.simulation import Simulation
    from windrow.view.description import description_of
    from windrow.view.live import LiveSource
    from windrow.view.rows import Roster, grain_rows

    source = LiveSource(Simulation(one_of_everything()))
    description_of(source.scene, source.frame(), 1, "live")
    grain_rows(source.moment(("speed", "force")).grains, Roster())
    source.notes()
