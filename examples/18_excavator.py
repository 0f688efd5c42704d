"""Drive an excavator over loam, swing and dig the air; print what its hydraulics and tracks do.

    python examples/18_excavator.py       writes out/excavator.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.machines.readings import oil, tracks
from windrow.render.picture import Stage, save_picture

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.load_scene("excavator")
sim = wr.Simulation(scene)
assert sim.bodies is not None
WORK = [
    ("stand", {}, 1.0),
    ("drive", {"left_track": 1.0, "right_track": 1.0}, 3.0),
    ("turn on the spot", {"left_track": -1.0, "right_track": 1.0}, 2.0),
    ("boom up, stick out, swing", {"boom": 1.0, "stick": -1.0, "swing": 1.0}, 2.0),
    ("stop", {}, 1.5),
]
print("| | engine | pump, L/min | boom, bar | slip of the left track |")
print("| --- | ---: | ---: | ---: | ---: |")
for what, levers, seconds in WORK:
    for name in sim.controls:
        sim.control(name, levers.get(name, 0.0))
    sim.run(seconds=0.05 if options.quick else seconds)
    reading, left = oil(sim.bodies), tracks(sim.bodies)["left track"]
    boom, flow = reading.pressure["boom"] / 1e5, 6e4 * reading.flow["main"]
    print(f"| {what} | {100 * reading.load['engine']:.0f} % | {flow:.0f} | {boom:.0f} | {100 * left.slip:.0f} % |")
picture = Stage(scene).draw(sim.frame(), scene.run.camera, (320, 180) if options.quick else (1280, 720))
save_picture(options.out / "excavator.png", picture)
print(f"mass of the ground off by {sim.ledger['mass_error']:.0e}")
