"""The contact law of P² in small pure functions, for one contact and for eight at a time (`solvers/formula.py`).

Equation numbers are Holz 2014's.

Lengths here are displacements within one step: `gap` is C_s, `approach` is C_d = ((p_i − x_i) − (p_j − x_j))·n.
w is the pair's inverse effective mass w_i + w_j, so that a grain against a fixed wall has w = w_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow import simd
from windrow.fixed_kernels import power
from windrow.simd import Lanes
from windrow.solvers.formula import Formula, dot, formula, largest, least, root, select

F: Any = np.float32
ZERO, ONE, TWO, TINY = F(0.0), F(1.0), F(2.0), F(1e-20)

# Columns of the pair table that `pair_table` makes: everything about a contact that does not change in a step.
RATE, SPRING_SHARE, STATIC, KINETIC, ADHESION = range(5)
PAIR_COLUMNS = 8


def pair_table(
    pairs: NDArray[np.float32], dt: float, iterations: int, fraction: float = 1.0
) -> NDArray[np.float32]:
    """Physical pair values (stiffness, damping, μ_s, μ_k, adhesion) to what the contact law reads.

    With q = Δt² k + Δt c, equation 21 gives α = 1 − k_pb − c_pb = 1/(1 + w q), and 28 becomes
    k' = (1 − α^(1/n)) Δt² k/q and c' = (1 − α^(1/n)) Δt c/q: one root, shared out between spring and damper.
    k = c = 0 makes q = 0, α = 1 and both factors zero without a division.
    The adhesive displacement (34–36) is a force per step, so that each iteration may use 1/n of it.

    `fraction`: what dt is of the usual substep. What a few iterations leave of overlaps belongs to the usual one;
    pushed out within a fraction of it, it would become a speed that nothing gave. So overlaps leave as fast as ever.
    """
    k, c, mu_s, mu_k, adhesion = (pairs[:, column].astype(np.float64) for column in range(5))
    q = dt * dt * k + dt * c
    table = np.zeros((len(pairs), PAIR_COLUMNS), np.float32)
    table[:, RATE] = q
    table[:, SPRING_SHARE] = fraction * np.divide(dt * dt * k, q, out=np.zeros_like(q), where=q > 0)
    table[:, STATIC] = mu_s
    table[:, KINETIC] = mu_k
    table[:, ADHESION] = np.pi * adhesion * dt * dt / iterations
    return table


def _power(a, exponent):  # type: ignore[no-untyped-def]
    return power(a, exponent)


def _still_to_come(relax, left):  # type: ignore[no-untyped-def]
    """Sum of λ_n over this and the remaining iterations, per λ_n of this one: 1 + q + … + q^(left−1), q = 1 − relax."""
    total = ONE
    for _ in range(1, int(left)):
        total = total - total * relax + ONE
    return total


def _still_to_come_lanes(relax: Lanes, left: Any) -> Lanes:
    """left: an integer of the generated code."""
    total = simd.Sum(relax.b, 1.0)
    with simd.loop(relax.b, relax.b.sub(left, left.type(1))):
        so_far = Lanes(relax.b, total.total)
        total.replace(so_far - so_far * relax + 1.0)
    return Lanes(relax.b, total.total)


raised = Formula(_power, simd.power)
normal_still_to_come = Formula(_still_to_come, _still_to_come_lanes)


@formula
def relaxation(w, rate, exponent):  # type: ignore[no-untyped-def]
    """1 − α^(1/n), equation 28, with exponent −1/n: the share of the violation one of n iterations removes."""
    return ONE - raised(ONE + w * rate, exponent)


@formula
def normal_displacement(gap, approach, relax, spring_share):  # type: ignore[no-untyped-def]
    """λ_n, equations 17, 22, 23: spring and damper along the normal; a contact never pulls.

    In the step in which contact begins, C_d also spans the free approach above the surface. Only the part
    below it counts, max(C_d, C_s): otherwise the grain is braked before it touches, and the result depends
    on the number of iterations.
    """
    below = largest(approach, gap)
    return largest(-relax * (below + spring_share * (gap - below)), ZERO)


@formula
def adhesion_limit(gap, r_min, w, adhesion):  # type: ignore[no-untyped-def]
    """λ_a of a closed contact, equations 34–36, with A_c = π r_min² (1 − (ζ/r_min − 1)²) = π ζ (2 r_min − ζ)."""
    depth = least(-gap, r_min)
    return adhesion * depth * (TWO * r_min - depth) * w


@formula
def friction_cap(normal, to_come, static, kinetic, adhesion, done, left):  # type: ignore[no-untyped-def]
    """The largest tangential displacement that static friction still holds in iteration `done` of done + left.

    Equation 33 compares the whole tangential displacement of the step with the normal displacement of one
    iteration, which is only a part of the step's. Static friction then fails at a fraction of μ_s that depends
    on the number of iterations. A single contact's λ_n falls by q = 1 − relax from one iteration to the next, so
    what is still to come is known, λ_n (1 + q + … ) (`normal_still_to_come`), and what has been is at least λ_n each
    time. Sliding friction has used up μ_k of the latter. With one iteration this is equation 33 as printed.
    """
    return normal * (static * to_come + (static - kinetic) * done) + adhesion * left


@formula
def friction_share(sliding, inverse_sliding, cap, normal, kinetic, adhesion):  # type: ignore[no-untyped-def]
    """What part of the tangential displacement friction takes back, equation 33: all of it, or μ_k λ_n + λ_a."""
    return select(sliding <= cap, ONE, (kinetic * normal + adhesion) * inverse_sliding)


@formula
def contact(n, u, gap, r_min, w, relax, to_come, done, left, row):  # type: ignore[no-untyped-def]
    """Displacement λ_n n + λ_f t that a closed contact asks for, equations 31 and 32.

    n: normal; u: displacement of one grain against the other; row: of the pair table. Returns λ_n less what adhesion
    pulls, the share that friction takes back of the tangential displacement, that displacement, and 1/w.
    """
    approach = dot(u, n)
    normal = normal_displacement(gap, approach, relax, row[SPRING_SHARE])
    limit = adhesion_limit(gap, r_min, w, row[ADHESION])
    pull = least(largest(approach + normal, ZERO), limit)
    t = u[0] - approach * n[0], u[1] - approach * n[1], u[2] - approach * n[2]
    sliding = root(dot(t, t) + TINY)
    both = ONE / (sliding * w)  # one division for two reciprocals
    cap = friction_cap(normal, to_come, row[STATIC], row[KINETIC], limit, done, left)
    friction = friction_share(sliding, both * w, cap, normal, row[KINETIC], limit)
    return normal - pull, friction, t, both * sliding
