"""Beds in a running simulation: grains at rest in one become columns that move with it, and grains again when it tips.

    settle     the bed is level, no other tool is over it, and hardly anything in it moves: all of it becomes columns
               at once, so that no grain loses a neighbour that carried it
    release    the bed tilts: the columns become grains of the brick, larger ones if there is no room for so many
    push       in between, the load presses on the body as a mass at its centre, with its inertia

What one side gives the other takes, to the last unit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.fixed_math import norm, power, rotate
from windrow.geometry.pieces import pieces_of
from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import heights_changed, heights_in
from windrow.geometry.terms import F32, F64, I32, I64
from windrow.scene.brick import brick_of
from windrow.sim.digging import grains
from windrow.sim.tool_forces import Pushes, push_back
from windrow.state.form import Array, bad_snapshot
from windrow.state.state import FREE
from windrow.terrain.beds import Bed, shared_out
from windrow.terrain.bricks import Bricks, bricks_of
from windrow.terrain.giving import STAYS, SoilRows

if TYPE_CHECKING:
    from windrow.sim.digging.digging import Digging
    from windrow.sim.simulation import Simulation

SLOW, LOOKS = 0.05, 4
"""m/s against the body, and looks in a row, at which soil in a bed has come to rest"""
STRAY = 0.02
"""Share of the grains in a bed that may still roll: they come to rest where they are"""
LEVEL, TIPS = 0.9877, 0.9744
"""cos of the tilt up to which a bed settles, 9°, and from which on it is released, 13°"""
HEAPED = 0.5
"""m above the room up to which grains are heaped on it"""
OVER = 1.0
"""m above the room within which another tool is over it"""
CLEAR = 0.98
"""Of a grain's radius that it keeps from the walls when it is laid"""
NEAR = 1e-3
"""m beyond a box within which rounding may still find a grain"""
GROWN = 1.02
"""By which grains are made larger, beyond what their number asks for, where there is no room for so many"""

FORM = {
    "bed_units": Array(np.int64, ("bed_columns", "soils"), low=0, below=1 << 48),
    "bed_calm": Array(np.int64, ("beds",), low=0, below=LOOKS),
}
"""What `Beds.memory` gives; see `state.form`."""


