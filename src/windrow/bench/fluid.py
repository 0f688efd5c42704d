"""Speed of the constraint fluid: a dam break of 10,000 particles, a thin slab, and both methods by iterations."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np

from windrow.scene.settings import Fluid
from windrow.sim.simulation import Simulation
from windrow.validate.fluid_scenes import basin, block

STEP = 0.01
"""s"""
BEGUN, STEPS = 20, 40
"""steps before the clock runs, and while it does"""


def dam_break(settings: Fluid, threads: int, large: bool = True) -> Simulation:
    """Particles of 5 cm, 20 × 25 × 20 of them that run into a tank of 3 m; or 4 cm, 10 × 6 × 20 of them."""
    d, many, length = (0.05, (20, 25, 20), 3.0) if large else (0.04, (10, 6, 20), 2.0)
    size = (many[0] * d, many[1] * d, many[2] * d)
    return Simulation(basin(length, size[1], block(size, d), d, settings=settings), threads=threads)


def slab(threads: int) -> Simulation:
    """1,235 particles one layer thick, 65 wide and 19 high: the size of Lacoursière's and Servin's slab."""
    d = 0.02
    return Simulation(basin(65 * d, d, block((65 * d, d, 19 * d), d), d, settings=Fluid(dt=STEP)), threads=threads)


def timed(simulation: Simulation) -> dict[str, Any]:
    """Means over steps of 10 ms, after the first."""
    for _ in range(BEGUN):
        simulation.step()
    begin = process_time()
    reports = [simulation.step() for _ in range(STEPS)]
    used = process_time() - begin
    count = simulation.state.count
    row: dict[str, Any] = {"particles": count, "threads": simulation.threads}
    row |= {f"{p} ms": 1e3 * float(np.median([r.seconds[p] for r in reports])) for p in reports[-1].seconds}
    row["step ms"] = 1e3 * float(np.median([r.wall for r in reports]))
    row["substeps"] = float(np.mean([r.notes["substeps"] for r in reports]))
    row["sweeps"] = float(np.mean([r.notes["sweeps"] for r in reports]))
    row["density error %"] = 100 * float(np.mean([r.notes["density_error"] for r in reports]))
    row["processor µs per particle and step"] = 1e6 * used / STEPS / count
    row["real time"] = 1e3 * STEP / row["step ms"]
    return row


def water_rows(threads: tuple[int, ...]) -> list[dict[str, Any]]:
    """10,000 particles in three dimensions, and the slab on one thread."""
    rows = [timed(dam_break(Fluid(dt=STEP), many)) | {"scene": "dam break"} for many in threads]
    return [*rows, timed(slab(1)) | {"scene": "slab"}]


def iteration_rows(most: tuple[int, ...] = (1, 2, 3, 5, 8, 12, 20, 40)) -> list[dict[str, Any]]:
    """Mean density error of a small dam break by the iterations of each substep, for both methods."""
    rows = []
    for method in ("gauss_seidel", "conjugate_gradient"):
        for many in most:
            settings = Fluid(dt=STEP, method=method, iterations=many, tolerance=0.0)
            simulation = dam_break(settings, 1, large=False)
            errors = [simulation.step().notes["density_error"] for _ in range(50)]
            rows.append({"method": method, "iterations": many, "density error %": 100 * float(np.mean(errors))})
    return rows
