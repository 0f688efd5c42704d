"""Break a dam, and let a box float: density error, substeps, and how deep the box lies.

    python examples/24_water.py
    writes out/water_dam.png, water_box.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.render.picture import draw, save_picture
from windrow.scene import Box

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
size = (320, 180) if options.quick else (960, 540)

scene = wr.load_scene("dam_break")
sim = wr.Simulation(scene, threads=1)
errors, substeps = [], []
while sim.time < (0.2 if options.quick else 0.9):
    notes = sim.step().notes
    errors.append(notes["density_error"])
    substeps.append(notes["substeps"])
print(f"dam break: {100 * np.mean(errors):.2f} % mean density error, {np.mean(substeps):.1f} substeps of a step")
save_picture(options.out / "water_dam.png", draw(sim.frame(), scene, size=size))

# A tank of 0.6 m with 0.3 m of water, and a box of half its density.
D = 0.05
scene = wr.Scene(solver=wr.Fluid())
scene.add_material("water", density=1000.0, color=(0.16, 0.42, 0.62))
scene.add_material("wood", density=500.0, color=(0.55, 0.36, 0.20))
scene.add_plane((0, 0, 1), 0.0, "water", name="floor")
for normal, offset in (((1, 0, 0), 0.0), ((-1, 0, 0), -0.6), ((0, 1, 0), 0.0), ((0, -1, 0), -0.6)):
    scene.add_plane(normal, offset, "water")
scene.add_block((0, 0, 0), (0.6, 0.6, 0.3), D / 2, "water", spacing=D, jitter=0.0)
scene.add_body("box", "wood", shapes=[Box(size=(0.3, 0.3, 0.15))], position=(0.3, 0.3, 0.4))
sim = wr.Simulation(scene, threads=1)
sim.run(seconds=0.3 if options.quick else 2.5)
bottom = sim.bodies.position("box")[2] - 0.075
beside = np.abs(sim.particles.position[:, :2] - 0.3).max(axis=1) > 0.2
level = np.sort(sim.particles.position[beside, 2])[-40:].mean() + D / 2
print(f"box: draught {100 * (level - bottom):.1f} cm, by Archimedes 7.5 cm")
save_picture(options.out / "water_box.png", draw(sim.frame(), scene, size=size))
