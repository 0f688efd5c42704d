"""Digging without grains: a tool takes columns off its way, carries them as a load, and lays them down.

Everything is whole units of mass: what a column loses the load gets, what the load loses a column gets.

cut      The edge goes over columns. One that it is half across is lowered by half of what stands above the edge; when
         it has left, the column ends at the edge's way. At the ends of the edge columns count by the part covered.
press    What is left above the floor of a bucket is pressed down by Bekker's law as under a wheel (`compaction`); what
         cannot be pressed goes into the load.
hold     A bucket carries its rated volume while its edge is in the ground or its floor level. In the air it holds less
         the further the floor looks down, none from the angle of repose on. A blade carries 0.8 W H² ahead of it (SAE
         J1265), less when its edge leaves the ground, nothing when it goes back.
spill    What is too much goes to both sides of the edge, more to the trailing one: windrows. What falls out of a
         turned bucket, or is left by a blade, is laid below and ahead of the edge. It arrives loose; slopes that are
         too steep slide as elsewhere.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.compaction import DEEP, pressure_at, sinkage
from windrow.terrain.cutting import (
    FILL,
    FLOOR,
    IS_BUCKET,
    VOLUME,
    Plate,
    heading_of,
)
from windrow.terrain.layers import (
    AREA,
    CELL,
    LAYERS,
    LOOSE,
    MASS_UNIT,
    TANGENT,
    TILE,
    VOLUME_UNIT,
    Columns,
    Units,
    height_of,
    loose_volume,
    part_of_mass,
    press,
    put,
    top_of,
    whole,
)

CARRIED = 0.8
"""Volume ahead of a blade over width times height squared: SAE J1265's rule for straight blades."""
EMPTYING = 0.4
"""s over which what no longer holds falls out of a bucket"""
GRIP = 0.05
"""m of depth from which on soil keeps a load in a bucket that looks down"""
LIFTED = 0.25
"""Of a blade's height: how far it is lifted when it carries nothing any more."""
STILL = 0.002
"""m/s: a blade that goes back faster than this leaves its load"""
NEGLIGIBLE = 1e-3
"""Of the rated volume: less than this falls out as a whole."""
BESIDE = 8
"""Columns at each end of the edge that a windrow is laid on: two across, the others behind."""
TOLERANCE = 1e-4
"""m that a floor may be in the ground unnoticed"""

UP, ALONG, ACROSS, PRESSED, IN_LOAD, SPILLED, DONE_NUMBERS = range(7)
"""Columns of `Haul.numbers`: force that holds the floor up (N), its moments about the middle of the edge, around the
edge and around the heading (N m); units taken up by pressing; loose volume of the load, m³; units laid down."""


class Haul(NamedTuple):
    """What a tool carries, and what it did in a step."""

    load: I64
    """(soils,) in units of mass"""
    box: I64
    """(4,) columns that changed: first and after the last along x, along y; empty: 0 in the second"""
    numbers: F64
    """(DONE_NUMBERS,)"""
    wall: F64
    """(WALL,) where it keeps columns apart, see `sliding.parted`"""


def nothing_dug(load: I64, wall: F64) -> Haul:
    return Haul(load, np.zeros(4, np.int64), np.zeros(DONE_NUMBERS), wall)


@bare_inner
def load_volume(columns: Columns, load: I64) -> float:
    """Loose, m³."""
    total = 0.0
    for k in range(len(load)):
        total += load[k] * columns.numbers[MASS_UNIT] / columns.soils[k, LOOSE]
    return total


@bare_inner
def _changed(dug: Haul, i: int, j: int) -> None:
    box = dug.box
    if box[1] == 0:
        box[0], box[1], box[2], box[3] = i, i + 1, j, j + 1
    box[0], box[1] = min(box[0], i), max(box[1], i + 1)
    box[2], box[3] = min(box[2], j), max(box[3], j + 1)


