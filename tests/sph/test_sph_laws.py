"""Each law against its closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.kernel import kernel
from windrow.solvers.sph.laws import (
    COMPONENTS,
    CONE,
    NAKAI,
    excess,
    nakai_ratio,
    second_invariant,
    sheared,
    stopped,
    third_invariant,
    traction,
    turned,
    yielded,
)

F = np.float32


def six(matrix: np.ndarray) -> tuple:
    m = matrix
    return tuple(F(v) for v in (m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]))


def full(s: tuple) -> np.ndarray:
    return np.array([[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]], np.float64)


def deviator(seed: int, scale: float = 1.0) -> np.ndarray:
    a = np.random.default_rng(seed).normal(size=(3, 3)) * scale
    a = (a + a.T) / 2
    return a - np.trace(a) / 3 * np.eye(3)


@kernel
def shrink(s, p, surface, slope, cohesion):
    return yielded(s, p, surface, slope, cohesion)


@kernel
def rotate_once(s, l, dt):
    return turned(s, l, dt)


def test_invariants() -> None:
    s = deviator(1)
    assert float(second_invariant(six(s))) == pytest.approx(0.5 * (s * s).sum(), rel=1e-5)
    assert float(third_invariant(six(s))) == pytest.approx(np.linalg.det(s), rel=1e-4)


@pytest.mark.parametrize("surface", [CONE, NAKAI])
@pytest.mark.parametrize("slope", [0.3, 0.577, 0.84])
def test_simple_shear_yields_at_the_slope(surface: int, slope: float) -> None:
    """τ = c + slope · p, whatever the surface."""
    p, cohesion = 1000.0, 200.0
    s = np.zeros((3, 3))
    s[0, 2] = s[2, 0] = 5000.0
    r = shrink(six(s), F(p), surface, F(slope), F(cohesion))
    assert r[4] == pytest.approx(cohesion + slope * p, rel=1e-4)
    s[0, 2] = s[2, 0] = 0.9 * slope * p
    assert shrink(six(s), F(p), surface, F(slope), F(0.0)) == six(s)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("slope", [0.3, 0.577, 0.84])
def test_nakai_holds_on_its_surface_in_all_directions(seed: int, slope: float) -> None:
    """I₁ I₂/I₃ = (9 − 3 t²)/(1 − t²), and no principal stress is tensile."""
    p = 1000.0
    r = full(shrink(six(deviator(seed, 1e5)), F(p), NAKAI, F(slope), F(0.0)))
    sigma = np.linalg.eigvalsh(r + p * np.eye(3))
    assert sigma.min() > 0
    i1, i2, i3 = sigma.sum(), sigma[0] * sigma[1] + sigma[1] * sigma[2] + sigma[2] * sigma[0], sigma.prod()
    assert i1 * i2 / i3 == pytest.approx((9 - 3 * slope**2) / (1 - slope**2), rel=0.03)


def test_nakai_is_stronger_in_compression_than_in_extension() -> None:
    """Triaxial states s = ±(2a, −a, −a): Mohr and Coulomb's with one friction angle for both."""
    t = 0.5547
    compression, extension = float(nakai_ratio(F(t), F(0.3849))), float(nakai_ratio(F(t), F(-0.3849)))
    for x, sign in ((compression, 1.0), (extension, -1.0)):
        a = x / math.sqrt(3.0)
        principal = sorted([1 + sign * 2 * a, 1 - sign * a])
        angle = math.degrees(math.asin((principal[1] - principal[0]) / (principal[1] + principal[0])))
        assert angle == pytest.approx(30.0, abs=0.3)


def test_components_are_cut_one_by_one() -> None:
    p, slope = 1000.0, 0.5
    most = math.sqrt(2 / 3) * p * slope
    r = full(shrink(six(deviator(3, 1e5)), F(p), COMPONENTS, F(slope), F(0.0)))
    assert np.abs(r).max() == pytest.approx(most, rel=1e-5)


def test_no_pressure_and_no_cohesion_bear_nothing() -> None:
    for surface in (CONE, NAKAI, COMPONENTS):
        assert max(abs(v) for v in shrink(six(deviator(2)), F(0.0), surface, F(0.6), F(0.0))) == 0.0


def test_jaumann_turns_stress_like_a_rigid_body() -> None:
    """A quarter turn in 2,000 small ones."""
    s, steps, rate = deviator(5), 2000, math.pi / 2
    l = tuple(F(v) for v in (0, -rate, 0, rate, 0, 0, 0, 0, 0))  # v = ω × x about z
    r = six(s)
    for _ in range(steps):
        r = rotate_once(r, l, F(1.0 / steps))
    q = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert full(r) == pytest.approx(q @ s @ q.T, abs=5e-3)


def test_stress_answers_to_shear_and_not_to_spin_or_swelling() -> None:
    zero = tuple(F(0) for _ in range(6))
    shear = tuple(F(v) for v in (0, 0, 2, 0, 0, 0, 0, 0, 0))
    assert sheared(zero, shear, F(3.0))[4] == pytest.approx(-3.0)
    spin = tuple(F(v) for v in (0, -1, 0, 1, 0, 0, 0, 0, 0))
    swelling = tuple(F(v) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    for l in (spin, swelling):
        assert max(abs(float(v)) for v in sheared(zero, l, F(3.0))) < 1e-6


def test_what_is_too_much_parts_slowly_and_what_is_apart_bears_nothing() -> None:
    assert float(excess(F(1.1), F(0.0), F(0.01), F(0.1), F(0.0))) == pytest.approx(0.01, rel=1e-4)
    assert float(excess(F(0.9), F(0.0), F(0.01), F(0.1), F(0.0))) == pytest.approx(-0.1, rel=1e-4)
    assert float(excess(F(1.1), F(0.0), F(0.01), F(0.1), F(0.2))) == 0.0
    assert float(excess(F(1.0), F(-2.0), F(0.01), F(0.1), F(0.0))) == pytest.approx(0.02, rel=1e-4)


def test_a_wall_bears_the_stress_beside_it_up_to_its_friction() -> None:
    s = np.zeros((3, 3))
    s[0, 2] = s[2, 0] = 300.0
    f = traction(F(1000.0), six(s), F(0), F(0), F(1), F(1.0), F(0.6))
    assert f == pytest.approx((300.0, 0.0, 1000.0))
    f = traction(F(1000.0), six(s), F(0), F(0), F(1), F(1.0), F(0.1))
    assert f == pytest.approx((100.0, 0.0, 1000.0))


def test_a_lone_particle_stops_at_a_wall_and_is_rubbed() -> None:
    """Closing at 2 m/s over a gap of 5 mm in 10 ms: 0.5 m/s are left; friction takes μ times what was stopped."""
    u = stopped(F(1.0), F(0.0), F(-2.0), F(0), F(0), F(1), F(0.005), F(0.4), F(0.01))
    assert u == pytest.approx((1.0 - 0.4 * 1.5, 0.0, -0.5), rel=1e-5)
    u = stopped(F(0.1), F(0.0), F(-2.0), F(0), F(0), F(1), F(0.0), F(0.4), F(0.01))
    assert u == pytest.approx((0.0, 0.0, 0.0), abs=1e-7)
    assert stopped(F(1.0), F(0.0), F(0.5), F(0), F(0), F(1), F(-0.01), F(0.4), F(0.01)) == (1.0, 0.0, 0.5)
