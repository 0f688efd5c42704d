"""Gap and normal between parts of bodies: balls, rods and planes here, hulls among themselves in `hulls`.

All of it rests on one measure: a ball anywhere against any part. A rod is balls at its ends and where it comes
nearest.
"""

from __future__ import annotations

from math import sqrt

from windrow.geometry.primitives import box_distance, cone_distance, cylinder_distance
from windrow.geometry.terms import F64, I32, Distance, Point
from windrow.kernel import bare_inner
from windrow.solvers.multibody.contacts import FEATURES, ContactBuffers
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.parts import BALL, BOX, CONE, CYLINDER, PLANE, ROD, PartTable
from windrow.solvers.multibody.vectors import (
    any_perpendicular,
    cross,
    dot,
    minus,
    row,
    times,
    times_transposed,
)

SEARCH_ROUNDS = 32
GOLDEN = 0.6180339887498949
DEEPER = 1e-3
"""m by which a point must lie deeper than those that span a contact to be one of its own; also the gap below which a
point counts as touching"""


@bare_inner
def note(
    contacts: ContactBuffers, body: I32, p: int, q: int, feature: int, n: Point, point: Point, gap: float
) -> None:
    """Adds a contact with the normal from part q to part p; `body` are the bodies of all parts."""
    c = contacts.found[0]
    contacts.found[0] = c + 1
    if c >= contacts.key.shape[0]:
        return
    sign = 1.0
    if p > q:
        p, q, sign = q, p, -1.0
    contacts.real[c, 0], contacts.real[c, 1] = body[p], body[q]
    contacts.key[c] = (p * FEATURES + q) * FEATURES + feature
    contacts.gap[c] = gap
    for k in range(3):
        contacts.normal[c, k] = sign * n[k]
        contacts.point[c, k] = point[k]


@bare_inner
def in_body(motion: Motion, b: int, point: Point) -> Point:
    """A point of the world in the frame of a body's centre of mass."""
    return times_transposed(motion.R[b], minus(point, row(motion.x, b)))


@bare_inner
def in_world(motion: Motion, b: int, point: Point) -> Point:
    """A point in the frame of a body's centre of mass in the world."""
    turned = times(motion.R[b], point)
    return turned[0] + motion.x[b, 0], turned[1] + motion.x[b, 1], turned[2] + motion.x[b, 2]


@bare_inner
def nearest_on_segment(a: Point, b: Point, p: Point) -> Point:
    d, e = minus(b, a), minus(p, a)
    t = dot(d, e) / max(dot(d, d), 1e-300)
    t = min(max(t, 0.0), 1.0)
    return a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]


@bare_inner
def faceted_distance(parts: PartTable, p: int, point: Point) -> Distance:
    """Signed distance of a point, in the body's frame, to a hull without a formula."""
    first_corner = parts.corner_start[p]
    best, bx, by, bz = -1e300, 0.0, 0.0, 1.0
    for f in range(parts.face_start[p], parts.face_start[p + 1]):
        n = (parts.face[f, 0], parts.face[f, 1], parts.face[f, 2])
        s = dot(n, point) - parts.face[f, 3]
        if s > best:
            best, bx, by, bz = s, n[0], n[1], n[2]
    if best <= 0.0:
        return best, bx, by, bz
    nearest = 1e300
    for f in range(parts.face_start[p], parts.face_start[p + 1]):
        n = (parts.face[f, 0], parts.face[f, 1], parts.face[f, 2])
        s = dot(n, point) - parts.face[f, 3]
        if s <= 0.0 or s * s >= nearest:
            continue
        foot = (point[0] - s * n[0], point[1] - s * n[1], point[2] - s * n[2])
        within = True
        begin, end = parts.loop_start[f], parts.loop_start[f + 1]
        for k in range(begin, end):
            a = row(parts.corner, first_corner + parts.loop[k])
            b = row(parts.corner, first_corner + parts.loop[k + 1 if k + 1 < end else begin])
            if dot(cross(minus(b, a), minus(foot, a)), n) < 0.0:
                within = False
                on_edge = nearest_on_segment(a, b, point)
                d = minus(point, on_edge)
                if dot(d, d) < nearest:
                    nearest = dot(d, d)
                    bx, by, bz = d
        if within:
            nearest = s * s
            bx, by, bz = s * n[0], s * n[1], s * n[2]
    length = sqrt(nearest)
    return length, bx / length, by / length, bz / length


