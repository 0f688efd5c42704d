"""Figure 1 of the P² paper: time per step while 2,000 grains are poured; Jacobi on 1 and 2 threads, Gauss-Seidel.

The three runs take turns step by step, so that whatever else the machine does slows all of them alike; the ratios
mean more than the times.

    python examples/06_time_per_step.py   writes out/p2_figure1.png
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.measure.plot_style import BLUE, GREEN, RED, labelled, legend, new_figure, save_figure

CASES = {
    "Gauss-Seidel, 1 thread": (wr.P2(method="gauss_seidel", error_reduction=0.0, sleep_threshold=3e-4), 1, RED),
    "P², 1 thread": (wr.P2(sleep_threshold=3e-4), 1, BLUE),
    "P², 2 threads": (wr.P2(sleep_threshold=3e-4), 2, GREEN),
}
BIN = 200  # grains

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="half a second of the pour")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

runs = {name: wr.Simulation(wr.load_scene("p2_figure1"), solver=s, threads=t) for name, (s, t, _) in CASES.items()}
grains: dict[str, list[int]] = {name: [] for name in runs}
wall: dict[str, list[float]] = {name: [] for name in runs}
for step in range(33 if options.quick else round(5.2 * 60)):
    for name, sim in runs.items():
        report = sim.step()
        if step >= 3:  # the first steps load the kernels
            grains[name].append(report.particles)
            wall[name].append(1e3 * report.wall)

figure, (axes,) = new_figure(8.0, 4.0)
best = {}
for name, (_, _, color) in CASES.items():
    count, spent = np.array(grains[name]), np.array(wall[name])
    bins = np.unique(count // BIN)
    best[name] = {int(b): float(spent[count // BIN == b].min()) for b in bins}
    middle = [float(count[count // BIN == b].mean()) for b in bins]
    axes.plot(count, spent, ".", color=color, markersize=2, alpha=0.25)
    axes.plot(middle, list(best[name].values()), color=color, linewidth=2, label=name)
labelled(axes, "Time per step, collision detection included, 10 iterations", "grains poured", "wall time (ms)")
axes.set_xlim(left=0)
axes.set_ylim(0, 1.6 * max(max(line.values()) for line in best.values()))
legend(axes, loc="upper left")
save_figure(figure, options.out / "p2_figure1.png")

print("| | ms per step, pour almost over | Gauss-Seidel takes |")
print("| --- | ---: | ---: |")
last = {name: line[max(line)] for name, line in best.items()}
for name, value in last.items():
    print(f"| {name} | {value:.2f} | {last['Gauss-Seidel, 1 thread'] / value:.1f} × as long |")
print(f"{os.cpu_count()} processors; a step of 1/60 s is real time up to 16.7 ms")
