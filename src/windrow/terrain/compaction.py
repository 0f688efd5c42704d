"""Ground under a load: it sinks by Bekker's law, p = (k_c/b + k_φ) zⁿ, and keeps its mass.

A load rests on the columns that its lower side touches. Each of them remembers the largest pressure that it has borne:
only more than that lets it sink further, so that unloading leaves a rut. It sinks by getting denser down to twice the
width of the load; what finds no room there is pushed aside. Sinking takes some hundredths of a second, and no column
runs ahead of what presses on it.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.fixed_kernels import power
from windrow.geometry.terms import F64, I64, U8
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.layers import (
    AREA,
    CELL,
    EXPONENT,
    K_C,
    K_PHI,
    TILE,
    VOLUME_UNIT,
    Columns,
    height_of,
    loose_volume,
    part_of_mass,
    press,
    put,
    take_mass,
    top_of,
    whole,
)

SETTLING = 0.05
"""s in which ground sinks under a new load; AGX Terrain's default."""
TOUCH = 0.05
"""Gap, over the width of a cell, up to which a column carries."""
DEEP = 2.0
"""Depth down to which ground is pressed, over the width of the load."""
LEAD = 0.5
"""Of that gap: how far a column sinks ahead of the load in a step."""
STILL = 2e-5
"""m of sinking in a step below which the ground is at rest"""
FARTHEST = 64
"""Cells that soil is pushed aside at most."""


@bare_inner
def sinkage(columns: Columns, k: int, b: float, pressure: float) -> float:
    """How deep a plate of width b (m) sinks into soil k under a pressure (Pa), m."""
    soils = columns.soils
    share = pressure / (soils[k, K_C] / b + soils[k, K_PHI])
    root = np.float64(power(share, 0.5 / soils[k, EXPONENT]))
    return root * root if share > 0.0 else 0.0


@bare_inner
def pressure_at(columns: Columns, k: int, b: float, z: float) -> float:
    """The inverse of `sinkage`, Pa."""
    soils = columns.soils
    root = np.float64(power(z, 0.5 * soils[k, EXPONENT])) if z > 0.0 else 0.0
    return (soils[k, K_C] / b + soils[k, K_PHI]) * root * root


@bare_kernel
def sink(
    columns: Columns, cells: I64, low: F64, count: int, force: float, dt: float, mask: U8, corner: I64, sunk: F64
) -> None:
    """Lets the ground sink under one load.

    cells (n, 3): columns below it, and whether it covers their middles, which makes its area; low (n,): height of its
    lower side there, m; force: N, downwards; mask: room for the box of cells that begins at `corner`, zero; sunk[0]
    becomes the greatest sinking in this step, m.
    """
    n = columns.numbers
    touch = TOUCH * n[CELL]
    touching = covered = 0
    x0, x1, y0, y1 = 1 << 60, -1, 1 << 60, -1
    x_mean, y_mean = 0.0, 0.0
    # An edge that rests between the middles of columns touches none of them there; the nearest carry it.
    off = 1e300
    for c in range(count):
        off = min(off, low[c] - np.float64(columns.height[cells[c, 0] + 1, cells[c, 1] + 1]))
    off = max(off, 0.0)
    for c in range(count):
        i, j = cells[c, 0], cells[c, 1]
        if low[c] - np.float64(columns.height[i + 1, j + 1]) - off <= touch:
            if cells[c, 2] == 1 and mask[i - corner[0], j - corner[1]] != 2:
                covered += 1
            mask[i - corner[0], j - corner[1]] = max(mask[i - corner[0], j - corner[1]], 1 + cells[c, 2])
            touching += 1
            x_mean += i
            y_mean += j
            if cells[c, 2] == 1:
                x0, x1, y0, y1 = min(x0, i), max(x1, i), min(y0, j), max(y1, j)
    sunk[0] = 0.0
    if touching == 0 or force <= 0.0:
        return
    # What is smaller than a cell presses on one.
    area = max(covered, 1) * n[AREA]
    pressure = force / area
    wide, high = max(x1 - x0 + 1.0, 1.0), max(y1 - y0 + 1.0, 1.0)
    long = n[CELL] * sqrt(wide * wide + high * high)
    b = area / long
    for c in range(count):
        i, j = cells[c, 0], cells[c, 1]
        if mask[i - corner[0], j - corner[1]] > 0:
            gap = low[c] - np.float64(columns.height[i + 1, j + 1]) - off
            middle = x_mean / touching, y_mean / touching
            down = _sink_column(columns, i, j, pressure, b, LEAD * touch - gap, dt, mask, corner, middle)
            sunk[0] = max(sunk[0], down)


