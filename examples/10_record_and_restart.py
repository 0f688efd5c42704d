"""Record a run, read it back, and continue a saved one to the very bit.

    python examples/10_record_and_restart.py
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.measure.series import series

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the files")
parser.add_argument("--quick", action="store_true", help="half a second instead of four")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
half = 0.25 if options.quick else 2.0

# Two seconds, recorded; then saved as a snapshot, and two more.
sim = wr.Simulation(wr.load_scene("pile"), seed=7)
sim.run(seconds=half, record=options.out / "first_half.h5")
sim.save(options.out / "middle.h5")
sim.run(seconds=half)
print(f"in one go        {sim.time:.2f} s  {len(sim.particles)} grains  {sim.hash()[:16]}")

# The same from the snapshot, on another number of threads.
again = wr.Simulation.load(options.out / "middle.h5", threads=1)
again.run(seconds=half)
print(f"from a snapshot  {again.time:.2f} s  {len(again.particles)} grains  {again.hash()[:16]}")
assert again.hash() == sim.hash()

# What was recorded: frames with positions, velocities, forces, and the scene itself.
with wr.Recording(options.out / "first_half.h5") as recording:
    last = recording[-1]
    print(f"{len(recording)} frames of {recording.scene.title!r}; the last at {last.time:.2f} s")
    table = series(recording, every=10)
    for time, grains, energy in zip(table["time"], table["grains"], table["kinetic_energy"], strict=True):
        print(f"  {time:5.2f} s  {grains:5.0f} grains  {energy:8.2f} J")
