"""Whatever the solver did, no centre ends beyond a wall."""

from __future__ import annotations

import numpy as np
import pytest
from made_walls import DT, Grains, obstacle, poses, sheet_mesh, table_of

from windrow.collide.holding import hold_at_walls
from windrow.collide.walls import WallContacts, find_walls
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.motion import Linear, Spin
from windrow.scene.shapes import Box, HeightField, Mesh, Revolution, Sphere

MOTIONS = {
    "at rest": None,
    "turning": Spin(axis=(1, 0.3, 0.2), rate=8.0),
    "fast": Linear(velocity=(3, -8, 5)),
}


def crystal() -> Mesh:
    """A closed star of spikes around a small core: concave everywhere, and thin."""
    golden = (1 + 5**0.5) / 2
    corners = []
    for a, b in ((1, golden), (1, -golden), (-1, golden), (-1, -golden)):
        corners += [(0, a, b), (a, b, 0), (b, 0, a)]
    core = np.array(corners) / np.sqrt(1 + golden**2)
    distance = np.linalg.norm(core[:, None] - core[None], axis=2)
    edge = distance[distance > 0.1].min() * 1.01
    faces, vertices = [], [*(0.15 * core)]
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                if max(distance[i, j], distance[j, k], distance[i, k]) < edge:
                    a, b, c = (i, j, k) if np.linalg.det(core[[i, j, k]]) > 0 else (i, k, j)
                    tip = len(vertices)
                    vertices.append(core[[i, j, k]].mean(axis=0) * 0.7)
                    faces += [[a, b, tip], [b, c, tip], [c, a, tip]]
    return Mesh(vertices=np.array(vertices), faces=np.array(faces))


def jagged_ground() -> HeightField:
    return HeightField(size=(4, 4), heights=np.random.default_rng(1).uniform(-0.2, 0.2, (31, 31)))


@pytest.mark.parametrize("hardness", [1.0, 0.3, 0.0], ids=["hard", "soft", "no solver"])
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("shape", [crystal(), jagged_ground()], ids=["crystal", "jagged ground"])
def test_fast_grains_never_get_inside(shape, motion, hardness):
    walls = [obstacle(shape, motion=MOTIONS[motion])]
    table = table_of(walls)
    random = np.random.default_rng(2)
    position = random.uniform(-1, 1, (300, 3)) + (
        np.array([0, 0, 1.3]) if shape.kind == "height_field" else 0
    )
    position = position[distance_to_obstacles(table, poses(walls, 0.0), position)[0] > 0.05]
    radius = 10 ** random.uniform(-2.5, -1.4, len(position))
    grains = Grains(position, 0.0, radius)
    met = 0
    for k in range(5):
        aim = random.uniform(-0.4, 0.4, position.shape) - grains.position
        grains.velocity = 20.0 * aim / np.linalg.norm(aim, axis=1, keepdims=True)
        grains.step(walls, table, time=k * DT, hardness=hardness, hold=True)
        met += grains.contacts.count(len(position))
        d, _ = distance_to_obstacles(table, poses(walls, (k + 1) * DT), grains.position)
        inside = np.abs(grains.position - walls[0].position).max(axis=1) < 1.9
        assert (d[inside] > -1e-5).all()
    assert met > 100


def test_a_grain_pushed_through_a_sheet_goes_back_and_the_sheet_feels_it():
    walls = [obstacle(sheet_mesh(1.0))]
    table = table_of(walls)
    X = np.array([[0, 0, 0.02, 0.02], [0.3, 0, 0.5, 0.02]], np.float32)
    P = np.zeros((2, 8), np.float32)
    P[:, :4] = X
    contacts = WallContacts(2)
    where = poses(walls, 0.0)
    find_walls(X, P, np.zeros(2, np.int32), 2, table, where, where, 0.001, 1, contacts)
    P[0, :3] = (0.1, 0, -0.05)  # as if neighbours had pushed it
    P[0, 4:7] = P[0, :3] - X[0, :3]
    assert hold_at_walls(X, P, 2, contacts) == 1
    np.testing.assert_allclose(P[0, :3], [0.1, 0, 0.002], atol=1e-6)
    np.testing.assert_allclose(P[0, 4:7], P[0, :3] - X[0, :3], atol=1e-6)
    np.testing.assert_allclose(contacts.push[contacts.start[0], :3], [0, 0, 0.052], atol=1e-6)
    np.testing.assert_array_equal(P[1, :3], X[1, :3])


@pytest.mark.parametrize(
    "shape", [Box(size=(1, 1, 0.01)), Sphere(radius=0.1), Revolution(profile=[(0, 0), (1, 0)])]
)
def test_grains_that_did_not_cross_are_left_alone(shape):
    walls = [obstacle(shape)]
    table = table_of(walls)
    random = np.random.default_rng(3)
    position = random.uniform(-0.3, 0.3, (200, 3))
    position = position[distance_to_obstacles(table, poses(walls, 0.0), position)[0] > 0.02]
    grains = Grains(position, random.normal(0, 0.2, position.shape), 0.03)
    P = grains.find(walls, table)
    d = distance_to_obstacles(table, poses(walls, 0.0), P[:, :3])[0]
    P = P[: len(position)]
    before = P.copy()
    assert hold_at_walls(grains.X, P, len(position), grains.contacts) == 0
    np.testing.assert_array_equal(P, before)
    assert (d > 0).all()


def test_without_walls_there_is_nothing_to_hold():
    assert hold_at_walls(np.zeros((1, 4), np.float32), np.zeros((1, 8), np.float32), 1, WallContacts(1)) == 0
