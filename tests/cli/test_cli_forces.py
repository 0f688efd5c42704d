"""`windrow render --chains` and `windrow plot --what stress`: forces, of what still knows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cli_scenes import FALLING, written
from PIL import Image
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.record.checkpoint import checkpoint_path

SMALL = ("--size", "96x64", "--quiet")


def ran(*words: object) -> None:
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 0, answer.output
    assert answer.stdout == ""


def refused(*words: object) -> str:
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 2, answer.output
    assert answer.stderr.startswith("error: ")
    return answer.stderr


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene for NDEM, its recording with checkpoint, and a snapshot of the same moment."""
    folder = tmp_path_factory.mktemp("forces")
    scene = written(folder, FALLING + "\n[solver]\nname = 'ndem'\n")
    ran("run", scene, "--out", folder / "run.h5", "--quiet")
    wr.Simulation.load(checkpoint_path(folder / "run.h5")).save(folder / "now.h5")
    return folder


def test_chains_are_the_same_from_scene_snapshot_and_recording(folder: Path, tmp_path: Path) -> None:
    ran("render", folder / "falling.toml", "--chains", "--out", tmp_path / "scene.png", *SMALL)
    ran("render", folder / "now.h5", "--chains", "--out", tmp_path / "snapshot.png", *SMALL)
    ran("render", folder / "run.h5", "--chains", "--out", tmp_path / "recording.png", *SMALL)
    images = [picture(tmp_path / f"{name}.png") for name in ("scene", "snapshot", "recording")]
    assert images[0].shape == (64, 96, 3)
    assert np.array_equal(images[0], images[1])
    assert np.array_equal(images[0], images[2])
    ran("render", folder / "now.h5", "--out", tmp_path / "grains.png", *SMALL)
    assert not np.array_equal(images[0], picture(tmp_path / "grains.png"))


def test_a_scene_is_run_up_to_the_time_asked_for(folder: Path, tmp_path: Path) -> None:
    for time in (0.1, 0.5):
        out = tmp_path / f"{time}.png"
        ran("render", folder / "falling.toml", "--chains", "--time", time, "--out", out, *SMALL)
    assert not np.array_equal(picture(tmp_path / "0.1.png"), picture(tmp_path / "0.5.png"))


def test_chains_lie_beside_the_file_under_their_own_name(folder: Path) -> None:
    ran("render", folder / "now.h5", "--chains", *SMALL)
    assert (folder / "now_chains.png").exists()


@pytest.mark.parametrize(
    ("what", "name"), [("stress", "now.h5"), ("stress_map", "run.h5"), ("stress", "falling.toml")]
)
def test_stress_is_plotted(what: str, name: str, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "plot.png"
    ran("plot", folder / name, "--what", what, "--out", out, "--quiet")
    drawn = picture(out)
    assert min(drawn.shape[:2]) > 200
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 20


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    recording, out = folder / "run.h5", tmp_path / "no.png"
    said = refused("render", recording, "--chains", "--time", 0.1, "--out", out)
    assert "recordings hold no contact forces" in said
    assert "--time" in said
    assert "no contact forces" in refused("plot", recording, "--what", "stress", "--frame", 0, "--out", out)
    alone = tmp_path / "alone.h5"
    alone.write_bytes(recording.read_bytes())
    said = refused("render", alone, "--chains", "--out", out)
    assert "alone.h5.checkpoint" in said
    assert "one moment" in refused("render", folder / "now.h5", "--chains", "--time", 0.1, "--out", out)
    assert "--color-by speed" in refused("render", recording, "--chains", "--color-by", "speed", "--out", out)
    assert ".png" in refused("render", recording, "--chains", "--out", tmp_path / "no.mp4")
    assert "without frames" in refused("render", folder / "falling.toml", "--chains", "--frame", 1)
    assert "no.txt" in refused("plot", folder / "now.h5", "--what", "stress", "--out", tmp_path / "no.txt")
    assert refused("render", tmp_path / "absent.h5", "--chains", "--out", out)
    assert list(tmp_path.iterdir()) == [alone]
