"""Paths: grains that stay in their skins meet no grain that they are not listed with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.collide.paths import Paths, direction_and_length, leaves_path, off_path, paths_meet

F = np.float32


def row_of(travel: np.ndarray) -> np.ndarray:
    """The row {direction, length} of a travel."""
    return np.array([direction_and_length(*travel.astype(F))], F)


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 100_000))
def test_grains_on_paths_that_keep_apart_never_touch(seed: int) -> None:
    g = np.random.default_rng(seed)
    begin = g.normal(0, 1.0, (2, 3))
    travels = g.normal(0, 1.0, (2, 3)) * g.choice([0.0, 0.3, 2.0], (2, 1))
    skins, radii = g.uniform(0.0, 0.3, 2), g.uniform(0.05, 0.5, 2)
    line = begin[0] - begin[1]
    touching = radii.sum()
    numbers = (line @ line, touching, skins.sum(), line @ travels[1], line @ travels[0])
    if paths_meet(*(F(number) for number in numbers)):
        return
    for _ in range(60):
        aside = g.normal(size=(2, 3))
        aside *= (skins / np.linalg.norm(aside, axis=1))[:, None] * g.uniform(0, 1, (2, 1))
        place = begin + g.uniform(0, 1, (2, 1)) * travels + aside
        assert np.linalg.norm(place[0] - place[1]) > touching - 1e-5


def test_grains_that_head_for_each_other_or_for_one_that_stops_are_listed() -> None:
    apart, touching, skins = 1.0, 0.2, 0.1
    for theirs, mine, listed in [(0.8, 0.0, True), (0.0, -0.8, True), (0.4, -0.4, True), (0.8, 0.8, True)]:
        assert paths_meet(F(apart**2), F(touching), F(skins), F(theirs), F(mine)) == listed
    for theirs, mine in [(0.0, 0.0), (-0.8, 0.8), (0.3, -0.3)]:
        assert not paths_meet(F(apart**2), F(touching), F(skins), F(theirs), F(mine))


@pytest.mark.parametrize("travel", [(0.4, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_a_grain_is_on_its_path_between_begin_and_end_and_around_them(travel: tuple[float, float, float]) -> None:
    origin = np.array([[1.0, 2.0, 3.0, 0.1]], F)
    paths = Paths(origin, row_of(np.array(travel)))
    end = 1.0 + travel[0]
    for x, off in [(1.0, 0.0), (end, 0.0), (end + 0.05, 0.05), (end + 0.2, 0.2), (0.9, 0.1)]:
        place = np.array([[x, 2.0, 3.0, 0.05]], F)
        assert np.sqrt(off_path(place, paths, 0)) == pytest.approx(off, abs=1e-6)
    beside = np.array([[1.0 + 0.5 * travel[0], 2.3, 3.0, 0.05]], F)
    assert np.sqrt(off_path(beside, paths, 0)) == pytest.approx(0.3, abs=1e-6)
    still = np.zeros((1, 4), F)
    assert leaves_path(beside, still, paths, 0, F(0.1))
    assert not leaves_path(origin, still, paths, 0, F(0.1))
    assert leaves_path(origin, np.array([[0.0, 5.0, 0.0, 1.0]], F), paths, 0, F(0.1))
