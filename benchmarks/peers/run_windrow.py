"""Windrow's NDEM on S*(N): `python run_windrow.py 20000 result.json [threads] [friction]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import settling

import windrow as wr

RUNS = 3


def behind(walls: np.ndarray, dt: float) -> float:
    """How far a run that keeps pace with the clock gets behind it, s; no step begins before it is due."""
    ready = most = 0.0
    for k, wall in enumerate(walls):
        ready = max(ready, k * dt) + wall
        most = max(most, ready - (k + 1) * dt)
    return most


def main(count: int, result: str, threads: int = 2, friction: float = settling.FRICTION) -> None:
    position, velocity, width = settling.start(count)
    scene = wr.Scene()
    scene.add_material(
        "grain",
        density=settling.DENSITY,
        friction_static=friction,
        friction_kinetic=friction,
        stiffness=settling.STIFFNESS,
        damping=settling.damping(),
    )
    half = width / 2
    scene.add_open_box(lower=(-half, -half, 0.0), upper=(half, half, 10.0), material="grain")
    scene.add_particles(
        position=position, velocity=velocity, radius=settling.RADIUS, mass=settling.MASS, material="grain"
    )
    steps = round(settling.SECONDS / wr.NDEM().dt)
    walls = np.zeros((RUNS + 1, steps))
    peak = 0.0
    for run in range(RUNS + 1):  # in the first one kernels may be compiled; it is not counted
        simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=threads)
        for k in range(steps):
            begin = perf_counter()
            report = simulation.step()
            walls[run, k] = perf_counter() - begin
            peak = max(peak, report.notes.get("overlap_peak", 0.0))
    walls = walls[1:]
    dt, whole = simulation.solver.dt, walls.sum(axis=1)
    middle = walls[np.argsort(whole)[RUNS // 2]]
    late = round(settling.SETTLED / dt)
    figures = settling.state_figures(simulation.particles.position, simulation.particles.velocity)
    figures |= {
        "wall_per_second": middle.sum() / settling.SECONDS,
        "settled_per_second": middle[-late:].sum() / (late * dt),
        # all runs do the same, step by step: what is slow in one of them only is the machine's
        "slowest_per_second": walls.min(axis=0).max() / dt,
        "slowest_of_all": walls.max() / dt,
        "behind_clock": max(behind(run, dt) for run in walls),
        "overlap_peak": peak,
    }
    Path(result).write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:4]), *map(float, sys.argv[4:5]))
