"""A bulldozer by script: legs along lines, with the blade's edge held at a height, lifted when the tracks slip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from windrow.fixed_math import arctangent2
from windrow.geometry.terms import F64
from windrow.machines.digging import lever
from windrow.machines.operator import HasBodies, bodies_in
from windrow.machines.readings import pose_of, tracks
from windrow.solvers.multibody.stepper import MultibodyStepper

FULL_SPEED = 11.4 / 3.6
"""m/s of the machine at full lever"""
FIRST, SECOND, BACK = 3.8 / 3.6, 6.6 / 3.6, 8.4 / 3.6
"""m/s of the gears that digging, carrying and backing up are done in"""
LIFT = 16.0
"""Opening of the lift's valve per metre that the edge is missing"""
FORESEEN = 0.12
"""s ahead for which the edge's height is foreseen: as long as its valve needs"""
TOWARDS, STRAIGHT = 0.5, 2.0
"""Turn of the machine wanted per metre off its line, rad, and share of speed between the tracks per rad missing"""
SHARPEST = 0.45
"""rad to its line at which a machine drives back to it at most"""
SLIPPING = 0.25
"""Slip from which on the blade is lifted"""
EASED, LOWERED = 0.35, 0.12
"""m/s at which the edge is lifted while tracks slip, and let down again"""
AHEAD = 2.87
"""m of the cutting edge before the machine's middle, blade down"""
LATE = 3.0
"""Times the time that its gear takes after which a leg is given up"""


@dataclass(frozen=True)
class Leg:
    """The machine's middle to a place along x, on the line y; the edge along a line between heights. m, m/s."""

    name: str
    x: float
    speed: float
    """m/s; negative: backwards"""
    y: float = 0.0
    edge: Sequence[tuple[float, float]] | None = None
    """(x of the edge, its height in the world), in between straight; None: as high as it goes"""
    eases: bool = True
    """whether the blade is lifted when the tracks slip"""


def slot_passes(passes: int, begin: float, push: float = 30.0, layer: float = 0.09, y: float = 0.0) -> list[Leg]:
    """Passes in one slot: cut a layer (m) over half of the push, carry it to the end, come back.

    `begin`: x of the edge before the first cut. Each pass cuts a layer deeper; the slot has ramps at its ends, 1 in 7,
    and is left in the gear that it is dug in: over a steeper or faster crest the blade cannot follow, loses its load in
    a heap, and each pass over that makes the next heap higher.
    """
    legs = []
    for k in range(passes):
        deep, cut, end = -layer * (k + 1), begin + 0.5 * push, begin + push
        ramp = max(3.0, -7.0 * deep)
        floor = [(begin, 0.05), (begin + ramp, deep), (cut + 2.0 - ramp, deep), (cut + 2.0, 0.01), (end, 0.02)]
        legs += [
            Leg("cut", cut + 2.0, FIRST, y, floor),
            Leg("carry", end - AHEAD, SECOND, y, floor),
            Leg("back", begin - AHEAD - 0.5, -BACK, y),
        ]
    return legs


def spread_passes(
    passes: int, begin: float, cut: float = 12.0, carry: float = 8.0, spread: float = 10.0, layer: float = 0.09
) -> list[Leg]:
    """Passes that cut a layer (m), carry it, and lay it down again in a layer over a length (m)."""
    legs = []
    for k in range(passes):
        deep, over, end = -layer * (k + 1), begin + cut + carry, begin + cut + carry + spread
        laid = 0.1 * (k + 1)
        floor = [
            (begin, 0.1), (begin + 0.8, deep), (begin + cut - 2.0, deep), (begin + cut + 1.0, 0.01), (over, 0.02),
            (over + 1.0, laid), (end, laid + 0.08),
        ]  # fmt: skip
        legs += [
            Leg("cut", begin + cut - AHEAD, FIRST, 0.0, floor),
            Leg("carry", over - AHEAD, SECOND, 0.0, floor),
            Leg("spread", end - AHEAD, FIRST, 0.0, floor),
            Leg("back", begin - AHEAD - 0.5, -BACK, 0.0),
        ]
    return legs