@bare_inner
def ball_gap(parts: PartTable, motion: Motion, q: int, center: Point, radius: float) -> Distance:
    """Gap between a ball in the world and part q, which is no field, and the normal from q to the ball."""
    b, kind = parts.body[q], parts.kind[q]
    if kind == PLANE:
        n = times(motion.R[b], row(parts.axis, q))
        return dot(n, minus(center, row(motion.x, b))) - parts.size[q, 0] - radius, n[0], n[1], n[2]
    if kind == BALL or kind == ROD:  # noqa: SIM109 (a tuple test costs a third more here)
        other = in_world(motion, b, row(parts.center, q))
        if kind == ROD:
            half = times(motion.R[b], row(parts.axis, q))
            low = minus(other, half)
            high = (other[0] + half[0], other[1] + half[1], other[2] + half[2])
            other = nearest_on_segment(low, high, center)
        d = minus(center, other)
        length = sqrt(dot(d, d))
        if length < 1e-12:
            return -radius - parts.radius[q], 0.0, 0.0, 1.0
        return length - radius - parts.radius[q], d[0] / length, d[1] / length, d[2] / length
    local = in_body(motion, b, center)
    form = parts.form[q]
    if form == BOX or form == CYLINDER or form == CONE:  # noqa: SIM109
        frame = parts.frame[q]
        inner = times_transposed(frame, minus(local, row(parts.axis, q)))
        u, v, w = parts.size[q, 0], parts.size[q, 1], parts.size[q, 2]
        if form == BOX:
            d, nx, ny, nz = box_distance(inner[0], inner[1], inner[2], u, v, w)
        elif form == CYLINDER:
            d, nx, ny, nz = cylinder_distance(inner[0], inner[1], inner[2], u, v)
        else:
            d, nx, ny, nz = cone_distance(inner[0], inner[1], inner[2], u, v, w)
        n = times(frame, (nx, ny, nz))
    else:
        d, nx, ny, nz = faceted_distance(parts, q, local)
        n = (nx, ny, nz)
    n = times(motion.R[b], n)
    return d - radius, n[0], n[1], n[2]


@bare_inner
def touch_ball(
    contacts: ContactBuffers,
    parts: PartTable,
    motion: Motion,
    p: int,
    q: int,
    center: Point,
    feature: int,
    margin: float,
) -> None:
    """Part p as a ball at `center` against part q."""
    radius = parts.radius[p]
    gap, nx, ny, nz = ball_gap(parts, motion, q, center, radius)
    if gap < margin:
        s = radius + 0.5 * gap
        point = (center[0] - s * nx, center[1] - s * ny, center[2] - s * nz)
        note(contacts, parts.body, p, q, feature, (nx, ny, nz), point, gap)


@bare_inner
def along_rod(low: Point, high: Point, t: float) -> Point:
    s = 1.0 - t
    return s * low[0] + t * high[0], s * low[1] + t * high[1], s * low[2] + t * high[2]


