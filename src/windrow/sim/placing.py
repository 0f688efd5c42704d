"""Where new grains find room: random places in a region, of which those are free that touch no grain and no wall.

The region has a grid of its own, in its own frame. A grain that is there already is entered in every cell that it
reaches into, so that boulders beside sand need no coarse cells, and a place looks only at the cells that a grain would
reach into there. Grains and places are gone through one by one: the result knows nothing of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.query import distance_to_obstacles
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F32, F64, I32, I64
from windrow.kernel import device, inner, kernel
from windrow.scene.flow import Emitter
from windrow.scene.motion import rotation_matrix

TRIES = 8
"""Random places for each new grain."""
CELLS_MOST = 1 << 17
SPARE = 1.0 + 1e-6
"""Cells are longer than they need to be by rounding errors."""
BOX, SPHERE, CYLINDER = range(3)

Walls = tuple[ShapeTable, F64]
"""Shapes and their poses."""


class Mouth(NamedTuple):
    """A region and its grid."""

    kind: int
    half: F64
    """(3,) half of its extent along its axes, m"""
    rotation: F64
    """(3, 3)"""
    position: F64
    """(3,) m"""
    low: F64
    """(3,) corner of the grid in the region's frame, m"""
    inverse_cell: F64
    """(3,) cells per m"""
    size: I64
    """(3,) cells along each axis"""
    reach: float
    """largest radius of a new grain, m"""


def mouth_of(emitter: Emitter, reach: float) -> Mouth:
    """An emitter's region, with a grid for new grains of radii up to `reach` (m)."""
    region = emitter.region
    if region.kind == "box":
        kind, half = BOX, 0.5 * np.asarray(region.size)
    elif region.kind == "sphere":
        kind, half = SPHERE, np.full(3, region.radius)
    else:
        kind, half = CYLINDER, np.array([region.radius, region.radius, 0.5 * region.height])
    low = -(half + reach) * SPARE
    size = np.maximum(np.minimum(-low / (reach * SPARE), 1e6).astype(np.int64), 1)
    while size.prod() > CELLS_MOST:
        size[np.argmax(size)] //= 2
    rotation = np.ascontiguousarray(rotation_matrix(np.deg2rad(emitter.rotation_deg)))
    return Mouth(kind, half, rotation, np.array(emitter.position, np.float64), low, -0.5 * size / low, size, reach)


