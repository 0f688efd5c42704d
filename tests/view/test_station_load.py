"""What the station costs and bears, briefly and with wide bounds; benchmarks/station measures it at length."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "station"


def busy() -> float:
    """By how much everything may take longer now than on a machine that does nothing else."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that measure; the processes that they start need them, too."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER), *sys.path]))


def test_many_grains_cost_little_and_a_lever_is_obeyed_soon() -> None:
    from load import cart_source, still_source, watched

    seen, used = watched(still_source(50_000), seconds=3.0)
    assert seen.frames / 3.0 > 15 / busy()
    assert seen.bytes / seen.frames > 400_000
    assert used < 0.3, f"{100 * used:.0f} % of a core for 50,000 grains"
    levers, _ = watched(cart_source(), seconds=3.0, lever="throttle")
    assert len(levers.latencies) > 10 / busy()
    assert median(levers.latencies) < 0.1 * busy()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_crowd_of_bad_pages_changes_nothing() -> None:
    from soak import complaints, soaked

    told = soaked(6.0)
    assert told["pages"] == 20
    assert told["dropped_for_garbage"] > 5 / busy()
    assert told["good_frames_per_second"] > 10 / busy()
    assert told["late_steps_by_own_fault"] <= 20 * (busy() - 1) + 5
    before, after = told["memory_mb"]
    assert after < before + 10
    assert told["slow_frames_per_second"] > 0.2 / busy()
    assert (told["threads_left"], told["pages_left"]) == (0, 0)
    assert complaints({**told, "late_steps_by_own_fault": 0, "objects_left_per_connection": 0}) == []
    assert told["objects_left_per_connection"] < 20  # those of a first time weigh more than in five minutes


def test_only_what_the_machine_held_up_is_no_fault_of_the_station() -> None:
    from soak import own_fault

    began = np.array([10.0, 20.0, 30.0, 40.0])
    behind = np.array([0.25, 0.25, 0.25, 0.09])
    held_at_10_and_20 = [(9.9, 0.2), (20.1, 0.14), (35.0, 0.4)]
    assert own_fault(began, behind, []) == 3
    assert own_fault(began, behind, held_at_10_and_20) == 2
    assert own_fault(began, behind, [(10.0, 0.2), (20.0, 0.2), (30.0, 0.2)]) == 0


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
