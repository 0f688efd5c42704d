"""The cutting edge of an obstacle that says none: the lowest edge that leads, across the way it goes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot, norm, rotate, unit
from windrow.geometry.surface import triangles
from windrow.geometry.terms import F64
from windrow.scene.motion import Keyframes, Spin, pose_at
from windrow.scene.obstacles import Obstacle
from windrow.scene.tools import Cutting

WITHOUT_EDGE = ("plane", "height_field", "sphere", "capsule", "revolution", "distance_grid", "cone", "cylinder")
"""Shapes that are round or have no end."""
TOLERANCE = 0.02
"""Of the shape's size: corners that differ by less are equally low, or equally far ahead."""
REMEDY = "say where it cuts: cutting = {edge = [[…], […]], top = [[…], […]], direction = […]}"


def edge_of(obstacle: Obstacle, base_dir: Path | str, where: str) -> Cutting:
    """Where an obstacle that digs cuts: as it says, or as its shape and motion do; SceneError where neither does."""
    if obstacle.cutting is not None:
        return obstacle.cutting
    kind = obstacle.shape.kind
    if kind in WITHOUT_EDGE:
        raise SceneError(f"{where}: it digs, but a {kind} has no edge; {REMEDY}")
    moment, way = _first_way(obstacle, where)
    rotation = pose_at(obstacle, moment)[1]
    ahead, up = rotate(rotation.T, way), rotate(rotation.T, np.array([0.0, 0.0, 1.0]))
    across = np.cross(up, ahead)
    corners = triangles(obstacle, base_dir, 1.0)[0]
    places = np.column_stack([dot(corners, ahead), dot(corners, across), dot(corners, up)])
    size = TOLERANCE * float((places.max(axis=0) - places.min(axis=0)).max())
    low = _foremost(places, np.flatnonzero(places[:, 2] <= places[:, 2].min() + size), size)
    ends = _leading(places[low], size)
    if ends is None:
        raise SceneError(
            f"{where}: it digs, but what is lowest of its {kind} is a corner and no edge across its way; {REMEDY}"
        )
    edge = corners[low[list(ends)]]
    top = np.array([_above(corners, places, end, size) for end in low[list(ends)]])
    if float(norm(top.mean(axis=0) - edge.mean(axis=0))) < size:
        raise SceneError(f"{where}: it digs, but there is nothing above its lowest edge; {REMEDY}")
    return Cutting(edge=_rows(edge), top=_rows(top), direction=_row(ahead))


def _first_way(obstacle: Obstacle, where: str) -> tuple[float, F64]:
    """When it first moves along the ground, s, and where to, of length 1."""
    motion = obstacle.motion
    if motion is None:
        raise SceneError(f"{where}: it digs, but does not move, so that no edge leads; {REMEDY}")
    times = [motion.start, motion.start + 0.01]
    if isinstance(motion, Keyframes):
        times = (motion.start + np.asarray(motion.time)).tolist()
    if isinstance(motion, Spin) and motion.center is None:
        times = []
    for first, last in pairwise(times):
        way = pose_at(obstacle, last)[0] - pose_at(obstacle, first)[0]
        way[2] = 0.0
        if float(norm(way)) > 1e-9:
            return first, unit(way)
    raise SceneError(f"{where}: it digs, but never moves along the ground, so that no edge leads; {REMEDY}")


def _foremost(places: F64, low: NDArray[np.int64], size: float) -> NDArray[np.int64]:
    """Of the lowest corners, the first in each strip along the way: some fifty of any mesh."""
    strip = np.floor((places[low, 1] - places[low, 1].min()) / size + 0.5)
    order = np.lexsort((low, -places[low, 0], strip))
    first = np.flatnonzero(np.diff(strip[order], prepend=-1.0))
    return np.sort(low[order[first]])


def _leading(places: F64, size: float) -> tuple[int, int] | None:
    """Ends of the edge that leads among corners (ahead, across, up); None: there is none.

    Of all lines between two corners that have none ahead of them it is the one that reaches farthest across.
    """
    best, reach = None, size
    for a in range(len(places)):
        for b in range(len(places)):
            wide = places[b, 1] - places[a, 1]
            if wide <= reach + 1e-12:
                continue
            slope = (places[b, 0] - places[a, 0]) / wide
            line = places[a, 0] + slope * (places[:, 1] - places[a, 1])
            if (places[:, 0] <= line + 0.1 * size).all():
                best, reach = (a, b), wide
    return best


def _above(corners: F64, places: F64, end: int, size: float) -> F64:
    """The corner at the other end of the plate above an end of the edge: the highest there, and of those the first."""
    near = np.flatnonzero(np.abs(places[:, 1] - places[end, 1]) <= size)
    highest = near[places[near, 2] >= places[near, 2].max() - size]
    return np.asarray(corners[highest[int(places[highest, 0].argmax())]])


def _rows(points: F64) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    return _row(points[0]), _row(points[1])


def _row(point: F64) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])
