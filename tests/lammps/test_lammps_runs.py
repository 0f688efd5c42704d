"""Runs of another engine: recordings, failures, stops and resuming, with a stand-in for LAMMPS."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from lammps_scenes import single, stand_in
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.errors import FileFormatError, SceneError
from windrow.lammps.driving import LammpsError
from windrow.lammps.dump import read_grains
from windrow.lammps.runs import LammpsRun, folder_of, is_begun

DEM = wr.DEM(dt=2e-5)


def begun(folder: Path, **manners: float) -> LammpsRun:
    command = [sys.executable, str(stand_in(folder, **manners))]  # type: ignore[arg-type]
    simulation = wr.Simulation(single(True, (0, 0, -1)), solver=DEM)
    return LammpsRun.begin(simulation, folder / "hit.h5", command, 1, False)


def test_a_run_becomes_an_ordinary_recording(tmp_path: Path) -> None:
    scene = single(True, (0, 0, -1))
    scene.solver = DEM
    wr.save_scene(scene, tmp_path / "hit.toml")
    command = f"{sys.executable} {stand_in(tmp_path)}"
    out = tmp_path / "hit.h5"
    words = ["run", str(tmp_path / "hit.toml"), "--engine", "lammps", "--lammps-command", command, "--out", str(out)]
    answer = CliRunner().invoke(app, [*words, "--json"])
    assert answer.exit_code == 0, answer.output
    result = json.loads(answer.stdout)
    assert (result["engine"], result["frames"], result["interrupted"]) == ("lammps", 11, False)
    assert not folder_of(out).exists()
    with wr.Recording(out) as recording:
        assert recording.times == pytest.approx(np.arange(11) * 6e-4)
        first = recording[0]
        assert first.position == pytest.approx(np.array([[0, 0, 0.0105]]), abs=1e-7)
        assert first.material_names == ["steel"]
        assert first.mass[0] > 0
    assert CliRunner().invoke(app, ["plot", str(out), "--out", str(tmp_path / "p.png")]).exit_code == 0


def test_an_error_of_lammps_is_told_in_its_words_and_leaves_no_recording(tmp_path: Path) -> None:
    with begun(tmp_path, breaks=True) as run, pytest.raises(LammpsError, match="Particle outside surface of region"):
        run.go(lambda step: None, lambda: None)
    assert not (tmp_path / "hit.h5").exists()
    assert not is_begun(tmp_path / "hit.h5")
    # what failed does not stand in the way of another try
    with begun(tmp_path) as run:
        assert run.go(lambda step: None, lambda: None)


def test_a_stopped_run_is_recorded_so_far_and_continues(tmp_path: Path) -> None:
    out = tmp_path / "hit.h5"
    seen: list[int] = []

    def stop_soon() -> None:
        if len(seen) >= 3:
            raise KeyboardInterrupt

    with begun(tmp_path, sleep=0.3) as run:
        assert not run.go(seen.append, stop_soon)
        frames, _ = run.record()
    assert 3 <= frames < 11
    assert is_begun(out)
    with pytest.raises(SceneError, match="windrow resume"):
        begun(tmp_path)
    stand_in(tmp_path)
    refused = CliRunner().invoke(app, ["resume", str(out), "--seconds", "1"])
    assert refused.exit_code == 2
    answer = CliRunner().invoke(app, ["resume", str(out)])
    assert answer.exit_code == 0, answer.output
    assert not folder_of(out).exists()
    with wr.Recording(out) as recording:
        assert recording.times == pytest.approx(np.arange(11) * 6e-4)


def test_after_a_kill_the_last_restart_file_is_not_trusted(tmp_path: Path) -> None:
    with begun(tmp_path) as run:
        for step in (10, 20, 30):
            (run.folder / f"run.{step}.restart").write_text("")
        run._prune()
        assert sorted(path.name for path in run.folder.glob("*.restart")) == ["run.20.restart", "run.30.restart"]
        restart = run._restart()
        assert restart is not None
        assert restart.name == "run.20.restart"
        run._note("stopped")
        restart = run._restart()
        assert restart is not None
        assert restart.name == "run.30.restart"


def test_ranks_that_lammps_does_not_see_are_an_error(tmp_path: Path) -> None:
    with begun(tmp_path, sleep=0.2) as run:
        run.notes["ranks"] = 2
        with pytest.raises(LammpsError, match="--ranks 2: LAMMPS sees 1"):
            run.go(lambda step: None, lambda: None)


def test_a_frame_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "frame.5.dump"
    head = "ITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS\n0 1\n0 1\n0 1\n"
    path.write_text(head + "ITEM: ATOMS id x\n1 2\n")
    with pytest.raises(FileFormatError, match="1 of 2 grains"):
        read_grains(path)
