"""Triangle surfaces: reading, checking, and the pseudonormals that tell inside from outside.

A mesh is a solid when it is closed (every edge has exactly two triangles, which run along it in opposite
directions) and its triangles are seen counter-clockwise from outside. Otherwise it is a thin sheet that
grains meet from both sides. A closed mesh turned inside out, or with some triangles turned, is refused: as a
solid it would swallow grains, and nobody means it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from windrow.errors import MissingExtraError, SceneError
from windrow.fixed_math import arctangent2, cube, dot, norm, unit
from windrow.geometry.terms import F64, I64
from windrow.scene.shapes import Mesh

MERGE = 1e-7
"""Corners closer than this share of the mesh's size are the same corner (STL files repeat them)."""
MOST_TRIANGLES = 20_000_000


@dataclass
class CheckedMesh:
    """Checked triangles in metres."""

    name: str
    """how messages call it"""
    vertices: F64
    """(v, 3)"""
    faces: I64
    """(f, 3)"""

    @cached_property
    def face_normals(self) -> F64:
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return unit(np.cross(b - a, c - a))

    @cached_property
    def _edges(self) -> tuple[I64, I64, I64]:
        """Undirected edges: number of each of the 3 f half edges, uses of each, sum of their directions."""
        half = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]])
        low, high = half.min(axis=1), half.max(axis=1)
        _, number, times = np.unique(low * len(self.vertices) + high, return_inverse=True, return_counts=True)
        direction = np.zeros(len(times), np.int64)
        np.add.at(direction, number, np.where(half[:, 0] < half[:, 1], 1, -1))
        return number, times, direction

    @property
    def open_edges(self) -> int:
        """Edges that do not have exactly two triangles."""
        return int((self._edges[1] != 2).sum())

    @property
    def closed(self) -> bool:
        return self.open_edges == 0

    @property
    def turned_edges(self) -> int:
        """Edges whose two triangles run in the same direction: one of them is turned round."""
        _, times, direction = self._edges
        return int(((times == 2) & (direction != 0)).sum())

    @property
    def watertight(self) -> bool:
        """Whether it encloses a volume; two sheets folded flat onto each other do not."""
        return self.closed and self.turned_edges == 0 and not self.flat

    @property
    def flat(self) -> bool:
        size = float(np.ptp(self.vertices, axis=0).max())
        return abs(self.volume) <= 1e-12 * cube(size)

    @cached_property
    def volume(self) -> float:
        """Enclosed volume, m³, negative when turned inside out."""
        a, b, c = (self.vertices[self.faces[:, k]] - self.vertices.mean(axis=0) for k in range(3))
        return float(dot(a, np.cross(b, c)).sum() / 6)

    def pseudonormals(self) -> F64:
        """(f, 7, 3) for face, edges ab, bc, ca and corners a, b, c, in the order of `geometry.triangle`.

        The sign of (p − closest point)·pseudonormal tells the side of p without exception: the sum of the
        two face normals on an edge, the sum weighted by the angle on a corner (Bærentzen and Aanæs 2005).
        """
        normal, faces = self.face_normals, self.faces
        number, times, _ = self._edges
        on_edge = np.zeros((len(times), 3))
        np.add.at(on_edge, number, np.tile(normal, (3, 1)))
        on_corner = np.zeros_like(self.vertices)
        for k in range(3):
            a, b, c = (self.vertices[faces[:, (k + j) % 3]] for j in range(3))
            u, v = b - a, c - a
            angle = arctangent2(norm(np.cross(u, v)), dot(u, v))
            np.add.at(on_corner, faces[:, k], angle[:, None] * normal)
        edge_of = number.reshape(3, len(faces))
        result = np.stack(
            [normal, *(on_edge[edge_of[k]] for k in range(3)), *(on_corner[faces[:, k]] for k in range(3))],
            axis=1,
        )
        length = norm(result)[:, :, None]
        # Two faces folded flat onto each other have no mean normal; either face serves.
        return np.where(length > 1e-12, result / np.maximum(length, 1e-12), normal[:, None, :])


