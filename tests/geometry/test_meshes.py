"""Meshes: files, faults, solids and sheets, and the tree that searches them."""

from __future__ import annotations

import numpy as np
import pytest
from made_shapes import (
    CUBE_CORNERS,
    CUBE_FACES,
    closest_on_triangles,
    distances,
    l_beam,
    table_of,
    winding_number,
)

from windrow.errors import SceneError
from windrow.geometry.bvh import build_tree
from windrow.geometry.mesh import load_surface
from windrow.geometry.table import shape_table
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import Mesh


def table_from(shape: Mesh, base_dir, inside: bool = False, name: str = "bucket"):
    return shape_table([Obstacle(name=name, shape=shape, material="m", inside=inside)], {"m": 0}, base_dir)


def knot(count: int = 60, around: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """A closed curved tube with concave and convex parts: vertices and faces."""
    t = np.arange(count) * 2 * np.pi / count
    middle = np.column_stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])
    along = np.roll(middle, -1, axis=0) - np.roll(middle, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    u = np.cross(along, [0.3, 0.2, 1.0])
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    v = np.cross(along, u)
    angle = np.arange(around) * 2 * np.pi / around
    ring = 0.45 * (np.cos(angle)[None, :, None] * u[:, None] + np.sin(angle)[None, :, None] * v[:, None])
    vertices = (middle[:, None] + ring).reshape(-1, 3)
    n = np.arange(count * around).reshape(count, around)
    a, b = n, np.roll(n, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(n, -1, axis=1)
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    corners = vertices[faces]
    if np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) < 0:
        faces = faces[:, ::-1]
    return vertices, faces


def test_distance_to_a_curved_mesh_is_that_of_all_its_triangles():
    vertices, faces = knot()
    points = np.random.default_rng(1).uniform(-3.5, 3.5, (300, 3))
    corners = vertices.astype(np.float32).astype(float)[faces]
    found = distances(table_of(Mesh(vertices=vertices, faces=faces)), points)[:, 0]
    np.testing.assert_allclose(np.abs(found), closest_on_triangles(points, corners), atol=1e-6)
    np.testing.assert_array_equal(found < 0, winding_number(points, corners) > 0.5)
    assert (found < 0).sum() > 10


def test_an_open_mesh_is_a_sheet_without_an_inside():
    vertices, faces = knot()
    points = np.random.default_rng(2).uniform(-3, 3, (100, 3))
    table = table_of(Mesh(vertices=vertices, faces=faces[:-1]))
    assert table.thin[0] == 1
    assert (distances(table, points)[:, 0] > 0).all()


def test_the_sign_is_right_beside_sharp_corners_and_edges():
    """Where the nearest triangle alone would tell the wrong side."""
    corners = np.array([[0, 0, 0], [1, 0.05, 0.05], [1, -0.05, 0.05], [1, 0, -0.08]], dtype=float)
    faces = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    if np.linalg.det(corners[1:] - corners[0]) > 0:
        faces = faces[:, ::-1]
    points = np.random.default_rng(3).normal(0, 0.3, (300, 3)) + np.array([0.1, 0, 0])
    mesh = Mesh(vertices=corners, faces=faces)
    found = distances(table_of(mesh), points)[:, 0]
    np.testing.assert_array_equal(found < 0, winding_number(points, corners[faces]) > 0.5)


def test_tree_holds_every_triangle_once_in_boxes_that_contain_it():
    vertices, faces = knot(37, 7)
    corners = vertices[faces]
    order, boxes, levels = build_tree(corners)
    assert sorted(order) == list(range(len(faces)))
    count, leaves = len(faces), 1 << levels
    for leaf in range(leaves):
        rows = order[(leaf * count) >> levels : ((leaf + 1) * count) >> levels]
        assert 0 < len(rows) <= 4
        node = leaves + leaf
        while node:
            assert (corners[rows].min(axis=(0, 1)) >= boxes[node, :3] - 1e-5).all()
            assert (corners[rows].max(axis=(0, 1)) <= boxes[node, 3:] + 1e-5).all()
            node //= 2


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply", "off"])
def test_files_are_read_relative_to_the_scene_and_scaled(tmp_path, suffix):
    import trimesh

    trimesh.Trimesh(CUBE_CORNERS, CUBE_FACES, process=False).export(tmp_path / f"cube.{suffix}")
    table = table_from(Mesh(file=f"cube.{suffix}", scale=0.5), tmp_path)
    assert table.thin[0] == 0
    assert distances(table, [[0, 0, 2.0], [0.4, 0, 0]])[:, 0] == pytest.approx([1.5, -0.1], abs=1e-6)


def test_missing_file_names_obstacle_file_and_remedy(tmp_path):
    with pytest.raises(
        SceneError, match=r"obstacles\.0 \(bucket\)\.shape\.file.*nowhere\.stl.*relative to the scene"
    ):
        table_from(Mesh(file="nowhere.stl"), tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("noise.stl", b"\x00\x01\x02garbage" * 9),
        ("empty.obj", b""),
        ("text.ply", b"ply\nformat"),
        ("a.xyzzy", b"1"),
    ],
)
def test_files_that_are_no_meshes_are_refused(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SceneError, match=name):
        table_from(Mesh(file=name), tmp_path)


