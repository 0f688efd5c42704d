"""The soils of the library side by side: the same column of grains collapses as each of them.

    python examples/12_soils.py           writes out/soils.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.measure.heap import height, spread
from windrow.measure.plot_style import INK, new_figure, save_figure
from windrow.render.picture import draw
from windrow.scene import Camera, soils

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="a few steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

figure, panels = new_figure(10.0, 2.0, 1, len(soils()))
print("| soil | μ_s | μ_k | adhesion, Pa | grain density, kg/m³ | height | run-out |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for axes, (name, soil) in zip(panels, soils().items(), strict=True):
    scene = wr.Scene(title=soil.title)
    material = scene.add_material("soil", soil=name)
    scene.add_plane((0, 0, 1), 0.0, "soil")
    scene.add_column((0, 0, 0), 0.3, 0.6, {"min": 0.025, "max": 0.03}, "soil", packing="hexagonal")
    scene.solver = wr.P2(iterations=10, error_reduction=0.5, substeps=4)
    scene.run.camera = Camera(eye=(1.2, -1.75, 1.0), target=(0.0, 0.0, 0.14))
    sim = wr.Simulation(scene)
    sim.run(seconds=0.1 if options.quick else 3.0)
    x, r = sim.particles.position, sim.particles.radius
    print(
        f"| `{name}` | {material.friction_static:g} | {material.friction_kinetic:g} | {material.adhesion:g} "
        f"| {material.density:g} | {height(x, r):.2f} m | {spread(x, (0.0, 0.0)):.2f} m |"
    )
    axes.imshow(draw(sim.frame(), scene, size=(320, 260), captions=False))
    axes.set_axis_off()
    axes.set_title(name, loc="left", fontsize=9.5, color=INK)
save_figure(figure, options.out / "soils.png")
