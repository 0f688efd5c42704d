"""Triangles of any obstacle, for pictures and exports; contacts never use them.

Solids are closed and their triangles run counter-clockwise seen from outside.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from windrow.fixed_math import dot, sine_cosine, unit
from windrow.geometry.isosurface import zero_surface
from windrow.geometry.mesh import load_surface
from windrow.geometry.terms import F64, I32
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    DistanceGrid,
    HeightField,
    Mesh,
    Plane,
    Revolution,
    Sphere,
)

AROUND = 64
"""Corners of a circle."""

Triangles = tuple[F64, I32]


def triangles(obstacle: Obstacle, base_dir: Path | str, plane_extent: float) -> Triangles:
    """Vertices (v, 3), m, in the obstacle's own frame, and faces (f, 3).

    A plane, which has no end, is shown as a square that reaches `plane_extent` (m) to each side.
    """
    shape = obstacle.shape
    if isinstance(shape, Plane):
        return _plane(shape, plane_extent)
    if isinstance(shape, Box):
        return _box(shape)
    if isinstance(shape, Sphere):
        angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, AROUND // 2 + 1)
        return turned(shape.radius * np.column_stack(sine_cosine(angle)[::-1]))
    if isinstance(shape, Cylinder):
        r, half = shape.radius, 0.5 * shape.height
        return turned(np.array([[0, -half], [r, -half], [r, half], [0, half]]))
    if isinstance(shape, Capsule):
        angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, AROUND // 2 + 2)
        profile = shape.radius * np.column_stack(sine_cosine(angle)[::-1])
        profile[:, 1] += np.where(angle < 0, -0.5, 0.5) * shape.height
        return turned(profile)
    if isinstance(shape, Cone):
        top, height = shape.radius_top, shape.height
        return turned(np.array([[0, 0], [shape.radius, 0], [top, height], [0, height]]))
    if isinstance(shape, HeightField):
        return _ground(shape)
    if isinstance(shape, Revolution):
        return _shell(shape)
    if isinstance(shape, DistanceGrid):
        return zero_surface(np.asarray(shape.values, np.float64), np.array(shape.lower), shape.spacing)
    assert isinstance(shape, Mesh)
    surface = load_surface(shape, f"obstacle {obstacle.name!r}", Path(base_dir))
    return surface.vertices, surface.faces.astype(np.int32)


def turned(profile: F64, loop: bool = False) -> Triangles:
    """Surface made by turning a line of (r, z) points around z; outside lies to the right of the line.

    Points on the axis become one vertex. With `loop` the last point is joined to the first.
    """
    s, c = sine_cosine(np.arange(AROUND) * (2 * np.pi / AROUND))
    vertices: list[F64] = []
    rings = []
    used = 0
    for r, z in profile:
        if r <= 1e-12:
            vertices.append(np.array([[0.0, 0.0, z]]))
            rings.append(np.full(AROUND, used))
            used += 1
        else:
            vertices.append(np.column_stack([r * c, r * s, np.full(AROUND, z)]))
            rings.append(used + np.arange(AROUND))
            used += AROUND
    faces = []
    for low, high in zip(rings, rings[1:] + rings[:1] if loop else rings[1:], strict=False):
        next_low, next_high = np.roll(low, -1), np.roll(high, -1)
        faces.append(np.column_stack([low, next_low, next_high]))
        faces.append(np.column_stack([low, next_high, high]))
    joined = np.concatenate(faces)
    distinct = (
        (joined[:, 0] != joined[:, 1]) & (joined[:, 1] != joined[:, 2]) & (joined[:, 2] != joined[:, 0])
    )
    return np.concatenate(vertices), joined[distinct].astype(np.int32)


def _plane(shape: Plane, extent: float) -> Triangles:
    normal = unit(shape.normal)
    helper = np.eye(3)[np.abs(normal).argmin()]
    u = unit(np.cross(helper, normal))
    v = np.cross(normal, u)
    corners = [
        normal * shape.offset + extent * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return np.array(corners), np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def _box(shape: Box) -> Triangles:
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return signs * np.array(shape.size), faces.astype(np.int32)


def _ground(shape: HeightField) -> Triangles:
    heights = np.asarray(shape.heights, np.float64)
    nx, ny = heights.shape
    x = np.linspace(-0.5 * shape.size[0], 0.5 * shape.size[0], nx)
    y = np.linspace(-0.5 * shape.size[1], 0.5 * shape.size[1], ny)
    vertices = np.column_stack([np.repeat(x, ny), np.tile(y, nx), heights.ravel()])
    number = np.arange(nx * ny).reshape(nx, ny)
    low, right, up, high = (
        number[i : nx - 1 + i, j : ny - 1 + j].ravel() for i, j in ((0, 0), (1, 0), (0, 1), (1, 1))
    )
    faces = np.concatenate([np.column_stack([low, right, high]), np.column_stack([low, high, up])])
    return vertices, faces.astype(np.int32)


def _shell(shape: Revolution) -> Triangles:
    """The turned line, or, with a thickness, the outline of it."""
    line = np.asarray(shape.profile, np.float64)
    if shape.closed and np.allclose(line[0], line[-1], rtol=0, atol=1e-9):
        line = line[:-1]
    if shape.thickness <= 0:
        return turned(line, loop=shape.closed)
    along = unit(np.diff(np.vstack([line, line[:1]]) if shape.closed else line, axis=0))
    right = np.column_stack([along[:, 1], -along[:, 0]])
    if shape.closed:
        before, after = np.roll(right, 1, axis=0), right
    else:
        before, after = np.vstack([right[:1], right]), np.vstack([right, right[-1:]])
    mean = before + after
    # A mitre: longer where the line bends, but never more than twice the half thickness.
    square = np.maximum(dot(mean, mean)[:, None], 1.0)
    offset = shape.thickness * mean / square
    outer, inner = line + offset, line - offset
    outer[:, 0], inner[:, 0] = np.maximum(outer[:, 0], 0.0), np.maximum(inner[:, 0], 0.0)
    if not shape.closed:
        return turned(np.vstack([outer, inner[::-1]]), loop=True)
    first, first_faces = turned(outer, loop=True)
    second, second_faces = turned(inner[::-1], loop=True)
    return np.vstack([first, second]), np.vstack([first_faces, second_faces + len(first)]).astype(np.int32)
