"""What grains may not be in, from frame to frame: obstacles, the pieces of bodies, and the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.obstacles import Obstacles, obstacles_in_step
from windrow.fixed_math import norm, rotate
from windrow.geometry.pieces import pieces_of
from windrow.geometry.table import heights_changed, heights_in, shape_table
from windrow.geometry.terms import F64
from windrow.scene.digging import with_soil_materials
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.terrain import TerrainSurface
from windrow.state.frame import Frame
from windrow.terrain.layers import TILE
from windrow.terrain.patches import Relief


class Around:
    """The obstacles and bodies of a scene as fine grains meet them."""

    def __init__(self, scene: Scene) -> None:
        self.relief = None if scene.terrain is None else Relief(scene.terrain, scene.base_dir)
        whole = with_soil_materials(scene).assembled()
        pieces = pieces_of(whole)
        plain = [(k, o) for k, o in enumerate(whole.obstacles) if not isinstance(o.shape, TerrainSurface)]
        obstacles = [o for _, o in plain] + list(pieces.obstacles)
        self._body = np.array([k for k, _ in plain] + list(pieces.owner + len(whole.obstacles)), np.int64)
        """row of each shape's body in a frame"""
        self._turn = np.concatenate([np.tile(np.eye(3), (len(plain), 1, 1)), pieces.rotation])
        self._place = np.concatenate([np.zeros((len(plain), 3)), pieces.position])
        if self.relief is not None:
            obstacles.append(_surface(self.relief, whole))
        materials = {name: k for k, name in enumerate(whole.materials)}
        self.table = shape_table(obstacles, materials, scene.base_dir)

    def poses(self, frame: Frame) -> F64:
        """(shapes, 12) rotation, row by row, and position of each; the ground follows the frame, too."""
        rotation = np.asarray(frame.body_rotation, np.float64).reshape(-1, 3, 3)[self._body]
        position = np.asarray(frame.body_position, np.float64).reshape(-1, 3)[self._body]
        turned = np.stack([rotate(rotation, self._turn[:, :, k]) for k in range(3)], axis=2)
        rows = np.concatenate([turned.reshape(-1, 9), position + rotate(rotation, self._place)], axis=1)
        if self.relief is not None:
            self._follow(frame)
            rows = np.concatenate([rows, np.append(np.eye(3).ravel(), self.relief.position)[None]])
        return np.ascontiguousarray(rows)

    def between(self, pose0: F64, pose1: F64) -> tuple[Obstacles, float]:
        """For the kernels, and how far any of them moves, m."""
        return obstacles_in_step(self.table, pose0, pose1)

    def _follow(self, frame: Frame) -> None:
        assert self.relief is not None
        row = len(self.table.kind) - 1
        heights = heights_in(self.table, row)
        nx, ny = self.relief.height.shape
        for i, j in self.relief.show(frame.ground):
            a, b, c, d = i * TILE, min((i + 1) * TILE, nx), j * TILE, min((j + 1) * TILE, ny)
            heights[a + 1 : b + 1, c + 1 : d + 1] = self.relief.height[a:b, c:d]
            _edge(heights)
            heights_changed(self.table, row, a, b + 1, c, d + 1)


def interpolated(pose0: F64, pose1: F64, share: float) -> F64:
    """Poses between two; rotations are mixed and made square again, which is exact in the middle and close
    elsewhere."""
    rows = (1.0 - share) * pose0 + share * pose1
    turned = (pose0[:, :9] != pose1[:, :9]).any(axis=1)
    if turned.any():
        axes = rows[turned, :9].reshape(-1, 3, 3)
        first = axes[:, 0] / norm(axes[:, 0])[:, None]
        third = np.cross(first, axes[:, 1])
        third = third / norm(third)[:, None]
        rows[turned, :9] = np.stack([first, np.cross(third, first), third], axis=1).reshape(-1, 9)
    return rows


def _surface(relief: Relief, scene: Scene) -> Obstacle:
    """The ground as a height field that goes half a cell beyond the outermost heights."""
    heights: NDArray[np.float32] = np.pad(relief.height, 1, mode="edge")
    size = tuple(float((n + 1) * relief.cell) for n in relief.height.shape)
    shape = TerrainSurface.model_construct(size=size, heights=heights)
    last = scene.obstacles[-1]
    return last.model_copy(update={"shape": shape})


def _edge(heights: NDArray[np.float32]) -> None:
    """Repeats the outermost heights in the rim around them."""
    heights[0, :], heights[-1, :] = heights[1, :], heights[-2, :]
    heights[:, 0], heights[:, -1] = heights[:, 1], heights[:, -2]
