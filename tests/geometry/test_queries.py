"""Questions from plain Python: overlap with obstacles, regions, and triangles to look at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_shapes import SOLIDS, bumpy_ground, distances, hourglass, sampled_ball, table_of

from windrow.errors import SceneError
from windrow.geometry.mesh import CheckedMesh
from windrow.geometry.query import distance_to_obstacles, inside_region
from windrow.geometry.surface import triangles
from windrow.geometry.table import shape_table
from windrow.scene.motion import rotation_matrix
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import Box, Capsule, Cylinder, Plane, Revolution, Sphere


def test_the_nearest_obstacle_in_the_world():
    obstacles = [
        Obstacle(shape=Plane(), material="m"),
        Obstacle(shape=Box(size=(1, 1, 1)), position=(3, 0, 2), rotation_deg=(0, 0, 45), material="m"),
        Obstacle(shape=Sphere(radius=10), inside=True, material="m"),
    ]
    table = shape_table(obstacles, {"m": 0}, ".")
    poses = np.zeros((3, 12))
    poses[:, :9] = np.eye(3).ravel()
    poses[1, :9] = rotation_matrix(np.deg2rad([0, 0, 45])).ravel()
    poses[1, 9:] = (3, 0, 2)
    points = [[0, 0, 1], [3, 0, 2.1], [3 + np.sqrt(0.5) + 0.2, 0, 2], [0, 0, 9.5], [0, 0, -0.25]]
    distance, which = distance_to_obstacles(table, poses, points)
    np.testing.assert_allclose(distance, [1, -0.4, 0.2, 0.5, -0.25], atol=1e-6)
    assert which.tolist() == [0, 1, 1, 2, 0]


def test_without_obstacles_everything_is_far():
    distance, which = distance_to_obstacles(shape_table([], {}, "."), np.zeros((0, 12)), np.zeros((2, 3)))
    assert np.isinf(distance).all()
    assert (which == -1).all()


def test_an_unknown_material_is_named_with_the_nearest():
    with pytest.raises(SceneError, match=r"stel.*Did you mean 'steel'"):
        shape_table([Obstacle(shape=Plane(), material="stel")], {"steel": 0, "sand": 1}, ".")


@settings(max_examples=50, deadline=None)
@given(
    p=st.tuples(*[st.floats(-2, 2)] * 3),
    turn=st.tuples(*[st.floats(-180, 180)] * 3),
    shape=st.sampled_from([Box(size=(1, 2, 0.5)), Sphere(radius=0.8), Cylinder(radius=0.5, height=1.5)]),
)
def test_a_point_is_in_a_region_where_its_distance_is_negative(p, turn, shape):
    position, rotation = np.array([0.3, -0.2, 0.1]), rotation_matrix(np.deg2rad(turn))
    d = distances(table_of(shape), [rotation.T @ (np.array(p) - position)])[0, 0]
    if abs(d) > 1e-6:
        assert inside_region(shape, position, rotation, [p])[0] == (d < 0)


@pytest.mark.parametrize(
    "name", [n for n in SOLIDS if n != "plane"] + ["samples", "thick shell", "closed shell"]
)
def test_triangles_of_a_solid_are_closed_face_out_and_lie_on_it(name):
    shapes = {
        **SOLIDS,
        "samples": sampled_ball(),
        "thick shell": hourglass(0.05),
        "closed shell": Revolution(profile=[(0.5, 0), (1, 0), (1, 1)], closed=True, thickness=0.1),
    }
    vertices, faces = triangles(Obstacle(shape=shapes[name], material="m"), ".", 1.0)
    assert faces.dtype == np.int32
    assert vertices.dtype == np.float64
    surface = CheckedMesh(name, vertices, faces.astype(np.int64))
    assert surface.open_edges == 0
    assert surface.turned_edges == 0
    assert surface.volume > 0
    if "shell" not in name:
        tolerance = 2e-3 if name == "samples" else 1e-6
        assert np.abs(distances(table_of(shapes[name]), vertices)[:, 0]).max() < tolerance


@pytest.mark.parametrize("shape", [bumpy_ground(), hourglass()])
def test_triangles_of_open_surfaces_lie_on_them(shape):
    vertices, faces = triangles(Obstacle(shape=shape, material="m"), ".", 1.0)
    assert np.abs(distances(table_of(shape), vertices[faces].mean(axis=1))[:, 0]).max() < 2e-3


def test_a_plane_is_shown_as_a_square_that_faces_the_grains():
    vertices, faces = triangles(Obstacle(shape=Plane(normal=(0, 3, 4), offset=2.0), material="m"), ".", 5.0)
    np.testing.assert_allclose(vertices @ [0, 0.6, 0.8], 2.0)
    assert np.ptp(vertices, axis=0).max() == pytest.approx(10.0)
    a, b, c = vertices[faces[0]]
    assert np.cross(b - a, c - a) @ [0, 0.6, 0.8] > 0


def test_a_capsule_is_as_long_as_it_says():
    vertices, _ = triangles(Obstacle(shape=Capsule(radius=0.2, height=1.0), material="m"), ".", 1.0)
    assert np.ptp(vertices[:, 2]) == pytest.approx(1.4)
