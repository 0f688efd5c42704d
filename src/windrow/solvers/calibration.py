"""How the calibration curves of a solver are measured: sizes, points and repetitions. Each solver says its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from windrow.scene.settings import SolverBase


@dataclass(frozen=True)
class CalibrationProtocol:
    """What is run for one solver."""

    solver: SolverBase
    frictions: tuple[tuple[float, float], ...]
    """friction_static, and roughly the angle (degrees) it gives, which places the spout"""
    heap_grains: int
    settling: float
    """time after pouring until a heap is measured at the latest, in √(r/g)"""
    bed_height: float
    """of the bed whose solid fraction is measured, in grain radii"""
    seeds: int
    """repetitions of each heap"""
    bed_seeds: int
    cut_heights: tuple[float, ...]
    """in grain radii; none: the solver holds no vertical cut"""
    cut_friction: tuple[float, float]
    """friction_static of the cuts, and the angle (degrees) it gives"""
    cut_seeds: int
    text: str
    """the same in a sentence, stored with the curves"""
    rolling: float | None = None
    """rolling_friction over friction_static; none: grains do not rotate"""

    @property
    def runs(self) -> int:
        """Simulations, a search for the holding adhesion counted as one."""
        heaps = len(self.frictions) * self.seeds
        return heaps + len(self.frictions) * self.bed_seeds + len(self.cut_heights) * self.cut_seeds

    def quick(self) -> CalibrationProtocol:
        """The same with one small run per point: to see that it works, not to write down."""
        return replace(
            self,
            heap_grains=self.heap_grains // 2,
            seeds=1,
            bed_seeds=1,
            cut_seeds=1,
            frictions=self.frictions[2::3],
            cut_heights=self.cut_heights[:1],
        )
