"""All obstacles of a scene as flat arrays that compiled code can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import norm, unit
from windrow.geometry.bvh import build_tree
from windrow.geometry.height import note_highest, squares
from windrow.geometry.kinds import (
    COLUMNS,
    DISTANCE_GRID,
    FACING,
    HEIGHT_FIELD,
    KIND,
    KIND_OF_NAME,
    PLACES,
    PLANE,
    SIZES,
)
from windrow.geometry.mesh import load_surface
from windrow.geometry.terms import F32, F64, I32
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    DistanceGrid,
    HeightField,
    Mesh,
    Plane,
    Revolution,
    Sphere,
)

UNBOUNDED = -1.0
CONCAVE_SLOTS = 4
"""Contacts that one grain can have with one concave surface."""


class ShapeTable(NamedTuple):
    """One row per obstacle, in the order of the scene."""

    kind: I32
    """geometry.kinds"""
    material: I32
    """index of its material"""
    inside: F32
    """+1 a solid, −1 a container that keeps grains inside"""
    thin: NDArray[np.uint8]
    """1 for sheets and shells, which are met from both sides"""
    param: F64
    """(s, COLUMNS) all that compiled code needs to know of a shape, laid out as in `geometry.kinds`; m"""
    bound: F32
    """(s, 4) centre and radius of a ball around all of its surface, local frame; radius −1: none"""
    box: F64
    """(s, 6) lower and upper corner of a box around all of its surface, local frame; infinite if none"""
    slots: I32
    """contacts that one grain can have with it"""
    numbers: F32
    """heights, triangles, trees, profiles and samples of all shapes, one after the other"""
    planes: I32
    """rows that are planes"""
    solids: I32
    """all other rows"""


class _Row:
    """What one shape puts into the table."""

    def __init__(self) -> None:
        self.kind = PLANE
        self.sizes: list[float] = []
        self.center: tuple[float, float, float] = (0.0, 0.0, 0.0)
        """of the ball and the box around it"""
        self.half: tuple[float, float, float] = (np.inf, np.inf, np.inf)
        """half edges of the box around it"""
        self.radius = UNBOUNDED
        """of the ball around it"""
        self.slots = 1
        self.thin = False
        self.pools: list[F32] = []
        """arrays to append to `numbers`"""
        self.places: list[int] = []
        """places and counts in `numbers`"""
        self.relative: list[bool] = []
        """for each of them, whether it is a place, counted from the first pool"""


def shape_table(
    obstacles: Sequence[Obstacle], material_index: Mapping[str, int], base_dir: Path | str
) -> ShapeTable:
    """Builds the table; mesh files are looked up from `base_dir`."""
    rows = []
    for number, obstacle in enumerate(obstacles):
        if obstacle.material not in material_index:
            raise SceneError(
                f"obstacles.{number}.material: {unknown_name('material', obstacle.material, material_index)}"
            )
        rows.append(_row(obstacle, where_is(obstacle, number), Path(base_dir)))
    count = len(rows)
    kind = np.array([row.kind for row in rows], np.int32)
    inside = np.array([-1.0 if o.inside else 1.0 for o in obstacles], np.float32)
    param = np.zeros((count, COLUMNS))
    param[:, KIND], param[:, FACING] = kind, inside
    bound = np.zeros((count, 4), np.float32)
    box = np.zeros((count, 6))
    pools: list[F32] = []
    used = 0
    for s, row in enumerate(rows):
        param[s, SIZES : SIZES + len(row.sizes)] = row.sizes
        _bound(bound, box, s, np.array(row.center), np.array(row.half), row.radius)
        for k, (value, relative) in enumerate(zip(row.places, row.relative, strict=True)):
            param[s, PLACES + k] = value + used if relative else value
        pools += row.pools
        used += sum(len(pool) for pool in row.pools)
    table = ShapeTable(
        kind=kind,
        material=np.array([material_index[o.material] for o in obstacles], np.int32),
        inside=inside,
        thin=np.array([row.thin for row in rows], np.uint8),
        param=param,
        bound=bound,
        box=box,
        slots=np.array([row.slots for row in rows], np.int32),
        numbers=np.concatenate([*pools, np.zeros(1, np.float32)]).astype(np.float32),
        planes=np.flatnonzero(kind == PLANE).astype(np.int32),
        solids=np.flatnonzero(kind != PLANE).astype(np.int32),
    )
    for s in np.flatnonzero(kind == HEIGHT_FIELD).tolist():
        note_highest(param, table.numbers, s, 0, int(param[s, PLACES + 1]), 0, int(param[s, PLACES + 2]))
    return table


def heights_in(table: ShapeTable, s: int) -> F32:
    """(nx, ny) heights of the height field in row s: the memory that contacts are found with."""
    first, nx, ny = (int(table.param[s, PLACES + k]) for k in range(3))
    return table.numbers[first : first + nx * ny].reshape(nx, ny)


def heights_changed(table: ShapeTable, s: int, i0: int, i1: int, j0: int, j1: int) -> None:
    """To be called when heights i0 … i1, j0 … j1 of row s have changed: what bounds them follows."""
    param = table.param
    note_highest(param, table.numbers, s, i0, i1, j0, j1)
    heights = heights_in(table, s)[i0 : i1 + 1, j0 : j1 + 1]
    first = int(param[s, PLACES + 3])
    count = squares(int(param[s, PLACES + 1])) * squares(int(param[s, PLACES + 2]))
    high = float(table.numbers[first : first + count].max())
    low = min(float(param[s, SIZES + 4]), float(heights.min()))
    if (low, high) != (param[s, SIZES + 4], param[s, SIZES + 5]):
        _bound_heights(table, s, low, high)


def reach_down(table: ShapeTable, s: int, low: float) -> None:
    """Heights of row s never fall below `low`: its bounds reach there, and do not depend on how low they once were."""
    _bound_heights(table, s, min(low, float(table.param[s, SIZES + 4])), float(table.param[s, SIZES + 5]))


def _bound_heights(table: ShapeTable, s: int, low: float, high: float) -> None:
    param = table.param
    param[s, SIZES + 4], param[s, SIZES + 5] = low, high
    half = np.array([param[s, SIZES], param[s, SIZES + 1], 0.5 * (high - low)])
    center = np.array([0.0, 0.0, 0.5 * (low + high)])
    _bound(table.bound, table.box, s, center, half, float(norm(half)))


def _bound(bound: F32, box: F64, s: int, center: F64, half: F64, radius: float) -> None:
    """Writes the ball and the box around row s."""
    # Rounding to float32 must not make the ball smaller than the shape.
    bound[s] = (*center, radius * (1 + 1e-5) if radius >= 0 else UNBOUNDED)
    half = half * (1 + 1e-5)
    box[s] = (*(center - half), *(center + half))


def where_is(obstacle: Obstacle, number: int) -> str:
    """How errors name an obstacle."""
    return f"obstacles.{number} ({obstacle.name})" if obstacle.name else f"obstacles.{number}"


def _row(obstacle: Obstacle, where: str, base_dir: Path) -> _Row:
    shape = obstacle.shape
    row = _Row()
    row.kind = KIND_OF_NAME[shape.kind]
    if isinstance(shape, Plane):
        row.sizes = [*unit(shape.normal), shape.offset]
    elif isinstance(shape, Box):
        row.sizes = [0.5 * edge for edge in shape.size]
        row.half = (row.sizes[0], row.sizes[1], row.sizes[2])
        row.radius = float(norm(row.sizes))
        row.slots = 3 if obstacle.inside else 1
    elif isinstance(shape, Sphere):
        row.sizes = [shape.radius]
        row.half = (shape.radius, shape.radius, shape.radius)
        row.radius = shape.radius
    elif isinstance(shape, Cylinder):
        row.sizes = [shape.radius, 0.5 * shape.height]
        row.half = (shape.radius, shape.radius, 0.5 * shape.height)
        row.radius = float(norm(row.sizes))
        row.slots = 2 if obstacle.inside else 1
    elif isinstance(shape, Capsule):
        row.sizes = [shape.radius, 0.5 * shape.height]
        row.radius = sum(row.sizes)
        row.half = (shape.radius, shape.radius, row.radius)
    elif isinstance(shape, Cone):
        row.sizes = [shape.radius, shape.radius_top, shape.height]
        row.center = (0.0, 0.0, 0.5 * shape.height)
        widest = max(shape.radius, shape.radius_top)
        row.half = (widest, widest, 0.5 * shape.height)
        row.radius = float(norm(row.half[1:]))
        row.slots = 3 if obstacle.inside else 1
    elif isinstance(shape, HeightField):
        _height_field_row(shape, row)
    elif isinstance(shape, Mesh) and shape.distance == "grid":
        from windrow.geometry.mesh_grid import mesh_grid  # which asks the table of the mesh for its distances

        _distance_grid_row(mesh_grid(shape, where, base_dir), row)
        row.kind = DISTANCE_GRID
    elif isinstance(shape, Mesh):
        _mesh_row(obstacle, shape, where, base_dir, row)
    elif isinstance(shape, Revolution):
        _revolution_row(shape, row)
    elif isinstance(shape, DistanceGrid):
        _distance_grid_row(shape, row)
    if obstacle.inside:
        row.radius, row.half = UNBOUNDED, (np.inf, np.inf, np.inf)
    return row


def _triple(vector: F64) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _height_field_row(shape: HeightField, row: _Row) -> None:
    """sizes: half extents, spacings, lowest, highest; places: first height, nx, ny, highest points of squares."""
    heights = np.asarray(shape.heights, dtype=np.float32)
    nx, ny = heights.shape
    low, high = float(heights.min()), float(heights.max())
    sx, sy = shape.size
    row.sizes = [0.5 * sx, 0.5 * sy, sx / (nx - 1), sy / (ny - 1), low, high]
    row.center = (0.0, 0.0, 0.5 * (low + high))
    row.half = (0.5 * sx, 0.5 * sy, 0.5 * (high - low))
    row.radius = float(norm(row.half))
    row.slots = CONCAVE_SLOTS
    row.pools = [heights.ravel(), np.zeros(squares(nx) * squares(ny), np.float32)]
    row.places, row.relative = [0, nx, ny, nx * ny], [True, False, False, True]


def _mesh_row(obstacle: Obstacle, shape: Mesh, where: str, base_dir: Path, row: _Row) -> None:
    """places: first triangle, triangles, first node, levels, first pseudonormal (−1: a thin sheet)."""
    surface = load_surface(shape, where, base_dir)
    if obstacle.inside and not surface.watertight:
        raise SceneError(
            f"{where}.inside: grains cannot be kept inside {surface.name}, which has {surface.open_edges} "
            "open edges; close the mesh, or leave inside = false: an open mesh is a sheet that grains meet "
            "on both sides"
        )
    corners = surface.vertices[surface.faces]
    order, boxes, levels = build_tree(corners)
    corners = corners[order]
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    row.center = _triple(0.5 * (low + high))
    row.half = _triple(0.5 * (high - low))
    row.radius = float(norm(surface.vertices - row.center).max())
    row.slots = CONCAVE_SLOTS
    row.thin = not surface.watertight
    triangles = corners.astype(np.float32).ravel()
    row.pools = [triangles, boxes.ravel()]
    row.places = [0, len(corners), len(triangles), levels, -1]
    row.relative = [True, False, True, False, False]
    if surface.watertight:
        row.places[4], row.relative[4] = len(triangles) + boxes.size, True
        row.pools.append(surface.pseudonormals()[order].astype(np.float32).ravel())


def _revolution_row(shape: Revolution, row: _Row) -> None:
    """sizes: half thickness; places: first point, points (the first one again at the end when closed)."""
    profile = np.asarray(shape.profile, dtype=np.float64)
    if shape.closed and not np.allclose(profile[0], profile[-1], rtol=0, atol=1e-9):
        profile = np.vstack([profile, profile[:1]])
    half = 0.5 * shape.thickness
    middle = 0.5 * float(profile[:, 1].min() + profile[:, 1].max())
    row.sizes = [half]
    row.center = (0.0, 0.0, middle)
    widest = float(profile[:, 0].max()) + half
    row.half = (widest, widest, 0.5 * float(np.ptp(profile[:, 1])) + half)
    row.radius = float(norm(profile - (0.0, middle)).max()) + half
    row.slots = CONCAVE_SLOTS
    row.thin = True
    row.pools = [profile.astype(np.float32).ravel()]
    row.places, row.relative = [0, len(profile)], [True, False]


def _distance_grid_row(shape: DistanceGrid, row: _Row) -> None:
    """sizes: lower corner, spacing, steepest gradient, 1 for distances; places: first sample, nx, ny, nz."""
    values = np.asarray(shape.values, dtype=np.float32)
    extent = shape.spacing * (np.array(values.shape) - 1)
    exact = 1.0 if _is_distance(values, shape.spacing) else 0.0
    row.sizes = [*shape.lower, shape.spacing, _steepest(values, shape.spacing), exact]
    row.center = _triple(np.array(shape.lower) + 0.5 * extent)
    row.half = _triple(0.5 * extent)
    row.radius = float(0.5 * norm(extent))
    row.slots = 2
    row.pools = [values.ravel()]
    row.places, row.relative = [0, *values.shape], [True, False, False, False]


def _steepest(values: F32, spacing: float) -> float:
    """A bound on the gradient of the trilinear function: in a cell, each part of it is a mean of edges."""
    square = np.zeros(tuple(n - 1 for n in values.shape), np.float32)
    for axis in range(3):
        edges = np.abs(np.diff(values, axis=axis))
        for other in range(3):
            if other != axis:
                edges = np.maximum(
                    np.take(edges, range(edges.shape[other] - 1), axis=other),
                    np.take(edges, range(1, edges.shape[other]), axis=other),
                )
        square += edges * edges
    return max(1.0, float(np.sqrt(square.max())) / spacing * (1 + 1e-5))


def _is_distance(values: F32, spacing: float) -> bool:
    """Whether the values around the surface rise by a metre per metre, but for some at edges and corners."""
    band = np.abs(values) < 2 * spacing
    slopes = [np.gradient(values, spacing, axis=axis)[band] for axis in range(3)]
    steepness = norm(np.stack(slopes, axis=-1))
    return steepness.size > 0 and float((np.abs(steepness - 1) < 0.1).mean()) > 0.7
