"""Ground: the columns of a terrain, what has changed in them, and what they weigh."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import cosine, norm, sine, tangent
from windrow.geometry.terms import F32, F64, I64, U8
from windrow.scene.scene import Scene
from windrow.scene.soils import soil_named
from windrow.scene.terrain import Terrain, TerrainLayer
from windrow.terrain import kernels
from windrow.terrain.building import heights_of
from windrow.terrain.layers import (
    BASE,
    CELLS,
    LAYERS,
    MASS_UNIT,
    NUMBERS,
    TILE,
    Columns,
    units_of,
)

FIRST_SLOTS = 16
"""Tiles that there is room for at the start; grows when needed."""
HIGHEST = 1e4
"""m, of a column; its mass and volume are counted in whole units, for which more would be too many"""


@dataclass
class Booked:
    """Mass that came to the ground or left it by other ways than the simulation's own, in units."""

    added: int = 0
    taken: int = 0


class Ground:
    """The columns of a terrain. State: what is here decides how a simulation continues."""

    def __init__(self, terrain: Terrain, gravity: Any, base_dir: Path | str = ".") -> None:
        self.terrain = terrain
        heights = heights_of(terrain, base_dir)
        self.nx, self.ny = heights.shape
        self.cell = float(terrain.cell)
        self.position: F64 = np.array(terrain.position, np.float64)
        names, soils, natural = _soils_of(terrain.layers_down())
        self.soil_names: list[str] = names
        area = self.cell * self.cell
        numbers = np.zeros(NUMBERS)
        base = float(heights.min()) - terrain.depth
        refuse_too_high("terrain.height", heights, base)
        numbers[:] = self.cell, area, base, *units_of(area), float(norm(np.asarray(gravity, np.float64)))
        tiles = (-(-self.nx // TILE), -(-self.ny // TILE))
        height = np.empty((self.nx + 2, self.ny + 2), np.float32)
        height[1:-1, 1:-1] = heights
        self.columns = Columns(
            height,
            np.full(tiles, -1, np.int32),
            *_slots(FIRST_SLOTS),
            soils,
            natural,
            numbers,
        )
        self.used = 0
        """tiles whose layers are in memory"""
        self.tile_mass: I64 = np.zeros(tiles, np.int64)
        """(tiles) what is in each, in units"""
        self.active: U8 = np.zeros(tiles, np.uint8)
        """tiles in which soil may slide"""
        self.busy: I64 = np.zeros(4, np.int64)
        """(4,) box around all columns that may slide: first and after the last along x, along y"""
        self.version: I64 = np.zeros(tiles, np.int64)
        """the change that a tile was last part of"""
        self.turn = 0
        """place of the first tile whose turn it is to slide, where not all can at once"""
        self.age = 0
        """steps in which soil could slide"""
        self.epoch = 0
        """changes of the heights so far; whatever is computed from them holds for one epoch"""
        self.booked = Booked()
        self.owed: I64 = np.zeros(len(soils), np.int64)
        """(soils,) taken from columns and not yet given to grains, in units; negative where grains got more"""
        self.held: I64 = np.zeros((0, len(soils)), np.int64)
        """(tools, soils) what tools carry without grains, in units"""
        self.edge()
        kernels.weigh_natural(self.columns, self.nx, self.ny, self.tile_mass)
        self.start_mass = self.mass_units()
        """in units, at the start"""

    # --- what it is -----------------------------------------------------------------------------------

    @property
    def mass_unit(self) -> float:
        """kg"""
        return float(self.columns.numbers[MASS_UNIT])

    @property
    def base(self) -> float:
        """Of all columns, above the terrain's position, m."""
        return float(self.columns.numbers[BASE])

    @property
    def size(self) -> tuple[float, float]:
        """Extent, m."""
        return self.nx * self.cell, self.ny * self.cell

    @property
    def tiles(self) -> tuple[int, int]:
        return self.columns.slot.shape[0], self.columns.slot.shape[1]

    def mass_units(self) -> int:
        """All of its mass, exactly."""
        low = int((self.tile_mass & 0xFFFFFFFF).sum())
        return (int((self.tile_mass >> 32).sum()) << 32) + low + int(self.owed.sum())

    def held_units(self) -> int:
        """What tools carry without grains, exactly."""
        return int(self.held.sum())

    def memory_bytes(self) -> int:
        """What it holds in memory."""
        arrays = (*self.columns, self.tile_mass, self.active, self.version)
        return sum(array.nbytes for array in arrays)

    def height(self) -> F32:
        """(nx, ny) of the surface above the terrain's position, m; a view."""
        return self.columns.height[1:-1, 1:-1]

    def per_cell(self, what: int) -> NDArray[Any]:
        """(nx, ny) mass of each column (0, kg), or density (1, kg/m³) and soil (2, index) of its uppermost layer."""
        result = np.zeros((self.nx, self.ny), np.uint8 if what == 2 else np.float64)
        kernels.read_cells(self.columns, what, result)
        return result

    def cell_at(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Place in cells, counted from the middle of the first one, of a point of the world."""
        u = (x - self.position[0]) / self.cell + 0.5 * (self.nx - 1)
        v = (y - self.position[1]) / self.cell + 0.5 * (self.ny - 1)
        return u, v

    def place_of(self, i: NDArray[Any], j: NDArray[Any]) -> tuple[F64, F64]:
        """x and y in the world of the middles of cells, m."""
        x = self.position[0] + self.cell * (np.asarray(i, np.float64) - 0.5 * (self.nx - 1))
        y = self.position[1] + self.cell * (np.asarray(j, np.float64) - 0.5 * (self.ny - 1))
        return x, y

    # --- changing it ----------------------------------------------------------------------------------

    def open(self, chosen: NDArray[np.bool_]) -> None:
        """Brings the layers of tiles (a mask) into memory."""
        new = np.argwhere(chosen & (self.columns.slot < 0)).astype(np.int64, order="C")
        if len(new) == 0:
            return
        needed = self.used + len(new)
        if needed > len(self.columns.mass):
            self._enlarge(max(needed, 2 * len(self.columns.mass)))
        self.columns.slot[new[:, 0], new[:, 1]] = np.arange(self.used, needed, dtype=np.int32)
        self.used = needed
        kernels.open_tiles(self.columns, new, self.nx, self.ny)

    def _enlarge(self, slots: int) -> None:
        mass, volume, soil, borne = _slots(slots)
        old, n = self.columns, self.used
        mass[:n], volume[:n], soil[:n], borne[:n] = old.mass[:n], old.volume[:n], old.soil[:n], old.borne[:n]
        self.columns = old._replace(mass=mass, volume=volume, soil=soil, borne=borne)

    def set_height(self, heights: NDArray[Any], i: int = 0, j: int = 0) -> None:
        """Fills up or cuts down columns to heights (n, m) above the terrain's position, from cell (i, j) on.

        What is filled up is of the column's uppermost soil, at the density where it grew. All that comes and goes is
        booked.
        """
        wanted = np.ascontiguousarray(heights, np.float64)
        n, m = wanted.shape
        if not np.isfinite(wanted).all():
            raise SceneError("set_height: heights must be finite numbers; leave cells without one as they are")
        if wanted.min() < self.base:
            raise SceneError(
                f"set_height: {wanted.min():g} m is below the bottom of the ground, {self.base:g} m; give the terrain "
                "a larger depth"
            )
        refuse_too_high("set_height", wanted, self.base)
        if i < 0 or j < 0 or i + n > self.nx or j + m > self.ny or wanted.size == 0:
            raise SceneError(
                f"set_height: {n} × {m} heights from cell [{i}, {j}] on leave the ground of {self.nx} × {self.ny} cells"
            )
        tiles = np.zeros(self.tiles, np.bool_)
        tiles[i // TILE : (i + n - 1) // TILE + 1, j // TILE : (j + m - 1) // TILE + 1] = True
        self.open(tiles)
        for row in range(n):  # by rows: all of a large ground would be more than an integer counts
            booked = np.zeros(2, np.int64)
            kernels.set_heights(self.columns, wanted[row : row + 1], i + row, j, booked)
            self.booked.added += int(booked[0])
            self.booked.taken += int(booked[1])
        self.changed(tiles)

    def changed(self, tiles: NDArray[np.bool_]) -> None:
        """To be called when columns of these tiles have changed: weighs them, and wakes what may slide."""
        where = np.argwhere(tiles).astype(np.int64, order="C")
        if len(where) == 0:
            return
        self.epoch += 1
        self.version[tiles] = self.epoch
        self.active[tiles] = 1
        (i0, j0), (i1, j1) = TILE * where.min(axis=0), TILE * (where.max(axis=0) + 1)
        self.busy_in(int(i0) - 2, int(i1) + 2, int(j0) - 2, int(j1) + 2)
        kernels.weigh_tiles(self.columns, where, self.nx, self.ny, self.tile_mass)
        self.edge()

    def dug(self, i0: int, i1: int, j0: int, j1: int) -> None:
        """To be called when columns of these cells have changed and their tiles are weighed: wakes what may slide."""
        self.epoch += 1
        tiles = slice(i0 // TILE, (i1 - 1) // TILE + 1), slice(j0 // TILE, (j1 - 1) // TILE + 1)
        self.version[tiles] = self.epoch
        self.active[tiles] = 1
        self.busy_in(i0 - 2, i1 + 2, j0 - 2, j1 + 2)
        if i0 == 0 or j0 == 0 or i1 == self.nx or j1 == self.ny:
            self.edge()

    def busy_in(self, i0: int, i1: int, j0: int, j1: int) -> None:
        """Columns of this box may slide, too."""
        busy, old = self.busy, self.busy.tolist()
        if old[1] <= old[0]:
            old = [i0, i1, j0, j1]
        busy[0], busy[1] = max(min(i0, old[0]), 0), min(max(i1, old[1]), self.nx)
        busy[2], busy[3] = max(min(j0, old[2]), 0), min(max(j1, old[3]), self.ny)

    def busy_everywhere(self) -> None:
        """All columns of active tiles, and those beside them, may slide."""
        self.busy[:] = 0
        where = np.argwhere(self.active)
        if len(where):
            (i0, j0), (i1, j1) = TILE * where.min(axis=0), TILE * (where.max(axis=0) + 1)
            self.busy_in(int(i0) - 2, int(i1) + 2, int(j0) - 2, int(j1) + 2)

    def edge(self) -> None:
        """The ring around the heights repeats those at the edge, so that the surface reaches the edge."""
        height = self.columns.height
        height[0], height[-1] = height[1], height[-2]
        height[:, 0], height[:, -1] = height[:, 1], height[:, -2]

    def use_heights(self, memory: F32) -> None:
        """Keeps the heights from now on in the given memory, which others read as they change."""
        memory[:] = self.columns.height.ravel()
        self.columns = self.columns._replace(height=memory.reshape(self.columns.height.shape))

    # --- restart --------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """All that has changed since the start: the tiles that were touched, and counters."""
        columns, n = self.columns, self.used
        where = np.argwhere(columns.slot >= 0).astype(np.int32, order="C")
        order = np.argsort(columns.slot[where[:, 0], where[:, 1]], kind="stable")
        where = where[order]
        heights = np.zeros((n, TILE, TILE), np.float32)
        kernels.read_tiles(columns, where, self.nx, self.ny, heights)
        return {
            "tile": where,
            "height": heights,
            "mass": columns.mass[:n].copy(),
            "volume": columns.volume[:n].copy(),
            "soil": columns.soil[:n].copy(),
            "borne": columns.borne[:n].copy(),
            "active": self.active.copy(),
            "version": self.version[where[:, 0], where[:, 1]],
            "epoch": self.epoch,
            "turn": self.turn,
            "age": self.age,
            "added": self.booked.added,
            "taken": self.booked.taken,
            "owed": self.owed.copy(),
            "busy": self.busy.copy(),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Takes back what `snapshot` gave, on ground as it was at the start."""
        where = np.asarray(data["tile"], np.int64).reshape(-1, 2)
        n = len(where)
        if n > len(self.columns.mass):
            self._enlarge(n)
        columns = self.columns
        columns.slot[where[:, 0], where[:, 1]] = np.arange(n, dtype=np.int32)
        self.used = n
        for name in ("mass", "volume", "soil", "borne"):
            getattr(columns, name)[:n] = data[name]
        kernels.write_tiles(columns, where, self.nx, self.ny, np.asarray(data["height"], np.float32))
        self.active[:] = data["active"]
        self.busy[:] = data["busy"]
        self.version[where[:, 0], where[:, 1]] = data["version"]
        self.epoch, self.turn, self.age = int(data["epoch"]), int(data["turn"]), int(data["age"])
        self.booked = Booked(int(data["added"]), int(data["taken"]))
        self.owed[:] = data["owed"]
        kernels.weigh_tiles(columns, where, self.nx, self.ny, self.tile_mass)
        self.edge()


def refuse_too_high(name: str, heights: NDArray[Any], base: float) -> None:
    """heights, base: m"""
    if float(np.abs(heights).max()) > HIGHEST or float(heights.max()) - base > HIGHEST:
        raise SceneError(
            f"{name}: heights from {heights.min():g} to {heights.max():g} m, over a bottom at {base:g} m; "
            f"at most {HIGHEST:g} m from the terrain's position and from the bottom are possible; give lower heights"
        )


def ground_of(scene: Scene) -> Ground | None:
    """The ground of a scene, if it has any."""
    return None if scene.terrain is None else Ground(scene.terrain, scene.gravity, scene.base_dir)


def _slots(count: int) -> tuple[I64, I64, U8, F32]:
    return (
        np.zeros((count, CELLS, LAYERS), np.int64),
        np.zeros((count, CELLS, LAYERS), np.int64),
        np.zeros((count, CELLS, LAYERS), np.uint8),
        np.zeros((count, CELLS), np.float32),
    )


def _soils_of(layers: list[TerrainLayer]) -> tuple[list[str], F64, F64]:
    """Names and numbers of the soils, one of each layer, and the layers from the surface down."""
    names, rows, natural = [], [], []
    for k, layer in enumerate(layers):
        soil = soil_named(layer.soil)
        density = layer.density or soil.bulk_density.value
        swell = max(soil.ground.swell.value, 1.0)
        phi = layer.internal_friction_deg
        angle = np.deg2rad(soil.internal_friction_deg.value if phi is None else phi)
        c = soil.cohesion_pa.value if layer.cohesion_pa is None else layer.cohesion_pa
        densest = max(soil.ground.densest.value, density, layer.compaction * density)
        names.append(layer.soil)
        rows.append([
            density, density / swell, densest, float(tangent(angle)), float(sine(angle)), float(cosine(angle)), c,
            swell, soil.ground.sinkage_cohesive.value, soil.ground.sinkage_frictional.value,
            soil.ground.sinkage_exponent.value,
        ])  # fmt: skip
        natural.append([float(k), layer.thickness or np.inf, layer.compaction * density])
    return names, np.array(rows, np.float64), np.array(natural, np.float64)
