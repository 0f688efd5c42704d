"""Bodies and joints against closed forms: pendulums, linkages, tops, shocks, merging."""

from __future__ import annotations

import math

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.scene import Merging, Multibody
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.multibody_scenes import (
    DT,
    G,
    cradle,
    double_pendulum,
    elbow_of,
    empty,
    four_bar,
    gyroscope,
    miss,
    pendulum,
    pendulum_period,
    place_of,
    rising_zeros,
)


def swing(angle_deg: float, seconds: float = 60.0) -> tuple[float, float]:
    """Mean period, s, and the largest reach of the last three seconds over that at the start."""
    stepper = MultibodyStepper(pendulum(angle_deg))
    x = []
    for _ in range(round(seconds / DT)):
        stepper.step(DT)
        x.append(float(stepper.motion.x[0, 0]))
    reach = max(x[-180:]) / math.sin(math.radians(angle_deg))
    return float(np.diff(rising_zeros(x)).mean() * DT), reach


def pendulums() -> list[Result]:
    results: list[Result] = []
    for angle in (5.0, 30.0, 60.0, 80.0):
        period, reach = swing(angle)
        exact = pendulum_period(angle)
        results += [
            Check(f"{angle:g}°: period", period, exact, 3e-4 * exact, "s"),
            Check(f"{angle:g}°: reach after a minute, of the start", reach, 1.0, 5e-3),
        ]
    return results


def energy_of_double_pendulum(substeps: int, seconds: float = 60.0) -> tuple[float, float, float]:
    """Largest and last error of the energy, of what it falls through; largest gap of a joint, m."""
    stepper = MultibodyStepper(double_pendulum(substeps))
    energy, gap = [], 0.0
    for _ in range(round(seconds / DT)):
        stepper.step(DT)
        energy.append(stepper.energy())
        gap = max(gap, miss(stepper))
    error = np.array(energy) / (2 * G * 1.5)
    return float(np.abs(error).max()), float(abs(error[-120:].mean())), gap


def double_pendulums() -> list[Result]:
    results: list[Result] = []
    for substeps, ripple, drift in ((4, 0.02, 0.01), (16, 0.005, 0.003)):
        largest, last, gap = energy_of_double_pendulum(substeps)
        results += [
            Bound(f"{substeps} substeps: largest error of the energy", largest, high=ripple),
            Bound(f"{substeps} substeps: mean error of the last two seconds", last, high=drift),
            Bound(f"{substeps} substeps: largest gap of a joint", 1e3 * gap, high=0.1, unit="mm"),
        ]
    return results


def linkage() -> list[Result]:
    results: list[Result] = []
    for speed in (2.0, 6.0):
        stepper = MultibodyStepper(four_bar(speed))
        gap = wrong = 0.0
        unsolved = 0
        for _ in range(3600):
            unsolved += stepper.step(DT).unsolved
            gap = max(gap, miss(stepper))
            elbow = elbow_of(place_of(stepper, "knee"))
            wrong = max(wrong, float(np.linalg.norm(place_of(stepper, "elbow") - elbow)))
        turned = stepper.joint("drive").coordinate
        results += [
            Bound(f"{speed:g} rad/s: largest gap of a joint", 1e3 * gap, high=0.1, unit="mm"),
            Bound(f"{speed:g} rad/s: elbow from where the geometry has it", 1e3 * wrong, high=0.1, unit="mm"),
            Check(f"{speed:g} rad/s: turned in a minute", turned, 60 * speed, 1e-5 * 60 * speed, "rad"),
            Check(f"{speed:g} rad/s: substeps left unsolved", unsolved, 0, 0),
        ]
    return results


def precession() -> list[Result]:
    results: list[Result] = []
    for spin, substeps, tolerance in ((60.0, 4, 0.02), (100.0, 4, 5e-3), (200.0, 8, 5e-3)):
        stepper, rate = gyroscope(spin, substeps)
        angles, lowest = [], 0.0
        for _ in range(600):
            stepper.step(DT)
            angles.append(math.atan2(stepper.motion.x[0, 1], stepper.motion.x[0, 0]))
            lowest = min(lowest, float(stepper.motion.x[0, 2]))
        measured = float(np.unwrap(angles)[-1] - angles[0]) / (599 * DT)
        results += [
            Check(
                f"{spin:g} rad/s, {substeps} substeps: precession", measured, rate, tolerance * rate, "rad/s"
            ),
            Bound(f"{spin:g} rad/s, {substeps} substeps: lowest place, of the arm", lowest / 0.2, low=-0.1),
        ]
    return results


