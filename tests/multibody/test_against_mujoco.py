"""The same machines and piles in MuJoCo, which has another integrator, other constraints and other contacts.

MuJoCo runs with steps so small that its own error is far below the tolerances here; Windrow runs at 1/60 s.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from windrow.geometry.terms import F64
from windrow.scene import Box, Scene
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, FOUR_BAR, G, double_pendulum, four_bar, on_ground, pendulum

FINE = 1 / 12000
"""s, MuJoCo's step for joints: its error falls with the step itself, Windrow's with the square of its own."""
FINE_PILE = 1 / 3000
"""s, for contacts"""


def text(values: object) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(values))


def body(stepper: MultibodyStepper, name: str, joints: str, inside: str = "", parent: str = "") -> str:
    """A body of a scene with the same mass, inertia and pose, axes as in the world."""
    b = stepper.bodies.index[name]
    place = stepper.motion.x[b] - (stepper.motion.x[stepper.bodies.index[parent]] if parent else 0.0)
    R = stepper.motion.R[b]
    I = R @ stepper.bodies.table.inertia[b] @ R.T
    full = text([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
    mass = float(stepper.bodies.mass[b])
    return (
        f'<body name="{name}" pos="{text(place)}"><inertial pos="0 0 0" mass="{mass!r}" fullinertia="{full}"/>'
        f"{joints}{inside}</body>"
    )


def hinge(stepper: MultibodyStepper, name: str, of: str, at: tuple[float, float, float]) -> str:
    arm = np.array(at) - stepper.motion.x[stepper.bodies.index[of]]
    return f'<joint name="{name}" type="hinge" axis="0 1 0" pos="{text(arm)}"/>'


def compiled(world: str, more: str = "", step: float = FINE) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{step!r}" gravity="0 0 {-G}" cone="elliptic" '
        f'integrator="implicitfast" iterations="200" tolerance="1e-12"/><worldbody>{world}</worldbody>{more}</mujoco>'
    )
    return model, mujoco.MjData(model)


def advance(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    for _ in range(round(DT / model.opt.timestep)):
        mujoco.mj_step(model, data)


def test_a_pendulum_swings_alike() -> None:
    stepper = MultibodyStepper(pendulum(60.0))
    model, data = compiled(body(stepper, "bob", hinge(stepper, "hook", "bob", (0, 0, 0))))
    worst, pull = 0.0, 0.0
    mass = float(stepper.bodies.mass[0])
    for _ in range(300):
        before, speed = float(data.qpos[0]), float(data.qvel[0])
        stepper.step(DT)
        advance(model, data)
        worst = max(worst, abs(stepper.joint("hook").coordinate - float(data.qpos[0])))
        # What the hinge carries in the middle of the step: the weight along the rod and the centripetal force.
        angle = math.radians(60) - 0.5 * (before + float(data.qpos[0]))
        carried = mass * (G * math.cos(angle) + (0.5 * (speed + float(data.qvel[0]))) ** 2)
        pull = max(pull, abs(float(np.linalg.norm(stepper.joint("hook").force)) - carried))
    assert worst < 0.01
    assert pull < 2e-3 * mass * G


def test_a_double_pendulum_swings_alike_until_chaos() -> None:
    stepper = MultibodyStepper(double_pendulum(substeps=16))
    lower = body(stepper, "lower", hinge(stepper, "knee", "lower", (1, 0, 0)), parent="upper")
    model, data = compiled(body(stepper, "upper", hinge(stepper, "hook", "upper", (0, 0, 0)), lower))
    for _ in range(90):
        stepper.step(DT)
        advance(model, data)
        np.testing.assert_allclose(data.xipos[1:], stepper.motion.x[:2], atol=0.02)


def linkage(stepper: MultibodyStepper, more: str = "") -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The four-bar as a tree, its elbow closed by a constraint."""
    shaft, knee, elbow, foot = FOUR_BAR
    coupler = body(stepper, "coupler", hinge(stepper, "knee", "coupler", knee), parent="crank")
    crank = body(stepper, "crank", hinge(stepper, "drive", "crank", shaft), coupler)
    rocker = body(stepper, "rocker", hinge(stepper, "foot", "rocker", foot))
    anchor = np.array(elbow) - stepper.motion.x[stepper.bodies.index["coupler"]]
    closed = (
        f'<equality><connect body1="coupler" body2="rocker" anchor="{text(anchor)}" solref="{3 * FINE!r} 1" '
        f'solimp="0.9999 0.9999 0.001"/></equality>'
    )
    return compiled(crank + rocker, closed + more)


