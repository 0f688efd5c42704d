"""Plots of a run: measures over time, the profile of a heap with its angle, and where the time goes."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.measure.failure import MeasurementError
from windrow.measure.plot_style import (
    BLUE,
    CYCLE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    RED,
    check_plot_target,
    labelled,
    legend,
    new_figure,
    save_figure,
)
from windrow.measure.repose import Repose, angle_of_repose
from windrow.measure.series import series, timings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from windrow.record.recording import Recording
    from windrow.state.frame import Frame

MOST_FRAMES = 300
"""Frames that a plot over time takes from a long recording."""


def plot_series(
    recording: Recording,
    path: str | os.PathLike[str],
    every: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Size, energy, contacts and overlap over time; returns the table that is drawn."""
    target = check_plot_target(path)
    table = series(recording, every or -(-len(recording) // MOST_FRAMES), progress=progress)
    time = table["time"]
    figure, (size, energy, contact, depth) = new_figure(9.0, 6.0, 2, 2)
    titled(figure, recording)

    size.plot(time, table["height"], color=BLUE, label="height")
    size.plot(time, table["spread"], color=ORANGE, label="run-out radius (99 %)")
    labelled(size, "Size", "time (s)", "length (m)")
    size.set_ylim(bottom=0)
    legend(size)

    for name, color, label in (
        ("kinetic_energy", RED, "kinetic"),
        ("potential_energy", BLUE, "potential, from z = 0"),
    ):
        energy.plot(time, np.where(table[name] > 0, table[name], np.nan), color=color, label=label)
    labelled(energy, "Energy", "time (s)", "energy (J)")
    _logarithmic(energy, np.concatenate([table["kinetic_energy"], table["potential_energy"]]))
    legend(energy)

    contact.plot(time, table["contacts_per_grain"], color=GREEN, label="contacts per grain")
    labelled(contact, "Contacts", "time (s)", "contacts per grain")
    contact.set_ylim(bottom=0)
    if np.ptp(table["grains"]) > 0:
        count = contact.twinx()
        count.plot(time, table["grains"], color=GREY, linestyle="--")
        count.set_ylabel("grains (dashed)", fontsize=9.5, color=GREY)
        count.tick_params(labelsize=9, colors=GREY)
        count.spines[["top", "left", "bottom"]].set_visible(False)
        count.spines["right"].set_color(GREY)
        count.set_ylim(bottom=0)

    depth.plot(time, 100 * table["max_overlap"], color=RED, label="largest")
    depth.plot(time, 100 * table["mean_overlap"], color=BLUE, label="mean")
    labelled(depth, "Overlap", "time (s)", "overlap / smaller radius (%)")
    depth.set_ylim(bottom=0)
    legend(depth)

    for axes in (size, energy, contact, depth):
        axes.set_xlim(time[0], max(time[-1], time[0] + 1e-9))
    save_figure(figure, target)
    return table


def plot_profile(
    frame: Frame, path: str | os.PathLike[str], center: tuple[float, float] | None = None
) -> Repose | None:
    """Height of the surface over the distance from the axis, with the fitted flank; None if there is no
    heap."""
    target = check_plot_target(path)
    try:
        found: Repose | None = angle_of_repose(frame.position, frame.radius, center=center)
        reason = ""
    except MeasurementError as error:
        found, reason = None, str(error)
    axis = np.asarray(found.center if found else center or _middle(frame))
    distance = np.linalg.norm(frame.position[:, :2] - axis, axis=1)
    wide, low, high = _extent(distance, frame)
    figure, (axes,) = new_figure(8.0, float(np.clip(7.2 * (high - low) / wide + 0.9, 2.6, 8.0)))
    axes.scatter(distance, frame.position[:, 2], s=3, color="#d9d2c5", linewidths=0, rasterized=True)
    if found is not None:
        _draw_flank(axes, found)
        title = (
            f"Angle of repose {found.mean:.1f}° ± {found.spread:.1f}° over azimuth,  t = {frame.time:.2f} s"
        )
    else:
        title = f"Profile,  t = {frame.time:.2f} s"
        _note(axes, reason)
    labelled(axes, title, "distance from the axis (m)", "height (m)")
    axes.set_xlim(0.0, wide)
    axes.set_ylim(low, high)
    axes.set_aspect("equal", adjustable="box", anchor="W")
    save_figure(figure, target)
    return found


def plot_timings(recording: Recording, path: str | os.PathLike[str]) -> dict[str, NDArray[np.float64]]:
    """Wall time per step by phase, stacked, over simulated time; returns the table that is drawn."""
    target = check_plot_target(path)
    table = timings(recording)
    time = table.pop("time")
    if len(time) < 2:
        raise MeasurementError(f"{recording.path}: fewer than two frames have timings; record the run again")
    figure, (axes,) = new_figure(8.0, 3.8)
    phases = sorted(table, key=lambda phase: -float(table[phase].mean()))
    axes.stackplot(
        time,
        [1e3 * table[phase] for phase in phases],
        labels=phases,
        colors=[CYCLE[k % len(CYCLE)] for k in range(len(phases))],
        linewidth=0,
        alpha=0.85,
    )
    total = 1e3 * np.sum([table[phase] for phase in phases], axis=0)
    step = 1e3 * float(np.median(np.diff(recording.times) / np.diff(recording.steps)))
    axes.axhline(step, color=INK, linewidth=1, linestyle="--", label=f"real time ({step:.3g} ms)")
    labelled(axes, f"Time per step: {_name(recording)}", "simulated time (s)", "wall time of the step (ms)")
    axes.set_xlim(time[0], time[-1])
    axes.set_ylim(0, 1.15 * max(float(np.quantile(total, 0.99)), float(np.median(total))))
    legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0), reverse=True)
    save_figure(figure, target)
    return {"time": time, **table}


