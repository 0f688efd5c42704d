"""The pieces that rigid bodies are made of, each as an obstacle in its body's frame.

Grains meet them, and pictures show them, as they do obstacles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_math import rotate
from windrow.geometry.terms import F64, I64
from windrow.scene.bodies import Piece, Spheres
from windrow.scene.motion import rotation_matrix
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.shapes import Shape, Sphere


class Pieces(NamedTuple):
    """All pieces of all bodies, body after body."""

    obstacles: list[Obstacle]
    """their shapes and materials"""
    owner: I64
    """(p,) number of the body"""
    rotation: F64
    """(p, 3, 3) piece to body"""
    position: F64
    """(p, 3) in the body's frame, m"""


def pieces_of(scene: Scene, drawn: bool = False) -> Pieces:
    """What touches, or what is drawn; balls that move as one are a piece each."""
    obstacles, owner, rotations, positions = [], [], [], []
    for k, body in enumerate(scene.bodies):
        for piece in body.shapes:
            if not (piece.seen if drawn else piece.touches):
                continue
            material = (piece.paint or body.material) if drawn else body.material
            rotation = rotation_matrix(np.deg2rad(piece.rotation_deg))
            for shape, place in _parts(piece):
                obstacles.append(Obstacle(name=body.name, shape=shape, material=material))
                owner.append(k)
                rotations.append(rotation)
                positions.append(np.array(piece.position) + rotate(rotation, place))
    return Pieces(
        obstacles,
        np.array(owner, np.int64),
        np.array(rotations, np.float64).reshape(-1, 3, 3),
        np.array(positions, np.float64).reshape(-1, 3),
    )


def _parts(piece: Piece) -> list[tuple[Shape, F64]]:
    """Shapes that an obstacle can have, and where they are in the piece."""
    shape = piece.shape
    if not isinstance(shape, Spheres):
        return [(shape, np.zeros(3))]
    radii = np.broadcast_to(shape.radii, len(shape.centers))
    return [
        (Sphere(radius=float(r)), np.array(c, np.float64)) for c, r in zip(shape.centers, radii, strict=True)
    ]
