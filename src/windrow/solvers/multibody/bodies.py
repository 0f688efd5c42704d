"""Everything that has a place: bodies of a scene, its obstacles, the world, and room for merged bodies.

All of them are rows of the same arrays, in this order, so that contacts need not ask what they are between.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from windrow.fixed_math import inverse, rotate
from windrow.geometry.terms import F64
from windrow.scene.motion import pose_at, quaternion_of, rotation_matrix
from windrow.scene.scene import Scene
from windrow.solvers.multibody.inertia import body_properties
from windrow.solvers.multibody.motion import BodyTable, Motion, motion_of


@dataclass(frozen=True)
class Bodies:
    """All rows: constants and start."""

    names: list[str]
    """of the bodies"""
    obstacles: int
    table: BodyTable
    start: Motion
    center: F64
    """(bodies, 3) centre of mass in the body's own frame, m"""
    mass: F64
    """(bodies,) kg; 0: fixed"""

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    @property
    def count(self) -> int:
        """Bodies."""
        return len(self.names)

    @property
    def things(self) -> int:
        """Bodies and obstacles; also the row of the world, which everything at rest can be merged into."""
        return len(self.names) + self.obstacles

    @property
    def rows(self) -> int:
        return len(self.start.x)


def bodies_of(scene: Scene, base_dir: Path) -> Bodies:
    """Masses from shapes and densities, poses and speeds from the scene."""
    n, obstacles = len(scene.bodies), len(scene.obstacles)
    # No more merged bodies than half of the bodies, for each of them has two at least.
    rows = n + obstacles + 1 + n // 2
    inverse_mass, mass = np.zeros(rows), np.zeros(n)
    inertia, inverse_inertia = np.tile(np.eye(3), (rows, 1, 1)), np.zeros((rows, 3, 3))
    center, position = np.zeros((n, 3)), np.zeros((rows, 3))
    orientation, velocity = np.tile([1.0, 0.0, 0.0, 0.0], (rows, 1)), np.zeros((rows, 6))
    for k, body in enumerate(scene.bodies):
        if not body.fixed:
            solid = body_properties(body, k, scene.materials[body.material].density, base_dir)
            mass[k], center[k], inertia[k] = solid.mass, solid.center, solid.inertia
            inverse_mass[k], inverse_inertia[k] = 1 / mass[k], inverse(inertia[k])
            velocity[k] = (*body.velocity, *body.angular_velocity)
        rotation = rotation_matrix(np.deg2rad(body.rotation_deg))
        position[k] = np.array(body.position) + rotate(rotation, center[k])
        orientation[k] = quaternion_of(rotation)
    for k, obstacle in enumerate(scene.obstacles):
        position[n + k], rotation = pose_at(obstacle, 0.0)
        orientation[n + k] = quaternion_of(rotation)
    table = BodyTable(inverse_mass, inertia, inverse_inertia)
    names = [body.name for body in scene.bodies]
    return Bodies(names, obstacles, table, motion_of(position, orientation, velocity), center, mass)
