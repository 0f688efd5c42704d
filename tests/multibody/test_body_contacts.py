"""Bodies that touch: against closed forms, at rest and in motion."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.scene import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Mesh,
    Piece,
    Sphere,
    Spheres,
)
from windrow.solvers.multibody.motion import angular_momentum
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, G, empty, on_ground, run

SHAPES = {
    "box": (Box(size=(0.4, 0.4, 0.4)), 0.2),
    "sphere": (Sphere(radius=0.2), 0.2),
    "spheres": (Spheres(centers=[[0.1, 0.1, 0], [-0.1, 0.1, 0], [0, -0.1, 0]], radii=0.2), 0.2),
    "cylinder standing": (Cylinder(radius=0.2, height=0.4), 0.2),
    "cone": (Cone(radius=0.2, height=0.4), 0.0),
    "capsule standing": (Capsule(radius=0.2, height=0.4), 0.4),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_rests_on_a_plane_with_its_weight(name: str) -> None:
    shape, height = SHAPES[name]
    scene = on_ground()
    scene.add_body("it", "block", shapes=[shape], position=(0, 0, height + 0.05))
    stepper = MultibodyStepper(scene)
    run(stepper, 3)
    position = stepper.position("it")
    assert position[2] == pytest.approx(height, abs=2e-3)
    if name != "capsule standing":
        assert np.abs(stepper.velocity("it")).max() < 1e-6
    weight = stepper.bodies.mass[0] * G
    np.testing.assert_allclose(stepper.contact_force("it")[:3], [0, 0, weight], rtol=1e-3, atol=1e-3 * weight)


@pytest.mark.parametrize("upper", ["box", "sphere", "spheres", "cylinder standing", "cone"])
@pytest.mark.parametrize("lower", ["box", "cylinder standing"])
def test_shapes_rest_on_each_other(upper: str, lower: str) -> None:
    scene = on_ground()
    shape, height = SHAPES[upper]
    base, half = SHAPES[lower]
    scene.add_body("low", "block", shapes=[base], position=(0, 0, half))
    scene.add_body("high", "block", shapes=[shape], position=(0, 0, 2 * half + height + 0.01))
    stepper = MultibodyStepper(scene)
    run(stepper, 3)
    assert stepper.position("high")[2] == pytest.approx(2 * half + height, abs=3e-3)
    weight = stepper.bodies.mass.sum() * G
    assert stepper.contact_force("low")[2] + stepper.contact_force("high")[2] == pytest.approx(
        weight, rel=1e-3
    )


def test_a_mesh_touches_with_its_hull() -> None:
    import trimesh

    mesh = trimesh.creation.box((0.4, 0.4, 0.4))
    scene = on_ground()
    scene.add_body(
        "it", "block", shapes=[Mesh(vertices=mesh.vertices, faces=mesh.faces)], position=(0, 0, 0.25)
    )
    scene.add_body("ball", "block", shapes=[Sphere(radius=0.1)], position=(0.05, 0, 0.56))
    stepper = MultibodyStepper(scene)
    run(stepper, 2)
    assert stepper.position("it")[2] == pytest.approx(0.2, abs=2e-3)
    assert stepper.position("ball")[2] == pytest.approx(0.5, abs=3e-3)


def test_a_sliding_block_is_braked_by_kinetic_friction() -> None:
    scene = on_ground(friction=0.4)
    scene.add_pair("ground", "block", friction_static=0.8, friction_kinetic=0.3)
    scene.add_body("it", "block", shapes=[Box(size=(1, 1, 0.2))], position=(0, 0, 0.1), velocity=(3, 0, 0))
    stepper = MultibodyStepper(scene)
    run(stepper, 0.5)
    assert stepper.velocity("it")[0] == pytest.approx(3 - 0.3 * G * 0.5, rel=1e-2)
    run(stepper, 1.5)
    assert stepper.position("it")[0] == pytest.approx(3**2 / (2 * 0.3 * G), rel=2e-2)
    assert np.abs(stepper.velocity("it")).max() < 1e-6


def test_a_ball_slides_until_it_rolls() -> None:
    scene = on_ground(friction=0.3)
    speed, r = 4.0, 0.2
    scene.add_body("ball", "block", shapes=[Sphere(radius=r)], position=(0, 0, r), velocity=(speed, 0, 0))
    stepper = MultibodyStepper(scene)
    run(stepper, 2 * speed / (7 * 0.3 * G) * 0.8)
    assert stepper.velocity("ball")[0] > 5 / 7 * speed * 1.02
    run(stepper, 1)
    v = stepper.velocity("ball")
    assert v[0] == pytest.approx(5 / 7 * speed, rel=5e-3)
    assert v[4] * r == pytest.approx(v[0], rel=1e-3)


def test_a_wheel_rolls_without_steps() -> None:
    scene = on_ground(friction=0.8)
    r, speed = 0.5, 3.0
    scene.add_body(
        "wheel",
        "block",
        shapes=[Cylinder(radius=r, height=0.3)],
        position=(0, 0, r),
        rotation_deg=(90, 0, 0),
        velocity=(speed, 0, 0),
        angular_velocity=(0, speed / r, 0),
    )
    stepper = MultibodyStepper(scene)
    heights = []
    for _ in range(180):
        stepper.step(DT)
        heights.append(float(stepper.position("wheel")[2]))
    assert np.ptp(heights[30:]) < 1e-4
    assert stepper.velocity("wheel")[0] == pytest.approx(speed, rel=1e-2)
    assert abs(stepper.position("wheel")[1]) < 1e-3


def test_rolling_resistance_slows_a_ball_and_holds_it_on_a_slope() -> None:
    lever, r, speed = 0.01, 0.2, 2.0
    scene = on_ground(friction=0.8)
    ball = Sphere(radius=r)
    scene.add_body(
        "ball",
        "block",
        shapes=[ball],
        position=(0, 0, r),
        velocity=(speed, 0, 0),
        angular_velocity=(0, speed / r, 0),
        rolling_resistance=lever,
    )
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    # m r² (1 + 2/5) α = lever m g
    deceleration = lever * G / (1.4 * r)
    assert stepper.velocity("ball")[0] == pytest.approx(speed - deceleration, rel=5e-3)
    for tangent, rolls in ((0.045, False), (0.055, True)):
        slope = math.degrees(math.atan(tangent))
        scene = on_ground(friction=0.8, slope_deg=slope)
        angle = math.radians(slope)
        place = (r * math.sin(angle), 0, r * math.cos(angle))
        scene.add_body("ball", "block", shapes=[ball], position=place, rolling_resistance=lever)
        stepper = MultibodyStepper(scene)
        run(stepper, 3)
        assert bool(np.linalg.norm(stepper.velocity("ball")[:3]) > 0.01) is rolls


def test_an_elastic_shock_keeps_momentum_and_energy() -> None:
    scene = empty(gravity=0.0)
    for k in range(5):
        speed = (2.0, 0, 0) if k == 0 else (0.0, 0, 0)
        scene.add_body(
            f"{k}", "steel", shapes=[Sphere(radius=0.1)], position=(0.2 * k + (0 if k else -0.5), 0, 0),
            velocity=speed, restitution=1.0,
        )  # fmt: skip
    stepper = MultibodyStepper(scene)
    momentum, energy = stepper.momentum(), stepper.energy()
    run(stepper, 1)
    np.testing.assert_allclose(stepper.momentum(), momentum, rtol=1e-12, atol=1e-9)
    assert stepper.energy() == pytest.approx(energy, rel=1e-9)
    np.testing.assert_allclose(stepper.motion.V[:5, 0], [0, 0, 0, 0, 2], atol=1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
def test_a_ball_bounces_as_high_as_its_restitution_says(restitution: float) -> None:
    scene = on_ground()
    ball = Sphere(radius=0.1)
    scene.add_body("ball", "block", shapes=[ball], position=(0, 0, 1.1), restitution=restitution)
    stepper = MultibodyStepper(scene)
    heights = []
    for _ in range(90):
        stepper.step(DT)
        heights.append(float(stepper.position("ball")[2]) - 0.1)
    landed = int(np.argmin(heights[:40]))
    assert max(heights[landed:]) == pytest.approx(restitution**2, abs=0.04)


def test_a_heap_of_tumbling_bodies_keeps_its_momentum() -> None:
    scene = empty(gravity=0.0)
    rng = np.random.default_rng(3)
    shapes = [Box(size=(0.3, 0.2, 0.25)), Sphere(radius=0.15), Capsule(radius=0.1, height=0.2)]
    for k in range(27):
        place = np.array([k % 3, k // 3 % 3, k // 9]) * 0.5
        scene.add_body(
            f"{k}", "steel", shapes=[shapes[k % 3]], position=place, rotation_deg=rng.uniform(-90, 90, 3),
            velocity=(0.5 - place) * 2, angular_velocity=rng.normal(size=3),
        )  # fmt: skip
    stepper = MultibodyStepper(scene)
    momentum = stepper.momentum()
    turning = angular_momentum(stepper.bodies.table, stepper.motion, DT / 4)
    energy, touched = stepper.energy(), 0
    for _ in range(120):
        touched = max(touched, stepper.step(DT).contacts)
        assert stepper.energy() <= energy * 1.02
        energy = min(energy, stepper.energy())
    assert touched > 20
    np.testing.assert_allclose(stepper.momentum(), momentum, atol=1e-9 * stepper.bodies.mass.sum())
    after = angular_momentum(stepper.bodies.table, stepper.motion, DT / 4)
    scale = np.abs(turning).max() + stepper.bodies.mass.sum()
    np.testing.assert_allclose(after, turning, atol=5e-2 * scale)


def test_nothing_falls_through_a_thin_floor_at_speed() -> None:
    scene = empty()
    scene.add_box((0, 0, 0), (4, 4, 0.05), "steel")
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.05)], position=(-0.5, 0, 2), velocity=(0, 0, -40))
    scene.add_body(
        "box", "steel", shapes=[Box(size=(0.1, 0.1, 0.1))], position=(0.5, 0, 2), velocity=(0, 0, -40)
    )
    stepper = MultibodyStepper(scene)
    run(stepper, 1)
    assert stepper.position("ball")[2] == pytest.approx(0.075, abs=0.02)
    assert stepper.position("box")[2] == pytest.approx(0.075, abs=0.02)


def test_bodies_meet_the_ground() -> None:
    scene = empty()
    x = np.linspace(-2, 2, 21)
    heights = 0.1 * np.add.outer(x**2, x**2)
    scene.add_height_field((4, 4), heights, "steel", name="bowl")
    scene.add_body(
        "ball", "steel", shapes=[Sphere(radius=0.2)], position=(0.8, 0, 0.5), rolling_resistance=0.01
    )
    scene.add_body("box", "steel", shapes=[Box(size=(0.3, 0.3, 0.3))], position=(-0.8, 0, 0.5))
    stepper = MultibodyStepper(scene)
    run(stepper, 6)
    assert np.linalg.norm(stepper.position("ball")[:2]) < 0.5
    assert 0.1 < stepper.position("box")[2] < 0.4


def test_a_container_keeps_bodies_inside() -> None:
    scene = empty()
    scene.add_cylinder((10, 0, 0), 1.0, 2.0, "steel", inside=True)
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.2)], position=(10.5, 0, 0), velocity=(6, 0, 0))
    scene.add_body("rod", "steel", shapes=[Capsule(radius=0.1, height=0.5)], position=(9.5, 0, 0))
    stepper = MultibodyStepper(scene)
    run(stepper, 3)
    ball = stepper.position("ball")
    assert ball[2] == pytest.approx(-0.8, abs=5e-3)
    assert np.hypot(ball[0] - 10, ball[1]) <= 0.8 + 5e-3
    assert stepper.position("rod")[2] > -0.91


def test_a_moving_obstacle_carries_and_pushes() -> None:
    scene = empty()
    scene.add_box((0, 0, 0), (2, 2, 0.2), "steel", motion={"kind": "linear", "velocity": (0.5, 0, 0)})
    scene.add_body("load", "steel", shapes=[Box(size=(0.3, 0.3, 0.3))], position=(0, 0, 0.25))
    stepper = MultibodyStepper(scene)
    run(stepper, 2)
    assert stepper.velocity("load")[0] == pytest.approx(0.5, abs=1e-4)
    assert stepper.position("load")[0] == pytest.approx(1.0, abs=0.05)


def test_bodies_of_a_group_and_joined_bodies_do_not_touch() -> None:
    scene = empty(gravity=0.0)
    for k in range(2):
        scene.add_body(f"g{k}", "steel", shapes=[Sphere(radius=1)], position=(0.1 * k, 0, 0), group="one")
    stepper = MultibodyStepper(scene)
    stepper.step(DT)
    assert stepper.step(DT).contacts == 0


def test_a_tyre_is_a_spring() -> None:
    scene = on_ground()
    k, c, m = 2e4, 2e3, 100.0
    scene.add_body(
        "wheel",
        "block",
        shapes=[Sphere(radius=0.5)],
        mass=m,
        position=(0, 0, 0.5),
        contact_stiffness=k,
        contact_damping=c,
    )
    stepper = MultibodyStepper(scene)
    run(stepper, 5)
    assert stepper.position("wheel")[2] == pytest.approx(0.5 - m * G / k, abs=1e-4)
    assert np.abs(stepper.velocity("wheel")).max() < 1e-5


def test_a_dropped_tyre_is_taken_by_its_spring() -> None:
    scene = on_ground()
    k, m, fall = 2e4, 100.0, 0.5
    scene.add_body(
        "wheel",
        "block",
        shapes=[Sphere(radius=0.5)],
        mass=m,
        position=(0, 0, 0.5 + fall),
        contact_stiffness=k,
    )
    stepper = MultibodyStepper(scene)
    heights, forces = [], []
    for _ in range(100):
        stepper.step(DT)
        heights.append(float(stepper.position("wheel")[2]) - 0.5)
        forces.append(float(stepper.contact_force("wheel")[2]))
    # m z̈ = −m g − k z from the speed of the fall: it sinks by m g/k + √((m g/k)² + 2 m g fall/k).
    sag = m * G / k
    deepest = sag + math.sqrt(sag**2 + 2 * sag * fall)
    assert min(heights) == pytest.approx(-deepest, rel=0.07)
    assert max(forces) == pytest.approx(k * deepest, rel=0.07)
    # The implicit spring loses some energy, and never gains any.
    assert 0.7 * fall < max(heights[40:]) < fall


def test_a_tyre_that_tips_over_meets_no_springs_from_nowhere() -> None:
    """Energy of motion, height and springs of a soft wheel that falls from its edge onto its side only falls."""
    scene, k = on_ground(), 4e5
    scene.add_body(
        "wheel", "block", shapes=[Cylinder(radius=0.75, height=0.6)], mass=4000.0, contact_stiffness=k,
        contact_damping=1.5e4, position=(0, 0, 0.9), rotation_deg=(40, 0, 0),
    )  # fmt: skip
    stepper = MultibodyStepper(scene)

    def energy() -> float:
        n = int(stepper.contacts.found[0])
        return stepper.energy() + 0.5 * k * float((np.minimum(stepper.contacts.gap[:n], 0.0) ** 2).sum())

    before, gains = energy(), []
    for _ in range(180):
        stepper.step(DT)
        now = energy()
        gains.append(now - before)
        before = now
    assert stepper.motion.R[0, 2, 2] > 0.999
    assert max(gains) < 1e-3 * 4000.0 * G


def test_a_body_with_raised_ends_stands_on_all_its_feet() -> None:
    """Ends that nearly touch take no places from the feet between them."""
    scene = on_ground()
    shapes = [
        Piece(shape=Box(size=(1.0, 1.0, 0.4))),
        Piece(shape=Box(size=(3.0, 1.4, 0.2)), position=(0, 0, -0.085)),
    ]
    scene.add_body("it", "block", shapes=shapes, position=(0, 0, 0.2), angular_velocity=(0.3, 0.2, 0))
    stepper = MultibodyStepper(scene)
    run(stepper, 2)
    reading = stepper.contact_reading()
    inside = np.abs(reading.point[:, 0]) < 0.6
    assert inside.sum() >= 3
    np.testing.assert_allclose(reading.force[inside, 2].sum(), 9.81 * stepper.bodies.mass[0], rtol=1e-3)
    assert np.abs(stepper.velocity("it")).max() < 1e-4


def test_contacts_restart_to_the_bit() -> None:
    def heap() -> MultibodyStepper:
        scene = on_ground()
        rng = np.random.default_rng(5)
        for k in range(12):
            place = (0.25 * (k % 3), 0.25 * (k // 3 % 2), 0.3 + 0.35 * (k // 6))
            scene.add_body(
                f"{k}", "block", shapes=[[Box(size=(0.3, 0.2, 0.2)), Sphere(radius=0.12)][k % 2]], position=place,
                rotation_deg=rng.uniform(-180, 180, 3), rolling_resistance=0.002,
            )  # fmt: skip
        return MultibodyStepper(scene)

    straight, broken = heap(), heap()
    run(straight, 0.6)
    run(broken, 0.6)
    fresh = heap()
    fresh.recall(broken.memory())
    run(straight, 0.6)
    run(fresh, 0.6)
    for name, value in straight.memory().items():
        np.testing.assert_array_equal(value, fresh.memory()[name], err_msg=name)
