"""Soil that has come to rest in the bed of a truck: columns in the frame of the body that carries it.

A bed is the room of a tool that `settles`. Its columns stand on the floor that the body's own shapes make. They hold
whole units of the ground's mass, by soil, and have a surface that grains lie on: a height field that moves with the
body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.geometry.pieces import Pieces
from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import shape_table
from windrow.geometry.terms import F32, F64, I64
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.shapes import HeightField
from windrow.terrain.tools import ToolGeometry

CELLS = 0.2
"""m along the edge of a column, about"""
INSIDE = 0.1
"""m that the floor is looked for further inside at the walls"""
SUNK = 0.02
"""m below the floor at which the surface of an empty column is: the floor itself carries there"""
CLOSE = 1e-3
"""m from the floor at which it counts as found"""


@dataclass(frozen=True)
class BedPlace:
    """Where a bed is."""

    tool: int
    """among the tools of the simulation"""
    body: int
    lower: F64
    """(3,) corner of the room, in the body's frame, m"""
    upper: F64
    shape: tuple[int, int]
    """columns along x and y"""
    material: str
    """that grains feel of its surface"""

    @property
    def cell(self) -> F64:
        """(2,) edges of a column, m"""
        return (self.upper - self.lower)[:2] / np.array(self.shape)

    @property
    def middle(self) -> F64:
        """(3,) of the surface's frame, whose heights are those of the body, in the body's frame, m"""
        return np.append(0.5 * (self.lower + self.upper)[:2], 0.0)

    def obstacle(self) -> Obstacle:
        """Its surface, as grains meet it."""
        size = (self.upper - self.lower)[:2]
        heights = np.full((self.shape[0] + 1, self.shape[1] + 1), float(self.lower[2]))
        field = HeightField(size=(float(size[0]), float(size[1])), heights=heights)
        return Obstacle(name="", shape=field, material=self.material)


def beds_in(tools: list[ToolGeometry], material: str) -> list[BedPlace]:
    """The beds among the tools; material: that grains feel of the soil in them."""
    places = []
    for k, tool in enumerate(tools):
        if tool.settles:
            _, lower, upper = tool.room
            nx, ny = (max(2, round(float(edge) / CELLS)) for edge in (upper - lower)[:2])
            places.append(BedPlace(k, tool.body, lower, upper, (nx, ny), material))
    return places


