"""Emitters, sinks, the ledger, thin walls, the guard, and the public arrays."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import CapacityError, SceneError


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


def test_ledger_balances_through_sinks_and_the_edge() -> None:
    scene = scene_with_floor()
    scene.domain = {"lower": (-3, -3, -1), "upper": (3, 3, 5)}
    scene.add_block(
        lower=(-0.5, -0.5, 0.2),
        size=(1, 1, 1),
        radius={"min": 0.03, "max": 0.06},
        material="m",
        velocity=(4.0, 0, 0),
    )
    scene.add_sink(region={"kind": "cylinder", "radius": 0.3, "height": 1.0}, position=(0.8, 0, 0))
    scene.add_emitter(
        region={"kind": "box", "size": (1, 1, 0.2)},
        position=(0, 0, 2.5),
        mass_rate=50.0,
        radius=0.05,
        material="m",
        stop=0.5,
        velocity=(0, 0, -2),
    )
    scene.capacity = 3000
    simulation = wr.Simulation(scene)
    for _ in range(120):
        simulation.step()
        ledger = simulation.state.ledger
        assert ledger.expected == simulation.state.count
        assert ledger.expected_mass == pytest.approx(simulation.particles.mass.sum(), rel=1e-12)
    assert ledger.sunk > 10
    assert ledger.left_domain > 10
    assert ledger.emitted > 10


def test_ids_survive_sorting_and_removal() -> None:
    scene = scene_with_floor()
    rng = np.random.default_rng(0)
    x = (
        np.stack(np.meshgrid(*[np.arange(6)] * 3, indexing="ij"), -1).reshape(-1, 3)[rng.permutation(216)]
        * 0.2
        + 1.0
    )
    scene.gravity = (0, 0, 0)
    scene.add_particles(position=x, radius=0.05, material="m")
    scene.add_sink(region={"kind": "box", "size": (0.5, 9, 9)}, position=(1.0, 1, 1))
    simulation = wr.Simulation(scene)
    simulation.step()
    kept = x[:, 0] > 1.25
    np.testing.assert_allclose(simulation.particles.position, x[kept], atol=1e-6)
    np.testing.assert_array_equal(simulation.particles.id, np.nonzero(kept)[0])


@pytest.mark.parametrize("speed", [20.0, 60.0])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 240])
def test_no_grain_passes_a_thin_sheet(speed: float, dt: float) -> None:
    """Thrown at 20 m/s and more against a 5 mm sheet, in volleys that also push one another."""
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material(
        "m",
        density=1600,
        friction_static=0.3,
        friction_kinetic=0.3,
        adhesion=0.0,
        stiffness=1e5,
        damping=150.0,
    )
    scene.add_box(position=(1.0, 0, 0), size=(0.005, 4, 4), material="m", rotation_deg=(0, 12, 5))
    y, z, k = np.meshgrid(np.arange(6), np.arange(6), np.arange(3), indexing="ij")
    x = np.stack([-k * 0.12, (y - 2.5) * 0.11, (z - 2.5) * 0.11], -1).reshape(-1, 3)
    scene.add_particles(position=x, velocity=(speed, 0, 0), radius=0.05, material="m")
    simulation = wr.Simulation(scene, solver=wr.P2(dt=dt))
    normal = np.array(simulation.model.poses(0.0)[0][:9]).reshape(3, 3)[:, 0]
    for _ in range(round(0.5 / dt)):
        simulation.step()
        side = (simulation.particles.position - (1.0, 0, 0)) @ normal
        near = np.abs(simulation.particles.position[:, 1:]).max(axis=1) < 1.8
        assert (side[near] < 0).all()
    assert simulation.state.body_force.shape == (1, 3)


def test_a_nan_is_contained() -> None:
    scene = scene_with_floor()
    scene.add_block(lower=(-0.3, -0.3, 0.0), size=(0.6, 0.6, 0.4), radius=0.05, material="m")
    simulation = wr.Simulation(scene)
    simulation.step()
    simulation.state.V[7, 1] = np.nan
    victim = simulation.state.id[7]
    others = simulation.particles.id != victim
    for _ in range(30):
        report = simulation.step()
    assert report.frozen == 1
    assert simulation.particles.frozen[~others].all()
    assert np.isfinite(simulation.particles.position).all()
    assert np.isfinite(simulation.particles.velocity).all()
    assert simulation.state.count == simulation.state.ledger.expected


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


def test_bad_beginnings_are_refused() -> None:
    with pytest.raises(SceneError, match="no grains, no emitter"):
        wr.Simulation(scene_with_floor())
    scene = scene_with_floor()
    scene.add_particles(position=[(0, 0, -0.2)], radius=0.05, material="m")
    with pytest.raises(SceneError, match="inside an obstacle"):
        wr.Simulation(scene)
    scene = scene_with_floor()
    scene.add_particles(position=[(0, 0, 0.2), (1, 0, 0.2)], radius=0.05, material="m")
    scene.capacity = 1
    with pytest.raises((SceneError, CapacityError), match="capacity"):
        wr.Simulation(scene)


def test_public_arrays_check_what_they_are_given() -> None:
    scene = scene_with_floor()
    scene.add_particles(position=[(0, 0, 0.2), (1, 0, 0.2)], radius=0.05, material="m")
    simulation = wr.Simulation(scene)
    simulation.particles.position = [(0, 0, 0.5), (1, 0, 0.6)]
    np.testing.assert_allclose(simulation.particles.position[:, 2], (0.5, 0.6))
    with pytest.raises(SceneError, match="finite"):
        simulation.particles.velocity = [(np.nan, 0, 0), (0, 0, 0)]
    with pytest.raises(SceneError, match="shape"):
        simulation.particles.velocity = [(0, 0, 0)]


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