@bare_inner
def touch_rod(contacts: ContactBuffers, parts: PartTable, motion: Motion, p: int, q: int, margin: float) -> None:
    """A rod against part q: its two ends, and the place between them that comes nearest.

    The gap of a point moving along a line to a convex part has one minimum, which golden sections close in on.
    """
    b = parts.body[p]
    middle = in_world(motion, b, row(parts.center, p))
    half = times(motion.R[b], row(parts.axis, p))
    low = minus(middle, half)
    high = (middle[0] + half[0], middle[1] + half[1], middle[2] + half[2])
    touch_ball(contacts, parts, motion, p, q, low, 0, margin)
    touch_ball(contacts, parts, motion, p, q, high, 1, margin)
    if parts.kind[q] == PLANE:
        return
    radius = parts.radius[p]
    left, right = 0.0, 1.0
    t0, t1 = 1.0 - GOLDEN, GOLDEN
    g0 = ball_gap(parts, motion, q, along_rod(low, high, t0), radius)[0]
    g1 = ball_gap(parts, motion, q, along_rod(low, high, t1), radius)[0]
    for _ in range(SEARCH_ROUNDS):
        if g0 < g1:
            right, t1, g1 = t1, t0, g0
            t0 = right - GOLDEN * (right - left)
            g0 = ball_gap(parts, motion, q, along_rod(low, high, t0), radius)[0]
        else:
            left, t0, g0 = t0, t1, g1
            t1 = left + GOLDEN * (right - left)
            g1 = ball_gap(parts, motion, q, along_rod(low, high, t1), radius)[0]
    t = 0.5 * (left + right)
    ends = min(ball_gap(parts, motion, q, low, radius)[0], ball_gap(parts, motion, q, high, radius)[0])
    # Lying flat on something, the ends say it all.
    if min(g0, g1) < ends - 1e-3 * radius and 0.02 < t < 0.98:
        touch_ball(contacts, parts, motion, p, q, along_rod(low, high, t), 2, margin)


@bare_inner
def keep(found: F64, k: int, chosen: F64, kept: int) -> int:
    """Adds point k to those chosen unless it is one of them; returns how many these then are."""
    for j in range(kept):
        if chosen[j, 4] == found[k, 4] and chosen[j, 5] == found[k, 5]:
            return kept
    for i in range(7):
        chosen[kept, i] = found[k, i]
    return kept + 1


@bare_inner
def outermost(found: F64, count: int, level: float, n: Point, chosen: F64, kept: int) -> int:
    """Adds those of the points found with a gap to come below `level` that lie outermost in four directions across n.

    The directions are fixed, so that the choice does not change with every tremor. Returns how many are then kept.
    """
    t = any_perpendicular(n)
    u = cross(n, t)
    for side in range(4):
        # Turned a little, so that the edges of most shapes are not at right angles to it.
        c, s = (0.92, 0.39) if side < 2 else (-0.39, 0.92)
        if side % 2 == 1:
            c, s = -c, -s
        best, farthest = -1, -1e300
        for k in range(count):
            if found[k, 6] >= level:
                continue
            along = 0.0
            for i in range(3):
                along += found[k, i] * (c * t[i] + s * u[i])
            if along > farthest + 1e-9:
                best, farthest = k, along
        if best >= 0:
            kept = keep(found, best, chosen, kept)
    return kept


@bare_inner
def thin_out(found: F64, count: int, n: Point, chosen: F64) -> int:
    """Up to seven of the points found that span what all of them do; returns how many.

    A point is x, y, z, gap, feature, part, and the gap that it will have at the end of the step if that is less. Those
    are chosen that lie outermost of the points that touch in this step, and the deepest; where these are two at most,
    the outermost of all. These alone would not do: of a body with raised ends they do not touch, and of the feet
    between them on which it stands one would be left, then another.
    """
    if count <= 4:
        for k in range(count):
            for i in range(7):
                chosen[k, i] = found[k, i]
        return count
    kept = outermost(found, count, DEEPER, n, chosen, 0)
    if kept < 3:
        kept = outermost(found, count, 1e300, n, chosen, kept)
    best, level = -1, 1e300
    for k in range(kept):
        level = min(level, chosen[k, 6])
    level -= DEEPER
    for k in range(count):
        if found[k, 6] < level:
            best, level = k, found[k, 6]
    return keep(found, best, chosen, kept) if best >= 0 else kept
