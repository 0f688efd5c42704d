"""Masses and moments of inertia against formulas, fine meshes and sums."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh

from windrow.scene import Body, Box, Capsule, Cone, Cylinder, Mesh, Piece, Sphere, Spheres
from windrow.solvers.multibody.inertia import MassProperties, body_properties, joined, piece_properties

HERE = Path()


def solid(shape: object, **fields: object) -> MassProperties:
    return piece_properties(Piece(shape=shape, **fields), "piece", HERE)


def of_mesh(mesh: trimesh.Trimesh) -> MassProperties:
    return solid(Mesh(vertices=mesh.vertices, faces=mesh.faces))


def revolved(profile: list[tuple[float, float]]) -> trimesh.Trimesh:
    return trimesh.creation.revolve(profile, sections=720)


@pytest.mark.parametrize(
    ("shape", "mesh"),
    [
        (Box(size=(1, 2, 3)), trimesh.creation.box((1, 2, 3))),
        (Sphere(radius=0.7), trimesh.creation.icosphere(subdivisions=5, radius=0.7)),
        (Cylinder(radius=0.5, height=2), revolved([(0, -1), (0.5, -1), (0.5, 1), (0, 1)])),
        (Cone(radius=0.5, height=2), revolved([(0, 0), (0.5, 0), (0, 2)])),
        (Cone(radius=0.5, height=2, radius_top=0.9), revolved([(0, 0), (0.5, 0), (0.9, 2), (0, 2)])),
        (
            Capsule(radius=0.4, height=1),
            revolved(
                [
                    (0.4 * math.cos(a), math.copysign(0.5, a) + 0.4 * math.sin(a))
                    for a in np.linspace(-math.pi / 2, math.pi / 2, 200)
                ]
            ),
        ),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_primitives_agree_with_fine_meshes(shape: object, mesh: trimesh.Trimesh) -> None:
    exact, fine = solid(shape), of_mesh(mesh)
    assert exact.mass == pytest.approx(fine.mass, rel=2e-3)
    np.testing.assert_allclose(exact.center, fine.center, atol=2e-3)
    np.testing.assert_allclose(exact.inertia, fine.inertia, atol=3e-3 * np.abs(fine.inertia).max())


def test_a_ball_far_away_obeys_steiner() -> None:
    one = solid(Sphere(radius=0.5)).times(2.0)
    two = joined([one, one.placed(np.array([3.0, 0, 0]), np.eye(3))])
    assert two.mass == pytest.approx(2 * one.mass)
    np.testing.assert_allclose(two.center, [1.5, 0, 0])
    moment = 0.4 * one.mass * 0.25
    expected = [2 * moment, 2 * moment + 2 * one.mass * 1.5**2, 2 * moment + 2 * one.mass * 1.5**2]
    np.testing.assert_allclose(np.diag(two.inertia), expected)


def test_two_overlapping_balls_are_counted_once() -> None:
    r, d = 1.0, 1.0
    lens = math.pi * (4 * r + d) * (2 * r - d) ** 2 / 12
    union = solid(Spheres(centers=[[0, 0, 0], [0, 0, d]], radii=r))
    sideways = solid(Spheres(centers=[[0, 0, 0], [d, 0, 0]], radii=r))
    volume = 2 * 4 / 3 * math.pi - lens
    assert union.mass == pytest.approx(volume, rel=1e-3)
    assert sideways.mass == pytest.approx(volume, rel=1e-3)
    np.testing.assert_allclose(union.center, [0, 0, d / 2], atol=1e-9)
    # The same solid, lying and standing.
    np.testing.assert_allclose(np.diag(sideways.inertia), np.diag(union.inertia)[[2, 1, 0]], rtol=2e-3)
    coincident = solid(Spheres(centers=[[0, 0, 0], [0, 0, 0]], radii=[r, 0.5]))
    assert coincident.mass == pytest.approx(4 / 3 * math.pi, rel=1e-3)
    np.testing.assert_allclose(coincident.inertia, 0.4 * coincident.mass * np.eye(3), rtol=2e-3, atol=1e-9)


def test_separate_balls_are_exact() -> None:
    pair = solid(Spheres(centers=[[0, 0, 0], [0, 0, 3]], radii=[1.0, 0.5]))
    assert pair.mass == pytest.approx(4 / 3 * math.pi * 1.125, rel=1e-12)


def test_a_turned_piece_turns_its_inertia() -> None:
    turned = solid(Box(size=(1, 2, 3)), rotation_deg=(0, 0, 90), position=(1, 0, 0))
    np.testing.assert_allclose(np.diag(turned.inertia), np.diag(solid(Box(size=(2, 1, 3))).inertia))
    np.testing.assert_allclose(turned.center, [1, 0, 0])


def test_mass_and_inertia_given_win() -> None:
    body = Body(name="a", material="m", shapes=[Box(size=(1, 1, 1))], mass=6.0)
    whole = body_properties(body, 0, 1000.0, HERE)
    np.testing.assert_allclose(whole.inertia, np.eye(3))
    body = Body(name="a", material="m", shapes=[Box(size=(1, 1, 1))], mass=6.0, inertia=[2, 2, 3])
    np.testing.assert_allclose(body_properties(body, 0, 1000.0, HERE).inertia, np.diag([2, 2, 3]))
    massless = Body(
        name="a", material="m", shapes=[Box(size=(1, 1, 1)), Piece(shape=Sphere(radius=9), massless=True)]
    )
    assert body_properties(massless, 0, 1000.0, HERE).mass == pytest.approx(1000)
