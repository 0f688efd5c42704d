"""Constraint rows of joints: violation, Jacobian and bounds, from where the bodies are now.

A joint has rows that hold it (a hinge holds a point and two angles) and, if it can move in one way only, a
coordinate: the angle of a hinge, the displacement of a slider, the length of a distance or cylinder. All else
acts along that coordinate as one more row each: motors, brakes, springs, limits, gears.

Every row becomes G v' + σ λ = rhs with an impulse λ in [low, high] (Lacoursière's SPOOK):

    σ = 4 ε Υ/h²,   rhs = −4 Υ q/h + Υ (G v − a) + (1 − Υ) ċ − a',   Υ = 1/(1 + 4 τ/h)

with violation q, compliance ε, relaxation time τ, and c a commanded value that moves at the speed ċ. A spring
of stiffness k and damping d is a row with ε = 1/k, τ = d/k. Rows on speeds (motors, brakes) have rhs = the
speed wanted and σ = 0.

The bend a is ours, see `bends`: `before` is that of the velocities a substep begins with, `bend` that of those
it ends with.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

from windrow.fixed_kernels import arctangent2
from windrow.geometry.terms import F64, I32, I64, Point
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.vectors import axis_of, cross, dot, negative, row, row_of, scaled, turned_by

HINGE, SLIDER, FIXED, BALL, UNIVERSAL, LINE, GEAR, TRACK = range(8)
"""Kinds of joints; LINE: distances and cylinders; rows of TRACK are made in `traction`."""

HOLD, SPRING, LIMIT, CONE, VELOCITY, POSITION, FORCE, HYDRAULIC, BRAKE, COUPLE, PISTON, ROTARY = range(12)
"""Kinds of rows along a coordinate; the last two are those of `hydraulics`."""

NUMBERS = 14
"""Numbers per row along a coordinate; what they mean is said where they are read, in `axial_rows` and `hydraulics`."""

UNBOUNDED = 1e300


class JointTable(NamedTuple):
    """Constants of the joints."""

    kind: I32
    body: I32
    """(j, 2) first and second; −1: the world"""
    anchor: F64
    """(j, 2, 3) its place in the frames of both, from their centres of mass, m"""
    frame: F64
    """(j, 2, 3, 3) three unit vectors in the frames of both: the axis and two across"""
    first_row: I64
    held: I64
    """rows that hold it"""
    compliance: F64
    """m/N or rad/(N m)"""
    relaxation: F64
    """s; negative: two substeps"""


class AxialTable(NamedTuple):
    """Constants of the rows along coordinates."""

    kind: I32
    row: I64
    joint: I64
    other: I64
    """second joint of a gear"""
    control: I64
    """index of the control it follows; −1: none"""
    numbers: F64
    """(a, NUMBERS)"""


class Rows(NamedTuple):
    """The rows themselves, refilled at every substep. A row acts on up to four bodies."""

    body: I32
    """(r, 4) bodies that a row acts on"""
    blocks: I64
    """(r,) how many of them"""
    J: F64
    """(r, 24) Jacobian: six numbers (linear, angular) per body"""
    MJ: F64
    """(r, 24) inverse mass times Jacobian"""
    sigma: F64
    rhs: F64
    low: F64
    """N s or N m s"""
    high: F64
    active: I64
    """−1, +1: at its lower or upper bound; 0: free. Kept from step to step"""
    impulse: F64
    """N s or N m s, of the last solution"""
    carried: F64
    """those with which the bodies were moved through the last substep; of rows along a coordinate only"""
    total: F64
    """sum of the impulses over the substeps of a step"""
    work: F64
    """J that they gave to the motion over a step; of rows along a coordinate only"""
    bend: F64
    """m/s or rad/s, see `bends`"""


class Geometry(NamedTuple):
    """Where the joints are now, in the world."""

    arm: F64
    """(j, 2, 3) from the centres of mass of first and second to the joint's place on them, m"""
    frame: F64
    """(j, 2, 3, 3) axis and two vectors across, as first and second carry them"""
    gap: F64
    """(j, 3) from the place on first to that on second, m"""


class Coordinates(NamedTuple):
    """Angle, displacement or length of each joint that has one."""

    value: F64
    """(j,) rad or m; angles go on counting after a turn. Kept from step to step"""
    rate: F64
    """(j,) rad/s or m/s"""
    J: F64
    """(j, 12)"""
    command: F64
    """(a,) where motors and cylinders want it. Kept from step to step"""


