"""The arm of an excavator in its plane: which strokes of its cylinders bring the teeth where, in closed form.

Pins are read off the machine's file; x forward from the swing axis, z up from the ground the machine stands on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import arctangent2, norm, sine_cosine
from windrow.geometry.terms import F64
from windrow.scene.assembling import rotation_of
from windrow.scene.machines import MachineDescription

CYLINDERS = ("boom", "stick", "bucket")
PINS = ("boom foot", "stick pin", "bucket pin", "rocker foot", "rocker head", "horn")


def _bearing(v: F64) -> float:
    return float(arctangent2(v[1], v[0]))


def _turned(v: F64, angle: float) -> F64:
    s, c = sine_cosine(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


def _meet(p: F64, r: float, q: F64, s: float, side: float) -> F64 | None:
    """Where circles around p and q meet, on one side of the line between them; None: nowhere."""
    d = q - p
    length = float(norm(d))
    a = (r * r - s * s + length * length) / (2.0 * length)
    if r * r < a * a:
        return None
    e = d / length
    return np.asarray(p + a * e + side * math.sqrt(r * r - a * a) * np.array([-e[1], e[0]]))


@dataclass(frozen=True)
class Reach:
    """Where the arm is to be: coordinates of its cylinders' joints, m."""

    boom: float
    stick: float
    bucket: float


class Arm:
    """Boom, stick and bucket of a machine with the pins of the built-in excavator."""

    def __init__(self, machine: MachineDescription) -> None:
        """`machine`: as its file says it, not placed."""
        joints = {joint.name: joint for joint in machine.joints}
        missing = [name for name in (*PINS, *CYLINDERS) if name not in joints]
        if missing or machine.tool is None or machine.tool.cutting is None:
            raise SceneError(
                f"arm: the machine has no joint {missing[0]!r}; an arm has {', '.join(PINS)} and the cylinders "
                f"{', '.join(CYLINDERS)}"
                if missing
                else "arm: the machine's tool says no cutting edge; give tool.cutting"
            )

        def pin(name: str) -> F64:
            place: Any = getattr(joints[name], "position", None)
            if place is None:
                raise SceneError(f"arm: joint {name!r} says no position; give it where the machine stands at the start")
            return np.array([place[0], place[2]])

        self._pin = {name: pin(name) for name in PINS}
        self._foot = {name: pin(f"{name} barrel foot") for name in CYLINDERS}
        self._head = {name: pin(f"{name} rod head") for name in CYLINDERS}
        self._range: dict[str, Any] = {name: getattr(joints[name], "range", None) for name in CYLINDERS}
        bucket = next(body for body in machine.bodies if body.name == machine.tool.body)
        edge = np.asarray(machine.tool.cutting.edge).mean(axis=0)
        turned = (rotation_of(bucket.rotation_deg) * edge).sum(axis=1)
        self._tip = np.array([bucket.position[0] + turned[0], bucket.position[2] + turned[2]])
        links = (("boom foot", "stick pin"), ("stick pin", "bucket pin"))
        self._link = [self._pin[b] - self._pin[a] for a, b in links] + [self._tip - self._pin["bucket pin"]]
        self._start = [_bearing(v) for v in self._link]
        self._long = [float(norm(v)) for v in self._link]
        rocker = self._pin["rocker head"] - self._pin["rocker foot"]
        to_horn = self._pin["horn"] - self._pin["rocker foot"]
        self._side = 1.0 if to_horn[0] * rocker[1] - to_horn[1] * rocker[0] > 0 else -1.0

    def reach(self, x: float, z: float, attack_deg: float) -> Reach | None:
        """Strokes that bring the teeth to (x, z), m, with the line from the bucket's pin to them at an elevation.

        None where the arm does not reach, or a cylinder would have to be longer or shorter than it can.
        """
        foot, attack = self._pin["boom foot"], math.radians(attack_deg)
        wrist = np.array([x, z]) - _turned(np.array([self._long[2], 0.0]), attack)
        elbow = _meet(foot, self._long[0], wrist, self._long[1], 1.0)
        if elbow is None:
            return None
        angles = [_bearing(elbow - foot), _bearing(wrist - elbow), attack]
        turns = [now - before for now, before in zip(angles, self._start, strict=True)]
        lengths = self._lengths(turns)
        if lengths is None:
            return None
        found = {}
        for name, length in lengths.items():
            found[name] = length - float(norm(self._head[name] - self._foot[name]))
            low, high = self._range[name]
            if not low <= found[name] <= high:
                return None
        return Reach(**found)

    def _lengths(self, turns: list[float]) -> dict[str, float] | None:
        """Of the cylinders when boom, stick and bucket are turned so far from where the file has them."""
        boom, stick, bucket = turns
        pin = self._pin

        def on(v: F64, about: str, turn: float) -> F64:
            return np.asarray(pin[about] + _turned(v - pin[about], turn))

        # Each seen in the frame of what carries it, at its place in the file.
        length = {"boom": float(norm(on(self._head["boom"], "boom foot", boom) - self._foot["boom"]))}
        length["stick"] = float(norm(on(self._head["stick"], "stick pin", stick - boom) - self._foot["stick"]))
        horn = on(pin["horn"], "bucket pin", bucket - stick)
        rocker = float(norm(pin["rocker head"] - pin["rocker foot"]))
        link = float(norm(pin["horn"] - pin["rocker head"]))
        head = _meet(pin["rocker foot"], rocker, horn, link, self._side)
        if head is None:
            return None
        length["bucket"] = float(norm(head - self._foot["bucket"]))
        return length
