"""Walls that accelerate, turn and shake: grains follow them up to the Coulomb limit, and the books balance."""

from __future__ import annotations

import numpy as np
import pytest
from made import MASS, G, R, lattice, smooth_start, soil

import windrow as wr

MU = 0.5


@pytest.mark.parametrize(("layers", "share"), [(1, 0.5), (1, 0.9), (3, 0.7), (3, 0.9)])
def test_a_load_rides_along_below_the_coulomb_limit(layers: int, share: float) -> None:
    """On a bed that begins to accelerate smoothly; keys lie close, because between two of them speed is constant."""
    acceleration = share * MU * G
    time = np.linspace(0.0, 1.0, 481)
    scene = soil(mu=MU)
    scene.add_box(
        position=(0, 0, -0.25),
        size=(20, 4, 0.5),
        material="soil",
        motion={"kind": "keyframes", "time": time, "start": 0.5,
                "position": np.outer(acceleration * smooth_start(time), (1.0, 0.0, 0.0))},
    )  # fmt: skip
    scene.add_particles(position=lattice(4, 4, layers), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    simulation.run(seconds=0.5)
    start = simulation.particles.position.copy()
    simulation.run(seconds=0.95)
    way = (simulation.particles.position - start)[:, 0].astype(float)
    np.testing.assert_allclose(way, acceleration * smooth_start(0.95), atol=3e-3)
    force = -simulation.state.body_force[0, 0]
    assert force == pytest.approx(16 * layers * MASS * acceleration, rel=1e-2)  # towers swing a little


@pytest.mark.parametrize(("share", "stays"), [(0.9, True), (1.3, False)])
def test_a_grain_rides_on_a_turntable_while_friction_gives_the_centripetal_force(
    share: float, stays: bool
) -> None:
    away = 0.5
    rate = np.sqrt(share * MU * G / away)
    scene = soil(mu=MU)
    scene.add_cylinder(
        position=(0, 0, -0.1),
        radius=1.0,
        height=0.2,
        material="soil",
        motion={"kind": "spin", "axis": (0, 0, 1), "rate": rate},
    )
    spot = R - MASS * G / 1e5
    scene.add_particles(position=[(away, 0, spot)], velocity=[(0, rate * away, 0)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    simulation.run(seconds=1.0)
    x, y, z = simulation.particles.position[0].astype(float)
    if stays:
        angle = rate * simulation.time
        np.testing.assert_allclose((x, y), (away * np.cos(angle), away * np.sin(angle)), atol=5e-3)
        force = -simulation.state.body_force[0].astype(float)
        assert np.hypot(*force[:2]) == pytest.approx(MASS * rate**2 * away, rel=0.02)
        # what the grain gives the table turns nothing: it acts through the axis
        assert abs(simulation.state.body_torque[0, 2]) < 0.03 * MASS * rate**2 * away**2
        assert z == pytest.approx(spot, abs=1e-4)
    else:
        assert np.hypot(x, y) > away + 0.05


def test_a_shaken_bed_gives_and_takes_exactly_its_load_s_momentum() -> None:
    """Below the limit the load follows; the impulse on the bed is minus the change of all momentum, step by step."""
    frequency = 3.0
    amplitude = 0.8 * MU * G / (2 * np.pi * frequency) ** 2
    scene = soil(mu=MU)
    scene.add_box(
        position=(0, 0, -0.25),
        size=(4, 4, 0.5),
        material="soil",
        motion={"kind": "oscillate", "direction": (1, 0, 0), "amplitude": amplitude, "frequency": frequency,
                "phase": np.pi / 2, "start": 0.5},
    )  # fmt: skip
    scene.add_particles(position=lattice(4, 4, 2), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    simulation.run(seconds=0.5)
    start = simulation.particles.position.copy()
    dt, weight = simulation.solver.dt, len(start) * MASS * G
    for _ in range(60):
        before = MASS * simulation.particles.velocity.astype(float).sum(axis=0)
        simulation.step()
        gained = MASS * simulation.particles.velocity.astype(float).sum(axis=0) - before
        given = -simulation.state.body_force[0].astype(float) * dt + (0, 0, -weight * dt)
        np.testing.assert_allclose(given, gained, atol=2e-5 * weight * dt)
        angle = 2 * np.pi * frequency * (simulation.time - 0.5)
        way = (simulation.particles.position - start)[:, 0].astype(float)
        # behind by what the springs of two layers yield
        np.testing.assert_allclose(way, amplitude * (np.cos(angle) - 1.0), atol=0.05 * amplitude)


def test_a_wall_s_surface_ends_each_step_where_its_pose_says() -> None:
    """A grain pressed on by a plate that shakes along its normal: the gap is the spring's, not the motion's."""
    frequency, amplitude = 4.0, 0.01
    peak = amplitude * (2 * np.pi * frequency) ** 2
    assert peak < G  # it never takes off
    scene = soil(k=1e5, c=100.0)
    scene.add_box(
        position=(0, 0, -0.25),
        size=(4, 4, 0.5),
        material="soil",
        motion={"kind": "oscillate", "direction": (0, 0, 1), "amplitude": amplitude, "frequency": frequency,
                "phase": np.pi / 2},
    )  # fmt: skip
    scene.add_particles(position=[(0, 0, R - MASS * G / 1e5)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(substeps=16), threads=1)
    for step in range(60):
        simulation.step()
        angle = 2 * np.pi * frequency * simulation.time
        top = amplitude * (np.cos(angle) - 1.0)
        yielded = MASS * (G - peak * np.cos(angle)) / 1e5
        if step > 15:
            gap = float(simulation.particles.position[0, 2]) - R - top
            assert gap == pytest.approx(-yielded, abs=2e-5)
