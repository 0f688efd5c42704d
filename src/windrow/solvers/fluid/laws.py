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
ZERO, ONE = F(0.0), F(1.0)
QUICKEST = 50.0
"""1/s; share of an excess, or of a depth in a wall, that is taken back per second at most."""
CRAMMED, PAST_HELP, LITTLE = F(1.1), F(0.2), F(0.001)
"""Fill from which on pressure is bounded more, by how much more fill it ends, and what is left of it then."""
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


def rate_back(relaxation: float, dt: float) -> float:
    """4Υ/Δt of (1), 1/s, and at most QUICKEST: what was pressed together in a short substep is not shot apart."""
    return min(4.0 * upsilon(relaxation) / dt, QUICKEST)


@device
def density_target(q, rate, dt, ups, back):
    """What G v' must be at most, negative: (1) without Σ λ. rate: G v before; back: 4Υ/Δt.

    A particle with room may be approached, but gently: what closes a small gap at once is thrown back.
    """
    if q >= ZERO:
        return back * q - ups * rate
    return q / dt * min(ONE, CLOSING - q / FAR_APART)


@device
def room_left(fill):
    """Share of the greatest pressure that a particle may have: little where it is pressed into others without room.

    Pressure cannot help there, and would only grow, and shoot what gets free.
    """
    return min(max(ONE - (fill - CRAMMED) / PAST_HELP, LITTLE), ONE)


@device
def contact_target(gap, radius, dt, back):
    """Least velocity away from a wall: so that what is apart just touches, and what is too near parts by (1)."""
    return -gap / dt if gap > ZERO else back * min(-gap, radius)


@device
def pushed(multiplier, target, rate, softness, inverse, most):
    """(2): λ ← λ + (target + G v − Σ λ)/S between 0 and `most`, one row of projected Gauss-Seidel."""
    return min(max(multiplier + (target + rate - softness * multiplier) * inverse, ZERO), most)
