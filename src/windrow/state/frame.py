"""Frame: a copy of what there is to see at one moment, for recorders, viewers, plots and measures.

Grains are in the order of their ids. Nothing here is connected to a running simulation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.terrain.patches import Patches


@dataclass
class Frame:
    time: float
    """s"""
    step: int
    id: NDArray[np.int64]
    """(n,)"""
    position: NDArray[np.float32]
    """(n, 3) m"""
    velocity: NDArray[np.float32]
    """(n, 3) m/s"""
    radius: NDArray[np.float32]
    """(n,) m"""
    mass: NDArray[np.float32]
    """(n,) kg; infinite for a pinned grain"""
    material: NDArray[np.int32]
    """(n,) index into material_names"""
    force: NDArray[np.float32]
    """(n, 3) sum of the contact forces on each grain, N"""
    body_names: list[str]
    body_position: NDArray[np.float64]
    """(b, 3) m; the obstacles of the scene, then its rigid bodies, in its order"""
    body_rotation: NDArray[np.float64]
    """(b, 3, 3) local to world"""
    body_force: NDArray[np.float64]
    """(b, 3) force of all that touches it, N"""
    body_torque: NDArray[np.float64]
    """(b, 3) its torque about body_position, N m"""
    material_names: list[str]
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    """(n,) or (n, width) each: what the solver records of each grain beyond that, by name"""
    column_notes: dict[str, dict[str, str]] = field(default_factory=dict)
    """"unit" and "description" of each column"""
    ground: Patches | None = None
    """tiles of the terrain that have changed since the start; none: the scene has no terrain"""
    notes: dict[str, Any] = field(default_factory=dict)
    """ledger and timings of the step the frame was taken after; "changes": numbers of the scene that were changed while
    it ran, as [time, path, value]"""
    control_names: list[str] = field(default_factory=list)
    controls: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """(c,) how each control is set, −1…1"""
    joint_names: list[str] = field(default_factory=list)
    joint_position: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """(j,) angle, rad, displacement or length, m; 0 for a joint without"""
    joint_rate: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """(j,) rad/s or m/s"""
    joint_force: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """(j,) force, N, or torque, N m, of its cylinder or motor over the last step; 0 for a joint without"""