class Bed:
    """The columns of one bed."""

    def __init__(self, place: BedPlace, pieces: Pieces, scene: Scene, soils: int) -> None:
        """pieces: of all bodies of the scene."""
        self.place = place
        mine = np.flatnonzero(pieces.owner == place.body)
        own = {name: k for k, name in enumerate(scene.materials)}
        self.walls = shape_table([pieces.obstacles[p] for p in mine], own, scene.base_dir)
        """the body's own shapes, in its frame"""
        self.poses = np.concatenate([pieces.rotation[mine].reshape(-1, 9), pieces.position[mine]], axis=1)
        self.floor = self._floor()
        """(nx + 1, ny + 1) heights of the floor in the body's frame, m"""
        self.units: I64 = np.zeros((*place.shape, soils), np.int64)
        """mass of each column by soil, in units of the ground"""
        self.calm = 0
        """looks in a row at which nothing moved in it"""

    def _floor(self) -> F64:
        """Where a point that comes down from the top of the room meets the body; at walls, a little inside of them."""
        place = self.place
        nodes = [
            np.linspace(place.lower[a] + INSIDE, place.upper[a] - INSIDE, place.shape[a] + 1) for a in range(2)
        ]
        x, y = np.meshgrid(*nodes, indexing="ij")
        z = np.full(x.shape, float(place.upper[2]))
        for _ in range(200):
            points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
            distance = distance_to_obstacles(self.walls, self.poses, points)[0].reshape(x.shape)
            z = np.where(distance > CLOSE, z - distance, z)
            if (distance <= CLOSE).all() or (z < place.lower[2] - 1.0).all():
                break
        return np.asarray(np.clip(z, place.lower[2], place.upper[2]))

    @property
    def loaded(self) -> bool:
        return bool(self.units.any())

    def thickness(self, unit: float, density: F64) -> F64:
        """(nx, ny) of the soil in each column, m; unit: kg; density: at which each soil lies, kg/m³."""
        volume = np.zeros(self.place.shape)
        for k, each in enumerate(density.tolist()):
            volume += self.units[:, :, k] * (unit / each)
        return volume / float(self.place.cell[0] * self.place.cell[1])

    def surface(self, unit: float, density: F64) -> F64:
        """(nx + 1, ny + 1) heights of the soil at the corners of the columns, in the body's frame, m."""
        wide = np.pad(self.thickness(unit, density), 1, mode="edge")
        return self.floor + 0.25 * (wide[:-1, :-1] + wide[1:, :-1] + wide[:-1, 1:] + wide[1:, 1:])

    def contact(self, unit: float, density: F64, radius: float) -> F32:
        """(nx + 1, ny + 1) heights that grains of a mean radius (m) touch: they lie half in the soil."""
        soil = self.surface(unit, density) - radius
        return np.where(soil > self.floor, soil, self.floor - SUNK).astype(np.float32)

    def load(self, unit: float, density: F64) -> tuple[float, F64]:
        """Mass, kg, and its centre (3,) in the body's frame, m."""
        place, thick = self.place, self.thickness(unit, density)
        column = np.zeros(place.shape)
        for k in range(self.units.shape[2]):
            column += unit * self.units[:, :, k]
        mass = float(column.sum())
        if mass == 0.0:
            return 0.0, place.middle
        low = 0.25 * (self.floor[:-1, :-1] + self.floor[1:, :-1] + self.floor[:-1, 1:] + self.floor[1:, 1:])
        x, y = (place.lower[a] + (np.arange(place.shape[a]) + 0.5) * place.cell[a] for a in range(2))
        moments = (column * x[:, None], column * y[None, :], column * (low + 0.5 * thick))
        return mass, np.array([float(each.sum()) / mass for each in moments])

    def column_of(self, local: F64) -> tuple[I64, I64]:
        """Columns that points (n, 3) of the body's frame lie over; the nearest for those beside."""
        place = self.place
        found = [
            np.clip(np.floor((local[:, a] - place.lower[a]) / place.cell[a]).astype(np.int64), 0, place.shape[a] - 1)
            for a in range(2)
        ]
        return found[0], found[1]

    def heights_at(self, nodes: F64, local: F64) -> F64:
        """(n,) heights given at the corners of the columns, between them, under points (n, 3) of the body's frame."""
        place = self.place
        u, v = ((local[:, a] - place.lower[a]) / place.cell[a] for a in range(2))
        i = np.clip(np.floor(u).astype(np.int64), 0, place.shape[0] - 1)
        j = np.clip(np.floor(v).astype(np.int64), 0, place.shape[1] - 1)
        u, v = np.clip(u - i, 0.0, 1.0), np.clip(v - j, 0.0, 1.0)
        low = nodes[i, j] + u * (nodes[i + 1, j] - nodes[i, j])
        high = nodes[i, j + 1] + u * (nodes[i + 1, j + 1] - nodes[i, j + 1])
        return np.asarray(low + v * (high - low))


def shared_out(total: int, weight: F64) -> I64:
    """Whole parts of a total in proportion to weights, each at least one; they add up to it exactly.

    The total is at least as many as there are weights.
    """
    many = len(weight)
    parts = 1 + np.floor((total - many) * (weight / float(weight.sum())) * (1.0 - 1e-12)).astype(np.int64)
    rest = total - int(parts.sum())
    each, more = divmod(rest, many)
    parts += each
    parts[:more] += 1
    return np.asarray(parts)
