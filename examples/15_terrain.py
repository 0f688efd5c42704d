"""Dig a pit into layered hills, let its walls slide, and weigh everything before and after.

    python examples/15_terrain.py         writes out/terrain_before.png, terrain_after.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.render.picture import Stage, save_picture
from windrow.scene.settings import Camera
from windrow.scene.terrain import Hills

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.Scene(title="a pit in hills")
scene.add_terrain(
    size=(24.0, 24.0),
    cell=0.125,
    height=Hills(height=2.0, length=12.0, seed=4),
    layers=[{"soil": "loam", "thickness": 0.5}, {"soil": "dry_sand"}],
)
sim = wr.Simulation(scene)
stage, camera = Stage(scene), Camera(eye=(8.0, -11.0, 9.0), target=(0.0, 0.0, 0.3))
size = (320, 180) if options.quick else (1280, 720)

sim.terrain.set_height(-1.2, x=(-3.0, 3.0), y=(-2.0, 2.0))
save_picture(options.out / "terrain_before.png", stage.draw(sim.frame(), camera, size))
deepest = sim.terrain.height.min()
sim.run(seconds=0.2 if options.quick else 6.0, progress=not options.quick)
save_picture(options.out / "terrain_after.png", stage.draw(sim.frame(), camera, size))

ledger = sim.ledger
print(f"the pit was {deepest:.2f} m deep; its floor is now between {deepest:.2f} m and", end=" ")
print(f"{sim.terrain.height_at(2.5, 0.0):.2f} m at its side")
print(f"ground {ledger['ground_mass'] / 1000:,.1f} t, dug out {ledger['left_mass'] / 1000:,.1f} t, ", end="")
print(f"off by {ledger['mass_error']:.0e} of it all")
