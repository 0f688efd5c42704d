"""Contacts of grains with obstacles, found once per step on predicted positions.

A contact is a plane in the world at the end of the step: a grain must keep n·p ≥ offset + r. It comes from
the closest point of an obstacle, and concave obstacles give several, one for each wall of the corner.

Fast grains and thin walls. A grain's path is looked at in each obstacle's own frame, where it goes from a (by
the pose at the start of the step) to b (by the pose at the end); a moving wall and a resting grain are then
the same as the reverse. If the path goes through the surface, the contact is the plane where the path met it
and not the one nearest to b (`geometry.sweep.barrier`). A grain that is stopped slides on, and may then meet a
wall that its straight path never came near: its target is pushed out of the planes it has, and all obstacles
are asked again.

Two passes over blocks of grains. The first counts, by one distance per nearby obstacle, how many contacts each
grain can have at most, and the second fills them in, so that nothing is allocated per contact and the
buffers grow between the passes when they must. Planes are handled by themselves, in float32: most scenes have
little else.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.borrow import borrowed
from windrow.geometry.bvh import STACK, passed_over
from windrow.geometry.distance import closest, container_wall
from windrow.geometry.height import beyond_edge
from windrow.geometry.kinds import CONE, DISTANCE_GRID, FACING, HEIGHT_FIELD, KIND, SIZES
from windrow.geometry.sweep import apart, barrier
from windrow.geometry.table import CONCAVE_SLOTS, ShapeTable
from windrow.geometry.terms import F32, F64, I32, I64, Point
from windrow.kernel import BLOCK, kernel, kernel_parallel, prange

U8 = NDArray[np.uint8]
F = np.float32
ZERO = F(0.0)
LARGE = F(3e38)

ROUNDS = 4
"""Times a stopped grain's way on is looked at: enough for the corner of a room and one wall more."""
DISTINCT = 0.01
"""Share of the radius by which a further contact must stand in front of the planes a grain has: 8 degrees."""
MOVED = 0.25
"""Share of the radius by which its target must be pushed before all obstacles are asked again."""
SMALLEST = 1024
"""Contacts the buffers start with."""


class WallContacts:
    """Buffers of contacts: those of grain i are the rows start[i] … end[i]."""

    def __init__(self, grains: int) -> None:
        blocks = (grains + BLOCK - 1) // BLOCK
        self.start: I32 = np.zeros(grains + 1, np.int32)
        self.end: I32 = np.zeros(grains, np.int32)
        self.plane: F32 = np.zeros((SMALLEST, 4), np.float32)
        """nx, ny, nz, offset: gap = n·p − offset − r, m"""
        self.slide: F32 = np.zeros((SMALLEST, 4), np.float32)
        """how far the obstacle's surface point moves during the step, m"""
        self.body: I32 = np.zeros(SMALLEST, np.int32)
        """obstacle"""
        self.pair: I32 = np.zeros(SMALLEST, np.int32)
        """row of the pair of materials: grain's material × number of materials + obstacle's"""
        self.push: F32 = np.zeros((SMALLEST, 4), np.float32)
        """sum of the displacements the contact gave the grain, m; zero when found"""
        self.block: I64 = np.zeros((blocks, 2), np.int64)
        """rows a block of grains needs, and where they begin"""
        self.near: U8 = np.zeros((blocks, 1), np.uint8)
        """obstacles a block may meet"""

    def count(self, grains: int) -> int:
        """Contacts of the first so many grains."""
        return int((self.end[:grains] - self.start[:grains]).sum(dtype=np.int64))

    def grow(self, contacts: int) -> None:
        """Makes room; the old contents are not kept."""
        if contacts <= len(self.body):
            return
        room = contacts + contacts // 4
        self.plane = np.zeros((room, 4), np.float32)
        self.slide = np.zeros((room, 4), np.float32)
        self.body = np.zeros(room, np.int32)
        self.pair = np.zeros(room, np.int32)
        self.push = np.zeros((room, 4), np.float32)


