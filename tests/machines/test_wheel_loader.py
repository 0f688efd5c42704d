"""The wheel loader: its linkage against trigonometry, its drive, and where it stalls."""

from __future__ import annotations

import numpy as np
import pytest
from planar_linkage import solved
from scipy import ndimage

from windrow.machines.readings import pose_of, wheel_slips
from windrow.scene import Box, Fixed, Scene, load_machine, rotation_matrix
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60
MACHINE = load_machine("wheel_loader")
JOINT = {joint.name: joint for joint in MACHINE.joints}
LIFT, TILT = JOINT["lift"], JOINT["tilt"]


def on_ground(friction: float = 0.8) -> Scene:
    scene = Scene()
    scene.add_material("ground", density=2000.0, friction_static=friction, friction_kinetic=friction)
    scene.add_material("loader_tyre", density=1100.0, friction_static=friction, friction_kinetic=friction)
    scene.add_plane((0, 0, 1), 0.0, "ground")
    scene.add_machine("wheel_loader")
    return scene


def run(bodies: MultibodyStepper, seconds: float, **controls: float) -> None:
    for name in MACHINE.controls:
        bodies.control(name, controls.get(name, 0.0))
    for _ in range(round(seconds / DT)):
        assert bodies.step(DT).unsolved == 0


def pitch(bodies: MultibodyStepper) -> float:
    """Angle of the bucket's floor against the frame, degrees; positive: rolled back."""
    rotation = pose_of(bodies, "front frame")[0].T @ pose_of(bodies, "bucket")[0]
    return float(np.degrees(np.arctan2(rotation[2, 0], rotation[0, 0])))


# --- the description -------------------------------------------------------------------------------------


def test_it_has_the_parts_of_a_loader() -> None:
    assert len(MACHINE.bodies) >= 12
    assert len(MACHINE.joints) >= 15
    assert set(MACHINE.controls) == {"throttle", "brake", "steer", "lift", "tilt"}


lifts = np.linspace(0.0, LIFT.range[1], 25)[:, None]
tilts = np.linspace(*TILT.range, 31)[None, :]
PLANE = solved(MACHINE, lifts, tilts)


def test_the_linkage_closes_and_stays_off_dead_centres() -> None:
    assert np.isfinite(PLANE.bucket).all()
    for name, angle in PLANE.angles.items():
        assert np.degrees(angle).min() > 15, name
        assert np.degrees(angle).max() < 165, name
    assert (np.diff(PLANE.bucket, axis=1) > 0).all(), "a longer tilt cylinder always rolls the bucket back"


def test_the_bucket_keeps_its_angle_over_the_lift() -> None:
    for held in (0.0, TILT.range[1]):
        angle = np.degrees(solved(MACHINE, lifts, np.array([[held]])).bucket)
        assert np.abs(angle - angle[0]).max() < 12


def test_it_dumps_at_full_height_and_rolls_back_at_the_ground() -> None:
    assert np.degrees(PLANE.bucket[-1, 0]) < -45
    assert np.degrees(PLANE.bucket[0, -1]) > 40
    assert PLANE.pin[-1, 0, 1] > 3.5


def test_nothing_of_four_centimetres_falls_through_the_bucket() -> None:
    """Cells of 2 cm that no plate fills: from the middle none leads out but through the opening."""
    bucket = next(body for body in MACHINE.bodies if body.name == "bucket")
    plates = [piece for piece in bucket.shapes if isinstance(piece.shape, Box)]
    assert min(min(piece.shape.size) for piece in plates) >= 0.05
    axes = [np.arange(low, high, 0.02) for low, high in ((-0.1, 1.8), (-1.6, 1.6), (-0.5, 1.1))]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    filled = np.zeros(points.shape[:3], bool)
    for piece in plates:
        local = (points - piece.position) @ rotation_matrix(np.deg2rad(piece.rotation_deg))
        filled |= (np.abs(local) <= 0.5 * np.array(piece.shape.size) + 1e-9).all(axis=-1)
    # The opening: just below the upper edges of the sides, from the lip to the back.
    x, z = points[..., 0], points[..., 2]
    outside = (z + 0.17 > (1.50 - x) * (0.952 + 0.15) / (1.50 - 0.31)) | (x > 1.45)
    open_cells, _ = ndimage.label(~filled & ~outside)
    middle = tuple(int(np.abs(axis - at).argmin()) for axis, at in zip(axes, (0.6, 0.0, -0.2), strict=True))
    room = points[open_cells == open_cells[middle]]
    assert open_cells[middle] > 0
    assert (np.abs(room[:, 1]) <= 1.48).all()
    assert room[:, 0].min() > 0.15
    assert room[:, 2].min() > -0.40
    volume = len(room) * 0.02**3
    assert MACHINE.tool.volume == pytest.approx(1.25 * volume, rel=0.15), "rated with a heap of a fourth"


# --- in motion -------------------------------------------------------------------------------------------


def test_the_linkage_moves_as_trigonometry_says() -> None:
    bodies = MultibodyStepper(on_ground())
    run(bodies, 1.0)
    run(bodies, 2.0, lift=1.0)
    for controls, seconds in (({"tilt": 1.0}, 3.0), ({"lift": 1.0}, 6.0), ({"tilt": -1.0}, 3.0), ({}, 1.0)):
        run(bodies, seconds, **controls)
        lift, tilt = bodies.joint("lift").coordinate, bodies.joint("tilt").coordinate
        expected = solved(MACHINE, np.array(lift), np.array(tilt))
        assert pitch(bodies) == pytest.approx(np.degrees(float(expected.bucket)), abs=0.1)
    assert pitch(bodies) < -45
    assert bodies.joint("lift").coordinate == pytest.approx(LIFT.range[1], abs=1e-3)
    assert bodies.joint("tilt").coordinate == pytest.approx(TILT.range[0], abs=1e-3)


