"""What straight motion over a substep does to curved constraints.

A point on a circle of radius L that moves straight at v for h leaves it by v²h²/2L. Joints solved with
G v' = 0 lose that much in every substep, and relaxation wins it back slowly: 6 mm on a crank at 6 rad/s and
60 steps a second, and a pendulum that loses a fifth of its energy in 20 s. So each row takes it off: the
value q of a row after a substep is q + h (G v + a) with the bend a = h/2 · q̈ at constant velocity, which is a
short formula for every joint.

The bend of the new velocities depends on themselves; `machine` solves again with the bend of the solution.
"""

from __future__ import annotations

from math import sqrt

from windrow.geometry.terms import F64, I32, Point
from windrow.kernel import bare_inner
from windrow.solvers.multibody.rows import (
    BALL,
    COUPLE,
    FIXED,
    GEAR,
    HINGE,
    LIMIT,
    LINE,
    SLIDER,
    UNIVERSAL,
    AxialTable,
    Geometry,
    JointTable,
    Rows,
)
from windrow.solvers.multibody.vectors import axis_of, cross, dot, minus, row, row_of


@bare_inner
def spin_of(V: F64, b: int) -> Point:
    if b < 0:
        return 0.0, 0.0, 0.0
    return V[b, 3], V[b, 4], V[b, 5]


@bare_inner
def point_speed(V: F64, b: int, arm: Point) -> Point:
    """Velocity of a point of body b."""
    if b < 0:
        return 0.0, 0.0, 0.0
    spin = cross((V[b, 3], V[b, 4], V[b, 5]), arm)
    return V[b, 0] + spin[0], V[b, 1] + spin[1], V[b, 2] + spin[2]


@bare_inner
def dot_bend(u: Point, v: Point, wa: Point, wb: Point) -> float:
    """d²(u·v)/dt² of vectors that turn with wa and wb."""
    du, dv = cross(wa, u), cross(wb, v)
    return dot(cross(wa, du), v) + 2.0 * dot(du, dv) + dot(u, cross(wb, dv))


@bare_inner
def across_bend(e: Point, gap: Point, speed: Point, pull: Point, wa: Point) -> float:
    """d²(e·gap)/dt² of a vector e that turns with wa; `speed` and `pull` are the gap's derivatives."""
    de = cross(wa, e)
    return dot(cross(wa, de), gap) + 2.0 * dot(de, speed) + dot(e, pull)


@bare_inner
def bend_joints(
    joints: JointTable,
    live: I32,
    axial: AxialTable,
    geometry: Geometry,
    coordinate_bend: F64,
    V: F64,
    rows: Rows,
    h: float,
) -> float:
    """Bends of all rows at velocities V into `rows.bend`; returns the largest change, m/s or rad/s."""
    s = 0.5 * h
    change = 0.0
    for j in range(joints.kind.shape[0]):
        kind = joints.kind[j]
        if kind == GEAR:
            continue
        a, b = live[j, 0], live[j, 1]
        wa, wb = spin_of(V, a), spin_of(V, b)
        ra, rb = row_of(geometry.arm, j, 0), row_of(geometry.arm, j, 1)
        pull = minus(cross(wb, cross(wb, rb)), cross(wa, cross(wa, ra)))
        r = joints.first_row[j]
        coordinate_bend[j] = 0.0
        if kind in (HINGE, FIXED, BALL, UNIVERSAL):
            for k in range(3):
                now = s * pull[k]
                change = max(change, abs(now - rows.bend[r]))
                rows.bend[r] = now
                r += 1
        if kind in (HINGE, UNIVERSAL):
            for k in range(1, 3 if kind == HINGE else 2):
                now = s * dot_bend(axis_of(geometry.frame, j, 0, 0), axis_of(geometry.frame, j, 1, k), wa, wb)
                change = max(change, abs(now - rows.bend[r]))
                rows.bend[r] = now
                r += 1
        if kind in (FIXED, SLIDER):
            for k in range(3):
                v = axis_of(geometry.frame, j, 1, (k + 1) % 3)
                now = s * dot_bend(axis_of(geometry.frame, j, 0, k), v, wa, wb)
                change = max(change, abs(now - rows.bend[r]))
                rows.bend[r] = now
                r += 1
        if kind in (SLIDER, LINE):
            gap = row(geometry.gap, j)
            speed = minus(point_speed(V, b, rb), point_speed(V, a, ra))
            if kind == SLIDER:
                for k in range(3):
                    now = s * across_bend(axis_of(geometry.frame, j, 0, k), gap, speed, pull, wa)
                    if k == 0:
                        coordinate_bend[j] = -now
                    else:
                        change = max(change, abs(now - rows.bend[r]))
                        rows.bend[r] = now
                        r += 1
            else:
                length = sqrt(dot(gap, gap))
                if length > 1e-9:
                    along = dot(gap, speed) / length
                    turning = (dot(speed, speed) - along * along) / length
                    coordinate_bend[j] = s * (turning + dot(gap, pull) / length)
    for i in range(axial.kind.shape[0]):
        r, j = axial.row[i], axial.joint[i]
        now = coordinate_bend[j]
        if axial.kind[i] == COUPLE:
            now += axial.numbers[i, 0] * coordinate_bend[axial.other[i]]
        elif axial.kind[i] == LIMIT:
            now = 0.0
        change = max(change, abs(now - rows.bend[r]))
        rows.bend[r] = now
    return change