def shocks() -> list[Result]:
    count = 5
    stepper = cradle(count)
    fastest = np.zeros(count)
    for _ in range(45):
        stepper.step(DT)
        fastest = np.maximum(fastest, stepper.motion.V[:count, 0])
    v = math.sqrt(2 * G * (1 - math.cos(math.radians(40))))
    others = float(np.abs(stepper.motion.V[: count - 1, 0]).max())
    return [
        Check("speed of the first ball as it hits", float(fastest[0]), v, 0.02 * v, "m/s"),
        Check("speed of the last ball as it leaves", float(fastest[-1]), v, 0.02 * v, "m/s"),
        Check("momentum passed on", float(fastest[-1] / fastest[0]), 1.0, 0.01),
        Bound("speed of the other four then, of the first's", others / v, high=0.1),
    ]


def sums(stepper: MultibodyStepper, rows: I64) -> tuple[F64, F64, F64, F64, F64]:
    """Mass, first moment, inertia about the origin, momentum and angular momentum of rows as they stand."""
    table, motion = stepper.bodies.table, stepper.motion
    mass, moment, inertia = np.zeros(1), np.zeros(3), np.zeros((3, 3))
    momentum, turning = np.zeros(3), np.zeros(3)
    for b in rows:
        m, x, v, w, R = 1 / table.inverse_mass[b], motion.x[b], motion.V[b, :3], motion.V[b, 3:], motion.R[b]
        own = R @ table.inertia[b] @ R.T
        mass += m
        moment += m * x
        inertia += own + m * (x @ x * np.eye(3) - np.outer(x, x))
        momentum += m * v
        turning += own @ w + m * np.cross(x, v)
    return mass, moment, inertia, momentum, turning


def drifting(count: int) -> MultibodyStepper:
    """Boxes of many sizes that turn and fly, and may join."""
    rng = np.random.default_rng(1)
    scene = empty(gravity=0.0)
    scene.multibody = Multibody(merging=Merging())
    for k in range(count):
        scene.add_body(
            f"{k}",
            "steel",
            shapes=[{"kind": "box", "size": rng.uniform(0.1, 0.6, 3)}],
            position=rng.uniform(-3, 3, 3),
            rotation_deg=rng.uniform(-180, 180, 3),
            velocity=rng.normal(size=3),
            angular_velocity=rng.normal(size=3),
        )
    return MultibodyStepper(scene)


def merges_and_splits(times: int, count: int = 24) -> tuple[list[float], float, float]:
    """Largest relative errors of mass, first moment, inertia, momentum and angular momentum; energy before, after."""
    stepper, rng = drifting(count), np.random.default_rng(2)
    merger = stepper.merger
    before, energy = sums(stepper, np.arange(count)), stepper.energy()
    scale = [float(np.abs(value).max()) for value in before]
    worst = [0.0] * len(before)

    def compare(rows: I64) -> None:
        for k, (was, now) in enumerate(zip(before, sums(stepper, rows), strict=True)):
            worst[k] = max(worst[k], float(np.abs(now - was).max()) / scale[k])

    for k in range(times):
        chosen = rng.choice(count, size=int(rng.integers(2, 7)), replace=False)
        if k % 2 == 0:
            merger.join(chosen)
            merger.carry()
        else:
            merger.split(chosen)
        if k % 500 == 0:
            compare(np.concatenate([merger.in_use, np.setdiff1d(np.arange(count), merger.members)]))
    merger.split(np.arange(count))
    compare(np.arange(count))
    return worst, energy, stepper.energy()


def merging() -> list[Result]:
    worst, before, after = merges_and_splits(10_000)
    names = ("mass", "centre", "inertia", "momentum", "angular momentum")
    results: list[Result] = [
        Bound(f"{name}: largest relative error", error, high=1e-9)
        for name, error in zip(names, worst, strict=True)
    ]
    return [
        *results,
        Bound("energy after, of before: joining is an inelastic impact", after / before, high=1.0),
    ]


SCENARIOS = [
    Scenario(
        "multibody-pendulum",
        "bodies",
        "Period of a physical pendulum of any amplitude, T = 2π √(I/(m g L)) / agm(1, cos(θ₀/2)); a minute at 1/60 s.",
        pendulums,
    ),
    Scenario(
        "multibody-double-pendulum",
        "bodies",
        "Energy of a double pendulum stays for a minute, of the 2 m g 1.5 L that it falls through; 1/60 s.",
        double_pendulums,
    ),
    Scenario(
        "multibody-four-bar",
        "bodies",
        "A closed loop with redundant rows stays closed for a minute, and moves as its circles say.",
        linkage,
    ),
    Scenario(
        "multibody-gyroscope",
        "bodies",
        "Steady precession of a fast top, Ω = m g r / (I ω).",
        precession,
    ),
    Scenario(
        "multibody-cradle",
        "bodies",
        "Newton's cradle of five balls: the last leaves with the speed √(2 g h) of the first, the others rest.",
        shocks,
    ),
    Scenario(
        "multibody-merging",
        "bodies",
        "Mass, centre, inertia, momentum and angular momentum through 10,000 random merges and splits.",
        merging,
    ),
]
