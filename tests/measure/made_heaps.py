"""Heaps and slopes of spheres cut from regular or turned lattices, so that their angle is known."""

from __future__ import annotations

import numpy as np

from windrow.state.frame import Frame


def lattice(kind: str, extent: float, rng: np.random.Generator) -> np.ndarray:
    """Centres of touching spheres of radius 1 around the origin, out to `extent`."""
    n = int(extent / 2) + 3
    i = np.arange(-n, n + 1)
    grid = np.stack(np.meshgrid(i, i, i, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.float64)
    if kind == "hexagonal":
        a, b, c = grid.T
        odd = c % 2
        return np.stack([2 * a + (b + c) % 2, np.sqrt(3) * (b + odd / 3), 2 * np.sqrt(6) / 3 * c], axis=1)
    if kind == "cubic":
        turn = rng.random() * 2 * np.pi
        turning = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    else:
        turning = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return 2.04 * grid @ turning.T


def cone(angle: float, height: float, kind: str = "turned", seed: int = 0, noise: float = 0.1) -> np.ndarray:
    """Centres of spheres of radius 1 that lie on the floor z = 0 inside a cone of this angle and height."""
    rng = np.random.default_rng(seed)
    slope = np.radians(angle)
    centres = lattice(kind, height / np.tan(slope), rng) + noise * rng.normal(size=3)
    centres = centres + noise * rng.normal(size=centres.shape)
    out = np.hypot(centres[:, 0], centres[:, 1])
    inside = centres[:, 2] + 1 / np.cos(slope) + out * np.tan(slope) <= height
    return centres[inside & (centres[:, 2] >= 1)]


def incline(angle: float, direction: float, kind: str = "turned", seed: int = 0) -> np.ndarray:
    """Spheres of radius 1 under a plane that falls by `angle` towards the azimuth `direction`, degrees."""
    rng = np.random.default_rng(seed)
    centres = lattice(kind, 45.0, rng) + 0.1 * rng.normal(size=3)
    centres = centres + 0.1 * rng.normal(size=centres.shape)
    fall = np.tan(np.radians(angle))
    inside = (np.abs(centres[:, 0]) < 40) & (np.abs(centres[:, 1]) < 14) & (centres[:, 2] > -30)
    below = centres[:, 2] + np.hypot(1, fall) + fall * centres[:, 0] <= 0
    centres = centres[inside & below]
    turn = np.radians(direction)
    turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.column_stack([centres[:, :2] @ turning.T, centres[:, 2]])


def frame_of(
    position: np.ndarray, radius: float | np.ndarray = 1.0, time: float = 0.0, step: int = 0, **fields
) -> Frame:
    """A frame of these grains; mass 1 kg and at rest unless given."""
    n = len(position)
    columns = {
        "id": np.arange(n, dtype=np.int64),
        "velocity": np.zeros((n, 3), np.float32),
        "mass": np.ones(n, np.float32),
        "material": np.zeros(n, np.int32),
        "force": np.zeros((n, 3), np.float32),
        "notes": {},
    }
    columns |= fields
    return Frame(
        time=time,
        step=step,
        position=np.asarray(position, np.float32).reshape(n, 3),
        radius=np.broadcast_to(np.float32(radius), (n,)).copy(),
        body_names=[],
        body_position=np.zeros((0, 3)),
        body_rotation=np.zeros((0, 3, 3)),
        body_force=np.zeros((0, 3)),
        body_torque=np.zeros((0, 3)),
        material_names=["sand"],
        **columns,
    )