@bare_inner
def put(J: F64, r: int, block: int, linear: Point, angular: Point) -> None:
    o = 6 * block
    J[r, o] = linear[0]
    J[r, o + 1] = linear[1]
    J[r, o + 2] = linear[2]
    J[r, o + 3] = angular[0]
    J[r, o + 4] = angular[1]
    J[r, o + 5] = angular[2]


@bare_inner
def put_two(J: F64, r: int, a: int, b: int, la: Point, wa: Point, lb: Point, wb: Point) -> None:
    """Blocks of both bodies; a fixed or missing one has none, and the other moves up."""
    block = 0
    if a >= 0:
        put(J, r, 0, la, wa)
        block = 1
    if b >= 0:
        put(J, r, block, lb, wb)


@bare_inner
def spook(
    sigma: F64,
    rhs: F64,
    bend: F64,
    r: int,
    q: float,
    gv: float,
    speed: float,
    eps: float,
    tau: float,
    h: float,
) -> None:
    """σ and rhs of a row that holds a value; `speed` is that of a commanded value."""
    damping = 1.0 / (1.0 + 4.0 * tau / h)
    sigma[r] = 4.0 * eps * damping / (h * h)
    rhs[r] = -4.0 * damping * q / h + damping * (gv - bend[r]) + (1.0 - damping) * speed


@bare_inner
def one_sided(rows: Rows, r: int, gap: float, eps: float, tau: float, h: float) -> None:
    """σ and rhs of a row that keeps a gap from closing; an open one may close just so far."""
    damping = 1.0 / (1.0 + 4.0 * tau / h)
    rows.sigma[r] = 4.0 * eps * damping / (h * h)
    rows.rhs[r] = -gap / h if gap > 0.0 else -4.0 * damping * gap / h
    rows.low[r] = 0.0
    rows.high[r] = UNBOUNDED


@bare_inner
def rate_of(J: F64, body: I32, blocks: I64, r: int, V: F64) -> float:
    """G v of a row."""
    s = 0.0
    for block in range(blocks[r]):
        o, b = 6 * block, body[r, block]
        for k in range(6):
            s += J[r, o + k] * V[b, k]
    return s


@bare_kernel
def place_joints(joints: JointTable, motion: Motion, geometry: Geometry) -> None:
    """Anchors and axes in the world."""
    for j in range(joints.kind.shape[0]):
        if joints.kind[j] == GEAR:
            continue
        place = (0.0, 0.0, 0.0)
        for side in range(2):
            b = joints.body[j, side]
            last = place
            place = row_of(joints.anchor, j, side)
            if b >= 0:
                arm = turned_by(motion.R, b, place)
                place = (motion.x[b, 0] + arm[0], motion.x[b, 1] + arm[1], motion.x[b, 2] + arm[2])
            else:
                arm = (0.0, 0.0, 0.0)
            for k in range(3):
                geometry.arm[j, side, k] = arm[k]
                vector = axis_of(joints.frame, j, side, k)
                if b >= 0:
                    vector = turned_by(motion.R, b, vector)
                for i in range(3):
                    geometry.frame[j, side, k, i] = vector[i]
        for k in range(3):
            geometry.gap[j, k] = place[k] - last[k]


@bare_kernel
def joint_rows(
    joints: JointTable,
    live: I32,
    motion: Motion,
    geometry: Geometry,
    rows: Rows,
    h: float,
) -> None:
    """Rows that hold the joints.

    `live` (j, 2) are the joints' bodies without those that cannot move.
    """
    for j in range(joints.kind.shape[0]):
        kind = joints.kind[j]
        if kind == GEAR:
            continue
        ka, kb = live[j, 0], live[j, 1]
        ra, rb = row_of(geometry.arm, j, 0), row_of(geometry.arm, j, 1)
        a0, a1, a2 = (
            axis_of(geometry.frame, j, 0, 0),
            axis_of(geometry.frame, j, 0, 1),
            axis_of(geometry.frame, j, 0, 2),
        )
        b0, b1, b2 = (
            axis_of(geometry.frame, j, 1, 0),
            axis_of(geometry.frame, j, 1, 1),
            axis_of(geometry.frame, j, 1, 2),
        )
        d = row(geometry.gap, j)
        arm = (ra[0] + d[0], ra[1] + d[1], ra[2] + d[2])
        zero = (0.0, 0.0, 0.0)
        r = joints.first_row[j]
        first = r
        if kind in (HINGE, FIXED, BALL, UNIVERSAL):
            for k in range(3):
                e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
                put_two(rows.J, r, ka, kb, negative(e), negative(cross(ra, e)), e, cross(rb, e))
                rows.rhs[r] = d[k]
                r += 1
        if kind in (HINGE, UNIVERSAL):
            for k in range(1, 3 if kind == HINGE else 2):
                v = b1 if k == 1 else b2
                c = cross(a0, v)
                put_two(rows.J, r, ka, kb, zero, c, zero, negative(c))
                rows.rhs[r] = dot(a0, v)
                r += 1
        if kind in (FIXED, SLIDER):
            for k in range(3):
                u = a0 if k == 0 else (a1 if k == 1 else a2)
                v = b1 if k == 0 else (b2 if k == 1 else b0)
                c = cross(u, v)
                put_two(rows.J, r, ka, kb, zero, c, zero, negative(c))
                rows.rhs[r] = dot(u, v)
                r += 1
        if kind == SLIDER:
            for k in range(2):
                e = a1 if k == 0 else a2
                put_two(rows.J, r, ka, kb, negative(e), negative(cross(arm, e)), e, cross(rb, e))
                rows.rhs[r] = dot(e, d)
                r += 1
        tau = joints.relaxation[j] if joints.relaxation[j] >= 0.0 else 2.0 * h
        for k in range(first, r):
            gv = rate_of(rows.J, rows.body, rows.blocks, k, motion.V)
            spook(rows.sigma, rows.rhs, rows.bend, k, rows.rhs[k], gv, 0.0, joints.compliance[j], tau, h)


