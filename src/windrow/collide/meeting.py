"""What one grain meets in a step: its contacts, written as rows of the contact list.

See `collide.walls` for what a contact is and how fast grains are held.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.collide.obstacles import Obstacles, in_ball, in_box, to_local
from windrow.geometry.bvh import passed_over
from windrow.geometry.distance import closest, container_wall
from windrow.geometry.height import beyond_edge
from windrow.geometry.kinds import CONE, DISTANCE_GRID, FACING, HEIGHT_FIELD, KIND, SIZES
from windrow.geometry.sweep import apart, barrier
from windrow.geometry.terms import F32, F64, I32, I64, U8, Point
from windrow.kernel import inner, kernel

ZERO = np.float32(0.0)
ROUNDS = 6
"""Times a stopped grain's way on is looked at: the corner of a room, or a slide along a curved wall."""
DISTINCT = 0.01
"""Share of the radius by which a further contact must stand in front of the planes a grain has: 8 degrees."""
MOVED = 0.25
"""Share of the radius by which its target must be pushed before all obstacles are asked again."""


class MeetingColumns(NamedTuple):
    """The columns of the contact list."""

    plane: F32
    slide: F32
    body: I32
    pair: I32
    push: F32


@inner
def meet_planes(
    P: F32,
    material: I32,
    materials: int,
    begin: int,
    last: int,
    block: I64,
    near: U8,
    obstacles: Obstacles,
    margin: float,
    start: I32,
    end: I32,
    rows: MeetingColumns,
) -> None:
    """All contacts of a block of grains that is near planes only; see `collide.walls` for the arguments."""
    planes, placed, wall_material = obstacles.planes, obstacles.placed, obstacles.material
    plane, slide, body, pair, push = rows.plane, rows.slide, rows.body, rows.pair, rows.push
    total, first = block[0], block[1]
    for i in range(begin, last):
        needs = (start[i + 1] if i + 1 < last else total) - start[i]
        row = first + start[i]
        room = row + needs
        start[i] = row
        if needs > 0:
            x, y, z, r = P[i, 0], P[i, 1], P[i, 2], P[i, 3]
            for k in range(len(planes)):
                s = planes[k]
                nx, ny, nz, offset = placed[s, 0], placed[s, 1], placed[s, 2], placed[s, 3]
                gap = nx * x + ny * y + nz * z - r - offset
                if near[s] == 0 or gap > margin or row == room:
                    continue
                plane[row, 0], plane[row, 1], plane[row, 2], plane[row, 3] = nx, ny, nz, offset
                slide[row, 0], slide[row, 1], slide[row, 2], slide[row, 3] = ZERO, ZERO, ZERO, ZERO
                push[row, 0], push[row, 1], push[row, 2], push[row, 3] = ZERO, ZERO, ZERO, ZERO
                body[row], pair[row] = s, material[i] * materials + wall_material[s]
                if placed[s, 4] > ZERO:
                    depth = np.float64(gap + r)
                    point = to_local(obstacles.pose1, s, x - depth * nx, y - depth * ny, z - depth * nz)
                    _write_slide(row, s, point, obstacles.pose0, obstacles.pose1, slide)
                row += 1
        end[i] = row


@inner
def _write_slide(row: int, s: int, c: Point, pose0: F64, pose1: F64, slide: F32) -> None:
    """Displacement of point c of body s, as a sum of differences: a body at rest slides by exactly nothing."""
    for axis in range(3):
        at = 3 * axis
        slide[row, axis] = (
            (pose1[s, at] - pose0[s, at]) * c[0]
            + (pose1[s, at + 1] - pose0[s, at + 1]) * c[1]
            + (pose1[s, at + 2] - pose0[s, at + 2]) * c[2]
            + (pose1[s, 9 + axis] - pose0[s, 9 + axis])
        )
    slide[row, 3] = ZERO


