"""How fast DEM is: particle-steps per second on S*(N), by threads and phase; memory; the agreement with peers."""

from __future__ import annotations

import math
import warnings
from time import perf_counter
from typing import Any

import numpy as np

from windrow.bench.bed import bytes_per_grain
from windrow.collide.touching import touching_pairs
from windrow.fixed_math import cube
from windrow.scene import DEM, Scene
from windrow.sim.simulation import Simulation
from windrow.solvers.dem.materials import damping_factor
from windrow.solvers.dem.timestep import TimeStepWarning
from windrow.validate import size_scenes as scenes

DT = 1.2e-3
"""s, the step that peers run this scene with; longer than Windrow would choose"""
PARTS = 10
"""the run is timed in so many parts, threads in turn: a machine that is slow for some seconds is slow for all"""


def _simulation(scene: Scene, threads: int, substeps: int) -> Simulation:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TimeStepWarning)
        return Simulation(scene, solver=DEM(dt=substeps * DT, substeps=substeps), threads=threads)


def settling(count: int) -> Scene:
    """S*(N): friction 0.5, restitution 0.5 between equal grains, 1e5 N/m."""
    scene = scenes.settling(count)
    mass = 1600.0 * 4.0 / 3.0 * math.pi * cube(scenes.RADIUS)
    damping = damping_factor(0.5) * math.sqrt(1e5 * 0.5 * mass)
    scene.add_material("soil", density=1600.0, friction_static=0.5, stiffness=1e5, damping=damping)
    return scene


def scaling_rows(
    threads: int, grains: tuple[int, ...] = (2_000, 20_000, 100_000, 300_000, 1_000_000), steps: int = 200
) -> list[dict[str, Any]]:
    """Cost and memory per grain over the number of grains, while they fall and collide."""
    rows = []
    for count in grains:
        simulation = _simulation(settling(count), threads, 16)
        simulation.step()
        begin = perf_counter()
        for _ in range(steps // 16):
            simulation.step()
        spent = perf_counter() - begin
        row: dict[str, Any] = {"grains": count, "threads": threads}
        row["ns per grain and step"] = 1e9 * spent / (count * (steps // 16) * 16)
        row["bytes per grain"] = round(bytes_per_grain(simulation))
        rows.append(row)
    return rows


def settling_rows(
    threads: tuple[int, ...], grains: tuple[int, ...] = (2_000, 20_000, 100_000), seconds: float = 2.0
) -> list[dict[str, Any]]:
    """Falling and settling for two seconds, one DEM step a step and sixteen."""
    rows = []
    for count in grains:
        for substeps in (1, 16):
            simulations = [_simulation(settling(count), workers, substeps) for workers in threads]
            steps = round(seconds / (substeps * DT) / PARTS)
            walls, phases, searches = np.zeros(len(threads)), [dict[str, float]() for _ in threads], 0.0
            for _ in range(PARTS):
                for k, simulation in enumerate(simulations):
                    begin = perf_counter()
                    for _ in range(steps):
                        report = simulation.step()
                        for phase, spent in report.seconds.items():
                            phases[k][phase] = phases[k].get(phase, 0.0) + spent
                        searches += report.notes["searches"] / len(threads)
                    walls[k] += perf_counter() - begin
            work = count * steps * substeps * PARTS
            for k, workers in enumerate(threads):
                row: dict[str, Any] = {"grains": count, "substeps": substeps, "threads": workers}
                row["million particle-steps per s"] = float(1e-6 * work / walls[k])
                row["wall s per simulated s"] = float(walls[k] / seconds)
                row |= {f"{phase} ns": 1e9 * spent / work for phase, spent in phases[k].items()}
                row["steps per search"] = steps * substeps * PARTS / max(searches, 1.0)
                row["speed-up"] = float(walls[0] / walls[k])
                row["bytes per grain"] = round(bytes_per_grain(simulations[k]))
                rows.append(row | _figures(simulations[k]))
    return rows


def _figures(simulation: Simulation) -> dict[str, float]:
    """What peers should agree with at the end."""
    particles = simulation.particles
    position, radius = particles.position.astype(np.float64), particles.radius.astype(np.float64)
    first, second, distance = touching_pairs(position, radius)
    overlap = (radius[first] + radius[second] - distance) / radius[first]
    v = particles.velocity.astype(np.float64)
    return {
        "mean height m": float(position[:, 2].mean()),
        "contacts per grain": 2.0 * len(first) / len(position),
        "mean overlap / r": float(overlap.mean()) if len(overlap) else 0.0,
        "kinetic energy J": float(0.5 * (particles.mass * (v * v).sum(axis=1)).sum()),
    }
