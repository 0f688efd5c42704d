"""The contact laws of DEM: each a small pure function, written once for every kind of number.

`op` says what the numbers are: arrays (`ARRAYS`, the plain reference) or eight lanes of compiled code
(`lanes.LANES`). A contact of grain i with grain j, or with a wall, is seen from i:

    n       unit normal, from j to i
    δ       overlap r_i + r_j − |x_i − x_j|, m
    u       velocity of i relative to j at the point of contact, m/s; u_n = u·n, u_t = u − u_n n
    R*      1/(1/r_i + 1/r_j), m;   m*  1/(1/m_i + 1/m_j), kg

Forces act on i, and the opposite on j: every function gives exactly the opposite when i and j change places, so that
momentum is exchanged to the bit. What a contact remembers (`MEMORY`) are forces of springs across its normal:

    shear τ     dτ/dt = k_t u_t, limited by friction (Cundall & Strack 1979); turned into the tangent plane each step
    rolling ρ   the same for the rolling velocity R* (ω_i − ω_j) × n, limited by rolling friction (Luding 2008)
    twisting θ  the same for R* (ω_i − ω_j)·n

With constant stiffness this is LAMMPS' gran/hooke/history, times k_t. With Hertz's stiffness, which grows with the
overlap, a spring keeps its length and changes its force as the stiffness does, and the damper acts while it holds only:
so the impacts that Kharaz, Gorham & Salman (2001) measured come out. Rejected: a spring that keeps its force (Mindlin's
increments), which turns spheres that hit at 5° three times as much as they were seen to.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

Number = Any
Triple = Any
"""Three numbers."""

TINY = 1e-30

ARRAYS = SimpleNamespace(
    select=np.where,
    root=np.sqrt,
    larger=np.maximum,
    smaller=np.minimum,
    rounded=lambda a: a,
)
"""The plain reference: NumPy arrays, or single numbers."""

PAIR_COLUMNS = 16
(
    STIFFNESS, DAMPING, DAMPING_RATIO, SHEAR, SHEAR_DAMPING, STATIC, KINETIC, ROLLING,
    TWISTING, ADHESION, PULL, BRIDGE, BRIDGE_WIDTH, BRIDGE_REACH, STRETCHING, STRETCHING_ROOT,
) = range(PAIR_COLUMNS)  # fmt: skip
"""Columns of the table of pairs of materials that `materials.pair_table` makes:

linear: k, N/m; Hertz: E*, Pa · damper of the materials, N s/m · factor of √(m* S) in the damper · linear: k_t, N/m;
Hertz: 8 G*, Pa · shear damper over normal damper · μ_s · μ_k · μ_r · μ_w · π times adhesion, Pa · pull of surface
energy over R*, N/m · pull of a bridge over R*, N/m · its width √(V/2), m^1.5 · gap at which it tears, m · κ of surfaces
that stretch (JKR), √m · its cube root"""

MEMORY = ("shear_x", "shear_y", "shear_z", "state", "roll_x", "roll_y", "roll_z", "twist")
"""What a contact remembers; the first four always, the others with rolling, twisting resistance. N each, but for the
state: 0 while they do not touch, else the present shear stiffness (N/m), negative while the contact slides."""
STATE = 3

ROLLING_DAMPING = 0.3
"""Damping ratio of the springs against rolling and twisting."""
CORE = 0.5
"""Overlap, of the smaller radius, at which springs end. What is pressed further, by a tool that leaves no room, gets no
more force, and gives nothing back until it has come out again: otherwise it would be shot."""
STRETCH = 0.02
"""Gap, of the smaller radius, at which a contact held by `adhesion` tears."""
CUBE_ROOT_STEPS, STRETCHED_STEPS = 3, 8
"""Steps of Newton's method for a cube root, and for the area of contact of stretched surfaces."""
LEAST_DEPTH = 0.1
"""Depth, of the smaller radius, of the least area on which touching grains stick."""


class Law(NamedTuple):
    """Which pieces the contacts of a scene are made of; compiled code has only these."""

    hertz: bool = False
    resists: bool = False
    """rolling and twisting"""
    coheres: bool = False
    """adhesion, surface energy or bridges"""
    mixed: bool = True
    """several materials; else all grains have the first row of the table"""
    stretches: bool = False
    """surface energy deforms the spheres (JKR); with Hertz contacts that cohere"""

    @property
    def memory(self) -> int:
        """Numbers that a contact remembers."""
        return 8 if self.resists else 4


