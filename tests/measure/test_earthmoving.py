"""The earthmoving equation against tabulated factors, Rankine's pressure and its own minimum."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.errors import SceneError
from windrow.measure.earthmoving import earthmoving_factors


@pytest.mark.parametrize(
    ("rake", "delta", "phi", "slip", "weight", "cohesion", "adhesion"),
    [(90, 0, 30, 30.00, 1.5000, 3.4641, 1.7321), (45, 23, 35, 31.07, 1.6918, 2.2093, 0.7074)],
)
def test_factors_are_the_tabulated_ones(rake, delta, phi, slip, weight, cohesion, adhesion) -> None:
    found = earthmoving_factors(phi, rake, delta)
    assert found.slip_deg == pytest.approx(slip, abs=0.01)
    assert found.weight == pytest.approx(weight, abs=1e-4)
    assert found.cohesion == pytest.approx(cohesion, abs=1e-3)
    assert found.surcharge == pytest.approx(2 * weight, abs=2e-4)
    assert found.adhesion == pytest.approx(adhesion, abs=1e-3)


@given(phi=st.floats(1.0, 60.0))
def test_a_smooth_upright_blade_feels_rankines_passive_pressure(phi) -> None:
    found = earthmoving_factors(phi)
    passive = math.tan(math.radians(45 + phi / 2)) ** 2
    assert found.slip_deg == pytest.approx(45 - phi / 2, abs=0.01)
    assert found.weight == pytest.approx(0.5 * passive, rel=1e-6)
    assert found.cohesion == pytest.approx(2 * math.sqrt(passive), rel=1e-4)


@given(phi=st.floats(5.0, 45.0), rake=st.floats(20.0, 95.0), delta=st.floats(0.0, 30.0))
def test_no_other_slip_plane_takes_less_force(phi, rake, delta) -> None:
    found = earthmoving_factors(phi, rake, delta)
    p, r, push = math.radians(phi), math.radians(rake), math.radians(rake + delta)
    for slip in range(1, math.floor(180 - rake - delta - phi)):
        b = math.radians(slip)
        lever = math.cos(push) + math.sin(push) / math.tan(b + p)
        if lever > 0:
            weight = (1 / math.tan(r) + 1 / math.tan(b)) / (2 * lever)
            assert found.weight <= weight * (1 + 1e-9)


def test_the_force_adds_up_its_parts() -> None:
    found = earthmoving_factors(30.0)
    force = found.force_per_width(0.2, 16e3, cohesion=5e3, surcharge=1e3, adhesion=2e3)
    assert force == pytest.approx(16e3 * 0.04 * 1.5 + 0.2 * (5e3 * 3.4641 + 1e3 * 3.0 + 2e3 * 1.7321), rel=1e-4)


@pytest.mark.parametrize("angles", [(-1, 90, 0), (90, 90, 0), (30, 0, 0), (30, 180, 0), (30, 90, -1)])
def test_angles_that_are_none_are_refused(angles) -> None:
    with pytest.raises(SceneError, match="not of a blade"):
        earthmoving_factors(*angles)


def test_a_blade_that_lifts_no_wedge_is_refused() -> None:
    with pytest.raises(SceneError, match=r"185°.*less than 180°"):
        earthmoving_factors(35.0, 120.0, 30.0)
