"""The contact law of NDEM in small pure functions, for one contact and for eight at a time (`solvers/formula.py`).

A contact of gap C (negative: overlap), approach speed v = n·(v_i − v_j) and inverse mass K = w_i + w_j gives the
impulse λ of an implicit spring-damper over a substep h. With q = h² k + h c,

    λ = λ_r − q (v' + b),   λ_r = 0, b = C/h while the gap is open,   λ_r = −h k C, b = 0 once it is closed,   λ ≥ 0,

where v' = v + K (λ − λ₀) is the speed *after* the impulse, λ₀ what has been applied already in this substep, and λ_r
what the spring gives at rest. Solved for λ this is λ = λ_r + s x, x = K (λ₀ − λ_r) − v − b, s = q/(1 + q K). A single
contact is then implicit Euler of
m ẍ + c ẋ + k x = 0 above unilateral ground, to rounding, and any number of sweeps leaves it there: sweeps are for
the contacts' influence on each other. Across the normal, a spring and a damper act in the same way (`held_shear`) up to
Coulomb's cap. The normal damper counts only the part of the approach below the surface,
which is what b = C/h says; otherwise a grain would be braked before it touches.

Rejected: soft coefficients of a fixed frequency and damping ratio with relaxing sweeps that take the springs'
velocity out again (Box2D v3). They settle no faster than this law with `relaxation_time`, need half as many
sweeps more, and turn every collision into a dead one, whatever the materials.
"""

from __future__ import annotations

import numpy as np

from windrow.kernel import device
from windrow.simd import VECTOR, Lanes, any_of, constant
from windrow.solvers.formula import Formula, above, dot, formula, largest, least, root, select

F = np.float32
ZERO = F(0.0)
HALF, ONE, TWO = F(0.5), F(1.0), F(2.0)
TINY = F(1e-30)
SMALL = F(1e-6)

CARRIED = 2.0
"""Largest h √(k K) that few sweeps carry: stiffer springs are computed with the stiffness that gives this."""

CORE = 0.5
"""Overlap, of the smaller radius, at which springs end and a rigid core begins."""

NO_FRICTION, ROUNDING = F(0.05), F(1e-3)
"""Share of Coulomb's cap, and of the impulse, up to which a contact counts as without friction."""

LEAST_DEPTH = F(0.1)
"""Depth, of the smaller radius, of the least area on which touching grains stick."""

STRETCH = F(0.02)
"""Gap, of the smaller radius, at which a contact that pulls tears."""

CORE_RETURN = F(0.2)
"""Share of an overlap of the cores that one substep takes back."""

CORE_RATE = F(20.0)
"""Depths of a core, per second, that it takes back at most: pushing apart what has no room must not throw it."""

SHEAR = F(2.0 / 7.0)
"""Stiffness of a contact across its normal over that along it; usual in the field."""
SHEAR_DAMPING = F(1.0)
"""Damping ratio of the shear spring of two grains alone. A weaker damper lets sudden loads swing beyond Coulomb's cap;
a stronger one takes more of the spring's force away when sliding grains stop, and soil packs denser than it should."""

CLEARLY = 0.999
"""Share of the square of Coulomb's cap up to which a shear is below it whatever the rounding."""

SLIDING = F(1.5)
"""Shear, of the static cap, at which friction becomes kinetic."""


@device
def softness(k, c, K, h, carried):
    """s = q/(1 + q K) and the rate h k/q by which an overlap enters the bias, of a spring-damper k, c."""
    k = min(k, carried * carried / (h * h * max(K, TINY)))
    q = h * (h * k + c)
    if q <= ZERO or K <= ZERO:
        return ZERO, ZERO
    return q / (ONE + q * K), h * k / q


@formula
def contact_softness(k, c, K, h, others, relaxation):
    """s of a contact with the damping of a crowd, s with that of its materials, and h k.

    Grains are computed softer than they are, so that deep soil would ring visibly and for long. Where the grains of a
    contact have other loaded contacts as well, its damper is at least k times the relaxation time. Two grains alone, or
    one on the ground, keep the damping of their materials. k: what the substep carries of the stiffness.
    """
    crowded = select(others <= HALF, c, largest(c, relaxation * k))
    easy, hard = h * (h * k + c), h * (h * k + crowded)
    works = above(least(hard, K))
    return (
        select(works, hard / (ONE + hard * K), ZERO),
        select(works, easy / (ONE + easy * K), ZERO),
        select(works, h * k, ZERO),
    )


