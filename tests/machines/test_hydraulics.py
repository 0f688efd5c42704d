"""Cylinders and drives that share pumps and an engine: relief, holding, cushions, levers, restart."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.machines.readings import oil
from windrow.scene import (
    Box,
    CylinderJoint,
    Engine,
    Hinge,
    HydraulicDrive,
    Lever,
    Pump,
    Scene,
    Slider,
    load_machine,
)
from windrow.solvers.multibody.form import check
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60
G = 9.81


def lift(masses: tuple[float, ...] = (20e3,), power: float = 1e9, lag: float = 0.0, **fields: float) -> Scene:
    """Weights on upright cylinders that share a pump of 5 L/s and 30 MPa."""
    scene = Scene()
    scene.add_material("steel", density=7800.0)
    scene.engines["diesel"] = Engine(power=power, efficiency=0.85)
    scene.pumps["main"] = Pump(flow=0.005, pressure_limit=3e7, engine="diesel")
    for k, mass in enumerate(masses):
        x, control = 2.0 * k, f"lift {k}"
        scene.levers[control] = Lever(dead_band=0.0, exponent=1.0, lag=lag)
        scene.add_body(f"weight {k}", "steel", shapes=[Box(size=(0.5, 0.5, 0.5))], mass=mass, position=(x, 0, 1.5))
        scene.add_joint(Slider(first=f"weight {k}", position=(x, 0, 1.5), axis=(0, 0, 1)))
        scene.add_joint(
            CylinderJoint(
                name=control, first=f"weight {k}", positions=((x, 0, 1.5), (x, 0, 0)), range=(1.2, 2.2), area=0.01,
                area_pull=0.006, pump="main", control=control, compliance=2e-8, **fields,
            )
        )  # fmt: skip
    return scene


def moved(bodies: MultibodyStepper, seconds: float, **controls: float) -> None:
    for name in bodies.joints.controls:
        bodies.control(name, controls.get(name.replace(" ", "_"), 0.0))
    for _ in range(round(seconds / DT)):
        bodies.step(DT)


def test_one_function_gets_all_oil_and_two_share_it() -> None:
    bodies = MultibodyStepper(lift((10e3, 10e3)))
    moved(bodies, 0.5, lift_0=1.0)
    assert bodies.joint("lift 0").rate == pytest.approx(0.5, rel=0.02)
    assert oil(bodies).flow["main"] == pytest.approx(0.005, rel=0.02)
    moved(bodies, 0.6, lift_0=1.0, lift_1=1.0)
    assert bodies.joint("lift 0").rate == pytest.approx(0.25, rel=0.02)
    assert bodies.joint("lift 1").rate == pytest.approx(0.25, rel=0.02)


def test_the_engine_slows_what_lifts_and_not_what_comes_down() -> None:
    bodies = MultibodyStepper(lift(power=5e4))
    moved(bodies, 1.5, lift_0=1.0)
    assert bodies.joint("lift 0").rate == pytest.approx(0.85 * 5e4 / (20e3 * G), rel=0.03)
    reading = oil(bodies)
    assert reading.power["diesel"] == pytest.approx(0.85 * 5e4, rel=0.03)
    assert reading.load["diesel"] > 0.97
    assert reading.pressure["lift 0"] == pytest.approx(20e3 * G / 0.01, rel=0.02)
    moved(bodies, 0.6, lift_0=-1.0)
    assert bodies.joint("lift 0").rate == pytest.approx(-0.005 / 0.006, rel=0.02)


def test_the_rod_side_has_its_own_flow() -> None:
    bodies = MultibodyStepper(lift(flow_limit_pull=0.003))
    moved(bodies, 0.4, lift_0=-1.0)
    assert bodies.joint("lift 0").rate == pytest.approx(-0.5, rel=0.02)


def test_relief_stops_lifting_and_the_check_valve_holds() -> None:
    """35 t are more than 30 MPa lift and less than 40 MPa hold; 45 t are too much."""
    held = MultibodyStepper(lift((35e3,), hold_pressure=4e7))
    before = held.joint("lift 0").coordinate
    moved(held, 1.0, lift_0=1.0)
    assert held.joint("lift 0").coordinate == pytest.approx(before, abs=0.012)
    moved(held, 1.0)
    assert abs(held.joint("lift 0").rate) < 1e-3
    yields = MultibodyStepper(lift((45e3,), hold_pressure=4e7))
    moved(yields, 0.5)
    assert yields.joint("lift 0").rate < -0.1


def test_against_a_stop_it_pushes_with_the_relief_pressure_and_arrives_gently() -> None:
    fast, slow = (MultibodyStepper(lift((5e3,), cushion=c)) for c in (0.0, 0.15))
    peak = []
    for bodies in (fast, slow):
        moved(bodies, 0.1, lift_0=1.0)
        forces = []
        for _ in range(180):
            moved(bodies, DT, lift_0=1.0)
            forces.append(-bodies.joint("lift 0").along["limit"])
        peak.append(max(forces))
        assert bodies.joint("lift 0").along["cylinder"] == pytest.approx(3e5, rel=1e-3)
    assert peak[1] < 1.05 * (3e5 - 5e3 * G)
    assert peak[0] > peak[1]


def test_levers_have_a_dead_band_a_curve_and_a_lag() -> None:
    scene = lift()
    scene.levers["lift 0"] = Lever(dead_band=0.1, exponent=2.0, lag=0.0)
    bodies = MultibodyStepper(scene)
    for way, opening in ((0.1, 0.0), (-0.05, 0.0), (1.0, 1.0), (-0.55, -0.25)):
        moved(bodies, DT, lift_0=way)
        assert bodies.joints.hydraulics.valve[0] == pytest.approx(opening)
    bodies = MultibodyStepper(lift(lag=0.1))
    moved(bodies, 0.1, lift_0=1.0)
    h = DT / bodies.settings.substeps
    assert bodies.joints.hydraulics.valve[0] == pytest.approx(1 - (0.1 / (0.1 + h)) ** 24, rel=1e-9)


def disc(**fields: float) -> Scene:
    """A turntable of 1e5 kg m² on a drive."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add_material("steel", density=7800.0)
    scene.pumps["main"] = Pump(flow=0.01, pressure_limit=3e7)
    scene.add_body("house", "steel", mass=1e4, inertia=np.array([1e5, 1e5, 1e5]))
    motor = HydraulicDrive(speed=1.0, max_force=8e4, pump="main", control="swing", **fields)
    scene.add_joint(Hinge(name="swing", first="house", position=(0, 0, 0), axis=(0, 0, 1), motor=motor))
    return scene


