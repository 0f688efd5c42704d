"""A wheel loader and 500 rocks: time per simulated second at rest, digging, driving over, and without merging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np

from windrow.machines.loading import loading_operator
from windrow.machines.yard import rock_yard
from windrow.scene.scene import Scene
from windrow.solvers.multibody.report import MultibodyReport
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60
ROCKS = 500
SETTLE = 8.0
"""s in which a heap comes to rest"""
DIGGING = ("penetrate", "break out", "curl", "lift")


@dataclass
class PileCost:
    """Steps that were timed."""

    wall: float = 0.0
    """s"""
    processor: float = 0.0
    """s"""
    steps: int = 0
    contacts: int = 0
    repeated: int = 0

    def step(self, bodies: MultibodyStepper) -> MultibodyReport:
        wall, processor = perf_counter(), process_time()
        report = bodies.step(DT)
        self.wall += perf_counter() - wall
        self.processor += process_time() - processor
        self.steps += 1
        self.contacts += report.contacts
        self.repeated += report.repeated
        return report

    def row(self, what: str, limit: float) -> dict[str, Any]:
        seconds = max(self.steps, 1) * DT
        return {
            "what": what,
            "s per simulated s": self.wall / seconds,
            "of processor": self.processor / seconds,
            "limit": limit,
            "contacts": self.contacts / max(self.steps, 1),
            "steps done again %": 100 * self.repeated / max(self.steps, 1),
        }


def settled(scene: Scene, seconds: float = SETTLE) -> MultibodyStepper:
    """The scene after it has come to rest, brakes applied."""
    bodies = MultibodyStepper(scene)
    bodies.control("brake", 1.0)
    for _ in range(round(seconds / DT)):
        bodies.step(DT)
    return bodies


def heap_begin(bodies: MultibodyStepper, rocks: int) -> float:
    """x, m, at which a heap begins; a few rocks that rolled away do not count."""
    return float(np.percentile(bodies.motion.x[:rocks, 0], 2)) - 0.3


def time_rest(bodies: MultibodyStepper, seconds: float = 3.0) -> PileCost:
    cost = PileCost()
    for _ in range(round(seconds / DT)):
        cost.step(bodies)
    return cost


def time_digging(bodies: MultibodyStepper, rocks: int = ROCKS) -> PileCost:
    """From the first touch until the bucket is out of the heap."""
    cost, operator = PileCost(), loading_operator(heap_begin(bodies, rocks))
    while operator.phase != "back off" and not operator.finished:
        operator.act(bodies, DT)
        if operator.phase in DIGGING:
            cost.step(bodies)
        else:
            bodies.step(DT)
    return cost


def driving_scene(rocks: int = ROCKS, merging: bool = True) -> Scene:
    """A bed of two layers that begins a few metres ahead."""
    return rock_yard(rocks, (20, 13), begins=6.0, merging=merging)


def time_driving(bodies: MultibodyStepper, seconds: float = 6.0) -> PileCost:
    """Bucket up, onto the bed and on."""
    cost = PileCost()
    for name, value in (("brake", 0.0), ("lift", 1.0), ("tilt", 1.0)):
        bodies.control(name, value)
    for _ in range(round(4.0 / DT)):
        bodies.step(DT)
    bodies.control("lift", 0.0)
    bodies.control("throttle", 0.4)
    for _ in range(round(seconds / DT)):
        cost.step(bodies)
    return cost


MANOEUVRES = {
    "standing": {"brake": 1.0},
    "driving and lifting": {"throttle": 0.3, "lift": 0.5},
    "steering and tilting": {"throttle": 0.3, "steer": 0.5, "tilt": 0.5},
}
"""controls of a loader alone"""


def machine_rows(seconds: float = 8.0) -> list[dict[str, Any]]:
    """Milliseconds per step of a loader alone on level ground, doing one thing after the other."""
    bodies, rows = settled(rock_yard(0), 2.0), []
    for what, controls in MANOEUVRES.items():
        for name in bodies.joints.controls:
            bodies.control(name, controls.get(name, 0.0))
        spent = []
        for _ in range(round(seconds / DT)):
            begin = perf_counter()
            bodies.step(DT)
            spent.append(1e3 * (perf_counter() - begin))
        row = {"ms per step": float(np.median(spent)), "best": min(spent), "limit": 0.3}
        rows.append({"what": f"the loader alone, {what}", **row})
    return rows


def compile_merging() -> None:
    """Groups are rare; the first one is not to be timed with what it compiles."""
    bodies = MultibodyStepper(rock_yard(4, (2, 2), loader=False))
    bodies.merger.join(np.arange(2))
    bodies.step(DT)


def rock_rows(tell: Callable[[str], None] = lambda text: None) -> list[dict[str, Any]]:
    """All rows, one after the other; `tell` hears what is being done."""
    rows = []
    compile_merging()
    tell("heap settles, with merging")
    bodies = settled(rock_yard(ROCKS))
    rows.append(time_rest(bodies).row("at rest", 0.04))
    tell("digging")
    rows.append(time_digging(bodies).row("digging", 0.2))
    tell("bed settles, with merging")
    rows.append(time_driving(settled(driving_scene())).row("driving over", 0.4))
    tell("heap settles, without merging")
    bodies = settled(rock_yard(ROCKS, merging=False))
    rows.append(time_digging(bodies).row("digging, unmerged", 0.5))
    return rows
