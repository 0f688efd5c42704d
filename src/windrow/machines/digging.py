"""An excavator's cycle by script: dig towards the machine, swing, dump, swing back; teeth along straight lines."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import arctangent2, power, rotate, sine_cosine, tangent
from windrow.geometry.terms import F64
from windrow.machines.arm import CYLINDERS, Arm
from windrow.machines.operator import HasBodies, bodies_in
from windrow.machines.readings import pose_of
from windrow.scene.machines import load_machine
from windrow.solvers.multibody.stepper import MultibodyStepper

SWING = 2.5
"""Opening of the swing's valve per radian that is missing"""
STIFF = 8.0
"""Opening of a cylinder's valve per metre that is missing"""
SLOWS = 0.55
"""rad/s² at which the house is brought to rest"""
NEAR, ABOUT = 0.015, 0.05
"""m of a cylinder and rad of the swing within which a place is reached"""
WIDTH, OVERLAPPED = 1.3, 0.85
"""m that the bucket cuts, and share of it between the middles of cuts that lie side by side"""
UPRIGHT = 89.999
DRAWN = 5
"""Places along the floor of a trench through which the teeth are drawn"""
BASE = "undercarriage"
IN_THE_GROUND = ("penetrate", "draw", "curl")
"""Moves in which places are not corrected further: a machine that is drawn forward would pull all the harder"""
CORRECTED = (1.0, 0.5, 0.0)
"""Share of the machine's way since it began that a place is corrected for: all, or less where the arm does not reach"""
LATE = 3.0
"""Times its duration after which a move is given up"""


@dataclass(frozen=True)
class Move:
    """Teeth to a place, m from the swing axis and above the ground, in so many seconds."""

    name: str
    x: float
    z: float
    attack_deg: float
    """elevation of the line from the bucket's pin to the teeth"""
    swing_deg: float
    seconds: float


def dig_cycle(depth: float = 0.6, swing_deg: float = 90.0, dump_x: float = 6.5, dump_z: float = 3.2) -> list[Move]:
    """Dig from 7.3 to 5.2 m before the machine to a depth, curl, lift, swing, dump at a place and come back, m."""
    return [
        Move("reach out", 7.6, 0.4, -70.0, 0.0, 2.0),
        Move("penetrate", 7.3, -0.5 * depth, -85.0, 0.0, 1.0),
        Move("draw", 5.2, -depth, -120.0, 0.0, 2.4),
        Move("curl", 4.6, 0.5, -185.0, 0.0, 2.0),
        Move("lift", dump_x - 1.8, dump_z - 0.6, -180.0, 0.3 * swing_deg, 1.8),
        Move("swing", dump_x - 1.7, dump_z + 0.3, -180.0, swing_deg, 2.4),
        Move("dump", dump_x, dump_z, -90.0, swing_deg, 1.8),
        Move("swing back", 7.0, 1.5, -70.0, 0.0, 3.0),
    ]


SLOTS = (0.0, 14.0, -14.0)
"""degrees of the swing at which cuts lie beside each other"""


