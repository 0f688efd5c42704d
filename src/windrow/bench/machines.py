"""Each built-in machine alone on hard ground: milliseconds per step at rest, driving, and with all levers."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from windrow.scene.scene import Scene
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60
LIMIT = 0.4
"""ms per step that a machine alone may take"""
SETTLE = 2.0
DRIVES = ("throttle", "left_track", "right_track")


def machine_alone(model: str) -> MultibodyStepper:
    """On a plane, come to rest."""
    scene = Scene()
    scene.add_material("ground", density=2000.0, friction_static=0.8)
    scene.add_plane((0, 0, 1), 0.0, "ground")
    scene.add_machine(model)
    bodies = MultibodyStepper(scene)
    for _ in range(round(SETTLE / DT)):
        bodies.step(DT)
    return bodies


def machine_rows(model: str, seconds: float = 6.0) -> list[dict[str, Any]]:
    """One machine doing one thing after the other."""
    bodies, rows = machine_alone(model), []
    names = bodies.joints.controls
    for what, levers in (
        ("at rest", {}),
        ("driving", {name: 0.5 for name in names if name in DRIVES}),
        ("all levers", {name: 0.4 * (-1) ** k for k, name in enumerate(names) if name != "brake"}),
    ):
        for name in names:
            bodies.control(name, levers.get(name, 0.0))
        spent, pivots = [], 0
        for _ in range(round(seconds / DT)):
            begin = perf_counter()
            pivots += bodies.step(DT).pivots
            spent.append(1e3 * (perf_counter() - begin))
        row = {"ms per step": float(np.median(spent)), "99 %": float(np.percentile(spent, 99)), "limit": LIMIT}
        rows.append({"what": f"{model}, {what}", **row, "solutions per step": pivots / len(spent)})
    return rows
