"""One triangle: the point of it closest to a given point, and where a segment goes through it."""

from __future__ import annotations

from windrow.geometry.terms import Point
from windrow.kernel import inner

FACE, EDGE_AB, EDGE_BC, EDGE_CA, CORNER_A, CORNER_B, CORNER_C = range(7)
"""Part of the triangle on which the closest point lies: the index of its pseudonormal."""

SEAM = 1e-5
"""Share of a triangle by which segments may miss it and still hit: closes the seams between neighbours."""


@inner
def closest_on_triangle(p: Point, a: Point, b: Point, c: Point) -> tuple[float, float, float, int]:
    """Closest point `(x, y, z)` of triangle abc to p, and the part it lies on.

    The regions are told apart by the projections of p − a, p − b and p − c on the two edges at a; a corner
    is tried first, then the edges, then the face.
    """
    abx, aby, abz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    acx, acy, acz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    ux, uy, uz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    a1 = abx * ux + aby * uy + abz * uz
    a2 = acx * ux + acy * uy + acz * uz
    if a1 <= 0.0 and a2 <= 0.0:
        return a[0], a[1], a[2], CORNER_A
    ux, uy, uz = p[0] - b[0], p[1] - b[1], p[2] - b[2]
    b1 = abx * ux + aby * uy + abz * uz
    b2 = acx * ux + acy * uy + acz * uz
    if b1 >= 0.0 and b2 <= b1:
        return b[0], b[1], b[2], CORNER_B
    ux, uy, uz = p[0] - c[0], p[1] - c[1], p[2] - c[2]
    c1 = abx * ux + aby * uy + abz * uz
    c2 = acx * ux + acy * uy + acz * uz
    if c2 >= 0.0 and c1 <= c2:
        return c[0], c[1], c[2], CORNER_C
    weight_c = a1 * b2 - b1 * a2
    if weight_c <= 0.0 and a1 >= 0.0 and b1 <= 0.0:
        t = a1 / (a1 - b1)
        return a[0] + t * abx, a[1] + t * aby, a[2] + t * abz, EDGE_AB
    weight_b = c1 * a2 - a1 * c2
    if weight_b <= 0.0 and a2 >= 0.0 and c2 <= 0.0:
        t = a2 / (a2 - c2)
        return a[0] + t * acx, a[1] + t * acy, a[2] + t * acz, EDGE_CA
    weight_a = b1 * c2 - c1 * b2
    if weight_a <= 0.0 and b2 - b1 >= 0.0 and c1 - c2 >= 0.0:
        t = (b2 - b1) / ((b2 - b1) + (c1 - c2))
        return b[0] + t * (c[0] - b[0]), b[1] + t * (c[1] - b[1]), b[2] + t * (c[2] - b[2]), EDGE_BC
    total = weight_a + weight_b + weight_c
    v, w = weight_b / total, weight_c / total
    return a[0] + v * abx + w * acx, a[1] + v * aby + w * acy, a[2] + v * abz + w * acz, FACE


@inner
def triangle_normal(a: Point, b: Point, c: Point) -> Point:
    """(b − a)×(c − a), not normalised: twice the area long."""
    abx, aby, abz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    acx, acy, acz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    return aby * acz - abz * acy, abz * acx - abx * acz, abx * acy - aby * acx


@inner
def segment_through_triangle(p: Point, q: Point, a: Point, b: Point, c: Point) -> tuple[float, float]:
    """`(t, side)`: t in 0…1 where segment pq meets triangle abc, or 2 if it does not.

    `side` is +1 when p lies where the normal (b − a)×(c − a) points, −1 on the other side. A segment that
    starts in the plane of the triangle does not count; one that ends in it does.
    """
    nx, ny, nz = triangle_normal(a, b, c)
    dp = (p[0] - a[0]) * nx + (p[1] - a[1]) * ny + (p[2] - a[2]) * nz
    dq = (q[0] - a[0]) * nx + (q[1] - a[1]) * ny + (q[2] - a[2]) * nz
    if (dp > 0.0 and dq > 0.0) or (dp < 0.0 and dq < 0.0) or dp == 0.0:
        return 2.0, 0.0
    t = dp / (dp - dq)
    h = (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]))
    # Weights of the corners are the areas of the triangles that the hit point makes with the edges.
    square = nx * nx + ny * ny + nz * nz
    ux, uy, uz = triangle_normal(a, h, c)
    vx, vy, vz = triangle_normal(a, b, h)
    weight_b = (ux * nx + uy * ny + uz * nz) / square
    weight_c = (vx * nx + vy * ny + vz * nz) / square
    if weight_b < -SEAM or weight_c < -SEAM or weight_b + weight_c > 1.0 + SEAM:
        return 2.0, 0.0
    return t, (1.0 if dp > 0.0 else -1.0)
