"""What slides, where it stops, and that nothing is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from windrow.scene.soils import soil_named
from windrow.scene.terrain import Terrain
from windrow.team import TEAM
from windrow.terrain.avalanche import MOST_TILES, Avalanche
from windrow.terrain.ground import Ground
from windrow.terrain.layers import TILE
from windrow.terrain.sliding import HELD_STILL

GRAVITY = (0.0, 0.0, -9.81)
CELL = 0.1


def cut(height: float, soil: str, axis: int = 0) -> Ground:
    """An upright face in the middle of a strip."""
    high = np.where(np.arange(80) < 40, height, 0.0)[:, None] * np.ones((1, 12))
    return Ground(Terrain(cell=CELL, height=high if axis == 0 else high.T.copy(), soil=soil), GRAVITY)


def slid(ground: Ground, steps: int = 1200) -> int:
    """Lets the ground come to rest; returns after how many steps."""
    avalanche = Avalanche(ground)
    avalanche.wake_all()
    for step in range(steps):
        if not avalanche.step():
            return step
    return steps


@pytest.mark.parametrize("soil", ["dry_sand", "gravel"])
def test_a_cut_comes_to_rest_at_the_soils_angle(soil: str) -> None:
    ground = cut(1.0, soil)
    assert slid(ground) < 1200
    profile = ground.height()[:, 6].astype(np.float64)
    face = (profile > 0.15) & (profile < 0.85)
    angle = np.degrees(np.arctan(-np.polyfit(CELL * np.flatnonzero(face), profile[face], 1)[0]))
    assert angle == pytest.approx(soil_named(soil).internal_friction_deg.value, abs=2.0)


def test_a_heap_has_the_soils_angle_all_around() -> None:
    x = CELL * (np.arange(100) - 49.5)
    r = np.hypot(x[:, None], x)
    ground = Ground(Terrain(cell=CELL, height=np.where(r < 0.8, 1.6, 0.0), soil="dry_sand"), GRAVITY)
    slid(ground)
    h = ground.height().astype(np.float64)
    side = (h > 0.15) & (h < 0.75 * h.max())
    around = np.degrees(np.arctan2(x[:, None], x)) % 90
    for direction in (0.0, 22.5, 45.0):
        there = side & (np.abs((around - direction + 45) % 90 - 45) < 5)
        angle = np.degrees(np.arctan(-np.polyfit(r[there], h[there], 1)[0]))
        assert angle == pytest.approx(32.0, abs=2.0), direction


@pytest.mark.parametrize("soil", ["loam", "wet_sand", "clay"])
def test_an_upright_cut_stands_up_to_its_critical_height(soil: str) -> None:
    numbers = soil_named(soil)
    weight = 9.81 * numbers.bulk_density.value
    half = np.pi / 4 + np.radians(numbers.internal_friction_deg.value) / 2
    critical = 4 * numbers.cohesion_pa.value / weight * np.tan(half)
    stands, falls = cut(0.9 * critical, soil), cut(1.1 * critical, soil)
    assert slid(stands, 20) == 0
    slid(falls, 20)
    assert np.ptp(stands.height()) == pytest.approx(0.9 * critical, rel=1e-5)
    lowered = 1.1 * critical - falls.height()[:40]
    assert lowered.max() > 0.1 * critical


@pytest.mark.parametrize("soil", ["loam", "clay"])
def test_a_face_that_falls_takes_nothing_behind_its_slip_plane(soil: str) -> None:
    """Loosened soil is no face, however steep it lies on the firm plane: that would fall in its turn, and so on."""
    numbers = soil_named(soil)
    phi = np.radians(numbers.internal_friction_deg.value)
    critical = 4 * numbers.cohesion_pa.value / (9.81 * numbers.bulk_density.value) * np.tan(np.pi / 4 + phi / 2)
    ground = cut(1.1 * critical, soil)
    slid(ground, 40)
    width = 1.1 * critical / np.tan(np.pi / 4 + phi / 2)
    behind = CELL * (39.5 - np.arange(40)) > width + 2 * CELL  # soil is heaved when it is loosened
    assert np.all(ground.height()[:40][behind] == np.float32(1.1 * critical))
    assert np.all(ground.per_cell(1)[:40][behind] == pytest.approx(numbers.bulk_density.value, rel=1e-6))
    assert ground.height()[39, 6] < 0.9 * critical


def test_a_face_before_a_pit_that_grains_fill_stands() -> None:
    """Ground that turned into grains is no hole: the face beside it would fall under them and lift them."""
    for filled in (False, True):
        ground = cut(1.0, "loam")
        marks = np.where(ground.height() < 0.5, HELD_STILL * filled, 0).astype(np.uint8)
        avalanche, before = Avalanche(ground, marks), ground.height().copy()
        avalanche.wake_all()
        for _ in range(20):
            avalanche.step()
        assert np.array_equal(ground.height(), before) == filled


def test_a_fallen_face_is_a_heap_below_a_wall_that_stands() -> None:
    ground = cut(1.0, "loam")
    slid(ground)
    profile = ground.height()[:, 6].astype(np.float64)
    slope = np.degrees(np.arctan(-np.diff(profile) / CELL))
    assert slope.max() < 80.0
    foot = (profile[:-1] > 0.05) & (profile[:-1] < 0.4)
    assert slope[foot].mean() == pytest.approx(29.0, abs=3.0)


@pytest.mark.parametrize("soil", ["dry_sand", "loam"])
def test_mass_is_the_same_to_the_last_unit(soil: str) -> None:
    rng = np.random.default_rng(3)
    heights = 2.0 * rng.random((70, 50)) ** 3
    ground = Ground(Terrain(cell=0.2, height=heights, soil=soil), GRAVITY)
    avalanche = Avalanche(ground)
    avalanche.wake_all()
    for _ in range(40):
        avalanche.step()
        assert ground.mass_units() == ground.start_mass
    assert np.abs(ground.height() - heights).max() > 0.3
    assert ground.per_cell(0).sum() == pytest.approx(ground.start_mass * ground.mass_unit, rel=1e-12)


def test_order_does_not_matter() -> None:
    """The ground turned by a quarter, and on another number of threads, slides alike."""
    rng = np.random.default_rng(5)
    heights = 2.0 * rng.random((64, 64)) ** 3
    results: list[Any] = []
    for members, turns in ((1, 0), (2, 0), (2, 1)):
        TEAM.use(members)
        ground = Ground(Terrain(cell=0.2, height=np.rot90(heights, turns).copy(), soil="dry_sand"), GRAVITY)
        avalanche = Avalanche(ground)
        avalanche.wake_all()
        for _ in range(20):
            avalanche.step()
        results.append(np.rot90(ground.height(), -turns))
    assert np.array_equal(results[0], results[1])
    assert np.allclose(results[0], results[2], atol=1e-6)


def test_work_is_done_only_where_soil_moves() -> None:
    heights = np.zeros((640, 640), np.float32)
    heights[40:44, 40:44] = 1.0
    ground = Ground(Terrain(cell=0.25, height=heights, soil="dry_sand"), GRAVITY)
    assert slid(ground) < 1200
    assert 1 <= ground.used <= 9
    assert not ground.active.any()


def test_no_soil_flows_over_the_edge() -> None:
    heights = np.zeros((20, 20))
    heights[:2] = 2.0
    ground = Ground(Terrain(cell=0.2, height=heights, soil="gravel"), GRAVITY)
    slid(ground)
    assert ground.mass_units() == ground.start_mass
    assert ground.height()[0].max() < 2.0


def test_where_much_slides_at_once_tiles_take_turns() -> None:
    """A ridge in each tile of more tiles than are looked at in a step: all come to rest, and nothing is lost."""
    side = 14 * TILE
    heights = np.zeros((side, side), np.float32)
    heights[TILE // 2 :: TILE] = 0.4
    ground = Ground(Terrain(cell=0.25, height=heights, soil="dry_sand"), GRAVITY)
    avalanche = Avalanche(ground)
    avalanche.wake_all()
    assert ground.active.sum() > MOST_TILES
    for _ in range(600):
        if not avalanche.step():
            break
    assert not ground.active.any()
    assert ground.mass_units() == ground.start_mass
    slope = np.abs(np.diff(ground.height(), axis=0)).max() / 0.25
    assert slope < 1.05 * np.tan(np.radians(32.0))