def _draw_flank(axes: Axes, found: Repose) -> None:
    points = found.points
    axes.scatter(points.along, points.height, s=6, color=GREY, linewidths=0, label="surface", rasterized=True)
    axes.scatter(
        points.along[found.flank],
        points.height[found.flank],
        s=6,
        color=BLUE,
        linewidths=0,
        label="flank",
        rasterized=True,
    )
    whole = np.array([found.line.along(h) for h in (found.top, found.base)])
    part = np.array([found.line.along(found.base + f * (found.top - found.base)) for f in (0.8, 0.2)])
    axes.plot(whole, found.line.height(whole), color=RED, linewidth=1.0, linestyle=":")
    axes.plot(part, found.line.height(part), color=RED, linewidth=2.0, label="fit, 20–80 % of the height")
    legend(axes, loc="upper right")


def _note(axes: Axes, text: str) -> None:
    """A sentence inside the axes."""
    axes.text(
        0.98,
        0.95,
        textwrap.fill(text, 44),
        transform=axes.transAxes,
        ha="right",
        va="top",
        fontsize=9,
        color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85},
    )


def _middle(frame: Frame) -> NDArray[np.float64]:
    """x, y around which a profile without a heap is drawn."""
    return frame.position[:, :2].mean(axis=0, dtype=np.float64) if len(frame.id) else np.zeros(2)


def _extent(distance: NDArray[np.float64], frame: Frame) -> tuple[float, float, float]:
    """Width, lowest and highest height of a profile, m; a few grains that rolled away are left outside."""
    if len(distance) == 0:
        return 1.0, 0.0, 0.5
    z = frame.position[:, 2]
    wide = 1.08 * float(np.quantile(distance, 0.995)) + float(frame.radius.max())
    high = float((z + frame.radius).max())
    low = min(0.0, float((z - frame.radius).min()))
    return max(wide, high - low), low, high + 0.05 * (high - low)


def _name(recording: Recording) -> str:
    return json.loads(recording.scene_json or "{}").get("title") or recording.path.name


def titled(figure: Figure, recording: Recording) -> None:
    """The scene's title above all plots of a figure."""
    figure.suptitle(_name(recording), x=0.01, ha="left", fontsize=12, color=INK, fontweight="bold")


def _logarithmic(axes: Axes, values: NDArray[np.float64]) -> None:
    """Energies fall by orders of magnitude; below a millionth of the largest only rounding is left."""
    largest = float(np.nanmax(values, initial=0.0))
    if largest > 0:
        axes.set_yscale("log")
        axes.set_ylim(1e-6 * largest, 3 * largest)
        axes.minorticks_off()
