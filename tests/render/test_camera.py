"""Framing: everything that matters is in the picture, and strays do not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_scenes import camera_at, empty_scene, frame_of, heap

from windrow.render.camera import automatic_camera, grains_box, pinhole, subject_box
from windrow.render.picture import Stage


def slopes(camera, points, size):
    """Places in the picture, −1 to 1 in both directions."""
    view = pinhole(camera, *size)
    at = view.seen(np.asarray(points, np.float64))
    assert (at[:, 2] > 0.0).all()
    return at[:, :2] / at[:, 2:] * view.focal / (0.5 * np.array(size))


@settings(max_examples=30, deadline=None)
@given(
    st.tuples(*[st.floats(-10, 10)] * 3),
    st.tuples(*[st.floats(0.01, 10)] * 3),
    st.sampled_from([(160, 120), (320, 90), (90, 200)]),
)
def test_automatic_camera_shows_the_whole_box_and_fills_the_picture(lower, size, picture):
    low, high = np.array(lower), np.array(lower) + np.array(size)
    camera = automatic_camera((low, high), picture[0] / picture[1])
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    place = slopes(camera, corners, picture)
    assert np.abs(place).max() < 1.0
    assert np.abs(place).max() > 0.6
    assert np.abs(place.min(axis=0) + place.max(axis=0)).max() < 0.1


def test_a_stray_grain_does_not_widen_the_picture():
    scene = empty_scene()
    places = heap(10)
    plain = grains_box(frame_of(scene, places, 0.05))
    strayed = grains_box(frame_of(scene, np.vstack([places, [[500.0, 0.0, 0.0]]]), 0.05))
    assert np.linalg.norm(strayed[1] - strayed[0]) < 2.0 * np.linalg.norm(plain[1] - plain[0])


def test_box_holds_every_grain_of_a_heap():
    places = heap(10)
    lower, upper = grains_box(frame_of(empty_scene(), places, 0.05))
    assert (places - 0.05 >= lower - 1e-6).all()
    assert (places + 0.05 <= upper + 1e-6).all()


def test_small_obstacle_is_part_of_the_subject_and_a_vast_one_is_not():
    grains = np.full(3, -1.0), np.full(3, 1.0)
    near, vast = (np.full(3, 1.0), np.full(3, 1.5)), (np.full(3, -99.0), np.full(3, 99.0))
    assert np.allclose(subject_box(grains, [near, vast])[1], 1.5)


def test_frame_without_grains_shows_the_obstacles():
    assert np.allclose(subject_box(None, [(np.zeros(3), np.ones(3))])[1], 1.0)
    assert (subject_box(None, [])[1] > subject_box(None, [])[0]).all()


def test_the_scenes_own_camera_comes_first():
    scene = empty_scene()
    scene.run.camera = camera_at((1.0, 2.0, 3.0))
    stage = Stage(scene)
    subject = stage.subject(frame_of(scene, heap()))
    assert stage.camera(subject, (160, 120)).eye == pytest.approx((1.0, 2.0, 3.0))
