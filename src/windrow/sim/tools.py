"""Tools at work: what presses on each, what the earthmoving equation says of its cut, and what it carries.

In the field fidelity tools dig here: columns that they cut become their load, and the equation is the force. Otherwise
grains resist, and the equation is a monitor beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import arctangent2, norm, rotate
from windrow.geometry.terms import F64
from windrow.kernel import SameTypes
from windrow.machines.weighing import PosedBox, Scales
from windrow.scene.scene import Scene
from windrow.sim.scripts import Script
from windrow.sim.tool_forces import Pushes, push_back
from windrow.state.form import Array, checked
from windrow.terrain import digging
from windrow.terrain.cutting import (
    ADHESION,
    BODIES,
    CUTTING,
    DEAD_LOAD,
    DEPTH,
    FILL,
    GRAINS,
    INERTIA,
    IS_BUCKET,
    PART_NAMES,
    PARTS,
    PENETRATION,
    UNDERSIDE,
    LaidHeights,
    cavity_factors,
    empty_cut,
)
from windrow.terrain.digging import EQUATION, Local, plate_with_room
from windrow.terrain.earthmoving import TERMS
from windrow.terrain.field import ACROSS, ALONG, UP, nothing_dug, press_floor
from windrow.terrain.ground import Ground
from windrow.terrain.layers import DENSITY, LOOSE, MASS_UNIT, TILE
from windrow.terrain.sliding import WALL
from windrow.terrain.tools import ToolGeometry, tools_of

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation

TERM_NAMES = ("weight", "cohesion", "surcharge", "adhesion", "inertia")
AVERAGED = 0.25
"""s over which force and equation are averaged before they are compared"""
ALIKE = (0.5, 2.0)
"""Force over equation; outside of it the grains are too coarse for the cut, or the cut is none of the equation's."""
LEAST_DRAFT = 50.0
"""N of the equation below which nothing is compared"""
WINDOW = 40
"""Columns ahead of a tool, to each side, whose grains count as ground."""


FORM = {
    "held": Array(np.int64, ("tools", "soils"), low=0),
    "told": Array(np.float64, ("tools", digging.TOLD)),
}
"""What `Tools.memory` gives; see `state.form`."""


class ToolReading:
    """One tool over the last step. Forces are those on the tool, in the world, N."""

    def __init__(self, tools: Tools, number: int) -> None:
        self._tools, self._number = tools, number
        self._geometry = tools.geometry[number]

    @property
    def _row(self) -> F64:
        return self._tools.told[self._number]

    @property
    def name(self) -> str:
        return self._geometry.name

    @property
    def row(self) -> int:
        """Of what carries it, among the obstacles and bodies of a frame."""
        return self._geometry.row

    @property
    def rated(self) -> float:
        """Volume that it is made for, m³; 0: none is given."""
        return self._geometry.volume

    @property
    def parts(self) -> dict[str, F64]:
        """Its force by part, each (3,): they add up to `force`."""
        rows = self._row[: 3 * PARTS].reshape(PARTS, 3)
        return {name: rows[k].copy() for k, name in enumerate(PART_NAMES)}

    @property
    def force(self) -> F64:
        """(3,) of all that touches it: grains, ground, bodies; joints do not count."""
        rows = self._row[: 3 * PARTS].reshape(PARTS, 3)
        return np.array([float(rows[:, a].sum()) for a in range(3)])

    @property
    def earthmoving_parts(self) -> dict[str, F64]:
        """Terms of the earthmoving equation for the current cut, each (3,), as if the tool moved ahead."""
        rows = self._row[EQUATION : EQUATION + 3 * TERMS].reshape(TERMS, 3)
        return {name: rows[k].copy() for k, name in enumerate(TERM_NAMES)}

    @property
    def earthmoving(self) -> F64:
        """(3,) force that the fundamental earthmoving equation predicts for the current cut."""
        return np.asarray(sum(self.earthmoving_parts.values()))

    @property
    def depth(self) -> float:
        """Of the edge below the surface ahead, mean over its width, m."""
        return float(self._row[digging.TOLD_DEPTH])

    @property
    def rake_deg(self) -> float:
        """Of the plate that parts the soil, from the horizontal behind the edge, degrees; 90: upright."""
        return float(np.rad2deg(self._row[digging.TOLD_RAKE]))

    @property
    def slip_deg(self) -> float:
        """Of the plane on which the soil ahead fails, from the surface, degrees; 0: nothing is cut."""
        cot = float(self._row[digging.TOLD_SLIP])
        return float(np.rad2deg(arctangent2(1.0, cot))) if cot > 0.0 else 0.0

    @property
    def payload(self) -> float:
        """What it carries, or pushes ahead of it as a blade, kg."""
        return float(self._row[digging.TOLD_MASS])

    @property
    def volume(self) -> float:
        """The same, loose, m³."""
        return float(self._row[digging.TOLD_VOLUME])

    @property
    def fill_factor(self) -> float:
        """Loose volume over the rated one; 0 for a tool that has none."""
        rated = self._geometry.volume
        return self.volume / rated if rated > 0.0 else 0.0

    def told(self) -> dict[str, Any]:
        """All of it as plain numbers, for notes of frames."""
        names = ("depth", "rake_deg", "payload", "volume", "fill_factor")
        numbers = {name: float(getattr(self, name)) for name in names}
        return {
            "force": _list(self.force),
            "parts": {name: _list(part) for name, part in self.parts.items()},
            "earthmoving": _list(self.earthmoving),
            "equation": {name: _list(part) for name, part in self.earthmoving_parts.items()},
            **numbers,
        }