def test_wheels_bear_the_weight_and_roll() -> None:
    scene = on_ground()
    bodies = MultibodyStepper(scene)
    run(bodies, 1.0, lift=0.5)
    run(bodies, 1.0)
    wheels = [body.name for body in MACHINE.bodies if body.name.startswith("wheel")]
    weight = 9.81 * bodies.bodies.mass.sum()
    assert sum(bodies.contact_force(wheel)[2] for wheel in wheels) == pytest.approx(weight, rel=0.01)
    run(bodies, 4.0, throttle=0.4)
    speed = float(np.linalg.norm(bodies.velocity("front frame")[:3]))
    assert speed == pytest.approx(0.4 * 12.0 * 0.75, rel=0.06)
    slips = wheel_slips(bodies, scene.placed_machines()[0])
    assert set(slips) == set(wheels)
    assert max(abs(slip) for slip in slips.values()) < 0.05
    run(bodies, 3.0, brake=1.0)
    assert np.linalg.norm(bodies.velocity("front frame")[:3]) < 0.02


def test_it_turns_on_the_circle_of_its_steering() -> None:
    """Both axles are 1.6 m from the hinge: folded by γ they run on a circle of 1.6 m/tan(γ/2)."""
    bodies = MultibodyStepper(on_ground())
    run(bodies, 1.0, lift=1.0)
    run(bodies, 2.0, steer=1.0, throttle=0.2)
    run(bodies, 3.0, throttle=0.2)
    angle = bodies.joint("steering").coordinate
    assert angle > np.radians(30)
    velocity = bodies.velocity("front frame")
    axle = np.array(pose_of(bodies, "front frame")[0] @ (0.6, 0.0, 0.0)) + bodies.position("front frame")
    arm = axle - bodies.motion.x[bodies.bodies.index["front frame"]]
    speed = float(np.linalg.norm((velocity[:3] + np.cross(velocity[3:], arm))[:2]))
    assert speed / velocity[5] == pytest.approx(1.6 / np.tan(angle / 2), rel=0.05)


# --- stalling --------------------------------------------------------------------------------------------


def against_a_wall(friction: float) -> MultibodyStepper:
    scene = on_ground(friction)
    scene.add_box((6.0, 0.0, 2.0), (1.0, 6.0, 4.0), "ground")
    bodies = MultibodyStepper(scene)
    run(bodies, 1.0, lift=0.5)
    run(bodies, 6.0, throttle=1.0)
    assert abs(bodies.velocity("front frame")[0]) < 0.05, "the wall holds it"
    return bodies


DRIVES = [name for name in JOINT if name.startswith("drive")]


def test_on_firm_ground_wheels_stall_at_the_torque_of_their_drive() -> None:
    """Those that the push unloads spin instead, at the power of theirs."""
    bodies = against_a_wall(0.9)
    stalled, traction = [], 0.0
    for name in DRIVES:
        motor, reading = JOINT[name].motor, bodies.joint(name)
        traction += bodies.contact_force(JOINT[name].first)[0]
        if abs(reading.rate) < 0.05:
            assert reading.along["motor"] == pytest.approx(motor.max_force, rel=0.01)
            stalled.append(name)
        else:
            assert reading.power() == pytest.approx(motor.max_power, rel=0.02)
    assert {"drive rear left", "drive rear right"} <= set(stalled)
    assert -bodies.contact_force("bucket")[0] == pytest.approx(traction, rel=0.01)


def test_on_ice_the_wheels_spin() -> None:
    scene_friction = 0.15
    bodies = against_a_wall(scene_friction)
    machine = on_ground().placed_machines()[0]
    assert min(wheel_slips(bodies, machine).values()) > 0.9
    push = -bodies.contact_force("bucket")[0]
    assert push == pytest.approx(scene_friction * 9.81 * bodies.bodies.mass.sum(), rel=0.1)


def loaded(mass: float) -> MultibodyStepper:
    """The frame held by the ground, so that the hydraulics have to lift the load and nothing tips."""
    scene = on_ground().assembled()
    place, block = (4.0, 0.0, 0.5), [Box(size=(0.6, 2.0, 0.6))]
    scene.add_body("load", "ground", mass=mass, position=place, shapes=block, group="loader")
    scene.add_joint(Fixed(first="load", second="bucket", position=place))
    for frame in ("front frame", "rear frame"):
        scene.add_joint(Fixed(first=frame, position=(0.0, 0.0, 1.0)))
    bodies = MultibodyStepper(scene)
    run(bodies, 4.0, lift=1.0)
    return bodies


def test_a_load_within_its_means_is_lifted() -> None:
    bodies = loaded(5000.0)
    lift = bodies.joint("lift")
    assert lift.coordinate > 0.6
    assert 0 < lift.along["cylinder"] < LIFT.motor.area * LIFT.motor.pressure_limit
    assert lift.power("cylinder") <= 1.02 * LIFT.motor.max_power


def test_an_overload_stalls_the_cylinder_at_its_pressure() -> None:
    bodies = loaded(40000.0)
    lift = bodies.joint("lift")
    assert lift.coordinate < 0.02
    assert lift.along["cylinder"] == pytest.approx(LIFT.motor.area * LIFT.motor.pressure_limit, rel=1e-6)
