"""What a solver cannot carry of a scene, said as a warning or an error with the way out."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot, norm, unit
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.settings import NDEM, P2
from windrow.state.model import Model
from windrow.state.state import State

NEARLY = 0.95
"""Share of the stiffness asked for from which on what is used is as good as it."""
LAYERS_MOST = 20
"""Depth, in grains, from which plain P² visibly sinks under its own weight."""
SUPPORTED = 0.3
"""Share of its weight that a grain is carried with unless it falls."""
SPARE = 0.5
"""Layers beyond those carried from which on forces are worth a warning: a layer is not quite flat."""


class DepthWarning(UserWarning):
    """The scene is deeper than its solver carries."""


class ForceWarning(UserWarning):
    """Forces are read that the solver does not compute right."""


class StiffnessWarning(UserWarning):
    """Contacts are stiffer than the solver's substeps carry."""


def warn_of_depth(solver: P2 | NDEM, gravity: NDArray[np.float64], grains: dict[str, np.ndarray]) -> None:
    """Plain P² under-converges with depth; see its docstring."""
    if solver.name != "p2" or solver.mass_splitting or len(grains["radius"]) == 0 or not gravity.any():
        return
    height = dot(grains["position"], -unit(gravity))
    layers = (height.max() - height.min()) / (2.0 * float(grains["radius"].mean()))
    if layers > LAYERS_MOST:
        warnings.warn(
            f"the scene is {layers:.0f} grains deep; plain P² carries about {LAYERS_MOST} and sinks below. "
            "Use the solver NDEM, or P² with mass_splitting=True and more iterations.",
            DepthWarning,
            stacklevel=4,
        )


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


def layers_carried(solver: P2 | NDEM) -> float:
    """How many layers of grains the solver tells the forces of, within some 10 % (docs, "What it cannot do")."""
    if solver.name == "ndem":
        return math.inf
    if solver.mass_splitting or (solver.method == "gauss_seidel" and solver.error_reduction == 0.0):
        return 0.5 * solver.iterations * solver.substeps
    return 1.0 if solver.error_reduction > 0.0 else float(solver.substeps)


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


def warn_of_forces(solver: P2 | NDEM, layers: float, stacklevel: int = 4) -> bool:
    """Says that forces under so many layers are not right with this solver; whether it did."""
    most = layers_carried(solver)
    if layers <= most + SPARE:
        return False
    warnings.warn(
        f"forces are read under about {layers:.0f} layers of grains; P² with these settings tells those of "
        f"{most:.0f} (plain P² tells two thirds of the weight of two layers, half of four, a sixth of eighteen). "
        f"Use the solver NDEM, or P² with mass_splitting=True and iterations={math.ceil(2 * layers)} or more.",
        ForceWarning,
        stacklevel=stacklevel,
    )
    return True


def warn_of_stiffness(solver: P2 | NDEM, notes: dict[str, float]) -> bool:
    """Says what NDEM computes with where the stiffness asked for is beyond its substeps; whether it did."""
    asked, used = notes.get("stiffness_asked", 0.0), notes.get("stiffness_used", math.inf)
    if used >= NEARLY * asked:
        return False
    substeps = int(notes["substeps"])
    wanted = math.ceil(substeps * math.sqrt(asked / used))
    warnings.warn(
        f"stiffness {asked:.3g} N/m is more than {substeps} substeps of a step of {solver.dt:.3g} s carry for grains "
        f"this light: contacts are computed with {used:.3g} N/m. Use substeps={wanted} or a shorter dt for all of it.",
        StiffnessWarning,
        stacklevel=4,
    )
    return True


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