def find_walls(
    X: F32,
    P: F32,
    material: I32,
    count: int,
    table: ShapeTable,
    pose0: F64,
    pose1: F64,
    margin: float,
    materials: int,
    contacts: WallContacts,
) -> None:
    """All contacts of the first `count` grains.

    X: x, y, z, r at the start of the step; P: predicted x, y, z, r, …; pose0, pose1 (bodies, 12): rotation
    (row by row) and position of each obstacle at the start and the end of the step. Contacts with a gap up to
    `margin` (m) are listed, because the solver may close it.
    """
    if count == 0 or len(table.kind) == 0:
        contacts.start[: count + 1] = 0
        contacts.end[:count] = 0
        return
    if contacts.near.shape != (len(contacts.block), len(table.kind)):
        contacts.near = np.zeros((len(contacts.block), len(table.kind)), np.uint8)
    pose0 = np.ascontiguousarray(pose0, np.float64)
    pose1 = np.ascontiguousarray(pose1, np.float64)
    placed, slack = _placed(table, pose0, pose1)
    places = (table.planes, table.solids, placed, F(margin), slack)
    shapes = (table.param, table.numbers, table.slots, pose0, pose1)
    lists = (contacts.start, contacts.block, contacts.near)
    needed = _count_walls(X, P, count, *places, *shapes, *lists)
    contacts.grow(needed)
    buffers = (contacts.end, contacts.plane, contacts.slide, contacts.body, contacts.pair, contacts.push)
    _fill_walls(X, P, material, count, table.material, materials, *places, *shapes, *lists, *buffers)
    contacts.start[count] = needed


def _placed(table: ShapeTable, pose0: F64, pose1: F64) -> tuple[F32, float]:
    """(bodies, 5) in the world at the end of the step, and how far any of the obstacles moves in it, m.

    A plane's row is normal and offset, any other's is the centre and radius of its bounding ball; the radius
    includes how far the ball moved, so that a grain it passed over is near it. The last column is 1 for a
    body that moves.
    """
    placed = np.zeros((len(table.kind), 5))
    rotation0, rotation1 = pose0[:, :9].reshape(-1, 3, 3), pose1[:, :9].reshape(-1, 3, 3)
    planes, solids = table.planes, table.solids
    normal = np.einsum("sij,sj->si", rotation1[planes], table.param[planes, SIZES : SIZES + 3])
    placed[planes, :3] = normal
    placed[planes, 3] = table.param[planes, SIZES + 3] + np.einsum("si,si->s", normal, pose1[planes, 9:])
    center = table.bound[solids, :3].astype(np.float64)
    radius = table.bound[solids, 3].astype(np.float64)
    before = np.einsum("sij,sj->si", rotation0[solids], center) + pose0[solids, 9:]
    after = np.einsum("sij,sj->si", rotation1[solids], center) + pose1[solids, 9:]
    moved = np.linalg.norm(after - before, axis=1)
    placed[solids, :3] = after
    placed[solids, 3] = np.where(radius >= 0, radius + moved, -1.0)
    placed[:, 4] = (pose0 != pose1).any(axis=1)
    turned = np.linalg.norm(rotation1 - rotation0, axis=(1, 2))[solids] * np.maximum(radius, 0.0)
    lifted = np.linalg.norm(pose1[planes, 9:] - pose0[planes, 9:], axis=1)
    return placed.astype(np.float32), float(max(np.max(moved + turned, initial=0.0), np.max(lifted, initial=0.0)))


@kernel
def to_local(pose: F64, s: int, x: float, y: float, z: float) -> Point:
    """World point in the frame of body s."""
    x, y, z = x - pose[s, 9], y - pose[s, 10], z - pose[s, 11]
    return (
        pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z,
        pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z,
        pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z,
    )


@kernel
def in_ball(placed: F32, s: int, x: float, y: float, z: float, reach: float) -> bool:
    """Whether a point is within reach of the bounding ball of obstacle s, if it has one."""
    radius = placed[s, 3]
    if radius < ZERO:
        return True
    dx, dy, dz, far = x - placed[s, 0], y - placed[s, 1], z - placed[s, 2], radius + reach
    return dx * dx + dy * dy + dz * dz <= far * far


