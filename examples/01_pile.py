"""Pour a pile, measure its angle and draw it: the shortest way from a scene to a number and a picture.

    python examples/01_pile.py            writes out/pile.h5, pile.png, plot_series.png and plot_profile.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.measure.failure import MeasurementError
from windrow.measure.heap import height, spread
from windrow.measure.plots import plot_profile, plot_series
from windrow.measure.repose import angle_of_repose
from windrow.render.picture import draw, save_picture

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="pour for a moment only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.load_scene("pile")
sim = wr.Simulation(scene, seed=0)
recording = options.out / "pile.h5"
summary = sim.run(seconds=0.5 if options.quick else 20.0, record=recording, progress=not options.quick)

grains = sim.particles
print(f"{len(grains)} grains after {sim.time:.1f} s, {summary.real_time_factor:.1f} times real time")
print(f"height {height(grains.position, grains.radius):.2f} m, run-out radius {spread(grains.position):.2f} m")
try:
    angle = angle_of_repose(grains.position, grains.radius)
    print(f"angle of repose {angle.mean:.1f}° ± {angle.spread:.1f}° over azimuth")
except MeasurementError as reason:
    print(f"no angle of repose yet: {reason}")

save_picture(options.out / "pile.png", draw(sim.frame(), scene, size=(960, 540)))
plot_profile(sim.frame(), options.out / "plot_profile.png")
with wr.Recording(recording) as frames:
    plot_series(frames, options.out / "plot_series.png", every=6)
