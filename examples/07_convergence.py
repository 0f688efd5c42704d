"""What P² carries: how far columns sink by their height, and how well contact forces converge.

A column of grains starts at the exact equilibrium of its springs, where every contact carries the weight above it. A
solver that has converged leaves it there.

    python examples/07_convergence.py     writes out/convergence.png
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.measure.plot_style import CYCLE, GREY, labelled, legend, new_figure, save_figure

RADIUS, MASS, STIFFNESS, GRAVITY = 0.05, 0.838, 1e5, 9.81


def column(layers: int) -> tuple[wr.Scene, np.ndarray]:
    """A straight column, and the height of every grain at its equilibrium, m."""
    scene = wr.Scene(gravity=(0, 0, -GRAVITY))
    scene.add_material("grain", friction_static=0.5, stiffness=STIFFNESS, damping=150.0)
    scene.add_plane((0, 0, 1), 0.0, "grain", name="floor")
    carried = np.arange(layers, 0, -1) * MASS * GRAVITY
    z = np.cumsum(np.r_[RADIUS, np.full(layers - 1, 2 * RADIUS)] - carried / STIFFNESS)
    scene.add_particles(np.c_[np.zeros((layers, 2)), z], radius=RADIUS, mass=MASS, material="grain")
    return scene, z


def rest(layers: int, solver: wr.P2, seconds: float) -> tuple[float, float]:
    """Height of the column over its exact height, the mean of the second half of the time since deep ones bounce;
    and the worst error of a contact force at the end over the whole weight."""
    scene, exact = column(layers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the scene is deeper than the solver carries: that is the point
        sim = wr.Simulation(scene, solver=solver)
    tops = []
    while sim.time < seconds - 1e-9:
        sim.step()
        tops.append(sim.particles.position[:, 2].max())
    z = np.sort(sim.particles.position[:, 2].astype(np.float64))
    gap = np.diff(np.r_[-RADIUS, z]) - 2 * RADIUS
    carried = np.arange(layers, 0, -1) * MASS * GRAVITY
    worst = np.abs(np.maximum(-gap, 0.0) * STIFFNESS - carried).max() / carried[0]
    return float(np.mean(tops[len(tops) // 2 :]) / exact[-1]), float(worst)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="two columns only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
seconds = 0.2 if options.quick else 4.0
figure, (sinking, force) = new_figure(9.0, 3.8, 1, 2)

SOLVERS = {
    "averaging, 10 iterations, ε 0": wr.P2(iterations=10, error_reduction=0.0),
    "averaging, 10 iterations, ε 0.5": wr.P2(iterations=10, error_reduction=0.5),
    "averaging, 40 iterations, ε 0": wr.P2(iterations=40, error_reduction=0.0),
    "mass splitting, 10 iterations": wr.P2(iterations=10, error_reduction=0.0, mass_splitting=True),
    "mass splitting, 40 iterations": wr.P2(iterations=40, error_reduction=0.0, mass_splitting=True),
    "10 iterations, ε 0, 8 substeps": wr.P2(iterations=10, error_reduction=0.0, substeps=8),
}
LAYERS = (5, 10) if options.quick else (3, 5, 10, 15, 20, 30, 40)
print("| solver, Δt 1/60 s | " + " | ".join(f"{n} grains" for n in LAYERS) + " |")
print("| --- |" + " ---: |" * len(LAYERS))
for color, (name, solver) in zip(CYCLE, SOLVERS.items(), strict=False):
    left = [100 * rest(layers, solver, seconds)[0] for layers in LAYERS]
    print(f"| {name} | " + " | ".join(f"{share:.0f} %" for share in left) + " |")
    sinking.plot(LAYERS, left, "o-", color=color, markersize=4, label=name)
sinking.axhline(100.0, color=GREY, linewidth=1, linestyle="--")
title = f"Height of a column, {seconds / 2:g} to {seconds:g} s"
labelled(sinking, title, "grains on top of each other", "of the exact height (%)")
sinking.set_ylim(0, 130)
legend(sinking, loc="lower left", borderaxespad=0.2)

ITERATIONS = (5, 10) if options.quick else (5, 10, 20, 40, 80, 160)
print()
print("| iterations, Δt 1/240 s | " + " | ".join(str(n) for n in ITERATIONS) + " |")
print("| --- |" + " ---: |" * len(ITERATIONS))
for color, split in zip(CYCLE, (False, True), strict=False):
    name = "mass splitting" if split else "averaging, ε 0"
    errors = []
    for iterations in ITERATIONS:
        solver = wr.P2(dt=1 / 240, iterations=iterations, error_reduction=0.0, mass_splitting=split)
        errors.append(100 * rest(12, solver, seconds / 2)[1])
    print(f"| {name} | " + " | ".join(f"{error:.0f} %" if error > 10 else f"{error:.2g} %" for error in errors) + " |")
    force.loglog(ITERATIONS, errors, "o-", color=color, markersize=4, label=name)
labelled(force, "Worst contact force in a column of 12", "iterations per step of 1/240 s", "error (% of the weight)")
legend(force)
save_figure(figure, options.out / "convergence.png")
