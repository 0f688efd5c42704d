"""Shapes, tables and plain reference distances for the geometry tests."""

from __future__ import annotations

import numpy as np

from made_kernels import as_kernel
from windrow.geometry.distance import shape_distance
from windrow.geometry.table import ShapeTable, shape_table
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
    Shape,
    Sphere,
)

CUBE_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
CUBE_QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CUBE_FACES = np.array([[q[0], q[k], q[k + 1]] for q in CUBE_QUADS for k in (1, 2)])


def table_of(shape: Shape, inside: bool = False) -> ShapeTable:
    return shape_table([Obstacle(shape=shape, material="m", inside=inside)], {"m": 0}, ".")


def distances(table: ShapeTable, points: np.ndarray, s: int = 0) -> np.ndarray:
    """(n, 4): distance and normal at each point."""
    return np.array([as_kernel(shape_distance)(table, s, *(float(v) for v in p)) for p in points])


def box_mesh(size: tuple[float, float, float]) -> Mesh:
    return Mesh(vertices=CUBE_CORNERS * 0.5 * np.array(size), faces=CUBE_FACES)


def l_beam() -> Mesh:
    """A closed mesh with a concave edge: an L of two unit squares and a corner, one long in y."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)
    n = len(outline)
    front = np.column_stack([outline[:, 0], np.zeros(n), outline[:, 1]])
    back = front + np.array([0, 1, 0])
    cap = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
    faces = [*cap, *([a + n, c + n, b + n] for a, b, c in cap)]
    for k in range(n):
        j = (k + 1) % n
        faces += [[k, k + n, j + n], [k, j + n, j]]
    return Mesh(vertices=np.vstack([front, back]), faces=np.array(faces))


def bumpy_ground(nx: int = 7, ny: int = 9, seed: int = 3) -> HeightField:
    return HeightField(size=(2.0, 3.0), heights=np.random.default_rng(seed).uniform(-0.3, 0.3, (nx, ny)))


def hourglass(thickness: float = 0.0) -> Revolution:
    return Revolution(
        profile=[(1.0, 1.0), (0.2, 0.1), (0.2, -0.1), (1.0, -1.0), (0.5, -1.0)], thickness=thickness
    )


def sampled_ball(radius: float = 0.7, cells: int = 40) -> DistanceGrid:
    axis = np.linspace(-1.0, 1.0, cells + 1)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    return DistanceGrid(
        lower=(-1, -1, -1), spacing=2.0 / cells, values=np.sqrt(x * x + y * y + z * z) - radius
    )


SOLIDS: dict[str, Shape] = {
    "plane": Plane(normal=(1, 2, 2), offset=0.3),
    "box": Box(size=(1.0, 1.6, 0.7)),
    "sphere": Sphere(radius=0.8),
    "cylinder": Cylinder(radius=0.6, height=1.1),
    "capsule": Capsule(radius=0.4, height=0.9),
    "cone": Cone(radius=0.9, height=1.2),
    "frustum": Cone(radius=0.3, height=0.8, radius_top=0.7),
    "mesh": l_beam(),
}


def closest_on_triangles(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Distance of each point to the nearest triangle (t, 3, 3), by minimising over each one in turn.

    Plain and slow: the foot on the plane if it lies inside, else the nearest of the three edges.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    best = np.full(len(points), np.inf)
    for k, p in enumerate(points):
        height = ((p - a) * normal).sum(axis=1)
        foot = p - height[:, None] * normal
        within = np.ones(len(a), bool)
        d = np.full(len(a), np.inf)
        for u, v in ((a, b), (b, c), (c, a)):
            within &= (np.cross(v - u, foot - u) * normal).sum(axis=1) >= 0
            t = np.clip(((p - u) * (v - u)).sum(axis=1) / ((v - u) ** 2).sum(axis=1), 0, 1)
            d = np.minimum(d, np.linalg.norm(p - u - t[:, None] * (v - u), axis=1))
        best[k] = np.where(within, np.abs(height), d).min()
    return best


def winding_number(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Turns of closed triangles around each point: 1 inside, 0 outside (Van Oosterom and Strackee 1983)."""
    result = np.zeros(len(points))
    for k, p in enumerate(points):
        a, b, c = (corners[:, j] - p for j in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        above = (a * np.cross(b, c)).sum(axis=1)
        below = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        result[k] = 2 * np.arctan2(above, below).sum() / (4 * np.pi)
    return result
