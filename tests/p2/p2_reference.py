"""One step of P² written plainly: NumPy in double precision, all pairs, straight from the paper's equations.

It shares no code with the solver. Walls are fixed planes; equation numbers are Holz 2014's, with the repairs
that the solver's `laws.py` names (no pull without adhesion, only the approach below the surface counts).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Grains:
    x: np.ndarray
    v: np.ndarray
    r: np.ndarray
    m: np.ndarray
    material: np.ndarray


@dataclass
class World:
    gravity: np.ndarray
    dt: float
    iterations: int
    epsilon: float
    pair: np.ndarray
    """(materials, materials, 5): k, c, μ_s, μ_k, a"""
    planes: list[tuple[np.ndarray, float, int]] = field(default_factory=list)
    """normal, offset, material"""
    links: list[tuple[int, int, float, float, float]] = field(default_factory=list)
    """i, j, length, k, c"""


def factors(k: float, c: float, w: float, dt: float, n: int) -> tuple[float, float]:
    """k'_pb and c'_pb of 21 and 28 for inverse effective mass w."""
    m = 1.0 / w
    if np.isinf(k):
        return 1.0, 0.0
    bottom = 1.0 + dt * c / m + dt * dt * k / m
    k_pb, c_pb = dt * dt * k / m / bottom, dt * c / m / bottom
    alpha = 1.0 - k_pb - c_pb
    if alpha == 1.0:
        return 0.0, 0.0
    share = (1.0 - alpha ** (1.0 / n)) / (1.0 - alpha)
    return 1.0 - c_pb * share - alpha ** (1.0 / n), c_pb * share


def contact(n, gap, u, w, r_min, values, dt, iterations, iteration):
    """Displacement λ_n n + λ_f t (30–36) that the pair needs; the caller shares it out by mass.

    Static friction is compared with the normal displacement of the whole step: what a single contact has
    still to come falls by α^(1/n) = 1 − k' − c' per iteration, what has been is at least λ_n each time.
    """
    k, c, mu_s, mu_k, a = values
    k_, c_ = factors(k, c, w, dt, iterations)
    root = 1.0 - k_ - c_
    still = sum(root**e for e in range(iterations - iteration))
    approach = u @ n
    lam = max(0.0, -(k_ * gap + c_ * max(approach, gap)))
    zeta = min(-gap, r_min)
    area = np.pi * r_min**2 * (1.0 - (zeta / r_min - 1.0) ** 2)
    lam_a = dt * dt * a * area * w / iterations
    pull = min(max(approach + lam, 0.0), lam_a)
    t = u - approach * n
    sliding = np.linalg.norm(t)
    holds = lam * (mu_s * still + (mu_s - mu_k) * iteration) + lam_a * (iterations - iteration)
    if sliding <= holds:
        friction = t
    else:
        friction = t / sliding * (mu_k * lam + lam_a)
    return (lam - pull) * n - friction


def step(g: Grains, world: World) -> Grains:
    dt, n_it = world.dt, world.iterations
    w = np.where(np.isinf(g.m), 0.0, 1.0 / g.m)
    g_hat = world.gravity / np.linalg.norm(world.gravity)
    d = dt * g.v + dt * dt * np.where(w[:, None] > 0, world.gravity, 0.0)
    p = g.x + d
    for iteration in range(n_it):
        total = np.zeros_like(p)
        active = np.zeros(len(p))
        for i in range(len(p)):
            for j in range(len(p)):
                if i == j:
                    continue
                line = p[i] - p[j]
                distance = np.linalg.norm(line)
                gap = distance - g.r[i] - g.r[j]
                if gap > 0:
                    continue
                normal = line / distance
                both = w[i] + w[j]
                if both == 0:
                    active[i] += 1
                    continue
                values = world.pair[g.material[i], g.material[j]]
                e = 1.0 - world.epsilon * (normal @ g_hat)
                move = contact(
                    normal, gap, d[i] - d[j], both, min(g.r[i], g.r[j]), values, dt, n_it, iteration
                )
                total[i] += e * w[i] / both * move
                active[i] += 1
            for normal, offset, material in world.planes:
                gap = p[i] @ normal - offset - g.r[i]
                if gap > 0 or w[i] == 0:
                    continue
                values = world.pair[g.material[i], material]
                total[i] += contact(normal, gap, d[i], w[i], g.r[i], values, dt, n_it, iteration)
                active[i] += 1
            for a, b, length, k, c in world.links:
                if i not in (a, b):
                    continue
                j = b if i == a else a
                line = p[i] - p[j]
                distance = np.linalg.norm(line)
                normal = line / distance
                both = w[i] + w[j]
                active[i] += 1
                if both == 0:
                    continue
                k_, c_ = factors(k, c, both, dt, n_it)
                along = -(k_ * (distance - length) + c_ * ((d[i] - d[j]) @ normal))
                total[i] += w[i] / both * along * normal
        move = total / np.maximum(active, 1)[:, None]
        p = p + move
        d = d + move
    return Grains(p, d / dt, g.r, g.m, g.material)
