"""What bodies touch with: balls, rods and convex hulls, and the planes and surfaces of obstacles.

Every piece of a body becomes one or more parts in the frame of its centre of mass. Boxes, cylinders, cones and
meshes are hulls, cylinders with many sides; balls meet them by their exact formula. Obstacles of the scene are
bodies that nothing moves but their script: planes, simple shapes as above, and everything else (ground, open
meshes, shells, containers) as a field that balls, ends of rods and corners of hulls are measured against.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from windrow.fixed_math import dot, norm, rotate, sine_cosine, unit
from windrow.geometry.convex import HOLLOW, convex_pieces
from windrow.geometry.mesh import CheckedMesh, load_surface
from windrow.geometry.table import ShapeTable, shape_table
from windrow.geometry.terms import F64, I32, I64
from windrow.scene.bodies import Spheres
from windrow.scene.motion import rotation_matrix
from windrow.scene.scene import Scene
from windrow.scene.shapes import Box, Capsule, Cone, Cylinder, Plane, Sphere
from windrow.solvers.multibody.polytopes import Polytope, hull_of

BALL, ROD, HULL, PLANE, FIELD = range(5)
"""Kinds of parts."""
FACETED, BOX, CYLINDER, CONE = range(4)
"""Forms of hulls; those with a formula are met by balls exactly."""

SIDES = 24
"""of the prism that stands for a cylinder or cone between hulls"""


class PartTable(NamedTuple):
    """All parts, ordered by body."""

    start: I64
    """(bodies + 1,) first part of each body"""
    kind: I32
    body: I32
    center: F64
    """(p, 3) in the frame of the body's centre of mass, m"""
    radius: F64
    """(p,) of a ball or rod; of a ball around a hull, m; −1: unbounded"""
    axis: F64
    """(p, 3) from the middle of a rod to its end, m; normal of a plane"""
    form: I32
    frame: F64
    """(p, 3, 3) of the piece in the body's frame"""
    size: F64
    """(p, 3) what the formula of its form needs, m; offset of a plane"""
    half: F64
    """(p, 3) half edges of a box around a hull, along `frame`, centred at `center`, m"""
    field: I32
    """row in the table of obstacles"""
    corner_start: I64
    """(p + 1,)"""
    corner: F64
    """(v, 3) from the body's centre of mass, m"""
    face_start: I64
    """(p + 1,)"""
    face: F64
    """(f, 4) outward normal and offset, in the body's frame"""
    loop_start: I64
    """(f + 1,)"""
    loop: I64
    """corners around each face, counter-clockwise from outside, counted from the part's first"""
    edge_start: I64
    """(p + 1,)"""
    edge: I64
    """(e, 4) two corners and two faces, counted from the part's first; the first face runs along the edge"""


@dataclass
class _Gathered:
    """Parts one after the other, as lists."""

    kind: list[int] = field(default_factory=list)
    body: list[int] = field(default_factory=list)
    center: list[F64] = field(default_factory=list)
    radius: list[float] = field(default_factory=list)
    axis: list[F64] = field(default_factory=list)
    form: list[int] = field(default_factory=list)
    frame: list[F64] = field(default_factory=list)
    size: list[tuple[float, float, float]] = field(default_factory=list)
    half: list[F64] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    solid: list[Polytope | None] = field(default_factory=list)

    def add(self, kind: int, body: int, center: F64, radius: float, **more: Any) -> None:
        self.kind.append(kind)
        self.body.append(body)
        self.center.append(np.asarray(center, np.float64))
        self.radius.append(radius)
        self.axis.append(np.asarray(more.get("axis", np.zeros(3)), np.float64))
        self.form.append(more.get("form", FACETED))
        self.frame.append(more.get("frame", np.eye(3)))
        self.size.append(more.get("size", (0.0, 0.0, 0.0)))
        self.half.append(more.get("half", np.zeros(3)))
        self.source.append(more.get("source", -1))
        self.solid.append(more.get("solid"))


