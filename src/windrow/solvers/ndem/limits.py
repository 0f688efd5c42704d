"""What NDEM cannot carry, and what its settings cost; see the docstring of its settings."""

from __future__ import annotations

import math
from collections.abc import Mapping

from windrow.fixed_math import cube
from windrow.scene.settings import NDEM
from windrow.solvers.limits import StiffnessWarning
from windrow.solvers.ndem.substeps import MOST

NEARLY = 0.95
"""Share of the stiffness asked for from which on what is used is as good as it."""


def work(settings: NDEM, phase: str, automatic: float) -> float:
    """See `Solver.work`."""
    near = float(cube(2.0 + settings.margin))
    many = automatic if settings.substeps is None else settings.substeps
    return near * (many * settings.sweeps if phase == "solve" else settings.dt)


def automatic_substeps(settings: NDEM, notes: Mapping[str, float]) -> float:
    """See `Solver.automatic_substeps`."""
    return notes.get("substeps", MOST) if settings.substeps is None else MOST


def stiffness_warning(settings: NDEM, notes: Mapping[str, float]) -> UserWarning | None:
    """What NDEM computes with where the stiffness asked for is beyond its substeps; None: all of it."""
    asked, used = notes.get("stiffness_asked", 0.0), notes.get("stiffness_used", math.inf)
    if used >= NEARLY * asked:
        return None
    substeps = int(notes["substeps"])
    wanted = math.ceil(substeps * math.sqrt(asked / used))
    return StiffnessWarning(
        f"stiffness {asked:.3g} N/m is more than {substeps} substeps of a step of {settings.dt:.3g} s carry for grains "
        f"this light: contacts are computed with {used:.3g} N/m. Use substeps={wanted} or a shorter dt for all of it."
    )
