"""A drive that leaks: it loses speed in proportion to its load, up to its largest force."""

from __future__ import annotations

import pytest

from windrow.scene import Cylinder, Hinge, Scene, VelocityMotor
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60


@pytest.mark.parametrize(
    ("torque", "speed"),
    [(0.0, 5.0), (-400.0, 5.0 - 0.004 * 400.0), (300.0, 5.0 + 0.004 * 300.0)],
)
def test_speed_falls_with_load(torque: float, speed: float) -> None:
    scene = Scene(gravity=(0.0, 0.0, 0.0))
    scene.add_material("steel", density=7800.0)
    scene.add_body("disc", "steel", shapes=[Cylinder(radius=0.5, height=0.1)])
    motor = VelocityMotor(speed=5.0, max_force=1000.0, droop=0.004)
    scene.add_joint(Hinge(name="drive", first="disc", position=(0, 0, 0), axis=(0, 0, 1), motor=motor))
    bodies = MultibodyStepper(scene)
    for _ in range(300):
        bodies.push("disc", twist=(0.0, 0.0, torque * DT))
        bodies.step(DT)
    reading = bodies.joint("drive")
    assert reading.rate == pytest.approx(speed, rel=1e-3)
    assert reading.along["motor"] == pytest.approx(-torque, abs=0.5)
