"""Bricks: the same grains at the same place, whatever region is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

import windrow as wr
from windrow.measure.packing import solid_fraction
from windrow.scene.brick import SPREAD, brick_of, grains_in

MIXES = ("even", "mixed")


@pytest.mark.parametrize("mix", MIXES)
def test_a_brick_repeats_without_a_seam(mix: str) -> None:
    brick = brick_of(mix)
    assert brick.solid_fraction > 0.6
    tree = cKDTree(brick.position, boxsize=brick.edge)
    i, j = tree.query_pairs(2 * brick.radius.max(), output_type="ndarray").T
    gap = brick.position[i] - brick.position[j]
    gap -= brick.edge * np.rint(gap / brick.edge)
    overlap = brick.radius[i] + brick.radius[j] - np.linalg.norm(gap, axis=1)
    assert overlap.max() < 1.5e-3
    touching = overlap > -1e-3
    contacts = np.bincount(np.concatenate([i[touching], j[touching]]), minlength=len(brick.radius))
    assert contacts.mean() > 5.0
    assert (contacts > 0).all()


def test_radii_are_spread_evenly_about_one() -> None:
    assert (brick_of("even").radius == 1.0).all()
    radius = np.sort(brick_of("mixed").radius)
    assert radius.mean() == pytest.approx(1.0, abs=1e-6)
    assert np.allclose(radius, np.linspace(1 - SPREAD, 1 + SPREAD, len(radius)), atol=1e-3)


def test_regions_side_by_side_fit_together() -> None:
    brick, radius = brick_of("mixed"), 0.04
    whole = grains_in(brick, radius, np.full(3, -1.3), np.full(3, 1.7))
    parts = [
        grains_in(brick, radius, np.array([-1.3, -1.3, -1.3]), np.array([0.2, 1.7, 1.7])),
        grains_in(brick, radius, np.array([0.2, -1.3, -1.3]), np.array([1.7, 1.7, 1.7])),
    ]
    together = np.concatenate([part.key for part in parts])
    assert len(np.unique(whole.key)) == len(whole.key) > 9000
    assert np.array_equal(np.sort(together), np.sort(whole.key))
    place = dict(zip(whole.key.tolist(), whole.position.tolist(), strict=True))
    for part in parts:
        for key, position in zip(part.key.tolist(), part.position.tolist(), strict=True):
            assert place[key] == position
    filled = 4 / 3 * np.pi * (whole.radius**3).sum() / 27.0
    assert filled == pytest.approx(brick.solid_fraction, rel=0.01)


def test_an_empty_region_has_no_grains() -> None:
    found = grains_in(brick_of("even"), 0.05, np.zeros(3), np.array([1.0, 1.0, 0.0]))
    assert [len(column) for column in found] == [0, 0, 0]


def test_a_dense_bed_is_at_rest_but_for_its_sides() -> None:
    """It sinks by what the cut left open at floor and walls; a random one sinks to half its height."""
    scene = wr.Scene(solver=wr.NDEM())
    scene.add_material("sand", soil="dry_sand")
    scene.add_open_box((0.0, 0.0, 0.0), (0.6, 0.6, 1.0), "sand")
    scene.add_block((0.0, 0.0, 0.0), (0.6, 0.6, 0.6), {"min": 0.0255, "max": 0.0345}, "sand", packing="dense")
    simulation = wr.Simulation(scene)
    before = simulation.frame()
    simulation.run(seconds=0.5)
    after = simulation.frame()
    middle = (np.full(3, 0.15), np.array([0.45, 0.45, 0.4]))
    assert solid_fraction(before.position, before.radius, *middle) == pytest.approx(0.62, abs=0.02)
    assert solid_fraction(after.position, after.radius, *middle) == pytest.approx(0.62, abs=0.03)
    assert np.median(before.position[:, 2] - after.position[:, 2]) < 2 * 0.03
    assert np.linalg.norm(after.velocity, axis=1).max() < 0.3
