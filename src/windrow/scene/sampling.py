"""From functions to the samples that obstacles and ground are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.messages import shown
from windrow.scene.shapes import Box, DistanceGrid
from windrow.scene.terrain import Terrain

MOST_SAMPLES = 20_000_000
SAMPLES_AT_ONCE = 1 << 18
"""Points per call of the function: its temporaries stay small."""


def sampled_distance(
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]], lower: Any, upper: Any, spacing: float
) -> DistanceGrid:
    """Signed distances of `function` on a grid of that spacing over the box from lower to upper, m."""
    size = np.array(Box(size=np.subtract(upper, lower)).size)
    if not (isinstance(spacing, int | float) and 0 < spacing <= size.min()):
        raise SceneError(
            f"spacing must be more than 0 and at most the box's shortest edge (got {shown(spacing)})"
        )
    steps = np.ceil(size / spacing - 1e-9)
    if np.prod(steps + 1) > MOST_SAMPLES:
        raise SceneError(
            f"spacing {spacing:g} m needs {np.prod(steps + 1):.3g} samples, more than {MOST_SAMPLES}; "
            "use a larger spacing or a smaller box"
        )
    counts = tuple(int(step) + 1 for step in steps)
    origin = np.array(lower, dtype=np.float64)
    values = np.empty(int(np.prod(counts)))
    for begin in range(0, len(values), SAMPLES_AT_ONCE):
        numbers = np.arange(begin, min(len(values), begin + SAMPLES_AT_ONCE))
        points = origin + spacing * np.stack(np.unravel_index(numbers, counts), axis=1)
        distances = np.asarray(function(points))
        if distances.shape != (len(points),):
            raise SceneError(
                f"a distance function takes points (n, 3) and returns distances (n,); for {points.shape} "
                f"it returned shape {distances.shape}"
            )
        values[numbers] = distances
    if not np.isfinite(values).all():
        raise SceneError("the distance function returned NaN or infinity inside of the box")
    return DistanceGrid(lower=lower, spacing=float(spacing), values=values.reshape(counts))


def sampled_heights(
    function: Callable[[NDArray[np.float64], NDArray[np.float64]], Any], size: Any, cell: float, position: Any
) -> NDArray[np.float32]:
    """Heights (nx, ny) of a function of x and y in the middles of all cells, m."""
    if size is None:
        raise SceneError("size: is needed when the height is a function")
    flat = Terrain(size=size, cell=cell, soil="dry_sand", position=position)
    nx, ny = flat.cells()
    x = flat.position[0] + flat.cell * (np.arange(nx) - 0.5 * (nx - 1))
    y = flat.position[1] + flat.cell * (np.arange(ny) - 0.5 * (ny - 1))
    heights = np.empty((nx, ny), np.float32)
    rows = max(1, SAMPLES_AT_ONCE // ny)
    for begin in range(0, nx, rows):
        places = np.meshgrid(x[begin : begin + rows], y, indexing="ij")
        found = np.asarray(function(*places))
        if found.shape not in ((), places[0].shape):
            raise SceneError(
                f"height: a function takes x and y, arrays of one shape, and returns heights of that shape; for "
                f"{places[0].shape} it returned {found.shape}"
            )
        heights[begin : begin + rows] = found
    return heights
