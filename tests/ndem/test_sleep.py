"""Sleep costs nothing in physics: weight is carried, and whatever changes a load wakes whom it concerns."""

from __future__ import annotations

import numpy as np
import pytest
from made import MASS, G, R, lattice, settling, soil

import windrow as wr
from windrow.solvers.ndem.sleep import LONGER_MOST, SleepBackoff

SLEEPY = wr.NDEM(sleep_speed=0.01)


def run(simulation: wr.Simulation, steps: int) -> int:
    """Grains asleep at the end."""
    asleep = 0
    for _ in range(steps):
        asleep = simulation.step().asleep
    return asleep


def test_a_settled_bed_falls_asleep_and_still_presses_on_its_walls() -> None:
    simulation = wr.Simulation(settling(300), solver=SLEEPY, threads=1)
    assert run(simulation, 180) == 300
    before = simulation.particles.position.copy()
    assert run(simulation, 30) == 300
    np.testing.assert_array_equal(simulation.particles.position, before)
    assert simulation.state.body_force[:, 2].sum() == pytest.approx(-300 * MASS * G, rel=2e-3)


def test_a_grain_that_lands_wakes_what_it_hits_and_is_carried() -> None:
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(1, 1, 5), radius=R, material="soil")
    scene.add_particles(position=[(0, 0, 8.5)], radius=R, mass=5 * MASS, material="soil")
    simulation = wr.Simulation(scene, solver=SLEEPY, threads=1)
    assert run(simulation, 60) == 5
    run(simulation, 20)  # it falls for 1.27 s
    awake = run(simulation, 3)
    assert awake < 5
    run(simulation, 400)
    weight = 10 * MASS * G
    assert -simulation.state.body_force[0, 2] == pytest.approx(weight, rel=0.01)


def test_a_push_from_outside_wakes() -> None:
    simulation = wr.Simulation(settling(120), solver=SLEEPY, threads=1)
    assert run(simulation, 180) == 120
    velocity = simulation.particles.velocity.copy()
    velocity[7] = (0, 0, 3.0)
    simulation.particles.velocity = velocity
    assert run(simulation, 1) < 120
    assert run(simulation, 240) == 120
    position = simulation.particles.position.copy()
    position[7, 2] += 0.5
    simulation.particles.position = position
    assert run(simulation, 1) < 120


def test_sleep_survives_a_restart_to_the_bit() -> None:
    """In the middle of it: some asleep, some not yet."""
    simulation = wr.Simulation(settling(200), solver=SLEEPY, threads=2)
    run(simulation, 75)
    restored = wr.Simulation.restore(simulation.snapshot(), threads=1)
    for _ in range(5):
        assert simulation.step().asleep == restored.step().asleep
    run(simulation, 60)
    run(restored, 60)
    assert restored.hash() == simulation.hash()


def test_a_bed_that_is_woken_again_and_again_is_given_longer_to_rest() -> None:
    backoff, calm, waits = SleepBackoff(), 30, []
    for _ in range(7):
        while not backoff.lets_sleep(backoff.asleep, 900, 1000, calm):
            backoff.asleep = 0
        backoff.asleep = 900
        waits.append(0)
        while not backoff.lets_sleep(0, 900, 1000, calm):
            backoff.asleep = 0
            waits[-1] += 1
    assert waits == [calm * min(2**k, LONGER_MOST) - 1 for k in range(7)]
    for _ in range(calm * LONGER_MOST + 1):
        assert backoff.lets_sleep(900, 900, 1000, calm)
    assert backoff.longer == 1


def test_a_few_that_lie_still_among_many_that_move_do_not_sleep() -> None:
    """Looking after them costs more than they save."""
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(1, 1, 1), radius=R, material="soil")
    # all others fly on for two seconds
    up = lattice(5, 5, 1, spacing=4 * R) + np.array([0, 0, 10 * R])
    scene.add_particles(position=up, velocity=np.full((25, 3), (0, 0, 10.0)), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=SLEEPY, threads=1)
    assert run(simulation, 110) == 0
    assert run(simulation, 400) == 26
