"""P² against closed forms: spring-damper step, friction on an incline, adhesion, momentum, splitting."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr


def ball_on_ground(k: float, c: float, height: float, solver: wr.P2, **material: float) -> wr.Simulation:
    scene = wr.Scene(gravity=(0, 0, -9.81))
    values = {"friction_static": 0.0, "friction_kinetic": 0.0, "adhesion": 0.0} | material
    scene.add_material("m", density=1000.0, stiffness=k, damping=c, **values)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m")
    scene.add_particles(position=[(0.0, 0.0, height)], radius=0.05, mass=1.0, material="m")
    return wr.Simulation(scene, solver=solver)


def implicit_euler(k: float, c: float, height: float, dt: float, steps: int) -> np.ndarray:
    """m ẍ + c ẋ + k x = −m g with a ground that does not pull; x is the gap below the grain.

    While the step ends in contact, spring and damper are implicit; in the step in which contact begins the
    damper sees only the part of the way below the surface.
    """
    x, v, out = height - 0.05, 0.0, []
    for _ in range(steps):
        free = x + dt * v - dt * dt * 9.81
        if free <= 0:
            above = max(x, 0.0)  # free approach of this step, which the damper does not see
            end = (free + dt * c * (x - above)) / (1 + dt * c + dt * dt * k)
            force = -k * end - c * (end - min(x, 0.0)) / dt
            if force < 0:
                end = free
        else:
            end = free
        v, x = (end - x) / dt, end
        out.append(x + 0.05)
    return np.array(out)


@pytest.mark.parametrize(("k", "c"), [(1000.0, 100.0), (100.0, 0.0)])
@pytest.mark.parametrize("height", [0.05, 0.3])
@pytest.mark.parametrize("iterations", [1, 5, 20])
def test_one_grain_is_implicit_euler(k: float, c: float, height: float, iterations: int) -> None:
    """Figure 2 of the paper, placed and dropped, for any number of iterations."""
    simulation = ball_on_ground(k, c, height, wr.P2(dt=1 / 60, iterations=iterations))
    z = []
    for _ in range(120):
        simulation.step()
        z.append(simulation.particles.position[0, 2])
    np.testing.assert_allclose(z, implicit_euler(k, c, height, 1 / 60, 120), atol=2e-4)


@pytest.mark.parametrize("mass_splitting", [False, True])
@pytest.mark.parametrize("slope_deg", [10.0, 20.0, 25.0, 35.0, 50.0])
def test_incline(slope_deg: float, mass_splitting: bool) -> None:
    """A grain slides exactly when tan θ > μ_s, and then with g (sin θ − μ_k cos θ)."""
    mu_s, mu_k = 0.5, 0.3
    theta = np.deg2rad(slope_deg)
    scene = wr.Scene(gravity=(9.81 * np.sin(theta), 0, -9.81 * np.cos(theta)))
    scene.add_material(
        "m",
        density=1000.0,
        friction_static=mu_s,
        friction_kinetic=mu_k,
        adhesion=0.0,
        stiffness=1e5,
        damping=2e3,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m")
    rest = 9.81 * np.cos(theta) / 1e5
    scene.add_particles(position=[(0.0, 0.0, 0.05 - rest)], radius=0.05, mass=1.0, material="m")
    simulation = wr.Simulation(scene, solver=wr.P2(dt=1 / 240, mass_splitting=mass_splitting, iterations=10))
    for _ in range(120):
        simulation.step()
    begin = simulation.particles.velocity[0, 0]
    for _ in range(240):
        simulation.step()
    acceleration = simulation.particles.velocity[0, 0] - begin
    if np.tan(theta) < mu_s:
        assert abs(simulation.particles.velocity[0, 0]) < 1e-4
    else:
        assert acceleration == pytest.approx(9.81 * (np.sin(theta) - mu_k * np.cos(theta)), rel=0.01)


def two_grains(adhesion: float, iterations: int, overlap: float = 0.01) -> wr.Simulation:
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material(
        "m",
        density=1000.0,
        friction_static=0.0,
        friction_kinetic=0.0,
        adhesion=adhesion,
        stiffness=0.0,
        damping=0.0,
    )
    x = 0.05 - overlap / 2
    scene.add_particles(
        position=[(-x, 0, 0), (x, 0, 0)],
        velocity=[(-0.5, 0, 0), (0.5, 0, 0)],
        radius=0.05,
        mass=1.0,
        material="m",
    )
    return wr.Simulation(scene, solver=wr.P2(dt=1 / 600, iterations=iterations, error_reduction=0.0))


@pytest.mark.parametrize("iterations", [1, 4, 16])
def test_adhesion_is_a_force_whatever_the_iterations(iterations: int) -> None:
    """Pulling apart costs F_a = a A_c (35, 36): Δv = Δt F_a/m for each grain in the first step."""
    adhesion, zeta = 3000.0, 0.01 - 2 * 0.5 / 600
    area = np.pi * 0.05**2 * (1 - (zeta / 0.05 - 1) ** 2)
    simulation = two_grains(adhesion, iterations)
    simulation.step()
    slowed = 0.5 - simulation.particles.velocity[1, 0]
    assert slowed == pytest.approx(adhesion * area / 600, rel=0.03)


def test_no_pull_without_adhesion() -> None:
    simulation = two_grains(0.0, 10)
    simulation.step()
    assert simulation.particles.velocity[1, 0] == pytest.approx(0.5, abs=1e-6)


def cloud(solver: wr.P2, count: int = 300) -> wr.Simulation:
    """Grains of mixed sizes thrown at one another in free space."""
    random = np.random.default_rng(5)
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material(
        "m",
        density=1500.0,
        friction_static=0.5,
        friction_kinetic=0.4,
        adhesion=100.0,
        stiffness=2e4,
        damping=20.0,
    )
    grid = np.stack(np.meshgrid(*[np.arange(7)] * 3, indexing="ij"), -1).reshape(-1, 3)[:count] * 0.11
    scene.add_particles(
        position=grid,
        velocity=-3.0 * (grid - grid.mean(0)) + random.normal(0, 0.5, grid.shape),
        radius=random.uniform(0.03, 0.05, len(grid)),
        material="m",
    )
    return wr.Simulation(scene, solver=solver)


@pytest.mark.parametrize(
    "solver",
    [wr.P2(mass_splitting=True), wr.P2(method="gauss_seidel", error_reduction=0.0)],
    ids=["split", "gauss"],
)
def test_momentum_is_exact_in_closed_systems(solver: wr.P2) -> None:
    simulation = cloud(solver)
    mass = simulation.particles.mass[:, None]
    begin = (mass * simulation.particles.velocity).sum(0)
    angular = np.cross(simulation.particles.position, mass * simulation.particles.velocity).sum(0)
    scale = (mass * np.abs(simulation.particles.velocity)).sum()
    contacts = 0
    for _ in range(30):
        contacts = max(contacts, simulation.step().contacts)
    assert contacts > 300
    assert np.abs((mass * simulation.particles.velocity).sum(0) - begin).max() < 1e-5 * scale
    del angular


def column(solver: wr.P2, layers: int = 12) -> wr.Simulation:
    """Grains in a straight pile, placed at the exact equilibrium of their springs."""
    k, m, r = 1e5, 0.838, 0.05
    scene = wr.Scene(gravity=(0, 0, -9.81))
    scene.add_material(
        "m",
        density=1600.0,
        friction_static=0.5,
        friction_kinetic=0.5,
        adhesion=0.0,
        stiffness=k,
        damping=150.0,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m")
    above = np.arange(layers, 0, -1) * m * 9.81
    z = np.cumsum(np.r_[r - above[0] / k, 2 * r - above[1:] / k])
    scene.add_particles(position=np.c_[np.zeros((layers, 2)), z], radius=r, mass=m, material="m")
    return wr.Simulation(scene, solver=solver)


def test_mass_splitting_converges_and_averaging_does_not() -> None:
    """Floor force of a column at rest: the error falls with iterations only with mass splitting."""
    weight = 12 * 0.838 * 9.81

    def error(split: bool, iterations: int) -> float:
        simulation = column(
            wr.P2(dt=1 / 240, iterations=iterations, error_reduction=0.0, mass_splitting=split)
        )
        top = simulation.particles.position[-1, 2]
        for _ in range(480):
            simulation.step()
        assert simulation.state.body_force[0, 2] == pytest.approx(-weight, rel=0.2)
        return abs(simulation.particles.position[-1, 2] - top) / top

    split = [error(True, n) for n in (10, 40, 160)]
    plain = [error(False, n) for n in (10, 40, 160)]
    assert split[2] < 0.001
    assert split[2] < split[0]
    assert plain[2] > 10 * split[2]


def test_reaction_is_the_weight() -> None:
    """A few grains at rest: the floor carries exactly their weight, and the torque is that of the weight."""
    scene = wr.Scene(gravity=(0, 0, -9.81))
    scene.add_material(
        "m",
        density=1600.0,
        friction_static=0.5,
        friction_kinetic=0.5,
        adhesion=0.0,
        stiffness=1e4,
        damping=100.0,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m", name="floor")
    x = np.array([(0.3, 0.1, 0.05), (-0.4, 0.2, 0.05), (0.1, 0.5, 0.05)])
    scene.add_particles(position=x, radius=0.05, mass=2.0, material="m")
    simulation = wr.Simulation(scene)
    for _ in range(200):
        simulation.step()
    force, torque = simulation.body("floor")
    np.testing.assert_allclose(force, (0, 0, -3 * 2 * 9.81), rtol=1e-4, atol=1e-3)
    weights = np.cross(simulation.particles.position, [(0, 0, -2 * 9.81)] * 3).sum(0)
    np.testing.assert_allclose(torque, weights, rtol=1e-3, atol=1e-2)
