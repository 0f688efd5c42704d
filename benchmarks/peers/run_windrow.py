"""Windrow's NDEM on S*(N): `python run_windrow.py 20000 result.json [threads] [friction]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

import settling

import windrow as wr


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
    warm = wr.Simulation(scene, solver=wr.NDEM(), threads=threads)
    for _ in range(round(settling.SECONDS / warm.solver.dt)):  # no kernel is left to compile in the timed run
        warm.step()
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=threads)
    dt = simulation.solver.dt
    walls, peak, phases = [], 0.0, {}
    for _ in range(round(settling.SECONDS / dt)):
        begin = perf_counter()
        report = simulation.step()
        walls.append(perf_counter() - begin)
        peak = max(peak, report.notes.get("overlap_peak", 0.0))
        for phase, seconds in report.seconds.items():
            phases[phase] = phases.get(phase, 0.0) + seconds / settling.SECONDS
    # a run that keeps pace with the clock: no step begins before it is due
    ready = behind = 0.0
    for k, wall in enumerate(walls):
        ready = max(ready, k * dt) + wall
        behind = max(behind, ready - (k + 1) * dt)
    late = round(settling.SETTLED / dt)
    figures = settling.state_figures(simulation.particles.position, simulation.particles.velocity)
    figures |= {
        "wall_per_second": sum(walls) / settling.SECONDS,
        "settled_per_second": sum(walls[-late:]) / (late * dt),
        "slowest_per_second": max(walls) / dt,
        "behind_clock": behind,
        "overlap_peak": peak,
        "phases": phases,
    }
    Path(result).write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:4]), *map(float, sys.argv[4:5]))
