"""Shoes of tracks: all around the belt, as far on as the sprocket has turned."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.render.shoes import along, belts_of, shoe_triangles
from windrow.scene import Scene
from windrow.scene.assembling import rotation_of
from windrow.scene.joints import Track
from windrow.sim.simulation import Simulation


def scene_of(machine: str, heading: float = 0.0) -> Scene:
    scene = Scene()
    scene.add_material("ground", density=2000.0, friction_static=0.8)
    scene.add_plane((0, 0, 1), 0.0, "ground")
    scene.add_machine(machine, position=(3.0, -2.0, 0.0), heading_deg=heading)
    return scene


@pytest.mark.parametrize("machine", ["excavator", "bulldozer"])
def test_shoes_lie_around_the_belt_and_stand_on_the_ground(machine: str) -> None:
    belts = belts_of(scene_of(machine, 70.0).assembled())
    assert len(belts) == 2
    for belt in belts:
        length = np.linalg.norm(np.roll(belt.corners, -1, axis=0) - belt.corners, axis=1).sum()
        assert belt.shoes == pytest.approx(length / (0.19 if machine == "excavator" else 0.203), abs=0.5)
        drawn = belt.teeth * length / belt.shoes  # in a turn
        radius = 0.36 if machine == "excavator" else 0.42
        assert drawn == pytest.approx(2.0 * math.pi * radius, rel=0.05)
        assert belt.across == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)
        middle, ahead = belt.places(0.3)
        assert np.linalg.norm(np.diff(middle, axis=0), axis=1) == pytest.approx(length / belt.shoes, rel=0.2)
        assert np.linalg.norm(ahead, axis=1) == pytest.approx(1.0)
    simulation = Simulation(scene_of(machine, 70.0))
    triangles = shoe_triangles(belts, simulation.frame())
    assert triangles.corners[..., 2].min() == pytest.approx(0.0, abs=0.01)
    assert triangles.corners[..., 2].max() < 2.0
    assert np.abs(triangles.corners[..., :2].reshape(-1, 2) - [3.0, -2.0]).max() < 3.2


def test_a_belt_that_rolls_ahead_goes_backwards_on_the_ground() -> None:
    (belt, _) = belts_of(scene_of("excavator").assembled())
    before, _ = belt.places(0.0)
    after, _ = belt.places(0.1)
    ground = np.isclose(before[:, 2], before[:, 2].min(), atol=1e-6) & (np.abs(before[:, 0]) < 1.5)
    length = np.linalg.norm(np.roll(belt.corners, -1, axis=0) - belt.corners, axis=1).sum()
    way = 0.1 / (2.0 * math.pi) * belt.teeth * length / belt.shoes
    assert (after - before)[ground, 0] == pytest.approx(-way)
    whole, _ = belt.places(2.0 * math.pi)
    assert np.sort(whole[:, 0]) == pytest.approx(np.sort(before[:, 0]))


def test_shoes_turn_as_far_as_the_sprocket_wherever_the_machine_stands() -> None:
    simulation = Simulation(scene_of("excavator", 120.0))
    belt = belts_of(simulation.assembled)[0]
    assert belt.turned(simulation.frame()) == pytest.approx(0.0, abs=1e-9)
    simulation.control("left_track", 1.0)
    simulation.run(seconds=0.5)
    assert simulation.bodies is not None
    turned = abs(simulation.bodies.joint("left sprocket").coordinate)
    assert 0.2 < turned < 3.0
    assert belt.turned(simulation.frame()) == pytest.approx(turned, abs=0.02)


def test_places_on_a_line_go_around() -> None:
    square = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)])
    assert along(square, np.array([0.125, 1.125, -0.125])) == pytest.approx(
        np.array([(0.5, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.5, 0.0)])
    )
    assert rotation_of((0.0, 0.0, 90.0))[1, 0] == pytest.approx(1.0)


def test_a_line_that_is_too_short_is_refused() -> None:
    told = {"first": "a", "second": "b", "position": (0, 0, 0), "radius": 0.3, "length": 2.0, "width": 0.5}
    with pytest.raises(SceneError, match="three or more points"):
        Track.model_validate(told | {"belt": [(0.0, 0.0), (1.0, 0.0)]})
