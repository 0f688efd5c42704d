"""The cubic spline, and what a wall is to it.

A particle stands for a cube of side d₀ = 2 r, and sees others up to h = 2 d₀. The *fill* of a particle is

    φ_i = Σ_j V W(|x_i − x_j|) + Σ_walls λ(d),          V = d₀³,

its own term included: 1 in a cubic lattice at rest, beside walls as well, and more where sand is compressed.

Walls are no particles. A flat wall is a half-space full of sand that moves with it, and all that a particle knows of it
is its distance d: the integral of W over a half-space is a polynomial, λ(d). So a plane, a mesh, the terrain and a
machine's bucket need no samples, and are smooth. (Ihmsen et al. sample surfaces with particles of weight Ψ_b; their
weight explodes at the first step, because surface samples stand for more than their layer.) The sum over a lattice
is not the integral: beside a wall at d₀/2 the missing half of the lattice weighs 0.1497, the integral 0.1878; its
gradient weighs 0.5100/d₀, the integral 0.4875/d₀. `Spline` therefore has two factors that make the fill and the sum of
gradients of a lattice beside a wall exact.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.kernel import device

F: Any = np.float32
ZERO, ONE, TWO, HALF = F(0.0), F(1.0), F(2.0), F(0.5)
SUPPORT = 2.0
"""h over d₀"""


class Spline(NamedTuple):
    """Numbers of the kernel for particles of one size."""

    h: Any
    """m"""
    height: Any
    """W(0), so that a lattice at rest has fill 1: 1/m³"""
    volume: Any
    """V = d₀³, m³"""
    wall_fill: Any
    """what λ is multiplied by, –"""
    wall_slope: Any
    """what −dλ/dd is multiplied by, –"""
    gradients: Any
    """V² Σ_j |∇W|² in the lattice at rest, 1/m²"""


@device
def bell(q):
    """W over W(0), of q = r/h: 6 q³ − 6 q² + 1 up to ½, 2 (1 − q)³ up to 1."""
    if q >= ONE:
        return ZERO * q
    if q > HALF:
        t = ONE - q
        return TWO * t * t * t
    return F(6.0) * q * q * (q - ONE) + ONE


@device
def bell_slope(q):
    """The derivative of `bell` divided by q, which has no singularity: 18 q − 12, and −6 (1 − q)²/q."""
    if q >= ONE:
        return ZERO * q
    if q > HALF:
        t = ONE - q
        return F(-6.0) * t * t / q
    return F(18.0) * q - F(12.0)


@device
def wall_share(q):
    """Integral of W over the half-space beyond a plane at q = d/h (8/(π h³) as W(0)): ½ at the plane, 0 from 1 on."""
    u = abs(q)
    if u >= ONE:
        share = ZERO * u
    elif u > HALF:
        t = ONE - u
        t5 = t * t * t * t * t
        share = F(16.0) * t5 * (F(0.1) - t / F(15.0))
    else:
        u3 = u * u * u
        share = F(16.0) * (F(0.03125) - (F(0.0875) * u - F(0.2) * u3 * u3 + F(0.3) * u3 * u * u - u3 / F(6.0)))
    return share if q >= ZERO else ONE - share


@device
def wall_weight(q):
    """−h dλ/dd at q = d/h: the integral of W over the plane, times h."""
    u = abs(q)
    if u >= ONE:
        return ZERO * u
    if u > HALF:
        t = ONE - u
        t4 = t * t * t * t
        return F(16.0) * t4 * (HALF - F(0.4) * t)
    u2 = u * u
    return F(16.0) * (F(0.0875) - u2 * (F(1.2) * u2 * u - F(1.5) * u2 + HALF))


@device
def wall_pull(q):
    """Integral of −z W over the half-space beyond a plane at q = d/h, over W(0) h⁴: how particles there would pull.

    z W integrates to ∫ u A(u) du from q to 1, with A(u) = (π/8) `wall_weight`, the integral of W over a plane.
    """
    u = min(abs(q), ONE)
    total = ZERO * u
    if u < HALF:
        # ∫ u (0.0875 − u²/2 + 1.5 u⁴ − 1.2 u⁵) du from u to ½, times 2 π
        u2 = u * u
        u4 = u2 * u2
        inner = F(0.04375) * u2 - F(0.125) * u4 + F(0.25) * u4 * u2 - F(1.2 / 7.0) * u4 * u2 * u
        total = F(0.04375 * 0.25 - 0.125 * 0.0625 + 0.25 / 64.0 - 1.2 / 7.0 / 128.0) - inner
        u = HALF * ONE
    # ∫ (1 − t) t⁴ (½ − 0.4 t) dt from 0 to t = 1 − u
    t = ONE - u
    t5 = t * t * t * t * t
    total += t5 * (F(0.1) - F(0.15) * t + F(0.4 / 7.0) * t * t)
    return F(2.0 * math.pi) * total


def spline_for(spacing: float) -> Spline:
    """The kernel of particles that lie `spacing` (m) apart at rest."""
    d, h = spacing, SUPPORT * spacing
    reach = np.arange(-2, 3, dtype=np.float64) * d
    place = np.stack(np.meshgrid(reach, reach, reach, indexing="ij"), axis=-1).reshape(-1, 3)
    r = norm(place)
    shape = _bells(r / h)
    volume = d * d * d
    height = 1.0 / (volume * float(shape.sum()))
    gradient = (height / (h * h)) * _bell_slopes(r / h)[:, None] * place
    below = place[:, 2] < 0.0
    share = volume * height * float(shape[below].sum())
    slope = volume * float(gradient[below, 2].sum())
    quarter = F(0.5 * d / h)
    return Spline(
        h=F(h),
        height=F(height),
        volume=F(volume),
        wall_fill=F(share / float(wall_share.py_func(quarter))),
        wall_slope=F(slope * h / float(wall_weight.py_func(quarter))),
        gradients=F(volume * volume * float((gradient * gradient).sum())),
    )


def _bells(q: NDArray[np.float64]) -> NDArray[np.float64]:
    t = np.maximum(1.0 - q, 0.0)
    return np.where(q <= 0.5, 6.0 * q * q * (q - 1.0) + 1.0, 2.0 * t * t * t)


def _bell_slopes(q: NDArray[np.float64]) -> NDArray[np.float64]:
    t = np.maximum(1.0 - q, 0.0)
    return np.where(q <= 0.5, 18.0 * q - 12.0, -6.0 * t * t / np.maximum(q, 0.5))


EXACT_HEIGHT = 8.0 / math.pi
"""W(0) h³ of the spline whose integral is 1; a lattice wants 1.00003 times that."""
