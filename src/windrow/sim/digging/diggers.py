"""Who digs and who moves: points on the surfaces of tools and bodies, and where they will be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import arctangent2, dot, norm, product, rotate, tangent
from windrow.geometry.pieces import pieces_of
from windrow.geometry.surface import triangles
from windrow.geometry.terms import F64
from windrow.scene.assembling import digging_bodies
from windrow.scene.digging import soil_materials
from windrow.scene.motion import pose_at, rotation_matrix
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.shapes import HeightField, Plane
from windrow.scene.tools import Cutting
from windrow.terrain.layers import TANGENT
from windrow.terrain.slip import slip_angle

if TYPE_CHECKING:
    from windrow.solvers.multibody.stepper import MultibodyStepper
    from windrow.state.model import Model
    from windrow.terrain.ground import Ground

SPACING = 0.45
"""Of a cell, between points on a surface."""
LOOKS = 7
"""Poses of a tool's coming way."""
MOST_POINTS = 1 << 17
UPRIGHT = math.pi / 2


@dataclass
class DiggingTool:
    """One thing that digs."""

    name: str
    points: F64
    """(n, 3) on its surface, in its own frame, m"""
    cutting: Cutting | None
    row: int
    """of the obstacles, or of the bodies"""
    scripted: Obstacle | None
    """the obstacle that it is; none: a body"""
    plate_friction: list[float]
    """rad, on it, of the grains of each soil"""
    known: dict[int, F64] = field(default_factory=dict)
    """poses of a scripted one by number of the step"""
    slips: dict[int, float] = field(default_factory=dict)
    """slip angle by rake in whole degrees"""

    @cached_property
    def radius(self) -> float:
        """Of the ball around its origin that it fills, m."""
        return float(norm(self.points).max(initial=0.0))


