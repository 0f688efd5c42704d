"""Mass, centre of mass and inertia of bodies, from what they are made of.

Primitives by their formulas, meshes by their enclosed volume, balls that overlap by slicing: each is counted
once, however many balls share a place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import cube, dot, norm, product, rotate
from windrow.geometry.mesh import CheckedMesh, load_surface
from windrow.geometry.terms import F64
from windrow.scene.bodies import Body, Piece, Spheres
from windrow.scene.motion import rotation_matrix
from windrow.scene.shapes import Box, Capsule, Cone, Cylinder, Mesh, Sphere

COLUMNS = 96
"""Columns along x and y into which overlapping balls are cut; the volume is then right to some 1e-4."""


@dataclass(frozen=True)
class MassProperties:
    """Of a solid, in a frame that the context names."""

    mass: float
    """kg; of unit density, m³"""
    center: F64
    """(3,) m"""
    inertia: F64
    """(3, 3) about the centre, kg m²"""

    def placed(self, position: F64, rotation: F64) -> MassProperties:
        """The same solid, seen from a frame in which its own frame has this pose."""
        return MassProperties(
            self.mass,
            position + rotate(rotation, self.center),
            product(product(rotation, self.inertia), rotation.T),
        )

    def times(self, factor: float) -> MassProperties:
        return MassProperties(self.mass * factor, self.center, self.inertia * factor)


def joined(parts: list[MassProperties]) -> MassProperties:
    """All parts as one solid (parallel axes)."""
    mass = math.fsum(part.mass for part in parts)
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.center - center
        inertia += part.inertia + part.mass * (dot(d, d) * np.eye(3) - np.outer(d, d))
    return MassProperties(mass, center, 0.5 * (inertia + inertia.T))


def body_properties(body: Body, number: int, density: float, base_dir: Path) -> MassProperties:
    """Of a whole body in its own frame; `density` is that of its material, kg/m³."""
    where = f"bodies[{number}] ({body.name})"
    heavy = [(index, piece) for index, piece in enumerate(body.shapes) if piece.weighs]
    told = body.mass is not None and body.inertia is not None and body.center_of_mass is not None
    if not heavy or told:
        mass = body.mass if body.mass is not None else 1.0
        center = np.array(body.center_of_mass or (0.0, 0.0, 0.0))
        return MassProperties(mass, center, _matrix(body.inertia, np.eye(3)))
    parts = []
    for index, piece in heavy:
        rho = piece.density or body.density or density
        parts.append(piece_properties(piece, f"{where}.shapes[{index}]", base_dir).times(rho))
    whole = joined(parts)
    if body.mass is not None:
        whole = whole.times(body.mass / whole.mass)
    center = whole.center if body.center_of_mass is None else np.array(body.center_of_mass)
    return MassProperties(whole.mass, center, _matrix(body.inertia, whole.inertia))


def _matrix(given: F64 | None, otherwise: F64) -> F64:
    if given is None:
        return otherwise
    return np.diag(given) if given.ndim == 1 else 0.5 * (given + given.T)


def piece_properties(piece: Piece, where: str, base_dir: Path) -> MassProperties:
    """Of a piece at unit density, in the body's frame; its mass is its volume."""
    shape = piece.shape
    if isinstance(shape, Mesh):
        own = _mesh(shape, where, base_dir)
    else:
        own = _FORMULAS[type(shape)](shape)
    if own.mass <= 0 or not np.isfinite(own.inertia).all():
        raise SceneError(f"{where}: its volume is {own.mass:.3g} m³; make it larger, or say massless = true")
    return own.placed(np.array(piece.position), rotation_matrix(np.deg2rad(piece.rotation_deg)))


def _of(volume: float, ixx: float, iyy: float, izz: float, z: float = 0.0) -> MassProperties:
    """Moments per volume."""
    return MassProperties(volume, np.array([0.0, 0.0, z]), volume * np.diag([ixx, iyy, izz]))


def _box(shape: Box) -> MassProperties:
    a, b, c = (edge * edge for edge in shape.size)
    return _of(math.prod(shape.size), (b + c) / 12, (a + c) / 12, (a + b) / 12)


def _sphere(shape: Sphere) -> MassProperties:
    moment = 0.4 * shape.radius * shape.radius
    return _of(4 / 3 * math.pi * cube(shape.radius), moment, moment, moment)


def _cylinder(shape: Cylinder) -> MassProperties:
    r2, h2 = shape.radius * shape.radius, shape.height * shape.height
    across = r2 / 4 + h2 / 12
    return _of(math.pi * r2 * shape.height, across, across, r2 / 2)


def _capsule(shape: Capsule) -> MassProperties:
    """A cylinder and two half balls, whose centres lie 3r/8 beyond its ends."""
    r, h = shape.radius, shape.height
    r2, h2 = r * r, h * h
    rod, balls = math.pi * r2 * h, 4 / 3 * math.pi * cube(r)
    along = rod * r2 / 2 + balls * 0.4 * r2
    across = rod * (r2 / 4 + h2 / 12) + balls * (0.4 * r2 + h2 / 4 + 3 / 8 * h * r)
    volume = rod + balls
    return _of(volume, across / volume, across / volume, along / volume)


