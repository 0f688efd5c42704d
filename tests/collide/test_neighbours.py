"""The grid and the neighbour lists against all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.collide import grid
from windrow.collide.levels import finest_size
from windrow.collide.neighbours import find_neighbours
from windrow.collide.paths import Cutoff
from windrow.kernel import BLOCK
from windrow.solvers.sorting import Sorter
from windrow.state.state import State
from windrow.team import TEAM

F = np.float32


def lists_of(
    x: np.ndarray, r: np.ndarray, margin: float, cells_most: int, threads: int = 2
) -> list[set[int]]:
    """Neighbour sets by the caller's numbering."""
    TEAM.use(threads)
    n = len(x)
    P = np.zeros((n, 8), F)
    P[:, :3], P[:, 3] = x, r
    blocks = (n + BLOCK - 1) // BLOCK
    state = State.empty(n, 0, 0)
    state.append(x, np.zeros((n, 3)), r, np.ones(n), np.zeros(n, np.int32), np.zeros(n, np.bool_))
    sorter, spare = Sorter(n), np.zeros_like(P)
    sorter.grid.cells_most = cells_most
    if sorter.sort(state, P, spare, finest_size(P[:, 3]), Cutoff.still(margin)):
        P = spare
    order = state.id[:n]
    S = np.zeros((4, n + 16), F)
    S[:, :n] = P[:, :4].T
    share = np.arange(blocks + 1) * BLOCK * 16
    first, depth = np.zeros(n // 8 + 2, np.int64), np.zeros(n // 8 + 2, np.int32)
    length, needed = np.zeros(n, np.int32), np.zeros(blocks, np.int64)
    while True:
        entries = np.full(share[-1], -1, np.int32)
        find_neighbours(P, S, sorter.levels, F(margin), share, first, depth, length, entries, needed)
        if (needed <= np.diff(share)).all():
            break
        share[1:] = np.cumsum(needed)
    found: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        mine = [int(entries[first[i // 8] + 8 * k + i % 8]) for k in range(depth[i // 8])]
        kept = mine[: length[i]]
        assert len(set(kept)) == len(kept)
        assert i not in kept
        assert all(j == i for j in mine[length[i] :])
        found[order[i]] = {int(order[j]) for j in kept}
    return found


def all_pairs(x: np.ndarray, r: np.ndarray, margin: float) -> list[set[int]]:
    distance = np.linalg.norm(x[:, None] - x[None], axis=2) - r[:, None] - r[None] - margin
    np.fill_diagonal(distance, 1.0)
    return [set(np.nonzero(row < 0)[0].tolist()) for row in distance]


@pytest.mark.parametrize("count", [1, 7, 8, 9, 300, 700])
@pytest.mark.parametrize("cells_most", [27, 64, 100_000])
def test_lists_are_all_pairs(count: int, cells_most: int) -> None:
    """Also when the torus is so small that far cells share storage with near ones."""
    random = np.random.default_rng(count)
    x = random.uniform(0, 0.08 * count ** (1 / 3), (count, 3)).astype(F).astype(float)
    r = random.uniform(0.02, 0.05, count).astype(F).astype(float)
    assert lists_of(x, r, 0.004, cells_most) == all_pairs(x, r, 0.004)


def test_a_crowd_in_one_place_is_not_cut_off() -> None:
    """More candidates around one grain than are gathered at a time."""
    random = np.random.default_rng(1)
    x = random.uniform(0, 0.12, (600, 3)).astype(F).astype(float)
    r = np.full(600, F(0.02), float)
    found = lists_of(x, r, 0.0, 10_000)
    assert found == all_pairs(x, r, 0.0)
    assert max(map(len, found)) > 40


@pytest.mark.parametrize("cells_most", [27, 10_000])
def test_mixed_sizes_one_to_twenty(cells_most: int) -> None:
    random = np.random.default_rng(3)
    r = np.where(np.arange(500) % 50 == 0, F(0.2), F(0.01)).astype(float)
    x = random.uniform(0, 0.6, (500, 3)).astype(F).astype(float)
    assert lists_of(x, r, 0.001, cells_most) == all_pairs(x, r, 0.001)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 400), far=st.sampled_from([0.0, -40.0, 2000.0]))
def test_gradings_near_and_far(seed: int, count: int, far: float) -> None:
    """Radii of 1 : 20 spread evenly over their logarithm; a tenth of the grains is somewhere else."""
    random = np.random.default_rng(seed)
    r = (0.01 * 20 ** random.uniform(0, 1, count)).astype(F).astype(float)
    x = random.uniform(-1, 1, (count, 3)) * 1.5 * (r**3).sum() ** (1 / 3)
    x[: count // 10] += far
    x = x.astype(F).astype(float)
    found = lists_of(x, r, 0.002, 10_000)
    # numbers far from the origin are rounded: pairs at the very edge may go either way
    assert all(a <= b for a, b in zip(all_pairs(x, r, 0.002 - 2e-4), found, strict=True))
    assert all(a >= b for a, b in zip(all_pairs(x, r, 0.002 + 2e-4), found, strict=True))


def test_far_grains_do_not_enlarge_the_grid() -> None:
    low, high = np.zeros(3, F), np.array([1e6, 1.0, 1.0], F)
    assert np.prod(grid.grid_size(low, high, 0.1, 5000)) <= 5000
    x = np.array([(0, 0, 0), (0.09, 0, 0), (9e5, 0, 0), (3e5, 0.5, 0.2)], float)
    r = np.full(4, 0.05)
    assert lists_of(x, r, 0.0, 200) == [{1}, {0}, set(), set()]
