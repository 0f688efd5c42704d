"""NDEM with many grains: columns carry their weight, heaps stand still, momentum is kept, loads ride along."""

from __future__ import annotations

import numpy as np
import pytest
from made import MASS, G, R, box_of_planes, lattice, root_mean_square_speed, settling, smooth_start, soil

import windrow as wr
from windrow.collide.touching import touching_pairs


@pytest.mark.parametrize("layers", [40, 80])
def test_a_column_stands_at_the_height_of_its_springs(layers: int) -> None:
    scene = soil(c=150.0)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(1, 1, layers), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(4 * 60 if layers == 40 else 7 * 60):
        simulation.step()
    z = simulation.particles.position[:, 2].astype(float)
    # grain n rests on the sum of what all contacts below it yield under the weight above them
    yielded = np.cumsum(MASS * G * np.arange(layers, 0, -1) / 1e5)
    np.testing.assert_allclose(z, R + 2 * R * np.arange(layers) - yielded, atol=0.005 * layers * 2 * R * 0.1)
    assert simulation.state.body_force[0, 2] == pytest.approx(-layers * MASS * G, rel=1e-3)
    assert root_mean_square_speed(simulation) < 1e-3


@pytest.fixture(scope="module")
def settled() -> wr.Simulation:
    simulation = wr.Simulation(settling(1500), solver=wr.NDEM(), threads=2)
    for _ in range(270):  # a last grain slides off its neighbour after 4 s
        simulation.step()
    return simulation


def test_a_settled_bed_stands_still_and_its_weight_is_carried(settled: wr.Simulation) -> None:
    assert root_mean_square_speed(settled) < 1e-4
    before = settled.particles.position.copy()
    for _ in range(60):
        report = settled.step()
    assert np.abs(settled.particles.position - before).max() < 1e-4
    assert report.notes["searches"] == 0
    weight = 1500 * MASS * G
    assert settled.state.body_force[:, 2].sum() == pytest.approx(-weight, rel=1e-3)
    assert abs(settled.state.body_force[:, 0].sum()) < 1e-3 * weight


def test_forces_on_grains_and_walls_balance(settled: wr.Simulation) -> None:
    """The mean contact force of a resting grain carries its weight; all together are the walls' reaction."""
    force = settled.particles.force
    np.testing.assert_allclose(force[:, 2], MASS * G, rtol=0.02)
    np.testing.assert_allclose(
        force.sum(axis=0), -settled.state.body_force.sum(axis=0), atol=1e-3 * 1500 * MASS * G
    )


def test_momentum_is_kept_and_energy_never_grows() -> None:
    """A closed system of mixed radii, two materials and adhesion, rushing together and apart."""
    g = np.random.default_rng(0)
    scene = soil(gravity=(0, 0, 0), adhesion=500.0, mu=0.6, mu_k=0.4)
    scene.add_material(
        "clay",
        density=2500,
        friction_static=0.9,
        friction_kinetic=0.5,
        adhesion=5e3,
        stiffness=4e4,
        damping=20.0,
    )
    points = lattice(7, 7, 7, 0.11)
    velocity = -4.0 * (points - points.mean(axis=0)) + g.normal(size=points.shape)
    half = len(points) // 2
    for part, material in ((slice(0, half), "soil"), (slice(half, None), "clay")):
        radius = g.uniform(0.03, 0.05, len(points[part]))
        scene.add_particles(position=points[part], velocity=velocity[part], radius=radius, material=material)
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=2)
    mass = simulation.particles.mass.astype(float)[:, None]

    def momentum() -> np.ndarray:
        return (mass * simulation.particles.velocity).sum(axis=0)

    def energy() -> float:
        return 0.5 * float((mass * simulation.particles.velocity.astype(float) ** 2).sum())

    start, size, energies = momentum(), float(np.abs(mass * velocity).sum()), [energy()]
    for _ in range(60):
        simulation.step()
        energies.append(energy())
    np.testing.assert_allclose(momentum(), start, atol=1e-6 * size)
    assert energies[-1] < 0.2 * energies[0]
    # springs may give back what they stored, but never more than there was
    assert max(energies) <= energies[0] * (1 + 1e-6)


