"""Hulls of any points are sound solids: edges fit, faces are flat, nothing sticks out."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.errors import SceneError
from windrow.solvers.multibody.polytopes import FLAT, MOST_CORNERS, Polytope, hull_of


def is_sound(solid: Polytope, size: float) -> None:
    along: dict[tuple[int, int], int] = {}
    for number, face in enumerate(solid.faces):
        assert len(set(face)) == len(face) >= 3
        for edge in zip(face, face[1:] + face[:1], strict=True):
            assert edge not in along
            along[edge] = number
    assert all((b, a) in along for a, b in along)
    assert len(solid.corners) - len(along) // 2 + len(solid.faces) == 2
    middle = solid.corners.mean(axis=0)
    for face in solid.faces:
        ring = solid.corners[face] - middle
        normal = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
        normal /= np.linalg.norm(normal)
        offset = normal @ ring.mean(axis=0)
        assert offset > 0
        assert np.abs(ring @ normal - offset).max() < 3 * FLAT * size
        assert ((solid.corners - middle) @ normal - offset).max() < 3 * FLAT * size


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(5, 80), st.sampled_from(["cloud", "grid", "slab", "noisy box"]))
def test_hulls_are_sound(seed: int, count: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 3)) + rng.normal(size=3) * 10
    if kind == "grid":
        points = np.round(points)
    elif kind == "slab":
        points[:, 2] = np.where(points[:, 0] > points[:, 0].mean(), 1.0, 0.0)
    elif kind == "noisy box":
        points = trimesh.creation.box((1, 2, 3)).subdivide().subdivide().vertices
        points = points + 10.0 ** rng.uniform(-9, -4) * rng.normal(size=points.shape)
    if np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-6) < 3:
        with pytest.raises(SceneError, match=r"here: its corners span no volume"):
            hull_of(points, "here")
        return
    is_sound(hull_of(points, "here"), float(np.ptp(points, axis=0).max()))


def test_a_subdivided_box_is_a_box() -> None:
    box = trimesh.creation.box((1, 2, 3)).subdivide().subdivide()
    solid = hull_of(np.asarray(box.vertices), "box")
    assert len(solid.corners) == 8
    assert sorted(len(face) for face in solid.faces) == [4] * 6


def test_fine_meshes_are_thinned_out() -> None:
    ball = trimesh.creation.icosphere(subdivisions=4)
    solid = hull_of(np.asarray(ball.vertices), "ball")
    assert len(solid.corners) <= MOST_CORNERS
    is_sound(solid, 2.0)
    assert trimesh.convex.convex_hull(solid.corners).volume > 0.8 * ball.volume
