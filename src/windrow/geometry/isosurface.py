"""The surface on which sampled values are zero, as triangles.

Every cell is cut into six tetrahedra around its diagonal; in a tetrahedron the surface is one triangle or
two, so that there are no ambiguous cases, and neighbours fit together without gaps.
"""

from __future__ import annotations

import numpy as np

from windrow.fixed_math import dot
from windrow.geometry.terms import F64, I32, I64

# Corners of a cell as bits (4 x + 2 y + z); each tetrahedron walks from corner 0 to 7 along three edges.
_TETRAHEDRA = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])


def zero_surface(values: F64, lower: F64, spacing: float) -> tuple[F64, I32]:
    """Vertices (v, 3) and faces (f, 3), counter-clockwise seen from where the values are positive."""
    nx, ny, nz = values.shape
    sign = values < 0
    mixed = np.zeros((nx - 1, ny - 1, nz - 1), np.int64)
    for bits in range(8):
        i, j, k = bits >> 2, (bits >> 1) & 1, bits & 1
        mixed += sign[i : nx - 1 + i, j : ny - 1 + j, k : nz - 1 + k]
    cells = np.argwhere((mixed > 0) & (mixed < 8))
    corner = np.array([[b >> 2, (b >> 1) & 1, b & 1] for b in range(8)])
    numbers = dot(cells[:, None, :] + corner, (ny * nz, nz, 1)).astype(np.int64)
    tetrahedra = numbers[:, _TETRAHEDRA].reshape(-1, 4)
    edges = _cut(tetrahedra, values.ravel())
    if len(edges) == 0:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int32)
    ends, faces = np.unique(np.sort(edges.reshape(-1, 2), axis=1), axis=0, return_inverse=True)
    place = lower + spacing * np.stack(np.unravel_index(ends, values.shape), axis=-1)
    first, second = values.ravel()[ends[:, 0]], values.ravel()[ends[:, 1]]
    t = first / (first - second)
    vertices = place[:, 0] + t[:, None] * (place[:, 1] - place[:, 0])
    faces = faces.reshape(-1, 3)
    repeated = (faces[:, 0] == faces[:, 1]) | (faces[:, 1] == faces[:, 2]) | (faces[:, 2] == faces[:, 0])
    return vertices, faces[~repeated].astype(np.int32)


def _cut(tetrahedra: I64, values: F64) -> I64:
    """(t, 3, 2): each triangle's three vertices as the grid edges they lie on."""
    inside = values[tetrahedra] < 0
    case = dot(inside, (1, 2, 4, 8))
    triangles = []
    for number in range(1, 15):
        chosen = tetrahedra[case == number]
        if len(chosen) == 0:
            continue
        within = [k for k in range(4) if number >> k & 1]
        without = [k for k in range(4) if not number >> k & 1]
        if len(within) == 1 or len(without) == 1:
            single, others = (within[0], without) if len(within) == 1 else (without[0], within)
            loops = [[(single, k) for k in others]]
        else:
            (a, b), (c, d) = within, without
            loops = [[(a, c), (a, d), (b, d)], [(a, c), (b, d), (b, c)]]
        for loop in loops:
            corners = np.stack([chosen[:, list(edge)] for edge in loop], axis=1)
            if not _faces_out(loop, within):
                corners = corners[:, ::-1]
            triangles.append(corners)
    return np.concatenate(triangles) if triangles else np.zeros((0, 3, 2), np.int64)


def _faces_out(loop: list[tuple[int, int]], within: list[int]) -> bool:
    """Whether a triangle of edge middles, in a tetrahedron of positive volume, turns its back to `within`."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    a, b, c = (0.5 * (corner[i] + corner[j]) for i, j in loop)
    normal = np.cross(b - a, c - a)
    return bool(dot(normal, a - corner[within].mean(axis=0)) > 0)
