"""The fundamental earthmoving equation: the force on a wide blade, from a plane wedge of soil that it pushes up.

McKyes, *Soil Cutting and Tillage*, Elsevier 1985, after Reece 1965: a blade of rake ρ (from the horizontal ahead) and
friction angle δ cuts to a depth d; the soil, of friction angle φ and cohesion c, fails on a plane at the angle β that
takes the least force.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from windrow.errors import SceneError

SLIP_LEAST = math.radians(0.5)
"""Slip planes flatter than this, rad, are not looked at: their wedges have no end."""


@dataclass(frozen=True)
class EarthmovingFactors:
    """Pure numbers of T/w = γ d² N_γ + c d N_c + q d N_q + c_a d N_ca, and the slip plane they belong to."""

    slip_deg: float
    """β, angle of the slip plane"""
    weight: float
    """N_γ, of the soil's own weight"""
    cohesion: float
    """N_c"""
    surcharge: float
    """N_q, of a pressure q on the surface"""
    adhesion: float
    """N_ca, of adhesion to the blade"""

    def force_per_width(
        self, depth: float, unit_weight: float, cohesion: float = 0.0, surcharge: float = 0.0, adhesion: float = 0.0
    ) -> float:
        """T/w, N/m; depth in m, unit weight γ in N/m³, cohesion c, surcharge q and adhesion c_a in Pa."""
        return depth * (
            unit_weight * depth * self.weight
            + cohesion * self.cohesion
            + surcharge * self.surcharge
            + adhesion * self.adhesion
        )


def earthmoving_factors(
    internal_friction_deg: float, rake_deg: float = 90.0, blade_friction_deg: float = 0.0
) -> EarthmovingFactors:
    """Factors for the slip plane that minimises N_γ.

    A smooth upright blade has those of Rankine's passive pressure: β = 45° − φ/2, N_γ = ½ tan²(45° + φ/2).
    """
    from scipy.optimize import minimize_scalar

    phi, rake, delta = (math.radians(a) for a in (internal_friction_deg, rake_deg, blade_friction_deg))
    if not (0.0 <= phi < math.pi / 2 and 0.0 < rake < math.pi and 0.0 <= delta < math.pi / 2):
        raise SceneError(
            f"angles of {internal_friction_deg:g}° in the soil, {rake_deg:g}° of the blade and {blade_friction_deg:g}° "
            "of friction on it are not of a blade that cuts soil: they lie in 0…90°, 0…180° and 0…90°"
        )
    # beyond it nothing is pushed up any more: the denominator of all factors ends at 0
    steepest = math.pi - rake - delta - phi
    if steepest <= SLIP_LEAST:
        raise SceneError(
            f"rake, friction of the blade and of the soil add up to {180 - math.degrees(steepest):.4g}°; the blade "
            "lifts no wedge unless they are less than 180°"
        )

    def weight(beta: float) -> float:
        return (_cot(rake) + _cot(beta)) / (2.0 * _lever(beta, phi, rake + delta))

    beta = float(minimize_scalar(weight, bounds=(SLIP_LEAST, steepest), method="bounded", options={"xatol": 1e-9}).x)
    lever, across = _lever(beta, phi, rake + delta), _cot(beta + phi)
    return EarthmovingFactors(
        slip_deg=math.degrees(beta),
        weight=weight(beta),
        cohesion=(1.0 + _cot(beta) * across) / lever,
        surcharge=2.0 * weight(beta),
        adhesion=(1.0 - _cot(rake) * across) / lever,
    )


def _lever(beta: float, phi: float, push: float) -> float:
    """D: what a force that pushes at the angle `push` has to share with the slip plane."""
    return math.cos(push) + math.sin(push) * _cot(beta + phi)


def _cot(angle: float) -> float:
    return math.cos(angle) / math.sin(angle)
