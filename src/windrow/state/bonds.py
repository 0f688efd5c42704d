"""Bonds as they are now, for measures and pictures: who is glued to whom, what it carries, what has broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HOLDS, TENSION, SHEAR, LOST = 0, 1, 2, 3
"""How a bond ended: not yet; by tension and bending; by shear and twisting; a grain of it is gone or frozen"""


@dataclass(frozen=True)
class BondReadings:
    """All bonds of the start in the scene's order; nothing here is connected to a running simulation."""

    first: NDArray[np.int64]
    """(b,) id of a grain"""
    second: NDArray[np.int64]
    """(b,) id of the other one"""
    group: NDArray[np.int64]
    """(b,) entry of the scene's `bonds`"""
    ended: NDArray[np.int8]
    """(b,) 0 holds, 1 broken by tension, 2 broken by shear, 3 a grain of it is gone"""
    ended_at: NDArray[np.float64]
    """(b,) s; NaN while it holds"""
    tension: NDArray[np.float64]
    """(b,) along it, N; negative: it is pressed. Of broken ones, as below: what they carried when they broke"""
    shear: NDArray[np.float64]
    """(b, 3) across it, on `first`, N"""
    bending: NDArray[np.float64]
    """(b, 3) moment across it, on `first`, N m"""
    twisting: NDArray[np.float64]
    """(b,) moment along it, on `first`, N m"""
    tensile_stress: NDArray[np.float64]
    """(b,) greatest at its edge, Pa"""
    shear_stress: NDArray[np.float64]
    """(b,) greatest at its edge, Pa"""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def holds(self) -> NDArray[np.bool_]:
        """(b,) not broken, and both grains there"""
        return self.ended == HOLDS

    def told(self) -> dict[str, int]:
        """How many hold, and how the others ended; frames and recordings have it in their notes."""
        return {
            "holding": int((self.ended == HOLDS).sum()),
            "broken_by_tension": int((self.ended == TENSION).sum()),
            "broken_by_shear": int((self.ended == SHEAR).sum()),
            "lost": int((self.ended == LOST).sum()),
        }
