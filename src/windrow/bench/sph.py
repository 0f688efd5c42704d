"""Speed of granular SPH: a pile of 45,000 particles, by phase and threads, and per particle and iteration."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.scene.settings import SPH
from windrow.sim.simulation import Simulation
from windrow.validate.sph_scenes import cone

FRAME = 0.02
"""s, of the paper's films"""
STEPS = 5


def pile(particles: int, threads: int, settings: SPH | None = None) -> Simulation:
    """A cone at 40° of sand of 45°, which stands."""
    radius = 1.0
    d = radius * (np.pi * 0.84 / 3.0 / particles) ** (1.0 / 3.0)
    scene = cone(45.0, 40.0, d, radius=radius).scene
    return Simulation(scene, solver=settings or SPH(dt=FRAME, substeps=20), threads=threads)


def pile_rows(threads: tuple[int, ...], particles: int = 45_000) -> list[dict[str, Any]]:
    """A frame of 20 substeps of 1 ms with three iterations each, as the paper's piles: best of each phase."""
    rows = []
    for many in threads:
        simulation = pile(particles, many)
        reports = [simulation.step() for _ in range(STEPS)]
        phases = {name: min(r.seconds[name] for r in reports[1:]) for name in reports[-1].seconds}
        count, best = simulation.state.count, min(r.wall for r in reports[1:])
        row: dict[str, Any] = {"particles": count, "threads": many}
        row |= {f"{phase} ms": 1e3 * seconds for phase, seconds in phases.items()}
        row["frame of 0.02 s, s"] = best
        row["paper, 12 cores, s"] = 1.6
        row["ns per particle and substep"] = 1e9 * best / count / 20
        row["solve: ns per particle and iteration"] = 1e9 * phases["solve"] / count / 20 / 3
        row["pairs per particle"] = 2.0 * reports[-1].contacts / count
        rows.append(row)
    return rows
