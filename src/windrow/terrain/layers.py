"""One column of soil: layers above each other, each with mass, volume and soil.

Mass and volume are whole numbers of small units. Sums of whole numbers do not depend on their order and lose nothing:
what one column gives and another takes is the same to the last bit, and so is the ledger. The units go with the area
of a cell, so that heights are resolved to 1e-12 m whatever its size (`units_of`).

Layers are numbered from the bottom; unused ones, at the end, have no volume. A column that needs more layers than there
are joins the two neighbours of which one is the thinnest; the joined layer is of the heavier one's soil.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.fixed_kernels import power
from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.kernel import bare_inner

Units = Any
"""A whole number of units of mass or volume, int64 in compiled code."""

TILE = 32
"""Cells along the edge of a tile."""
CELLS = TILE * TILE
LAYERS = 6
"""Of a column at most."""
ALIKE = 0.02
"""Difference of densities, over one of them, up to which soil is added to the layer below it."""

DENSITY, LOOSE, DENSEST, TANGENT, SINE, COSINE, COHESION, SWELL, K_C, K_PHI, EXPONENT, SOIL_NUMBERS = range(12)
"""Columns of `Columns.soils`: densities where it grew, loose and pressed, kg/m³; tangent, sine and cosine of the
friction angle; cohesion, Pa; swell, –; k_c, k_φ and n of Bekker's law."""
CELL, AREA, BASE, MASS_UNIT, VOLUME_UNIT, GRAVITY, NUMBERS = range(7)
"""Columns of `Columns.numbers`: m, m², m, kg, m³, m/s²."""
LOOSENED = 1e-3
"""Share of its cohesion up to which soil has none: masses and volumes are whole numbers, and so loose soil is denser
than loose by some 1e-8. Were that a face, what slides off it would take the firm soil below along."""
HARDENING = 1.0
"""Doublings of the tangent of the angle of repose per density where it grew; AGX Terrain's default."""


class Columns(NamedTuple):
    """All columns, as compiled code reads them. Tiles that nothing has touched have no layers in memory."""

    height: F32
    """(nx + 2, ny + 2) of the surface above the terrain's position, m; the outermost ring repeats the edge"""
    slot: I32
    """(tiles along x, along y) where a tile's layers are; −1: as they were at the start"""
    mass: I64
    """(slots, CELLS, LAYERS) in units of mass"""
    volume: I64
    """the same in units of volume"""
    soil: U8
    """the same: row of `soils`"""
    borne: F32
    """(slots, CELLS) largest pressure that the column has borne, Pa"""
    soils: F64
    """(soils, SOIL_NUMBERS)"""
    natural: F64
    """(layers, 3) at the start, from the surface down: soil, thickness (m), density (kg/m³)"""
    numbers: F64
    """(NUMBERS,)"""


def units_of(area: float) -> tuple[float, float]:
    """Units of mass (kg) and volume (m³) for cells of an area (m²): powers of two.

    A column of 5 m of soil has some 2³⁹ units of mass and 2⁴² of volume; there is room for more than 10 km.
    """
    scale = 1.0
    while scale < area:
        scale *= 2.0
    while 0.5 * scale >= area:
        scale *= 0.5
    return scale / (1 << 26), scale / (1 << 40)


@bare_inner
def whole(x: float) -> Units:
    return np.int64(np.floor(x + 0.5))


@bare_inner
def top_of(columns: Columns, s: int, c: int) -> Units:
    """The uppermost layer that there is; −1: none."""
    for l in range(LAYERS - 1, -1, -1):
        if columns.volume[s, c, l] > 0:
            return l
    return -1


@bare_inner
def density_of(columns: Columns, s: int, c: int, l: int) -> float:
    """Of a layer, kg/m³."""
    n = columns.numbers
    return columns.mass[s, c, l] * n[MASS_UNIT] / (columns.volume[s, c, l] * n[VOLUME_UNIT])


@bare_inner
def height_of(columns: Columns, s: int, c: int) -> float:
    """Of the column's surface, m."""
    total = np.int64(0)
    for l in range(LAYERS):
        total += columns.volume[s, c, l]
    n = columns.numbers
    return n[BASE] + total * n[VOLUME_UNIT] / n[AREA]


