"""Heights from every source, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.scene.terrain import Hills, Terrain
from windrow.terrain.building import NO_DATA, PIXEL_SCALE, heights_of


def test_flat_ground_has_one_height_everywhere() -> None:
    heights = heights_of(Terrain(size=(4.0, 2.0), cell=0.5, height=1.25, soil="loam"))
    assert heights.shape == (8, 4)
    assert (heights == np.float32(1.25)).all()


def test_a_function_is_asked_in_the_middles_of_cells_of_the_world() -> None:
    scene = wr.Scene()
    terrain = scene.add_terrain(
        size=(2.0, 1.5), cell=0.5, height=lambda x, y: x + 10 * y, soil="loam", position=(100.0, 7.0, 0.0)
    )
    assert heights_of(terrain)[0, 0] == pytest.approx(99.25 + 10 * 6.5)
    assert heights_of(terrain)[-1, 0] == pytest.approx(100.75 + 10 * 6.5)


def test_a_picture_lies_with_its_upper_row_at_the_largest_y(tmp_path: Path) -> None:
    rows = np.zeros((4, 6), np.uint16)
    rows[0] = 65535
    Image.fromarray(rows).save(tmp_path / "hills.png")
    heights = heights_of(Terrain(cell=1.0, height="hills.png", height_range=(2.0, 5.0), soil="loam"), tmp_path)
    assert heights.shape == (6, 4)
    assert (heights[:, -1] == 5.0).all()
    assert (heights[:, :-1] == 2.0).all()


def test_a_survey_keeps_its_scale(tmp_path: Path) -> None:
    x = np.arange(30.0)
    Image.fromarray(np.tile(2000.0 + 0.5 * x, (20, 1)).astype(np.float32)).save(
        tmp_path / "site.tif", tiffinfo={PIXEL_SCALE: (2.0, 2.0, 0.0), NO_DATA: "-9999"}
    )
    heights = heights_of(Terrain(cell=0.5, height="site.tif", lowest=0.0, soil="loam"), tmp_path)
    assert heights.shape == (120, 80)
    assert heights.min() == 0.0
    # Heights rise by 0.25 m per metre; the outermost half pixels repeat the edge.
    assert np.allclose(np.diff(heights[4:-4, 0]), 0.125, atol=1e-3)


def test_hills_repeat_and_differ_by_seed() -> None:
    first, again, other = (
        heights_of(Terrain(size=(64, 64), cell=0.5, height=Hills(height=4, length=20, seed=seed), soil="loam"))
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.5
    assert first.min() == 0.0
    assert first.max() == pytest.approx(4.0)
    assert np.abs(np.diff(first, axis=0)).max() < 1.0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"size": (4, 4), "soil": "lom"}, "did you mean 'loam'"),
        ({"size": (4, 4)}, "soil"),
        ({"size": (4, 4), "cell": 0.3, "soil": "loam"}, "whole number of cells"),
        ({"size": (0, 4), "soil": "loam"}, "size"),
        ({"soil": "loam"}, "size: is needed"),
        ({"height": np.zeros((0, 0)), "soil": "loam"}, "height"),
        ({"height": np.zeros((8, 8)), "size": (4, 4), "soil": "loam"}, "16 × 16"),
        ({"height": np.full((8, 8), np.nan), "soil": "loam"}, "a hole at the edge, cell"),
        ({"size": (4, 4), "height": {"kind": "hils"}, "soil": "loam"}, "hills"),
        ({"size": (4, 4), "height": "nowhere.png", "soil": "loam"}, "no file"),
        ({"size": (1e5, 1e5), "cell": 0.1, "soil": "loam"}, "larger cells"),
        ({"size": (4, 4), "layers": [{"soil": "loam", "thickness": 0.3}]}, "the last goes down"),
    ],
)
def test_bad_ground_is_named_with_the_remedy(fields: dict[str, object], words: str) -> None:
    with pytest.raises(SceneError) as caught:
        wr.Scene().add_terrain(**fields)  # type: ignore[arg-type]
    assert words.lower() in str(caught.value).lower()


def test_a_hole_in_the_middle_of_a_survey_is_named(tmp_path: Path) -> None:
    rows = np.ones((9, 9), np.float32)
    rows[4, 2] = -9999
    Image.fromarray(rows).save(tmp_path / "site.tif", tiffinfo={NO_DATA: "-9999"})
    with pytest.raises(SceneError, match=r"a hole in the middle, cell \[2, 4\]"):
        heights_of(Terrain(cell=1.0, height="site.tif", soil="loam"), tmp_path)


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "site.png").write_text("no picture")
    with pytest.raises(FileFormatError, match=r"site\.png"):
        heights_of(Terrain(cell=1.0, height="site.png", soil="loam"), tmp_path)


@pytest.mark.parametrize("cells", [8, 80])
def test_ground_survives_a_file(tmp_path: Path, cells: int) -> None:
    scene = wr.Scene()
    rng = np.random.default_rng(1)
    scene.add_terrain(cell=0.1, height=rng.random((cells, cells)).astype(np.float32), soil="clay")
    for ending in ("toml", "json", "yaml"):
        wr.save_scene(scene, tmp_path / f"scene.{ending}")
        assert wr.load_scene(tmp_path / f"scene.{ending}") == scene
