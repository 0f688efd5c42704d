"""Faces of soil with cohesion: which are too high (Culmann), and the wedges that fall."""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.kernel import bare_inner
from windrow.team import deal, parallel
from windrow.terrain.layers import (
    AREA,
    CELL,
    CELLS,
    COSINE,
    GRAVITY,
    SINE,
    TANGENT,
    TILE,
    VOLUME_UNIT,
    Columns,
    cohesion,
    density_of,
    height_of,
    loosen,
    top_of,
    whole,
)
from windrow.terrain.sliding import HELD_STILL, STEP_X, STEP_Y, WAY, Sliding, upright_height

SURELY = 0.999
"""Of the least height at which faces fail: places are kept in float32"""


@parallel
def find_firm(team: int, columns: Columns, work: Sliding, nx: int, ny: int) -> None:
    """Height and strength of the uppermost layer of each column that has cohesion."""
    n = columns.numbers
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        s = columns.slot[tx, ty]
        work.extent[t, 0], work.extent[t, 1] = -np.inf, np.inf
        for c in range(CELLS):
            work.firm[t, c] = np.float32(-np.inf)
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i >= nx or j >= ny:
                continue
            h = np.float64(columns.height[i + 1, j + 1])
            work.extent[t, 1] = min(work.extent[t, 1], h)
            if s < 0:
                k, density = int(columns.natural[0, 0]), columns.natural[0, 2]
                _note_firm(columns, work, t, c, h, k, density)
                continue
            for l in range(top_of(columns, s, c), -1, -1):
                k, density = int(columns.soil[s, c, l]), density_of(columns, s, c, l)
                if _note_firm(columns, work, t, c, h, k, density):
                    break
                h -= columns.volume[s, c, l] * n[VOLUME_UNIT] / n[AREA]


@bare_inner
def _note_firm(columns: Columns, work: Sliding, t: int, c: int, h: float, k: int, density: float) -> bool:
    """Whether a layer has cohesion; if so, it is what a face is made of."""
    strength = cohesion(columns.soils, k, density)
    if strength <= 0.0:
        return False
    work.firm[t, c] = np.float32(h)
    work.strength[t, c, 0] = np.float32(strength)
    work.strength[t, c, 1] = np.float32(density * columns.numbers[GRAVITY])
    work.strength[t, c, 2] = np.float32(k)
    stands = upright_height(columns, k, strength, density * columns.numbers[GRAVITY])
    work.extent[t, 0] = max(work.extent[t, 0], h - SURELY * stands)
    return True


@bare_inner
def _may_fail_below(work: Sliding, tx: int, ty: int) -> float:
    """Height above which no face begins in a tile that is too high, m: none stands less high than an upright one.

    Faces reach no further than into the neighbouring tiles.
    """
    below = -np.inf
    for x in range(max(tx - 1, 0), min(tx + 2, work.place.shape[0])):
        for y in range(max(ty - 1, 0), min(ty + 2, work.place.shape[1])):
            u = work.place[x, y]
            if u >= 0:
                below = max(below, work.extent[u, 0])
    return below


@bare_inner
def _feet_near(work: Sliding, tx: int, ty: int) -> bool:
    """Whether a face that falls begins in a tile or in one of its neighbours."""
    for x in range(max(tx - 1, 0), min(tx + 2, work.place.shape[0])):
        for y in range(max(ty - 1, 0), min(ty + 2, work.place.shape[1])):
            u = work.place[x, y]
            if u >= 0 and work.feet[u]:
                return True
    return False


@bare_inner
def overload(high: float, wide: float, c: float, weight: float, sine: float, cosine: float) -> tuple[float, float]:
    """Height of a face over that at which it fails (Culmann), and the slope of the plane it slides on.

    The face is `high` and `wide`, m; c: cohesion, Pa; weight: N/m³; sine, cosine: of the friction angle.
    """
    long = sqrt(high * high + wide * wide)
    s, k = high / long, wide / long
    if s * cosine - k * sine <= 0.0:
        return 0.0, 0.0
    stands = 4.0 * c / weight * s * cosine / (1.0 - (k * cosine + s * sine))
    return high / stands, (s + sine) / (k + cosine)


