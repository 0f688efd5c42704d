"""Machines gain no energy: random levers, standing and lying on every side, and a balance of every step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from windrow.fixed_math import dot
from windrow.geometry.terms import F64
from windrow.scene.machines import built_in_machines
from windrow.scene.scene import Scene
from windrow.solvers.multibody import rows as kinds
from windrow.solvers.multibody.contacts import STIFFNESS
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.multibody.tracks import COHESION, SHEAR_LENGTH, TANGENT
from windrow.validate.check import Bound, Result, Scenario

DT = 1 / 60
G = 9.81
STEPS = 5000
SETTLE = 60
"""steps before levers move"""
LIFT = 2e-3
"""m: what a step may gain is less than lifting the machine by so much takes, for that is what an overlap that is pushed
apart does"""
SIDES = {
    "standing": (0.0, 0.0, 1.0),
    "on its left": (0.0, -1.0, 0.0),
    "on its right": (0.0, 1.0, 0.0),
    "on its front": (-1.0, 0.0, 0.0),
    "on its back": (1.0, 0.0, 0.0),
    "upside down": (0.0, 0.0, -1.0),
}
"""where up is, seen by a machine that looks along x"""
DRIVES = (kinds.VELOCITY, kinds.POSITION, kinds.FORCE, kinds.HYDRAULIC, kinds.PISTON, kinds.ROTARY)


# --- the balance -----------------------------------------------------------------------------------------


def held_energy(bodies: MultibodyStepper) -> float:
    """J in the compliances of what joints hold: ½ q²/ε of every violation q, as `joint_rows` measures it."""
    table, geometry, total = bodies.joints.table, bodies.joints.geometry, 0.0
    for kind, compliance, gap, (a, b) in zip(
        table.kind, table.compliance, geometry.gap, geometry.frame, strict=True
    ):
        q: list[float] = []
        if kind in (kinds.HINGE, kinds.FIXED, kinds.BALL, kinds.UNIVERSAL):
            q += gap.tolist()
        if kind in (kinds.HINGE, kinds.UNIVERSAL):
            q += [float(dot(a[0], b[k])) for k in range(1, 3 if kind == kinds.HINGE else 2)]
        if kind in (kinds.FIXED, kinds.SLIDER):
            q += [float(dot(a[k], b[(k + 1) % 3])) for k in range(3)]
        if kind == kinds.SLIDER:
            q += [float(dot(a[k], gap)) for k in (1, 2)]
        if compliance > 0.0:
            total += 0.5 * sum(x * x for x in q) / compliance
    return total


def axial_energy(bodies: MultibodyStepper) -> float:
    """J in springs, lengths, stops and gears."""
    value, total = bodies.joints.coordinates.value, 0.0
    for axial in bodies.joints.axials:
        at, n = float(value[axial.joint]), axial.numbers
        if axial.kind == kinds.SPRING:
            total += 0.5 * n[1] * (at - n[0]) ** 2
        elif axial.kind == kinds.HOLD:
            total += 0.5 * (at - n[0]) ** 2 / n[1]
        elif axial.kind in (kinds.LIMIT, kinds.CONE):
            total += 0.5 * max(n[0] - at, at - n[1], 0.0) ** 2 / n[2]
        elif axial.kind == kinds.COUPLE:
            total += 0.5 * (at + n[0] * float(value[axial.other]) - n[1]) ** 2 / n[2]
    return total


def tyre_energy(bodies: MultibodyStepper) -> float:
    """J in contacts of bodies with a stiffness."""
    n = int(bodies.contacts.found[0])
    overlap = np.minimum(bodies.contacts.gap[:n], 0.0)
    return float((0.5 * bodies._sweeps.law[:n, STIFFNESS] * overlap * overlap).sum())


def track_energy(bodies: MultibodyStepper) -> float:
    """J under the shoes of tracks: ½ N²/k of the ground, and of shear what the way back would give.

    That is K T (s − ln(1 + s)); T is the largest shear force, s the share of it that is at work, see `traction`.
    """
    tracks, total = bodies.joints.tracks, 0.0
    for f in np.flatnonzero(tracks.load):
        area = float(tracks.size[f, 0] * tracks.size[f, 1])
        load, law = float(tracks.load[f]), tracks.law[f]
        total += 0.5 * load * load / (float(tracks.numbers[tracks.track[f], 0]) * area)
        share = float(np.sqrt((tracks.shear[f] ** 2).sum()))
        most = float(law[COHESION]) * area + load * float(law[TANGENT])
        total += float(law[SHEAR_LENGTH]) * most * (share - math.log1p(share))
    return total


class EnergyBook:
    """Books what a step changed against what drives gave."""

    def __init__(self, bodies: MultibodyStepper) -> None:
        self.bodies = bodies
        axial = bodies.joints.axial
        self._drives = axial.row[np.isin(axial.kind, DRIVES)]
        self._before = self.stored()

    def stored(self) -> float:
        """J: motion, height and springs"""
        bodies = self.bodies
        springs = held_energy(bodies) + axial_energy(bodies) + tyre_energy(bodies) + track_energy(bodies)
        return bodies.energy() + springs

    def gain(self) -> float:
        """J that nobody gave, since the last call one step ago; what friction and damping take is negative."""
        now, given = self.stored(), float(self.bodies.joints.rows.work[self._drives].sum())
        gain, self._before = now - self._before - given, now
        return gain


# --- what is done ----------------------------------------------------------------------------------------


def lowest(bodies: MultibodyStepper, up: F64) -> float:
    """m along `up`, of all corners and shoes"""
    parts, motion = bodies.parts, bodies.motion
    owner = np.repeat(parts.body, np.diff(parts.corner_start))
    corners = motion.x[owner] + np.einsum("cij,cj->ci", motion.R[owner], parts.corner)
    balls = motion.x[parts.body] + np.einsum("pij,pj->pi", motion.R[parts.body], parts.center)
    round_ones = np.diff(parts.corner_start) == 0
    below = dot(balls[round_ones], up) - parts.radius[round_ones]
    tracks = bodies.joints.tracks
    frame = bodies.joints.table.body[tracks.joint, 0][tracks.track]
    shoes = motion.x[frame] + np.einsum("fij,fj->fi", motion.R[frame], tracks.point)
    lowest_shoe = dot(shoes, up).min(initial=np.inf)
    return float(min(dot(corners, up).min(initial=np.inf), below.min(initial=np.inf), lowest_shoe))


def on_side(machine: str | Path, side: str, droop: float | None = None) -> Scene:
    """A machine on level ground, seen in its own frame; `droop`, if any, is that of all motors for a speed."""
    up = np.array(SIDES[side])
    scene = Scene(gravity=tuple(-G * up))
    scene.add_material("ground", density=2000.0, friction_static=0.8)
    scene.add_machine(machine)
    scene = scene.assembled()
    for joint in scene.joints:
        motor: Any = getattr(joint, "motor", None)
        if droop is not None and hasattr(motor, "droop"):
            motor.droop = droop
    scene.add_plane(tuple(up), lowest(MultibodyStepper(scene), up) - 0.02, "ground")
    return scene


def random_levers(names: Sequence[str], seed: int) -> Iterator[dict[str, float]]:
    """All levers anew every 1 to 59 steps."""
    rng, hold, levers = np.random.default_rng(seed), 0, {}
    while True:
        if hold == 0:
            hold = int(rng.integers(1, 60))
            levers = {name: float(np.clip(rng.normal(0, 1), -1, 1)) for name in names}
        hold -= 1
        yield levers


@dataclass
class Outcome:
    """Of some steps with random levers."""

    worst: float
    """largest gain of a step, as metres by which it would lift the machine"""
    net: float
    """J, of all steps together"""
    held_back: int
    unsolved: int
    frozen: int


def work(scene: Scene, steps: int, seed: int, names: Sequence[str] | None = None) -> Outcome:
    """Random levers, drawn in the order of `names` (left out: of the joints)."""
    bodies = MultibodyStepper(scene)
    for _ in range(SETTLE):
        bodies.step(DT)
    book, levers = EnergyBook(bodies), random_levers(names or bodies.joints.controls, seed)
    gains, held_back, unsolved, frozen = [], 0, 0, 0
    for _ in range(steps):
        for name, value in next(levers).items():
            bodies.control(name, value)
        report = bodies.step(DT)
        gains.append(book.gain())
        held_back += report.held_back
        unsolved += report.unsolved
        frozen = report.frozen
    weight = G * float(bodies.bodies.mass.sum())
    return Outcome(max(gains) / weight, sum(gains), held_back, unsolved, frozen)


def machines_gain_nothing() -> list[Result]:
    results: list[Result] = []
    for machine in built_in_machines():
        for droop, motors in ((None, ""), (0.0, ", motors without droop")):
            outcomes = [work(on_side(machine, side, droop), STEPS, 1) for side in SIDES]
            what = f"{machine}{motors}: "
            results += [
                Bound(
                    what + "largest gain of a step, as a lift",
                    1e3 * max(o.worst for o in outcomes),
                    high=1e3 * LIFT,
                    unit="mm",
                ),
                Bound(what + "gain of all steps", max(o.net for o in outcomes) / 1e3, high=0.0, unit="kJ"),
                Bound(what + "substeps whose contacts were cut", sum(o.held_back for o in outcomes), high=0),
                Bound(what + "problems left to sweeps", sum(o.unsolved for o in outcomes), high=0),
            ]
    return results


SCENARIOS = [
    Scenario(
        "machine-energy",
        "bodies",
        "Conservation: no step gains more energy than motors and cylinders gave and gravity did. Every built-in "
        "machine, standing and lying on five sides, 5,000 steps of random levers each; springs are booked as stored "
        "energy.",
        machines_gain_nothing,
        slow=True,
    ),
]
