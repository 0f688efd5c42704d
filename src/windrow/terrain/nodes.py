"""What the exchange of ground and grains knows of each column, and passes over the columns of some tiles.

Grains do not touch the surface of the ground itself. Where nothing was dug they touch it one mean radius below, so that
they lie half sunk, as the uppermost grains of a bed do: soil whose centres are above a surface is then as much as the
columns above it weigh. Where ground has turned into grains it ends in a rough face: grains that stand for it and lie
fixed; the surface that grains touch is out of their way below.
"""

from __future__ import annotations

from math import floor
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.layers import CELLS, TILE, Columns
from windrow.terrain.sliding import HELD_STILL

ROUGH, SKINNED, STILL = 1, 2, HELD_STILL
"""Bits of `Nodes.marks`: the ground ends here in fixed grains of the brick; in fixed grains that were free before;
grains are near, so that the ground does not slide."""
RESTLESS, HELD, NEEDED, CUT, ROUGH_NEXT, SKIN_NEXT, NEAR, BACK = (1 << k for k in range(8))
"""Bits of `Nodes.flags`: a grain moves, or did so just now; one is near a body or above it; tools need grains here;
ground turns into grains; marks after this exchange; the face is looked at anew; grains turn back into ground."""
WANTED, LIVELY = 2, 4
"""Bits that tiles have while a kernel works: it has columns that tools need, or that are cut; grains are over it."""
NOWHERE = np.float32(1e30)
NEED = 2.0
"""Mean radii above the ground up to which the zone of a tool keeps grains free."""
SUPPORT = 1.5
"""Mean radii above the ground within which the lowest grain of a place must lie, or it lies on something else."""
DEEP = 3.2
"""Mean radii from the ground down to the surface that grains touch, below a rough face."""


class Grid(NamedTuple):
    """Where columns are, and how large grains are."""

    x: float
    """of the middle of the first column, at height 0, in the world, m"""
    y: float
    z: float
    cell: float
    """m"""
    radius: float
    """mean radius of grains, m"""
    nx: int
    ny: int
    ring: int
    """columns to each side that a grain's neighbours reach"""


class Nodes(NamedTuple):
    """(nx, ny) arrays. All but the first two are workspace, and mean something only in the tiles of one exchange."""

    contact: F32
    """(nx + 2, ny + 2) height of the surface that grains touch, above the ground's position, m; a part of the state"""
    marks: U8
    """a part of the state"""
    flags: U8
    live: I32
    """free grains"""
    low: F32
    """lowest point of a free grain"""
    high: F32
    """highest centre of a free grain"""
    below: F32
    """lowest point of a body that is here or near"""
    edge: F32
    """lowest point of a tool on its coming way"""
    way: F32
    """(nx, ny, 3) where that point goes along x and y, m, and how much of its way leads down, 0 to 1"""
    zone: F32
    """down to where the ground has to be grains"""
    old: F32
    """surface of the ground before this exchange cuts"""
    new: F32
    """and after it"""


def nodes_of(shape: tuple[int, int], contact: F32) -> Nodes:
    """Memory for them; pages that are never touched take none."""
    wide = (*shape, 3)
    return Nodes(
        contact,
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.int32),
        low=np.zeros(shape, np.float32),
        high=np.zeros(shape, np.float32),
        below=np.zeros(shape, np.float32),
        edge=np.zeros(shape, np.float32),
        way=np.zeros(wide, np.float32),
        zone=np.zeros(shape, np.float32),
        old=np.zeros(shape, np.float32),
        new=np.zeros(shape, np.float32),
    )


@bare_inner
def nearest(grid: Grid, x: float, y: float) -> tuple[int, int]:
    """The column whose middle is nearest to a place of the world; may be beyond the edge."""
    return floor((x - grid.x) / grid.cell + 0.5), floor((y - grid.y) / grid.cell + 0.5)


