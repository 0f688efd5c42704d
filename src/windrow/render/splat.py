"""Which of millions of grains can be seen, in memory that does not grow with their number.

All grains are drawn into a depth buffer straight from their file, block by block; what is then in the buffer are the
few that are seen, and only those are shaded. The picture is cut into bands of rows. One thread fills a band with the
blocks that may touch it, in their order, so that any number of threads sees the same grains.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.detail.kernels import SHADES, SIZE_BITS, SIZES
from windrow.detail.packing import GONE, PACKED, Packed, unpacked
from windrow.render.camera import PixelRays
from windrow.team import deal, parallel

F: Any = np.float32
BAND = 24
"""Rows of samples of a band"""
THINNEST = F(0.7)
"""Radius of the smallest grain that is drawn, in samples: less would be seen in one frame and not in the next"""
NEAREST = F(1e-3)
"""m; what is nearer to the eye is not seen"""


class Balls(NamedTuple):
    """What is left to shade."""

    position: NDArray[np.float64]
    radius: NDArray[np.float64]
    color: NDArray[np.float32]
    """(n, 3) linear"""


class Looking(NamedTuple):
    """A view as the kernel takes it."""

    axes: NDArray[np.float32]
    """(3, 4) rotation, and where the origin is, in view axes"""
    focal: np.float32
    parallel: bool


def looking(view: PixelRays) -> Looking:
    axes = np.empty((3, 4), np.float32)
    axes[:, :3] = view.axes
    axes[:, 3] = view.seen(np.zeros((1, 3)))[0]
    return Looking(axes, np.float32(view.focal), view.parallel)


@parallel
def splat(team, view, packed, sizes, depth, grain):  # type: ignore[no-untyped-def]
    """Draws all grains; depth: (height, width) m; grain: (height, width) which one is nearest.

    sizes: (SIZES,) radius of each rank, m.
    """
    height, width = depth.shape
    axes, focal = view.axes, view.focal
    half_width, half_height = F(0.5) * F(width), F(0.5) * F(height)
    blocks, largest = packed.box.shape[0], sizes[sizes.shape[0] - 1]
    steps = F(65535.0)
    for band in deal(team, (height + BAND - 1) // BAND):
        top, bottom = band * BAND, min(height, band * BAND + BAND)
        for block in range(blocks):
            box = packed.box[block]
            a, b, c = F(0.5) * steps * box[3], F(0.5) * steps * box[4], F(0.5) * steps * box[5]
            x, y, z = box[0] + a, box[1] + b, box[2] + c
            reach = np.sqrt(a * a + b * b + c * c) + largest
            q1 = axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z + axes[1, 3]
            q2 = axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z + axes[2, 3]
            if view.parallel:
                if focal * (q1 + reach) + half_height + THINNEST < F(top) or focal * (
                    q1 - reach
                ) + half_height - THINNEST > F(bottom):
                    continue
            else:
                if q2 + reach < NEAREST:
                    continue
                if q2 - reach > NEAREST:
                    # the ball around the block is seen within these rows
                    near, far = q2 - reach, q2 + reach
                    high, low = q1 - reach, q1 + reach
                    first = focal * (high / near if high < F(0.0) else high / far) + half_height
                    last = focal * (low / near if low > F(0.0) else low / far) + half_height
                    if last + F(2.0) < F(top) or first - F(2.0) > F(bottom):
                        continue
            for i in range(block * PACKED, min(len(packed.kind), block * PACKED + PACKED)):
                if packed.kind[i] == GONE:
                    continue
                x, y, z = unpacked(packed, i)
                p0 = axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z + axes[0, 3]
                p1 = axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z + axes[1, 3]
                p2 = axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z + axes[2, 3]
                if not view.parallel and p2 < NEAREST:
                    continue
                scale = focal if view.parallel else focal / p2
                radius = max(sizes[packed.rank[i] & (SIZES - 1)], THINNEST / scale)
                wide = scale * radius
                # a ball aside of the axis is seen as an ellipse, longer by what this allows for
                stretch = F(0.0) if view.parallel else wide * (abs(p0) + abs(p1)) / p2
                column, row = scale * p0 + half_width, scale * p1 + half_height
                i0, i1 = max(int(column - wide - stretch), 0), min(int(column + wide + stretch) + 1, width)
                j0, j1 = max(int(row - wide - stretch), top), min(int(row + wide + stretch) + 1, bottom)
                for j in range(j0, j1):
                    v = (F(j) + F(0.5) - half_height) / focal
                    for k in range(i0, i1):
                        if p2 - radius >= depth[j, k]:
                            continue
                        u = (F(k) + F(0.5) - half_width) / focal
                        if view.parallel:
                            rest = radius * radius - (u - p0) * (u - p0) - (v - p1) * (v - p1)
                            at = p2 - np.sqrt(max(rest, F(0.0)))
                        else:
                            # as `raster.sphere_depth`: |ray × centre|² loses nothing for small, far balls
                            e, f, g = v * p2 - p1, p0 - u * p2, u * p1 - v * p0
                            square = u * u + v * v + F(1.0)
                            rest = square * radius * radius - e * e - f * f - g * g
                            at = (u * p0 + v * p1 + p2 - np.sqrt(max(rest, F(0.0)))) / square
                        if rest > F(0.0) and at < depth[j, k]:
                            depth[j, k] = at
                            grain[j, k] = i


def seen_balls(view: PixelRays, packed: Packed, sizes: NDArray[np.float32], colors: NDArray[np.float32]) -> Balls:
    """The grains that any sample of a view sees; colors: (materials, SHADES, 3) linear."""
    depth = np.full((view.height, view.width), np.inf, np.float32)
    grain = np.full((view.height, view.width), -1, np.int32)
    splat(looking(view), packed, sizes, depth, grain)
    seen = np.unique(grain)
    seen = seen[seen >= 0]
    blocks = packed.box[seen // PACKED].astype(np.float64)
    place = blocks[:, :3] + blocks[:, 3:] * packed.place[seen]
    rank, kind = packed.rank[seen], packed.kind[seen]
    far = view.seen(place)[:, 2]
    least = float(THINNEST) / view.focal * (np.ones(len(far)) if view.parallel else np.maximum(far, 0.0))
    radius = np.maximum(sizes[rank & (SIZES - 1)].astype(np.float64), least)
    return Balls(place, radius, colors[kind, (rank >> SIZE_BITS) & (SHADES - 1)])


def memory_of(view: PixelRays) -> int:
    """Bytes that looking takes at most, whatever the number of grains."""
    return math.prod((view.width, view.height)) * (8 + 64)
