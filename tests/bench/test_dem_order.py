"""The comparison of orders of grains computes the same numbers in both, and leaves the run as it was."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.bench.dem_order import _in_order, order_times
from windrow.errors import WindrowError


def mixed() -> wr.Simulation:
    """Grains of two sizes that bounce in a corner until their order by place is not that of their ids."""
    scene = wr.Scene(solver=wr.DEM(substeps=8))
    scene.add_material("g", density=2000, stiffness=1e4, restitution=0.8, friction_static=0.4, rolling_friction=0.1)
    for normal in ((0, 0, 1), (1, 0, 0)):
        scene.add_plane(normal, 0.0, "g")
    place = np.random.default_rng(1).permutation([(x, y, z) for x in range(5) for y in range(5) for z in range(5)])
    scene.add_particles(0.1 * place + 0.06, velocity=(-1.0, 0, -1.0), radius=np.resize([0.05, 0.04], 125), material="g")
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(20):
        simulation.step()
    return simulation


def test_both_orders_compute_the_same_and_move_nothing() -> None:
    simulation = mixed()
    assert not np.array_equal(simulation.state.id[:125], np.arange(125)), "the order of ids is another one here"
    before = simulation.hash()
    times = order_times(simulation, substeps=7, rounds=1)
    assert times.by_grid > 0.0
    assert times.by_id > 0.0
    assert simulation.hash() == before


def test_lists_in_another_order_name_the_same_pairs() -> None:
    simulation = mixed()
    stepper, order = simulation._stepper, np.argsort(simulation.state.id[:125])
    lists = _in_order(stepper, simulation.state.flags, 125, order).lists
    entries = lists.neighbours.reshape(-1, 8)
    found = set()
    for s, depth in enumerate(lists.depth):
        for row in entries[lists.first[s] // 8 :][:depth]:
            found |= {(8 * s + lane, int(j)) for lane, j in enumerate(row) if j != 8 * s + lane}
    position, radius = simulation.particles.position.astype(np.float64), simulation.particles.radius
    for i, j in found:
        assert (j, i) in found
    apart = np.linalg.norm(position[:, None] - position[None], axis=2) - (radius[:, None] + radius[None])
    touching = {(int(i), int(j)) for i, j in np.argwhere(apart < 0) if i != j}
    assert touching
    assert touching <= found


def test_other_solvers_are_refused() -> None:
    scene = wr.Scene()
    scene.add_material("g", density=2000)
    scene.add_particles([(0, 0, 1)], radius=0.1, material="g")
    with pytest.raises(WindrowError, match="for DEM without bonds"):
        order_times(wr.Simulation(scene, solver=wr.NDEM(), threads=1))
