"""Patches: what can be seen of ground that has changed, tile by tile, for those who look at frames.

What is not in a patch looks as it did at the start, which the scene says.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F32, F64, U8
from windrow.scene.terrain import Terrain
from windrow.terrain import kernels
from windrow.terrain.building import heights_of
from windrow.terrain.ground import Ground
from windrow.terrain.layers import TILE


@dataclass
class Patches:
    """Tiles that are no longer as they were at the start."""

    tile: NDArray[np.int32]
    """(n, 2) number along x and y"""
    height: F32
    """(n, TILE, TILE) above the terrain's position, m"""
    soil: U8
    """(n, TILE, TILE) of the uppermost layer: number of the layer it was at the start"""
    version: NDArray[np.int64]
    """(n,) grows with each change of a tile"""

    def since(self, version: int) -> Patches:
        """Those of them that changed after a version."""
        new = self.version > version
        return Patches(self.tile[new], self.height[new], self.soil[new], self.version[new])

    def __len__(self) -> int:
        return len(self.tile)


def no_patches() -> Patches:
    return Patches(
        np.zeros((0, 2), np.int32),
        np.zeros((0, TILE, TILE), np.float32),
        np.zeros((0, TILE, TILE), np.uint8),
        np.zeros(0, np.int64),
    )


def patches_of(ground: Ground, since: int = 0) -> Patches:
    """Copies of the tiles that changed after a version."""
    where = np.argwhere(ground.version > since).astype(np.int32, order="C")
    height = np.zeros((len(where), TILE, TILE), np.float32)
    soil = np.zeros((len(where), TILE, TILE), np.uint8)
    kernels.read_tiles(ground.columns, where, ground.nx, ground.ny, height)
    kernels.read_soils(ground.columns, where, soil)
    return Patches(where, height, soil, ground.version[where[:, 0], where[:, 1]])


class Relief:
    """The surface of a scene's terrain as frames show it."""

    def __init__(self, terrain: Terrain, base_dir: Path | str = ".") -> None:
        self.terrain = terrain
        self._start = heights_of(terrain, base_dir)
        self.height: F32 = self._start.copy()
        """(nx, ny) above the terrain's position, m"""
        self.soil: U8 = np.zeros(self.height.shape, np.uint8)
        """(nx, ny) number of the uppermost layer's soil"""
        self.cell = float(terrain.cell)
        self.position: F64 = np.array(terrain.position, np.float64)
        self.base = float(self._start.min()) - terrain.depth
        """m above the position"""
        self._shown: dict[tuple[int, int], int] = {}
        """version of each tile that is not as it was at the start"""

    @property
    def tiles(self) -> tuple[int, int]:
        nx, ny = self.height.shape
        return -(-nx // TILE), -(-ny // TILE)

    def show(self, patches: Patches | None) -> list[tuple[int, int]]:
        """Makes the surface that of a frame; returns the tiles that this changed."""
        patches = no_patches() if patches is None else patches
        wanted = {(int(x), int(y)): k for k, (x, y) in enumerate(patches.tile)}
        changed = []
        for place in [place for place in self._shown if place not in wanted]:
            self._put(place, self._tile_of(self._start, place), 0)
            del self._shown[place]
            changed.append(place)
        for place, k in wanted.items():
            if self._shown.get(place) != int(patches.version[k]):
                self._put(place, patches.height[k], patches.soil[k])
                self._shown[place] = int(patches.version[k])
                changed.append(place)
        return changed

    def at_start(self) -> Relief:
        """Itself, without patches."""
        self.show(None)
        return self

    def box(self) -> tuple[F64, F64]:
        """Around all of the ground, in the world, m."""
        half = 0.5 * self.cell * np.array(self.height.shape)
        low, high = self.base, float(self.height.max())
        return self.position + np.append(-half, low), self.position + np.append(half, high)

    def _tile_of(self, array: NDArray[np.float32], place: tuple[int, int]) -> NDArray[np.float32]:
        i, j = place[0] * TILE, place[1] * TILE
        return array[i : i + TILE, j : j + TILE]

    def _put(self, place: tuple[int, int], height: NDArray[np.float32], soil: U8 | int) -> None:
        i, j = place[0] * TILE, place[1] * TILE
        here = self.height[i : i + TILE, j : j + TILE]
        n, m = here.shape
        here[:] = height[:n, :m]
        self.soil[i : i + TILE, j : j + TILE] = soil if isinstance(soil, int) else soil[:n, :m]