@bare_inner
def fill_naturally(columns: Columns, s: int, c: int, height: float) -> None:
    """The layers of a column of that height as they were at the start."""
    natural, n = columns.natural, columns.numbers
    total = max(whole((height - n[BASE]) * n[AREA] / n[VOLUME_UNIT]), np.int64(0))
    count, left = 0, total
    while left > 0:
        left -= natural_volume(columns, count, left)
        count += 1
    left = total
    for k in range(count):
        v = natural_volume(columns, k, left)
        left -= v
        l = count - 1 - k
        columns.volume[s, c, l] = v
        columns.mass[s, c, l] = natural_mass(columns, k, v)
        columns.soil[s, c, l] = np.uint8(natural[k, 0])
    for l in range(count, LAYERS):
        columns.volume[s, c, l], columns.mass[s, c, l], columns.soil[s, c, l] = 0, 0, 0
    columns.borne[s, c] = np.float32(0.0)


@bare_inner
def natural_volume(columns: Columns, k: int, left: Units) -> Units:
    """Volume of layer k from the surface down where so much volume is left from there to the bottom."""
    n = columns.numbers
    if k == columns.natural.shape[0] - 1:
        return left
    return min(left, max(whole(columns.natural[k, 1] * n[AREA] / n[VOLUME_UNIT]), np.int64(1)))


@bare_inner
def natural_mass(columns: Columns, k: int, v: Units) -> Units:
    n = columns.numbers
    return max(whole(v * n[VOLUME_UNIT] * columns.natural[k, 2] / n[MASS_UNIT]), np.int64(1))


@bare_inner
def natural_column_mass(columns: Columns, height: float) -> Units:
    """What `fill_naturally` puts into a column, in units."""
    n = columns.numbers
    left = max(whole((height - n[BASE]) * n[AREA] / n[VOLUME_UNIT]), np.int64(0))
    total, k = np.int64(0), 0
    while left > 0:
        v = natural_volume(columns, k, left)
        total += natural_mass(columns, k, v)
        left -= v
        k += 1
    return total


@bare_inner
def join_thinnest(columns: Columns, s: int, c: int) -> None:
    """Makes one layer of two, so that the uppermost place becomes free."""
    mass, volume, soil = columns.mass, columns.volume, columns.soil
    best, least = 0, np.int64(9223372036854775807)
    for l in range(LAYERS - 1):
        thin = min(volume[s, c, l], volume[s, c, l + 1])
        if thin < least:
            best, least = l, thin
    if mass[s, c, best + 1] > mass[s, c, best]:
        soil[s, c, best] = soil[s, c, best + 1]
    mass[s, c, best] += mass[s, c, best + 1]
    volume[s, c, best] += volume[s, c, best + 1]
    for l in range(best + 1, LAYERS - 1):
        mass[s, c, l], volume[s, c, l], soil[s, c, l] = mass[s, c, l + 1], volume[s, c, l + 1], soil[s, c, l + 1]
    mass[s, c, LAYERS - 1], volume[s, c, LAYERS - 1], soil[s, c, LAYERS - 1] = 0, 0, 0


@bare_inner
def put(columns: Columns, s: int, c: int, k: int, m: Units, v: Units) -> None:
    """Lays mass m and volume v of soil k onto a column."""
    if m <= 0:
        return
    v = max(v, np.int64(1))
    l = top_of(columns, s, c)
    if l >= 0 and columns.soil[s, c, l] == k:
        there = density_of(columns, s, c, l)
        coming = m * columns.numbers[MASS_UNIT] / (v * columns.numbers[VOLUME_UNIT])
        if abs(there - coming) <= ALIKE * there:
            columns.mass[s, c, l] += m
            columns.volume[s, c, l] += v
            return
    if l == LAYERS - 1:
        join_thinnest(columns, s, c)
        l -= 1
    columns.mass[s, c, l + 1], columns.volume[s, c, l + 1] = m, v
    columns.soil[s, c, l + 1] = np.uint8(k)


@bare_inner
def loose_volume(columns: Columns, k: int, m: Units) -> Units:
    """Volume that mass m of soil k has when it is loose."""
    n = columns.numbers
    return max(whole(m * n[MASS_UNIT] / (columns.soils[k, LOOSE] * n[VOLUME_UNIT])), np.int64(1))


@bare_inner
def part_of_mass(m: Units, v: Units, whole_v: Units) -> Units:
    """Mass of the part v of a volume; something stays as long as some volume does."""
    if v >= whole_v:
        return m
    return min(np.int64(np.floor(m * (v / whole_v))), m - 1)


@bare_inner
def take(columns: Columns, s: int, c: int, v: Units) -> Units:
    """Takes volume v off the top of a column; returns the mass that it had."""
    taken = np.int64(0)
    for l in range(LAYERS - 1, -1, -1):
        there = columns.volume[s, c, l]
        if there > 0 and v > 0:
            now = min(there, v)
            m = part_of_mass(columns.mass[s, c, l], now, there)
            columns.mass[s, c, l] -= m
            columns.volume[s, c, l] -= now
            taken += m
            v -= now
    return taken


