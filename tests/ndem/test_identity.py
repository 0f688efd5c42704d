"""Same bits whatever the threads, and after a restart; memory that follows its grains."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import MASS, G, R, box_of_planes, lattice, settling, soil

import windrow as wr
from windrow.scene import Sphere
from windrow.solvers.ndem.memory import places_before


def run(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


def test_one_and_two_threads_give_the_same_bits() -> None:
    """As many grains as fill several pencils of each colour, so that both threads have some at the same time."""
    one = wr.Simulation(settling(4000), solver=wr.NDEM(), threads=1)
    two = wr.Simulation(settling(4000), solver=wr.NDEM(), threads=2)
    assert run(one, 50).hash() == run(two, 50).hash()


@pytest.mark.parametrize("steps", [1, 20, 70], ids=["first step", "falling", "lists kept"])
def test_a_restart_continues_to_the_bit(steps: int, tmp_path: Path) -> None:
    simulation = run(wr.Simulation(settling(400), solver=wr.NDEM(), threads=2), steps)
    simulation.save(tmp_path / "now.h5")
    restored = wr.Simulation.load(tmp_path / "now.h5", threads=1)
    assert restored.hash() == simulation.hash()
    assert run(restored, 20).hash() == run(simulation, 20).hash()


def test_contact_memory_is_part_of_the_hash() -> None:
    simulation = run(wr.Simulation(settling(60), solver=wr.NDEM(), threads=1), 60)
    before = simulation.hash()
    simulation._stepper.batches.impulse *= np.float32(1.001)
    assert simulation.hash() != before


def column_of_two(extra: int) -> wr.Scene:
    """Stacks at rest, and grains far away that come and go."""
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(5, 5, 4), radius=R, material="soil")
    if extra:
        scene.add_emitter(
            region=Sphere(radius=0.3),
            position=(3, 0, 1),
            rate=200.0,
            radius=R,
            material="soil",
            count=extra,
            start=1.0,
        )
        scene.add_sink(region=Sphere(radius=1.5), position=(3, 0, 0), start=1.2)
    return scene


def test_grains_that_come_and_go_do_not_disturb_the_memory_of_others() -> None:
    calm = run(wr.Simulation(column_of_two(0), solver=wr.NDEM(), threads=1), 60)
    busy = wr.Simulation(column_of_two(12), solver=wr.NDEM(), threads=1)
    for _ in range(120):
        busy.step()
    run(calm, 60)
    assert busy.ledger["emitted"] > 0
    assert busy.ledger["sunk"] > 0
    still = busy.particles.id < 100
    np.testing.assert_allclose(busy.particles.position[still], calm.particles.position, atol=1e-5)
    np.testing.assert_allclose(busy.particles.velocity[still], 0, atol=1e-4)


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