@pytest.mark.parametrize(("substeps", "tolerance"), [(4, 0.008), (16, 0.0025)])
def test_a_four_bar_falls_alike(substeps: int, tolerance: float) -> None:
    scene = four_bar(None, substeps)
    # Downwards alone it would start near a dead centre, where everything small grows.
    scene.gravity = (6.0, 0.0, -6.0)
    stepper = MultibodyStepper(scene)
    model, data = linkage(stepper)
    model.opt.gravity[:] = scene.gravity
    fastest = 0.0
    for _ in range(120):
        stepper.step(DT)
        advance(model, data)
        fastest = max(fastest, float(np.abs(stepper.motion.V).max()))
        for k, name in enumerate(stepper.bodies.names):
            there = data.xipos[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)]
            np.testing.assert_allclose(there, stepper.motion.x[k], atol=tolerance, err_msg=name)
    assert fastest > 10.0


def test_a_four_bar_needs_the_same_torque() -> None:
    speed = 2.0
    stepper = MultibodyStepper(four_bar(speed))
    drive = '<actuator><velocity joint="drive" kv="1e6" ctrlrange="-9 9"/></actuator>'
    model, data = linkage(stepper, drive)
    data.ctrl[0] = speed
    own, other = [], []
    for k in range(200):
        stepper.step(DT)
        advance(model, data)
        if k >= 10:
            own.append((stepper.joint("drive").coordinate, stepper.joint("drive").along["motor"]))
            other.append((float(data.qpos[0]), float(data.actuator_force[0])))
    mine, theirs = np.array(own), np.array(other)
    # Ours is the mean over a step, so that it belongs to the angle in its middle.
    compared = np.interp(mine[5:-5, 0] - 0.5 * speed * DT, theirs[:, 0], theirs[:, 1])
    assert np.ptp(mine[:, 0]) > 2 * math.pi
    np.testing.assert_allclose(mine[5:-5, 1], compared, atol=0.02 * np.abs(theirs[:, 1]).max())


# --- piles ----------------------------------------------------------------------------------------------


def boxes(scene: Scene, stepper: MultibodyStepper) -> str:
    """All bodies of a scene as free boxes on a floor, of the same friction."""
    rub = 'friction="0.5 0 0" condim="3" solref="0.005 1" solimp="0.99 0.999 0.0001"'
    world = f'<geom name="floor" type="plane" size="0 0 1" {rub}/>'
    for b, item in enumerate(scene.bodies):
        shape = item.shapes[0].shape
        assert isinstance(shape, Box)
        mass, half = float(stepper.bodies.mass[b]), text(0.5 * np.array(shape.size))
        world += (
            f'<body name="{item.name}" pos="{text(item.position)}"><freejoint/>'
            f'<geom name="{item.name}" type="box" size="{half}" mass="{mass!r}" {rub}/></body>'
        )
    return world


def floor_forces(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
    """Vertical force of the floor on each body, N."""
    forces: dict[str, float] = {}
    for k in range(data.ncon):
        force = np.zeros(6)
        mujoco.mj_contactForce(model, data, k, force)
        names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, geom) for geom in data.contact[k].geom]
        if "floor" in names:
            name = next(name for name in names if name != "floor")
            forces[name] = forces.get(name, 0.0) + float(force[0])
    return forces


