"""One sweep of sliding soil: what every column gives to its neighbours, and what it gets."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, I32, I64, U8
from windrow.kernel import bare_inner
from windrow.team import deal, parallel
from windrow.terrain.layers import (
    AREA,
    CELL,
    CELLS,
    COSINE,
    GRAVITY,
    LAYERS,
    MASS_UNIT,
    SINE,
    TANGENT,
    TILE,
    Columns,
    Units,
    cohesion,
    density_of,
    height_of,
    loose_volume,
    put,
    repose,
    take_mass,
    top_of,
)

SHARE = 0.125
"""Of the excess height that a column gives to a neighbour in a sweep; waves of single columns die out."""
MOST = 0.5
"""Of the largest excess that a column gives away in a sweep."""
TRIM = 0.97
"""Share of the slope of repose that is allowed towards neighbours: between the eight directions slopes are steeper."""
STILL = 1e-3
"""Excess, over the width of a cell, at which soil comes to rest."""
STEP_X = (-1, -1, -1, 0, 0, 1, 1, 1)
STEP_Y = (-1, 0, 1, -1, 1, -1, 0, 1)
"""The eight neighbours; the opposite of d is 7 − d."""
WAY = (sqrt(2.0), 1.0, sqrt(2.0), 1.0, 1.0, sqrt(2.0), 1.0, sqrt(2.0))
RETRY = np.int32(1 << 8)
"""Bit of `moved`: something would flow into a tile that is not looked at."""
INSIDE = np.int32(1 << 9)
"""Bit of `moved`: something flows within the tile."""


class Sliding(NamedTuple):
    """Workspace for the tiles that are looked at."""

    tiles: I64
    """(t, 2)"""
    place: I32
    """(tiles along x, along y) row of the tiles that are looked at, else −1"""
    flow: I64
    """(t, 8, CELLS) mass that goes to each neighbour, in units"""
    going: I64
    """(t, CELLS, LAYERS) mass of the layers that can go, from the surface down; those of the columns that give"""
    soil: U8
    """(t, CELLS, LAYERS) their soils"""
    moved: I32
    """(t,) bits: into which neighbouring tiles something flows; RETRY, INSIDE"""
    firm: F32
    """(t, CELLS) height of what has cohesion, m; −inf: none"""
    strength: F32
    """(t, CELLS, 3) its cohesion (Pa), weight (N/m³) and soil"""
    foot: F32
    """(t, 8, CELLS) slope of the plane on which the face that begins here slides; 0: it stands"""


def work_room(tiles: int, place: I32) -> Sliding:
    return Sliding(
        np.zeros((0, 2), np.int64),
        place,
        np.zeros((tiles, 8, CELLS), np.int64),
        np.zeros((tiles, CELLS, LAYERS), np.int64),
        np.zeros((tiles, CELLS, LAYERS), np.uint8),
        np.zeros(tiles, np.int32),
        np.zeros((tiles, CELLS), np.float32),
        np.zeros((tiles, CELLS, 3), np.float32),
        np.zeros((tiles, 8, CELLS), np.float32),
    )


@bare_inner
def _top(columns: Columns, s: int, c: int) -> tuple[int, float, int]:
    """Soil and density (kg/m³) of the uppermost layer, and its number; −1: there is none."""
    if s < 0:
        return int(columns.natural[0, 0]), columns.natural[0, 2], 0
    l = top_of(columns, s, c)
    if l < 0:
        return 0, 0.0, -1
    return int(columns.soil[s, c, l]), density_of(columns, s, c, l), l


@bare_inner
def _layers_that_go(columns: Columns, work: Sliding, t: int, c: int, s: int, top: int) -> Units:
    """Notes the uppermost layer and those without cohesion below it; returns their mass."""
    for l in range(LAYERS):
        work.going[t, c, l] = 0
    if s < 0:
        work.going[t, c, 0], work.soil[t, c, 0] = np.int64(1 << 62), np.uint8(columns.natural[0, 0])
        return np.int64(1 << 62)
    total = np.int64(0)
    for l in range(top, -1, -1):
        k = columns.soil[s, c, l]
        if l < top and cohesion(columns.soils, k, density_of(columns, s, c, l)) > 0.0:
            break
        work.going[t, c, top - l], work.soil[t, c, top - l] = columns.mass[s, c, l], k
        total += columns.mass[s, c, l]
    return total


@bare_inner
def upright_height(columns: Columns, k: int, c: float, weight: float) -> float:
    """Height that an upright face of soil k with cohesion c (Pa) and a weight (N/m³) stands, m."""
    soils = columns.soils
    return 4.0 * c / weight * soils[k, COSINE] / (1.0 - soils[k, SINE])


@parallel
def find_steep(team: int, columns: Columns, nx: int, ny: int, active: U8) -> None:
    """Marks all tiles with a slope steeper than the friction angle of the softest soil; cohesion may hold it yet."""
    slope = columns.soils[0, TANGENT]
    for k in range(columns.soils.shape[0]):
        slope = min(slope, columns.soils[k, TANGENT])
    most = TRIM * slope * columns.numbers[CELL]
    height, high = columns.height, active.shape[1]
    for tile in deal(team, active.shape[0] * high):
        tx, ty = tile // high, tile % high
        steep = False
        for i in range(tx * TILE, min(nx, tx * TILE + TILE)):
            for j in range(ty * TILE, min(ny, ty * TILE + TILE)):
                for d in range(8):
                    drop = height[i + 1, j + 1] - height[i + 1 + STEP_X[d], j + 1 + STEP_Y[d]]
                    steep = steep or drop > WAY[d] * most
        active[tx, ty] = 1 if steep else 0


@parallel
def find_flows(team: int, columns: Columns, work: Sliding, nx: int, ny: int) -> None:
    """What every column gives to each of its neighbours."""
    n, height = columns.numbers, columns.height
    cell = n[CELL]
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        s = columns.slot[tx, ty]
        bits = np.int32(0)
        for c in range(CELLS):
            for d in range(8):
                work.flow[t, d, c] = 0
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i >= nx or j >= ny:
                continue
            h = np.float64(height[i + 1, j + 1])
            # The ring repeats the edge, so that nothing flows over it.
            lowest = h
            for d in range(8):
                lowest = min(lowest, np.float64(height[i + 1 + STEP_X[d], j + 1 + STEP_Y[d]]))
            if h - lowest <= STILL * cell:
                continue
            k, density, top = _top(columns, s, c)
            if top < 0:
                continue
            slope = TRIM * repose(columns.soils, k, density)
            if h - lowest <= slope * cell:
                continue
            stands = 0.0
            strength = cohesion(columns.soils, k, density)
            if strength > 0.0:
                stands = upright_height(columns, k, strength, density * n[GRAVITY])
            there = _layers_that_go(columns, work, t, c, s, top)
            bits |= _give(columns, work, t, c, i, j, (nx, ny), (h, slope, stands), (density, there))
        work.moved[t] = bits


@bare_inner
def _give(
    columns: Columns, work: Sliding, t: int, c: int, i: int, j: int, shape: Any, surface: Any, layer: Any
) -> Any:
    """Writes what column (i, j) gives; returns the bits of `moved`.

    shape: cells along x and y; surface: height, slope of repose and upright height it stands; layer: its density, and
    the mass that can go.
    """
    n, height = columns.numbers, columns.height
    h, slope, stands = surface
    density, there = layer
    total, most = 0.0, 0.0
    for d in range(8):
        a, b = i + STEP_X[d], j + STEP_Y[d]
        if a < 0 or b < 0 or a >= shape[0] or b >= shape[1]:
            continue
        allowed = max(WAY[d] * n[CELL] * slope, stands)
        excess = h - np.float64(height[a + 1, b + 1]) - allowed
        if excess > STILL * n[CELL]:
            total += SHARE * excess
            most = max(most, excess)
    if total == 0.0:
        return np.int32(0)
    share = SHARE * min(1.0, MOST * most / total)
    heavy = density * n[AREA] / n[MASS_UNIT]
    wanted = share / SHARE * total * heavy
    # Layers thinner than what would go go as a whole; the rest of them to the lowest neighbour.
    all_goes = wanted >= there
    if all_goes:
        share *= there / wanted
    bits, left, steepest = np.int32(0), there, -1
    tx, ty = i // TILE, j // TILE
    for d in range(8):
        a, b = i + STEP_X[d], j + STEP_Y[d]
        if a < 0 or b < 0 or a >= shape[0] or b >= shape[1]:
            continue
        allowed = max(WAY[d] * n[CELL] * slope, stands)
        excess = h - np.float64(height[a + 1, b + 1]) - allowed
        if excess <= STILL * n[CELL]:
            continue
        dx, dy = a // TILE - tx, b // TILE - ty
        if work.place[tx + dx, ty + dy] < 0:
            bits |= RETRY
            continue
        m = min(np.int64(np.floor(share * excess * heavy)), left)
        if excess == most and all_goes and steepest < 0:
            steepest = d
        elif m <= 0:
            continue
        work.flow[t, d, c] = m
        left -= m
        bits |= INSIDE
        if dx != 0 or dy != 0:
            for e in range(8):
                if STEP_X[e] == dx and STEP_Y[e] == dy:
                    bits |= np.int32(1 << e)
    if steepest >= 0:
        work.flow[t, steepest, c] += left
    return bits


@parallel
def move(team: int, columns: Columns, work: Sliding, nx: int, ny: int) -> None:
    """Takes off every column what it gives, and puts on what it gets."""
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        s = columns.slot[tx, ty]
        if s < 0:
            continue
        for c in range(CELLS):
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i >= nx or j >= ny:
                continue
            out = np.int64(0)
            for d in range(8):
                out += work.flow[t, d, c]
            left = out
            for l in range(LAYERS - 1, -1, -1):
                now = min(left, columns.mass[s, c, l])
                if now > 0:
                    take_mass(columns, s, c, l, now)
                    left -= now
            came = np.int64(0)
            for d in range(8):
                a, b = i + STEP_X[d], j + STEP_Y[d]
                if a < 0 or b < 0 or a >= nx or b >= ny:
                    continue
                u = work.place[a // TILE, b // TILE]
                if u >= 0:
                    came += _get(columns, work, s, c, u, (a % TILE) * TILE + b % TILE, 7 - d)
            if out > 0 or came > 0:
                columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))


@bare_inner
def _get(columns: Columns, work: Sliding, s: int, c: int, u: int, e: int, d: int) -> Units:
    """Puts what column e of tile u gives in direction d onto column c; returns its mass.

    The column gives its layers from the surface down, first what goes in direction 0, then in direction 1, and so on.
    """
    m = work.flow[u, d, e]
    if m == 0:
        return m
    begin = np.int64(0)
    for before in range(d):
        begin += work.flow[u, before, e]
    end, passed = begin + m, np.int64(0)
    for l in range(LAYERS):
        there = work.going[u, e, l]
        part = min(end, passed + there) - max(begin, passed)
        if part > 0:
            k = work.soil[u, e, l]
            put(columns, s, c, k, part, loose_volume(columns, k, part))
        passed += there
        if passed >= end:
            break
    return m


