"""Scenes of bodies and joints that scenarios, tests and comparisons with other programs share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.geometry.terms import F64
from windrow.scene import (
    BallJoint,
    Box,
    Cylinder,
    CylinderJoint,
    Distance,
    Hinge,
    Multibody,
    Piece,
    PositionMotor,
    Scene,
    Sphere,
    Spheres,
    VelocityMotor,
)
from windrow.solvers.multibody.stepper import MultibodyStepper

G = 9.81
DT = 1 / 60
Y = (0.0, 1.0, 0.0)
Point = tuple[float, float, float]


def empty(substeps: int = 4, gravity: float = G) -> Scene:
    scene = Scene(gravity=(0, 0, -gravity), multibody=Multibody(substeps=substeps))
    scene.add_material("steel", density=7800, friction_static=0.5)
    return scene


def run(stepper: MultibodyStepper, seconds: float) -> None:
    for _ in range(round(seconds / DT)):
        stepper.step(DT)


# --- joints ---------------------------------------------------------------------------------------------


def bar(scene: Scene, name: str, start: Point, end: Point, width: float = 0.05, **fields: object) -> None:
    """A square bar between two points of the plane y = const."""
    a, b = np.array(start), np.array(end)
    d = b - a
    angle = math.degrees(math.atan2(-d[2], d[0]))
    scene.add_body(
        name,
        "steel",
        shapes=[Box(size=(float(np.linalg.norm(d)), width, width))],
        position=0.5 * (a + b),
        rotation_deg=(0, angle, 0),
        **fields,
    )


def pendulum(angle_deg: float, length: float = 1.0, radius: float = 0.1, substeps: int = 4) -> Scene:
    """A ball on a massless rod that turns about the y axis, let go at an angle from its lowest place."""
    scene = empty(substeps)
    angle = math.radians(angle_deg)
    position = (length * math.sin(angle), 0.0, -length * math.cos(angle))
    scene.add_body("bob", "steel", shapes=[Sphere(radius=radius)], position=position)
    scene.add_joint(Hinge(name="hook", first="bob", position=(0, 0, 0), axis=Y))
    return scene


def pendulum_period(angle_deg: float, length: float = 1.0, radius: float = 0.1) -> float:
    """s; of any amplitude, by the arithmetic-geometric mean: T = 2π √(I/(m g L)) / agm(1, cos(θ/2))."""
    small = 2 * math.pi * math.sqrt((length**2 + 0.4 * radius**2) / (G * length))
    a, b = 1.0, math.cos(math.radians(angle_deg) / 2)
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return small / a


def rising_zeros(values: list[float]) -> F64:
    """Times, in steps, at which a signal passes zero upwards."""
    v = np.array(values)
    k = np.flatnonzero((v[:-1] < 0) & (v[1:] >= 0))
    return np.asarray(k + v[k] / (v[k] - v[k + 1]))


def double_pendulum(substeps: int = 4) -> Scene:
    """Two rods of 1 m and 1 kg, let go stretched out level."""
    scene = empty(substeps)
    for k, name in enumerate(("upper", "lower")):
        scene.add_body(name, "steel", mass=1, inertia=[1e-3, 1 / 12, 1 / 12], position=(0.5 + k, 0, 0))
    scene.add_joint(Hinge(first="upper", position=(0, 0, 0), axis=Y))
    scene.add_joint(Hinge(first="upper", second="lower", position=(1, 0, 0), axis=Y))
    return scene


FOUR_BAR: tuple[Point, Point, Point, Point] = ((0, 0, 0), (0, 0, 0.4), (1.2, 0, 1.0), (1.0, 0, 0))
"""Shaft, knee, elbow and foot at the start."""


def four_bar(speed: float | None, substeps: int = 4) -> Scene:
    """Crank, coupler and rocker in one plane: 20 rows hold 18 ways to move, three of them twice.

    `speed` of the crank in rad/s; None: nothing drives it.
    """
    scene = empty(substeps)
    p, q, r, s = FOUR_BAR
    bar(scene, "crank", p, q)
    bar(scene, "coupler", q, r)
    bar(scene, "rocker", r, s)
    motor = None if speed is None else VelocityMotor(speed=speed)
    scene.add_joint(Hinge(name="drive", first="crank", position=p, axis=Y, motor=motor))
    scene.add_joint(Hinge(name="knee", first="crank", second="coupler", position=q, axis=Y))
    scene.add_joint(Hinge(name="elbow", first="coupler", second="rocker", position=r, axis=Y))
    scene.add_joint(Hinge(name="foot", first="rocker", position=s, axis=Y))
    return scene


def elbow_of(knee: F64) -> F64:
    """Where the elbow of the four-bar is when its knee is there: where circles about knee and foot meet."""
    _, q, r, s = (np.array(point, np.float64) for point in FOUR_BAR)
    r1, r2 = float(np.linalg.norm(r - q)), float(np.linalg.norm(r - s))
    d = s - knee
    length = float(np.linalg.norm(d))
    along = (r1**2 - r2**2 + length**2) / (2 * length)
    across = np.array([-d[2], 0, d[0]]) / length
    return np.asarray(knee + d / length * along + across * math.sqrt(r1**2 - along**2))


def place_of(stepper: MultibodyStepper, joint: str | int, side: int = 0) -> F64:
    """(3,) where a joint is on its first or second body, m."""
    j = stepper.joints.index[joint] if isinstance(joint, str) else joint
    b, anchor = stepper.joints.table.body[j, side], stepper.joints.table.anchor[j, side]
    return anchor if b < 0 else np.asarray(stepper.motion.x[b] + stepper.motion.R[b] @ anchor)


def miss(stepper: MultibodyStepper) -> float:
    """Largest distance between the two places of a joint, m."""
    return max(
        float(np.linalg.norm(place_of(stepper, j, 1) - place_of(stepper, j, 0)))
        for j in range(len(stepper.joints.names))
    )


def gyroscope(spin: float, substeps: int = 4) -> tuple[MultibodyStepper, float]:
    """A spinning wheel at the end of an arm of 0.2 m, held at the other end, and its steady precession m g r / (I ω),
    rad/s."""
    scene = empty(substeps)
    arm = 0.2
    scene.add_body(
        "top",
        "steel",
        shapes=[Cylinder(radius=0.1, height=0.02)],
        position=(arm, 0, 0),
        rotation_deg=(0, 90, 0),
        angular_velocity=(spin, 0, 0),
    )
    scene.add_joint(BallJoint(first="top", position=(0, 0, 0)))
    stepper = MultibodyStepper(scene)
    rate = float(stepper.bodies.mass[0] * G * arm / (stepper.bodies.table.inertia[0, 2, 2] * spin))
    stepper.motion.V[0, 5] = rate
    stepper.motion.V[0, :3] = (0, rate * arm, 0)
    return stepper, rate


def cradle(count: int, angle_deg: float = 40.0) -> MultibodyStepper:
    """Balls on strings of 1 m, side by side; the first is pulled out."""
    r, length = 0.1, 1.0
    scene = empty()
    for k in range(count):
        x = 2.0002 * r * k
        angle = math.radians(angle_deg) if k == 0 else 0.0
        place = (x - length * math.sin(angle), 0.0, -length * math.cos(angle))
        scene.add_body(f"ball {k}", "steel", shapes=[Sphere(radius=r)], position=place, restitution=1.0)
        for side in (-0.3, 0.3):
            scene.add_joint(Distance(first=f"ball {k}", positions=(place, (x, side, 0))))
    return MultibodyStepper(scene)


# --- contacts -------------------------------------------------------------------------------------------


def on_ground(friction: float = 0.5, slope_deg: float = 0.0, **settings: Any) -> Scene:
    """A plane through the origin that falls towards +x; blocks on it are of the material "block"."""
    scene = empty()
    scene.multibody = Multibody(**settings)
    scene.add_material("ground", friction_static=friction, density=2000)
    scene.add_material("block", friction_static=friction, density=2000)
    angle = math.radians(slope_deg)
    scene.add_plane((math.sin(angle), 0, math.cos(angle)), 0.0, "ground", name="ground")
    return scene


def block_on_slope(tangent: float, size: Point, friction: float) -> Scene:
    """The block "it" stands on a slope of this steepness."""
    slope = math.degrees(math.atan(tangent))
    angle = math.radians(slope)
    scene = on_ground(friction, slope)
    up = np.array([math.sin(angle), 0, math.cos(angle)])
    scene.add_body(
        "it", "block", shapes=[Box(size=size)], position=0.5 * size[2] * up, rotation_deg=(0, slope, 0)
    )
    return scene


def stack(count: int, edge: float = 0.5) -> Scene:
    """Boxes on top of each other."""
    scene = on_ground()
    for k in range(count):
        scene.add_body(
            f"box {k}", "block", shapes=[Box(size=(edge, edge, edge))], position=(0, 0, edge * (k + 0.5))
        )
    return scene


def rock(rng: np.random.Generator, size: float = 0.6) -> Spheres:
    """Four to eight overlapping balls, about `size` across."""
    count = int(rng.integers(4, 9))
    centers = rng.normal(size=(count, 3))
    centers *= 0.27 * size * rng.uniform(0.7, 1.2, 3) / np.linalg.norm(centers, axis=1, keepdims=True)
    return Spheres(centers=centers, radii=rng.uniform(0.22, 0.30, count) * size)


def lifted_bucket(bucket_mass: float) -> Scene:
    """An arm on a hinge, held by a hydraulic cylinder, with an open bucket at its end."""
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
    motor = PositionMotor(max_force=1e6, compliance=1e-9)
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


def fill_bucket(scene: Scene, load: float, rocks: int = 64) -> None:
    """Rocks above the bucket that weigh `load` kg together."""
    rng = np.random.default_rng(3)
    for k in range(rocks):
        place = (5.2 + 0.42 * (k % 4 - 1.5), 0.42 * (k // 4 % 4 - 1.5), 0.7 + 0.42 * (k // 16))
        scene.add_body(f"rock {k}", "steel", shapes=[rock(rng, 0.35)], mass=load / rocks, position=place)


def cylinder_statics(stepper: MultibodyStepper, extra: float = 0.0) -> float:
    """Force of the cylinder that carries arm, bucket and load, plus an extra moment, N."""
    mass, x = stepper.bodies.mass, stepper.motion.x[: stepper.bodies.count, 0]
    moment = float(mass @ x) * G + extra
    head, foot = place_of(stepper, "lift", 0), place_of(stepper, "lift", 1)
    along = (head - foot) / np.linalg.norm(head - foot)
    return moment / float(head[0] * along[2] - head[2] * along[0])
