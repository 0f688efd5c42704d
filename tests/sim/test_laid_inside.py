"""Grains that are laid into ground: those in an obstacle are found, though most are never measured."""

from __future__ import annotations

import numpy as np

import windrow as wr
from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import shape_table
from windrow.scene.motion import pose_at
from windrow.scene.shapes import Box, Capsule, Cylinder, Plane, Sphere
from windrow.sim.digging.inside import find_inside
from windrow.terrain.bricks import laid_room


def test_grains_in_obstacles_are_those_of_the_plain_measure() -> None:
    rng = np.random.default_rng(1)
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0)
    for shape in (Box(size=(0.6, 0.2, 0.4)), Sphere(radius=0.3), Capsule(radius=0.1, height=0.5)):
        for _ in range(4):
            place = tuple(rng.uniform(-2.0, 2.0, 3))
            scene.add_obstacle(shape, "steel", position=place, rotation_deg=(30.0, 50.0, 10.0))
    scene.add_obstacle(Plane(normal=(0.0, 0.0, 1.0), offset=-1.8), "steel")
    solid = shape_table(scene.obstacles, {"steel": 0}, ".")
    scene.add_obstacle(Cylinder(radius=2.2, height=4.0), "steel", inside=True)
    whole = shape_table(scene.obstacles, {"steel": 0}, ".")
    laid, many = laid_room(3000), 3000
    laid.X[:, :3], laid.X[:, 3] = rng.uniform(-2.5, 2.5, (many, 3)), rng.uniform(0.03, 0.06, many)
    placed = [pose_at(obstacle, 0.0) for obstacle in scene.obstacles]
    poses = np.array([np.append(rotation.ravel(), position) for position, rotation in placed])
    hit = np.zeros(many, np.uint8)
    for tables in ([solid], [whole], [solid, whole]):
        find_inside(laid, many, [(table, poses) for table in tables], 0.01, hit)
        nearest = np.min([distance_to_obstacles(table, poses, laid.X[:, :3])[0] for table in tables], axis=0)
        wanted = nearest < laid.X[:, 3] - 0.01
        assert 50 < wanted.sum() < many
        np.testing.assert_array_equal(hit != 0, wanted)
    find_inside(laid, 0, [(whole, poses)], 0.01, hit)