def test_an_inverted_mesh_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(SceneError, match=r"inverted.*inside = true"):
        table_from(Mesh(vertices=CUBE_CORNERS, faces=CUBE_FACES[:, ::-1]), tmp_path)


def test_a_closed_mesh_with_some_triangles_turned_is_refused(tmp_path):
    faces = CUBE_FACES.copy()
    faces[3] = faces[3, ::-1]
    with pytest.raises(SceneError, match="orientation"):
        table_from(Mesh(vertices=CUBE_CORNERS, faces=faces), tmp_path)


def test_an_open_mesh_cannot_keep_grains_inside(tmp_path):
    with pytest.raises(SceneError, match=r"inside.*3 open edges.*close the mesh"):
        table_from(Mesh(vertices=CUBE_CORNERS, faces=CUBE_FACES[:-1]), tmp_path, inside=True)


def test_repeated_corners_and_triangles_without_area_do_not_open_a_mesh(tmp_path):
    soup = CUBE_CORNERS[CUBE_FACES].reshape(-1, 3)
    faces = np.vstack([np.arange(len(soup)).reshape(-1, 3), [[0, 0, 1], [0, 1, 1]]])
    surface = load_surface(Mesh(vertices=soup, faces=faces), "obstacles.0", tmp_path)
    assert surface.watertight
    assert len(surface.vertices) == 8
    assert surface.volume == pytest.approx(8.0)


def test_a_mesh_of_nothing_is_refused(tmp_path):
    flat = Mesh(vertices=[[0, 0, 0], [1, 0, 0], [2, 0, 0]], faces=[[0, 1, 2]])
    with pytest.raises(SceneError, match="no triangle"):
        table_from(flat, tmp_path)
    with pytest.raises(SceneError, match="coincide"):
        table_from(Mesh(vertices=[[1, 1, 1]] * 3, faces=[[0, 1, 2]]), tmp_path)


def test_a_double_sheet_is_thin(tmp_path):
    square = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    table = table_from(Mesh(vertices=square, faces=[[0, 1, 2], [0, 2, 1]]), tmp_path)
    assert table.thin[0] == 1


def test_pseudonormals_of_a_concave_mesh_are_unit_and_point_out(tmp_path):
    surface = load_surface(l_beam(), "obstacles.0", tmp_path)
    normals = surface.pseudonormals()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1, atol=1e-9)
    middle = surface.vertices[surface.faces].mean(axis=1)
    outside = winding_number(middle + 1e-3 * normals[:, 0], surface.vertices[surface.faces])
    assert (outside < 0.5).all()
