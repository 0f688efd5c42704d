"""Loops over columns: bringing tiles into memory, weighing, reading and setting them."""

from __future__ import annotations

import numpy as np

from windrow.geometry.terms import F32, F64, I64, U8
from windrow.kernel import bare_kernel
from windrow.team import deal, parallel
from windrow.terrain.layers import (
    AREA,
    CELLS,
    DENSITY,
    LAYERS,
    MASS_UNIT,
    TILE,
    VOLUME_UNIT,
    Columns,
    density_of,
    fill_naturally,
    height_of,
    natural_column_mass,
    put,
    take,
    top_of,
    whole,
)


@parallel
def weigh_natural(team: int, columns: Columns, nx: int, ny: int, tile_mass: I64) -> None:
    """Mass of all tiles as they are at the start."""
    wide, high = tile_mass.shape
    for tile in deal(team, wide * high):
        tx, ty = tile // high, tile % high
        total = np.int64(0)
        for i in range(tx * TILE, min(nx, tx * TILE + TILE)):
            for j in range(ty * TILE, min(ny, ty * TILE + TILE)):
                total += natural_column_mass(columns, np.float64(columns.height[i + 1, j + 1]))
        tile_mass[tx, ty] = total


@parallel
def open_tiles(team: int, columns: Columns, tiles: I64, nx: int, ny: int) -> None:
    """Fills the layers of tiles that have just got a slot."""
    for t in deal(team, len(tiles)):
        tx, ty = tiles[t, 0], tiles[t, 1]
        s = columns.slot[tx, ty]
        for c in range(CELLS):
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i < nx and j < ny:
                fill_naturally(columns, s, c, np.float64(columns.height[i + 1, j + 1]))
            else:
                columns.borne[s, c] = np.float32(0.0)
                for l in range(LAYERS):
                    columns.volume[s, c, l], columns.mass[s, c, l], columns.soil[s, c, l] = 0, 0, 0


@parallel
def weigh_tiles(team: int, columns: Columns, tiles: I64, nx: int, ny: int, tile_mass: I64) -> None:
    """Mass of tiles that are in memory."""
    for t in deal(team, len(tiles)):
        s = columns.slot[tiles[t, 0], tiles[t, 1]]
        total = np.int64(0)
        for c in range(CELLS):
            for l in range(LAYERS):
                total += columns.mass[s, c, l]
        tile_mass[tiles[t, 0], tiles[t, 1]] = total


@bare_kernel
def set_heights(columns: Columns, wanted: F64, i0: int, j0: int, booked: I64) -> None:
    """Fills up or cuts down columns; booked: mass that came and that went, in units."""
    n = columns.numbers
    for a in range(wanted.shape[0]):
        for b in range(wanted.shape[1]):
            i, j = i0 + a, j0 + b
            s = columns.slot[i // TILE, j // TILE]
            c = (i % TILE) * TILE + j % TILE
            v = whole((wanted[a, b] - height_of(columns, s, c)) * n[AREA] / n[VOLUME_UNIT])
            if v > 0:
                l = top_of(columns, s, c)
                k = columns.soil[s, c, l] if l >= 0 else np.uint8(columns.natural[0, 0])
                m = max(whole(v * n[VOLUME_UNIT] * columns.soils[k, DENSITY] / n[MASS_UNIT]), np.int64(1))
                put(columns, s, c, k, m, v)
                booked[0] += m
            elif v < 0:
                booked[1] += take(columns, s, c, -v)
            columns.borne[s, c] = np.float32(0.0)
            columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))


@parallel
def read_cells(team: int, columns: Columns, what: int, result: F64) -> None:
    """0: mass of each column, kg; 1: density of its uppermost layer, kg/m³; 2: its soil."""
    nx, ny = result.shape
    n = columns.numbers
    for i in deal(team, nx):
        for j in range(ny):
            s = columns.slot[i // TILE, j // TILE]
            c = (i % TILE) * TILE + j % TILE
            if s < 0:
                value = columns.natural[0, 2] if what == 1 else columns.natural[0, 0]
                if what == 0:
                    value = n[MASS_UNIT] * natural_column_mass(columns, np.float64(columns.height[i + 1, j + 1]))
            elif what == 0:
                total = np.int64(0)
                for l in range(LAYERS):
                    total += columns.mass[s, c, l]
                value = n[MASS_UNIT] * total
            else:
                l = top_of(columns, s, c)
                value = 0.0
                if l >= 0:
                    value = density_of(columns, s, c, l) if what == 1 else np.float64(columns.soil[s, c, l])
            result[i, j] = value


@bare_kernel
def read_tiles(columns: Columns, tiles: I64, nx: int, ny: int, heights: F32) -> None:
    """Heights of tiles; those beyond the edge stay as they are."""
    for t in range(len(tiles)):
        for a in range(TILE):
            for b in range(TILE):
                i, j = tiles[t, 0] * TILE + a, tiles[t, 1] * TILE + b
                if i < nx and j < ny:
                    heights[t, a, b] = columns.height[i + 1, j + 1]


@bare_kernel
def write_tiles(columns: Columns, tiles: I64, nx: int, ny: int, heights: F32) -> None:
    for t in range(len(tiles)):
        for a in range(TILE):
            for b in range(TILE):
                i, j = tiles[t, 0] * TILE + a, tiles[t, 1] * TILE + b
                if i < nx and j < ny:
                    columns.height[i + 1, j + 1] = heights[t, a, b]


@bare_kernel
def read_soils(columns: Columns, tiles: I64, soils: U8) -> None:
    """Soils of the uppermost layers of tiles that are in memory."""
    for t in range(len(tiles)):
        s = columns.slot[tiles[t, 0], tiles[t, 1]]
        for c in range(CELLS):
            l = top_of(columns, s, c)
            soils[t, c // TILE, c % TILE] = columns.soil[s, c, l] if l >= 0 else np.uint8(0)
