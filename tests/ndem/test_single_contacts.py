"""NDEM against closed forms of one grain: spring-damper, restitution, friction, adhesion, fast impacts."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from made import MASS, G, R, soil

import windrow as wr
from windrow.sim.limits import StiffnessWarning

BALL = 0.7
"""Radius, m, at which the softest spring below still ends before half of it."""


def implicit_euler(k: float, c: float, height: float, h: float, steps: int) -> np.ndarray:
    """Heights of a grain of 1 kg by m ẍ + c ẋ + k x = −m g with ground that does not pull.

    The force at the end of a step is the spring's there, and the damper's for what of the step's way was below the
    surface.
    """
    z, v, heights = height, 0.0, []
    for _ in range(steps):
        gap = z - BALL
        free = gap + h * (v - h * G)
        # end − gap = h v', and v' = v − h g + h f, f = −k end − c (end − min(gap, 0))/h
        end = (free + h * c * min(gap, 0.0)) / (1 + h * c + h * h * k)
        if -k * end - c * (end - min(gap, 0.0)) / h < 0:
            end = free
        v = (end - gap) / h
        z = end + BALL
        heights.append(z)
    return np.array(heights)


@pytest.mark.parametrize("sweeps", [1, 4])
@pytest.mark.parametrize("height", [BALL, BALL + 0.1])
@pytest.mark.parametrize(("k", "c"), [(1000.0, 100.0), (100.0, 0.0), (1e5, 88.0)])
def test_one_grain_is_implicit_euler(k: float, c: float, height: float, sweeps: int) -> None:
    """Figure 2 of Holz 2014 and a stiff case, placed and dropped, for any number of sweeps."""
    scene = soil(k=k, c=c)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, height)], radius=BALL, mass=1.0, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(substeps=6, sweeps=sweeps), threads=1)
    z = []
    for _ in range(60):
        simulation.step()
        z.append(simulation.particles.position[0, 2])
    np.testing.assert_allclose(z, implicit_euler(k, c, height, 1 / 360, 360)[5::6], atol=2e-6)


def test_what_is_too_heavy_for_the_floors_spring_is_carried_by_its_core() -> None:
    """A thousand times the mass of a grain: the spring alone would give in by more than the diameter."""
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, 2 * R)], radius=R, mass=1000 * MASS, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(60):
        simulation.step()
    assert 1000 * MASS * G / 1e5 > R
    assert simulation.particles.position[0, 2] == pytest.approx(0.5 * R, rel=1e-3)
    assert -simulation.state.body_force[0, 2] == pytest.approx(1000 * MASS * G, rel=1e-4)


def test_restitution_of_two_grains_is_the_damped_springs() -> None:
    """Once substeps resolve the collision, e is that of a spring-damper that does not pull (Schwager and Pöschel
    2007): e = exp(−ζ/ω (π − arctan(2 ζ ω/(1 − 2 ζ²)))), ω² = 1 − ζ², ζ = c/(2 √(k m_eff))."""
    k, c = 1e4, 30.0
    scene = soil(gravity=(0, 0, 0), k=k, c=c)
    scene.add_particles(
        position=[(-0.06, 0, 0), (0.06, 0, 0)],
        velocity=[(0.5, 0, 0), (-0.5, 0, 0)],
        radius=R,
        material="soil",
    )
    simulation = wr.Simulation(scene, solver=wr.NDEM(substeps=400), threads=1)
    for _ in range(12):
        simulation.step()
    zeta = c / (2 * np.sqrt(k * MASS / 2))
    omega = np.sqrt(1 - zeta**2)
    e = np.exp(-zeta / omega * (np.pi - np.arctan(2 * zeta * omega / (1 - 2 * zeta**2))))
    assert simulation.particles.velocity[1, 0] / 0.5 == pytest.approx(e, abs=0.01)


@pytest.mark.parametrize(
    ("slope_deg", "mu_s", "mu_k"), [(25, 0.5, 0.4), (28, 0.5, 0.4), (26, 0.5, 0.5), (40, 0.7, 0.2)]
)
def test_incline(slope_deg: float, mu_s: float, mu_k: float) -> None:
    """A grain slides exactly when tan θ > μ_s, and then with g (sin θ − μ_k cos θ)."""
    theta = np.deg2rad(slope_deg)
    scene = soil(gravity=(G * np.sin(theta), 0, -G * np.cos(theta)), mu=mu_s, mu_k=mu_k)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, R - MASS * G * np.cos(theta) / 1e5)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(30):
        simulation.step()
    before = float(simulation.particles.velocity[0, 0])
    for _ in range(60):
        simulation.step()
    gained = float(simulation.particles.velocity[0, 0]) - before
    if np.tan(theta) > mu_s:
        assert gained == pytest.approx(G * (np.sin(theta) - mu_k * np.cos(theta)), rel=1e-4)
    else:
        assert abs(gained) < 1e-6
        assert abs(simulation.particles.velocity[0, 0]) < 1e-6


@pytest.mark.parametrize("sweeps", [1, 3])
def test_a_contact_that_holds_is_a_spring_and_a_damper_across_its_normal(sweeps: int) -> None:
    """m ẍ + c_t ẋ + k_t x = m g_t by implicit Euler, k_t = 2/7 k and c_t = 2 √(k_t m)."""
    k, sideways, h = 1e5, 2.0, 1 / 360
    scene = soil(gravity=(sideways, 0, -G), mu=0.5, k=k)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, R - MASS * G / k)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(substeps=6, sweeps=sweeps), threads=1)
    k_t = 2 / 7 * k
    c_t = 2 * np.sqrt(k_t * MASS)
    x = v = 0.0
    for _ in range(6):
        simulation.step()
        for _ in range(6):
            v = (v + h * (sideways - k_t * x / MASS)) / (1 + h * (h * k_t + c_t) / MASS)
            x += h * v
        assert simulation.particles.position[0, 0] == pytest.approx(x, rel=2e-3)
    assert simulation.particles.position[0, 0] == pytest.approx(MASS * sideways / k_t, rel=0.05)


@pytest.mark.parametrize(("strength", "holds"), [(0.9, False), (1.1, True)])
def test_adhesion_holds_up_to_its_pull(strength: float, holds: bool) -> None:
    """Pressed 1 mm into a ceiling, a grain hangs if a A_c exceeds the spring's push and the weight."""
    depth, k = 1e-3, 1e4
    area = np.pi * 0.1 * R * (2 * R - 0.1 * R)  # the least area of a contact
    a = strength * (k * depth + MASS * G) / area
    scene = soil(k=k, c=20.0, adhesion=a)
    scene.add_plane(normal=(0, 0, -1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, -(R - depth))], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    for _ in range(60):
        simulation.step()
    fallen = -(R - depth) - float(simulation.particles.position[0, 2])
    assert (fallen < 1e-4) == holds
    if holds:
        assert simulation.state.body_force[0, 2] == pytest.approx(-MASS * G, rel=1e-3)


