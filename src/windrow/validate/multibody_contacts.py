"""Bodies that touch, against closed forms: thresholds of sliding and toppling, stacks, heavy loads on light buckets."""

from __future__ import annotations

import math

import numpy as np

from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.multibody_scenes import (
    DT,
    G,
    block_on_slope,
    cylinder_statics,
    fill_bucket,
    lifted_bucket,
    on_ground,
    run,
    stack,
)


def slide(tangent: float, friction: float = 0.5) -> float:
    """Acceleration of a flat block along the slope, over the second and third second, m/s²."""
    stepper = MultibodyStepper(block_on_slope(tangent, (0.6, 0.6, 0.2), friction))
    run(stepper, 1.0)
    before = float(np.linalg.norm(stepper.velocity("it")[:3]))
    run(stepper, 2.0)
    return (float(np.linalg.norm(stepper.velocity("it")[:3])) - before) / 2.0


def topples(tangent: float, width: float) -> bool:
    """Whether a block 1 m high falls over on a slope that it cannot slide on."""
    stepper = MultibodyStepper(block_on_slope(tangent, (width, width, 1.0), 2.0))
    angle = math.atan(tangent)
    run(stepper, 4.0)
    return bool(stepper.motion.R[0][:, 2] @ np.array([math.sin(angle), 0, math.cos(angle)]) < 0.7)


def threshold(low: float, high: float, width: float, rounds: int = 6) -> float:
    """Steepness at which a block of this width begins to topple, by bisection."""
    for _ in range(rounds):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if topples(middle, width) else (middle, high)
    return 0.5 * (low + high)


def thresholds() -> list[Result]:
    results: list[Result] = []
    for tangent in (0.40, 0.49, 0.51, 0.60, 0.80):
        angle = math.atan(tangent)
        exact = max(0.0, G * (math.sin(angle) - 0.5 * math.cos(angle)))
        results.append(
            Check(
                f"μ 0.5, tan {tangent:g}: acceleration",
                slide(tangent),
                exact,
                max(0.01 * exact, 1e-3),
                "m/s²",
            )
        )
    for width in (0.2, 0.4):
        measured = threshold(0.8 * width, 1.2 * width, width)
        results.append(Check(f"{width:g} m wide, 1 m high: topples at tan", measured, width, 0.02 * width))
    return results


def standing() -> list[Result]:
    count, edge = 10, 0.5
    scene = stack(count, edge)
    stepper = MultibodyStepper(scene)
    weight = float(stepper.bodies.mass.sum()) * G
    run(stepper, 15.0)
    before, fastest = stepper.poses(), 0.0
    for _ in range(3600):
        stepper.step(DT)
        fastest = max(fastest, float(np.abs(stepper.motion.V).max()))
    moved = float(np.abs(stepper.poses() - before).max())
    reading = stepper.contact_reading()
    ground = abs(float(reading.force[(reading.bodies == count).any(axis=1)][:, 2].sum()))
    sunk = edge * (count - 0.5) - float(stepper.position(f"box {count - 1}")[2])
    # Contact springs follow from their rate and the mass that they move: one box on the ground, half of it between two.
    one = G / (2 * math.pi * scene.multibody.contact_rate) ** 2
    springs = one * (count + 2 * sum(range(1, count)))
    return [
        Bound("largest speed of a minute, 15 s after the start", 1e3 * fastest, high=1.0, unit="mm/s"),
        Bound("largest change of a pose in it", 1e3 * moved, high=1.0, unit="mm"),
        Check("carried by the ground, of the weight", ground / weight, 1.0, 1e-3),
        Check("sinks by its contact springs in series", 1e3 * sunk, 1e3 * springs, 0.02e3 * springs, "mm"),
    ]


