"""Pictures of fine grains: the same grains as plain drawing shows, whatever the number of threads; camera paths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from windrow.detail.kernels import FineRows
from windrow.detail.packing import pack, places, room_for
from windrow.errors import SceneError
from windrow.render.camera import PixelRays, pinhole
from windrow.render.paths import read_camera_path
from windrow.render.raster import prepare_spheres, prepare_triangles, visible
from windrow.render.splat import seen_balls
from windrow.scene.settings import Camera
from windrow.team import TEAM

COLORS = np.linspace(0.0, 1.0, 512 * 3, dtype=np.float32).reshape(1, 512, 3)


def cloud(count: int) -> FineRows:
    rng = np.random.default_rng(8)
    columns = [rng.uniform(-1.0, 1.0, count).astype(np.float32) for _ in range(3)]
    columns[0][::50] = np.nan
    look = rng.integers(0, 1 << 16, count).astype(np.uint32)
    return FineRows(*columns, *(np.zeros(count, np.float32) for _ in range(3)), look)


def test_packed_grains_are_where_they_were() -> None:
    grains = cloud(3000)
    packed = room_for(3000)
    pack(grains, 0, 3000, packed)
    there = packed.kind != 255
    assert np.array_equal(there, ~np.isnan(grains.x))
    found = places(packed)[there]
    for axis, column in enumerate(grains[:3]):
        assert np.abs(found[:, axis] - column[there]).max() < 2.0 / 65535
    assert np.array_equal(packed.rank[there], grains.look[there])


@pytest.mark.parametrize("parallel", [False, True])
def test_the_grains_that_are_seen_are_those_of_plain_drawing(parallel: bool) -> None:
    packed = room_for(3000)
    pack(cloud(3000), 0, 3000, packed)
    sizes = np.linspace(0.02, 0.06, 128).astype(np.float32)
    view = pinhole(Camera(eye=(2.5, -2.0, 1.5), target=(0, 0, 0)), 200, 120)
    if parallel:
        view = PixelRays(view.eye, view.axes, 50.0, 200, 120, parallel=True)
    there = np.flatnonzero(packed.kind != 255)
    place, radius = places(packed)[there].astype(np.float64), sizes[packed.rank[there] & 127].astype(np.float64)
    _, thing = visible(view, prepare_spheres(view, place, radius), prepare_triangles(view, np.zeros((0, 3, 3))))
    expected = {tuple(np.round(p, 4)) for p in place[np.unique(thing[thing >= 0])]}
    found = []
    try:
        for threads in (1, 2):
            TEAM.use(threads)
            found.append(seen_balls(view, packed, sizes, COLORS))
    finally:
        TEAM.use(2)
    for first, second in zip(*found, strict=True):
        assert np.array_equal(first, second)
    seen = {tuple(np.round(p, 4)) for p in found[0].position}
    # rounding decides for a few that one sample sees
    assert len(expected) > 500
    assert len(seen ^ expected) < 0.01 * len(expected)


def test_a_camera_goes_through_its_places(tmp_path: Path) -> None:
    path = tmp_path / "path.toml"
    tables = ((0.0, 3.0), (1.0, 2.0), (3.0, 1.0))
    path.write_text("".join(f"[[camera]]\ntime = {t}\neye = [{x}, 0, 1]\ntarget = [0, 0, 0]\n" for t, x in tables))
    way = read_camera_path(path)
    for t, x in tables:
        assert way.at(t).eye == pytest.approx((x, 0.0, 1.0))
    assert way.at(-1.0).eye == way.at(0.0).eye
    assert way.at(9.0).eye == way.at(3.0).eye
    # no jump of the velocity in the middle place
    before, after = way.at(1.0).eye[0] - way.at(0.999).eye[0], way.at(1.001).eye[0] - way.at(1.0).eye[0]
    assert before == pytest.approx(after, rel=0.01)
    for text, said in (
        ("", "table"),
        ("[[camera]]\neye = [0, 0, 1]\ntarget = [0, 0, 0]\n", "time"),
        ("[[camera]]\ntime = 1\neye = [0, 0]\ntarget = [0, 0, 0]\n", "eye"),
        ("x = [", "TOML"),
    ):
        path.write_text(text)
        with pytest.raises(SceneError, match=said):
            read_camera_path(path)
    with pytest.raises(SceneError, match="cannot be read"):
        read_camera_path(tmp_path / "none.toml")
