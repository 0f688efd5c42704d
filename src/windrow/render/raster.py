"""Which sphere or triangle each sample sees, and how far away it is.

The picture is cut into square tiles. Everything that may touch a tile is listed for it in an order that does
not depend on threads, and one thread fills the tile, so any number of threads draws the same picture.

Spheres are intersected with each sample's ray, not drawn as flat discs: their outlines are the true ellipses
of perspective and neighbouring grains meet along the right curves. Triangles use the ray form as well: with
corners a, b, c in view axes, the ray (u, v, 1) meets the plane where 1/depth = e₀ + e₁ + e₂, with
e₀ = (u, v, 1)·(b × c)/det and so on in turn, and lies within the triangle where no e is negative. That needs
no clipping, not even for a floor that passes behind the camera (Olano and Greer, "Triangle scan conversion
using 2D homogeneous coordinates", 1997).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot, norm
from windrow.kernel import device, kernel
from windrow.render.camera import PixelRays
from windrow.team import deal, parallel

TILE = 48
"""Samples along the side of a tile: a multiple of every supersampling factor."""
NOTHING = -1

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


class TileLists(NamedTuple):
    """For each tile the things that may touch it: `items[start[t]:start[t + 1]]`."""

    start: NDArray[np.int64]
    items: Ints
    box: Ints
    """(n, 4): first column, first row, last column and last row of samples that each thing may touch."""


class Tiles(NamedTuple):
    """In which order tiles are drawn."""

    across: int
    many: int
    stride: int


class DrawnSpheres(NamedTuple):
    """Spheres ready to be drawn in one view."""

    ball: Floats
    """(n, 4): centre in view axes and radius, m."""
    lists: TileLists


class Triangles(NamedTuple):
    """Triangles ready to be drawn in one view."""

    edge: Floats
    """(m, 12): three edge functions and the depth function, each as coefficients of (u, v, 1)."""
    weight: Floats
    """(m, 3): edge function times weight is proportional to the share of the opposite corner."""
    lists: TileLists


def tile_grid(view: PixelRays) -> tuple[int, int]:
    """Tiles across and down."""
    return (view.width + TILE - 1) // TILE, (view.height + TILE - 1) // TILE


def tiles_of(view: PixelRays) -> Tiles:
    """The tiles, and a step through them, coprime to their number, that gives each thread its share of sky and
    grains."""
    across, down = tile_grid(view)
    stride = max(1, int(0.618 * across * down))
    while math.gcd(stride, across * down) != 1:
        stride += 1
    return Tiles(across, across * down, stride)


def prepare_spheres(view: PixelRays, position: NDArray[np.floating], radius: NDArray[np.floating]) -> DrawnSpheres:
    """Spheres given in world axes, listed for each tile from near to far."""
    ball = np.empty((len(position), 4), np.float32)
    ball[:, :3] = view.seen(np.asarray(position, np.float64))
    ball[:, 3] = radius
    center, r = ball[:, :3].astype(np.float64), ball[:, 3].astype(np.float64)
    if view.parallel:
        inside = r > 0.0
        low, high = center[:, :2] - r[:, None], center[:, :2] + r[:, None]
    else:
        # A grain that slips between the samples would flicker in and out of the picture.
        np.maximum(r, 0.72 * center[:, 2] / view.focal, out=r)
        ball[:, 3] = r
        inside = center[:, 2] > r * 1.001
        z2 = np.where(inside, center[:, 2] * center[:, 2] - r * r, 1.0)
        middle = center[:, :2] * center[:, 2:] / z2[:, None]
        half = r[:, None] * np.sqrt(np.maximum(np.square(center[:, :2]) + z2[:, None], 0.0)) / z2[:, None]
        low, high = middle - half, middle + half
    nearest_first = np.argsort(ball[:, 2] - ball[:, 3], kind="stable")
    drawn = nearest_first[inside[nearest_first]].astype(np.int32)
    return DrawnSpheres(ball, _tile_lists(view, low, high, drawn))


def prepare_triangles(view: PixelRays, corners: NDArray[np.floating]) -> Triangles:
    """Triangles (m, 3 corners, 3) given in world axes; edge-on ones are left out."""
    seen = view.seen(np.asarray(corners, np.float64).reshape(-1, 3)).reshape(-1, 3, 3)
    flat = seen.copy()
    if view.parallel:
        flat[:, :, 2] = 1.0
    cross = np.stack([np.cross(flat[:, i], flat[:, j]) for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
    det = dot(flat[:, 0], cross[:, 0])
    size = norm(seen).max(axis=1, initial=0.0)
    twice_area = norm(np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]))
    face_on = np.abs(det) > 1e-7 * twice_area * (1.0 if view.parallel else size)
    whole = np.where(face_on, det, 1.0)[:, None, None]
    length = np.maximum(norm(cross), 1e-300)
    edge = np.empty((len(seen), 4, 3))
    # Unit length makes the two triangles along an edge evaluate it to exactly opposite numbers: no cracks.
    edge[:, :3] = cross / length[:, :, None] * np.sign(whole)
    edge[:, 3] = (cross / whole * (seen[:, :, 2:] if view.parallel else 1.0)).sum(axis=1)
    if view.parallel:
        low, high = seen[:, :, :2].min(axis=1), seen[:, :, :2].max(axis=1)
    else:
        front = seen[:, :, 2] > 1e-9 * size[:, None]
        slope = seen[:, :, :2] / np.where(front, seen[:, :, 2], 1.0)[:, :, None]
        clear = front.all(axis=1)[:, None]
        low = np.where(clear, slope.min(axis=1), -np.inf)
        high = np.where(clear, slope.max(axis=1), np.inf)
        face_on &= front.any(axis=1)
    drawn = np.flatnonzero(face_on).astype(np.int32)
    weight = length / length.max(axis=1, initial=1e-300, keepdims=True)
    return Triangles(
        edge.reshape(-1, 12).astype(np.float32),
        weight.astype(np.float32),
        _tile_lists(view, low, high, drawn),
    )


def _tile_lists(view: PixelRays, low: NDArray[np.float64], high: NDArray[np.float64], order: Ints) -> TileLists:
    """Lists, in the given order, of the things whose rectangle [low, high] in (u, v) touches each tile."""
    across, down = tile_grid(view)
    size = np.array([view.width, view.height])
    middle = 0.5 * size - 0.5
    box = np.empty((len(low), 4), np.int32)
    box[:, :2] = np.ceil(np.clip(low * view.focal + middle - 1e-3, 0.0, size))
    box[:, 2:] = np.floor(np.clip(high * view.focal + middle + 1e-3, -1.0, size - 1.0))
    start, items = _list_touched(box, order, across, across * down)
    return TileLists(start, items, box)


@kernel
def _list_touched(box, order, across, tiles):  # type: ignore[no-untyped-def]
    """Two passes over the things: count for each tile, then fill its part of one long list."""
    start = np.zeros(tiles + 1, np.int64)
    free = start
    items = np.empty(0, np.int32)
    for fill in (False, True):
        for k in range(order.size):
            i = order[k]
            if box[i, 0] <= box[i, 2] and box[i, 1] <= box[i, 3]:
                for row in range(box[i, 1] // TILE, box[i, 3] // TILE + 1):
                    for column in range(box[i, 0] // TILE, box[i, 2] // TILE + 1):
                        tile = row * across + column
                        if fill:
                            items[free[tile]] = i
                            free[tile] += 1
                        else:
                            start[tile + 1] += 1
        if not fill:
            for tile in range(tiles):
                start[tile + 1] += start[tile]
            free = start.copy()
            items = np.empty(start[tiles], np.int32)
    return start, items


@device
def sphere_depth(ball, i, u, v, parallel):  # type: ignore[no-untyped-def]
    """Depth at which the ray of (u, v) enters sphere i; infinite where it misses."""
    x, y, z, r = ball[i, 0], ball[i, 1], ball[i, 2], ball[i, 3]
    depth = np.float32(np.inf)
    if parallel:
        rest = r * r - (u - x) * (u - x) - (v - y) * (v - y)
        if rest > _ZERO:
            depth = z - np.sqrt(rest)
    else:
        # |ray × centre|² instead of centre² − (ray·centre)²: no cancellation for small, far spheres.
        p, q, s = v * z - y, x - u * z, u * y - v * x
        square = u * u + v * v + _ONE
        rest = square * r * r - p * p - q * q - s * s
        if rest > _ZERO:
            depth = (u * x + v * y + z - np.sqrt(rest)) / square
    return depth


@device
def triangle_depth(edge, k, u, v, parallel):  # type: ignore[no-untyped-def]
    """Depth at which the ray of (u, v) meets triangle k; infinite where it misses."""
    depth = np.float32(np.inf)
    e0 = edge[k, 0] * u + edge[k, 1] * v + edge[k, 2]
    e1 = edge[k, 3] * u + edge[k, 4] * v + edge[k, 5]
    e2 = edge[k, 6] * u + edge[k, 7] * v + edge[k, 8]
    if e0 >= _ZERO and e1 >= _ZERO and e2 >= _ZERO:
        w = edge[k, 9] * u + edge[k, 10] * v + edge[k, 11]
        if parallel:
            depth = w
        elif w > _ZERO:
            depth = _ONE / w
    return depth


def visible(view: PixelRays, spheres: DrawnSpheres, triangles: Triangles) -> tuple[Floats, Ints]:
    """Depth and thing seen by each sample: sphere i is i, triangle k is n + k, `NOTHING` the background."""
    depth = np.full((view.height, view.width), np.inf, np.float32)
    thing = np.full((view.height, view.width), NOTHING, np.int32)
    _draw_tiles(spheres, triangles, np.float32(view.focal), view.parallel, tiles_of(view), depth, thing)
    return depth, thing


@parallel
def _draw_tiles(team,   # type: ignore[no-untyped-def]
    spheres, triangles, focal, parallel, order, depth, thing
):
    (sphere_start, sphere_items, sphere_box), ball = spheres.lists, spheres.ball
    (triangle_start, triangle_items, triangle_box), edge = triangles.lists, triangles.edge
    across, tiles, stride = order
    height, width = depth.shape
    unit = _ONE / focal
    left, top = _HALF - _HALF * np.float32(width), _HALF - _HALF * np.float32(height)
    for n in deal(team, tiles):
        tile = (n * stride) % tiles
        x0, y0 = (tile % across) * TILE, (tile // across) * TILE
        x1, y1 = min(x0 + TILE, width) - 1, min(y0 + TILE, height) - 1
        for item in range(sphere_start[tile], sphere_start[tile + 1]):
            i = sphere_items[item]
            nearest = ball[i, 2] - ball[i, 3]
            for y in range(max(y0, sphere_box[i, 1]), min(y1, sphere_box[i, 3]) + 1):
                v = (np.float32(y) + top) * unit
                for x in range(max(x0, sphere_box[i, 0]), min(x1, sphere_box[i, 2]) + 1):
                    if nearest < depth[y, x]:
                        z = sphere_depth(ball, i, (np.float32(x) + left) * unit, v, parallel)
                        if z < depth[y, x]:
                            depth[y, x] = z
                            thing[y, x] = i
        for item in range(triangle_start[tile], triangle_start[tile + 1]):
            k = triangle_items[item]
            for y in range(max(y0, triangle_box[k, 1]), min(y1, triangle_box[k, 3]) + 1):
                v = (np.float32(y) + top) * unit
                for x in range(max(x0, triangle_box[k, 0]), min(x1, triangle_box[k, 2]) + 1):
                    z = triangle_depth(edge, k, (np.float32(x) + left) * unit, v, parallel)
                    if z < depth[y, x]:
                        depth[y, x] = z
                        thing[y, x] = ball.shape[0] + k
