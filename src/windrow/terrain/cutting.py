"""The current cut: how deep a plate stands in the ground, slice by slice over its width, and what the soil resists.

The surface ahead is a line through heights along the way, fitted by weighted least squares, nearer ones counting more
(as Holz et al. 2013 do). Soil numbers are means over the layers that are cut. Penetration of teeth is the pressure that
opens a cavity in soil, Vesić 1972 (J. Soil Mech. Found. Div. ASCE 98, 265): for a ball, where teeth are, and for a
cylinder, where a plain edge of some thickness is,

    p = c F_c + σ F_q,   F_c = (F_q − 1) cot φ,   σ = γ d (3 − 2 sin φ)/3                                     (3)
    F_q = 3 (1 + sin φ)/(3 − sin φ) · I^(4 sin φ/(3 (1 + sin φ)))         (ball)
    F_q = (1 + sin φ) (I/cos φ)^(sin φ/(1 + sin φ))                       (cylinder)

with the reduced rigidity index I. Near the surface, where soil is stiff beside its weight, I is one over the volume
that it loses; `RIGIDITY` stands for 2 %. The force grows from a tenth at the surface to all of it at 0.2 m, as in AGX
Terrain, because soil near the surface gives way upwards.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import arctangent2, power, sine_cosine
from windrow.fixed_math import power as fixed_power
from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import bare_inner
from windrow.terrain.earthmoving import (
    ADHESIVE,
    COHESIVE,
    INERTIAL,
    SURCHARGE,
    TERMS,
    WEIGHT,
    wedge,
)
from windrow.terrain.layers import (
    AREA,
    CELL,
    COSINE,
    DENSITY,
    GRAVITY,
    HARDENING,
    SINE,
    TANGENT,
    TILE,
    VOLUME_UNIT,
    Columns,
    cohesion,
    density_of,
    top_of,
)

MOST_SLICES, LEAST_SLICES = 16, 8
SAMPLES = 8
"""Heights ahead of a slice that its line is laid through."""
AHEAD = 2.5
"""How far ahead they reach, over the depth of the cut."""
FARTHEST = 2.0
"""m ahead at most"""
HIGH_ABOVE = 0.5
"""m above the ground from which on an edge is not near it, whatever the slope ahead"""
RAMP, AT_SURFACE = 0.2, 0.1
"""m over which penetration grows, and its share at the surface."""
RIGIDITY = 50.0
CREEP = 0.01
"""m/s: slower than this, what resists a scripted motion is told in proportion to the speed."""

CUTTING, PENETRATION, UNDERSIDE, ADHESION, DEAD_LOAD, INERTIA, GRAINS, BODIES, PARTS = range(9)
"""Parts of the force on a tool."""
PART_NAMES = ("cutting", "penetration", "underside", "adhesion", "dead load", "inertia", "grains", "bodies")

(FRICTION, STICKING, THICKNESS, TEETH, TOOTH_RADIUS, VOLUME, FLOOR, IS_BUCKET, LOAD, FILL, AHEAD_WEIGHT,
 PLATE_NUMBERS) = range(12)  # fmt: skip
"""Columns of `Plate.numbers`: δ (rad), c_a (Pa), thickness of the edge (m), teeth, their radius (m), rated volume (m³),
length of the floor (m), 1 for a bucket, weight of the load (N), its loose volume over the rated one, and the weight of
soil that is pushed ahead (N)."""

(DEPTH, RAKE, SLOPE, SOIL_DENSITY, SOIL_FRICTION, SOIL_COHESION, COT_SLIP, SHARE, SOIL, SLICE_NUMBERS) = range(10)
"""Columns of `Cut.slices`: vertical depth (m), rake from the horizontal (rad), slope ahead (rad), kg/m³, φ (rad), Pa,
cot β, 1 where soil is cut, and the number of the thickest soil."""


class Plate(NamedTuple):
    """A tool where it is now, in coordinates whose origin is the terrain's position."""

    edge: F64
    """(2, 3) ends of the cutting edge, m"""
    top: F64
    """(2, 3) ends of the top edge, m"""
    direction: F64
    """(3,) in which it cuts, of length 1"""
    velocity: F64
    """(2, 3) of the ends of the cutting edge, m/s"""
    numbers: F64
    """(PLATE_NUMBERS,)"""


class LaidHeights(NamedTuple):
    """Height that grains add to columns near a tool; no columns where there are no grains."""

    height: F32
    """(n, m) m"""
    corner: I64
    """(2,) cell where it begins"""


