"""`windrow plot` and `windrow render`: files that hold what their names say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cli_scenes import written
from PIL import Image
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app

SMALL = ("--size", "96x64")


def ran(*words: object) -> str:
    """What the command said while it worked; results of these commands are files."""
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 0, answer.output
    assert answer.stdout == ""
    return answer.stderr


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    ran("run", written(folder), "--out", folder / "run.h5", "--quiet")
    return folder / "run.h5"


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("what", ["series", "profile", "forces", "timings"])
def test_plots(recording: Path, what: str, tmp_path: Path) -> None:
    out = tmp_path / "plot.png"
    said = ran("plot", recording, "--what", what, "--out", out)
    assert f"wrote {out}" in said
    drawn = picture(out)
    assert min(drawn.shape[:2]) > 200
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 20
    assert [p.name for p in tmp_path.iterdir()] == ["plot.png"]


def test_plots_and_pictures_lie_beside_the_recording(recording: Path) -> None:
    ran("plot", recording, "--quiet")
    ran("render", recording, "--quiet", *SMALL)
    assert recording.with_name("run_series.png").exists()
    assert recording.with_name("run_picture.png").exists()


def test_the_last_frame_is_drawn_unless_another_is_asked_for(recording: Path, tmp_path: Path) -> None:
    drawn = {}
    for name, words in {
        "default": (),
        "last": ("--frame", "-1"),
        "end": ("--time", 0.5),
        "first": ("--frame", 0),
    }.items():
        ran("render", recording, "--out", tmp_path / f"{name}.png", *words, *SMALL)
        drawn[name] = picture(tmp_path / f"{name}.png")
    assert drawn["default"].shape == (64, 96, 3)
    assert np.array_equal(drawn["default"], drawn["last"])
    assert np.array_equal(drawn["default"], drawn["end"])
    assert not np.array_equal(drawn["default"], drawn["first"])


def test_colours_can_be_chosen(recording: Path, tmp_path: Path) -> None:
    for color in ("material", "speed"):
        ran("render", recording, "--out", tmp_path / f"{color}.png", "--color-by", color, *SMALL)
    assert not np.array_equal(picture(tmp_path / "material.png"), picture(tmp_path / "speed.png"))


def test_a_scene_is_drawn_at_its_start_or_later(tmp_path: Path) -> None:
    scene = written(tmp_path)
    ran("render", scene, "--quiet", *SMALL)
    start = picture(tmp_path / "falling_picture.png")
    ran("render", scene, "--time", 0.2, "--out", tmp_path / "later.png", "--quiet", *SMALL)
    assert not np.array_equal(start, picture(tmp_path / "later.png"))


def test_a_snapshot_is_drawn(tmp_path: Path) -> None:
    simulation = wr.Simulation(wr.load_scene(written(tmp_path)))
    simulation.save(tmp_path / "now.h5")
    ran("render", tmp_path / "now.h5", "--quiet", *SMALL)
    assert picture(tmp_path / "now_picture.png").shape == (64, 96, 3)


def test_a_film_has_every_frame(recording: Path, tmp_path: Path) -> None:
    import imageio_ffmpeg

    out = tmp_path / "film.mp4"
    ran("render", recording, "--out", out, *SMALL)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(out))
    with wr.Recording(recording) as recorded:
        assert frames == len(recorded)
        assert recorded.frame_rate is not None
        assert seconds == pytest.approx(frames / recorded.frame_rate, rel=0.05)
