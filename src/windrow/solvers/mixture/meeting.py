"""Where grains and liquid meet: who is near whom, the room that each leaves the other, and what they exchange."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.collide.grid import bounds_of, cells_most, cells_of, grid_size, sort_by_cell
from windrow.geometry.terms import F32
from windrow.kernel import BLOCK
from windrow.scene.settings import Mixture
from windrow.solvers.mixture.exchange import Bodies, Cells, Flow, Near, crowd, exchange, meet
from windrow.solvers.smoothed.spline import Spline
from windrow.solvers.smoothed.surroundings import Surroundings
from windrow.state.model import Model
from windrow.state.state import State

F: Any = np.float32
GLANCE = 1e-6
"""s; walls are looked for where they are, not where they go."""


class Meeting:
    """Workspace."""

    def __init__(self, settings: Mixture, model: Model) -> None:
        capacity = model.capacity
        self.settings = settings
        self.table = np.array([made_of.density for made_of in model.scene.materials.values()], np.float32)
        self.bounds = np.zeros(((capacity + BLOCK - 1) // BLOCK + 1, 6), np.float32)
        self.cell, self.order = np.zeros(capacity, np.int32), np.zeros(capacity, np.int32)
        self.begin = np.zeros(0, np.int32)
        self.start = np.zeros(capacity + 1, np.int64)
        self.near = Near(self.start, np.zeros(0, np.int32), np.zeros(0, np.float32))
        self.A = np.zeros((capacity + 8, 8), np.float32)
        self.around = Surroundings(model)
        self.V, self.U = (np.zeros((capacity, 4), np.float32) for _ in range(2))

    def find(self, grains: State, water: State, spline: Spline) -> None:
        """Lists the particles of liquid within h of each grain, and notes what room the grains take of the liquid's."""
        n, m, h = grains.count, water.count, float(spline.h)
        water.columns["solid"][:m] = 0.0
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
            self.near = Near(self.start, np.zeros(room, np.int32), np.zeros(room, np.float32))
        meet(grains.X, n, water.X, table, spline.h, bulk, self.near, True)
        crowd(grains.X, n, self.near, float(spline.volume), m, water.columns["solid"])

    def push(self, grains: State, water: State, dt: float, spline: Spline, gained: F32) -> None:
        """Forces of both on each other, into their column `flow`; nothing moves yet. gained: see `exchange`."""
        n, m = grains.count, water.count
        grains.columns["flow"][:n] = 0.0
        water.columns["flow"][:m] = 0.0
        if n == 0 or m == 0 or int(self.start[n]) == 0:
            return
        self.around.find(grains, self.A, 0.0, GLANCE, GLANCE, spline, None)
        walls = self.around.walls.fill
        self.V[:n], self.U[:m] = grains.V[:n], water.V[:m]
        frozen = grains.flags[:n] != 0
        self.V[:n, 3][frozen] = 0.0
        density = self.table[water.material[:m]]
        s = self.settings
        numbers = Flow(F(dt), spline.h, F(spline.volume * spline.height), F(max(s.viscosity, 1e-9)), s.drag)
        dry = Bodies(grains.X, self.V, grains.columns["flow"])
        wet = Bodies(water.X, self.U, water.columns["flow"])
        exchange(dry, n, wet, self.near, walls, gained, water.columns["solid"], density, numbers)

    def forget(self) -> None:
        """What it still knows is of another state."""
        self.around.forget()
