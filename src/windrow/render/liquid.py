"""Liquid particles drawn as what they stand for: one surface, not beads.

Each particle adds a bell to a grid of values; the surface is where their sum is a little more than half of the height
of one alone: a drop is a ball of its radius, and a body of liquid ends a fifth of a particle outside of its layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import cube_root, norm
from windrow.geometry.isosurface import zero_surface
from windrow.render.surfaces import NO_TRIANGLES, PosedTriangles

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

REACH = 1.7
"""of a particle's bell, in particle distances d₀"""
LEVEL = 0.6
"""of the sum of bells at the surface, over that in the middle of a particle alone"""
FINE = 0.4
"""Spacing of the grid over d₀"""
MOST_NODES = 6_000_000


def liquid_in(frame: Frame, scene: Scene) -> NDArray[np.bool_]:
    """Which particles are liquid: those of liquid materials; all of them where no material says so."""
    liquid = np.array([name in scene.materials and scene.materials[name].liquid for name in frame.material_names])
    return np.asarray(liquid[frame.material]) if liquid.any() else np.ones(len(frame.material), np.bool_)


def liquid_surface(
    position: NDArray[np.floating], radius: NDArray[np.floating], color: NDArray[np.floating]
) -> PosedTriangles:
    """Triangles of the surface of all particles (n, 3), with the colours (n, 3) of those beside it."""
    if len(position) == 0:
        return NO_TRIANGLES
    place = np.asarray(position, np.float64)
    d = 2.0 * float(np.median(radius))
    lower, upper = place.min(axis=0) - 2.0 * REACH * d, place.max(axis=0) + 2.0 * REACH * d
    size = upper - lower
    spacing = max(FINE * d, float(cube_root(float(size[0] * size[1] * size[2]) / MOST_NODES)))
    shape = (size / spacing).astype(np.int64) + 2
    total, tint = _bells(place, np.asarray(color, np.float64), lower, spacing, shape, REACH * d)
    vertices, faces = zero_surface((LEVEL - total).reshape(shape), lower, spacing)
    if len(faces) == 0:
        return NO_TRIANGLES
    vertices = _calmed(vertices, faces)
    near = np.clip(np.rint((vertices - lower) / spacing).astype(np.int64), 0, shape - 1)
    node = (near[:, 0] * shape[1] + near[:, 1]) * shape[2] + near[:, 2]
    each = tint[node] / np.maximum(total[node], 1e-6)[:, None]
    corners = vertices[faces]
    return PosedTriangles(
        corners, _normals(vertices, faces)[faces], each[faces].mean(axis=1), np.zeros((len(faces), 3), bool)
    )


def _bells(
    place: NDArray[np.float64], color: NDArray[np.float64], lower: NDArray[np.float64], spacing: float,
    shape: NDArray[np.int64], reach: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """Sum of the bells (nodes,), and of their colours (nodes, 3), at all nodes of the grid."""
    sums = np.zeros((int(shape[0] * shape[1] * shape[2]), 4))
    first = ((place - lower) / spacing).astype(np.int64)
    far = int(reach / spacing) + 1
    steps = np.arange(-far, far + 2)
    values = np.concatenate([np.ones((len(place), 1)), color], axis=1)
    for step in np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3):
        node = first + step
        q = norm(place - lower - spacing * node) / reach
        inside = np.flatnonzero(q < 1.0)
        if len(inside):
            q, node = q[inside], node[inside]
            t = 1.0 - q
            bell = np.where(q <= 0.5, 6.0 * q * q * (q - 1.0) + 1.0, 2.0 * t * t * t)
            at = (node[:, 0] * shape[1] + node[:, 1]) * shape[2] + node[:, 2]
            np.add.at(sums, at, bell[:, None] * values[inside])
    return sums[:, 0], sums[:, 1:]


def _calmed(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.float64]:
    """The same surface without the ripples of single particles: each vertex goes toward the mean of its neighbours."""
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    many = np.bincount(ends[:, 0], minlength=len(vertices)).astype(np.float64)
    for _ in range(3):
        mean = np.stack([np.bincount(ends[:, 0], vertices[ends[:, 1], a], len(vertices)) for a in range(3)], axis=1)
        vertices = 0.5 * vertices + 0.5 * mean / np.maximum(many, 1.0)[:, None]
    return vertices


def _normals(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.float64]:
    """Unit normals of the vertices: means of those of their faces, by area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    total = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(total, faces[:, k], across)
    return total / np.maximum(norm(total), 1e-30)[:, None]
