"""One sweep of sliding soil: what every column gives to its neighbours, and what it gets."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I32, I64, U8
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


WALL = 9
"""Numbers of a tool that keeps columns apart: one end of its edge (x, y, m), the direction along it and its length (m),
the direction ahead, how far it reaches back (m), and its lowest height (m)."""
HELD_STILL = 4
"""Bit of `Sliding.marks`: grains are near, and the column neither gives nor gets."""


class Sliding(NamedTuple):
    """Workspace for the tiles that are looked at."""

    tiles: I64
    """(t, 2)"""
    place: I32
    """(tiles along x, along y) row of the tiles that are looked at, else −1"""
    flow: I64
    """(t, 8, CELLS) mass that goes to each neighbour, in units"""
    flows: U8
    """(t,) 0: all of its `flow` is 0"""
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
    extent: F64
    """(t, 2) heights below which a face that ends in the tile may be too high, and of its lowest column, m"""
    foot: F32
    """(t, 8, CELLS) slope of the plane on which the face that begins here slides; 0: it stands"""
    feet: U8
    """(t,) 0: all of its `foot` is 0"""
    walls: F64
    """(w, WALL) tools that stand in the ground, see `parted`"""
    still: float
    """excess, over the width of a cell, at which soil comes to rest"""
    marks: U8
    """(nx, ny) columns with HELD_STILL do not slide; see `nodes`"""


def work_room(tiles: int, place: I32, marks: U8) -> Sliding:
    return Sliding(
        np.zeros((0, 2), np.int64),
        place,
        np.zeros((tiles, 8, CELLS), np.int64),
        np.zeros(tiles, np.uint8),
        np.zeros((tiles, CELLS, LAYERS), np.int64),
        np.zeros((tiles, CELLS, LAYERS), np.uint8),
        np.zeros(tiles, np.int32),
        np.zeros((tiles, CELLS), np.float32),
        np.zeros((tiles, CELLS, 3), np.float32),
        np.zeros((tiles, 2)),
        np.zeros((tiles, 8, CELLS), np.float32),
        np.zeros(tiles, np.uint8),
        np.zeros((0, WALL)),
        STILL,
        marks,
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


@bare_inner
def parted(walls: F64, x: float, y: float, to_x: float, to_y: float, h: float) -> bool:
    """Whether a tool is between two columns, of which the first has height h: one is below it, the other is not."""
    for w in range(len(walls)):
        if h <= walls[w, 8]:
            continue
        below = False
        for k in range(2):
            dx, dy = (x if k == 0 else to_x) - walls[w, 0], (y if k == 0 else to_y) - walls[w, 1]
            along = dx * walls[w, 2] + dy * walls[w, 3]
            behind = -(dx * walls[w, 5] + dy * walls[w, 6])
            inside = 0.0 <= along <= walls[w, 4] and 0.0 <= behind <= walls[w, 7]
            below = inside if k == 0 else below != inside
        if below:
            return True
    return False


@bare_inner
def _lets_pass(columns: Columns, work: Sliding, i: int, j: int, d: int, shape: Any, h: float) -> bool:
    """Whether soil of column (i, j) can go to its neighbour in direction d."""
    if len(work.walls) == 0:
        return True
    cell = columns.numbers[CELL]
    x, y = cell * (i - 0.5 * (shape[0] - 1)), cell * (j - 0.5 * (shape[1] - 1))
    return not parted(work.walls, x, y, x + cell * STEP_X[d], y + cell * STEP_Y[d], h)


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
    least = least_drop(columns)
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        if work.flows[t]:
            for d in range(8):
                for c in range(CELLS):
                    work.flow[t, d, c] = 0
        bits = np.int32(0)
        for i in range(tx * TILE, min(nx, tx * TILE + TILE)):
            for j in range(ty * TILE, min(ny, ty * TILE + TILE)):
                if may_give(columns, i, j, least):
                    bits |= flows_from(columns, work, t, (i % TILE) * TILE + j % TILE, i, j, nx, ny)
        work.moved[t] = bits
        work.flows[t] = 1 if bits & ~RETRY else 0


@bare_inner
def least_drop(columns: Columns) -> float:
    """Drop to a neighbour up to which no column gives anything, m: `repose` is at least half of the tangent."""
    slope = columns.soils[0, TANGENT]
    for k in range(columns.soils.shape[0]):
        slope = min(slope, columns.soils[k, TANGENT])
    return float(0.5 * TRIM * slope * columns.numbers[CELL])


@bare_inner
def may_give(columns: Columns, i: int, j: int, least: float) -> bool:
    """Whether column (i, j) is higher than one of its neighbours by more than `least`, m."""
    height = columns.height
    low = min(
        height[i, j], height[i, j + 1], height[i, j + 2], height[i + 1, j], height[i + 1, j + 2], height[i + 2, j],
        height[i + 2, j + 1], height[i + 2, j + 2],
    )  # fmt: skip
    return bool(np.float64(height[i + 1, j + 1]) - np.float64(low) > least)


@bare_inner
def flows_from(columns: Columns, work: Sliding, t: int, c: int, i: int, j: int, nx: int, ny: int) -> Any:
    """Writes what column (i, j), number c of the tile in row t, gives; returns the bits of `moved`."""
    n, height = columns.numbers, columns.height
    cell = n[CELL]
    for d in range(8):
        work.flow[t, d, c] = 0
    if i >= nx or j >= ny:
        return np.int32(0)
    h = np.float64(height[i + 1, j + 1])
    # The ring repeats the edge, so that nothing flows over it.
    lowest = h
    for d in range(8):
        lowest = min(lowest, np.float64(height[i + 1 + STEP_X[d], j + 1 + STEP_Y[d]]))
    if h - lowest <= work.still * cell or work.marks[i, j] & HELD_STILL:
        return np.int32(0)
    s = columns.slot[i // TILE, j // TILE]
    k, density, top = _top(columns, s, c)
    if top < 0:
        return np.int32(0)
    slope = TRIM * repose(columns.soils, k, density)
    if h - lowest <= slope * cell:
        return np.int32(0)
    stands = 0.0
    strength = cohesion(columns.soils, k, density)
    if strength > 0.0:
        stands = upright_height(columns, k, strength, density * n[GRAVITY])
    there = _layers_that_go(columns, work, t, c, s, top)
    return _give(columns, work, t, c, i, j, (nx, ny), (h, slope, stands), (density, there))


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
        if a < 0 or b < 0 or a >= shape[0] or b >= shape[1] or work.marks[a, b] & HELD_STILL:
            continue
        allowed = max(WAY[d] * n[CELL] * slope, stands)
        excess = h - np.float64(height[a + 1, b + 1]) - allowed
        if excess > work.still * n[CELL] and _lets_pass(columns, work, i, j, d, shape, h):
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
        if a < 0 or b < 0 or a >= shape[0] or b >= shape[1] or work.marks[a, b] & HELD_STILL:
            continue
        allowed = max(WAY[d] * n[CELL] * slope, stands)
        excess = h - np.float64(height[a + 1, b + 1]) - allowed
        if excess <= work.still * n[CELL] or not _lets_pass(columns, work, i, j, d, shape, h):
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
        if columns.slot[tx, ty] < 0 or not _flows_near(work, tx, ty):
            continue
        for c in range(CELLS):
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i < nx and j < ny:
                move_column(columns, work, t, c, i, j, nx, ny)


@bare_inner
def _flows_near(work: Sliding, tx: int, ty: int) -> bool:
    """Whether anything flows in a tile, or into it."""
    if work.flows[work.place[tx, ty]]:
        return True
    for d in range(8):
        x, y = tx + STEP_X[d], ty + STEP_Y[d]
        if x >= 0 and y >= 0 and x < work.place.shape[0] and y < work.place.shape[1]:
            t = work.place[x, y]
            if t >= 0 and work.moved[t] & np.int32(1 << (7 - d)):
                return True
    return False


@bare_inner
def move_column(columns: Columns, work: Sliding, t: int, c: int, i: int, j: int, nx: int, ny: int) -> Units:
    """Takes off column (i, j) what it gives, puts on what it gets; returns what it has more, in units of mass."""
    s = columns.slot[i // TILE, j // TILE]
    out = np.int64(0)
    for d in range(8):
        out += work.flow[t, d, c]
    give_away(columns, s, c, out)
    came = np.int64(0)
    for d in range(8):
        a, b = i + STEP_X[d], j + STEP_Y[d]
        if a < 0 or b < 0 or a >= nx or b >= ny:
            continue
        u = work.place[a // TILE, b // TILE]
        if u >= 0:
            came += get_from(columns, work, s, c, u, (a % TILE) * TILE + b % TILE, 7 - d)
    if out > 0 or came > 0:
        columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
    return came - out


@bare_inner
def give_away(columns: Columns, s: int, c: int, out: Units) -> None:
    """Takes mass off the top of a column."""
    left = out
    for l in range(LAYERS - 1, -1, -1):
        now = min(left, columns.mass[s, c, l])
        if now > 0:
            take_mass(columns, s, c, l, now)
            left -= now


@bare_inner
def get_from(columns: Columns, work: Sliding, s: int, c: int, u: int, e: int, d: int) -> Units:
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


