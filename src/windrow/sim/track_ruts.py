"""What tracks do to the ground they stand on: it sinks under every footprint, and says how much it can be sheared."""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import bare_kernel
from windrow.scene.soils import soil_named
from windrow.sim.ruts import LEAST_FORCE, RATTLE
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.multibody.touch import in_world
from windrow.solvers.multibody.tracks import NORMAL, Tracks
from windrow.solvers.multibody.vectors import cross, row, turned_by
from windrow.terrain.compaction import sink_under
from windrow.terrain.ground import Ground
from windrow.terrain.layers import COHESION, TANGENT, TILE, Columns, top_of

MOST_COLUMNS = 1 << 14
"""Columns below all tracks of a scene; of more only so many are pressed."""
OVERLAP = 0.25
"""Of a cell, by which footprints overlap, so that no column between two of them is left standing."""


class TrackRuts:
    """The tracks of one simulation on its ground."""

    def __init__(self, ground: Ground, bodies: MultibodyStepper) -> None:
        self.ground, self.bodies, self.tracks = ground, bodies, bodies.joints.tracks
        self.load = np.zeros(len(self.tracks.load))
        """(footprints,) force of each on the ground, N: a mean, as in `ruts`"""
        self._shear = np.array([soil_named(name).ground.shear_length.value for name in ground.soil_names])
        self._frames = bodies.joints.table.body[self.tracks.joint, 0]
        self._cells = np.zeros((MOST_COLUMNS, 3), np.int64)
        self._numbers = np.zeros((MOST_COLUMNS, 4))

    def take_soils(self) -> None:
        """Tells the tracks what they stand on in the step to come."""
        ground = self.ground
        soils_below(
            ground.columns, ground.position, ground.nx, ground.ny, ground.cell, self.tracks, self._frames,
            self.bodies.motion, self._shear,
        )  # fmt: skip

    def step(self, dt: float) -> None:
        """Lets the ground sink under all footprints that stood on it in the last step."""
        tracks, ground = self.tracks, self.ground
        force = np.where(tracks.obstacle == tracks.terrain[0], tracks.total[:, NORMAL], 0.0) / dt
        self.load += (np.maximum(force, 0.0) - self.load) * (dt / (dt + RATTLE))
        press = np.where(force > LEAST_FORCE, self.load, 0.0)
        if not (press > LEAST_FORCE).any():
            return
        count = columns_under(
            tracks, self._frames, self.bodies.motion, press, ground.position, ground.nx, ground.ny, ground.cell,
            self._cells, self._numbers,
        )  # fmt: skip
        cells, numbers = self._cells[:count], self._numbers[:count]
        for t in range(len(tracks.joint)):
            of_track = cells[:, 2] == t
            if of_track.any():
                self._press(cells[of_track, :2], numbers[of_track], float(tracks.size[tracks.first[t], 1]), dt)

    def _press(self, cells: I64, numbers: F64, width: float, dt: float) -> None:
        ground = self.ground
        corner = np.maximum(cells.min(axis=0) - 2, 0)
        end = np.minimum(cells.max(axis=0) + 3, [ground.nx, ground.ny])
        tiles = np.zeros(ground.tiles, np.bool_)
        tiles[corner[0] // TILE : (end[0] - 1) // TILE + 1, corner[1] // TILE : (end[1] - 1) // TILE + 1] = True
        ground.open(tiles)
        mask = np.zeros((end[0] - corner[0], end[1] - corner[1]), np.uint8)
        mask[cells[:, 0] - corner[0], cells[:, 1] - corner[1]] = 1
        low, pressure = np.ascontiguousarray(numbers[:, 0]), np.ascontiguousarray(numbers[:, 1])
        middle = np.ascontiguousarray(numbers[:, 2:])
        cells = np.ascontiguousarray(cells)
        if sink_under(ground.columns, cells, low, pressure, middle, width, dt, mask, corner) > 0.0:
            ground.changed(tiles)


@bare_kernel
def soils_below(
    columns: Columns, position: F64, nx: int, ny: int, cell: float, tracks: Tracks, frame: I32, motion: Motion,
    shear: F64,
) -> None:  # fmt: skip
    """Cohesion, friction and shear length of the soil under each footprint."""
    for f in range(tracks.track.shape[0]):
        place = in_world(motion, frame[tracks.track[f]], row(tracks.point, f))
        u = (place[0] - position[0]) / cell + 0.5 * (nx - 1)
        v = (place[1] - position[1]) / cell + 0.5 * (ny - 1)
        i, j = int(min(max(u + 0.5, 0.0), nx - 1.0)), int(min(max(v + 0.5, 0.0), ny - 1.0))
        s, k = columns.slot[i // TILE, j // TILE], int(columns.natural[0, 0])
        if s >= 0:
            c = (i % TILE) * TILE + j % TILE
            top = top_of(columns, s, c)
            if top >= 0:
                k = int(columns.soil[s, c, top])
        tracks.soil[f, 0], tracks.soil[f, 1] = columns.soils[k, COHESION], columns.soils[k, TANGENT]
        tracks.soil[f, 2] = shear[k]


@bare_kernel
def columns_under(
    tracks: Tracks, frame: I32, motion: Motion, load: F64, position: F64, nx: int, ny: int, cell: float, cells: I64,
    numbers: F64,
) -> int:  # fmt: skip
    """Columns whose middles footprints with a load cover; returns how many.

    cells: numbers along x and y, and the track; numbers: height of the shoes above the ground's position, m; pressure,
    Pa; and the place in cells, on the line along the middle of the track, that soil is pushed aside from.
    """
    count = 0
    for f in range(tracks.track.shape[0]):
        if load[f] <= 0.0:
            continue
        t = tracks.track[f]
        body = frame[t]
        p = in_world(motion, body, row(tracks.point, f))
        along = turned_by(motion.R, body, row(tracks.forward, f))
        left = turned_by(motion.R, body, row(tracks.across, t))
        up, shift = cross(along, left), tracks.inset[f]
        p = (p[0] + shift * along[0], p[1] + shift * along[1], p[2] + shift * along[2])
        if up[2] < 0.1:
            continue
        long, wide = tracks.size[f, 0], tracks.size[f, 1]
        reach = 0.5 * sqrt(long * long + wide * wide)
        pressure = load[f] / (long * wide)
        slack = OVERLAP * cell
        # Shoes end there: a ramp that went on below its lower end would dig ahead of the ground run.
        lowest = p[2] - 0.5 * long * abs(along[2]) - 0.5 * wide * abs(left[2])
        u, v = (p[0] - position[0]) / cell + 0.5 * (nx - 1), (p[1] - position[1]) / cell + 0.5 * (ny - 1)
        i0, i1 = max(int(np.ceil(u - reach / cell)), 0), min(int(np.floor(u + reach / cell)), nx - 1)
        j0, j1 = max(int(np.ceil(v - reach / cell)), 0), min(int(np.floor(v + reach / cell)), ny - 1)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                x, y = (i - u) * cell, (j - v) * cell
                ahead, aside = x * along[0] + y * along[1], x * left[0] + y * left[1]
                if abs(ahead) > 0.5 * long + slack or abs(aside) > 0.5 * wide or count >= cells.shape[0]:
                    continue
                cells[count, 0], cells[count, 1], cells[count, 2] = i, j, t
                numbers[count, 0] = max(p[2] - (x * up[0] + y * up[1]) / up[2], lowest) - position[2]
                numbers[count, 1] = pressure
                off = max(aside, cell) if aside >= 0.0 else min(aside, -cell)
                numbers[count, 2], numbers[count, 3] = i - off * left[0] / cell, j - off * left[1] / cell
                count += 1
    return count
