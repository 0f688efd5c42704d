"""Exact signed distance and outward normal of the solids that have a formula.

Each function takes a point in the shape's own frame and returns `(distance, nx, ny, nz)`: positive outside,
negative inside, and a unit normal that points out of the solid along the shortest way. The closest surface
point is therefore always `point − distance · normal`.

The `*_wall` functions serve `inside=True`, where the solid is everything around the shape: wall number `k`
as `(gap, nx, ny, nz)`, gap positive in the free interior, normal pointing into it. A grain in the corner of
a container touches several walls at once, and one closest point would let it fall into the others.
"""

from __future__ import annotations

from math import sqrt

from windrow.geometry.terms import Distance
from windrow.kernel import inner, kernel

TINY = 1e-14
"""Length, m, below which a direction is not taken from a difference of points."""


@kernel
def clipped(u: float, most: float) -> float:
    """u between 0 and `most`; what is not a number becomes 0, because it must never become an index."""
    u = u if u > 0.0 else 0.0
    return u if u < most else most


@inner
def box_distance(x: float, y: float, z: float, hx: float, hy: float, hz: float) -> Distance:
    """Box of half edges `hx, hy, hz` around the origin."""
    ex, ey, ez = abs(x) - hx, abs(y) - hy, abs(z) - hz
    sx = 1.0 if x >= 0.0 else -1.0
    sy = 1.0 if y >= 0.0 else -1.0
    sz = 1.0 if z >= 0.0 else -1.0
    ox, oy, oz = max(ex, 0.0), max(ey, 0.0), max(ez, 0.0)
    d = sqrt(ox * ox + oy * oy + oz * oz)
    if d > TINY:
        return d, sx * ox / d, sy * oy / d, sz * oz / d
    if ex >= ey and ex >= ez:
        return ex, sx, 0.0, 0.0
    if ey >= ez:
        return ey, 0.0, sy, 0.0
    return ez, 0.0, 0.0, sz


@inner
def sphere_distance(x: float, y: float, z: float, radius: float) -> Distance:
    """Ball around the origin."""
    d = sqrt(x * x + y * y + z * z)
    if d > TINY:
        return d - radius, x / d, y / d, z / d
    return -radius, 0.0, 0.0, 1.0


@inner
def radial(x: float, y: float) -> tuple[float, float, float]:
    """Distance from the z axis and the unit direction away from it (the x axis when on it)."""
    rho = sqrt(x * x + y * y)
    if rho > TINY:
        return rho, x / rho, y / rho
    return 0.0, 1.0, 0.0


@inner
def cylinder_distance(x: float, y: float, z: float, radius: float, half: float) -> Distance:
    """Cylinder of half height `half` around the z axis: a rectangle in (rho, z)."""
    rho, ux, uy = radial(x, y)
    er, ez = rho - radius, abs(z) - half
    sz = 1.0 if z >= 0.0 else -1.0
    outr, outz = max(er, 0.0), max(ez, 0.0)
    d = sqrt(outr * outr + outz * outz)
    if d > TINY:
        return d, ux * outr / d, uy * outr / d, sz * outz / d
    if er >= ez:
        return er, ux, uy, 0.0
    return ez, 0.0, 0.0, sz


@inner
def capsule_distance(x: float, y: float, z: float, radius: float, half: float) -> Distance:
    """Capsule: all points within `radius` of the segment from −half to half on the z axis."""
    along = min(max(z, -half), half)
    h = z - along
    d = sqrt(x * x + y * y + h * h)
    if d > TINY:
        return d - radius, x / d, y / d, h / d
    return -radius, 1.0, 0.0, 0.0


@inner
def cone_distance(x: float, y: float, z: float, base: float, top: float, height: float) -> Distance:
    """Cone or frustum: radius `base` at z = 0 and `top` at z = height; three edges in (rho, z)."""
    rho, ux, uy = radial(x, y)
    slant_r, slant_z = top - base, height
    length = sqrt(slant_r * slant_r + slant_z * slant_z)
    side = ((rho - base) * slant_z - z * slant_r) / length
    inside = side <= 0.0 and z >= 0.0 and z <= height
    # Closest of base disc, top disc and slanted side; each with the normal it has on the surface itself.
    cr, cz, nr, nz = min(rho, base), 0.0, 0.0, -1.0
    best = (rho - cr) * (rho - cr) + z * z
    tr = min(rho, top)
    d2 = (rho - tr) * (rho - tr) + (z - height) * (z - height)
    if d2 < best:
        best, cr, cz, nr, nz = d2, tr, height, 0.0, 1.0
    t = ((rho - base) * slant_r + z * slant_z) / (length * length)
    t = min(max(t, 0.0), 1.0)
    lr, lz = base + t * slant_r, t * slant_z
    d2 = (rho - lr) * (rho - lr) + (z - lz) * (z - lz)
    if d2 < best:
        best, cr, cz, nr, nz = d2, lr, lz, slant_z / length, -slant_r / length
    d = sqrt(best)
    if d > TINY:
        sign = -1.0 if inside else 1.0
        nr, nz = sign * (rho - cr) / d, sign * (z - cz) / d
        return sign * d, ux * nr, uy * nr, nz
    return 0.0, ux * nr, uy * nr, nz


@inner
def box_wall(k: int, x: float, y: float, z: float, hx: float, hy: float, hz: float) -> Distance:
    """Wall of a box container that is nearer on axis `k`."""
    if k == 0:
        return hx - abs(x), (-1.0 if x >= 0.0 else 1.0), 0.0, 0.0
    if k == 1:
        return hy - abs(y), 0.0, (-1.0 if y >= 0.0 else 1.0), 0.0
    return hz - abs(z), 0.0, 0.0, (-1.0 if z >= 0.0 else 1.0)


@inner
def cylinder_wall(k: int, x: float, y: float, z: float, radius: float, half: float) -> Distance:
    """Mantle (k = 0) or nearer lid (k = 1) of a cylindrical container."""
    if k == 0:
        rho, ux, uy = radial(x, y)
        return radius - rho, -ux, -uy, 0.0
    return half - abs(z), 0.0, 0.0, (-1.0 if z >= 0.0 else 1.0)


@inner
def cone_wall(k: int, x: float, y: float, z: float, base: float, top: float, height: float) -> Distance:
    """Mantle (k = 0), nearer lid (k = 1), or the mantle across the axis (k = 2), which matters in the tip."""
    if k == 1:
        if z < 0.5 * height:
            return z, 0.0, 0.0, 1.0
        return height - z, 0.0, 0.0, -1.0
    rho, ux, uy = radial(x, y)
    if k == 2:
        rho, ux, uy = -rho, -ux, -uy
    slant_r = top - base
    length = sqrt(slant_r * slant_r + height * height)
    gap = (z * slant_r - (rho - base) * height) / length
    nr = -height / length
    return gap, ux * nr, uy * nr, slant_r / length