class Diggers:
    """All that digs, and all that moves, in one simulation."""

    def __init__(self, scene: Scene, assembled: Scene, model: Model, ground: Ground) -> None:
        self.friction_angles = [float(arctangent2(t, 1.0)) for t in ground.columns.soils[:, TANGENT]]
        self._spacing = SPACING * ground.cell
        self._model = model
        self._soil_rows = [model.material_names.index(name) for name in soil_materials(ground.terrain)]
        base = assembled.base_dir
        pieces = pieces_of(assembled)
        named = digging_bodies(scene)
        self.tools: list[DiggingTool] = []
        moving: list[tuple[Obstacle | None, int, F64]] = []
        for row, obstacle in enumerate(assembled.obstacles):
            if obstacle.digs and isinstance(obstacle.shape, Plane | HeightField):
                raise SceneError(
                    f"obstacles[{row}].digs: a {obstacle.shape.kind} has no edge to cut with; a tool is a box, a mesh "
                    "or another solid"
                )
            if obstacle.digs or (obstacle.motion is not None and not isinstance(obstacle.shape, Plane)):
                points = self._points(obstacle, base)
                moving.append((obstacle, row, points))
                if obstacle.digs:
                    self._add(obstacle.name, points, obstacle.cutting, row, obstacle, obstacle.material)
        for row, body in enumerate(assembled.bodies):
            mine = np.flatnonzero(pieces.owner == row)
            found = [
                pieces.position[p] + rotate(pieces.rotation[p], self._points(pieces.obstacles[p], base)) for p in mine
            ]
            if body.fixed or not found:
                continue
            points = self._thinned(np.concatenate(found))
            moving.append((None, row, points))
            if body.name in named:
                self._add(body.name, points, named[body.name], row, None, body.material)
        self._moving = moving
        self.points = np.concatenate([points for *_, points in moving]) if moving else np.zeros((0, 3))
        self.first = np.cumsum([0] + [len(points) for *_, points in moving]).astype(np.int64)
        """points of thing m: first[m] … first[m + 1]"""
        self.far = np.array([float(norm(points).max(initial=0.0)) for *_, points in moving])
        """(things,) of the farthest point from the thing's origin, m"""

    def _add(
        self, name: str, points: F64, cutting: Cutting | None, row: int, scripted: Obstacle | None, material: str
    ) -> None:
        names, kinds = self._model.material_names, self._model.kinds
        wall = len(names) + names.index(material)
        friction = [float(arctangent2(self._model.pairs[k * kinds + wall, 2], 1.0)) for k in self._soil_rows]
        self.tools.append(DiggingTool(name, points, cutting, row, scripted, friction))

    def _points(self, obstacle: Obstacle, base: object) -> F64:
        vertices, faces = triangles(obstacle, base, 1.0)  # type: ignore[arg-type]
        return self._thinned(_on_triangles(np.asarray(vertices, np.float64)[faces], self._spacing))

    def _thinned(self, points: F64) -> F64:
        """One point for each cube of the spacing."""
        cubes = np.floor(points / self._spacing).astype(np.int64)
        _, kept = np.unique(cubes, axis=0, return_index=True)
        if len(kept) > MOST_POINTS:
            raise SceneError(
                f"terrain.cell: a tool or body has {len(kept)} places to look at, more than {MOST_POINTS}; use larger "
                "cells"
            )
        return np.ascontiguousarray(points[np.sort(kept)])

    # --- where they are ---------------------------------------------------------------------------------

    def poses(self, tool: DiggingTool, bodies: MultibodyStepper | None, step: int, dt: float, ahead: float) -> F64:
        """(LOOKS, 12) rotation, row by row, and position on its way of the next `ahead` s."""
        stride = max(1, round(ahead / (LOOKS - 1) / dt))
        numbers = [step + stride * k for k in range(LOOKS)]
        if tool.scripted is not None:
            # A function of the number alone, so that a restarted run has the same.
            for number in [n for n in tool.known if n < step]:
                del tool.known[number]
            for number in numbers:
                if number not in tool.known:
                    position, rotation = pose_at(tool.scripted, number * dt)
                    tool.known[number] = np.concatenate([np.asarray(rotation).ravel(), position])
            return np.array([tool.known[number] for number in numbers])
        assert bodies is not None
        x, R, V = bodies.motion.x[tool.row], bodies.motion.R[tool.row], bodies.motion.V[tool.row]
        time = stride * np.arange(LOOKS) * dt
        turn = product(np.array([rotation_matrix(t * V[3:]) for t in time]), R)
        place = x + time[:, None] * V[:3] - rotate(turn, bodies.bodies.center[tool.row])
        return np.concatenate([turn.reshape(LOOKS, 9), place], axis=1)

    def present(self, poses: F64) -> F64:
        """(things, 12) of those that move; poses: of obstacles, then bodies, now."""
        obstacles = len(self._model.obstacles)
        rows = [row if obstacle is not None else obstacles + row for obstacle, row, _ in self._moving]
        return np.ascontiguousarray(poses[rows])

    # --- how they cut -----------------------------------------------------------------------------------

    def slip(self, tool: DiggingTool, pose: F64) -> float:
        """Tangent of the flattest slip plane of all soils ahead of a tool."""
        rake = _rake(tool.cutting, pose[:9].reshape(3, 3))
        degrees = round(math.degrees(rake))
        if degrees not in tool.slips:
            tool.slips[degrees] = min(
                float(tangent(slip_angle(phi, math.radians(degrees), delta)))
                for phi, delta in zip(self.friction_angles, tool.plate_friction, strict=True)
            )
        return tool.slips[degrees]


def _rake(cutting: Cutting | None, rotation: F64) -> float:
    """Angle between the plate and the ground behind its edge, rad."""
    if cutting is None:
        return UPRIGHT
    plate = rotate(rotation, np.mean(cutting.top, axis=0) - np.mean(cutting.edge, axis=0))
    behind = -rotate(rotation, np.asarray(cutting.direction, np.float64))
    behind[2] = 0.0
    if float(norm(behind)) < 1e-9:
        return UPRIGHT
    along = float(dot(plate, behind)) / float(norm(behind))
    across = float(norm(plate - along * behind / float(norm(behind))))
    return float(arctangent2(across, along))


def _on_triangles(corners: F64, spacing: float) -> F64:
    """Points (n, 3) on triangles (t, 3, 3), not farther apart than the spacing along their edges."""
    parts = []
    for a, b, c in corners:
        many = max(1, math.ceil(max(float(norm(b - a)), float(norm(c - a)), float(norm(c - b))) / spacing))
        u, v = np.meshgrid(np.arange(many + 1), np.arange(many + 1), indexing="ij")
        kept = u + v <= many
        parts.append(a + u[kept, None] / many * (b - a) + v[kept, None] / many * (c - a))
    return np.concatenate(parts) if parts else np.zeros((0, 3))
