"""How long a substep may be.

Pressure and stress answer with a stiffness that grows as the substep shrinks: the numerical speed of sound is about
d₀/Δt. Sand is taken for incompressible if that is some ten times faster than all that happens in it: than its speed v,
and than √(p/ρ), which is the speed of a fall from the height that presses. So

    Δt ≤ courant · d₀/(10 max(v, √(p/ρ), √(g d₀))).

The fastest in a thousand and the most pressed in a hundred do not count: a particle that flies off is alone with its
speed (`smoothed.moving.lay_rows`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.scene.settings import SPH
from windrow.solvers.limits import StiffnessWarning
from windrow.solvers.smoothed.spline import SUPPORT, Spline
from windrow.solvers.sph.laws import DENSITY
from windrow.state.state import State

FAST, PRESSED = 0.999, 0.99
"""Shares of particles that decide by speed and by pressure, which scatters more."""
STIFFER = 10.0
"""How much faster sound is than the sand."""
MOST = 100
"""Substeps of a step at most. Sand between walls that close on it has a pressure without end: it is compressed then,
and walls go through what they cannot push away."""


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
    longest = max(settings.courant * spacing / (STIFFER * fastest), dt / MOST)
    return rest / max(math.ceil(rest / longest - 1e-6), 1)


def pressure_carried(settings: SPH, dt: float, spline: Spline) -> float:
    """Pressure over density up to which MOST substeps of a step of dt are short enough, m²/s².

    Sand that has no room would be pressed further and further, and shot when it finds some.
    """
    many = MOST if settings.substeps is None else max(MOST, settings.substeps)
    speed = settings.courant * float(spline.h) / SUPPORT * many / (STIFFER * dt)
    return speed * speed


def _most(values: NDArray[np.float32], share: float) -> float:
    """The greatest but for the few that do not count."""
    place = min(int(share * len(values)), len(values) - 1)
    return float(np.partition(values, place)[place])


def hurry_warning(settings: SPH, notes: Mapping[str, float]) -> UserWarning | None:
    """What to say of a step that would have needed more than MOST substeps."""
    if settings.substeps is not None or notes["substeps"] < MOST:
        return None
    return StiffnessWarning(
        f"a step of {settings.dt:.3g} s would take more than {MOST} substeps: sand has no room to go to, or something "
        "moves too fast for its particles. It is compressed from now on. Leave a gap of a particle where walls close, "
        "or use larger particles or a shorter dt."
    )


def work(settings: SPH, phase: str, automatic: float) -> float:
    """See `Solver.work`."""
    if phase not in ("walls", "weigh", "solve", "move"):
        return settings.dt
    many = automatic if settings.substeps is None else settings.substeps
    return many * (settings.iterations if phase == "solve" else 1.0)


def automatic_substeps(settings: SPH, notes: Mapping[str, float]) -> float:
    """See `Solver.automatic_substeps`."""
    return max(notes.get("substeps", MOST), 1.0) if settings.substeps is None else MOST
