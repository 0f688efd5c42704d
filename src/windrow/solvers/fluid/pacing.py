"""How long a substep may be.

Two limits hold, both in particle distances d₀ (docs/solver-fluid.md has the measurements):

* depth: Δt ≤ calm · d₀/√(p/ρ); √(p/ρ) is √(g H) at the bottom of a depth H. Beyond, the fluid boils: the solve takes
  the gradients of the fill as they were at the start of the substep, and pressure moves particles too far for that;
* speed: Δt ≤ courant · d₀/v.

The most pressed in a hundred and the fastest in a thousand do not count. What has no pressure yet (the first step) is
taken for a column as high as the fluid is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.scene.settings import Fluid
from windrow.solvers.limits import StiffnessWarning
from windrow.solvers.smoothed.spline import SUPPORT, Spline
from windrow.state.state import State

FAST, PRESSED = 0.999, 0.99
"""Shares of particles that decide by speed and by pressure."""
MOST = 25
"""Substeps of a step at most"""
DEEP = 40
"""Layers from which on "auto" takes conjugate gradients: a sweep carries the weight of some ten at once, and deeper
columns bounce on what is left."""
DEEPEST = 8
"""Substeps up to which pressure makes them: what is pressed harder has no room to go to."""


def substep_for(
    settings: Fluid, state: State, rest: float, dt: float, spline: Spline, table: NDArray[np.float32],
    gravity: NDArray[np.float32],
) -> float:  # fmt: skip
    """Length of the next substep, s: a whole part of the rest of a step of dt."""
    if settings.substeps is not None:
        return rest / max(round(rest * settings.substeps / dt), 1)
    n, spacing = state.count, float(spline.h) / SUPPORT
    v = state.V[:n, :3]
    speed = math.sqrt(max(_most(v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1] + v[:, 2] * v[:, 2], FAST), 1e-12))
    head = _most(state.columns["pressure"][:n] / table[state.material[:n]], PRESSED)
    if state.step == 0:
        g = gravity.astype(np.float64)
        size = float(norm(g))
        if size > 0.0:
            up = (state.X[:n, :3] * (g / size).astype(np.float32)).sum(axis=1)
            head = max(head, size * float(up.max() - up.min()))
    pressing = math.sqrt(max(head, 1e-12))
    longest = spacing * min(settings.courant / speed, settings.calm / pressing)
    return rest / max(math.ceil(rest / max(longest, dt / MOST) - 1e-6), 1)


def layers(state: State, spline: Spline, table: NDArray[np.float32], gravity: NDArray[np.float32]) -> float:
    """How many layers of particles press on the lowest, by the pressures of the substep before."""
    n, weight = state.count, float(norm(gravity.astype(np.float64))) * float(spline.h) / SUPPORT
    head = _most(state.columns["pressure"][:n] / table[state.material[:n]], PRESSED)
    return head / weight if weight > 0.0 else 0.0


def pressure_carried(settings: Fluid, dt: float, spline: Spline) -> float:
    """Pressure over density up to which DEEPEST substeps of a step of dt are short enough, m²/s².

    Water without room would be pressed further and further, and shot when it finds some.
    """
    many = DEEPEST if settings.substeps is None else max(DEEPEST, settings.substeps)
    speed = settings.calm * float(spline.h) / SUPPORT * many / dt
    return speed * speed


def _most(values: NDArray[np.floating], share: float) -> float:
    """The greatest but for the few that do not count; 0 if it is not finite."""
    place = min(int(share * len(values)), len(values) - 1)
    value = float(np.partition(values, place)[place])
    return value if math.isfinite(value) else 0.0


def hurry_warning(settings: Fluid, notes: Mapping[str, float]) -> UserWarning | None:
    """What to say of a step that would have needed more than MOST substeps."""
    if settings.substeps is not None or notes["substeps"] < MOST:
        return None
    return StiffnessWarning(
        f"a step of {settings.dt:.3g} s would take more than {MOST} substeps: the fluid has no room to go to, or "
        "something moves too fast for its particles. Use larger particles or a shorter dt."
    )


def work(settings: Fluid, phase: str, automatic: float) -> float:
    """See `Solver.work`."""
    if phase not in ("walls", "weigh", "solve", "move"):
        return settings.dt
    many = automatic if settings.substeps is None else settings.substeps
    return many * (settings.iterations if phase == "solve" else 1.0)  # the tolerance may end them sooner, or never


def automatic_substeps(settings: Fluid, notes: Mapping[str, float]) -> float:
    """See `Solver.automatic_substeps`."""
    return max(notes.get("substeps", MOST), 1.0) if settings.substeps is None else MOST