def load_surface(shape: Mesh, where: str, base_dir: Path) -> CheckedMesh:
    """Triangles of a mesh shape, from its file or its own arrays, checked; `where` names it in errors."""
    if shape.file is not None:
        vertices, faces = _read(base_dir / shape.file, f"{where}.shape.file")
        name = f"mesh {shape.file!r}"
    else:
        vertices = np.asarray(shape.vertices, dtype=np.float64)
        faces = np.asarray(shape.faces, dtype=np.int64)
        name = "the mesh"
    field = f"{where}.shape.{'file' if shape.file is not None else 'faces'}"
    surface = _clean(vertices * shape.scale, faces, name, field)
    if surface.closed and surface.turned_edges:
        raise SceneError(
            f"{field}: {name} is closed, but {surface.turned_edges} edges lie between triangles of opposite "
            "orientation; make them all counter-clockwise seen from outside (trimesh.repair.fix_winding)"
        )
    if surface.closed and surface.volume < 0 and not surface.flat:
        raise SceneError(
            f"{field}: {name} is inverted: its triangles face inwards (volume {surface.volume:.3g} m³); "
            "reverse the order of the corners of all triangles (trimesh: mesh.invert()). "
            "To keep grains inside of it, say inside = true on the obstacle instead"
        )
    return surface


def _read(path: Path, field: str) -> tuple[F64, I64]:
    if not path.is_file():
        raise SceneError(
            f"{field}: there is no file {str(path)!r}; mesh files are looked up relative to the scene file"
        )
    import trimesh

    kind = path.suffix.lower().lstrip(".")
    known = set(trimesh.available_formats())
    if kind not in known:
        raise SceneError(
            f"{field}: {path.name!r} is of unknown mesh format {kind!r}; use one of obj, stl, ply, glb, off"
        )
    try:
        mesh = trimesh.load(path, force="mesh", process=False)
        vertices, faces = np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.int64)
    except ImportError as missing:
        raise MissingExtraError(
            f"{field}: {path.name!r} needs a further library to be read ({missing}); "
            "install it, or save the mesh as obj, stl or ply"
        ) from missing
    except Exception as problem:  # readers of foreign files raise whatever they meet
        raise SceneError(
            f"{field}: {path.name!r} cannot be read as {kind}: {problem}; save it again"
        ) from problem
    if vertices.ndim != 2 or faces.ndim != 2 or len(faces) == 0:
        raise SceneError(f"{field}: {path.name!r} has no triangles; save a surface, not points or lines")
    return vertices, faces


def _clean(vertices: F64, faces: I64, name: str, field: str) -> CheckedMesh:
    """Checks numbers, joins repeated corners, leaves out triangles without area."""
    if len(faces) > MOST_TRIANGLES:
        raise SceneError(
            f"{field}: {name} has {len(faces)} triangles, more than {MOST_TRIANGLES}; simplify it"
        )
    if faces.min() < 0 or faces.max() >= len(vertices):
        wrong = int(faces.min()) if faces.min() < 0 else int(faces.max())
        raise SceneError(
            f"{field}: {name} names corner {wrong}, but there are {len(vertices)} (the first is 0)"
        )
    used, renumbered = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], renumbered.reshape(-1, 3)
    if not np.isfinite(vertices).all():
        raise SceneError(f"{field}: {name} has corners that are not finite numbers; repair the mesh")
    # What the compiled code sees is float32: checks and normals must be those of the rounded corners.
    vertices = vertices.astype(np.float32).astype(np.float64)
    low = vertices.min(axis=0)
    size = float((vertices.max(axis=0) - low).max())
    if size <= 0:
        raise SceneError(f"{field}: all corners of {name} coincide; check the scale")
    key = np.round((vertices - low) / (MERGE * size)).astype(np.int64)
    _, first, joined = np.unique(key, axis=0, return_index=True, return_inverse=True)
    vertices, faces = vertices[first], joined.reshape(-1)[faces]
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    longest = np.maximum.reduce([norm(b - a), norm(c - b), norm(a - c), np.full(len(a), MERGE * size)])
    area = norm(np.cross(b - a, c - a))
    faces = faces[area > 1e-9 * longest * longest]
    if len(faces) == 0:
        raise SceneError(f"{field}: no triangle of {name} has an area; check the mesh")
    used, renumbered = np.unique(faces, return_inverse=True)
    return CheckedMesh(name, vertices[used], renumbered.reshape(-1, 3))
