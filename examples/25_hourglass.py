"""Yasuda, Harada & Kawaguchi 2008, figures 1 to 4: an hourglass and a slug, with friction and without, and their time.

The scenes run first; recordings that are in the folder already are used. Then some substeps are computed from frames of
each run, with the grains in the order of the grid and in that of their ids. Scene files of the runs without friction
are written, too.

    python examples/25_hourglass.py          writes out/hourglass_mound.png and out/hourglass_times.png
    python examples/25_hourglass.py --full   with 50,000 grains: an hour or two of processor time
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

import windrow as wr
from windrow.bench.dem_order import order_times
from windrow.measure.plot_style import BLUE, RED, labelled, legend, new_figure, save_figure
from windrow.render.picture import draw, save_picture
from windrow.scene import Camera, Material

RUNS = {"hourglass": 9.0, "hourglass_smooth": 6.0, "slug": 1.2, "slug_smooth": 1.2}  # seconds
COARSE = 0.008, 7700  # radius and number of the hourglass' grains, unless all 50,000 are wanted
MOMENTS, STEPS = 17, 4  # of each run at which so many steps of 16 substeps are timed
LOW = Camera(eye=(0.0, -1.6, -0.1), target=(0.0, 0.0, -0.38))

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for recordings and pictures")
parser.add_argument("--full", action="store_true", help="the hourglass with 50,000 grains")
parser.add_argument("--quick", action="store_true", help="600 grains and a few steps")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)


def scene_of(name: str) -> wr.Scene:
    kind, _, smooth = name.partition("_")
    scene = wr.load_scene(kind)
    if smooth:
        scene.title += ", without friction"
        for each, material in scene.materials.items():
            numbers = {"density": material.density, "stiffness": material.stiffness, "color": material.color}
            scene.materials[each] = Material(friction_static=0.0, restitution=material.restitution, **numbers)
    if kind == "hourglass" and not options.full:
        scene.particles[0].radius, scene.particles[0].count = COARSE
    if options.quick:
        scene.particles[0].count = 600
    if smooth:
        wr.save_scene(scene, options.out / f"{name}.toml")
    return scene


def recorded(name: str) -> wr.Recording:
    file = options.out / f"{name}.h5"
    if not file.exists():
        seconds, rate = (0.01, 200) if options.quick else (RUNS[name], 30)
        wr.Simulation(scene_of(name), threads=1).run(seconds=seconds, record=file, frame_rate=rate)
    return wr.Recording(file)


def times_at(name: str, frame: wr.Frame) -> tuple[float, float, float]:
    """ns per grain and substep: of a whole step, of its forces and motion, and of those in the order of ids."""
    scene = scene_of(name)
    scene.particles.clear()
    given = {"velocity": frame.velocity, "radius": frame.radius, "spin": frame.columns["spin"]}
    scene.add_particles(frame.position, material="sand", **given)
    simulation = wr.Simulation(scene, threads=1)
    simulation.step()
    steps = 1 if options.quick else STEPS
    begin = process_time()
    for _ in range(steps):
        simulation.step()
    whole = 1e9 * (process_time() - begin) / (steps * scene.solver.substeps * len(frame.position))
    return whole, *order_times(simulation, 2 if options.quick else 10)


def mound(frame: wr.Frame) -> float:
    """How much higher grains lie at the axis of the lower bulb than near its wall, m."""
    reach, z = np.hypot(frame.position[:, 0], frame.position[:, 1]), frame.position[:, 2]
    low = z < -0.06
    wall = np.max(reach[low], initial=0.0)
    heights = [z[low & (reach > a * wall) & (reach < b * wall)] for a, b in ((0.0, 0.2), (0.7, 0.9))]
    return float(np.percentile(heights[0], 98) - np.percentile(heights[1], 98)) if all(map(len, heights)) else 0.0


figure, axes = new_figure(9.0, 6.5, 2, 2)
rows, pictures = [], []
for name, plot in zip(RUNS, axes, strict=True):
    with recorded(name) as recording:
        chosen = np.linspace(0, len(recording) - 1, 2 if options.quick else MOMENTS).round()
        moments = [recording[int(k)] for k in chosen]
    found = np.array([times_at(name, frame) for frame in moments])
    time = [frame.time for frame in moments]
    plot.plot(time, found[:, 0], color="black", label="a whole step")
    plot.plot(time, found[:, 1], color=BLUE, label="forces, order of the grid")
    plot.plot(time, found[:, 2], color=RED, label="forces, order of ids")
    labelled(plot, name.replace("_smooth", " without friction"), "s", "ns per grain and substep")
    plot.set_ylim(bottom=0)
    whole, grid, ids = found.T
    high = f"{1e3 * mound(moments[-1]):.0f}" if "hourglass" in name else "–"
    figures = f"{whole[0]:.0f} | {whole.max():.0f} | {whole[-1]:.0f} | {np.max(ids / grid):.2f}"
    rows.append(f"| {name} | {len(moments[-1].position):,} | {figures} | {high} |")
    if "hourglass" in name:
        size = (200, 160) if options.quick else (640, 480)
        pictures.append(draw(moments[-1], scene_of(name), LOW, size))
legend(axes[0], loc="upper left")
save_figure(figure, options.out / "hourglass_times.png")
save_picture(options.out / "hourglass_mound.png", np.concatenate(pictures, axis=1))

print("| | grains | ns at the start | at most | at the end | order of ids takes, at most, × | mound, mm |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
print("\n".join(rows))
