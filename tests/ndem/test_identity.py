"""Same bits whatever the threads, and after a restart; memory that follows its grains."""

from __future__ import annotations

import numpy as np
import pytest
from made import MASS, G, R, box_of_planes, lattice, settling, soil

import windrow as wr
from windrow.solvers.ndem.memory import places_before
from windrow.solvers.ndem.motion import hold_lost
from windrow.solvers.ndem.solver import NDEMStepper
from windrow.state.state import FROZEN


def run(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


def test_one_and_two_threads_give_the_same_bits() -> None:
    """As many grains as fill several pencils of each colour, so that both threads have some at the same time."""
    one = wr.Simulation(settling(4000), solver=wr.NDEM(), threads=1)
    two = wr.Simulation(settling(4000), solver=wr.NDEM(), threads=2)
    assert run(one, 50).hash() == run(two, 50).hash()


def test_contact_memory_is_part_of_the_hash() -> None:
    simulation = run(wr.Simulation(settling(60), solver=wr.NDEM(), threads=1), 60)
    before = simulation.hash()
    simulation._stepper.kept.pairs.impulse *= np.float32(1.001)
    assert simulation.hash() != before


def test_impulses_survive_a_sort() -> None:
    """Columns that are moved bodily to other cells are sorted and listed anew, and carry their weight without a jolt.

    A grain that is held far away is where the grid begins, before and after.
    """
    scene = soil()
    box_of_planes(scene, 10.0)
    scene.add_particles(position=[(-3.0, -3.0, R)], radius=R, material="soil", pinned=True)
    scene.add_particles(position=lattice(4, 4, 12), radius=R, material="soil")
    simulation = run(wr.Simulation(scene, solver=wr.NDEM(), threads=1), 240)
    order = simulation.state.id[:193].copy()
    position = simulation.particles.position
    position[1:] += np.array([0.07, 0.03, 0.0], np.float32)
    simulation.particles.position = position
    report = simulation.step()
    assert report.notes["searches"] == 1
    assert (simulation.state.id[:193] != order).any()
    assert np.abs(simulation.particles.velocity).max() < 1e-3
    assert simulation.state.body_force[0, 2] == pytest.approx(-192 * MASS * G, rel=2e-3)


def test_where_ids_were_before() -> None:
    before = np.array([4, 1, 7, 3, 9], np.int64)
    np.testing.assert_array_equal(places_before(before, np.array([4, 7, 9, 10, 11])), [0, 2, 4, -1, -1])
    np.testing.assert_array_equal(places_before(before, np.array([3, 20, 4, 7])), [3, -1, 0, 2])
    np.testing.assert_array_equal(places_before(before, np.array([], np.int64)), [])
    np.testing.assert_array_equal(places_before(np.array([], np.int64), np.array([2, 3])), [-1, -1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("array", ["X", "U"])
def test_numbers_lost_between_two_intervals_of_a_step_are_held_where_it_began(array: str, bad: float) -> None:
    """NDEM sorts the grains again before it goes on."""
    simulation = wr.Simulation(settling(60), solver=wr.NDEM(), threads=1)
    simulation.step()
    stepper, state = simulation._stepper, simulation.state
    assert isinstance(stepper, NDEMStepper)
    grains = stepper.grains
    getattr(grains, array)[7, 1] = bad
    hold_lost(state, grains)
    assert np.flatnonzero(state.flags & FROZEN).tolist() == [7]
    assert grains.X[7].tolist() == state.X[7].tolist()
    assert not grains.U[7].any()
    assert not grains.begun[7].any()
