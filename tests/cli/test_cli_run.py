"""`windrow run`: what it prints, what it writes, and that it computes what the Python face computes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_scenes import changed, windrow, written
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.cli.running import Driver

PROMISED = {
    "wall_time",
    "real_time_factor",
    "particles",
    "contacts",
    "mean_overlap",
    "max_overlap",
    "peak_overlap",
    "kinetic_energy",
    "ledger",
}


def ran(*words: object) -> Any:
    """What the command said, after it succeeded."""
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 0, answer.output
    return answer


def json_of(*words: object) -> dict[str, Any]:
    return json.loads(ran("run", *words, "--json").stdout)


def test_json_has_what_is_promised_and_nothing_else_is_printed(tmp_path: Path) -> None:
    result = json_of(written(tmp_path))
    assert set(result) >= PROMISED
    assert result["wall_time"] > 0
    assert result["real_time_factor"] > 0
    assert result["particles"] > 30
    assert result["contacts"] > 0
    assert 0 < result["mean_overlap"] <= result["max_overlap"] < 1


def test_numbers_are_those_of_the_python_face(tmp_path: Path) -> None:
    path = written(tmp_path)
    result = json_of(path, "--threads", 1, "--seed", 3)
    simulation = wr.Simulation(wr.load_scene(path), threads=2, seed=3)
    simulation.run(0.5)
    grains = simulation.particles
    speed = np.linalg.norm(grains.velocity.astype(float), axis=1)
    assert result["time"] == pytest.approx(0.5)
    assert result["steps"] == 30
    assert result["particles"] == len(grains)
    assert result["kinetic_energy"] == pytest.approx(float((0.5 * grains.mass * speed**2).sum()), rel=1e-5)
    assert result["ledger"]["emitted"] == simulation.ledger["emitted"] > 0
    assert result["ledger"]["missing"] == 0
    assert result["state_hash"] == _hash_of(path, seed=3)


def _hash_of(path: Path, seed: int) -> str:
    """Of the same run with the same plan; the scene is part of what a snapshot holds, not of the state."""
    simulation = wr.Simulation(wr.load_scene(path), seed=seed)
    simulation.run(0.5)
    return simulation.hash()


def test_seed_changes_the_result_and_only_that_does(tmp_path: Path) -> None:
    path = written(tmp_path)
    first, again, other = (json_of(path, "--seed", seed)["state_hash"] for seed in (1, 1, 2))
    assert first == again != other


def test_solver_options_reach_the_solver(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert json_of(path, "--solver-option", "dt=0.01")["steps"] == 50
    plain = json_of(path)["state_hash"]
    changed_ = json_of(path, "--solver-option", "substeps=3", "--solver-option", "sweeps=1")
    assert changed_["state_hash"] != plain
    other = json_of(path, "--solver-option", "name=p2", "--solver-option", "iterations=3")
    assert other["state_hash"] not in (plain, changed_["state_hash"])


def test_recording_has_the_frames_asked_for(tmp_path: Path) -> None:
    path, out = written(tmp_path), tmp_path / "run.h5"
    result = json_of(path, "--out", out, "--seconds", 0.4, "--frame-rate", 10)
    with wr.Recording(out) as recording:
        assert np.allclose(recording.times, [0.0, 0.1, 0.2, 0.3, 0.4], atol=0.02)
        assert len(recording[-1].id) == result["particles"]
        assert recording.finished
    assert result["recording"] == str(out)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["falling.toml", "run.h5", "run.h5.checkpoint"]


def test_summary_and_progress_for_people(tmp_path: Path) -> None:
    answer = ran("run", written(tmp_path), "--out", tmp_path / "run.h5")
    assert "real time" in answer.stdout
    assert "contacts" in answer.stdout
    assert str(tmp_path / "run.h5") in answer.stdout.replace("\n", "")
    assert "real time" in answer.stderr


def test_quiet_says_nothing(tmp_path: Path) -> None:
    answer = ran("run", written(tmp_path), "--quiet")
    assert answer.stdout == ""
    assert answer.stderr == ""


def test_a_deep_scene_is_warned_about_even_when_quiet(tmp_path: Path) -> None:
    deep = changed(
        ("size = [0.4, 0.4, 0.3]", "size = [0.1, 0.1, 3.5]"),
        ("upper = [1.0, 1.0, 3.0]", "upper = [1.0, 1.0, 9.0]"),
        ("position = [0.0, 0.0, 1.5]", "position = [0.0, 0.0, 5.0]"),
        ("[run]", "[solver]\nname = 'p2'\n\n[run]"),
    )
    path = written(tmp_path, deep)
    answer = ran("run", path, "--quiet", "--seconds", 0.05)
    assert answer.stderr.startswith("warning: ")
    assert "grains deep" in answer.stderr
    result = json_of(path, "--seconds", 0.05)
    assert any("grains deep" in text for text in result["warnings"])


def test_frozen_grains_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulation = wr.Simulation(wr.load_scene(written(tmp_path)))
    simulation.state.V[0, 0] = np.nan
    said: list[str] = []
    Driver(simulation, "falling", None, tmp_path / "rest", None, as_json=True, quiet=False, said=said).go()
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert result["frozen"] == 1
    assert result["steps"] == 30
    assert printed.err.count("held in place") == 1
    assert result["warnings"] == said
    assert "1 grain" in said[0]


def test_one_json_object_on_standard_output_of_a_real_process(tmp_path: Path) -> None:
    words = windrow("run", written(tmp_path), "--json")
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert set(json.loads(done.stdout)) >= PROMISED