@bare_inner
def _take_up(columns: Columns, tile_mass: I64, dug: Haul, i: int, j: int, v: Units) -> None:
    """Moves volume v from the top of a column into the load."""
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    for l in range(LAYERS - 1, -1, -1):
        there = columns.volume[s, c, l]
        if there > 0 and v > 0:
            now = min(there, v)
            m = part_of_mass(columns.mass[s, c, l], now, there)
            columns.mass[s, c, l] -= m
            columns.volume[s, c, l] -= now
            dug.load[columns.soil[s, c, l]] += m
            tile_mass[i // TILE, j // TILE] -= m
            v -= now
    columns.borne[s, c] = np.float32(0.0)
    columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
    _changed(dug, i, j)


@bare_inner
def _lay_down(columns: Columns, tile_mass: I64, dug: Haul, i: int, j: int, k: int, m: Units) -> None:
    """Moves mass m of soil k from the load onto a column, loose."""
    if m <= 0:
        return
    s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
    put(columns, s, c, k, m, loose_volume(columns, k, m))
    dug.load[k] -= m
    dug.numbers[SPILLED] += m
    tile_mass[i // TILE, j // TILE] += m
    columns.borne[s, c] = np.float32(0.0)
    columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
    _changed(dug, i, j)


class _Line(NamedTuple):
    """A cutting edge seen from above."""

    x: float
    y: float
    z: float
    """its first end"""
    ex: float
    ey: float
    """along it, of length 1"""
    rise: float
    """of z per m along it"""
    length: float
    hx: float
    hy: float
    """ahead"""


@bare_inner
def _line(plate: Plate) -> _Line:
    hx, hy, length = heading_of(plate)
    e = plate.edge
    over = max(length, 1e-9)
    return _Line(
        e[0, 0], e[0, 1], e[0, 2], (e[1, 0] - e[0, 0]) / over, (e[1, 1] - e[0, 1]) / over,
        (e[1, 2] - e[0, 2]) / over, length, hx, hy,
    )  # fmt: skip


@bare_inner
def _passed(line: _Line, x: float, y: float, cell: float) -> float:
    """Share of the column at (x, y) that lies behind the edge."""
    behind = -((x - line.x) * line.hx + (y - line.y) * line.hy)
    return min(max(0.5 + behind / (cell * (abs(line.hx) + abs(line.hy))), 0.0), 1.0)


@bare_inner
def _covered(line: _Line, x: float, y: float, cell: float) -> tuple[float, float]:
    """Share of the column's width that is between the ends of the edge, and the edge's height there, m."""
    along = (x - line.x) * line.ex + (y - line.y) * line.ey
    half = 0.5 * cell * (abs(line.ex) + abs(line.ey))
    inside = min(along + half, line.length) - max(along - half, 0.0)
    at = min(max(along, 0.0), line.length)
    return min(max(inside / (2.0 * half), 0.0), 1.0), line.z + line.rise * at


@bare_inner
def _range(first: float, last: float, cell: float, n: int) -> tuple[int, int]:
    """Columns whose middles lie between two coordinates, and one more on each side."""
    low, high = first / cell + 0.5 * (n - 1), last / cell + 0.5 * (n - 1)
    return max(int(np.floor(low)) - 1, 0), min(int(np.ceil(high)) + 2, n)


@bare_inner
def cut_way(columns: Columns, tile_mass: I64, before: Plate, plate: Plate, dug: Haul) -> None:
    """Takes what stands above the way of the edge from one pose to the next into the load."""
    nx, ny, cell = columns.height.shape[0] - 2, columns.height.shape[1] - 2, columns.numbers[CELL]
    first, last = _line(before), _line(plate)
    dug.box[0], dug.box[1], dug.box[2], dug.box[3] = 0, 0, 0, 0
    for k in range(DONE_NUMBERS):
        dug.numbers[k] = 0.0
    if first.length == 0.0 or last.length == 0.0:
        return
    a, b = before.edge, plate.edge
    i0, i1 = _range(min(a[0, 0], a[1, 0], b[0, 0], b[1, 0]), max(a[0, 0], a[1, 0], b[0, 0], b[1, 0]), cell, nx)
    j0, j1 = _range(min(a[0, 1], a[1, 1], b[0, 1], b[1, 1]), max(a[0, 1], a[1, 1], b[0, 1], b[1, 1]), cell, ny)
    lowest = min(a[0, 2], a[1, 2], b[0, 2], b[1, 2])
    for i in range(i0, i1):
        for j in range(j0, j1):
            h = np.float64(columns.height[i + 1, j + 1])
            if h <= lowest:
                continue
            x, y = cell * (i - 0.5 * (nx - 1)), cell * (j - 0.5 * (ny - 1))
            was, now = _passed(first, x, y, cell), _passed(last, x, y, cell)
            if now <= was:
                continue
            cover, z = _covered(last, x, y, cell)
            if cover > 0.0 and h > z:
                depth = cover * (now - was) / (1.0 - was) * (h - z)
                v = whole(depth * columns.numbers[AREA] / columns.numbers[VOLUME_UNIT])
                if v > 0:
                    _take_up(columns, tile_mass, dug, i, j, v)


@bare_kernel
def press_floor(columns: Columns, tile_mass: I64, plate: Plate, dug: Haul, changes: bool) -> None:
    """What the ground under a floor bears: presses it where the floor is in it, and notes the force.

    changes: False leaves the ground as it is, and tells what it would bear.
    """
    nx, ny, n = columns.height.shape[0] - 2, columns.height.shape[1] - 2, columns.numbers
    cell, line = n[CELL], _line(plate)
    dug.numbers[UP] = dug.numbers[ALONG] = dug.numbers[ACROSS] = 0.0
    if line.length == 0.0 or plate.numbers[IS_BUCKET] == 0.0:
        return
    d = plate.direction
    forward = d[0] * line.hx + d[1] * line.hy
    long = plate.numbers[FLOOR] * forward
    if forward < 0.2 or long <= 0.0:
        return
    climb = -d[2] / forward
    x0, x1 = min(plate.edge[0, 0], plate.edge[1, 0]), max(plate.edge[0, 0], plate.edge[1, 0])
    y0, y1 = min(plate.edge[0, 1], plate.edge[1, 1]), max(plate.edge[0, 1], plate.edge[1, 1])
    i0, i1 = _range(x0 - max(long * line.hx, 0.0), x1 + max(-long * line.hx, 0.0), cell, nx)
    j0, j1 = _range(y0 - max(long * line.hy, 0.0), y1 + max(-long * line.hy, 0.0), cell, ny)
    b = max(min(long, line.length), 0.02)
    for i in range(i0, i1):
        for j in range(j0, j1):
            x, y = cell * (i - 0.5 * (nx - 1)), cell * (j - 0.5 * (ny - 1))
            cover, z = _covered(line, x, y, cell)
            behind = -((x - line.x) * line.hx + (y - line.y) * line.hy)
            # The part of the column that is under the floor. One that the edge has not left is cut yet, not pressed.
            half = 0.5 * cell * (abs(line.hx) + abs(line.hy))
            if behind < half:
                continue
            cover *= max(min(behind + half, long) - (behind - half), 0.0) / (2.0 * half)
            at = min(max(behind, 0.0), long)
            over = np.float64(columns.height[i + 1, j + 1]) - (z + climb * at)
            if cover <= 0.0 or over <= TOLERANCE:
                continue
            s, c = columns.slot[i // TILE, j // TILE], (i % TILE) * TILE + j % TILE
            if s < 0:
                continue
            top = top_of(columns, s, c)
            if top < 0:
                continue
            k = columns.soil[s, c, top]
            before = sinkage(columns, k, b, np.float64(columns.borne[s, c]))
            pressure = pressure_at(columns, k, b, before + over)
            force = pressure * cover * n[AREA]
            along = (x - line.x) * line.ex + (y - line.y) * line.ey - 0.5 * line.length
            dug.numbers[UP] += force
            dug.numbers[ALONG] += force * along
            dug.numbers[ACROSS] += force * at
            if changes:
                wanted = whole(cover * over * n[AREA] / n[VOLUME_UNIT])
                done = press(columns, s, c, wanted, whole(DEEP * b * n[AREA] / n[VOLUME_UNIT]))
                columns.height[i + 1, j + 1] = np.float32(height_of(columns, s, c))
                _changed(dug, i, j)
                if wanted > done:
                    _take_up(columns, tile_mass, dug, i, j, wanted - done)
                columns.borne[s, c] = np.float32(pressure)


@bare_inner
def note_wall(columns: Columns, plate: Plate, wall: F64) -> None:
    """Writes which columns a tool keeps from others, for `sliding.parted`: those below it."""
    line, cell = _line(plate), columns.numbers[CELL]
    wide = cell * (abs(line.hx) + abs(line.hy))
    wall[0], wall[1], wall[2], wall[3], wall[4] = line.x, line.y, line.ex, line.ey, line.length
    wall[5], wall[6] = line.hx, line.hy
    wall[7] = max(plate.numbers[FLOOR], 1.5 * wide) if line.length > 0.0 else -1.0
    wall[8] = min(plate.edge[0, 2], plate.edge[1, 2])


@bare_inner
def capacity(columns: Columns, plate: Plate, depth: float, gap: float, speed: float) -> float:
    """What the tool can carry as it stands, m³; depth: of its edge (m), gap: of its edge above the ground (m)."""
    n = plate.numbers
    if n[IS_BUCKET] > 0.0:
        steepest = columns.soils[int(columns.natural[0, 0]), TANGENT]
        steepest = steepest / sqrt(1.0 + steepest * steepest)
        level = min(max((steepest + plate.direction[2]) / steepest, 0.0), 1.0)
        return n[VOLUME] * max(level, min(depth / GRIP, 1.0))
    if speed < -STILL:
        return 0.0
    high = wide = 0.0
    for e in range(2):
        high += 0.5 * (plate.top[e, 2] - plate.edge[e, 2])
    for a in range(3):
        wide += (plate.edge[1, a] - plate.edge[0, a]) ** 2
    high = max(high - depth, 0.0)
    return CARRIED * sqrt(wide) * high * high * max(1.0 - gap / max(LIFTED * high, 1e-9), 0.0)


@bare_inner
def unload(columns: Columns, tile_mass: I64, plate: Plate, dug: Haul, depth: float, gap: float, dt: float) -> None:
    """Lays down what the tool cannot carry."""
    n = columns.numbers
    held = load_volume(columns, dug.load)
    line = _line(plate)
    speed = along = 0.0
    for e in range(2):
        speed += 0.5 * (plate.velocity[e, 0] * line.hx + plate.velocity[e, 1] * line.hy)
        along += 0.5 * (plate.velocity[e, 0] * line.ex + plate.velocity[e, 1] * line.ey)
    room = capacity(columns, plate, depth, gap, speed) if line.length > 0.0 else held
    rated = max(plate.numbers[VOLUME], n[AREA] * n[CELL])
    if held > room and held > 0.0:
        bucket = plate.numbers[IS_BUCKET] > 0.0
        falls = (bucket and depth <= 0.0) or (not bucket and (speed < -STILL or gap > 0.0))
        share = (held - room) / held
        if held <= NEGLIGIBLE * rated and falls:
            share = 1.0
        elif bucket and falls:
            share *= dt / (dt + EMPTYING)
        for k in range(len(dug.load)):
            m = np.int64(np.floor(dug.load[k] * share)) if share < 1.0 else dug.load[k]
            if m <= 0:
                continue
            if falls:
                _below(columns, tile_mass, dug, line, k, m)
            else:
                _beside(columns, tile_mass, dug, line, k, m, along / max(abs(speed) + abs(along), 1e-9))
    dug.numbers[IN_LOAD] = load_volume(columns, dug.load)
    plate.numbers[FILL] = dug.numbers[IN_LOAD] / rated


@bare_inner
def _cell_at(columns: Columns, x: float, y: float) -> tuple[int, int]:
    """Column at a place; −1, −1: beyond the edge of the ground, or not in memory."""
    nx, ny = columns.height.shape[0] - 2, columns.height.shape[1] - 2
    i = int(np.floor(x / columns.numbers[CELL] + 0.5 * nx))
    j = int(np.floor(y / columns.numbers[CELL] + 0.5 * ny))
    if i < 0 or j < 0 or i >= nx or j >= ny or columns.slot[i // TILE, j // TILE] < 0:
        return -1, -1
    return i, j


@bare_inner
def _below(columns: Columns, tile_mass: I64, dug: Haul, line: _Line, k: int, m: Units) -> None:
    """Lays mass m of soil k along the edge, as far ahead as it is long by half; what has no ground below stays."""
    cell = columns.numbers[CELL]
    many = max(int(np.ceil(line.length / cell)), 1)
    rows = max(many // 2, 2)
    each, left = m // (many * rows), m
    for a in range(many):
        s = (a + 0.5) / many * line.length
        for r in range(rows):
            ahead = (0.75 + r) * cell
            now = left if a == many - 1 and r == rows - 1 else each
            x, y = line.x + s * line.ex + ahead * line.hx, line.y + s * line.ey + ahead * line.hy
            i, j = _cell_at(columns, x, y)
            if i >= 0:
                _lay_down(columns, tile_mass, dug, i, j, k, now)
            left -= now


@bare_inner
def _beside(
    columns: Columns, tile_mass: I64, dug: Haul, line: _Line, k: int, m: Units, drift: float
) -> None:
    """Lays mass m of soil k to both ends of the edge; drift: motion along the edge over all of it, −1…1."""
    cell = columns.numbers[CELL]
    first = np.int64(np.floor(m * min(max(0.5 + 1.5 * drift, 0.0), 1.0)))
    for side in range(2):
        part = first if side == 0 else m - first
        each = part // BESIDE
        for r in range(BESIDE):
            now = each if r < BESIDE - 1 else part - (BESIDE - 1) * each
            out, ahead = (0.75 + r % 2) * cell, -1.0 * (r // 2) * cell
            away = -out if side == 0 else line.length + out
            x, y = line.x + away * line.ex + ahead * line.hx, line.y + away * line.ey + ahead * line.hy
            i, j = _cell_at(columns, x, y)
            if i >= 0:
                _lay_down(columns, tile_mass, dug, i, j, k, now)