@formula
def shear_grip(k, K, h):
    """s_t = q_t/(1 + q_t K) of a spring k_t = `SHEAR` k and damper c_t = 2 ζ √(k_t/K) across: q_t = h² k_t + h c_t."""
    shear = SHEAR * k
    q = h * (h * shear + TWO * SHEAR_DAMPING * root(shear / largest(K, TINY)))
    return select(above(K), q / (ONE + q * K), ZERO)


@formula
def bias_and_softness(gap, approach, core, h, K, soft, spring):
    """b, λ_r and s of a substep: the soft law, or a rigid stop for what would otherwise go through the core.

    A spring ends where the core begins: what was pressed further gives back no more than that.
    """
    short = gap + core
    rigid = select(above(K), short + h * approach, ZERO) < ZERO
    stop = select(short < ZERO, largest(CORE_RETURN * short / h, -CORE_RATE * core), short / h)
    return (
        select(rigid, stop, largest(gap, ZERO) / h),
        select(rigid, ZERO, spring * least(largest(-gap, ZERO), core)),
        select(rigid, ONE / (K + TINY), soft),
    )


@formula
def springs_back(l, n, mu_k):
    """Whether a contact opens with the damping of its materials alone: if friction has a share in its impulse l so far.

    What an impact pressed together must not come apart slowly where there is friction: grains would creep apart until
    friction holds them, and soil stay compressed by a quarter more than its weight asks for. There, friction ends
    the ringing; without friction nothing is held, and the damper acts both ways.
    """
    along = dot(l, n)
    most = (NO_FRICTION * mu_k + ROUNDING) * along
    return above(dot(l, l) - along * along - most * most)


@formula
def adhesive_impulse(gap, r_min, strength, before):
    """h a A_c with the contact area A_c = π r_min² (1 − (ζ/r_min − 1)²) = π ζ (2 r_min − ζ) of Holz 2014, 35 and 36,
    and at least that of ζ = `LEAST_DEPTH`.

    The overlap ζ of springs is the load over the stiffness. If A_c followed it all the way, the pull would be a share
    of the load, an addition to μ, and no cohesion; and soil would stick the less the stiffer it is. A contact that
    pulls (`before` < 0) holds on a little beyond touching.
    """
    torn = above(gap - select(before < ZERO, STRETCH * r_min, ZERO))
    depth = largest(least(-gap, r_min), LEAST_DEPTH * r_min)
    return select(torn, ZERO, strength * depth * (TWO * r_min - depth))


@formula
def normal_impulse(v, before, K, normal, pull):
    """Impulse along the normal, and the push of the spring-damper in it (all of it without adhesion).

    normal: bias, λ_r at rest, and s while the contact closes and while it opens. Adhesion resists separation with at
    most `pull` (None: there is none in this scene): of the three, separation without it, none at all and separation
    against all of it, the one that applies lies between the other two.
    """
    bias, rest, soft, easy = normal
    x = K * (before - rest) - v - bias
    closing, opening = rest + soft * x, rest + easy * x  # the one that applies is the larger
    push = largest(largest(closing, opening), ZERO)
    if pull is None:
        return push, push
    soft_share, easy_share = largest(ONE - soft * K, SMALL), largest(ONE - easy * K, SMALL)  # 1/(1 + q K)
    against = largest(largest(closing - pull * soft_share, opening - pull * easy_share), -pull)
    sticky = above(least(pull, K))
    along = select(sticky, least(push, largest(before - v / (K + TINY), against)), push)
    after = v + K * (along - before) + bias
    loaded = rest - least(soft / soft_share * after, easy / easy_share * after)
    return along, select(sticky, largest(loaded, ZERO), push)


