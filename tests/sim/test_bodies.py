"""Rigid bodies inside of a simulation: stepped, seen, recorded, restarted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.record.recording import Recording
from windrow.render.surfaces import body_balls
from windrow.scene.bodies import Spheres
from windrow.scene.joints import Hinge, VelocityMotor
from windrow.scene.shapes import Box, Sphere


def _scene() -> wr.Scene:
    scene = wr.Scene(title="bodies only")
    scene.add_material("rock", density=2600.0, friction_static=0.6)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="floor")
    scene.add_body("box", "rock", shapes=[Box(size=(1, 1, 1))], position=(0, 0, 0.5))
    scene.add_body("ball", "rock", shapes=[Sphere(radius=0.3)], position=(0.0, 0.0, 1.3))
    scene.add_body(
        "rock",
        "rock",
        shapes=[Spheres(centers=[[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]], radii=0.2)],
        position=(-1.5, 0, 0.2),
    )
    scene.add_body("wheel", "rock", shapes=[Sphere(radius=0.2)], position=(3, 0, 2))
    scene.add_joint(
        Hinge(
            name="axle",
            first="wheel",
            position=(3, 0, 2),
            axis=(0, 1, 0),
            motor=VelocityMotor(speed=2.0, control="turn"),
        )
    )
    return scene


@pytest.fixture(scope="module")
def simulation() -> wr.Simulation:
    simulation = wr.Simulation(_scene())
    simulation.run(1.0)
    return simulation


def test_bodies_follow_obstacles_in_a_frame(simulation: wr.Simulation) -> None:
    frame = simulation.frame()
    assert frame.body_names == ["floor", "box", "ball", "rock", "wheel"]
    assert frame.body_position[2, 2] == pytest.approx(1.3, abs=2e-3)
    assert np.allclose(frame.body_rotation @ frame.body_rotation.transpose(0, 2, 1), np.eye(3), atol=1e-12)


def test_forces_are_those_of_statics(simulation: wr.Simulation) -> None:
    """Box and ball at rest: nothing in sum; the floor carries them."""
    assert simulation.bodies is not None
    weight = simulation.bodies.bodies.mass * 9.81
    force, torque = simulation.body("ball")
    assert force[2] == pytest.approx(weight[1], rel=1e-3)
    assert np.abs(torque).max() < 1e-3 * weight[1]
    assert simulation.body("box")[0][2] == pytest.approx(weight[0], rel=1e-3)
    assert simulation.body("floor")[0][2] == pytest.approx(-weight[:3].sum(), rel=1e-3)


def test_a_restarted_run_is_the_uninterrupted_one(simulation: wr.Simulation) -> None:
    snapshot = simulation.snapshot()
    again = wr.Simulation.restore(snapshot)
    assert again.hash() == simulation.hash()
    for other in (simulation, again):
        other.control("turn", 0.5)
        other.run(0.2)
    assert again.hash() == simulation.hash()
    assert again.bodies is not None
    assert again.bodies.joint("axle").rate == pytest.approx(1.0, rel=1e-3)


def test_controls_are_named(simulation: wr.Simulation) -> None:
    assert simulation.controls == ["turn"]
    with pytest.raises(SceneError, match=r"turm.*turn"):
        simulation.control("turm", 1.0)


def test_a_scene_without_machines_has_no_controls() -> None:
    scene = wr.Scene()
    scene.add_material("sand")
    scene.add_particles([[0, 0, 1]], radius=0.1, material="sand")
    simulation = wr.Simulation(scene)
    assert simulation.controls == []
    with pytest.raises(SceneError, match="no machines"):
        simulation.control("throttle", 1.0)


def test_bodies_are_recorded(simulation: wr.Simulation, tmp_path: Path) -> None:
    path = tmp_path / "bodies.h5"
    simulation.run(0.2, record=path)
    with Recording(path) as recording:
        frame = recording[len(recording) - 1]
    assert frame.body_names == simulation.body_names
    assert np.allclose(frame.body_position, simulation.frame().body_position, atol=1e-6)


def test_balls_of_bodies_are_drawn_where_they_are(simulation: wr.Simulation) -> None:
    balls = body_balls(simulation.scene)
    place = balls.positions(simulation.frame())
    assert len(place) == 5
    assert np.allclose(place[0], simulation.frame().body_position[2])


def test_an_empty_scene_is_refused() -> None:
    with pytest.raises(SceneError, match="no bodies"):
        wr.Simulation(wr.Scene())
