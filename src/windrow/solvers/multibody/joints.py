"""Joints of a scene as arrays: constants, the numbering of their rows, and room for their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import dot, norm, product, rotate, unit
from windrow.geometry.terms import F64, I32, I64
from windrow.scene.joints import (
    RIGID,
    BallJoint,
    CylinderJoint,
    Distance,
    Fixed,
    Gear,
    Hinge,
    PositionMotor,
    Slider,
    Track,
    Universal,
)
from windrow.scene.scene import Scene
from windrow.solvers.multibody import rows as kinds
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.direct import System
from windrow.solvers.multibody.drives import Axial, cylinder_row, hydraulics_of, motor_row
from windrow.solvers.multibody.factor import LANES, block_pattern, elimination_order, place
from windrow.solvers.multibody.hydraulics import Hydraulics
from windrow.solvers.multibody.laws import static_friction
from windrow.solvers.multibody.rows import (
    NUMBERS,
    UNBOUNDED,
    AxialTable,
    Coordinates,
    Geometry,
    JointTable,
    Rows,
)
from windrow.solvers.multibody.tracks import TRACK_ROWS, Tracks, tracks_of
from windrow.solvers.multibody.vectors import any_perpendicular, matrix_of

KIND_OF: dict[type, int] = {
    Hinge: kinds.HINGE,
    Slider: kinds.SLIDER,
    Fixed: kinds.FIXED,
    BallJoint: kinds.BALL,
    Universal: kinds.UNIVERSAL,
    Distance: kinds.LINE,
    CylinderJoint: kinds.LINE,
    Gear: kinds.GEAR,
    Track: kinds.TRACK,
}
HELD_ROWS = {
    kinds.HINGE: 5,
    kinds.SLIDER: 5,
    kinds.FIXED: 6,
    kinds.BALL: 3,
    kinds.UNIVERSAL: 4,
    kinds.LINE: 0,
    kinds.GEAR: 0,
    kinds.TRACK: TRACK_ROWS,
}
LIMIT_SLACK = 1e-6
"""How far, relative to itself, a start may lie outside of a range by rounding alone."""


@dataclass(frozen=True)
class Joints:
    """All joints of a scene, in its order."""

    names: list[str]
    table: JointTable
    live: I32
    """(j, 2) bodies of the joints without those that cannot move"""
    axials: list[Axial]
    axial: AxialTable
    controls: list[str]
    rows: Rows
    geometry: Geometry
    coordinates: Coordinates
    hydraulics: Hydraulics
    tracks: Tracks
    system: System

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}


def where_is(scene: Scene, j: int) -> str:
    """How errors name a joint."""
    name = scene.joints[j].name
    return f"joints[{j}] ({name})" if name else f"joints[{j}]"


def joints_of(scene: Scene, bodies: Bodies) -> Joints:
    """Places joints on the bodies where they start, and numbers their rows so that factors stay sparse."""
    n = len(scene.joints)
    body = np.full((n, 2), -1, np.int32)
    anchor, frame = np.zeros((n, 2, 3)), np.tile(np.eye(3), (n, 2, 1, 1))
    start = np.zeros(n)
    axials: list[Axial] = []
    for j, joint in enumerate(scene.joints):
        if not isinstance(joint, Gear):
            body[j], anchor[j], frame[j], start[j] = _placed(joint, bodies)
            axials += _axials(scene, j, float(start[j]))
    axials += _gears(scene, start)
    kind = np.array([KIND_OF[type(joint)] for joint in scene.joints], np.int32)
    moves = np.append(bodies.table.inverse_mass > 0, False)
    live = np.where(moves[body], body, -1).astype(np.int32)
    held = np.array([HELD_ROWS[k] for k in kind], np.int64)
    order, first_row, axial_row = _numbered(held, live, axials)
    table = JointTable(
        kind=kind,
        body=body,
        anchor=anchor,
        frame=frame,
        first_row=first_row,
        held=held,
        compliance=np.array([joint.compliance for joint in scene.joints]),
        relaxation=np.array([-1.0 if j.relaxation is None else j.relaxation for j in scene.joints]),
    )
    controls = list(dict.fromkeys(a.control for a in axials if a.control))
    numbers = np.zeros((len(axials), NUMBERS))
    for row, a in zip(numbers, axials, strict=True):
        row[: len(a.numbers)] = a.numbers
    axial = AxialTable(
        kind=np.array([a.kind for a in axials], np.int32),
        row=axial_row,
        joint=np.array([a.joint for a in axials], np.int64),
        other=np.array([a.other for a in axials], np.int64),
        control=np.array([controls.index(a.control) if a.control else -1 for a in axials], np.int64),
        numbers=numbers,
    )
    command = np.array([start[a.joint] for a in axials])
    for k, a in enumerate(axials):
        if a.kind == kinds.POSITION and a.numbers[2] >= UNBOUNDED:
            command[k] = a.numbers[0]
    coordinates = Coordinates(start.copy(), np.zeros(n), np.zeros((n, 12)), command)
    rows = _rows(table, axials, axial, live)
    system = _system(order, held, axials, live, rows)
    system.fixed_bound[axial_row[[a.kind == kinds.FORCE for a in axials]]] = 1
    names = [joint.name or f"{joint.kind} {j}" for j, joint in enumerate(scene.joints)]
    geometry = Geometry(np.zeros((n, 2, 3)), np.zeros((n, 2, 3, 3)), np.zeros((n, 3)))
    hydraulics = hydraulics_of(scene, axials, axial, controls)
    tracks = tracks_of(scene, bodies, static_friction(scene))
    for j in tracks.joint:
        rows.sigma[first_row[j] : first_row[j] + TRACK_ROWS] = 1.0
    return Joints(names, table, live, axials, axial, controls, rows, geometry, coordinates, hydraulics, tracks, system)


def _placed(joint: Any, bodies: Bodies) -> tuple[list[int], F64, F64, float]:
    """Bodies, anchors, frames, and the coordinate at the start."""
    ends = [bodies.index[joint.first], bodies.index[joint.second] if joint.second else -1]
    axis = unit(getattr(joint, "axis", (0.0, 0.0, 1.0)))
    if isinstance(joint, Universal):
        across = unit(joint.second_axis)
    else:
        across = np.array(any_perpendicular(tuple(axis)))
    world = np.stack([axis, across, np.cross(axis, across)])
    anchor, frame, points = np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3))
    for side, b in enumerate(ends):
        rotation, middle, origin = np.eye(3), np.zeros(3), np.zeros(3)
        if b >= 0:
            matrix_of(bodies.start.q[b], rotation)
            middle = bodies.start.x[b]
            origin = middle - rotate(rotation, bodies.center[b])
        if getattr(joint, "anchors", None) is not None:
            points[side] = origin + rotate(rotation, joint.anchors[side])
        else:
            points[side] = joint.position if hasattr(joint, "position") else joint.positions[side]
        anchor[side] = rotate(rotation.T, points[side] - middle)
        frame[side] = product(world, rotation)
    apart = points[1] - points[0]
    if isinstance(joint, Distance | CylinderJoint):
        return ends, anchor, frame, float(norm(apart))
    return ends, anchor, frame, float(-dot(axis, apart)) if isinstance(joint, Slider) else 0.0


def _axials(scene: Scene, j: int, start: float) -> Iterator[Axial]:
    """Rows along the coordinate of joint j: what holds, limits, pulls back and drives it."""
    joint: Any = scene.joints[j]
    tau = -1.0 if joint.relaxation is None else joint.relaxation
    stops, limits, field, unit = joint.compliance, None, "range", "m"
    if isinstance(joint, Distance):
        limits = joint.range
        if limits is None and joint.spring is None:
            length = start if joint.length is None else joint.length
            yield Axial("length", kinds.HOLD, j, j, [length, joint.compliance, tau])
    elif isinstance(joint, CylinderJoint):
        # Its oil is compliant, its end stops are steel.
        limits, stops, tau = joint.range, min(joint.compliance, RIGID), -1.0
        yield cylinder_row(scene, j, joint, limits)
    elif isinstance(joint, Slider):
        limits = joint.range
    elif isinstance(joint, Hinge) and joint.range_deg is not None:
        low, high = joint.range_deg
        limits, field, unit = (math.radians(low), math.radians(high)), "range_deg", "rad"
    elif isinstance(joint, BallJoint) and joint.cone_deg is not None:
        limit = math.radians(joint.cone_deg)
        yield Axial("limit", kinds.CONE, j, j, [-UNBOUNDED, limit, joint.compliance, tau])
    if limits is not None:
        low, high = limits
        slack = LIMIT_SLACK * max(1.0, abs(low), abs(high))
        if not low - slack <= start <= high + slack:
            raise SceneError(
                f"{where_is(scene, j)}.{field}: it starts at {start:.6g} {unit}, outside of its range "
                f"{low:.6g} to {high:.6g} {unit}; move the bodies, or widen the range"
            )
        yield Axial("limit", kinds.LIMIT, j, j, [low, high, stops, tau])
    spring = getattr(joint, "spring", None)
    if spring is not None:
        rest = start if spring.rest is None else spring.rest
        yield Axial("spring", kinds.SPRING, j, j, [rest, spring.stiffness, spring.damping])
    motor = getattr(joint, "motor", None)
    if motor is not None:
        yield motor_row(scene, j, motor, limits)
        if isinstance(motor, PositionMotor) and limits is not None:
            _refuse_out_of_reach(scene, j, motor, limits)
    brake = getattr(joint, "brake", None)
    if brake is not None:
        yield Axial("brake", kinds.BRAKE, j, j, [brake.max_force], brake.control)


def _refuse_out_of_reach(scene: Scene, j: int, motor: PositionMotor, limits: tuple[float, float]) -> None:
    ends = (
        {motor.target - abs(motor.reach), motor.target + abs(motor.reach)}
        if motor.control
        else {motor.target}
    )
    slack = LIMIT_SLACK * max(1.0, abs(limits[0]), abs(limits[1]))
    for end in ends:
        if not limits[0] - slack <= end <= limits[1] + slack:
            raise SceneError(
                f"{where_is(scene, j)}.motor: its target reaches {end:.6g}, outside of the joint's range "
                f"{limits[0]:.6g} to {limits[1]:.6g}; change target and reach, or the range"
            )


def _gears(scene: Scene, start: F64) -> Iterator[Axial]:
    number = {joint.name: j for j, joint in enumerate(scene.joints) if joint.name}
    for j, joint in enumerate(scene.joints):
        if isinstance(joint, Gear):
            first, second = number[joint.first], number[joint.second]
            total = float(start[first] + joint.ratio * start[second])
            tau = -1.0 if joint.relaxation is None else joint.relaxation
            values = [joint.ratio, total, joint.compliance, tau]
            yield Axial("gear", kinds.COUPLE, j, first, values, other=second)


def _acts_on(j: int, live: I32, axials: list[Axial]) -> set[int]:
    """Moving bodies that any row of joint j acts on."""
    joints = {j}
    for a in axials:
        if a.owner == j and a.kind == kinds.COUPLE:
            joints |= {a.joint, a.other}
    return {int(b) for k in joints for b in live[k] if b >= 0}


def _neighbours(live: I32, axials: list[Axial]) -> list[set[int]]:
    """Joints that share a moving body."""
    on_body: dict[int, list[int]] = {}
    for j in range(len(live)):
        for b in _acts_on(j, live, axials):
            on_body.setdefault(b, []).append(j)
    near: list[set[int]] = [set() for _ in range(len(live))]
    for joints in on_body.values():
        for j in joints:
            near[j] |= set(joints)
    return [others - {j} for j, others in enumerate(near)]


def _numbered(held: I64, live: I32, axials: list[Axial]) -> tuple[list[int], I64, I64]:
    """Order of the joints in the factorisation, first row of each, and row of each axial."""
    sizes = [int(count) + sum(a.owner == j for a in axials) for j, count in enumerate(held)]
    order = elimination_order(_neighbours(live, axials), sizes)
    first_row, axial_row = np.zeros(len(held), np.int64), np.zeros(len(axials), np.int64)
    row = 0
    for j in order:
        first_row[j] = row
        row += int(held[j])
        for k, a in enumerate(axials):
            if a.owner == j:
                axial_row[k] = row
                row += 1
    return order, first_row, axial_row


def _rows(table: JointTable, axials: list[Axial], axial: AxialTable, live: I32) -> Rows:
    n = int(table.held.sum()) + len(axials)
    body, blocks = np.zeros((n, 4), np.int32), np.zeros(n, np.int64)

    def act(row: int, joints: list[int]) -> None:
        ends = [b for j in joints for b in live[j] if b >= 0]
        blocks[row] = len(ends)
        body[row, : len(ends)] = ends

    for j, first in enumerate(table.first_row):
        for row in range(first, first + table.held[j]):
            act(row, [j])
    for a, row in zip(axials, axial.row, strict=True):
        act(int(row), [a.joint, a.other] if a.kind == kinds.COUPLE else [a.joint])
    return Rows(
        body=body,
        blocks=blocks,
        J=np.zeros((n, 24)),
        MJ=np.zeros((n, 24)),
        sigma=np.zeros(n),
        rhs=np.zeros(n),
        low=np.full(n, -UNBOUNDED),
        high=np.full(n, UNBOUNDED),
        active=np.zeros(n, np.int64),
        impulse=np.zeros(n),
        carried=np.zeros(n),
        total=np.zeros(n),
        work=np.zeros(n),
        bend=np.zeros(n),
    )


def _system(order: list[int], held: I64, axials: list[Axial], live: I32, rows: Rows) -> System:
    """Pattern of S in the order of elimination, and which products make up each of its numbers."""
    rank = {j: k for k, j in enumerate(order)}
    near = _neighbours(live, axials)
    sizes = [int(held[j]) + sum(a.owner == j for a in axials) for j in order]
    pattern = block_pattern(sizes, [{rank[other] for other in near[j]} for j in order])
    on_body: dict[int, list[tuple[int, int]]] = {}
    for row in range(pattern.size):
        for block in range(rows.blocks[row]):
            on_body.setdefault(int(rows.body[row, block]), []).append((row, block))
    users = [sorted(on_body[b]) for b in sorted(on_body)]
    nowhere = LANES * pattern.lines - 1
    target: list[int] = []
    counts: list[int] = []
    for pairs in users:
        for row, _ in pairs:
            met = [place(pattern, row, other) for other, _ in pairs if other <= row]
            counts.append(len(met))
            target += met + [nowhere] * (-len(met) % LANES)
    flat = np.array([pair for pairs in users for pair in pairs], np.int64).reshape(-1, 2)
    most = max((len(pairs) for pairs in users), default=0)
    return System(
        pattern=pattern,
        user_start=np.concatenate([[0], np.cumsum([len(pairs) for pairs in users])]).astype(np.int64),
        user_row=flat[:, 0].copy(),
        user_block=flat[:, 1].copy(),
        user_pairs=np.array(counts, np.int64),
        target=np.array(target, np.int64),
        turned=np.zeros((6, most + LANES)),
        matrix=np.zeros((pattern.lines, LANES)),
        factors=np.zeros((pattern.lines, LANES)),
        factored=np.zeros(pattern.size, np.int64),
        right=np.zeros(pattern.size),
        work=np.zeros(pattern.size),
        wanted=np.zeros(pattern.size, np.int64),
        fixed_bound=np.zeros(pattern.size, np.int64),
    )


def machines_of(joints: Joints, rows: int) -> I64:
    """(rows,) number of the machine that each body belongs to, counted from 0; −1: no joint holds it.

    Bodies of one machine are joined through moving bodies, so that one feels what pushes another.
    """
    number = np.full(rows, -1, np.int64)
    links = [set(joints.live[j][joints.live[j] >= 0].tolist()) for j in range(len(joints.names))]
    for a in joints.axials:
        if a.kind == kinds.COUPLE:
            links.append(links[a.joint] | links[a.other])
    count = 0
    for link in links:
        known = sorted({int(number[b]) for b in link if number[b] >= 0})
        mine = known[0] if known else count
        count += 0 if known else 1
        for b in link:
            number[b] = mine
        for other in known[1:]:
            number[number == other] = mine
    return number
