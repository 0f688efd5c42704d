"""DEM and many grains: a silo's floor, heaps over rolling friction."""

from __future__ import annotations

from typing import Any

from windrow.calibrate.heap import poured_heap, pouring_scene
from windrow.measure.failure import MeasurementError
from windrow.scene import DEM, Material
from windrow.validate.check import Bound, Result, Scenario
from windrow.validate.ndem_flows import janssen

SOLVER = DEM(dt=1 / 120, substeps=None)
HEAP = 1500
"""grains"""


def grains(friction: float, rolling: float, **numbers: Any) -> Material:
    return Material(
        density=2650.0,
        stiffness=1e5,
        restitution=0.5,
        friction_static=friction,
        friction_kinetic=friction,
        rolling_friction=rolling,
        wall_friction=1.0,
        **numbers,
    )


def heap_angle(rolling: float, expected_deg: float) -> float:
    """Of a heap of grains with friction 0.5 on rough ground, degrees; 0 if all of them have rolled away."""
    scene = pouring_scene(grains(0.5, rolling), expected_deg, grains=HEAP)
    try:
        return poured_heap(scene, SOLVER, threads=1).repose.mean
    except MeasurementError:
        return 0.0


def heaps() -> list[Result]:
    """Spheres that roll freely do not stand; the more they resist, the steeper the heap, up to what sliding allows."""
    cases = {0.0: 8.0, 0.2: 18.0, 0.3: 22.0, 0.45: 27.0}
    angle = {rolling: heap_angle(rolling, expected) for rolling, expected in cases.items()}
    return [
        Bound("rolling friction 0: angle", angle[0.0], high=10.0, unit="°"),
        Bound("0.2: steeper by", angle[0.2] - angle[0.0], low=10.0, unit="°"),
        Bound("0.3: steeper than at 0.2 by", angle[0.3] - angle[0.2], low=1.0, unit="°"),
        Bound("0.45: steeper than at 0.3 by", angle[0.45] - angle[0.3], low=1.0, unit="°"),
        *(Bound(f"{rolling:g}: angle", each, unit="°") for rolling, each in angle.items()),
    ]


SCENARIOS = [
    Scenario(
        "dem-heaps",
        "dem",
        "The angle of a poured heap rises with rolling friction; without it spheres hardly heap.",
        heaps,
        slow=True,
    ),
    Scenario(
        "dem-janssen",
        "dem",
        "Silo pressure saturates: σ = ρ g λ (1 − exp(−z/λ)), λ = D/(4 μ K).",
        lambda: janssen((4, 10, 20, 36), SOLVER, 1),
        slow=True,
    ),
]
