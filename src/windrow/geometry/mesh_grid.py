"""Meshes as signed distances on a regular grid: sampled once, kept on disk, looked up at the cost of eight numbers.

A look at a grid costs the same however many triangles the mesh has. What it costs in accuracy: between samples the
distance is linear along each axis, so that edges and corners are rounded over one spacing h, and a smooth surface of
curvature radius R lies off by at most h²/(8 R) along each axis. `surface_error` measures it.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from windrow.errors import SceneError
from windrow.files import replacing
from windrow.geometry.mesh import CheckedMesh, load_surface
from windrow.geometry.terms import F32, F64
from windrow.scene.obstacles import Obstacle
from windrow.scene.shapes import LARGEST_GRID, DistanceGrid, Mesh
from windrow.store import sources_digest, user_folder

CELLS = 64
"""Spacings along the longest edge, where a mesh says none."""
MARGIN = 4
"""Spacings that the grid reaches beyond the mesh on every side."""
SAMPLES_AT_ONCE = 1 << 18
DIGEST = 32
"""bytes of SHA-256 before the samples in a file"""


class GridPlan(NamedTuple):
    """Where the samples of a mesh are."""

    lower: F64
    spacing: float
    counts: tuple[int, int, int]


def grid_plan(surface: CheckedMesh, spacing: float | None, where: str) -> GridPlan:
    """Raises SceneError where the mesh has no inside, or the grid would be too large."""
    if not surface.watertight:
        why = f"has {surface.open_edges} open edges" if surface.open_edges else "is folded flat"
        raise SceneError(
            f"{where}.shape.distance: {surface.name} has no inside: it {why}; close the mesh, or use "
            'distance = "mesh": an open mesh is a sheet that grains meet on both sides'
        )
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    chosen = float((high - low).max()) / CELLS if spacing is None else spacing
    counts = [math.ceil(float(extent) / chosen - 1e-9) + 1 + 2 * MARGIN for extent in high - low]
    samples = float(np.prod(np.array(counts, np.float64)))
    if samples > LARGEST_GRID:
        raise SceneError(
            f"{where}.shape.spacing: {chosen:g} m needs {samples:.3g} samples, more than {LARGEST_GRID}; give a larger "
            "one"
        )
    slack = 0.5 * (chosen * (np.array(counts) - 1) - (high - low))
    return GridPlan(low - slack, chosen, (counts[0], counts[1], counts[2]))


def mesh_grid(shape: Mesh, where: str, base_dir: Path) -> DistanceGrid:
    """The grid that stands for a mesh, from the disk if it was sampled before."""
    surface = load_surface(shape, where, base_dir)
    plan = grid_plan(surface, shape.spacing, where)
    file = _file_of(surface, plan)
    values = _read(file, plan)
    if values is None:
        values = sampled(surface, plan)
        _write(file, values)
    return DistanceGrid(lower=_triple(plan.lower), spacing=plan.spacing, values=values.astype(np.float64))


def sampled(surface: CheckedMesh, plan: GridPlan) -> F32:
    """Signed distances to the triangles at all samples, m."""
    values = np.empty(int(np.prod(plan.counts)), np.float32)
    for begin in range(0, len(values), SAMPLES_AT_ONCE):
        numbers = np.arange(begin, min(len(values), begin + SAMPLES_AT_ONCE))
        points = plan.lower + plan.spacing * np.stack(np.unravel_index(numbers, plan.counts), axis=1)
        values[numbers] = _distances(Mesh(vertices=surface.vertices, faces=surface.faces), points)
    return values.reshape(plan.counts)


def surface_error(shape: Mesh, base_dir: Path | str = ".") -> tuple[float, float]:
    """Root mean square and greatest distance (m) that the grid tells at corners and middles of the triangles, where
    it is 0."""
    surface = load_surface(shape, "mesh", Path(base_dir))
    middles = surface.vertices[surface.faces].mean(axis=1)
    told = np.abs(_distances(shape, np.concatenate([surface.vertices, middles]), Path(base_dir)))
    return float(np.sqrt((told * told).mean())), float(told.max())


def _distances(shape: Mesh, points: F64, base_dir: Path | str = ".") -> F64:
    from windrow.geometry.query import distance_to_obstacles
    from windrow.geometry.table import shape_table  # which asks for grids itself

    table = shape_table([Obstacle(shape=shape, material="mesh")], {"mesh": 0}, base_dir)
    here = np.concatenate([np.eye(3).ravel(), np.zeros(3)])[None]
    return distance_to_obstacles(table, here, points)[0]


def _triple(vector: F64) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _file_of(surface: CheckedMesh, plan: GridPlan) -> Path:
    """Named by all that the samples follow from."""
    digest = hashlib.sha256(sources_digest(Path(__file__)).encode())
    for array in (surface.vertices, surface.faces, plan.lower, np.array([plan.spacing]), np.array(plan.counts)):
        digest.update(np.ascontiguousarray(array).tobytes())
    return user_folder().parent / "distances" / f"{digest.hexdigest()}.bin"


def _read(file: Path, plan: GridPlan) -> F32 | None:
    """None where there is no such file, or a damaged one, which is then made again."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    body = content[DIGEST:]
    if len(body) != 4 * int(np.prod(plan.counts)) or hashlib.sha256(body).digest() != content[:DIGEST]:
        return None
    return np.frombuffer(body, np.float32).reshape(plan.counts)


def _write(file: Path, values: F32) -> None:
    """Where the folder cannot be written to, the mesh is sampled again next time."""
    body = np.ascontiguousarray(values).tobytes()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as partial:
            partial.write_bytes(hashlib.sha256(body).digest() + body)
    except OSError:
        return
