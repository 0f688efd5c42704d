"""Scenes of ground that is dug: blades and plates in ground that turns into grains, and in deep beds of grains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from windrow.scene import Scene
from windrow.sim.simulation import Simulation

RADIUS, CELL = 0.04, 0.1
"""m"""
SHIFTS = ((0.0, 0.0), (0.31, 0.17), (0.57, 0.41))
"""m: tools at other places meet other grains of the brick, the same ones in ground as in a bed"""
DEEP = 0.55
"""m of grains below the edge of a blade in a bed"""
DEPTH, WIDTH, WAY, SPEED = 0.2, 1.0, 1.0, 0.4
"""Of a blade: m, m, m, m/s"""
WINDOW = (0.25, 1.0)
"""m of its way over which forces are means"""
PLATE, PUSHED, PUSH_SPEED, PUSH_WINDOW = 0.4, 0.16, 0.2, (0.06, 0.16)
"""Edge of a plate, way down, m; m/s; m of its way over which forces are means"""


@dataclass(frozen=True)
class Pull:
    """Mean forces on a tool, N."""

    draft: float
    vertical: float
    grains: int
    """free ones, at most"""


def ground(soil: str, size: tuple[float, float], box: Any = None, **fields: Any) -> Scene:
    """Flat ground; all within the box, if there is one, is grains from the start."""
    scene = Scene()
    scene.add_material("steel", density=7850.0, friction_static=0.15)
    given = {} if box is None else {"fidelity": "grains", "grains_box": box}
    scene.add_terrain(size=size, cell=CELL, soil=soil, depth=2.2, most_grains=60_000, **given, **fields)
    return scene


@cache
def blade_pull(soil: str, shift: int, as_bed: bool) -> Pull:
    """An upright blade that cuts, in ground or in a deep bed of grains."""
    dx, dy = SHIFTS[shift]
    x, y, bottom = -1.1 + dx, dy - 0.2, -DEPTH - DEEP
    box = ((x - 0.7, y - 1.3, bottom), (x + WAY + 1.6, y + 1.3, 1.0)) if as_bed else None
    scene = ground(soil, (4.8, 3.8), box)
    scene.add_box(
        (x, y, 0.3 - DEPTH), (0.04, WIDTH, 0.6), "steel", name="tool", digs=True,
        motion={"kind": "linear", "velocity": (SPEED, 0.0, 0.0), "start": 0.3, "stop": 0.3 + WAY / SPEED},
    )  # fmt: skip
    return _mean_forces(Simulation(scene), 0.3, SPEED, WINDOW)


@cache
def plate_push(soil: str, shift: int, as_bed: bool) -> Pull:
    """A flat plate that is pushed straight down into ground, or into a deep bed of grains."""
    dx, dy = SHIFTS[shift]
    x, y = dx - 0.3, dy - 0.2
    box = ((x - 1.1, y - 1.1, -1.3), (x + 1.1, y + 1.1, 1.0)) if as_bed else None
    scene = ground(soil, (3.8, 3.6), box)
    scene.add_box(
        (x, y, 0.1 + 0.25 * RADIUS), (PLATE, PLATE, 0.2), "steel", name="tool", digs=True,
        motion={"kind": "linear", "velocity": (0.0, 0.0, -PUSH_SPEED), "start": 0.3, "stop": 0.3 + PUSHED / PUSH_SPEED},
    )  # fmt: skip
    return _mean_forces(Simulation(scene), 0.3, PUSH_SPEED, PUSH_WINDOW)


def _mean_forces(simulation: Simulation, start: float, speed: float, window: tuple[float, float]) -> Pull:
    forces, most = [], 0
    while simulation.time < start + window[1] / speed:
        simulation.step()
        most = max(most, int(np.count_nonzero(simulation.state.units[: simulation.state.count])))
        if simulation.time > start + window[0] / speed:
            forces.append(simulation.body("tool")[0])
    mean = np.mean(forces, axis=0)
    return Pull(-float(mean[0]), float(mean[2]), most)


@dataclass(frozen=True)
class MeltedHeap:
    """A column that was let go: slopes of the heap (degrees) as grains and as ground, and its turning back."""

    as_grains: float
    as_ground: float
    seconds: float
    """s after which all of it was ground"""
    left: int
    """grains that were not ground then"""


@cache
def heap(soil: str) -> MeltedHeap:
    """A column of soil that collapses as grains and then turns into ground."""
    floor = 0.02
    box = ((-1.5, -1.5, floor), (1.5, 1.5, 2.0))
    scene = ground(
        soil, (4.0, 4.0), box, height=lambda x, y: np.where(x * x + y * y < 0.45 * 0.45, 0.7, 0.0), avalanche=False
    )
    simulation = Simulation(scene)
    simulation.run(seconds=4.0)
    state, n = simulation.state, simulation.state.count
    free = np.flatnonzero(state.units[:n])
    mass, X = state.units[free].astype(np.float64), state.X[free].astype(np.float64)
    as_grains = slope_of(mass, np.hypot(X[:, 0], X[:, 1]), X[:, 2])
    assert simulation._ground is not None
    assert simulation._ground.digging is not None
    simulation._ground.digging.box = None  # from now on grains at rest turn back
    begin = simulation.time
    while simulation.state.count and simulation.time < begin + 5.0:
        simulation.step()
    terrain = simulation.terrain
    height = np.maximum(terrain.height - floor, 0.0)
    far = np.hypot(terrain.x[:, None], terrain.y[None, :])
    as_ground = slope_of(height.ravel(), far.ravel(), 0.5 * height.ravel())
    return MeltedHeap(as_grains, as_ground, simulation.time - begin, simulation.state.count)


def slope_of(mass: Any, far: Any, high: Any) -> float:
    """Slope (degrees) of the cone that has the same mean distance from its axis, and the same height of its middle.

    A cone of height H and radius R has H/4 and R/2.
    """
    weight = mass / mass.sum()
    return float(np.degrees(np.arctan(2.0 * (weight * high).sum() / (weight * far).sum())))
