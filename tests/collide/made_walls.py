"""Grains, poses and a rigid stand-in for a solver, for the tests of wall contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from windrow.collide.holding import hold_at_walls
from windrow.collide.walls import WallContacts, find_walls
from windrow.geometry.table import ShapeTable, shape_table
from windrow.scene.motion import pose_at
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import Mesh, Shape

DT = 1 / 60


def obstacle(shape: Shape, **more) -> Obstacle:
    return Obstacle(shape=shape, material="m", **more)


def table_of(obstacles: Sequence[Obstacle]) -> ShapeTable:
    return shape_table(obstacles, {"m": 0}, ".")


def poses(obstacles: Sequence[Obstacle], time: float) -> np.ndarray:
    rows = []
    for o in obstacles:
        position, rotation = pose_at(o, time)
        rows.append([*np.ravel(rotation), *position])
    return np.array(rows, dtype=np.float64).reshape(-1, 12)


def sheet_mesh(half: float, cuts: int = 1) -> Mesh:
    """A flat open sheet at z = 0 of 2·cuts² triangles."""
    axis = np.linspace(-half, half, cuts + 1)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    n = np.arange((cuts + 1) ** 2).reshape(cuts + 1, cuts + 1)
    a, b, c, d = n[:-1, :-1].ravel(), n[1:, :-1].ravel(), n[1:, 1:].ravel(), n[:-1, 1:].ravel()
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return Mesh(vertices=np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]), faces=faces)


@dataclass
class Grains:
    """Grains that fly freely and are put back in front of the planes they meet."""

    position: np.ndarray
    velocity: np.ndarray
    radius: np.ndarray
    held: int = 0
    """grains that the last step had to hold at a wall"""

    def __post_init__(self) -> None:
        self.position = np.array(self.position, np.float64).reshape(-1, 3)
        n = len(self.position)
        self.velocity = np.array(np.broadcast_to(self.velocity, (n, 3)), np.float64)
        self.radius = np.array(np.broadcast_to(self.radius, n), np.float64)
        self.contacts = WallContacts(n)

    def find(
        self, obstacles: Sequence[Obstacle], table: ShapeTable, time: float = 0.0, margin: float = 1e-3
    ) -> np.ndarray:
        """Contacts for the step that begins at `time`; returns the predicted rows."""
        n = len(self.position)
        X = np.zeros((n, 4), np.float32)
        X[:, :3], X[:, 3] = self.position, self.radius
        self.X = X
        P = np.zeros((n, 8), np.float32)
        P[:, :3] = self.position + DT * self.velocity
        P[:, 3] = self.radius
        P[:, 4:7] = P[:, :3] - X[:, :3]
        P[:, 7] = 1
        material = np.zeros(n, np.int32)
        before, after = poses(obstacles, time), poses(obstacles, time + DT)
        find_walls(X, P, material, n, table, before, after, margin, 1, self.contacts)
        return P

    def step(
        self,
        obstacles: Sequence[Obstacle],
        table: ShapeTable,
        time: float = 0.0,
        hardness: float = 1.0,
        hold: bool = False,
    ) -> None:
        """One step; a grain is put back to `hardness` of its radius in front of its planes.

        With `hold`, centres that went through a wall all the same are held.
        """
        P = self.find(obstacles, table, time)
        C = self.contacts
        p = P[:, :3].astype(np.float64)
        for i in range(len(p)):
            for _ in range(8):
                for k in range(C.start[i], C.end[i]):
                    gap = C.plane[k, :3] @ p[i] - C.plane[k, 3] - hardness * self.radius[i]
                    if gap < 0:
                        p[i] -= gap * C.plane[k, :3]
        P[:, :3] = p
        self.held = hold_at_walls(self.X, P, len(p), C) if hold else 0
        p = P[:, :3].astype(np.float64)
        self.velocity = (p - self.position) / DT
        self.position = p

    def of(self, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Planes, slides and bodies of grain i."""
        C = self.contacts
        rows = slice(C.start[i], C.end[i])
        return C.plane[rows], C.slide[rows], C.body[rows]
