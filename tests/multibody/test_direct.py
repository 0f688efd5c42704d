"""The sparse factorisation and the bounded solution, against dense algebra and a brute search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_kernels import as_kernel
from windrow.solvers.multibody.direct import System, solve_bounded, sweep_bounded
from windrow.solvers.multibody.factor import (
    LANES,
    Pattern,
    block_pattern,
    elimination_order,
    factorise,
    place,
    product,
    solve,
)
from windrow.solvers.multibody.rows import UNBOUNDED, Rows


def stored(pattern: Pattern, matrix: np.ndarray) -> np.ndarray:
    values = np.zeros(LANES * pattern.lines)
    for i, j in zip(*np.nonzero(np.tril(matrix)), strict=True):
        values[place(pattern, int(i), int(j))] = matrix[i, j]
    return values.reshape(-1, LANES)


def random_matrix(seed: int, blocks: int) -> tuple[Pattern, np.ndarray]:
    """Positive definite, with the pattern of blocks in a random graph."""
    rng = np.random.default_rng(seed)
    near: list[set[int]] = [set() for _ in range(blocks)]
    for i, j in itertools.combinations(range(blocks), 2):
        if rng.random() < 0.3:
            near[i].add(j)
            near[j].add(i)
    sizes = [int(rng.integers(1, 8)) for _ in range(blocks)]
    order = elimination_order(near, sizes)
    rank = {node: k for k, node in enumerate(order)}
    sizes = [sizes[node] for node in order]
    near = [{rank[other] for other in near[node]} for node in order]
    pattern = block_pattern(sizes, near)
    block = np.repeat(np.arange(blocks), sizes)
    matrix = rng.normal(size=(pattern.size, pattern.size))
    allowed = np.array([[a == b or b in near[a] for b in block] for a in block])
    matrix = np.where(allowed, matrix + matrix.T, 0.0)
    matrix += (1.0 - np.linalg.eigvalsh(matrix).min()) * np.eye(len(matrix))
    return pattern, matrix


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_factors_solve(seed: int, blocks: int) -> None:
    pattern, matrix = random_matrix(seed, blocks)
    values = stored(pattern, matrix)
    right = np.random.default_rng(seed).normal(size=pattern.size)
    out = np.zeros(pattern.size)
    product(pattern, values, right, out)
    np.testing.assert_allclose(out, matrix @ right, rtol=1e-9, atol=1e-9)
    assert as_kernel(factorise)(pattern, values) > 0
    solve(pattern, values, right_copy := right.copy())
    np.testing.assert_allclose(matrix @ right_copy, right, rtol=1e-8, atol=1e-8)


def bounded(
    pattern: Pattern, matrix: np.ndarray, right: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[System, Rows]:
    n = pattern.size
    values = stored(pattern, matrix)
    zeros = np.zeros
    system = System(
        pattern, zeros(1, np.int64), zeros(0, np.int64), zeros(0, np.int64), zeros(0, np.int64),
        zeros(0, np.int64), zeros((6, 4)), values, np.zeros_like(values), zeros(n, np.int64),
        right.copy(), zeros(n), zeros(n, np.int64), zeros(n, np.int64),
    )  # fmt: skip
    rows = Rows(
        zeros((n, 4), np.int32), zeros(n, np.int64), zeros((n, 24)), zeros((n, 24)), zeros(n), zeros(n),
        low, high, zeros(n, np.int64), zeros(n), zeros(n), zeros(n), zeros(n), zeros(n),
    )  # fmt: skip
    return system, rows


def contradiction(matrix: np.ndarray, right: np.ndarray, rows: Rows) -> float:
    """How far λ is from solving the complementarity problem."""
    w, l = matrix @ rows.impulse - right, rows.impulse
    outside = np.maximum(rows.low - l, l - rows.high).max()
    inside = np.minimum(np.maximum(w, 0), l - rows.low), np.minimum(np.maximum(-w, 0), rows.high - l)
    return max(float(outside), float(np.max(inside)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_bounds_hold_and_complement(seed: int, blocks: int) -> None:
    pattern, matrix = random_matrix(seed, blocks)
    rng = np.random.default_rng(seed + 1)
    right = 3 * rng.normal(size=pattern.size)
    kind = rng.integers(0, 3, pattern.size)
    low = np.where(kind == 0, -UNBOUNDED, np.where(kind == 1, 0.0, -0.3))
    high = np.where(kind == 2, 0.3, UNBOUNDED)
    system, rows = bounded(pattern, matrix, right, low, high)
    rows.active[:] = np.where(kind == 0, 0, rng.integers(-1, 1, pattern.size))
    assert 0 < solve_bounded(system, rows, True) <= 30
    assert contradiction(matrix, right, rows) < 1e-8


def test_the_fallback_keeps_the_bounds_and_comes_close() -> None:
    pattern, matrix = random_matrix(4, 6)
    rng = np.random.default_rng(0)
    right = 3 * rng.normal(size=pattern.size)
    low, high = np.zeros(pattern.size), np.full(pattern.size, UNBOUNDED)
    system, rows = bounded(pattern, matrix, right, low, high)
    rows.impulse[:] = rng.normal(size=pattern.size)
    as_kernel(sweep_bounded)(system, rows)
    assert contradiction(matrix, right, rows) < 1e-6


def test_a_row_that_is_always_at_its_bound_gives_its_force() -> None:
    pattern = block_pattern([2], [set()])
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    system, rows = bounded(
        pattern, matrix, np.array([1.0, 0.0]), np.array([-UNBOUNDED, 5.0]), np.array([UNBOUNDED, 5.0])
    )
    system.fixed_bound[1] = 1
    solve_bounded(system, rows, True)
    assert rows.impulse[1] == 5.0
    assert rows.impulse[0] == pytest.approx((1.0 - 5.0) / 2.0)


@pytest.mark.parametrize("guess", [-1, 0, 1])
@pytest.mark.parametrize("pull", [-3.0, 3.0])
def test_a_brake_that_is_not_applied_needs_no_pivot(guess: int, pull: float) -> None:
    """Its bounds coincide at zero, so that whatever pulls at it, there is nothing to decide."""
    pattern = block_pattern([2], [set()])
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    system, rows = bounded(
        pattern, matrix, np.array([1.0, pull]), np.array([-UNBOUNDED, 0.0]), np.array([UNBOUNDED, 0.0])
    )
    rows.active[1] = guess
    assert solve_bounded(system, rows, True) == 1
    assert rows.impulse.tolist() == [0.5, 0.0]
