"""The obstacles of a scene as triangles to draw: where they are, how they look, which are see-through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import arctangent2, cosine, dot, norm, rotate
from windrow.kernel import kernel
from windrow.render.camera import Box
from windrow.render.colors import linear
from windrow.scene.terrain import TerrainSurface

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

Look = Literal["solid", "glass"]

CREASE_DEG = 35.0
"""Faces that meet at a smaller angle than this are shaded as one smooth surface."""
MOST_FACES_AT_A_PLACE = 1000
STEEL = (0.60, 0.63, 0.67)
STONE = (0.52, 0.49, 0.45)
GLASS = (0.62, 0.74, 0.82)


@dataclass(frozen=True)
class ObstacleTriangles:
    """The triangles of one obstacle in its own frame."""

    body: int
    look: Look
    color: NDArray[np.float64]
    """Linear red, green, blue."""
    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    corner_normals: NDArray[np.float64]
    """(m, 3, 3): unit normals at the corners of each face."""
    outlined: NDArray[np.bool_]
    """(m, 3): whether the edge opposite to each corner is a crease or a border."""
    material: str = ""
    """whose colour it has"""


@dataclass(frozen=True)
class PosedTriangles:
    """Triangles of several obstacles in world axes at one instant."""

    corners: NDArray[np.float64]
    """(m, 3, 3), m."""
    normals: NDArray[np.float64]
    """(m, 3, 3), unit."""
    color: NDArray[np.float64]
    """(m, 3), linear."""
    outlined: NDArray[np.bool_]
    """(m, 3), see `ObstacleTriangles`."""


NO_TRIANGLES = PosedTriangles(
    np.empty((0, 3, 3)), np.empty((0, 3, 3)), np.empty((0, 3)), np.empty((0, 3), bool)
)


def scene_surfaces(scene: Scene) -> list[ObstacleTriangles]:
    """Every bounded obstacle and every piece of a body but balls, triangulated once for all frames."""
    from windrow.geometry.pieces import pieces_of
    from windrow.geometry.surface import triangles

    here = (np.eye(3), np.zeros(3))
    things = [(body, obstacle, *here) for body, obstacle in enumerate(scene.obstacles)]
    pieces = pieces_of(scene, drawn=True)
    for obstacle, owner, rotation, position in zip(*pieces, strict=True):
        if obstacle.shape.kind != "sphere":
            things.append((len(scene.obstacles) + int(owner), obstacle, rotation, position))
    surfaces = []
    for body, obstacle, rotation, position in things:
        if obstacle.shape.kind == "plane" or isinstance(obstacle.shape, TerrainSurface):
            continue
        made = triangles(obstacle, scene.base_dir, 1.0)
        look: Look = "glass" if obstacle.inside or obstacle.shape.kind == "revolution" else "solid"
        own = scene.materials[obstacle.material].color if obstacle.material in scene.materials else None
        color = linear(own if own is not None else STEEL)
        if look == "glass":
            color = linear(GLASS) if own is None else 0.5 * (linear(GLASS) + color)
        placed = rotate(rotation, np.asarray(made[0], np.float64)) + position
        vertices, faces = whole_faces(placed, np.asarray(made[1], np.int64))
        normals, outlined = edged(vertices, faces)
        surfaces.append(ObstacleTriangles(body, look, color, vertices, faces, normals, outlined, obstacle.material))
    return surfaces


@dataclass(frozen=True)
class BodyBalls:
    """Balls that rigid bodies are made of: drawn as grains are."""

    body: NDArray[np.int64]
    """(n,) row of the frame's bodies"""
    place: NDArray[np.float64]
    """(n, 3) in the body's frame, m"""
    radius: NDArray[np.float64]
    """(n,) m"""
    color: NDArray[np.float32]
    """(n, 3) linear"""

    def positions(self, frame: Frame) -> NDArray[np.float64]:
        """(n, 3) where the frame has them."""
        turned = rotate(np.asarray(frame.body_rotation)[self.body], self.place)
        return np.asarray(turned + np.asarray(frame.body_position)[self.body])


def body_balls(scene: Scene) -> BodyBalls:
    """The balls of all bodies; neighbours differ a little in brightness, so that rocks can be told apart."""
    from windrow.geometry.pieces import pieces_of

    pieces = pieces_of(scene, drawn=True)
    chosen = [k for k, o in enumerate(pieces.obstacles) if o.shape.kind == "sphere"]
    colors, radii = np.zeros((len(chosen), 3), np.float32), np.zeros(len(chosen))
    for row, k in enumerate(chosen):
        obstacle, shade = pieces.obstacles[k], 0.8 + 0.4 * ((int(pieces.owner[k]) * 0.618034) % 1.0)
        own = scene.materials[obstacle.material].color
        colors[row] = np.minimum(shade * linear(own if own is not None else STONE), 1.0)
        assert obstacle.shape.kind == "sphere"
        radii[row] = obstacle.shape.radius
    owner = pieces.owner[chosen].astype(np.int64) + len(scene.obstacles)
    return BodyBalls(owner, pieces.position[chosen], radii, colors)


def posed(surfaces: list[ObstacleTriangles], frame: Frame, look: Look) -> PosedTriangles:
    """All triangles of one look where the frame has them."""
    parts = [NO_TRIANGLES]
    for surface in surfaces:
        if surface.look == look:
            rotation = np.asarray(frame.body_rotation[surface.body], np.float64)
            placed = rotate(rotation, surface.vertices) + frame.body_position[surface.body]
            normals = rotate(rotation, surface.corner_normals)
            color = np.broadcast_to(surface.color, (len(surface.faces), 3))
            parts.append(PosedTriangles(placed[surface.faces], normals, color, surface.outlined))
    return stacked(parts)


