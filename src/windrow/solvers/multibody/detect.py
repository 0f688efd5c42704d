"""Which bodies touch: boxes around bodies swept along one axis, then their parts."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F64, I32, I64, Point
from windrow.kernel import bare_inner, bare_kernel, kernel
from windrow.solvers.multibody.contacts import FEATURES, ContactBuffers
from windrow.solvers.multibody.fields import touch_field
from windrow.solvers.multibody.hulls import HullScratch, touch_hulls, touch_plane
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, FIELD, HULL, PLANE, ROD, PartTable
from windrow.solvers.multibody.touch import in_world, note, touch_ball, touch_rod
from windrow.solvers.multibody.vectors import dot, minus, row, times, times_transposed


class Search(NamedTuple):
    """What decides who is looked at, and room for the search."""

    moves: I64
    """(n,) 1: can be moved by a contact; 0: fixed, scripted, or at rest in the world for now"""
    owner: I64
    """(n,) bodies of one owner are one rigid thing and do not touch"""
    group: I64
    """(n,) bodies of one group do not touch; −1: none"""
    joined: I64
    """sorted pairs a·n + b of bodies that joints keep from touching"""
    low: F64
    """(n, 3) box around each body, reach included, m"""
    high: F64
    order: I64
    """(n,) by lower end along the axis swept; bodies without bound last"""
    bounded: I64
    """(n,)"""
    stale: I64
    """(n,) 1: its box is not that of its pose, 2: never is; what moves gets a new one anyway"""
    place: F64
    """(p, 3) centres of the parts in the world, m"""
    balls: I64
    """(n,) 1: a body of balls only"""
    near: I64
    """(m, 2) room for pairs of parts of two bodies"""
    mover: I64
    """(n,) place in `order` of the next body after each that moves"""


def search_of(n: int, moves: I64, group: I64, joined: I64, parts: PartTable) -> Search:
    bounded = np.array(
        [
            parts.start[b + 1] > parts.start[b]
            and (parts.radius[parts.start[b] : parts.start[b + 1]] >= 0).all()
            for b in range(n)
        ],
        np.int64,
    )
    count = np.diff(parts.start)
    balls = np.array(
        [(parts.kind[parts.start[b] : parts.start[b + 1]] == BALL).all() for b in range(n)], np.int64
    )
    most = int(count[balls == 1].max(initial=0))
    return Search(
        moves=moves.copy(),
        owner=np.arange(n),
        group=group,
        joined=joined,
        low=np.zeros((n, 3)),
        high=np.zeros((n, 3)),
        order=np.arange(n),
        bounded=bounded,
        stale=np.ones(n, np.int64),
        place=np.zeros_like(parts.center),
        balls=balls,
        near=np.zeros((max(most * most, 1), 2), np.int64),
        mover=np.zeros(n, np.int64),
    )


@bare_inner
def box_bodies(parts: PartTable, motion: Motion, search: Search, margin: float, dt: float) -> None:
    """Boxes around all bounded bodies, widened by the margin and by how far they get in a step."""
    for b in range(search.bounded.shape[0]):
        if search.bounded[b] == 0 or (search.moves[b] == 0 and search.stale[b] == 0):
            continue
        if search.moves[b] == 0 and search.stale[b] == 1:
            search.stale[b] = 0
        low = search.low[b]
        high = search.high[b]
        for k in range(3):
            low[k], high[k] = 1e300, -1e300
        far = 0.0
        for p in range(parts.start[b], parts.start[b + 1]):
            c = in_world(motion, b, row(parts.center, p))
            search.place[p, 0], search.place[p, 1], search.place[p, 2] = c
            if parts.kind[p] == HULL:
                box_hull(motion.R, parts.frame, parts.half, b, p, c, low, high)
            else:
                half = times(motion.R[b], row(parts.axis, p)) if parts.kind[p] == ROD else (0.0, 0.0, 0.0)
                for k in range(3):
                    low[k] = min(low[k], c[k] - abs(half[k]) - parts.radius[p])
                    high[k] = max(high[k], c[k] + abs(half[k]) + parts.radius[p])
            length = 0.0
            for k in range(3):
                length += (c[k] - motion.x[b, k]) ** 2
            far = max(far, sqrt(length) + parts.radius[p])
        V = motion.V[b]
        reach = 0.5 * margin + dt * (
            sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
            + far * sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
        )
        for k in range(3):
            low[k] -= reach
            high[k] += reach


@bare_inner
def box_hull(R: F64, frame: F64, half: F64, b: int, p: int, c: Point, low: F64, high: F64) -> None:
    """Widens a box by the one around hull p of body b, whose middle is at c."""
    for k in range(3):
        reach = 0.0
        for j in range(3):
            # Entry (k, j) of R · frame: how far half[j] gets along k.
            entry = R[b, k, 0] * frame[p, 0, j] + R[b, k, 1] * frame[p, 1, j] + R[b, k, 2] * frame[p, 2, j]
            reach += abs(entry) * half[p, j]
        low[k] = min(low[k], c[k] - reach)
        high[k] = max(high[k], c[k] + reach)


@bare_inner
def sort_bodies(search: Search) -> int:
    """Orders bodies along the axis on which they are spread most; returns that axis.

    Insertion, because the order changes little from step to step. Ties go by number, so that the result does
    not depend on the order before.
    """
    n = search.order.shape[0]
    axis, widest = 0, -1.0
    for k in range(3):
        total, square, count = 0.0, 0.0, 0
        for b in range(n):
            if search.bounded[b] == 1 and search.moves[b] == 1:
                c = 0.5 * (search.low[b, k] + search.high[b, k])
                total += c
                square += c * c
                count += 1
        spread = square - total * total / max(count, 1)
        # A little more on one axis than on another is no reason to change.
        if spread > widest * 1.5 + 1e-9:
            axis, widest = k, spread
    order = search.order
    for i in range(1, n):
        b = order[i]
        at = search.low[b, axis] if search.bounded[b] == 1 else 1e300
        j = i - 1
        while j >= 0:
            other = order[j]
            there = search.low[other, axis] if search.bounded[other] == 1 else 1e300
            if there < at or (there == at and other < b):
                break
            order[j + 1] = other
            j -= 1
        order[j + 1] = b
    return axis


@bare_inner
def are_joined(joined: I64, key: int) -> bool:
    low, high = 0, joined.shape[0]
    while low < high:
        middle = (low + high) // 2
        if joined[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < joined.shape[0] and joined[low] == key


@bare_inner
def may_touch(moves: I64, owner: I64, group: I64, joined: I64, a: int, b: int) -> bool:
    if moves[a] == 0 and moves[b] == 0:
        return False
    if owner[a] == owner[b]:
        return False
    if group[a] >= 0 and group[a] == group[b]:
        return False
    n = moves.shape[0]
    return not are_joined(joined, a * n + b if a < b else b * n + a)


@bare_inner
def touch_balls(
    place: F64,
    radius: F64,
    start: I64,
    low: F64,
    high: F64,
    a: int,
    b: int,
    margin: float,
    near: I64,
) -> int:
    """Pairs of balls of two bodies that are within reach, into `near` (m, 2); returns how many.

    Most pairs of most scenes end here, so that this sees plain arrays and nothing else.
    """
    count = 0
    for p in range(start[a], start[a + 1]):
        x, y, z = place[p, 0], place[p, 1], place[p, 2]
        r = radius[p] + margin
        if x + r < low[b, 0] or x - r > high[b, 0] or y + r < low[b, 1] or y - r > high[b, 1]:
            continue
        if z + r < low[b, 2] or z - r > high[b, 2]:
            continue
        for q in range(start[b], start[b + 1]):
            dx, dy, dz = x - place[q, 0], y - place[q, 1], z - place[q, 2]
            reach = r + radius[q]
            if dx * dx + dy * dy + dz * dz < reach * reach and count < near.shape[0]:
                near[count, 0], near[count, 1] = p, q
                count += 1
    return count


@bare_inner
def note_balls(
    key: I64,
    real: I32,
    normal: F64,
    point: F64,
    gap: F64,
    body: I32,
    radius: F64,
    place: F64,
    near: I64,
    count: int,
    first: int,
) -> None:
    """Contacts of pairs of balls, from number `first` on."""
    for m in range(count):
        p, q, c = near[m, 0], near[m, 1], first + m
        if p > q:
            p, q = q, p
        dx, dy, dz = place[p, 0] - place[q, 0], place[p, 1] - place[q, 1], place[p, 2] - place[q, 2]
        d = sqrt(dx * dx + dy * dy + dz * dz)
        if d > 1e-12:
            dx, dy, dz = dx / d, dy / d, dz / d
        else:
            dx, dy, dz = 0.0, 0.0, 1.0
        gap[c] = d - radius[p] - radius[q]
        s = radius[p] + 0.5 * gap[c]
        key[c] = (p * FEATURES + q) * FEATURES
        real[c, 0], real[c, 1] = body[p], body[q]
        normal[c, 0], normal[c, 1], normal[c, 2] = dx, dy, dz
        point[c, 0], point[c, 1], point[c, 2] = (
            place[p, 0] - s * dx,
            place[p, 1] - s * dy,
            place[p, 2] - s * dz,
        )


@bare_inner
def note_balls_on_plane(
    contacts: ContactBuffers, parts: PartTable, motion: Motion, place: F64, a: int, q: int, margin: float
) -> None:
    """Contacts of a body of balls with plane q."""
    b = parts.body[q]
    n = times(motion.R[b], row(parts.axis, q))
    offset = parts.size[q, 0] + dot(n, row(motion.x, b))
    radius = parts.radius
    for p in range(parts.start[a], parts.start[a + 1]):
        gap = n[0] * place[p, 0] + n[1] * place[p, 1] + n[2] * place[p, 2] - offset - radius[p]
        if gap < margin:
            s = radius[p] + 0.5 * gap
            point = (place[p, 0] - s * n[0], place[p, 1] - s * n[1], place[p, 2] - s * n[2])
            note(contacts, parts.body, p, q, 0, n, point, gap)


@bare_inner
def misses_box(
    R: F64, frame: F64, half: F64, middle: Point, center: Point, b: int, q: int, reach: float
) -> bool:
    """Whether a ball at `center` is out of reach of the box around hull q of body b."""
    d = times_transposed(frame[q], times_transposed(R[b], minus(center, middle)))
    return abs(d[0]) > half[q, 0] + reach or abs(d[1]) > half[q, 1] + reach or abs(d[2]) > half[q, 2] + reach


@bare_inner
def touch_bodies(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    search: Search,
    a: int,
    b: int,
    margin: float,
    scratch: HullScratch,
) -> None:
    """All contacts between two bodies, fields and hulls with planes left out."""
    for p in range(parts.start[a], parts.start[a + 1]):
        kind = parts.kind[p]
        center = row(search.place, p)
        reach = margin + max(parts.radius[p], 0.0)
        if search.bounded[b] == 1 and parts.radius[p] >= 0.0:
            if kind == ROD:
                reach += sqrt(parts.axis[p, 0] ** 2 + parts.axis[p, 1] ** 2 + parts.axis[p, 2] ** 2)
            if (
                center[0] < search.low[b, 0] - reach
                or center[0] > search.high[b, 0] + reach
                or center[1] < search.low[b, 1] - reach
                or center[1] > search.high[b, 1] + reach
                or center[2] < search.low[b, 2] - reach
                or center[2] > search.high[b, 2] + reach
            ):
                continue
        for q in range(parts.start[b], parts.start[b + 1]):
            other = parts.kind[q]
            there = row(search.place, q)
            if kind == BALL and other == HULL:
                if misses_box(motion.R, parts.frame, parts.half, there, center, b, q, reach):
                    continue
            elif (
                kind == HULL
                and other == BALL
                and misses_box(
                    motion.R, parts.frame, parts.half, center, there, a, p, margin + parts.radius[q]
                )
            ):
                continue
            if kind == BALL and other != FIELD:
                touch_ball(contacts, parts, motion, p, q, center, 0, margin)
            elif other == BALL and kind != FIELD:
                touch_ball(contacts, parts, motion, q, p, there, 0, margin)
            elif kind == ROD and other != FIELD:
                touch_rod(contacts, parts, motion, p, q, margin)
            elif other == ROD and kind != FIELD:
                touch_rod(contacts, parts, motion, q, p, margin)
            elif kind == HULL and other == HULL:
                touch_hulls(contacts, parts, motion, p, q, margin, scratch)


@bare_inner
def reach_of(low: F64, high: F64, bounded: I64, V: F64, a: int, b: int, margin: float, dt: float) -> float:
    """Gap at which two bodies may meet within the step."""
    x, y, z = V[a, 0] - V[b, 0], V[a, 1] - V[b, 1], V[a, 2] - V[b, 2]
    reach = margin + dt * sqrt(x * x + y * y + z * z)
    if bounded[a] == 1:
        x, y, z = V[a, 3], V[a, 4], V[a, 5]
        reach += dt * sqrt(x * x + y * y + z * z) * (high[a, 0] - low[a, 0])
    if bounded[b] == 1:
        x, y, z = V[b, 3], V[b, 4], V[b, 5]
        reach += dt * sqrt(x * x + y * y + z * z) * (high[b, 0] - low[b, 0])
    return reach


@bare_kernel
def find_contacts(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    search: Search,
    margin: float,
    dt: float,
    scratch: HullScratch,
) -> None:
    """All contacts of moving bodies, in an order that depends on nothing but where the bodies are.

    Fields come after, see `find_field_contacts`.
    """
    contacts.found[0] = 0
    box_bodies(parts, motion, search, margin, dt)
    axis = sort_bodies(search)
    order, bounded, moves, low, high = search.order, search.bounded, search.moves, search.low, search.high
    owner, group, joined = search.owner, search.group, search.joined
    place, balls, near = search.place, search.balls, search.near
    radius, start, body = parts.radius, parts.start, parts.body
    found, key, real = contacts.found, contacts.key, contacts.real
    normal, point, gap = contacts.normal, contacts.point, contacts.gap
    n = order.shape[0]
    first_unbounded = n
    for i in range(n):
        if bounded[order[i]] == 0:
            first_unbounded = i
            break
    mover, following = search.mover, first_unbounded
    for i in range(first_unbounded - 1, -1, -1):
        mover[i] = following
        if moves[order[i]] == 1:
            following = i
    for i in range(first_unbounded):
        a = order[i]
        if moves[a] == 1:
            for k in range(first_unbounded, n):
                b = order[k]
                if start[b + 1] > start[b] and may_touch(moves, owner, group, joined, a, b):
                    reach = reach_of(low, high, bounded, motion.V, a, b, margin, dt)
                    if balls[a] == 1 and parts.kind[start[b]] == PLANE:
                        note_balls_on_plane(contacts, parts, motion, place, a, start[b], reach)
                    else:
                        touch_bodies(contacts, parts, motion, search, a, b, reach, scratch)
                        if parts.kind[start[b]] == PLANE:
                            touch_plane(contacts, parts, motion, a, start[b], reach, dt, scratch)
        end = high[a, axis]
        following = i
        while True:
            # What does not move meets only what does.
            following = following + 1 if moves[a] == 1 else mover[following]
            if following >= first_unbounded:
                break
            b = order[following]
            if low[b, axis] > end:
                break
            if low[b, 0] > high[a, 0] or low[b, 1] > high[a, 1] or low[b, 2] > high[a, 2]:
                continue
            if high[b, 0] < low[a, 0] or high[b, 1] < low[a, 1] or high[b, 2] < low[a, 2]:
                continue
            if not may_touch(moves, owner, group, joined, a, b):
                continue
            reach = reach_of(low, high, bounded, motion.V, a, b, margin, dt)
            if balls[a] == 1 and balls[b] == 1:
                count = touch_balls(place, radius, start, low, high, a, b, reach, near)
                c = found[0]
                found[0] = c + count
                if c + count <= key.shape[0]:
                    note_balls(key, real, normal, point, gap, body, radius, place, near, count, c)
            else:
                touch_bodies(contacts, parts, motion, search, a, b, reach, scratch)


@kernel
def find_field_contacts(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    search: Search,
    fields: ShapeTable,
    margin: float,
    dt: float,
    stack: I32,
) -> None:
    """Contacts of moving bodies with fields, added to those found before; a kernel that few scenes need."""
    filters = np.empty((1, 4))
    low, high, bounded = search.low, search.high, search.bounded
    moves, owner, group, joined = search.moves, search.owner, search.group, search.joined
    for q in range(parts.kind.shape[0]):
        if parts.kind[q] != FIELD:
            continue
        b = parts.body[q]
        for a in search.order:
            if search.bounded[a] == 1 and may_touch(moves, owner, group, joined, a, b):
                reach = reach_of(low, high, bounded, motion.V, a, b, margin, dt)
                for p in range(parts.start[a], parts.start[a + 1]):
                    touch_field(
                        contacts, parts, motion, p, q, reach,
                        fields.param, fields.numbers, fields.slots, filters, stack,
                    )  # fmt: skip