@kernel
def _near_block(
    X: F32, P: F32, begin: int, end: int, planes: I32, solids: I32, placed: F32, margin: float, slack: float, near: U8
) -> tuple[float, int]:
    """Marks the obstacles that a block of grains may meet.

    Returns the reach of its planes (the margin; more when there is anything else, because grains pushed aside
    may come to a plane they were not predicted at) and the number of other obstacles near.
    """
    lx = ly = lz = LARGE
    hx = hy = hz = -LARGE
    r = ZERO
    for i in range(begin, end):
        # Comparisons rather than min and max: a position that is not a number drops out, and they are faster.
        x, y, z, w = P[i, 0], P[i, 1], P[i, 2], P[i, 3]
        lx = x if x < lx else lx
        ly = y if y < ly else ly
        lz = z if z < lz else lz
        hx = x if x > hx else hx
        hy = y if y > hy else hy
        hz = z if z > hz else hz
        r = w if w > r else r
    reach = margin
    others = 0
    if len(solids) > 0:
        square = ZERO
        for i in range(begin, end):
            dx, dy, dz = P[i, 0] - X[i, 0], P[i, 1] - X[i, 1], P[i, 2] - X[i, 2]
            square = max(square, dx * dx + dy * dy + dz * dz)
        way = F(sqrt(square) + slack)
        for k in range(len(solids)):
            s = solids[k]
            far = placed[s, 3] + r + margin + way
            gx = max(lx - placed[s, 0], placed[s, 0] - hx, ZERO)
            gy = max(ly - placed[s, 1], placed[s, 1] - hy, ZERO)
            gz = max(lz - placed[s, 2], placed[s, 2] - hz, ZERO)
            close = placed[s, 3] < ZERO or gx * gx + gy * gy + gz * gz <= far * far
            near[s] = 1 if close else 0
            others += 1 if close else 0
        if others > 0:
            reach += way
    for k in range(len(planes)):
        s = planes[k]
        nx, ny, nz = placed[s, 0], placed[s, 1], placed[s, 2]
        lowest = min(nx * lx, nx * hx) + min(ny * ly, ny * hy) + min(nz * lz, nz * hz) - placed[s, 3]
        # The sum is rounded differently than a grain's own gap: a little more never loses a contact.
        near[s] = 1 if lowest - r <= reach + F(1e-5) * (abs(placed[s, 3]) + r) else 0
    return reach, others


@kernel
def _reserve(
    X: F32,
    P: F32,
    begin: int,
    end: int,
    s: int,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: int,
    pose0: F64,
    pose1: F64,
    start: I32,
    filters: F64,
    stack: I32,
) -> None:
    """Adds to start[i] the contacts that the grains of a block can have with obstacle s, which is no plane."""
    for i in range(begin, end):
        x, y, z = np.float64(P[i, 0]), np.float64(P[i, 1]), np.float64(P[i, 2])
        x0, y0, z0 = np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2])
        wide = P[i, 3] + margin
        way = apart((x, y, z), (x0, y0, z0)) + slack
        if not in_ball(placed, s, x, y, z, wide + way):
            continue
        b = to_local(pose1, s, x, y, z)
        if slack > 0.0:
            way = max(way, apart(to_local(pose0, s, x0, y0, z0), b))
        reach = wide + way
        if closest(param, numbers, s, b, reach, filters, 0, 0.0, stack)[0] <= reach:
            start[i] += slots