class Touch(NamedTuple):
    """A contact as it is now, seen from grain i."""

    overlap: Number
    normal: Triple
    velocity: Triple
    """u: of i relative to j at the point of contact, m/s"""
    turning: Triple
    """ω_i − ω_j, rad/s; unused without rolling resistance"""
    radius: Number
    """R*, m"""
    smaller: Number
    """radius of the smaller one, m"""
    inverse_mass: Number
    """1/m*, 1/kg"""


class Springs(NamedTuple):
    """What the normal law gives to the other pieces."""

    push: Number
    """elastic force, N"""
    damper: Number
    """N s/m along the normal"""
    shear: Number
    """stiffness across it, N/m"""


class Given(NamedTuple):
    """What a contact gives grain i."""

    force: Triple
    """N"""
    sideways: Triple
    """its part across the normal, N, which turns both grains"""
    couple: Triple
    """torque of rolling and twisting resistance, N m"""
    memory: list[Number]


def dot(a: Any, b: Any) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Any, b: Any) -> Triple:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def linear_springs(op: Any, touch: Touch, pair: Any) -> Springs:
    """F = k δ;  c_n = c + 2ζ √(m* k), where the factor 2ζ = −2 ln e/√(π² + ln² e) gives the restitution e."""
    k = pair[STIFFNESS]
    damper = pair[DAMPING] + pair[DAMPING_RATIO] * op.root(k / touch.inverse_mass)
    return Springs(k * touch.overlap, damper, pair[SHEAR])


def hertz_springs(op: Any, touch: Touch, pair: Any) -> Springs:
    """F = 4/3 E* a δ, a = √(R* δ);  c_n = 2ζ √(5/6) √(m* S), S = 2 E* a;  k_t = 8 G* a (Mindlin 1949).

    The factor in front of the root makes the restitution e at every speed (Tsuji et al. 1992, Antypov & Elliott 2011).
    """
    a = op.root(touch.radius * op.larger(touch.overlap, 0.0))
    stiffness = 2.0 * pair[STIFFNESS] * a
    damper = pair[DAMPING] + pair[DAMPING_RATIO] * op.root(stiffness / touch.inverse_mass)
    return Springs((2.0 / 3.0) * stiffness * touch.overlap, damper, pair[SHEAR] * a)


def cube_root(op: Any, x: Number) -> Number:
    """Of x > 0: x^(1/4 + 1/16 + 1/64) by square roots, then Newton's method; to rounding for 1e-9 to 1e9."""
    fourth = op.root(op.root(x))
    sixteenth = op.root(op.root(fourth))
    guess = fourth * sixteenth * op.root(op.root(sixteenth))
    for _ in range(CUBE_ROOT_STEPS):
        guess = (2.0 * guess + x / (guess * guess)) * (1.0 / 3.0)
    return guess


def stretched_radius(op: Any, touch: Touch, pair: Any) -> Number:
    """Radius a of the area of contact, m: the largest root of δ = a²/R* − κ √a, κ = √(2π w/E*) (Johnson et al. 1971).

    With y = √a: y⁴ − c y = R* δ, c = R* κ. Newton's method falls to the root from any y above it; R* δ is at least
    −3/4 c (c/4)^⅓, where the surfaces part.
    """
    c = touch.radius * pair[STRETCHING]
    free = pair[STRETCHING_ROOT] * cube_root(op, touch.radius)
    d = op.larger(touch.radius * touch.overlap, (-0.75 * 0.6299605249474366) * c * free)
    y = op.larger(1.26 * free, op.root(op.root(2.0 * op.larger(d, 0.0)))) + TINY
    for _ in range(STRETCHED_STEPS):
        cube = y * y * y
        slope = op.larger(op.larger(4.0 * cube - c, 0.01 * cube), TINY)
        y = y - (y * cube - c * y - d) / slope
    return y * y


def stretched_springs(op: Any, touch: Touch, pair: Any) -> Springs:
    """F = 4/3 E* a³/R* − 2 E* κ a^1.5 by JKR, plus the 3π w R* that `pull` takes back; damper and shear stiffness by a.

    What is added is twice the pull-off force: friction holds up to μ (F + 2 F_off) (Thornton 1991), never by less than
    μ F_off.
    """
    a = stretched_radius(op, touch, pair)
    stiffness = 2.0 * pair[STIFFNESS] * a
    damper = pair[DAMPING] + pair[DAMPING_RATIO] * op.root(stiffness / touch.inverse_mass)
    force = stiffness * ((2.0 / 3.0) * a * a / touch.radius - pair[STRETCHING] * op.root(a))
    return Springs(force + pair[PULL] * touch.radius, damper, pair[SHEAR] * a)


