"""What a solver cannot carry of a scene, said as a warning or an error with the way out."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot, norm, unit
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.settings import SolverSettings
from windrow.solvers.limits import DepthWarning, ForceWarning, StiffnessWarning
from windrow.solvers.registry import solver_class
from windrow.state.model import Model
from windrow.state.state import State

SUPPORTED = 0.3
"""Share of its weight that a grain is carried with unless it falls."""
SPARE = 0.5
"""Layers beyond those carried from which on forces are worth a warning: a layer is not quite flat."""


def warn_of_depth(solver: SolverSettings, gravity: NDArray[np.float64], grains: dict[str, np.ndarray]) -> None:
    """Says so if the grains lie deeper at the start than the solver carries."""
    if len(grains["radius"]) == 0 or not gravity.any():
        return
    height = dot(grains["position"], -unit(gravity))
    layers = (height.max() - height.min()) / (2.0 * float(grains["radius"].mean()))
    warning = solver_class(solver.name).depth_warning(solver, float(layers))
    if warning is not None:
        warnings.warn(warning, stacklevel=4)


class Lying(NamedTuple):
    """Grains, one row each."""

    position: NDArray[Any]
    """(n, 3) m"""
    radius: NDArray[Any]
    """m"""
    mass: NDArray[Any]
    """kg; infinite where pinned"""
    force: NDArray[Any]
    """(n, 3) of all its contacts, N"""


def layers_carried(solver: SolverSettings) -> float:
    """How many layers of grains the solver tells the forces of, within some 10 % (docs, "What it cannot do")."""
    return solver_class(solver.name).layers_told(solver)


def layers_of(gravity: NDArray[np.float64], grains: Lying) -> float:
    """Grains above each other where they lie deepest; those that fall do not count."""
    pull = float(norm(gravity))
    if pull == 0.0 or len(grains.mass) == 0:
        return 0.0
    down = gravity / pull
    carried = np.flatnonzero(-dot(grains.force.astype(np.float64), down) > SUPPORTED * pull * grains.mass)
    if len(carried) == 0:
        return 0.0
    radius, place = grains.radius[carried].astype(np.float64), grains.position[carried].astype(np.float64)
    side = unit(np.cross(down, np.eye(3)[int(np.abs(down).argmin())]))
    flat = np.stack([dot(place, side), dot(place, np.cross(down, side))], axis=1)
    width = 2.0 * float(radius.max())
    _, column = np.unique(np.floor(flat / width), axis=0, return_inverse=True)
    column, height = column.ravel(), -dot(place, down)
    # By what they cover, and from the lowest to the highest: grains side by side in a column are no layers.
    covered = np.bincount(column, np.square(2.0 * radius)) / (width * width)
    top, bottom = np.full(len(covered), -np.inf), np.full(len(covered), np.inf)
    np.maximum.at(top, column, height)
    np.minimum.at(bottom, column, height)
    return float(np.minimum(covered, (top - bottom) / (2.0 * float(radius.mean())) + 1.0).max())


def layers_in(state: State, gravity: NDArray[np.float64]) -> float:
    """The same of the grains of a state."""
    X, w = state.X[: state.count], state.V[: state.count, 3].astype(np.float64)
    with np.errstate(divide="ignore"):
        return layers_of(gravity, Lying(X[:, :3], X[:, 3], 1.0 / w, state.force[: state.count]))


def warn_of_forces(solver: SolverSettings, layers: float, stacklevel: int = 4) -> bool:
    """Says that forces under so many layers are not right with this solver; whether it did."""
    if layers <= layers_carried(solver) + SPARE:
        return False
    warning = solver_class(solver.name).force_warning(solver, layers)
    if warning is not None:
        warnings.warn(warning, stacklevel=stacklevel)
    return warning is not None


def warn_after_step(solver: SolverSettings, notes: dict[str, float]) -> bool:
    """Says what the solver has to say after a step with these notes; whether it did."""
    warning = solver_class(solver.name).step_warning(solver, notes)
    if warning is not None:
        warnings.warn(warning, stacklevel=4)
    return warning is not None


def refuse_buried(model: Model, names: list[str], grains: dict[str, np.ndarray]) -> None:
    """Grains that start deep inside an obstacle would be shot out of it. names: of the obstacles."""
    if not model.obstacles or len(grains["position"]) == 0:
        return
    poses = model.poses(0.0)
    distance, shape = distance_to_obstacles(
        model.shapes, poses, grains["position"].astype(np.float32)
    )
    buried = (distance < 0.5 * grains["radius"]) & ~grains["pinned"]
    if buried.any():
        k = int(np.nonzero(buried)[0][0])
        place = np.round(grains["position"][k], 4).tolist()
        depth = float(grains["radius"][k] - distance[k])
        raise SceneError(
            f"particles: {int(buried.sum())} grains start inside an obstacle; the first is grain {k} at "
            f"{place} m, {depth:.3g} m deep in {names[int(shape[k])]!r}. "
            "Move the grains or the obstacle."
        )


__all__ = [
    "DepthWarning",
    "ForceWarning",
    "Lying",
    "StiffnessWarning",
    "layers_carried",
    "layers_in",
    "layers_of",
    "refuse_buried",
    "warn_after_step",
    "warn_of_depth",
    "warn_of_forces",
]
