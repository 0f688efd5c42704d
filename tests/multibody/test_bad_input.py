"""What cannot be simulated is refused with the name and the remedy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh

from windrow.errors import SceneError
from windrow.scene import (
    BallJoint,
    Box,
    CylinderJoint,
    Distance,
    Gear,
    Hinge,
    Mesh,
    PositionMotor,
    Scene,
    Slider,
    Sphere,
    load_scene,
    save_scene,
)
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import Y, empty, four_bar


def with_ball() -> Scene:
    scene = empty()
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.1)])
    return scene


@pytest.mark.parametrize("mass", [0, -2.5, math.nan, math.inf])
def test_masses_that_nothing_has(mass: float, tmp_path: Path) -> None:
    remedy = "fixed = true" if math.isfinite(mass) else "must be a finite number"
    with pytest.raises(SceneError, match=rf"Body 'ball': mass: .*{remedy}.*\(got {mass}\)"):
        empty().add_body("ball", "steel", shapes=[Sphere(radius=0.1)], mass=mass)
    path = tmp_path / "scene.toml"
    path.write_text(
        f"""materials.m = {{}}
        [[bodies]]
        name = "ball"
        material = "m"
        mass = {mass}
        shapes = [{{kind = "sphere", radius = 0.1}}]"""
    )
    with pytest.raises(SceneError, match=rf"scene\.toml: bodies\[0\] \(ball\)\.mass: .*{remedy}"):
        load_scene(path)


def test_densities_that_nothing_has() -> None:
    with pytest.raises(SceneError, match=r"Body 'ball': density: must be at least 0.001 \(got -5\)"):
        empty().add_body("ball", "steel", shapes=[Sphere(radius=0.1)], density=-5)


CUBE = trimesh.creation.box((1, 1, 1))
MESHES = {
    "open": (CUBE.faces[1:], r"not watertight \(3 open edges\).*fill_holes.*massless = true"),
    "inverted": (CUBE.faces[:, ::-1], r"inverted.*face inwards.*reverse the order"),
    "half turned": (np.vstack([CUBE.faces[:6], CUBE.faces[6:, ::-1]]), r"opposite orientation.*fix_winding"),
    "flat": (np.array([[0, 1, 2], [0, 2, 1]]), r"is flat.*thickness"),
}


@pytest.mark.parametrize("case", MESHES)
def test_meshes_that_enclose_nothing(case: str) -> None:
    faces, message = MESHES[case]
    scene = empty()
    scene.add_body("shell", "steel", shapes=[Mesh(vertices=CUBE.vertices, faces=faces)])
    with pytest.raises(SceneError, match=rf"bodies\[0\] \(shell\)\.shapes\[0\]\.shape.*{message}"):
        MultibodyStepper(scene)


def test_a_body_without_mass_and_shape() -> None:
    with pytest.raises(SceneError, match=r"'ghost' has no shape that weighs"):
        empty().add_body("ghost", "steel")


@pytest.mark.parametrize("inertia", [[1, 1, 5], [1, 1, 0], [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]])
def test_inertia_that_nothing_has(inertia: object) -> None:
    with pytest.raises(SceneError, match=r"body 'b'"):
        empty().add_body("b", "steel", mass=1, inertia=inertia)


def test_joints_to_missing_bodies_name_the_nearest() -> None:
    scene = with_ball()
    with pytest.raises(
        SceneError, match=r"joints\[0\] \(pin\)\.second: unknown body 'bal'\. Did you mean 'ball'"
    ):
        scene.add_joint(Hinge(name="pin", first="ball", second="bal", position=(0, 0, 0), axis=Y))
    assert scene.joints == []
    with pytest.raises(SceneError, match=r"unknown hinge, slider or cylinder 'pi'"):
        scene.add_joint(Gear(first="pi", second="pa", ratio=1))
    with pytest.raises(SceneError, match=r"to itself"):
        Hinge(first="ball", second="ball", position=(0, 0, 0), axis=Y)


def test_a_joint_between_fixed_things() -> None:
    scene = empty()
    scene.add_body("wall", "steel", shapes=[Box(size=(1, 1, 1))], fixed=True)
    with pytest.raises(SceneError, match=r"nothing that it joins can move"):
        scene.add_joint(Hinge(first="wall", position=(0, 0, 0), axis=Y))


def test_names_are_unique() -> None:
    scene = with_ball()
    with pytest.raises(SceneError, match=r"'ball' is taken"):
        scene.add_body("ball", "steel", shapes=[Sphere(radius=0.1)])


def test_conflicting_limits() -> None:
    with pytest.raises(
        SceneError, match=r"Hinge 'flap': range_deg: the limits conflict: 30 is more than -30; exchange"
    ):
        Hinge(name="flap", first="ball", position=(0, 0, 0), axis=Y, range_deg=(30, -30))
    scene = with_ball()
    scene.add_joint(Slider(name="rail", first="ball", position=(0, 0, 0), axis=Y, range=(0.1, 0.2)))
    with pytest.raises(
        SceneError, match=r"joints\[0\] \(rail\)\.range: it starts at -?0 m, outside of its range"
    ):
        MultibodyStepper(scene)
    scene.joints[0].range = (-0.2, 0.2)
    scene.joints[0].motor = PositionMotor(target=0.5)
    with pytest.raises(SceneError, match=r"rail\)\.motor: its target reaches 0\.5"):
        MultibodyStepper(scene)
    with pytest.raises(SceneError, match=r"area_pull"):
        CylinderJoint(
            first="ball",
            positions=((0, 0, 0), (0, 0, 1)),
            range=(0.5, 2),
            area=0.1,
            area_pull=0.2,
            pressure_limit=1e6,
            flow_limit=0.1,
        )


def test_an_unknown_control_names_the_known_ones() -> None:
    stepper = MultibodyStepper(four_bar(1.0))
    with pytest.raises(SceneError, match=r"unknown control 'speed'"):
        stepper.control("speed", 1)
    with pytest.raises(SceneError, match=r"unknown body 'cranc'. Did you mean 'crank'"):
        stepper.velocity("cranc")
    with pytest.raises(SceneError, match=r"unknown joint 'drif'. Did you mean 'drive'"):
        stepper.joint("drif")


def loop(length: float) -> Scene:
    """Two arms on the ground, one metre apart, whose ends a rod of the given length joins."""
    scene = empty()
    for x in (0.0, 1.0):
        scene.add_body(f"arm {x:g}", "steel", mass=1, inertia=[1, 1, 1], position=(x, 0, 0.5))
        scene.add_joint(Hinge(first=f"arm {x:g}", position=(x, 0, 0), axis=Y))
    ends = ((0, 0, 0.5), (0, 0, 0.5))
    scene.add_joint(Distance(name="rod", first="arm 0", second="arm 1", anchors=ends, length=length))
    return scene


def test_a_loop_is_closed_before_the_start_when_it_can_be() -> None:
    stepper = MultibodyStepper(loop(1.8))
    assert stepper.motion.x[0, 0] < -0.1
    stepper.step(1 / 60)
    assert stepper.joint("rod").coordinate == pytest.approx(1.8, abs=1e-5)
    assert np.abs(stepper.motion.V).max() < 0.2


def test_a_loop_that_cannot_close_is_refused() -> None:
    with pytest.raises(
        SceneError, match=r"joints\[\d\].*cannot be closed at the start.*check its anchors and length"
    ):
        MultibodyStepper(loop(3.5))


def test_loops_of_other_joints_that_cannot_close() -> None:
    """A ball at two places; a rod of no length to one place and a hinge at another."""
    scene = with_ball()
    scene.add_joint(Hinge(name="here", first="ball", anchors=((0, 0, 0), (0, 0, 0)), axis=Y))
    scene.add_joint(BallJoint(name="there", first="ball", anchors=((0, 0, 0), (2, 0, 0))))
    with pytest.raises(
        SceneError, match=r"joints\[\d\] \((here|there)\): cannot be closed.*open by 1 .*check its"
    ):
        MultibodyStepper(scene)


def test_bodies_and_joints_survive_files(tmp_path: object) -> None:
    scene = four_bar(2.0)
    path = f"{tmp_path}/machine.toml"
    save_scene(scene, path)
    again = load_scene(path)
    assert again.joints == scene.joints
    np.testing.assert_allclose([b.position for b in again.bodies], [b.position for b in scene.bodies])


def test_a_restart_continues_to_the_bit() -> None:
    straight, broken = MultibodyStepper(four_bar(5.0)), MultibodyStepper(four_bar(5.0))
    for _ in range(30):
        straight.step(1 / 60)
        broken.step(1 / 60)
    fresh = MultibodyStepper(four_bar(5.0))
    fresh.recall(broken.memory())
    for _ in range(30):
        straight.step(1 / 60)
        fresh.step(1 / 60)
    for name, value in straight.memory().items():
        np.testing.assert_array_equal(value, fresh.memory()[name], err_msg=name)
