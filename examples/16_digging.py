"""Pull a blade through loam that turns into grains before it and back behind it, and follow every kilogram.

    python examples/16_digging.py         writes out/digging.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.render.picture import Stage, save_picture
from windrow.scene.settings import Camera

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short way")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

way = 0.2 if options.quick else 2.4  # m
scene = wr.Scene(title="a blade in loam over sand")
scene.add_material("steel", density=7850.0, friction_static=0.3)
scene.add_terrain(
    size=(5.0, 3.4), cell=0.1, depth=1.5, layers=[{"soil": "loam", "thickness": 0.1}, {"soil": "dry_sand"}]
)
scene.add_box(
    (0.0, 0.0, 0.0),
    (0.06, 1.0, 0.7),
    "steel",
    name="blade",
    digs=True,
    motion={
        "kind": "keyframes",
        "time": [0.0, way / 0.5, way / 0.5 + 1.2],
        "position": [(-1.4, 0.0, 0.17), (way - 1.4, 0.0, 0.17), (way - 1.0, 0.0, 1.5)],
    },
)
sim = wr.Simulation(scene)
stage, camera = Stage(scene), Camera(eye=(2.9, -3.1, 2.1), target=(0.1, 0.0, -0.1))
size = (320, 180) if options.quick else (640, 360)

print("|   time |   draft |  ground |  grains | free grains | mass error |")
print("| -----: | ------: | ------: | ------: | ----------: | ---------: |")
pushes: list[float] = []
while sim.time < way / 0.5:
    sim.step()
    pushes.append(-sim.body("blade")[0][0])
    if len(pushes) % (3 if options.quick else 48) == 0:
        free = int(np.isfinite(sim.particles.mass).sum())
        ledger = sim.ledger
        print(
            f"| {sim.time:4.1f} s | {np.mean(pushes[-24:]) / 1e3:4.1f} kN | {ledger['ground_mass']:5.0f} kg "
            f"| {ledger['grain_mass']:4.0f} kg | {free:11,} | {ledger['mass_error']:10.0e} |"
        )
save_picture(options.out / "digging.png", stage.draw(sim.frame(), camera, size))
while sim.state.count and sim.time < (0.6 if options.quick else 12.0):
    sim.step()
deepest = -sim.terrain.height.min()
print(f"\nafter {sim.time:.1f} s {sim.state.count} grains are left; the trench is {deepest:.2f} m deep,")
print(f"and {sim.ledger['ground_mass']:.3f} kg of ground are there, the mass error {sim.ledger['mass_error']:g}")
