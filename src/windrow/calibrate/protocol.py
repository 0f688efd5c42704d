"""How the curves of each solver are measured: sizes, points and repetitions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from windrow.errors import SceneError, unknown_name
from windrow.scene.settings import NDEM, P2, SolverSettings

GRAIN_RADIUS = 0.05
"""m; results scale with it."""
GRAIN_DENSITY = 2650.0
"""kg/m³"""
KINETIC = 0.9
"""friction_kinetic over friction_static, as in the soil library."""
ROUGH = 1.0
"""Friction of grains on the ground they are poured on: more than the grains have among themselves."""


@dataclass(frozen=True)
class Protocol:
    """What is run for one solver."""

    solver: SolverSettings
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

    @property
    def runs(self) -> int:
        """Simulations, a search for the holding adhesion counted as one."""
        heaps = len(self.frictions) * self.seeds
        return heaps + len(self.frictions) * self.bed_seeds + len(self.cut_heights) * self.cut_seeds

    def quick(self) -> Protocol:
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


PROTOCOLS: dict[str, Protocol] = {
    "ndem": Protocol(
        solver=NDEM(),
        frictions=(
            (0.02, 14.0),
            (0.05, 17.0),
            (0.1, 21.0),
            (0.15, 25.0),
            (0.2, 30.0),
            (0.25, 35.0),
            (0.3, 40.0),
            (0.4, 48.0),
            (0.5, 55.0),
        ),
        heap_grains=3000,
        settling=70.0,
        bed_height=24.0,
        seeds=6,
        bed_seeds=2,
        cut_heights=(16.0, 20.0, 25.0, 30.0),
        cut_friction=(0.2, 30.0),
        cut_seeds=3,
        text="default settings; heaps of 3,000 to 9,000 grains (radii 0.8 to 1.2 of the mean, 0.05 m) poured onto "
        "rough ground from just above their top, at rest, 6 runs each; beds 24 radii wide and high; vertical cuts "
        "of 16 to 30 radii between smooth sides, 3 runs each",
    ),
    "p2": Protocol(
        solver=P2(),
        frictions=(
            (0.1, 22.0),
            (0.15, 25.0),
            (0.2, 28.0),
            (0.3, 33.0),
            (0.4, 40.0),
            (0.5, 45.0),
            (0.6, 50.0),
        ),
        heap_grains=1500,
        settling=28.0,
        bed_height=12.0,
        seeds=6,
        bed_seeds=2,
        cut_heights=(),
        cut_friction=(0.3, 33.0),
        cut_seeds=0,
        text="default settings; heaps of 1,500 grains (radii 0.8 to 1.2 of the mean, 0.05 m) poured onto rough ground "
        "from just above their top, measured 2 s after the last grain, 6 runs each: P² never quite rests, and "
        "such heaps lose some 3° in the next second; beds 24 radii wide and 12 high; no adhesion holds a vertical cut",
    ),
}


def protocol_for(solver: str) -> Protocol:
    """The protocol of the solver of that name."""
    if solver not in PROTOCOLS:
        raise SceneError(f"--solver: {unknown_name('solver with a calibration', solver, PROTOCOLS)}")
    return PROTOCOLS[solver]
