"""Stress and density inside the grains: contact forces averaged over cells.

Love and Weber: the mean stress in a volume V is σ = (1/V) Σ f ⊗ l over its contacts, with the force f on one grain and
the branch l that leads to its centre, from the other grain's centre or from the point where a wall is touched. Every
contact is there once, so nothing is counted twice. A branch that crosses several cells counts in each by the
share of its length inside (Goldhirsch 2010, with the cell as the window). Summed over cells that hold all grains this
is the sum over all contacts; and across the face between two cells goes exactly the force of the branches through it,
so that in a bed at rest σ_zz is the weight above.

Compression is positive, as soil mechanics has it. σ[a, b] is the a-component of the force across faces with normal b.
It is symmetric but for friction: grains do not rotate here, so nothing balances the torques of tangential forces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.measure.failure import MeasurementError
from windrow.state.contacts import Contacts, rows_of
from windrow.state.frame import Frame

Array = NDArray[np.float64]

MOST_CELLS = 20_000_000
GRAINS_ACROSS = 3.0
"""Diameters along the edge of cells that fit: fewer show grains instead of the soil."""
MOST_ALONG = 60
BALL_POINTS = 128
"""Pairs of points, opposite to each other, that stand for the volume of a grain."""


@dataclass(frozen=True)
class StressCells:
    """A box cut into equal cells."""

    lower: tuple[float, float, float]
    """m"""
    upper: tuple[float, float, float]
    """m"""
    shape: tuple[int, int, int]
    """cells along x, y and z"""

    def __post_init__(self) -> None:
        extent = np.subtract(self.upper, self.lower)
        if not (np.isfinite(extent).all() and (extent > 0).all()):
            raise MeasurementError(
                f"cells from {self.lower} to {self.upper} m have no volume; raise the upper corner"
            )
        if min(self.shape) < 1 or np.prod(self.shape, dtype=float) > MOST_CELLS:
            raise MeasurementError(f"{self.shape} cells: 1 to {MOST_CELLS} in all are possible")

    @classmethod
    def around(cls, frame: Frame, size: float) -> StressCells:
        """Cubes of about this edge length (m) over the box that holds all grains."""
        if not size > 0:
            raise MeasurementError(f"cells of {size} m: their edge must be longer than 0")
        lower, upper = _box(frame)
        shape = np.maximum(np.rint((upper - lower) / size), 1)
        return cls(_triple(lower), _triple(upper), (int(shape[0]), int(shape[1]), int(shape[2])))

    @classmethod
    def layers(cls, frame: Frame, count: int, axis: int = 2) -> StressCells:
        """So many slabs along an axis (0, 1, 2: x, y, z) over the box that holds all grains."""
        lower, upper = _box(frame)
        shape = [1, 1, 1]
        shape[axis] = count
        return cls(_triple(lower), _triple(upper), (shape[0], shape[1], shape[2]))

    @classmethod
    def fitting(cls, frame: Frame, layers: bool = False) -> StressCells:
        """Cubes, or layers along z, about `GRAINS_ACROSS` grains wide, at most `MOST_ALONG` of them along an axis."""
        lower, upper = _box(frame)
        size = GRAINS_ACROSS * 2.0 * float(frame.radius.mean())
        if not layers:
            return cls.around(frame, max(size, float((upper - lower).max()) / MOST_ALONG))
        height = float(upper[2] - lower[2])
        return cls.layers(frame, max(1, round(height / max(size, height / MOST_ALONG))))

    @property
    def size(self) -> Array:
        """(3,) edges of a cell, m"""
        return np.subtract(self.upper, self.lower) / self.shape

    @property
    def volume(self) -> float:
        """Of one cell, m³."""
        return float(np.prod(self.size))

    def edges(self, axis: int) -> Array:
        """(n + 1,) where the cells begin and end along an axis, m."""
        return np.linspace(self.lower[axis], self.upper[axis], self.shape[axis] + 1)

    def centers(self, axis: int) -> Array:
        """(n,) middles of the cells along an axis, m."""
        edges = self.edges(axis)
        return np.asarray(0.5 * (edges[1:] + edges[:-1]))

    def places(self, points: Array) -> NDArray[np.int64]:
        """Number of the cell that holds each of the points (p, 3), counted with z fastest; −1 outside of all."""
        at = (points - self.lower) / self.size
        inside = np.all((at >= 0.0) & (at < np.asarray(self.shape)), axis=1)
        x, y, z = np.where(inside[:, None], at, 0.0).astype(np.int64).T
        return np.where(inside, (x * self.shape[1] + y) * self.shape[2] + z, -1)

    def sums(self, place: NDArray[np.int64], values: Array) -> Array:
        """Sums of values (p, …) over each cell, as an array of the cells' shape and the values'."""
        there = place >= 0
        kind = values.shape[1:]
        total = np.zeros((int(np.prod(self.shape)), int(np.prod(kind))))
        for k, column in enumerate(values.reshape(len(values), total.shape[1]).T):
            total[:, k] = np.bincount(place[there], column[there], len(total))
        return total.reshape(*self.shape, *kind)


@dataclass(frozen=True)
class StressField:
    """Stress and density in cells; arrays begin with the cells' shape."""

    cells: StressCells
    stress: Array
    """(nx, ny, nz, 3, 3) Pa, compression positive"""
    density: Array
    """(nx, ny, nz) mass per volume of the cell, kg/m³; pinned grains have no mass to count"""
    solid_fraction: Array
    """(nx, ny, nz) share of the cell that is grain; overlaps count twice"""

    @property
    def pressure(self) -> Array:
        """(nx, ny, nz) a third of the trace, Pa"""
        return np.trace(self.stress, axis1=-2, axis2=-1) / 3.0

    @property
    def shear(self) -> Array:
        """(nx, ny, nz) √(½ s:s) of the stress without its pressure, Pa"""
        deviator = self.stress - self.pressure[..., None, None] * np.eye(3)
        return np.sqrt(0.5 * np.einsum("...ij,...ij->...", deviator, deviator))

    def principal(self) -> tuple[Array, Array]:
        """Principal stresses (…, 3), Pa, from least to most compressed, and their directions as columns (…, 3, 3)."""
        symmetric = 0.5 * (self.stress + np.swapaxes(self.stress, -1, -2))
        values, directions = np.linalg.eigh(symmetric)
        return values, directions


