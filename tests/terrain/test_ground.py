"""Columns: what they weigh, how they are set and layered, and that a snapshot is all of them."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.scene.terrain import Hills, Terrain
from windrow.terrain.avalanche import Avalanche
from windrow.terrain.ground import Ground
from windrow.terrain.layers import LAYERS, TILE

GRAVITY = (0.0, 0.0, -9.81)


def test_layers_weigh_what_their_densities_say() -> None:
    layers = [{"soil": "loam", "thickness": 0.3}, {"soil": "clay", "thickness": 1.0}, {"soil": "gravel"}]
    ground = Ground(Terrain(size=(8.0, 8.0), cell=0.25, height=1.0, layers=layers, depth=3.0), GRAVITY)
    per_area = 0.3 * 1442 + 1.0 * 1602 + 1.7 * 1522
    assert ground.mass_units() * ground.mass_unit == pytest.approx(64 * per_area, rel=1e-12)
    assert ground.per_cell(0) == pytest.approx(0.0625 * per_area)
    assert (ground.per_cell(2) == 0).all()


def test_digging_brings_the_next_soil_to_light() -> None:
    layers = [{"soil": "loam", "thickness": 0.3}, {"soil": "clay"}]
    ground = Ground(Terrain(size=(8.0, 8.0), cell=0.25, layers=layers), GRAVITY)
    ground.set_height(np.full((4, 4), -0.4), 10, 10)
    assert ground.soil_names[ground.per_cell(2)[11, 11]] == "clay"
    assert ground.per_cell(1)[11, 11] == pytest.approx(1602)
    assert ground.height()[11, 11] == pytest.approx(-0.4)
    taken = ground.booked.taken * ground.mass_unit
    assert taken == pytest.approx(1.0 * (0.3 * 1442 + 0.1 * 1602), rel=1e-9)
    assert ground.mass_units() == ground.start_mass - ground.booked.taken


def test_what_is_filled_up_and_cut_down_is_booked_exactly() -> None:
    rng = np.random.default_rng(1)
    ground = Ground(Terrain(size=(16.0, 12.0), cell=0.1, soil="dry_sand"), GRAVITY)
    for _ in range(12):
        i, j = rng.integers(0, 100, 2)
        ground.set_height(rng.normal(size=(30, 20)), int(i), int(j))
        assert ground.mass_units() == ground.start_mass + ground.booked.added - ground.booked.taken
    assert ground.booked.added > 0
    assert ground.booked.taken > 0


def test_a_column_never_runs_out_of_layers() -> None:
    ground = Ground(Terrain(size=(4.0, 4.0), cell=1.0, soil="loam"), GRAVITY)
    avalanche = Avalanche(ground)
    for height in range(1, 3 * LAYERS):
        ground.set_height(np.full((4, 4), 0.1 * height))
        ground.set_height(np.full((1, 1), 3.0 + height), 1, 1)
        for _ in range(5):
            avalanche.step()
        expected = ground.start_mass + ground.booked.added - ground.booked.taken
        assert ground.mass_units() == expected
    used = ground.columns.volume[0] > 0
    assert (np.diff(used.astype(int), axis=1) <= 0).all(), "no hole between layers"


def test_heights_do_not_lose_precision_far_from_the_origin() -> None:
    near, far = (
        Ground(Terrain(size=(8.0, 8.0), cell=0.25, soil="loam", position=place), GRAVITY)
        for place in ((0.0, 0.0, 0.0), (4e5, 5e6, 2400.0))
    )
    for ground in (near, far):
        ground.set_height(np.full((3, 3), 0.123456), 5, 5)
    assert np.array_equal(near.height(), far.height())
    x, y = far.place_of(np.array(5), np.array(7))
    assert far.cell_at(float(x), float(y)) == pytest.approx((5.0, 7.0), abs=1e-6)


def test_untouched_ground_is_not_in_memory() -> None:
    ground = Ground(Terrain(size=(1000.0, 1000.0), cell=0.5, soil="loam"), GRAVITY)
    assert ground.used == 0
    bare = ground.memory_bytes()
    assert bare < 6 * ground.nx * ground.ny
    ground.set_height(np.ones((10, 10)), 500, 500)
    assert ground.used == 1
    assert ground.memory_bytes() < bare + 5e6


def test_a_snapshot_holds_touched_tiles_only_and_continues_to_the_bit() -> None:
    terrain = Terrain(size=(32.0, 32.0), cell=0.125, height=Hills(height=2.0, length=8.0), soil="dry_sand")
    ground = Ground(terrain, GRAVITY)
    ground.set_height(np.full((20, 20), 4.0), 60, 60)
    avalanche = Avalanche(ground)
    for _ in range(3):
        avalanche.step()
    data = ground.snapshot()
    assert len(data["tile"]) == ground.used < np.prod(ground.tiles)
    assert data["mass"].shape == (ground.used, TILE * TILE, LAYERS)
    other = Ground(terrain, GRAVITY)
    other.restore(data)
    second = Avalanche(other)
    for _ in range(30):
        avalanche.step()
        second.step()
    assert np.array_equal(ground.height(), other.height())
    assert ground.mass_units() == other.mass_units()
    for name, value in ground.snapshot().items():
        assert np.array_equal(value, other.snapshot()[name]), name


@pytest.mark.parametrize(
    ("heights", "place", "words"),
    [
        (np.full((2, 2), np.nan), (0, 0), "finite"),
        (np.full((2, 2), -99.0), (0, 0), "depth"),
        (np.full((2, 2), 1e30), (0, 0), "at most 10000 m from"),
        (np.zeros((2, 2)), (31, 0), "leave the ground"),
    ],
)
def test_heights_that_cannot_be_are_refused(heights: np.ndarray, place: tuple[int, int], words: str) -> None:
    ground = Ground(Terrain(size=(4.0, 4.0), cell=0.125, soil="loam"), GRAVITY)
    with pytest.raises(SceneError, match=words):
        ground.set_height(heights, *place)
    assert ground.mass_units() == ground.start_mass


def test_ground_that_begins_too_high_is_refused() -> None:
    """Its mass would be more than a whole number holds."""
    heights = np.zeros((32, 32))
    heights[3, 4] = 1e7
    with pytest.raises(SceneError, match=r"terrain\.height: heights from 0 to 1e\+07 m"):
        Ground(Terrain(size=(4.0, 4.0), cell=0.125, soil="loam", height=heights), GRAVITY)
