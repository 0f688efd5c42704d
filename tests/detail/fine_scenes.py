"""Small scenes and frames that fine grains are put on."""

from __future__ import annotations

from typing import Any

import numpy as np

import windrow as wr
from windrow.state.frame import Frame

RADIUS = 0.05


def scene_with(*, plane: bool = True, **more: Any) -> wr.Scene:
    scene = wr.Scene(title="fine", **more)
    scene.add_material("sand", density=1600.0)
    if plane:
        scene.add_plane((0, 0, 1), 0.0, "sand")
    return scene


def lattice(side: int, low: tuple[float, float, float] = (0.0, 0.0, RADIUS)) -> np.ndarray:
    """Places of a cube of particles that stand for cubes of sand."""
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return 2.0 * RADIUS * grid + np.array(low)


def frame_of(
    place: np.ndarray,
    velocity: Any = (0.0, 0.0, 0.0),
    time: float = 0.0,
    bodies: tuple[tuple[str, Any, Any], ...] = (),
    ids: np.ndarray | None = None,
) -> Frame:
    """bodies: name, position and rotation of each."""
    n = len(place)
    return Frame(
        time=time,
        step=round(1e4 * time),
        id=np.arange(n) if ids is None else ids,
        position=np.asarray(place, np.float32),
        velocity=np.broadcast_to(np.asarray(velocity, np.float32), (n, 3)).copy(),
        radius=np.full(n, RADIUS, np.float32),
        mass=np.ones(n, np.float32),
        material=np.zeros(n, np.int32),
        force=np.zeros((n, 3), np.float32),
        body_names=[name for name, _, _ in bodies],
        body_position=np.array([p for _, p, _ in bodies], np.float64).reshape(-1, 3),
        body_rotation=np.array([r for _, _, r in bodies], np.float64).reshape(-1, 3, 3),
        body_force=np.zeros((len(bodies), 3)),
        body_torque=np.zeros((len(bodies), 3)),
        material_names=["sand"],
    )
