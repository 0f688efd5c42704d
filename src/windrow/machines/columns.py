"""What scales and surveys need to know of the ground."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TerrainColumns(Protocol):
    """`simulation.terrain`."""

    @property
    def x(self) -> NDArray[np.float64]: ...

    @property
    def y(self) -> NDArray[np.float64]: ...

    @property
    def height(self) -> NDArray[np.float64]: ...

    @property
    def mass(self) -> NDArray[np.float64]: ...

    @property
    def density(self) -> NDArray[np.float64]: ...

    @property
    def cell(self) -> float: ...
