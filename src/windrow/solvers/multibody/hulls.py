"""Contacts of convex hulls with each other and with planes.

Two hulls are apart, or overlap least, along a normal of one of their faces or along the cross product of an
edge of each (separating axes). Of the edges only pairs need a look whose arcs cross on the Gauss map, because
only those make a face of the Minkowski difference (Gregorius, GDC 2013). A face contact is the other hull's
most opposed face, cut by the sides of the first; an edge contact is one point.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, Point
from windrow.kernel import bare_inner
from windrow.solvers.multibody.contacts import FEATURES, ContactBuffers
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import CYLINDER, HULL, PartTable
from windrow.solvers.multibody.touch import in_world, note, thin_out
from windrow.solvers.multibody.vectors import (
    cross,
    dot,
    minus,
    row,
    scaled,
    times,
    times_transposed,
    turned_back_by,
    turned_by,
)

PREFER_FACES = 0.002
"""An edge contact must be better than a face contact by this share of the smaller hull."""
EDGE_FEATURE = FEATURES // 2
STANDING = 0.1
"""Sine of the lean below which a cylinder stands on its end."""
ROOM = 160
"""Corners of a polygon while it is cut, and faces of a hull."""


class HullScratch(NamedTuple):
    """Room for one pair of hulls."""

    corner: F64
    """(ROOM, 3) corners of the second hull in the frame of the first"""
    face: F64
    """(ROOM, 4) its faces"""
    polygon: F64
    """(2, ROOM, 4) x, y, z, feature"""
    found: F64
    """(ROOM, 7) x, y, z, gap, feature, part, gap to come, see `thin_out`"""
    chosen: F64
    """(7, 7) those of them that are kept"""


def hull_scratch() -> HullScratch:
    return HullScratch(
        np.zeros((ROOM, 3)),
        np.zeros((ROOM, 4)),
        np.zeros((2, ROOM, 4)),
        np.zeros((ROOM, 7)),
        np.zeros((7, 7)),
    )


@bare_inner
def into_first(parts: PartTable, motion: Motion, p: int, q: int, scratch: HullScratch) -> None:
    """Corners and faces of hull q in the frame of the body of hull p."""
    a, b = parts.body[p], parts.body[q]
    shift = times_transposed(motion.R[a], minus(row(motion.x, b), row(motion.x, a)))
    first = parts.corner_start[q]
    for k in range(parts.corner_start[q + 1] - first):
        v = times_transposed(motion.R[a], times(motion.R[b], row(parts.corner, first + k)))
        for i in range(3):
            scratch.corner[k, i] = v[i] + shift[i]
    first = parts.face_start[q]
    for k in range(parts.face_start[q + 1] - first):
        n = times_transposed(motion.R[a], times(motion.R[b], row(parts.face, first + k)))
        for i in range(3):
            scratch.face[k, i] = n[i]
        scratch.face[k, 3] = parts.face[first + k, 3] + dot(n, shift)


@bare_inner
def best_face(
    face: F64, f0: int, faces: int, corner: F64, v0: int, corners: int, enough: float
) -> tuple[int, float]:
    """Face along which the other hull's corners are farthest out, and how far; stops beyond `enough`."""
    best, number = -1e300, -1
    for f in range(faces):
        nx, ny, nz = face[f0 + f, 0], face[f0 + f, 1], face[f0 + f, 2]
        low = 1e300
        for v in range(corners):
            low = min(low, nx * corner[v0 + v, 0] + ny * corner[v0 + v, 1] + nz * corner[v0 + v, 2])
        low -= face[f0 + f, 3]
        if low > best:
            best, number = low, f
            if best > enough:
                break
    return number, best


