"""Pictures of ground: smooth, without gaps, coloured by soil, and as the frame shows it."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.fixed_math import norm
from windrow.render.camera import pinhole
from windrow.render.picture import Stage
from windrow.render.relief import relief_triangles, soil_colors, strides
from windrow.scene.settings import Camera
from windrow.scene.terrain import Hills, Terrain
from windrow.terrain.layers import TILE
from windrow.terrain.patches import Relief


def view_of(eye: tuple[float, float, float], target: tuple[float, float, float] = (0.0, 0.0, 0.0)):  # type: ignore[no-untyped-def]
    return pinhole(Camera(eye=eye, target=target), 640, 360)


def test_far_tiles_are_coarse_and_near_ones_fine() -> None:
    relief = Relief(Terrain(size=(512.0, 512.0), cell=0.5, height=Hills(height=20, length=100), soil="loam"))
    stride = strides(relief, view_of((0.0, -250.0, 30.0), (0.0, 0.0, 10.0)))
    assert stride.min() == 1
    assert stride.max() >= 4
    colors = np.array([[0.5, 0.4, 0.3]])
    drawn = relief_triangles(relief, colors, view_of((0.0, -250.0, 30.0), (0.0, 0.0, 10.0)))
    assert len(drawn.corners) < 0.5 * 2 * relief.height.size


def test_normals_are_those_of_the_surface() -> None:
    scene = wr.Scene()
    terrain = scene.add_terrain(size=(16.0, 16.0), cell=0.25, height=lambda x, y: 0.3 * x, soil="loam")
    relief = Relief(terrain)
    drawn = relief_triangles(relief, np.array([[0.5, 0.4, 0.3]]), view_of((0.0, -20.0, 20.0)))
    up = drawn.normals[:, 0, 2] > 0.1
    expected = np.array([-0.3, 0.0, 1.0]) / np.sqrt(1.09)
    assert np.abs(drawn.normals[up] - expected).max() < 1e-3
    assert norm(drawn.normals).max() == pytest.approx(1.0)


def test_the_surface_reaches_the_edge_without_gaps() -> None:
    relief = Relief(Terrain(size=(20.0, 10.0), cell=0.25, height=Hills(height=1, length=5), soil="loam"))
    drawn = relief_triangles(relief, np.array([[0.5, 0.4, 0.3]]), view_of((0.0, -30.0, 20.0)))
    assert drawn.corners[..., 0].max() == pytest.approx(10.0)
    assert drawn.corners[..., 1].min() == pytest.approx(-5.0)
    flat = drawn.corners[drawn.normals[:, 0, 2] > 0.1]
    a, b = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    area = 0.5 * np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()
    assert area == pytest.approx(200.0)


def test_a_picture_shows_what_was_dug_and_the_soil_below() -> None:
    scene = wr.Scene()
    scene.add_terrain(
        size=(16.0, 16.0), cell=0.25, layers=[{"soil": "loam", "thickness": 0.3}, {"soil": "dry_sand"}],
        avalanche=False,
    )  # fmt: skip
    simulation = wr.Simulation(scene, threads=1)
    stage, camera = Stage(scene), Camera(eye=(0.0, -14.0, 12.0), target=(0.0, 0.0, 0.0))
    before = stage.draw(simulation.frame(), camera, (160, 90), captions=False, supersample=1)
    simulation.terrain.set_height(-0.5, x=(-2.0, 2.0), y=(-2.0, 2.0))
    after = stage.draw(simulation.frame(), camera, (160, 90), captions=False, supersample=1)
    middle = after[45, 80].astype(int), before[45, 80].astype(int)
    assert middle[0].sum() > middle[1].sum() + 60, "sand is brighter than loam"
    assert np.array_equal(before[5], after[5])
    assert len(soil_colors(scene.assembled(), stage.relief)) == 2  # type: ignore[arg-type]


def test_a_relief_goes_back_to_what_it_was() -> None:
    scene = wr.Scene()
    scene.add_terrain(size=(16.0, 16.0), cell=0.25, height=Hills(height=1, length=5), soil="loam")
    simulation = wr.Simulation(scene, threads=1)
    first = simulation.frame().ground
    simulation.terrain.set_height(0.0, x=(0.0, 4.0))
    second = simulation.frame().ground
    relief = Relief(scene.terrain)  # type: ignore[arg-type]
    start = relief.height.copy()
    assert relief.show(second)
    assert np.array_equal(relief.height, simulation.terrain.height.astype(np.float32))
    assert relief.show(second) == []
    assert relief.show(first)
    assert np.array_equal(relief.height, start)
    assert TILE * TILE * len(second) < 4 * start.size  # type: ignore[arg-type]
