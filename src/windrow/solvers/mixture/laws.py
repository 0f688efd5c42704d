"""What a liquid does to a grain, in small pure functions.

Drag after Di Felice (1994): a grain of radius r in a liquid of density ρ and viscosity μ that flows past it with the
velocity u, between others that leave the share ε of the room, feels

    F = ½ C ρ π r² |U| U ε^−β,   U = ε u,   C = (0.63 + 4.8/√Re)²,   Re = 2 r ρ |U|/μ,                      (1)
    β = 3.7 − 0.65 exp(−½ (1.5 − log₁₀ Re)²).

C is that of Dallavalle (1948). Alone, ε = 1, this is the drag of a sphere; grains that settle together slow each other
down much as Richardson and Zaki (1954) measured.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.fixed_kernels import power
from windrow.kernel import device

F: Any = np.float32
ZERO, HALF, ONE, TWO = F(0.0), F(0.5), F(1.0), F(2.0)
PI = F(np.pi)
EULER = F(np.e)
LEAST_VOIDS = F(0.3)
"""Share of the room that grains leave at least; equal spheres leave 0.26 in the densest packing there is."""
LEAST_REYNOLDS = F(1e-6)
DRY, WET = F(0.25), F(0.75)
"""Share of the room around a grain that liquid fills, from which on it is touched by it, and wholly in it. At a level
surface it is one half."""
LN_2_OVER_LN_10, ONE_OVER_LN_10 = F(0.30103), F(0.4342945)
HALVINGS = 5


@device
def decadic(x):
    """log₁₀ x of a normal positive float32, within some 1e-6: x = 2ᵉ m, ln m = 2 artanh s, s = (m − 1)/(m + 1)."""
    shifted = F(x).view(np.int32) - np.int32(0x3F3504F3)
    m = np.int32((shifted & np.int32(0x007FFFFF)) + np.int32(0x3F3504F3)).view(np.float32)
    e = F(shifted >> np.int32(23))
    s = (m - ONE) / (m + ONE)
    s2 = s * s
    series = TWO * s * (ONE + s2 * (F(1.0 / 3.0) + s2 * (F(0.2) + s2 * F(1.0 / 7.0))))
    return e * LN_2_OVER_LN_10 + series * ONE_OVER_LN_10


@device
def decay(x):
    """e^−x of x from 0 to 32, and e^−32 beyond: the 32nd power of e^(−x/32)."""
    part = power(EULER, -min(x, F(32.0)) / F(32.0))
    for _ in range(HALVINGS):
        part *= part
    return part


@device
def crowding(reynolds):
    """β of (1)."""
    off = F(1.5) - decadic(reynolds)
    return F(3.7) - F(0.65) * decay(HALF * off * off)


@device
def drag_factor(speed, radius, density, viscosity, voids):
    """K of F = K u, N s/m, by (1). speed: |u| of the liquid past the grain, m/s."""
    slowest = LEAST_REYNOLDS * viscosity / (TWO * radius * density)
    flow = max(voids * speed, slowest)
    reynolds = flow / slowest * LEAST_REYNOLDS
    c = F(0.63) + F(4.8) / np.sqrt(reynolds)
    beta = crowding(reynolds)
    quarter = power(voids, -F(0.25) * beta)
    crowd = quarter * quarter * quarter * quarter
    return HALF * c * c * density * PI * radius * radius * flow * voids * crowd


@device
def drag_taken(k, ease, dt):
    """What of a relative velocity u a drag of K (N s/m) takes in a step of dt, as an impulse over u, kg.

    ease: by how much an impulse changes u, 1/kg. The drag is that in the middle of the step, so that a grain falls as
    fast as (1) says whatever the step is; but it takes no more than all of u.
    """
    return min(k * dt / (ONE + HALF * k * dt * ease), ONE / ease)


@device
def wetness(liquid, rest):
    """Share of a grain that is in the liquid. liquid: what of the room around it is liquid; rest: what of it walls and
    other grains leave, –."""
    share = liquid / max(rest, LEAST_VOIDS)
    return min(max((share - DRY) / (WET - DRY), ZERO), ONE)
