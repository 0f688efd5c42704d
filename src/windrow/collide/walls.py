"""Contacts of grains with obstacles, found once per step on predicted positions.

A contact is a plane in the world at the end of the step: a grain must keep n·p ≥ offset + r. It comes from
the closest point of an obstacle, and concave obstacles give several, one for each wall of the corner.

Fast grains and thin walls. A grain's path is looked at in each obstacle's own frame, where it goes from a (by
the pose at the start of the step) to b (by the pose at the end); a moving wall and a resting grain are then
the same as the reverse. If the path goes through the surface, the contact is the plane where the path met it
and not the one nearest to b (`geometry.sweep.barrier`). A grain that is stopped slides on, and may then meet
a wall that its straight path never came near: its target is pushed out of the planes it has, and all
obstacles are asked again.

Two passes over blocks of grains. The first counts, by one distance per nearby obstacle, how many contacts
each grain can have at most; the second fills them in. So nothing is allocated per contact, and the buffers
grow between the passes when they must. Planes are handled by themselves, in float32: most scenes have little
else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.collide.meeting import MeetingColumns, meet_obstacles, meet_planes
from windrow.collide.obstacles import (
    Obstacles,
    borrowed_obstacles,
    in_ball,
    in_box,
    obstacles_in_step,
    to_local,
)
from windrow.geometry.borrow import borrowed
from windrow.geometry.bvh import STACK
from windrow.geometry.distance import closest, solid_distance
from windrow.geometry.kinds import CONE, FACING, KIND
from windrow.geometry.sweep import apart
from windrow.geometry.table import CONCAVE_SLOTS, ShapeTable
from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.kernel import BLOCK, inner, kernel
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)
LARGE = F(3e38)

SMALLEST = 1024
"""Contacts the buffers start with."""


class WallLists(NamedTuple):
    """Where the contacts of each grain are; see `WallContacts`."""

    start: I32
    end: I32
    block: I64
    near: U8


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
        self.obstacles: Obstacles | None = None
        """the obstacles of the step the contacts were found for"""
        self.slack = 0.0
        """how far any of their points moves in it, m"""
        self.bound: F32 = np.zeros((0, 4), np.float32)
        """the balls around them that this holds for; those of ground change"""

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

    X: x, y, z, r at the start of the step; P: predicted x, y, z, r, …; pose0, pose1 (obstacles, 12): rotation
    (row by row) and position of each obstacle at the start and the end of the step. Contacts with a gap up to
    `margin` (m) are listed, because the solver may close it.
    """
    if count == 0 or len(table.kind) == 0:
        contacts.start[: count + 1] = 0
        contacts.end[:count] = 0
        contacts.obstacles = None
        return
    if contacts.near.shape != (len(contacts.block), len(table.kind)):
        contacts.near = np.zeros((len(contacts.block), len(table.kind)), np.uint8)
    obstacles = contacts.obstacles
    same = obstacles is not None and np.array_equal(obstacles.pose0, pose0) and np.array_equal(obstacles.pose1, pose1)
    if obstacles is None or not (same and np.array_equal(contacts.bound, table.bound)):
        obstacles, contacts.slack = obstacles_in_step(table, pose0, pose1)
        contacts.obstacles, contacts.bound = obstacles, table.bound.copy()
    reach = (F(margin), F(contacts.slack))
    lists = WallLists(contacts.start, contacts.end, contacts.block, contacts.near)
    only_planes = len(table.solids) == 0
    (count_planes if only_planes else count_walls)(X, P, count, obstacles, *reach, lists)
    needed = _place_blocks(contacts.block, (count + BLOCK - 1) // BLOCK)
    contacts.grow(needed)
    rows = MeetingColumns(contacts.plane, contacts.slide, contacts.body, contacts.pair, contacts.push)
    fill = fill_planes if only_planes else fill_walls
    fill(X, P, material, materials, count, obstacles, *reach, lists, rows)
    contacts.start[count] = needed


@parallel
def count_planes(
    team: int, X: F32, P: F32, count: int, obstacles: Obstacles, margin: float, slack: float, lists: WallLists
) -> None:
    """As `count_walls` when all obstacles are planes: such a scene compiles no more than it needs."""
    start, _, block, near = lists
    blocks = (count + BLOCK - 1) // BLOCK
    for b in deal(team, blocks):
        begin, end = b * BLOCK, min(count, b * BLOCK + BLOCK)
        reach, _ = _near_block(
            X, P, begin, end, obstacles.planes, obstacles.solids, obstacles.placed, margin, slack, near[b]
        )
        _count_near_planes(P, begin, end, obstacles.planes, obstacles.placed, reach, start, near[b])
        block[b, 0] = _running_total(start, begin, end)


@parallel
def fill_planes(
    team: int, X: F32, P: F32, material: I32, materials: int, count: int,
    obstacles: Obstacles, margin: float, slack: float, lists: WallLists, rows: MeetingColumns,
) -> None:  # fmt: skip
    """As `fill_walls` when all obstacles are planes."""
    start, end, block, near = lists
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        begin, last = b * BLOCK, min(count, b * BLOCK + BLOCK)
        meet_planes(P, material, materials, begin, last, block[b], near[b], obstacles, margin, start, end, rows)


@parallel
def count_walls(
    team: int, X: F32, P: F32, count: int, obstacles: Obstacles, margin: float, slack: float, lists: WallLists
) -> None:
    """First pass: how many rows each grain needs, and block[b, 0] those of each block.

    `slack` (m) is how far a moving obstacle may push a grain to where it was not predicted.
    """
    start, _, block, near = lists
    blocks = (count + BLOCK - 1) // BLOCK
    for b in deal(team, blocks):
        begin, end = b * BLOCK, min(count, b * BLOCK + BLOCK)
        block[b, 0] = _count_block(X, P, begin, end, obstacles, margin, slack, start, near[b])


@parallel
def fill_walls(
    team: int, X: F32, P: F32, material: I32, materials: int, count: int,
    obstacles: Obstacles, margin: float, slack: float, lists: WallLists, rows: MeetingColumns,
) -> None:  # fmt: skip
    """Second pass: the contacts; start becomes a row among all, and end the row after a grain's last."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        begin, last = b * BLOCK, min(count, b * BLOCK + BLOCK)
        if lists.block[b, 0] == 0:
            lists.start[begin:last] = lists.block[b, 1]
            lists.end[begin:last] = lists.block[b, 1]
        else:
            _fill_block(X, P, material, materials, b, last, obstacles, margin, slack, lists, rows)


@kernel
def _place_blocks(block: I64, blocks: int) -> int:
    """Where each block's rows begin; returns the rows of all."""
    needed = 0
    for b in range(blocks):
        block[b, 1] = needed
        needed += block[b, 0]
    return needed


@inner
def _running_total(start: I32, begin: int, end: int) -> int:
    """Turns the needs of grains into those of all grains before them in the block; returns the sum."""
    total = 0
    for i in range(begin, end):
        needs = start[i]
        start[i] = total
        total += needs
    return total


@inner
def _count_near_planes(
    P: F32, begin: int, end: int, planes: I32, placed: F32, reach: float, start: I32, near: U8
) -> None:
    """start[i] = planes within reach of grain i."""
    for i in range(begin, end):
        start[i] = 0
    for k in range(len(planes)):
        s = planes[k]
        if near[s] == 1:
            nx, ny, nz, offset = placed[s, 0], placed[s, 1], placed[s, 2], placed[s, 3] + reach
            for i in range(begin, end):
                gap = nx * P[i, 0] + ny * P[i, 1] + nz * P[i, 2] - P[i, 3]
                start[i] += 1 if gap <= offset else 0


@inner
def _count_block(
    X: F32, P: F32, begin: int, end: int, obstacles: Obstacles, margin: float, slack: float, start: I32, near: U8
) -> None:
    """start[i] = rows needed by the grains before i in the block; returns the rows of all of them."""
    planes, solids, placed = obstacles.planes, obstacles.solids, obstacles.placed
    reach, others = _near_block(X, P, begin, end, planes, solids, placed, margin, slack, near)
    _count_near_planes(P, begin, end, planes, placed, reach, start, near)
    if others > 0:
        filters, stack, own = np.empty((1, 4)), np.empty(STACK, np.int32), borrowed_obstacles(obstacles)
        for k in range(len(solids)):
            if near[solids[k]] == 1:
                _reserve(X, P, begin, end, solids[k], own, margin, slack, start, filters, stack)
    return _running_total(start, begin, end)


@inner
def _near_block(
    X: F32,
    P: F32,
    begin: int,
    end: int,
    planes: I32,
    solids: I32,
    placed: F32,
    margin: float,
    slack: float,
    near: U8,
) -> tuple[float | np.floating, int]:
    """Marks the obstacles that a block of grains may meet.

    Returns the reach of its planes (the margin; more when there is anything else, because grains pushed aside
    may come to a plane they were not predicted at) and the number of other obstacles near.
    """
    lx = ly = lz = LARGE
    hx = hy = hz = -LARGE
    r = ZERO
    for i in range(begin, end):
        # Comparisons rather than min and max: they are faster, and a position that is no number drops out.
        x, y, z, w = P[i, 0], P[i, 1], P[i, 2], P[i, 3]
        lx = x if x < lx else lx
        ly = y if y < ly else ly
        lz = z if z < lz else lz
        hx = x if x > hx else hx
        hy = y if y > hy else hy
        hz = z if z > hz else hz
        r = w if w > r else r
    others = 0
    way = ZERO
    if len(solids) > 0:
        square = ZERO
        for i in range(begin, end):
            dx, dy, dz = P[i, 0] - X[i, 0], P[i, 1] - X[i, 1], P[i, 2] - X[i, 2]
            d2 = dx * dx + dy * dy + dz * dz
            square = d2 if d2 > square else square
        way = F(np.sqrt(square) + slack)
        for k in range(len(solids)):
            s = solids[k]
            far = placed[s, 3] + r + margin + way
            gx = max(lx - placed[s, 0], placed[s, 0] - hx, ZERO)
            gy = max(ly - placed[s, 1], placed[s, 1] - hy, ZERO)
            gz = max(lz - placed[s, 2], placed[s, 2] - hz, ZERO)
            close = placed[s, 3] < ZERO or gx * gx + gy * gy + gz * gz <= far * far
            near[s] = 1 if close else 0
            others += 1 if close else 0
    reach = margin + way if others > 0 else margin
    for k in range(len(planes)):
        s = planes[k]
        nx, ny, nz = placed[s, 0], placed[s, 1], placed[s, 2]
        lowest = min(nx * lx, nx * hx) + min(ny * ly, ny * hy) + min(nz * lz, nz * hz) - placed[s, 3]
        # The sum is rounded differently than a grain's own gap: a little more never loses a contact.
        near[s] = 1 if lowest - r <= reach + F(1e-5) * (abs(placed[s, 3]) + r) else 0
    return reach, others


@inner
def _reserve(
    X: F32,
    P: F32,
    begin: int,
    end: int,
    s: int,
    obstacles: Obstacles,
    margin: float,
    slack: float,
    start: I32,
    filters: F64,
    stack: I32,
) -> None:
    """Adds to start[i] the contacts that the grains of a block can have with obstacle s, which is no plane."""
    param, numbers, pose0, pose1 = obstacles.param, obstacles.numbers, obstacles.pose0, obstacles.pose1
    no_filters, own_stack = borrowed(filters), borrowed(stack)
    for i in range(begin, end):
        x, y, z = np.float64(P[i, 0]), np.float64(P[i, 1]), np.float64(P[i, 2])
        x0, y0, z0 = np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2])
        wide = np.float64(P[i, 3] + margin)
        way = apart((x, y, z), (x0, y0, z0)) + slack
        if not in_ball(obstacles.placed, s, x, y, z, wide + way):
            continue
        b = to_local(pose1, s, x, y, z)
        if slack > ZERO:
            way = max(way, apart(to_local(pose0, s, x0, y0, z0), b))
        reach = wide + way
        if not in_box(obstacles.box, s, b, reach):
            continue
        if param[s, KIND] <= CONE:
            d = param[s, FACING] * solid_distance(param, s, b[0], b[1], b[2])[0]
        else:
            d = closest(param, numbers, s, b, reach, no_filters, 0, 0.0, own_stack)[0]
        if d <= reach:
            start[i] += obstacles.slots[s]


