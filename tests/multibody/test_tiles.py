"""Four numbers at once give what one after the other gives."""

from __future__ import annotations

import numpy as np

from windrow.kernel import bare_kernel
from windrow.solvers.multibody.tiles import LANES, add_products, scale_line, take_line, take_tile


@bare_kernel
def lines_changed(values, others):
    take_line(values.ctypes.data, 2, 0.7, others.ctypes.data, 1)
    scale_line(values.ctypes.data, 0, -3.0)


@bare_kernel
def tile_taken(values, diagonal, first, lines, count, p, q, target):
    take_tile(values.ctypes.data, diagonal.ctypes.data, first, lines, count, p, q, target.ctypes.data)


@bare_kernel
def products_added(values, target, left, right):
    add_products(values.ctypes.data, target.ctypes.data, left.ctypes.data, right.ctypes.data, right.shape[1])


def test_lines() -> None:
    rng = np.random.default_rng(0)
    values, others = rng.normal(size=(3, LANES)), rng.normal(size=(2, LANES))
    expected = values.copy()
    expected[2] -= 0.7 * others[1]
    expected[0] *= -3.0
    lines_changed(values, others)
    np.testing.assert_allclose(values, expected, rtol=1e-15)


def test_a_tile_is_the_product_of_two_lines_summed_over_columns() -> None:
    rng = np.random.default_rng(1)
    count, lines, first, p, q = 5, 3, 2, 1, 2
    values, diagonal = rng.normal(size=(30, LANES)), rng.uniform(1, 2, count)
    target = 4 * first + 4 * count * lines + rng.permutation(40)[: LANES * LANES]
    expected = values.copy()
    columns = [values[first + k * lines : first + (k + 1) * lines].copy() for k in range(count)]
    total = sum(d * np.outer(column[p], column[q]) for d, column in zip(diagonal, columns, strict=True))
    expected.reshape(-1)[target] -= total.ravel()
    tile_taken(values, diagonal, first, lines, count, p, q, target)
    np.testing.assert_allclose(values, expected, rtol=1e-13)


def test_products_are_added_where_they_belong() -> None:
    rng = np.random.default_rng(2)
    values, left, right = rng.normal(size=(5, LANES)), rng.normal(size=6), rng.normal(size=(6, 9))
    target = np.array([3, 17, 8, 0])
    expected = values.copy()
    expected.reshape(-1)[target] += left @ right[:, :LANES]
    products_added(values, target, left, right)
    np.testing.assert_allclose(values, expected, rtol=1e-13)
