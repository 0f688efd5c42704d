"""Poses of one scripted obstacle again and again: `scene.motion.pose_at`, compiled where the script is keyframes."""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.fixed_kernels import sine_cosine
from windrow.geometry.terms import F64
from windrow.kernel import bare_inner, bare_kernel
from windrow.scene.motion import Keyframes, pose_at, rotation_matrix
from windrow.scene.obstacles import Obstacle


class Script:
    """Where an obstacle is at a time."""

    def __init__(self, obstacle: Obstacle) -> None:
        self.obstacle = obstacle
        self._keys: tuple[F64, F64, F64] | None = None
        motion = obstacle.motion
        if isinstance(motion, Keyframes):
            turns = np.zeros((len(motion.time), 3)) if motion.rotation_deg is None else np.deg2rad(motion.rotation_deg)
            rows = np.column_stack([np.asarray(motion.time), np.asarray(motion.position), turns])
            self._keys = (
                np.ascontiguousarray(rows, np.float64),
                np.array(obstacle.position, np.float64),
                rotation_matrix(np.deg2rad(obstacle.rotation_deg)),
            )

    def pose(self, time: float, row: F64) -> None:
        """Writes rotation, row by row, and position at a time (s) into a row of 12 numbers."""
        if self._keys is not None and self.obstacle.motion is not None:
            between_keys(*self._keys, float(self.obstacle.motion.elapsed(time)), row)
            return
        position, rotation = pose_at(self.obstacle, time)
        row[:9], row[9:] = rotation.ravel(), position


@bare_kernel
def between_keys(keys: F64, position: F64, rotation: F64, time: float, row: F64) -> None:
    """keys (n, 7): time (s), offset (m) and rotation vector (rad) of each."""
    n, k = len(keys), 0
    while k < n - 1 and keys[k + 1, 0] <= time:
        k += 1
    last = min(k + 1, n - 1)
    span = keys[last, 0] - keys[k, 0]
    share = min(max((time - keys[k, 0]) / span, 0.0), 1.0) if span > 0.0 else 0.0
    for a in range(3):
        row[9 + a] = position[a] + keys[k, 1 + a] + share * (keys[last, 1 + a] - keys[k, 1 + a])
    x = keys[k, 4] + share * (keys[last, 4] - keys[k, 4])
    y = keys[k, 5] + share * (keys[last, 5] - keys[k, 5])
    z = keys[k, 6] + share * (keys[last, 6] - keys[k, 6])
    _turn(x, y, z, rotation, row)


@bare_inner
def _turn(x: float, y: float, z: float, rotation: F64, row: F64) -> None:
    """Writes a rotation vector's matrix (Rodrigues) times a rotation."""
    angle = sqrt(x * x + y * y + z * z)
    if angle > 0.0:
        x, y, z = x / angle, y / angle, z / angle
    s, c = sine_cosine(angle)
    rest = 1.0 - c
    turn = (
        (c + x * x * rest, x * y * rest - z * s, x * z * rest + y * s),
        (y * x * rest + z * s, c + y * y * rest, y * z * rest - x * s),
        (z * x * rest - y * s, z * y * rest + x * s, c + z * z * rest),
    )
    for a in range(3):
        for b in range(3):
            total = 0.0
            for k in range(3):
                total += turn[a][k] * rotation[k, b]
            row[3 * a + b] = total
