"""Figures 1 to 4 of Yasuda, Harada & Kawaguchi 2008: an hourglass and a slug with friction and without, and their time.

The scenes run first, half an hour of processor time together; recordings that are in the folder already are used. Then
some substeps are computed from frames of each run, with the grains in the order of the grid and in that of their ids.

    python examples/25_hourglass.py   writes out/hourglass_mound.png and out/hourglass_times.png
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
from windrow.scene import Camera

RUNS = {"hourglass": 9.0, "hourglass_smooth": 7.0, "slug": 1.6, "slug_smooth": 1.6}  # seconds
MOMENTS = 17  # of each run at which steps are timed
STEPS = 6  # that are timed, of 16 substeps each
LOW = Camera(eye=(0.0, -1.6, -0.2), target=(0.0, 0.0, -0.4))

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for recordings and pictures")
parser.add_argument("--quick", action="store_true", help="1,500 grains and a few steps")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)


def scene_of(name: str) -> wr.Scene:
    scene = wr.load_scene(name.replace("slug_smooth", "slug"))
    if name == "slug_smooth":
        scene.materials["sand"] = wr.Material(density=1600.0, friction_static=0.0, stiffness=2e4, restitution=0.5)
    if options.quick:
        scene.particles[0].count = 1500
    return scene


def recorded(name: str) -> wr.Recording:
    file = options.out / f"{name}.h5"
    if not file.exists():
        seconds, rate = (0.01, 200) if options.quick else (RUNS[name], 30 if "slug" in name else 10)
        wr.Simulation(scene_of(name), threads=1).run(seconds=seconds, record=file, frame_rate=rate)
    return wr.Recording(file)


def times_at(name: str, frame: wr.Frame) -> tuple[float, float, float]:
    """ns per grain and substep: of a whole step, of its forces and motion, and of those in the order of ids."""
    scene = scene_of(name)
    scene.particles.clear()
    scene.add_particles(
        frame.position, velocity=frame.velocity, radius=frame.radius, spin=frame.columns["spin"], material="sand"
    )
    simulation = wr.Simulation(scene, threads=1)
    steps = 1 if options.quick else STEPS
    simulation.step()
    begin = process_time()
    for _ in range(steps):
        simulation.step()
    whole = 1e9 * (process_time() - begin) / (steps * scene.solver.substeps * len(frame.position))
    return whole, *order_times(simulation, 2 if options.quick else 20)


def mound(frame: wr.Frame) -> float:
    """How much higher grains lie at the axis of the lower bulb than at its wall, m."""
    low = frame.position[frame.position[:, 2] < -0.06]
    if len(low) == 0:
        return 0.0
    reach = np.hypot(low[:, 0], low[:, 1])
    wall = np.percentile(reach, 99.5)
    at_axis, at_wall = low[reach < 0.15 * wall, 2], low[(reach > 0.75 * wall) & (reach < 0.95 * wall), 2]
    return float(np.percentile(at_axis, 99) - np.percentile(at_wall, 99)) if len(at_axis) and len(at_wall) else 0.0


figure, axes = new_figure(9.0, 6.5, 2, 2)
rows, pictures = [], []
for name, plot in zip(RUNS, axes, strict=True):
    with recorded(name) as recording:
        chosen = np.unique(np.linspace(0, len(recording) - 1, 2 if options.quick else MOMENTS).round().astype(int))
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
    rows.append(f"| {name} | {figures} | {high} |")
    if "hourglass" in name:
        size = (200, 160) if options.quick else (640, 520)
        pictures.append(draw(moments[-1], scene_of(name), LOW, size))
legend(axes[0], loc="upper left")
save_figure(figure, options.out / "hourglass_times.png")
save_picture(options.out / "hourglass_mound.png", np.concatenate(pictures, axis=1))

print("| | ns at the start | at most | at the end | order of ids takes, at most, × | mound, mm |")
print("| --- | ---: | ---: | ---: | ---: | ---: |")
print("\n".join(rows))
