"""Grains of the brick where ground turns into grains, and below, where it ends in a face of fixed ones.

The brick repeats through the whole world (`scene.brick`): a place has the same grains whenever it is dug. What is free
lies exactly as in the brick, on grains of the brick that are fixed, so that nothing falls.
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I64, U8
from windrow.kernel import bare_inner, bare_kernel
from windrow.scene.brick import Brick
from windrow.terrain.nodes import NEAR, Grid, Nodes, inside, lowest_within, nearest, surface_at

SHELL = 2.2
"""Thickness of the face, mean radii."""
FACE, FREED = 0, 1
"""Kinds of grains that are laid."""
HALF_TILES = 1 << 16
"""Copies of the brick along an axis, to each side, that keys tell apart."""
GRAINS = 1 << 11
"""Grains of a brick, at most."""
AROUND_X = (1.0, 0.7071067811865476, 0.0, -0.7071067811865475, -1.0, -0.7071067811865477, 0.0, 0.7071067811865474)
AROUND_Y = (0.0, 0.7071067811865475, 1.0, 0.7071067811865476, 0.0, -0.7071067811865475, -1.0, -0.7071067811865477)
OUT = (0.5, 0.8, 1.0)
"""Where a ball is compared with a surface: its top, and 8 places around on three circles."""


class Bricks(NamedTuple):
    """The brick in metres."""

    position: F64
    """(n, 3) m"""
    radius: F64
    """(n,) m"""
    edge: float
    solid: float
    """share of its volume that grains fill"""


class Laid(NamedTuple):
    """Room for grains that are laid."""

    X: F64
    """(m, 4) place in the world and radius, m"""
    key: I64
    """(m,) which grain of which copy of the brick, 0 or more"""
    kind: U8
    """(m,) FACE or FREED"""


def bricks_of(brick: Brick, radius: float) -> Bricks:
    """A brick of a mean radius, m."""
    return Bricks(
        np.ascontiguousarray(brick.position * radius),
        np.ascontiguousarray(brick.radius * radius),
        brick.edge * radius,
        brick.solid_fraction,
    )


def laid_room(many: int) -> Laid:
    return Laid(np.zeros((many, 4)), np.zeros(many, np.int64), np.zeros(many, np.uint8))


@bare_inner
def _reaches_out(heights: F32, grid: Grid, x: float, y: float, z: float, r: float) -> bool:
    """Whether a ball with its centre under a surface reaches above it anywhere; z above the ground's position."""
    if surface_at(heights, grid, x, y) < z + r:
        return True
    for s in range(3):
        top = z + r * sqrt(1.0 - OUT[s] * OUT[s])
        for a in range(8):
            if surface_at(heights, grid, x + OUT[s] * r * AROUND_X[a], y + OUT[s] * r * AROUND_Y[a]) < top:
                return True
    return False


@bare_inner
def _copies(low: float, high: float, edge: float) -> tuple[int, int]:
    """First and last copy whose grain is between low and high, counted from that of the first copy."""
    return ceil(low / edge), floor(high / edge)


@bare_kernel
def lay(bricks: Bricks, nodes: Nodes, grid: Grid, found: I64, heights: F64, laid: Laid) -> int:
    """Grains of the brick over columns whose face is looked at anew; returns how many, also if they find no room.

    FREED: centre in the ground that is cut away; FACE: below it, and nearer to it than the face is thick. found: first
    and last column along x and y, from place 2 on; heights: of the lowest and the highest ground there, m.
    """
    count, reach = 0, SHELL * grid.radius
    wide = ceil(reach / grid.cell)
    x0, x1 = (found[2] - 0.5) * grid.cell, (found[3] + 0.5) * grid.cell
    y0, y1 = (found[4] - 0.5) * grid.cell, (found[5] + 0.5) * grid.cell
    for g in range(len(bricks.radius)):
        bx, by, bz = bricks.position[g, 0], bricks.position[g, 1], bricks.position[g, 2]
        ax, ex = _copies(x0 - bx, x1 - bx, bricks.edge)
        ay, ey = _copies(y0 - by, y1 - by, bricks.edge)
        az, ez = _copies(heights[0] - reach - bz, heights[1] - bz, bricks.edge)
        for cx in range(ax, ex + 1):
            x = grid.x + bx + cx * bricks.edge
            for cy in range(ay, ey + 1):
                y = grid.y + by + cy * bricks.edge
                i, j = nearest(grid, x, y)
                if not inside(grid, i, j) or not nodes.flags[i, j] & NEAR:
                    continue
                low, high = surface_at(nodes.new, grid, x, y), surface_at(nodes.old, grid, x, y)
                deepest = np.float64(lowest_within(nodes.new, grid, i, j, wide + 1)) - reach
                for cz in range(az, ez + 1):
                    z = bz + cz * bricks.edge
                    if z >= high or z < deepest:
                        continue
                    if z >= low:
                        kind = FREED
                    elif _reaches_out(nodes.new, grid, x, y, z, reach):
                        kind = FACE
                    else:
                        continue
                    if count < len(laid.key):
                        laid.X[count, 0], laid.X[count, 1], laid.X[count, 2] = x, y, grid.z + z
                        laid.X[count, 3] = bricks.radius[g]
                        laid.kind[count] = kind
                        number = (cx + HALF_TILES) * 2 * HALF_TILES + cy + HALF_TILES
                        laid.key[count] = (number * 2 * HALF_TILES + cz + HALF_TILES) * GRAINS + g
                    count += 1
    return count


@bare_kernel
def height_range(nodes: Nodes, grid: Grid, found: I64, reach: int, heights: F64) -> None:
    """Lowest and highest ground of the columns in `found`, after and before the cut."""
    heights[0], heights[1] = 1e30, -1e30
    for i in range(max(found[2] - reach, 0), min(found[3] + reach + 1, grid.nx)):
        for j in range(max(found[4] - reach, 0), min(found[5] + reach + 1, grid.ny)):
            heights[0] = min(heights[0], np.float64(nodes.new[i, j]))
            heights[1] = max(heights[1], np.float64(nodes.old[i, j]))


@bare_inner
def was_cut(nodes: Nodes, grid: Grid, x: float, y: float, z: float) -> bool:
    """Whether a point of the world lies in ground that is cut away; also above it, on what is cut away."""
    low = surface_at(nodes.new, grid, x, y)
    return z - grid.z >= low and surface_at(nodes.old, grid, x, y) - low > 1e-6