@bare_inner
def best_edges(parts: PartTable, p: int, q: int, scratch: HullScratch) -> tuple[int, int, float, Point]:
    """Pair of edges with the largest separation, that separation and the axis from p to q, in p's frame."""
    best, bi, bj = -1e300, -1, -1
    axis = (0.0, 0.0, 0.0)
    vp, fp = parts.corner_start[p], parts.face_start[p]
    middle = row(parts.center, p)
    for i in range(parts.edge_start[p], parts.edge_start[p + 1]):
        tail = row(parts.corner, vp + parts.edge[i, 0])
        e1 = minus(row(parts.corner, vp + parts.edge[i, 1]), tail)
        u1 = row(parts.face, fp + parts.edge[i, 2])
        v1 = row(parts.face, fp + parts.edge[i, 3])
        for j in range(parts.edge_start[q], parts.edge_start[q + 1]):
            u2, v2 = row(scratch.face, parts.edge[j, 2]), row(scratch.face, parts.edge[j, 3])
            cba, dba = dot(u2, e1), dot(v2, e1)
            if cba * dba >= 0.0:
                continue
            other = row(scratch.corner, parts.edge[j, 0])
            e2 = minus(row(scratch.corner, parts.edge[j, 1]), other)
            adc, bdc = -dot(u1, e2), -dot(v1, e2)
            if adc * bdc >= 0.0 or cba * bdc <= 0.0:
                continue
            n = cross(e1, e2)
            length = sqrt(dot(n, n))
            if length < 0.005 * sqrt(dot(e1, e1) * dot(e2, e2)):
                continue
            n = scaled(n, 1.0 / length)
            if dot(n, minus(tail, middle)) < 0.0:
                n = scaled(n, -1.0)
            apart = dot(n, minus(other, tail))
            if apart > best:
                best, bi, bj, axis = apart, i, j, n
    return bi, bj, best, axis


@bare_inner
def cut(polygon: F64, source: int, count: int, n: Point, offset: float, side: int) -> int:
    """Keeps of polygon[source] what lies below a plane, in the other room; returns its corners."""
    target, kept = 1 - source, 0
    for k in range(count):
        m = k + 1 if k + 1 < count else 0
        a = (polygon[source, k, 0], polygon[source, k, 1], polygon[source, k, 2])
        b = (polygon[source, m, 0], polygon[source, m, 1], polygon[source, m, 2])
        da, db = dot(n, a) - offset, dot(n, b) - offset
        if da <= 0.0 and kept < ROOM:
            for i in range(4):
                polygon[target, kept, i] = polygon[source, k, i]
            kept += 1
        if da * db < 0.0 and kept < ROOM:
            t = da / (da - db)
            for i in range(3):
                polygon[target, kept, i] = a[i] + t * (b[i] - a[i])
            # Which side cut which corner off tells the point from step to step.
            polygon[target, kept, 3] = (side + 1) * 1024 + polygon[source, k if da > 0.0 else m, 3] % 1024
            kept += 1
    return kept


@bare_inner
def face_contact(
    parts: PartTable, p: int, q: int, number: int, flipped: bool, margin: float, scratch: HullScratch
) -> tuple[int, Point]:
    """Points of the face contact and the reference face's normal, in p's frame; `flipped`: it is q's face."""
    polygon = scratch.polygon
    ref, inc = (q, p) if flipped else (p, q)
    n = row(scratch.face, number) if flipped else row(parts.face, parts.face_start[p] + number)
    offset = scratch.face[number, 3] if flipped else parts.face[parts.face_start[p] + number, 3]
    # The most opposed face of the other hull.
    opposed, least = 0, 1e300
    for f in range(parts.face_start[inc + 1] - parts.face_start[inc]):
        other = row(parts.face, parts.face_start[p] + f) if flipped else row(scratch.face, f)
        if dot(n, other) < least:
            least, opposed = dot(n, other), f
    f = parts.face_start[inc] + opposed
    count = 0
    for k in range(parts.loop_start[f], parts.loop_start[f + 1]):
        c = parts.loop[k]
        v = row(parts.corner, parts.corner_start[p] + c) if flipped else row(scratch.corner, c)
        for i in range(3):
            polygon[0, count, i] = v[i]
        polygon[0, count, 3] = float(c)
        count += 1
    # Cut by the sides of the reference face.
    source = 0
    g = parts.face_start[ref] + number
    begin, end = parts.loop_start[g], parts.loop_start[g + 1]
    for k in range(begin, end):
        c0, c1 = parts.loop[k], parts.loop[k + 1 if k + 1 < end else begin]
        if flipped:
            v0, v1 = row(scratch.corner, c0), row(scratch.corner, c1)
        else:
            v0, v1 = (
                row(parts.corner, parts.corner_start[p] + c0),
                row(parts.corner, parts.corner_start[p] + c1),
            )
        out = cross(minus(v1, v0), n)
        out = scaled(out, 1.0 / sqrt(dot(out, out)))
        count = cut(polygon, source, count, out, dot(out, v0), k - begin)
        source = 1 - source
        if count == 0:
            return 0, n
    kept = 0
    for k in range(count):
        v = (polygon[source, k, 0], polygon[source, k, 1], polygon[source, k, 2])
        gap = dot(n, v) - offset
        if gap < margin:
            for i in range(3):
                scratch.found[kept, i] = v[i] - 0.5 * gap * n[i]
            scratch.found[kept, 3] = scratch.found[kept, 6] = gap
            scratch.found[kept, 4] = polygon[source, k, 3] + (262144.0 if flipped else 0.0)
            scratch.found[kept, 5] = 0.0  # of one part all; points are told apart by this, too
            kept += 1
    return thin_out(scratch.found, kept, n, scratch.chosen), n