class Beds:
    """All beds of one simulation."""

    def __init__(self, simulation: Simulation, digging: Digging) -> None:
        self.digging = digging
        movers, whole = simulation._movers, simulation.assembled
        pieces = pieces_of(whole)
        soils = len(digging.ground.columns.soils)
        self.beds = [Bed(place, pieces, whole, soils) for place in (() if movers is None else movers.beds)]
        self.first = 0 if movers is None else movers.first_bed
        """row of the first one's surface, in the table of the movers"""
        self.held = simulation.tools.held
        for k in range(len(self.beds)):
            self._shape(simulation, k)

    @property
    def _unit(self) -> float:
        return self.digging.ground.mass_unit

    def _shape(self, simulation: Simulation, k: int) -> None:
        """Lets the surface, and the account of what is held, follow the columns of bed k."""
        bed, movers = self.beds[k], simulation._movers
        assert movers is not None
        nx, ny = bed.place.shape
        heights_in(movers.table, self.first + k)[:] = bed.contact(
            self._unit, self.digging.lying, self.digging.grid.radius
        )
        heights_changed(movers.table, self.first + k, 0, nx, 0, ny)
        for soil in range(self.held.shape[1]):
            self.held[bed.place.tool, soil] = int(bed.units[:, :, soil].sum())

    # --- the exchange -------------------------------------------------------------------------------------

    def exchange(self, simulation: Simulation) -> tuple[int, int]:
        """Settles and releases what is due; returns how many grains went and came."""
        went = came = 0
        for k, bed in enumerate(self.beds):
            assert simulation.bodies is not None
            pose = simulation.bodies.poses()[bed.place.body]
            up = float(pose[8])
            if bed.loaded and up < TIPS:
                came += self._release(simulation, k, pose)
            elif up > LEVEL:
                went += self._settle(simulation, k, pose)
            else:
                bed.calm = 0
        return went, came

    def _settle(self, simulation: Simulation, k: int, pose: F64) -> int:
        bed, state, bodies = self.beds[k], simulation.state, simulation.bodies
        assert bodies is not None
        n, place = state.count, bed.place
        R, upper = pose[:9].reshape(3, 3), place.upper + np.array([0.0, 0.0, HEAPED])
        near = _in_box(state.X[:n], pose[9:] + rotate(R, _corners(place.lower, upper)))
        near = near[(state.units[near] > 0) & (state.key[near] == FREE)]
        X = state.X[near, :3].astype(np.float64)
        local = rotate(R.T, X - pose[9:])
        within = ((local >= place.lower) & (local <= upper)).all(axis=1)
        X, local, inside = X[within], local[within], np.zeros(n, np.bool_)
        inside[near[within]] = True
        if len(X) == 0 or self._under_a_tool(simulation, bed, pose):
            bed.calm = 0
            return 0
        V, x = bodies.motion.V[place.body], bodies.motion.x[place.body]
        against = state.V[:n, :3][inside].astype(np.float64) - V[:3] - np.cross(V[3:], X - x)
        fast = int(np.count_nonzero(norm(against) >= SLOW))
        bed.calm = bed.calm + 1 if fast <= STRAY * len(against) else 0
        if bed.calm < LOOKS:
            return 0
        bed.calm = 0
        i, j = bed.column_of(local)
        soil = self.digging.soil_of[state.material[:n][inside]]
        np.add.at(bed.units, (i, j, soil), state.units[:n][inside])
        many = int(inside.sum())
        state.ledger.returned += many
        state.keep(~inside)
        self._shape(simulation, k)
        return many

    def _under_a_tool(self, simulation: Simulation, bed: Bed, pose: F64) -> bool:
        """Whether the room of another tool of a body is over a bed."""
        assert simulation.bodies is not None
        poses = simulation.bodies.poses()
        R, place = pose[:9].reshape(3, 3), bed.place
        for k, tool in enumerate(simulation.tools.geometry):
            if k == place.tool or tool.body < 0:
                continue
            turn, lower, upper = tool.room
            other = poses[tool.body]
            world = other[9:] + rotate(other[:9].reshape(3, 3), rotate(turn, _corners(lower, upper)))
            local = rotate(R.T, world - pose[9:])
            apart = (local.min(axis=0) > place.upper + np.array([0.0, 0.0, OVER])) | (local.max(axis=0) < place.lower)
            if not apart.any():
                return True
        return False

    def _release(self, simulation: Simulation, k: int, pose: F64) -> int:
        bed, state, bodies = self.beds[k], simulation.state, simulation.bodies
        assert bodies is not None
        local, radius = self._lay(bed, self.digging.room(state))
        R = pose[:9].reshape(3, 3)
        place = pose[9:] + rotate(R, local)
        free = self._clear(simulation, place, radius)
        local, place, radius = local[free], place[free], radius[free]
        if len(radius) == 0:
            return 0
        soil, units = self._shares(bed, local, radius)
        V, x = bodies.motion.V[bed.place.body], bodies.motion.x[bed.place.body]
        new = slice(state.count, state.count + len(radius))
        state.append(
            place, V[:3] + np.cross(V[3:], place - x), radius, units.astype(np.float64) * self._unit,
            self.digging.material[soil],
        )  # fmt: skip
        state.units[new], state.key[new], state.calm[new] = units, FREE, 0
        state.ledger.dug += len(radius)
        bed.units[:] = 0
        self._shape(simulation, k)
        return len(radius)

    def _lay(self, bed: Bed, room: int) -> tuple[F64, F64]:
        """Places (n, 3), m, in the body's frame, and radii of grains that fill the bed up to its surface."""
        brick, radius = brick_of("mixed"), self.digging.grid.radius
        surface = bed.surface(self._unit, self.digging.lying)
        while True:
            bricks = bricks_of(brick, radius)
            local, r = _bricks_in(bricks, bed.place.lower, np.append(bed.place.upper[:2], surface.max()))
            below = local[:, 2] < bed.heights_at(surface, local)
            local, r = local[below], r[below]
            distance, _ = distance_to_obstacles(bed.walls, bed.poses, local)
            above = local[:, 2] > bed.heights_at(bed.floor, local)
            kept = above & (distance > CLEAR * r)
            local, r = local[kept], r[kept]
            if len(r) <= max(room, 1):
                return local, r
            radius *= GROWN * float(power(len(r) / max(room, 1), 1.0 / 3.0))

    def _clear(self, simulation: Simulation, place: F64, radius: F64) -> Any:
        """Which of the grains laid would lie in no other grain."""
        digging, state = self.digging, simulation.state
        laid, many = digging.laid, len(radius)
        laid.X[:many, :3], laid.X[:many, 3] = place, radius
        digging.scratch.action[: state.count] = STAYS
        rows = SoilRows(state.X, state.V, state.material, state.units, state.key, state.calm)
        grains.find_overlaps(rows, state.count, laid, many, 0.1 * digging.grid.radius, digging.scratch)
        return digging.scratch.hit[:many] == 0

    def _shares(self, bed: Bed, local: F64, radius: F64) -> tuple[I32, I64]:
        """Soil and mass, in units, of each grain: soils in the proportion of its column, the whole of each soil given
        out among its grains by volume."""
        many = len(radius)
        i, j = bed.column_of(local)
        column = i * bed.place.shape[1] + j
        order = np.argsort(column, kind="stable")
        first = np.searchsorted(column[order], column[order], side="left")
        last = np.searchsorted(column[order], column[order], side="right")
        rank = np.empty(many)
        rank[order] = (np.arange(many) - first + 0.5) / (last - first)
        total = np.array([int(bed.units[:, :, s].sum()) for s in range(bed.units.shape[2])])
        soil, filled = np.full(many, int(total.argmax()), np.int32), np.zeros(many)
        here = np.maximum(bed.units[i, j].sum(axis=1), 1)
        for s in range(len(total)):
            share = bed.units[i, j, s] / here
            soil[(rank >= filled) & (rank < filled + share)] = s
            filled += share
        units, most = np.zeros(many, np.int64), int(total.argmax())
        # what is too little for a grain of its own goes with the soil that there is most of
        for s in np.flatnonzero(total).tolist():
            own = soil == s
            if s != most and (not own.any() or total[s] < own.sum()):
                soil[own] = most
                total[most] += total[s]
                total[s] = 0
        if not (soil == most).any():
            soil[0] = most
        for s in np.flatnonzero(total).tolist():
            own = soil == s
            weight = radius[own] * radius[own] * radius[own]
            units[own] = shared_out(int(total[s]), weight)
        return soil, units

    # --- the load -----------------------------------------------------------------------------------------

    def push(self, simulation: Simulation, dt: float) -> None:
        """Gives bodies the weight and the inertia of what lies in their beds, over the coming dt (s)."""
        bodies = simulation.bodies
        for bed in self.beds:
            if bodies is None or not bed.loaded:
                continue
            mass, centre = bed.load(self._unit, self.digging.lying)
            pose = bodies.poses()[bed.place.body]
            arm = rotate(pose[:9].reshape(3, 3), centre)
            force = push_back(bodies, bed.place.body, Pushes([], mass, pose[9:] + arm), dt)[0]
            row = len(simulation.assembled.obstacles) + bed.place.body
            simulation.state.body_force[row] += force
            simulation.state.body_torque[row] += np.cross(arm, force)

    # --- looking and restart ------------------------------------------------------------------------------

    def told(self, simulation: Simulation) -> dict[str, Any]:
        """Surfaces of the loaded beds, by the names of their tools, for notes of frames; heights in mm."""
        result = {}
        names = list(simulation.tools)
        for bed in self.beds:
            if bed.loaded:
                surface = bed.surface(self._unit, self.digging.lying)
                result[names[bed.place.tool]] = {
                    "row": simulation.tools.geometry[bed.place.tool].row,
                    "lower": [float(v) for v in bed.place.lower[:2]],
                    "upper": [float(v) for v in bed.place.upper[:2]],
                    "soil": int(self.held[bed.place.tool].argmax()),
                    "heights": np.round(1e3 * surface).astype(int).tolist(),
                }
        return result

    def memory(self) -> dict[str, Any]:
        soils = self.held.shape[1]
        units = [bed.units.reshape(-1, soils) for bed in self.beds]
        return {
            "bed_units": np.concatenate([np.zeros((0, soils), np.int64), *units]),
            "bed_calm": np.array([bed.calm for bed in self.beds], np.int64),
        }

    def sizes(self) -> dict[str, int]:
        """Of what `memory` gives."""
        columns = sum(bed.place.shape[0] * bed.place.shape[1] for bed in self.beds)
        return {"beds": len(self.beds), "bed_columns": columns}

    def check(self, memory: dict[str, Any], held: I64) -> None:
        """Raises FileFormatError unless the columns hold what the tools (n, soils) are said to; each has its form."""
        first = 0
        for bed in self.beds:
            many = bed.place.shape[0] * bed.place.shape[1]
            units = memory["bed_units"][first : first + many].sum(axis=0)
            first += many
            if (units != held[bed.place.tool]).any():
                sums, said = units.tolist(), held[bed.place.tool].tolist()
                raise bad_snapshot("ground", "bed_units", f"adds up to {sums} by soil, but tools.held says {said}")

    def recall(self, simulation: Simulation, memory: dict[str, Any]) -> None:
        """Takes back what `memory` gave."""
        first = 0
        for k, bed in enumerate(self.beds):
            many = bed.place.shape[0] * bed.place.shape[1]
            bed.units[:] = memory["bed_units"][first : first + many].reshape(bed.units.shape)
            bed.calm = int(memory["bed_calm"][k])
            first += many
            self._shape(simulation, k)