def test_a_drive_speeds_up_with_its_torque_and_slows_down_with_its_brake() -> None:
    bodies = MultibodyStepper(disc(brake_force=4e4))
    moved(bodies, 1.0, swing=1.0)
    assert bodies.joint("swing").rate == pytest.approx(0.8, rel=0.02)
    moved(bodies, 1.0, swing=1.0)
    assert bodies.joint("swing").rate == pytest.approx(1.0, rel=1e-6)
    moved(bodies, 1.0)
    assert bodies.joint("swing").rate == pytest.approx(0.6, rel=0.02)
    moved(bodies, 2.0)
    assert abs(bodies.joint("swing").rate) < 1e-6
    moved(bodies, 1.0, swing=-1.0)
    assert bodies.joint("swing").rate == pytest.approx(-0.8, rel=0.02)


def test_a_drive_has_the_power_that_is_left() -> None:
    bodies = MultibodyStepper(disc(max_power=2e4))
    moved(bodies, 1.0, swing=1.0)
    energy = 0.5 * 1e5 * bodies.joint("swing").rate ** 2
    assert energy == pytest.approx(2e4 - 0.5 * 2e4**2 / (8e4**2 / 1e5), rel=0.05)


def test_restart_continues_to_the_bit() -> None:
    bodies = MultibodyStepper(lift((10e3, 20e3), power=5e4, lag=0.1))
    moved(bodies, 0.4, lift_0=1.0, lift_1=0.7)
    memory = {**bodies.memory(), **bodies.readings()}
    check(bodies, memory, {})
    moved(bodies, 0.2, lift_0=-1.0, lift_1=0.5)
    after = bodies.motion.x.copy()
    bodies.preview(DT)
    other = MultibodyStepper(lift((10e3, 20e3), power=5e4, lag=0.1))
    other.recall(memory)
    moved(other, 0.2, lift_0=-1.0, lift_1=0.5)
    assert (other.motion.x == after).all()
    assert set(bodies.memory()) >= {"valve", "oil_load"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"pump": "mian"}, "unknown pump 'mian'"),
        ({"hold_pressure": 2e7}, "could not hold what it lifts"),
        ({"range": (0.5, 1.6)}, "does not fit into it"),
        ({"cushion": 0.6}, "exceeds the stroke"),
        ({"pump": ""}, "pressure_limit: is missing"),
    ],
)
def test_bad_numbers_are_named(fields: dict[str, object], said: str) -> None:
    scene = lift(())
    scene.add_body("weight", "steel", shapes=[Box(size=(0.5, 0.5, 0.5))], position=(0, 0, 1.5))
    numbers = {"range": (1.2, 2.2), "area": 0.01, "pump": "main", **fields}
    with pytest.raises(SceneError, match=said):
        checked(scene, **numbers)


def checked(scene: Scene, **numbers: object) -> None:
    scene.add_joint(CylinderJoint(first="weight", positions=((0, 0, 1.5), (0, 0, 0)), **numbers))
    scene.check()


def test_a_pump_needs_flow() -> None:
    with pytest.raises(SceneError, match="flow"):
        Pump(pressure_limit=3e7)
    with pytest.raises(SceneError, match="flow"):
        Pump(flow=0.0, pressure_limit=3e7)


def test_two_machines_have_pumps_of_their_own() -> None:
    scene = Scene()
    scene.add_machine("excavator", name="A")
    scene.add_machine("excavator", name="B", position=(20, 0, 0))
    whole = scene.assembled()
    assert set(whole.pumps) == {"A main", "B main"}
    assert whole.pumps["B main"].engine == "B engine"
    assert {"A boom", "B boom"} <= set(whole.levers)
    assert load_machine("wheel_loader").pumps == {}