@bare_kernel
def measure_coordinates(
    joints: JointTable, motion: Motion, geometry: Geometry, coordinates: Coordinates
) -> None:
    """Angle, displacement or length of each joint, its rate and its Jacobian: first relative to second."""
    J, zero = coordinates.J, (0.0, 0.0, 0.0)
    for j in range(joints.kind.shape[0]):
        kind = joints.kind[j]
        ra, rb, d = row_of(geometry.arm, j, 0), row_of(geometry.arm, j, 1), row(geometry.gap, j)
        a0, b0 = axis_of(geometry.frame, j, 0, 0), axis_of(geometry.frame, j, 1, 0)
        if kind == HINGE:
            b1 = axis_of(geometry.frame, j, 1, 1)
            angle = -arctangent2(
                dot(b1, axis_of(geometry.frame, j, 0, 2)), dot(b1, axis_of(geometry.frame, j, 0, 1))
            )
            turns = (angle - coordinates.value[j] + pi) / (2.0 * pi)
            coordinates.value[j] = angle - 2.0 * pi * (turns // 1.0)
            put(J, j, 0, zero, a0)
            put(J, j, 1, zero, negative(a0))
        elif kind == SLIDER:
            coordinates.value[j] = -dot(a0, d)
            arm = (ra[0] + d[0], ra[1] + d[1], ra[2] + d[2])
            put(J, j, 0, a0, cross(arm, a0))
            put(J, j, 1, negative(a0), negative(cross(rb, a0)))
        elif kind == LINE:
            length = sqrt(dot(d, d))
            e = scaled(d, 1.0 / length) if length > 1e-9 else a0
            coordinates.value[j] = length
            put(J, j, 0, negative(e), negative(cross(ra, e)))
            put(J, j, 1, e, cross(rb, e))
        elif kind == BALL:
            # The lean of the two axes, for the cone.
            lean = cross(a0, b0)
            sine = sqrt(dot(lean, lean))
            coordinates.value[j] = arctangent2(sine, dot(a0, b0))
            e = scaled(lean, 1.0 / sine) if sine > 1e-9 else axis_of(geometry.frame, j, 0, 1)
            put(J, j, 0, zero, negative(e))
            put(J, j, 1, zero, e)
        else:
            continue
        a, b, rate = joints.body[j, 0], joints.body[j, 1], 0.0
        for k in range(6):
            rate += J[j, k] * motion.V[a, k]
            if b >= 0:
                rate += J[j, 6 + k] * motion.V[b, k]
        coordinates.rate[j] = rate


@bare_inner
def copy_coordinate(rows: Rows, r: int, first_block: int, J: F64, j: int, live: I32, factor: float) -> int:
    """Puts the Jacobian of a coordinate into a row; returns the next free block."""
    block = first_block
    for side in range(2):
        if live[j, side] >= 0:
            for k in range(6):
                rows.J[r, 6 * block + k] = factor * J[j, 6 * side + k]
            block += 1
    return block


@bare_kernel
def axial_rows(
    axial: AxialTable,
    joints: JointTable,
    live: I32,
    controls: F64,
    rows: Rows,
    coordinates: Coordinates,
    h: float,
) -> None:
    """Rows along the coordinates but those of `hydraulics`; moves commanded values by one substep."""
    for i in range(axial.kind.shape[0]):
        kind, r, j = axial.kind[i], axial.row[i], axial.joint[i]
        if kind in (PISTON, ROTARY):
            continue
        number = axial.numbers[i]
        value, rate = coordinates.value[j], coordinates.rate[j]
        control = 1.0 if axial.control[i] < 0 else controls[axial.control[i]]
        sign = 1.0
        if kind == HOLD:
            # value, compliance, relaxation
            tau = number[2] if number[2] >= 0.0 else 2.0 * h
            spook(rows.sigma, rows.rhs, rows.bend, r, value - number[0], rate, 0.0, number[1], tau, h)
        elif kind == SPRING:
            # rest, stiffness, damping
            spook(
                rows.sigma,
                rows.rhs,
                rows.bend,
                r,
                value - number[0],
                rate,
                0.0,
                1.0 / number[1],
                number[2] / number[1],
                h,
            )
        elif kind in (LIMIT, CONE):
            # least, largest, compliance, relaxation
            tau = number[3] if number[3] >= 0.0 else 2.0 * h
            sign = 1.0 if value - number[0] < number[1] - value else -1.0
            gap = value - number[0] if sign > 0.0 else number[1] - value
            one_sided(rows, r, gap, number[2], tau, h)
        elif kind == VELOCITY:
            # speed, force, power, droop
            force = number[1]
            if abs(rate) * force > number[2]:
                force = number[2] / abs(rate)
            rows.sigma[r] = number[3] / h
            rows.rhs[r] = control * number[0]
            rows.low[r], rows.high[r] = -force * h, force * h
        elif kind == POSITION:
            # target, reach, speed, force, compliance, relaxation
            tau = number[5] if number[5] >= 0.0 else 2.0 * h
            wanted = number[0] + (control * number[1] if axial.control[i] >= 0 else 0.0)
            most = number[2] * h
            move = min(max(wanted - coordinates.command[i], -most), most)
            # A target that jumps has no speed to follow.
            speed = move / h if number[2] < UNBOUNDED else 0.0
            spook(
                rows.sigma,
                rows.rhs,
                rows.bend,
                r,
                value - coordinates.command[i],
                rate,
                speed,
                number[4],
                tau,
                h,
            )
            coordinates.command[i] += move
            rows.low[r], rows.high[r] = -number[3] * h, number[3] * h
        elif kind == FORCE:
            # force
            rows.sigma[r] = 0.0
            rows.rhs[r] = 0.0
            rows.low[r] = rows.high[r] = control * number[0] * h
        elif kind == HYDRAULIC:
            # speed out, speed in, force out, force in, compliance, relaxation, power
            control = controls[axial.control[i]] if axial.control[i] >= 0 else 0.0
            speed = control * (number[0] if control > 0.0 else number[1])
            push, pull = number[2], number[3]
            force = abs(rows.impulse[r]) / h
            if abs(speed) * force > number[6]:
                speed *= number[6] / (abs(speed) * force)
            spook(
                rows.sigma,
                rows.rhs,
                rows.bend,
                r,
                value - coordinates.command[i],
                rate,
                speed,
                number[4],
                number[5],
                h,
            )
            # Where the relief valve opens, the command waits: it is ahead by what the oil yields, no more.
            back = value - number[4] * pull + min(speed, 0.0) * h
            front = value + number[4] * push + max(speed, 0.0) * h
            coordinates.command[i] = min(max(coordinates.command[i] + speed * h, back), front)
            rows.low[r], rows.high[r] = -pull * h, push * h
        elif kind == BRAKE:
            # force
            force = number[0] * (min(max(control, 0.0), 1.0) if axial.control[i] >= 0 else 1.0)
            rows.sigma[r] = 0.0
            rows.rhs[r] = 0.0
            rows.low[r], rows.high[r] = -force * h, force * h
        else:  # COUPLE: ratio, sum, compliance, relaxation
            other = axial.other[i]
            tau = number[3] if number[3] >= 0.0 else 2.0 * h
            block = copy_coordinate(rows, r, 0, coordinates.J, j, live, 1.0)
            copy_coordinate(rows, r, block, coordinates.J, other, live, number[0])
            violation = value + number[0] * coordinates.value[other] - number[1]
            gv = rate + number[0] * coordinates.rate[other]
            spook(rows.sigma, rows.rhs, rows.bend, r, violation, gv, 0.0, number[2], tau, h)
            continue
        copy_coordinate(rows, r, 0, coordinates.J, j, live, sign)
