"""Figure 3 of the P² paper: three piles that differ in friction and adhesion only.

    python examples/04_three_piles.py     writes out/p2_figure3.png
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import windrow as wr
from windrow.measure.failure import MeasurementError
from windrow.measure.heap import height, spread
from windrow.measure.plot_style import INK, new_figure, save_figure
from windrow.measure.repose import angle_of_repose
from windrow.render.picture import draw

PILES = {"I": (5.0, 0.0), "II": (30.0, 0.0), "III": (5.0, 1000.0)}  # kinetic friction angle in degrees, Pa


def pile(friction_deg: float, adhesion: float) -> wr.Scene:
    """The scene of the figure with another material; the ground is made of it, too."""
    scene = wr.load_scene("p2_figure3")
    friction = math.tan(math.radians(friction_deg))
    sand = scene.materials["sand"]
    sand.friction_kinetic = 0.0  # never above friction_static, not even for a moment
    sand.friction_static = sand.friction_kinetic = friction
    sand.adhesion = adhesion
    return scene


def angle_text(sim: wr.Simulation) -> str:
    try:
        found = angle_of_repose(sim.particles.position, sim.particles.radius)
    except MeasurementError:
        return "flat"
    return f"{found.mean:.1f}° ± {found.spread:.1f}°"


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="pour for a moment only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

print("| pile | θ_k | adhesion | angle, pour just over | angle at rest | height | run-out | asleep |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
figure, panels = new_figure(9.0, 2.75, 1, 3)
for axes, (name, (friction_deg, adhesion)) in zip(panels, PILES.items(), strict=True):
    scene = pile(friction_deg, adhesion)
    sim = wr.Simulation(scene)
    sim.run(seconds=0.4 if options.quick else 7.0)
    poured = angle_text(sim)
    sim.run(seconds=0.1 if options.quick else scene.run.seconds - sim.time)
    x, r = sim.particles.position, sim.particles.radius
    report = sim.step()
    print(
        f"| {name} | {friction_deg:g}° | {adhesion:g} Pa | {poured} | {angle_text(sim)} "
        f"| {height(x, r):.2f} m | {spread(x):.2f} m | {100 * report.asleep / report.particles:.0f} % |"
    )
    axes.imshow(draw(sim.frame(), scene, size=(480, 400), captions=False))
    axes.set_axis_off()
    axes.set_title(
        f"{name}: $θ_k$ {friction_deg:g}°, {adhesion:g} Pa: {angle_text(sim)}", loc="left", fontsize=9.5, color=INK
    )
save_figure(figure, options.out / "p2_figure3.png")
