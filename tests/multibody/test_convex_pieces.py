"""Hollow meshes are cut into convex pieces, once; what cannot be cut is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

from windrow.errors import MissingExtraError, SceneError
from windrow.geometry.convex import cache_folder, convex_pieces
from windrow.geometry.mesh import CheckedMesh, load_surface
from windrow.scene import Box, Mesh, Piece, Scene, Sphere, load_scene, save_scene
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, G, empty


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return cache_folder()


def angle_bar() -> Mesh:
    """An L of two legs, 1 m long, 0.2 m thick: about half of its hull is empty."""
    outline = np.array([[0, 0], [1, 0], [1, 0.2], [0.2, 0.2], [0.2, 1], [0, 1]], np.float64)
    corners = np.array([[x, y, z] for y in (0.0, 0.5) for x, z in outline])
    front = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
    back = [[6 + c, 6 + b, 6 + a] for a, b, c in front]
    sides = []
    for k in range(6):
        n = (k + 1) % 6
        sides += [[k, 6 + k, n], [n, 6 + k, 6 + n]]
    faces = np.array(front + back + sides)
    if trimesh.Trimesh(corners, faces, process=False).volume < 0:
        faces = faces[:, ::-1]
    return Mesh(vertices=corners, faces=faces)


def surface_of(mesh: Mesh) -> CheckedMesh:
    return load_surface(mesh, "bodies[0] (bar).shapes[0]", Path())


def holding(convex: object) -> Scene:
    """The bar on the ground, and a ball above its inner corner."""
    scene = empty()
    scene.add_plane((0, 0, 1), 0.0, "steel")
    scene.add_body("bar", "steel", shapes=[Piece(shape=angle_bar(), convex_pieces=convex)])
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.1)], position=(0.35, 0.25, 0.7))
    return scene


def test_pieces_are_the_mesh_and_not_its_hull(cache: Path) -> None:
    surface = surface_of(angle_bar())
    pieces = convex_pieces(surface, None, "here")
    volume = sum(trimesh.convex.convex_hull(piece).volume for piece in pieces)
    assert volume == pytest.approx(surface.volume, rel=0.03)
    assert trimesh.convex.convex_hull(surface.vertices).volume > 1.5 * surface.volume
    assert len(convex_pieces(surface, 2, "here")) == 2


def test_a_ball_falls_into_the_corner(cache: Path) -> None:
    with pytest.warns(
        UserWarning, match=r"bodies\[0\] \(bar\)\.shapes\[0\].*convex hull.*convex_pieces = true"
    ):
        filled = MultibodyStepper(holding("hull"))
    hollow = MultibodyStepper(holding(True))
    # The mass is that of the mesh either way.
    assert filled.bodies.mass[0] == pytest.approx(7800 * 0.36 * 0.5)
    assert hollow.bodies.mass[0] == pytest.approx(filled.bodies.mass[0])
    for _ in range(120):
        filled.step(DT)
        hollow.step(DT)
    assert hollow.position("ball")[2] == pytest.approx(0.3, abs=5e-3)
    # The hull is a ramp, which it rolls down.
    assert filled.position("ball")[0] > 1.0
    weight = hollow.bodies.mass[1] * G
    assert np.linalg.norm(hollow.contact_force("ball")[:3]) == pytest.approx(weight, rel=1e-2)


def test_pieces_are_kept_and_the_same_each_time(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import coacd

    surface = surface_of(angle_bar())
    first = convex_pieces(surface, None, "here")
    files = list(cache.iterdir())
    assert len(files) == 1
    runs = []
    run = coacd.run_coacd
    monkeypatch.setattr(coacd, "run_coacd", lambda *a, **k: runs.append(1) or run(*a, **k))
    for piece, again in zip(first, convex_pieces(surface, None, "here"), strict=True):
        np.testing.assert_array_equal(again, piece)
    assert runs == []
    # A file that was cut short is made again, to the same bits.
    files[0].write_bytes(files[0].read_bytes()[:100])
    for piece, again in zip(first, convex_pieces(surface, None, "here"), strict=True):
        np.testing.assert_array_equal(again, piece)
    assert runs == [1]
    # Another mesh, another name.
    convex_pieces(surface_of(angle_bar().model_copy(update={"scale": 2.0})), None, "here")
    assert len(list(cache.iterdir())) == 2


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(cache: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_text("a file in the way")
    assert len(convex_pieces(surface_of(angle_bar()), 2, "here")) == 2


def test_what_cannot_be_cut_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bar = angle_bar()
    assert bar.faces is not None
    opened = Mesh(vertices=bar.vertices, faces=bar.faces[1:])
    with pytest.raises(
        SceneError, match=r"bar\)\.shapes\[0\]\.convex_pieces.*not watertight.*fill_holes.*'hull'"
    ):
        convex_pieces(surface_of(opened), None, "bodies[0] (bar).shapes[0]")
    scene = empty()
    piece = Piece(shape=opened, massless=True, convex_pieces=True)
    scene.add_body("bar", "steel", shapes=[piece], mass=1, inertia=[1, 1, 1])
    with pytest.raises(SceneError, match=r"bodies\[0\] \(bar\)\.shapes\[0\]\.convex_pieces.*not watertight"):
        MultibodyStepper(scene)
    with pytest.raises(SceneError, match=r"cuts meshes only; leave it out for a box"):
        Piece(shape=Box(size=(1, 1, 1)), convex_pieces=4)
    for wrong in (0, 500, False, "many", 2.5):
        with pytest.raises(SceneError, match=r"convex_pieces: must be 'hull', true, or the largest number"):
            Piece(shape=bar, convex_pieces=wrong)
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'windrow\[meshes\]'"):
        convex_pieces(surface_of(bar), None, "here")


def test_files_keep_the_choice(tmp_path: Path) -> None:
    scene = holding(4)
    save_scene(scene, tmp_path / "bar.toml")
    assert load_scene(tmp_path / "bar.toml").bodies[0].shapes[0].convex_pieces == 4
    table = {
        "kind": "mesh",
        "vertices": angle_bar().vertices,
        "faces": angle_bar().faces,
        "convex_pieces": True,
    }
    scene.add_body("other", "steel", shapes=[table])
    assert scene.bodies[2].shapes[0].convex_pieces is True
