"""Mass from columns to grains and back, in whole units: what one side gives the other takes, to the last unit."""

from __future__ import annotations

from math import floor
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.bricks import FREED, Bricks, Laid
from windrow.terrain.layers import (
    AREA,
    BASE,
    CELLS,
    LAYERS,
    MASS_UNIT,
    TILE,
    VOLUME_UNIT,
    Columns,
    Units,
    density_of,
    height_of,
    part_of_mass,
    put,
    top_of,
    whole,
)
from windrow.terrain.nodes import BACK, CUT, HELD, SKINNED, Grid, Nodes, inside, lowest_within, nearest

LIGHTEST, HEAVIEST = 0.8, 1.25
"""Mass that a grain gets over what the brick says: so that grains get what the columns gave."""
FILLED = 0.5
"""Mean radii above a grain's centre up to which a column is filled with it."""
SUNK = 2.0
"""Mean radii below all columns around it from which on a grain at rest is ground whatever tools need."""
SPHERE = 4.0 / 3.0 * np.pi
STAYS, COMES_FREE, GOES = 0, 1, 2
"""What becomes of a grain."""


class SoilRows(NamedTuple):
    """Columns of the state that the exchange reads and writes."""

    X: F32
    V: F32
    material: I32
    units: I64
    key: I64
    calm: U8


