"""Scenes that Windrow and LAMMPS both compute, and a stand-in for LAMMPS that only keeps its manners."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import MissingExtraError
from windrow.lammps.deck import deck_of, write_deck
from windrow.lammps.dump import FrameMaker, read_grains
from windrow.lammps.program import command_of
from windrow.state.frame import Frame

NUMBERS: Mapping[str, Any] = {
    "density": 2500.0,
    "stiffness": 2e5,
    "restitution": 0.7,
    "friction_static": 0.3,
    "young_modulus": 5e7,
    "poisson_ratio": 0.25,
}
RADIUS = 0.01
MASS = 2500.0 * 4 / 3 * np.pi * RADIUS**3

STAND_IN = '''
"""Answers as LAMMPS does: thermo lines, frames, restart files, the stop file. Its grains stand still."""
import pathlib, sys, time
words = dict(zip(sys.argv[1::1], sys.argv[2::1]))
pairs = [(a, b, c) for a, b, c in zip(sys.argv, sys.argv[1:], sys.argv[2:]) if a == "-var"]
given = {b: c for _, b, c in pairs}
script = pathlib.Path(words["-in"]).read_text()
if BREAKS:
    print("ERROR on proc 0: Particle outside surface of region used in fix wall/gran/region (src/x.cpp:1)")
    sys.exit(1)
last = int(script.split("\\nrun ")[1].split()[0])
atoms = pathlib.Path("run.data").read_text().split("x y z\\n\\n")[1].split("\\n\\n")[0].splitlines()
first = int(given["restart"].split(".")[1]) if "restart" in given else 0
titles = "id type x y z vx vy vz omegax omegay omegaz radius fx fy fz"
print("1 by 1 by 1 MPI processor grid")
every, step = max(1, last // 10), first
while step <= last:
    rows = []
    for line in atoms:
        i, kind, diameter, _, x, y, z = line.split()
        rows.append(f"{i} {kind} {x} {y} {z} 0 0 0 0 0 0 {float(diameter) / 2} 0 0 0")
    box = "ITEM: BOX BOUNDS mm mm mm\\n0 1\\n0 1\\n0 1\\n"
    head = f"ITEM: TIMESTEP\\n{step}\\nITEM: NUMBER OF ATOMS\\n{len(rows)}\\n{box}"
    frame = pathlib.Path(given["dump"].replace("*", str(step)))
    frame.write_text(head + f"ITEM: ATOMS {titles}\\n" + "\\n".join(rows) + "\\n")
    print(f"{step} 0.0 {len(rows)} 0.0 0.0 0.0 0.0", flush=True)
    if pathlib.Path("run.stop").exists():
        break
    time.sleep(SLEEP)
    step += every
pathlib.Path(f"run.{min(step, last)}.restart").write_text("restart")
'''


def stand_in(folder: Path, breaks: bool = False, sleep: float = 0.0) -> Path:
    """A program file that Python runs in the place of LAMMPS."""
    path = folder / "stand_in.py"
    path.write_text(f"BREAKS, SLEEP = {breaks}, {sleep}\n" + STAND_IN)
    return path


def lammps_command(ranks: int = 1) -> list[str]:
    """Words that start LAMMPS; skips the test where there is none."""
    try:
        return command_of(ranks)
    except MissingExtraError as error:
        pytest.skip(f"needs LAMMPS: {error}")


def single(wall: bool, velocity: tuple[float, float, float], **material: Any) -> wr.Scene:
    """A sphere that hits a wall, or another one of the same size that rests, without gravity."""
    scene = wr.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add_material("steel", **{**NUMBERS, **material})
    if wall:
        scene.add_plane((0, 0, 1), 0.0, "steel")
        place = [(0, 0, 1.05 * RADIUS)]
        scene.add_particles(place, velocity=[velocity], radius=RADIUS, material="steel", spin=(0, 5, 3))
    else:
        places, speeds = [(0, 0, 0), (0, 0, 2.1 * RADIUS)], [(0, 0, 0), velocity]
        scene.add_particles(places, velocity=speeds, radius=RADIUS, material="steel", spin=[(0, 0, 0), (0, 5, 3)])
    scene.run.seconds, scene.run.frame_rate = 0.006, 1000.0
    return scene


def bed(seed: int = 1) -> wr.Scene:
    """Five hundred grains that fall into a box; `seed` moves each a little."""
    scene = wr.Scene()
    scene.add_material("sand", density=1600, stiffness=1e5, restitution=0.5, friction_static=0.5)
    side, spacing, radius = 6, 0.11, 0.05
    n = np.arange(500)
    cell = np.stack([n % side, n // side % side, n // side**2], axis=1)
    random = np.random.default_rng(seed)
    places = (cell + 0.5) * spacing + random.uniform(-0.0025, 0.0025, (500, 3))
    scene.add_particles(places, velocity=random.uniform(-1, 1, (500, 3)), radius=radius, material="sand")
    width = side * spacing
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    for axis in range(2):
        normal = np.eye(3)[axis]
        scene.add_plane(tuple(normal), 0.0, "sand")
        scene.add_plane(tuple(-normal), -width, "sand")
    scene.run.seconds, scene.run.frame_rate = 1.5, 20.0
    return scene


def computed(scene: wr.Scene, solver: wr.DEM, folder: Path, ranks: int = 1, approximate: bool = False) -> Frame:
    """The last frame of LAMMPS' own run of a scene."""
    command = lammps_command(ranks)
    simulation = wr.Simulation(scene, solver=solver)
    deck = deck_of(simulation, "case", approximate)
    write_deck(deck, folder / "case.in")
    words = [*command, "-in", "case.in", "-nocite", "-var", "dump", "frame.*.dump"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stdout[-2000:]
    last = max(folder.glob("frame.*.dump"), key=lambda path: int(path.name.split(".")[1]))
    return FrameMaker(simulation.scene, simulation.frame(), deck.step).frame(read_grains(last))


def own(scene: wr.Scene, solver: wr.DEM, time: float) -> Frame:
    """Windrow's own frame at that time."""
    simulation = wr.Simulation(scene, solver=solver)
    while simulation.time < time - 1e-9:
        simulation.step()
    return simulation.frame()


def motion(frame: Frame) -> np.ndarray:
    """Velocity, and spin times the radius, of the last grain, m/s."""
    return np.concatenate([frame.velocity[-1], RADIUS * frame.columns["spin"][-1]])
