"""What P² cannot carry, and what its settings cost; see the docstring of its settings."""

from __future__ import annotations

import math

from windrow.fixed_math import cube
from windrow.scene.settings import P2
from windrow.solvers.limits import DepthWarning, ForceWarning

LAYERS_MOST = 20
"""Depth, in grains, from which plain P² visibly sinks under its own weight."""
SERIES = 20.0
"""Terms of the series in P²'s friction, one for each iteration that is left, that take as long as all else of a
contact."""


def work(settings: P2, phase: str, automatic: float) -> float:
    """See `Solver.work`."""
    near = float(cube(2.0 + settings.margin))
    one = 1.0 if settings.mass_splitting else SERIES + settings.iterations
    return near * settings.substeps * (settings.iterations * one if phase == "solve" else 1.0)


def depth_warning(settings: P2, layers: float) -> UserWarning | None:
    """Plain P² under-converges with depth."""
    if settings.mass_splitting or layers <= LAYERS_MOST:
        return None
    return DepthWarning(
        f"the scene is {layers:.0f} grains deep; plain P² carries about {LAYERS_MOST} and sinks below. "
        "Use the solver NDEM, or P² with mass_splitting=True and more iterations."
    )


def layers_told(settings: P2) -> float:
    """How many layers of grains P² tells the forces of, within some 10 % (docs, "What it cannot do")."""
    if settings.mass_splitting or (settings.method == "gauss_seidel" and settings.error_reduction == 0.0):
        return 0.5 * settings.iterations * settings.substeps
    return 1.0 if settings.error_reduction > 0.0 else float(settings.substeps)


def force_warning(settings: P2, layers: float) -> UserWarning:
    """Forces under so many layers are not right."""
    return ForceWarning(
        f"forces are read under about {layers:.0f} layers of grains; P² with these settings tells those of "
        f"{layers_told(settings):.0f} (plain P² tells two thirds of the weight of two layers, half of four, a sixth of "
        "eighteen). Use the solver NDEM, or P² with mass_splitting=True and "
        f"iterations={math.ceil(2 * layers)} or more."
    )