class Cut(NamedTuple):
    """What the ground resists now."""

    slices: F64
    """(MOST_SLICES, SLICE_NUMBERS)"""
    terms: F64
    """(TERMS, 3) of the equation: force on the tool in full, N"""
    force: F64
    """(PARTS, 3) force on the tool that acts at its speed, N"""
    moment: F64
    """(PARTS, 3) its moment about the middle of the cutting edge, N m"""
    full: F64
    """(PARTS, 3) the same as `force` as if it moved fast enough, N"""
    many: I64
    """(1,) slices"""


def empty_cut() -> Cut:
    return Cut(
        np.zeros((MOST_SLICES, SLICE_NUMBERS)),
        np.zeros((TERMS, 3)),
        np.zeros((PARTS, 3)),
        np.zeros((PARTS, 3)),
        np.zeros((PARTS, 3)),
        np.zeros(1, np.int64),
    )


def cavity_factors(soils: F64) -> F64:
    """(soils, 4) F_q and F_c of equation (3) for a ball, then for a cylinder; `soils` as in `Columns`."""
    rows = []
    for row in soils:
        s, c = float(row[SINE]), float(row[COSINE])
        ball = 3.0 * (1.0 + s) / (3.0 - s) * float(fixed_power(RIGIDITY, 4.0 * s / (3.0 * (1.0 + s))))
        cylinder = (1.0 + s) * float(fixed_power(RIGIDITY / c, s / (1.0 + s)))
        rows.append([f for q in (ball, cylinder) for f in (q, (q - 1.0) * c / max(s, 0.02))])
    return np.array(rows, np.float64)


@bare_inner
def heading_of(plate: Plate) -> tuple[float, float, float]:
    """Horizontal direction of length 1 across the edge, ahead; and the edge's horizontal length, m. 0, 0, 0: none."""
    ex, ey = plate.edge[1, 0] - plate.edge[0, 0], plate.edge[1, 1] - plate.edge[0, 1]
    length = sqrt(ex * ex + ey * ey)
    if length < 1e-6:
        return 0.0, 0.0, 0.0
    hx, hy = ey / length, -ex / length
    ahead = hx * plate.direction[0] + hy * plate.direction[1]
    if abs(ahead) < 1e-3:
        # It cuts straight down: ahead is where the opening looks.
        ahead = 0.0
        for k in range(2):
            ahead -= hx * (plate.top[k, 0] - plate.edge[k, 0]) + hy * (plate.top[k, 1] - plate.edge[k, 1])
    if ahead < 0.0:
        hx, hy = -hx, -hy
    return hx, hy, length


@bare_inner
def surface_at(columns: Columns, laid: LaidHeights, x: float, y: float) -> float:
    """Height of the surface at a place, grains included, m; NaN beyond the edge of the ground."""
    nx, ny = columns.height.shape[0] - 2, columns.height.shape[1] - 2
    cell = columns.numbers[CELL]
    u, v = x / cell + 0.5 * (nx - 1), y / cell + 0.5 * (ny - 1)
    if not (u > -0.5 and v > -0.5 and u < nx - 0.5 and v < ny - 0.5):
        return np.nan
    i, j = int(np.floor(u)), int(np.floor(v))
    a, b = u - i, v - j
    z = 0.0
    for di in range(2):
        for dj in range(2):
            share = (a if di else 1.0 - a) * (b if dj else 1.0 - b)
            h = np.float64(columns.height[i + di + 1, j + dj + 1])
            k, l = i + di - laid.corner[0], j + dj - laid.corner[1]
            if 0 <= k < laid.height.shape[0] and 0 <= l < laid.height.shape[1]:
                h += np.float64(laid.height[k, l])
            z += share * h
    return z


@bare_inner
def _line_ahead(
    columns: Columns, laid: LaidHeights, x: float, y: float, hx: float, hy: float, z: float
) -> tuple[float, float]:
    """Height at (x, y) and slope, a tangent, of the surface ahead of an edge at height z; NaN: there is no ground.

    Columns at the edge itself may be cut in part and do not count.
    """
    cell = columns.numbers[CELL]
    first = 1.5 * cell * (abs(hx) + abs(hy))
    near = surface_at(columns, laid, x + first * hx, y + first * hy)
    if not np.isfinite(near):
        return np.nan, 0.0
    if z - near > HIGH_ABOVE:
        return near, 0.0
    reach = min(max(AHEAD * (near - z), 3.0 * cell), FARTHEST)
    w = wx = wxx = wz = wxz = 0.0
    for k in range(SAMPLES):
        far = first + reach * k / (SAMPLES - 1.0)
        h = surface_at(columns, laid, x + far * hx, y + far * hy)
        if np.isfinite(h):
            weight = 1.0 / (1.0 + k)
            w, wx, wxx = w + weight, wx + weight * far, wxx + weight * far * far
            wz, wxz = wz + weight * h, wxz + weight * far * h
    spread = w * wxx - wx * wx
    slope = (w * wxz - wx * wz) / spread if spread > 1e-12 else 0.0
    return (wz - slope * wx) / w, slope


