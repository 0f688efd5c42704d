"""Ground in a running simulation: it slides, contacts follow its surface, and what lies on it wakes when it moves.

`GroundArrays` is what users read and write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.geometry.table import ShapeTable, heights_changed, heights_in, reach_down
from windrow.geometry.terms import F32, F64, U8
from windrow.kernel import BLOCK
from windrow.scene.scene import Scene
from windrow.scene.terrain import TerrainSurface
from windrow.sim.digging.digging import FORM as DIGGING_FORM
from windrow.sim.digging.digging import Digging
from windrow.sim.ruts import Ruts
from windrow.sim.tools import Tools
from windrow.sim.track_ruts import TrackRuts
from windrow.state.form import Array, Number, bad_snapshot, checked
from windrow.state.state import State
from windrow.team import deal, parallel
from windrow.terrain.avalanche import Avalanche, widened
from windrow.terrain.ground import Ground
from windrow.terrain.layers import CELLS, LAYERS, TILE

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation
    from windrow.solvers.interface import Solver
    from windrow.solvers.multibody.stepper import MultibodyStepper


def with_surface(scene: Scene, ground: Ground) -> Scene:
    """The assembled scene with the ground's heights in its last obstacle."""
    size = (ground.nx + 1) * ground.cell, (ground.ny + 1) * ground.cell
    surface = TerrainSurface.model_construct(size=size, heights=ground.columns.height)
    last = scene.obstacles[-1].model_copy(update={"shape": surface})
    together = scene.model_copy(update={"obstacles": [*scene.obstacles[:-1], last]})
    together._base_dir = scene._base_dir
    return together


FORM: dict[str, Array | Number] = {
    "tile": Array(np.int32, ("tiles", 2), low=0),
    "height": Array(np.float32, ("tiles", TILE, TILE)),
    "mass": Array(np.int64, ("tiles", CELLS, LAYERS), low=0),
    "volume": Array(np.int64, ("tiles", CELLS, LAYERS), low=0),
    "soil": Array(np.uint8, ("tiles", CELLS, LAYERS), below="soils"),
    "borne": Array(np.float32, ("tiles", CELLS), low=0.0),
    "active": Array(np.uint8, ("rows", "columns"), below=2),
    "version": Array(np.int64, ("tiles",), low=0),
    "busy": Array(np.int64, (4,), low=0),
    **{name: Number(int, low=0) for name in ("epoch", "turn", "age", "added", "taken")},
    "owed": Array(np.int64, ("soils",)),
}
"""What `GroundStepper.memory` gives; see `state.form`."""


