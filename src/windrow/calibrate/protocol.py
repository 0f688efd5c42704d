"""What all calibrations have in common, and whose protocol is whose."""

from __future__ import annotations

from windrow.errors import SceneError, unknown_name
from windrow.solvers.calibration import CalibrationProtocol
from windrow.solvers.registry import solver_class, solver_names

GRAIN_RADIUS = 0.05
"""m; results scale with it."""
GRAIN_DENSITY = 2650.0
"""kg/m³"""
KINETIC = 0.9
"""friction_kinetic over friction_static, as in the soil library."""
ROUGH = 1.0
"""Friction of grains on the ground they are poured on: more than the grains have among themselves."""


def protocols() -> dict[str, CalibrationProtocol]:
    """Of all solvers that can be calibrated, by name."""
    known = {name: solver_class(name).calibration for name in solver_names()}
    return {name: protocol for name, protocol in known.items() if protocol is not None}


def protocol_for(solver: str) -> CalibrationProtocol:
    """The protocol of the solver of that name."""
    known = protocols()
    if solver not in known:
        raise SceneError(f"--solver: {unknown_name('solver with a calibration', solver, known)}")
    return known[solver]
