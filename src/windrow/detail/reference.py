"""The step of fine grains in plain NumPy: every grain against every particle. For tests, and to read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.detail.laws import ALONE, LONE, NO_WEIGHT, RAMP, SUPPORT
from windrow.geometry.terms import F64


def carried_step(
    place: F64, velocity: F64, limit: F64, particles: F64, moves: F64, radius: F64, gravity: F64, dt: float
) -> tuple[F64, F64, NDArray[np.float64]]:
    """Places, velocities and freedom α of grains after a step without walls.

    place, velocity: (n, 3) of grains; limit: (n,), see `laws.limit_of`; particles, moves: (m, 3) places and velocities
    of coarse particles; radius: (m,).
    """
    between = place[:, None] - particles
    square = np.square(between).sum(axis=2)
    inside = np.maximum(0.0, 1.0 - square / np.square(SUPPORT * radius))
    w = inside * inside * inside  # (23)
    total, most = w.sum(axis=1), w.max(axis=1, initial=0.0)
    some = np.maximum(total, 1e-300)
    carried = (w[:, :, None] * moves).sum(axis=1) / some[:, None]  # (24)
    spread = np.maximum(inside.sum(axis=1), 1e-300)
    mean = (inside[:, :, None] * between / radius[:, None]).sum(axis=1) / spread[:, None]
    outside = np.clip((np.sqrt(np.square(mean).sum(axis=1)) - limit) / RAMP, 0.0, 1.0)
    lone = np.clip((most / some - LONE) / (ALONE - LONE), 0.0, 1.0)
    alpha = np.maximum((1.0 - most) * outside, lone)
    alpha = np.where(total > NO_WEIGHT, alpha, 1.0)[:, None]
    ahead = (1.0 - alpha) * carried + alpha * (velocity + dt * gravity)  # (25)
    way = (1.0 - alpha) * carried + alpha * (velocity + 0.5 * dt * gravity)  # (26)
    return place + dt * way, ahead, alpha[:, 0]