def _friction_share(square, push, mu_s, mu_k, pull):
    """What part of the shear impulse friction can give: all of it, or up to Coulomb's cap. square: of its size.

    Friction is kinetic once the shear asks for `SLIDING` times the static cap, which is a sliding speed of about
    a fifth of cap/√(k_t m). Below it a spring that swings beyond the cap merely yields.
    """
    size, most, kept = root(square), mu_s * push, mu_k * push
    if pull is not None:
        most, kept = most + pull, kept + pull
    return select(size <= most, ONE, select(size <= SLIDING * most, most, kept) / size)


def _friction_share_of_eight(square: Lanes, push: Lanes, mu_s: Lanes, mu_k: Lanes, pull: Lanes | None) -> Lanes:
    """The same; root and quotient, a tenth of a sweep, are left out where all eight clearly hold, or bear nothing."""
    b, most, kept = square.b, mu_s * push, mu_k * push
    if pull is not None:
        most, kept = most + pull, kept + pull
    bears = most + kept > 0.0
    clear = b.or_(square < CLEARLY * (most * most), b.not_(bears))
    with b.if_else(any_of(b, b.not_(clear)), likely=False) as (computed, known):
        with computed:
            slow, slow_from = _friction_share(square, push, mu_s, mu_k, pull), b.block
        with known:
            quick, quick_from = select(bears, constant(b, 1.0), 0.0), b.block
    share = b.phi(VECTOR)
    share.add_incoming(slow.v, slow_from)
    share.add_incoming(quick.v, quick_from)
    return Lanes(b, share)


friction_share = Formula(_friction_share, _friction_share_of_eight)


@formula
def held_shear(l, n, began, grip, K, spring, h):
    """The part of λ_t = λ_t⁻ − h² k_t u' − h c_t (u' − u⁻) that the motion u' of this substep does not change, times
    1/(1 + q_t K).

    λ_t⁻ and u⁻: impulse (l) and relative velocity (began) at the end of the substep before. Summed over substeps this
    is a spring and a damper across the normal; sliding sets their sum to Coulomb's cap. A contact that was not loaded
    has no u⁻. grip: s_t; spring: h k.
    """
    along, v = dot(l, n), dot(began, n)
    yielding = ONE - grip * K  # 1/(1 + q_t K)
    damper = largest(grip - yielding * SHEAR * h * spring, ZERO)  # h c_t times that
    damper = select(dot(l, l) <= ZERO, ZERO, damper)
    return (
        yielding * (l[0] - along * n[0]) + damper * (began[0] - v * n[0]),
        yielding * (l[1] - along * n[1]) + damper * (began[1] - v * n[1]),
        yielding * (l[2] - along * n[2]) + damper * (began[2] - v * n[2]),
    )


@formula
def contact_impulse(u, n, l, held, K, normal, grip, friction):
    """The impulse vector of a contact with relative velocity u, normal n, impulse so far l and `held_shear`.

    K: along and across the normal; normal: see `normal_impulse`; friction: μ_s, μ_k and pull. Across the normal the
    impulse is λ_t = held + s_t (K λ_t so far − u), which is the law of `held_shear` solved for u' = u + K times the
    change of λ_t. Where neither side can move there is nothing to solve: what a sleeper carries is kept.
    """
    v, before = dot(u, n), dot(l, n)
    mu_s, mu_k, pull = friction
    along, push = normal_impulse(v, before, K[0], normal, pull)
    t0 = held[0] + grip * (K[1] * (l[0] - before * n[0]) - (u[0] - v * n[0]))
    t1 = held[1] + grip * (K[1] * (l[1] - before * n[1]) - (u[1] - v * n[1]))
    t2 = held[2] + grip * (K[1] * (l[2] - before * n[2]) - (u[2] - v * n[2]))
    t = (t0, t1, t2)
    f, movable = friction_share(dot(t, t) + TINY, push, mu_s, mu_k, pull), above(K[0])
    return (
        select(movable, along * n[0] + f * t0, l[0]),
        select(movable, along * n[1] + f * t1, l[1]),
        select(movable, along * n[2] + f * t2, l[2]),
    )