@bare_inner
def _sink_column(columns, i, j, pressure, b, most, dt, mask, corner, middle):  # type: ignore[no-untyped-def]
    """One column under a pressure; returns how far it sank, m."""
    n = columns.numbers
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    top = top_of(columns, s, c)
    if top < 0 or pressure <= columns.borne[s, c]:
        return 0.0
    k = columns.soil[s, c, top]
    before = sinkage(columns, k, b, np.float64(columns.borne[s, c]))
    down = min((sinkage(columns, k, b, pressure) - before) * dt / (dt + SETTLING), most)
    if down < STILL:
        return 0.0
    columns.borne[s, c] = np.float32(min(pressure_at(columns, k, b, before + down), pressure))
    wanted = whole(down * n[AREA] / n[VOLUME_UNIT])
    deep = whole(DEEP * b * n[AREA] / n[VOLUME_UNIT])
    rest = wanted - press(columns, s, c, wanted, deep)
    if rest > 0:
        _push_aside(columns, i, j, rest, mask, corner, middle)
    columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
    return down


@bare_inner
def _push_aside(columns, i, j, v, mask, corner, middle):  # type: ignore[no-untyped-def]
    """Brings volume v off the top of column (i, j) to the first column beside the load, away from its middle."""
    x, y = i - middle[0], j - middle[1]
    length = max(abs(x), abs(y))
    if length < 0.5:
        x, y, length = 1.0, 0.0, 1.0
    a, b = i, j
    for step in range(1, FARTHEST):
        a, b = int(np.floor(i + step * x / length + 0.5)), int(np.floor(j + step * y / length + 0.5))
        u, w = a - corner[0], b - corner[1]
        if u < 0 or w < 0 or u >= mask.shape[0] or w >= mask.shape[1]:
            return
        if mask[u, w] == 0:
            break
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    t, e = columns.slot[a // TILE, b // TILE], (a % TILE) * TILE + b % TILE
    l = top_of(columns, s, c)
    if l < 0 or (a == i and b == j):
        return
    now = min(v, columns.volume[s, c, l])
    k, m = columns.soil[s, c, l], part_of_mass(columns.mass[s, c, l], now, columns.volume[s, c, l])
    take_mass(columns, s, c, l, m)
    put(columns, t, e, k, m, loose_volume(columns, k, m))
    columns.height[a + 1, b + 1] = np.float32(height_of(columns, t, e))


@bare_kernel
def sink_under(
    columns: Columns, cells: I64, low: F64, pressure: F64, middle: F64, b: float, dt: float, mask: U8, corner: I64
) -> float:
    """Lets the ground sink under plates of width b (m) that press on each column with its own pressure, Pa.

    cells (n, 2), low (n,) as for `sink`; middle (n, 2): place in cells that soil is pushed aside from; mask: the box of
    cells that begins at `corner`, not zero where something presses. Returns the greatest sinking in this step, m.
    """
    touch, sunk = TOUCH * columns.numbers[CELL], 0.0
    for c in range(cells.shape[0]):
        i, j = cells[c, 0], cells[c, 1]
        gap = low[c] - np.float64(columns.height[i + 1, j + 1])
        if gap <= touch:
            away = middle[c, 0], middle[c, 1]
            sunk = max(sunk, _sink_column(columns, i, j, pressure[c], b, LEAD * touch - gap, dt, mask, corner, away))
    return sunk
