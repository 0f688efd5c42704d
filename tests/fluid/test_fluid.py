"""The constraint fluid as a solver: rows against a plain reference, both methods, walls, bodies, friction, input."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.scene import Box
from windrow.solvers.fluid.laws import adhesion, cohesion, upsilon
from windrow.solvers.fluid.viscosity import friction_factor
from windrow.solvers.smoothed.spline import bell, spline_for, wall_pull

D = 0.05
WATER = 1000.0
G = 9.81


def lattice(nx: int, ny: int, nz: int) -> np.ndarray:
    axes = (np.arange(n) * D + D / 2 for n in (nx, ny, nz))
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def tank(nx: int, ny: int, nz: int, *, walls: bool = True, gravity: float = G, **settings: object) -> wr.Scene:
    """A tank that lattice water fills to nz layers."""
    scene = wr.Scene(gravity=(0, 0, -gravity), solver=wr.Fluid(**settings))
    scene.add_material("water", density=WATER)
    if walls:
        scene.add_plane((0, 0, 1), 0.0, "water", name="floor")
        for normal, offset in (((1, 0, 0), 0), ((-1, 0, 0), -nx * D), ((0, 1, 0), 0), ((0, -1, 0), -ny * D)):
            scene.add_plane(normal, float(offset), "water")
    scene.add_particles(lattice(nx, ny, nz), radius=D / 2, material="water")
    return scene


def test_rows_agree_with_all_pairs() -> None:
    """Fill, own gradient and rate of each particle, in double precision."""
    scene = wr.Scene(gravity=(0, 0, 0), solver=wr.Fluid())
    scene.add_material("water", density=WATER)
    random = np.random.default_rng(5)
    place = lattice(6, 5, 5) + random.uniform(-0.1, 0.1, (150, 3)) * D
    scene.add_particles(place, velocity=random.normal(size=(150, 3)), radius=D / 2, material="water")
    simulation = wr.Simulation(scene, threads=1)
    stepper, state = simulation._stepper, simulation.state
    seen: dict[str, np.ndarray] = {}

    def look(*_: object) -> int:
        n, rows = state.count, stepper.rows
        seen["x"], seen["fill"] = state.X[:n, :3].astype(float), stepper.water.fill[:n].copy()
        seen["A"] = stepper.water.A[:n, :3].copy()
        ends = zip(rows.begin[:n], rows.end[:n], strict=True)
        seen["pairs"] = np.array([sum(rows.near[b:e] != i) for i, (b, e) in enumerate(ends)])
        return 0

    stepper._solve = look
    simulation.step()
    spline = spline_for(D)
    d = seen["x"][:, None] - seen["x"][None]
    q = np.linalg.norm(d, axis=2) / float(spline.h)
    shape = np.where(q <= 0.5, 6 * q**3 - 6 * q**2 + 1, np.where(q < 1, 2 * (1 - q) ** 3, 0.0))
    slope = np.where(q <= 0.5, 18 * q - 12, np.where(q < 1, -6 * (1 - q) ** 2 / np.maximum(q, 1e-9), 0.0))
    bulk = float(spline.volume * spline.height)
    gradient = (bulk / float(spline.h) ** 2 * slope[:, :, None] * d).sum(axis=1)
    assert seen["fill"] == pytest.approx(bulk * shape.sum(axis=1), rel=1e-5)
    assert seen["A"] == pytest.approx(gradient, abs=2e-5 * np.abs(gradient).max())
    assert (seen["pairs"] == (q < 1).sum(axis=1) - 1).all()


@pytest.mark.parametrize("method", ["gauss_seidel", "conjugate_gradient"])
def test_water_at_rest_is_hydrostatic(method: str) -> None:
    simulation = wr.Simulation(tank(8, 8, 8, method=method), threads=1)
    simulation.run(0.6)
    force, mean = 0.0, np.zeros(8 * 8 * 8)
    for _ in range(20):
        simulation.step()
        force -= float(simulation.body("floor")[0][2]) / 20
        mean += simulation.particles.pressure / 20
    z = simulation.particles.position[:, 2]
    inner = (z > 1.5 * D) & (z < 6 * D)
    assert force == pytest.approx(G * float(simulation.particles.mass.sum()), rel=0.03)
    assert -np.polyfit(z[inner], mean[inner], 1)[0] == pytest.approx(WATER * G, rel=0.1)
    excess = np.maximum(simulation.particles.density / WATER - 1.0, 0.0)
    assert excess.mean() < 1e-3
    assert z.max() + D / 2 == pytest.approx(8 * D, abs=0.3 * D)


def test_both_methods_solve_the_same_rows() -> None:
    """One step, all iterations: the same velocities."""
    found = []
    for method in ("gauss_seidel", "conjugate_gradient"):
        scene = tank(5, 5, 6, method=method, iterations=400, tolerance=0.0, compliance=1e-6)
        simulation = wr.Simulation(scene, threads=1)
        simulation.step()
        found.append((simulation.particles.velocity, simulation.particles.pressure))
    assert found[0][0] == pytest.approx(found[1][0], abs=2e-3)
    assert found[0][1] == pytest.approx(found[1][1], abs=0.02 * WATER * G * 6 * D)


def test_momentum_is_kept_by_friction_cohesion_and_pressure() -> None:
    scene = tank(6, 6, 6, walls=False, gravity=0.0, viscosity=5.0, surface_tension=2.0, smoothing=0.2)
    scene.particles[0].velocity = np.random.default_rng(3).normal(size=(216, 3)) * 0.3 + (0.2, 0.1, 1.0)
    simulation = wr.Simulation(scene, threads=1)
    mass = simulation.particles.mass[:, None].astype(float)
    before = (mass * simulation.particles.velocity).sum(axis=0)
    simulation.run(0.2)
    after = (mass * simulation.particles.velocity).sum(axis=0)
    assert after == pytest.approx(before, abs=2e-5 * np.abs(before).max())


def test_a_floating_box_draws_what_archimedes_says() -> None:
    scene = tank(14, 14, 8)
    low = 0.5 - 0.075
    place = scene.particles[0].position
    inside = (np.abs(place[:, :2] - 0.35).max(axis=1) < 0.15) & (place[:, 2] > low - 0.1)
    scene.particles[0].position = place[~inside]
    scene.add_material("wood", density=500.0)
    scene.add_body("box", "wood", shapes=[Box(size=(0.3, 0.3, 0.15))], position=(0.35, 0.35, 0.42))
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(1.2)
    assert simulation.bodies is not None
    bottom = float(simulation.bodies.position("box")[2]) - 0.075
    beside = np.abs(simulation.particles.position[:, :2] - 0.35).max(axis=1) > 0.2
    z = simulation.particles.position[beside, 2]
    level = float(np.sort(z)[-60:].mean()) + D / 2
    assert level - bottom == pytest.approx(0.075, abs=0.35 * D)


def test_friction_of_a_lattice_is_the_laplacian() -> None:
    assert friction_factor(spline_for(D)) == pytest.approx(1.0, rel=0.15)


def test_a_wall_pulls_as_what_it_stands_for() -> None:
    """The integral of z W over a half-space, against a sum over small cubes."""
    fine = (np.arange(60) + 0.5) / 60
    x, z = np.meshgrid(fine, fine, indexing="ij")
    for q in (0.1, 0.3, 0.6, 0.9):
        r = np.sqrt(x**2 + z**2)
        ring = np.where((z > q) & (r < 1), 2 * np.pi * x * z, 0.0)
        shape = np.where(r <= 0.5, 6 * r**3 - 6 * r**2 + 1, np.where(r < 1, 2 * (1 - r) ** 3, 0.0))
        assert wall_pull.py_func(np.float32(q)) == pytest.approx((ring * shape).sum() / 3600, abs=4e-3)
    assert bell.py_func(np.float32(0.0)) == 1.0


def test_numbers_of_the_laws() -> None:
    assert upsilon(0.0) == 1.0
    assert upsilon(2.0) == pytest.approx(1 / 9)
    assert adhesion(0.0) == pytest.approx(1.0)
    assert adhesion(90.0) == pytest.approx(0.5)
    # twice as fine a liquid pulls with a quarter of the force per distance: σ ∝ k h⁶/V²
    assert cohesion(0.07, 0.1, 1e-6) == pytest.approx(cohesion(0.07, 0.2, 8e-6), rel=1e-6)


def test_deep_and_fast_water_takes_substeps_and_tells() -> None:
    shallow = wr.Simulation(tank(4, 4, 4), threads=1).step()
    deep = wr.Simulation(tank(4, 4, 40), threads=1).step()
    assert shallow.notes["substeps"] == 1
    assert deep.notes["substeps"] == 2  # 0.7 d₀/√(g H) is 7.9 ms


def test_bad_input_is_named() -> None:
    for field, value in {"viscosity": -1.0, "method": "jacobi", "wetting_angle_deg": 200.0}.items():
        with pytest.raises(SceneError, match=field):
            wr.Fluid(**{field: value})
    crowded = tank(4, 4, 4)
    crowded.particles[0].position = crowded.particles[0].position * 0.8 + (0, 0, 0.01)
    with pytest.raises(SceneError, match="denser than the liquid"):
        wr.Simulation(crowded, threads=1).step()
    mixed = tank(4, 4, 4)
    mixed.add_particles([(0.1, 0.1, 2.0)], radius=0.04, material="water")
    with pytest.raises(SceneError, match="one radius"):
        wr.Simulation(mixed, threads=1).step()
