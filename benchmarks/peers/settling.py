"""Scene S*(N), the one scene every peer runs.

N equal spheres (radius 0.05 m, 1600 kg/m³) on a loose cubic lattice (spacing 2.2 radii, jitter 0.05 radii) twice
as tall as wide, each with a random velocity of up to ±1 m/s per axis, fall and settle in an open square box
for 2 s. Contact stiffness 1e5 N/m, restitution about 0.5, friction 0.5.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

RADIUS = 0.05
DENSITY = 1600.0
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
STIFFNESS = 1e5
FRICTION = 0.5
FRICTION_OF_SAME_BULK = 0.15
"""with which grains that do not rotate lie as densely, and touch as many others, as rotating ones with FRICTION"""
RESTITUTION = 0.5
SECONDS = 2.0
SETTLED = 1 / 3
"""the last third of a second, s, over which the settled cost is taken"""


def start(count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, float]:
    """Positions and velocities (count, 3), and the width of the box, centred in x and y."""
    side = math.ceil((count / 2) ** (1 / 3) - 1e-9)
    spacing = 2.2 * RADIUS
    width = side * spacing
    n = np.arange(count)
    cell = np.stack([n % side, n // side % side, n // side**2], axis=1)
    random = np.random.default_rng(seed)
    position = (cell + 0.5) * spacing - [width / 2, width / 2, 0.0]
    position += random.uniform(-0.05, 0.05, position.shape) * RADIUS
    return position, random.uniform(-1.0, 1.0, position.shape), width


def damping() -> float:
    """Dashpot of a contact of two spheres, N s/m, for the restitution above."""
    log = math.log(RESTITUTION)
    return 2.0 * -log / math.hypot(math.pi, log) * math.sqrt(STIFFNESS * MASS / 2)


def touching(position: np.ndarray) -> np.ndarray:
    """(pairs, 2) grains that overlap; by cells as wide as a grain, in plain NumPy, for peers' environments."""
    cell = np.floor((position - position.min(axis=0)) / (2 * RADIUS)).astype(np.int64) + 1
    strides = np.array([1, *np.cumprod(cell.max(axis=0) + 2)[:2]])
    number = cell @ strides
    order = np.argsort(number, kind="stable")
    there = number[order]
    found = []
    for shift in np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]) @ strides:
        first, last = (np.searchsorted(there, number + shift, side) for side in ("left", "right"))
        many = last - first
        i = np.repeat(np.arange(len(position)), many)
        j = order[np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + np.repeat(first, many)]
        near = ((position[i] - position[j]) ** 2).sum(axis=1) < (2 * RADIUS) ** 2
        found.append(np.stack([i, j], axis=1)[near & (i < j)])
    return np.concatenate(found)


def state_figures(position: np.ndarray, velocity: np.ndarray) -> dict[str, float]:
    """Overlaps relative to the radius, contacts per grain, mean height (m), residual motion and its energy (J)."""
    pairs = touching(position)
    gap = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1)
    overlap = (2 * RADIUS - gap) / RADIUS if len(pairs) else np.zeros(1)
    return {
        "overlap_mean": float(overlap.mean()),
        "overlap_max": float(overlap.max()),
        "contacts_per_grain": 2 * len(pairs) / len(position),
        "v_rms": float(np.sqrt((velocity**2).sum(1).mean())),
        "height_mean": float(position[:, 2].mean()),
        "kinetic_energy": float(0.5 * MASS * (velocity**2).sum()),
    }


def parts(dt: float) -> tuple[int, int]:
    """Steps until the settled part begins, and steps of that part."""
    late = round(SETTLED / dt)
    return round(SECONDS / dt) - late, late


def per_second(early: float, late: float) -> dict[str, float]:
    """Wall seconds per simulated second, of the whole run and settled, from the wall seconds of both parts."""
    return {"wall_per_second": (early + late) / SECONDS, "settled_per_second": late / SETTLED}


def timed(advance: Callable[[int], object], dt: float) -> dict[str, float]:
    """Runs the scene by `advance(steps)`, and what it took."""
    walls = []
    for steps in parts(dt):
        begin = perf_counter()
        advance(steps)
        walls.append(perf_counter() - begin)
    return per_second(*walls)


def over_starts(run: Callable[[int], dict[str, float]], starts: int) -> dict[str, list[float]]:
    """Figures of the runs from the starts 1, 2, …: how much they owe to chance."""
    every = [run(seed) for seed in range(1, starts + 1)]
    return {name: [figures[name] for figures in every] for name in every[0]}


def write(result: str, position: np.ndarray, velocity: np.ndarray, times: dict[str, float]) -> None:
    """The figures of a run as the JSON that `compare.py` reads."""
    Path(result).write_text(json.dumps(state_figures(position, velocity) | times), encoding="utf-8")
