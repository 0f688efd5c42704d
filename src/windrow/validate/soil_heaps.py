"""Heaps of soils, with each solver that is calibrated for them.

They are as high as those of the calibration, and measured as long after they were poured, from seeds that it did not
use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.calibrate.heap import poured_heap, pouring_scene
from windrow.calibrate.protocol import protocol_for
from windrow.scene import Material
from windrow.solvers.registry import solver_class
from windrow.validate.check import Bound, Check, Result, Scenario

SOILS = {"dry_sand": 32.0, "gravel": 38.0}
"""Angles of internal friction, degrees."""


class Case(NamedTuple):
    """What is poured with a solver."""

    solver: str
    written: str
    heaps: int
    """of which means are taken"""
    fine: int = 0
    """grains of 2 cm radius in one more heap of the first soil; 0: such a heap is too high for the solver"""


CASES = (Case("p2", "P²", 6), Case("ndem", "NDEM", 4, 6000))


def angle_of_heap(case: Case, soil: str, seed: int, grains: int, radius: float = 0.05) -> float:
    """Degrees."""
    protocol = protocol_for(case.solver)
    scene = pouring_scene(Material(soil=soil), SOILS[soil], grains, radius, seed, protocol.settling)
    return poured_heap(scene, protocol.solver).repose.mean


def heaps(case: Case) -> list[Result]:
    most = solver_class(case.solver).tolerance("angle of a soil's heap, degrees", 2.0)
    grains = protocol_for(case.solver).heap_grains
    results: list[Result] = []
    for soil, angle in SOILS.items():
        angles = [angle_of_heap(case, soil, 100 + seed, grains) for seed in range(case.heaps)]
        results += [
            Check(f"{soil}, mean of {case.heaps} heaps", float(np.mean(angles)), angle, most, "°"),
            Bound(f"{soil}, standard deviation from heap to heap", float(np.std(angles, ddof=1)), unit="°"),
        ]
    if case.fine:
        fine = angle_of_heap(case, "dry_sand", 100, case.fine, 0.02)
        results.append(Check(f"dry_sand, {case.fine:,} grains of 2 cm radius", fine, SOILS["dry_sand"], 3.0, "°"))
    return results


SCENARIOS = [
    Scenario(
        f"{case.solver}-soil-heaps",
        case.written,
        "A heap poured of a soil stands at its angle of internal friction, on ground of the same soil.",
        lambda case=case: heaps(case),  # type: ignore[misc]
        slow=True,
    )
    for case in CASES
]
