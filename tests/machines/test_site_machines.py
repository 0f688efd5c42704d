"""Excavator, bulldozer and tipper: published figures, self-collision, places, and scenes with them."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.machines.readings import oil, pose_of
from windrow.scene import Scene, load_machine
from windrow.solvers.multibody.apart import apart_of
from windrow.validate.check import Scenario
from windrow.validate.machine_excavator import SCENARIOS as EXCAVATOR
from windrow.validate.machine_others import SCENARIOS as OTHERS
from windrow.validate.machine_rigs import HeldMachine, on_plane, on_stand

CONTROLS = {
    "excavator": {"swing", "boom", "stick", "bucket", "left_track", "right_track"},
    "bulldozer": {"blade_lift", "blade_tilt", "blade_angle", "left_track", "right_track"},
    "tipper": {"throttle", "brake", "steer", "tip"},
}
MASSES = {"excavator": 21.6e3, "bulldozer": 20.6e3, "tipper": 23e3}


@pytest.mark.parametrize("scenario", [*EXCAVATOR, *OTHERS], ids=lambda scenario: scenario.name)
def test_published_figures(scenario: Scenario) -> None:
    for result in scenario.run():
        assert result.passed, result


@pytest.mark.parametrize("model", CONTROLS)
def test_controls_and_mass(model: str) -> None:
    machine = load_machine(model)
    assert set(machine.controls) == CONTROLS[model]
    assert machine.cabin is not None
    rig = HeldMachine(on_plane(model))
    assert rig.bodies.bodies.mass.sum() == pytest.approx(MASSES[model], rel=0.02)
    rig.hold(2.0)
    assert np.abs(rig.bodies.motion.V[: rig.bodies.bodies.count]).max() < 1e-3
    assert rig.unsolved == 0


def test_tools_say_where_they_cut() -> None:
    for model, body in (("excavator", "bucket"), ("bulldozer", "blade")):
        tool = load_machine(model).tool
        assert tool is not None
        assert tool.body == body
        assert tool.cutting is not None


def test_the_bucket_meets_its_own_house_and_tracks_but_not_its_linkage() -> None:
    rig = HeldMachine(on_stand("excavator", ("undercarriage",)))
    bodies = rig.bodies
    group, apart = apart_of(bodies.scene, bodies.joints.table.body, bodies.bodies.things)

    def touch(first: str, second: str) -> bool:
        a, b = sorted((bodies.bodies.index[first], bodies.bodies.index[second]))
        alike = group[a] >= 0 and group[a] == group[b]
        return not alike and a * bodies.bodies.things + b not in apart

    assert all(touch("bucket", other) for other in ("house", "undercarriage", "boom"))
    assert not any(touch("bucket", other) for other in ("stick", "link", "rocker", "bucket rod", "left sprocket"))
    assert not touch("boom", "house")
    assert not touch("stick", "boom")


def test_a_bucket_that_falls_on_its_own_track_stays_on_it() -> None:
    """Swung aside, drawn in and let down: it meets the shoes' frame before it is inside of it."""
    rig = HeldMachine(on_stand("excavator", ("undercarriage",)))
    rig.reach(20.0, boom=0.9, stick=1.0, bucket=0.9)
    while rig.bodies.joint("swing").coordinate < 1.2:
        rig.step(swing=0.5)
    rig.hold(8.0, boom=-0.6)
    names = rig.bodies.bodies.names
    touched = {names[k] for k in rig.bodies.contact_reading().bodies.ravel() if k < len(names)}
    assert touched <= {"bucket", "undercarriage", "house", "boom"}
    assert np.isfinite(rig.bodies.motion.x).all()
    assert rig.unsolved == 0


def test_gauges_of_the_excavator() -> None:
    rig = HeldMachine(on_plane("excavator"))
    rig.hold(1.0)
    rig.hold(0.8, boom=1.0)
    reading = oil(rig.bodies)
    assert set(reading.pressure) == {"boom", "stick", "bucket"}
    assert 5e6 < reading.pressure["boom"] < 3.5e7
    assert 0.004 < reading.flow["main"] < 0.0075
    assert 0.2 < reading.load["engine"] <= 1.0
    assert reading.power["engine"] < 1.1 * 0.85 * 121e3


def test_machines_in_the_ground_and_in_each_other_are_refused() -> None:
    scene = Scene()
    scene.add_terrain((30.0, 20.0), 0.25, soil="loam", depth=3.0)
    scene.add_machine("excavator", position=(0, 0, -0.6))
    with pytest.raises(SceneError, match=r"machines\[0\] \(excavator\).*deep in the ground; raise its position"):
        wr.Simulation(scene)
    scene = Scene()
    scene.add_terrain((30.0, 20.0), 0.25, soil="loam", depth=3.0)
    scene.add_machine("excavator", position=(0, 0, 0.05))
    scene.add_machine("tipper", position=(2.0, 0.5, 0.05), name="truck")
    with pytest.raises(SceneError, match=r"inside of .*; move one of them away"):
        wr.Simulation(scene)


@pytest.mark.parametrize("name", ["excavator", "bulldozer"])
def test_built_in_scenes_drive(name: str) -> None:
    simulation = wr.Simulation(wr.load_scene(name))
    for control in ("left_track", "right_track"):
        simulation.control(control, 0.8)
    frame = "undercarriage" if name == "excavator" else "chassis"
    assert simulation.bodies is not None
    before = pose_of(simulation.bodies, frame)[1]
    for _ in range(180):
        simulation.step()
    after = pose_of(simulation.bodies, frame)[1]
    assert 0.5 < after[0] - before[0] < 8.0
    assert simulation.ledger["mass_error"] == 0.0
