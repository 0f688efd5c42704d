"""Bodies and joints against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_bodies import excavator

from windrow.scene import (
    BallJoint,
    Box,
    Brake,
    CylinderJoint,
    Distance,
    Fixed,
    ForceMotor,
    Gear,
    Hinge,
    PositionMotor,
    Slider,
    Sphere,
    Spring,
    Universal,
    VelocityMotor,
)
from windrow.solvers.multibody.motion import angular_momentum
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, G, Y, empty, miss, rising_zeros, run


def test_free_fall_and_spin_keep_momentum() -> None:
    scene = empty(gravity=0.0)
    scene.add_body(
        "t", "steel", mass=1, inertia=[1, 2, 2.8], angular_velocity=(0.01, 5, 0.01), velocity=(1, 2, 3)
    )
    stepper = MultibodyStepper(scene)
    before, energy = angular_momentum(stepper.bodies.table, stepper.motion, DT / 4), stepper.energy()
    run(stepper, 20)
    after = angular_momentum(stepper.bodies.table, stepper.motion, DT / 4)
    np.testing.assert_allclose(after, before, atol=1e-10)
    np.testing.assert_allclose(stepper.momentum(), [1, 2, 3], rtol=1e-12)
    # It tumbles over its middle axis again and again, and keeps its energy.
    assert stepper.energy() == pytest.approx(energy, rel=1e-4)


def test_a_parabola() -> None:
    scene = empty()
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.1)], velocity=(3, 0, 4))
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    # Leapfrog is exact but for half a substep of the start.
    np.testing.assert_allclose(stepper.position("ball"), [3, 0, 4 - G / 2], atol=G * DT / 8 * 1.001)


def test_spring_swings_at_its_frequency_and_damper_decays() -> None:
    m, k, damping = 2.0, 200.0, 1.0
    scene = empty(gravity=0.0)
    scene.add_body("m", "steel", mass=m, inertia=[1, 1, 1], velocity=(1, 0, 0))
    spring = Spring(stiffness=k, damping=damping)
    scene.add_joint(Slider(name="s", first="m", position=(0, 0, 0), axis=(1, 0, 0), spring=spring))
    stepper = MultibodyStepper(scene)
    x = []
    for _ in range(300):
        stepper.step(DT)
        x.append(float(stepper.motion.x[0, 0]))
    decay = damping / (2 * m)
    omega = math.sqrt(k / m - decay**2)
    assert 2 * math.pi / (np.diff(rising_zeros(x)).mean() * DT) == pytest.approx(omega, rel=3e-3)
    peaks = [max(x[:38]), max(x[-38:])]
    assert peaks[1] / peaks[0] == pytest.approx(math.exp(-decay * (len(x) - 38) * DT), rel=0.15)


def test_a_hanging_spring_rests_at_the_weight() -> None:
    scene = empty()
    scene.add_body("m", "steel", mass=10, inertia=[1, 1, 1])
    spring = Spring(stiffness=1000, damping=300)
    scene.add_joint(Distance(name="s", first="m", positions=((0, 0, 0), (0, 0, 1)), spring=spring))
    stepper = MultibodyStepper(scene)
    run(stepper, 5)
    reading = stepper.joint("s")
    assert reading.coordinate == pytest.approx(1 + 10 * G / 1000, rel=1e-6)
    assert reading.along["spring"] == pytest.approx(-10 * G, rel=1e-6)
    np.testing.assert_allclose(reading.force, [0, 0, 10 * G], atol=1e-3)


def test_limits_stop_a_slider_and_a_hinge() -> None:
    scene = empty()
    scene.add_body("lift", "steel", mass=100, inertia=[1, 1, 1])
    scene.add_joint(Slider(name="shaft", first="lift", position=(0, 0, 0), axis=(0, 0, 1), range=(-0.5, 2)))
    scene.add_body("door", "steel", mass=10, inertia=[1, 1, 1], position=(3, 0, 0))
    scene.add_joint(
        Hinge(name="flap", first="door", position=(2.5, 0, 0), axis=(0, -1, 0), range_deg=(-30, 10))
    )
    stepper = MultibodyStepper(scene)
    lowest = 0.0
    for _ in range(180):
        stepper.step(DT)
        lowest = min(lowest, stepper.joint("shaft").coordinate)
    assert lowest > -0.5 - 1e-3
    shaft, flap = stepper.joint("shaft"), stepper.joint("flap")
    assert shaft.coordinate == pytest.approx(-0.5, abs=1e-5)
    assert shaft.along["limit"] == pytest.approx(100 * G, rel=1e-6)
    assert flap.coordinate == pytest.approx(math.radians(-30), abs=1e-5)
    assert flap.along["limit"] == pytest.approx(10 * G * 0.5 * math.cos(math.radians(30)), rel=1e-4)


def test_a_rope_is_slack_until_it_is_taut() -> None:
    scene = empty()
    scene.add_body("m", "steel", mass=5, inertia=[1, 1, 1], position=(0, 0, -0.5))
    scene.add_joint(Distance(name="rope", first="m", positions=((0, 0, -0.5), (0, 0, 0)), range=(0, 2)))
    stepper = MultibodyStepper(scene)
    run(stepper, 0.5)
    assert stepper.joint("rope").along["limit"] == 0.0
    run(stepper, 4)
    rope = stepper.joint("rope")
    assert rope.coordinate == pytest.approx(2.0, abs=1e-5)
    assert rope.along["limit"] == pytest.approx(-5 * G, rel=1e-5)


def test_a_velocity_motor_is_limited_by_its_torque_and_power() -> None:
    scene = empty(gravity=0.0)
    scene.add_body("wheel", "steel", mass=1, inertia=[2, 2, 2])
    motor = VelocityMotor(speed=10, max_force=4, control="go")
    scene.add_joint(Hinge(name="axle", first="wheel", position=(0, 0, 0), axis=Y, motor=motor))
    stepper = MultibodyStepper(scene)
    stepper.control("go", 1)
    run(stepper, 2)
    axle = stepper.joint("axle")
    assert stepper.motion.V[0, 4] == pytest.approx(4 / 2 * 2, rel=1e-9)
    assert axle.along["motor"] == pytest.approx(4)
    run(stepper, 5)
    assert stepper.motion.V[0, 4] == pytest.approx(10, rel=1e-6)
    assert stepper.joint("axle").along["motor"] == pytest.approx(0, abs=1e-6)
    scene.joints[0].motor = VelocityMotor(speed=100, max_force=4, max_power=20)
    stepper = MultibodyStepper(scene)
    run(stepper, 10)
    # 4 N m up to 5 rad/s, then P t = I (ω² − 25)/2.
    expected = math.sqrt(25 + 2 * 20 * (10 - 2.5) / 2)
    assert abs(stepper.motion.V[0, 4]) == pytest.approx(expected, rel=5e-3)


def test_a_position_motor_holds_up_to_its_force() -> None:
    for force, holds in ((60.0, True), (40.0, False)):
        scene = empty()
        scene.add_body("arm", "steel", mass=10, inertia=[0.1, 0.1, 0.1], position=(0.5, 0, 0))
        motor = PositionMotor(max_force=force)
        scene.add_joint(Hinge(name="j", first="arm", position=(0, 0, 0), axis=Y, motor=motor))
        stepper = MultibodyStepper(scene)
        run(stepper, 2)
        assert (abs(stepper.joint("j").coordinate) < 1e-5) is holds
        if holds:
            assert abs(stepper.joint("j").along["motor"]) == pytest.approx(10 * G * 0.5, rel=1e-4)


def test_a_position_motor_follows_its_control_at_its_speed() -> None:
    scene = empty()
    scene.add_body("arm", "steel", mass=10, inertia=[0.1, 0.1, 0.1], position=(0.5, 0, 0))
    motor = PositionMotor(reach=1.0, max_speed=0.5, control="arm")
    scene.add_joint(Hinge(name="j", first="arm", position=(0, 0, 0), axis=Y, motor=motor))
    stepper = MultibodyStepper(scene)
    stepper.control("arm", 0.8)
    run(stepper, 1)
    assert stepper.joint("j").coordinate == pytest.approx(0.5, abs=2e-3)
    run(stepper, 2)
    assert stepper.joint("j").coordinate == pytest.approx(0.8, abs=1e-5)


def test_a_force_motor_accelerates() -> None:
    scene = empty(gravity=0.0)
    scene.add_body("m", "steel", mass=4, inertia=[1, 1, 1])
    scene.add_joint(Slider(first="m", position=(0, 0, 0), axis=(1, 0, 0), motor=ForceMotor(force=8)))
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    assert stepper.motion.V[0, 0] == pytest.approx(2.0, rel=1e-9)


def test_a_brake_is_dry_friction() -> None:
    scene = empty(gravity=0.0)
    scene.add_body("m", "steel", mass=2, inertia=[1, 1, 1], velocity=(3, 0, 0))
    brake = Brake(max_force=2)
    scene.add_joint(Slider(first="m", position=(0, 0, 0), axis=(1, 0, 0), brake=brake))
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    assert stepper.motion.V[0, 0] == pytest.approx(2.0, rel=1e-9)
    run(stepper, 3)
    assert stepper.motion.V[0, 0] == pytest.approx(0.0, abs=1e-12)
    assert stepper.motion.x[0, 0] == pytest.approx(3**2 / 2 / 1, rel=5e-3)


def test_a_gear_couples_two_shafts() -> None:
    scene = empty(gravity=0.0)
    for k, name in enumerate(("small", "large")):
        scene.add_body(name, "steel", mass=1, inertia=[1 + 3 * k] * 3, position=(k, 0, 0))
        motor = VelocityMotor(speed=6, max_force=2) if k == 0 else None
        scene.add_joint(Hinge(name=f"{name} shaft", first=name, position=(k, 0, 0), axis=Y, motor=motor))
    scene.add_joint(Gear(first="small shaft", second="large shaft", ratio=2.0))
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    # Small inertia and a quarter of the large one on its shaft: 2 N m on 1 + 4/4.
    assert abs(stepper.motion.V[0, 4]) == pytest.approx(1.0, rel=1e-6)
    run(stepper, 9)
    assert stepper.motion.V[0, 4] == pytest.approx(-2 * stepper.motion.V[1, 4], rel=1e-6)
    small, large = stepper.joint("small shaft"), stepper.joint("large shaft")
    assert small.coordinate + 2 * large.coordinate == pytest.approx(0, abs=1e-6)


def test_a_universal_joint_turns_unevenly() -> None:
    bend = math.radians(30)
    scene = empty(gravity=0.0)
    second = np.array([math.cos(bend), 0, math.sin(bend)])
    scene.add_body("in", "steel", mass=1, inertia=[1, 1, 1], position=(-1, 0, 0))
    scene.add_body("out", "steel", mass=1, inertia=[0.01, 0.01, 0.01], position=second)
    motor = VelocityMotor(speed=1)
    scene.add_joint(Hinge(name="in", first="in", position=(-1, 0, 0), axis=(1, 0, 0), motor=motor))
    scene.add_joint(
        Universal(
            first="in",
            second="out",
            position=(0, 0, 0),
            axis=(0, 1, 0),
            second_axis=(-second[2], 0, second[0]),
        )
    )
    scene.add_joint(Hinge(name="out", first="out", position=second, axis=second))
    stepper = MultibodyStepper(scene)
    for _ in range(12):
        run(stepper, 0.5)
        a, b = stepper.joint("in").coordinate, stepper.joint("out").coordinate
        # The driving fork starts across the bend: tan(out) = tan(in) · cos(bend).
        expected = math.atan2(math.sin(a) * math.cos(bend), math.cos(a))
        assert math.remainder(b - expected, 2 * math.pi) == pytest.approx(0, abs=1e-5)


def test_a_cone_limits_a_ball_joint() -> None:
    scene = empty()
    scene.add_body("rod", "steel", mass=1, inertia=[0.1, 0.1, 0.1], position=(0.05, 0, 1))
    scene.add_joint(BallJoint(name="b", first="rod", position=(0, 0, 0), cone_deg=40))
    stepper = MultibodyStepper(scene)
    run(stepper, 5)
    assert stepper.joint("b").coordinate == pytest.approx(math.radians(40), abs=1e-4)
    assert miss(stepper) < 1e-5


def test_a_cylinder_lifts_holds_and_gives_way() -> None:
    numbers = {"area": 0.01, "pressure_limit": 2e6, "flow_limit": 0.002, "control": "lift"}
    for load, holds in ((1900.0, True), (2200.0, False)):
        scene = empty()
        scene.add_body("load", "steel", mass=load, inertia=[100, 100, 100], position=(0, 0, 2))
        ends = ((0, 0, 2), (0, 0, 1))
        scene.add_joint(Slider(first="load", position=(0, 0, 2), axis=(0, 0, 1)))
        scene.add_joint(CylinderJoint(name="c", first="load", positions=ends, range=(0.6, 1.5), **numbers))
        stepper = MultibodyStepper(scene)
        run(stepper, 0.5)
        cylinder = stepper.joint("c")
        if not holds:
            assert cylinder.along["cylinder"] == pytest.approx(2e4, rel=1e-6)
            assert stepper.motion.V[0, 2] < -0.2
            continue
        assert cylinder.along["cylinder"] == pytest.approx(load * G, rel=1e-4)
        assert stepper.motion.x[0, 2] == pytest.approx(2 - 1e-8 * load * G, abs=1e-5)
        stepper.control("lift", 0.5)
        run(stepper, 1)
        assert stepper.motion.V[0, 2] == pytest.approx(0.1, rel=1e-3)
        assert stepper.joint("c").power("cylinder") == pytest.approx(load * G * 0.1, rel=1e-2)
        stepper.control("lift", 1)
        run(stepper, 5)
        assert stepper.joint("c").coordinate == pytest.approx(1.5, abs=1e-4)
        stepper.control("lift", 0)
        run(stepper, 2)
        assert stepper.joint("c").coordinate == pytest.approx(1.5, abs=1e-3)
        assert abs(stepper.motion.V[0, 2]) < 1e-6


def test_redundant_locks_share_a_load() -> None:
    scene = empty()
    scene.add_body("beam", "steel", shapes=[Box(size=(2, 0.2, 0.2))], position=(0, 0, 0))
    for x in (-1, 0, 1):
        scene.add_joint(Fixed(name=f"at {x}", first="beam", position=(x, 0, 0)))
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    weight = stepper.bodies.mass[0] * G
    forces = [stepper.joint(f"at {x}").force[2] for x in (-1, 0, 1)]
    np.testing.assert_allclose(sum(forces), weight, rtol=1e-6)
    np.testing.assert_allclose(forces, weight / 3, rtol=1e-3)
    assert np.abs(stepper.motion.V).max() < 1e-9


def test_joint_forces_carry_the_weight() -> None:
    stepper = MultibodyStepper(excavator())
    run(stepper, 3)
    foot = stepper.joint(0)
    np.testing.assert_allclose(foot.force, [0, 0, stepper.bodies.mass.sum() * G], atol=1.0)
    lever = stepper.bodies.mass @ stepper.motion.x[: stepper.bodies.count, 0] * G
    np.testing.assert_allclose(foot.torque, [0, -lever, 0], atol=1e-3 * lever)
    assert np.abs(stepper.motion.V).max() < 1e-6


def test_a_floating_machine_keeps_its_momentum() -> None:
    scene = excavator(base_fixed=False)
    scene.gravity = (0, 0, 0)
    stepper = MultibodyStepper(scene)
    for k in range(240):
        for name, slow in (("lift", 50), ("arm", 40), ("curl", 30), ("swing", 60)):
            stepper.control(name, math.sin(k / slow))
        stepper.step(DT)
    scale = stepper.bodies.mass @ np.linalg.norm(stepper.motion.V[: stepper.bodies.count, :3], axis=1)
    assert np.abs(stepper.momentum()).max() < 1e-10 * scale
    turning = angular_momentum(stepper.bodies.table, stepper.motion, DT / 4)
    # Exact but for the bends, which are those of the solution before.
    assert np.abs(turning).max() < 2e-3 * scale
