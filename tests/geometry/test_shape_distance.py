"""Distances and normals of every shape, against sampling, formulas and their own gradient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_shapes import (
    SOLIDS,
    bumpy_ground,
    closest_on_triangles,
    distances,
    hourglass,
    sampled_ball,
    table_of,
    winding_number,
)

from windrow.geometry.surface import triangles
from windrow.scene.obstacles import Obstacle

coordinate = st.floats(-2.5, 2.5, allow_nan=False, width=32)
place = st.tuples(coordinate, coordinate, coordinate)
CLOSED = [name for name in SOLIDS if name != "plane"]
ALL = {**SOLIDS, "ground": bumpy_ground(), "shell": hourglass(), "thick shell": hourglass(0.05)}


def corners_of(shape) -> np.ndarray:
    vertices, faces = triangles(Obstacle(shape=shape, material="m"), ".", 5.0)
    return vertices[faces]


@pytest.mark.parametrize("name", CLOSED)
def test_solid_distance_is_that_to_its_triangles_with_the_sign_of_the_winding_number(name):
    points = np.random.default_rng(1).uniform(-2, 2, (150, 3))
    corners = corners_of(SOLIDS[name])
    d = distances(table_of(SOLIDS[name]), points)[:, 0]
    # Shown with 64 corners, a circle lies up to r (1 − cos(π/64)) inside the true one; a ball, twice that.
    tolerance = 1e-6 if name in ("box", "mesh") else 2.2e-3
    assert np.abs(np.abs(d) - closest_on_triangles(points, corners)).max() < tolerance
    sure = np.abs(d) > tolerance
    assert ((winding_number(points, corners) > 0.5) == (d < 0))[sure].all()


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=80, deadline=None)
@given(p=place)
def test_normal_is_the_gradient_and_leads_to_the_surface(name, p):
    table = table_of(ALL[name])
    d, *n = distances(table, [p])[0]
    n = np.array(n)
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-6)
    if name == "ground" and (abs(p[0]) > 1 or abs(p[1]) > 1.5 or d < 0):
        return  # below the ground the distance is the depth under the triangle overhead
    foot = np.array(p) - d * n
    assert abs(distances(table, [foot])[0, 0]) < 1e-6
    if d > 1e-3:
        further = distances(table, [np.array(p) + 1e-4 * -n])[0, 0]
        assert further - d == pytest.approx(-1e-4, abs=1e-7)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=80, deadline=None)
@given(p=place, step=st.tuples(*[st.floats(-0.3, 0.3)] * 3))
def test_distance_changes_no_faster_than_the_point_moves(name, p, step):
    table = table_of(ALL[name])
    q = np.array(p) + step
    dp, dq = distances(table, [p, q])[:, 0]
    if name == "ground" and min(dp, dq) < 0:
        return
    assert abs(dp - dq) <= np.linalg.norm(step) * (1 + 1e-6) + 1e-7


@pytest.mark.parametrize("name", CLOSED)
def test_a_container_is_its_solid_turned_round(name):
    points = np.random.default_rng(2).uniform(-1.5, 1.5, (40, 3))
    solid, container = (distances(table_of(SOLIDS[name], inside), points) for inside in (False, True))
    np.testing.assert_allclose(container, -solid, atol=1e-12)


def test_ground_distance_is_that_to_its_triangles_above_and_signed_by_the_vertical_side():
    shape = bumpy_ground()
    corners = corners_of(shape)
    random = np.random.default_rng(4)
    points = np.column_stack(
        [random.uniform(-1, 1, 200), random.uniform(-1.5, 1.5, 200), random.uniform(-0.6, 1, 200)]
    )
    found = distances(table_of(shape), points)
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    for p, (d, *n) in zip(points, found, strict=True):
        # Height overhead, from the triangle whose shadow holds the point.
        area = np.cross(b - a, c - a)[:, 2]
        u = np.cross(p - a, c - a)[:, 2] / area
        v = np.cross(b - a, p - a)[:, 2] / area
        k = int(np.argmax(np.minimum(np.minimum(u, v), 1 - u - v)))
        height = a[k, 2] + u[k] * (b[k, 2] - a[k, 2]) + v[k] * (c[k, 2] - a[k, 2])
        assert (d < 0) == (p[2] < height)
        if p[2] >= height:
            assert d == pytest.approx(closest_on_triangles([p], corners)[0], abs=1e-6)
        else:
            normal = np.cross(b[k] - a[k], c[k] - a[k])
            np.testing.assert_allclose(n, normal / np.linalg.norm(normal), atol=1e-5)


@pytest.mark.parametrize("thickness", [0.0, 0.08])
def test_shell_distance_is_that_to_its_turned_line(thickness):
    shape = hourglass(thickness)
    points = np.random.default_rng(5).uniform(-1.5, 1.5, (200, 3))
    line = np.asarray(shape.profile)
    t = np.linspace(0, 1, 20001)[:, None]
    fine = np.concatenate([line[k] + t * (line[k + 1] - line[k]) for k in range(len(line) - 1)])
    rho = np.hypot(points[:, 0], points[:, 1])
    expected = [
        np.hypot(r - fine[:, 0], z - fine[:, 1]).min() for r, z in zip(rho, points[:, 2], strict=True)
    ]
    d = distances(table_of(shape), points)[:, 0]
    np.testing.assert_allclose(d, np.array(expected) - 0.5 * thickness, atol=1e-4)


def test_samples_of_a_ball_give_its_distance_and_normal():
    points = np.random.default_rng(6).uniform(-0.95, 0.95, (300, 3))
    length = np.linalg.norm(points, axis=1)
    near = np.abs(length - 0.7) < 0.3
    points, length = points[near], length[near]
    found = distances(table_of(sampled_ball()), points)
    np.testing.assert_allclose(found[:, 0], length - 0.7, atol=1.5e-3)
    assert ((found[:, 1:] * points).sum(axis=1) / length).min() > 0.99


def test_beyond_the_samples_a_point_is_at_least_as_far_as_the_grid():
    points = np.random.default_rng(7).uniform(1.05, 3.0, (100, 3))
    d = distances(table_of(sampled_ball()), points)[:, 0]
    beyond = np.linalg.norm(np.maximum(points - 1.0, 0.0), axis=1)
    assert (d >= beyond).all()
    assert np.abs(d - (np.linalg.norm(points, axis=1) - 0.7)).max() < 0.25


def test_values_that_are_no_distances_still_give_distances_near_the_surface():
    grid = sampled_ball()
    axis = np.linspace(-1.0, 1.0, 41)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    grid.values = 3.0 * (x * x + y * y + z * z - 0.49)
    direction = np.random.default_rng(8).normal(size=(50, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    d = distances(table_of(grid), 0.74 * direction)[:, 0]
    np.testing.assert_allclose(d, 0.04, atol=6e-3)
