"""Plots of tools in the ground: force and parts over a recorded run, and the earthmoving equation over what it asks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.measure.failure import MeasurementError
from windrow.measure.plot_style import (
    BLUE,
    CYCLE,
    INK,
    ORANGE,
    check_plot_target,
    labelled,
    legend,
    new_figure,
    save_figure,
)
from windrow.measure.plots import titled
from windrow.terrain.earthmoving import factors, force_per_width

if TYPE_CHECKING:
    from windrow.record.recording import Recording

Curves = dict[str, NDArray[np.float64]]
SMALL = 0.01
"""Of the largest part: smaller ones are not drawn."""


def tool_names(recording: Recording) -> list[str]:
    """Tools that a recording tells of."""
    return list(recording.notes(0).get("tools", {})) if len(recording) else []


def tool_rows(recording: Recording, name: str) -> Curves:
    """What a tool told in every frame: "time" (s), "force" and each part, "earthmoving", each (frames, 3) N; "depth"
    (m), "rake_deg", "payload" (kg), "fill_factor"."""
    told = [recording.notes(k)["tools"][name] for k in range(len(recording))]
    rows: Curves = {"time": recording.times}
    for key in ("force", "earthmoving"):
        rows[key] = np.array([one[key] for one in told])
    for part in told[0]["parts"]:
        rows[part] = np.array([one["parts"][part] for one in told])
    for key in ("depth", "rake_deg", "payload", "fill_factor"):
        rows[key] = np.array([one[key] for one in told])
    return rows


def plot_tool(recording: Recording, path: str | os.PathLike[str], name: str | None = None) -> Curves:
    """Force on a tool and its parts beside the earthmoving equation, its depth and its load, over time.

    name: left out, the first tool. Returns what `tool_rows` gives.
    """
    target = check_plot_target(path)
    names = tool_names(recording)
    if len(recording) < 2 or not names:
        raise MeasurementError(
            f"{recording.path}: a plot of a tool needs a recording of two frames or more with a tool: an obstacle with "
            "digs = true, or a machine with a bucket"
        )
    if name is not None and name not in names:
        raise SceneError(f"--body: {unknown_name('tool', name, names)}")
    name = names[0] if name is None else name
    rows = tool_rows(recording, name)
    time = rows["time"]
    figure, axes = new_figure(9.0, 9.2, 4, 1)
    titled(figure, recording)
    for one, (title, take) in zip(axes[:2], (("Horizontal", _horizontal), ("Vertical", _vertical)), strict=True):
        _forces(one, rows, f"{title} force on {name}", take)
    axes[2].plot(time, rows["depth"], color=BLUE, linewidth=1.3, label="depth of the edge")
    labelled(axes[2], "Cut", "time (s)", "m")
    axes[3].plot(time, rows["payload"], color=ORANGE, linewidth=1.3, label="load")
    labelled(axes[3], f"Load, fill factor at most {rows['fill_factor'].max():.2f}", "time (s)", "kg")
    for one in axes:
        one.set_xlim(time[0], time[-1])
        legend(one, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save_figure(figure, target)
    return rows


def _horizontal(force: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hypot(force[:, 0], force[:, 1])


def _vertical(force: NDArray[np.float64]) -> NDArray[np.float64]:
    return force[:, 2]


def _forces(axes: Any, rows: Curves, title: str, take: Any) -> None:
    plain = ("time", "force", "earthmoving", "depth", "rake_deg", "payload", "fill_factor")
    parts = [name for name in rows if name not in plain]
    largest = max(float(np.abs(take(rows[name])).max()) for name in (*parts, "force"))
    axes.plot(rows["time"], 1e-3 * take(rows["force"]), color=INK, linewidth=1.6, label="total")
    axes.plot(
        rows["time"], 1e-3 * take(rows["earthmoving"]), color=INK, linewidth=1.1, linestyle="--", label="equation"
    )
    for k, part in enumerate(parts):
        values = take(rows[part])
        if np.abs(values).max() > SMALL * max(largest, 1e-9):
            axes.plot(rows["time"], 1e-3 * values, color=CYCLE[k % len(CYCLE)], linewidth=1.0, label=part)
    labelled(axes, title, "time (s)", "kN")


def plot_equation(path: str | os.PathLike[str], density: float = 1600.0, gravity: float = 9.81) -> Curves:
    """Draft of the earthmoving equation per metre of width over depth, rake, slope ahead and cohesion.

    Returns what is drawn, kN/m, by panel and friction angle.
    """
    target = check_plot_target(path)
    figure, axes = new_figure(9.0, 6.6, 2, 2)
    panels: list[tuple[str, str, NDArray[np.float64]]] = [
        ("depth", "depth (m), rake 60°", np.linspace(0.02, 0.5, 60)),
        ("rake", "rake (°), depth 0.2 m", np.linspace(20.0, 170.0, 151)),
        ("slope", "slope ahead (°), rake 60°, depth 0.2 m", np.linspace(-25.0, 35.0, 61)),
        ("cohesion", "cohesion (kPa), rake 60°, depth 0.2 m", np.linspace(0.0, 20.0, 41)),
    ]
    drawn: Curves = {}
    for one, (what, label, values) in zip(axes, panels, strict=True):
        drawn[what] = values
        for k, phi in enumerate((25.0, 32.0, 40.0)):
            curve = np.array([_draft(what, float(x), phi, density * gravity) for x in values]) / 1e3
            one.plot(values, curve, color=CYCLE[k], linewidth=1.3, label=f"φ = {phi:.0f}°, δ = {2 * phi / 3:.0f}°")
            drawn[f"{what} {phi:g}"] = curve
        labelled(one, f"Draft over {what}", label, "kN per m of width")
        legend(one, loc="upper left")
    save_figure(figure, target)
    return drawn


def _draft(what: str, x: float, phi: float, weight: float) -> float:
    """Horizontal force, N/m, for one value of one argument of the equation."""
    given = {"depth": 0.2, "rake": 60.0, "slope": 0.0, "cohesion": 0.0} | {what: x}
    wedge = factors(given["rake"], given["slope"], phi, min(2.0 * phi / 3.0, 24.0))
    depth = given["depth"] * float(np.cos(np.deg2rad(given["slope"])))
    force = force_per_width(wedge, depth, weight, 1e3 * given["cohesion"])
    return force * float(np.sin(wedge.rake + wedge.friction))