def test_adhesion_adds_to_friction() -> None:
    """Without friction, adhesion alone holds a grain on a slope while a A_c exceeds the pull of gravity along it.

    On soft ground (overlap 0.14 r) A_c is that of the overlap."""
    theta, k = np.deg2rad(30), 1e3
    depth = MASS * G * np.cos(theta) / k
    for share, holds in ((0.8, False), (1.2, True)):
        a = share * MASS * G * np.sin(theta) / (np.pi * depth * (2 * R - depth))
        scene = soil(gravity=(G * np.sin(theta), 0, -G * np.cos(theta)), k=k, c=50.0, mu=0.0, adhesion=a)
        scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
        scene.add_particles(position=[(0, 0, R - depth)], radius=R, material="soil")
        simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
        for _ in range(60):
            simulation.step()
        assert (abs(simulation.particles.velocity[0, 0]) < 1e-4) == holds


@pytest.mark.parametrize("k", [1e4, 1e6])
def test_grains_that_touch_stick_whatever_their_springs_and_their_load(k: float) -> None:
    """A chain hangs from a ceiling as long as the uppermost contact carries it: the pull is no share of a load."""
    n, area = 5, np.pi * 0.1 * R * (2 * R - 0.1 * R)
    for strength, holds in ((0.8, False), (1.25, True)):
        scene = soil(k=k, c=20.0, adhesion=strength * n * MASS * G / area)
        scene.add_plane(normal=(0, 0, -1), offset=0.0, material="soil")
        z = -R - (2 * R - 1e-5) * np.arange(n)
        points = np.column_stack([np.zeros(n), np.zeros(n), z + 1e-5])
        scene.add_particles(position=points, radius=R, material="soil")
        simulation = wr.Simulation(scene, solver=wr.NDEM(substeps=16), threads=1)
        for _ in range(120):
            simulation.step()
        fallen = (simulation.particles.position[:, 2] < z - 0.05 * R).any()
        assert fallen == (not holds)


def test_without_adhesion_nothing_pulls() -> None:
    scene = soil(gravity=(0, 0, 0), c=2000.0)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, 0.049)], velocity=(0, 0, 3.0), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    simulation.step()
    assert simulation.particles.velocity[0, 2] == pytest.approx(3.0, rel=1e-6)


def one_on_the_ground(k: float) -> wr.Scene:
    scene = soil(k=k)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=[(0, 0, R)], radius=R, material="soil")
    return scene


def test_stiffness_beyond_the_substeps_is_told_once() -> None:
    simulation = wr.Simulation(one_on_the_ground(1e8), solver=wr.NDEM(), threads=1)
    with pytest.warns(StiffnessWarning, match="16 substeps") as told:
        notes = simulation.step().notes
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation.step()
    assert notes["stiffness_asked"] == pytest.approx(1e8)
    assert notes["stiffness_used"] < 1e7
    assert notes["substeps"] == 16
    assert len(told) == 1
    assert told[0].filename == __file__  # where the step was asked for
    assert f"{notes['stiffness_used']:.3g} N/m" in str(told[0].message)


def test_the_substeps_that_the_warning_names_are_enough_and_few() -> None:
    with pytest.warns(StiffnessWarning) as told:
        wr.Simulation(one_on_the_ground(1e8), solver=wr.NDEM(), threads=1).step()
    named = int(re.search(r"substeps=(\d+)", str(told[0].message))[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wr.Simulation(one_on_the_ground(1e8), solver=wr.NDEM(substeps=named), threads=1).step()
    with pytest.warns(StiffnessWarning):
        wr.Simulation(one_on_the_ground(1e8), solver=wr.NDEM(substeps=int(0.95 * named)), threads=1).step()


def test_stiffness_that_is_carried_is_used_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        notes = wr.Simulation(one_on_the_ground(1e5), solver=wr.NDEM(), threads=1).step().notes
    assert notes["stiffness_used"] == pytest.approx(1e5)
