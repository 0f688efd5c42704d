"""Digging: the exchange of ground and grains in a running simulation, every few steps.

    leave      grains that fell off the edge of the ground are taken out and booked
    look       who is calm, who is near a body, what tools will need
    back       grains at rest become ground, and stay as its skin while free ones are near
    cut        ground in the zone of a tool becomes grains of the brick, on a face of fixed ones
    follow     the surface that grains touch follows

Each of them is exact in mass: columns and grains hold whole units (`terrain.giving`).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.kinds import SIZES
from windrow.geometry.table import ShapeTable, heights_changed, heights_in
from windrow.geometry.terms import F64, I64
from windrow.scene.brick import brick_of
from windrow.scene.calibration import calibrations
from windrow.scene.digging import soil_materials
from windrow.sim.digging import grains
from windrow.sim.digging.beds import FORM as BEDS_FORM
from windrow.sim.digging.beds import Beds
from windrow.sim.digging.diggers import Diggers, DiggingTool
from windrow.sim.digging.inside import find_inside
from windrow.state.form import Array, Number
from windrow.state.state import FREE, SKIN, State
from windrow.terrain import giving
from windrow.terrain.avalanche import widened
from windrow.terrain.bricks import FACE, SHELL, bricks_of, height_range, laid_room, lay
from windrow.terrain.ground import Ground
from windrow.terrain.layers import LOOSE, TILE
from windrow.terrain.nodes import (
    Grid,
    choose_back,
    follow,
    keep_marks,
    nodes_of,
    plan,
    reset,
    tiles_of_grains,
)
from windrow.terrain.zone import (
    MOST_CELLS,
    ZoneReach,
    fill_box,
    forget_zone,
    note_bodies,
    spread,
    spread_bodies,
    sweep,
)

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation

EVERY = 6
"""Steps from one exchange to the next."""
AHEAD = 0.3
"""s of the tools' coming way that is looked at"""
SIDE = math.sqrt(3.0)
"""Slope of the zone beside and behind a tool: 60°."""
DOWN = 1.2
"""The same where a tool moves down."""
MARGINS = ((8.0, 2.0, 1.0), (6.0, 1.0, 1.0), (4.0, 0.0, 0.5), (2.5, 0.0, 0.35))
"""Mean radii below a tool, widths that it bears on which are added where it moves down, and share of its coming way,
that turn into grains: at first, and where there is no room for so many grains."""
RESERVE = (0.4, 0.25, 0.1, 0.0)
"""Share of the grains that there may be which a zone of each size leaves for what is dug next."""
SURELY = 1.3
"""Grains by volume over the room for them from which on they do not fit: radii vary, and some are there already."""
BEARING = 30.0
"""Mean radii that are added at most where a tool moves down."""
THINNEST = 0.5
"""Of a cut, mean radii."""
SLOW, CALM, CALM_IN_NEED = 0.02, 0.5, 0.2
"""m/s; s for which grains are slow before they turn back, and if grains are running out"""
FULL = 0.85
"""Share of the grains that there may be from which on they are running out."""
CLEAR = 0.15
"""m around bodies where nothing turns back"""
OVERLAP = 0.02
"""Mean radii that a new grain may lie in others."""
HEAPED = 1.0
"""m above all ground up to which the zone of a tool keeps grains free"""
BOTTOM = 0.05
"""m above the bottom of the ground that are never cut"""

FORM: dict[str, Array | Number] = {
    "contact": Array(np.float32, ("tiles", TILE, TILE)),
    "marks": Array(np.uint8, ("tiles", TILE, TILE), below=8),
    "seen": Number(int, low=0),
    "refused": Number(int, low=0),
    "margin": Number(int, low=0, below=len(MARGINS)),
    **BEDS_FORM,
}
"""What `Digging.memory` gives; see `state.form`."""


class DiggingWarning(UserWarning):
    """Ground that should have turned into grains could not."""