def _corners(lower: F64, upper: F64) -> F64:
    """(8, 3) of a box."""
    return np.array([[(lower, upper)[c >> a & 1][a] for a in range(3)] for c in range(8)])


def _in_box(X: F32, corners: F64) -> I64:
    """Which grains have their centres in a box, along the axes of the world, around some points (n, 3), m."""
    found = np.ones(len(X), np.bool_)
    for a in range(3):
        found &= (X[:, a] >= corners[:, a].min() - NEAR) & (X[:, a] <= corners[:, a].max() + NEAR)
    return np.flatnonzero(found)


def _bricks_in(bricks: Bricks, lower: F64, upper: F64) -> tuple[F64, F64]:
    """Places (n, 3) and radii of the grains of repeated bricks with their centres in a box, m."""
    counts = [math.ceil((high - low) / bricks.edge) for low, high in zip(lower, upper, strict=True)]
    shifts = np.stack(np.meshgrid(*(np.arange(max(c, 1)) for c in counts), indexing="ij"), axis=-1).reshape(-1, 1, 3)
    places = (lower + bricks.position[None] + bricks.edge * shifts).reshape(-1, 3)
    radii = np.tile(bricks.radius, len(shifts))
    kept = (places <= upper).all(axis=1)
    return places[kept], radii[kept]