def hold(bucket_mass: float, load: float = 5000.0) -> list[Result]:
    """Lets the load come to rest in the bucket, then watches cylinder and rocks for two seconds."""
    scene = lifted_bucket(bucket_mass)
    fill_bucket(scene, load)
    stepper = MultibodyStepper(scene)
    run(stepper, 6.0)
    force, fastest = [], np.zeros(2)
    for _ in range(120):
        stepper.step(DT)
        force.append(stepper.joint("lift").along["cylinder"])
        speed = np.abs(stepper.motion.V[1 : stepper.bodies.count])
        fastest = np.maximum(fastest, (float(speed[0].max()), float(speed[1:, :3].max())))
    statics = cylinder_statics(stepper)
    relative = np.array(force) / statics
    inside = sum(float(stepper.position(rock)[2]) > 0.0 for rock in stepper.bodies.names[2:])
    name = f"{load / 1000:g} t in {bucket_mass:g} kg"
    return [
        Check(f"{name}: rocks that stay in the bucket", inside, stepper.bodies.count - 2, 0),
        Check(
            f"{name}: force of the cylinder, mean of 2 s, of the statics", float(relative.mean()), 1.0, 0.01
        ),
        Check(f"{name}: … in its worst step", float(relative[np.abs(relative - 1).argmax()]), 1.0, 0.01),
        Bound(f"{name}: fastest movement of the bucket", 1e3 * fastest[0], high=0.1, unit="mm/s"),
        Bound(f"{name}: fastest rock", 1e3 * fastest[1], high=1.0, unit="mm/s"),
    ]


def buckets() -> list[Result]:
    return [*hold(500.0), *hold(20.0)]


def wheel_loads() -> list[Result]:
    """The wheel loader with its bucket lifted off the ground, at rest: lever law between the axles."""
    scene = on_ground(friction=0.8)
    scene.add_machine("wheel_loader")
    stepper = MultibodyStepper(scene)
    stepper.control("lift", 1.0)
    run(stepper, 1.0)
    stepper.control("lift", 0.0)
    run(stepper, 9.0)
    mass, x = stepper.bodies.mass, stepper.motion.x[: stepper.bodies.count, 0]
    weight = float(mass.sum()) * G
    load, place = {}, {}
    for axle in ("front", "rear"):
        wheels = [f"wheel {axle} {side}" for side in ("left", "right")]
        load[axle] = [float(stepper.contact_force(wheel)[2]) for wheel in wheels]
        place[axle] = float(np.mean([stepper.position(wheel)[0] for wheel in wheels]))
    middle = float(mass @ x) / float(mass.sum())
    front = weight * (middle - place["rear"]) / (place["front"] - place["rear"])
    return [
        Check("all wheels, of the weight", sum(map(sum, load.values())) / weight, 1.0, 1e-3),
        Check("front axle, of the lever law", sum(load["front"]) / front, 1.0, 0.01),
        Check("rear axle, of the lever law", sum(load["rear"]) / (weight - front), 1.0, 0.01),
        Check("front, left over right", load["front"][0] / load["front"][1], 1.0, 0.01),
        Check("rear, left over right", load["rear"][0] / load["rear"][1], 1.0, 0.01),
        Bound("fastest body", 1e3 * float(np.abs(stepper.motion.V).max()), high=1.0, unit="mm/s"),
    ]


SCENARIOS = [
    Scenario(
        "multibody-thresholds",
        "bodies",
        "Coulomb: a block slides exactly when tan θ > μ, then with g (sin θ − μ cos θ); a tall one topples where tan θ "
        "exceeds its width over its height.",
        thresholds,
    ),
    Scenario(
        "multibody-stack",
        "bodies",
        "Ten boxes on top of each other stand still for a minute at 1/60 s, and weigh what they weigh.",
        standing,
    ),
    Scenario(
        "multibody-bucket",
        "bodies",
        "5 t of rocks rest in a bucket of 500 kg, and of 20 kg, at the end of an arm at 1/60 s; the arm's hydraulic "
        "cylinder has the force of the statics, without jitter.",
        buckets,
    ),
    Scenario(
        "multibody-wheel-loads",
        "bodies",
        "A wheel loader at rest on its tyres, bucket off the ground: the axles share its weight by the lever law.",
        wheel_loads,
    ),
]
