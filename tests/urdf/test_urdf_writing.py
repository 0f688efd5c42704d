"""Machines go to URDF and come back: the same masses, inertias, joints and motion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from made_urdf import in_the_world, joint_places, stepper_of, written

import windrow
from windrow.errors import SceneError
from windrow.scene import (
    BallJoint,
    Body,
    Brake,
    Capsule,
    Cone,
    Distance,
    Fixed,
    Gear,
    Hinge,
    MachineDescription,
    Mesh,
    Scene,
    Slider,
    Sphere,
    Spheres,
    Spring,
    VelocityMotor,
    load_machine,
    rotation_matrix,
)
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.urdf.reading import read_urdf
from windrow.urdf.writing import roll_pitch_yaw, write_urdf


def same_bodies(first: MultibodyStepper, second: MultibodyStepper) -> None:
    before, after = in_the_world(first), in_the_world(second)
    assert before.keys() == after.keys()
    for name, (mass, center, inertia) in before.items():
        assert after[name][0] == pytest.approx(mass, rel=1e-12)
        np.testing.assert_allclose(after[name][1], center, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(after[name][2], inertia, atol=1e-9 * np.abs(inertia).max(), err_msg=name)


def test_the_wheel_loader_returns(tmp_path: Path) -> None:
    machine = load_machine("wheel_loader")
    with pytest.warns(UserWarning, match=r"'steering cylinder'.*closes a loop"):
        left_out = write_urdf(machine, tmp_path / "loader.urdf")
    # A tree has one joint less than links.
    held = sum(isinstance(joint, Hinge | Slider | Fixed) for joint in machine.joints)
    assert sum("closes a loop" in sentence for sentence in left_out) == held - len(machine.bodies) + 1 > 0
    again = read_urdf(tmp_path / "loader.urdf")
    first, second = stepper_of(machine), stepper_of(again)
    same_bodies(first, second)
    before, after = joint_places(first), joint_places(second)
    # What is driven stays in the tree.
    assert {"lift", "tilt", "steering", "drive front left", "bucket pin"} <= after.keys()
    for name, (place, axis) in after.items():
        np.testing.assert_allclose(place, before[name][0], atol=1e-9, err_msg=name)
        assert abs(axis @ before[name][1]) == pytest.approx(1, abs=1e-12)
    ranges = {joint.name: joint for joint in machine.joints}
    for joint in again.joints:
        if isinstance(joint, Hinge) and joint.range_deg is not None:
            np.testing.assert_allclose(joint.range_deg, ranges[joint.name].range_deg, atol=1e-9)
    lift = next(joint for joint in again.joints if joint.name == "lift")
    assert isinstance(lift, Slider)
    assert isinstance(lift.motor, VelocityMotor)
    cylinder = ranges["lift"].motor
    assert lift.motor.max_force == pytest.approx(cylinder.area * cylinder.pressure_limit)


def test_a_small_arm_returns(tmp_path: Path) -> None:
    arm = read_urdf(written(tmp_path), start={"shoulder": 0.8})
    write_urdf(arm, tmp_path / "again.urdf")
    again = read_urdf(tmp_path / "again.urdf")
    same_bodies(stepper_of(arm), stepper_of(again))
    for joint, copy in zip(arm.joints, again.joints, strict=True):
        assert joint.kind == copy.kind
        assert joint.name == copy.name
        if isinstance(joint, Hinge | Slider):
            assert copy.motor == joint.motor
            assert copy.brake == joint.brake
            assert copy.spring == joint.spring
            np.testing.assert_allclose(copy.position, joint.position, atol=1e-12)
            axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
            np.testing.assert_allclose(copy.axis, axis, atol=1e-12)
        if isinstance(joint, Gear):
            assert copy.ratio == pytest.approx(joint.ratio)


def pendulum(backwards: bool) -> Scene:
    """Two rods, hung up out of their plane; `backwards` names the bodies of the lower joint the other way round."""
    scene = Scene()
    scene.add_material("steel", density=7800)
    tilt = (0.3, 0.4, 0.0)
    scene.add_body(
        "upper", "steel", mass=1, inertia=[0.02, 1 / 12, 0.09], position=(0.5, 0, 0), rotation_deg=tilt
    )
    scene.add_body("lower", "steel", mass=2, inertia=[0.02, 1 / 6, 0.18], position=(1.4, 0, 0.2))
    ends = ("upper", "lower") if backwards else ("lower", "upper")
    scene.add_joint(Hinge(name="hook", first="upper", position=(0, 0, 0), axis=(0, 1, 0)))
    scene.add_joint(
        Hinge(
            name="knee",
            first=ends[0],
            second=ends[1],
            position=(1, 0, 0),
            axis=(0.1, 1, 0),
            range_deg=(-60, 170),
        )
    )
    return scene


@pytest.mark.parametrize("backwards", [False, True])
def test_a_double_pendulum_swings_the_same(tmp_path: Path, backwards: bool) -> None:
    scene = pendulum(backwards)
    write_urdf(scene, tmp_path / "pendulum.urdf")
    own, read = MultibodyStepper(scene), stepper_of(windrow.read_urdf(tmp_path / "pendulum.urdf"))
    rows = [read.bodies.names.index(name) for name in own.bodies.names]
    fastest = 0.0
    for _ in range(180):
        own.step(1 / 60)
        read.step(1 / 60)
        fastest = max(fastest, float(np.abs(own.motion.V[:2]).max()))
        # Chaos doubles rounding a few times a second.
        np.testing.assert_allclose(read.motion.x[rows], own.motion.x[:2], atol=1e-6)
    assert fastest > 3.0
    assert own.joint("knee").coordinate == pytest.approx(read.joint("knee").coordinate, abs=1e-5)


def test_shapes_of_all_kinds(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_material("steel", density=7800)
    tetrahedron = Mesh(
        vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    )
    shapes = [
        Capsule(radius=0.1, height=0.4),
        Cone(radius=0.2, height=0.5),
        Spheres(centers=[[0, 0, 0], [0.1, 0, 0]], radii=[0.1, 0.2]),
        tetrahedron,
    ]
    for k, shape in enumerate(shapes):
        scene.add_body(
            f"body {k}", "steel", shapes=[shape], position=(k, 0, 0), rotation_deg=(10 * k, 20, 30)
        )
    scene.add_body("anvil", "steel", shapes=[Sphere(radius=1)], fixed=True, position=(0, 9, 0))
    assert write_urdf(scene, tmp_path / "shapes.urdf") == []
    again = read_urdf(tmp_path / "shapes.urdf")
    same_bodies(MultibodyStepper(scene), stepper_of(again))
    kinds = {body.name: [piece.shape.kind for piece in body.shapes] for body in again.bodies}
    assert kinds["body 0"] == ["cylinder", "sphere", "sphere"]
    assert kinds["body 1"] == kinds["body 3"] == ["mesh"]
    assert kinds["body 2"] == ["sphere", "sphere"]
    assert [body.name for body in again.bodies if body.fixed] == ["anvil"]
    first, second = MultibodyStepper(scene), stepper_of(again)
    for stepper in (first, second):
        for _ in range(30):
            stepper.step(1 / 60)
    np.testing.assert_allclose(second.motion.x[0], first.motion.x[0], atol=1e-6)


def test_what_urdf_cannot_say_is_named(tmp_path: Path) -> None:
    scene = pendulum(False)
    scene.add_joint(BallJoint(name="socket", first="lower", position=(1.8, 0, 0.4)))
    scene.add_joint(Distance(name="rope", first="upper", positions=((0.5, 0, 0), (0.5, 0, 2)), range=(0, 3)))
    scene.add_plane((0, 0, 1), -9.0, "steel")
    hook = scene.joints[0]
    assert isinstance(hook, Hinge)
    hook.spring, hook.brake = Spring(stiffness=3), Brake(max_force=1, control="stop")
    with pytest.warns(
        UserWarning, match=r"'socket'.*'rope'.*spring of joint 'hook'.*brake of joint 'hook'.*obstacles"
    ):
        write_urdf(scene, tmp_path / "x.urdf")


def test_a_body_called_world_is_refused(tmp_path: Path) -> None:
    machine = MachineDescription(
        materials={"m": {}}, bodies=[Body(name="world", material="m", shapes=[Sphere(radius=1)])], joints=[]
    )
    with pytest.raises(SceneError, match=r"'world'.*rename it"):
        write_urdf(machine, tmp_path / "x.urdf")


def test_fixed_to_the_world(tmp_path: Path) -> None:
    scene = pendulum(False)
    scene.add_joint(Fixed(name="clamp", first="lower", position=(1, 0, 0)))
    with pytest.warns(UserWarning, match=r"closes a loop"):
        write_urdf(scene, tmp_path / "x.urdf")


def turned(angles: tuple[float, float, float]) -> np.ndarray:
    """Rz(y) Ry(p) Rx(r), from rotations about single axes."""
    roll, pitch, yaw = (rotation_matrix(angle * np.eye(3)[axis]) for axis, angle in enumerate(angles))
    return yaw @ pitch @ roll


def test_angles_of_every_rotation() -> None:
    rng = np.random.default_rng(0)
    for angles in [*rng.uniform(-math.pi, math.pi, (50, 3)), (0.4, math.pi / 2, -1.0), (1, -math.pi / 2, 2)]:
        np.testing.assert_allclose(turned(roll_pitch_yaw(turned(angles))), turned(angles), atol=1e-12)
