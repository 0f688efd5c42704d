"""`windrow list`, `new`, `schema`, and the options before the commands."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cli_scenes import windrow
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.scene import built_in_machines, built_in_scenes, load_machine, machine_titles, soils

COMMANDS = ("run", "resume", "list", "new", "schema", "plot", "render", "warmup", "bench", "validate")


def ran(*words: object) -> str:
    answer = CliRunner().invoke(app, [str(word) for word in words])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_list_describes_every_scene_machine_and_soil() -> None:
    lines = ran("list").splitlines()
    for name in built_in_machines():
        assert any(line.split()[:1] == [name] and load_machine(name).title in line for line in lines)
    for name, title in built_in_scenes().items():
        assert any(line.split()[:1] == [name] and title in line for line in lines)
    for name, soil in soils().items():
        assert any(line.split()[:1] == [name] and soil.title in line for line in lines)


def test_list_for_scripts() -> None:
    listed = json.loads(ran("list", "--json"))
    assert listed["scenes"]["pile"]
    assert listed["machines"] == machine_titles()
    assert set(listed["soils"]) == {"dry_sand", "wet_sand", "gravel", "loam", "clay"}


def test_every_built_in_scene_and_machine_has_a_title() -> None:
    assert all(built_in_scenes().values())
    assert all(machine_titles().values())


def test_new_writes_a_scene_that_loads(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    answer = CliRunner().invoke(app, ["new", str(path)])
    assert answer.exit_code == 0
    assert f"windrow run {path}" in answer.stderr
    assert wr.load_scene(path).particles
    assert [p.name for p in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("name", built_in_machines())
def test_new_writes_a_copy_of_a_machine_to_change(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    answer = CliRunner().invoke(app, ["new", "--machine", name, str(path)])
    assert answer.exit_code == 0, answer.output
    assert 'model = "mine.toml"' in answer.stderr
    assert load_machine(path) == load_machine(name)
    assert path.read_text(encoding="utf-8").startswith("#"), "comments are kept"
    scene = wr.Scene()
    scene.add_machine(path)
    assert scene.placed_machines()


def test_new_knows_the_machines_and_writes_nothing_for_others(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["new", "--machine", "wheel_lodaer", str(tmp_path / "mine.toml")])
    assert answer.exit_code == 2
    assert "unknown machine 'wheel_lodaer'. Did you mean 'wheel_loader'?" in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_new_replaces_nothing_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("precious")
    answer = CliRunner().invoke(app, ["new", str(path)])
    assert answer.exit_code == 2
    assert "--force" in answer.stderr
    assert path.read_text() == "precious"
    ran("new", path, "--force")
    assert "[materials.sand]" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "part"), [("mine.json", ".toml"), ("gone/mine.toml", "does not exist")])
def test_new_says_what_it_needs(name: str, part: str, tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["new", str(tmp_path / name)])
    assert answer.exit_code == 2
    assert part in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_schema_describes_every_field_with_its_unit() -> None:
    schema = json.loads(ran("schema"))
    assert set(schema["properties"]) == set(wr.Scene.model_fields)
    assert "m/s²" in schema["properties"]["gravity"]["description"]
    undescribed = [
        f"{name}.{field}"
        for name, part in {"Scene": schema, **schema["$defs"]}.items()
        for field, value in part.get("properties", {}).items()
        if "description" not in value and field not in ("kind", "name")
    ]
    assert undescribed == []


def test_version_and_help_in_a_real_process() -> None:
    version = subprocess.run(windrow("--version"), capture_output=True, text=True, check=True)
    assert version.stdout.strip() == f"windrow {wr.__version__}"
    help_ = subprocess.run(windrow("--help"), capture_output=True, text=True, check=True)
    for command in COMMANDS:
        assert f" {command} " in help_.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    text = ran(command, "--help")
    assert "Usage" in text
    assert "--help" in text


def test_a_reader_that_leaves_early_is_no_error() -> None:
    process = subprocess.Popen(windrow("schema"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    process.wait(timeout=30)


@pytest.mark.parametrize("command", ["bench", "validate"])
def test_names_are_listed_and_checked(command: str) -> None:
    names = [line.split()[0] for line in ran(command, "--list").splitlines()]
    assert names
    answer = CliRunner().invoke(app, [command, names[0] + "x"])
    assert answer.exit_code == 2
    assert f"Did you mean '{names[0]}'" in answer.stderr
