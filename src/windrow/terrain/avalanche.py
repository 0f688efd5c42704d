"""Slopes that are too steep slide, tile by tile, and nothing is lost.

Soil without cohesion. In each sweep every column looks at its eight neighbours as they were before the sweep. To each
that lies lower than the slope of repose allows, it gives a share of the excess; then every column takes off what it
gave and puts on what its neighbours gave it, in a fixed order. No sweep depends on the order in which columns are
visited, and mass moves as whole numbers. What slides arrives loose.

Soil with cohesion. A face stands up to Culmann's height, for an upright one 4c/γ·tan(45° + φ/2). Faces are vertical
between columns: one of k columns is k − 1 cells wide. Where one is higher, the wedge above the plane at (β + φ)/2
through its foot is loosened: loose soil has no cohesion, and slides as above.

Only tiles in which something moves, and those around them, are looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F64, U8
from windrow.terrain.faces import fall, find_feet, find_firm, find_wedges
from windrow.terrain.ground import Ground
from windrow.terrain.layers import COHESION, COSINE, DENSITY, GRAVITY, SINE, TILE
from windrow.terrain.nearby import SWEEPS, Nearby
from windrow.terrain.sliding import RETRY, STEP_X, STEP_Y, Sliding, find_flows, find_steep, move, work_room

MOST_TILES = 128
"""In which soil moves in a step; others wait for their turn. Bounds memory and time where much slides at once."""
FACES_EVERY = 4
"""Steps from one look at faces to the next: they cost more than what slides."""
FACES_SELDOM = 32
"""The same where tools dig without grains, hundreds of times faster than real time."""
NEARBY_EVERY = 8
"""Steps from one slide to the next there: at 60 Hz and cells of 0.1 m soil still slides at up to 3 m/s."""
FARTHEST = TILE
"""Cells from the foot of a face to the end of its wedge at most."""


class Avalanche:
    """Slides the ground of one simulation."""

    def __init__(self, ground: Ground, marks: U8 | None = None) -> None:
        """marks: (nx, ny) of columns, see `nodes`; none: no grains come of this ground."""
        self.ground = ground
        self.marks = np.zeros((ground.nx, ground.ny), np.uint8) if marks is None else marks
        self._place = np.full(ground.tiles, -1, np.int32)
        self._work = work_room(4, self._place, self.marks)
        self.walls: F64 = self._work.walls
        """tools that stand in the ground and keep columns apart, see `sliding.parted`"""
        self.nearby: Nearby | None = None
        """slides small places in one call"""
        self.faces_every = FACES_EVERY
        soils = ground.columns.soils
        weight = soils[:, DENSITY] * ground.columns.numbers[GRAVITY]
        with np.errstate(divide="ignore", invalid="ignore"):
            upright = 4.0 * soils[:, COHESION] / weight * soils[:, COSINE] / (1.0 - soils[:, SINE])
        highest = float(np.nanmax(upright, initial=0.0))
        self.reach = 0 if highest == 0.0 else int(min(max(np.ceil(2.0 * highest / ground.cell), 2), FARTHEST))
        """cells over which faces are looked at; 0: no soil has cohesion"""

    def work_nearby(self) -> None:
        """From now on slides what moves in a small place in one call, and looks at faces less often."""
        self.nearby, self.faces_every = Nearby(self.ground), FACES_SELDOM

    def wake_all(self) -> None:
        """Looks for slopes that may not stand, everywhere."""
        ground = self.ground
        find_steep(ground.columns, ground.nx, ground.ny, ground.active)
        ground.busy_everywhere()

    def step(self) -> bool:
        """Lets soil slide for one step; returns whether any may slide in the next."""
        ground = self.ground
        if not ground.active.any() or ground.columns.numbers[GRAVITY] == 0.0:
            return False
        if self.nearby is not None and self.nearby.fits(ground.age % self.faces_every == 0 and self.reach > 0):
            ground.age += 1
            return self.nearby.step(self.walls) if ground.age % NEARBY_EVERY == 0 else True
        touched = np.zeros(ground.tiles, np.bool_)
        active, waiting = self._turn()
        looks = self.reach > 0 and ground.age % self.faces_every == 0
        # No tile comes to rest before its faces were looked at.
        kept = active.copy() if self.reach and not looks else np.zeros_like(active)
        ground.age += 1
        if looks:
            fallen = self._fail(active)
            touched |= fallen
            active |= fallen
        for _ in range(SWEEPS):
            active = self._sweep(active, touched)
            if not active.any():
                break
        ground.active[:] = 0
        if touched.any():
            ground.changed(touched)
        ground.active[:] = active | touched | waiting | kept
        ground.busy_everywhere()
        return bool(ground.active.any())

    def _turn(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of the active tiles are looked at in this step, and which wait."""
        ground = self.ground
        places = np.flatnonzero(ground.active)
        if len(places) > MOST_TILES:
            first = int(np.searchsorted(places, ground.turn))
            places = np.roll(places, -first)[:MOST_TILES]
            ground.turn = int(places[-1]) + 1
        chosen = np.zeros(ground.tiles, np.bool_)
        chosen.ravel()[places] = True
        return chosen, ground.active.astype(np.bool_) & ~chosen

    def _look_at(self, chosen: NDArray[np.bool_]) -> Sliding:
        """Work space for tiles and those around them."""
        tiles = np.argwhere(widened(chosen)).astype(np.int64, order="C")
        if len(tiles) > len(self._work.moved):
            self._work = work_room(max(len(tiles), 2 * len(self._work.moved)), self._place, self.marks)
        self._place[:] = -1
        self._place[tiles[:, 0], tiles[:, 1]] = np.arange(len(tiles), dtype=np.int32)
        return self._work._replace(tiles=tiles, walls=self.walls)

    def _sweep(self, active: NDArray[np.bool_], touched: NDArray[np.bool_]) -> NDArray[np.bool_]:
        ground = self.ground
        work = self._look_at(active)
        shape = ground.nx, ground.ny
        find_flows(ground.columns, work, *shape)
        moved = work.moved[: len(work.tiles)]
        going = np.zeros(ground.tiles, np.bool_)
        again = np.zeros(ground.tiles, np.bool_)
        x, y = work.tiles[:, 0], work.tiles[:, 1]
        going[x, y] = (moved & ~RETRY) != 0
        again[x, y] = (moved & RETRY) != 0
        for d in range(8):
            crossing = (moved & np.int32(1 << d)) != 0
            going[x[crossing] + STEP_X[d], y[crossing] + STEP_Y[d]] = True
        if going.any():
            ground.open(going)
            move(ground.columns, work, *shape)
            touched |= going
        return going | again

    def _fail(self, active: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Loosens the wedges of faces that are too high; returns the tiles in which there are any."""
        ground = self.ground
        work = self._look_at(active)
        shape = ground.nx, ground.ny
        find_firm(ground.columns, work, *shape)
        find_feet(ground.columns, work, *shape, self.reach)
        fallen = np.zeros(ground.tiles, np.bool_)
        moved = work.moved[: len(work.tiles)]
        if not moved.any():
            return fallen
        find_wedges(ground.columns, work, *shape, self.reach)
        fallen[work.tiles[:, 0], work.tiles[:, 1]] = moved != 0
        if fallen.any():
            ground.open(fallen)
            fall(ground.columns, work, *shape)
        return fallen


def widened(tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The tiles and their neighbours."""
    wide = tiles.copy()
    wide[1:] |= tiles[:-1]
    wide[:-1] |= tiles[1:]
    along = wide.copy()
    wide[:, 1:] |= along[:, :-1]
    wide[:, :-1] |= along[:, 1:]
    return wide
