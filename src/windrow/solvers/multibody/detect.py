"""Which bodies touch: boxes around bodies swept along one axis, then their parts."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import inner, kernel
from windrow.solvers.multibody.contacts import Contacts
from windrow.solvers.multibody.fields import touch_field
from windrow.solvers.multibody.hulls import HullScratch, touch_hulls, touch_plane
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, FIELD, HULL, PLANE, ROD, PartTable
from windrow.solvers.multibody.touch import in_world, touch_ball, touch_rod
from windrow.solvers.multibody.vectors import row, times


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


def search_of(n: int, moves: I64, group: I64, joined: I64, parts: PartTable) -> Search:
    bounded = np.array(
        [
            parts.start[b + 1] > parts.start[b]
            and (parts.radius[parts.start[b] : parts.start[b + 1]] >= 0).all()
            for b in range(n)
        ],
        np.int64,
    )
    return Search(
        moves.copy(), np.arange(n), group, joined, np.zeros((n, 3)), np.zeros((n, 3)), np.arange(n), bounded
    )


@inner
def box_bodies(parts: PartTable, motion: Motion, search: Search, margin: float, dt: float) -> None:
    """Boxes around all bounded bodies, widened by the margin and by how far they get in a step."""
    for b in range(search.bounded.shape[0]):
        if search.bounded[b] == 0:
            continue
        low = search.low[b]
        high = search.high[b]
        low[:], high[:] = 1e300, -1e300
        far = 0.0
        for p in range(parts.start[b], parts.start[b + 1]):
            c = in_world(motion, b, row(parts.center, p))
            if parts.kind[p] == HULL:
                box_hull(parts, motion, b, p, low, high)
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


@inner
def box_hull(parts: PartTable, motion: Motion, b: int, p: int, low: F64, high: F64) -> None:
    for v in range(parts.corner_start[p], parts.corner_start[p + 1]):
        c = in_world(motion, b, row(parts.corner, v))
        for k in range(3):
            low[k] = min(low[k], c[k])
            high[k] = max(high[k], c[k])


@inner
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


@inner
def are_joined(joined: I64, key: int) -> bool:
    low, high = 0, joined.shape[0]
    while low < high:
        middle = (low + high) // 2
        if joined[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < joined.shape[0] and joined[low] == key


@inner
def may_touch(search: Search, a: int, b: int) -> bool:
    if search.moves[a] == 0 and search.moves[b] == 0:
        return False
    if search.owner[a] == search.owner[b]:
        return False
    if search.group[a] >= 0 and search.group[a] == search.group[b]:
        return False
    n = search.order.shape[0]
    key = a * n + b if a < b else b * n + a
    return not are_joined(search.joined, key)


@inner
def touch_bodies(
    contacts: Contacts,
    parts: PartTable,
    motion: Motion,
    search: Search,
    a: int,
    b: int,
    margin: float,
    scratch: HullScratch,
) -> None:
    """All contacts between two bodies, fields left out."""
    for p in range(parts.start[a], parts.start[a + 1]):
        kind = parts.kind[p]
        center = in_world(motion, a, row(parts.center, p))
        if search.bounded[b] == 1 and parts.radius[p] >= 0.0:
            reach = margin + parts.radius[p]
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
            if kind == BALL and other != FIELD:
                touch_ball(contacts, parts, motion, p, q, center, 0, margin)
            elif other == BALL and kind != FIELD:
                place = in_world(motion, b, row(parts.center, q))
                touch_ball(contacts, parts, motion, q, p, place, 0, margin)
            elif kind == ROD and other != FIELD:
                touch_rod(contacts, parts, motion, p, q, margin)
            elif other == ROD and kind != FIELD:
                touch_rod(contacts, parts, motion, q, p, margin)
            elif kind == HULL and other == HULL:
                touch_hulls(contacts, parts, motion, p, q, margin, scratch)
            elif kind == HULL and other == PLANE:
                touch_plane(contacts, parts, motion, p, q, margin, scratch)
            elif kind == PLANE and other == HULL:
                touch_plane(contacts, parts, motion, q, p, margin, scratch)


@inner
def reach_of(search: Search, motion: Motion, a: int, b: int, margin: float, dt: float) -> float:
    """Gap at which two bodies may meet within the step."""
    s = 0.0
    for k in range(3):
        s += (motion.V[a, k] - motion.V[b, k]) ** 2
    spin_a, spin_b = 0.0, 0.0
    for k in range(3, 6):
        spin_a += motion.V[a, k] ** 2
        spin_b += motion.V[b, k] ** 2
    size_a = search.high[a, 0] - search.low[a, 0] if search.bounded[a] == 1 else 0.0
    size_b = search.high[b, 0] - search.low[b, 0] if search.bounded[b] == 1 else 0.0
    return margin + dt * (sqrt(s) + sqrt(spin_a) * size_a + sqrt(spin_b) * size_b)


@kernel
def find_contacts(
    contacts: Contacts,
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
    n = search.order.shape[0]
    first_unbounded = n
    for i in range(n):
        if search.bounded[search.order[i]] == 0:
            first_unbounded = i
            break
    for i in range(first_unbounded):
        a = search.order[i]
        for k in range(first_unbounded, n):
            b = search.order[k]
            if parts.start[b + 1] > parts.start[b] and may_touch(search, a, b):
                reach = reach_of(search, motion, a, b, margin, dt)
                touch_bodies(contacts, parts, motion, search, a, b, reach, scratch)
        end = search.high[a, axis]
        for k in range(i + 1, first_unbounded):
            b = search.order[k]
            if search.low[b, axis] > end:
                break
            if search.moves[a] == 0 and search.moves[b] == 0:
                continue
            apart = False
            for d in range(3):
                apart |= search.low[b, d] > search.high[a, d] or search.high[b, d] < search.low[a, d]
            if not apart and may_touch(search, a, b):
                reach = reach_of(search, motion, a, b, margin, dt)
                touch_bodies(contacts, parts, motion, search, a, b, reach, scratch)


@kernel
def find_field_contacts(
    contacts: Contacts,
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
    for q in range(parts.kind.shape[0]):
        if parts.kind[q] != FIELD:
            continue
        b = parts.body[q]
        for a in search.order:
            if search.bounded[a] == 1 and may_touch(search, a, b):
                reach = reach_of(search, motion, a, b, margin, dt)
                for p in range(parts.start[a], parts.start[a + 1]):
                    touch_field(
                        contacts, parts, motion, p, q, reach,
                        fields.param, fields.numbers, fields.slots, filters, stack,
                    )  # fmt: skip


@kernel
def map_owners(contacts: Contacts, owner: I64) -> None:
    """What moves at each contact."""
    for c in range(contacts.found[0]):
        contacts.body[c, 0] = owner[contacts.real[c, 0]]
        contacts.body[c, 1] = owner[contacts.real[c, 1]]
