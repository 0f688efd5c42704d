"""Grains of very different sizes and speeds in one scene: levels of the grid, colours, bits and overlaps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import R, box_of_planes, lattice, soil

import windrow as wr
from windrow.collide.levels import finest_size
from windrow.solvers.ndem.solver import NDEMStepper


def graded(ratio: float = 20.0, count: int = 700, seed: int = 2) -> wr.Scene:
    """Radii 1 : ratio, equal mass in each part of the grading, scattered above a floor and falling."""
    g = np.random.default_rng(seed)
    radius = 0.2 * R * (1.0 - (np.arange(count) + 0.5) / count * (1.0 - ratio**-3.0)) ** (-1 / 3)
    radius = radius[::-1]
    half = 0.7 * (radius**3).sum() ** (1 / 3) * 1.6
    points, sizes = np.zeros((0, 3)), np.zeros(0)
    for r in radius:
        while True:
            p = np.array([*g.uniform(r - half, half - r, 2), g.uniform(r, 5 * half)])
            if (np.linalg.norm(points - p, axis=1) > 1.001 * (sizes + r)).all():
                break
        points, sizes = np.vstack([points, p]), np.append(sizes, r)
    scene = soil(k=1e5)
    box_of_planes(scene, half)
    scene.add_particles(
        position=points, velocity=g.normal(0, 0.5, points.shape), radius=sizes, material="soil"
    )
    return scene


def boulder_on_sand(drop: float, ratio: float = 10.0) -> wr.Scene:
    """Sand five layers deep, and a boulder `drop` metres above it."""
    scene = soil()
    box_of_planes(scene, 13.4 * R)
    g = np.random.default_rng(0)
    scene.add_particles(
        position=lattice(13, 13, 5, 2.04 * R),
        velocity=g.uniform(-0.3, 0.3, (845, 3)),
        radius=R,
        material="soil",
    )
    top = 5 * 2.04 * R + 0.1 * R
    scene.add_particles(position=[(0, 0, top + ratio * R + drop)], radius=ratio * R, material="soil")
    return scene


def test_one_and_two_threads_give_the_same_bits_with_mixed_sizes() -> None:
    hashes = []
    for threads in (1, 2):
        simulation = wr.Simulation(graded(), solver=wr.NDEM(), threads=threads)
        for _ in range(40):
            notes = simulation.step().notes
        hashes.append(simulation.hash())
    assert hashes[0] == hashes[1]
    assert notes["levels"] >= 3


def test_a_restart_continues_to_the_bit_with_mixed_sizes(tmp_path: Path) -> None:
    simulation = wr.Simulation(graded(), solver=wr.NDEM(), threads=2)
    for _ in range(45):
        simulation.step()
    simulation.save(tmp_path / "now.h5")
    restored = wr.Simulation.load(tmp_path / "now.h5", threads=1)
    for _ in range(10):
        simulation.step()
        restored.step()
    assert simulation.hash() == restored.hash()


@pytest.mark.parametrize("drop", [0.0, 0.5])
def test_a_boulder_that_lands_on_sand_presses_no_grain_flat(drop: float) -> None:
    """Radius 1 : 10, mass 1 : 1000, at up to 3 m/s."""
    simulation = wr.Simulation(boulder_on_sand(drop), solver=wr.NDEM(), threads=1)
    deepest = 0.0
    for _ in range(60):
        notes = simulation.step().notes
        deepest = max(deepest, notes["overlap_peak"])
        assert notes["missed_pairs"] == 0
    assert notes["levels"] >= 2
    assert deepest < 0.8
    assert simulation.particles.position[-1, 2] > 10 * R


def test_more_sweeps_only_around_a_load_that_is_not_at_rest() -> None:
    simulation = wr.Simulation(boulder_on_sand(0.0), solver=wr.NDEM(), threads=1)
    sweeps = [simulation.step().notes["sweeps"] for _ in range(150)]
    assert max(sweeps[:20]) > 2
    assert sweeps[-1] == 2
    stepper = simulation._stepper
    assert isinstance(stepper, NDEMStepper)
    wanted = np.zeros(stepper.pencils.count, np.int64)
    wanted[3] = 2
    turns, begin = stepper.pencils.extra_sweeps(wanted)
    assert len(begin) == 2
    assert [turns[begin[k, 0, 0] : begin[k, 0, -1]].tolist() for k in range(2)] == [[3], [3]]


def test_the_finest_level_is_that_of_the_many() -> None:
    assert finest_size(np.array([1.0, 1.5, 2.0], np.float32)) == 2.0
    sand = np.append(np.linspace(0.9, 1.0, 1000, dtype=np.float32), np.float32([20.0, 0.01]))
    assert finest_size(sand) == 1.0
