"""What a URDF file says is what the machine has."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from made_urdf import ARM, in_the_world, stepper_of, written

import windrow
from windrow.errors import FileFormatError, MissingExtraError, SceneError, WindrowError
from windrow.scene import Box, Cylinder, Fixed, Gear, Hinge, Mesh, Slider, Sphere, VelocityMotor
from windrow.urdf.reading import mesh_file, read_urdf


def changed(folder: Path, *replacements: tuple[str, str]) -> Path:
    text = ARM
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return written(folder, text)


def test_links_become_bodies(tmp_path: Path) -> None:
    machine = windrow.read_urdf(written(tmp_path))
    assert [body.name for body in machine.bodies] == ["base", "upper", "slide", "finger"]
    base, upper, slide, _ = machine.bodies
    assert base.mass == 10
    assert base.center_of_mass == (0, 0, 0.1)
    np.testing.assert_allclose(base.position, (1, 2, 0))
    turn = np.array([[1, 0, 0], [0, math.cos(0.3), -math.sin(0.3)], [0, math.sin(0.3), math.cos(0.3)]])
    given = np.array([[0.3, 0.01, 0], [0.01, 0.2, 0.02], [0, 0.02, 0.15]])
    np.testing.assert_allclose(base.inertia, turn @ given @ turn.T, atol=1e-12)
    assert base.shapes[0].shape == Cylinder(radius=0.1, height=0.2)
    # A collision shape wins over what is only seen; what is seen serves where there is none.
    assert [piece.shape for piece in upper.shapes] == [Box(size=(0.5, 0.05, 0.05))]
    assert [piece.shape for piece in slide.shapes] == [Sphere(radius=0.05)]


def test_joints_keep_limits_motors_and_friction(tmp_path: Path) -> None:
    machine = read_urdf(written(tmp_path))
    mount, shoulder, rail, roll, gear = machine.joints
    assert isinstance(mount, Fixed)
    assert mount.second == ""
    assert isinstance(shoulder, Hinge)
    # Zero is outside of its limits: it starts at the one next to it, and counts from there.
    np.testing.assert_allclose(shoulder.range_deg, (0, math.degrees(1.0)), atol=1e-12)
    assert shoulder.motor == VelocityMotor(speed=2, max_force=80, control="shoulder")
    assert shoulder.brake is not None
    assert shoulder.brake.max_force == 0.3
    assert shoulder.spring is not None
    assert shoulder.spring.damping == 0.7
    assert isinstance(rail, Slider)
    assert rail.motor is None
    assert rail.range == (-0.1, 0.2)
    assert isinstance(roll, Hinge)
    assert roll.range_deg is None
    assert gear == Gear(name="roll mimics rail", first="roll", second="rail", ratio=-4)
    assert machine.controls.keys() == {"shoulder"}


def test_poses_follow_the_chain(tmp_path: Path) -> None:
    start = {"shoulder": 1.2, "rail": 0.05}
    places = in_the_world(stepper_of(read_urdf(written(tmp_path), start=start, drive="none")))
    heading = np.array([math.cos(0.5), math.sin(0.5), 0])
    pitch = 0.2 + 1.2
    along = heading * math.cos(pitch) - np.array([0, 0, math.sin(pitch)])
    shoulder = np.array([1, 2, 0.3])
    np.testing.assert_allclose(places["upper"][1], shoulder + 0.25 * along, atol=1e-9)
    np.testing.assert_allclose(places["slide"][1], shoulder + 0.55 * along, atol=1e-9)


def test_a_viscous_joint_slows_down_as_it_should(tmp_path: Path) -> None:
    text = """<robot name="rotor"><link name="world"/><link name="disc"><inertial><mass value="2"/>
      <inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/></inertial></link>
      <joint name="axle" type="continuous"><parent link="world"/><child link="disc"/><axis xyz="0 0 1"/>
      <dynamics damping="0.25"/></joint></robot>"""
    machine = read_urdf(written(tmp_path, text))
    machine.bodies[0].angular_velocity = (0, 0, 8)
    stepper = stepper_of(machine)
    for _ in range(120):
        stepper.step(1 / 60)
    assert stepper.motion.V[0, 5] == pytest.approx(8 * math.exp(-0.25 / 0.5 * 2), rel=2e-3)


@pytest.mark.parametrize("drive", ["position", "force", "none"])
def test_other_drives(tmp_path: Path, drive: str) -> None:
    shoulder = read_urdf(written(tmp_path), drive=drive).joints[1]
    assert isinstance(shoulder, Hinge)
    if drive == "none":
        assert shoulder.motor is None
    else:
        assert shoulder.motor is not None
        assert shoulder.motor.kind == drive
    stepper_of(read_urdf(written(tmp_path), drive=drive)).step(1 / 60)


def test_roots(tmp_path: Path) -> None:
    free = changed(
        tmp_path, ('<link name="world"/>', '<link name="footprint"/>'), ('link="world"', 'link="footprint"')
    )
    assert not any(isinstance(joint, Fixed) for joint in read_urdf(free).joints)
    held = read_urdf(free, fixed_base=True).joints[0]
    assert isinstance(held, Fixed)
    assert held.second == ""


def test_meshes_are_found_scaled_and_mirrored(tmp_path: Path) -> None:
    robot = tmp_path / "my_robot" / "urdf"
    (tmp_path / "my_robot" / "meshes").mkdir(parents=True)
    robot.mkdir()
    mesh = trimesh.creation.cone(1.0, 2.0)
    mesh.export(tmp_path / "my_robot" / "meshes" / "part.stl")
    for name, scale in (
        ("package://my_robot/meshes/part.stl", "0.001 0.001 0.001"),
        ("../meshes/part.stl", "1 -2 1"),
    ):
        text = ARM.replace('<box size="0.5 0.05 0.05"/>', f'<mesh filename="{name}" scale="{scale}"/>')
        shape = read_urdf(written(robot, text)).bodies[1].shapes[0].shape
        assert isinstance(shape, Mesh)
        if shape.file is not None:
            assert shape.scale == 0.001
        else:
            made = trimesh.Trimesh(shape.vertices, shape.faces)
            assert made.is_watertight
            assert made.volume == pytest.approx(2 * mesh.volume, rel=1e-5)
    with pytest.raises(SceneError, match=r"'upper'.*no mesh file 'nowhere.stl' \(looked for .*nowhere.stl\)"):
        read_urdf(
            written(robot, ARM.replace('<box size="0.5 0.05 0.05"/>', '<mesh filename="nowhere.stl"/>'))
        )
    with pytest.raises(SceneError, match=r"http:// is not looked up; copy the mesh"):
        mesh_file("http://example.org/part.stl", robot, "link 'a'")


def test_links_without_inertia_are_weighed_or_fixed(tmp_path: Path) -> None:
    text = """<robot name="r"><link name="ground"><collision><geometry><box size="4 4 1"/></geometry></collision></link>
      <link name="door"><collision><geometry><box size="1 0.1 2"/></geometry></collision></link>
      <joint name="j" type="continuous"><parent link="ground"/><child link="door"/><axis xyz="0 0 1"/></joint>
      </robot>"""
    with pytest.warns(UserWarning, match=r"weighed by the volume.*: door"):
        machine = read_urdf(written(tmp_path, text))
    assert [body.fixed for body in machine.bodies] == [True, False]
    assert stepper_of(machine).bodies.mass[1] == pytest.approx(0.2 * 1600)


WRONG = {
    "mass": (
        '<mass value="3"/>',
        '<mass value="0"/>',
        r"link 'upper': its mass is 0 kg; give it a positive mass",
    ),
    "negative mass": ('<mass value="3"/>', '<mass value="-3"/>', r"link 'upper': its mass is -3 kg"),
    "no number": (
        '<mass value="3"/>',
        '<mass value="three"/>',
        r"link 'upper': value of <mass> must be a finite",
    ),
    "not finite": (
        '<mass value="3"/>',
        '<mass value="nan"/>',
        r"must be a finite number within .* \(got 'nan'\)",
    ),
    "too large": (
        'xyz="0 0 0.3"',
        'xyz="0 0 1e300"',
        r"'shoulder': xyz of <origin> must be 3 finite numbers within",
    ),
    "odd name": ('<mass value="3"/>', '<mass value="3" é="1"/>', r"an element or attribute is called 'é'"),
    "inertia": (
        'ixx="0.01" ixy="0" ixz="0" iyy="0.08"',
        'ixx="9" ixy="0" ixz="0" iyy="0.08"',
        r"'upper'.*no mass has",
    ),
    "limits": (
        'lower="0.5" upper="1.5"',
        'lower="2" upper="1"',
        r"'shoulder': the limits conflict.*exchange them",
    ),
    "no limits": (
        '<limit lower="-0.1" upper="0.2" effort="0" velocity="0"/>',
        "",
        r"joint 'rail'.*needs <limit",
    ),
    "missing link": (
        '<child link="slide"/>',
        '<child link="slid"/>',
        r"'rail': child: unknown link 'slid'. Did you",
    ),
    "missing mimic": (
        'joint="rail" mult',
        'joint="rial" mult',
        r"'roll': mimic: unknown joint 'rial'. Did you mean",
    ),
    "planar": ('type="continuous"', 'type="planar"', r"joint 'roll': planar joints are not supported"),
    "type": ('type="continuous"', 'type="helical"', r"joint 'roll': unknown type 'helical'"),
    "axis": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', r"joint 'shoulder': its axis has no direction"),
    "origin": ('xyz="0 0 0.3"', 'xyz="0 0"', r"joint 'shoulder': xyz of <origin> must be 3 finite numbers"),
    "geometry": (
        '<sphere radius="0.05"/>',
        '<torus radius="1"/>',
        r"link 'slide': <visual> needs one geometry",
    ),
    "radius": ('<sphere radius="0.05"/>', '<sphere radius="-1"/>', r"link 'slide'.*radius"),
    "same name": ('<link name="slide">', '<link name="upper">', r"link 'upper': the name is taken"),
    "loop": (
        '<parent link="finger"/><child link="tool0"/>',
        '<parent link="finger"/><child link="base"/>',
        r"a parent",
    ),
    "two roots": (
        '<link name="tool0"/>',
        '<link name="tool0"/><link name="lost"/>',
        r"2 roots \('world', 'lost'\)",
    ),
    "massless": (
        '<link name="tool0"/>',
        '<link name="tool0"/>',
        r"'tool0': has no mass, but joint 'tip' moves it",
    ),
    "no name": ('<robot name="arm">', "<robot>", r"robot: has no name"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_by_name(tmp_path: Path, case: str) -> None:
    old, new, message = WRONG[case]
    changes = [(old, new)]
    if case == "massless":
        changes.append(('name="tip" type="fixed"', 'name="tip" type="continuous"'))
    with pytest.raises(SceneError, match=message):
        read_urdf(changed(tmp_path, *changes))


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(9)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB + ']><robot name="&j;"/>', r"document type.*remove it"),
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>', r"document type"),
        ("<a>" * 5000 + "</a>" * 5000, r"nested more than"),
        ("title = 'not XML'", r"not XML"),
        ("", r"not XML"),
        ("<robot name='x'><link name='a'>", r"not XML"),
        ("<robot name='x'>\x00</robot>", r"not XML"),
    ],
)
def test_bombs_and_garbage(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_urdf(written(tmp_path, text))


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no such file"):
        read_urdf(tmp_path / "missing.urdf")
    with pytest.raises(SceneError, match=r"root element is <sdf>"):
        read_urdf(written(tmp_path, "<sdf/>"))
    xacro = '<robot name="r" xmlns:xacro="http://wiki.ros.org/xacro"><xacro:arm/></robot>'
    with pytest.raises(SceneError, match=r"xacro macros; expand them first"):
        read_urdf(written(tmp_path, xacro))
    with pytest.raises(SceneError, match=r"unknown joint 'sholder'. Did you mean 'shoulder'"):
        read_urdf(written(tmp_path), start={"sholder": 1})
    with pytest.raises(SceneError, match=r"'shoulder': 3 lies outside of its limits 0.5 to 1.5"):
        read_urdf(written(tmp_path), start={"shoulder": 3})


@pytest.mark.parametrize("seed", range(5))
def test_damaged_files_are_read_or_refused(tmp_path: Path, seed: int) -> None:
    """Values replaced by nonsense: a machine or a clear error, nothing else."""
    rng = np.random.default_rng(seed)
    words = ["nan", "1e308", "-1", "0", "", "abc", "1 2", "1 2 3", "world", "base", "fixed", "&#233;"]
    refused = []
    for _ in range(40):
        text = ARM
        for _ in range(int(rng.integers(1, 4))):
            places = list(re.finditer(r'="([^"]*)"', text))
            chosen = places[int(rng.integers(len(places)))]
            text = text[: chosen.start(1)] + str(rng.choice(words)) + text[chosen.end(1) :]
        try:
            read_urdf(written(tmp_path, text))
        except WindrowError as error:
            refused.append(str(error))
    assert len(refused) > 10
    assert all("robot.urdf" in message for message in refused)


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yourdfpy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'windrow\[urdf\]'"):
        read_urdf(written(tmp_path))
