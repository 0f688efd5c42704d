"""The smallest solver: points that fall freely, and know how old they are. It is one file that tests register.

Nothing outside of this file knows of it. Its column goes through sorting, snapshots, recordings and `sim.particles`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from windrow.collide.levels import finest_size
from windrow.collide.paths import Cutoff
from windrow.scene.settings import SolverBase
from windrow.solvers.interface import Solver
from windrow.solvers.movers.movers import Movers
from windrow.solvers.report import SolverReport
from windrow.solvers.sorting import Sorter
from windrow.state.columns import StateColumn
from windrow.state.model import Model
from windrow.state.state import State


class Falling(SolverBase):
    """Points that meet nothing: v ← v + Δt g, x ← x + Δt v."""

    name: Literal["falling"] = "falling"


class FallingPoints(Solver):
    settings_class = Falling
    columns = (
        StateColumn("age", np.float64, unit="s", description="time since the grain was made", recorded=True, low=0.0),
        StateColumn("tint", np.uint8, 3, description="red, green, blue", recorded=True, default=(1, 2, 3)),
    )

    def __init__(self, settings: Falling, model: Model) -> None:
        super().__init__(settings, model)
        self.sorter = Sorter(model.capacity, self.columns)

    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        if state.count == 0:
            return
        rows = np.concatenate([state.X, state.V], axis=1)
        self.sorter.sort(state, rows, np.empty_like(rows), finest_size(state.X[: state.count, 3]), Cutoff.still(0.0))
        n = state.count
        state.V[:n, :3] += np.where(state.V[:n, 3:] > 0, np.float32(dt) * self.model.gravity, np.float32(0.0))
        state.X[:n, :3] += np.float32(dt) * state.V[:n, :3]
        state.columns["age"][:n] += dt
