"""A target surface on the ground: cells are tinted by how far they are above or below it.

Green: within the tolerance. Blue: too high, to be cut. Red: too low. Around it a thin line shows where it ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.render.colors import linear
from windrow.render.surfaces import NO_TRIANGLES, PosedTriangles, quads
from windrow.scene.scene import Scene
from windrow.scene.targets import Plan

HIGH, GOOD, LOW = (linear(np.array(color)) for color in ((0.16, 0.42, 0.80), (0.20, 0.66, 0.28), (0.82, 0.22, 0.16)))
OUTLINE = linear(np.array((0.98, 0.93, 0.55)))
STRENGTH, FAINT = 0.45, 0.2
"""Share of the tint in a colour: from ten tolerances on, and at the tolerance itself"""
TAPE, ABOVE = 0.05, 0.15
"""m: width of the tape around a trench, and its height above the ground"""


class Tint:
    """Colours the ground of one scene."""

    def __init__(self, plan: Plan, tolerance: float, cell: float) -> None:
        self.plan, self.tolerance, self.cell = plan, tolerance, cell

    def colored(self, place: NDArray[np.float64], color: NDArray[np.float64]) -> NDArray[np.float64]:
        """Colours (…, 3) of places (…, 3) of the surface with the tint over them."""
        goal, wanted, _ = self.plan.surface(place[..., 0], place[..., 1])
        error = np.where(wanted, place[..., 2] - goal, 0.0)
        far = np.clip((np.abs(error) / self.tolerance - 1.0) / 9.0, 0.0, 1.0)
        good = np.abs(error) <= self.tolerance
        tint = np.where(good[..., None], GOOD, np.where(error[..., None] > 0.0, HIGH, LOW))
        share = np.where(wanted, np.where(good, 0.5 * (STRENGTH + FAINT), FAINT + (STRENGTH - FAINT) * far), 0.0)
        tinted = color + share[..., None] * (tint - color)
        return np.asarray(np.where(self._edge(place, wanted)[..., None], 0.35 * tinted + 0.65 * OUTLINE, tinted))

    def _edge(self, place: NDArray[np.float64], wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Places within a cell of where the target ends, inside of it."""
        u, v = self.plan.local(place[..., 0], place[..., 1])
        inside = np.minimum(self.plan.half[0] - np.abs(u), self.plan.half[1] + self.plan.side - np.abs(v))
        return np.asarray(wanted & (inside < self.cell))


def tape(plan: Plan) -> PosedTriangles:
    """A tape around a trench, at the level of the ground, which grains do not hide; none around a pad."""
    if plan.level <= plan.height:
        return NO_TRIANGLES
    u, v = plan.half[0], plan.half[1] + plan.side
    outer, inner = (
        np.array([(a * (u + off), b * (v + off)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))])
        for off in (TAPE, 0.0)
    )
    flat = np.stack([outer, inner])
    x = plan.middle[0] + flat[..., 0] * plan.along[0] - flat[..., 1] * plan.along[1]
    y = plan.middle[1] + flat[..., 0] * plan.along[1] + flat[..., 1] * plan.along[0]
    place = np.stack([x, y, np.full(x.shape, plan.level + ABOVE)], axis=-1)
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), place.shape)
    return quads(place, up, np.broadcast_to(OUTLINE, place.shape))


def tint_of(scene: Scene) -> Tint | None:
    """The tint of a scene whose task is a surface; None: there is none."""
    task = scene.task
    if task is None or task.surface is None or scene.terrain is None:
        return None
    return Tint(task.surface.plan(), task.tolerance, scene.terrain.cell)
