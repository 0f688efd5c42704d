"""Ground that is dug: time per step over the passes of a blade and of a bucket, and of an excavator that loads a truck,
and what the exchange takes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from windrow.bench.steps import FRAME, Steps, draw
from windrow.machines.digging import DigOperator, loading_cycles
from windrow.scene.files import load_scene
from windrow.sim.simulation import Simulation

EVERY = 6
"""Steps before the clock runs: an exchange and what follows it."""
PASSES = (("dig_bucket", None, 8.0), ("dig_bucket", 0.028, 8.0), ("dig_blade", None, 7.0))
"""Scene, mean radius of the grains (m; none: its own), and seconds of it."""


def pass_rows(threads: int, folder: Path | None = None) -> list[dict[str, Any]]:
    """A row for each pass, and one for the site; folder: where each step is told, and drawn."""
    found = [*(_pass_row(name, radius, seconds, threads) for name, radius, seconds in PASSES), _site_row(threads)]
    if folder is not None:
        for row, steps in found:
            title = row["pass"].replace(" ", "_").replace(",", "").replace(".", "_")
            steps.write(folder / f"{title}_{threads}.csv")
        draw({row["pass"]: steps for row, steps in found}, folder / f"digging_{threads}.png")
    return [row for row, _ in found]


def _site_row(threads: int) -> tuple[dict[str, Any], Steps]:
    """One cycle of the excavator that loads a truck."""
    operator = DigOperator(loading_cycles(1))

    def work(simulation: Simulation) -> bool:
        operator.act(simulation, simulation.solver.dt)
        return not operator.finished

    return _row("excavator, one cycle", Simulation(load_scene("excavator"), threads=threads), work)


def _pass_row(
    name: str, radius: float | None, seconds: float, threads: int
) -> tuple[dict[str, Any], Steps]:
    scene = load_scene(name)
    assert scene.terrain is not None
    if radius is not None:
        scene.terrain.grain_radius, scene.terrain.most_grains = radius, 40_000
    title = name if radius is None else f"{name}, {100 * radius:g} cm"
    return _row(title, Simulation(scene, threads=threads), lambda simulation: simulation.time < seconds)


def _row(
    title: str, simulation: Simulation, goes_on: Callable[[Simulation], bool]
) -> tuple[dict[str, Any], Steps]:
    simulation.run(seconds=EVERY * simulation.solver.dt)
    steps, exchanges, zones = Steps(simulation), [], []
    while goes_on(simulation):
        report = steps.step()
        if "dug" in report.notes:
            exchanges.append(1e3 * report.seconds["digging"])
            zones.append(report.notes["dig_margin"])
    grains = steps.column("grains")
    row = {
        "pass": title,
        "threads": simulation.threads,
        "grains, mean": float(np.mean(grains)),
        "grains, most": int(max(grains)),
        "real time, ms": FRAME,
        **steps.spread(),
        "step processor ms, mean": float(np.mean(steps.column("step processor ms"))),
        "step processor ms, 99 %": float(np.quantile(steps.column("step processor ms"), 0.99)),
        "exchange ms, median": float(np.median(exchanges)),
        "exchange ms, 90 %": float(np.quantile(exchanges, 0.9)),
        "zones made smaller, %": 100.0 * float(np.mean(np.array(zones) > 0)),
        "mass error": float(steps.column("mass error").max()),
    }
    return row, steps