@bare_inner
def strength_at(columns: Columns, x: float, y: float, depth: float) -> tuple[float, float, float, int]:
    """Means over a depth of the column at a place: density (kg/m³), tan φ, cohesion (Pa); and its thickest soil."""
    nx, ny = columns.height.shape[0] - 2, columns.height.shape[1] - 2
    n, soils = columns.numbers, columns.soils
    i = min(max(int(np.floor(x / n[CELL] + 0.5 * nx)), 0), nx - 1)
    j = min(max(int(np.floor(y / n[CELL] + 0.5 * ny)), 0), ny - 1)
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    left, density, tangent, sticks, total = max(depth, 1e-6), 0.0, 0.0, 0.0, 0.0
    thickest, soil = 0.0, 0
    many = columns.natural.shape[0] if s < 0 else top_of(columns, s, c) + 1
    for l in range(many):
        if s < 0:
            k, here = int(columns.natural[l, 0]), columns.natural[l, 2]
            thick = columns.natural[l, 1] if l < many - 1 else left
        else:
            layer = many - 1 - l
            k, here = int(columns.soil[s, c, layer]), density_of(columns, s, c, layer)
            thick = columns.volume[s, c, layer] * n[VOLUME_UNIT] / n[AREA]
        thick = min(thick, left)
        if thick <= 0.0:
            continue
        left -= thick
        total += thick
        density += thick * here
        tangent += thick * friction(soils, k, here)
        sticks += thick * cohesion(soils, k, here)
        if thick > thickest:
            thickest, soil = thick, k
    if total == 0.0:
        k = int(columns.natural[0, 0])
        return soils[k, DENSITY], soils[k, TANGENT], 0.0, k
    return density / total, tangent / total, sticks / total, soil


@bare_inner
def friction(soils: F64, k: int, density: float) -> float:
    """tan φ of soil k at a density: the library's where it grew, more where it is pressed."""
    more = min(max(HARDENING * (density / soils[k, DENSITY] - 1.0), -1.0), 1.0)
    return soils[k, TANGENT] * np.float64(power(2.0, more))


@bare_inner
def _separating(plate: Plate, k: float) -> tuple[float, float, float]:
    """From the edge up the plate that parts the soil, at a share of the width, of any length.

    Of a bucket it is the floor; from a fill of 0.8 on, what lies in it takes the floor's place, up to the opening's
    plane when it is full (AGX Terrain's secondary separation).
    """
    x, y, z = 0.0, 0.0, 0.0
    for e in range(2):
        share = k if e else 1.0 - k
        x += share * (plate.top[e, 0] - plate.edge[e, 0])
        y += share * (plate.top[e, 1] - plate.edge[e, 1])
        z += share * (plate.top[e, 2] - plate.edge[e, 2])
    n = plate.numbers
    if n[IS_BUCKET] == 0.0:
        return x, y, z
    length = max(sqrt(x * x + y * y + z * z), 1e-9)
    full = min(max((n[FILL] - 0.8) / 0.2, 0.0), 1.0)
    d = plate.direction
    return (
        full * x / length - (1.0 - full) * d[0],
        full * y / length - (1.0 - full) * d[1],
        full * z / length - (1.0 - full) * d[2],
    )


@bare_inner
def find_cut(columns: Columns, cavity: F64, plate: Plate, laid: LaidHeights, cut: Cut) -> None:
    """Writes what the ground resists to a plate where it is now."""
    for p in range(PARTS):
        for a in range(3):
            cut.force[p, a] = cut.moment[p, a] = cut.full[p, a] = 0.0
    for t in range(TERMS):
        for a in range(3):
            cut.terms[t, a] = 0.0
    hx, hy, length = heading_of(plate)
    cut.many[0] = 0
    if length == 0.0:
        return
    many = min(max(int(np.ceil(length / columns.numbers[CELL])), LEAST_SLICES), MOST_SLICES)
    cut.many[0] = many
    cutting = 0
    for k in range(many):
        cut.slices[k, SHARE] = 0.0
        cut.slices[k, DEPTH] = 0.0
        _find_slice(columns, plate, laid, cut, k, many, hx, hy)
        cutting += cut.slices[k, SHARE] > 0.0
    for k in range(many):
        if cut.slices[k, SHARE] > 0.0:
            _resist(columns, cavity, plate, cut, k, (length / many, cutting, hx, hy))
    # Soil that is pushed along and does not lie on the wedge is dragged over the ground.
    if cutting == 0 and plate.numbers[AHEAD_WEIGHT] > 0.0:
        k = int(columns.natural[0, 0])
        _drag(plate, cut, (hx, hy), plate.numbers[AHEAD_WEIGHT] * columns.soils[k, TANGENT])