@bare_inner
def touch_hulls(
    contacts: ContactBuffers, parts: PartTable, motion: Motion, p: int, q: int, margin: float, scratch: HullScratch
) -> None:
    """Contacts of hull p with hull q."""
    a = parts.body[p]
    into_first(parts, motion, p, q, scratch)
    vp, np_ = parts.corner_start[p], parts.corner_start[p + 1] - parts.corner_start[p]
    vq = parts.corner_start[q + 1] - parts.corner_start[q]
    fp, nfp = parts.face_start[p], parts.face_start[p + 1] - parts.face_start[p]
    nfq = parts.face_start[q + 1] - parts.face_start[q]
    face_p, apart_p = best_face(parts.face, fp, nfp, scratch.corner, 0, vq, margin)
    if apart_p > margin:
        return
    face_q, apart_q = best_face(scratch.face, 0, nfq, parts.corner, vp, np_, margin)
    if apart_q > margin:
        return
    edge_p, edge_q, apart, axis = best_edges(parts, p, q, scratch)
    if edge_p >= 0 and apart > margin:
        return
    slack = PREFER_FACES * min(parts.radius[p], parts.radius[q])
    if edge_p >= 0 and apart > max(apart_p, apart_q) + slack:
        tail = row(parts.corner, vp + parts.edge[edge_p, 0])
        e1 = minus(row(parts.corner, vp + parts.edge[edge_p, 1]), tail)
        other = row(scratch.corner, parts.edge[edge_q, 0])
        e2 = minus(row(scratch.corner, parts.edge[edge_q, 1]), other)
        # Nearest points of the two lines.
        d = minus(other, tail)
        b11, b12, b22 = dot(e1, e1), dot(e1, e2), dot(e2, e2)
        s = (dot(d, e1) * b22 - dot(d, e2) * b12) / (b11 * b22 - b12 * b12)
        point = (
            tail[0] + s * e1[0] + 0.5 * apart * axis[0],
            tail[1] + s * e1[1] + 0.5 * apart * axis[1],
            tail[2] + s * e1[2] + 0.5 * apart * axis[2],
        )
        n = times(motion.R[a], scaled(axis, -1.0))
        i, j = edge_p - parts.edge_start[p], edge_q - parts.edge_start[q]
        feature = EDGE_FEATURE + (i * 512 + j) % EDGE_FEATURE
        note(contacts, parts.body, p, q, feature, n, in_world(motion, a, point), apart)
        return
    flipped = apart_q > apart_p + slack
    kept, n = face_contact(parts, p, q, face_q if flipped else face_p, flipped, margin, scratch)
    n = times(motion.R[a], n if flipped else scaled(n, -1.0))
    for k in range(kept):
        point = in_world(motion, a, row(scratch.chosen, k))
        feature = int(scratch.chosen[k, 4]) % EDGE_FEATURE
        note(contacts, parts.body, p, q, feature, n, point, scratch.chosen[k, 3])


