"""Pictures of forces: rods where the contacts are, as thick and as dark as they are strong."""

from __future__ import annotations

import numpy as np
import pytest
from made_scenes import camera_at, empty_scene, frame_of, heap

from windrow.errors import SceneError
from windrow.render.camera import pinhole
from windrow.render.chains import (
    FORCE_SCALE,
    THICKEST,
    WEAKEST,
    Rods,
    chain_rods,
    draw_chains,
    force_limit,
    rod_faces,
    round_ends,
    wide_enough,
)
from windrow.render.colors import linear, scale_color
from windrow.render.picture import draw
from windrow.state.contacts import Contacts

CAMERA = camera_at((0.0, -3.0, 0.0))
SMALL = (96, 64)


def pressing(*rows: tuple[int, int, float], place: np.ndarray, floor: float = 0.0) -> Contacts:
    """Contacts of grains first and second (−1: the floor) with this normal force, N."""
    first, second, force = (np.array(column) for column in zip(*rows, strict=True))
    below = np.where(second[:, None] < 0, place[first] * (1, 1, 0) + (0, 0, floor), place[second])
    normal = place[first] - below
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return Contacts(
        first,
        second,
        np.where(second < 0, 0, -1),
        np.where(second[:, None] < 0, below, 0.5 * (place[first] + below)),
        normal,
        force[:, None] * normal,
    )


def row_of_grains() -> np.ndarray:
    return np.array([(-0.6, 0, 0), (-0.2, 0, 0), (0.2, 0, 0), (0.6, 0, 0)])


def test_rods_lead_from_centre_to_centre_and_to_walls() -> None:
    place = np.array([(0.0, 0, 0.1), (0.2, 0, 0.1), (0.4, 0, 0.1)])
    frame = frame_of(empty_scene(), place, radius=0.1, id=np.array([4, 7, 9]))
    contacts = pressing((0, 1, 10.0), (1, 2, 40.0), (2, -1, 20.0), (0, -1, 0.1), place=place)
    ids = np.array([4, 7, 9, -1])
    named = Contacts(
        ids[contacts.first],
        ids[contacts.second],
        contacts.body,
        contacts.point,
        contacts.normal,
        contacts.force,
    )
    rods = chain_rods(frame, named, 40.0)
    assert rods.start == pytest.approx(place[[0, 2, 1]], abs=1e-6)
    assert rods.end == pytest.approx(np.array([place[1], (0.4, 0, 0), place[2]]), abs=1e-6)
    assert rods.radius == pytest.approx(THICKEST * 0.1 * np.array([0.25, 0.5, 1.0]), rel=1e-5)
    assert rods.color == pytest.approx(linear(scale_color([0.25, 0.5, 1.0], FORCE_SCALE)), rel=1e-5)
    assert WEAKEST > 0.1 / 40.0  # why the fourth is not there


def test_pulls_count_by_their_size() -> None:
    place = row_of_grains()
    rods = chain_rods(frame_of(empty_scene(), place), pressing((0, 1, -5.0), place=place), 10.0)
    assert rods.radius == pytest.approx([THICKEST * 0.1 * 0.5])