@kernel
def _write(row: int, s: int, kind: int, n: Point, c: Point, obstacles: Obstacles, rows: MeetingColumns) -> None:
    """Writes a contact: normal n at point c of body s, both in its own frame."""
    rows.body[row], rows.pair[row] = s, kind + obstacles.material[s]
    pose = obstacles.pose1
    offset = 0.0
    for axis in range(3):
        r0, r1, r2 = pose[s, 3 * axis], pose[s, 3 * axis + 1], pose[s, 3 * axis + 2]
        normal = r0 * n[0] + r1 * n[1] + r2 * n[2]
        rows.plane[row, axis] = normal
        offset += normal * (r0 * c[0] + r1 * c[1] + r2 * c[2] + pose[s, 9 + axis])
    rows.plane[row, 3] = offset
    for axis in range(4):
        rows.push[row, axis] = ZERO
    _write_slide(row, s, c, obstacles.pose0, pose, rows.slide)


@inner
def _pushed_out(x: float, y: float, z: float, r: float, plane: F32, begin: int, end: int) -> Point:
    """The point moved until a grain there is in front of the planes, as far as that is possible."""
    for _ in range(4):
        for k in range(begin, end):
            gap = plane[k, 0] * x + plane[k, 1] * y + plane[k, 2] * z - plane[k, 3] - r
            if gap < 0.0:
                x, y, z = x - gap * plane[k, 0], y - gap * plane[k, 1], z - gap * plane[k, 2]
    return x, y, z


@inner
def _own_planes(s: int, pose1: F64, rows: MeetingColumns, begin: int, end: int, filters: F64) -> int:
    """The planes a grain has with body s already, in the body's frame; their number."""
    count = 0
    for k in range(begin, end):
        if rows.body[k] == s and count < len(filters):
            nx, ny, nz = rows.plane[k, 0], rows.plane[k, 1], rows.plane[k, 2]
            for axis in range(3):
                filters[count, axis] = pose1[s, axis] * nx + pose1[s, 3 + axis] * ny + pose1[s, 6 + axis] * nz
            at = nx * pose1[s, 9] + ny * pose1[s, 10] + nz * pose1[s, 11]
            filters[count, 3] = rows.plane[k, 3] - at
            count += 1
    return count


@inner
def _loosest(s: int, rows: MeetingColumns, begin: int, end: int, to: Point, r: float) -> int:
    """The row with body s that a grain at `to` is farthest in front of, or −1 if it is behind them all.

    A fast grain that slides along the inside of a curve meets one tangent plane after the other.
    """
    best, most = -1, 0.0
    for k in range(begin, end):
        if rows.body[k] == s:
            plane = rows.plane
            gap = plane[k, 0] * to[0] + plane[k, 1] * to[1] + plane[k, 2] * to[2] - plane[k, 3] - r
            if gap > most:
                best, most = k, gap
    return best


