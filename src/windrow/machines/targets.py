"""How near ground has come to a target surface: depth and slope errors, what is left, what was dug too deep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.machines.columns import TerrainColumns
from windrow.scene.targets import Pad, Plan, Trench
from windrow.state.state import State

BESIDE = 1.0
"""m on both sides of a trench in which ground that is lower than it was counts as dug too wide"""


@dataclass(frozen=True)
class Finish:
    """Ground beside its target. Heights count up: what is positive is too high."""

    within: float
    """share of the wanted area that is within the tolerance, 0 to 1"""
    depth_error: float
    """mean height of the floor above the target, m"""
    scatter: float
    """root of the mean square of that error, m"""
    slope_error: float
    """largest difference of the floor's slope from that of the target, along or across, m per m"""
    left: float
    """m³ above the target"""
    over_dig: float
    """m³ below it; of a trench also what is lower than it was, up to 1 m beside it"""

    def told(self) -> dict[str, float]:
        return {
            "within": round(self.within, 4),
            "depth_error": round(self.depth_error, 4),
            "scatter": round(self.scatter, 4),
            "slope_error": round(self.slope_error, 5),
            "left": round(self.left, 4),
            "over_dig": round(self.over_dig, 4),
        }


class Survey:
    """Looks at the ground under one target again and again, beside what it was at first."""

    def __init__(
        self,
        plan: Plan,
        terrain: TerrainColumns,
        tolerance: float = 0.03,
        beside: float = 0.0,
        state: State | None = None,
    ) -> None:
        """beside: width to both sides where ground must not become lower, m."""
        self.plan, self.tolerance, self.cell = plan, tolerance, terrain.cell
        x, y = np.meshgrid(terrain.x, terrain.y, indexing="ij")
        u, v = plan.local(x, y)
        near = (np.abs(u) <= plan.half[0]) & (np.abs(v) <= plan.half[1] + plan.side + beside)
        rows, columns = np.nonzero(near)
        if not plan.surface(x, y)[1].any():
            raise SceneError(
                f"target: no cell of the ground lies in it; its middle is ({plan.middle[0]:g}, {plan.middle[1]:g}) m"
            )
        self._box = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
        self._near = near[self._box]
        self._u, self._v = u[self._box], v[self._box]
        goal, wanted, floor = plan.surface(x, y)
        self._goal, self._wanted, self._floor = goal[self._box], wanted[self._box], floor[self._box]
        self._corner = float(terrain.x[0]), float(terrain.y[0])
        self._start = self._surface(terrain, state)

    def _surface(self, terrain: TerrainColumns, state: State | None) -> NDArray[np.float64]:
        """Heights in the box, with those of grains that lie there as dense as the ground."""
        height, area = terrain.height[self._box], self.cell * self.cell
        if state is None or state.count == 0:
            return height
        X, w = state.X[: state.count].astype(np.float64), state.V[: state.count, 3].astype(np.float64)
        i, j = (
            np.floor((X[:, a] - self._corner[a]) / self.cell + 0.5).astype(np.int64) - self._box[a].start
            for a in range(2)
        )
        n, m = height.shape
        inside = (w > 0.0) & (i >= 0) & (i < n) & (j >= 0) & (j < m)
        weight = np.bincount(i[inside] * m + j[inside], 1.0 / w[inside], n * m).reshape(n, m)
        return np.asarray(height + weight / (area * terrain.density[self._box]))

    def look(self, terrain: TerrainColumns, state: State | None = None) -> Finish:
        """The ground as it is now; with the simulation's state, grains that lie on it count as ground."""
        height, area = self._surface(terrain, state), self.cell * self.cell
        error = (height - self._goal)[self._wanted]
        floor = (height - self._goal)[self._floor]
        outside = self._near & ~self._wanted
        lower = np.maximum(self._start - height, 0.0)[outside]
        return Finish(
            within=float((np.abs(error) <= self.tolerance).mean()),
            depth_error=float(floor.mean()),
            scatter=float(np.sqrt((floor * floor).mean())),
            slope_error=max(abs(_slope(floor, part[self._floor])) for part in (self._u, self._v)),
            left=float(np.maximum(error, 0.0).sum()) * area,
            over_dig=float(np.maximum(-error, 0.0).sum() + lower.sum()) * area,
        )


def survey(
    target: Trench | Pad, terrain: TerrainColumns, tolerance: float = 0.03, state: State | None = None
) -> Survey:
    """Of a scene's target, on `simulation.terrain` before the work begins."""
    return Survey(target.plan(), terrain, tolerance, BESIDE if isinstance(target, Trench) else 0.0, state)


def _slope(error: NDArray[np.float64], way: NDArray[np.float64]) -> float:
    """Of the straight line that fits errors along a way best."""
    off = way - way.mean()
    spread = float((off * off).sum())
    return float((off * (error - error.mean())).sum()) / spread if spread > 0.0 else 0.0
