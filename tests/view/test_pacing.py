"""Simulated time follows the wall clock, never rushes, and says how fast it goes."""

from __future__ import annotations

import pytest

from windrow.view.pacing import MOST_BEHIND, Pace

DT = 1 / 60


def steps_within(pace: Pace, seconds: float, cost: float, time: float = 0.0) -> int:
    """Steps taken by a loop whose step costs so many wall seconds, beginning at an arbitrary clock."""
    now, end, count = 100.0, 100.0 + seconds, 0
    while now < end:
        wait = pace.wait(now, time, DT)
        if wait > 0:
            now += max(wait, 1e-5)
            continue
        now += cost
        time += DT
        count += 1
        pace.note(now, time)
    return count


@pytest.mark.parametrize("scale", [0.25, 1.0, 3.0])
def test_a_quick_simulation_keeps_the_pace_asked_for(scale: float) -> None:
    pace = Pace()
    pace.time_scale = scale
    assert steps_within(pace, 4.0, 0.001) == pytest.approx(4.0 * 60 * scale, abs=2)
    assert pace.real_time_factor == pytest.approx(scale, rel=0.03)


def test_a_slow_simulation_runs_as_fast_as_it_can() -> None:
    pace = Pace()
    assert steps_within(pace, 4.0, 0.05) == pytest.approx(4.0 / 0.05, abs=2)
    assert pace.real_time_factor == pytest.approx(DT / 0.05, rel=0.05)


def test_a_hold_up_is_not_followed_by_a_rush() -> None:
    pace = Pace()
    assert pace.wait(0.0, 0.0, DT) > 0
    time, count = 0.0, 0
    while pace.wait(10.0, time, DT) <= 0:  # the clock stands while we count what is due
        time += DT
        count += 1
    assert count <= MOST_BEHIND / DT + 2


def test_the_past_is_forgotten_after_a_pause() -> None:
    pace = Pace()
    steps_within(pace, 1.0, 0.001)
    pace.restart()
    assert pace.real_time_factor == 0.0
    assert pace.wait(500.0, 7.0, DT) == pytest.approx(DT, abs=1e-4)
