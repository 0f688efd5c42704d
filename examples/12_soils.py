"""The soils of the library side by side: the same column of grains, let go as each of them.

    python examples/12_soils.py           writes out/soils.png

Grains that stick lie more loosely than the soil they stand for, as fresh spoil does. Ground that has lain for long is
made in two runs, as here: it settles without adhesion, and the scene begins with the grains where they came to rest.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.measure.heap import height, spread
from windrow.measure.plot_style import INK, new_figure, save_figure
from windrow.render.picture import draw
from windrow.scene import Camera, RadiusRange, soils
from windrow.scene.calibration import cut_height

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="a few steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

RADIUS, HEIGHT = 0.3, 0.6  # of the column, m
GRAINS = RadiusRange(min=0.02, max=0.03)


def settled(soil: str) -> wr.Simulation:
    """Grains of a soil at rest in a smooth upright cylinder, without adhesion."""
    scene = wr.Scene()
    scene.add_material("soil", soil=soil, adhesion=0.0)
    scene.add_material("glass", friction_static=0.0)
    scene.add_plane((0, 0, 1), 0.0, "soil")
    scene.add_cylinder((0, 0, 1.0), RADIUS, 4.0, "glass", inside=True)
    scene.add_column((0, 0, 0), RADIUS, 2.0 * HEIGHT, GRAINS, "soil", packing="hexagonal", velocity_spread=0.5)
    sim = wr.Simulation(scene, solver=wr.NDEM())
    sim.run(seconds=0.1 if options.quick else 1.5)
    return sim


figure, panels = new_figure(10.0, 2.0, 1, len(soils()))
print("| soil | μ_s | μ_k | adhesion, Pa | grain density, kg/m³ | a cut stands up to | height | run-out |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for axes, (name, soil) in zip(panels, soils().items(), strict=True):
    ground = settled(name).particles
    column = ground.position[:, 2] + ground.radius < HEIGHT
    scene = wr.Scene(title=soil.title)
    scene.add_material("soil", soil=name)
    scene.add_plane((0, 0, 1), 0.0, "soil")
    scene.add_particles(ground.position[column], radius=ground.radius[column], material="soil")
    scene.run.camera = Camera(eye=(1.2, -1.75, 1.0), target=(0.0, 0.0, 0.14))
    sim = wr.Simulation(scene, solver=wr.NDEM())
    sim.run(seconds=0.1 if options.quick else 3.0)
    stands = cut_height(soil.cohesion_pa.value, 9.81 * soil.bulk_density.value, soil.internal_friction_deg.value)
    used = sim.scene.materials["soil"]
    x, r = sim.particles.position, sim.particles.radius
    print(
        f"| `{name}` | {used.friction_static:.3f} | {used.friction_kinetic:.3f} | {used.adhesion:.0f} "
        f"| {used.density:.0f} | {stands:.2f} m | {height(x, r):.2f} m | {spread(x, (0.0, 0.0)):.2f} m |"
    )
    axes.imshow(draw(sim.frame(), scene, size=(320, 260), captions=False))
    axes.set_axis_off()
    axes.set_title(name, loc="left", fontsize=9.5, color=INK)
save_figure(figure, options.out / "soils.png")
