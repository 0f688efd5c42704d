"""Names for the tuples and arrays that pass between compiled functions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]

Point = tuple[float, float, float]
"""x, y, z in m, in the shape's own frame."""

Distance = tuple[float, float, float, float]
"""Signed distance in m and the unit normal: d, nx, ny, nz."""

Closest = tuple[float, float, float, float, float, float, float]
"""Signed distance in m, unit normal, closest surface point: d, nx, ny, nz, cx, cy, cz."""

Crossing = tuple[float, float, float, float]
"""Where a segment meets a surface: t in 0…1 (2: nowhere), and the unit normal on the side it came from."""
