"""Contacts of light bodies: springs and dampers as stiff as a substep carries.

A substep is a small part of the collision of two grains. A plank that weighs less than the grains it hits is held by
dozens of springs and dampers at once, and is thrown by them faster than a substep can follow. Its contacts are softer,
so that the explicit step stays stable:

    k K h² ≤ CARRIED²,   c K h ≤ CARRIED,   K = w + N/m

with w the grain's inverse mass, m the body's mass and N the contacts that it may have. N k/m is what N springs spread
over a body give each of its six motions: both its mass and its inertia follow from how they are spread. One at the edge
of a thin plate moves it with 1/m + r²/I up to 7/m (r half of its side, I = m side²/12, about two axes).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.solvers.dem import laws

CARRIED = 0.5
"""Half of the least of what an explicit step carries: 2 for a spring alone, 1 for a damper of a lagging velocity."""
AT_THE_EDGE = 7.0
CLOSE_PACKED = 2.0 * math.sqrt(3.0)
"""Area that a grain needs on a surface, over its radius squared."""


def contacts_of(mass: float, inertia: NDArray[np.float64], radius: float) -> float:
    """How many grains of a radius may touch a body: the surface of the box that has its mass and inertia, by theirs."""
    about = np.diag(inertia)
    sides = np.sqrt(np.maximum(6.0 / mass * (about.sum() - 2.0 * about), 0.0)) + 2.0 * radius
    surface = 2.0 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0])
    return max(AT_THE_EDGE, float(surface) / (CLOSE_PACKED * radius * radius))


def softened(
    table: NDArray[np.float32], hertz: bool, K: float, heaviest: float, radius: float, h: float
) -> NDArray[np.float32]:
    """The table of pairs for a body whose contacts have the inverse mass K in a substep of h (s).

    heaviest, radius: of the grains, kg and m.
    """
    rows = table.astype(np.float64)
    # Hertz: at the overlap at which springs end
    k = rows[:, laws.STIFFNESS] * (2.0 * math.sqrt(laws.CORE) * radius if hertz else 1.0)
    share = np.minimum(1.0, CARRIED * CARRIED / np.maximum(k * K * h * h, laws.TINY))
    rows[:, laws.STIFFNESS] *= share
    rows[:, laws.SHEAR] *= share
    c = rows[:, laws.DAMPING] + rows[:, laws.DAMPING_RATIO] * np.sqrt(heaviest * k * share)
    damped = np.minimum(1.0, CARRIED / np.maximum(c * K * h, laws.TINY))
    rows[:, laws.DAMPING] *= damped
    rows[:, laws.DAMPING_RATIO] *= damped
    return rows.astype(np.float32)
