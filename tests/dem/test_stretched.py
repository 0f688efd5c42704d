"""Surface energy that deforms spheres (JKR): forces, necks and works against their closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.scene import DEM, Scene
from windrow.scene.materials import Material
from windrow.sim.simulation import Simulation
from windrow.solvers.dem import laws
from windrow.solvers.dem.laws import ARRAYS, Law, Touch, contact
from windrow.solvers.dem.materials import longest_neck, pair_row

LAW = Law(hertz=True, resists=True, coheres=True, stretches=True)
ENERGY, YOUNG, R = 0.1, 1e7, 2e-3
"""J/m² of one surface, Pa, and R* of two equal spheres, m"""
WORK, MODULUS = 2 * ENERGY, YOUNG / (2 * (1 - 0.25**2))
KAPPA = math.sqrt(2 * math.pi * WORK / MODULUS)
PULL_OFF = 1.5 * math.pi * WORK * R
PARTED = (math.pi * WORK * R * R / (8 * MODULUS)) ** (1 / 3)
"""Radius of contact where surfaces part that are moved apart, m."""
SNAP = 7.09 * (WORK**5 * R**4 / MODULUS**2) ** (1 / 3)
"""J that contacts take when they snap on at a touch and are torn from it (Thornton & Ning 1998, equation 54)."""
SOLVER = DEM(contact="hertz", surface_energy="jkr")


def grain(**more: float) -> Material:
    return Material(young_modulus=YOUNG, poisson_ratio=0.25, restitution=1.0, surface_energy=ENERGY, **more)


ROW = list(pair_row(SOLVER, grain(), grain(), None, False))


def force_at(overlap: np.ndarray, radius: float = R) -> np.ndarray:
    none = np.zeros_like(overlap)
    touch = Touch(overlap, (none, none, none + 1), (none,) * 3, (none,) * 3, none + radius, none + 2 * radius, none + 1)
    return np.asarray(contact(ARRAYS, LAW, touch, ROW, [none] * 8, 0.0, -np.inf).force[2])


def branch(a: np.ndarray, radius: float = R) -> tuple[np.ndarray, np.ndarray]:
    """Overlap and force of the theory at a radius of contact (Johnson, Kendall & Roberts 1971)."""
    overlap = a * a / radius - KAPPA * np.sqrt(a)
    return overlap, 4 / 3 * MODULUS * a**3 / radius - np.sqrt(8 * math.pi * WORK * MODULUS * a**3)


@pytest.mark.parametrize("radius", [1e-6, R, 0.5])
def test_the_force_is_that_of_the_theory(radius: float) -> None:
    parted = (math.pi * WORK * radius**2 / (8 * MODULUS)) ** (1 / 3)
    overlap, expected = branch(parted * np.linspace(1.1, 20.0, 400), radius)
    within = overlap < 0.5 * 2 * radius * 0.9
    assert within.sum() > 50
    off = force_at(overlap[within], radius) - expected[within]
    assert np.abs(off).max() < 1e-6 * max(1.5 * math.pi * WORK * radius, float(np.abs(expected[within]).max()))


def test_known_points_of_the_curve() -> None:
    a = PARTED * np.linspace(1.0, 6.0, 20001)
    overlap, _ = branch(a)
    assert force_at(overlap).min() == pytest.approx(-PULL_OFF, rel=1e-5)
    unloaded = (4.5 * math.pi * WORK * R * R / MODULUS) ** (1 / 3)
    assert force_at(np.array([unloaded**2 / (3 * R)]))[0] == pytest.approx(0.0, abs=1e-5 * PULL_OFF)
    assert force_at(np.array([0.0]))[0] == pytest.approx(-8 / 9 * PULL_OFF, rel=1e-5)
    neck = 3 * PARTED**2 / R
    none = np.zeros(1)
    touch = Touch(none, (none,) * 3, (none,) * 3, (none,) * 3, none + R, none + 2 * R, none + 1)
    assert float(laws.reach(ARRAYS, LAW, touch, ROW)[0]) == pytest.approx(neck, rel=1e-6)
    assert longest_neck(np.array([ROW], np.float32), R) == pytest.approx(neck, rel=1e-5)
    assert force_at(np.array([-0.999 * neck]))[0] == pytest.approx(-5 / 9 * PULL_OFF, rel=0.06)
    assert force_at(np.array([-1.001 * neck]))[0] == 0.0


def test_tearing_takes_the_published_work() -> None:
    neck = 3 * PARTED**2 / R
    overlap = np.linspace(-neck, 0.0, 20001)
    pulled = -force_at(overlap)
    work = float(((pulled[1:] + pulled[:-1]) / 2).sum() * (overlap[1] - overlap[0]))
    assert work == pytest.approx(SNAP, rel=1e-3)


def test_without_energy_it_is_hertz() -> None:
    clean = Material(young_modulus=YOUNG, poisson_ratio=0.25, restitution=0.8)
    row = pair_row(SOLVER, clean, clean, None, False)
    overlap = np.linspace(-1e-5, 1e-3, 50)
    none = np.zeros_like(overlap)
    touch = Touch(overlap, (none, none, none + 1), (none,) * 3, (none,) * 3, none + R, none + 2 * R, none + 1)
    forces = [
        contact(ARRAYS, law, touch, list(row), [none] * 8, 0.0, -np.inf).force[2]
        for law in (LAW, LAW._replace(stretches=False))
    ]
    np.testing.assert_allclose(*forces, rtol=1e-6, atol=1e-12)


def meeting(speed: float, **more: float) -> Simulation:
    """Two equal spheres that meet, each at that speed (m/s); nothing else takes energy."""
    scene = Scene(gravity=(0, 0, 0))
    scene.add_material("grain", grain(density=1000.0, **more))
    places, ways = [(-0.00401, 0, 0), (0.00401, 0, 0)], [(speed, 0, 0), (-speed, 0, 0)]
    scene.add_particles(places, ways, 2 * R, material="grain")
    return Simulation(scene, solver=SOLVER.model_copy(update={"dt": 1e-5}), threads=1)


def test_slow_spheres_stick_and_fast_ones_lose_what_tearing_takes() -> None:
    mass = 1000.0 * 4 / 3 * math.pi * (2 * R) ** 3
    sticking = math.sqrt(SNAP / mass)  # each of two brings half of the work
    slow = meeting(0.7 * sticking)
    slow.run(seconds=0.04)
    gap = float(np.diff(slow.particles.position[:, 0])[0]) - 4 * R
    assert gap < 3 * PARTED**2 / R
    fast = meeting(2.0 * sticking)  # steps that are too long snap on late
    fast.run(seconds=0.04)
    x, v = fast.particles.position[:, 0], fast.particles.velocity[:, 0]
    assert x[1] - x[0] > 4.1 * R
    assert v[1] == pytest.approx(math.sqrt(3.0) * sticking, rel=0.01)
    assert v[0] + v[1] == pytest.approx(0.0, abs=1e-6 * sticking)


def test_a_held_sphere_carries_up_to_the_pull_off_force() -> None:
    mass = 1e-4
    for share, stays in ((0.97, True), (1.03, False)):
        scene = Scene(gravity=(0, 0, 0))
        scene.add_material("grain", grain(friction_static=0.5).model_copy(update={"restitution": 0.2}))
        scene.add_particles([(0, 0, 4 * R)], radius=2 * R, material="grain", pinned=True)
        scene.add_particles([(0, 0, 0.0)], (0, 0, 0.001), 2 * R, mass, material="grain")
        simulation = Simulation(scene, solver=SOLVER, threads=1)
        steps = round(0.1 / simulation.solver.dt)
        for k in range(steps):
            simulation.model.gravity[2] = -share * PULL_OFF / mass * min(1.0, 2.0 * max(k / steps - 0.2, 0.0))
            simulation.step()
        assert (float(simulation.particles.position[1, 2]) > -R) is stays, share


@pytest.mark.parametrize(
    ("change", "solver", "words"),
    [
        ({}, DEM(surface_energy="jkr"), "elastic spheres"),
        ({}, DEM(contact="hertz", surface_energy="jkr", limit_damping=True), "limit_damping"),
        ({"adhesion": 100.0}, SOLVER, "together"),
        ({"bridge_volume": 1e-9}, SOLVER, "bridge"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, float], solver: DEM, words: str) -> None:
    scene = Scene()
    scene.add_material("grain", grain(**change))
    scene.add_particles([(0, 0, 0)], radius=0.01, material="grain")
    with pytest.raises(SceneError, match=words):
        Simulation(scene, solver=solver)