def stress_field(frame: Frame, contacts: Contacts, cells: StressCells, kinetic: bool = False) -> StressField:
    """Stress, density and solid fraction of grains with these contacts, which must be of the frame's moment.

    `kinetic` adds Σ m v' ⊗ v', the momentum that grains carry by moving differently from their cell's mean.
    """
    own, branch = branches(frame, contacts)
    contact, place, share = _pieces(own - branch, own, cells)
    virial = contacts.force[:, :, None] * branch[:, None, :]
    stress = cells.sums(place, share[:, None, None] * virial[contact]) / cells.volume
    position, radius = np.asarray(frame.position, np.float64), np.asarray(frame.radius, np.float64)
    movable = np.isfinite(frame.mass) & np.isfinite(position).all(axis=1)
    mass = np.where(movable, frame.mass, 0.0).astype(np.float64)
    if kinetic:
        stress = stress + _kinetic(position, np.asarray(frame.velocity, np.float64), mass, cells)
    filled = np.where(np.isfinite(position).all(axis=1), 4.0 / 3.0 * np.pi * radius**3, 0.0)
    spread = _spread(position, radius, np.stack([mass, filled], axis=1), cells) / cells.volume
    return StressField(cells, stress, spread[..., 0], spread[..., 1])


def branches(frame: Frame, contacts: Contacts) -> tuple[Array, Array]:
    """Centre of each contact's first grain, and the vector to it from the other's centre or the wall, m."""
    i, j = rows_of(contacts.first, frame.id), rows_of(contacts.second, frame.id)
    if ((i < 0) | ((j < 0) & ~contacts.with_body)).any():
        raise MeasurementError(
            "contacts name grains that the frame does not have; take both after the same step"
        )
    position = np.asarray(frame.position, np.float64)
    origin = np.where(contacts.with_body[:, None], contacts.point, position[j])
    return position[i], position[i] - origin


