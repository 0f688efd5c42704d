"""Figure 2 of the P² paper: one grain on a spring-damper ground, against implicit Euler.

P² moves positions, yet its contacts have a stiffness in N/m and a damping in N·s/m. A single contact is exactly a
spring-damper integrated with implicit Euler, for any number of iterations.

    python examples/03_spring_damper.py   writes out/p2_figure2.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.measure.plot_style import BLUE, GREY, INK, ORANGE, RED, labelled, legend, new_figure, save_figure

RADIUS, START, GRAVITY, DT = 0.05, 0.3, 9.81, 1 / 60
CASES = ((1000.0, 100.0), (100.0, 0.0))  # N/m, N·s/m


def heights(stiffness: float, damping: float, iterations: int, steps: int) -> np.ndarray:
    """Height of the grain's centre after each step, m."""
    scene = wr.load_scene("p2_figure2")
    scene.materials["contact"].stiffness = stiffness
    scene.materials["contact"].damping = damping
    sim = wr.Simulation(scene, solver=wr.P2(dt=DT, iterations=iterations))
    result = np.empty(steps)
    for k in range(steps):
        sim.step()
        result[k] = sim.particles.position[0, 2]
    return result


def implicit_euler(stiffness: float, damping: float, steps: int) -> np.ndarray:
    """The same by implicit Euler of m ẍ + c ẋ + k x = −m g with m = 1 kg, over a ground that never pulls.

    x is the height of the lowest point of the grain. The damper acts on the part of the way that lies below the
    surface; a grain that would be pulled back moves freely.
    """
    x, v = START - RADIUS, 0.0
    result = np.empty(steps)
    for k in range(steps):
        free = x + DT * v - DT**2 * GRAVITY
        new = free
        if free <= 0:
            below = min(x, 0.0)
            held = (free + DT * damping * below) / (1 + DT * damping + DT**2 * stiffness)
            if stiffness * held + damping * (held - below) / DT <= 0:
                new = held
        x, v = new, (new - x) / DT
        result[k] = x + RADIUS
    return result


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="half a second instead of two")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
steps = 30 if options.quick else 120

figure, panels = new_figure(8.0, 6.0, 2, 1)
time = DT * (1 + np.arange(steps))
print("| stiffness, N/m | damping, N·s/m | iterations | largest difference, mm |")
print("| ---: | ---: | ---: | ---: |")
for axes, (stiffness, damping) in zip(panels, CASES, strict=True):
    exact = implicit_euler(stiffness, damping, steps)
    axes.axhline(RADIUS, color=GREY, linewidth=0.8, linestyle=":")
    axes.plot(time, exact, color=INK, linewidth=1.4, label="implicit Euler")
    for iterations, color, marker in ((1, BLUE, "o"), (5, ORANGE, "s"), (20, RED, "x")):
        z = heights(stiffness, damping, iterations, steps)
        sizes = {1: 7.0, 5: 4.5, 20: 3.5}
        axes.plot(
            time, z, marker, color=color, markersize=sizes[iterations], fillstyle="none", linestyle="none",
            markeredgewidth=0.9, label=f"P², {iterations} iteration{'s' if iterations > 1 else ''}",
        )  # fmt: skip
        worst = 1e3 * np.abs(z - exact).max()
        print(f"| {stiffness:g} | {damping:g} | {iterations} | {worst:.4f} |")
    labelled(axes, f"k = {stiffness:g} N/m, c = {damping:g} N·s/m", "time (s)", "height of the centre (m)")
legend(panels[0])
save_figure(figure, options.out / "p2_figure2.png")