@inner
def _fill_block(
    X: F32, P: F32, material: I32, materials: int, b: int, last: int,
    counted: Obstacles, margin: float, slack: float, lists: WallLists, rows_counted: MeetingColumns,
) -> None:  # fmt: skip
    """Contacts of block b, which ends before grain `last` and has the block[0] rows from block[1] on."""
    begin, block, start, end = b * BLOCK, lists.block[b], lists.start, lists.end
    obstacles, near = borrowed_obstacles(counted), borrowed(lists.near[b])
    rows = MeetingColumns(
        borrowed(rows_counted.plane),
        borrowed(rows_counted.slide),
        borrowed(rows_counted.body),
        borrowed(rows_counted.pair),
        borrowed(rows_counted.push),
    )
    others = 0
    for k in range(len(obstacles.solids)):
        others += near[obstacles.solids[k]]
    if others == 0:
        meet_planes(P, material, materials, begin, last, block, near, obstacles, margin, start, end, rows)
        return
    total, first = block[0], block[1]
    filters, stack = np.empty((CONCAVE_SLOTS + 1, 4)), np.empty(STACK, np.int32)
    own_filters, own_stack = borrowed(filters), borrowed(stack)
    for i in range(begin, last):
        needs = (start[i + 1] if i + 1 < last else total) - start[i]
        row = first + start[i]
        start[i] = row
        if needs > 0:
            kind = material[i] * materials
            to, at = (P[i, 0], P[i, 1], P[i, 2], P[i, 3]), (X[i, 0], X[i, 1], X[i, 2])
            row = meet_obstacles(
                at, to, row, row + needs, kind, near, obstacles, margin, slack, rows, own_filters, own_stack
            )
        end[i] = row
