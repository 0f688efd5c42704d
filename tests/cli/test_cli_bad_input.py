"""Bad input: exit code 2, a message that names the place and the remedy, and nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import pytest
from cli_scenes import FALLING, changed, written
from typer.testing import CliRunner

from windrow.cli.app import app

SCENES: dict[str, tuple[str, list[str]]] = {
    "unknown field": (
        changed(('title = "Grains', 'titel = "Grains')),
        ["falling.toml", "titel", "did you mean 'title'"],
    ),
    "unknown nested field": (
        changed(("frame_rate = 20.0", "framerate = 20.0")),
        ["falling.toml", "run", "framerate", "did you mean 'frame_rate'"],
    ),
    "unknown material": (
        changed(('spread = 0.2\nmaterial = "sand"', 'spread = 0.2\nmaterial = "send"')),
        ["falling.toml", "emitters[0].material", "'send'", "Did you mean 'sand'"],
    ),
    "unknown kind of shape": (
        changed(('kind = "plane"', 'kind = "plain"')),
        ["falling.toml", "obstacles[0] (floor).shape", "'plain'", "Did you mean 'plane'"],
    ),
    "unknown solver": (
        FALLING + '[solver]\nname = "p3"\n',
        ["falling.toml", "solver", "p3", "p2"],
    ),
    "negative radius": (
        changed(("radius = 0.04", "radius = -0.04")),
        ["falling.toml", "emitters[0] (spout).radius", "-0.04", "must be at least"],
    ),
    "NaN": (
        changed(("density = 1600.0", "density = nan")),
        ["falling.toml", "materials.sand.density", "finite", "nan"],
    ),
    "infinite place": (
        changed(("position = [0.0, 0.0, 1.5]", "position = [0.0, 0.0, inf]")),
        ["falling.toml", "emitters[0] (spout).position", "finite", "inf"],
    ),
    "text for a number": (
        changed(("density = 1600.0", 'density = "heavy"')),
        ["falling.toml", "materials.sand.density", "number", "heavy"],
    ),
    "no length of step": (
        FALLING + "[solver]\ndt = 0.0\n",
        ["falling.toml", "solver.dt", "0", "at least"],
    ),
    "missing mesh": (
        changed(('"plane", normal = [0.0, 0.0, 1.0], offset = 0.0', '"mesh", file = "bucket.stl"')),
        ["falling.toml", "obstacles[0].shape.file", "bucket.stl"],
    ),
    "no grains": (
        FALLING[: FALLING.index("[[particles]]")],
        ["particles", "no grains", "add"],
    ),
    "capacity too small for the start": (
        "capacity = 10\n" + FALLING,
        ["capacity", "10", "raise"],
    ),
    "grains on top of each other": (
        changed(
            (
                '"block"\nlower = [-0.2, -0.2, 0.1]\nsize = [0.4, 0.4, 0.3]',
                '"points"\nposition = [[0, 0, 1], [0, 0, 1]]',
            ),
            ("radius = {min = 0.03, max = 0.05}", "radius = 0.05"),
        ),
        ["particles[0]", "overlap"],
    ),
    "grains inside of an obstacle": (
        changed(("offset = 0.0", "offset = 0.3")),
        ["floor", "inside an obstacle", "Move"],
    ),
    "two problems are told at once": (
        changed(("density = 1600.0", "density = -1.0"), ("frame_rate = 20.0", "frame_rate = 0.0")),
        ["materials.sand.density", "run.frame_rate"],
    ),
    "not TOML": ("title = = 3", ["falling.toml", "line 1"]),
}


def refused(*words: object) -> str:
    """The message of a command that did not accept its input."""
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 2, answer.output
    assert answer.stdout == ""
    assert "Traceback" not in answer.stderr
    return _unwrapped(answer.stderr)


def _unwrapped(text: str) -> str:
    """Usage errors come in a frame, cut into lines."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_refused(name: str, tmp_path: Path) -> None:
    text, expected = SCENES[name]
    path = written(tmp_path, text)
    message = refused("run", path, "--out", tmp_path / "run.h5")
    assert message.startswith("error: ")
    for part in expected:
        assert part in message
    assert [p.name for p in tmp_path.iterdir()] == ["falling.toml"]