@bare_inner
def _find_slice(columns, plate, laid, cut, k, many, hx, hy):  # type: ignore[no-untyped-def]
    """Depth, rake, slope and soil of a slice."""
    share = (k + 0.5) / many
    row = cut.slices[k]
    x = plate.edge[0, 0] + share * (plate.edge[1, 0] - plate.edge[0, 0])
    y = plate.edge[0, 1] + share * (plate.edge[1, 1] - plate.edge[0, 1])
    z = plate.edge[0, 2] + share * (plate.edge[1, 2] - plate.edge[0, 2])
    up = _separating(plate, share)
    row[RAKE] = arctangent2(up[2], -(up[0] * hx + up[1] * hy))
    surface, slope = _line_ahead(columns, laid, x, y, hx, hy, z)
    row[SLOPE] = arctangent2(slope, 1.0)
    if not surface > z:
        return
    row[DEPTH] = surface - z
    cell = columns.numbers[CELL] * (abs(hx) + abs(hy))
    found = strength_at(columns, x + 1.5 * cell * hx, y + 1.5 * cell * hy, surface - z)
    row[SOIL_DENSITY], row[SOIL_COHESION] = found[0], found[2]
    row[SOIL_FRICTION] = arctangent2(found[1], 1.0)
    row[SHARE], row[SOIL] = 1.0, found[3]