class GroundStepper:
    """Moves the ground of one simulation and tells those whom it concerns."""

    def __init__(
        self,
        ground: Ground,
        scene: Scene,
        shapes: ShapeTable,
        solver: Solver,
        bodies: MultibodyStepper | None,
        tools: Tools,
    ) -> None:
        self.ground, self.shapes, self.solver, self.bodies = ground, shapes, solver, bodies
        tools.stand_on(ground)
        self.alone = tools.field and bodies is None and not scene.emitters
        """nothing can touch the ground unless grains are there already"""
        self._near = np.zeros(solver.model.capacity, np.bool_)
        """(capacity,) grains over ground that has changed"""
        self.row = len(scene.obstacles) - 1
        """of the table of shapes"""
        heights = heights_in(shapes, self.row)
        ground.use_heights(heights.ravel())
        # what is buried under ground that was raised is met at any depth
        reach_down(shapes, self.row, ground.base)
        scene.obstacles[self.row].shape.__dict__["heights"] = heights
        self.avalanche = Avalanche(ground)
        self.avalanche.walls = tools.walls
        if tools.field:
            self.avalanche.work_nearby()
        presses = bodies is not None and ground.terrain.compaction
        self.ruts = Ruts(ground, bodies, self.row) if bodies is not None and presses else None
        tracked = bodies is not None and len(bodies.joints.tracks.joint) > 0
        self.tracks = TrackRuts(ground, bodies) if bodies is not None and tracked else None
        if self.tracks is not None:
            self.tracks.take_soils()
        self._told = ground.epoch
        self.digging: Digging | None = None
        """the exchange with grains; none: nothing digs"""

    def memory(self) -> dict[str, Any]:
        """What a restarted run needs: the ground, and how hard bodies press on it."""
        kept = self.ground.snapshot()
        if self.ruts is not None:
            kept["load"] = self.ruts.load.copy()
        if self.tracks is not None:
            kept["track_load"] = self.tracks.load.copy()
        return kept if self.digging is None else kept | self.digging.memory(kept["tile"])

    def check(self, memory: dict[str, Any], tools: dict[str, Any]) -> None:
        """Raises FileFormatError unless it is what `memory` gives of this ground; tools: theirs, which is checked."""
        tiles = self.ground.tiles
        form = FORM if self.ruts is None else FORM | {"load": Array(np.float64, ("bodies",), low=0.0)}
        form = form if self.digging is None else form | DIGGING_FORM
        footprints = 0 if self.tracks is None else len(self.tracks.load)
        if self.tracks is not None:
            form = form | {"track_load": Array(np.float64, ("footprints",), low=0.0)}
        sizes = {"rows": tiles[0], "columns": tiles[1], "soils": len(self.ground.columns.soils)}
        sizes["footprints"] = footprints
        sizes |= {} if self.digging is None else self.digging.beds.sizes()
        checked("ground", memory, form, sizes | {"bodies": 0 if self.ruts is None else len(self.ruts.load)})
        where = memory["tile"].astype(np.int64)
        place = where[:, 0] * tiles[1] + where[:, 1]
        if (where >= tiles).any() or len(np.unique(place)) < len(place):
            raise bad_snapshot("ground", "tile", "names tiles that there are not, or one twice")
        if self.digging is not None and self.digging.beds.beds:
            self.digging.beds.check(memory, tools["held"])

    def recall(self, simulation: Simulation, memory: dict[str, Any]) -> None:
        """Takes back what `memory` gave, on ground as it was at the start."""
        self.ground.restore(memory)
        if self.ruts is not None:
            self.ruts.load[:] = memory["load"]
        if self.tracks is not None:
            self.tracks.load[:] = memory["track_load"]
            self.tracks.take_soils()
        heights_changed(self.shapes, self.row, 0, self.ground.nx + 1, 0, self.ground.ny + 1)
        self._told = self.ground.epoch
        if self.digging is not None:
            self.digging.recall(simulation, memory["tile"], memory)

    def begin(self) -> None:
        """Looks for slopes that do not stand, once, when a simulation begins."""
        if self.ground.terrain.avalanche:
            self.avalanche.wake_all()

    def step(self, state: State, dt: float) -> None:
        """Lets the ground move for one step of dt (s)."""
        if self.ruts is not None:
            self.ruts.step(dt)
        if self.tracks is not None and self.ground.terrain.compaction:
            self.tracks.step(dt)
        if self.ground.terrain.avalanche:
            self.avalanche.step()
        if not self.alone or state.count:
            self.tell(state)
        if self.tracks is not None:
            self.tracks.take_soils()

    def tell(self, state: State) -> None:
        """Lets contacts follow what has changed, and wakes what lies there."""
        ground = self.ground
        if ground.epoch == self._told:
            return
        changed = ground.version > self._told
        self._told = ground.epoch
        where = np.argwhere(changed)
        (i0, j0), (i1, j1) = where.min(axis=0) * TILE, (where.max(axis=0) + 1) * TILE
        heights_changed(
            self.shapes, self.row, int(i0), min(int(i1), ground.nx) + 1, int(j0), min(int(j1), ground.ny) + 1
        )
        near = widened(changed)
        if state.count:
            corner = ground.place_of(np.array(-0.5), np.array(-0.5))
            find_grains_over(
                state.X, state.count, near.astype(np.uint8), float(corner[0]), float(corner[1]), TILE * ground.cell,
                self._near,
            )  # fmt: skip
            self.solver.wake(state, self._near)
        if self.bodies is not None:
            self.bodies.wake_over(lambda low, high: self._any_over(near, low, high))

    def _any_over(self, tiles: NDArray[np.bool_], low: F64, high: F64) -> bool:
        """Whether a box lies over one of these tiles."""
        u0, v0 = self.ground.cell_at(low[0], low[1])
        u1, v1 = self.ground.cell_at(high[0], high[1])
        (i0, i1), (j0, j1) = (
            (int(np.clip((first + 0.5) // TILE, 0, n)), int(np.clip((last + 0.5) // TILE, -1, n - 1)) + 1)
            for first, last, n in ((u0, u1, tiles.shape[0]), (v0, v1, tiles.shape[1]))
        )
        return bool(tiles[i0:i1, j0:j1].any())


@parallel
def find_grains_over(
    team: int, X: F32, count: int, tiles: U8, x0: float, y0: float, edge: float, found: NDArray[np.bool_]
) -> None:
    """Marks all grains over tiles that are marked; the tiles begin at (x0, y0)."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            u, v = (np.float64(X[i, 0]) - x0) / edge, (np.float64(X[i, 1]) - y0) / edge
            inside = u >= 0.0 and v >= 0.0 and u < tiles.shape[0] and v < tiles.shape[1]
            found[i] = inside and tiles[int(u), int(v)] != 0


class GroundArrays:
    """The ground as arrays (nx, ny), x first; [0, 0] is the cell at the lower corner. SI units.

    Arrays are copies: what is written to them changes nothing. Heights are those of the world.
    """

    def __init__(self, stepper: GroundStepper, state: State) -> None:
        self._stepper, self._state = stepper, state
        self._ground = stepper.ground

    @property
    def shape(self) -> tuple[int, int]:
        """Cells along x and y."""
        return self._ground.nx, self._ground.ny

    @property
    def cell(self) -> float:
        """Edge of a cell, m."""
        return self._ground.cell

    @property
    def x(self) -> F64:
        """(nx,) of the middles of cells, m."""
        return self._ground.place_of(np.arange(self._ground.nx), np.zeros(1))[0]

    @property
    def y(self) -> F64:
        """(ny,) of the middles of cells, m."""
        return self._ground.place_of(np.zeros(1), np.arange(self._ground.ny))[1]

    @property
    def height(self) -> F64:
        """Of the surface, m."""
        return self._ground.height().astype(np.float64) + self._ground.position[2]

    @property
    def mass(self) -> F64:
        """Of the whole column below each cell, kg."""
        return self._ground.per_cell(0)

    @property
    def density(self) -> F64:
        """Of the uppermost soil, kg/m³."""
        return self._ground.per_cell(1)

    @property
    def soil(self) -> U8:
        """Of the uppermost soil: index into `soil_names`."""
        return self._ground.per_cell(2)

    @property
    def soil_names(self) -> list[str]:
        return list(self._ground.soil_names)

    def height_at(self, x: Any, y: Any) -> Any:
        """Of the surface at places of the world, m, as grains and bodies meet it; NaN beyond the edge."""
        place = self._ground.cell_at(np.asarray(x, np.float64), np.asarray(y, np.float64))
        u, v = np.asarray(place[0]) + 1.0, np.asarray(place[1]) + 1.0
        heights = self._ground.columns.height
        outside = (u < 0.5) | (v < 0.5) | (u > self._ground.nx + 0.5) | (v > self._ground.ny + 0.5)
        i = np.clip(u, 0, self._ground.nx).astype(np.int64)
        j = np.clip(v, 0, self._ground.ny).astype(np.int64)
        u, v = u - i, v - j
        low, right, up, high = (heights[i + a, j + b].astype(np.float64) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1)))
        # The two triangles of a cell, as in `geometry.height`.
        found = np.where(v < u, low + u * (right - low) + v * (high - right), low + u * (high - up) + v * (up - low))
        found = np.where(outside, np.nan, found + self._ground.position[2])
        return float(found) if found.ndim == 0 else found

    def set_height(self, height: Any, x: Any = None, y: Any = None) -> None:
        """Fills up or cuts down the ground to heights of the world, m.

        `height`: a number or an array for all cells, or for those whose middles lie within `x` and `y`, each a pair
        (from, to) in m. Mass that this adds and takes away is booked in the ledger.
        """
        begin, end = zip(*(self._span(name, span) for name, span in (("x", x), ("y", y))), strict=True)
        wanted = (end[0] - begin[0], end[1] - begin[1])
        try:
            numbers = np.asarray(height, np.float64)
        except (TypeError, ValueError):
            raise SceneError(f"set_height: height must be a number or an array of them, m (got {height!r})") from None
        try:
            heights = np.broadcast_to(numbers, wanted)
        except ValueError:
            raise SceneError(
                f"set_height: heights of shape {np.shape(height)} do not fit the {wanted[0]} × {wanted[1]} cells chosen"
            ) from None
        self._ground.set_height(heights - self._ground.position[2], *begin)
        self._stepper.tell(self._state)

    def _span(self, name: str, span: Any) -> tuple[int, int]:
        """First cell and the one after the last whose middles are between two coordinates."""
        places = self.x if name == "x" else self.y
        if span is None:
            return 0, len(places)
        if np.shape(span) != (2,):
            raise SceneError(f"set_height: {name}: give two coordinates, from and to, in m (got {span!r})")
        begin, end = np.searchsorted(places, [span[0], span[1]], side="left").tolist()
        if end <= begin:
            raise SceneError(
                f"set_height: {name}: no cell's middle lies between {span[0]:g} and {span[1]:g} m; the ground reaches "
                f"from {places[0] - 0.5 * self.cell:g} to {places[-1] + 0.5 * self.cell:g} m"
            )
        return begin, end
