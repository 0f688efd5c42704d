"""Triangles and balls of obstacles and bodies for a page: few, shared where shapes repeat, and bounded.

A scene has hundreds of rocks, many of them alike, and machines of dozens of pieces. Pieces of one body that
look the same are one mesh, and bodies with the same mesh share it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot
from windrow.geometry.pieces import pieces_of
from windrow.render.picture import Stage
from windrow.render.surfaces import GLASS, STEEL, STONE, ObstacleTriangles, edged
from windrow.scene.assembling import rotation_of
from windrow.scene.scene import Scene
from windrow.view.packing import quaternions
from windrow.view.pool import Pool

MOST_FACES = 200_000
"""Triangles of one thing; finer ground is shown coarser, and other things as their convex hull."""
NONE = -1
"""Material of what has none."""

Color = tuple[float, float, float]


@dataclass(frozen=True)
class MeshPiece:
    """Triangles that look the same and belong to one body."""

    look: str
    material: int
    color: Color
    corners: NDArray[np.float32]
    """(m, 3, 3) in the body's frame, m"""
    normals: NDArray[np.float32]
    edges: NDArray[np.float32]
    """(e, 2, 3) ends of the edges to be drawn"""

    def key(self) -> tuple[Any, ...]:
        """The same for pieces that can share their numbers."""
        return self.look, self.material, self.color, self.corners.tobytes(), self.normals.tobytes()


def drawable(scene: Scene) -> Scene:
    """The scene with ground no finer than a page can show."""
    obstacles = []
    for obstacle in scene.obstacles:
        shape = obstacle.shape
        if shape.kind == "height_field" and 2 * shape.heights.size > MOST_FACES:
            nx, ny = shape.heights.shape
            stride = int(np.ceil(np.sqrt(2 * shape.heights.size / MOST_FACES)))
            rows = np.unique(np.append(np.arange(0, nx, stride), nx - 1))
            columns = np.unique(np.append(np.arange(0, ny, stride), ny - 1))
            # The last row stands where it was though it may be nearer: one cell in many is off by less than a cell.
            coarse = shape.model_copy(update={"heights": shape.heights[np.ix_(rows, columns)]})
            obstacle = obstacle.model_copy(update={"shape": coarse})
        obstacles.append(obstacle)
    copy = scene.model_copy(update={"obstacles": obstacles})
    copy._base_dir = scene._base_dir
    return copy


def meshes_told(scene: Scene, stage: Stage, pool: Pool) -> list[dict[str, Any]]:
    """Meshes of an assembled scene, each with the rows of all bodies that it is drawn for."""
    shared: dict[tuple[Any, ...], tuple[MeshPiece, list[int]]] = {}
    rollers = _rollers(scene)
    for body, surfaces in _by_body(stage.surfaces).items():
        for piece in _joined([_piece(scene, surface) for surface in surfaces]):
            shared.setdefault(piece.key(), (piece, []))[1].append(body)
    return [
        {
            **({"shape": rollers[bodies[0]]} if bodies[0] in rollers else {}),
            "bodies": bodies,
            "look": piece.look,
            "material": piece.material,
            "color": list(piece.color),
            "corners": pool.add(piece.corners),
            "normals": pool.add(piece.normals),
            "edges": pool.add(piece.edges),
        }
        for piece, bodies in shared.values()
    ]


def balls_told(scene: Scene, pool: Pool) -> list[dict[str, Any]]:
    """Balls of the bodies: x, y, z, r in the body's frame."""
    pieces = pieces_of(scene, drawn=True)
    found: dict[int, list[int]] = {}
    for k, obstacle in enumerate(pieces.obstacles):
        if obstacle.shape.kind == "sphere":
            found.setdefault(int(pieces.owner[k]), []).append(k)
    names = list(scene.materials)
    told = []
    for owner, chosen in found.items():
        radii = [getattr(pieces.obstacles[k].shape, "radius", 0.0) for k in chosen]
        material = pieces.obstacles[chosen[0]].material
        told.append(
            {
                "body": len(scene.obstacles) + owner,
                "color": list(scene.materials[material].color or STONE),
                "material": names.index(material),
                "rows": pool.add(np.column_stack([pieces.position[chosen], radii])),
            }
        )
    return told


