"""The kernel function and the half-space against integrals and lattice sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.solvers.smoothed.spline import bell, bell_slope, spline_for, wall_share, wall_weight

D = 0.05
H = 2 * D
W0 = 8 / (math.pi * H**3)


def lattice(reach: int = 3) -> np.ndarray:
    steps = np.arange(-reach, reach + 1) * D
    return np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)


def weights(place: np.ndarray) -> np.ndarray:
    return np.array([float(bell(np.float32(r / H))) for r in np.linalg.norm(place, axis=1)])


def gradients(place: np.ndarray) -> np.ndarray:
    slopes = np.array([float(bell_slope(np.float32(r / H))) for r in np.linalg.norm(place, axis=1)])
    return slopes[:, None] * place / H**2


def test_the_bell_has_integral_one_and_no_jumps() -> None:
    r = (np.arange(20000) + 0.5) / 20000
    values = np.array([float(bell(np.float32(q))) for q in r])
    assert 4 * math.pi * np.sum(values * r**2) / 20000 * 8 / math.pi == pytest.approx(1.0, abs=1e-4)
    assert float(bell(np.float32(0.5))) == pytest.approx(0.25)
    assert float(bell(np.float32(0.5000001))) == pytest.approx(0.25, abs=1e-5)
    assert float(bell(np.float32(1.0))) == 0.0


@pytest.mark.parametrize("q", [0.05, 0.3, 0.49, 0.51, 0.8, 0.95])
def test_its_slope_is_its_derivative(q: float) -> None:
    e = 1e-3
    difference = (float(bell(np.float32(q + e))) - float(bell(np.float32(q - e)))) / (2 * e)
    assert float(bell_slope(np.float32(q))) * q == pytest.approx(difference, abs=2e-2)


@pytest.mark.parametrize("q", [-0.7, -0.25, 0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9])
def test_a_half_space_weighs_as_much_as_its_integral(q: float) -> None:
    """Slices of the ball beyond the plane, 2 π ∫ ∫ W(r) r dr dz."""
    z = np.linspace(max(q, -1.0), 1.0, 4001)
    # the area of a slice in closed steps: one integral over r, cumulated from outside
    r = np.linspace(0.0, 1.0, 20001)
    inner = np.where(r <= 0.5, 6 * r**3 - 6 * r**2 + 1, 2 * (1 - r) ** 3) * r
    area = np.concatenate([[0.0], np.cumsum((inner[1:] + inner[:-1]) / 2 * np.diff(r))])
    sliced = 2 * math.pi * (area[-1] - np.interp(np.abs(z), r, area)) * 8 / math.pi
    assert float(wall_share(np.float32(q))) == pytest.approx(np.trapezoid(sliced, z), abs=2e-4)
    assert float(wall_weight(np.float32(q))) == pytest.approx(float(sliced[0]), abs=2e-3)


def test_a_lattice_at_rest_has_fill_one_with_and_without_a_wall() -> None:
    spline = spline_for(D)
    place = lattice()
    factor = float(spline.volume * spline.height)
    assert factor * weights(place).sum() == pytest.approx(1.0, abs=1e-6)
    assert float(spline.height) / W0 == pytest.approx(1.0, abs=1e-4)
    above = place[:, 2] > -D / 2
    wall = float(spline.wall_fill) * float(wall_share(np.float32(0.5 * D / H)))
    assert factor * weights(place[above]).sum() + wall == pytest.approx(1.0, abs=1e-6)


def test_gradients_of_a_lattice_beside_a_wall_cancel() -> None:
    spline = spline_for(D)
    place = lattice()
    above = place[:, 2] > -D / 2
    # ∇W points from the particle to its neighbours' opposite: the sum is carried by those above
    sand = float(spline.volume * spline.height) * gradients(-place[above])[:, 2].sum()
    wall = float(spline.wall_slope) * float(wall_weight(np.float32(0.5 * D / H))) / H
    assert sand == pytest.approx(wall, rel=1e-5)


def test_the_factors_of_walls_do_not_depend_on_the_size() -> None:
    small, large = spline_for(0.001), spline_for(1.0)
    assert float(small.wall_fill) == pytest.approx(float(large.wall_fill), rel=1e-5)
    assert float(small.wall_fill) == pytest.approx(0.1497 / 0.18776, rel=1e-3)
    assert float(small.wall_slope) == pytest.approx(0.5100 / 0.4875, rel=1e-3)
