"""What the station costs and bears, briefly and with wide bounds; benchmarks/station measures it at length."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "station"


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that measure; the processes that they start need them, too."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER), *sys.path]))


def test_many_grains_cost_little_and_a_lever_is_obeyed_soon() -> None:
    """What other programs leave of the machine is known: bounds are for one that does nothing else."""
    from load import cart_source, still_source, watched

    still = watched(still_source(50_000), seconds=3.0)
    assert still.seen.frames / 3.0 > 15 * still.allowed
    assert still.seen.bytes / still.seen.frames > 400_000
    assert still.used < 0.3, f"{100 * still.used:.0f} % of a core for 50,000 grains"
    levers = watched(cart_source(), seconds=3.0, lever="throttle")
    moves = len(levers.seen.latencies)
    assert moves > 10 * levers.allowed
    assert mean(levers.seen.latencies) - levers.waited / moves < 0.1


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_crowd_of_bad_pages_changes_nothing() -> None:
    from soak import complaints, soaked

    told = soaked(6.0)
    allowed = min(told["machine_allowed"].values())
    assert told["pages"] == 20
    assert told["dropped_for_garbage"] > 5 * allowed
    assert told["good_frames_per_second"] > 10 * allowed
    assert told["slow_frames_per_second"] > 0
    assert told["late_steps_by_own_fault"] <= 5
    before, after = told["memory_mb"]
    assert after < before + 10
    assert (told["threads_left"], told["pages_left"]) == (0, 0)
    assert complaints({**told, "late_steps_by_own_fault": 0, "objects_left_per_connection": 0}) == []
    assert told["objects_left_per_connection"] < 20  # those of a first time weigh more than in five minutes


def test_only_what_the_machine_held_up_is_no_fault_of_the_station() -> None:
    from soak import own_fault

    began = np.array([9.4, 10.0, 20.0, 30.0, 40.0])
    behind = np.array([0.0, 0.25, 0.25, 0.25, 0.09])
    ran = np.full(5, 1.0)
    held_at_10_and_20 = [(9.9, 0.2), (20.1, 0.14), (35.0, 0.4)]
    assert own_fault(began, behind, ran, []) == 3
    assert own_fault(began, behind, ran, held_at_10_and_20) == 2
    assert own_fault(began, behind, ran, [(10.0, 0.2), (20.0, 0.2), (30.0, 0.2)]) == 0
    waited_before_10_and_20 = np.array([1.0, 1.2, 1.34, 1.34, 1.34])
    assert own_fault(began, behind, waited_before_10_and_20, []) == 2
    waited_long_before = np.array([1.0, 1.0, 1.0, 1.0])
    steps_since = np.array([28.0, 29.4, 29.7, 30.0])
    waited_long_before[1:] = 1.2
    assert own_fault(steps_since, np.array([0.0, 0.0, 0.0, 0.25]), waited_long_before, []) == 1


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="Linux keeps the account")
def test_who_must_share_a_processor_has_waited_for_it() -> None:
    """Two processes that count on one processor: each has about half of it, and knows."""
    counting = f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
    from machine import account, allowed, waited

    two = [subprocess.Popen([sys.executable, "-c", counting]) for _ in range(2)]
    try:
        time.sleep(0.5)
        before = account(two[0].pid)
        time.sleep(1.0)
        after = account(two[0].pid)
    finally:
        for one in two:
            one.kill()
            one.wait()
    assert waited(before, after) > 0.2
    assert 0.0 < allowed(before, after) < 0.8
    assert allowed(before, before) == 1.0


def test_growing_memory_and_late_steps_are_complained_about() -> None:
    from soak import EVERY, GROWTH, complaints, slope_of

    minutes = np.arange(360) * EVERY / 60
    noise = np.random.default_rng(0).normal(0.0, 0.3, 360)
    slope, error = slope_of(280 + 1.3 * minutes + noise)
    assert slope == pytest.approx(1.3, abs=3 * error)
    assert 0.01 < error < 0.1
    told = {
        "late_steps_by_own_fault": 0,
        "threads_left": 0,
        "pages_left": 0,
        "objects_left_per_connection": 0.1,
    }
    growing = {"memory_mb_per_minute": slope, "memory_mb_per_minute_error": error}
    still = {"memory_mb_per_minute": 0.9 * GROWTH, "memory_mb_per_minute_error": 0.0}
    assert len(complaints({**told, **growing})) == 1
    assert complaints({**told, **still}) == []
    for worse in (
        {"late_steps_by_own_fault": 3},
        {"objects_left_per_connection": 2.0},
        {"pages_left": 1},
        {"threads_left": 1},
    ):
        assert len(complaints({**told, **still, **worse})) == 1
