"""How long a substep may be.

Pressure and stress answer with a stiffness that grows as the substep shrinks: the numerical speed of sound is about
d₀/Δt. Sand is taken for incompressible if that is some ten times faster than all that happens in it: than its speed v,
and than √(p/ρ), which is the speed of a fall from the height that presses. So

    Δt ≤ courant · d₀/(10 max(v, √(p/ρ), √(g d₀))).

The fastest in a thousand and the most pressed in a hundred do not count: a particle that flies off is alone with its
speed (`kernels.lay_rows`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.scene.settings import SPH
from windrow.solvers.sph.laws import DENSITY
from windrow.solvers.sph.spline import SUPPORT, Spline
from windrow.state.state import State

FAST, PRESSED = 0.999, 0.99
"""Shares of particles that decide by speed and by pressure, which scatters more."""
STIFFER = 10.0
"""How much faster sound is than the sand."""


def substep_for(
    settings: SPH,
    state: State,
    rest: float,
    dt: float,
    spline: Spline,
    table: NDArray[np.float32],
    gravity: NDArray[np.float32],
) -> float:
    """Length of the next substep, s: a whole part of the rest of a step of dt."""
    if settings.substeps is not None:
        return rest / max(round(rest * settings.substeps / dt), 1)
    n, spacing = state.count, float(spline.h) / SUPPORT
    V, p = state.V[:n], state.columns["pressure"][:n]
    e = V[:, :3]
    speed = _most(e[:, 0] * e[:, 0] + e[:, 1] * e[:, 1] + e[:, 2] * e[:, 2], FAST)
    pressure = _most(p / table[state.material[:n], DENSITY], PRESSED)
    fall = float(norm(gravity.astype(np.float64))) * spacing
    fastest = math.sqrt(max(*(value for value in (speed, pressure, fall) if math.isfinite(value)), 1e-12))
    longest = settings.courant * spacing / (STIFFER * fastest)
    return rest / math.ceil(rest / longest - 1e-6)


def _most(values: NDArray[np.float32], share: float) -> float:
    """The greatest but for the few that do not count."""
    place = min(int(share * len(values)), len(values) - 1)
    return float(np.partition(values, place)[place])