@bare_inner
def inside(grid: Grid, i: int, j: int) -> bool:
    return 0 <= i < grid.nx and 0 <= j < grid.ny


@bare_inner
def surface_at(heights: F32, grid: Grid, x: float, y: float) -> float:
    """Height of a surface (nx, ny) at a place of the world, by the triangles of `geometry.height`."""
    u = min(max((x - grid.x) / grid.cell, 0.0), grid.nx - 1.0)
    v = min(max((y - grid.y) / grid.cell, 0.0), grid.ny - 1.0)
    i, j = min(int(u), grid.nx - 2), min(int(v), grid.ny - 2)
    u, v = u - i, v - j
    low, high = np.float64(heights[i, j]), np.float64(heights[i + 1, j + 1])
    if v < u:
        right = np.float64(heights[i + 1, j])
        return low + u * (right - low) + v * (high - right)
    left = np.float64(heights[i, j + 1])
    return low + u * (high - left) + v * (left - low)


@bare_inner
def any_within(marks: U8, bits: int, grid: Grid, i: int, j: int, reach: int) -> bool:
    """Whether a column within so many has one of the bits."""
    for p in range(max(i - reach, 0), min(i + reach + 1, grid.nx)):
        for q in range(max(j - reach, 0), min(j + reach + 1, grid.ny)):
            if marks[p, q] & bits:
                return True
    return False


@bare_inner
def any_near(tiles: U8, bits: int, x: int, y: int) -> bool:
    """Whether a tile or one of its neighbours has one of the bits."""
    for a in range(max(x - 1, 0), min(x + 2, tiles.shape[0])):
        for b in range(max(y - 1, 0), min(y + 2, tiles.shape[1])):
            if tiles[a, b] & bits:
                return True
    return False


@bare_inner
def lowest_within(heights: F32, grid: Grid, i: int, j: int, reach: int) -> Any:
    lowest = NOWHERE
    for p in range(max(i - reach, 0), min(i + reach + 1, grid.nx)):
        for q in range(max(j - reach, 0), min(j + reach + 1, grid.ny)):
            lowest = min(lowest, heights[p, q])
    return lowest


@bare_inner
def live_within(nodes: Nodes, grid: Grid, i: int, j: int, reach: int) -> bool:
    for p in range(max(i - reach, 0), min(i + reach + 1, grid.nx)):
        for q in range(max(j - reach, 0), min(j + reach + 1, grid.ny)):
            if nodes.live[p, q] > 0:
                return True
    return False


@bare_kernel
def reset(nodes: Nodes, grid: Grid, columns: Columns, tiles: I64) -> None:
    """Clears the workspace of tiles."""
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny:
                continue
            nodes.flags[i, j] = 0
            nodes.live[i, j] = 0
            nodes.high[i, j] = -NOWHERE
            nodes.low[i, j] = nodes.below[i, j] = nodes.edge[i, j] = nodes.zone[i, j] = NOWHERE
            nodes.old[i, j] = nodes.new[i, j] = columns.height[i + 1, j + 1]


