"""Meshes as distance grids: how far off, kept on disk, refused without an inside, moving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

import windrow as wr
from windrow.errors import SceneError
from windrow.geometry import mesh_grid
from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import shape_table
from windrow.scene import Body, Linear, Mesh, Obstacle, Piece

HERE = np.concatenate([np.eye(3).ravel(), np.zeros(3)])[None]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mesh_grid, "user_folder", lambda: tmp_path / "kernels")
    return tmp_path / "distances"


def ball(**fields: Any) -> Mesh:
    mesh = trimesh.creation.icosphere(subdivisions=4, radius=0.5)
    return Mesh(vertices=mesh.vertices, faces=mesh.faces, distance="grid", **fields)


def distances(shape: Any, points: Any) -> Any:
    table = shape_table([Obstacle(shape=shape, material="m")], {"m": 0}, ".")
    return distance_to_obstacles(table, HERE, points)[0]


def test_a_ball_is_off_by_the_stated_error() -> None:
    """Linear between samples h apart a ball of radius R is off by 3 h²/(8 R) at most; twice as fine, a quarter."""
    points = np.random.default_rng(1).normal(size=(500, 3))
    points *= (np.random.default_rng(2).uniform(0.42, 0.6, 500) / np.linalg.norm(points, axis=1))[:, None]
    worst = []
    for h in (0.08, 0.04):
        shape = ball(spacing=h)
        exact = distances(shape.model_copy(update={"distance": "mesh", "spacing": None}), points)
        error = np.abs(distances(shape, points) - exact)
        worst.append(error.max())
        assert error.max() < 3.0 * h * h / (8.0 * 0.42)
        assert mesh_grid.surface_error(shape)[1] < 1.2 * 3.0 * h * h / (8.0 * 0.5)  # flat triangles have edges, too
    assert 3.0 < worst[0] / worst[1] < 5.0
    np.testing.assert_array_less(0.3, distances(ball(spacing=0.08), [(0.9, 0, 0)]))


def test_samples_are_kept_on_disk_and_a_damaged_file_is_made_again(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many: list[int] = []
    plain = mesh_grid.sampled
    monkeypatch.setattr(mesh_grid, "sampled", lambda *given: many.append(1) or plain(*given))
    first = mesh_grid.mesh_grid(ball(spacing=0.1), "wall", Path())
    again = mesh_grid.mesh_grid(ball(spacing=0.1), "wall", Path())
    np.testing.assert_array_equal(first.values, again.values)
    assert len(many) == 1
    assert len(list(own_cache.iterdir())) == 1
    mesh_grid.mesh_grid(ball(spacing=0.11), "wall", Path())
    assert len(many) == 2
    for file in own_cache.iterdir():
        content = bytearray(file.read_bytes())
        content[-3] ^= 1
        file.write_bytes(bytes(content))
    np.testing.assert_array_equal(mesh_grid.mesh_grid(ball(spacing=0.1), "wall", Path()).values, first.values)
    assert len(many) == 3


def test_what_has_no_inside_is_refused(own_cache: Path) -> None:
    mesh = trimesh.creation.box((1, 1, 1))
    scene = wr.Scene()
    scene.add_material("m", density=1000.0)
    scene.add_particles([(0, 0, 2)], radius=0.1, material="m")
    opened = trimesh.Trimesh(mesh.vertices, mesh.faces[:-2])
    scene.add_mesh(opened, "m", distance="grid", name="cup")
    message = r"obstacles.0 \(cup\).shape.distance: the mesh has no inside: it has 4 open edges; close the mesh, or use"
    with pytest.raises(SceneError, match=message):
        wr.Simulation(scene, threads=1)
    assert not own_cache.exists()
    with pytest.raises(SceneError, match="samples, more than"):
        distances(ball(spacing=1e-4), [(0, 0, 0)])
    with pytest.raises(SceneError, match="spacing is that of a grid"):
        Mesh(vertices=mesh.vertices, faces=mesh.faces, spacing=0.1)
    with pytest.raises(SceneError, match="for obstacles"):
        Body(name="rock", material="m", shapes=[Piece(shape=ball())])


def test_a_grain_rests_on_a_grid_that_moves(tmp_path: Path) -> None:
    """A lifted, turned block carries a grain as the formula of the box does; through a file."""
    block = trimesh.creation.box((0.8, 0.8, 0.2))
    heights = []
    for kind in ("grid", "box"):
        scene = wr.Scene()
        scene.add_material("m", density=2000.0, stiffness=1e5, restitution=0.3, friction_static=0.5)
        lift = Linear(velocity=(0, 0, 0.2))
        if kind == "grid":
            scene.add_mesh(block, "m", distance="grid", spacing=0.05, motion=lift, name="lift")
        else:
            scene.add_box((0, 0, 0), (0.8, 0.8, 0.2), "m", motion=lift, name="lift")
        scene.add_particles([(0.05, 0.03, 0.16)], radius=0.06, material="m")
        wr.save_scene(scene, tmp_path / f"{kind}.toml")
        simulation = wr.Simulation(wr.load_scene(tmp_path / f"{kind}.toml"), solver=wr.DEM(substeps=20), threads=1)
        while simulation.time < 0.5:
            simulation.step()
        heights.append(simulation.particles.position[0])
        weight = 2000.0 * 4.0 / 3.0 * np.pi * 0.06**3 * 9.81
        assert simulation.body("lift")[0][2] == pytest.approx(-weight, rel=0.02)
    np.testing.assert_allclose(heights[0], heights[1], atol=1e-5)
