"""The fixed arithmetic against NumPy and Python, which are right to an ulp or so whatever the processor."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from windrow import fixed_kernels, fixed_math

ANGLES = st.floats(-1.6e6, 1.6e6)
NUMBERS = st.floats(-1e6, 1e6)


def ulps(got, expected) -> float:
    return float(np.max(np.abs(got - expected) / np.spacing(np.abs(expected))))


def spread(low: float, high: float) -> np.ndarray:
    return np.random.default_rng(7).uniform(low, high, 100_000)


@pytest.mark.parametrize("reach", [1e-3, 0.8, 10.0, 1e3, 1e5, 1.6e6])
def test_sines_are_right_to_an_ulp(reach: float) -> None:
    x = spread(-reach, reach)
    # NumPy's own may be off by one, too.
    assert ulps(fixed_math.sine(x), np.sin(x)) <= 2
    assert ulps(fixed_math.cosine(x), np.cos(x)) <= 2
    assert ulps(fixed_math.tangent(x), np.tan(x)) <= 4


def test_sines_are_right_where_they_nearly_vanish() -> None:
    x = np.arange(1, 1_000_000, 7) * (np.pi / 2)
    assert ulps(fixed_math.sine(x), np.sin(x)) <= 2
    assert ulps(fixed_math.cosine(x), np.cos(x)) <= 2


@pytest.mark.parametrize("reach", [1e7, 1e10, 1e15])
def test_sines_of_large_angles_lose_no_more_than_said(reach: float) -> None:
    x = spread(-reach, reach)
    assert np.abs((fixed_math.sine(x) - np.sin(x)) / x).max() < 3e-16
    assert np.abs((fixed_math.cosine(x) - np.cos(x)) / x).max() < 3e-16


@given(ANGLES)
def test_sine_and_cosine_lie_on_the_circle(x: float) -> None:
    s, c = fixed_math.sine_cosine(x)
    assert abs(s * s + c * c - 1) < 5e-16
    assert (fixed_math.sine(-x), fixed_math.cosine(-x)) == (-s, c)
    assert math.isclose(s, math.sin(x), rel_tol=5e-16)
    assert math.isclose(c, math.cos(x), rel_tol=5e-16)


@given(NUMBERS, NUMBERS)
def test_arctangent_of_any_point(y: float, x: float) -> None:
    got, expected = fixed_math.arctangent2(y, x), math.atan2(y, x)
    assert abs(got - expected) <= 3 * np.spacing(abs(expected))
    assert math.copysign(1, got) == math.copysign(1, expected)


@pytest.mark.parametrize("y", [0.0, -0.0, 1.0, -1.0])
@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -1.0])
def test_arctangent_on_axes_and_diagonals_is_exact(y: float, x: float) -> None:
    got = fixed_math.arctangent2(y, x)
    assert (got, math.copysign(1, got)) == (math.atan2(y, x), math.copysign(1, math.atan2(y, x)))


@pytest.mark.parametrize("exponent", [1 / 3, 1 / 2.4, 0.5, 1.0, 2.4])
def test_powers(exponent: float) -> None:
    x = np.exp(spread(-12, 12))
    expected = np.power(x, exponent)
    allowed = 2 + 2 * np.abs(np.log(expected))
    assert (np.abs(fixed_math.power(x, exponent) - expected) <= allowed * np.spacing(expected)).all()
    assert fixed_math.power(0.0, exponent) == 0.0
    assert fixed_math.power(1.0, exponent) == 1.0


def test_cube_roots_and_cubes() -> None:
    x = np.concatenate([spread(0, 1), np.exp(spread(-600, 600))])
    assert ulps(fixed_math.cube_root(x), np.cbrt(x)) <= 2
    assert fixed_math.cube_root(0.0) == 0.0
    x = spread(0, 10)
    assert ulps(fixed_math.cube(x), x**3) <= 2


@pytest.mark.parametrize("power", range(-12, 13))
def test_decades(power: int) -> None:
    ten = float(f"1e{power}")
    # Half of them lie below the power of ten that their decimals spell; what counts is the number itself.
    at = ten if fixed_math.Decimal(ten).adjusted() == power else float(f"1e{power - 1}")
    assert fixed_math.decade(ten) == at
    assert fixed_math.decade(1.5 * ten) == ten
    assert fixed_math.decade(9.5 * ten) == ten


@pytest.mark.parametrize(
    "function",
    [
        fixed_math.sine,
        fixed_math.cosine,
        fixed_math.tangent,
        fixed_math.cube,
        lambda x: fixed_math.power(abs(x), 2.4),
        lambda x: fixed_math.cube_root(abs(x)),
        lambda x: fixed_math.arctangent2(x, 1 - x),
    ],
)
def test_arrays_have_the_bits_of_their_elements(function) -> None:
    x = spread(-100, 100)[:600].reshape(3, 200)
    whole = function(x)
    assert whole.shape == x.shape
    assert (whole.ravel() == [function(float(value)) for value in x.ravel()]).all()
    assert (function(x[:, ::3]) == whole[:, ::3]).all()


def test_vectors_and_matrices_are_those_of_numpy() -> None:
    random = np.random.default_rng(3)
    a, b = random.normal(size=(2, 40, 3))
    R, S = random.normal(size=(2, 40, 3, 3))
    near = {"rtol": 1e-14, "atol": 1e-14}
    np.testing.assert_allclose(fixed_math.dot(a, b), np.einsum("ij,ij->i", a, b), **near)
    np.testing.assert_allclose(fixed_math.norm(a), np.linalg.norm(a, axis=1), **near)
    np.testing.assert_allclose(fixed_math.norm(fixed_math.unit(a)), 1.0, **near)
    np.testing.assert_allclose(fixed_math.rotate(R[0], a), a @ R[0].T, **near)
    np.testing.assert_allclose(fixed_math.rotate(R, a), np.einsum("nij,nj->ni", R, a), **near)
    np.testing.assert_allclose(fixed_math.product(R, S), R @ S, **near)
    np.testing.assert_allclose(fixed_math.product(a[:4].T, b[:4]), a[:4].T @ b[:4], **near)
    np.testing.assert_allclose(fixed_math.inverse(R[0]), np.linalg.inv(R[0]), rtol=1e-12)
    assert fixed_math.norm((3.0, 4.0)) == 5.0
    assert (fixed_math.rotate(R[0], a)[7] == fixed_math.rotate(R[0], a[7])).all()


def test_the_inverse_of_a_symmetric_matrix_is_symmetric() -> None:
    m = np.random.default_rng(4).normal(size=(3, 3))
    inverse = fixed_math.inverse(m + m.T)
    assert (inverse == inverse.T).all()


def test_random_directions_prefer_none() -> None:
    found = fixed_math.random_directions(np.random.default_rng(5), 40_000)
    np.testing.assert_allclose(fixed_math.norm(found), 1.0, rtol=1e-15)
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=0.01)
    np.testing.assert_allclose(found.T @ found / len(found), np.eye(3) / 3, atol=0.01)


# --- the same in compiled code -----------------------------------------------------------------------


def test_compiled_angles() -> None:
    @njit
    def angles(x, y, sine, cosine, angle):
        for k in range(len(x)):
            sine[k], cosine[k] = fixed_kernels.sine_cosine(x[k])
            angle[k] = fixed_kernels.arctangent2(y[k], x[k])

    x, y = spread(-50, 50), spread(-80, 80)[::-1].copy()
    sine, cosine, angle = np.empty((3, len(x)))
    angles(x, y, sine, cosine, angle)
    assert ulps(sine, np.sin(x)) <= 2
    assert ulps(cosine, np.cos(x)) <= 2
    assert ulps(angle, np.arctan2(y, x)) <= 4
    for s, c in ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0), (-0.0, -1.0)):
        angles(np.array([c]), np.array([s]), sine, cosine, angle)
        assert angle[0] == math.atan2(s, c)


def test_compiled_power() -> None:
    @njit
    def powers(a, exponent, out):
        for k in range(len(a)):
            out[k] = fixed_kernels.power(a[k], exponent)

    a = np.exp(spread(-12, 25)).astype(np.float32)
    out = np.empty_like(a)
    for exponent in np.float32([-1.0, -0.1, -1 / 40, 0.5, 1.0]):
        powers(a, exponent, out)
        expected = a.astype(np.float64) ** np.float64(exponent)
        assert (np.abs(out / expected - 1) < 1.2e-7 * (4 + np.abs(np.log2(expected)))).all()
        powers(np.ones(1, np.float32), exponent, out)
        assert out[0] == 1.0


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_compiled_systems(n: int) -> None:
    random = np.random.default_rng(n)
    a, b = random.normal(size=(n, n)), random.normal(size=(n, 5))
    kept = a.copy()
    x = fixed_kernels.solve(a, b)
    np.testing.assert_allclose(fixed_kernels.product(a, x), b, rtol=1e-9, atol=1e-9)
    assert (a == kept).all()