def grading_passes(
    heights: Sequence[float], lines: Sequence[float], begin: float, end: float, speed: float = 0.7
) -> list[Leg]:
    """Passes over each line (y, m) from one x of the edge to another with the edge level, lower each time (m)."""
    legs = []
    for height in heights:
        for y in lines:
            floor = [(begin - 1.0, height + 0.2), (begin, height), (end, height), (end + 3.0, height + 0.5)]
            legs += [Leg("grade", end + 3.0 - AHEAD, speed, y, floor), Leg("back", begin - 7.0 - AHEAD, -BACK, y)]
    return legs


@dataclass
class BladeOperator:
    """Goes through its legs once; a leg ends at its place, or when it takes far too long."""

    legs: list[Leg]
    name: str = ""
    """of the machine's placement"""
    done: list[tuple[str, float, bool]] = field(default_factory=list)
    """name and duration, s, of legs that are over, and whether the place was reached"""
    _elapsed: float = 0.0
    _start: float | None = None
    _eased: float = 0.0
    """m that the edge is held higher than planned, because of slip"""

    def __post_init__(self) -> None:
        self._lead = f"{self.name} " if self.name else ""

    @property
    def finished(self) -> bool:
        return len(self.done) >= len(self.legs)

    @property
    def phase(self) -> str:
        return "" if self.finished else self.legs[len(self.done)].name

    def act(self, machine: MultibodyStepper | HasBodies, dt: float) -> None:
        """Sets the levers for the step of length dt that follows."""
        bodies, lead = bodies_in(machine), self._lead
        if self.finished:
            for name in ("left_track", "right_track", "blade_lift"):
                bodies.control(lead + name, 0.0)
            return None
        leg = self.legs[len(self.done)]
        rotation, place = pose_of(bodies, lead + "chassis")
        if self._start is None:
            self._start, self._elapsed = float(place[0]), 0.0
        there = (place[0] - leg.x) * math.copysign(1.0, leg.speed) >= 0.0
        longest = LATE * abs(leg.x - self._start) / abs(leg.speed) + 5.0
        if there or self._elapsed > longest:
            self.done.append((leg.name, self._elapsed, bool(there)))
            self._start = None
            return self.act(machine, dt)
        self._drive(bodies, leg, rotation, place)
        self._hold(bodies, leg, dt)
        self._elapsed += dt
        return None

    def _drive(self, bodies: MultibodyStepper, leg: Leg, rotation: F64, place: F64) -> None:
        heading = float(arctangent2(rotation[1, 0], rotation[0, 0]))
        forward = math.copysign(1.0, leg.speed)
        wanted = forward * min(max(TOWARDS * (leg.y - float(place[1])), -SHARPEST), SHARPEST)
        turn = STRAIGHT * (wanted - heading)
        opening = leg.speed / FULL_SPEED
        turn = min(max(turn, -0.6), 0.6) * abs(opening)
        for name, side in (("left_track", -1.0), ("right_track", 1.0)):
            bodies.control(self._lead + name, lever(opening + side * turn))

    def _hold(self, bodies: MultibodyStepper, leg: Leg, dt: float) -> None:
        """Holds the edge at its height, higher where the tracks slip."""
        _, place = pose_of(bodies, self._lead + "blade")
        if leg.edge is None:
            self._eased = 0.0
            bodies.control(self._lead + "blade_lift", 1.0 if self._elapsed < 1.5 else 0.0)
            return
        slip = max((abs(track.slip) for track in tracks(bodies).values()), default=0.0)
        rate = EASED if leg.eases and slip > SLIPPING and self._elapsed > 0.5 else -LOWERED
        self._eased = min(max(self._eased + dt * rate, 0.0), 0.6)
        xs, zs = np.array([x for x, _ in leg.edge]), np.array([z for _, z in leg.edge])
        wanted = float(np.interp(place[0], xs, zs)) + self._eased
        # Its origin is the middle of the edge.
        height = float(place[2] + FORESEEN * bodies.velocity(self._lead + "blade")[2])
        bodies.control(self._lead + "blade_lift", lever(LIFT * (wanted - height)))