class Tools(Mapping[str, ToolReading]):
    """The tools of one simulation by name."""

    def __init__(self, scene: Scene, whole: Scene, ground: Ground | None) -> None:
        """scene: as given; whole: with the parts of its machines."""
        self.geometry: list[ToolGeometry] = tools_of(scene)
        self.ground = ground
        self.field = scene.terrain is not None and scene.terrain.fidelity == "field"
        n = len(self.geometry)
        soils = 1 if ground is None else len(ground.columns.soils)
        self.told = np.zeros((n, digging.TOLD))
        """readings of each tool, see `digging.TOLD`"""
        self.held = np.zeros((n, soils), np.int64)
        """what each carries, in units of the ground's mass, by soil"""
        if ground is not None:
            ground.held = self.held
        self.walls = np.zeros((n if self.field else 0, WALL))
        """where tools keep columns from each other, see `sliding.parted`"""
        self._index = {tool.name: k for k, tool in enumerate(self.geometry)}
        if scene.task is not None and scene.task.into and scene.task.into not in self._index:
            raise SceneError(f"task.into: {unknown_name('tool', scene.task.into, self._index)}")
        if scene.task is not None and scene.task.surface is not None and ground is None:
            raise SceneError("task.surface: is made of ground, and there is none; add a terrain")
        self._scripts = {k: Script(whole.obstacles[t.obstacle]) for k, t in enumerate(self.geometry) if t.body < 0}
        self._pose, self._time = np.zeros((n, 2, 12)), -1.0
        self._before = [plate_with_room(t.numbers) for t in self.geometry]
        self._plates = [plate_with_room(t.numbers) for t in self.geometry]
        walls = self.walls if self.field else np.zeros((n, WALL))
        self._dug = [nothing_dug(self.held[k], walls[k]) for k in range(n)]
        self._cuts = [empty_cut() for _ in self.geometry]
        self._locals = [_local(tool) for tool in self.geometry]
        self._cavity = np.zeros((soils, 4)) if ground is None else cavity_factors(ground.columns.soils)
        self._laid = LaidHeights(np.zeros((2 * WINDOW, 2 * WINDOW), np.float32), np.zeros(2, np.int64))
        self._no_grains = LaidHeights(np.zeros((0, 0), np.float32), np.zeros(2, np.int64))
        self._pushed: dict[int, list[F64]] = {}
        self._work, self._look = SameTypes(digging.work), SameTypes(digging.look)
        self._scales: Scales | None = None
        self.touched = np.zeros((0, 3))
        """(bodies and obstacles, 3) force of all contacts between bodies in the last step, N"""

    def __getitem__(self, name: str) -> ToolReading:
        if name not in self._index:
            raise SceneError(unknown_name("tool", name, self._index))
        return ToolReading(self, self._index[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def stand_on(self, ground: Ground) -> None:
        """Works in this ground from now on, which keeps account of what tools carry."""
        self.ground, ground.held = ground, self.held

    @property
    def apart(self) -> list[int]:
        """Bodies whose tools meet the ground here, and not as contacts."""
        return [t.body for t in self.geometry if t.body >= 0 and t.cutting is not None] if self.field else []

    # --- the step ------------------------------------------------------------------------------------------

    def begin(self, simulation: Simulation) -> None:
        """Notes where the tools are at the begin of a step."""
        if self._index:
            if self._time == simulation.state.time:
                self._pose[:, 0] = self._pose[:, 1]
            else:
                self._place(simulation, 0)
            self._pushed.clear()

    def push(self, simulation: Simulation, dt: float) -> None:
        """Gives bodies what the ground and their load give them over the coming dt (s)."""
        if not self.field or simulation.bodies is None:
            return
        working = [k for k, t in enumerate(self.geometry) if t.body >= 0 and t.cutting is not None]
        if not working:
            return
        bodies = simulation.bodies
        free = bodies.preview(dt).V
        for k in working:
            pushes = self._resisting(k, free[self.geometry[k].body], bodies, dt)
            forces = push_back(bodies, self.geometry[k].body, pushes, dt)
            known = self._pushed.get(k)
            share = dt / simulation.solver.dt
            self._pushed[k] = [
                share * force + (0.0 if known is None else known[p]) for p, force in enumerate(forces)
            ]

    def _resisting(self, k: int, free: F64, bodies: Any, dt: float) -> Pushes:
        """What a tool on a body meets where it is now, going as it would without."""
        ground, tool, plate = self.ground, self.geometry[k], self._plates[k]
        assert ground is not None
        pose = np.zeros((2, 12))
        pose[0] = pose[1] = bodies.poses()[tool.body]
        # as if it came from where its present speed says, which the inertia of the soil asks for
        pose[0, 9:] -= dt * bodies.motion.V[tool.body, :3]
        told = np.zeros(digging.TOLD)
        self._look(
            ground.columns, self._cavity, self._locals[k], pose, ground.position, self._before[k], plate,
            self._no_grains, self._dug[k], self._cuts[k], told, dt,
        )  # fmt: skip
        cut, middle = self._cuts[k], plate.edge.mean(axis=0) + ground.position
        deep = middle + np.array([0.0, 0.0, float(cut.slices[:, DEPTH].max()) / 3.0])
        full = cut.full
        resisting = [(full[CUTTING] + full[ADHESION] + full[INERTIA], deep), (full[PENETRATION].copy(), middle)]
        # The floor, where it would be after the step.
        ahead = dt * (free[:3] + np.cross(free[3:], middle - bodies.motion.x[tool.body]))
        plate.edge[:] += ahead
        ground.open(_tiles_near(ground, plate.edge, tool))
        floor = nothing_dug(self.held[k], self._dug[k].wall)
        press_floor(ground.columns, ground.tile_mass, plate, floor, False)
        up = float(floor.numbers[UP])
        point = middle.copy()
        if up > 0.0:
            along = plate.edge[1] - plate.edge[0]
            along = along / float(norm(along))
            back = plate.direction * np.array([1.0, 1.0, 0.0])
            point += along * float(floor.numbers[ALONG]) / up - back * float(floor.numbers[ACROSS]) / up
        resisting.append((np.array([0.0, 0.0, up + float(full[UNDERSIDE, 2])]), point))
        bucket = bool(plate.numbers[IS_BUCKET])
        mass = float(self.held[k].sum()) * float(ground.columns.numbers[MASS_UNIT]) if bucket else 0.0
        fill = min(float(plate.numbers[FILL]), 1.0)
        rotation = pose[1, :9].reshape(3, 3)
        centre = pose[1, 9:] + rotate(rotation, tool.centre[0] + fill * tool.centre[1])
        return Pushes(resisting, mass, centre)

    def end(self, simulation: Simulation) -> None:
        """Digs on the way of the step, and reads all tools."""
        if not self._index:
            return
        self._place(simulation, 1)
        self._time = simulation.state.time
        for k, tool in enumerate(self.geometry):
            if self.field and tool.cutting is not None:
                self._dig(simulation, k, tool)
            else:
                self._read(simulation, k, tool)

    def _place(self, simulation: Simulation, when: int) -> None:
        poses = None if simulation.bodies is None else simulation.bodies.poses()
        for k, tool in enumerate(self.geometry):
            if tool.body < 0:
                self._scripts[k].pose(simulation.state.time, self._pose[k, when])
            else:
                assert poses is not None
                self._pose[k, when] = poses[tool.body]

    def _dig(self, simulation: Simulation, k: int, tool: ToolGeometry) -> None:
        ground, dug, told = self.ground, self._dug[k], self.told[k]
        assert ground is not None
        given = (
            self._locals[k], self._pose[k], ground.position, self._before[k], self._plates[k], dug, self._cuts[k], told,
            simulation.solver.dt,
        )  # fmt: skip
        while self._work(ground.columns, self._cavity, ground.tile_mass, *given):
            tiles = np.zeros(ground.tiles, np.bool_)
            tiles[dug.box[0] : dug.box[1], dug.box[2] : dug.box[3]] = True
            ground.open(tiles)
        if dug.box[1] > 0:
            ground.dug(*dug.box.tolist())
        if k in self._pushed:
            _told_of_body(told, self._pushed[k], float(simulation.scene.gravity[2]), told[digging.TOLD_MASS], tool)
        state, row = simulation.state, tool.row
        if state.count or simulation.bodies is not None:
            part = GRAINS if state.count else BODIES
            told[3 * part : 3 * part + 3] = state.body_force[row]
        parts = told[: 3 * PARTS].tolist()
        for a in range(3):
            state.body_force[row, a] = sum(parts[a::3])
            state.body_torque[row, a] += told[digging.TOLD_MOMENT + a]

    def _read(self, simulation: Simulation, k: int, tool: ToolGeometry) -> None:
        """Readings of a tool that grains resist."""
        state, told, dt = simulation.state, self.told[k], simulation.solver.dt
        rows = told[: 3 * PARTS].reshape(PARTS, 3)
        rows[:] = 0.0
        total = state.body_force[tool.row]
        obstacles = len(simulation.assembled.obstacles)
        if simulation.bodies is not None:
            force = self.touched
            rows[BODIES] = force[tool.body if tool.body >= 0 else len(force) - obstacles + tool.row]
            if self.ground is not None:
                rows[UNDERSIDE] = _from_ground(simulation, tool)
                rows[BODIES] -= rows[UNDERSIDE]
        pose = self._pose[k, 1]
        self._weigh(simulation, tool, pose, told)
        velocity = _velocity(self._pose[k], tool.centre[0], dt)
        mass = told[digging.TOLD_MASS]
        gravity = np.asarray(simulation.scene.gravity, np.float64)
        if state.count:
            rows[DEAD_LOAD] = mass * gravity
            rows[INERTIA] = -mass * (velocity - told[digging.TOLD_VELOCITY : digging.TOLD_VELOCITY + 3]) / dt
        told[digging.TOLD_VELOCITY : digging.TOLD_VELOCITY + 3] = velocity
        rows[GRAINS] = total - rows[BODIES] - rows[UNDERSIDE] - rows[DEAD_LOAD] - rows[INERTIA]
        if tool.cutting is None or self.ground is None:
            return
        laid = self._lay(simulation, pose, tool)
        self._look(
            self.ground.columns, self._cavity, self._locals[k], self._pose[k], self.ground.position, self._before[k],
            self._plates[k], laid, self._dug[k], self._cuts[k], told, dt,
        )  # fmt: skip
        self._compare(told, total, dt)

    def _weigh(self, simulation: Simulation, tool: ToolGeometry, pose: F64, told: F64) -> None:
        """Mass and volume of the grains and loose bodies in the tool's room."""
        if self._scales is None:
            self._scales = Scales(simulation.bodies)
        room = _room(tool, pose)
        # What hangs over a bed in a bucket is the bucket's.
        others = [one for one in self.geometry if tool.settles and one.body >= 0 and not one.settles]
        rooms = [_room(one, self._pose[self._index[one.name], 1]) for one in others]
        amount = self._scales.weigh(simulation, [*rooms, room])[0][-1]
        told[digging.TOLD_MASS], told[digging.TOLD_VOLUME] = amount.mass, amount.volume
        if tool.settles and self.ground is not None:
            held = int(self.held[self._index[tool.name]].sum()) * self.ground.mass_unit
            told[digging.TOLD_MASS] += held
            told[digging.TOLD_VOLUME] += held / float(self.ground.columns.soils[0, LOOSE])

    def _lay(self, simulation: Simulation, pose: F64, tool: ToolGeometry) -> LaidHeights:
        """Height that grains around a tool add to the columns, for the surface ahead of it."""
        ground, state = self.ground, simulation.state
        assert ground is not None
        if state.count == 0:
            return self._no_grains
        assert tool.cutting is not None
        rotation = pose[:9].reshape(3, 3)
        middle = pose[9:] + rotate(rotation, np.array(tool.cutting.edge).mean(axis=0))
        u, v = ground.cell_at(middle[0], middle[1])
        self._laid.corner[:] = int(np.floor(u)) - WINDOW, int(np.floor(v)) - WINDOW
        density = float(ground.columns.soils[int(ground.columns.natural[0, 0]), DENSITY])
        digging.lay_grains(state.X, state.V, state.count, ground.columns, ground.position, density, self._laid)
        return self._laid

    def _compare(self, told: F64, total: F64, dt: float) -> None:
        """Averages what acts along the equation's force beside what the equation says."""
        equation = told[EQUATION : EQUATION + 3 * TERMS].reshape(TERMS, 3)
        along = np.array([float(equation[:, a].sum()) for a in range(3)])
        along[2] = 0.0
        size = float(norm(along))
        acts = float((total * along).sum()) / size if size > 0.0 else 0.0
        share = dt / (dt + AVERAGED)
        told[digging.TOLD_MEAN] += share * (acts - told[digging.TOLD_MEAN])
        told[digging.TOLD_MEAN + 1] += share * (size - told[digging.TOLD_MEAN + 1])

    def notes(self) -> dict[str, float]:
        """Where grains resist: force over equation of each tool that cuts, and which of them are out of range."""
        notes: dict[str, float] = {}
        if self.field or self.ground is None:
            return notes
        for name, told in zip(self._index, self.told, strict=True):
            acts, says = told[digging.TOLD_MEAN], told[digging.TOLD_MEAN + 1]
            if says > LEAST_DRAFT:
                ratio = float(acts / says)
                notes[f"{name}: force over equation"] = ratio
                if not ALIKE[0] <= ratio <= ALIKE[1]:
                    notes[f"{name}: resolution"] = ratio
        return notes

    # --- restart -------------------------------------------------------------------------------------------

    def memory(self) -> dict[str, Any]:
        """What tools carry, which a restarted run needs, and what they told of the last step."""
        return {"held": self.held.copy(), "told": self.told.copy()} if self._index else {}

    def check(self, memory: dict[str, Any]) -> None:
        """Raises FileFormatError unless it is what `memory` gives of these tools."""
        checked("tools", memory, FORM if self._index else {}, {"tools": len(self), "soils": self.held.shape[1]})

    def recall(self, memory: dict[str, Any]) -> None:
        """Takes back what `memory` gave, after `check`."""
        self._time = -1.0
        self._pushed.clear()
        if not self._index:
            return
        self.held[:], self.told[:] = memory["held"], memory["told"]
        self.walls[:] = 0.0
        if self.ground is None:
            return
        for k, tool in enumerate(self.geometry):
            rated = max(tool.volume, self.ground.cell * self.ground.cell * self.ground.cell)
            self._plates[k].numbers[FILL] = self.told[k, digging.TOLD_VOLUME] / rated


def _room(tool: ToolGeometry, pose: F64) -> PosedBox:
    """The room in a tool with the pose (12,) of what carries it."""
    turn, lower, upper = tool.room
    rotation = pose[:9].reshape(3, 3)
    return PosedBox(np.array([rotate(rotation, turn[:, a]) for a in range(3)]).T, pose[9:], lower, upper)


def _local(tool: ToolGeometry) -> Local:
    cutting = tool.cutting
    if cutting is None:
        return Local(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(3), tool.centre.copy())
    direction = np.array(cutting.direction, np.float64)
    return Local(
        np.array(cutting.edge, np.float64),
        np.array(cutting.top, np.float64),
        direction / float(norm(direction)),
        tool.centre.copy(),
    )


def _velocity(pose: F64, point: F64, dt: float) -> F64:
    """Of a point of the carrier between two poses (2, 12), m/s."""
    places = [pose[k, 9:] + rotate(pose[k, :9].reshape(3, 3), point) for k in range(2)]
    return np.asarray((places[1] - places[0]) / dt)


def _tiles_near(ground: Ground, edge: F64, tool: ToolGeometry) -> NDArray[np.bool_]:
    """Tiles that a tool with its edge there may press."""
    tiles = np.zeros(ground.tiles, np.bool_)
    wide = (digging.MARGIN + 1.0) * ground.cell + float(tool.numbers[digging.FLOOR])
    low, high = edge.min(axis=0) - wide, edge.max(axis=0) + wide
    spans = []
    for a, n in enumerate((ground.nx, ground.ny)):
        first, last = (int((x / ground.cell + 0.5 * n) // TILE) for x in (low[a], high[a]))
        spans.append(slice(max(first, 0), max(last + 1, 0)))
    tiles[spans[0], spans[1]] = True
    return tiles


def _from_ground(simulation: Simulation, tool: ToolGeometry) -> F64:
    """Force of the ground on a tool, as bodies touch, N."""
    bodies = simulation.bodies
    assert bodies is not None
    contacts, n = bodies.contacts, int(bodies.contacts.found[0])
    count = bodies.bodies.count
    ground = count + len(simulation.assembled.obstacles) - 1
    own = tool.body if tool.body >= 0 else count + tool.obstacle
    force = np.zeros(3)
    real, total = contacts.real[:n], contacts.total[:n]
    for side in range(2):
        among = (real[:, side] == own) & (real[:, 1 - side] == ground)
        force += (1.0 - 2.0 * side) * total[among].sum(axis=0)[:3]
    return force / (bodies.span or 1.0)


def _told_of_body(told: F64, forces: list[F64], gravity: float, mass: float, tool: ToolGeometry) -> None:
    """Replaces what a motion would meet by what a body met."""
    rows = told[: 3 * PARTS].reshape(PARTS, 3)
    rows[: GRAINS] = 0.0
    load, cutting, penetration, floor = forces
    weight = np.array([0.0, 0.0, mass * gravity if tool.bucket else 0.0])
    rows[DEAD_LOAD], rows[INERTIA] = weight, load - weight
    rows[CUTTING], rows[PENETRATION], rows[UNDERSIDE] = cutting, penetration, floor


def _list(vector: F64) -> list[float]:
    return [float(x) for x in np.nan_to_num(vector)]