def neck(op: Any, touch: Touch, pair: Any) -> Number:
    """Gap over which stretched surfaces hold, m: 3 (κ/4)^(4/3) R*^(1/3), where dδ/da = 0."""
    return 0.4724703937105775 * pair[STRETCHING] * pair[STRETCHING_ROOT] * cube_root(op, touch.radius)


def adhesion(op: Any, touch: Touch, pair: Any) -> Number:
    """Pull of the soils' law, N: π a d (2 r − d), area of contact at depth d times adhesion a (Holz 2014, 35)."""
    r = touch.smaller
    depth = op.larger(op.smaller(touch.overlap, r), LEAST_DEPTH * r)
    return pair[ADHESION] * depth * (2.0 * r - depth)


def bridge(op: Any, touch: Touch, pair: Any) -> Number:
    """Pull of a liquid bridge of volume V, N: 4π R* γ cos φ/(1 + 1.05 s + 2.5 s²), s = S √(2 R*/V) at the gap S.

    Willett et al. 2000, equation 12, for spheres of radius 2 R* (Derjaguin); it tears at S = (1 + φ/2) V^⅓ (Lian et al.
    1993).
    """
    s = op.larger(-touch.overlap, 0.0) * op.root(touch.radius) / pair[BRIDGE_WIDTH]
    return pair[BRIDGE] * touch.radius / (1.0 + 1.05 * s + 2.5 * s * s)


def reach(op: Any, law: Law, touch: Touch, pair: Any) -> Number:
    """Gap up to which a contact that has begun goes on, m."""
    if not law.coheres:
        return 0.0 * touch.smaller
    liquid = pair[BRIDGE_REACH]
    if law.stretches:
        liquid = op.larger(liquid, neck(op, touch, pair))
    return op.select(pair[ADHESION] > 0.0, op.larger(STRETCH * touch.smaller, liquid), liquid)


def pull(op: Any, law: Law, touch: Touch, pair: Any) -> Number:
    """All that holds a contact together, N. Surface energy pulls with 2π w R* while they touch (DMT 1975), or with what
    `stretched_springs` have too much, until they part."""
    touching = touch.overlap >= 0.0
    in_adhesion = touch.overlap + STRETCH * touch.smaller >= 0.0
    in_bridge = touch.overlap + pair[BRIDGE_REACH] >= 0.0
    if law.stretches:
        touching = touch.overlap + neck(op, touch, pair) >= 0.0
    return (
        op.select(touching, pair[PULL] * touch.radius, 0.0)
        + op.select(in_adhesion, adhesion(op, touch, pair), 0.0)
        + op.select(in_bridge, bridge(op, touch, pair), 0.0)
    )


def length(op: Any, vector: Any) -> Number:
    square = vector[0] * vector[0]
    for component in vector[1:]:
        square = square + component * component
    return op.root(square + TINY)


def slider(
    op: Any, spring: Any, damper: Any, limits: tuple[Number, Number], slides: Any
) -> tuple[list[Number], list[Number], Any]:
    """Coulomb: spring plus damper hold up to limits[0]; beyond it, and while it slides on, limits[1] is left.

    The spring is shortened so that it makes up that with the damper. A contact that slides holds again when both need
    less than limits[1]. Returns the spring, the force and whether the contact slides.
    """
    whole = [s + d for s, d in zip(spring, damper, strict=True)]
    size = length(op, whole)
    most = op.select(slides, limits[1], limits[0])
    beyond = most < size
    share = op.select(beyond, limits[1] / size, 1.0)
    force = [share * w for w in whole]
    kept = [op.select(beyond, f - d, s) for f, d, s in zip(force, damper, spring, strict=True)]
    return kept, force, beyond


