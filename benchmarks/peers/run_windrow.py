"""Windrow's NDEM on S*(N): `python run_windrow.py 20000 result.json --threads 2`.

With `--starts 10` ten runs from other starts, not timed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np
import settling

import windrow as wr

RUNS = 9


def behind(walls: np.ndarray, dt: float) -> float:
    """How far a run that keeps pace with the clock gets behind it, s; no step begins before it is due."""
    ready = most = 0.0
    for k, wall in enumerate(walls):
        ready = max(ready, k * dt) + wall
        most = max(most, ready - (k + 1) * dt)
    return most


def settling_scene(count: int, friction: float, seed: int = 1) -> wr.Scene:
    position, velocity, width = settling.start(count, seed)
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
    return scene


def run(scene: wr.Scene, threads: int) -> tuple[np.ndarray, dict[str, float]]:
    """Wall time of each step, s, figures at the end, and the deepest overlap over the radius in any substep."""
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=threads)
    walls = np.zeros(round(settling.SECONDS / simulation.solver.dt))
    peak = 0.0
    for k in range(len(walls)):
        begin = perf_counter()
        report = simulation.step()
        walls[k] = perf_counter() - begin
        peak = max(peak, report.notes["overlap_peak"])
    figures = settling.state_figures(simulation.particles.position, simulation.particles.velocity)
    return walls, figures | {"overlap_peak": peak}


def timed(scene: wr.Scene, threads: int) -> dict[str, float]:
    runs = [run(scene, threads) for _ in range(RUNS + 1)]
    walls = np.array(
        [run[0] for run in runs[1:]]
    )  # in the first one kernels may be compiled; it is not counted
    dt = settling.SECONDS / walls.shape[1]
    middle = walls[np.argsort(walls.sum(axis=1))[RUNS // 2]]
    late = round(settling.SETTLED / dt)
    return runs[-1][1] | {
        "wall_per_second": middle.sum() / settling.SECONDS,
        "settled_per_second": middle[-late:].sum() / (late * dt),
        # all runs do the same, step by step: what is slow in one of them only is the machine's
        "slowest_per_second": walls.min(axis=0).max() / dt,
        "slowest_of_all": walls.max() / dt,
        "runs_in_real_time": float((walls.max(axis=1) <= dt).sum()),
        "behind_clock": max(behind(run, dt) for run in walls),
    }


def main(count: int, result: str, threads: int, friction: float, starts: int) -> None:
    if starts:
        figures = settling.over_starts(
            lambda seed: run(settling_scene(count, friction, seed), threads)[1], starts
        )
    else:
        figures = timed(settling_scene(count, friction), threads)
    Path(result).write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int)
    parser.add_argument("result")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--friction", type=float, default=settling.FRICTION)
    parser.add_argument("--starts", type=int, default=0)
    main(**vars(parser.parse_args()))
