"""Where spheres and triangles land on the picture, against ray geometry written another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_scenes import camera_at

from windrow.render.camera import PixelRays, light_view, pinhole
from windrow.render.raster import NOTHING, prepare_spheres, prepare_triangles, visible

WIDTH, HEIGHT = 160, 120
NO_TRIANGLES = np.empty((0, 3, 3))
NO_SPHERES = np.empty((0, 3)), np.empty(0)


def seen(view: PixelRays, spheres=NO_SPHERES, triangles=NO_TRIANGLES):
    return visible(view, prepare_spheres(view, *map(np.asarray, spheres)), prepare_triangles(view, triangles))


def rays(view: PixelRays) -> np.ndarray:
    """World directions (height, width, 3) of depth 1 through the middle of each sample."""
    u = (np.arange(view.width) + 0.5 - 0.5 * view.width) / view.focal
    v = (np.arange(view.height) + 0.5 - 0.5 * view.height) / view.focal
    right, down, forward = view.axes
    return u[None, :, None] * right + v[:, None, None] * down + forward


def test_centred_sphere_has_the_centre_and_radius_of_a_pinhole_image():
    distance, radius, angle = 4.0, 0.5, 40.0
    view = pinhole(camera_at((0.0, -distance, 0.0), angle=angle), WIDTH, HEIGHT)
    depth, thing = seen(view, ([[0.0, 0.0, 0.0]], [radius]))
    rows, columns = np.nonzero(thing == 0)
    assert columns.mean() == pytest.approx(0.5 * (WIDTH - 1), abs=0.01)
    assert rows.mean() == pytest.approx(0.5 * (HEIGHT - 1), abs=0.01)
    focal = 0.5 * HEIGHT / np.tan(np.radians(0.5 * angle))
    expected = focal * np.tan(np.arcsin(radius / distance))
    assert np.sqrt(len(rows) / np.pi) == pytest.approx(expected, rel=0.01)
    assert depth.min() == pytest.approx(distance - radius, rel=1e-3)


@settings(max_examples=25, deadline=None)
@example((0.0, 1.125, -1.0), 0.02, (0.01, 0.0, 4.0))
@example((0.0, 0.0, -1.0), 0.02, (0.01, 0.0, 4.0))
@given(
    st.tuples(*[st.floats(-1.2, 1.2)] * 3),
    st.floats(0.02, 0.8),
    st.sampled_from([(0.0, -3.0, 1.0), (2.0, 2.5, 1.5), (0.01, 0.0, 4.0)]),
)
def test_any_sphere_covers_the_rays_that_meet_it(center, radius, eye):
    view = pinhole(camera_at(eye), WIDTH, HEIGHT)
    away = np.array(center) - view.eye
    distance = np.linalg.norm(away)
    if away @ view.axes[2] <= radius * 1.01:
        return
    depth, thing = seen(view, ([center], [radius]))
    direction = rays(view)
    cosine = direction @ away / (np.linalg.norm(direction, axis=2) * distance)
    angle, limit = np.arccos(np.clip(cosine, -1, 1)), np.arcsin(radius / distance)
    # radius² is what is left of a difference of float32 numbers as large as distance²; where a ray grazes, its depth
    # is the root of such a difference
    blurred = 2e-6 * distance**2 / radius
    clear = np.abs(angle - limit) > 1e-4 + blurred / distance
    assert ((thing == 0) == (angle < limit))[clear].all()
    hit = direction[thing == 0] * depth[thing == 0][:, None] - away
    tolerance = 1e-3 * distance * radius + 5e-5 * distance + blurred
    assert np.allclose(np.linalg.norm(hit, axis=1), radius, atol=tolerance)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_nearer_sphere_hides_farther(order):
    places, radii = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), np.array([0.3, 0.3])
    view = pinhole(camera_at((0.0, -3.0, 0.0)), WIDTH, HEIGHT)
    _, thing = seen(view, (places[list(order)], radii))
    assert thing[HEIGHT // 2, WIDTH // 2] == order.index(0)
    assert set(np.unique(thing)) == {NOTHING, order.index(0)}


@pytest.mark.parametrize(("wall_y", "hidden"), [(-1.0, True), (1.0, False)])
def test_triangle_hides_what_is_behind_it_only(wall_y, hidden):
    wall = np.array([[[-9.0, wall_y, -9.0], [9.0, wall_y, -9.0], [0.0, wall_y, 18.0]]])
    view = pinhole(camera_at((0.0, -3.0, 0.0)), WIDTH, HEIGHT)
    depth, thing = seen(view, ([[0.0, 0.0, 0.0]], [0.3]), wall)
    assert thing[HEIGHT // 2, WIDTH // 2] == (1 if hidden else 0)
    assert depth[0, 0] == pytest.approx(3.0 + wall_y, rel=1e-5)


def test_sphere_through_a_wall_shows_its_cap():
    wall = np.array([[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 18.0]]])
    view = pinhole(camera_at((0.0, -50.0, 0.0), angle=2.0), WIDTH, HEIGHT)
    _, thing = seen(view, ([[0.0, 0.1, 0.0]], [0.5]), wall)
    cap = np.sqrt(0.5**2 - 0.1**2)
    assert np.sqrt((thing == 0).sum() / np.pi) == pytest.approx(view.focal * cap / 50.0, rel=0.02)


def test_floor_below_and_behind_the_camera_reaches_the_horizon():
    floor = np.array(
        [[[-1e3, -1e3, 0], [1e3, -1e3, 0], [1e3, 1e3, 0]], [[-1e3, -1e3, 0], [1e3, 1e3, 0], [-1e3, 1e3, 0]]]
    )
    view = pinhole(camera_at((3.0, 2.0, 1.0), (3.0, 8.0, 0.5)), WIDTH, HEIGHT)
    depth, thing = seen(view, triangles=floor)
    direction = rays(view)
    exact = view.eye[2] / -np.minimum(direction[:, :, 2], -1e-9)
    near = exact < 500.0
    assert near.any()
    assert (thing[near] != NOTHING).all()
    assert np.allclose(depth[near], exact[near], rtol=1e-4)
    assert (thing[direction[:, :, 2] > 0.0] == NOTHING).all()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_joined_triangles_have_no_cracks(seed, parallel):
    rng = np.random.default_rng(seed)
    side = 7
    x, y = np.meshgrid(np.linspace(-3, 3, side), np.linspace(-3, 3, side), indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=2) + rng.uniform(-0.25, 0.25, (side, side, 3))
    corner = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    faces = np.stack([np.stack([corner[k] for k in f], axis=2) for f in ((0, 1, 2), (0, 2, 3))]).reshape(
        -1, 3, 3
    )
    if parallel:
        view = light_view(np.array([0.0, 0.0, 1.0]), (np.full(3, -1.0), np.full(3, 1.0)), 128)
    else:
        view = pinhole(camera_at((0.3, -0.4, 4.0)), WIDTH, HEIGHT)
    _, thing = seen(view, triangles=faces)
    assert (thing != NOTHING).all()


def test_light_sees_a_sphere_in_its_true_size():
    view = light_view(np.array([0.6, 0.0, 0.8]), (np.full(3, -1.0), np.full(3, 1.0)), 256)
    depth, thing = seen(view, ([[0.2, 0.1, -0.3]], [0.4]))
    assert (thing == 0).sum() / view.focal**2 == pytest.approx(np.pi * 0.4**2, rel=0.01)
    nearest = view.seen(np.array([[0.2, 0.1, -0.3]]))[0, 2] - 0.4
    assert depth.min() == pytest.approx(nearest, rel=1e-3)


def test_grain_smaller_than_a_sample_is_still_drawn():
    view = pinhole(camera_at((0.0, -50.0, 0.0)), WIDTH, HEIGHT)
    for x in np.linspace(0.0, 1.0, 9):
        _, thing = seen(view, ([[x, 0.0, 0.0]], [1e-3]))
        assert (thing == 0).sum() >= 1
