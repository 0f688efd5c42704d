"""Figure 5 of the P² paper: the slope that a heap slides down to, by method, iterations and error reduction.

The same block of grains is let go against a wall. A solver that resolves friction badly lets it creep, until what is
left moves less than the sleep threshold per step.

    python examples/05_slope_by_method.py writes out/p2_figure5.png and out/p2_figure5_angles.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.measure.overlap import contacts
from windrow.measure.plot_style import CYCLE, INK, labelled, legend, new_figure, save_figure
from windrow.render.picture import draw

CASES = (
    ("GS, 10", wr.P2(method="gauss_seidel", iterations=10, error_reduction=0.0, sleep_threshold=3e-4)),
    ("GS, 40", wr.P2(method="gauss_seidel", iterations=40, error_reduction=0.0, sleep_threshold=3e-4)),
    ("P², 10, ε 0", wr.P2(iterations=10, error_reduction=0.0, sleep_threshold=3e-4)),
    ("P², 40, ε 0", wr.P2(iterations=40, error_reduction=0.0, sleep_threshold=3e-4)),
    ("P², 10, ε 0.5", wr.P2(iterations=10, error_reduction=0.5, sleep_threshold=3e-4)),
)


def wedge_angle(position: np.ndarray) -> float:
    """Slope, in degrees, of the wedge against the wall x = 0 whose centre of mass is that of the grains.

    A wedge of height H and length L has it at H/3 and L/3. Unlike a line through the surface, this is defined for
    every shape that the heap goes through.
    """
    x, _, z = position.mean(axis=0, dtype=np.float64)
    return float(np.degrees(np.arctan2(z, x)))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
parser.add_argument("--quick", action="store_true", help="a quarter of a second instead of ten")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

figure, (axes,) = new_figure(8.0, 4.0)
pictures = {}
print("| method | iterations | ε | slope after 2 s | after 10 s | mean overlap, of the radius | asleep |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for color, (name, solver) in zip(CYCLE, CASES, strict=False):
    scene = wr.load_scene("p2_figure5")
    sim = wr.Simulation(scene, solver=solver)
    seconds = 0.25 if options.quick else scene.run.seconds
    time, angle = [0.0], [wedge_angle(sim.particles.position)]
    while sim.time < seconds - 1e-9:
        report = sim.step()
        time.append(sim.time)
        angle.append(wedge_angle(sim.particles.position))
    axes.plot(time, angle, color=color, linewidth=1.6, label=name)
    overlap = contacts(sim.particles.position, sim.particles.radius).mean_relative
    early = float(np.interp(2.0, time, angle))
    method = "Gauss-Seidel" if solver.method == "gauss_seidel" else "P²"
    print(
        f"| {method} | {solver.iterations} | {solver.error_reduction:g} | {early:.1f}° | {angle[-1]:.1f}° "
        f"| {100 * overlap:.0f} % | {100 * report.asleep / report.particles:.0f} % |"
    )
    pictures[name] = draw(sim.frame(), scene, size=(480, 270), captions=False)
labelled(axes, "Slope of a heap let go against a wall", "time (s)", "slope (°)")
axes.set_ylim(bottom=0)
legend(axes, loc="upper right", ncols=2)
save_figure(figure, options.out / "p2_figure5_angles.png")
pictures_figure, panels = new_figure(9.0, 5.3, 2, 2)
for panel, name in zip(panels, ("GS, 10", "P², 10, ε 0", "GS, 40", "P², 10, ε 0.5"), strict=True):
    panel.imshow(pictures[name])
    panel.set_axis_off()
    panel.set_title(name, loc="left", fontsize=10, color=INK)
save_figure(pictures_figure, options.out / "p2_figure5.png")
