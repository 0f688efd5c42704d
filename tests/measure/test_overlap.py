"""Contacts against all pairs tried one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.measure.overlap import contacts, largest_cluster, spring_forces


def tried(x: np.ndarray, r: np.ndarray, reach: float) -> dict[tuple[int, int], float]:
    pairs = {}
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            distance = float(np.linalg.norm(x[i] - x[j]))
            if distance < reach * (r[i] + r[j]):
                pairs[i, j] = float(r[i] + r[j] - distance)
    return pairs


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    count=st.integers(0, 60),
    ratio=st.sampled_from([1.0, 1.9, 4.0, 20.0]),
    reach=st.sampled_from([1.0, 1.3]),
)
def test_all_pairs_and_only_those(seed, count, ratio, reach):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 1, (count, 3))
    r = 0.04 * np.exp(rng.uniform(0, np.log(ratio), count)) if ratio > 1 else np.full(count, 0.15)
    found = contacts(x, r, reach)
    expected = tried(x, r, reach)
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == sorted(expected)
    np.testing.assert_allclose(found.overlap, [expected[p] for p in sorted(expected)], rtol=0, atol=1e-14)
    degree = np.zeros(count, int)
    for i, j in expected:
        degree[i] += 1
        degree[j] += 1
    assert found.per_grain.tolist() == degree.tolist()


def test_overlap_is_over_the_smaller_radius():
    found = contacts([[0, 0, 0], [1.4, 0, 0], [5, 0, 0]], [1.0, 0.5, 1.0])
    assert len(found) == 1
    assert found.overlap == pytest.approx([0.1])
    assert (found.mean_relative, found.max_relative) == pytest.approx((0.2, 0.2))
    assert found.per_grain.tolist() == [1, 1, 0]


def test_mean_and_max():
    found = contacts([[0, 0, 0], [1.9, 0, 0], [1.9, 1.7, 0]], 3 * [1.0])
    assert found.relative == pytest.approx([0.1, 0.3])
    assert (found.mean_relative, found.max_relative) == pytest.approx((0.2, 0.3))


def test_nothing_touches():
    for found in (contacts(np.zeros((0, 3)), np.zeros(0)), contacts([[0, 0, 0], [9, 9, 9]], [1.0, 1.0])):
        assert (len(found), found.mean_relative, found.max_relative) == (0, 0.0, 0.0)


def test_grains_that_are_not_finite_touch_nothing():
    found = contacts([[0, 0, 0], [np.nan, 0, 0], [1.5, 0, 0], [np.inf, 0, 0]], 4 * [1.0])
    assert (found.first.tolist(), found.second.tolist()) == ([0], [2])


def test_float32_positions_far_from_the_origin():
    x = np.array([[1000.0, 0, 0], [1001.5, 0, 0]], np.float32)
    assert contacts(x, np.array([1.0, 1.0], np.float32)).overlap == pytest.approx([0.5])


def test_spring_forces_by_number_pair_and_material():
    pairs = contacts([[0, 0, 0], [1.9, 0, 0], [3.9, 0, 0]], 3 * [1.0], reach=1.1)
    assert pairs.overlap == pytest.approx([0.1, 0.0], abs=1e-12)
    assert spring_forces(pairs, 1e4) == pytest.approx([1000.0, 0.0], abs=1e-6)
    assert spring_forces(pairs, [1e4, 5.0]) == pytest.approx([1000.0, 0.0], abs=1e-6)
    table = np.array([[1.0, 30.0], [30.0, 2.0]])
    assert spring_forces(pairs, table, [0, 1, 1]) == pytest.approx([3.0, 0.0], abs=1e-6)
    with pytest.raises(ValueError, match="material"):
        spring_forces(pairs, table)
    apart = contacts([[0, 0, 0], [2.1, 0, 0]], 2 * [1.0], reach=1.2)
    assert spring_forces(apart, 1e4).tolist() == [0.0]


def test_largest_cluster():
    heap = np.stack(np.meshgrid(*[np.arange(3) * 2.0] * 3), axis=-1).reshape(-1, 3)
    stray = np.array([[20.0, 0, 0], [22.0, 0, 0], [50.0, 0, 0]])
    inside = largest_cluster(np.concatenate([stray, heap]), np.ones(30))
    assert inside.tolist() == 3 * [False] + 27 * [True]
    assert largest_cluster(np.zeros((0, 3)), np.zeros(0)).shape == (0,)