@bare_inner
def _column(columns: Columns, i: int, j: int) -> tuple[int, int]:
    return int(columns.slot[i // TILE, j // TILE]), (i % TILE) * TILE + j % TILE


@bare_inner
def _layer_at(columns: Columns, s: int, c: int, z: float) -> int:
    """The layer of a column at a height; the uppermost above it, −1 where there is none."""
    n = columns.numbers
    wanted = whole((z - n[BASE]) * n[AREA] / n[VOLUME_UNIT])
    top, filled = top_of(columns, s, c), np.int64(0)
    for l in range(top + 1):
        filled += columns.volume[s, c, l]
        if filled >= wanted:
            return l
    return int(top)


@bare_kernel
def cut_columns(columns: Columns, nodes: Nodes, grid: Grid, tiles: I64, taken: I64, touched: U8) -> None:
    """Cuts columns down to their new surface; taken: mass by soil, in units. The tiles are in memory."""
    n = columns.numbers
    for t in range(len(tiles)):
        s = columns.slot[tiles[t, 0], tiles[t, 1]]
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny or not nodes.flags[i, j] & CUT:
                continue
            v = whole((height_of(columns, s, c) - np.float64(nodes.new[i, j])) * n[AREA] / n[VOLUME_UNIT])
            for l in range(LAYERS - 1, -1, -1):
                there = columns.volume[s, c, l]
                if there > 0 and v > 0:
                    now = min(there, v)
                    m = part_of_mass(columns.mass[s, c, l], now, there)
                    columns.mass[s, c, l] -= m
                    columns.volume[s, c, l] -= now
                    taken[columns.soil[s, c, l]] += m
                    v -= now
            columns.borne[s, c] = np.float32(0.0)
            columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
            touched[tiles[t, 0], tiles[t, 1]] = 1


@bare_inner
def _nominal(columns: Columns, bricks: Bricks, grid: Grid, x: float, y: float, z: float, r: float) -> tuple[int, float]:
    """Soil at a place, and the mass (kg) that a grain of radius r stands for there."""
    i, j = nearest(grid, x, y)
    i, j = min(max(i, 0), grid.nx - 1), min(max(j, 0), grid.ny - 1)
    s, c = _column(columns, i, j)
    l = _layer_at(columns, s, c, z - grid.z)
    if l < 0:
        return 0, 0.0
    return int(columns.soil[s, c, l]), density_of(columns, s, c, l) * SPHERE * r * r * r / bricks.solid


@bare_kernel
def weigh(
    columns: Columns, bricks: Bricks, grid: Grid, rows: SoilRows, count: int, action: U8, laid: Laid, fresh: int,
    soil: U8,
    mass: F64, total: F64,
) -> None:  # fmt: skip
    """Soil and mass (kg) by the brick of all grains that become free: those of the state, then those laid (`fresh`).

    total: by soil. To be called before columns are cut.
    """
    total[:] = 0.0
    for g in range(count):
        if action[g] == COMES_FREE:
            X = rows.X[g]
            x, y, z, r = np.float64(X[0]), np.float64(X[1]), np.float64(X[2]), np.float64(X[3])
            soil[g], mass[g] = _nominal(columns, bricks, grid, x, y, z, r)
            total[soil[g]] += mass[g]
    for k in range(fresh):
        g = count + k
        soil[g], mass[g] = _nominal(
            columns, bricks, grid, laid.X[k, 0], laid.X[k, 1], laid.X[k, 2], laid.X[k, 3]
        )
        if laid.kind[k] == FREED:
            total[soil[g]] += mass[g]


@bare_kernel
def share_out(
    rows: SoilRows, count: int, action: U8, laid: Laid, fresh: int, soil: U8, mass: F64, total: F64, unit: float,
    owed: I64, material: I32,
) -> None:  # fmt: skip
    """Gives what is owed to the grains that become free, each its share. The grains laid are rows from `count` on.

    owed: by soil, in units; what is left of it goes to the next ones. material: of the grains of each soil.
    """
    for k in range(len(owed)):
        give = owed[k] * unit
        total[k] = min(max(give / total[k], LIGHTEST), HEAVIEST) if total[k] > 0.0 else 1.0
    for g in range(count + fresh):
        if g < count:
            if action[g] != COMES_FREE:
                continue
        else:
            rows.material[g] = material[soil[g]]
            if laid.kind[g - count] != FREED:
                continue
        units = max(whole(mass[g] * total[soil[g]] / unit), np.int64(1))
        owed[soil[g]] -= units
        rows.units[g], rows.key[g], rows.calm[g] = units, -1, 0
        rows.material[g] = material[soil[g]]
        rows.V[g, 0] = rows.V[g, 1] = rows.V[g, 2] = np.float32(0.0)
        rows.V[g, 3] = np.float32(1.0 / (units * unit))


@bare_inner
def _spline(d: float) -> tuple[float, float, float]:
    """Weights of the columns before, at and after a place, d of a cell from the nearest: quadratic B-splines."""
    return 0.5 * (0.5 - d) * (0.5 - d), 0.75 - d * d, 0.5 * (0.5 + d) * (0.5 + d)


@bare_inner
def _is_buried(nodes: Nodes, grid: Grid, rows: SoilRows, g: int, i: int, j: int) -> bool:
    """Whether a grain lies deep below all columns around it, and no body is near."""
    z = np.float64(rows.X[g, 2]) - grid.z + SUNK * grid.radius
    if z >= nodes.old[i, j] or nodes.flags[i, j] & HELD:
        return False
    return bool(z < lowest_within(nodes.old, grid, i, j, 1))


@bare_kernel
def find_back(nodes: Nodes, grid: Grid, rows: SoilRows, count: int, looks: int, touched: U8, found: I32) -> int:
    """Grains over columns that are marked, and those at rest that ground has closed over; returns how many.

    The second kind needs no tool to be away: one that came there would first cut the ground above it. looks: at which
    they were slow; touched: tiles that get their mass.
    """
    many = 0
    for g in range(count):
        if rows.units[g] <= 0:
            continue
        i, j = nearest(grid, np.float64(rows.X[g, 0]), np.float64(rows.X[g, 1]))
        if not inside(grid, i, j):
            continue
        if not nodes.flags[i, j] & BACK:
            if rows.calm[g] < looks or not _is_buried(nodes, grid, rows, g, i, j):
                continue
            for p in range(max(i - 1, 0), min(i + 2, grid.nx)):
                for q in range(max(j - 1, 0), min(j + 2, grid.ny)):
                    touched[p // TILE, q // TILE] = 1
        found[many] = g
        many += 1
    return many


@bare_inner
def _weight(columns: Columns, nodes: Nodes, grid: Grid, i: int, j: int, z: float, w: float) -> float:
    """Share of a grain at height z that column (i, j) gets: none if it is higher than the grain lies, or if grains lie
    over it that stay free: they fill it themselves when they turn back."""
    if not inside(grid, i, j) or (nodes.live[i, j] > 0 and not nodes.flags[i, j] & BACK):
        return 0.0
    s, c = _column(columns, i, j)
    return w if height_of(columns, s, c) < z + FILLED * grid.radius else 0.0


@bare_inner
def _weights(columns: Columns, nodes: Nodes, grid: Grid, place: Any, a: Any, b: Any) -> tuple[float, int]:
    """Sum of the weights of the 3 × 3 columns around place (column along x and y, height), and who has the largest."""
    i, j, z = place
    total, best, most = 0.0, 4, 0.0
    for q in range(9):
        w = _weight(columns, nodes, grid, i + q // 3 - 1, j + q % 3 - 1, z, a[q // 3] * b[q % 3])
        total += w
        if w > most:
            best, most = q, w
    return total, best


@bare_inner
def _lay_down(columns: Columns, i: int, j: int, k: int, m: Units, density: float) -> None:
    """Puts mass m of soil k, at a density, onto a column."""
    s, c = _column(columns, i, j)
    n = columns.numbers
    put(columns, s, c, k, m, whole(m * n[MASS_UNIT] / (density * n[VOLUME_UNIT])))


@bare_kernel
def turn_back(
    columns: Columns, nodes: Nodes, grid: Grid, rows: SoilRows, order: I32, soil_of: I32, density: F64, skin: int
) -> None:
    """Grains become ground, from below upwards, and stay as its skin.

    The mass of each goes to those of 3 × 3 columns that are lower than it lies. soil_of: soil of each material; density
    (soils,): that it lies at, kg/m³.
    """
    for n in range(len(order)):
        g = order[n]
        x, y, z = np.float64(rows.X[g, 0]), np.float64(rows.X[g, 1]), np.float64(rows.X[g, 2]) - grid.z
        i, j = nearest(grid, x, y)
        a = _spline((x - grid.x) / grid.cell - i)
        b = _spline((y - grid.y) / grid.cell - j)
        total, best = _weights(columns, nodes, grid, (i, j, z), a, b)
        if total == 0.0:  # all of them are filled up: each gets its share nevertheless
            z = np.float64(1e30)
            total, best = _weights(columns, nodes, grid, (i, j, z), a, b)
        k, left = soil_of[rows.material[g]], rows.units[g]
        for q in range(9):
            if q != best:
                w = _weight(columns, nodes, grid, i + q // 3 - 1, j + q % 3 - 1, z, a[q // 3] * b[q % 3])
                m = min(np.int64(floor(w / total * rows.units[g])), left) if w > 0.0 else np.int64(0)
                _lay_down(columns, i + q // 3 - 1, j + q % 3 - 1, k, m, density[k])
                left -= m
        _lay_down(columns, i + best // 3 - 1, j + best % 3 - 1, k, left, density[k])
        rows.units[g], rows.key[g], rows.calm[g] = 0, skin, 0
        for axis in range(4):
            rows.V[g, axis] = np.float32(0.0)
        nodes.marks[i, j] |= SKINNED
        nodes.live[i, j] -= 1


@bare_kernel
def renew_heights(columns: Columns, nodes: Nodes, grid: Grid, tiles: I64) -> None:
    """Heights of all columns of tiles from what is in them."""
    for t in range(len(tiles)):
        s = columns.slot[tiles[t, 0], tiles[t, 1]]
        if s < 0:
            continue
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i < grid.nx and j < grid.ny:
                columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
                nodes.old[i, j] = nodes.new[i, j] = columns.height[i + 1, j + 1]