@bare_inner
def take_mass(columns: Columns, s: int, c: int, l: int, m: Units) -> None:
    """Takes mass m off layer l, and of its volume as much as belongs to it."""
    there = columns.mass[s, c, l]
    if m >= there:
        columns.mass[s, c, l], columns.volume[s, c, l] = 0, 0
        return
    v = np.int64(np.floor(columns.volume[s, c, l] * (m / there)))
    columns.mass[s, c, l] -= m
    columns.volume[s, c, l] -= min(v, columns.volume[s, c, l] - 1)


@bare_inner
def split_at(columns: Columns, s: int, c: int, v: Units) -> Units:
    """Cuts the layer in which volume v from the surface down ends; returns the lowest layer above the cut."""
    for _ in range(2):
        top, above = top_of(columns, s, c), np.int64(0)
        for l in range(top, -1, -1):
            there = columns.volume[s, c, l]
            if above + there > v:
                upper = v - above
                if upper <= 0:
                    return l + 1
                if top == LAYERS - 1:
                    join_thinnest(columns, s, c)
                    break
                for k in range(top, l, -1):
                    columns.mass[s, c, k + 1] = columns.mass[s, c, k]
                    columns.volume[s, c, k + 1] = columns.volume[s, c, k]
                    columns.soil[s, c, k + 1] = columns.soil[s, c, k]
                m = part_of_mass(columns.mass[s, c, l], upper, there)
                columns.mass[s, c, l + 1], columns.volume[s, c, l + 1] = m, upper
                columns.soil[s, c, l + 1] = columns.soil[s, c, l]
                columns.mass[s, c, l] -= m
                columns.volume[s, c, l] -= upper
                return l + 1
            above += there
            if l == 0:
                return 0
    return 0


@bare_inner
def loosen(columns: Columns, s: int, c: int, v: Units) -> None:
    """Loosens the uppermost volume v of a column."""
    first = split_at(columns, s, c, v)
    for l in range(first, LAYERS):
        if columns.volume[s, c, l] > 0:
            loose = loose_volume(columns, columns.soil[s, c, l], columns.mass[s, c, l])
            columns.volume[s, c, l] = max(columns.volume[s, c, l], loose)


@bare_inner
def press(columns: Columns, s: int, c: int, v: Units, deep: Units) -> Units:
    """Takes volume v, but no mass, from the uppermost volume `deep`, as far as it can be pressed; returns how much."""
    first = split_at(columns, s, c, deep)
    room = np.int64(0)
    for l in range(first, LAYERS):
        room += _room_in(columns, s, c, l)
    if room <= 0:
        return np.int64(0)
    share = min(v / room, 1.0)
    pressed = np.int64(0)
    for l in range(first, LAYERS):
        less = np.int64(np.floor(share * _room_in(columns, s, c, l)))
        columns.volume[s, c, l] -= less
        pressed += less
    return pressed


@bare_inner
def _room_in(columns: Columns, s: int, c: int, l: int) -> Units:
    """Volume that a layer can lose until it is as dense as it gets."""
    n, v = columns.numbers, columns.volume[s, c, l]
    if v <= 0:
        return np.int64(0)
    densest = columns.soils[columns.soil[s, c, l], DENSEST]
    least = np.int64(np.ceil(columns.mass[s, c, l] * n[MASS_UNIT] / (densest * n[VOLUME_UNIT])))
    return max(v - max(least, np.int64(1)), np.int64(0))


# --- what a soil stands -------------------------------------------------------------------------------------


@bare_inner
def repose(soils: F64, k: int, density: float) -> float:
    """Tangent of the slope at which soil k of a density comes to rest: the denser, the steeper."""
    more = density / soils[k, DENSITY] - 1.0 / soils[k, SWELL]
    more = min(max(HARDENING * more, -1.0), 1.0)
    return soils[k, TANGENT] * np.float64(power(2.0, more))


@bare_inner
def cohesion(soils: F64, k: int, density: float) -> float:
    """Of soil k at a density, Pa: none when loose, all where it grew; pressing the loose soil restores it."""
    if soils[k, COHESION] == 0.0:
        return 0.0
    loose = soils[k, LOOSE]
    if soils[k, DENSITY] - loose < 1e-3 * loose:
        return soils[k, COHESION]
    share = (density - loose) / (soils[k, DENSITY] - loose)
    return soils[k, COHESION] * min(share, 1.0) if share > LOOSENED else 0.0
