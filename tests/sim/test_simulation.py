"""Emitters, sinks, the ledger, thin walls, the guard, and the public arrays."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr


def scene_with_floor() -> wr.Scene:
    scene = wr.Scene()
    scene.add_material(
        "m",
        density=1600,
        friction_static=0.5,
        friction_kinetic=0.5,
        adhesion=0.0,
        stiffness=1e5,
        damping=150.0,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m")
    return scene


def overlap_most(simulation: wr.Simulation) -> float:
    from scipy.spatial import cKDTree

    x, r = simulation.particles.position, simulation.particles.radius
    pairs = cKDTree(x).query_pairs(2 * float(r.max()), output_type="ndarray")
    if len(pairs) == 0:
        return 0.0
    return float((r[pairs].sum(1) - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)).max())


def test_emitter_keeps_its_rate_and_never_spawns_into_overlap() -> None:
    scene = scene_with_floor()
    scene.add_emitter(
        region={"kind": "box", "size": (0.5, 0.5, 0.3)},
        position=(0, 0, 2.0),
        rate=240.0,
        radius=0.04,
        material="m",
        velocity=(0, 0, -3.0),
        count=300,
    )
    simulation = wr.Simulation(scene)
    for _ in range(60):
        before = simulation.state.count
        report = simulation.step()
        new = simulation.particles.id >= before
        assert report.emitted == new.sum()
    assert simulation.state.count == pytest.approx(240, abs=6)
    assert simulation.ledger["emitted"] == simulation.state.count


def test_a_blocked_emitter_waits() -> None:
    scene = scene_with_floor()
    scene.gravity = (0, 0, 0)
    scene.add_emitter(
        region={"kind": "sphere", "radius": 0.1},
        position=(0, 0, 1.0),
        rate=6000.0,
        radius=0.05,
        material="m",
        count=500,
    )
    simulation = wr.Simulation(scene)
    simulation.step()
    simulation.particles.velocity = np.zeros((simulation.state.count, 3))
    for _ in range(5):
        report = simulation.step()
        assert overlap_most(simulation) < 1e-3
    assert report.waiting > 0
    assert simulation.state.count < 30


def test_a_grain_far_away_costs_no_memory_and_changes_nothing() -> None:
    """One that has flown away in a run: scenes that begin so far out are refused."""
    results = []
    for far in (5.0, 5e5):
        scene = scene_with_floor()
        scene.add_block(lower=(-0.3, -0.3, 0.0), size=(0.6, 0.6, 0.6), radius=0.05, material="m", jitter=0.0)
        scene.add_particles(position=[(5.0, 5.0, 0.05)], radius=0.05, material="m")
        simulation = wr.Simulation(scene)
        simulation.state.X[-1 + simulation.state.count, :2] = far
        for _ in range(20):
            simulation.step()
        results.append(simulation.particles.position[:-1])
    assert np.abs(results[0] - results[1]).max() < 1e-4


def test_sleeping_grains_wake_when_carried() -> None:
    """A conveyor that moves less than the sleep threshold per step still carries its load, all layers of it."""
    scene = wr.Scene()
    scene.add_material(
        "m",
        density=1600,
        friction_static=0.8,
        friction_kinetic=0.8,
        adhesion=0.0,
        stiffness=1e5,
        damping=150.0,
    )
    scene.add_box(
        position=(0, 0, -0.05),
        size=(4, 2, 0.1),
        material="m",
        motion={"kind": "linear", "velocity": (0.012, 0, 0), "start": 4.0, "stop": 6.0},
    )
    x, y, z = np.meshgrid(np.arange(4), np.arange(4), np.arange(2), indexing="ij")
    grid = np.stack([x * 0.1, y * 0.1, 0.05 + z * 0.1], -1).reshape(-1, 3)
    scene.add_particles(position=grid, radius=0.05, material="m")
    simulation = wr.Simulation(scene, solver=wr.P2(sleep_threshold=3e-4))
    for _ in range(240):  # grains that stand on each other's heads may need a while until all of them sleep
        simulation.step()
    assert simulation.last_report is not None
    assert simulation.last_report.asleep == 32
    before = simulation.particles.position
    for _ in range(120):
        simulation.step()
    moved = simulation.particles.position - before
    np.testing.assert_allclose(moved[:, 0], 0.024, atol=0.003)
    for _ in range(300):
        simulation.step()
    assert simulation.last_report.asleep == 32
