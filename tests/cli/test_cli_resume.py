"""Runs that are stopped, killed or extended continue to the bit, in real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_scenes import stopped_at, wait_for, windrow, written
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.record.checkpoint import checkpoint_path

LONG = "100000"
"""Simulated seconds that no test waits for."""


def started(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        windrow(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def result_of(*words: object) -> dict[str, Any]:
    answer = CliRunner().invoke(app, [*map(str, words), "--threads", "1"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def undisturbed(scene: Path, step: int) -> wr.Simulation:
    """The same scene, run to that step in one go."""
    simulation = wr.Simulation(wr.load_scene(scene), threads=1)
    for _ in range(step):
        simulation.step()
    return simulation


def frames_in(path: Path) -> int:
    """Complete frames in a recording that may be half made."""
    try:
        with wr.Recording(path) as recording:
            return len(recording)
    except wr.errors.FileFormatError:
        return 0


def assert_same_frames(path: Path, scene: Path) -> None:
    """Every recorded frame is, bit for bit, that of an undisturbed run."""
    simulation = wr.Simulation(wr.load_scene(scene), threads=1)
    with wr.Recording(path) as recording:
        steps = recording.steps
        assert len(set(steps)) == len(steps)
        for frame in recording:
            while simulation.state.step < frame.step:
                simulation.step()
            same = simulation.frame()
            assert np.array_equal(frame.id, same.id)
            assert np.array_equal(frame.position, same.position)
            assert np.array_equal(frame.velocity, same.velocity)
            assert np.array_equal(frame.force, same.force)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_run_that_continues_to_the_bit(tmp_path: Path, number: signal.Signals) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    process = started("run", scene, "--out", out, "--seconds", LONG, "--threads", 1, "--json")
    wait_for(lambda: frames_in(out) >= 3, process)
    process.send_signal(number)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert f"windrow resume {out}" in said
    assert "Traceback" not in said
    stopped = json.loads(printed)
    assert stopped["interrupted"]
    assert stopped["state_hash"] == undisturbed(scene, stopped["steps"]).hash()

    # To a moment that is no frame's, and on from there to the end of a frame.
    more = result_of("resume", out, "--seconds", 0.31, "--json")
    assert more["steps"] == stopped["steps"] + 19
    assert more["state_hash"] == undisturbed(scene, more["steps"]).hash()
    assert_same_frames(out, scene)


def test_a_killed_run_continues_from_its_checkpoint_to_the_bit(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    process = started(
        "run", scene, "--out", out, "--seconds", LONG, "--threads", 1, "--checkpoint-every", 0.2
    )
    wait_for(lambda: frames_in(out) >= 3 and checkpoint_path(out).exists(), process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    reached = wr.Simulation.load(checkpoint_path(out)).state.step
    more = result_of("resume", out, "--seconds", 0.5, "--json")
    assert more["steps"] == reached + 30
    assert more["state_hash"] == undisturbed(scene, more["steps"]).hash()
    assert_same_frames(out, scene)
    with wr.Recording(out) as recording:
        assert recording.finished


def test_a_run_can_be_resumed_from_its_first_moments(tmp_path: Path) -> None:
    """A checkpoint is written with the first frame, not only after the usual interval."""
    scene, out = written(tmp_path), tmp_path / "run.h5"
    process = started("run", scene, "--out", out, "--seconds", LONG, "--threads", 1)
    wait_for(out.exists, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert result_of("resume", out, "--seconds", 0.1, "--json")["steps"] >= 6
    assert_same_frames(out, scene)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["falling.toml", "run.h5", "run.h5.checkpoint"]


def refused(*words: object) -> str:
    """What a command says that does not accept its input."""
    answer = CliRunner().invoke(app, [*map(str, words), "--threads", "1"])
    assert answer.exit_code == 2, answer.output
    return " ".join(answer.output.split())


def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    """Same scene, same step: only the id tells them apart."""
    scene, out, other, more = written(tmp_path), *(tmp_path / f"{name}.h5" for name in ("run", "other", "more"))
    for path in (out, other):
        result_of("run", scene, "--out", path, "--seconds", 0.1, "--json")
    kept = out.read_bytes()
    shutil.copy(checkpoint_path(other), checkpoint_path(out))
    for named in (out, checkpoint_path(out)):
        said = refused("resume", named, "--seconds", 0.1)
        assert "belongs to another recording" in said
        assert "--out FILE" in said
    assert out.read_bytes() == kept
    result_of("resume", out, "--seconds", 0.1, "--out", more, "--json")
    assert_same_frames(more, scene)


def test_a_recording_that_ends_before_its_checkpoint_is_refused(tmp_path: Path) -> None:
    """As after a loss of power, if frames were not on the disk when the checkpoint was."""
    scene, out, more = written(tmp_path), tmp_path / "run.h5", tmp_path / "more.h5"
    result_of("run", scene, "--out", out, "--seconds", 0.1, "--json")
    shorter = out.read_bytes()
    result_of("resume", out, "--seconds", 0.2, "--json")
    out.write_bytes(shorter)
    said = refused("resume", out, "--seconds", 0.1)
    assert "frames between them are lost" in said
    assert "--out FILE" in said
    assert out.read_bytes() == shorter
    result_of("resume", out, "--seconds", 0.1, "--out", more, "--json")
    assert_same_frames(more, scene)


def test_a_snapshot_that_is_no_checkpoint_is_not_joined(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    result_of("run", scene, "--out", out, "--seconds", 0.1, "--json")
    undisturbed(scene, 6).save(checkpoint_path(out))
    assert "no checkpoint" in refused("resume", out, "--seconds", 0.1)


def test_a_second_run_into_the_same_file_is_told(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    process = started("run", scene, "--out", out, "--seconds", LONG, "--threads", 1)
    try:
        wait_for(out.exists, process)
        for words in (("run", scene, "--out", out), ("resume", out, "--seconds", 1)):
            said = refused(*words)
            assert f"is being written by process {process.pid}" in said
            assert "choose another name" in said
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_without_a_recording_ctrl_c_leaves_a_checkpoint(tmp_path: Path) -> None:
    scene = written(tmp_path)
    done = stopped_at(5, "run", scene, "--seconds", LONG, "--threads", 1, folder=tmp_path)
    assert done.returncode == 130, done.stderr
    assert "windrow resume falling.checkpoint" in done.stderr
    rest = tmp_path / "falling.checkpoint"
    assert wr.Simulation.load(rest).state.step == 5
    more = result_of("resume", rest, "--seconds", 0.1, "--json")
    assert more["steps"] == 11
    assert more["state_hash"] == undisturbed(scene, 11).hash()


def test_a_stopped_run_goes_on_to_its_planned_end(tmp_path: Path) -> None:
    scene, out, whole = written(tmp_path), tmp_path / "run.h5", tmp_path / "whole.h5"
    done = stopped_at(7, "run", scene, "--out", out, "--seconds", 0.4)
    assert done.returncode == 130, done.stderr
    assert wr.Simulation.load(checkpoint_path(out)).state.step == 7
    result = result_of("resume", out, "--json")
    assert result["steps"] == 24
    undivided = result_of("run", scene, "--out", whole, "--seconds", 0.4, "--json")
    assert undivided["state_hash"] == result["state_hash"]
    with wr.Recording(out) as broken, wr.Recording(whole) as unbroken:
        # The moment of the stop may be there, too.
        assert set(broken.steps) - {7} == set(unbroken.steps)


def test_insisting_leaves_at_once_and_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    done = stopped_at(7, "run", scene, "--out", out, "--seconds", LONG, "--threads", 1, "--json", times=2)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert wr.Simulation.load(checkpoint_path(out)).state.step < 7
    more = result_of("resume", out, "--seconds", 0.2, "--json")
    assert more["state_hash"] == undisturbed(scene, more["steps"]).hash()
    assert_same_frames(out, scene)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["falling.toml", "run.h5", "run.h5.checkpoint"]


def test_a_finished_run_is_extended(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    result_of("run", scene, "--out", out, "--seconds", 0.3, "--json")
    result_of("resume", out, "--seconds", 0.2, "--json")
    whole = tmp_path / "whole.h5"
    result_of("run", scene, "--out", whole, "--seconds", 0.5, "--json")
    with wr.Recording(out) as first, wr.Recording(whole) as second:
        assert first.steps.tolist() == second.steps.tolist()
        assert all(np.array_equal(a.position, b.position) for a, b in zip(first, second, strict=True))


def test_a_new_end_is_known_as_soon_as_the_run_goes_on(tmp_path: Path) -> None:
    """Killed again right away, it is resumed to the end that was last asked for."""
    scene, out = written(tmp_path), tmp_path / "run.h5"
    result_of("run", scene, "--out", out, "--seconds", 0.1, "--json")
    before = checkpoint_path(out).read_bytes()
    process = started("resume", out, "--seconds", LONG, "--threads", 1)
    wait_for(lambda: checkpoint_path(out).read_bytes() != before, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert wr.Simulation.load(checkpoint_path(out)).scene.run.seconds > float(LONG)
    assert result_of("resume", out, "--seconds", 0.1, "--json")["steps"] >= 12


def test_the_checkpoint_may_be_named_itself(tmp_path: Path) -> None:
    scene, out = written(tmp_path), tmp_path / "run.h5"
    result_of("run", scene, "--out", out, "--seconds", 0.1, "--json")
    result = result_of("resume", checkpoint_path(out), "--seconds", 0.1, "--json")
    assert result["recording"] == str(out)
    assert frames_in(out) == 5


def test_a_saved_snapshot_continues_into_a_new_recording(tmp_path: Path) -> None:
    scene = written(tmp_path)
    simulation = undisturbed(scene, 10)
    simulation.save(tmp_path / "now.h5")
    kept = (tmp_path / "now.h5").read_bytes()
    more = tmp_path / "more.h5"
    result = result_of("resume", tmp_path / "now.h5", "--seconds", 0.1, "--out", more, "--json")
    assert result["steps"] == 16
    assert result["state_hash"] == undisturbed(scene, 16).hash()
    assert frames_in(more) >= 2
    assert (tmp_path / "now.h5").read_bytes() == kept
