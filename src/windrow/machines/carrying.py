"""A wheel loader by script: fills its bucket at a heap, turns in a V, dumps into a truck, and comes back.

The heap is ahead along x. The truck stands along x at the left; the way between is one arc backwards and one forwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from windrow.fixed_math import arctangent2, norm, rotate
from windrow.geometry.terms import F64
from windrow.machines.operator import HasBodies, bodies_in
from windrow.machines.readings import pose_of
from windrow.scene.machines import load_machine
from windrow.solvers.multibody.stepper import MultibodyStepper

HALF_BASE = 1.6
"""m from the steering hinge to each axle"""
AHEAD = 4.0
"""m along its line to the point that a machine drives towards"""
SHARPEST = math.radians(34.0)
STEER, ARMS = 4.0, 12.0
"""Opening of the steering's valve per rad, and of lift and tilt per metre that is missing"""
TURNED = math.radians(45.0)
"""of the arc away from the heap, until steering straight takes care of the rest"""
BACK_AT = math.radians(26.0)
"""to the way into the heap, of the rear frame, at which the arc away from the truck ends: steering over turns the rear
back by half of what the hinge turns, and a loader that came nearer to its line at an angle would meet the heap so"""
RAISED, CARRIED, ROLLED = 0.9, 0.2, 0.33
"""m of the lift cylinder over the bed and on the way, and of the tilt cylinder with the bucket rolled back"""
SIDE, FROM_HEAP = 10.5, 8.0
"""m of the bed's middle to the left of the way into the heap, and before the heap's foot"""
SEEN, HALF_BUCKET = 0.3, 1.3
"""m by which soil has risen over the bucket's width behind the foot that is seen, and half of that width"""
NEARER, FARTHER = 0.5, 8.0
"""m from the foot to where it has, and behind the first foot up to which it is looked for"""


Over = Callable[["CarryOperator", MultibodyStepper], bool]
"""Whether a stage is over"""


@dataclass(frozen=True)
class CyclePhase:
    """One part of a cycle."""

    name: str
    throttle: float
    seconds: float
    """longest, s"""
    over: Over | None = None
    line: tuple[F64, F64] | None = None
    """a point of the line to follow, and its direction; None: the steering is held"""
    steering: float = 0.0
    """rad, where no line is followed"""
    lift: float | None = None
    """m of the cylinder; None: the lever as said"""
    tilt: float | None = None
    levers: tuple[float, float] = (0.0, 0.0)
    """of lift and tilt where no place is given"""
    brake: float = 0.0


