"""Piles of rocks made of balls."""

from __future__ import annotations

import numpy as np

from windrow.scene import Merging, Multibody, Scene
from windrow.validate.multibody_scenes import rock


def rock_pile(count: int, width: int = 6, seed: int = 0, merging: bool = False, **settings: object) -> Scene:
    """Rocks above the ground in layers of width², about to fall into a heap."""
    scene = Scene(multibody=Multibody(merging=Merging() if merging else None, **settings))
    scene.add_material("rock", density=2600, friction_static=0.5)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="ground")
    rng = np.random.default_rng(seed)
    for k in range(count):
        place = np.array(
            [k % width - 0.5 * (width - 1), k // width % width - 0.5 * (width - 1), k // width**2]
        )
        place = 0.75 * place + [*rng.uniform(-0.05, 0.05, 2), 0.5]
        scene.add_body(
            f"rock {k}", "rock", shapes=[rock(rng)], position=place, rotation_deg=rng.uniform(-180, 180, 3)
        )
    return scene
