"""Small scenes and frames made by hand, so that pictures can be compared with arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.scene import Scene
from windrow.scene.motion import pose_at
from windrow.scene.settings import Camera
from windrow.state.frame import Frame


def empty_scene() -> Scene:
    scene = Scene()
    scene.add_material("sand")
    scene.add_material("rock", color=(0.4, 0.4, 0.5))
    return scene


def frame_of(scene: Scene, position: Any, radius: Any = 0.1, time: float = 0.0, **arrays: Any) -> Frame:
    """A frame with grains at these places and the obstacles where the scene has them at that time."""
    place = np.asarray(position, np.float32).reshape(-1, 3)
    n, b = len(place), len(scene.obstacles)
    poses = [pose_at(obstacle, time) for obstacle in scene.obstacles]
    fields: dict[str, Any] = {
        "time": time,
        "step": 0,
        "id": np.arange(n, dtype=np.int64),
        "position": place,
        "velocity": np.zeros((n, 3), np.float32),
        "radius": np.broadcast_to(np.asarray(radius, np.float32), n).copy(),
        "mass": np.ones(n, np.float32),
        "material": np.zeros(n, np.int32),
        "force": np.zeros((n, 3), np.float32),
        "body_names": [obstacle.name for obstacle in scene.obstacles],
        "body_position": np.array([pose[0] for pose in poses]).reshape(b, 3),
        "body_rotation": np.array([pose[1] for pose in poses]).reshape(b, 3, 3),
        "body_force": np.zeros((b, 3)),
        "body_torque": np.zeros((b, 3)),
        "material_names": list(scene.materials),
    }
    return Frame(**(fields | arrays))


def camera_at(eye: Any, target: Any = (0.0, 0.0, 0.0), angle: float = 40.0) -> Camera:
    return Camera(eye=eye, target=target, field_of_view_deg=angle)


def heap(layers: int = 6, radius: float = 0.05) -> np.ndarray:
    """Places of a pyramid of touching grains on the floor z = 0."""
    places = []
    for layer in range(layers):
        side = np.arange(layers - layer) - 0.5 * (layers - layer - 1)
        x, y = np.meshgrid(side, side)
        z = np.full(x.size, 1.0 + layer * np.sqrt(2.0))
        places.append(np.stack([2.0 * x.ravel(), 2.0 * y.ravel(), z], axis=1))
    return np.concatenate(places) * radius
