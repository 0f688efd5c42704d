"""The contact law of NDEM in small pure functions; `vector.py` has the same formulas eight at a time.

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

import math

import numpy as np

from windrow.kernel import device

F = np.float32
ZERO = F(0.0)
ONE = F(1.0)
TINY = F(1e-30)

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

SLIDING = F(1.5)
"""Shear, of the static cap, at which friction becomes kinetic."""

# Columns of the model's pair table.
STIFFNESS, DAMPING, STATIC, KINETIC, ADHESION = range(5)

# Columns of a contact's row: of the present substep its normal, bias, impulse at rest, and softness while it closes and
# while it opens, and what its shear spring and damper would give without further motion; and for the whole step the
# shear's softness, that of the damped and of the bare contact, and h k; last the impulse that the substep began with,
# for the case that it is undone. What every sweep reads comes first, and so in few cache lines.
(
    NX,
    NY,
    NZ,
    BIAS,
    REST,
    SOFT_NOW,
    EASY_NOW,
    HELD_X,
    HELD_Y,
    HELD_Z,
    GRIP,
    SOFT,
    EASY,
    SPRING,
    LAST_X,
    LAST_Y,
    LAST_Z,
) = range(17)
ROW = 17

# Columns of the friction of a contact: μ_s, μ_k, π a h (per area over π), and the adhesive impulse now.
MU_S, MU_K, STRENGTH, PULL = range(4)
LAW = 4


@device
def softness(k, c, K, h, carried):
    """s = q/(1 + q K) and the rate h k/q by which an overlap enters the bias, of a spring-damper k, c."""
    k = min(k, carried * carried / (h * h * max(K, TINY)))
    q = h * (h * k + c)
    if q <= ZERO or K <= ZERO:
        return ZERO, ZERO
    return q / (ONE + q * K), h * k / q


@device
def contact_softness(k, c, K, h, carried, relaxation):
    """s of a contact with the damping of a crowd, s with that of its materials, and h k.

    Grains are computed softer than they are, so that deep soil would ring visibly and for long. Where the grains of a
    contact have other loaded contacts as well (`relaxation` > 0), its damper is at least k times the relaxation
    time. Two grains alone, or one on the ground, keep the damping of their materials.
    """
    k = min(k, carried * carried / (h * h * max(K, TINY)))
    easy, hard = h * (h * k + c), h * (h * k + max(c, relaxation * k))
    if hard <= ZERO or K <= ZERO:
        return ZERO, ZERO, ZERO
    return hard / (ONE + hard * K), easy / (ONE + easy * K), h * k


@device
def shear_grip(k, K, h, carried):
    """s_t = q_t/(1 + q_t K) of a spring k_t = `SHEAR` k and damper c_t = 2 ζ √(k_t/K) across: q_t = h² k_t + h c_t."""
    if K <= ZERO:
        return ZERO
    k = SHEAR * min(k, carried * carried / (h * h * K))
    q = h * (h * k + F(2.0) * SHEAR_DAMPING * math.sqrt(k / K))
    return q / (ONE + q * K)


@device
def bias_and_softness(gap, approach, core, h, K, soft, spring):
    """b, λ_r and s of a substep: the soft law, or a rigid stop for what would otherwise go through the core.

    A spring ends where the core begins: what was pressed further gives back no more than that.
    """
    if gap + h * approach < -core and K > ZERO:
        short = gap + core
        stop = short / h if short > ZERO else max(CORE_RETURN * short / h, -CORE_RATE * core)
        return stop, ZERO, ONE / K
    return max(gap, ZERO) / h, spring * min(max(-gap, ZERO), core), soft


@device
def springs_back(l0, l1, l2, n0, n1, n2, mu_k):
    """Whether a contact opens with the damping of its materials alone: if friction has a share in its impulse so far.

    What an impact pressed together must not come apart slowly where there is friction: grains would creep apart until
    friction holds them, and soil stay compressed by a quarter more than its weight asks for. There, friction ends
    the ringing; without friction nothing is held, and the damper acts both ways.
    """
    along = l0 * n0 + l1 * n1 + l2 * n2
    most = (NO_FRICTION * mu_k + ROUNDING) * along
    return l0 * l0 + l1 * l1 + l2 * l2 - along * along > most * most


@device
def adhesive_impulse(gap, r_min, strength, before):
    """h a A_c with the contact area A_c = π r_min² (1 − (ζ/r_min − 1)²) = π ζ (2 r_min − ζ) of Holz 2014, 35 and 36,
    and at least that of ζ = `LEAST_DEPTH`.

    The overlap ζ of springs is the load over the stiffness. If A_c followed it all the way, the pull would be a share
    of the load, an addition to μ, and no cohesion; and soil would stick the less the stiffer it is. A contact that
    pulls (`before` < 0) holds on a little beyond touching.
    """
    if gap > (STRETCH * r_min if before < ZERO else ZERO):
        return ZERO
    depth = max(min(-gap, r_min), LEAST_DEPTH * r_min)
    return strength * depth * (F(2.0) * r_min - depth)


@device
def normal_impulse(v, before, K, bias, rest, soft, easy, pull):
    """Impulse along the normal, and the push of the spring-damper in it (all of it without adhesion).

    Adhesion resists separation with at most `pull`: of the three, separation without it, none at all and
    separation against all of it, the one that applies lies between the other two.
    """
    x = K * (before - rest) - v - bias
    closing, opening = rest + soft * x, rest + easy * x  # the one that applies is the larger
    push = max(closing, opening, ZERO)
    if pull <= ZERO or K <= ZERO:
        return push, push
    soft_share, easy_share = max(ONE - soft * K, F(1e-6)), max(ONE - easy * K, F(1e-6))  # 1/(1 + q K)
    against = max(closing - pull * soft_share, opening - pull * easy_share, -pull)
    along = min(push, max(before - v / K, against))
    after = v + K * (along - before) + bias
    return along, max(rest - soft / soft_share * after, rest - easy / easy_share * after, ZERO)


@device
def friction_share(size, push, mu_s, mu_k, pull):
    """What part of the shear impulse friction can give: all of it, or up to Coulomb's cap.

    Friction is kinetic once the shear asks for `SLIDING` times the static cap, which is a sliding speed of about
    a fifth of cap/√(k_t m). Below it a spring that swings beyond the cap merely yields.
    """
    most = mu_s * push + pull
    if size <= most:
        return ONE
    return (most if size <= SLIDING * most else mu_k * push + pull) / size


@device
def held_shear(l0, l1, l2, n0, n1, n2, b0, b1, b2, grip, K, spring, h):
    """The part of λ_t = λ_t⁻ − h² k_t u' − h c_t (u' − u⁻) that the motion u' of this substep does not change, times
    1/(1 + q_t K).

    λ_t⁻ and u⁻: impulse and relative velocity (b) at the end of the substep before. Summed over substeps this is a
    spring and a damper across the normal; sliding sets their sum to Coulomb's cap. A contact that was not loaded has
    no u⁻. grip: s_t; spring: h k.
    """
    if l0 * l0 + l1 * l1 + l2 * l2 <= ZERO:
        return ZERO, ZERO, ZERO
    along, v = l0 * n0 + l1 * n1 + l2 * n2, b0 * n0 + b1 * n1 + b2 * n2
    yielding = ONE - grip * K  # 1/(1 + q_t K)
    damper = max(grip - yielding * SHEAR * h * spring, ZERO)  # h c_t times that
    return (
        yielding * (l0 - along * n0) + damper * (b0 - v * n0),
        yielding * (l1 - along * n1) + damper * (b1 - v * n1),
        yielding * (l2 - along * n2) + damper * (b2 - v * n2),
    )


@device
def contact_impulse(
    u0,
    u1,
    u2,
    n0,
    n1,
    n2,
    l0,
    l1,
    l2,
    s0,
    s1,
    s2,
    K,
    K_across,
    bias,
    rest,
    soft,
    easy,
    grip,
    mu_s,
    mu_k,
    pull,
):
    """The impulse vector of a contact with relative velocity u, normal n, impulse so far l and `held_shear` s.

    Across the normal it is λ_t = s + s_t (K λ_t so far − u), which is the law of `held_shear` solved for u' = u + K
    times the change of λ_t.
    """
    v = u0 * n0 + u1 * n1 + u2 * n2
    before = l0 * n0 + l1 * n1 + l2 * n2
    along, push = normal_impulse(v, before, K, bias, rest, soft, easy, pull)
    t0 = s0 + grip * (K_across * (l0 - before * n0) - (u0 - v * n0))
    t1 = s1 + grip * (K_across * (l1 - before * n1) - (u1 - v * n1))
    t2 = s2 + grip * (K_across * (l2 - before * n2) - (u2 - v * n2))
    f = friction_share(math.sqrt(t0 * t0 + t1 * t1 + t2 * t2 + TINY), push, mu_s, mu_k, pull)
    return along * n0 + f * t0, along * n1 + f * t1, along * n2 + f * t2
