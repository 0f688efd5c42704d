"""Loads in a bucket: through contacts of bodies, and through the exchange that grains use."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_bodies import excavator

from windrow.errors import SceneError
from windrow.scene import Box, Hinge, Sphere, VelocityMotor
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, G, cylinder_statics, empty, four_bar, lifted_bucket


@pytest.mark.parametrize("name", ["bucket", "stick", "swing", "curl rod"])
def test_the_effective_mass_predicts_what_an_impulse_does(name: str) -> None:
    scene = excavator()
    scene.multibody.substeps = 1
    rng = np.random.default_rng(0)
    pushed, free = MultibodyStepper(scene), MultibodyStepper(scene)
    for _ in range(20):
        pushed.step(DT)
        free.step(DT)
    free.preview(DT)
    W = free.effective_inverse_mass(name)
    np.testing.assert_allclose(W, W.T, atol=1e-9 * np.abs(W).max())
    assert np.linalg.eigvalsh(0.5 * (W + W.T)).min() > -1e-12
    impulse, twist = 50 * rng.normal(size=3), 50 * rng.normal(size=3)
    pushed.push(name, impulse, twist=twist)
    pushed.step(DT)
    free.step(DT)
    change = pushed.velocity(name) - free.velocity(name)
    expected = W @ np.concatenate([impulse, twist])
    np.testing.assert_allclose(change, expected, atol=2e-3 * np.abs(expected).max())


def test_a_free_body_has_its_own_mass() -> None:
    scene = empty()
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.2)], mass=5)
    stepper = MultibodyStepper(scene)
    with pytest.raises(SceneError, match="after a first step"):
        stepper.effective_inverse_mass("ball")
    stepper.step(DT)
    W = stepper.effective_inverse_mass("ball")
    moment = 0.4 * 5 * 0.2**2
    np.testing.assert_allclose(W, np.diag([0.2] * 3 + [1 / moment] * 3), rtol=1e-9, atol=1e-12)


def test_a_preview_changes_nothing() -> None:
    stepper, other = MultibodyStepper(four_bar(5.0)), MultibodyStepper(four_bar(5.0))
    for _ in range(10):
        ahead = stepper.preview(DT).V
        stepper.step(DT)
        other.step(DT)
        np.testing.assert_array_equal(ahead, stepper.motion.V[:3])
    for name, value in other.memory().items():
        np.testing.assert_array_equal(value, stepper.memory()[name], err_msg=name)


def test_the_effective_mass_after_a_preview_is_that_of_the_rows_that_it_found_free() -> None:
    """A motor that comes to its limit within the step gives way; the preview is taken back, and with it who did."""
    scene = empty()
    scene.add_body("arm", "steel", shapes=[Box(size=(0.4, 0.04, 0.04))], position=(0.2, 0, 0))
    motor = VelocityMotor(speed=0.0, max_force=1e-3)
    scene.add_joint(Hinge(name="pin", first="arm", position=(0, 0, 0), axis=(0, 1, 0), motor=motor))
    stepper, twin = MultibodyStepper(scene), MultibodyStepper(scene)
    stepper.preview(DT)
    twin.step(DT)
    np.testing.assert_allclose(
        stepper.effective_inverse_mass("arm"), twin.effective_inverse_mass("arm"), rtol=0.02, atol=1e-3
    )


@pytest.mark.parametrize("bucket_mass", [500.0, 20.0])
def test_a_heavy_load_through_the_exchange_rests_too(bucket_mass: float) -> None:
    """Five tonnes as one particle of another solver, which knows of the bucket only W and its free velocity."""
    stepper = MultibodyStepper(lifted_bucket(bucket_mass))
    mass, z, v, given, h = 5000.0, 0.45, 0.0, 0.0, DT
    forces = []
    for _ in range(360):
        free = stepper.preview(h).V
        W = stepper.effective_inverse_mass("bucket")
        bucket = stepper.motion.x[1]
        gap = z - (stepper.position("bucket")[2] + 0.05)
        v -= G * h
        # One contact, solved exactly: it may close, and an overlap is pushed out slowly.
        bias = gap / h if gap > 0 else 0.2 * gap / h
        closing = v - (free[1, 2] + free[1, 4] * -(5.2 - bucket[0])) + bias
        given = max(0.0, -closing / (1 / mass + W[2, 2]))
        v += given / mass
        z += h * v
        stepper.push("bucket", (0, 0, -given), point=(bucket[0], bucket[1], bucket[2]))
        stepper.step(h)
        forces.append(stepper.joint("lift").along["cylinder"])
    last = np.array(forces[-60:])
    assert last.std() < 5e-3 * last.mean()
    extra = mass * G * stepper.motion.x[1, 0]
    assert last.mean() == pytest.approx(cylinder_statics(stepper, extra), rel=0.01)
    assert math.isfinite(z)
