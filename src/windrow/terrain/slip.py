"""The slip plane of soil that a plate pushes up, for flat ground.

The fundamental earthmoving equation (Reece 1965; McKyes, *Soil Cutting and Tillage*, 1985) has its least force where
N_γ(β) = ½ (cot ρ + cot β) sin(φ + β) / sin(ρ + δ + φ + β) is least: ρ rake, φ and δ friction angles of the soil and of
soil on the plate. With b = ρ + δ + φ and u = sin b (cot β) + cos b, 2 N_γ is a u + const + c/u, so that

    u² = sin(δ + φ) sin(ρ + δ) / (sin ρ sin φ),    cot β = (u − cos b) / sin b                                  (1)
"""

from __future__ import annotations

import math

from windrow.fixed_math import arctangent2, sine_cosine

STEEPEST = math.radians(160.0)
"""Largest b: beyond it the plate lifts no wedge, and β has no end. First δ gives way, then ρ."""
LEAST_RAKE, LEAST_FRICTION = math.radians(30.0), math.radians(5.0)
FLATTEST, UPRIGHTEST = math.radians(12.0), math.radians(45.0)
"""Slip planes that are used; flatter wedges are hardly deeper than a grain at their ends."""


def slip_angle(internal_friction: float, rake: float, plate_friction: float) -> float:
    """β of equation (1), rad, from angles in rad; those that have none are brought to the nearest that has."""
    phi = max(internal_friction, LEAST_FRICTION)
    rho = min(max(rake, LEAST_RAKE), STEEPEST - phi)
    delta = min(plate_friction, phi, STEEPEST - phi - rho)
    sin_b, cos_b = sine_cosine(rho + delta + phi)
    square = _sine(delta + phi) * _sine(rho + delta) / (_sine(rho) * _sine(phi))
    beta = float(arctangent2(sin_b, math.sqrt(square) - cos_b))
    return min(max(beta, FLATTEST), UPRIGHTEST)


def _sine(angle: float) -> float:
    return float(sine_cosine(angle)[0])
