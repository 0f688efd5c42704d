"""Loads in a bucket: through contacts of bodies, and through the exchange that grains use."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_bodies import G, Y, empty, excavator, four_bar
from made_rocks import rock

from windrow.errors import SceneError
from windrow.scene import Box, CylinderJoint, Hinge, Piece, Scene, Sphere
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60


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
    np.testing.assert_allclose(W, np.diag([0.2] * 3 + [1 / moment] * 3), rtol=1e-9)


def test_a_preview_changes_nothing() -> None:
    stepper, other = MultibodyStepper(four_bar(5.0)), MultibodyStepper(four_bar(5.0))
    for _ in range(10):
        ahead = stepper.preview(DT)
        stepper.step(DT)
        other.step(DT)
        np.testing.assert_array_equal(ahead, stepper.motion.V[:3])
    for name, value in other.memory().items():
        np.testing.assert_array_equal(value, stepper.memory()[name], err_msg=name)


def lifted_bucket(bucket_mass: float) -> Scene:
    """An arm on a hinge, held by a hydraulic cylinder, with a bucket at its end."""
    scene = empty()
    scene.add_body(
        "arm", "steel", mass=1000, shapes=[Box(size=(4, 0.4, 0.5))], position=(2, 0, 0), group="crane"
    )
    thick = 0.1
    walls = [Piece(shape=Box(size=(2, 2, thick)))]
    for x, y, sx, sy in ((1, 0, thick, 2), (-1, 0, thick, 2), (0, 1, 2, thick), (0, -1, 2, thick)):
        walls.append(Piece(shape=Box(size=(sx, sy, 2.4)), position=(x, y, 1.2)))
    scene.add_body("bucket", "steel", mass=bucket_mass, shapes=walls, position=(5.2, 0, 0.3), group="crane")
    scene.add_joint(Hinge(name="pivot", first="arm", position=(0, 0, 0), axis=Y))
    motor = {"kind": "position", "max_force": 1e6, "compliance": 1e-9}
    scene.add_joint(
        Hinge(name="wrist", first="bucket", second="arm", position=(4, 0, 0), axis=Y, motor=motor)
    )
    scene.add_joint(
        CylinderJoint(
            name="lift",
            first="arm",
            positions=((2, 0, 0), (0.3, 0, -1.5)),
            range=(1.0, 4.0),
            area=0.03,
            pressure_limit=3e7,
            flow_limit=0.003,
        )
    )
    return scene


def cylinder_statics(stepper: MultibodyStepper, extra: float) -> float:
    """Force of the cylinder that carries everything, plus an extra moment, N."""
    mass, x = stepper.bodies.mass, stepper.motion.x[: stepper.bodies.count, 0]
    moment = float(mass @ x) * G + extra
    head = stepper.motion.x[0] + stepper.motion.R[0] @ stepper.joints.table.anchor[2, 0]
    along = head - np.array([0.3, 0, -1.5])
    along /= np.linalg.norm(along)
    return moment / float(head[0] * along[2] - head[2] * along[0])


@pytest.mark.parametrize("bucket_mass", [500.0, 20.0])
def test_five_tonnes_of_rocks_rest_in_a_bucket(bucket_mass: float) -> None:
    scene = lifted_bucket(bucket_mass)
    rng = np.random.default_rng(3)
    k = 0
    total = 0.0
    while total < 5000:
        place = (5.2 + 0.42 * (k % 4 - 1.5), 0.42 * (k // 4 % 4 - 1.5), 0.7 + 0.42 * (k // 16))
        body = scene.add_body(f"rock {k}", "steel", shapes=[rock(rng, 0.35)], density=2600, position=place)
        total += mass_of(body, scene)
        k += 1
    stepper = MultibodyStepper(scene)
    for _ in range(60 * 6):
        stepper.step(DT)
    forces, fastest = [], 0.0
    for _ in range(60):
        stepper.step(DT)
        forces.append(stepper.joint("lift").along["cylinder"])
        fastest = max(fastest, float(np.abs(stepper.velocity("bucket")).max()))
    assert (stepper.motion.x[2 : 2 + k, 2] > 0).all(), "a rock fell out"
    assert fastest < 1e-4
    assert np.std(forces) < 1e-3 * np.mean(forces)
    assert np.mean(forces) == pytest.approx(cylinder_statics(stepper, 0.0), rel=0.01)


def mass_of(body: object, scene: Scene) -> float:
    from windrow.solvers.multibody.inertia import body_properties

    return body_properties(body, 0, 2600.0, scene.base_dir).mass


@pytest.mark.parametrize("bucket_mass", [500.0, 20.0])
def test_a_heavy_load_through_the_exchange_rests_too(bucket_mass: float) -> None:
    """Five tonnes as one particle of another solver, which knows of the bucket only W and its free velocity."""
    stepper = MultibodyStepper(lifted_bucket(bucket_mass))
    mass, z, v, given, h = 5000.0, 0.45, 0.0, 0.0, DT
    forces = []
    for _ in range(360):
        free = stepper.preview(h)
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