@kernel
def _count_block(
    X: F32,
    P: F32,
    begin: int,
    end: int,
    planes: I32,
    solids: I32,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: I32,
    pose0: F64,
    pose1: F64,
    start: I32,
    near: U8,
) -> int:
    """start[i] = rows needed by the grains before i in the block; returns the rows of all of them."""
    reach, others = _near_block(X, P, begin, end, planes, solids, placed, margin, slack, near)
    for i in range(begin, end):
        start[i] = 0
    for k in range(len(planes)):
        s = planes[k]
        if near[s] == 1:
            nx, ny, nz, offset = placed[s, 0], placed[s, 1], placed[s, 2], placed[s, 3] + reach
            for i in range(begin, end):
                gap = nx * P[i, 0] + ny * P[i, 1] + nz * P[i, 2] - P[i, 3]
                start[i] += 1 if gap <= offset else 0
    if others > 0:
        filters, stack = np.empty((1, 4)), np.empty(STACK, np.int32)
        for k in range(len(solids)):
            s = solids[k]
            if near[s] == 1:
                _reserve(
                    X, P, begin, end, s, placed, margin, slack, param, numbers, slots[s], pose0, pose1, start,
                    borrowed(filters), borrowed(stack),
                )  # fmt: skip
    total = 0
    for i in range(begin, end):
        needs = start[i]
        start[i] = total
        total += needs
    return total


@kernel_parallel
def _count_walls(
    X: F32,
    P: F32,
    count: int,
    planes: I32,
    solids: I32,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: I32,
    pose0: F64,
    pose1: F64,
    start: I32,
    block: I64,
    near: U8,
) -> int:
    """First pass; returns the rows that all grains together need."""
    blocks = (count + BLOCK - 1) // BLOCK
    for b in prange(blocks):
        block[b, 0] = _count_block(
            borrowed(X), borrowed(P), b * BLOCK, min(count, b * BLOCK + BLOCK), borrowed(planes), borrowed(solids),
            borrowed(placed), margin, slack, borrowed(param), borrowed(numbers), borrowed(slots), borrowed(pose0),
            borrowed(pose1), borrowed(start), borrowed(near[b]),
        )  # fmt: skip
    needed = 0
    for b in range(blocks):
        block[b, 1] = needed
        needed += block[b, 0]
    return needed


@kernel
def _put_slide(k: int, s: int, c: Point, pose0: F64, pose1: F64, slide: F32) -> None:
    """Displacement of point c of body s, as a sum of differences: a body at rest slides by exactly nothing."""
    for axis in range(3):
        at = 3 * axis
        slide[k, axis] = (
            (pose1[s, at] - pose0[s, at]) * c[0]
            + (pose1[s, at + 1] - pose0[s, at + 1]) * c[1]
            + (pose1[s, at + 2] - pose0[s, at + 2]) * c[2]
            + (pose1[s, 9 + axis] - pose0[s, 9 + axis])
        )
    slide[k, 3] = ZERO


@kernel
def _put(
    k: int,
    s: int,
    row: int,
    n: Point,
    c: Point,
    pose0: F64,
    pose1: F64,
    plane: F32,
    slide: F32,
    body: I32,
    pair: I32,
    push: F32,
) -> None:
    """Writes contact k: normal n at point c of body s, both in its own frame."""
    body[k], pair[k] = s, row
    offset = 0.0
    for axis in range(3):
        r0, r1, r2 = pose1[s, 3 * axis], pose1[s, 3 * axis + 1], pose1[s, 3 * axis + 2]
        normal = r0 * n[0] + r1 * n[1] + r2 * n[2]
        plane[k, axis] = normal
        offset += normal * (r0 * c[0] + r1 * c[1] + r2 * c[2] + pose1[s, 9 + axis])
        push[k, axis] = ZERO
    plane[k, 3] = offset
    push[k, 3] = ZERO
    _put_slide(k, s, c, pose0, pose1, slide)


@kernel
def _pushed_out(x: float, y: float, z: float, r: float, plane: F32, begin: int, end: int) -> Point:
    """The point moved until a grain there is in front of the planes, as far as that is possible."""
    for _ in range(4):
        for k in range(begin, end):
            gap = plane[k, 0] * x + plane[k, 1] * y + plane[k, 2] * z - plane[k, 3] - r
            if gap < 0.0:
                x, y, z = x - gap * plane[k, 0], y - gap * plane[k, 1], z - gap * plane[k, 2]
    return x, y, z