@dataclass
class CarryOperator:
    """So many loads; the heap's foot at x = `pile`, m. The loader begins on the line y = 0 and looks along x.

    The foot moves back as the heap is eaten up: before each load the operator of a simulation looks where it is now.
    """

    pile: float
    cycles: int = 1
    name: str = ""
    """of the machine's placement"""
    done: list[tuple[str, float, bool]] = field(default_factory=list)
    """name and duration, s, of stages that are over, and whether they came to their end in time"""
    _elapsed: float = 0.0
    _foot: float = field(init=False)
    """where the heap begins on the line, m"""

    def __post_init__(self) -> None:
        self._lead = f"{self.name} " if self.name else ""
        self._foot = self.pile
        machine = load_machine("wheel_loader")
        assert machine.tool is not None
        assert machine.tool.cutting is not None
        self._edge = np.asarray(machine.tool.cutting.edge).mean(axis=0)
        self.stages = self._stages()

    def _stages(self) -> list[CyclePhase]:
        into = np.array([self.pile, 0.0]), np.array([1.0, 0.0])
        left: Over = lambda o, b: o.at(b, "steering") > 0.5  # noqa: E731
        right: Over = lambda o, b: o.at(b, "steering") < -0.5  # noqa: E731
        truck = np.array([self.pile - FROM_HEAP, 0.0]), np.array([0.0, 1.0])
        return [
            CyclePhase("approach", 0.3, 14.0, lambda o, b: o.lip(b)[0] > o._foot - 0.6, into, lift=0.0, tilt=0.0),
            CyclePhase("penetrate", 0.5, 4.0, lambda o, b: o.stalls(b), into, lift=0.02, tilt=0.0),
            CyclePhase("break out", 0.4, 1.1, None, into, levers=(0.5, 0.35)),
            CyclePhase("curl", 0.4, 3.0, lambda o, b: o.at(b, "tilt") > 0.3, into, levers=(0.2, 1.0)),
            CyclePhase("back off", -0.32, 6.0, lambda o, b: o.lip(b)[0] < o.pile - 3.6, lift=CARRIED, tilt=ROLLED),
            CyclePhase("back turn", -0.28, 8.0, lambda o, b: o.heading(b) > TURNED, None, -SHARPEST, CARRIED, ROLLED),
            CyclePhase("turn about", 0.0, 2.5, left, None, SHARPEST, CARRIED, ROLLED, brake=1.0),
            CyclePhase("carry", 0.28, 16.0, lambda o, b: o.lip(b)[1] > SIDE + 0.1, truck, lift=RAISED, tilt=ROLLED),
            CyclePhase("dump", 0.0, 4.0, lambda o, b: o.at(b, "tilt") < -0.1, levers=(0.0, -1.0), brake=1.0),
            CyclePhase("empty", 0.0, 0.8, None, levers=(0.0, -1.0), brake=1.0),
            CyclePhase("clear", -0.3, 6.0, lambda o, b: o.lip(b)[1] < SIDE - 3.2, lift=RAISED, tilt=0.1),
            CyclePhase("return", -0.28, 8.0, lambda o, b: o.heading(b) < BACK_AT, None, SHARPEST, 0.1, 0.0),
            CyclePhase("turn back", 0.0, 2.5, right, None, -SHARPEST, 0.1, 0.0, brake=1.0),
        ]  # fmt: skip

    @property
    def finished(self) -> bool:
        return len(self.done) >= self.cycles * len(self.stages)

    @property
    def phase(self) -> str:
        return "" if self.finished else self.stages[len(self.done) % len(self.stages)].name

    def at(self, bodies: MultibodyStepper, joint: str) -> float:
        return bodies.joint(self._lead + joint).coordinate

    def lip(self, bodies: MultibodyStepper) -> F64:
        """Middle of the cutting edge, m."""
        rotation, place = pose_of(bodies, self._lead + "bucket")
        return np.asarray(place + rotate(rotation, self._edge))

    def heading(self, bodies: MultibodyStepper, body: str = "rear frame") -> float:
        rotation, _ = pose_of(bodies, self._lead + body)
        return float(arctangent2(rotation[1, 0], rotation[0, 0]))

    def stalls(self, bodies: MultibodyStepper) -> bool:
        """Whether the bucket is in the heap and goes no further, or far enough."""
        slow = self._elapsed > 0.8 and float(norm(bodies.velocity(self._lead + "front frame")[:3])) < 0.3
        return slow or bool(self.lip(bodies)[0] > self._foot + 3.2)

    def look(self, terrain: Any) -> None:
        """Finds where the heap begins now; `terrain`: of the simulation."""
        x = terrain.x[(terrain.x > self.pile - FARTHER) & (terrain.x < self.pile + FARTHER)]
        across = np.abs(terrain.y) < HALF_BUCKET
        height = terrain.height[np.ix_(np.isin(terrain.x, x), across)].mean(axis=1)
        high = np.flatnonzero((height > height[0] + SEEN) & (x > self.pile - NEARER))
        if len(high):
            self._foot = float(x[high[0]]) - NEARER

    def act(self, machine: MultibodyStepper | HasBodies, dt: float) -> None:
        """Sets the levers for the step of length dt that follows."""
        bodies, terrain = bodies_in(machine), getattr(machine, "terrain", None)
        while not self.finished:
            stage = self.stages[len(self.done) % len(self.stages)]
            over = stage.over is not None and stage.over(self, bodies)
            if not over and self._elapsed < stage.seconds:
                break
            self.done.append((stage.name, self._elapsed, bool(over) or stage.over is None))
            self._elapsed = 0.0
            if self.phase == "approach" and terrain is not None:
                self.look(terrain)
        levers = {"throttle": 0.0, "brake": 1.0, "steer": 0.0, "lift": 0.0, "tilt": 0.0}
        if not self.finished:
            levers = self._levers(bodies, stage)
        for name, value in levers.items():
            bodies.control(self._lead + name, min(max(value, -1.0), 1.0))
        self._elapsed += dt

    def _levers(self, bodies: MultibodyStepper, stage: CyclePhase) -> dict[str, float]:
        angle = stage.steering if stage.line is None else self._towards(bodies, *stage.line)
        arms = {}
        for name, place, value in (("lift", stage.lift, stage.levers[0]), ("tilt", stage.tilt, stage.levers[1])):
            arms[name] = value if place is None else ARMS * (place - self.at(bodies, name))
        throttle, brake = stage.throttle, stage.brake
        if stage.name == "carry" and self.lip(bodies)[1] > SIDE - 3.0 and self.at(bodies, "lift") < RAISED - 0.1:
            throttle, brake = 0.0, 1.0  # the arms are not above the bed yet
        steer = STEER * (angle - self.at(bodies, "steering"))
        return {"throttle": throttle, "brake": brake, "steer": steer, **arms}

    def _towards(self, bodies: MultibodyStepper, point: F64, direction: F64) -> float:
        """Angle of the steering that leads to a line ahead."""
        _, place = pose_of(bodies, self._lead + "front frame")
        off = place[:2] - point
        goal = point + (float((off * direction).sum()) + AHEAD) * direction - place[:2]
        mean = 0.5 * (self.heading(bodies) + self.heading(bodies, "front frame"))
        turn = float(arctangent2(goal[1], goal[0])) - mean
        turn = math.remainder(turn, 2.0 * math.pi)
        bend = 2.0 * turn / AHEAD
        return min(max(2.0 * HALF_BASE * bend, -SHARPEST), SHARPEST)
