"""A bonded beam falls onto an edge and breaks, among clumps.

    python examples/21_bonds_and_clumps.py writes out/bonds_and_clumps.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.render.picture import draw, save_picture
from windrow.scene import Camera

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="a few steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.Scene(solver=wr.DEM(substeps=50), seed=2)
scene.add_material("concrete", density=2400, stiffness=5e5, restitution=0.3, friction_static=0.5)
scene.add_material("stone", density=2600, stiffness=5e5, restitution=0.3, friction_static=0.6, color=(0.45, 0.5, 0.6))
scene.add_plane((0, 0, 1), 0.0, "stone")
scene.add_box((0, 0, 0.0), (0.2, 1.0, 0.2), "stone", rotation_deg=(0, 45, 0), name="edge")

# Grains of the beam that lie beside each other are bonded: 20 MPa stiff, and 400 kPa strong.
falling = {"packing": "hexagonal", "velocity": (0, 0, -2)}
beam = scene.add_block((-0.8, -0.15, 0.3), (1.6, 0.3, 0.25), 0.025, "concrete", **falling)
scene.add_bonds(2e7, beam, tensile_strength=4e5, shear_strength=4e5)

# Each clump is one rigid grain of three balls that overlap; it weighs what their union does.
balls, radii = [(0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.1, 0.02, 0.0)], [0.035, 0.04, 0.03]
x, y, z = np.meshgrid(np.linspace(-0.9, 0.9, 8), [-0.45, -0.3, 0.3, 0.45], [0.1], indexing="ij")
places = np.stack([x, y, z], -1).reshape(-1, 3)
places = places[np.abs(places[:, 0]) > 0.25]
scene.add_clumps(balls, radii, places, "stone", random_rotation=True)
scene.run.camera = Camera(eye=(1.3, -2.2, 1.1), target=(0.0, 0.0, 0.1))

sim = wr.Simulation(scene)
end = 0.01 if options.quick else 0.6
while sim.time < end:
    sim.step()
size = (320, 180) if options.quick else (960, 540)
save_picture(options.out / "bonds_and_clumps.png", draw(sim.frame(), scene, size=size))
print(f"{len(sim.particles)} balls, {len(sim.clumps)} clumps; bonds: {sim.bonds.told()}")