@kernel
def _own_planes(s: int, pose1: F64, plane: F32, body: I32, begin: int, end: int, filters: F64) -> int:
    """The planes a grain has with body s already, in the body's frame; their number."""
    count = 0
    for k in range(begin, end):
        if body[k] == s and count < len(filters):
            nx, ny, nz = np.float64(plane[k, 0]), np.float64(plane[k, 1]), np.float64(plane[k, 2])
            for axis in range(3):
                filters[count, axis] = pose1[s, axis] * nx + pose1[s, 3 + axis] * ny + pose1[s, 6 + axis] * nz
            at = nx * pose1[s, 9] + ny * pose1[s, 10] + nz * pose1[s, 11]
            filters[count, 3] = plane[k, 3] - at
            count += 1
    return count


@kernel
def _next_contact(
    param: F64, numbers: F32, s: int, k: int, a: Point, b: Point, reach: float, r: float, filters: F64, held: int, stack: I32
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
    # Samples tell one surface at a time: the one that was nearest at the start may be the other side of a groove.
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


@kernel
def _fill_grain(
    X: F32,
    P: F32,
    i: int,
    first: int,
    room: int,
    kind: int,
    wall_material: I32,
    planes: I32,
    solids: I32,
    near: U8,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: I32,
    pose0: F64,
    pose1: F64,
    plane: F32,
    slide: F32,
    body: I32,
    pair: I32,
    push: F32,
    filters: F64,
    stack: I32,
) -> int:
    """All contacts of a grain that is near more than planes; returns the row after its last."""
    x, y, z, r = np.float64(P[i, 0]), np.float64(P[i, 1]), np.float64(P[i, 2]), np.float64(P[i, 3])
    x0, y0, z0 = np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2])
    ball = r + margin + slack + sqrt((x - x0) * (x - x0) + (y - y0) * (y - y0) + (z - z0) * (z - z0))
    tx, ty, tz = x, y, z
    end = first
    for turn in range(ROUNDS):
        before = end
        for k in range(len(planes)):
            s = planes[k]
            nx, ny, nz = np.float64(placed[s, 0]), np.float64(placed[s, 1]), np.float64(placed[s, 2])
            gap = nx * tx + ny * ty + nz * tz - placed[s, 3] - r
            if near[s] == 0 or gap > margin or end == room:
                continue
            if _own_planes(s, pose1, plane, body, first, end, filters) > 0:
                continue
            point = to_local(pose1, s, tx - (gap + r) * nx, ty - (gap + r) * ny, tz - (gap + r) * nz)
            normal = (param[s, SIZES], param[s, SIZES + 1], param[s, SIZES + 2])
            _put(end, s, kind + wall_material[s], normal, point, pose0, pose1, plane, slide, body, pair, push)
            end += 1
        for k in range(len(solids)):
            s = solids[k]
            if near[s] == 0 or end == room or not in_ball(placed, s, x, y, z, ball):
                continue
            if _own_planes(s, pose1, plane, body, first, end, filters) >= slots[s]:
                continue
            a, b = to_local(pose0, s, x0, y0, z0), to_local(pose1, s, tx, ty, tz)
            t, nx, ny, nz, cx, cy, cz = barrier(param, numbers, s, a, b, r, filters, stack)
            if t <= 1.0:
                n, c = (nx, ny, nz), (cx, cy, cz)
                _put(end, s, kind + wall_material[s], n, c, pose0, pose1, plane, slide, body, pair, push)
                end += 1
        if end == before:
            break
        ux, uy, uz = _pushed_out(tx, ty, tz, r, plane, first, end)
        if apart((ux, uy, uz), (tx, ty, tz)) <= MOVED * r:
            break
        tx, ty, tz = ux, uy, uz
    for j in range(len(solids)):
        s = solids[j]
        if near[s] == 0 or not in_ball(placed, s, x, y, z, ball):
            continue
        held = _own_planes(s, pose1, plane, body, first, end, filters)
        a, b = to_local(pose0, s, x0, y0, z0), to_local(pose1, s, tx, ty, tz)
        walls = param[s, KIND] <= CONE and param[s, FACING] < 0.0
        for k in range(held, slots[s]):
            found, n, c = _next_contact(param, numbers, s, k, a, b, r + margin, r, filters, held, stack)
            if not found:
                if walls or (param[s, KIND] == DISTANCE_GRID and k == 0):
                    continue
                break
            if end == room:
                break
            _put(end, s, kind + wall_material[s], n, c, pose0, pose1, plane, slide, body, pair, push)
            end += 1
            filters[held, 0], filters[held, 1], filters[held, 2] = n
            filters[held, 3] = n[0] * c[0] + n[1] * c[1] + n[2] * c[2]
            held += 1
            if (b[0] - c[0]) * n[0] + (b[1] - c[1]) * n[1] + (b[2] - c[2]) * n[2] < 0.0 and not walls:
                break
    return end


