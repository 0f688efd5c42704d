"""After the solver: no grain's centre has gone through a wall.

Contacts are planes found before the solver runs. Between jagged walls, under heavy load, or when neighbours
push a grain where it was not predicted, the solver may still end with a centre beyond a surface; and a thin
wall then pushes it on to the other side. So the way from the start to the end of the step is looked at once
more, for grains near walls only, and a centre that crossed is put back in front of the surface it crossed.
It slides on along the surface. If it is caught between several, it stays where it started, in the frame of
the wall.
"""

from __future__ import annotations

import numpy as np

from windrow.collide.obstacles import Obstacles, borrowed_obstacles, in_ball, in_box, to_local
from windrow.collide.walls import WallContacts
from windrow.geometry.borrow import borrowed
from windrow.geometry.bvh import STACK
from windrow.geometry.distance import closest
from windrow.geometry.kinds import CONE, FACING, FAR, KIND
from windrow.geometry.sweep import apart, first_crossing
from windrow.geometry.terms import F32, F64, I32, I64, U8, Point
from windrow.kernel import BLOCK, inner
from windrow.team import deal, parallel

KEPT = 0.1
"""Share of the radius at which a centre is put back in front of a surface."""
TRIES = 4
"""Surfaces a centre is put in front of before it goes back to where it started."""


def hold_at_walls(X: F32, P: F32, count: int, contacts: WallContacts) -> int:
    """Puts back centres that went through a wall between X and P (x, y, z, r, dx, dy, dz, …); returns how many.

    To be called with the contacts that `find_walls` found for this step. The displacement is added to d and
    to the `push` of a contact with that wall, so that the reaction on the wall counts it.
    """
    obstacles = contacts.obstacles
    if count == 0 or obstacles is None or len(obstacles.solids) == 0:
        return 0
    held = np.zeros((count + BLOCK - 1) // BLOCK, np.int64)
    rows = (contacts.start, contacts.end, contacts.body, contacts.push)
    _hold(X, P, count, obstacles, *rows, contacts.block, contacts.near, held)
    return int(held.sum())


@parallel
def _hold(
    team: int, X: F32,
    P: F32,
    count: int,
    obstacles: Obstacles,
    start: I32,
    end: I32,
    body: I32,
    push: F32,
    block: I64,
    near: U8,
    held: I64,
) -> None:
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        begin, last = b * BLOCK, min(count, b * BLOCK + BLOCK)
        held[b] = _hold_block(X, P, begin, last, obstacles, start, end, body, push, block[b], near[b])


@inner
def _hold_block(
    X: F32,
    P: F32,
    begin: int,
    last: int,
    counted: Obstacles,
    start: I32,
    end: I32,
    body: I32,
    push: F32,
    block: I64,
    near: U8,
) -> int:
    obstacles = borrowed_obstacles(counted)
    filters, stack = np.empty((1, 4)), np.empty(STACK, np.int32)
    own_filters, own_stack = borrowed(filters), borrowed(stack)
    held = 0
    for i in range(begin, last):
        # Rows were set aside for every grain whose way leads past a wall; the others are too far from any.
        room = start[i + 1] if i + 1 < last else block[0] + block[1]
        if room == start[i]:
            continue
        at = (np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2]))
        stopped = False
        for _ in range(2):
            again = False
            for k in range(len(obstacles.solids)):
                s = obstacles.solids[k]
                to = (np.float64(P[i, 0]), np.float64(P[i, 1]), np.float64(P[i, 2]))
                r = np.float64(P[i, 3])
                if near[s] == 0 or not in_ball(obstacles.placed, s, to[0], to[1], to[2], r + apart(at, to)):
                    continue
                crossed, x, y, z = _held_back(obstacles, s, at, to, r, own_filters, own_stack)
                if not crossed:
                    continue
                again = stopped = True
                shift = (x - to[0], y - to[1], z - to[2])
                for axis in range(3):
                    P[i, axis] += shift[axis]
                    P[i, 4 + axis] += shift[axis]
                for row in range(start[i], end[i]):
                    if body[row] == s:
                        for axis in range(3):
                            push[row, axis] += shift[axis]
                        break
            if not again:
                break
        held += 1 if stopped else 0
    return held


@inner
def _held_back(
    obstacles: Obstacles, s: int, at: Point, to: Point, r: float, filters: F64, stack: I32
) -> tuple[bool, float, float, float]:
    """Whether a centre went through wall s on its way, and the world point at which it is held."""
    param, numbers, pose = obstacles.param, obstacles.numbers, obstacles.pose1
    a, b = to_local(obstacles.pose0, s, at[0], at[1], at[2]), to_local(pose, s, to[0], to[1], to[2])
    if not in_box(obstacles.box, s, b, apart(a, b)):
        return False, 0.0, 0.0, 0.0
    if param[s, KIND] <= CONE and (
        param[s, FACING] < 0.0 or closest(param, numbers, s, b, FAR, filters, 0, 0.0, stack)[0] > apart(a, b)
    ):
        return False, 0.0, 0.0, 0.0
    crossed = False
    for turn in range(TRIES + 1):
        t, nx, ny, nz, cx, cy, cz = first_crossing(param, numbers, s, a, b, r, filters, stack)
        if t > 1.0:
            break
        crossed = True
        before = (a[0] - cx) * nx + (a[1] - cy) * ny + (a[2] - cz) * nz
        lift = min(KEPT * r, max(0.5 * before, 0.0)) - (
            (b[0] - cx) * nx + (b[1] - cy) * ny + (b[2] - cz) * nz
        )
        b = (b[0] + lift * nx, b[1] + lift * ny, b[2] + lift * nz) if turn < TRIES else a
    return (
        crossed,
        pose[s, 0] * b[0] + pose[s, 1] * b[1] + pose[s, 2] * b[2] + pose[s, 9],
        pose[s, 3] * b[0] + pose[s, 4] * b[1] + pose[s, 5] * b[2] + pose[s, 10],
        pose[s, 6] * b[0] + pose[s, 7] * b[1] + pose[s, 8] * b[2] + pose[s, 11],
    )
