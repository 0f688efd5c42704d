"""Contacts of bodies with the surfaces of obstacles that have no simple shape: ground, meshes, containers."""

from __future__ import annotations

from windrow.geometry.distance import closest, container_wall
from windrow.geometry.kinds import CONE, FACING, KIND
from windrow.geometry.terms import F32, F64, I32, Point
from windrow.kernel import inner
from windrow.solvers.multibody.contacts import Contacts
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, ROD, PartTable
from windrow.solvers.multibody.touch import in_body, in_world, note
from windrow.solvers.multibody.vectors import row, times


@inner
def touch_point(
    contacts: Contacts,
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
    contacts: Contacts,
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
    first = parts.corner_start[p]
    for k in range(parts.corner_start[p + 1] - first):
        corner = in_world(motion, a, row(parts.corner, first + k))
        touch_point(
            contacts, parts, motion, (p, q), (corner, 0.0, k), margin, param, numbers, slots, filters, stack
        )