def overburden(field: StressField, gravity: ArrayLike) -> Array:
    """(nx, ny, nz) weight per area of all that lies above the middle of each cell in its column, Pa.

    `gravity` is the scene's, m/s², straight along z: what σ_zz must be where nothing holds the grains at the sides.
    """
    along_x, along_y, along_z = np.asarray(gravity, np.float64)
    if along_x or along_y:
        raise MeasurementError(f"gravity {(along_x, along_y, along_z)}: a weight above needs it along z")
    layer = -along_z * field.cells.size[2] * field.density
    return np.asarray(np.cumsum(layer[..., ::-1], axis=2)[..., ::-1] - 0.5 * layer)


def _box(frame: Frame) -> tuple[Array, Array]:
    """Corners of the box that holds all grains."""
    finite = np.isfinite(frame.position).all(axis=1)
    if not finite.any():
        raise MeasurementError("there are no grains to lay cells around; give the cells' corners")
    position, radius = np.asarray(frame.position[finite], np.float64), frame.radius[finite, None]
    return (position - radius).min(axis=0), (position + radius).max(axis=0)


def _triple(values: Array) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def _pieces(start: Array, end: Array, cells: StressCells) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Straight lines cut where they cross the cells' faces: line, cell (−1: outside) and share of the length."""
    a, b = (start - cells.lower) / cells.size, (end - cells.lower) / cells.size
    count = len(a)
    line, at = [np.arange(count), np.arange(count)], [np.zeros(count), np.ones(count)]
    for axis in range(3):
        low, high = np.minimum(a[:, axis], b[:, axis]), np.maximum(a[:, axis], b[:, axis])
        first = np.clip(np.ceil(low), 0, cells.shape[axis])
        last = np.clip(np.floor(high), -1, cells.shape[axis])
        many = np.maximum(last - first + 1, 0).astype(np.int64)
        crossing = np.repeat(np.arange(count), many)
        face = first[crossing] + np.arange(len(crossing)) - (np.cumsum(many) - many)[crossing]
        way = b[crossing, axis] - a[crossing, axis]
        line.append(crossing)
        at.append(np.clip((face - a[crossing, axis]) / np.where(way == 0.0, 1.0, way), 0.0, 1.0))
    lines, ats = np.concatenate(line), np.concatenate(at)
    order = np.lexsort((ats, lines))
    lines, ats = lines[order], ats[order]
    share = np.diff(ats)
    piece = np.flatnonzero((lines[1:] == lines[:-1]) & (share > 0.0))
    middle = 0.5 * (ats[piece] + ats[piece + 1])[:, None]
    owner = lines[piece]
    return owner, cells.places(start[owner] + middle * (end - start)[owner]), share[piece]


def _kinetic(position: Array, velocity: Array, mass: Array, cells: StressCells) -> Array:
    place = cells.places(position)
    total = cells.sums(place, mass)
    momentum = cells.sums(place, mass[:, None] * velocity)
    mean = momentum / np.where(total > 0.0, total, 1.0)[..., None]
    own = velocity - mean.reshape(-1, 3)[place]
    return cells.sums(place, mass[:, None, None] * own[:, :, None] * own[:, None, :]) / cells.volume


def _spread(position: Array, radius: Array, values: Array, cells: StressCells) -> Array:
    """Sums of values (n, k) over cells, each grain's shared out by the part of its volume that is there."""
    finite = np.isfinite(position).all(axis=1)
    position, radius, values = position[finite], radius[finite], values[finite]
    low, high = cells.places(position - radius[:, None]), cells.places(position + radius[:, None])
    total = cells.sums(np.where(low == high, low, -1), values)
    parted = (low != high) | (low < 0)
    position, radius, values = position[parted], radius[parted], values[parted] / (2 * BALL_POINTS)
    for point in _ball():
        for side in (1.0, -1.0):
            total += cells.sums(cells.places(position + side * radius[:, None] * point), values)
    return total


def _ball() -> Array:
    """Points of a half of the unit ball that, with their opposites, fill it evenly (Roberts' R₃ sequence)."""
    step = 1.2207440846057596  # the root of x⁴ = x + 1
    k = np.arange(1, BALL_POINTS + 1)
    u, v, w = ((0.5 + k * step**-power) % 1.0 for power in (1, 2, 3))
    height, angle = 1.0 - 2.0 * u, 2.0 * np.pi * v
    around = np.sqrt(1.0 - height**2)
    direction = np.stack([around * np.cos(angle), around * np.sin(angle), height], axis=1)
    return np.asarray(np.cbrt(w)[:, None] * direction)
