"""Measures over the frames of a recording, as one table of columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.measure.heap import height, kinetic_energy, potential_energy, rms_speed, spread
from windrow.measure.overlap import cluster_of, contacts

if TYPE_CHECKING:
    from windrow.record.recording import Recording
    from windrow.state.frame import Frame

NEAR = 1.5
"""Distance, in sums of radii, up to which grains count as one heap: a stream that still falls is thinner."""


def measures(
    frame: Frame,
    gravity: NDArray[np.float64],
    center: tuple[float, float] | None = None,
) -> dict[str, float]:
    """All measures of one frame, SI units; overlaps are over the smaller radius.

    The height is that of the largest group of grains that lie together: grains still falling do not count.
    """
    near = contacts(frame.position, frame.radius, NEAR)
    touching = near.where(near.overlap > 0)
    heap = cluster_of(near)
    count = len(frame.id)
    return {
        "time": frame.time,
        "grains": float(count),
        "height": height(frame.position[heap], frame.radius[heap]),
        "spread": spread(frame.position, center),
        "kinetic_energy": kinetic_energy(frame),
        "potential_energy": potential_energy(frame, gravity),
        "rms_speed": rms_speed(frame),
        "contacts": float(len(touching)),
        "contacts_per_grain": 2.0 * len(touching) / count if count else 0.0,
        "mean_overlap": touching.mean_relative,
        "max_overlap": touching.max_relative,
    }


def series(
    recording: Recording,
    every: int = 1,
    center: tuple[float, float] | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """One column per measure over every so many frames; `center` is the axis that the spread is measured
    from.

    `progress` is called with the number of frames done after each one.
    """
    gravity = recording.gravity
    rows = []
    for done, index in enumerate(sorted({*range(0, len(recording), every), len(recording) - 1}), start=1):
        rows.append(measures(recording[index], gravity, center))
        if progress is not None:
            progress(done)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def timings(recording: Recording) -> dict[str, NDArray[np.float64]]:
    """Wall time (s) of the step before each frame, by phase, for the frames that have it; and "time" (s)."""
    noted = [
        (time, seconds)
        for index, time in enumerate(recording.times)
        if (seconds := recording.notes(index).get("seconds"))
    ]
    phases = list(dict.fromkeys(phase for _, seconds in noted for phase in seconds))
    table = {phase: np.array([float(seconds.get(phase, 0.0)) for _, seconds in noted]) for phase in phases}
    return {"time": np.array([time for time, _ in noted]), **table}
