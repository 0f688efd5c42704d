"""Contacts with obstacles and bodies: what the search of walls found, with the memory of the contacts before.

The memory of a contact belongs to a grain, a shape and a direction: it is kept while n_before·n > 1 − η (Yasuda, Harada
& Kawaguchi 2008, equation 4, which is printed the wrong way round). A grain between two walls of one shape has two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts
from windrow.geometry.terms import F64
from windrow.kernel import kernel
from windrow.solvers.dem.kernels import TouchedWalls
from windrow.solvers.movers.meeting import Meetings, Moving, book_impulse, push_back, velocity_at

F = np.float32
ZERO = F(0.0)
SAME_NORMAL = F(0.9)
"""1 − η"""
IN_FRONT = F(0.1)
"""Share of the radius at which a centre is put in front of a wall that it went through."""
LEAST = 64


@kernel
def gather_near(now, h, near, count, here, there):
    """Where the grains `near` (empty: all) were h (s) ago, {x, y, z, r}, and are, {x, y, z, r, 0, 0, 0, w}."""
    for k in range(count):
        i = near[k] if len(near) else k
        for a in range(3):
            here[k, a], there[k, a], there[k, 4 + a] = now[i, a] - h * now[i, 4 + a], now[i, a], ZERO
        here[k, 3] = there[k, 3] = now[i, 3]
        there[k, 7] = now[i, 7]


@kernel
def put_back(there, near, count, start, end, plane, push, slide, give, inverse_h, now):
    """Centres that went through a wall are put back (`collide.holding`), a little in front of it, and stopped there.

    A wall so soft that a centre reaches it does not hold a grain by its springs. push becomes the impulse that stopped
    the grain, N s, which the wall must get back. give: inverse masses of the walls, one after the other; empty: they
    do not yield. What is light takes no more than brings it to the grain's speed.
    """
    q = 0
    for k in range(count):
        first = q
        q += end[k] - start[k]
        if there[k, 4] == ZERO and there[k, 5] == ZERO and there[k, 6] == ZERO:
            continue
        i = near[k] if len(near) else k
        for a in range(3):
            now[i, a] = there[k, a]
        for row in range(start[k], end[k]):
            if push[row, 0] == ZERO and push[row, 1] == ZERO and push[row, 2] == ZERO:
                continue
            distance, parting = -plane[row, 3], ZERO
            for a in range(3):
                distance += plane[row, a] * now[i, a]
                parting += plane[row, a] * (now[i, 4 + a] - inverse_h * slide[row, a])
            lift, stopped = max(IN_FRONT * now[i, 3] - distance, ZERO), min(parting, ZERO)
            w = now[i, 7]
            yields = F(give[first + row - start[k]]) if len(give) else ZERO
            mass = F(1.0) / w if w > ZERO else ZERO
            impulse = mass * stopped if yields == ZERO else stopped / (w + yields)
            for a in range(3):
                now[i, a] += lift * plane[row, a]
                now[i, 4 + a] -= (stopped if yields == ZERO else w * impulse) * plane[row, a]
                push[row, a] = -impulse * plane[row, a]


@kernel
def _take_walls(start, end, plane, slide, body, pair, push, count, inverse_h, grain_of, touches):
    """Rows of the search, one after the other. grain_of: places of the grains that were asked for; empty: all."""
    q = 0
    at = 0
    for k in range(count):
        i = grain_of[k] if len(grain_of) else k
        while at <= i:
            touches.start[at] = q
            at += 1
        for row in range(start[k], end[k]):
            touches.grain[q], touches.pair[q], touches.key[q] = i, pair[row], body[row]
            for a in range(4):
                touches.plane[q, a] = plane[row, a]
                touches.speed[q, a] = inverse_h * slide[row, a] if a < 3 else ZERO
                touches.memory[q, a] = touches.memory[q, a + 4] = ZERO
                touches.total[q, a] = inverse_h * push[row, a] if a < 3 else ZERO
            q += 1
    while at < len(touches.start):
        touches.start[at] = q
        at += 1
    return q


@kernel
def _take_meetings(meetings, V, h, moved, touches, grains):
    """Contacts with bodies, which have moved since they were found by what is in `moved`."""
    at = 0
    for q in range(len(meetings.grain)):
        i, s = meetings.grain[q], meetings.place[q]
        while at <= i:
            touches.start[at] = q
            at += 1
        touches.grain[q], touches.pair[q], touches.key[q] = i, meetings.pair[q], meetings.piece[q]
        b0, b1, b2 = velocity_at(V, s, meetings.arm, q)
        m0, m1, m2 = velocity_at(moved, s, meetings.arm, q)
        n = meetings.plane[q]
        for a in range(3):
            touches.plane[q, a] = n[a]
        touches.plane[q, 3] = F(n[3] + n[0] * (m0 + h * b0) + n[1] * (m1 + h * b1) + n[2] * (m2 + h * b2))
        touches.speed[q, 0], touches.speed[q, 1], touches.speed[q, 2] = F(b0), F(b1), F(b2)
        touches.speed[q, 3] = ZERO
        for a in range(4):
            touches.memory[q, a] = touches.memory[q, a + 4] = ZERO
            touches.total[q, a] = ZERO
    for i in range(at, len(touches.start)):
        touches.start[i] = len(meetings.grain)


@kernel
def _recall(new, old, count, before):
    """Memory of the contacts of the same grain with the same shape and about the same normal."""
    for i in range(count):
        was = before[i]
        if was < 0 or old.start[was] == old.start[was + 1]:
            continue
        for q in range(new.start[i], new.start[i + 1]):
            best, found = SAME_NORMAL, -1
            for p in range(old.start[was], old.start[was + 1]):
                if old.key[p] == new.key[q]:
                    same = ZERO
                    for a in range(3):
                        same += old.plane[p, a] * new.plane[q, a]
                    if same > best:
                        best, found = same, p
            if found >= 0:
                for a in range(8):
                    new.memory[q, a] = old.memory[found, a]


@kernel
def _sum_reactions(touches, rows, many, poses, share, force, torque):
    """Adds minus the mean force on the grains to the obstacles; serial, in double precision, so always the same."""
    for q in range(many):
        i, k = touches.grain[q], touches.key[q]
        lever = np.float64(touches.given[q, 7])
        f0, f1, f2 = (
            -share * np.float64(touches.total[q, 0]),
            -share * np.float64(touches.total[q, 1]),
            -share * np.float64(touches.total[q, 2]),
        )
        touches.total[q, 0] = touches.total[q, 1] = touches.total[q, 2] = ZERO
        a0 = rows[i, 0] - lever * touches.plane[q, 0] - poses[k, 9]
        a1 = rows[i, 1] - lever * touches.plane[q, 1] - poses[k, 10]
        a2 = rows[i, 2] - lever * touches.plane[q, 2] - poses[k, 11]
        force[k, 0] += f0
        force[k, 1] += f1
        force[k, 2] += f2
        torque[k, 0] += a1 * f2 - a2 * f1
        torque[k, 1] += a2 * f0 - a0 * f2
        torque[k, 2] += a0 * f1 - a1 * f0


@kernel
def pull_bodies(moving: Moving, h: float) -> None:
    """Velocities that the bodies end a substep of h (s) with, unless the grains give them something else."""
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.V[s, k] += h * moving.rate[s, k]


@kernel
def move_bodies(moving: Moving, h: float) -> None:
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.moved[s, k] += h * moving.V[s, k]


@kernel
def give_back(start, end, push, count, meetings, moving):
    """Bodies answer to the impulses that stopped grains which had gone through them."""
    q = 0
    for i in range(count):
        for row in range(start[i], end[i]):
            l0, l1, l2 = push[row, 0], push[row, 1], push[row, 2]
            if l0 != ZERO or l1 != ZERO or l2 != ZERO:
                push_back(moving, meetings, q, l0, l1, l2)
                book_impulse(moving.given, meetings, q, l0, l1, l2)
            q += 1


@kernel
def give_bodies(touches: TouchedWalls, meetings: Meetings, moving: Moving, h: float) -> None:
    """Bodies answer to minus the impulses that the grains got, at the points where these acted."""
    for q in range(len(meetings.grain)):
        l0 = h * np.float64(touches.given[q, 0])
        l1 = h * np.float64(touches.given[q, 1])
        l2 = h * np.float64(touches.given[q, 2])
        if l0 != 0.0 or l1 != 0.0 or l2 != 0.0:
            push_back(moving, meetings, q, l0, l1, l2)
            book_impulse(moving.given, meetings, q, l0, l1, l2)


class WallTouches:
    """Contacts now and before, and their buffers, which grow."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.many = 0
        self.now = _empty(capacity, LEAST)
        self.before = _empty(capacity, LEAST)

    def take(
        self,
        found: WallContacts,
        count: int,
        h: float,
        before: NDArray[np.int32],
        grain_of: NDArray[np.int32],
    ) -> None:
        """Contacts of a search over `count` grains; `before`: places of all grains in the contacts before."""
        most = int(found.start[count]) if count else 0
        self._begin(most)
        arrays = found.start, found.end, found.plane, found.slide, found.body, found.pair, found.push
        inverse_h = F(1.0 / h) if h > 0 else ZERO
        self.many = _take_walls(*arrays, count, inverse_h, grain_of, self.now)
        _recall(self.now, self.before, len(before), before)

    def take_meetings(self, meetings: Meetings, moving: Moving, h: float, before: NDArray[np.int32]) -> None:
        """Contacts with bodies, as they are h (s) after they were found."""
        self._begin(len(meetings.grain))
        self.many = len(meetings.grain)
        _take_meetings(meetings, moving.V, h, moving.moved, self.now, len(before))
        _recall(self.now, self.before, len(before), before)

    def _begin(self, most: int) -> None:
        self.now, self.before = self.before, self.now
        self.grow(most)

    def grow(self, most: int) -> None:
        """Makes room for so many contacts now; what was there is not kept."""
        if len(self.now.grain) < most:
            self.now = _empty(self.capacity, most + most // 4)

    def forget(self) -> None:
        """No contacts, and none remembered."""
        self.many = 0
        self.now.start[:] = 0
        self.before.start[:] = 0

    def reactions(self, rows: NDArray[np.float32], poses: F64, share: float, force: F64, torque: F64) -> None:
        """Adds what the obstacles received since the last call, times `share`."""
        if self.many:
            _sum_reactions(self.now, rows, self.many, poses, share, force, torque)


def _empty(capacity: int, many: int) -> TouchedWalls:
    number, row = np.zeros(many, np.int32), np.zeros((many, 4), np.float32)
    return TouchedWalls(
        start=np.zeros(capacity + 2, np.int32),
        grain=number,
        plane=row,
        speed=row.copy(),
        pair=number.copy(),
        key=number.copy(),
        memory=np.zeros((many, 8), np.float32),
        given=np.zeros((many, 8), np.float32),
        total=row.copy(),
    )
