"""Angles of heaps and slopes that are known by construction."""

from __future__ import annotations

import numpy as np
import pytest
from made_heaps import cone, incline

from windrow.measure.failure import MeasurementError
from windrow.measure.repose import angle_of_repose, slope_angle

ANGLES = (10, 15, 20, 25, 30, 35, 40, 45)


def heights(angle: float) -> float:
    """Tall enough for a flank of many grains, and no more grains than needed."""
    return 15.0 if angle < 15 else 18.0 if angle < 20 else 24.0 if angle < 35 else 30.0


@pytest.mark.parametrize("kind", ["cubic", "hexagonal", "turned"])
@pytest.mark.parametrize("angle", ANGLES)
def test_cones(angle, kind):
    found = angle_of_repose(cone(angle, heights(angle), kind), 1.0)
    assert found.mean == pytest.approx(angle, abs=1.0)
    assert found.spread < 2.0
    assert np.nanmean(found.lanes) == pytest.approx(angle, abs=1.5)
    assert found.top < heights(angle)


def test_small_heap_of_a_thousand_grains():
    for seed in range(6):
        grains = cone(35, 20, seed=seed)
        assert len(grains) < 1500
        assert angle_of_repose(grains, 1.0).mean == pytest.approx(35, abs=1.5)


def test_shifted_turned_and_scaled():
    grains = cone(27, 24)
    plain = angle_of_repose(grains, 1.0).mean
    moved = angle_of_repose(0.01 * grains + [300.0, -20.0, 7.0], 0.01)
    assert moved.mean == pytest.approx(plain, abs=0.2)
    assert moved.center == pytest.approx((300.0, -20.0), abs=0.01)
    turn = np.radians(33)
    turning = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    assert angle_of_repose(grains @ turning.T, 1.0).mean == pytest.approx(plain, abs=0.5)


@pytest.mark.parametrize("angle", [15, 30, 45])
def test_stray_and_flying_grains_do_not_matter(angle):
    rng = np.random.default_rng(1)
    grains = cone(angle, heights(angle))
    reach = 3 * heights(angle) / np.tan(np.radians(angle))
    floor = np.column_stack([rng.uniform(-reach, reach, (60, 2)), np.ones(60)])
    air = rng.uniform((-reach, -reach, heights(angle)), (reach, reach, 3 * heights(angle)), (60, 3))
    lost = np.full((2, 3), np.nan)
    everything = np.concatenate([grains, floor, air, lost])
    assert angle_of_repose(everything, 1.0).mean == pytest.approx(angle, abs=1.0)


def test_grains_stacked_on_the_flank_do_not_matter():
    rng = np.random.default_rng(2)
    grains = cone(25, 24)
    on_top = grains[rng.choice(len(grains), 400, replace=False)] + [0, 0, 4.0]
    line = 24 - np.hypot(on_top[:, 0], on_top[:, 1]) * np.tan(np.radians(25))
    bumps = on_top[on_top[:, 2] > line]
    assert len(bumps) > 20
    assert angle_of_repose(np.concatenate([grains, bumps]), 1.0).mean == pytest.approx(25, abs=1.0)


def test_rough_surface():
    for angle in (20, 40):
        grains = cone(angle, heights(angle), noise=0.4)
        assert angle_of_repose(grains, 1.0).mean == pytest.approx(angle, abs=1.0)


def test_mixed_radii_touch_the_same_board():
    """Spheres of any size under one cone: each is pushed down until it touches from below."""
    rng = np.random.default_rng(4)
    slope = np.radians(30)
    grains = cone(30, 26)
    radius = rng.uniform(0.6, 1.4, len(grains))
    out = np.hypot(grains[:, 0], grains[:, 1])
    room = 26 - out * np.tan(slope) - grains[:, 2]
    surface = room < 3.0
    grains[surface, 2] += (room - radius / np.cos(slope))[surface]
    assert angle_of_repose(grains, radius).mean == pytest.approx(30, abs=1.0)


def test_rounded_top_and_run_out_foot_do_not_matter():
    grains = cone(30, 30)
    blunt = grains[grains[:, 2] < 26]
    rng = np.random.default_rng(5)
    foot = 30 / np.tan(np.radians(30))
    around = rng.uniform(0, 2 * np.pi, 900)
    out = rng.uniform(0.9 * foot, 1.25 * foot, 900)
    apron = np.column_stack([out * np.cos(around), out * np.sin(around), np.ones(900)])
    assert angle_of_repose(np.concatenate([blunt, apron]), 1.0).mean == pytest.approx(30, abs=1.5)


def test_spread_tells_a_lopsided_heap():
    grains = cone(30, 26)
    even = angle_of_repose(grains, 1.0)
    grains[:, 0] *= np.where(grains[:, 0] > 0, 1.4, 1.0)
    assert angle_of_repose(grains, 1.0, center=(0.0, 0.0)).spread > 2 * even.spread


def test_heap_on_a_bed():
    heap = cone(28, 24)
    i = np.arange(-35, 36) * 2.02
    bed = np.stack(np.meshgrid(i, i, [-5.0, -3.0, -1.0], indexing="ij"), axis=-1).reshape(-1, 3)
    assert angle_of_repose(np.concatenate([heap, bed]), 1.0).mean == pytest.approx(28, abs=1.0)


def block(*counts: int) -> np.ndarray:
    axes = [np.arange(n) * 2.02 for n in counts]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


@pytest.mark.parametrize(
    ("grains", "reason"),
    [
        (np.zeros((0, 3)), "0 of 0 grains"),
        (block(3, 3, 2), "18 of 18 grains"),
        (100.0 * np.random.default_rng(0).random((500, 3)), "grains lie together"),
        (block(30, 30, 1), "surface falls"),
        (block(20, 20, 8), "surface falls"),
        (block(8, 8, 30), "surface falls"),
        (cone(40, 9), "surface"),
    ],
)
def test_no_heap_is_said(grains, reason):
    with pytest.raises(MeasurementError, match=reason):
        angle_of_repose(grains, 1.0)


@pytest.mark.parametrize("direction", [0, 70, 200])
@pytest.mark.parametrize("angle", [10, 25, 40])
def test_inclines(angle, direction):
    grains = incline(angle, direction)
    found = slope_angle(grains, 1.0)
    assert found.mean == pytest.approx(angle, abs=1.0)
    assert found.spread < 2.0
    ahead = (np.cos(np.radians(direction)), np.sin(np.radians(direction)))
    assert slope_angle(grains, 1.0, downhill=ahead).mean == pytest.approx(angle, abs=1.0)


def test_flat_bed_is_no_slope():
    with pytest.raises(MeasurementError, match="no slope"):
        slope_angle(block(30, 30, 3), 1.0)
    with pytest.raises(MeasurementError, match="downhill"):
        slope_angle(incline(20, 0), 1.0, downhill=(0.0, 0.0))
