"""Poured heaps, beds and cuts."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.calibrate.bed import bed_scene, bed_solid_fraction
from windrow.calibrate.heap import heap_height, poured_heap, pouring_scene
from windrow.measure.packing import solid_fraction
from windrow.scene import NDEM, Material
from windrow.sim.simulation import Simulation


def test_solid_fraction_of_a_lattice() -> None:
    x = np.stack(np.meshgrid(*[np.arange(8.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    assert solid_fraction(x, 0.5, (1.5,) * 3, (5.5,) * 3) == pytest.approx(np.pi / 6, abs=0.01)
    assert solid_fraction(x, 0.25, (1.5,) * 3, (5.5,) * 3) == pytest.approx(np.pi / 48, abs=0.01)
    assert solid_fraction(np.zeros((0, 3)), 0.5, (0, 0, 0), (1, 1, 1)) == 0.0
    with pytest.raises(ValueError, match="empty"):
        solid_fraction(x, 0.5, (0, 0, 0), (1, 0, 1))


def test_the_spout_stays_above_the_cone() -> None:
    scene = pouring_scene(Material(), 32.0, grains=600, radius=0.02)
    heights = [emitter.position[2] for emitter in scene.emitters]
    assert heights == sorted(heights)
    assert heights[-1] > heap_height(600, 0.02, 32.0)
    assert sum(emitter.count or 0 for emitter in scene.emitters) == 600


def test_a_simulation_takes_the_grain_numbers_of_its_own_solver() -> None:
    scene = bed_scene(Material(soil="dry_sand"), (0.3, 0.3, 0.2), 0.05)
    taken = Simulation(scene, solver=NDEM()).scene.materials["soil"]
    assert "calibrated for ndem" in taken.source
    assert taken.friction_static < 0.3
    assert scene.materials["soil"].friction_static > 0.6


def test_a_bed_of_smooth_grains_is_as_dense_as_random_packings_are() -> None:
    share = bed_solid_fraction(Material(density=2650.0, friction_static=0.0), NDEM(), height=12.0, threads=1)
    assert 0.60 < share < 0.70


@pytest.mark.slow
def test_a_heap_of_a_32_degree_sand_stands_at_32_degrees() -> None:
    angles = [
        poured_heap(pouring_scene(Material(soil="dry_sand"), 32.0, seed=seed), NDEM()).repose.mean
        for seed in (100, 101, 102)
    ]
    assert np.mean(angles) == pytest.approx(32.0, abs=1.5)
