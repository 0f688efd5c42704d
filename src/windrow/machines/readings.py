"""What an operator wants to know: how the wheels slip, and what lies in the tool."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot, norm, rotate
from windrow.geometry.terms import F64
from windrow.machines.operator import bodies_in
from windrow.machines.weighing import BodiesAlone, PosedBox, Scales, Weighable, loose_bodies
from windrow.scene.assembling import rotation_of
from windrow.scene.joints import Hinge, VelocityMotor
from windrow.scene.machines import MachineDescription, Tool
from windrow.scene.shapes import Cylinder
from windrow.solvers.multibody.hydraulics import FLOW, FLOW_IN, FLOW_OUT, SPEED, SPEED_IN, SPEED_OUT
from windrow.solvers.multibody.rows import PISTON
from windrow.solvers.multibody.stepper import MultibodyStepper

STANDING = 0.05
"""m/s below which a wheel neither rolls nor slips"""


@dataclass(frozen=True)
class Oil:
    """What the hydraulics of a scene did over the last step."""

    pressure: dict[str, float]
    """Pa in the cylinders by the joint's name, positive when they push"""
    flow: dict[str, float]
    """m³/s that each pump gave to functions"""
    power: dict[str, float]
    """W that each engine gave to the oil"""
    load: dict[str, float]
    """the same over what it can give; levers want more than that where it is 1"""


def oil(bodies: MultibodyStepper) -> Oil:
    """Pressures, flows and powers, for gauges; empty for machines without pumps."""
    joints, scene = bodies.joints, bodies.scene
    table, span = joints.hydraulics, bodies.span or 1.0
    pumps, engines = list(scene.pumps), list(scene.engines)
    reading = Oil({}, dict.fromkeys(pumps, 0.0), dict.fromkeys(engines, 0.0), {})
    for k, i in enumerate(table.axial):
        axial = joints.axials[i]
        force, rate = joints.rows.total[joints.axial.row[i]] / span, joints.coordinates.rate[axial.joint]
        name, pump, number = joints.names[axial.owner], int(table.pump[k]), joints.axial.numbers[i]
        if axial.kind == PISTON:
            out, back = number[FLOW_OUT] / number[SPEED_OUT], number[FLOW_IN] / number[SPEED_IN]
            reading.pressure[name] = float(force / (out if force >= 0 else back))
            flow = abs(rate) * (out if rate > 0 else back)
        else:
            flow = abs(rate / number[SPEED]) * number[FLOW]
        if pump >= 0:
            reading.flow[pumps[pump]] += float(flow)
            engine = int(table.engine[pump])
            if engine >= 0:
                reading.power[engines[engine]] += max(float(force * rate), 0.0)
    for k, name in enumerate(engines):
        reading.load[name] = min(float(table.taken[k] / table.power_limit[k]), 1.0)
    return reading


def working_power(bodies: MultibodyStepper) -> float:
    """W that all drives and cylinders give to what they move, in all machines; what brakes does not count."""
    joints, span, power = bodies.joints, bodies.span or 1.0, 0.0
    for i, axial in enumerate(joints.axials):
        if not axial.control:
            continue
        force, rate = joints.rows.total[joints.axial.row[i]] / span, joints.coordinates.rate[axial.joint]
        power += max(float(force * rate), 0.0)
    return power


@dataclass(frozen=True)
class TrackReading:
    """A track over the last step."""

    belt: float
    """m/s of the belt around its frame, forward"""
    slip: float
    """(belt − way over ground) over the larger of the two, −1…1; 0 below 5 cm/s"""
    load: float
    """N on the ground"""
    thrust: float
    """N forward"""


