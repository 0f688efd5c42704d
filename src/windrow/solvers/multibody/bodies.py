"""Bodies of a scene as arrays: constants and start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from windrow.geometry.terms import F64
from windrow.scene.motion import rotation_matrix
from windrow.scene.scene import Scene
from windrow.solvers.multibody.inertia import body_properties
from windrow.solvers.multibody.motion import BodyTable, Motion, motion_of
from windrow.solvers.multibody.vectors import quaternion_of


@dataclass(frozen=True)
class Bodies:
    """All bodies of a scene, in its order."""

    names: list[str]
    table: BodyTable
    start: Motion
    center: F64
    """(n, 3) centre of mass in the body's own frame, m"""
    mass: F64
    """(n,) kg; also of fixed ones, 0 where unknown"""

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    @property
    def count(self) -> int:
        return len(self.names)


def bodies_of(scene: Scene, base_dir: Path) -> Bodies:
    """Masses from shapes and densities, poses and speeds from the scene."""
    n = len(scene.bodies)
    inverse_mass, mass = np.zeros(n), np.zeros(n)
    inertia, inverse = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3, 3))
    center, position = np.zeros((n, 3)), np.zeros((n, 3))
    orientation, velocity = np.zeros((n, 4)), np.zeros((n, 6))
    for k, body in enumerate(scene.bodies):
        if not body.fixed:
            solid = body_properties(body, k, scene.materials[body.material].density, base_dir)
            mass[k], center[k], inertia[k] = solid.mass, solid.center, solid.inertia
            inverse_mass[k], inverse[k] = 1 / mass[k], np.linalg.inv(inertia[k])
            velocity[k] = (*body.velocity, *body.angular_velocity)
        rotation = rotation_matrix(np.deg2rad(body.rotation_deg))
        position[k] = np.array(body.position) + rotation @ center[k]
        orientation[k] = quaternion_of(rotation)
    table = BodyTable(inverse_mass, inertia, 0.5 * (inverse + inverse.transpose(0, 2, 1)))
    names = [body.name for body in scene.bodies]
    return Bodies(names, table, motion_of(position, orientation, velocity), center, mass)