@bare_kernel
def tiles_of_grains(X: F32, count: int, grid: Grid, tiles: U8) -> None:
    """Marks the tiles over which there are grains."""
    for g in range(count):
        i, j = nearest(grid, np.float64(X[g, 0]), np.float64(X[g, 1]))
        if inside(grid, i, j):
            tiles[i // TILE, j // TILE] = 1


@bare_kernel
def choose_back(nodes: Nodes, grid: Grid, tiles: I64, touched: U8) -> int:
    """Marks columns whose grains turn back, and the tiles that get their mass; returns how many columns.

    All grains of the place and those around it have been slow for long, none is near a body, no tool needs them, and
    the lowest lies on the ground.
    """
    count = 0
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny or nodes.live[i, j] == 0 or nodes.flags[i, j] & HELD:
                continue
            # mass goes to the neighbours, too: none of it may come where it would be cut again
            if any_within(nodes.flags, NEEDED, grid, i, j, 1):
                continue
            if any_within(nodes.flags, RESTLESS, grid, i, j, grid.ring):
                continue
            lowest = lowest_within(nodes.low, grid, i, j, grid.ring)
            if lowest > nodes.old[i, j] + SUPPORT * grid.radius:
                continue
            nodes.flags[i, j] |= BACK
            count += 1
            for p in range(max(i - 1, 0), min(i + 2, grid.nx)):
                for q in range(max(j - 1, 0), min(j + 2, grid.ny)):
                    touched[p // TILE, q // TILE] = 1
    return count


@bare_kernel
def plan(nodes: Nodes, grid: Grid, tiles: I64, wide: I64, numbers: F64, found: I64, touched: U8) -> None:
    """What becomes of each column of the tiles: cut, rough or skinned. `wide`: the tiles and those around them.

    numbers: thickness of the thinnest cut and height of the bottom, m. found: columns that are cut, columns of which
    anything changes, and first and last column along x and y whose face is looked at anew. touched: tiles of those.
    """
    thinnest, bottom = np.float32(numbers[0]), np.float32(numbers[1])
    ring = grid.ring
    for t in range(len(wide)):
        some = False
        for c in range(CELLS):
            i, j = wide[t, 0] * TILE + c // TILE, wide[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny:
                continue
            nodes.new[i, j] = nodes.old[i, j]
            nodes.flags[i, j] &= ~(CUT | ROUGH_NEXT | SKIN_NEXT | NEAR) & 255
            at_edge = i < ring or j < ring or i >= grid.nx - ring or j >= grid.ny - ring
            wanted = max(nodes.zone[i, j], bottom)
            if wanted < nodes.old[i, j] - thinnest and not at_edge:
                nodes.flags[i, j] |= CUT
                nodes.new[i, j] = wanted
                found[0] += 1
            some = some or nodes.flags[i, j] & (NEEDED | CUT) != 0
        if some:
            touched[wide[t, 0], wide[t, 1]] |= WANTED
    # Columns outside of this box are too far from any change for their faces to change.
    i0, i1, j0, j1 = grid.nx, -1, grid.ny, -1
    for t in range(len(wide)):
        needed = ring > TILE or any_near(touched, WANTED, wide[t, 0], wide[t, 1])
        for c in range(CELLS):
            i, j = wide[t, 0] * TILE + c // TILE, wide[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny:
                continue
            marks = nodes.marks[i, j]
            here = marks & (ROUGH | SKINNED) != 0 and live_within(nodes, grid, i, j, ring)
            stays = marks & ROUGH != 0 and here
            if stays or (needed and any_within(nodes.flags, NEEDED | CUT, grid, i, j, ring)):
                nodes.flags[i, j] |= ROUGH_NEXT
            if marks & SKINNED and here:
                nodes.flags[i, j] |= SKIN_NEXT
            if _face_changes(nodes, i, j):
                i0, i1, j0, j1 = min(i0, i), max(i1, i), min(j0, j), max(j1, j)
    i0, i1, j0, j1 = i0 - 2 * ring, i1 + 2 * ring, j0 - 2 * ring, j1 + 2 * ring
    for t in range(len(tiles)):
        near = False
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny:
                continue
            if _changes(nodes, i, j):
                found[1] += 1
            if not nodes.flags[i, j] & ROUGH_NEXT or i < i0 or i > i1 or j < j0 or j > j1:
                continue
            if _changes_within(nodes, grid, i, j, 2 * ring):
                nodes.flags[i, j] |= NEAR
                found[2], found[3] = min(found[2], i), max(found[3], i)
                found[4], found[5] = min(found[4], j), max(found[5], j)
                near = True
        if near:
            touched[tiles[t, 0], tiles[t, 1]] |= 1
    for t in range(len(wide)):
        touched[wide[t, 0], wide[t, 1]] &= 1


@bare_inner
def _face_changes(nodes: Nodes, i: int, j: int) -> bool:
    """Whether a column is cut, or is part of the face before and not after, or after and not before."""
    flags = nodes.flags[i, j]
    return (flags & CUT) != 0 or ((flags & ROUGH_NEXT) != 0) != ((nodes.marks[i, j] & ROUGH) != 0)


@bare_inner
def _changes(nodes: Nodes, i: int, j: int) -> bool:
    skin = (nodes.flags[i, j] & SKIN_NEXT) != 0
    return _face_changes(nodes, i, j) or skin != ((nodes.marks[i, j] & SKINNED) != 0)


@bare_inner
def _changes_within(nodes: Nodes, grid: Grid, i: int, j: int, reach: int) -> bool:
    for p in range(max(i - reach, 0), min(i + reach + 1, grid.nx)):
        for q in range(max(j - reach, 0), min(j + reach + 1, grid.ny)):
            if _face_changes(nodes, p, q):
                return True
    return False


@bare_kernel
def keep_marks(nodes: Nodes, grid: Grid, tiles: I64) -> None:
    """Leaves the marks of tiles as they are."""
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i < grid.nx and j < grid.ny:
                nodes.flags[i, j] &= ~(CUT | ROUGH_NEXT | SKIN_NEXT | NEAR) & 255
                if nodes.marks[i, j] & ROUGH:
                    nodes.flags[i, j] |= ROUGH_NEXT
                if nodes.marks[i, j] & SKINNED:
                    nodes.flags[i, j] |= SKIN_NEXT


@bare_kernel
def follow(nodes: Nodes, grid: Grid, columns: Columns, tiles: I64, marked: U8) -> bool:
    """Takes over the marks, and lets the surface that grains touch follow; returns whether it changed.

    It sinks at once. It rises at once where no free grain is near, else only to the lowest of them, and not under fixed
    ones: a surface that rises into grains keeps them moving for ever. marked: tiles in which there are marks.
    """
    changed = False
    radius = grid.radius
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i < grid.nx and j < grid.ny and nodes.live[i, j] > 0:
                marked[tiles[t, 0], tiles[t, 1]] |= LIVELY
                break
    for t in range(len(tiles)):
        any_marks = False
        lively = grid.ring > TILE or any_near(marked, LIVELY, tiles[t, 0], tiles[t, 1])
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny:
                continue
            flags, marks = nodes.flags[i, j], 0
            if flags & ROUGH_NEXT:
                marks |= ROUGH
            if flags & SKIN_NEXT:
                marks |= SKINNED
            if marks or (lively and live_within(nodes, grid, i, j, grid.ring)):
                marks |= STILL
            nodes.marks[i, j] = marks
            any_marks = any_marks or marks != 0
            target = np.float64(columns.height[i + 1, j + 1]) - radius
            if marks & ROUGH:
                for p in range(max(i - grid.ring, 0), min(i + grid.ring + 1, grid.nx)):
                    for q in range(max(j - grid.ring, 0), min(j + grid.ring + 1, grid.ny)):
                        target = min(target, np.float64(columns.height[p + 1, q + 1]) - DEEP * radius)
            now = np.float64(nodes.contact[i + 1, j + 1])
            if target > now:
                if marks & SKINNED:
                    continue
                target = min(target, max(now, np.float64(lowest_within(nodes.low, grid, i, j, grid.ring))))
            value = np.float32(target)
            if value != nodes.contact[i + 1, j + 1]:
                nodes.contact[i + 1, j + 1] = value
                changed = True
        marked[tiles[t, 0], tiles[t, 1]] = (marked[tiles[t, 0], tiles[t, 1]] & LIVELY) | (1 if any_marks else 0)
    for t in range(len(tiles)):
        marked[tiles[t, 0], tiles[t, 1]] &= 1
    return changed
