"""The contact law of NDEM written plainly: NumPy in double precision, one contact after the other.

It shares no code with the solver. A contact with a wall is one whose second grain cannot move.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

CARRIED, CORE, RETURN, RATE = 2.0, 0.5, 0.2, 20.0
SHEAR, SHEAR_DAMPING, SLIDING = 2 / 7, 1.0, 1.5


@dataclass
class Contact:
    """One contact; `values`: k, c, μ_s, μ_k, a."""

    i: int
    j: int
    """−1: a wall"""
    values: np.ndarray
    impulse: np.ndarray
    plane: np.ndarray | None = None
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    crowded: bool = False


@dataclass
class World:
    x: np.ndarray
    v: np.ndarray
    r: np.ndarray
    w: np.ndarray
    h: float
    relaxation: float
    begun: np.ndarray
    """Velocities at the begin of the substep."""


def masses(world: World, contact: Contact) -> tuple[float, float]:
    return world.w[contact.i], 0.0 if contact.j < 0 else world.w[contact.j]


def mark_crowds(world: World, contacts: list[Contact]) -> None:
    """A contact is crowded when a movable grain of its has another one that carries an impulse."""
    loaded = np.zeros(len(world.x))
    for c in contacts:
        for grain in (c.i, c.j):
            if grain >= 0 and world.w[grain] > 0 and c.impulse.any():
                loaded[grain] += 1
    for c in contacts:
        own = 1 if c.impulse.any() else 0
        others = sum(loaded[grain] - own for grain in (c.i, c.j) if grain >= 0 and world.w[grain] > 0)
        c.crowded = others > 0


def geometry(world: World, c: Contact) -> tuple[np.ndarray, float, float]:
    """Normal, gap and smaller radius."""
    if c.plane is not None:
        return c.plane[:3], float(c.plane[:3] @ world.x[c.i] - c.plane[3] - world.r[c.i]), world.r[c.i]
    line = world.x[c.i] - world.x[c.j]
    distance = np.linalg.norm(line)
    return line / distance, distance - world.r[c.i] - world.r[c.j], min(world.r[c.i], world.r[c.j])


def across(a: np.ndarray, n: np.ndarray) -> np.ndarray:
    return a - (a @ n) * n


def relative_velocity(world: World, c: Contact) -> np.ndarray:
    return world.v[c.i] - (c.velocity if c.j < 0 else world.v[c.j])


def sweep(world: World, contacts: list[Contact], sweeps: int) -> None:
    """Geometry, softness and bias from the state at each contact's turn in the first sweep; then as many sweeps."""
    kept: dict[int, tuple[np.ndarray, float, float, float, float, float, float, np.ndarray]] = {}
    for number in range(sweeps):
        for index, c in enumerate(contacts):
            wi, wj = masses(world, c)
            K, h = wi + wj, world.h
            k, damping, mu_s, mu_k, adhesion = c.values
            u = relative_velocity(world, c)
            if number == 0:
                n, gap, r_min = geometry(world, c)
                k = min(k, CARRIED**2 / (h * h * K))
                opening = h * h * k + h * damping
                q = h * h * k + h * (max(damping, world.relaxation * k) if c.crowded else damping)
                bias, rest = max(gap, 0.0) / h, h * k * min(max(-gap, 0.0), CORE * r_min)
                along = c.impulse @ n
                if np.linalg.norm(c.impulse - along * n) <= (0.05 * mu_k + 1e-3) * abs(along):
                    opening = q
                core = CORE * r_min
                if gap + h * (u @ n) < -core:
                    short = gap + core
                    back = max(RETURN * short / h, -RATE * core)
                    bias, rest, q = (short / h if short > 0 else back), 0.0, np.inf
                depth = max(min(-gap, r_min), 0.1 * r_min)
                if gap > (0.02 * r_min if along < 0 else 0.0):
                    depth = 0.0
                pull = h * adhesion * np.pi * depth * (2 * r_min - depth)
                spring = h * h * SHEAR * k
                damper = 2 * SHEAR_DAMPING * h * np.sqrt(SHEAR * k / K)
                began = world.begun[c.i] - (c.velocity if c.j < 0 else world.begun[c.j])
                held = across(c.impulse, n) + (damper * across(began, n) if c.impulse.any() else 0.0)
                kept[index] = n, bias, rest, q, opening, pull, spring + damper, held
            n, bias, rest, q, opening, pull, grip, held = kept[index]
            along, push = normal(u @ n, c.impulse @ n, K, bias, rest, q, opening, pull)
            # λ_t = held − grip u', u' = u + K (λ_t − λ_t so far)
            shear = (held + grip * (K * across(c.impulse, n) - across(u, n))) / (1 + grip * K)
            size, most = np.linalg.norm(shear), mu_s * push + pull
            cap = most if size <= SLIDING * most else mu_k * push + pull
            after = along * n + (shear if size <= most else cap / size * shear)
            world.v[c.i] += wi * (after - c.impulse)
            if c.j >= 0:
                world.v[c.j] -= wj * (after - c.impulse)
            c.impulse = after


def normal(
    v: float, before: float, K: float, bias: float, rest: float, q: float, opening: float, pull: float
) -> tuple[float, float]:
    """Solves λ = push − pull for the speed v' = v + K (λ − λ₀) after it, by trying what may hold.

    push = max(0, λ_r − q (v' + b)), with another q while opening (v' + b > 0); the pull is all of its limit while
    separating, and what holds the contact shut if less.
    """

    def settled(pulled: float) -> tuple[float, float]:
        """λ and push against a constant pull: the push falls with v', so that bisection finds where both agree."""
        low, high = 0.0, 1.0

        def given(push: float) -> float:
            after = v + K * (push - pulled - before) + bias
            if after <= 0 and np.isinf(q):
                return np.inf if after < 0 else push
            return max(0.0, rest - (q if after < 0 else opening) * after)

        while given(high) > high:
            high *= 2.0
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if given(middle) > middle else (low, middle)
        return high - pulled, high

    free = settled(0.0)
    if v + K * (free[0] - before) <= 0 or pull == 0.0:
        return free
    most = settled(pull)
    if v + K * (most[0] - before) >= 0:
        return most
    along = before - v / K
    return along, max(0.0, rest - (opening if bias > 0 else q) * bias) if not np.isinf(q) else along
