"""Convex hulls as polygons that fit together: every edge has exactly one face on each side.

Contacts walk from face to face across edges, so that a hull of a scanned or drawn mesh, with its slivers and nearly
flat corners, must be as sound as a cube.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from windrow.errors import SceneError
from windrow.fixed_math import dot, product, sine_cosine
from windrow.geometry.terms import F64, I64

MOST_CORNERS = 64
"""of a hull; finer meshes are thinned out"""
FLAT = 1e-4
"""Faces that bend by less than this share of the hull's size are one."""


@dataclass
class Polytope:
    """A convex solid."""

    corners: F64
    faces: list[list[int]]
    """corners around each face, counter-clockwise seen from outside"""


def hull_of(points: F64, where: str) -> Polytope:
    """Convex hull of points, flat neighbours joined to polygons; `where` names it in errors."""
    middle = points.mean(axis=0)
    size = float(np.ptp(points, axis=0).max()) or 1.0
    scaled = (points - middle) / size
    try:
        hull = ConvexHull(scaled, qhull_options="Qt")
        if len(hull.vertices) > MOST_CORNERS:
            scaled = _thinned(scaled[hull.vertices])
        hull = ConvexHull(scaled, qhull_options=f"Qt C-{FLAT}")
    except (QhullError, ValueError):
        raise SceneError(f"{where}: its corners span no volume; a body needs a solid shape") from None
    triangles = _facing_outwards(hull)
    group = _flat_groups(hull)
    loops = _loops(triangles, group)
    used = sorted({corner for loop in loops for corner in loop})
    number = {corner: k for k, corner in enumerate(used)}
    faces = [[number[corner] for corner in loop] for loop in loops]
    return Polytope(middle + size * scaled[used], faces)


def _thinned(points: F64) -> F64:
    """The corners that reach farthest in evenly spread directions."""
    k = np.arange(MOST_CORNERS) + 0.5
    z, turn = 1 - 2 * k / MOST_CORNERS, math.pi * (1 + math.sqrt(5)) * k
    ring, (s, c) = np.sqrt(1 - z * z), sine_cosine(turn)
    return points[np.unique(product(points, np.stack([ring * c, ring * s, z])).argmax(axis=0))]


def _facing_outwards(hull: ConvexHull) -> I64:
    """Triangles (t, 3), counter-clockwise from outside.

    The largest one shows which way; the others follow from edge to edge, for slivers have no reliable normal.
    """
    triangles = hull.simplices.astype(np.int64).copy()
    a, b, c = (hull.points[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    start = int(dot(normal, normal).argmax())
    if dot(normal[start], hull.equations[start, :3]) < 0:
        triangles[start] = triangles[start, ::-1]
    turned, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        edges = _edges_of(triangles[here])
        for other in map(int, hull.neighbors[here]):
            if other not in turned:
                # Neighbours run along their common edge in opposite directions.
                if edges & _edges_of(triangles[other]):
                    triangles[other] = triangles[other, ::-1]
                turned.add(other)
                waiting.append(other)
    return np.asarray(triangles)


def _edges_of(triangle: I64) -> set[tuple[int, int]]:
    a, b, c = (int(corner) for corner in triangle)
    return {(a, b), (b, c), (c, a)}


def _flat_groups(hull: ConvexHull) -> list[int]:
    """For each triangle the number of the face that it is part of: neighbours in one plane."""
    group = list(range(len(hull.simplices)))

    def root(t: int) -> int:
        while group[t] != t:
            group[t] = group[group[t]]
            t = group[t]
        return t

    for t, others in enumerate(hull.neighbors):
        for other in map(int, others):
            if np.abs(hull.equations[t] - hull.equations[other]).max() < 1e-7:
                group[root(other)] = root(t)
    return [root(t) for t in range(len(group))]


def _loops(triangles: I64, group: list[int]) -> list[list[int]]:
    """The rim of each group; a group whose rim is not one simple loop is taken apart into its triangles."""
    while True:
        rim: dict[int, dict[int, int]] = {}
        broken: set[int] = set()
        owner = {edge: t for t, triangle in enumerate(triangles) for edge in _edges_of(triangle)}
        for (a, b), t in owner.items():
            if group[owner[b, a]] != group[t]:
                following = rim.setdefault(group[t], {})
                if a in following:
                    broken.add(group[t])
                following[a] = b
        loops = []
        for name, following in rim.items():
            first = min(following)
            loop = [first]
            while following[loop[-1]] != first and len(loop) <= len(following):
                loop.append(following[loop[-1]])
            if len(loop) != len(following) or len(loop) < 3:
                broken.add(name)
            loops.append(loop)
        if not broken:
            return loops
        group = [t if name in broken else name for t, name in enumerate(group)]
