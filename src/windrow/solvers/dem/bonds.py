"""The law of bonds: elastic beams that break (Potyondy & Cundall 2004), in double precision.

A bond of grain i with grain j is seen from i; n is the unit normal from j to i, l the distance, c the point between the
centres that divides l as the radii do. A = π R², I = π R⁴/4, J = 2 I of a cylinder of radius R and length l₀:

    tension   N = k_n (l − l₀)              k_n = E A/l₀     from the present places: it does not drift
    shear     dS/dt = −k_s u_t              k_s = G A/l₀     u: velocity of i relative to j at c
    bending   dB/dt = −k_b ω_t              k_b = E I/l₀     ω = ω_i − ω_j
    twisting  dT/dt = −k_t ω_n              k_t = G J/l₀

S, B and T are remembered. They turn with the bond: by the smallest turn of n, then about n by the mean spin of both.
Force and moment on i are F = S − N n, M = B + T n, and dampers c = 2 ζ √(k m) of each spring beside them; j gets −F and
−M. At c the force has the levers a_i and a_j = a_i + x_i − x_j, so that momentum and angular momentum stay.

It breaks when σ = N/A + |B| R/I reaches the tensile, or τ = |S|/A + |T| R/J the shear strength.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device
from windrow.solvers.dem.rows import FORCE, LOW, SPIN, TORQUE, R, V, X
from windrow.state.bonds import LOST, SHEAR, TENSION
from windrow.team import deal, parallel

(
    LENGTH, K_NORMAL, K_SHEAR, K_BEND, K_TWIST, C_NORMAL, C_SHEAR, C_BEND, C_TWIST,
    AREA, SECTION, TENSILE, SHEARING, RADIUS,
) = range(14)  # fmt: skip
NUMBERS = 14
"""Columns of a bond's numbers: length, m; stiffness, N/m and N m; dampers, N s/m and N m s; area, m²; I/R, m³;
strengths, Pa; radius, m"""
NORMAL, SHEAR_FORCE, MOMENT, PULL = 0, 3, 6, 9
MEMORY = 10
"""Columns of what a bond remembers: n, S (N), B + T n (N m), and N (N), which is only told"""


class BondArrays(NamedTuple):
    """Bonds whose grains are there, and where each grain finds its own."""

    ends: Any
    """(m, 2) places of i and j"""
    numbers: Any
    """(m, NUMBERS)"""
    memory: Any
    """(m, MEMORY)"""
    ended: Any
    """(m,) as in `state.bonds`"""
    when: Any
    """(m,) substep of the call in which it ended"""
    given: Any
    """(m, 9) force on i, torque on i, torque on j"""
    start: Any
    """(capacity + 1,) bonds of grain i are entry[start[i]] … entry[start[i + 1] − 1]"""
    entry: Any
    """(2 m,) 2 q + side of bond q"""


@device
def _turned_about(v0, v1, v2, t0, t1, t2):
    """v turned about t by 2 arctan |t|, exactly a rotation (Cayley)."""
    scale = 2.0 / (1.0 + t0 * t0 + t1 * t1 + t2 * t2)
    c0, c1, c2 = t1 * v2 - t2 * v1, t2 * v0 - t0 * v2, t0 * v1 - t1 * v0
    return (
        v0 + scale * (c0 + t1 * c2 - t2 * c1),
        v1 + scale * (c1 + t2 * c0 - t0 * c2),
        v2 + scale * (c2 + t0 * c1 - t1 * c0),
    )


@device
def _pull(rows, bonds, q, h):
    """What bond q gives its grains at their places in `rows`, and what it remembers after h (s); how it ended, or 0."""
    i, j = bonds.ends[q, 0], bonds.ends[q, 1]
    number, memory, given = bonds.numbers[q], bonds.memory[q], bonds.given[q]
    d0 = (np.float64(rows[i, X]) - rows[j, X]) + (np.float64(rows[i, LOW]) - rows[j, LOW])
    d1 = (np.float64(rows[i, X + 1]) - rows[j, X + 1]) + (np.float64(rows[i, LOW + 1]) - rows[j, LOW + 1])
    d2 = (np.float64(rows[i, X + 2]) - rows[j, X + 2]) + (np.float64(rows[i, LOW + 2]) - rows[j, LOW + 2])
    distance = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if not (distance > 1e-9 and distance < 1e9):
        return LOST
    n0, n1, n2 = d0 / distance, d1 / distance, d2 / distance
    # what it remembers turns with it: (n × n')/(1 + n·n') is the axis times the tangent of half the angle
    m0, m1, m2 = memory[NORMAL], memory[NORMAL + 1], memory[NORMAL + 2]
    half = 1.0 / (1.0 + m0 * n0 + m1 * n1 + m2 * n2)
    t0, t1, t2 = half * (m1 * n2 - m2 * n1), half * (m2 * n0 - m0 * n2), half * (m0 * n1 - m1 * n0)
    wi0, wi1, wi2 = np.float64(rows[i, SPIN]), np.float64(rows[i, SPIN + 1]), np.float64(rows[i, SPIN + 2])
    wj0, wj1, wj2 = np.float64(rows[j, SPIN]), np.float64(rows[j, SPIN + 1]), np.float64(rows[j, SPIN + 2])
    roll = 0.25 * h * ((wi0 + wj0) * n0 + (wi1 + wj1) * n1 + (wi2 + wj2) * n2)
    s0, s1, s2 = _turned_about(memory[SHEAR_FORCE], memory[SHEAR_FORCE + 1], memory[SHEAR_FORCE + 2], t0, t1, t2)
    s0, s1, s2 = _turned_about(s0, s1, s2, roll * n0, roll * n1, roll * n2)
    b0, b1, b2 = _turned_about(memory[MOMENT], memory[MOMENT + 1], memory[MOMENT + 2], t0, t1, t2)
    b0, b1, b2 = _turned_about(b0, b1, b2, roll * n0, roll * n1, roll * n2)
    # velocity of i relative to j at c
    ri, rj = np.float64(rows[i, R]), np.float64(rows[j, R])
    ai, aj = -distance * ri / (ri + rj), distance * rj / (ri + rj)
    e0, e1, e2 = ai * wi0 - aj * wj0, ai * wi1 - aj * wj1, ai * wi2 - aj * wj2
    u0 = (np.float64(rows[i, V]) - rows[j, V]) + (e1 * n2 - e2 * n1)
    u1 = (np.float64(rows[i, V + 1]) - rows[j, V + 1]) + (e2 * n0 - e0 * n2)
    u2 = (np.float64(rows[i, V + 2]) - rows[j, V + 2]) + (e0 * n1 - e1 * n0)
    parting = u0 * n0 + u1 * n1 + u2 * n2
    u0, u1, u2 = u0 - parting * n0, u1 - parting * n1, u2 - parting * n2
    w0, w1, w2 = wi0 - wj0, wi1 - wj1, wi2 - wj2
    spin = w0 * n0 + w1 * n1 + w2 * n2
    w0, w1, w2 = w0 - spin * n0, w1 - spin * n1, w2 - spin * n2
    k = h * number[K_SHEAR]
    s0, s1, s2 = s0 - k * u0, s1 - k * u1, s2 - k * u2
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0, s1, s2 = s0 - along * n0, s1 - along * n1, s2 - along * n2
    k, twist = h * number[K_BEND], h * number[K_TWIST] * spin
    b0, b1, b2 = b0 - k * w0 - twist * n0, b1 - k * w1 - twist * n1, b2 - k * w2 - twist * n2
    tension = number[K_NORMAL] * (distance - number[LENGTH])
    for a, n, s, b in ((0, n0, s0, b0), (1, n1, s1, b1), (2, n2, s2, b2)):
        memory[NORMAL + a], memory[SHEAR_FORCE + a], memory[MOMENT + a] = n, s, b
    memory[PULL] = tension
    # strengths
    twist = b0 * n0 + b1 * n1 + b2 * n2
    c0, c1, c2 = b0 - twist * n0, b1 - twist * n1, b2 - twist * n2
    edge = np.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    shear = np.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    if tension / number[AREA] + edge / number[SECTION] >= number[TENSILE]:
        return TENSION
    if shear / number[AREA] + 0.5 * abs(twist) / number[SECTION] >= number[SHEARING]:
        return SHEAR
    # with dampers, what both get
    pull, damp = -tension - number[C_NORMAL] * parting, number[C_SHEAR]
    f0, f1, f2 = pull * n0 + (s0 - damp * u0), pull * n1 + (s1 - damp * u1), pull * n2 + (s2 - damp * u2)
    damp, twist = number[C_BEND], number[C_TWIST] * spin
    b0, b1, b2 = b0 - damp * w0 - twist * n0, b1 - damp * w1 - twist * n1, b2 - damp * w2 - twist * n2
    x0, x1, x2 = n1 * f2 - n2 * f1, n2 * f0 - n0 * f2, n0 * f1 - n1 * f0
    for a, f, b, x in ((0, f0, b0, x0), (1, f1, b1, x1), (2, f2, b2, x2)):
        given[a], given[3 + a], given[6 + a] = f, b + ai * x, -b - aj * x
    if not (abs(f0) + abs(f1) + abs(f2) + abs(b0) + abs(b1) + abs(b2) < 1e30):
        return LOST
    return 0


@parallel
def pull_bonds(team, rows, bonds, h, substep):
    """Forces and moments of all bonds at the grains' places in `rows`; those that break give nothing any more."""
    many = len(bonds.ends)
    for b in deal(team, (many + BLOCK - 1) // BLOCK):
        for q in range(b * BLOCK, min(many, b * BLOCK + BLOCK)):
            if bonds.ended[q] == 0:
                bonds.ended[q] = _pull(rows, bonds, q, h)
                if bonds.ended[q] != 0:
                    bonds.when[q] = substep
            if bonds.ended[q] != 0:
                for a in range(9):
                    bonds.given[q, a] = 0.0


@device
def hang_on_bonds(bonds, own, begin, end):
    """Adds what the bonds gave to the grains begin … end − 1, in the order of the bonds."""
    for i in range(begin, end):
        for at in range(bonds.start[i], bonds.start[i + 1]):
            q, side = bonds.entry[at] // 2, bonds.entry[at] % 2
            sign, turn = (1.0, 3) if side == 0 else (-1.0, 6)
            for a in range(3):
                own[i, FORCE + a] += np.float32(sign * bonds.given[q, a])
                own[i, TORQUE + a] += np.float32(bonds.given[q, turn + a])
