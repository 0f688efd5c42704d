"""Plots of the forces on obstacles and bodies over a recorded run."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.measure.failure import MeasurementError
from windrow.measure.plot_style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    check_plot_target,
    labelled,
    legend,
    new_figure,
    save_figure,
)
from windrow.measure.plots import titled
from windrow.sim.limits import Lying, layers_carried, layers_of, warn_of_forces

if TYPE_CHECKING:
    from windrow.record.recording import Recording

MOST_PANELS = 4
"""Bodies that are drawn unless they are named."""
LOOKS = 4
"""Moments of a run at which it is looked how deep grains lie."""


def plot_forces(
    recording: Recording, path: str | os.PathLike[str], bodies: Sequence[str] = ()
) -> dict[str, NDArray[np.float64]]:
    """Force (N) of all that touches a body, over time; returns what is drawn: "time", s, and (frames, 3) for each.

    Without names, those that move, up to four with the largest forces; if none moves, of all.
    """
    target = check_plot_target(path)
    names = recording.body_names
    if not names or len(recording) < 2:
        raise MeasurementError(
            f"{recording.path}: forces over time need a recording of two frames or more with an obstacle or body"
        )
    for name in bodies:
        if name not in names:
            raise SceneError(f"--body: {unknown_name('obstacle or body', name, names)}")
    _check_forces(recording)
    rows = recording.body_rows()
    force = rows["force"].astype(np.float64)
    chosen = [names.index(name) for name in bodies] or _most_pushed(rows["position"], rows["rotation"], force)
    figure, panels = new_figure(9.0, 0.9 + 2.3 * len(chosen), len(chosen), 1)
    titled(figure, recording)
    for axes, k in zip(panels, chosen, strict=True):
        size = np.linalg.norm(force[:, k], axis=1)
        most = f"{size.max():,.0f}" if size.max() >= 100.0 else f"{size.max():.3g}"
        axes.plot(recording.times, size, color=INK, linewidth=1.4, label=f"size, at most {most} N")
        for component, color, label in zip(force[:, k].T, (BLUE, GREEN, ORANGE), "xyz", strict=True):
            axes.plot(recording.times, component, color=color, linewidth=1.0, label=label)
        labelled(axes, f"Force on {names[k]}", "time (s)", "force (N)")
        axes.set_xlim(recording.times[0], recording.times[-1])
        legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save_figure(figure, target)
    return {"time": recording.times, **{names[k]: force[:, k] for k in chosen}}


def _check_forces(recording: Recording) -> None:
    """Warns where grains lay deeper than the solver tells the forces of, at some moments of the run."""
    solver = recording.scene.solver
    if layers_carried(solver) == math.inf:
        return
    frames = [recording[(len(recording) - 1) * part // LOOKS] for part in range(1, LOOKS + 1)]
    grains = [Lying(frame.position, frame.radius, frame.mass, frame.force) for frame in frames]
    warn_of_forces(solver, max(layers_of(recording.gravity, some) for some in grains), stacklevel=4)


def _most_pushed(
    position: NDArray[np.float32], rotation: NDArray[np.float32], force: NDArray[np.float64]
) -> list[int]:
    """Which bodies are drawn, in their own order."""
    moved = (position != position[0]).any(axis=(0, 2)) | (rotation != rotation[0]).any(axis=(0, 2, 3))
    among = np.flatnonzero(moved) if moved.any() else np.arange(len(moved))
    largest = np.linalg.norm(force, axis=2).max(axis=0)[among]
    return sorted(int(k) for k in among[np.argsort(-largest, kind="stable")[:MOST_PANELS]])
