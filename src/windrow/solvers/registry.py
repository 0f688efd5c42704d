"""Which solver computes which settings. The one place that names all solvers; each is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from windrow.errors import SceneError, unknown_name
from windrow.scene.settings import BUILT_IN, SolverBase, name_of, register_settings, unregister_settings
from windrow.solvers.interface import Solver
from windrow.state.model import Model

_PLACES: dict[str, tuple[str, str]] = {
    "p2": ("windrow.solvers.p2.solver", "P2Stepper"),
    "ndem": ("windrow.solvers.ndem.solver", "NDEMStepper"),
    "dem": ("windrow.solvers.dem.solver", "DEMStepper"),
    "sph": ("windrow.solvers.sph.solver", "SPHStepper"),
    "fluid": ("windrow.solvers.fluid.solver", "FluidStepper"),
    "mixture": ("windrow.solvers.mixture.solver", "MixtureStepper"),
}
"""Module and class by the name of the settings."""
_ADDED: dict[str, type[Solver]] = {}


def solver_names() -> tuple[str, ...]:
    """All solvers, those that were registered in a run included."""
    return (*_PLACES, *_ADDED)


def solver_class(name: str) -> type[Solver]:
    """The solver of that name; SceneError if there is none."""
    if name in _ADDED:
        return _ADDED[name]
    if name not in _PLACES:
        raise SceneError(f"solver.name: {unknown_name('solver', name, solver_names())}")
    module, kind = _PLACES[name]
    found: type[Solver] = getattr(import_module(module), kind)
    return found


def variants() -> dict[str, SolverBase]:
    """Settings of all solvers that validation and conformance tests run, such as "p2" and "p2 gauss_seidel"."""
    return {
        f"{name} {variant}".strip(): settings
        for name in solver_names()
        for variant, settings in solver_class(name).variants().items()
    }


def stepper_for(settings: Any, model: Model) -> Solver:
    """A solver with these settings, for one model; SceneError where it cannot compute the scene's bonds or clumps."""
    chosen = solver_class(settings.name)
    for there, what in ((model.links.bond_first, "bonds"), (model.links.clump_first, "clumps")):
        if len(there) and what not in chosen.computes:
            able = " or ".join(repr(name) for name in solver_names() if what in solver_class(name).computes)
            raise SceneError(f"{what}: the solver {settings.name!r} computes none; use {able}, or leave them out")
    _refuse_liquids(settings, model)
    return chosen(settings, model)


def _refuse_liquids(settings: Any, model: Model) -> None:
    """A liquid among grains is for those who compute both."""
    scene = model.scene
    for source in (*scene.particles, *scene.emitters):
        if scene.materials[source.material].liquid and not settings.liquid:
            able = " or ".join(repr(name_of(one)) for one in BUILT_IN if one.liquid)
            raise SceneError(
                f"materials.{source.material}: is a liquid, and the solver {settings.name!r} computes no liquids; "
                f"use {able}"
            )


def register(solver: type[Solver]) -> type[Solver]:
    """Adds a solver that is no part of Windrow, as a class decorator: `wr.Simulation(scene, solver=Settings())`."""
    name = name_of(solver.settings_class)
    if name in _PLACES:
        raise ValueError(f"solver {name!r}: is there already; give it another name")
    register_settings(solver.settings_class)
    _ADDED[name] = solver
    return solver


def unregister(solver: type[Solver]) -> None:
    """Takes back `register`."""
    name = name_of(solver.settings_class)
    _ADDED.pop(name, None)
    unregister_settings(name)
