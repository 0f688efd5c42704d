"""Makes the built-in scene `loader_rocks`: a wheel loader before a heap of rocks that has come to rest.

    python docs/tools/loader_rocks.py

The rocks are dropped and left alone until nothing moves; the scene begins there.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

from windrow.machines.yard import add_rocks
from windrow.scene.assembling import rotation_vector
from windrow.scene.bodies import Spheres
from windrow.scene.multibody import Merging, Multibody
from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation

COUNT, COLUMNS, SIZE, MIDDLE = 200, (6, 7), 0.45, (9.5, 0.0)
SECONDS = 8.0

HEAD = """\
title = "Wheel loader and rocks"
description = \"\"\"A wheel loader before a heap of {count} rocks of {mass:.0f} t together. \\
Fill the bucket, back off, turn left and dump into the marked square.\"\"\"

[materials.rock]
density = 2600.0
friction_static = 0.6
friction_kinetic = 0.5
color = [0.52, 0.48, 0.43]

[materials.gravel]
density = 2600.0
friction_static = 0.7
friction_kinetic = 0.6
color = [0.60, 0.56, 0.50]
source = "ground of the yard"

[multibody]
merging = {{}}

[[obstacles]]
name = "ground"
shape = {{kind = "plane", normal = [0.0, 0.0, 1.0], offset = 0.0}}
material = "gravel"

[[machines]]
model = "wheel_loader"

[task]
title = "Clear the heap"
text = "Bring 6 t of rock into the square on the left."
measure = "mass"
target = 6000.0
source = {{lower = [6.0, -5.0, -0.5], upper = [14.0, 5.0, 4.0]}}
destination = {{lower = [-3.0, 6.0, -0.5], upper = [5.0, 14.0, 4.0]}}
time_limit = 900.0

[run]
seconds = 20.0
camera = {{eye = [-7.0, -9.5, 6.0], target = [4.5, 0.5, 0.6]}}
"""


def settled() -> Simulation:
    scene = Scene(multibody=Multibody(merging=Merging()))
    scene.add_material("rock", density=2600.0, friction_static=0.6, friction_kinetic=0.5)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="ground")
    add_rocks(scene, COUNT, COLUMNS, MIDDLE, SIZE)
    simulation = Simulation(scene)
    while simulation.time < SECONDS:
        simulation.step()
    return simulation


def text_of(simulation: Simulation) -> str:
    bodies = simulation.bodies
    assert bodies is not None
    parts = [HEAD.format(count=COUNT, mass=bodies.bodies.mass.sum() / 1000)]
    for k, (body, pose) in enumerate(zip(simulation.scene.bodies, bodies.poses(), strict=True)):
        shape = body.shapes[0].shape
        assert isinstance(shape, Spheres)
        turn = np.rad2deg(rotation_vector(pose[:9].reshape(3, 3)))
        radii = np.broadcast_to(shape.radii, len(shape.centers))
        parts.append(
            "\n[[bodies]]\n"
            f'name = "{body.name}"\n'
            'material = "rock"\n'
            f"position = {_numbers(pose[9:])}\n"
            f"rotation_deg = {_numbers(turn, 2)}\n"
            # Said here, so that the volume of balls that overlap need not be found at every start.
            f"mass = {bodies.bodies.mass[k]:.3f}\n"
            f"center_of_mass = {_numbers(bodies.bodies.center[k])}\n"
            f"inertia = [{', '.join(_numbers(row) for row in bodies.bodies.table.inertia[k])}]\n"
            f'shapes = [{{kind = "spheres", radii = {_numbers(radii)}, centers = ['
            f"{', '.join(_numbers(center) for center in shape.centers)}]}}]\n"
        )
    return "".join(parts)


def _numbers(values: np.ndarray, digits: int = 4) -> str:
    return f"[{', '.join(f'{value:.{digits}f}' for value in values)}]"


def main() -> None:
    file = Path(str(resources.files("windrow.scene").joinpath("library", "loader_rocks.toml")))
    file.write_text(text_of(settled()), encoding="utf-8")
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
