"""What a solver cannot carry of a scene, said as a warning or an error with the way out."""

from __future__ import annotations

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot, unit
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.settings import NDEM, P2
from windrow.state.model import Model

NEARLY = 0.95
"""Share of the stiffness asked for from which on what is used is as good as it."""
LAYERS_MOST = 20
"""Depth, in grains, from which plain P² visibly sinks under its own weight."""


class DepthWarning(UserWarning):
    """The scene is deeper than its solver carries."""


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