def edges_of(corners: NDArray[Any], outlined: NDArray[np.bool_]) -> NDArray[Any]:
    """(e, 2, 3): ends of the edges, each opposite to a corner, that are creases or borders."""
    sides = corners[:, [[1, 2], [2, 0], [0, 1]]]
    return np.asarray(sides[outlined])


def _rollers(scene: Scene) -> dict[int, dict[str, Any]]:
    """Bodies that are one cylinder: a page may draw them as wheels, so that one sees them turn."""
    found = {}
    for k, body in enumerate(scene.bodies):
        shape = body.shapes[0].shape if len(body.shapes) == 1 else None
        if shape is not None and shape.kind == "cylinder":
            turn = quaternions(rotation_of(body.shapes[0].rotation_deg)[None])[0]
            found[len(scene.obstacles) + k] = {
                "kind": "cylinder",
                "radius": shape.radius,
                "height": shape.height,
                "pose": [*body.shapes[0].position, *turn.tolist()],
            }
    return found


def _by_body(surfaces: list[ObstacleTriangles]) -> dict[int, list[ObstacleTriangles]]:
    found: dict[int, list[ObstacleTriangles]] = {}
    for surface in surfaces:
        found.setdefault(surface.body, []).append(surface)
    return found


def _piece(scene: Scene, surface: ObstacleTriangles) -> MeshPiece:
    surface = _bounded(surface)
    is_obstacle = surface.body < len(scene.obstacles)
    material = surface.material
    own = scene.materials[material].color if material in scene.materials else None
    look: str = surface.look
    if is_obstacle and scene.obstacles[surface.body].shape.kind == "height_field":
        look = "ground"
    names = list(scene.materials)
    corners = surface.vertices[surface.faces]
    return MeshPiece(
        look=look,
        material=names.index(material) if material in names else NONE,
        color=_tinted(own) if look == "glass" else own or (STEEL if is_obstacle else STONE),
        corners=corners.astype(np.float32),
        normals=surface.corner_normals.astype(np.float32),
        edges=(np.zeros((0, 2, 3)) if look == "ground" else edges_of(corners, surface.outlined)).astype(
            np.float32
        ),
    )


def _joined(pieces: list[MeshPiece]) -> list[MeshPiece]:
    """Pieces of a body that look the same as one."""
    alike: dict[tuple[str, int, Color], list[MeshPiece]] = {}
    for piece in pieces:
        alike.setdefault((piece.look, piece.material, piece.color), []).append(piece)
    return [
        replace(
            group[0],
            corners=np.concatenate([piece.corners for piece in group]),
            normals=np.concatenate([piece.normals for piece in group]),
            edges=np.concatenate([piece.edges for piece in group]),
        )
        for group in alike.values()
    ]


def _bounded(surface: ObstacleTriangles) -> ObstacleTriangles:
    """The convex hull of what has too many triangles to be sent."""
    if len(surface.faces) <= MOST_FACES:
        return surface
    from scipy.spatial import ConvexHull

    hull = ConvexHull(surface.vertices)
    vertices = surface.vertices
    faces = hull.simplices.astype(np.int64)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    inward = dot(np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward][:, ::-1]
    used, numbered = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], numbered.reshape(-1, 3)
    normals, outlined = edged(vertices, faces)
    return replace(surface, vertices=vertices, faces=faces, corner_normals=normals, outlined=outlined)


def _tinted(own: Color | None) -> Color:
    """Glass with a touch of the material's own colour."""
    mixed = 0.6 * np.array(GLASS) + 0.4 * np.array(own or GLASS)
    return float(mixed[0]), float(mixed[1]), float(mixed[2])