@kernel
def _fill_block(
    X: F32,
    P: F32,
    begin: int,
    last: int,
    first: int,
    total: int,
    material: I32,
    wall_material: I32,
    materials: int,
    planes: I32,
    solids: I32,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: I32,
    pose0: F64,
    pose1: F64,
    start: I32,
    near: U8,
    end: I32,
    plane: F32,
    slide: F32,
    body: I32,
    pair: I32,
    push: F32,
) -> None:
    """Contacts of a block whose rows are the `total` ones from `first` on."""
    if total == 0:
        for i in range(begin, last):
            start[i] = first
            end[i] = first
        return
    others = 0
    for k in range(len(solids)):
        others += near[solids[k]]
    held, searched = np.empty((CONCAVE_SLOTS + 1, 4)), np.empty(STACK, np.int32)
    filters, stack = borrowed(held), borrowed(searched)
    for i in range(begin, last):
        needs = (start[i + 1] if i + 1 < last else total) - start[i]
        row = first + start[i]
        start[i] = row
        kind = material[i] * materials
        if needs > 0 and others > 0:
            row = _fill_grain(
                X, P, i, row, row + needs, kind, wall_material, planes, solids, near, placed, margin, slack, param,
                numbers, slots, pose0, pose1, plane, slide, body, pair, push, filters, stack,
            )  # fmt: skip
        elif needs > 0:
            x, y, z, r = P[i, 0], P[i, 1], P[i, 2], P[i, 3]
            for k in range(len(planes)):
                s = planes[k]
                nx, ny, nz = placed[s, 0], placed[s, 1], placed[s, 2]
                gap = nx * x + ny * y + nz * z - r - placed[s, 3]
                if near[s] == 0 or gap > margin or row == first + total:
                    continue
                for axis in range(4):
                    plane[row, axis] = placed[s, axis]
                    slide[row, axis] = ZERO
                    push[row, axis] = ZERO
                body[row], pair[row] = s, kind + wall_material[s]
                if placed[s, 4] > ZERO:
                    depth = np.float64(gap + r)
                    point = to_local(pose1, s, x - depth * nx, y - depth * ny, z - depth * nz)
                    _put_slide(row, s, point, pose0, pose1, slide)
                row += 1
        end[i] = row


@kernel_parallel
def _fill_walls(
    X: F32,
    P: F32,
    material: I32,
    count: int,
    wall_material: I32,
    materials: int,
    planes: I32,
    solids: I32,
    placed: F32,
    margin: float,
    slack: float,
    param: F64,
    numbers: F32,
    slots: I32,
    pose0: F64,
    pose1: F64,
    start: I32,
    block: I64,
    near: U8,
    end: I32,
    plane: F32,
    slide: F32,
    body: I32,
    pair: I32,
    push: F32,
) -> None:
    """Second pass: the contacts; start becomes a row among all, and end the row after a grain's last."""
    for b in prange((count + BLOCK - 1) // BLOCK):
        _fill_block(
            borrowed(X), borrowed(P), b * BLOCK, min(count, b * BLOCK + BLOCK), block[b, 1], block[b, 0],
            borrowed(material), borrowed(wall_material), materials, borrowed(planes), borrowed(solids),
            borrowed(placed), margin, slack, borrowed(param), borrowed(numbers), borrowed(slots), borrowed(pose0),
            borrowed(pose1), borrowed(start), borrowed(near[b]), borrowed(end), borrowed(plane), borrowed(slide),
            borrowed(body), borrowed(pair), borrowed(push),
        )  # fmt: skip
