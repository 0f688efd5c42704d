"""Where grains and liquid meet: who is near whom, the room that each leaves the other, and what they exchange."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.grid import bounds_of, cells_most, cells_of, grid_size, sort_by_cell
from windrow.geometry.terms import F32
from windrow.kernel import BLOCK
from windrow.scene.settings import Mixture
from windrow.solvers.mixture.exchange import Cells, Flow, Near, PhaseRows, crowd, exchange, meet
from windrow.solvers.smoothed.spline import Spline
from windrow.solvers.smoothed.surroundings import Surroundings
from windrow.state.model import Model
from windrow.state.state import State

F: Any = np.float32
LEAST_VISCOSITY = 1e-9
"""Pa s; drag is reckoned with no less"""
GLANCE = 1e-6
"""s; walls are looked for where they are, not where they go."""


class Immersion:
    """Workspace."""

    def __init__(self, settings: Mixture, model: Model) -> None:
        capacity = model.capacity
        self.settings = settings
        self.table = np.array([made_of.density for made_of in model.scene.materials.values()], np.float32)
        self.bounds = np.zeros(((capacity + BLOCK - 1) // BLOCK + 1, 6), np.float32)
        self.cell, self.order = np.zeros(capacity, np.int32), np.zeros(capacity, np.int32)
        self.begin = np.zeros(0, np.int32)
        self.start = np.zeros(capacity + 1, np.int64)
        self.near = self._near(0)
        self.grain_ids, self.water_ids = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.A = np.zeros((capacity + 8, 8), np.float32)
        self.around = Surroundings(model)

    def _near(self, rows: int) -> Near:
        return Near(self.start, np.zeros(rows, np.int32), np.zeros(rows, np.float32), np.zeros((rows, 3), np.float32))

    def find(self, grains: State, water: State, spline: Spline) -> None:
        """Lists the particles of liquid within h of each grain, and notes what room the grains take of the liquid's."""
        n, m, h = grains.count, water.count, float(spline.h)
        for name in ("solid", "lean", "pressed"):
            water.columns[name][:m] = 0.0
        self.grain_ids, self.water_ids = grains.id[:n].copy(), water.id[:m].copy()
        self.start[: n + 1] = 0
        if n == 0 or m == 0:
            return
        bounds_of(water.X, m, self.bounds)
        low, high = self.bounds[0, :3].copy(), self.bounds[0, 3:].copy()
        size = grid_size(low, high, h, cells_most(len(self.cell)))
        cells = size[0] * size[1] * size[2]
        if len(self.begin) < cells + 2:
            self.begin = np.zeros(cells + cells // 8 + 2, np.int32)
        inverse = F(1.0 / h)
        cells_of(water.X, m, low, inverse, *size, self.cell)
        sort_by_cell(self.cell, m, cells, self.begin, self.order)
        table = Cells(low, inverse, np.array(size, np.int64), self.begin, self.order)
        bulk = F(spline.volume * spline.height)
        meet(grains.X, n, water.X, table, spline.h, bulk, self.near, False)
        np.cumsum(self.start[: n + 1], out=self.start[: n + 1])
        needed = int(self.start[n])
        if needed > len(self.near.particle):
            room = needed + needed // 4 + 64
            self.near = self._near(room)
        meet(grains.X, n, water.X, table, spline.h, bulk, self.near, True)
        every = PhaseRows(grains.X, grains.V, grains.columns["flow"])
        crowd(every, n, self.near, float(spline.volume), m, water.columns["solid"], water.columns["lean"])

    def push(
        self, grains: State, water: State, dt: float, spline: Spline, gained: F32, poses: NDArray[np.float64]
    ) -> None:
        """Forces of both on each other, into their column `flow`, and of the grains' buoyancy on walls.

        gained: see `exchange`. Nothing moves yet. Rows may have another order than in `find`, but are the same.
        """
        n, m = grains.count, water.count
        grains.columns["flow"][:n] = 0.0
        water.columns["flow"][:m] = 0.0
        if n == 0 or m == 0 or int(self.start[n]) == 0:
            return
        self.around.find(grains, self.A, 0.0, GLANCE, GLANCE, spline, None)
        now = places(grains.id[:n], self.grain_ids)
        rows = slice(0, int(self.start[n]))
        self.near.particle[rows] = places(water.id[:m], self.water_ids)[self.near.particle[rows]]
        X, V, U = grains.X[now], grains.V[now], water.V[:m].copy()
        V[grains.flags[now] != 0, 3] = 0.0
        flow, taken = np.zeros((n, 3), np.float32), np.zeros((n, 3), np.float32)
        walls = self.around.walls.fill[now]
        s = self.settings
        numbers = Flow(F(dt), F(spline.volume), F(max(s.viscosity, LEAST_VISCOSITY)), s.drag)
        wet = PhaseRows(water.X, U, water.columns["flow"])
        density = self.table[water.material[:m]]
        exchange(PhaseRows(X, V, flow), n, wet, self.near, walls, gained, density, taken, numbers)
        grains.columns["flow"][now] = flow
        self._book(grains, now[walls > 0.0], taken[walls > 0.0], poses)

    def _book(self, grains: State, rows: NDArray[np.int64], force: F32, poses: NDArray[np.float64]) -> None:
        """What walls get of the grains beside them: the nearest that was found first of each."""
        found = self.around.obstacles
        body = found.body[found.start[rows]]
        each = force.astype(np.float64)
        np.add.at(grains.body_force, body, each)
        np.add.at(grains.body_torque, body, np.cross(grains.X[rows, :3] - poses[body, 9:], each))

    def forget(self) -> None:
        """What it still knows is of another state."""
        self.around.forget()


def places(now: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where those of these ids are now."""
    order = np.argsort(now, kind="stable")
    return np.asarray(order[np.searchsorted(now[order], ids)])