def loading_cycles(
    cycles: int = 10, depth: float = 0.7, layer: float = 0.35, swing_deg: float = 90.0, dump_x: float = 6.8
) -> list[Move]:
    """Dig in three slots beside each other, then in the next layer below (m), and dump each load into a truck that
    stands so far from the swing axis (m), with the sides of its bed below 3 m."""
    moves = []
    for k in range(cycles):
        deep, slot = depth + layer * (k // len(SLOTS)), SLOTS[k % len(SLOTS)]
        moves += [
            Move("reach out", 7.9, 0.5, -65.0, slot, 1.6),
            Move("penetrate", 7.7, 0.25 - deep, -80.0, slot, 1.0),
            Move("draw", 5.0, -deep, -115.0, slot, 2.8),
            Move("curl", 4.4, 0.5, -185.0, slot, 2.0),
            Move("lift", 4.5, 3.6, -185.0, slot + 25.0, 2.0),
            Move("swing", 4.5, 3.9, -182.0, swing_deg, 2.2),
            Move("dump", dump_x, 3.7, -78.0, swing_deg, 1.6),
            Move("swing back", 7.2, 2.4, -65.0, slot, 2.4),
        ]
    return moves


def trench_cycles(
    depth: float,
    near: float = 5.0,
    far: float = 7.4,
    layer: float = 0.15,
    swing_deg: float = 75.0,
    passes: int = 2,
    slope_deg: float = 90.0,
    torn: float = 0.0,
) -> list[Move]:
    """Dig a trench ahead of the machine to a depth (m), layer by layer, between two distances from the swing axis (m).

    The floor is drawn along straight lines, the last one `passes` times; the soil is put down at the side. slope_deg:
    of its sides. Upright ones stand no deeper than 4c/γ·tan(45° + φ/2), 0.83 m in loam: soil falls in as it is dug.
    torn: how far below the teeth soil goes with them, m; with grains about the radius of one.
    """
    layers = max(math.ceil(depth / layer), 1)
    floors = [depth * (k + 1) / layers for k in range(layers)]
    middle, thick = 0.5 * (near + far), depth / layers
    cuts = [(deep, slot) for deep in floors for slot in _slots(deep, depth, thick, slope_deg, middle)]
    moves = []
    for deep, slot in cuts + [(depth, 0.0)] * (passes - 1):
        line = [far + (near - far) * k / (DRAWN - 1) for k in range(DRAWN)]
        moves += [
            Move("reach out", far + 0.3, 0.6, -65.0, slot, 1.6),
            Move("penetrate", far + 0.1, 0.1 + torn - deep, -75.0, slot, 1.2),
            *(Move("draw", x, torn - deep, -85.0 - 32.0 * k / (DRAWN - 1), slot, 0.8) for k, x in enumerate(line)),
            Move("curl", near - 0.5, 0.4, -180.0, slot, 2.2),
            Move("lift", near, 1.8, -182.0, 0.3 * swing_deg, 1.8),
            Move("swing", near + 0.4, 2.2, -180.0, swing_deg, 2.2),
            Move("dump", 7.0, 2.0, -80.0, swing_deg, 1.6),
            Move("swing back", 7.2, 1.6, -65.0, 0.0, 2.6),
        ]
    return moves


def _slots(deep: float, depth: float, layer: float, slope_deg: float, radius: float) -> list[float]:
    """Degrees of the swing at which cuts lie side by side, from one side of the trench to the other, in the layer that
    ends at a depth `deep` (m): its sides are where the slope is in the middle of the layer. radius: of the cuts, m."""
    if slope_deg >= UPRIGHT:
        return [0.0]
    aside = (depth - deep + 0.5 * layer) / float(tangent(math.radians(slope_deg)))
    many = 1 + math.ceil(2.0 * aside / (OVERLAPPED * WIDTH))
    return [math.degrees(float(arctangent2(aside * (2.0 * k / (many - 1) - 1.0), radius))) for k in range(many)]


@dataclass
class DigOperator:
    """Goes through moves again and again; a move ends when the teeth are there, or when it takes far too long.

    Places are those of the machine where it stood after its first move: it is drawn towards its cut and turned by its
    swings, by decimetres and degrees in ten cycles, and a trench that followed it would be dug beside the line.
    """

    moves: list[Move]
    cycles: int = 1
    name: str = ""
    """of the machine's placement"""
    model: str = "excavator"
    done: list[tuple[str, float, bool]] = field(default_factory=list)
    """name and duration, s, of moves that are over, and whether the place was reached"""
    _arm: Arm = field(init=False, repr=False)
    _elapsed: float = 0.0
    _from: dict[str, float] = field(default_factory=dict)
    _stood: tuple[F64, F64] | None = None
    """pose of the undercarriage after the first move, in which it settles on the ground"""
    _stands: tuple[F64, F64] | None = None
    """the same when the teeth were last out of the ground"""

    def __post_init__(self) -> None:
        machine = load_machine(self.model)
        self._arm = Arm(machine)
        self._middle = np.array(next(body.position for body in machine.bodies if body.name == BASE))
        self._lead = f"{self.name} " if self.name else ""
        for move in self.moves:
            if self._arm.reach(move.x, move.z, move.attack_deg) is None:
                raise SceneError(
                    f"move {move.name!r}: the arm does not reach ({move.x:g}, {move.z:g}) m at {move.attack_deg:g}°; "
                    "choose a place nearer to its middle"
                )

    @property
    def finished(self) -> bool:
        return len(self.done) >= self.cycles * len(self.moves)

    @property
    def phase(self) -> str:
        return "" if self.finished else self.moves[len(self.done) % len(self.moves)].name

    def act(self, machine: MultibodyStepper | HasBodies, dt: float) -> None:
        """Sets the levers for the step of length dt that follows."""
        bodies = bodies_in(machine)
        now = {name: bodies.joint(self._lead + name).coordinate for name in (*CYLINDERS, "swing")}
        if self.finished:
            for name in now:
                bodies.control(self._lead + name, 0.0)
            return None
        move = self.moves[len(self.done) % len(self.moves)]
        if not self._from:
            self._from, self._elapsed = dict(now), 0.0
        goal = self._goal(bodies, move)
        there = all(abs(goal[name] - now[name]) < (ABOUT if name == "swing" else NEAR) for name in now)
        if there or self._elapsed > LATE * move.seconds:
            self.done.append((move.name, self._elapsed, there))
            self._from = {}
            return self.act(machine, dt)
        share = min((self._elapsed + dt) / move.seconds, 1.0)
        for name in CYLINDERS:
            wanted = self._from[name] + share * (goal[name] - self._from[name])
            speed = 0.0 if share >= 1.0 else (goal[name] - self._from[name]) / move.seconds
            bodies.control(self._lead + name, lever(STIFF * (wanted - now[name]) + 2.0 * speed))
        left, rate = goal["swing"] - now["swing"], bodies.joint(self._lead + "swing").rate
        stops = 0.5 * rate * abs(rate) / SLOWS
        bodies.control(self._lead + "swing", lever(SWING * (left - stops)))
        self._elapsed += dt
        return None

    def _goal(self, bodies: MultibodyStepper, move: Move) -> dict[str, float]:
        if self._stands is None or move.name not in IN_THE_GROUND:
            rotation, place = pose_of(bodies, self._lead + BASE)
            self._stands = (rotation.copy(), place.copy())
        if self._stood is None or not self.done:
            self._stood = self._stands
        for share in CORRECTED:
            x, z, swing = seen_from(self._stood, self._stands, self._middle, move, share)
            reach = self._arm.reach(x, z, move.attack_deg)
            if reach is not None:
                break
        assert reach is not None
        return {"boom": reach.boom, "stick": reach.stick, "bucket": reach.bucket, "swing": swing}


def seen_from(
    stood: tuple[F64, F64], stands: tuple[F64, F64], middle: F64, move: Move, share: float = 1.0
) -> tuple[float, float, float]:
    """Distance from the swing axis and height (m) and swing (rad) of a place that was told where a machine stood.

    stood, stands: rotation and position of its undercarriage, whose origin is at `middle` in the machine; share: of the
    difference that is taken into account.
    """
    swing = math.radians(move.swing_deg)
    sine, cosine = sine_cosine(swing)
    told = np.array([move.x * cosine, move.x * sine, move.z])
    world = stood[1] + rotate(stood[0], told - middle)
    now = rotate(stands[0].T, world - stands[1]) + middle
    now = told + share * (now - told)
    distance = math.sqrt(float(now[0] * now[0] + now[1] * now[1]))
    turn = math.remainder(float(arctangent2(now[1], now[0])) - swing, 2.0 * math.pi)
    return distance, float(now[2]), swing + turn


def lever(opening: float, dead_band: float = 0.1, exponent: float = 1.7) -> float:
    """Way of a lever for so much opening of its valve, with the machine's dead band and curve."""
    size = min(abs(opening), 1.0)
    if size < 5e-3:
        return 0.0
    return math.copysign(dead_band + (1.0 - dead_band) * float(power(size, 1.0 / exponent)), opening)