def test_what_this_matrix_changes_is_otherwise_good(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["run", str(written(tmp_path)), "--seconds", "0.05", "--json"])
    assert answer.exit_code == 0, answer.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pille"], ["'pille'", "Did you mean 'pile'", "Known:"]),
        (["nowhere.toml"], ["nowhere.toml", "no such file"]),
        (["scene.txt"], ["scene.txt", ".toml"]),
        (["pile", "--seconds", "nan"], ["--seconds", "nan", "finite"]),
        (["pile", "--seconds", "inf"], ["--seconds", "inf", "finite"]),
        (["pile", "--seconds", "-1"], ["--seconds", "-1"]),
        (["pile", "--seconds", "soon"], ["--seconds", "number"]),
        (["pile", "--frame-rate", "0"], ["--frame-rate", "0", "more than 0"]),
        (["pile", "--threads", "0"], ["--threads", "0"]),
        (["pile", "--seed", "-1"], ["--seed", "-1"]),
        (["pile", "--solver-option", "iteration=3"], ["'iteration'", "did you mean 'iterations'", "Known:"]),
        (["pile", "--solver-option", "iterations"], ["'iterations'", "key=value"]),
        (["pile", "--solver-option", "iterations=0"], ["iterations", "at least 1", "0"]),
        (["pile", "--solver-option", "name=p3"], ["--solver-option", "p3", "p2"]),
        (["pile", "--solver-option", "dt=0"], ["dt", "at least", "0"]),
        (["pile", "--solver-option", "dt=nan"], ["dt", "nan"]),
        (["pile", "--solver-option", "method=jakobi"], ["method", "jakobi", "jacobi"]),
        (["pile", "--out", "nowhere/run.h5"], ["nowhere/run.h5", "nowhere does not exist", "create it"]),
        (["pile", "--sceonds", "1"], ["--sceonds", "--seconds"]),
    ],
)
def test_run_is_refused(
    words: list[str], expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refused("run", *words)
    for part in expected:
        assert part in message
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_file_is_never_replaced(tmp_path: Path) -> None:
    foreign = tmp_path / "thesis.h5"
    with h5py.File(foreign, "w") as file:
        file["data"] = 1.0
    before = foreign.read_bytes()
    message = refused("run", written(tmp_path), "--out", foreign)
    assert str(foreign) in message
    assert "another name" in message
    assert foreign.read_bytes() == before


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    out = folder / "run.h5"
    answer = CliRunner().invoke(app, ["run", str(written(folder)), "--out", str(out), "--quiet"])
    assert answer.exit_code == 0, answer.output
    return out


COMMANDS = {"resume": [], "plot": [], "render": []}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file(command: str, tmp_path: Path) -> None:
    message = refused(command, tmp_path / "gone.h5")
    assert "gone.h5" in message
    assert "no such file" in message


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n", b"\0" * 5000], ids=["empty", "picture", "zeros"])
def test_a_foreign_file(command: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign.h5"
    path.write_bytes(content)
    message = refused(command, path)
    assert "foreign.h5" in message
    assert "HDF5" in message or "is no Windrow snapshot, or its beginning is damaged" in message
    assert [p.name for p in tmp_path.iterdir()] == ["foreign.h5"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_foreign_hdf5_file(command: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign.h5"
    with h5py.File(path, "w") as file:
        file["data"] = 1.0
    assert "not a Windrow" in refused(command, path)


def test_a_cut_checkpoint(recording: Path, tmp_path: Path) -> None:
    for name in (recording.name, recording.name + ".checkpoint"):
        (tmp_path / name).write_bytes(recording.with_name(name).read_bytes())
    checkpoint = tmp_path / (recording.name + ".checkpoint")
    checkpoint.write_bytes(checkpoint.read_bytes()[:-2000])
    before = (tmp_path / recording.name).read_bytes()
    message = refused("resume", tmp_path / recording.name, "--seconds", 1)
    assert "run.h5.checkpoint" in message
    assert (tmp_path / recording.name).read_bytes() == before


def test_a_cut_recording(recording: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.h5"
    path.write_bytes(recording.read_bytes()[:3000])
    assert "cut.h5" in refused("plot", path)


def test_a_recording_without_its_checkpoint(recording: Path, tmp_path: Path) -> None:
    path = tmp_path / "lone.h5"
    path.write_bytes(recording.read_bytes())
    message = refused("resume", path)
    assert "lone.h5.checkpoint" in message
    assert "run the scene again" in message


def test_a_finished_run_asks_how_much_more(recording: Path) -> None:
    message = refused("resume", recording)
    assert "planned end at 0.5 s" in message
    assert "--seconds MORE" in message


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--frame", "999"], ["--frame 999", "frames 0 to"]),
        (["--time", "99"], ["--time 99", "0.5 s"]),
        (["--time", "0", "--frame", "0"], ["--time", "--frame", "one of them"]),
        (["--size", "big"], ["--size", "'big'", "1280x720"]),
        (["--size", "0x10"], ["0 x 10"]),
        (["--color-by", "sped"], ["--color-by", "'sped'", "Did you mean 'speed'"]),
        (["--out", "picture.bmp"], ["picture.bmp", ".png"]),
        (["--out", "nowhere/picture.png"], ["nowhere", "does not exist"]),
        (["--out", "film.mp4", "--time", "0"], ["film.mp4", "all frames"]),
        (["--out", "film.mp4", "--fps", "0"], ["0", "above 0"]),
        (["--out", "film.mp4", "--color-by", "sped"], ["'sped'", "Did you mean 'speed'"]),
    ],
)
def test_render_is_refused(
    recording: Path, words: list[str], expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refused("render", recording, *words)
    for part in expected:
        assert part in message
    assert list(tmp_path.iterdir()) == []


def test_a_scene_has_no_frames_and_makes_no_film(tmp_path: Path) -> None:
    assert "--time" in refused("render", "pile", "--frame", 3)
    assert "windrow run pile --out" in refused("render", "pile", "--out", tmp_path / "film.mp4")


def test_a_mistake_of_ours_is_told_as_one_and_exits_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Any:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("windrow.scene.files.load_scene", broken)
    answer = CliRunner().invoke(app, ["run", "pile"])
    assert answer.exit_code == 1
    assert "a mistake in Windrow: ZeroDivisionError" in answer.stderr
    assert "Traceback" not in answer.stderr
    answer = CliRunner().invoke(app, ["--traceback", "run", "pile"])
    assert answer.exit_code == 1
    assert "Traceback" in answer.stderr
