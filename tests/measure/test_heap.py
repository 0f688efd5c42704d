"""Size and energy against sums done by hand."""

from __future__ import annotations

import numpy as np
import pytest
from made_heaps import frame_of

from windrow.measure.heap import center_of_mass, height, kinetic_energy, potential_energy, rms_speed, spread


def two_grains(**fields):
    return frame_of(
        np.array([[0.0, 0, 1], [3, 0, 4]]),
        mass=np.array([2, 1], np.float32),
        velocity=np.array([[1, 2, 2], [0, 0, 4]], np.float32),
        **fields,
    )


def test_sums():
    frame = two_grains()
    assert kinetic_energy(frame) == pytest.approx(0.5 * 2 * 9 + 0.5 * 16)
    assert potential_energy(frame, (0, 0, -10)) == pytest.approx(10 * (2 * 1 + 4))
    assert potential_energy(frame, (-1, 0, 0)) == pytest.approx(3)
    assert center_of_mass(frame) == pytest.approx([1, 0, 2])
    assert rms_speed(frame) == pytest.approx(np.sqrt((9 + 16) / 2))


def test_pinned_and_lost_grains_do_not_count():
    frame = two_grains()
    frame.mass[1] = np.inf
    assert kinetic_energy(frame) == pytest.approx(9)
    assert potential_energy(frame) == pytest.approx(2 * 9.81)
    assert center_of_mass(frame) == pytest.approx([0, 0, 1])
    assert rms_speed(frame) == pytest.approx(3)
    frame.velocity[0] = np.nan
    assert (kinetic_energy(frame), rms_speed(frame)) == (0, 0)


def test_height_and_spread():
    rng = np.random.default_rng(0)
    azimuth, out = rng.uniform(0, 2 * np.pi, 20_000), 3 * np.sqrt(rng.random(20_000))
    disc = np.column_stack([7 + out * np.cos(azimuth), out * np.sin(azimuth), 0.1 * out])
    assert spread(disc) == pytest.approx(3 * np.sqrt(0.99), abs=0.02)
    assert spread(disc, center=(7, 0), percentile=50) == pytest.approx(3 * np.sqrt(0.5), abs=0.05)
    assert spread(disc, center=(0, 0), percentile=100) == pytest.approx(10, abs=0.05)
    assert height([[0, 0, 1], [0, 0, 2]], [1.5, 0.1]) == pytest.approx(2.5)
    assert height([[0, 0, 1], [0, 0, np.nan]], [0.5, 0.5], floor=1) == pytest.approx(0.5)


def test_no_grains():
    frame = frame_of(np.zeros((0, 3)))
    assert (kinetic_energy(frame), potential_energy(frame), rms_speed(frame)) == (0, 0, 0)
    assert np.isnan(center_of_mass(frame)).all()
    assert np.isnan(height(frame.position, frame.radius))
    assert np.isnan(spread(frame.position))
