"""From a distance function to the samples an obstacle is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.messages import shown
from windrow.scene.shapes import Box, DistanceGrid

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
