"""Machines in scenes: placed as a whole, named, written to files and read back, refused with a reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.errors import FileFormatError, SceneError
from windrow.scene import Scene, built_in_machines, load_machine, load_scene, rotation_matrix, save_scene
from windrow.scene.motion import rotation_vector

CART = """
title = "A cart"
[controls]
go = "forward"
[materials.wood]
density = 600.0
friction_static = 0.5
[[bodies]]
name = "plank"
material = "wood"
position = [1.0, 0.0, 0.5]
rotation_deg = [0.0, 30.0, 0.0]
velocity = [1.0, 0.0, 0.0]
shapes = [{kind = "box", size = [1.0, 0.5, 0.1]}]
group = "cart"
[[bodies]]
name = "wheel"
material = "wood"
position = [1.0, 0.5, 0.2]
shapes = [{kind = "sphere", radius = 0.2}]
[[joints]]
kind = "hinge"
name = "axle"
first = "wheel"
second = "plank"
position = [1.0, 0.5, 0.2]
axis = [0.0, 1.0, 0.0]
motor = {kind = "velocity", speed = 3.0, control = "go"}
[tool]
body = "plank"
lower = [-0.5, -0.2, 0.0]
upper = [0.5, 0.2, 0.3]
volume = 0.1
"""


def cart(folder: Path, text: str = CART) -> str:
    path = folder / "cart.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("model", built_in_machines())
def test_built_in_machines_can_be_placed(model: str) -> None:
    scene = Scene()
    scene.add_machine(model)
    together = scene.assembled()
    assert len(together.bodies) == len(load_machine(model).bodies)
    together.check()


def test_a_scene_without_machines_is_itself() -> None:
    scene = Scene()
    assert scene.assembled() is scene


def test_parts_are_turned_and_moved_together(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_machine(cart(tmp_path), position=(10.0, 20.0, 1.0), heading_deg=90.0, name="A")
    plank, wheel = scene.assembled().bodies
    np.testing.assert_allclose(plank.position, (10.0, 21.0, 1.5), atol=1e-12)
    np.testing.assert_allclose(wheel.position, (9.5, 21.0, 1.2), atol=1e-12)
    np.testing.assert_allclose(plank.velocity, (0.0, 1.0, 0.0), atol=1e-12)
    turned = rotation_matrix(np.deg2rad(plank.rotation_deg))
    wanted = rotation_matrix([0, 0, np.pi / 2]) @ rotation_matrix([0, np.pi / 6, 0])
    np.testing.assert_allclose(turned, wanted, atol=1e-12)
    (axle,) = scene.assembled().joints
    np.testing.assert_allclose(axle.axis, (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(axle.position, wheel.position, atol=1e-12)


def test_names_follow_the_placement(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_machine(cart(tmp_path), name="left")
    scene.add_machine(cart(tmp_path), name="right", position=(0.0, 5.0, 0.0))
    together = scene.assembled()
    assert [b.name for b in together.bodies] == ["left plank", "left wheel", "right plank", "right wheel"]
    assert [b.group for b in together.bodies] == ["left cart", "", "right cart", ""]
    assert [j.motor.control for j in together.joints] == ["left go", "right go"]
    assert together.joints[1].first == "right wheel"
    machine = scene.placed_machines()[1]
    assert machine.tool.body == "right plank"
    assert list(machine.controls) == ["right go"]


def test_a_scene_keeps_its_own_material(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_material("wood", density=900.0)
    scene.add_machine(cart(tmp_path))
    assert scene.assembled().materials["wood"].density == 900.0


@pytest.mark.parametrize("ending", ["toml", "yaml", "json"])
def test_scenes_with_machines_come_back_from_files(ending: str, tmp_path: Path) -> None:
    scene = Scene()
    scene.add_machine("wheel_loader", position=(1.0, 2.0, 0.0), heading_deg=30.0, name="A")
    save_scene(scene, tmp_path / f"yard.{ending}")
    assert load_scene(tmp_path / f"yard.{ending}") == scene


def test_machine_files_are_found_from_where_a_scene_is_saved(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_machine(cart(tmp_path))
    (tmp_path / "scenes").mkdir()
    save_scene(scene, tmp_path / "scenes" / "yard.toml")
    assert "../cart.toml" in (tmp_path / "scenes" / "yard.toml").read_text()
    assert len(load_scene(tmp_path / "scenes" / "yard.toml").assembled().bodies) == 2


def test_unknown_and_repeated_machines_are_refused(tmp_path: Path) -> None:
    scene = Scene()
    with pytest.raises(SceneError, match=r"machines\[0\].model: unknown machine 'wheel_loder'.*wheel_loader"):
        scene.add_machine("wheel_loder")
    with pytest.raises(SceneError, match=r"machines\[0\].model: .*none.toml: there is no such machine file"):
        scene.add_machine("none.toml")
    scene.add_machine(cart(tmp_path))
    with pytest.raises(SceneError, match=r"machines\[1\].name: left out, as that of machines\[0\]"):
        scene.add_machine(cart(tmp_path))
    assert len(scene.machines) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('first = "wheel"', 'first = "weel"'), r"joints\[0\].first: unknown body 'weel'.*wheel"),
        (('material = "wood"\nposition = [1.0, 0.5', 'material = "steel"\nposition = [1.0, 0.5'),
         r"bodies\[1\].material: unknown material 'steel'"),
        (('body = "plank"', 'body = "plonk"'), r"tool.body: unknown body 'plonk'.*plank"),
        (('go = "forward"', ""), r"controls: a joint follows 'go'; say under controls"),
        (('go = "forward"', 'go = "forward"\nstop = "brake"'), r"controls.stop: no joint follows it"),
        (("upper = [0.5", "upper = [-0.5"), r"tool: upper .* must exceed lower"),
        (("density = 600.0", "density = -1.0"), r"materials.wood.density: must be"),
        (('name = "wheel"', 'name = "plank"'), r"bodies: the name 'plank' is given twice"),
        (("speed = 3.0", "sped = 3.0"), r"joints\[0\].*motor.*sped"),
    ],
)  # fmt: skip
def test_bad_descriptions_name_the_field(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    assert change[0] in CART
    with pytest.raises(SceneError, match=r"cart.toml: " + message):
        load_machine(cart(tmp_path, CART.replace(*change)))


def test_what_is_no_toml_is_no_machine(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cannot be read as a machine"):
        load_machine(cart(tmp_path, "title = "))


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.floats(-1.0, 1.0)] * 3), st.floats(0.0, np.pi))
def test_rotation_vectors_invert_rotation_matrices(axis: tuple[float, float, float], angle: float) -> None:
    length = np.linalg.norm(axis)
    vector = np.array(axis) * (angle / length if length > 1e-3 else 0.0)
    back = rotation_matrix(rotation_vector(rotation_matrix(vector)))
    np.testing.assert_allclose(back, rotation_matrix(vector), atol=1e-12)
