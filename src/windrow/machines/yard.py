"""Yards to work in: heaps of rocks and of soil with a loader before them, and a slot that a bulldozer pushes along."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.fixed_math import random_directions, tangent
from windrow.machines.carrying import FROM_HEAP, SIDE
from windrow.machines.dozing import AHEAD
from windrow.scene.bodies import Spheres
from windrow.scene.multibody import Merging, Multibody
from windrow.scene.scene import Scene

SPACING = 1.25
"""of rocks before they fall, in sizes"""


def rock(rng: np.random.Generator, size: float = 0.6) -> Spheres:
    """Four to eight overlapping balls, about `size` (m) across."""
    count = int(rng.integers(4, 9))
    centers = 0.27 * size * rng.uniform(0.7, 1.2, 3) * random_directions(rng, count)
    return Spheres(centers=centers, radii=rng.uniform(0.22, 0.30, count) * size)


def add_rocks(
    scene: Scene,
    count: int,
    columns: tuple[int, int],
    center: tuple[float, float] = (0.0, 0.0),
    size: float = 0.6,
    material: str = "rock",
    seed: int = 0,
) -> list[str]:
    """Rocks in layers of columns[0] × columns[1] above the ground, about to fall; returns their names."""
    rng = np.random.default_rng(seed)
    nx, ny = columns
    names = []
    for k in range(count):
        grid = np.array([k % nx - 0.5 * (nx - 1), k // nx % ny - 0.5 * (ny - 1), k // (nx * ny)])
        place = SPACING * size * grid + [*center, 0.85 * size]
        place[:2] += rng.uniform(-0.08, 0.08, 2) * size
        shape, turn = rock(rng, size), rng.uniform(-180, 180, 3)
        scene.add_body(f"rock {k}", material, shapes=[shape], position=place, rotation_deg=turn)
        names.append(f"rock {k}")
    return names


def rock_yard(
    count: int = 500,
    columns: tuple[int, int] = (8, 9),
    begins: float = 7.0,
    merging: bool = True,
    loader: bool = True,
    seed: int = 0,
    size: float = 0.6,
) -> Scene:
    """A heap of rocks that begins at x = `begins` (m), and a wheel loader at the origin that looks at it."""
    scene = Scene(
        title="A wheel loader before a heap of rocks",
        multibody=Multibody(merging=Merging() if merging else None),
    )
    scene.add_material("rock", density=2600.0, friction_static=0.6, friction_kinetic=0.5)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="ground")
    middle = begins + 0.5 * SPACING * size * columns[0]
    add_rocks(scene, count, columns, (middle, 0.0), size, seed=seed)
    if loader:
        scene.add_machine("wheel_loader")
    return scene


def slot_yard(soil: str = "loam", push: float = 30.0, fidelity: str = "field", cell: float = 0.125) -> Scene:
    """Level ground that ends at a bank of 30°, and a bulldozer with its edge so far (m) before it."""
    beyond, wide, deep = 12.0, 14.0, 2.5
    nx, ny = round((push + beyond + 12.0) / cell), round(wide / cell)
    x = cell * (np.arange(nx) - 0.5 * (nx - 1))
    begin = float(x[0]) + 12.0
    fall = np.maximum(-deep, -np.maximum(x - begin - push, 0.0) * float(tangent(np.deg2rad(30.0))))
    height = np.repeat(fall[:, None], ny, axis=1).astype(np.float32)
    scene = Scene(title=f"A bulldozer pushes {soil.replace('_', ' ')} over a bank")
    more: dict[str, Any] = {} if fidelity == "field" else {"grain_radius": 0.08, "most_grains": 14000}
    scene.add_terrain(cell=cell, height=height, soil=soil, depth=2.0, fidelity=fidelity, **more)
    scene.add_machine("bulldozer", position=(begin - AHEAD - 0.5, 0.0, 0.02))
    return scene


def slot_begin(scene: Scene) -> float:
    """x of the edge before the first cut in a yard of `slot_yard`, m."""
    return scene.machines[0].position[0] + AHEAD + 0.5


def heap_yard(soil: str = "loam", pile: float = 4.0, slope_deg: float = 28.0) -> Scene:
    """A ridge of soil that begins at x = `pile` (m), a wheel loader before it, and a truck at its left."""
    scene = Scene(title=f"A wheel loader loads {soil.replace('_', ' ')} from a heap")
    half = 5.0
    top = half * float(tangent(np.deg2rad(slope_deg)))
    heap = {"center": (pile + half, -3.0), "end": (pile + half, 3.0), "height": top, "slope_deg": slope_deg}
    scene.add_terrain(
        size=(40.0, 32.0), cell=0.125, soil=soil, depth=2.0, fidelity="hybrid", grain_radius=0.08, most_grains=14000,
        heaps=[heap],
    )  # fmt: skip
    scene.add_machine("wheel_loader", position=(pile - 8.0, 0.0, 0.02))
    # Its bed is 3.1 m behind its middle.
    scene.add_machine("tipper", name="truck", position=(pile - FROM_HEAP - 3.1, SIDE, 0.02), heading_deg=180.0)
    return scene