@dataclass
class Dug:
    """What one exchange did."""

    freed: int = 0
    """grains that ground became"""
    returned: int = 0
    """grains that became ground"""
    fixed: int = 0
    """grains that stand for ground, in all"""
    refused: int = 0
    """columns that stayed ground because there was no room for grains"""
    margin: int = 0
    """how far the zone was made smaller, see MARGINS"""

    def notes(self) -> dict[str, float]:
        return {
            "dug": self.freed, "turned_back": self.returned, "fixed": self.fixed, "refused_columns": self.refused,
            "dig_margin": self.margin,
        }  # fmt: skip


class Digging:
    """The exchange of one simulation, and what it carries from one to the next."""

    def __init__(self, simulation: Simulation, ground: Ground, tools: Diggers, table: ShapeTable, row: int) -> None:
        self.ground, self.tools, self.table, self.row = ground, tools, table, row
        terrain = ground.terrain
        radius = terrain.mean_radius
        corner = ground.place_of(np.zeros(1), np.zeros(1))
        ring = max(1, math.ceil(SHELL * radius / ground.cell - 1e-6))
        self.grid = Grid(
            float(corner[0][0]), float(corner[1][0]), float(ground.position[2]), ground.cell, radius, ground.nx,
            ground.ny, ring,
        )  # fmt: skip
        self.surface = simulation._surface
        """table of shapes with the surface of the ground itself"""
        contact = heights_in(table, row)
        contact[:] = ground.columns.height - np.float32(radius)
        heights_changed(table, row, 0, ground.nx + 1, 0, ground.ny + 1)
        self.nodes = nodes_of((ground.nx, ground.ny), contact)
        self.bricks = bricks_of(brick_of("mixed"), radius)
        self.most = terrain.most_grains
        capacity = simulation.model.capacity
        self.laid, self.scratch = laid_room(capacity), grains.scratch_room(capacity)
        self.marked = np.zeros(ground.tiles, np.uint8)
        """tiles in which columns have marks"""
        self.seen = ground.epoch
        """change of the ground up to which the surface that grains touch has followed"""
        self.refused = 0
        """columns that stayed ground so far"""
        self.margin = 0
        """size of the zones at the last exchange, see MARGINS"""
        names = simulation.model.material_names
        self.material = np.array([names.index(name) for name in soil_materials(terrain)], np.int32)
        """(soils,) material of the grains of each soil"""
        self.soil_of = np.zeros(len(names), np.int32)
        self.soil_of[self.material] = np.arange(len(self.material), dtype=np.int32)
        self.lying = lying_density(simulation, self.material, ground, self.bricks.solid)
        self.box: F64 | None = None if terrain.grains_box is None else np.array(terrain.grains_box, np.float64)
        self._walls = _without(table, row)
        self._told = False
        self.beds = Beds(simulation, self)

    # --- restart ------------------------------------------------------------------------------------------

    def memory(self, tiles: NDArray[Any]) -> dict[str, Any]:
        """What a restarted run needs of these tiles, in their order."""
        contact = np.zeros((len(tiles), TILE, TILE), np.float32)
        marks = np.zeros((len(tiles), TILE, TILE), np.uint8)
        for k, (a, b) in self._parts(tiles):
            contact[k, : a.stop - a.start, : b.stop - b.start] = self.nodes.contact[1:-1, 1:-1][a, b]
            marks[k, : a.stop - a.start, : b.stop - b.start] = self.nodes.marks[a, b]
        told = {"contact": contact, "marks": marks, "seen": self.seen, "refused": self.refused, "margin": self.margin}
        return told | self.beds.memory()

    def recall(self, simulation: Simulation, tiles: NDArray[Any], memory: dict[str, Any]) -> None:
        """Takes back what `memory` gave, on ground that has been restored."""
        self.nodes.contact[:] = self.ground.columns.height - np.float32(self.grid.radius)
        for k, (a, b) in self._parts(tiles):
            self.nodes.contact[1:-1, 1:-1][a, b] = memory["contact"][k, : a.stop - a.start, : b.stop - b.start]
            self.nodes.marks[a, b] = memory["marks"][k, : a.stop - a.start, : b.stop - b.start]
            self.marked[tuple(tiles[k])] = bool(self.nodes.marks[a, b].any())
        self.seen, self.refused, self.margin = memory["seen"], memory["refused"], memory["margin"]
        self._contact_changed(0, self.ground.nx + 1, 0, self.ground.ny + 1)
        self.beds.recall(simulation, memory)

    def _parts(self, tiles: NDArray[Any]) -> Iterator[tuple[int, tuple[slice, slice]]]:
        for k, (x, y) in enumerate(np.asarray(tiles).tolist()):
            yield k, (
                slice(x * TILE, min(x * TILE + TILE, self.ground.nx)),
                slice(y * TILE, min(y * TILE + TILE, self.ground.ny)),
            )

    # --- the exchange -------------------------------------------------------------------------------------

    def step(self, simulation: Simulation) -> Dug | None:
        """Makes an exchange if one is due."""
        state = simulation.state
        if state.step % EVERY:
            return None
        done = Dug()
        self._leave(state)
        done.returned, done.freed = self.beds.exchange(simulation)
        if done.returned or done.freed:
            simulation._stepper.grains_changed()
        self._top = self._highest(state)
        places = [self._reach(tool, simulation) for tool in self.tools.tools]
        poses = self.tools.present(simulation.body_poses())
        core = self._tiles(state, places, poses)
        if not core.any():
            self.seen = self.ground.epoch
            return done
        tiles, wide = (np.argwhere(mask).astype(np.int64, order="C") for mask in (core, widened(core)))
        self._look(simulation, poses, tiles, wide)
        self.margin = max(self.margin - 1, 0)
        self._zone(places, tiles, self.margin)
        changed = self._back(state, tiles, done)
        changed |= self._cut(simulation, places, tiles, wide, done)
        if changed.any():
            self.ground.changed(changed)
        self._follow(tiles)
        n = state.count
        done.fixed = int(np.count_nonzero(state.key[:n] != FREE))
        if done.freed or done.returned:
            simulation._stepper.grains_changed()
        return done

    def _leave(self, state: State) -> None:
        out = self.scratch.hit
        depth = self.ground.base + float(self.ground.position[2])
        many = grains.fallen_off(state.X, state.count, self.grid, depth, state.units, out)
        if many:
            gone = out[: state.count] != 0
            state.ledger.left_domain += many
            state.ledger.left_domain_mass += state.mass(gone)
            state.keep(~gone)

    def _reach(self, tool: DiggingTool, simulation: Simulation) -> tuple[DiggingTool, F64, float]:
        """A tool, its poses, and how far its zone may reach beyond it, m; negative: it is too high above the ground."""
        poses = self.tools.poses(tool, simulation.bodies, simulation.state.step, simulation.solver.dt, AHEAD)
        slope = self.tools.slip(tool, poses[0])
        sinks = bool((poses[1:, 11] < poses[0, 11]).any() or (poses[1:, :9] != poses[0, :9]).any())
        below = MARGINS[0][0] + (BEARING if sinks else 0.0)
        lowest = float(poses[:, 11].min()) - tool.radius - below * self.grid.radius
        high = self._top - (lowest - self.grid.z)
        return tool, poses, min(high / slope, MOST_CELLS * self.grid.cell)

    def _highest(self, state: State) -> float:
        """Of all ground, and of grains that are heaped on it, m above its position."""
        ground = float(self.surface.param[self.row, SIZES + 5])
        grain = float(state.X[: state.count, 2].max(initial=-np.inf)) - self.grid.z
        return max(ground, min(grain, ground + HEAPED))

    def _tiles(self, state: State, places: list[tuple[DiggingTool, F64, float]], poses: F64) -> NDArray[np.bool_]:
        """Tiles that an exchange has to look at: with grains, marks, tools above, or changed ground."""
        chosen = self.marked | (self.ground.version > self.seen)
        tiles_of_grains(state.X, state.count, self.grid, chosen)
        edge = TILE * self.grid.cell
        for tool, way, reach in places:
            if reach <= 0.0:
                continue
            far = tool.radius + reach + 2 * self.grid.cell
            low = (way[:, 9:11].min(axis=0) - far - [self.grid.x, self.grid.y]) / edge
            high = (way[:, 9:11].max(axis=0) + far - [self.grid.x, self.grid.y]) / edge
            (a, b), (c, d) = np.floor(low).astype(int), np.floor(high).astype(int)
            chosen[max(a, 0) : max(c + 1, 0), max(b, 0) : max(d + 1, 0)] = 1
        if self.box is not None:
            (a, b), (c, d) = (
                np.floor((corner[:2] - [self.grid.x, self.grid.y]) / edge).astype(int) for corner in self.box
            )
            chosen[max(a, 0) : max(c + 1, 0), max(b, 0) : max(d + 1, 0)] = 1
        return chosen != 0

    def _look(self, simulation: Simulation, poses: F64, tiles: I64, wide: I64) -> None:
        """Clears the workspace, and notes bodies and grains."""
        state, dt = simulation.state, simulation.solver.dt
        ground, grid, nodes = self.ground, self.grid, self.nodes
        reset(nodes, grid, ground.columns, wide)
        self._note_bodies(state, poses)
        spread_bodies(nodes, grid, wide, CLEAR)
        calm = CALM if self._own(state) < FULL * self.most else CALM_IN_NEED
        self._looks = max(1, round(calm / (EVERY * dt)))
        grains.note_grains(_rows(state), state.count, nodes, grid, SLOW, self._looks)

    def _note_bodies(self, state: State, poses: F64) -> None:
        """Notes the lowest points of bodies that grains may be near or above; nobody asks for others."""
        if state.count == 0:
            return
        tools, X = self.tools, state.X[: state.count, :3]
        low, high = X.min(axis=0), X.max(axis=0)
        wide = tools.far + CLEAR + 2.0 * self.grid.cell
        aside = np.maximum(low[:2] - poses[:, 9:11], poses[:, 9:11] - high[:2]).max(axis=1)
        chosen = np.flatnonzero((aside <= wide) & (poses[:, 11] - wide <= high[2]))
        for run in np.split(chosen, np.flatnonzero(np.diff(chosen) > 1) + 1) if len(chosen) else ():
            first = tools.first[run[0] : run[-1] + 2]
            points = tools.points[first[0] : first[-1]]
            note_bodies(points, poses[run], first - first[0], self.nodes, self.grid)

    def _zone(self, places: list[tuple[DiggingTool, F64, float]], tiles: I64, margin: int) -> None:
        """Where ground has to be grains."""
        below, widths, span = MARGINS[margin]
        width = np.zeros((8, 2))
        for tool, poses, far in places:
            if far <= 0.0:
                continue
            r = self.grid.radius
            reach = ZoneReach(below * r, widths, BEARING * r, self.tools.slip(tool, poses[0]), SIDE, DOWN, span)
            bearing = sweep(tool.points, poses, reach, self.nodes, self.grid, width)
            spread(self.nodes, self.grid, reach, tiles, self._top, bearing)
        if self.box is not None:
            fill_box(self.nodes, self.grid, tiles, self.box)

    def _back(self, state: State, tiles: I64, done: Dug) -> NDArray[np.bool_]:
        """Turns grains at rest into ground; returns the tiles that got any."""
        touched = np.zeros(self.ground.tiles, np.uint8)
        none = np.zeros(self.ground.tiles, np.bool_)
        if self.box is not None:
            return none
        choose_back(self.nodes, self.grid, tiles, touched)
        rows, found = _rows(state), self.scratch.following
        many = giving.find_back(self.nodes, self.grid, rows, state.count, self._looks, touched, found)
        if many == 0:
            return none
        done.returned += many
        self.ground.open(touched != 0)
        found = found[:many]
        upwards = found[np.argsort(state.X[found, 2], kind="stable")]
        giving.turn_back(
            self.ground.columns, self.nodes, self.grid, rows, upwards, self.soil_of, self.lying, SKIN
        )
        where = np.argwhere(touched).astype(np.int64, order="C")
        giving.renew_heights(self.ground.columns, self.nodes, self.grid, where)
        return touched != 0

    def _cut(
        self, simulation: Simulation, places: list[tuple[DiggingTool, F64, float]], tiles: I64, wide: I64, done: Dug
    ) -> NDArray[np.bool_]:
        """Turns ground into grains, as much as there is room for; returns the tiles that gave any."""
        touched = np.zeros(self.ground.tiles, np.uint8)
        first = self.margin
        for margin in range(first, len(MARGINS)):
            if margin > first:
                forget_zone(self.nodes, self.grid, wide)
                self._zone(places, tiles, margin)
            reserve = RESERVE[margin] * self.most
            cut, fresh, fits = self._prepare(simulation, tiles, wide, THINNEST * self.grid.radius, reserve)
            if fits or fresh == 0:
                done.margin = self.margin = margin
                return self._convert(simulation, fresh, wide, touched, done)
            if self.box is not None:
                break
        done.refused, done.margin, self.margin = cut, len(MARGINS), len(MARGINS) - 1
        self.refused += cut
        self._tell()
        # no cut, so that the tool meets solid ground; if there is no room for a face either, all stays as it is
        _, fresh, fits = self._prepare(simulation, tiles, wide, 1e30)
        if fits:
            return self._convert(simulation, fresh, wide, touched, done)
        keep_marks(self.nodes, self.grid, tiles)
        return touched != 0

    def _prepare(
        self, simulation: Simulation, tiles: I64, wide: I64, thinnest: float, reserve: float = 0.0
    ) -> tuple[int, int, bool]:
        """What would change: columns that are cut, grains that come, and whether there is room for them.

        reserve: grains that are to be left.
        """
        state, grid, nodes = simulation.state, self.grid, self.nodes
        found = np.array([0, 0, grid.nx, -1, grid.ny, -1], np.int64)
        self._near = np.zeros(self.ground.tiles, np.uint8)
        plan(nodes, grid, tiles, wide, np.array([thinnest, self.ground.base + BOTTOM]), found, self._near)
        self._changes = int(found[1])
        if found[1] == 0:
            return int(found[0]), 0, True
        if simulation.before_grains is not None:
            simulation.before_grains()
        room = self.room(state) - reserve
        if self._volume(found) > SURELY * max(room, 0.0):
            return int(found[0]), self.most, False  # laying them out only to find that takes long
        many = 0
        if found[3] >= 0:
            heights = np.zeros(2)
            height_range(nodes, grid, found, 2 * grid.ring, heights)
            many = lay(self.bricks, nodes, grid, found, heights, self.laid)
            if many > len(self.laid.key):
                return int(found[0]), many, False
        rows, scratch = _rows(state), self.scratch
        fresh = grains.match(rows, state.count, nodes, grid, self.laid, many, scratch)
        grains.find_overlaps(rows, state.count, self.laid, fresh, OVERLAP * grid.radius, scratch)
        fresh = grains.leave_out(self.laid, fresh, scratch.hit)
        fresh = self._outside(simulation, fresh)
        return int(found[0]), fresh, fresh <= room

    def _volume(self, found: I64) -> float:
        """Of the ground that would be cut, in grains."""
        box = slice(found[2], found[3] + 1), slice(found[4], found[5] + 1)
        deep = np.rint((self.nodes.old[box] - self.nodes.new[box]) * np.float32(1e4)).astype(np.int64)
        volume = 1e-4 * int(deep[deep > 0].sum()) * self.grid.cell * self.grid.cell
        r = self.grid.radius
        return volume * self.bricks.solid / (giving.SPHERE * r * r * r)

    def room(self, state: State) -> int:
        """Grains that may still be made."""
        return min(self.most - self._own(state), state.capacity - state.count)

    def _outside(self, simulation: Simulation, fresh: int) -> int:
        """Leaves out those laid that would lie in an obstacle or a body."""
        walls = [(self._walls, simulation.model.poses(simulation.state.time))]
        if simulation._movers is not None:
            walls.append((simulation._movers.solid, simulation._movers.poses_now()))
        find_inside(self.laid, fresh, walls, OVERLAP * self.grid.radius, self.scratch.hit)
        return int(grains.leave_out(self.laid, fresh, self.scratch.hit))

    def _convert(
        self, simulation: Simulation, fresh: int, wide: I64, touched: NDArray[np.uint8], done: Dug
    ) -> NDArray[np.bool_]:
        """Does what was prepared."""
        if self._changes == 0:
            return touched != 0
        state, ground, scratch, laid = simulation.state, self.ground, self.scratch, self.laid
        ground.open(self._near != 0)
        count = state.count
        total = np.zeros(len(ground.owed))
        giving.weigh(
            ground.columns, self.bricks, self.grid, _rows(state), count, scratch.action, laid, fresh, scratch.soil,
            scratch.mass, total,
        )  # fmt: skip
        opened = wide[ground.columns.slot[wide[:, 0], wide[:, 1]] >= 0]
        giving.cut_columns(ground.columns, self.nodes, self.grid, opened, ground.owed, touched)
        kind = laid.kind[:fresh]
        if fresh:
            X = laid.X[:fresh]
            state.append(
                X[:, :3], np.zeros((fresh, 3)), X[:, 3], np.ones(fresh), np.zeros(fresh, np.int32),
                np.ones(fresh, np.bool_),
            )  # fmt: skip
            state.key[count : count + fresh] = np.where(kind == FACE, laid.key[:fresh], FREE)
            state.ledger.dug += fresh
        giving.share_out(
            _rows(state), count, scratch.action, laid, fresh, scratch.soil, scratch.mass, total, ground.mass_unit,
            ground.owed, self.material,
        )  # fmt: skip
        action = scratch.action[:count]
        done.freed += int(np.count_nonzero(kind)) + int(np.count_nonzero(action == giving.COMES_FREE))
        gone = np.zeros(state.count, np.bool_)
        gone[:count] = action == giving.GOES
        if gone.any():
            state.ledger.returned += int(gone.sum())
            state.keep(~gone)
        return touched != 0

    def _follow(self, tiles: I64) -> None:
        """Lets the surface that grains touch follow."""
        ground = self.ground
        if follow(self.nodes, self.grid, ground.columns, tiles, self.marked):
            (i0, j0), (i1, j1) = tiles.min(axis=0) * TILE, (tiles.max(axis=0) + 1) * TILE
            self._contact_changed(int(i0), min(int(i1), ground.nx) + 1, int(j0), min(int(j1), ground.ny) + 1)
        ground.open(self.marked != 0)
        self.seen = ground.epoch

    def _contact_changed(self, i0: int, i1: int, j0: int, j1: int) -> None:
        contact = self.nodes.contact
        contact[0], contact[-1] = contact[1], contact[-2]
        contact[:, 0], contact[:, -1] = contact[:, 1], contact[:, -2]
        heights_changed(self.table, self.row, i0, i1, j0, j1)

    def _own(self, state: State) -> int:
        """Grains made of ground, free or fixed."""
        n = state.count
        return int(np.count_nonzero((state.units[:n] > 0) | (state.key[:n] != FREE)))

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            warnings.warn(
                f"terrain.most_grains: {self.most} grains are not enough for what the tools dig; from now on they meet "
                "solid ground where there is no room. Raise most_grains, or grain_radius",
                DiggingWarning,
                stacklevel=2,
            )


def lying_density(simulation: Simulation, material: NDArray[np.int32], ground: Ground, solid: float) -> F64:
    """(soils,) density at which grains of each soil lie when they have come to rest, kg/m³.

    Poured grains fill about the same share of a volume as those of the brick do, so that a heap that turns into ground
    keeps its height and its slope; soils that bulk more than their grains do so only as ground that slides.
    """
    curves = calibrations().get(simulation.solver.name)
    natural = ground.columns.natural[:, 2]
    result = np.zeros(len(natural))
    materials = list(simulation.assembled.materials.values())
    for k, density in enumerate(natural):
        share = 1.0
        if curves is not None:
            share = min(curves.solid_fraction_for(materials[material[k]].friction_static) / solid, 1.0)
        result[k] = max(share * density, min(ground.columns.soils[k, LOOSE], density))
    return result


def _rows(state: State) -> giving.SoilRows:
    return giving.SoilRows(state.X, state.V, state.material, state.units, state.key, state.calm)


def _without(table: ShapeTable, row: int) -> ShapeTable:
    """The table without one row."""
    return table._replace(planes=table.planes[table.planes != row], solids=table.solids[table.solids != row])
