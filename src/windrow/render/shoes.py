"""Shoes of tracks, to be seen: they follow the line of the belt as the sprocket turns. Nothing touches them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import arctangent2, dot, norm, product, rotate, unit
from windrow.render.colors import linear
from windrow.render.surfaces import NO_TRIANGLES, STEEL, PosedTriangles, edged, stacked
from windrow.scene.assembling import rotation_of
from windrow.scene.joints import Track

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

PLATE, BAR = 0.25, 0.35
"""Thickness of a shoe's plate, and height of its grouser with it, over the pitch."""
GAP, BAR_WIDTH = 0.06, 0.16
"""Between two plates, and width of a grouser, over the pitch."""


@dataclass(frozen=True)
class Belt:
    """The shoes of one track. Rows are those of the bodies of a frame: obstacles first, then bodies."""

    frame: int
    sprocket: int
    corners: NDArray[np.float64]
    """(n, 3) of the closed line of the grousers' tips, seen from the frame's body, m; forward on the ground"""
    across: NDArray[np.float64]
    """(3,) to the left, there"""
    start: NDArray[np.float64]
    """(3, 3) rotation of the sprocket's body seen from the frame's, at the start"""
    width: float
    """m"""
    shoes: int
    teeth: int
    """shoes that pass by while the sprocket turns once"""
    color: tuple[float, float, float]

    def told(self) -> dict[str, Any]:
        """For a page, which turns them by itself: it has the rotations of all bodies."""
        return {
            "frame": self.frame, "sprocket": self.sprocket, "corners": self.corners.tolist(),
            "across": self.across.tolist(), "start": self.start.tolist(), "width": self.width, "shoes": self.shoes,
            "teeth": self.teeth, "color": list(self.color), "thickness": [PLATE, BAR, GAP, BAR_WIDTH],
        }  # fmt: skip

    def turned(self, frame: Frame) -> float:
        """Angle of the sprocket since the start, rad: right-handed about `across`, as a wheel that rolls ahead."""
        own, other = (np.asarray(frame.body_rotation[row], np.float64) for row in (self.frame, self.sprocket))
        now = product(product(own.T, other), self.start.T)
        ahead = unit(np.cross(self.across, (0.0, 0.0, 1.0) if abs(self.across[2]) < 0.7 else (1.0, 0.0, 0.0)))
        way = rotate(now, ahead)
        return float(arctangent2(dot(self.across, np.cross(ahead, way)), dot(ahead, way)))

    def places(self, angle: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(n, 3) middles of the shoes on the line, and (n, 3) directions along it, in the frame of the frame's body.

        A shoe is a chord of the line, as a link of a chain is. What rolls ahead draws the ground run backwards.
        """
        pitch = 1.0 / self.shoes
        first: Any = pitch * (np.arange(self.shoes) - angle * self.teeth / (2.0 * math.pi) - 0.5)
        a, b = along(self.corners, first), along(self.corners, first + pitch)
        return 0.5 * (a + b), unit(b - a)


def along(corners: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) places on a closed line, at shares of its length; whole numbers are its first corner."""
    ends = np.concatenate([corners, corners[:1]])
    way = np.concatenate([[0.0], np.cumsum(norm(np.diff(ends, axis=0)))])
    at = (share - np.floor(share)) * way[-1]
    return np.stack([np.interp(at, way, ends[:, a]) for a in range(3)], axis=1)


def belts_of(scene: Scene) -> list[Belt]:
    """The belts that an assembled scene's tracks say."""
    rows = {body.name: k + len(scene.obstacles) for k, body in enumerate(scene.bodies)}
    bodies = {body.name: body for body in scene.bodies}
    belts = []
    for track in scene.joints:
        if not isinstance(track, Track) or not track.belt:
            continue
        body, other = bodies[track.first], bodies[track.second]
        turn, ahead, up = rotation_of(body.rotation_deg), unit(track.forward), unit(track.up)
        line = np.array(track.position) + np.array([x * ahead + z * up for x, z in track.belt])
        corners = rotate(turn.T, line - np.array(body.position))
        length = float(norm(np.roll(corners, -1, axis=0) - corners).sum())
        shoes = round(length / track.pitch)
        color = scene.materials[body.material].color or STEEL
        belts.append(Belt(
            rows[track.first], rows[track.second], corners, rotate(turn.T, np.cross(up, ahead)),
            product(turn.T, rotation_of(other.rotation_deg)), track.width, shoes,
            max(round(2.0 * math.pi * track.radius * shoes / length), 1), (color[0], color[1], color[2]),
        ))  # fmt: skip
    return belts


def shoe_triangles(belts: list[Belt], frame: Frame) -> PosedTriangles:
    """All shoes where the frame has them."""
    parts = [NO_TRIANGLES]
    for belt in belts:
        middle, ahead = belt.places(belt.turned(frame))
        inward = np.cross(ahead, belt.across)
        vertices, faces = _shoe(float(norm(middle[1] - middle[0])), belt.width)
        normals, outlined = edged(vertices, faces)
        axes = np.stack([ahead, np.broadcast_to(belt.across, ahead.shape), inward], axis=2)
        own = np.asarray(frame.body_rotation[belt.frame], np.float64)
        n, m = len(middle), len(faces)
        placed = rotate(own, rotate(axes[:, None], vertices[None]) + middle[:, None]) + frame.body_position[belt.frame]
        turned = rotate(own, rotate(axes[:, None, None], normals[None]))
        color = np.broadcast_to(linear(belt.color), (n * m, 3))
        parts.append(PosedTriangles(
            placed[:, faces].reshape(-1, 3, 3), turned.reshape(-1, 3, 3), color, np.tile(outlined, (n, 1))
        ))  # fmt: skip
    return stacked(parts)


def _shoe(pitch: float, width: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A plate with a grouser: x along the belt, y across, z inwards from the grouser's tip, m."""
    plate = _box((1.0 - GAP) * pitch, width, (BAR - PLATE) * pitch, BAR * pitch)
    bar = _box(BAR_WIDTH * pitch, width, 0.0, BAR * pitch)
    return np.concatenate([plate[0], bar[0]]), np.concatenate([plate[1], bar[1] + 8])


def _box(length: float, width: float, low: float, high: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    x, y = 0.5 * length, 0.5 * width
    corners = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (low, high)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))]
    return np.array(corners), np.array(faces, np.int64)
