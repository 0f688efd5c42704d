"""How fast a bucket digs without grains, and how the time of a step divides."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Any

from windrow.scene.files import load_scene
from windrow.sim.simulation import Simulation

REPEATS = 5
"""Runs of which the best counts."""


def field_rows() -> list[dict[str, Any]]:
    """The scene field_bucket on one thread: times real time, µs per step, of that the ground; steps without a tool."""
    scene = load_scene("field_bucket")
    seconds = scene.run.seconds
    idle_scene = scene.copy()
    idle_scene.obstacles.clear()
    simulation, idle = Simulation(scene, threads=1), Simulation(idle_scene, threads=1)
    rows: list[dict[str, Any]] = []
    for _ in range(REPEATS):
        simulation.reset()
        ground, steps = 0.0, 0
        wall, spent = perf_counter(), process_time()
        while simulation.time < seconds:
            ground += simulation.step().seconds["ground"]
            steps += 1
        wall, spent = perf_counter() - wall, process_time() - spent
        begin = process_time()
        for _ in range(steps):
            idle.step()
        empty = process_time() - begin
        rows.append(
            {
                "run": f"{len(rows) + 1}",
                "times real time": seconds / wall,
                "µs per step": 1e6 * wall / steps,
                "processor µs": 1e6 * spent / steps,
                "digging and sliding µs": 1e6 * ground / steps,
                "step without tool µs": 1e6 * empty / steps,
            }
        )
    return rows
