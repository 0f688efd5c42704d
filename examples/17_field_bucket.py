"""Dig with a bucket without grains: force and parts beside the earthmoving equation, load, trench and heap.

    python examples/17_field_bucket.py
    writes out/field_bucket_tool.png, field_bucket_end.png, earthmoving_equation.png
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

import windrow as wr
from windrow.measure.tool_plots import plot_equation, plot_tool
from windrow.render.picture import draw, save_picture

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.load_scene("field_bucket")
seconds = 3.0 if options.quick else scene.run.seconds
sim = wr.Simulation(scene, threads=1)
bucket = sim.tools["bucket"]

sim.run(seconds=1.0)  # loads what is compiled
sim.reset()

# As fast as it goes, reading the tool at every step.
largest, filled = np.zeros(2), 0.0
begin = process_time()
while sim.time < seconds:
    sim.step()
    parts = bucket.parts
    soil = sum(parts[name] for name in ("cutting", "penetration", "underside", "adhesion"))
    drafts = np.linalg.norm(soil[:2]), np.linalg.norm(bucket.earthmoving[:2])
    largest, filled = np.maximum(largest, drafts), max(filled, bucket.fill_factor)
spent = process_time() - begin
print(f"{seconds:.0f} s in {spent:.2f} s of processor time: {seconds / spent:.0f} times real time")
print(f"largest draft {largest[0] / 1e3:.1f} kN, of the equation {largest[1] / 1e3:.1f} kN; filled to {filled:.0%}")
print(f"ground and bucket together are off by {sim.ledger['mass_error']:.0e} of their mass")

# Once more, recorded, for the plots.
sim.reset()
sim.run(seconds=seconds, record=options.out / "field_bucket.h5", frame_rate=30.0)
with wr.Recording(options.out / "field_bucket.h5") as recording:
    plot_tool(recording, options.out / "field_bucket_tool.png")
size = (320, 180) if options.quick else (960, 540)
save_picture(options.out / "field_bucket_end.png", draw(sim.frame(), scene, size=size))
plot_equation(options.out / "earthmoving_equation.png")