def free_places(
    mouth: Mouth, X: F32, count: int, walls: list[Walls], radius: F32, chance: F64
) -> tuple[F32, NDArray[np.bool_]]:
    """Places (n, 3) for grains of these radii, and who found one. X: grains, see `State`.

    `chance` (n, tries, 3), −1 to 1: where in the region each grain tries its luck, one place after the other.
    """
    places, free = np.zeros((len(radius) * chance.shape[1], 3), np.float32), np.zeros(chance.shape[:2], np.bool_)
    _leave_out_grains(mouth, X, count, radius, chance, places, free)
    open_ = np.flatnonzero(free)
    for table, poses in walls:
        distance, _ = distance_to_obstacles(table, poses, places[open_])
        open_ = open_[distance > radius[open_ // chance.shape[1]]]
    free[:] = False
    free.reshape(-1)[open_] = True
    taken = np.full(len(radius), -1, np.int64)
    _take_turns(mouth, places, radius, free, taken)
    found = taken >= 0
    return places[taken[found]], found


@device
def _local(mouth: Mouth, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point in the region's frame."""
    dx, dy, dz = x - mouth.position[0], y - mouth.position[1], z - mouth.position[2]
    R = mouth.rotation
    return (
        R[0, 0] * dx + R[1, 0] * dy + R[2, 0] * dz,
        R[0, 1] * dx + R[1, 1] * dy + R[2, 1] * dz,
        R[0, 2] * dx + R[1, 2] * dy + R[2, 2] * dz,
    )


@device
def _first_last(mouth: Mouth, axis: int, x: float, reach: float) -> tuple[int, int]:
    """Cells along an axis from x − reach to x + reach; none if the last comes before the first."""
    a = (x - reach - mouth.low[axis]) * mouth.inverse_cell[axis]
    b = (x + reach - mouth.low[axis]) * mouth.inverse_cell[axis]
    n = mouth.size[axis]
    if not (a < n and b >= 0.0):  # also what is not a number
        return 0, -1
    return int(max(a, 0.0)), int(min(b, n - 0.5))


@inner
def _reached(mouth: Mouth, x: float, y: float, z: float, r: float) -> tuple[int, int, int, int, int, int]:
    """First and last cells along the axes of the box around a grain."""
    px, py, pz = _local(mouth, x, y, z)
    x0, x1 = _first_last(mouth, 0, px, r * SPARE)
    y0, y1 = _first_last(mouth, 1, py, r * SPARE)
    z0, z1 = _first_last(mouth, 2, pz, r * SPARE)
    return x0, x1, y0, y1, z0, z1


@inner
def _enter(mouth: Mouth, X: F32, count: int) -> tuple[I32, I32]:
    """The grains that reach into each cell: those of cell c are entries[start[c]:start[c + 1]]."""
    gx, gy, gz = mouth.size[0], mouth.size[1], mouth.size[2]
    cells = gx * gy * gz
    start = np.zeros(cells + 2, np.int32)
    for i in range(count):
        x0, x1, y0, y1, z0, z1 = _reached(mouth, X[i, 0], X[i, 1], X[i, 2], X[i, 3])
        for ix in range(x0, x1 + 1):
            for iy in range(y0, y1 + 1):
                for iz in range(z0, z1 + 1):
                    start[(ix * gy + iy) * gz + iz + 2] += 1
    for c in range(cells):
        start[c + 2] += start[c + 1]
    entries = np.empty(start[cells + 1], np.int32)
    for i in range(count):
        x0, x1, y0, y1, z0, z1 = _reached(mouth, X[i, 0], X[i, 1], X[i, 2], X[i, 3])
        for ix in range(x0, x1 + 1):
            for iy in range(y0, y1 + 1):
                for iz in range(z0, z1 + 1):
                    c = (ix * gy + iy) * gz + iz + 1
                    entries[start[c]] = i
                    start[c] += 1
    return start, entries


@inner
def _clear(mouth: Mouth, X: F32, start: I32, entries: I32, x: float, y: float, z: float, r: float) -> bool:
    """Whether a new grain would touch none of those that are there."""
    gy, gz = mouth.size[1], mouth.size[2]
    x0, x1, y0, y1, z0, z1 = _reached(mouth, x, y, z, r)
    for ix in range(x0, x1 + 1):
        for iy in range(y0, y1 + 1):
            for iz in range(z0, z1 + 1):
                c = (ix * gy + iy) * gz + iz
                for k in range(start[c], start[c + 1]):
                    i = entries[k]
                    dx, dy, dz = X[i, 0] - x, X[i, 1] - y, X[i, 2] - z
                    apart = X[i, 3] + r
                    if dx * dx + dy * dy + dz * dz < apart * apart:
                        return False
    return True


@kernel
def _leave_out_grains(
    mouth: Mouth, X: F32, count: int, radius: F32, chance: F64, places: F32, free: NDArray[np.bool_]
) -> None:
    """Fills in the places, and which of them are in the region and touch no grain that is there."""
    start, entries = _enter(mouth, X, count)
    half, R, origin = mouth.half, mouth.rotation, mouth.position
    around = half[0] * half[0]
    tries = chance.shape[1]
    for grain in range(len(radius)):
        for k in range(tries):
            px, py, pz = half[0] * chance[grain, k, 0], half[1] * chance[grain, k, 1], half[2] * chance[grain, k, 2]
            if mouth.kind != BOX and px * px + py * py > around:
                continue
            if mouth.kind == SPHERE and px * px + py * py + pz * pz > around:
                continue
            t = grain * tries + k
            for a in range(3):  # rounded at once: what is tested is what will be there
                places[t, a] = origin[a] + (R[a, 0] * px + R[a, 1] * py + R[a, 2] * pz)
            x, y, z = float(places[t, 0]), float(places[t, 1]), float(places[t, 2])
            free[grain, k] = _clear(mouth, X, start, entries, x, y, z, float(radius[grain]))


@kernel
def _take_turns(mouth: Mouth, places: F32, radius: F32, free: NDArray[np.bool_], taken: I64) -> None:
    """Each grain takes the first of its free places that touches no place taken before."""
    gy, gz = mouth.size[1], mouth.size[2]
    last = np.full(mouth.size[0] * gy * gz, -1, np.int32)
    before = np.full(len(radius), -1, np.int32)
    tries = free.shape[1]
    for grain in range(len(radius)):
        for k in range(tries):
            t = grain * tries + k
            if free[grain, k] and _untouched(mouth, places, radius, taken, last, before, t):
                ix, _, iy, _, iz, _ = _reached(mouth, places[t, 0], places[t, 1], places[t, 2], 0.0)
                c = (ix * gy + iy) * gz + iz
                taken[grain], before[grain], last[c] = t, last[c], grain
                break


@inner
def _untouched(mouth: Mouth, places: F32, radius: F32, taken: I64, last: I32, before: I32, t: int) -> bool:
    """Whether place t touches none that is taken. `last` and `before` are chains of the grains in each cell."""
    gy, gz = mouth.size[1], mouth.size[2]
    x, y, z = float(places[t, 0]), float(places[t, 1]), float(places[t, 2])
    r = float(radius[t * len(radius) // len(places)])
    x0, x1, y0, y1, z0, z1 = _reached(mouth, x, y, z, r + mouth.reach)
    for ix in range(x0, x1 + 1):
        for iy in range(y0, y1 + 1):
            for iz in range(z0, z1 + 1):
                other = last[(ix * gy + iy) * gz + iz]
                while other >= 0:
                    p = taken[other]
                    dx, dy, dz = places[p, 0] - x, places[p, 1] - y, places[p, 2] - z
                    apart = radius[other] + r
                    if dx * dx + dy * dy + dz * dz < apart * apart:
                        return False
                    other = before[other]
    return True
