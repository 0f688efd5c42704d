"""Obstacles that move by script: pose and velocity over the step to come."""

from __future__ import annotations

from windrow.fixed_math import product
from windrow.scene.motion import pose_at, quaternion_of, rotation_vector
from windrow.scene.scene import Scene
from windrow.solvers.multibody.motion import Motion


def follow_script(scene: Scene, motion: Motion, first: int, time: float, dt: float) -> None:
    """Puts moving obstacles where they are now, with the velocity that takes them where they will be."""
    for k, obstacle in enumerate(scene.obstacles):
        if obstacle.motion is None:
            continue
        here, now = pose_at(obstacle, time)
        there, then = pose_at(obstacle, time + dt)
        b = first + k
        motion.x[b], motion.q[b], motion.R[b] = here, quaternion_of(now), now
        motion.V[b, :3] = (there - here) / dt
        motion.V[b, 3:] = rotation_vector(product(then, now.T)) / dt
