"""How much passes: rates from the ledger of a recording, or by counting grains through a plane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import unknown_name
from windrow.measure.failure import MeasurementError

if TYPE_CHECKING:
    from windrow.record.recording import Recording
    from windrow.state.frame import Frame


@dataclass(frozen=True)
class Rate:
    """A steady rate: the slope of an amount over time."""

    value: float
    """amount per second"""
    error: float
    """standard error of the slope"""


@dataclass(frozen=True)
class Passage:
    """What has passed a plane, summed up from the first frame on."""

    time: NDArray[np.float64]
    """(f,) s"""
    grains: NDArray[np.int64]
    """(f,) grains that passed along the normal, less those that came back"""
    mass: NDArray[np.float64]
    """(f,) the same in kg"""


def ledger_series(recording: Recording, entry: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Time (s) and one entry of the ledger ("sunk_mass", ...) over the frames of a recording."""
    values = []
    for index in range(len(recording)):
        ledger = recording.notes(index).get("ledger", {})
        if entry not in ledger:
            raise MeasurementError(f"{recording.path}: {unknown_name('ledger entry', entry, ledger)}")
        values.append(float(ledger[entry]))
    return recording.times, np.array(values)


def steady_rate(time: ArrayLike, amount: ArrayLike, start: float = -np.inf, stop: float = np.inf) -> Rate:
    """Slope of `amount` over `time` between `start` and `stop` (s), by least squares."""
    t, y = np.asarray(time, np.float64), np.asarray(amount, np.float64)
    within = (t >= start) & (t <= stop)
    t, y = t[within], y[within]
    if len(np.unique(t)) < 3:
        raise MeasurementError(f"a rate needs three moments between {start:g} s and {stop:g} s, got {len(t)}")
    t = t - t.mean()
    slope = float(t @ y / (t @ t))
    miss = y - y.mean() - slope * t
    return Rate(slope, float(np.sqrt(miss @ miss / (len(t) - 2) / (t @ t))))


def passage(
    frames: Iterable[Frame], point: ArrayLike, normal: ArrayLike, count_vanished: bool = False
) -> Passage:
    """Grains that pass the plane through `point` along `normal` from frame to frame, followed by their ids.

    A grain that appears beyond the plane has not passed it. One that disappears before it may have passed and
    been taken by a sink within the same frame: `count_vanished` counts it as passed.
    """
    at = np.asarray(point, np.float64)
    along = np.asarray(normal, np.float64)
    time, grains, mass = [], [], []
    total, kilograms = 0, 0.0
    before: tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]] | None = None
    for frame in frames:
        beyond = (frame.position.astype(np.float64) - at) @ along > 0
        own = frame.mass.astype(np.float64)
        if before is not None:
            _, old, new = np.intersect1d(before[0], frame.id, assume_unique=True, return_indices=True)
            step = beyond[new].astype(np.int64) - before[1][old]
            total += int(step.sum())
            kilograms += float(step[step != 0] @ own[new][step != 0])
            if count_vanished:
                gone = ~np.isin(before[0], frame.id, assume_unique=True) & ~before[1]
                total += int(gone.sum())
                kilograms += float(before[2][gone].sum())
        before = (frame.id, beyond, own)
        time.append(frame.time)
        grains.append(total)
        mass.append(kilograms)
    return Passage(np.array(time), np.array(grains, np.int64), np.array(mass))