def surface_boxes(surfaces: list[ObstacleTriangles], frame: Frame) -> list[Box]:
    """Box around each surface in world axes."""
    boxes = []
    for surface in surfaces:
        placed = rotate(np.asarray(frame.body_rotation[surface.body]), surface.vertices)
        placed = placed + frame.body_position[surface.body]
        boxes.append((placed.min(axis=0), placed.max(axis=0)))
    return boxes


def stacked(parts: list[PosedTriangles]) -> PosedTriangles:
    """Several sets of triangles as one, in their order."""
    return PosedTriangles(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.color for part in parts]),
        np.concatenate([part.outlined for part in parts]),
    )


def whole_faces(
    vertices: NDArray[np.float64], faces: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The same triangles with equal places as one vertex, without those that have no area."""
    if len(faces) == 0:
        return vertices, faces
    scale = float(np.ptp(vertices, axis=0).max()) or 1.0
    # Places closer than a millionth of the size are one; three of 21 bits make a number that sorts quickly.
    steps = np.rint((vertices - vertices.min(axis=0)) / scale * (1 << 20)).astype(np.int64)
    place = (steps[:, 0] << 42) | (steps[:, 1] << 21) | steps[:, 2]
    _, first, merged = np.unique(place, return_index=True, return_inverse=True)
    faces = merged[faces]
    a, b, c = faces.T
    return vertices[first], faces[(a != b) & (b != c) & (c != a)]


def edged(
    vertices: NDArray[np.float64], faces: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Corner normals (m, 3, 3), smooth across flat joints only, and the edges (m, 3) that are not."""
    if len(faces) == 0:
        return np.empty((0, 3, 3)), np.empty((0, 3), bool)
    by_point = np.argsort(faces.reshape(-1), kind="stable")
    start = np.searchsorted(faces.reshape(-1)[by_point], np.arange(len(vertices) + 1))
    corners = vertices[faces]
    ahead = np.roll(corners, -1, axis=1) - corners
    behind = np.roll(corners, 1, axis=1) - corners
    cross = np.cross(ahead, behind)
    unit = cross[:, 0] / np.maximum(norm(cross[:, 0])[:, None], 1e-300)
    angle = arctangent2(norm(cross), dot(ahead, behind))
    normals = np.empty((len(faces), 3, 3))
    crease = float(cosine(np.radians(CREASE_DEG)))
    _smooth_corners(unit, angle.reshape(-1), by_point, start, crease, normals.reshape(-1, 3))
    return normals, _creases(faces, unit, crease)


def _creases(faces: NDArray[np.int64], unit: NDArray[np.float64], crease: float) -> NDArray[np.bool_]:
    """Edges (m, 3), each opposite to a corner, that do not join exactly two faces smoothly."""
    ends = np.sort(faces[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2), axis=1)
    name = ends[:, 0] * (int(ends.max()) + 1) + ends[:, 1]
    _, edge, count = np.unique(name, return_inverse=True, return_counts=True)
    each = np.repeat(unit, 3, axis=0)
    total = np.stack([np.bincount(edge, each[:, k], len(count)) for k in range(3)], axis=1)
    # Two unit normals at angle a add up to a length of 2·cos(a/2).
    smooth = (count == 2) & (norm(total) > np.sqrt(2.0 + 2.0 * crease))
    return np.asarray(~smooth[edge].reshape(-1, 3))


@kernel
def _smooth_corners(unit, angle, by_point, start, crease, normals):  # type: ignore[no-untyped-def]
    """Corner c belongs to face c // 3; corners at the same place lie together in `by_point`.

    Faces count by their angle at the place, so that cutting a face in two changes nothing.
    """
    for place in range(start.size - 1):
        first, last = start[place], start[place + 1]
        for a in range(first, last):
            own = by_point[a] // 3
            x, y, z = unit[own, 0], unit[own, 1], unit[own, 2]
            sx, sy, sz = x * 1e-9, y * 1e-9, z * 1e-9
            # Work grows with the square of the faces at a place; the hub of a huge fan stays flat instead.
            for b in range(first, last if last - first <= MOST_FACES_AT_A_PLACE else first):
                other = by_point[b] // 3
                px, py, pz = unit[other, 0], unit[other, 1], unit[other, 2]
                if x * px + y * py + z * pz >= crease:
                    weight = angle[by_point[b]]
                    sx += px * weight
                    sy += py * weight
                    sz += pz * weight
            size = max(np.sqrt(sx * sx + sy * sy + sz * sz), 1e-300)
            normals[by_point[a], 0] = sx / size
            normals[by_point[a], 1] = sy / size
            normals[by_point[a], 2] = sz / size


def quads(place: Any, normal: Any, color: Any) -> PosedTriangles:
    """Two triangles for each square of the last but one axes (…, n, m, 3)."""
    corners, normals, shades = [], [], []
    for a, b, c in (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1))):
        n, m = place.shape[-3] - 1, place.shape[-2] - 1
        three = [(slice(p, p + n), slice(q, q + m)) for p, q in (a, b, c)]
        corners.append(np.stack([place[(..., *at, slice(None))] for at in three], axis=-2).reshape(-1, 3, 3))
        normals.append(np.stack([normal[(..., *at, slice(None))] for at in three], axis=-2).reshape(-1, 3, 3))
        mean = sum(color[(..., *at, slice(None))] for at in three) / 3.0
        shades.append(mean.reshape(-1, 3))
    corner, shade = np.concatenate(corners), np.concatenate(shades)
    return PosedTriangles(corner, np.concatenate(normals), shade, np.zeros((len(corner), 3), bool))
