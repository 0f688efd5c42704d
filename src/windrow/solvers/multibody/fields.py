"""Contacts of bodies with the surfaces of obstacles that have no simple shape: ground, meshes, containers."""

from __future__ import annotations

import numpy as np

from windrow.geometry.distance import closest, container_wall
from windrow.geometry.kinds import CONE, FACING, HEIGHT_FIELD, KIND, PLACES, SIZES
from windrow.geometry.terms import F32, F64, I32, Point
from windrow.kernel import inner
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, ROD, PartTable
from windrow.solvers.multibody.touch import in_body, in_world, note
from windrow.solvers.multibody.vectors import row, times

SCANNED = 1 << 14
"""Heights below a part that are looked at; where there are more, each corner asks for itself."""


@inner
def highest_below(center: Point, reach: float, param: F64, numbers: F32, s: int) -> float:
    """Highest ground of field s within `reach` of a point in its frame, along x and y; nothing known: infinite."""
    if int(param[s, KIND]) != HEIGHT_FIELD:
        return np.inf
    highest = param[s, SIZES + 5]
    if not center[2] - reach <= highest:
        return highest
    first, nx, ny = int(param[s, PLACES]), int(param[s, PLACES + 1]), int(param[s, PLACES + 2])
    u, wide = (center[0] + param[s, SIZES]) / param[s, SIZES + 2], reach / param[s, SIZES + 2] + 1.0
    v, high = (center[1] + param[s, SIZES + 1]) / param[s, SIZES + 3], reach / param[s, SIZES + 3] + 1.0
    if not 4.0 * wide * high < SCANNED or not abs(u) + abs(v) < 1e9:
        return highest
    i0, i1 = max(int(np.floor(u - wide)), 0), min(int(np.ceil(u + wide)), nx - 1)
    j0, j1 = max(int(np.floor(v - high)), 0), min(int(np.ceil(v + high)), ny - 1)
    most = np.float32(-np.inf)
    for i in range(i0, i1 + 1):
        for at in range(first + i * ny + j0, first + i * ny + j1 + 1):
            most = max(most, numbers[at])
    return np.float64(most)


@inner
def touch_point(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    pair: tuple[int, int],
    ball: tuple[Point, float, int],
    margin: float,
    param: F64,
    numbers: F32,
    slots: I32,
    filters: F64,
    stack: I32,
) -> None:
    """A ball of part p, {center, radius, feature}, against field q of the pair: one contact, in a container one per
    wall."""
    p, q = pair
    center, radius, feature = ball
    b, s = parts.body[q], parts.field[q]
    local = in_body(motion, b, center)
    walls = slots[s] if param[s, FACING] < 0.0 and int(param[s, KIND]) <= CONE else 1
    for k in range(walls):
        if param[s, FACING] < 0.0 and int(param[s, KIND]) <= CONE:
            d, nx, ny, nz = container_wall(param, s, k, local)
        else:
            d, nx, ny, nz, _, _, _ = closest(
                param, numbers, s, local, radius + margin, filters, 0, 0.0, stack
            )
        gap = d - radius
        if gap < margin:
            n = times(motion.R[b], (nx, ny, nz))
            t = radius + 0.5 * gap
            point = (center[0] - t * n[0], center[1] - t * n[1], center[2] - t * n[2])
            note(contacts, parts.body, p, q, 4 * feature + k, n, point, gap)


@inner
def touch_field(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    p: int,
    q: int,
    margin: float,
    param: F64,
    numbers: F32,
    slots: I32,
    filters: F64,
    stack: I32,
) -> None:
    """Part p against field q: a ball, the ends and the middle of a rod, the corners of a hull."""
    a = parts.body[p]
    if parts.kind[p] == BALL:
        center = in_world(motion, a, row(parts.center, p))
        touch_point(
            contacts, parts, motion, (p, q), (center, parts.radius[p], 0), margin,
            param, numbers, slots, filters, stack,
        )  # fmt: skip
        return
    if parts.kind[p] == ROD:
        half = row(parts.axis, p)
        middle = row(parts.center, p)
        for k in range(3):
            end = (
                middle[0] + (k - 1) * half[0],
                middle[1] + (k - 1) * half[1],
                middle[2] + (k - 1) * half[2],
            )
            touch_point(
                contacts, parts, motion, (p, q), (in_world(motion, a, end), parts.radius[p], k), margin,
                param, numbers, slots, filters, stack,
            )  # fmt: skip
        return
    b, s, first = parts.body[q], parts.field[q], parts.corner_start[p]
    middle = in_body(motion, b, in_world(motion, a, row(parts.center, p)))
    highest = highest_below(middle, parts.radius[p] + margin, param, numbers, s)
    if middle[2] - parts.radius[p] - margin > highest:
        return
    for k in range(parts.corner_start[p + 1] - first):
        corner = in_world(motion, a, row(parts.corner, first + k))
        if in_body(motion, b, corner)[2] - margin > highest:  # all ground within the margin lies deeper
            continue
        touch_point(
            contacts, parts, motion, (p, q), (corner, 0.0, k), margin, param, numbers, slots, filters, stack
        )
