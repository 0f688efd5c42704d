"""The laws of granular SPH in small pure functions. Numbers (2) … (22) are equations of Ihmsen, Wahl and Teschner.

Pressure p and the deviatoric stress s = (xx, yy, zz, xy, xz, yz) are positive in compression, Pa; φ is the fill
(`spline.py`), 1 at rest. L_ab = ∂v_a/∂x_b is the velocity gradient, 1/s.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.kernel import device

F: Any = np.float32
ZERO, ONE, TWO, HALF, THIRD = F(0.0), F(1.0), F(2.0), F(0.5), F(1.0 / 3.0)
TINY = F(1e-20)
ROOT_TWO, ROOT_TWO_THIRDS, ROOT_THREE = F(math.sqrt(2.0)), F(math.sqrt(2.0 / 3.0)), F(math.sqrt(3.0))

PRESSURE_SHARE, STRESS_SHARE = 0.6, 0.3
"""ω_p and ω_s, the parts of the local solutions that one iteration takes. The iteration of a lattice converges for
1.41 ω_p + 2.8 ω_s < 2."""
CORRECTION = F(0.003)
"""Share of an excess of fill that a substep corrects. Little: what is compressed parts slowly and never pops."""

# Columns of the table of materials that `materials.py` makes.
DENSITY, SLOPE, COHESION, SURFACE, WETTED = range(5)
MATERIAL_COLUMNS = 5
SURFACES = ("cone", "nakai", "components")
CONE, NAKAI, COMPONENTS = range(3)


@device
def pressure_stiffness(mass, dt, spline):
    """Pa per unit of fill: the pressure that a particle and its like need to take back an excess in dt, (7)."""
    return F(PRESSURE_SHARE) * mass / (TWO * dt * dt * spline.volume * spline.gradients)


@device
def shear_viscosity(mass, dt, spline):
    """Pa s: the stress per strain rate that stops it within dt, D⁻¹ of (12) with its factor upright."""
    return F(STRESS_SHARE * 3.0) * mass / (TWO * dt * spline.volume * spline.gradients)


@device
def excess(fill, divergence, dt, share, most):
    """What is too much at the end of the substep; of what is too much already only a share.

    Too little counts wholly, so that sand which has come apart bears nothing until it is together again. most: excess
    that the present pressure is enough for; up to there nothing is corrected. Between rough walls friction grows with
    pressure and holds what wants to part: a pressure that rose for ever would burst it.
    """
    now = fill - ONE
    if now > ZERO:
        now = share * now if now > most else ZERO
    return now - dt * divergence


@device
def turned(s, l, dt):
    """Jaumann: s + Δt (Ω s − s Ω), the same stress in sand that has turned with Ω = (L − Lᵀ)/2."""
    s0, s1, s2, s3, s4, s5 = s
    w01 = HALF * dt * (l[1] - l[3])
    w02 = HALF * dt * (l[2] - l[6])
    w12 = HALF * dt * (l[5] - l[7])
    return (
        s0 + TWO * (w01 * s3 + w02 * s4),
        s1 + TWO * (w12 * s5 - w01 * s3),
        s2 - TWO * (w02 * s4 + w12 * s5),
        s3 + w01 * (s1 - s0) + w02 * s5 + w12 * s4,
        s4 + w02 * (s2 - s0) + w01 * s5 - w12 * s3,
        s5 + w12 * (s2 - s1) - w01 * s4 - w02 * s3,
    )


@device
def sheared(s, l, viscosity):
    """(11): s − η dev ε̇, stress against the rate of strain."""
    third = THIRD * (l[0] + l[4] + l[8])
    return (
        s[0] - viscosity * (l[0] - third),
        s[1] - viscosity * (l[4] - third),
        s[2] - viscosity * (l[8] - third),
        s[3] - viscosity * HALF * (l[1] + l[3]),
        s[4] - viscosity * HALF * (l[2] + l[6]),
        s[5] - viscosity * HALF * (l[5] + l[7]),
    )


@device
def second_invariant(s):
    """J₂ = s:s/2; in simple shear the square of the shear stress."""
    return HALF * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + s[3] * s[3] + s[4] * s[4] + s[5] * s[5]


@device
def third_invariant(s):
    """J₃ = det s; positive in triaxial compression."""
    s0, s1, s2, s3, s4, s5 = s
    return s0 * (s1 * s2 - s5 * s5) - s3 * (s3 * s2 - s5 * s4) + s4 * (s3 * s5 - s1 * s4)


@device
def nakai_ratio(slope, lode):
    """√J₂/p at yield by Matsuoka and Nakai, for lode = J₃/J₂^1.5 between ±0.385.

    I₁ I₂/I₃ = K with I₁ = 3 p, I₂ = 3 p² − J₂, I₃ = p³ − p J₂ + J₃, and K so that simple shear (J₃ = 0) yields at
    the slope t: t² − x² + (3 − t²)/2 · lode · x³ = 0. All principal stresses stay positive, so slopes end at 1.
    """
    cubic = HALF * (F(3.0) - slope * slope) * lode
    x = slope
    for _ in range(5):
        value = slope * slope - x * x + cubic * x * x * x
        x -= value / min(F(3.0) * cubic * x * x - TWO * x, F(-0.1) * slope)
        x = min(max(x, HALF * slope), ROOT_THREE)
    return x


@device
def yielded(s, p, surface, slope, cohesion):
    """The stress that the sand bears: s shrunk radially to the yield surface.

    All surfaces agree in simple shear, τ = c + slope · p. CONE is Drucker and Prager's (4), |s| ≤ √2 (c + slope p).
    COMPONENTS cuts each component at √(2/3) (c + slope p), as (13) does.
    """
    bearing = p * slope + cohesion
    if surface == COMPONENTS:
        most = ROOT_TWO_THIRDS * bearing
        return (
            min(max(s[0], -most), most),
            min(max(s[1], -most), most),
            min(max(s[2], -most), most),
            min(max(s[3], -most), most),
            min(max(s[4], -most), most),
            min(max(s[5], -most), most),
        )
    j2 = second_invariant(s)
    most = bearing
    if surface == NAKAI and j2 > TINY and slope > TINY:
        root = math.sqrt(j2)
        lode = min(max(third_invariant(s) / (j2 * root), F(-0.3849)), F(0.3849))
        most = nakai_ratio(slope, lode) * bearing / slope
    if j2 <= most * most:
        return s
    f = most / math.sqrt(j2)
    return (f * s[0], f * s[1], f * s[2], f * s[3], f * s[4], f * s[5])


@device
def wetness(moisture):
    """Share of the cohesion that water can give, of its mass over that of the dry sand.

    Bridges between grains form with the first two per cent and hold about as much up to twenty; they drown in sand that
    fills with water, at a quarter (Mitarai and Nori 2006; Scheel et al. 2008).
    """
    return min(max(min(moisture / F(0.02), (F(0.25) - moisture) / F(0.05)), ZERO), ONE)


@device
def traction(p, s, n0, n1, n2, weight, friction):
    """Force of a wall on a particle over V, Pa/m: −(p + s)·∇λ, (17) and (19), its part along the wall cut at Coulomb's.

    n: normal toward the particle; weight: |∇λ|. This is half of what the wall must bear; contact (`stopped`) bears the
    rest. Twice the force, as of a wall filled with the particle's own stress, would be right by itself, but sand beside
    it never rests (twenty times the drift).
    """
    t0 = s[0] * n0 + s[3] * n1 + s[4] * n2
    t1 = s[3] * n0 + s[1] * n1 + s[5] * n2
    t2 = s[4] * n0 + s[5] * n1 + s[2] * n2
    normal = t0 * n0 + t1 * n1 + t2 * n2
    t0, t1, t2 = t0 - normal * n0, t1 - normal * n1, t2 - normal * n2
    along = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    press = max(p + normal, ZERO)
    cut = min(friction * press / max(along, TINY), ONE)
    return (
        weight * (press * n0 + cut * t0),
        weight * (press * n1 + cut * t1),
        weight * (press * n2 + cut * t2),
    )


@device
def stopped(u0, u1, u2, n0, n1, n2, gap, friction, dt):
    """Velocity of a particle relative to a wall, so that it is not closer than its radius at the end of the substep.

    A lone particle has no pressure that could hold it; friction takes of its sliding what Coulomb allows.
    """
    closing = u0 * n0 + u1 * n1 + u2 * n2
    least = -max(gap, ZERO) / dt
    if closing >= least:
        return u0, u1, u2
    t0, t1, t2 = u0 - closing * n0, u1 - closing * n1, u2 - closing * n2
    sliding = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    keeps = max(ONE - friction * (least - closing) / max(sliding, TINY), ZERO)
    return keeps * t0 + least * n0, keeps * t1 + least * n1, keeps * t2 + least * n2