@parallel
def find_feet(team: int, columns: Columns, work: Sliding, nx: int, ny: int, reach: int) -> None:
    """Where faces begin that are too high, and how steep they slide."""
    n, soils = columns.numbers, columns.soils
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        found = np.int32(0)
        if work.feet[t]:
            for d in range(8):
                for c in range(CELLS):
                    work.foot[t, d, c] = np.float32(0.0)
        work.feet[t], work.moved[t] = 0, 0
        below = _may_fail_below(work, tx, ty)
        if not work.extent[t, 1] < below:
            continue
        for c in range(CELLS):
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i >= nx or j >= ny or not np.float64(columns.height[i + 1, j + 1]) < below:
                continue
            if work.marks[i, j] & HELD_STILL:  # a pit that grains fill is no foot: they bear the face
                continue
            for d in range(8):
                h, worst = np.float64(columns.height[i + 1, j + 1]), 1.0
                for step in range(1, reach + 1):
                    a, b = i + step * STEP_X[d], j + step * STEP_Y[d]
                    if a < 0 or b < 0 or a >= nx or b >= ny:
                        break
                    u = work.place[a // TILE, b // TILE]
                    if u < 0:
                        break
                    e = (a % TILE) * TILE + b % TILE
                    high = np.float64(work.firm[u, e]) - h
                    k = int(work.strength[u, e, 2])
                    if not high > step * WAY[d] * n[CELL] * soils[k, TANGENT]:
                        continue
                    load, slope = overload(
                        high, (step - 1) * WAY[d] * n[CELL],
                        np.float64(work.strength[u, e, 0]), np.float64(work.strength[u, e, 1]),
                        soils[k, SINE], soils[k, COSINE],
                    )  # fmt: skip
                    if load > worst:
                        worst = load
                        work.foot[t, d, c] = np.float32(slope)
                        found = np.int32(1)
        work.moved[t], work.feet[t] = found, found


@parallel
def find_wedges(team: int, columns: Columns, work: Sliding, nx: int, ny: int, reach: int) -> None:
    """firm becomes the height down to which each column is loosened; moved: whether any in the tile is."""
    n = columns.numbers
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        found = np.int32(0)
        work.moved[t] = 0
        if not _feet_near(work, tx, ty):
            continue
        for c in range(CELLS):
            work.firm[t, c] = np.float32(np.inf)
            i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
            if i >= nx or j >= ny or work.marks[i, j] & HELD_STILL:
                continue
            top = np.float64(columns.height[i + 1, j + 1])
            lowest = top
            for d in range(8):
                for step in range(1, reach + 1):
                    a, b = i - step * STEP_X[d], j - step * STEP_Y[d]
                    if a < 0 or b < 0 or a >= nx or b >= ny:
                        break
                    u = work.place[a // TILE, b // TILE]
                    if u < 0:
                        break
                    slope = np.float64(work.foot[u, d, (a % TILE) * TILE + b % TILE])
                    if slope > 0.0:
                        foot = np.float64(columns.height[a + 1, b + 1])
                        lowest = min(lowest, foot + (step - 0.5) * WAY[d] * n[CELL] * slope)
            if lowest < top:
                work.firm[t, c] = np.float32(lowest)
                found = np.int32(1)
        work.moved[t] = found


@parallel
def fall(team: int, columns: Columns, work: Sliding, nx: int, ny: int) -> None:
    """Loosens every column down to the plane it slides on."""
    n = columns.numbers
    for t in deal(team, len(work.tiles)):
        tx, ty = work.tiles[t, 0], work.tiles[t, 1]
        s = columns.slot[tx, ty]
        if s < 0 or work.moved[t] == 0:
            continue
        for c in range(CELLS):
            if work.firm[t, c] < np.float32(np.inf):
                i, j = tx * TILE + c // TILE, ty * TILE + c % TILE
                thick = height_of(columns, s, c) - np.float64(work.firm[t, c])
                v = whole(thick * n[AREA] / n[VOLUME_UNIT])
                if v > 0:
                    loosen(columns, s, c, v)
                    columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