def tracks(bodies: MultibodyStepper) -> dict[str, TrackReading]:
    """All tracks by the joint's name."""
    table, joints, found = bodies.joints.tracks, bodies.joints, {}
    for t, j in enumerate(table.joint):
        own = slice(int(table.first[t]), int(table.first[t + 1]))
        belt = float(table.reach[t] * joints.coordinates.rate[table.hinge[t]])
        frame = int(joints.table.body[j, 0])
        middle = table.point[own].mean(axis=0)
        ahead = rotate(bodies.motion.R[frame], table.forward[own][(own.stop - own.start) // 2])
        V = bodies.motion.V[frame]
        gone = float(dot(V[:3] + np.cross(V[3:], rotate(bodies.motion.R[frame], middle)), ahead))
        largest = max(abs(belt), abs(gone))
        slip = 0.0 if largest < STANDING else (belt - gone) * float(np.sign(belt if belt else gone)) / largest
        total = table.total[own] / (bodies.span or 1.0)
        found[joints.names[j]] = TrackReading(belt, slip, float(total[:, 0].sum()), float(total[:, 1].sum()))
    return found


def wheel_slips(bodies: MultibodyStepper, machine: MachineDescription) -> dict[str, float]:
    """Slip of each driven wheel by the wheel's name.

    0: it rolls; 1: it spins on the spot; −1: it is dragged locked. That is (r ω − v) over the larger of |r ω|
    and |v|, with the speed v of the hub along the wheel's heading on level ground. Below 5 cm/s it is 0.
    `machine` is one of `scene.placed_machines()`; its wheels are the cylinders that velocity motors turn.
    """
    slips = {}
    parts = {body.name: body for body in machine.bodies}
    for joint in machine.joints:
        if not (isinstance(joint, Hinge) and isinstance(joint.motor, VelocityMotor)):
            continue
        tyres = [piece for piece in parts[joint.first].shapes if isinstance(piece.shape, Cylinder)]
        if tyres and isinstance(tyres[0].shape, Cylinder):
            own = rotation_of(tyres[0].rotation_deg)[:, 2]
            slips[joint.first] = _slip(bodies, joint.first, own, tyres[0].shape.radius)
    return slips


def _slip(bodies: MultibodyStepper, wheel: str, own_axis: F64, radius: float) -> float:
    rotation, _ = pose_of(bodies, wheel)
    velocity = bodies.velocity(wheel)
    axis = rotate(rotation, own_axis)
    heading = np.cross(axis, (0.0, 0.0, 1.0))
    length = float(norm(heading))
    if length < 0.1:
        return 0.0  # it lies on its side
    rolled = radius * float(dot(velocity[3:], axis))
    gone = float(dot(velocity[:3], heading)) / length
    largest = max(abs(rolled), abs(gone))
    return 0.0 if largest < STANDING else (rolled - gone) * np.sign(rolled if rolled else gone) / largest


def pose_of(bodies: MultibodyStepper, body: str) -> tuple[F64, F64]:
    """Rotation (3, 3) and position (3,) of a body's own frame."""
    pose = bodies.poses()[bodies.bodies.index[body]]
    return pose[:9].reshape(3, 3), pose[9:]


def in_tool(tool: Tool, rotation: F64, position: F64, points: F64) -> NDArray[np.bool_]:
    """(n,) which points of the world lie in the room of a tool with this pose."""
    return PosedBox(rotation, position, np.array(tool.lower), np.array(tool.upper)).contains(np.asarray(points))


def bodies_in_tool(bodies: MultibodyStepper, tool: Tool, among: list[str] | None = None) -> list[str]:
    """Names of the bodies whose centres of mass lie in the tool; `among` left out: all that can be carried."""
    if among is None:
        numbers = loose_bodies(bodies, tool.body).index.tolist()
    else:
        numbers = [bodies.bodies.index[name] for name in among]
    inside = PosedBox.of_tool(tool, bodies).contains(bodies.motion.x[numbers])
    return [bodies.bodies.names[k] for k, is_in in zip(numbers, inside, strict=True) if is_in]


def payload(machine: Weighable | MultibodyStepper, tool: Tool) -> float:
    """Mass of what lies in the tool, kg: grains, and bodies that are no part of a machine.

    Takes a simulation; its bodies alone do where a scene has no grains. It is what the station's gauge shows and, at
    rest and clear of the ground, what presses on the tool, divided by g.
    """
    bodies = bodies_in(machine)
    if isinstance(machine, MultibodyStepper):
        if bodies.scene.particles or bodies.scene.emitters:
            raise SceneError(
                "payload: bodies alone do not know the scene's grains; give the simulation, payload(simulation, tool)"
            )
        machine = BodiesAlone(bodies)
    (carried,), _, _ = Scales(bodies, tool.body).weigh(machine, [PosedBox.of_tool(tool, bodies)])
    return carried.mass