@pytest.mark.parametrize(("damping", "mu"), [(0.0, 0.0), (0.0, 0.5), (88.0, 0.5)])
def test_energy_of_motion_height_and_springs_never_grows(damping: float, mu: float) -> None:
    """Grains that fall into a box and bounce, springs without dampers included: what they store counts."""
    scene = soil(c=damping, mu=mu)
    box_of_planes(scene, 0.35)
    scene.add_particles(position=lattice(5, 5, 5, 0.12), velocity=(0.5, -0.3, 0.0), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)

    def energy() -> float:
        x, v = (a.astype(float) for a in (simulation.particles.position, simulation.particles.velocity))
        distance = touching_pairs(x, np.full(len(x), R))[2]
        walls = np.stack([x[:, 2], *(0.35 + s * x[:, a] for a in (0, 1) for s in (1, -1))])
        springs = ((2 * R - distance) ** 2).sum() + (np.maximum(R - walls, 0.0) ** 2).sum()
        return float(MASS * (0.5 * (v**2).sum() + G * x[:, 2].sum()) + 0.5e5 * springs)

    energies = [energy()]
    for _ in range(90):
        simulation.step()
        energies.append(energy())
    assert np.diff(energies).max() < 1e-4 * energies[0]
    assert energies[-1] < 0.9 * energies[0]


@pytest.mark.parametrize(("share", "slips"), [(0.5, False), (0.9, False), (1.2, True)])
def test_a_load_rides_along_up_to_the_coulomb_limit(share: float, slips: bool) -> None:
    acceleration, mu = share * 0.5 * G, 0.5
    time = np.linspace(0, 1.0, 121)
    way = np.zeros((121, 3))
    way[:, 0] = acceleration * smooth_start(time)
    scene = soil(mu=mu)
    scene.add_plane(
        normal=(0, 0, 1),
        offset=0.0,
        material="soil",
        motion={"kind": "keyframes", "time": time, "position": way, "start": 0.5},
    )
    scene.add_particles(position=lattice(6, 6, 3), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(30):
        simulation.step()
    start, force = simulation.particles.position.copy(), []
    for _ in range(48):
        simulation.step()
        force.append(simulation.state.body_force[0, 0])
    lag = acceleration * smooth_start(0.8) - (simulation.particles.position - start)[:, 0]
    if slips:
        assert lag.mean() > 0.1
    else:
        assert np.abs(lag).max() < 0.4 * R
        assert -np.mean(force[12:]) == pytest.approx(len(start) * MASS * acceleration, rel=0.01)


@pytest.mark.parametrize(("slope_deg", "flows"), [(15.0, False), (40.0, True)])
def test_stacks_on_a_slope_hold_below_coulombs_angle_and_slide_above(slope_deg: float, flows: bool) -> None:
    theta = np.deg2rad(slope_deg)
    scene = soil(gravity=(G * np.sin(theta), 0, -G * np.cos(theta)), mu=0.5)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(6, 6, 3), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    start = simulation.particles.position.copy()
    for _ in range(90):
        simulation.step()
    moved = np.abs(simulation.particles.position - start)[:, 0]
    assert (moved.min() > 0.3) if flows else (moved.max() < 0.3 * R)


@pytest.mark.parametrize(("k", "ratio"), [(1e5, 30.0), (1e6, 1000.0)])
def test_a_heavy_grain_is_carried_by_light_ones(k: float, ratio: float) -> None:
    """Of the same size, in a box: it must not press the light ones apart, and the floor must feel it."""
    scene = soil(k=k)
    box_of_planes(scene, 3.02 * R)
    scene.add_particles(position=lattice(3, 3, 3), radius=R, material="soil")
    scene.add_particles(position=[(0, 0, 7.05 * R)], radius=R, mass=ratio * MASS, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(120):
        simulation.step()
    yielded = sum((ratio + n) * MASS * G / k for n in range(4))
    assert simulation.particles.position[-1, 2] == pytest.approx(7 * R - yielded, abs=0.2 * R)
    assert simulation.state.body_force[:, 2].sum() == pytest.approx(-(27 + ratio) * MASS * G, rel=0.01)


def test_one_boulder_rests_on_sand_in_a_grid_level_of_its_own() -> None:
    """Radius 1 : 12, mass 1 : 1700."""
    scene = soil()
    box_of_planes(scene, 13.4 * R)
    g = np.random.default_rng(0)
    scene.add_particles(
        position=lattice(13, 13, 5, 2.04 * R),
        velocity=g.uniform(-0.3, 0.3, (845, 3)),
        radius=R,
        material="soil",
    )
    scene.add_particles(position=[(0, 0, (5 * 2.04 + 12.5) * R)], radius=12 * R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(180):
        notes = simulation.step().notes
    assert notes["levels"] == 2
    bottom = simulation.particles.position[-1, 2] - 12 * R
    assert 2 * R < bottom < 11 * R
    assert root_mean_square_speed(simulation) < 1e-3
    assert notes["overlap_peak"] < 0.45
    weight = simulation.particles.mass.astype(float).sum() * G
    assert simulation.state.body_force[:, 2].sum() == pytest.approx(-weight, rel=1e-3)
