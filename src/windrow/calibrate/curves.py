"""Measures the calibration curves of a solver."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from windrow.calibrate.bed import bed_solid_fraction
from windrow.calibrate.cut import holding_adhesion, settled_bank
from windrow.calibrate.heap import poured_heap, pouring_scene
from windrow.calibrate.protocol import GRAIN_DENSITY, GRAIN_RADIUS, KINETIC, ROUGH
from windrow.scene import Material
from windrow.scene.calibration import Calibration, CohesionCurve, FrictionCurve, PackingCurve, cut_cohesion
from windrow.sim.limits import DepthWarning
from windrow.solvers.calibration import CalibrationProtocol

STEEP_ENOUGH = 25.0
"""Angle (degrees) from which on all heaps have the same number of grains."""
PROPORTIONAL = 1.5
"""Largest factor between cohesion over adhesion of low and of high cuts."""
STRENGTH = 6.0
"""Adhesion over the cohesion it gives, where the search for it begins."""


@dataclass(frozen=True)
class Done:
    """One finished run, for whoever shows the progress."""

    number: int
    what: str


def measured_calibration(
    protocol: CalibrationProtocol, tell: Callable[[Done], None] = lambda done: None, threads: int | None = None
) -> Calibration:
    """Runs a protocol; `tell` hears of each finished run."""
    number = 0

    def finished(what: str) -> None:
        nonlocal number
        number += 1
        tell(Done(number, what))

    with warnings.catch_warnings():
        # The grains of a bed fall from high above; it is the bed that must not be too deep.
        warnings.simplefilter("ignore", DepthWarning)
        friction = _friction_curve(protocol, finished, threads)
        packing = _packing_curve(protocol, finished, threads)
        cohesion = _cohesion_curve(protocol, finished, threads) if protocol.cut_heights else None
    return Calibration(
        protocol=protocol.text,
        kinetic_over_static=KINETIC,
        rolling_over_static=protocol.rolling,
        friction=friction,
        packing=packing,
        cohesion=cohesion,
    )


def grain_material(protocol: CalibrationProtocol, friction: float) -> Material:
    """Grains of a calibration run."""
    return Material(
        density=GRAIN_DENSITY,
        friction_static=friction,
        friction_kinetic=KINETIC * friction,
        wall_friction=ROUGH,
        rolling_friction=(protocol.rolling or 0.0) * friction,
    )


def _friction_curve(
    protocol: CalibrationProtocol, finished: Callable[[str], None], threads: int | None
) -> FrictionCurve:
    frictions, angles, scatters = [0.0], [0.0], [0.0]
    for friction, expected in protocol.frictions:
        found = []
        for seed in range(protocol.seeds):
            scene = pouring_scene(
                grain_material(protocol, friction),
                expected,
                _heap_grains(protocol, expected),
                GRAIN_RADIUS,
                seed,
                protocol.settling,
            )
            angle = poured_heap(scene, protocol.solver, threads).repose.mean
            finished(f"heap, friction {friction:g}: {angle:.1f}°")
            found.append(angle)
        frictions.append(friction)
        angles.append(round(float(np.mean(found)), 2))
        scatters.append(round(float(np.std(found, ddof=1 if len(found) > 1 else 0)), 2))
    return FrictionCurve(
        static=np.array(frictions), angle_deg=np.array(angles), scatter_deg=np.array(scatters)
    )


def _heap_grains(protocol: CalibrationProtocol, angle_deg: float) -> int:
    """Flat heaps take more grains, or they are too low to have a flank."""
    flatter = math.tan(math.radians(STEEP_ENOUGH)) / math.tan(math.radians(angle_deg))
    return round(protocol.heap_grains * min(max(flatter**2, 1.0), 3.0))


def _packing_curve(protocol: CalibrationProtocol, finished: Callable[[str], None], threads: int | None) -> PackingCurve:
    frictions, fractions = [], []
    for friction, _ in protocol.frictions:
        found = []
        for seed in range(protocol.bed_seeds):
            share = bed_solid_fraction(
                grain_material(protocol, friction),
                protocol.solver,
                seed,
                GRAIN_RADIUS,
                protocol.bed_height,
                threads,
            )
            finished(f"bed, friction {friction:g}: {100 * share:.1f} % solid")
            found.append(share)
        frictions.append(friction)
        fractions.append(round(float(np.mean(found)), 4))
    return PackingCurve(static=np.array(frictions), solid_fraction=np.array(fractions))


def _cohesion_curve(
    protocol: CalibrationProtocol, finished: Callable[[str], None], threads: int | None
) -> CohesionCurve | None:
    """None if what holds a cut does not grow in proportion to its height: then it is no cohesion."""
    adhesions, cohesions = [], []
    friction, angle = protocol.cut_friction
    material = grain_material(protocol, friction)
    for height in protocol.cut_heights:
        found, cohesion = [], []
        for seed in range(protocol.cut_seeds):
            bank = settled_bank(material, height * GRAIN_RADIUS, protocol.solver, GRAIN_RADIUS, seed, threads)
            strength = cut_cohesion(bank.height, bank.weight, angle)
            adhesion = holding_adhesion(bank, material, protocol.solver, STRENGTH * strength, threads)
            finished(f"cut of {bank.height:g} m: held by {adhesion:.0f} Pa, cohesion {strength:.0f} Pa")
            found.append(adhesion)
            cohesion.append(strength)
        adhesions.append(round(float(np.exp(np.mean(np.log(found))))))
        cohesions.append(round(float(np.mean(cohesion))))
    strengths = np.array(cohesions) / np.array(adhesions)
    if strengths.max() > PROPORTIONAL * strengths.min():
        warnings.warn(
            "the adhesion that holds a cut does not grow with its height "
            f"({', '.join(f'{a} Pa for {c} Pa' for a, c in zip(adhesions, cohesions, strict=True))}): this is no "
            "cohesion, and adhesion stays uncalibrated",
            UserWarning,
            stacklevel=2,
        )
        return None
    # by its dimensions cohesion is in proportion to adhesion; single banks scatter by a quarter, so all cuts decide
    strength = float(np.exp(np.mean(np.log(strengths))))
    return CohesionCurve(
        adhesion_pa=np.round(np.array(cohesions) / strength), cohesion_pa=np.array(cohesions)
    )