def own_floor_forces(stepper: MultibodyStepper) -> dict[str, float]:
    reading, ground = stepper.contact_reading(), stepper.bodies.count
    forces: dict[str, float] = {}
    for (first, second), force in zip(reading.bodies, reading.force, strict=True):
        if ground in (first, second):
            name = stepper.bodies.names[min(first, second)]
            forces[name] = forces.get(name, 0.0) + abs(float(force[2]))
    return forces


def pile() -> Scene:
    """A beam on two pillars, a weight on it nearer to one of them, and a wall of three boxes beside."""
    scene = on_ground()
    for x, name in ((-1.0, "left"), (1.0, "right")):
        scene.add_body(name, "block", shapes=[Box(size=(0.4, 0.4, 0.4))], position=(x, 0, 0.2))
    scene.add_body("beam", "block", shapes=[Box(size=(2.8, 0.4, 0.2))], position=(0, 0, 0.5))
    scene.add_body("weight", "block", shapes=[Box(size=(0.5, 0.4, 0.5))], position=(0.5, 0, 0.85))
    for x in (3.0, 3.5):
        scene.add_body(f"low {x:g}", "block", shapes=[Box(size=(0.45, 0.4, 0.4))], position=(x, 0, 0.2))
    scene.add_body("high", "block", shapes=[Box(size=(0.45, 0.4, 0.4))], position=(3.25, 0, 0.6))
    return scene


def test_a_pile_of_boxes_weighs_alike() -> None:
    scene = pile()
    stepper = MultibodyStepper(scene)
    model, data = compiled(boxes(scene, stepper), step=FINE_PILE)
    for _ in range(180):
        stepper.step(DT)
        advance(model, data)
    own, other = own_floor_forces(stepper), floor_forces(model, data)
    mass = {name: float(stepper.bodies.mass[b]) for b, name in enumerate(stepper.bodies.names)}
    total = sum(mass.values()) * G
    assert sum(own.values()) == pytest.approx(total, rel=1e-3)
    assert own.keys() == other.keys() == {"left", "right", "low 3", "low 3.5"}
    for name in own:
        assert own[name] == pytest.approx(other[name], abs=0.01 * total)
    # Statics of the wall: each lower box carries half of the upper one.
    assert own["low 3"] == pytest.approx((mass["low 3"] + 0.5 * mass["high"]) * G, rel=0.01)
    for b, name in enumerate(stepper.bodies.names):
        there = data.xipos[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)]
        np.testing.assert_allclose(stepper.motion.x[b], there, atol=3e-3, err_msg=name)


def lean(R: F64) -> float:
    """Angle about y by which a body has tipped, rad."""
    return math.atan2(float(R[0, 2]), float(R[2, 2]))


def test_dominoes_fall_alike() -> None:
    count, gap = 5, 0.4
    scene = on_ground()
    for k in range(count):
        turning = (0, 0.8, 0) if k == 0 else (0, 0, 0)
        scene.add_body(
            f"domino {k}",
            "block",
            shapes=[Box(size=(0.12, 0.4, 0.8))],
            position=(gap * k, 0, 0.4),
            angular_velocity=turning,
            velocity=(0.8 * 0.4 if k == 0 else 0, 0, 0),
        )
    stepper = MultibodyStepper(scene)
    model, data = compiled(boxes(scene, stepper), step=FINE_PILE)
    data.qvel[:6] = (0.8 * 0.4, 0, 0, 0, 0.8, 0)
    own, other = np.full(count, np.nan), np.full(count, np.nan)
    for k in range(180):
        stepper.step(DT)
        advance(model, data)
        for d in range(count):
            if np.isnan(own[d]) and lean(stepper.motion.R[d]) > 0.3:
                own[d] = k * DT
            if np.isnan(other[d]) and lean(data.xmat[d + 1].reshape(3, 3)) > 0.3:
                other[d] = k * DT
    assert np.isfinite(own).all()
    assert np.isfinite(other).all()
    assert own[-1] > own[0] + 0.3
    np.testing.assert_allclose(np.diff(own), np.diff(other), atol=0.04)
    np.testing.assert_allclose(own[-1] - own[0], other[-1] - other[0], rtol=0.1)
