"""Yards to work in: heaps and beds of rocks made of balls, with a loader before them."""

from __future__ import annotations

import numpy as np

from windrow.fixed_math import random_directions
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
