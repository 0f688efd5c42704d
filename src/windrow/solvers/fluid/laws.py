"""The laws of the constraint fluid in small pure functions.

Each particle has a fill φ (`smoothed.spline`), and one constraint of one side: q = φ − 1 ≤ 0. Its multiplier λ ≥ 0
(N s m) pushes along −∂q/∂x; the pressure is p = λ/(Δt V). SPOOK (Lacoursière 2007) steps it with a compliance ε and a
relaxation time τ:

    G v' = −4Υ/Δt q + Υ G v + Σ λ,   Υ = 1/(1 + 4τ/Δt),   Σ = 4 Υ ε/Δt²                                     (1)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.fixed_math import cosine
from windrow.kernel import device

F: Any = np.float32
ZERO, ONE, FOUR = F(0.0), F(1.0), F(4.0)
CLOSING, FAR_APART = F(0.02), F(0.2)
"""Share of a small gap that a substep may close, and the gap that is closed at once, of the fill."""


def upsilon(relaxation: float) -> float:
    """Υ of (1); relaxation: τ in substeps."""
    return 1.0 / (1.0 + 4.0 * relaxation)


def softness(compliance: float, relaxation: float, dt: float, volume: float) -> float:
    """Σ of (1), 1/(kg m²); compliance: relative change of volume per pressure, 1/Pa, so that ε = compliance/V."""
    return 4.0 * upsilon(relaxation) * compliance / (volume * dt * dt)


def cohesion(tension: float, h: float, volume: float) -> float:
    """k of the pull k r W(r)/W(0) between two particles, N/m, that gives a surface this tension, N/m.

    Fowler (1937) for a sharp surface between liquid of n = 1/V particles per volume and nothing:
    σ = (π/8) n² ∫ r⁴ f(r) dr, with ∫ r⁵ W/W(0) dr = 127/32256 h⁶.
    """
    h3 = h * h * h
    return tension * volume * volume / (math.pi / 8.0 * 127.0 / 32256.0 * h3 * h3)


def adhesion(angle_deg: float) -> float:
    """Share of the cohesion that a wall pulls with, by Young and Dupré: (1 + cos θ)/2."""
    return 0.5 * (1.0 + float(cosine(math.radians(angle_deg))))


@device
def density_target(q, rate, dt, ups):
    """What G v' must be at most, negative: (1) without Σ λ. rate: G v before.

    A particle with room may be approached, but gently: what closes a small gap at once is thrown back.
    """
    if q >= ZERO:
        return FOUR * ups * q / dt - ups * rate
    return q / dt * min(ONE, CLOSING - q / FAR_APART)


@device
def contact_target(gap, dt, ups):
    """Least velocity away from a wall: so that what is apart just touches, and what is too near parts by (1)."""
    return -gap / dt if gap > ZERO else -FOUR * ups * gap / dt


@device
def pushed(multiplier, target, rate, softness, inverse):
    """(2): λ ← max(0, λ + (target + G v − Σ λ)/S), one row of projected Gauss-Seidel."""
    return max(multiplier + (target + rate - softness * multiplier) * inverse, ZERO)