def bare_slider(
    op: Any, spring: Any, damper: Any, limits: tuple[Number, Number], slides: Any
) -> tuple[list[Number], list[Number], Any]:
    """As `slider`, where the spring alone decides, and there is no damper while it slides."""
    size = length(op, spring)
    beyond = op.select(slides, limits[1], limits[0]) < size
    share = op.select(beyond, limits[1] / size, 1.0)
    kept = [share * s for s in spring]
    whole = [k + op.select(beyond, 0.0, d) for k, d in zip(kept, damper, strict=True)]
    most = op.select(beyond, limits[1], limits[0])
    least = op.smaller(most / length(op, whole), 1.0)
    return kept, [least * w for w in whole], beyond


def in_plane(v: Any, n: Any) -> list[Number]:
    """The part of v across n."""
    along = dot(v, n)
    return [v[k] - along * n[k] for k in range(3)]


def friction(
    op: Any, law: Law, touch: Touch, springs: Springs, load: Number, pair: Any, memory: Any, dt: Number
) -> tuple[list[Number], list[Number]]:
    """Force across the normal on i, and the memory of it. dt: time that the springs stretch, s."""
    n, k = touch.normal, springs.shear
    slip = in_plane(touch.velocity, n)
    spring = memory[:3]
    if law.hertz:
        before = op.larger(memory[STATE], -memory[STATE])
        stiffer = op.select(before > 0.0, k / (before + TINY), 1.0)
        spring = [stiffer * s for s in spring]
    spring = in_plane([(dt * k) * slip[a] + spring[a] for a in range(3)], n)
    damper = [(pair[SHEAR_DAMPING] * springs.damper) * slip[a] for a in range(3)]
    limits = pair[STATIC] * load, pair[KINETIC] * load
    slide = bare_slider if law.hertz else slider
    spring, force, slides = slide(op, spring, damper, limits, memory[STATE] < 0.0)
    now = op.larger(k, TINY)
    return [-f for f in force], [*spring, op.select(slides, -now, now)]


def resistance(
    op: Any, touch: Touch, springs: Springs, load: Number, pair: Any, memory: Any, dt: Number
) -> tuple[list[Number], list[Number]]:
    """Torque against rolling and twisting on i, N m, and the memory of it."""
    n, k, R = touch.normal, springs.shear, touch.radius
    c = (2.0 * ROLLING_DAMPING) * op.root(0.4 * k / touch.inverse_mass)
    rolling = [R * component for component in cross(touch.turning, n)]
    spring = in_plane([memory[4 + a] + (dt * k) * rolling[a] for a in range(3)], n)
    damper = [c * rolling[a] for a in range(3)]
    most = pair[ROLLING] * load
    spring, force, _ = slider(op, spring, damper, (most, most), 0.0 * load > 0.0)
    spin = R * dot(touch.turning, n)
    twist, turn = memory[7] + (dt * k) * spin, c * spin
    most = pair[TWISTING] * load
    (twist,), (turned,), _ = slider(op, [twist], [turn], (most, most), 0.0 * load > 0.0)
    torque = cross(force, n)
    return [R * (torque[a] - turned * n[a]) for a in range(3)], [*spring, twist]


def contact(op: Any, law: Law, touch: Touch, pair: Any, memory: Any, dt: Number, least: Number) -> Given:
    """The whole law: normal springs → friction → rolling and twisting resistance → what holds together.

    least: N, that spring and damper push with at least: 0 if the damper may not pull, else −∞.
    """
    core = CORE * touch.smaller
    pressed = touch._replace(overlap=op.smaller(touch.overlap, core))
    normal = stretched_springs if law.stretches else hertz_springs if law.hertz else linear_springs
    springs = normal(op, pressed, pair)
    parting = dot(touch.velocity, touch.normal)
    crushed = op.select(core < touch.overlap, op.select(parting > 0.0, 0.0, springs.push), springs.push)
    push = op.larger(crushed - springs.damper * parting, least)
    if law.coheres:
        # a stretched bridge has neither spring nor friction
        apart = touch.overlap if not law.stretches else touch.overlap + neck(op, touch, pair)
        push = op.select(apart > 0.0, push, 0.0)
    load = op.larger(push, -push)
    sideways, kept = friction(op, law, touch, springs, load, pair, memory, dt)
    couple = [0.0 * load] * 3
    if law.resists:
        couple, more = resistance(op, touch, springs, load, pair, memory, dt)
        kept = kept + more
    if law.coheres:
        push = push - pull(op, law, touch, pair)
    force = [push * touch.normal[a] + sideways[a] for a in range(3)]
    return Given(tuple(force), tuple(sideways), tuple(couple), kept)
