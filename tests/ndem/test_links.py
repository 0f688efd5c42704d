"""Ropes with NDEM: rest length under load, force at the support, springs in series."""

from __future__ import annotations

import numpy as np
import pytest
from made import MASS, G, R, soil

import windrow as wr
from windrow.scene import Link


def hanging(links: int, stiffness: float) -> wr.Simulation:
    """Grains below each other, the first one pinned."""
    scene = soil()
    pinned = np.zeros(links + 1, bool)
    pinned[0] = True
    position = np.zeros((links + 1, 3))
    position[:, 2] = -0.2 * np.arange(links + 1)
    ids = scene.add_particles(position=position, radius=R, material="soil", pinned=pinned)
    for k in range(links):
        scene.links.append(Link(first=int(ids[k]), second=int(ids[k + 1]), stiffness=stiffness, damping=30.0))
    return wr.Simulation(scene, solver=wr.NDEM(), threads=1)


def test_springs_stretch_under_what_hangs_below_them() -> None:
    simulation = hanging(5, 2000.0)
    for _ in range(600):
        simulation.step()
    z = simulation.particles.position[:, 2].astype(float)
    np.testing.assert_allclose(-np.diff(z) - 0.2, MASS * G * np.arange(5, 0, -1) / 2000.0, rtol=2e-3)


def test_a_rigid_rope_keeps_its_length() -> None:
    simulation = hanging(20, np.inf)
    for _ in range(240):
        simulation.step()
    z = simulation.particles.position[:, 2].astype(float)
    np.testing.assert_allclose(-np.diff(z), 0.2, rtol=0.01)
    assert np.abs(simulation.particles.velocity).max() < 1e-3


def test_a_rope_swings_and_keeps_momentum_out_of_nothing() -> None:
    """Free in space, two linked grains turn about their centre, which does not move."""
    scene = soil(gravity=(0, 0, 0))
    scene.add_particles(
        position=[(-0.2, 0, 0), (0.2, 0, 0)], velocity=[(0, -1, 0), (0, 1, 0)], radius=R, material="soil"
    )
    scene.links.append(Link(first=0, second=1))
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(60):
        simulation.step()
    np.testing.assert_allclose(simulation.particles.velocity.sum(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(simulation.particles.position.sum(axis=0), 0, atol=1e-5)
    distance = np.linalg.norm(np.diff(simulation.particles.position, axis=0))
    assert distance == pytest.approx(0.4, rel=0.02)
