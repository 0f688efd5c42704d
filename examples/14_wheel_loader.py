"""A wheel loader fills its bucket from a heap of rocks, backs off and dumps.

    python examples/14_wheel_loader.py writes out/loader.h5, loader.png and loader_machine.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.machines.loading import loading_operator
from windrow.machines.readings import payload, wheel_slips
from windrow.machines.yard import rock_yard
from windrow.measure.machine_plots import plot_machine
from windrow.render.picture import draw, save_picture
from windrow.scene import Camera

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for recording and pictures")
parser.add_argument("--quick", action="store_true", help="a few rocks and steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

rocks, columns = (30, (4, 4)) if options.quick else (500, (8, 9))
scene = rock_yard(rocks, columns)
machine = scene.placed_machines()[0]
simulation = wr.Simulation(scene)
bodies, dt = simulation.bodies, scene.solver.dt

# Rocks fall and come to rest; the loader waits.
simulation.control("brake", 1.0)
for _ in range(round((0.5 if options.quick else 8.0) / dt)):
    simulation.step()
begin = float(np.percentile(bodies.motion.x[:rocks, 0], 2)) - 0.3

operator = loading_operator(begin)
phase, steps, shown = "", 0, None
camera = Camera(eye=(-4.0, -13.0, 6.0), target=(3.0, 0.0, 1.5), field_of_view_deg=40)
with simulation.record(options.out / "loader.h5", frame_rate=30):
    while not operator.finished and not (options.quick and steps > 60):
        operator.act(simulation, dt)
        simulation.step()
        steps += 1
        if operator.phase != phase:
            phase = operator.phase
            slip = max(wheel_slips(bodies, machine).values(), key=abs)
            load = payload(simulation, machine.tool)
            print(f"{simulation.time:6.2f} s  {phase or 'done':10s} {load:6.0f} kg  largest slip {slip:+.2f}")
            if phase == "weigh":
                shown = simulation.frame()
save_picture(options.out / "loader.png", draw(shown or simulation.frame(), scene, camera, (960, 600)))

# What the operator did, and what it took: in every frame of the recording.
with wr.Recording(options.out / "loader.h5") as recording:
    force = recording.joint("lift")["force"]
    print(f"lift cylinder: {force.max() / 1e3:.0f} kN at most, at {recording.times[force.argmax()]:.2f} s")
    plot_machine(recording, options.out / "loader_machine.png")
print(f"wrote loader.h5, loader.png and loader_machine.png into {options.out}")
