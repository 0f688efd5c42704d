"""The earthmoving equation on slopes: against the balance of the wedge, Rankine, the flat equation and a table."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.measure.earthmoving import earthmoving_factors
from windrow.terrain.earthmoving import STEEPEST, factors, force_per_width

TABLE = {
    "dry sand": (32, 0, 1600, {45: (0.24, 0.96, 2.2, 6.0), 60: (0.27, 1.1, 2.4, 6.7), 90: (0.58, 2.3, 5.2, 14.4)}),
    "gravel": (38, 0, 1520, {45: (0.28, 1.1, 2.5, 6.9), 60: (0.33, 1.3, 3.0, 8.3), 90: (0.97, 3.9, 8.7, 24)}),
    "sandy loam": (29, 1720, 1442, {45: (0.60, 1.6, 3.0, 6.9), 60: (0.76, 1.9, 3.5, 8.0), 90: (1.8, 4.4, 7.8, 17)}),
    "dirt": (40, 2100, 1474, {45: (0.90, 2.4, 4.4, 10.2), 60: (1.3, 3.2, 5.9, 13.3), 90: (4.8, 11.8, 21, 46)}),
    "wet sand": (33, 5000, 1474, {45: (1.5, 3.5, 5.9, 12), 60: (2.1, 4.7, 7.8, 15.5), 90: (6.0, 13.2, 21.6, 42)}),
    "clay": (20, 69000, 1800, {45: (13.6, 27.5, 42, 72), 60: (17.5, 35, 53, 91), 90: (36, 72, 109, 183)}),
}
"""kN per m at 0.1, 0.2, 0.3 and 0.5 m by rake, computed elsewhere with δ = min(2φ/3, 24°) and c_a = 2c/3, to two
figures."""


def balanced(beta: float, rake: float, slope: float, phi: float, delta: float, loads: dict[str, float]) -> float:
    """T of a wedge of depth 1 by the balance of all its forces, angles in rad: two equations for T and R.

    loads: weight γ, cohesion c, adhesion c_a, surcharge Q.
    """
    rho = rake + slope
    area = 0.5 * (1 / np.tan(rho) + 1 / np.tan(beta))
    down = -np.array([np.sin(slope), np.cos(slope)])
    known = (loads.get("weight", 0.0) * area + loads.get("surcharge", 0.0)) * down
    known -= loads.get("cohesion", 0.0) / np.sin(beta) * np.array([np.cos(beta), np.sin(beta)])
    known += loads.get("adhesion", 0.0) / np.sin(rho) * np.array([np.cos(rho), -np.sin(rho)])
    pushes = np.array([
        [np.sin(rho + delta), -np.sin(beta + phi)],
        [np.cos(rho + delta), np.cos(beta + phi)],
    ])  # fmt: skip
    return float(np.linalg.solve(pushes, -known)[0])


@pytest.mark.parametrize("slope", [-15.0, 0.0, 12.0, 25.0])
@pytest.mark.parametrize(("rake", "phi", "delta"), [(45, 32, 20), (60, 38, 24), (75, 20, 5), (85, 29, 12)])
def test_the_slip_plane_takes_the_least_weight(slope: float, rake: float, phi: float, delta: float) -> None:
    angles = np.deg2rad([rake, slope, phi, delta])
    # planes on which the wedge can be pushed up at all
    betas = np.linspace(np.deg2rad(5.5), np.pi - angles.sum() - 1e-3, 4000)
    least = min(balanced(beta, *angles, {"weight": 1.0}) for beta in betas)
    found = factors(rake, slope, phi, delta)
    assert found.weight == pytest.approx(least, rel=1e-5)
    beta = float(np.arctan(1.0 / found.cot_slip))
    for term, load in (("cohesion", "cohesion"), ("surcharge", "surcharge"), ("adhesion", "adhesion")):
        assert getattr(found, term) == pytest.approx(balanced(beta, *angles, {load: 1.0}), rel=1e-9)


@pytest.mark.parametrize("phi", [10.0, 20.0, 32.0, 45.0])
def test_a_smooth_upright_blade_has_rankines_pressure(phi: float) -> None:
    found, half = factors(90.0, 0.0, phi, 0.0), np.deg2rad(45.0 + 0.5 * phi)
    assert np.rad2deg(np.arctan(1.0 / found.cot_slip)) == pytest.approx(45.0 - 0.5 * phi)
    assert found.weight == pytest.approx(0.5 * np.tan(half) ** 2)
    assert found.cohesion == pytest.approx(2.0 * np.tan(half))


@pytest.mark.parametrize(("rake", "phi", "delta"), [(90, 32, 21.3), (60, 38, 24), (45, 20, 13.3), (110, 25, 8)])
def test_on_level_ground_it_is_the_equation_of_measure(rake: float, phi: float, delta: float) -> None:
    found, known = factors(rake, 0.0, phi, delta), earthmoving_factors(phi, rake, delta)
    for name in ("weight", "cohesion", "adhesion"):
        assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-6)
    # there q is a pressure on the wedge's upper side, here Q is all that lies on it
    upper = 1.0 / np.tan(np.deg2rad(rake)) + found.cot_slip
    assert found.surcharge * upper == pytest.approx(known.surcharge, rel=1e-6)


@pytest.mark.parametrize("soil", TABLE)
def test_the_table(soil: str) -> None:
    phi, cohesion, density, forces = TABLE[soil]
    for rake, row in forces.items():
        found = factors(rake, 0.0, phi, min(2.0 * phi / 3.0, 24.0))
        for depth, force in zip((0.1, 0.2, 0.3, 0.5), row, strict=True):
            computed = force_per_width(found, depth, 9.81 * density, cohesion, adhesion=2.0 * cohesion / 3.0)
            assert computed / 1e3 == pytest.approx(force, rel=0.035), (rake, depth)


@pytest.mark.parametrize(("phi", "delta"), [(32.0, 21.0), (40.0, 24.0), (20.0, 20.0)])
@pytest.mark.parametrize("slope", [-20.0, 0.0, 35.0])
def test_beyond_its_singularity_it_is_continuous_and_bounded(phi: float, delta: float, slope: float) -> None:
    """Through δ + ρ + φ = 180° and far beyond, where the equation itself is infinite or negative."""
    before = None
    for rake in np.arange(20.0, 179.0, 0.05):
        now = np.array(factors(float(rake), slope, phi, delta)[:5])
        assert np.isfinite(now).all()
        assert 0.0 < now[0] < 200.0
        if before is not None:
            assert (np.abs(now - before) <= 0.03 * np.abs(before) + 0.03).all(), rake
        before = now


def test_it_is_the_plain_equation_up_to_the_limit() -> None:
    limit = float(np.rad2deg(STEEPEST))
    below = factors(limit - 32.0 - 20.0 - 0.5, 0.0, 32.0, 20.0)
    assert below.friction == pytest.approx(np.deg2rad(20.0))
    beyond = factors(limit - 32.0 - 20.0 + 5.0, 0.0, 32.0, 20.0)
    assert beyond.friction == pytest.approx(np.deg2rad(15.0))
    far = factors(170.0, 0.0, 32.0, 20.0)
    assert far.friction == pytest.approx(np.deg2rad(-20.0))
    assert far.rake == pytest.approx(np.deg2rad(limit - 32.0 + 20.0))
