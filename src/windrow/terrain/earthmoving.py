"""The fundamental earthmoving equation for a cut into sloped ground, compiled, with the slip plane in closed form.

A plate of rake ρ cuts to a depth d into soil whose surface rises ahead at an angle α. Soil of friction angle φ and
cohesion c fails on a plane at β; the plate has friction angle δ and adhesion c_a; Q is the weight that lies on the
wedge. All angles but α are measured from the surface, and d is perpendicular to it. With η = ρ + δ + φ + β the balance
of the wedge across the reaction of the slip plane gives, for a width w (Reece 1965; McKyes, *Soil Cutting and Tillage*,
1985; for slopes Holz et al. 2013, and Wagner, arXiv 2505.19330):

    T = γ d² w N_γ + c d w N_c + Q N_Q + c_a d w N_a + (γ/g) v² d w N_i                                       (1)
    N_γ = ½ (cot ρ + cot β) N_Q          N_Q = sin(α + φ + β) / sin η         N_c = cos φ / (sin β sin η)
    N_a = −cos(ρ + φ + β) / (sin ρ sin η)                       N_i = sin ρ cos φ / (sin(ρ + β) sin η)

N_i is the momentum of soil that the wedge takes up at a speed v along the surface. β is the one that makes N_γ least.
With t = cot β, N_γ is a quadratic of t over a linear function of it, u = sin η / sin β = t sin b + cos b:

    2 N_γ = u s/sin² b + (q + p s)/sin b + p q/u,    s = sin(α + φ),   b = ρ + δ + φ,                          (2)
    p = sin(δ + φ)/(sin ρ sin b),   q = sin(ρ + δ − α)/sin b

so that u = sin b √(p q/s) and N_γ = (√q + √(p s))²/(2 sin b): Coulomb's passive pressure.

Where b comes near 180° the equation has no end: a plate that leans so far forward lifts nothing, soil passes below it,
and friction on it turns round. Here b stays at `STEEPEST` at most: first δ falls, as far as −δ (or −¾ φ); then the
plate counts as less steep (`Wedge`). That is continuous, and what is pushed down is the underside's part.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import sine_cosine
from windrow.geometry.terms import F64
from windrow.kernel import bare_inner, bare_kernel

DEGREE = np.pi / 180.0
STEEPEST = 160.0 * DEGREE
"""Largest sum of rake, plate friction and internal friction that the equation is used with."""
FLATTEST = 30.0 * DEGREE
"""Least rake. On a flatter plate, such as a bucket's floor, soil lies as a load, which is told apart."""
REVERSED = 0.75
"""Of φ: plate friction at most where it is turned round; at φ itself nothing would push the wedge up."""
LEAST_FRICTION = 2.0 * DEGREE
STEEPEST_SLOPE = 60.0 * DEGREE
"""Of the ground ahead; beyond it stands a face, which falls before it is cut."""
SLACK = 3.0 * DEGREE
"""How much less than φ ground may fall ahead: at φ itself the wedge has no end."""
LEAST_U = 0.05
LONGEST = 11.43
"""cot β at most: a slip plane at 5° to the surface."""

WEIGHT, COHESIVE, SURCHARGE, ADHESIVE, INERTIAL, TERMS = range(6)
"""Terms of the equation."""


class Wedge(NamedTuple):
    """Pure numbers of the equation for one cut."""

    weight: float
    """N_γ"""
    cohesion: float
    surcharge: float
    adhesion: float
    inertia: float
    cot_slip: float
    """cot β"""
    rake: float
    """ρ − α that it was computed with, from the horizontal, rad"""
    friction: float
    """δ that it was computed with, rad"""


@bare_inner
def wedge(rake: float, slope: float, internal: float, plate: float) -> Wedge:
    """Numbers of equation (1) for a rake from the horizontal, a slope ahead, and friction angles φ and δ, rad."""
    phi = max(internal, LEAST_FRICTION)
    delta = min(plate, phi)
    alpha = min(max(slope, SLACK - phi), STEEPEST_SLOPE)
    rho = max(rake + alpha, FLATTEST)
    most = STEEPEST - phi
    delta = min(delta, max(most - rho, -min(delta, REVERSED * phi)))
    rho = min(rho, most - delta)
    b = rho + delta + phi
    sin_b, cos_b = sine_cosine(b)
    sin_rho, cos_rho = sine_cosine(rho)
    s, cos_a = sine_cosine(alpha + phi)
    p = max(sine_cosine(delta + phi)[0], 0.0) / (sin_rho * sin_b)
    q = max(sine_cosine(rho + delta - alpha)[0], 0.0) / sin_b
    u = max(sin_b * sqrt(p * q / s), LEAST_U)
    t = min((u - cos_b) / sin_b, LONGEST)
    u = t * sin_b + cos_b
    n_q = (s * t + cos_a) / u
    beyond = sine_cosine(rho + phi)
    return Wedge(
        weight=0.5 * (cos_rho / sin_rho + t) * n_q,
        cohesion=sine_cosine(phi)[1] * (1.0 + t * t) / u,
        surcharge=n_q,
        adhesion=(beyond[0] - beyond[1] * t) / (sin_rho * u),
        inertia=sin_rho * sine_cosine(phi)[1] * (1.0 + t * t) / ((sin_rho * t + cos_rho) * u),
        cot_slip=t,
        rake=rho - alpha,
        friction=delta,
    )


@bare_kernel
def wedges(angles: F64, result: F64) -> None:
    """Rows of `Wedge` for rows of rake, slope, φ and δ, rad; for plots and tests."""
    for k in range(len(angles)):
        w = wedge(angles[k, 0], angles[k, 1], angles[k, 2], angles[k, 3])
        for a in range(8):
            result[k, a] = w[a]


def factors(rake_deg: float, slope_deg: float, internal_deg: float, plate_deg: float) -> Wedge:
    """The numbers of one cut; angles in degrees."""
    result = np.zeros((1, 8))
    wedges(DEGREE * np.array([[rake_deg, slope_deg, internal_deg, plate_deg]]), result)
    return Wedge(*result[0].tolist())


def force_per_width(
    wedge: Wedge, depth: float, weight: float, cohesion: float = 0.0, surcharge: float = 0.0, adhesion: float = 0.0
) -> float:
    """T/w of equation (1), N/m, without inertia: depth m, weight N/m³, cohesion and adhesion Pa, surcharge N/m."""
    return (
        weight * depth * depth * wedge.weight
        + depth * (cohesion * wedge.cohesion + adhesion * wedge.adhesion)
        + surcharge * wedge.surcharge
    )
