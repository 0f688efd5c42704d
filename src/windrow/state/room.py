"""Memory that is there when it is needed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LINE = 64
"""Bytes of a cache line."""


def room(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Zeros that begin with a cache line, in memory that the machine has given already.

    `np.zeros` only promises it, and a page that is first written to within a step takes as long as a hundred contacts;
    and it begins anywhere, so that half of all vectors of eight would lie in two lines.
    """
    size = math.prod((shape,) if isinstance(shape, int) else shape) * np.dtype(dtype).itemsize
    memory = np.empty(size + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    memory.fill(0)
    return memory[begin : begin + size].view(dtype).reshape(shape)
