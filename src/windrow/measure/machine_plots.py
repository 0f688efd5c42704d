"""Plots of what a machine did over a recorded run: its controls, its cylinders, its motors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.measure.failure import MeasurementError
from windrow.measure.plot_style import CYCLE, check_plot_target, labelled, legend, new_figure, save_figure
from windrow.measure.plots import titled

if TYPE_CHECKING:
    from windrow.record.recording import Recording

ALONG = ("cylinder", "slider")
"""Joints whose position is a length and whose drive gives a force; of others it is an angle and a torque."""

Curves = dict[str, NDArray[np.float64]]


def plot_machine(recording: Recording, path: str | os.PathLike[str]) -> Curves:
    """Controls, and positions and forces of the joints that are driven, over time.

    Returns what is drawn: "time" (s), each control by its name, and NAME position and NAME force of each joint
    (m and N of cylinders and sliders, rad and N m of others).
    """
    target = check_plot_target(path)
    lengths, angles = _driven(recording)
    if len(recording) < 2 or not (recording.control_names or lengths or angles):
        raise MeasurementError(
            f"{recording.path}: a plot of a machine needs a recording of two frames or more with controls or driven "
            "joints; make one with `with sim.record(…):` or `windrow run` of a scene with a machine"
        )
    rows, names = recording.joint_rows(), recording.joint_names

    def columns(chosen: list[str], field: str) -> Curves:
        return {name: rows[field][:, names.index(name)] for name in chosen}

    panels: list[tuple[str, str, float, Curves]] = [
        ("Controls", "−1 … 1", 1.0, dict(zip(recording.control_names, recording.control_rows().T, strict=True))),
        ("Length of cylinders and sliders", "m", 1.0, columns(lengths, "position")),
        ("Force of cylinders and sliders", "kN", 1e-3, columns(lengths, "force")),
        ("Speed of motors", "rad/s", 1.0, columns(angles, "rate")),
        ("Torque of motors", "kN m", 1e-3, columns(angles, "force")),
    ]
    panels = [panel for panel in panels if panel[3]]
    figure, axes = new_figure(9.0, 0.9 + 1.9 * len(panels), len(panels), 1)
    titled(figure, recording)
    for one, (title, unit, scale, curves) in zip(axes, panels, strict=True):
        for k, (name, values) in enumerate(curves.items()):
            one.plot(recording.times, scale * values, color=CYCLE[k % len(CYCLE)], linewidth=1.2, label=name)
        labelled(one, title, "time (s)", unit)
        one.set_xlim(recording.times[0], recording.times[-1])
        legend(one, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save_figure(figure, target)
    drawn = {"time": recording.times, **dict(zip(recording.control_names, recording.control_rows().T, strict=True))}
    for field in ("position", "force"):
        drawn |= {f"{name} {field}": values for name, values in columns(lengths + angles, field).items()}
    return drawn


def _driven(recording: Recording) -> tuple[list[str], list[str]]:
    """Names of the joints with a cylinder or motor: of those that move along, and of those that turn."""
    lengths: list[str] = []
    angles: list[str] = []
    if recording.joint_names:
        joints = recording.scene.assembled().joints
        for name, joint in zip(recording.joint_names, joints, strict=True):
            if joint.kind == "cylinder" or getattr(joint, "motor", None) is not None:
                (lengths if joint.kind in ALONG else angles).append(name)
    return lengths, angles
