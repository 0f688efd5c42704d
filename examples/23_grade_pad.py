"""A bulldozer grades a pad by script; print how near the ground comes to its target, pass by pass.

    python examples/23_grade_pad.py       writes out/grade_pad.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.machines.dozing import BladeOperator, grading_passes
from windrow.machines.targets import survey
from windrow.render.picture import Stage, save_picture

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.load_scene("pad")
assert scene.task is not None
pad = scene.task.surface
assert pad is not None
sim = wr.Simulation(scene)
looked = survey(pad, sim.terrain, scene.task.tolerance)
height = pad.plan().height
operator = BladeOperator(grading_passes([height + 0.05, height + 0.02], (-1.6, 1.6, 0.0), begin=-4.0, end=4.5))

print("| pass | within 3 cm | floor above the pad | scatter | left | too deep |")
print("| ---: | ---: | ---: | ---: | ---: | ---: |")
told = -1
while not operator.finished and not (options.quick and sim.time > 0.3):
    if told != len(operator.done) and len(operator.done) % 2 == 0:
        told = len(operator.done)
        f = looked.look(sim.terrain)
        print(
            f"| {told // 2} | {100 * f.within:.0f} % | {100 * f.depth_error:.1f} cm | {100 * f.scatter:.1f} cm | "
            f"{f.left:.2f} m³ | {f.over_dig:.2f} m³ |",
            flush=True,
        )
    operator.act(sim, sim.solver.dt)
    sim.step()
f = looked.look(sim.terrain)
print(f"| end | {100 * f.within:.0f} % | {100 * f.depth_error:.1f} cm | {100 * f.scatter:.1f} cm | "
      f"{f.left:.2f} m³ | {f.over_dig:.2f} m³ |")  # fmt: skip
picture = Stage(scene).draw(sim.frame(), scene.run.camera, (320, 180) if options.quick else (960, 540))
save_picture(options.out / "grade_pad.png", picture)
