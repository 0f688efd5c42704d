"""`windrow import-urdf` and `windrow export-urdf`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from windrow.cli.app import app
from windrow.scene import Scene, load_machine, save_scene

ROTOR = """<robot name="rotor"><link name="world"/><link name="disc"><inertial><mass value="2"/>
  <inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/></inertial>
  <collision><geometry><mesh filename="disc.obj"/></geometry></collision></link>
  <joint name="axle" type="revolute"><parent link="world"/><child link="disc"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="3" velocity="2"/></joint></robot>"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def rotor(tmp_path: Path) -> Path:
    (tmp_path / "disc.obj").write_text(TETRAHEDRON)
    path = tmp_path / "rotor.urdf"
    path.write_text(ROTOR)
    return path


def test_import_writes_a_machine_and_export_writes_it_back(tmp_path: Path, rotor: Path) -> None:
    out = tmp_path / "machines" / "rotor.toml"
    out.parent.mkdir()
    answer = CliRunner().invoke(app, ["import-urdf", str(rotor), str(out), "--start", "axle=0.5"])
    assert answer.exit_code == 0, answer.output
    assert "1 bodies, 1 joints" in answer.stderr
    assert "../disc.obj" in out.read_text()
    machine = load_machine(out)
    assert machine.controls.keys() == {"axle"}
    scene = Scene()
    scene.add_machine(str(out), position=(1, 0, 0))
    assert scene.assembled().bodies[0].position == (1, 0, 0)
    back = tmp_path / "again.urdf"
    answer = CliRunner().invoke(app, ["export-urdf", str(out), str(back)])
    assert answer.exit_code == 0, answer.output
    assert 'filename="disc.obj"' in back.read_text()
    answer = CliRunner().invoke(app, ["export-urdf", str(out), str(back)])
    assert answer.exit_code == 2
    assert "--force" in answer.stderr


def test_export_names_what_it_leaves_out(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["export-urdf", "wheel_loader", str(tmp_path / "x.urdf")])
    assert answer.exit_code == 0
    assert "warning" in answer.stderr
    assert "steering cylinder" in answer.stderr
    scene = Scene(materials={"m": {}})
    scene.add_body("ball", "m", shapes=[{"kind": "sphere", "radius": 1.0}])
    save_scene(scene, tmp_path / "scene.toml")
    answer = CliRunner().invoke(app, ["export-urdf", str(tmp_path / "scene.toml"), str(tmp_path / "s.urdf")])
    assert answer.exit_code == 0, answer.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.urdf", "out.toml"], "no such file"),
        (["rotor.urdf", "out.yaml"], "ends in .toml"),
        (["rotor.urdf", "nowhere/out.toml"], "does not exist"),
        (["rotor.urdf", "out.toml", "--drive", "steam"], "unknown kind of motor 'steam'"),
        (["rotor.urdf", "out.toml", "--start", "axle"], "JOINT=VALUE"),
        (["rotor.urdf", "out.toml", "--start", "axel=1"], "Did you mean 'axle'"),
    ],
)
def test_bad_input_is_told(
    rotor: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(rotor.parent)
    answer = CliRunner().invoke(app, ["import-urdf", *words])
    assert answer.exit_code == 2
    assert message in answer.stderr
    assert not (rotor.parent / "out.toml").exists()
