"""A few grains that move in a bed at rest: no search of all, and nothing is missed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import R, box_of_planes, lattice, soil
from scipy.spatial import cKDTree
from test_lists import listed

import windrow as wr
from windrow.solvers.ndem.solver import NDEMStepper


def bed_with_a_shot() -> wr.Scene:
    """A bed at rest, 4 layers deep, and one grain that skips over it and one that is shot into it."""
    scene = soil()
    box_of_planes(scene, 10 * R)
    scene.add_particles(position=lattice(10, 10, 6), radius=R, material="soil")
    scene.add_particles(
        position=[(-9 * R, 0.3 * R, 14 * R), (0.4 * R, 0.3 * R, 16 * R)],
        velocity=[(2.5, 0.2, -1.0), (0.0, 0.0, -4.0)],
        radius=R,
        material="soil",
    )
    return scene


def test_nothing_is_missed_and_hardly_anything_is_searched() -> None:
    simulation = wr.Simulation(bed_with_a_shot(), solver=wr.NDEM(), threads=1)
    stepper = simulation._stepper
    assert isinstance(stepper, NDEMStepper)
    simulation.step()
    searches, escaped, overflow = 0, 0, 0
    for _ in range(40):
        notes = simulation.step().notes
        searches += notes["searches"]
        escaped = max(escaped, notes["relisted"])
        overflow = max(overflow, notes["overflow"])
        assert notes["missed_pairs"] == 0
        count = simulation.state.count
        X = simulation.state.X[:count].astype(float)
        near = cKDTree(X[:, :3]).query_pairs(2 * R, output_type="ndarray")
        found = listed(stepper.kept.pairs.lists, count)
        assert len(found) == len(set(found))
        assert {(int(min(p)), int(max(p))) for p in near} <= set(found)
        # what is added to the lists is swept, and once
        swept = [tuple(sorted(map(int, pair))) for pair in stepper.kept.pairs.overflow_ends]
        ends = stepper.kept.pairs.ends.transpose(0, 2, 1).reshape(-1, 2)
        swept += [tuple(sorted(map(int, pair))) for pair in ends[ends[:, 0] < count]]
        assert sorted(swept) == sorted(found)
    assert searches < 20
    assert escaped > 0
    assert overflow > 0


@pytest.mark.parametrize("steps", [4, 9])
def test_threads_and_restarts_keep_the_bits_while_grains_escape(steps: int, tmp_path: Path) -> None:
    one, two = (wr.Simulation(bed_with_a_shot(), solver=wr.NDEM(), threads=k) for k in (1, 2))
    for _ in range(steps):
        notes = one.step().notes
        two.step()
    assert notes["relisted"] > 0
    assert one.hash() == two.hash()
    two.save(tmp_path / "now.h5")
    restored = wr.Simulation.load(tmp_path / "now.h5", threads=1)
    for _ in range(8):
        one.step()
        restored.step()
    assert one.hash() == restored.hash()


def test_the_push_of_a_roamer_is_remembered_by_the_next_search() -> None:
    """A grain that lands on others keeps its impulse when everything is listed anew."""
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(6, 6, 2), radius=R, material="soil")
    scene.add_particles(position=[(0, 0, 6.5 * R)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    relisted = False
    for _ in range(60):
        notes = simulation.step().notes
        relisted |= notes["relisted"] > 0
        assert notes["missed_pairs"] == 0
    assert relisted
    weight = float(simulation.particles.mass.astype(float).sum()) * 9.81
    assert simulation.state.body_force[:, 2].sum() == pytest.approx(-weight, rel=1e-2)
    assert np.abs(simulation.particles.velocity).max() < 0.01
