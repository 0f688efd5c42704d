"""Clumps as they are now: rigid grains made of balls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClumpReadings:
    """All clumps that are there, in the order of the scene; nothing here is connected to a running simulation."""

    number: NDArray[np.int64]
    """(c,) since the start; `sim.particles.clump` names it for each ball"""
    first: NDArray[np.int64]
    """(c,) id of its first ball"""
    balls: NDArray[np.int64]
    """(c,) how many it has"""
    mass: NDArray[np.float64]
    """(c,) kg"""
    position: NDArray[np.float64]
    """(c, 3) of the centre of mass, m"""
    velocity: NDArray[np.float64]
    """(c, 3) m/s"""
    rotation: NDArray[np.float64]
    """(c, 3, 3) from the shape's frame to the world"""
    spin: NDArray[np.float64]
    """(c, 3) rad/s"""
    angular_momentum: NDArray[np.float64]
    """(c, 3) about its centre of mass, kg m²/s"""

    def __len__(self) -> int:
        return len(self.number)
