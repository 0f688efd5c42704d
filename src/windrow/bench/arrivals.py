"""What it costs that grains arrive in a bed at rest."""

from __future__ import annotations

from time import thread_time
from typing import Any

import numpy as np

from windrow.scene import NDEM, Box, Scene
from windrow.sim.simulation import Simulation

RADIUS = 0.05
"""m"""
ARRIVE = 100
"""Grains that come within one step."""
SETTLE, TIMED, AGAIN = 120, 20, 90
"""Steps: until the first arrival, of which the usual step is taken, and until they arrive again: the first time also
loads the code for it."""


def bed_with_arrivals(grains: int) -> Scene:
    """About so many grains in a box, which more fall into after they have settled."""
    side = 2.0 * RADIUS * round(float(np.sqrt(grains / 26.0)))
    depth = 46 * RADIUS
    scene = Scene(gravity=(0.0, 0.0, -9.81))
    scene.add_material("sand", density=1600.0, friction_static=0.6, friction_kinetic=0.5, stiffness=1e5, damping=150.0)
    scene.add_open_box((0, 0, 0), (side, side, depth + 3.0), "sand")
    scene.add_block((0, 0, 0), (side, side, depth), RADIUS, "sand", packing="hexagonal")
    for steps in (SETTLE, SETTLE + AGAIN):
        scene.add_emitter(
            Box(size=(0.9 * side, 0.9 * side, 1.0)),
            RADIUS,
            "sand",
            position=(0.5 * side, 0.5 * side, depth + 1.0),
            rate=100.0 * ARRIVE,
            count=ARRIVE,
            start=steps / 60,
        )
    return scene


def arrival_rows(sizes: tuple[int, ...] = (20_000, 100_000)) -> list[dict[str, Any]]:
    """Processor time of the step in which grains arrive for the second time beside that of the steps before, on one
    thread."""
    rows = []
    for grains in sizes:
        simulation = Simulation(bed_with_arrivals(grains), solver=NDEM(sleep_speed=0.0), threads=1)
        before, spent = len(simulation.particles), [0.0]
        while len(simulation.particles) < before + 2 * ARRIVE:
            begin = thread_time()
            report = simulation.step()
            spent.append(thread_time() - begin)
        quiet = float(np.median(spent[-1 - TIMED : -1]))
        rows.append(
            {
                "grains": before + ARRIVE,
                "arrive": report.emitted,
                "step before, ms": 1e3 * quiet,
                "step of the arrival, ms": 1e3 * spent[-1],
                "added, of a step": spent[-1] / quiet - 1.0,
                "searches": report.notes["searches"],
            }
        )
    return rows