def test_a_rod_is_a_closed_tube_of_its_radius() -> None:
    random = np.random.default_rng(1)
    start, end = random.normal(size=(2, 20, 3))
    end[0] = start[0]  # of no length
    end[1] = start[1] + (0, 0, 1)
    rods = Rods(start, end, random.uniform(0.01, 0.1, 20), random.random((20, 3)))
    faces = rod_faces(rods)
    assert np.isfinite(faces.corners).all()
    owner = np.repeat(np.arange(20), len(faces.corners) // 20)
    along = (end - start)[owner] / np.maximum(np.linalg.norm(end - start, axis=1), 1e-30)[owner, None]
    for corner in range(3):
        away = faces.corners[:, corner] - start[owner]
        beside = away - np.einsum("ij,ij->i", away, along)[:, None] * along
        assert np.linalg.norm(beside, axis=1) == pytest.approx(rods.radius[owner], rel=1e-9)
        assert faces.normals[:, corner] * rods.radius[owner, None] == pytest.approx(beside, abs=1e-9)
    assert faces.color == pytest.approx(rods.color[owner])
    balls = round_ends(rods)
    assert balls[0] == pytest.approx(np.concatenate([start, end]))
    assert balls[1] == pytest.approx(np.tile(rods.radius, 2))


def test_no_rod_is_thinner_than_a_sample() -> None:
    view = pinhole(CAMERA, *SMALL)
    one, other = np.array([[(0.0, 0, 0)], [(1.0, 0, 0)]])
    rods = Rods(one, other, np.array([1e-6]), one)
    assert wide_enough(rods, view).radius[0] == pytest.approx(3.0 / view.focal)
    thick = Rods(one, other, np.array([0.5]), one)
    assert wide_enough(thick, view).radius[0] == 0.5


def test_the_scale_ends_at_a_round_force_that_few_exceed() -> None:
    place = np.random.default_rng(0).normal(size=(2000, 3))
    rows = [(k, k + 1, 1.0 + 0.001 * k) for k in range(1990)]
    assert force_limit(pressing(*rows, (0, 5, 1e6), place=place)) == pytest.approx(3.0)
    assert force_limit(Contacts.none()) == 1.0


def test_strong_contacts_are_dark_and_wide_in_the_picture() -> None:
    place = row_of_grains()
    frame = frame_of(empty_scene(), place, radius=0.2)
    contacts = pressing((0, 1, 3.0), (2, 3, 10.0), place=place)
    options = {"camera": CAMERA, "size": (240, 160), "captions": False}
    image = draw_chains(frame, contacts, empty_scene(), limit=10.0, **options)
    bare = draw_chains(frame, Contacts.none(), empty_scene(), **options)
    changed = np.abs(image.astype(int) - bare).sum(axis=2) > 30
    width = {side: changed[:, columns].sum(axis=0).max() for side, columns in _sides().items()}
    assert width["right"] > 2.0 * width["left"] > 0
    light = {side: image[78:82, columns].mean() for side, columns in _sides().items()}
    assert light["right"] < light["left"]
    assert changed[:, 116:124].sum() == 0  # nothing between the two pairs


def _sides() -> dict[str, slice]:
    """Columns of 240 in which the rod of the left and of the right pair lies, without its ends."""
    return {"left": slice(80, 96), "right": slice(144, 160)}


def test_grains_stay_in_sight_and_let_look_through() -> None:
    place = np.array([(0.0, -0.5, 0), (-0.2, 0, 0), (0.2, 0, 0)])
    frame = frame_of(empty_scene(), place, radius=np.array([0.4, 0.1, 0.1]))
    contacts = pressing((1, 2, 1.0), place=place)
    options = {"camera": CAMERA, "size": SMALL, "captions": False}
    image = draw_chains(frame, contacts, empty_scene(), limit=1.0, **options)
    without = draw_chains(frame, Contacts.none(), empty_scene(), **options)
    gone = draw_chains(frame_of(empty_scene(), np.empty((0, 3))), Contacts.none(), empty_scene(), **options)
    middle = image[30:34, 46:50].astype(int)
    assert np.abs(middle - without[30:34, 46:50]).max() > 40  # the rod behind the grain
    assert np.abs(without[10:54, 36:60].astype(int) - gone[10:54, 36:60]).max() > 20  # the grain itself


def test_words_walls_and_size() -> None:
    scene = empty_scene()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    scene.add_plane(normal=(1, 0, 0), offset=-0.2, material="sand")
    frame = frame_of(scene, heap(4), radius=0.05)
    pairs = [(k, -1, 1.0 + k) for k in range(10)]
    contacts = pressing(*pairs, place=heap(4))
    bare = draw_chains(frame, contacts, scene, size=(320, 200), captions=False)
    said = draw_chains(frame, contacts, scene, size=(320, 200))
    paned = draw_chains(frame, contacts, scene, size=(320, 200), captions=False, walls=True)
    assert bare.shape == said.shape == (200, 320, 3)
    assert bare.dtype == np.uint8
    assert not np.array_equal(bare, said)
    assert np.array_equal(bare[:100], said[:100])
    assert not np.array_equal(bare, paned)
    assert not np.array_equal(bare, draw(frame, scene, size=(320, 200), captions=False))


def test_what_cannot_be_drawn() -> None:
    place = row_of_grains()
    frame, contacts = frame_of(empty_scene(), place[:3]), pressing((2, 3, 1.0), place=place)
    with pytest.raises(SceneError, match="same step"):
        draw_chains(frame, contacts, empty_scene(), CAMERA, SMALL)
    for bad in (0.0, -1.0, np.nan):
        with pytest.raises(SceneError, match="above 0"):
            draw_chains(frame, Contacts.none(), empty_scene(), CAMERA, SMALL, limit=bad)
    with pytest.raises(SceneError, match="picture size"):
        draw_chains(frame, Contacts.none(), empty_scene(), CAMERA, (0, 10))
