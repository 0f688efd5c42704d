"""The vector expressions against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit, types
from numba.extending import intrinsic

from windrow import simd


def make(expression):
    """A compiled function that applies a Lanes expression of two vectors to arrays of eight floats."""

    @intrinsic
    def apply(context, a, b, out):
        def generate(context, builder, signature, arguments):
            lanes = [simd.Lanes(builder, simd.load(builder, at, simd.VECTOR)) for at in arguments[:2]]
            simd.store(builder, expression(*lanes).v, arguments[2])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), generate

    @njit
    def run(a, b, out):
        apply(a.ctypes.data, b.ctypes.data, out.ctypes.data)

    def call(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        out = np.zeros(8, np.float32)
        run(a.astype(np.float32), b.astype(np.float32), out)
        return out

    return call


@pytest.fixture(scope="module")
def power():
    return make(simd.power)


def test_power_is_accurate_over_its_range(power) -> None:
    random = np.random.default_rng(0)
    worst = 0.0
    for _ in range(400):
        a = np.float32(10 ** random.uniform(-6, 12, 8))
        e = np.float32(random.choice([-1.0, -0.1, -1 / 40, 0.5, 1.0], 8))
        error = np.abs(power(a, e) / (a.astype(float) ** e) - 1)
        worst = max(worst, (error / (4 + np.abs(e * np.log2(a)))).max())
    assert worst < 1.2e-7


def test_power_of_one_is_one(power) -> None:
    """No contact stiffness must give exactly no relaxation."""
    assert (power(np.ones(8), np.linspace(-1, 1, 8)) == 1.0).all()


def test_arithmetic_and_selection() -> None:
    call = make(lambda a, b: simd.select(a < b, a * b + 2.0, 1.0 / simd.square_root(a) - b))
    a, b = np.linspace(0.5, 4, 8), np.linspace(4, 0.5, 8)
    expected = np.where(a < b, a * b + 2, 1 / np.sqrt(a) - b)
    np.testing.assert_allclose(call(a, b), expected, rtol=1e-6, atol=1e-7)
    call = make(lambda a, b: simd.maximum(a, b) - simd.minimum(a, b))
    np.testing.assert_allclose(call(a, b), np.abs(a - b), rtol=1e-6)


def test_transpose_turns_rows_into_columns() -> None:
    @intrinsic
    def turn(context, table, out):
        def generate(context, builder, signature, arguments):
            table, out = arguments
            indices = [simd.ir.Constant(simd.INT64, k) for k in (3, 1, 4, 1, 5, 9, 2, 6)]
            for k, column in enumerate(simd.load_rows(builder, table, indices)):
                simd.store(builder, column.v, simd.offset(builder, out, 32 * k))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    @njit
    def run(table, out):
        turn(table.ctypes.data, out.ctypes.data)

    table = np.arange(80, dtype=np.float32).reshape(10, 8)
    out = np.zeros((8, 8), np.float32)
    run(table, out)
    np.testing.assert_array_equal(out, table[[3, 1, 4, 1, 5, 9, 2, 6]].T)
