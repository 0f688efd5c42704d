"""A picture of every built-in scene, at a moment that shows what it is about.

    python examples/09_gallery.py         writes out/scene_NAME.png
    python examples/09_gallery.py drum    only that one
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.render.picture import draw, save_picture
from windrow.scene import built_in_scenes

# Not the end, where the end is an empty hopper or a lifted blade. Seconds.
MOMENTS = {
    "ball_in_sand": 1.5,
    "blade": 3.9,
    "bulldozer": 1.0,
    "column_collapse": 1.5,
    "dam_break": 0.8,
    "excavator": 1.0,
    "dig_blade": 5.0,
    "dig_bucket": 4.8,
    "field_bucket": 16.5,
    "floating_bodies": 2.5,
    "flooded_trench": 2.5,
    "gate": 3.0,
    "gravel_jet": 2.5,
    "hills": 6.0,
    "hopper": 1.5,
    "hourglass": 0.5,
    "loader_gravel": 0.25,
    "loader_rocks": 0.5,
    "p2_figure1": 3.0,
    "p2_figure2": 0.1,
    "pad": 0.5,
    "settling": 0.6,
    "slug": 0.5,
    "stockpile": 0.5,
    "trench": 0.5,
    "tank_outlet": 0.7,
    "wheel_and_plank": 4.0,
}
WALLS = {"blade", "p2_figure5"}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("names", nargs="*", default=[], help="scenes; all of them if left out")
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
parser.add_argument("--quick", action="store_true", help="a few steps of each")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

for name in options.names or built_in_scenes():
    scene = wr.load_scene(name)
    sim = wr.Simulation(scene)
    sim.run(seconds=4 * sim.solver.dt if options.quick else MOMENTS.get(name, scene.run.seconds))
    size = (320, 180) if options.quick else (960, 540)
    save_picture(options.out / f"scene_{name}.png", draw(sim.frame(), scene, size=size, walls=name in WALLS))
    print(f"{name}: {scene.title}; {len(sim.particles)} grains at {sim.time:.2f} s")
