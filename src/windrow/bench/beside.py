"""How much other programs on the same cores cost a step: a station shares its machine with a browser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from windrow.scene import NDEM, P2, Scene
from windrow.sim.simulation import Simulation
from windrow.team import available_cores

GRAINS = 8_000
SETTLE, TIMED = 200, 1000
"""steps"""
LIMITS = {"median": 2.5, "99th percentile": 5.0}
"""times that of the idle machine"""
WORST = 50.0
"""ms, of any step"""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    command = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]
    try:
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def bed(solver: NDEM | P2, threads: int | None) -> Simulation:
    """Grains that have come to rest in a box."""
    scene = Scene()
    scene.add_material("sand", density=1600.0, friction_static=0.6, friction_kinetic=0.5, stiffness=1e5, damping=150.0)
    scene.add_open_box(lower=(0, 0, 0), upper=(1.0, 1.0, 3.0), material="sand")
    spacing = 0.05
    places = spacing * (np.stack(np.meshgrid(*[np.arange(20)] * 3, indexing="ij"), -1).reshape(-1, 3) + 0.5)
    scene.add_particles(position=places[:GRAINS], radius=0.49 * spacing, material="sand")
    simulation = Simulation(scene, solver=solver, threads=threads)
    for _ in range(SETTLE):
        simulation.step()
    return simulation


def step_times(simulation: Simulation, steps: int) -> np.ndarray:
    """ms"""
    times = []
    for _ in range(steps):
        begin = perf_counter()
        simulation.step()
        times.append(1e3 * (perf_counter() - begin))
    return np.array(times)


def beside_rows(threads: int, steps: int = TIMED) -> list[dict[str, Any]]:
    """Median, 99th percentile and slowest step, alone and beside others; and by how much they grow.

    With so many threads, and with as many as are free.
    """
    rows = []
    solvers = ("NDEM", NDEM(sleep_speed=0.0)), ("P²", P2(sleep_threshold=0.0))
    for (name, solver), given in ((s, t) for s in solvers for t in (threads, None)):
        simulation = bed(solver, given)
        alone = step_times(simulation, steps)
        with busy(available_cores()):
            step_times(simulation, 100)
            beside = step_times(simulation, steps)
        row: dict[str, Any] = {"solver": name, "threads": given or "free ones"}
        for what, share in (("median", 50), ("99th percentile", 99)):
            idle, loaded = (float(np.percentile(times, share)) for times in (alone, beside))
            row |= {f"{what} alone, ms": idle, f"{what} beside, ms": loaded, f"{what} ratio": loaded / idle}
            row[f"{what} limit"] = LIMITS[what]
        row |= {"slowest beside, ms": float(beside.max()), "slowest limit": WORST}
        rows.append(row)
    return rows
