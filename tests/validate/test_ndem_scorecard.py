"""The quick scenarios of NDEM hold; every scenario is registered and explained."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.measure.earthmoving import earthmoving_factors
from windrow.validate import ndem_statics
from windrow.validate.check import Bound, Check, expectation, verdict
from windrow.validate.main import SCENARIOS
from windrow.validate.ndem_blades import push
from windrow.validate.ndem_flows import _against_law, _janssen_length, beverloo_fit, exponent, front

QUICK = ("p2-incline", "ndem-spring-damper", "ndem-incline", "ndem-conservation", "ndem-invariance", "ndem-waking")


@pytest.mark.parametrize("name", QUICK)
def test_quick_scenarios_hold(name: str) -> None:
    failed = [result for result in SCENARIOS[name].run() if not result.passed]
    assert failed == []


def test_a_blade_feels_more_of_soil_that_is_deeper_pushed_or_sticky() -> None:
    """A bed far too low for the law; the scenario `ndem-blade` has one that is deep enough."""
    pushed, drawn, sticky = push(5, 0.15), push(5, -0.04), push(5, 0.15, cohesion_pa=4000.0)
    assert 0.5 < pushed.factor / earthmoving_factors(32.0).weight < 1.5
    assert 0.0 < drawn.factor < 0.5 * pushed.factor
    assert sticky.force > 1.5 * pushed.force


def test_every_scenario_says_what_it_is_held_against() -> None:
    assert {"ndem-columns", "ndem-collapse", "ndem-beverloo", "ndem-janssen", "ndem-draw-down"} <= set(
        SCENARIOS
    )
    for name, scenario in SCENARIOS.items():
        assert scenario.name == name
        assert len(scenario.law) > 30


def test_a_bound_without_limits_is_a_report() -> None:
    assert expectation(Bound("speed", 3.0)) == "reported"
    assert verdict(Bound("speed", 3.0), "yes", "no") == "–"
    assert [verdict(Bound("speed", 3.0, high=high), "yes", "no") for high in (4.0, 2.0)] == ["yes", "no"]
    assert expectation(Bound("speed", 3.0, high=5.0)) == "≤ 5"
    assert expectation(Check("height", 1.0, 2.0, 0.1)) == "2 ± 0.1"


def test_a_column_sags_by_its_springs_in_series() -> None:
    _, top = ndem_statics.column(2, stiffness=1e3, mass=1.0)
    assert top == pytest.approx(0.2 - 9.81e-3 * 3)


def test_fits_find_what_was_put_in() -> None:
    x = [1.0, 2.0, 5.0]
    assert exponent(x, [3.0 * value**1.7 for value in x]) == pytest.approx(1.7)
    depth = np.array([0.5, 1.0, 3.0, 6.0])
    length, error = _janssen_length(depth, 1.3 * (1 - np.exp(-depth / 1.3)))
    assert length == pytest.approx(1.3)
    assert error < 1e-6
    assert not math.isnan(error)


def test_the_numbers_of_beverloos_law_are_found_again() -> None:
    sizes = [6.0, 8.0, 12.0]
    assert beverloo_fit(sizes, [0.58 * (size - 1.4) ** 2.5 for size in sizes]) == pytest.approx((0.58, 1.4))


def test_the_front_is_where_touching_grains_end() -> None:
    row = np.array([[0.1 * k, 0.0, 0.05] for k in range(12)], np.float32)  # each touches the next
    radius = np.full(14, 0.05, np.float32)
    rolled_away = np.array([[2.0, 0.0, 0.05], [2.1, 0.0, 0.05]], np.float32)
    assert front(np.concatenate([row, rolled_away]), radius) == pytest.approx(1.1)


def test_run_outs_of_the_law_itself_hold_and_others_fail() -> None:
    def results(power: float) -> list[bool]:
        low, high = {a: 1.2 * a for a in (0.5, 1.0)}, {a: 1.9 * a**power for a in (3.0, 9.0)}
        return [r.passed for r in _against_law("ΔL/L", low, high, (1.2, 1.0), (1.9, 2 / 3), 2.3)]

    assert all(results(2 / 3))
    assert results(0.9)[:2] == [True, False]
