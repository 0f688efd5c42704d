"""Hulls over hills: the contacts found are those of every corner that is near enough, and no others."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.fixed_math import rotate
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.shapes import Box, Cylinder
from windrow.solvers.multibody.contacts import FEATURES


@pytest.mark.parametrize("seed", range(3))
def test_corners_near_the_ground_touch_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = wr.Scene(gravity=(0.0, 0.0, 0.0))
    scene.add_material("steel", density=7800.0, friction_static=0.5)
    scene.add_terrain(
        size=(12.8, 9.6), cell=0.1, soil="loam", compaction=False, avalanche=False,
        height=lambda x, y: 0.6 * np.sin(2.0 * x) * np.cos(3.0 * y) + 0.3 * (x > 2.0),
    )  # fmt: skip
    for k in range(30):
        shape = Box(size=tuple(rng.uniform(0.2, 1.5, 3))) if k % 2 else Cylinder(radius=0.4, height=0.3)
        place = (*rng.uniform(-6.6, 6.6, 1), *rng.uniform(-5.0, 5.0, 1), rng.uniform(-0.8, 1.6))
        scene.add_body(f"b{k}", "steel", shapes=[shape], position=place, rotation_deg=tuple(rng.uniform(-180, 180, 3)))
    simulation = wr.Simulation(scene, threads=1)
    bodies = simulation.bodies
    assert bodies is not None
    bodies._find(0.01)
    parts, motion, contacts = bodies.parts, bodies.motion, bodies.contacts
    field = int(np.flatnonzero(parts.kind == 4)[0])
    keys = contacts.key[: int(contacts.found[0])]
    keys = keys[keys // FEATURES % FEATURES == field]
    found = {(int(k // FEATURES // FEATURES), int(k % FEATURES) // 4) for k in keys}
    poses = np.zeros((1, 12))
    poses[0, [0, 4, 8]] = 1.0
    wanted = set()
    for part in np.flatnonzero(parts.kind == 2).tolist():
        body = int(parts.body[part])
        corners = parts.corner[parts.corner_start[part] : parts.corner_start[part + 1]]
        places = motion.x[body] + rotate(motion.R[body], corners)
        distance, _ = distance_to_obstacles(bodies._fields, poses, places)
        wanted |= {(part, k) for k in np.flatnonzero(distance < bodies.settings.margin).tolist()}
    assert len(wanted) > 50
    assert found == wanted
