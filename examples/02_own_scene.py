"""Build a scene in Python: a plate drags through a bed of two soils, and the force on it is read every step.

    python examples/02_own_scene.py       writes out/plate.png and out/plate_force.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.measure.plot_style import BLUE, ORANGE, labelled, legend, new_figure, save_figure
from windrow.render.picture import draw, save_picture
from windrow.scene import Camera, Keyframes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
parser.add_argument("--quick", action="store_true", help="a few steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.Scene(title="A plate through two soils", gravity=(0, 0, -9.81), seed=1)
scene.add_material("sand", soil="dry_sand")
scene.add_material("loam", soil="loam")
scene.add_material("steel", density=7850, friction_static=0.4, friction_kinetic=0.3)
scene.add_pair("loam", "steel", adhesion=300.0)  # loam sticks to steel less than to itself

scene.add_open_box(lower=(-1.2, -0.4, 0.0), upper=(1.2, 0.4, 1.0), material="sand", name="box")
scene.add_block((-1.2, -0.4, 0.0), (1.2, 0.8, 0.3), {"min": 0.025, "max": 0.03}, "sand", packing="hexagonal")
scene.add_block((0.0, -0.4, 0.0), (1.2, 0.8, 0.3), {"min": 0.025, "max": 0.03}, "loam", packing="hexagonal")
path = Keyframes(  # offsets from the plate's own position
    time=[0.0, 0.6, 1.2, 3.7],
    position=[(0, 0, 0), (0, 0, 0), (0, 0, -0.35), (1.5, 0, -0.35)],
)
scene.add_box((-0.9, 0.0, 0.72), (0.02, 0.5, 0.5), "steel", name="plate", motion=path)
scene.run.camera = Camera(eye=(1.6, -2.9, 1.7), target=(0.1, 0.0, 0.2))

sim = wr.Simulation(scene)
time, drag, lift = [], [], []
for _ in range(10 if options.quick else round(3.7 / sim.solver.dt)):
    sim.step()
    force, torque = sim.body("plate")  # N and N m, of the grains on the plate, over the last step
    time.append(sim.time)
    drag.append(-force[0])
    lift.append(force[2])

figure, (axes,) = new_figure(8.0, 3.4)
axes.plot(time, drag, color=BLUE, linewidth=1.2, label="drag, against the motion")
axes.plot(time, lift, color=ORANGE, linewidth=1.2, label="lift, upwards")
axes.axvline(2.7, color="#8a8a8a", linewidth=1, linestyle="--")
axes.text(2.74, 0.04, "loam from here", transform=axes.get_xaxis_transform(), fontsize=9)
labelled(axes, "Force of the grains on the plate", "time (s)", "force (N)")
legend(axes, loc="upper left")
save_figure(figure, options.out / "plate_force.png")
save_picture(options.out / "plate.png", draw(sim.frame(), scene, size=(960, 540), walls=True))

late = np.array(time) > 1.2
print(f"{len(sim.particles)} grains; mean drag {np.mean(np.array(drag)[late]) if late.any() else 0.0:.0f} N")
