"""Ground that is dug: time per step over the passes of a blade and of a bucket, and of an excavator that loads a truck,
and what the exchange takes of it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np

from windrow.machines.digging import DigOperator, loading_cycles
from windrow.scene.files import load_scene
from windrow.sim.simulation import Simulation

EVERY = 6
"""Steps before the clock runs: an exchange and what follows it."""
FRAME = 1e3 / 60
"""ms that a step may take in real time"""
PASSES = (("dig_bucket", None, 8.0), ("dig_bucket", 0.028, 8.0), ("dig_blade", None, 7.0))
"""Scene, mean radius of the grains (m; none: its own), and seconds of it."""


def pass_rows(threads: int) -> list[dict[str, Any]]:
    """A row for each pass, and one for the site."""
    return [*(_pass_row(name, radius, seconds, threads) for name, radius, seconds in PASSES), _site_row(threads)]


def _site_row(threads: int) -> dict[str, Any]:
    """One cycle of the excavator that loads a truck."""
    operator = DigOperator(loading_cycles(1))

    def work(simulation: Simulation) -> bool:
        operator.act(simulation, simulation.solver.dt)
        return not operator.finished

    return _row("excavator, one cycle", Simulation(load_scene("excavator"), threads=threads), work)


def _pass_row(name: str, radius: float | None, seconds: float, threads: int) -> dict[str, Any]:
    scene = load_scene(name)
    assert scene.terrain is not None
    if radius is not None:
        scene.terrain.grain_radius, scene.terrain.most_grains = radius, 40_000
    title = name if radius is None else f"{name}, {100 * radius:g} cm"
    return _row(title, Simulation(scene, threads=threads), lambda simulation: simulation.time < seconds)


def _row(title: str, simulation: Simulation, goes_on: Callable[[Simulation], bool]) -> dict[str, Any]:
    threads = simulation.threads
    simulation.run(seconds=EVERY * simulation.solver.dt)
    steps, exchanges, grains, worst = [], [], [], 0.0
    processor = process_time()
    while goes_on(simulation):
        begin = perf_counter()
        report = simulation.step()
        steps.append(1e3 * (perf_counter() - begin))
        grains.append(report.particles)
        worst = max(worst, abs(report.ledger["mass_error"]))
        if "dug" in report.notes:
            exchanges.append(1e3 * report.seconds["digging"])
    return {
        "pass": title,
        "threads": threads,
        "grains, mean": float(np.mean(grains)),
        "grains, most": int(max(grains)),
        "step ms, median": float(np.median(steps)),
        "step ms, 99 %": float(np.quantile(steps, 0.99)),
        "of": FRAME,
        "processor ms, mean": 1e3 * (process_time() - processor) / len(steps),
        "exchange ms, median": float(np.median(exchanges)),
        "exchange ms, 90 %": float(np.quantile(exchanges, 0.9)),
        "mass error": worst,
    }
