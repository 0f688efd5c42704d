"""Ground as triangles to draw: fine near the eye, coarse far away, smooth everywhere.

Each tile is drawn with every 1st, 2nd, 4th … height, so that triangles have a few pixels wherever they are. Normals
come from the heights themselves, so that no facets show. Where a fine tile meets a coarse one, skirts hang down from
both and hide the gap. At the edge of the ground walls go down to its bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.render.camera import PixelRays
from windrow.render.colors import linear
from windrow.render.surfaces import NO_TRIANGLES, PosedTriangles, quads, stacked
from windrow.render.targets import Tint, tape
from windrow.scene.soils import soil_named
from windrow.terrain.avalanche import widened
from windrow.terrain.layers import TILE
from windrow.terrain.patches import Relief

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

SAMPLES = 3.0
"""Samples of the picture that an edge of a triangle may cover."""
WALL_SHADE = 0.7
"""Brightness of the walls at the edge over that of the surface."""
WALL_CELLS = 4096
"""Cells along a wall that are drawn at most."""


def soil_colors(scene: Scene, relief: Relief) -> NDArray[np.float64]:
    """(layers, 3) linear colour of each soil of the ground, from the surface down."""
    colors = []
    for k, layer in enumerate(relief.terrain.layers_down()):
        name = relief.terrain.touched if k == 0 else layer.soil
        own = scene.materials[name].color if name in scene.materials else None
        colors.append(linear(own if own is not None else soil_named(layer.soil).color))
    return np.array(colors)


def strides(relief: Relief, view: PixelRays) -> NDArray[np.int64]:
    """Every which height of each tile is drawn."""
    tx, ty = np.meshgrid(*(np.arange(n) for n in relief.tiles), indexing="ij")
    middle = _places(relief, tx * TILE + 0.5 * TILE, ty * TILE + 0.5 * TILE)
    reach = 0.75 * TILE * relief.cell
    mean = float(relief.height.mean(dtype=np.float64))
    off = np.stack([*middle, np.full(tx.shape, mean + relief.position[2])], axis=-1) - view.eye
    far = np.maximum(norm(off) - reach, relief.cell)
    wanted = SAMPLES * far / (view.focal * relief.cell)
    stride = np.ones(tx.shape, np.int64)
    for step in (2, 4, 8, 16, 32):
        stride[wanted >= step] = step
    return stride


def relief_triangles(
    relief: Relief, colors: NDArray[np.float64], view: PixelRays, tint: Tint | None = None
) -> PosedTriangles:
    """The surface, as seen from a view."""
    stride = strides(relief, view)
    parts = [NO_TRIANGLES]
    for step in np.unique(stride).tolist():
        tiles = np.argwhere(stride == step)
        parts.append(_tiles(relief, colors, tiles, step, tint))
        parts.append(_skirts(relief, colors, np.argwhere(widened(stride != step) & (stride == step)), step))
    parts.append(_walls(relief, colors))
    if tint is not None:
        parts.append(tape(tint.plan))
    return stacked(parts)


def _places(relief: Relief, i: NDArray[Any], j: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x and y in the world of cells; the outermost lie on the edge."""
    result = []
    for axis, index in enumerate((i, j)):
        n = relief.height.shape[axis]
        place = index - 0.5 * (n - 1)
        place = np.where(index <= 0, -0.5 * n, np.where(index >= n - 1, 0.5 * n, place))
        result.append(relief.position[axis] + relief.cell * place)
    return result[0], result[1]


def _points(
    relief: Relief, colors: NDArray[np.float64], i: NDArray[np.int64], j: NDArray[np.int64], step: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Places, normals and colours of cells (arrays of one shape)."""
    nx, ny = relief.height.shape
    x, y = _places(relief, i, j)
    z = relief.height[i, j].astype(np.float64) + relief.position[2]
    left, right = np.maximum(i - step, 0), np.minimum(i + step, nx - 1)
    near, far = np.maximum(j - step, 0), np.minimum(j + step, ny - 1)
    h = relief.height
    slope_x = (h[right, j].astype(np.float64) - h[left, j]) / (relief.cell * (right - left))
    slope_y = (h[i, far].astype(np.float64) - h[i, near]) / (relief.cell * (far - near))
    normal = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)], axis=-1)
    normal /= norm(normal)[..., None]
    return np.stack([x, y, z], axis=-1), normal, colors[relief.soil[i, j]]


def _tiles(
    relief: Relief, colors: NDArray[np.float64], tiles: NDArray[np.int64], step: int, tint: Tint | None
) -> PosedTriangles:
    nx, ny = relief.height.shape
    along = np.arange(0, TILE + 1, step)
    i = np.minimum(tiles[:, 0, None] * TILE + along, nx - 1)
    j = np.minimum(tiles[:, 1, None] * TILE + along, ny - 1)
    grid = np.broadcast_arrays(i[:, :, None], j[:, None, :])
    place, normal, color = _points(relief, colors, grid[0], grid[1], step)
    return quads(place, normal, color if tint is None else tint.colored(place, color))


def _skirts(relief: Relief, colors: NDArray[np.float64], tiles: NDArray[np.int64], step: int) -> PosedTriangles:
    """Strips that hang down from the edges of tiles."""
    if len(tiles) == 0:
        return NO_TRIANGLES
    along = np.arange(0, TILE + 1, step)
    parts = []
    for axis in range(2):
        for end in (0, TILE):
            own = np.minimum(tiles[:, axis, None] * TILE + end, relief.height.shape[axis] - 1)
            other = np.minimum(tiles[:, 1 - axis, None] * TILE + along, relief.height.shape[1 - axis] - 1)
            own = np.broadcast_to(own, other.shape)
            i, j = (own, other) if axis == 0 else (other, own)
            place, normal, color = _points(relief, colors, i, j, step)
            low = place - [0.0, 0.0, step * relief.cell]
            both = (place, low), (normal, normal), (color, color)
            parts.append(quads(*(np.stack(two, axis=-3) for two in both)))
    return stacked(parts)


def _walls(relief: Relief, colors: NDArray[np.float64]) -> PosedTriangles:
    """Upright walls from the edge down to the bottom, which show the layers."""
    parts = []
    bottom = relief.base + relief.position[2]
    for axis in range(2):
        n = relief.height.shape[1 - axis]
        along = np.unique(np.linspace(0, n - 1, min(n, WALL_CELLS)).astype(np.int64))
        for end, out in ((0, -1.0), (relief.height.shape[axis] - 1, 1.0)):
            own = np.full(along.shape, end)
            i, j = (own, along) if axis == 0 else (along, own)
            high, _, _ = _points(relief, colors, i, j, 1)
            normal = np.zeros_like(high)
            normal[:, axis] = out
            for k, layer in enumerate(relief.terrain.layers_down()):
                low = high.copy()
                low[:, 2] = bottom if layer.thickness is None else np.maximum(high[:, 2] - layer.thickness, bottom)
                color = np.broadcast_to(WALL_SHADE * colors[k], high.shape)
                both = (high, low), (normal, normal), (color, color)
                parts.append(quads(*(np.stack(two) for two in both)))
                high = low
    return stacked(parts)
