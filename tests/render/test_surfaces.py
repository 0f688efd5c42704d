"""Obstacles as triangles: smooth where they are smooth, edged where they are edged, and all of them drawn."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from made_scenes import camera_at, empty_scene, frame_of

from windrow.render.picture import draw
from windrow.render.planes import planes, side_panes
from windrow.render.surfaces import edged, whole_faces


def test_box_is_flat_and_its_twelve_edges_are_creases():
    mesh = trimesh.creation.box()
    normals, creases = edged(*whole_faces(np.asarray(mesh.vertices), np.asarray(mesh.faces)))
    assert np.allclose(np.sort(np.abs(normals), axis=2), [0.0, 0.0, 1.0])
    assert creases.sum() == 2 * 12


def test_ball_is_smooth():
    mesh = trimesh.creation.icosphere(subdivisions=3)
    vertices, faces = whole_faces(np.asarray(mesh.vertices), np.asarray(mesh.faces))
    normals, creases = edged(vertices, faces)
    assert np.allclose(normals, vertices[faces], atol=0.02)
    assert not creases.any()


def test_cylinder_is_smooth_around_and_edged_at_its_rims():
    mesh = trimesh.creation.cylinder(radius=1.0, height=2.0, sections=48)
    vertices, faces = whole_faces(np.asarray(mesh.vertices), np.asarray(mesh.faces))
    normals, creases = edged(vertices, faces)
    side = np.abs(np.cross(*(np.diff(vertices[faces], axis=1)[:, k] for k in range(2)))[:, 2]) < 1e-9
    radial = vertices[faces[side]] * [1.0, 1.0, 0.0]
    assert np.allclose(normals[side], radial, atol=1e-6)
    assert creases.sum() == 2 * 2 * 48


def test_repeated_vertices_and_empty_faces_do_not_break_smoothness():
    mesh = trimesh.creation.icosphere(subdivisions=2)
    apart = np.asarray(mesh.vertices)[np.asarray(mesh.faces)].reshape(-1, 3)
    faces = np.vstack([np.arange(len(apart)).reshape(-1, 3), [[0, 0, 1]]])
    vertices, whole = whole_faces(apart, faces)
    assert len(vertices) == len(mesh.vertices)
    assert len(whole) == len(mesh.faces)


def _add(scene, kind):
    place = {"position": (0.0, 0.0, 0.0), "material": "rock"}
    if kind == "box":
        scene.add_box(size=(1.0, 1.0, 1.0), **place)
    elif kind == "sphere":
        scene.add_sphere(radius=0.6, **place)
    elif kind == "cylinder":
        scene.add_cylinder(radius=0.5, height=1.0, **place)
    elif kind == "capsule":
        scene.add_capsule(radius=0.4, height=0.6, **place)
    elif kind == "cone":
        scene.add_cone(radius=0.6, height=1.0, **place)
    elif kind == "height_field":
        x, y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9), indexing="ij")
        scene.add_height_field(size=(1.4, 1.4), heights=0.4 * np.exp(-3 * (x**2 + y**2)), **place)
    elif kind == "mesh":
        scene.add_mesh(trimesh.creation.icosphere(subdivisions=2, radius=0.6), **place)
    elif kind == "revolution":
        scene.add_revolution(profile=[(0.1, -0.5), (0.6, 0.2), (0.6, 0.6)], **place)
    else:
        scene.add_distance_function(
            lambda p: np.linalg.norm(p, axis=1) - 0.5, (-0.8,) * 3, (0.8,) * 3, 0.1, material="rock"
        )


@pytest.mark.parametrize(
    "kind",
    [
        "box",
        "sphere",
        "cylinder",
        "capsule",
        "cone",
        "height_field",
        "mesh",
        "revolution",
        "distance_function",
    ],
)
def test_every_shape_is_seen_where_it_is(kind):
    scene = empty_scene()
    _add(scene, kind)
    camera = camera_at((1.0, -4.0, 2.0))
    bare = empty_scene()
    background = draw(frame_of(bare, []), bare, camera, (160, 120), captions=False).astype(float)
    image = draw(frame_of(scene, []), scene, camera, (160, 120), captions=False).astype(float)
    rows, columns = np.nonzero(np.abs(image - background).sum(axis=2) > 12.0)
    assert len(rows) > 400
    assert 60 < columns.mean() < 100
    assert 30 < rows.mean() < 80


def test_walls_of_an_open_box_are_panes_that_end_at_each_other():
    scene = empty_scene()
    scene.add_open_box(lower=(-1.0, -0.5, 0.0), upper=(1.0, 0.5, 0.8), material="rock")
    frame = frame_of(scene, [])
    panes = side_panes(planes(scene, frame), (np.array([-0.9, -0.5, 0.0]), np.array([0.9, 0.5, 0.7])))
    area = np.linalg.norm(np.cross(*np.moveaxis(np.diff(panes.corners, axis=1), 1, 0)), axis=1).sum() / 2.0
    height = panes.corners[:, :, 2].max()
    assert area == pytest.approx(2.0 * (2.0 + 1.0) * height)
    assert panes.corners.reshape(-1, 3).min(axis=0) == pytest.approx([-1.0, -0.5, 0.0])
    assert panes.outlined.sum() == 4 * 4


def test_walls_are_drawn_when_asked_for():
    scene = empty_scene()
    scene.add_open_box(lower=(-1.0, -0.5, 0.0), upper=(1.0, 0.5, 0.8), material="rock")
    frame = frame_of(scene, [[-0.9, -0.4, 0.1], [0.9, 0.4, 0.1]], 0.1)
    hidden, shown = (
        draw(frame, scene, size=(160, 120), captions=False, walls=walls) for walls in (False, True)
    )
    changed = np.abs(hidden.astype(float) - shown).max(axis=2) > 2.0
    assert 0.02 < changed.mean() < 0.9