def _box_solid(size: tuple[float, float, float]) -> Polytope:
    x, y, z = (0.5 * edge for edge in size)
    corners = np.array([[i * x, j * y, k * z] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return Polytope(corners, faces)


def _turned_solid(low: tuple[float, float], high: tuple[float, float]) -> Polytope:
    """A frustum between (radius, z) at both ends, with many sides; a tip is one corner."""
    s, c = sine_cosine(2 * math.pi * np.arange(SIDES) / SIDES)
    rings: list[F64] = []
    faces: list[list[int]] = []
    first: list[int] = []
    for radius, z in (low, high):
        first.append(sum(len(ring) for ring in rings))
        count = SIDES if radius > 1e-9 else 1
        rings.append(np.stack([radius * c[:count], radius * s[:count], np.full(count, z)], axis=1))
    bottom, top = (len(ring) for ring in rings)
    for k in range(SIDES):
        n = (k + 1) % SIDES
        face = [first[0] + k, first[0] + n] if bottom > 1 else [first[0]]
        face += [first[1] + n, first[1] + k] if top > 1 else [first[1]]
        faces.append(face)
    if bottom > 1:
        faces.append([first[0] + k for k in reversed(range(SIDES))])
    if top > 1:
        faces.append([first[1] + k for k in range(SIDES)])
    return Polytope(np.concatenate(rings), faces)


def _add_piece(
    gathered: _Gathered,
    body: int,
    shape: Any,
    position: F64,
    rotation: F64,
    where: str,
    base_dir: Path,
    convex: bool | int | str = "hull",
) -> None:
    """One shape, placed in the frame of the body's centre of mass; `convex` says how a mesh is cut."""

    def hull(solid: Polytope, form: int, size: tuple[float, float, float]) -> None:
        middle = 0.5 * (solid.corners.min(axis=0) + solid.corners.max(axis=0))
        radius = float(norm(solid.corners - middle).max())
        placed = Polytope(position + rotate(rotation, solid.corners), solid.faces)
        gathered.add(
            HULL, body, position + rotate(rotation, middle), radius, form=form, frame=rotation, size=size, solid=placed,
            axis=position, half=0.5 * np.ptp(solid.corners, axis=0),
        )  # fmt: skip

    if isinstance(shape, Sphere):
        gathered.add(BALL, body, position, shape.radius)
    elif isinstance(shape, Spheres):
        radii = np.broadcast_to(np.asarray(shape.radii, np.float64), len(shape.centers))
        for center, radius in zip(np.asarray(shape.centers), radii, strict=True):
            gathered.add(BALL, body, position + rotate(rotation, center), float(radius))
    elif isinstance(shape, Capsule):
        gathered.add(ROD, body, position, shape.radius, axis=rotation[:, 2] * 0.5 * shape.height)
    elif isinstance(shape, Box):
        x, y, z = (0.5 * edge for edge in shape.size)
        hull(_box_solid(shape.size), BOX, (x, y, z))
    elif isinstance(shape, Cylinder):
        half = 0.5 * shape.height
        hull(_turned_solid((shape.radius, -half), (shape.radius, half)), CYLINDER, (shape.radius, half, 0.0))
    elif isinstance(shape, Cone):
        solid = _turned_solid((shape.radius, 0.0), (shape.radius_top, shape.height))
        hull(solid, CONE, (shape.radius, shape.radius_top, shape.height))
    else:
        for corners in _mesh_pieces(load_surface(shape, where, base_dir), convex, where):
            hull(hull_of(corners, where), FACETED, (0.0, 0.0, 0.0))


def _mesh_pieces(surface: CheckedMesh, convex: bool | int | str, where: str) -> list[F64]:
    """Corners of what stands for a mesh between bodies."""
    if convex is not True and convex == 1:
        return [surface.vertices]
    if convex != "hull":
        return convex_pieces(surface, None if convex is True else int(convex), where)
    from scipy.spatial import ConvexHull

    if surface.watertight and ConvexHull(surface.vertices).volume > HOLLOW * surface.volume:
        warnings.warn(
            f"{where}: other bodies meet the convex hull of {surface.name}, which fills "
            f"{ConvexHull(surface.vertices).volume / surface.volume:.2g} times its volume; say convex_pieces = true "
            "to keep it hollow, or convex_pieces = 1 if the hull is meant",
            stacklevel=2,
        )
    return [surface.vertices]


def parts_of(
    scene: Scene, center: F64, base_dir: Path, table: ShapeTable | None = None
) -> tuple[PartTable, ShapeTable]:
    """Parts of all bodies, then of all obstacles; `center` are the bodies' centres of mass in their frames.

    `table`: that of the obstacles, if there is one already, so that ground is the same for all that touches it.
    """
    gathered = _Gathered()
    for k, body in enumerate(scene.bodies):
        for number, piece in enumerate(body.shapes):
            if not piece.touches:
                continue
            rotation = rotation_matrix(np.deg2rad(piece.rotation_deg))
            position = np.array(piece.position) - center[k]
            where = f"bodies[{k}] ({body.name}).shapes[{number}]"
            _add_piece(gathered, k, piece.shape, position, rotation, where, base_dir, piece.convex_pieces)
    if table is None:
        table = shape_table(scene.obstacles, {name: k for k, name in enumerate(scene.materials)}, base_dir)
    for s, obstacle in enumerate(scene.obstacles):
        k, shape = len(scene.bodies) + s, obstacle.shape
        if isinstance(shape, Plane) and not obstacle.inside:
            normal = unit(shape.normal)
            gathered.add(PLANE, k, normal * shape.offset, -1.0, axis=normal, size=(shape.offset, 0.0, 0.0))
        elif isinstance(shape, Box | Sphere | Cylinder | Capsule | Cone) and not obstacle.inside:
            _add_piece(gathered, k, shape, np.zeros(3), np.eye(3), f"obstacles[{s}]", base_dir)
        else:
            gathered.add(FIELD, k, table.bound[s, :3].astype(np.float64), float(table.bound[s, 3]), source=s)
    return _table(gathered, len(scene.bodies) + len(scene.obstacles)), table


def _table(gathered: _Gathered, bodies: int) -> PartTable:
    count = len(gathered.kind)
    corner_start, face_start, edge_start = ([0] for _ in range(3))
    corners, faces, loops, edges = [], [], [], []
    for solid in gathered.solid:
        if solid is not None:
            corners.append(solid.corners)
            faces += [_plane(solid, face) for face in solid.faces]
            loops += solid.faces
            edges += _edges(solid)
        corner_start.append(sum(len(c) for c in corners))
        face_start.append(len(faces))
        edge_start.append(len(edges))
    body = np.array(gathered.body, np.int32)
    return PartTable(
        start=np.searchsorted(body, np.arange(bodies + 1)).astype(np.int64),
        kind=np.array(gathered.kind, np.int32),
        body=body,
        center=np.array(gathered.center).reshape(count, 3),
        radius=np.array(gathered.radius, np.float64),
        axis=np.array(gathered.axis).reshape(count, 3),
        form=np.array(gathered.form, np.int32),
        frame=np.array(gathered.frame).reshape(count, 3, 3),
        size=np.array(gathered.size, np.float64).reshape(count, 3),
        half=np.array(gathered.half, np.float64).reshape(count, 3),
        field=np.array(gathered.source, np.int32),
        corner_start=np.array(corner_start, np.int64),
        corner=np.concatenate([*corners, np.zeros((0, 3))]),
        face_start=np.array(face_start, np.int64),
        face=np.array(faces, np.float64).reshape(-1, 4),
        loop_start=np.concatenate([[0], np.cumsum([len(loop) for loop in loops])]).astype(np.int64),
        loop=np.array([corner for loop in loops for corner in loop], np.int64),
        edge_start=np.array(edge_start, np.int64),
        edge=np.array(edges, np.int64).reshape(-1, 4),
    )


def _plane(solid: Polytope, face: list[int]) -> list[float]:
    """Outward normal and offset of a polygon (Newell's formula)."""
    ring = solid.corners[face]
    middle = ring.mean(axis=0)
    spokes = ring - middle
    normal = unit(np.cross(spokes, np.roll(spokes, -1, axis=0)).sum(axis=0))
    return [*normal, float(dot(normal, middle))]


def _edges(solid: Polytope) -> list[tuple[int, int, int, int]]:
    along: dict[tuple[int, int], int] = {}
    for number, face in enumerate(solid.faces):
        for a, b in zip(face, face[1:] + face[:1], strict=True):
            along[a, b] = number
    return [(a, b, f, along[b, a]) for (a, b), f in along.items() if a < b]
