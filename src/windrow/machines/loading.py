"""How a wheel loader fills its bucket from a heap ahead of it, and dumps."""

from __future__ import annotations

from collections.abc import Callable

from windrow.fixed_math import rotate
from windrow.machines.operator import Operator, Phase
from windrow.machines.readings import pose_of
from windrow.solvers.multibody.stepper import MultibodyStepper

CONTROLS = ("throttle", "brake", "steer", "lift", "tilt")
LIP = 1.6
"""m from the bucket's pin to its cutting edge"""


def loading_operator(pile_x: float, name: str = "") -> Operator:
    """Fills the bucket from a heap that begins at x = `pile_x` (m), backs off, lifts and dumps.

    The loader looks along +x; `name` is that of its placement. The bucket is driven flat along the ground into
    the heap until it stalls or is full length in it, then curled with short lifts that keep the wheels loaded.
    """
    lead = f"{name} " if name else ""

    def reading(joint: str) -> Callable[[MultibodyStepper], float]:
        return lambda bodies: bodies.joint(lead + joint).coordinate

    lift, tilt = reading("lift"), reading("tilt")

    def lip(bodies: MultibodyStepper) -> float:
        rotation, position = pose_of(bodies, lead + "bucket")
        return float((position + rotate(rotation, (LIP, 0.0, -0.37)))[0])

    def speed(bodies: MultibodyStepper) -> float:
        return float(bodies.velocity(lead + "front frame")[0])

    phases = [
        Phase("settle", {"brake": 1.0}, 1.0),
        Phase("approach", {"throttle": 0.35}, 20.0, lambda b: lip(b) > pile_x - 0.2),
        Phase("penetrate", {"throttle": 0.5}, 4.0, lambda b: lip(b) > pile_x + 1.0 and speed(b) < 0.25),
        Phase("break out", {"throttle": 0.4, "lift": 0.5, "tilt": 0.3}, 1.2),
        Phase("curl", {"throttle": 0.3, "tilt": 1.0, "lift": 0.15}, 4.0, lambda b: tilt(b) > 0.3),
        Phase("lift", {"tilt": 0.2, "lift": 1.0}, 4.0, lambda b: lift(b) > 0.3),
        Phase("back off", {"throttle": -0.3}, 15.0, lambda b: lip(b) < pile_x - 3.0),
        Phase("stop", {"brake": 1.0}, 1.5),
        Phase("raise", {"brake": 1.0, "lift": 1.0}, 8.0, lambda b: lift(b) > 0.9),
        Phase("weigh", {"brake": 1.0}, 1.0),
        Phase("dump", {"brake": 1.0, "tilt": -1.0}, 6.0, lambda b: tilt(b) < -0.1),
        Phase("shake", {"brake": 1.0, "tilt": 1.0}, 0.4),
        Phase("empty", {"brake": 1.0, "tilt": -1.0}, 2.0),
    ]
    named = [
        Phase(p.name, {lead + control: value for control, value in p.controls.items()}, p.seconds, p.until)
        for p in phases
    ]
    return Operator(named, [lead + control for control in CONTROLS])