@inner
def _next_contact(
    param: F64,
    numbers: F32,
    s: int,
    k: int,
    a: Point,
    b: Point,
    reach: float,
    r: float,
    filters: F64,
    held: int,
    stack: I32,
) -> tuple[bool, Point, Point]:
    """Contact number k of a grain at b with shape s, local frame, besides the `held` planes in `filters`.

    a is where the grain started. Returns whether there is one, its normal and its point.
    """
    kind = int(param[s, KIND])
    if kind <= CONE and param[s, FACING] < 0.0:
        d, nx, ny, nz = container_wall(param, s, k, b)
        return d <= reach, (nx, ny, nz), (b[0] - d * nx, b[1] - d * ny, b[2] - d * nz)
    nothing = (False, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    if kind == HEIGHT_FIELD and beyond_edge(b[0], b[1], param, s):
        return nothing
    # Samples tell one surface at a time: the one nearest at the start may be the other side of a groove.
    p = a if kind == DISTANCE_GRID and k > 0 else b
    d, nx, ny, nz, cx, cy, cz = closest(param, numbers, s, p, reach, filters, held, DISTINCT * r, stack)
    if kind == DISTANCE_GRID:
        gap = (b[0] - cx) * nx + (b[1] - cy) * ny + (b[2] - cz) * nz
        fits = gap <= reach and not passed_over(cx, cy, cz, filters, held, DISTINCT * r)
        return fits, (nx, ny, nz), (cx, cy, cz)
    if kind == HEIGHT_FIELD and d < -2.0 * r - apart(a, b):
        # It came in from the side, under the ground; to lift it out would throw it into the air.
        return nothing
    # In the middle of a solid the nearest surface is the way out, and any other would be the way through.
    fits = d <= reach and (held == 0 or (kind > CONE and d > 0.0))
    return fits, (nx, ny, nz), (cx, cy, cz)


@inner
def meet_obstacles(
    at: tuple[float, float, float],
    to: tuple[float, float, float, float],
    first: int,
    room: int,
    kind: int,
    near: U8,
    obstacles: Obstacles,
    margin: float,
    slack: float,
    rows: MeetingColumns,
    filters: F64,
    stack: I32,
) -> int:
    """All contacts of a grain that is near more than planes; returns the row after its last."""
    x, y, z, r = np.float64(to[0]), np.float64(to[1]), np.float64(to[2]), np.float64(to[3])
    x0, y0, z0 = np.float64(at[0]), np.float64(at[1]), np.float64(at[2])
    placed, param, numbers = obstacles.placed, obstacles.param, obstacles.numbers
    pose0, pose1 = obstacles.pose0, obstacles.pose1
    ball = r + margin + slack + apart((x, y, z), (x0, y0, z0))
    tx, ty, tz = x, y, z
    end = first
    for _ in range(ROUNDS):
        before, stopped = end, False
        for k in range(len(obstacles.planes)):
            s = obstacles.planes[k]
            nx, ny, nz = np.float64(placed[s, 0]), np.float64(placed[s, 1]), np.float64(placed[s, 2])
            depth = nx * tx + ny * ty + nz * tz - placed[s, 3]
            if near[s] == 0 or depth > r + margin or end == room:
                continue
            if _own_planes(s, pose1, rows, first, end, filters) == 0:
                c = to_local(pose1, s, tx - depth * nx, ty - depth * ny, tz - depth * nz)
                n = (param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2])
                _write(end, s, kind, n, c, obstacles, rows)
                end += 1
        for k in range(len(obstacles.solids)):
            s = obstacles.solids[k]
            if near[s] == 0 or not in_ball(placed, s, x, y, z, ball):
                continue
            row = end if end < room else -1
            if _own_planes(s, pose1, rows, first, end, filters) == obstacles.slots[s]:
                row = _loosest(s, rows, first, end, (tx, ty, tz), r)
            a, b = to_local(pose0, s, x0, y0, z0), to_local(pose1, s, tx, ty, tz)
            if row < 0 or not in_box(obstacles.box, s, b, r + apart(a, b)):
                continue
            t, nx, ny, nz, cx, cy, cz = barrier(param, numbers, s, a, b, r, filters, stack)
            if t <= 1.0:
                _write(row, s, kind, (nx, ny, nz), (cx, cy, cz), obstacles, rows)
                end += 1 if row == end else 0
                stopped = True
        if end == before and not stopped:
            break
        ux, uy, uz = _pushed_out(tx, ty, tz, r, rows.plane, first, end)
        if apart((ux, uy, uz), (tx, ty, tz)) <= MOVED * r:
            break
        tx, ty, tz = ux, uy, uz
    for j in range(len(obstacles.solids)):
        s = obstacles.solids[j]
        if near[s] == 0 or not in_ball(placed, s, x, y, z, ball):
            continue
        a, b = to_local(pose0, s, x0, y0, z0), to_local(pose1, s, tx, ty, tz)
        if not in_box(obstacles.box, s, b, r + margin):
            continue
        held = _own_planes(s, pose1, rows, first, end, filters)
        container = param[s, KIND] <= CONE and param[s, FACING] < 0.0
        for k in range(held, obstacles.slots[s]):
            found, n, c = _next_contact(param, numbers, s, k, a, b, r + margin, r, filters, held, stack)
            if not found and (container or (param[s, KIND] == DISTANCE_GRID and k == 0)):
                continue
            if not found or end == room:
                break
            _write(end, s, kind, n, c, obstacles, rows)
            end += 1
            filters[held, 0], filters[held, 1], filters[held, 2] = n
            filters[held, 3] = n[0] * c[0] + n[1] * c[1] + n[2] * c[2]
            held += 1
            inside = (b[0] - c[0]) * n[0] + (b[1] - c[1]) * n[1] + (b[2] - c[2]) * n[2] < 0.0
            if inside and not container:
                break
    return end