@bare_inner
def _resist(columns, cavity, plate, cut, k, place):  # type: ignore[no-untyped-def]
    """Adds the forces of a slice; place: its width, how many cut, and the direction ahead."""
    width, cutting, hx, hy = place
    row, n = cut.slices[k], plate.numbers
    share = (k + 0.5) / cut.many[0]
    gravity = columns.numbers[GRAVITY]
    w = wedge(row[RAKE], row[SLOPE], row[SOIL_FRICTION], n[FRICTION])
    row[COT_SLIP] = w.cot_slip
    sin_slope, cos_slope = sine_cosine(row[SLOPE])
    d = row[DEPTH] * cos_slope
    c = row[SOIL_COHESION]
    sticking = min(n[STICKING], c)
    # What is pushed ahead lies on the wedge as far as that reaches; its own foot reaches √(2 A/tan φ).
    ahead = n[AHEAD_WEIGHT] / cutting
    on_wedge = ahead
    if ahead > 0.0:
        tangent = max(columns.soils[int(columns.natural[0, 0]), TANGENT], 0.1)
        foot = sqrt(2.0 * ahead / (row[SOIL_DENSITY] * gravity * width * tangent))
        on_wedge = ahead * min(d * w.cot_slip / max(foot, 1e-9), 1.0)
        tangent = np.float64(sine_cosine(row[SOIL_FRICTION])[0] / sine_cosine(row[SOIL_FRICTION])[1])
        _drag(plate, cut, (hx, hy), (ahead - on_wedge) * tangent)
    vx = plate.velocity[0, 0] + share * (plate.velocity[1, 0] - plate.velocity[0, 0])
    vy = plate.velocity[0, 1] + share * (plate.velocity[1, 1] - plate.velocity[0, 1])
    vz = plate.velocity[0, 2] + share * (plate.velocity[1, 2] - plate.velocity[0, 2])
    along = (vx * hx + vy * hy) * cos_slope + vz * sin_slope
    speed = max(along, 0.0)
    sine, cosine = sine_cosine(w.rake + w.friction)
    sin_rake, cos_rake = sine_cosine(w.rake)
    face = d / max(sine_cosine(w.rake + row[SLOPE])[0], 0.1)
    acts = min(speed / CREEP, 1.0)
    arm = (share - 0.5, d / 3.0)
    for term in range(TERMS):
        if term == WEIGHT:
            size = row[SOIL_DENSITY] * gravity * d * d * width * w.weight
        elif term == COHESIVE:
            size = c * d * width * w.cohesion
        elif term == SURCHARGE:
            size = on_wedge * w.surcharge
        elif term == ADHESIVE:
            size = sticking * d * width * w.adhesion
        else:
            size = row[SOIL_DENSITY] * speed * speed * d * width * w.inertia
        back, down = size * sine, size * cosine
        if term == ADHESIVE:
            back, down = back + sticking * face * width * cos_rake, down - sticking * face * width * sin_rake
        part = INERTIA if term == INERTIAL else (ADHESION if term == ADHESIVE else CUTTING)
        force = (-back * hx, -back * hy, -down)
        for a in range(3):
            cut.terms[term, a] += force[a]
        _add(plate, cut, part, force, acts, arm)
    # Penetration, equation (3).
    angle = sine_cosine(row[SOIL_FRICTION])
    stress = row[SOIL_DENSITY] * gravity * row[DEPTH] * (3.0 - 2.0 * angle[0]) / 3.0
    soil = int(row[SOIL])
    if n[TEETH] > 0.0:
        area = np.pi * n[TOOTH_RADIUS] * n[TOOTH_RADIUS] * n[TEETH] / cut.many[0]
        pressure = c * cavity[soil, 1] + stress * cavity[soil, 0]
        deep = row[DEPTH] / n[TOOTH_RADIUS]
    else:
        area = n[THICKNESS] * width * _faced(plate)
        pressure = c * cavity[soil, 3] + stress * cavity[soil, 2]
        deep = row[DEPTH] / max(n[THICKNESS], 1e-6)
    grown = AT_SURFACE + (1.0 - AT_SURFACE) * min(row[DEPTH] / RAMP, 1.0)
    size = area * pressure * grown * min(deep, 1.0)
    q = plate.direction
    into = vx * q[0] + vy * q[1] + vz * q[2]
    force = (-size * q[0], -size * q[1], -size * q[2])
    _add(plate, cut, PENETRATION, force, min(max(into / CREEP, 0.0), 1.0), (arm[0], 0.0))
    if n[IS_BUCKET] == 0.0:
        # A plate that is pushed straight down stands on its edge; a bucket on its floor, see `field.press_floor`.
        deep = min(row[DEPTH] / max(n[THICKNESS], 1e-6), 1.0)
        size = n[THICKNESS] * width * grown * deep * (c * cavity[soil, 3] + stress * cavity[soil, 2])
        _add(plate, cut, UNDERSIDE, (0.0, 0.0, size), min(max(-vz / CREEP, 0.0), 1.0), (arm[0], 0.0))


@bare_inner
def _faced(plate: Plate) -> float:
    """Share of a plain edge's thickness that faces the way it cuts: all of a floor's, none of an upright blade's."""
    if plate.numbers[IS_BUCKET] > 0.0:
        return 1.0
    along = length = 0.0
    for a in range(3):
        up = plate.top[0, a] - plate.edge[0, a]
        along += up * plate.direction[a]
        length += up * up
    return abs(along) / sqrt(max(length, 1e-12))


@bare_inner
def _drag(plate, cut, ahead, size):  # type: ignore[no-untyped-def]
    """Adds the force of soil that is dragged along."""
    speed = 0.0
    for e in range(2):
        speed += 0.5 * (plate.velocity[e, 0] * ahead[0] + plate.velocity[e, 1] * ahead[1])
    for a in range(2):
        cut.terms[SURCHARGE, a] -= size * ahead[a]
    acts = min(max(speed, 0.0) / CREEP, 1.0)
    _add(plate, cut, CUTTING, (-size * ahead[0], -size * ahead[1], 0.0), acts, (0.0, 0.0))


@bare_inner
def _add(plate, cut, part, force, acts, arm):  # type: ignore[no-untyped-def]
    """Adds a force to a part; arm: where along the width, from the middle, and how high above the edge."""
    x = arm[0] * (plate.edge[1, 0] - plate.edge[0, 0])
    y = arm[0] * (plate.edge[1, 1] - plate.edge[0, 1])
    z = arm[0] * (plate.edge[1, 2] - plate.edge[0, 2]) + arm[1]
    for a in range(3):
        cut.full[part, a] += force[a]
        cut.force[part, a] += acts * force[a]
    cut.moment[part, 0] += acts * (y * force[2] - z * force[1])
    cut.moment[part, 1] += acts * (z * force[0] - x * force[2])
    cut.moment[part, 2] += acts * (x * force[1] - y * force[0])

