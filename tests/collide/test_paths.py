"""Paths: whoever stays on its own meets nobody whom it is not listed with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.collide.paths import direction_and_length, leaves_path, off_path, paths_meet

F = np.float32


def path(way: np.ndarray) -> np.ndarray:
    """The row {direction, length} of a way."""
    return np.array([direction_and_length(*way.astype(F))], F)


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 100_000))
def test_grains_on_paths_that_keep_apart_never_touch(seed: int) -> None:
    g = np.random.default_rng(seed)
    begin = g.normal(0, 1.0, (2, 3))
    ways = g.normal(0, 1.0, (2, 3)) * g.choice([0.0, 0.3, 2.0], (2, 1))
    covers, radii = g.uniform(0.0, 0.3, 2), g.uniform(0.05, 0.5, 2)
    line = begin[0] - begin[1]
    touching = radii.sum()
    numbers = (line @ line, touching, covers.sum(), line @ ways[1], line @ ways[0])
    if paths_meet(*(F(number) for number in numbers)):
        return
    for _ in range(60):
        aside = g.normal(size=(2, 3))
        aside *= (covers / np.linalg.norm(aside, axis=1))[:, None] * g.uniform(0, 1, (2, 1))
        place = begin + g.uniform(0, 1, (2, 1)) * ways + aside
        assert np.linalg.norm(place[0] - place[1]) > touching - 1e-5


def test_grains_that_head_for_each_other_or_for_one_that_stops_are_listed() -> None:
    apart, touching, covers = 1.0, 0.2, 0.1
    for theirs, mine, listed in [(0.8, 0.0, True), (0.0, -0.8, True), (0.4, -0.4, True), (0.8, 0.8, True)]:
        assert paths_meet(F(apart**2), F(touching), F(covers), F(theirs), F(mine)) == listed
    for theirs, mine in [(0.0, 0.0), (-0.8, 0.8), (0.3, -0.3)]:
        assert not paths_meet(F(apart**2), F(touching), F(covers), F(theirs), F(mine))


@pytest.mark.parametrize("way", [(0.4, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_a_grain_is_on_its_path_between_begin_and_end_and_around_them(way: tuple[float, float, float]) -> None:
    home, ways = np.array([[1.0, 2.0, 3.0, 0.1]], F), path(np.array(way))
    end = 1.0 + way[0]
    for x, off in [(1.0, 0.0), (end, 0.0), (end + 0.05, 0.05), (end + 0.2, 0.2), (0.9, 0.1)]:
        place = np.array([[x, 2.0, 3.0, 0.05]], F)
        assert np.sqrt(off_path(place, home, ways, 0)) == pytest.approx(off, abs=1e-6)
    beside = np.array([[1.0 + 0.5 * way[0], 2.3, 3.0, 0.05]], F)
    assert np.sqrt(off_path(beside, home, ways, 0)) == pytest.approx(0.3, abs=1e-6)
    still = np.zeros((1, 4), F)
    assert leaves_path(beside, still, home, ways, 0, F(0.1))
    assert not leaves_path(home, still, home, ways, 0, F(0.1))
    assert leaves_path(home, np.array([[0.0, 5.0, 0.0, 1.0]], F), home, ways, 0, F(0.1))