def _cone(shape: Cone) -> MassProperties:
    """Discs of radius r = a + (b − a) z/h, stacked: integrals of r², r² z, r² z² and r⁴ over the height."""
    a, b, h = shape.radius, shape.radius_top, shape.height
    a2, ab, b2 = a * a, a * b, b * b
    volume = math.pi * h * (a2 + ab + b2) / 3
    center = math.pi * h * h * (a2 + 2 * ab + 3 * b2) / 12 / volume
    along = math.pi / 2 * h * (a2 * a2 + ab * (a2 + ab + b2) + b2 * b2) / 5
    about_base = math.pi * cube(h) * (a2 + 3 * ab + 6 * b2) / 30
    across = along / 2 + about_base - volume * center * center
    return _of(volume, across / volume, across / volume, along / volume, center)


def _mesh(shape: Mesh, where: str, base_dir: Path) -> MassProperties:
    surface = load_surface(shape, where, base_dir)
    if surface.closed and surface.flat:
        raise SceneError(
            f"{where}.shape: {surface.name} is flat: its triangles lie on each other and enclose nothing; give it "
            "thickness, or say massless = true and give the body mass and inertia"
        )
    if not surface.watertight:
        raise SceneError(
            f"{where}.shape: {surface.name} is not watertight ({surface.open_edges} open edges), so it has "
            "no volume to weigh; close it (trimesh: mesh.fill_holes()), or say massless = true and give the "
            "body mass and inertia"
        )
    return _enclosed(surface)


def _enclosed(surface: CheckedMesh) -> MassProperties:
    """What the triangles enclose: tetrahedra from a point in their midst, those on its far side negative."""
    midst = surface.vertices.mean(axis=0)
    a, b, c = (surface.vertices[surface.faces[:, k]] - midst for k in range(3))
    volumes, corners = dot(a, np.cross(b, c)) / 6, a + b + c
    volume = volumes.sum()
    center = (volumes[:, None] * corners).sum(axis=0) / (4 * volume)
    # ∫ x xᵀ dV of a tetrahedron from the origin is V/20 (Σ v vᵀ + s sᵀ), with the sum s of its corners v.
    squares = sum(v[:, :, None] * v[:, None, :] for v in (a, b, c, corners))
    spread = (volumes[:, None, None] * squares).sum(axis=0) / 20 - volume * np.outer(center, center)
    return MassProperties(float(volume), midst + center, np.trace(spread) * np.eye(3) - spread)


def _spheres(shape: Spheres) -> MassProperties:
    centers = np.asarray(shape.centers, np.float64)
    radii = np.broadcast_to(np.asarray(shape.radii, np.float64), len(centers))
    between = norm(centers[:, None] - centers[None]) - radii[:, None] - radii[None]
    if (between[np.triu_indices(len(centers), 1)] >= 0).all():
        balls = [_sphere(Sphere(radius=float(r))) for r in radii]
        return joined([ball.placed(c, np.eye(3)) for ball, c in zip(balls, centers, strict=True)])
    return _union(centers, radii)


def _union(centers: F64, radii: F64) -> MassProperties:
    """Overlapping balls, cut into columns along z; in each column the filled heights are exact."""
    low, high = (centers - radii[:, None]).min(axis=0), (centers + radii[:, None]).max(axis=0)
    step = (high - low)[:2] / COLUMNS
    x = low[0] + step[0] * (np.arange(COLUMNS) + 0.5)
    y = low[1] + step[1] * (np.arange(COLUMNS) + 0.5)
    grid_x, grid_y = (g.ravel() for g in np.meshgrid(x, y, indexing="ij"))
    off_x, off_y = grid_x[:, None] - centers[:, 0], grid_y[:, None] - centers[:, 1]
    chord = radii * radii - off_x * off_x - off_y * off_y
    half = np.sqrt(np.maximum(chord, 0.0))
    lower = np.where(chord > 0, centers[:, 2] - half, np.inf)
    upper = np.where(chord > 0, centers[:, 2] + half, -np.inf)
    order = np.argsort(lower, axis=1, kind="stable")
    lower, upper = np.take_along_axis(lower, order, 1), np.take_along_axis(upper, order, 1)
    # Each chord counts from where the chords before it end.
    covered = np.maximum.accumulate(upper, axis=1)
    begin = lower.copy()
    begin[:, 1:] = np.maximum(lower[:, 1:], covered[:, :-1])
    filled = upper > begin
    z0, z1 = np.where(filled, begin, 0.0), np.where(filled, upper, 0.0)
    area = step[0] * step[1]
    powers = z1 - z0, (z1 * z1 - z0 * z0) / 2, (cube(z1) - cube(z0)) / 3
    length, first, second = (power.sum(axis=1) * area for power in powers)
    volume = length.sum()
    center = np.array([(length * grid_x).sum(), (length * grid_y).sum(), first.sum()]) / volume
    dx, dy = grid_x - center[0], grid_y - center[1]
    # Within a column the width of the column itself adds step²/12.
    xx = (length * dx * dx).sum() + volume * step[0] * step[0] / 12
    yy = (length * dy * dy).sum() + volume * step[1] * step[1] / 12
    zz = second.sum() - volume * center[2] * center[2]
    xy, xz, yz = (length * dx * dy).sum(), (first * dx).sum(), (first * dy).sum()
    inertia = np.array([[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]])
    return MassProperties(float(volume), center, inertia)


_FORMULAS: dict[type, Callable[[Any], MassProperties]] = {
    Box: _box,
    Sphere: _sphere,
    Cylinder: _cylinder,
    Capsule: _capsule,
    Cone: _cone,
    Spheres: _spheres,
}
