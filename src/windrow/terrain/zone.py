"""Zones: where ground has to be grains because of tools on their coming way.

From the lowest points of a tool on its way the zone reaches down by some grains, and further by the width it bears on
where it moves down: soil below a footing fails to about that depth. From there it rises as a cone, ahead of the tool at
the angle of the slip plane, and steeper to the sides and behind.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.layers import CELLS, TILE
from windrow.terrain.nodes import NEED, NEEDED, NOWHERE, Grid, Nodes, inside, nearest

STEP = 0.7
"""Of a cell, that a point moves at most from one look to the next."""
AHEAD = 0.3
"""Cosine of the angle to the tool's way up to which a place is ahead of it."""
COSINE = (1.0, 0.9238795325112867, 0.7071067811865476, 0.38268343236508984,
          0.0, -0.3826834323650897, -0.7071067811865475, -0.9238795325112867)  # fmt: skip
SINE = (0.0, 0.3826834323650898, 0.7071067811865475, 0.9238795325112867,
        1.0, 0.9238795325112867, 0.7071067811865476, 0.3826834323650899)  # fmt: skip
"""Directions in which the width of what bears on the ground is measured."""
TOUCHES = 1.0
"""Mean radii above the surface from which on a tool that moves has a zone; one that rests must be as deep in it."""
RESTS = 0.1
"""Mean radii that a tool moves along while it rests."""
MOST_CELLS = 48
"""Columns that a cone reaches at most."""


class ZoneReach(NamedTuple):
    """How far the zone of one tool reaches."""

    below: float
    """under its lowest points, m"""
    widths: float
    """widths that it bears on, which are added where it moves down"""
    bearing: float
    """but no more than this, m"""
    ahead: float
    """tangent of the slope of the zone ahead"""
    side: float
    """and elsewhere"""
    down: float
    """the same around a tool that moves down"""
    span: float
    """share of the poses that are looked at, 0 to 1"""


@bare_inner
def _place(pose: F64, t: int, points: F64, k: int) -> tuple[float, float, float]:
    x, y, z = points[k, 0], points[k, 1], points[k, 2]
    return (
        pose[t, 0] * x + pose[t, 1] * y + pose[t, 2] * z + pose[t, 9],
        pose[t, 3] * x + pose[t, 4] * y + pose[t, 5] * z + pose[t, 10],
        pose[t, 6] * x + pose[t, 7] * y + pose[t, 8] * z + pose[t, 11],
    )


@bare_inner
def _downwards(way: tuple[float, float, float]) -> float:
    """How much of a way leads down, 0 to 1."""
    length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
    return max(-way[2], 0.0) / length if length > 1e-6 else 0.0


@bare_kernel
def sweep(points: F64, pose: F64, reach: ZoneReach, nodes: Nodes, grid: Grid, width: F64) -> float:
    """Notes the lowest points (n, 3) of a tool on its way through the poses (t, 12).

    Returns the depth (m) that the width which it bears on adds where it moves down. width: (8, 2) workspace.
    """
    last = max(1, int(reach.span * (pose.shape[0] - 1) + 0.5))
    width[:, 0], width[:, 1] = 1e30, -1e30
    for k in range(len(points)):
        begin, end = _place(pose, 0, points, k), _place(pose, last, points, k)
        way = (end[0] - begin[0], end[1] - begin[1], end[2] - begin[2])
        if _downwards(way) < AHEAD:
            continue
        i, j = nearest(grid, end[0], end[1])
        if not inside(grid, i, j):
            continue
        top = max(nodes.old[i, j], nodes.high[i, j]) + grid.radius
        if min(begin[2], end[2]) - grid.z < top:
            for a in range(8):
                along = COSINE[a] * end[0] + SINE[a] * end[1]
                width[a, 0], width[a, 1] = min(width[a, 0], along), max(width[a, 1], along)
    bearing = reach.bearing
    for a in range(8):
        bearing = min(bearing, reach.widths * max(width[a, 1] - width[a, 0], 0.0))
    for k in range(len(points)):
        begin, end = _place(pose, 0, points, k), _place(pose, last, points, k)
        way = (end[0] - begin[0], end[1] - begin[1], end[2] - begin[2])
        down = _downwards(way)
        for t in range(last):
            a, b = _place(pose, t, points, k), _place(pose, t + 1, points, k)
            dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            many = 1 + int(sqrt(dx * dx + dy * dy) / (STEP * grid.cell))
            for s in range(many + 1 if t == last - 1 else many):
                share = s / many
                i, j = nearest(grid, a[0] + share * dx, a[1] + share * dy)
                z = np.float32(a[2] + share * dz - grid.z)
                if inside(grid, i, j) and z < nodes.edge[i, j]:
                    nodes.edge[i, j], nodes.way[i, j, 2] = z, down
                    nodes.way[i, j, 0], nodes.way[i, j, 1] = way[0], way[1]
    return bearing


