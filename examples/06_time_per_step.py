"""Figure 1 of the P² paper: time per step while 2,000 grains are poured; Jacobi on 1 and 2 threads, Gauss-Seidel.

The three runs take turns step by step, so that whatever else the machine does slows all of them alike, and the pour
is repeated: it computes the same bits each time, so that the fastest of the passes counts. The ratios mean more than
the times.

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

passes, steps = (1, 33) if options.quick else (5, round(5.2 * 60))
grains: dict[str, list[int]] = {name: [] for name in CASES}
wall = {name: np.full((passes, steps), np.inf) for name in CASES}
for number in range(passes):
    runs = {
        name: wr.Simulation(wr.load_scene("p2_figure1"), solver=solver, threads=threads)
        for name, (solver, threads, _) in CASES.items()
    }
    for step in range(steps):
        for name, sim in runs.items():
            report = sim.step()
            wall[name][number, step] = 1e3 * report.wall
            if number == 0:
                grains[name].append(report.particles)

figure, (axes,) = new_figure(8.0, 4.0)
best = {}
for name, (_, _, color) in CASES.items():
    # Every pass computes the same bits, so that the fastest of them is the time of the work.
    count, spent = np.array(grains[name]), wall[name].min(axis=0)
    bins = np.unique(count // BIN)
    best[name] = {int(b): float(np.median(spent[count // BIN == b])) for b in bins}
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
