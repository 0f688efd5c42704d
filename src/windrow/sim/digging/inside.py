"""Which of the grains that are laid would lie in an obstacle or a body: only those near its ball are measured."""

from __future__ import annotations

import numpy as np

from windrow.fixed_math import norm, rotate
from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F64, U8
from windrow.kernel import bare_kernel
from windrow.terrain.bricks import Laid

ROUNDED = 1.00001
"""By which balls around obstacles are taken larger, for rounding."""


def find_inside(laid: Laid, fresh: int, walls: list[tuple[ShapeTable, F64]], slack: float, hit: U8) -> None:
    """Marks those laid that would lie deeper than `slack` (m) in one of the obstacles; walls: tables, and poses now."""
    hit[:fresh] = 0
    if fresh == 0:
        return
    X = laid.X[:fresh]
    inside, near = np.zeros(fresh, np.bool_), np.zeros(fresh, np.uint8)
    for table, poses in walls:
        close, balls = _near_box(table, poses, X)
        if len(balls):
            find_near(laid, fresh, balls, near)
            chosen = np.flatnonzero(near)
            distance, _ = distance_to_obstacles(close, poses, X[chosen, :3])
            inside[chosen] |= distance < X[chosen, 3] - slack
    hit[:fresh] = inside


def _near_box(table: ShapeTable, poses: F64, X: F64) -> tuple[ShapeTable, F64]:
    """A table of those obstacles that may touch balls X (n, 4), and balls around these obstacles (m, 4), m; those of
    which nothing is known have a negative radius."""
    if len(X) == 0:
        return table, np.zeros((0, 4))
    rows = table.solids
    bound = table.bound[rows].astype(np.float64)
    turn = poses[rows, :9].reshape(-1, 3, 3)
    balls = np.concatenate([rotate(turn, bound[:, :3]) + poses[rows, 9:], bound[:, 3:] * ROUNDED], axis=1)
    balls[table.inside[rows] < 0, 3] = -1.0  # outside of a container is in its wall
    largest = X[:, 3].max()
    apart = norm(np.maximum(np.maximum(X[:, :3].min(axis=0) - balls[:, :3], balls[:, :3] - X[:, :3].max(axis=0)), 0.0))
    near = (balls[:, 3] < 0.0) | (apart <= balls[:, 3] + largest)
    balls = np.concatenate([balls[near], np.full((len(table.planes), 4), -1.0)])
    return table._replace(solids=rows[near]), balls


@bare_kernel
def find_near(laid: Laid, fresh: int, balls: F64, hit: U8) -> None:
    """Marks those laid that come near one of the balls (n, 4), m; a ball without radius is near everything."""
    for k in range(fresh):
        hit[k] = 0
        x, y, z, r = laid.X[k, 0], laid.X[k, 1], laid.X[k, 2], laid.X[k, 3]
        for s in range(len(balls)):
            dx, dy, dz, reach = x - balls[s, 0], y - balls[s, 1], z - balls[s, 2], balls[s, 3] + r
            if balls[s, 3] < 0.0 or dx * dx + dy * dy + dz * dz <= reach * reach:
                hit[k] = 1
                break