@bare_kernel
def spread(nodes: Nodes, grid: Grid, reach: ZoneReach, tiles: I64, top: float, bearing: float) -> None:
    """Lets cones rise from below the points that `sweep` has noted in tiles, and forgets these.

    Points that stay above the ground and its grains need none, nor do those that merely rest on it. top: height of the
    highest ground or grain, m; bearing: as `sweep` returns it.
    """
    limit = np.float32(NEED * grid.radius)
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny or nodes.edge[i, j] == NOWHERE:
                continue
            z, down = np.float64(nodes.edge[i, j]), np.float64(nodes.way[i, j, 2])
            nodes.edge[i, j] = NOWHERE
            vx, vy = np.float64(nodes.way[i, j, 0]), np.float64(nodes.way[i, j, 1])
            v = sqrt(vx * vx + vy * vy)
            rests = v < RESTS * grid.radius and down < AHEAD
            surface = max(nodes.old[i, j], nodes.high[i, j])
            if z > surface + (-TOUCHES if rests else TOUCHES) * grid.radius:
                continue
            e = z - reach.below - bearing * down
            side = reach.side + down * (min(reach.down, reach.side) - reach.side)
            flattest = min(reach.ahead, side) if v > 1e-6 else side
            room = top - e + NEED * grid.radius
            # Where the cone is above all there is, in the flat sector ahead and in the steep rest.
            far = min(1 + int(room / (flattest * grid.cell)), MOST_CELLS)
            near = min(1 + int(room / (side * grid.cell)), far)
            slopes = reach.ahead if v > 1e-6 else side, side
            _raise_cone(nodes, grid, (i, j, far, near), e, (vx, vy, v), slopes, limit)


@bare_inner
def _raise_cone(nodes, grid, place, e, way, slopes, limit):  # type: ignore[no-untyped-def]
    """The cone from height e over a column, as far as it is below ground or grains.

    place: column, and columns that it reaches ahead and elsewhere; way: of the tool along x and y, and its length, m;
    slopes: ahead and elsewhere.
    """
    i, j, far, near = place
    for p in range(max(i - far, 0), min(i + far + 1, grid.nx)):
        ox = (p - i) * grid.cell
        beside = abs(p - i) > near
        for q in range(max(j - far, 0), min(j + far + 1, grid.ny)):
            oy = (q - j) * grid.cell
            along = ox * way[0] + oy * way[1]
            if along <= 0.0 and (beside or abs(q - j) > near):
                continue
            o = sqrt(ox * ox + oy * oy)
            up = np.float32(e + o * (slopes[0] if along > AHEAD * o * way[2] else slopes[1]))
            if up < nodes.zone[p, q] and up < max(nodes.old[p, q], nodes.high[p, q]) + limit:
                nodes.zone[p, q] = up
                nodes.flags[p, q] |= NEEDED


@bare_kernel
def fill_box(nodes: Nodes, grid: Grid, tiles: I64, box: F64) -> None:
    """The zone is a box (2, 3) of the world."""
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            x, y = grid.x + grid.cell * i, grid.y + grid.cell * j
            if inside(grid, i, j) and box[0, 0] <= x <= box[1, 0] and box[0, 1] <= y <= box[1, 1]:
                nodes.zone[i, j] = np.float32(box[0, 2] - grid.z)
                nodes.flags[i, j] |= NEEDED


@bare_kernel
def forget_zone(nodes: Nodes, grid: Grid, tiles: I64) -> None:
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i < grid.nx and j < grid.ny:
                nodes.zone[i, j] = NOWHERE


@bare_kernel
def note_bodies(points: F64, pose: F64, first: I64, nodes: Nodes, grid: Grid) -> None:
    """Notes the lowest points of bodies where they are: points first[b] … first[b + 1] belong to body b."""
    for b in range(len(pose)):
        for k in range(first[b], first[b + 1]):
            x, y, z = _place(pose, b, points, k)
            i, j = nearest(grid, x, y)
            if inside(grid, i, j) and z - grid.z < nodes.edge[i, j]:
                nodes.edge[i, j] = np.float32(z - grid.z)


@bare_kernel
def spread_bodies(nodes: Nodes, grid: Grid, tiles: I64, clear: float) -> None:
    """Takes what `note_bodies` has noted to all columns within a distance (m), and forgets it."""
    far = int(clear / grid.cell) + 1
    for t in range(len(tiles)):
        for c in range(CELLS):
            i, j = tiles[t, 0] * TILE + c // TILE, tiles[t, 1] * TILE + c % TILE
            if i >= grid.nx or j >= grid.ny or nodes.edge[i, j] == NOWHERE:
                continue
            low = np.float32(nodes.edge[i, j] - clear)
            nodes.edge[i, j] = NOWHERE
            for p in range(max(i - far, 0), min(i + far + 1, grid.nx)):
                for q in range(max(j - far, 0), min(j + far + 1, grid.ny)):
                    nodes.below[p, q] = min(nodes.below[p, q], low)