@bare_inner
def touch_plane(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    a: int,
    q: int,
    margin: float,
    dt: float,
    scratch: HullScratch,
) -> None:
    """Contacts of the hulls of body a with plane q; as they are one body, few points say it for all of them."""
    b, found, chosen = parts.body[q], scratch.found, scratch.chosen
    n = turned_by(motion.R, b, row(parts.axis, q))
    offset = parts.size[q, 0] + dot(n, row(motion.x, b))
    local = turned_back_by(motion.R, a, n)
    height = dot(n, row(motion.x, a)) - offset
    kept = 0
    for p in range(parts.start[a], parts.start[a + 1]):
        if parts.kind[p] != HULL or lowest_of_box(parts, p, local) + height > margin:
            continue
        first, count = parts.corner_start[p], parts.corner_start[p + 1] - parts.corner_start[p]
        if kept + min(count, ROOM - 7) > ROOM:
            kept = thin_out(found, kept, n, chosen)
            for k in range(kept):
                for i in range(7):
                    found[k, i] = chosen[k, i]
        before = kept
        if parts.form[p] == CYLINDER:
            kept = rims_near(parts, motion, p, n, offset, margin, scratch, kept)
        else:
            for k in range(count):
                if kept < ROOM and dot(local, row(parts.corner, first + k)) + height < margin:
                    v = in_world(motion, a, row(parts.corner, first + k))
                    kept = take(found, kept, v, n, offset, margin, k)
        for k in range(before, kept):
            found[k, 5] = float(p)
            found[k, 6] = found[k, 3] + dt * min(parting(motion, a, b, row(found, k), n), 0.0)
    kept = thin_out(found, kept, n, chosen)
    for k in range(kept):
        p, feature = int(chosen[k, 5]), int(chosen[k, 4])
        note(contacts, parts.body, p, q, feature, n, row(chosen, k), chosen[k, 3])


@bare_inner
def parting(motion: Motion, a: int, b: int, point: Point, n: Point) -> float:
    """m/s along n at which bodies a and b part at a point."""
    speed = 0.0
    for side in range(2):
        i = a if side == 0 else b
        V = motion.V[i]
        spin = cross((V[3], V[4], V[5]), minus(point, row(motion.x, i)))
        along = dot(n, (V[0] + spin[0], V[1] + spin[1], V[2] + spin[2]))
        speed += along if side == 0 else -along
    return speed


@bare_inner
def lowest_of_box(parts: PartTable, p: int, n: Point) -> float:
    """How low the box around hull p gets along n, both in the body's frame."""
    low = dot(n, row(parts.center, p))
    for j in range(3):
        along = n[0] * parts.frame[p, 0, j] + n[1] * parts.frame[p, 1, j] + n[2] * parts.frame[p, 2, j]
        low -= abs(along) * parts.half[p, j]
    return low


@bare_inner
def take(found: F64, kept: int, v: Point, n: Point, offset: float, margin: float, feature: int) -> int:
    gap = dot(n, v) - offset
    if gap < margin:
        for i in range(3):
            found[kept, i] = v[i] - 0.5 * gap * n[i]
        found[kept, 3], found[kept, 4] = gap, float(feature)
        kept += 1
    return kept


@bare_inner
def rims_near(
    parts: PartTable,
    motion: Motion,
    p: int,
    n: Point,
    offset: float,
    margin: float,
    scratch: HullScratch,
    kept: int,
) -> int:
    """The lowest point of each rim and three more at right angles, which move round it as the cylinder rolls.

    Standing on an end the lowest point is anywhere; then four places that stay where they are. There are four in any
    case, so that a soft wheel that tips over onto its side meets no springs that were not there before. Points are
    added to those kept before; returns how many there are then.
    """
    a = parts.body[p]
    frame = parts.frame[p]
    axis = times(motion.R[a], (frame[0, 2], frame[1, 2], frame[2, 2]))
    side = times(motion.R[a], (frame[0, 0], frame[1, 0], frame[2, 0]))
    middle = in_world(motion, a, row(parts.axis, p))
    radius, half = parts.size[p, 0], parts.size[p, 1]
    lean = dot(n, axis)
    down = (lean * axis[0] - n[0], lean * axis[1] - n[1], lean * axis[2] - n[2])
    steep = sqrt(dot(down, down))
    standing = steep < STANDING
    down = side if standing else scaled(down, 1.0 / steep)
    across = cross(axis, down)
    for end in range(2):
        z = half if end == 1 else -half
        for k in range(4):
            c, s = (1.0 - k, 0.0) if k % 2 == 0 else (0.0, 2.0 - k)
            v = (
                middle[0] + z * axis[0] + radius * (c * down[0] + s * across[0]),
                middle[1] + z * axis[1] + radius * (c * down[1] + s * across[1]),
                middle[2] + z * axis[2] + radius * (c * down[2] + s * across[2]),
            )
            kept = take(scratch.found, kept, v, n, offset, margin, 4 * end + k)
    return kept
