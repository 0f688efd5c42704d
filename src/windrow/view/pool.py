"""One block of numbers that all triangles, balls and heights of a description lie in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = int.from_bytes(b"WRM1", "little")


class Pool:
    """One run of numbers that several meshes share."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.float32]] = []
        self._used = 0

    def add(self, values: NDArray[Any]) -> list[int]:
        """Where the numbers lie: first and count."""
        flat = np.ascontiguousarray(values, "<f4").reshape(-1)
        self._parts.append(flat)
        self._used += len(flat)
        return [self._used - len(flat), len(flat)]

    def block(self, generation: int) -> bytes:
        """magic, generation, count, 0 as uint32, then the numbers."""
        head = np.array([MAGIC, generation, self._used, 0], "<u4")
        return b"".join([head.tobytes(), *(part.tobytes() for part in self._parts)])
