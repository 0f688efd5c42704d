"""Flow through a plane and rates from the ledger, for grains that fall at a known rate."""

from __future__ import annotations

import numpy as np
import pytest
from made_heaps import frame_of

from windrow.measure.failure import MeasurementError
from windrow.measure.flow import ledger_series, passage, steady_rate
from windrow.record import Recorder, Recording


def falling(frames: int, sink: float | None = None):
    """A row of 2 kg grains one metre apart, ten of which pass z = 0 in each second; ids survive removal."""
    for k in range(frames):
        z = np.arange(200) + 0.5 - k
        there = np.ones(200, bool) if sink is None else z > sink
        position = np.column_stack([np.zeros((200, 2)), z])[there]
        yield frame_of(
            position,
            time=0.1 * k,
            step=k,
            id=np.arange(200)[there] + 5,
            mass=np.full(int(there.sum()), 2.0, np.float32),
            notes={"ledger": {"sunk_mass": 2.0 * k, "sunk": k}},
        )


def test_passage_counts_grains_and_mass():
    passed = passage(falling(31), point=(0, 0, 0), normal=(0, 0, -1))
    assert passed.grains.tolist() == list(range(31))
    assert passed.mass == pytest.approx(2.0 * np.arange(31))
    assert steady_rate(passed.time, passed.mass).value == pytest.approx(20.0)
    back = passage(falling(31), point=(0, 0, 0), normal=(0, 0, 1))
    assert back.grains.tolist() == [-k for k in range(31)]


def test_grains_taken_by_a_sink():
    """The sink reaches up to the plane: grains are gone in the frame in which they would have passed."""
    missed = passage(falling(31, sink=0.0), (0, 0, 0), (0, 0, -1))
    assert missed.grains[-1] == 0
    counted = passage(falling(31, sink=0.0), (0, 0, 0), (0, 0, -1), count_vanished=True)
    assert counted.grains.tolist() == list(range(31))
    assert counted.mass[-1] == pytest.approx(60.0)
    below = passage(falling(31, sink=-4.0), (0, 0, 0), (0, 0, -1), count_vanished=True)
    assert below.grains.tolist() == list(range(31))


def test_grains_made_beyond_the_plane_have_not_passed():
    frames = [frame_of(np.array([[0.0, 0, 1]])), frame_of(np.array([[0.0, 0, 1], [0, 0, -1]]), time=1.0)]
    assert passage(frames, (0, 0, 0), (0, 0, -1)).grains.tolist() == [0, 0]


def test_steady_rate_within_a_window():
    time = np.linspace(0, 10, 101)
    amount = np.where(time < 4, 0.0, 3.0 * (time - 4))
    rate = steady_rate(time, amount, start=5, stop=9)
    assert rate.value == pytest.approx(3.0)
    assert rate.error == pytest.approx(0.0, abs=1e-9)
    noisy = steady_rate(time, 2 * time + np.random.default_rng(0).normal(0, 0.1, 101))
    assert abs(noisy.value - 2) < 4 * noisy.error
    with pytest.raises(MeasurementError, match="three moments"):
        steady_rate(time, amount, start=9.95)


def test_rate_from_the_ledger(tmp_path):
    with Recorder(tmp_path / "run.h5") as recorder:
        for frame in falling(12):
            recorder.write(frame)
    with Recording(tmp_path / "run.h5") as recording:
        time, mass = ledger_series(recording, "sunk_mass")
        assert steady_rate(time, mass).value == pytest.approx(20.0)
        with pytest.raises(MeasurementError, match="Did you mean 'sunk_mass'"):
            ledger_series(recording, "sunk_mas")
