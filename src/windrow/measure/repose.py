"""Angle of repose of a heap, and of a planar slope: mean, and spread from side to side."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.measure.failure import MeasurementError
from windrow.measure.overlap import largest_cluster
from windrow.measure.surface import (
    Floats,
    FloorCells,
    SlopeLine,
    SurfacePoints,
    fit_flank,
    on_flank,
    surface_points,
)

CELL = 1.5
"""Edge of a surface cell in mean grain diameters: small enough for small heaps, large enough to hide gaps."""
SHIFTS = (0.0, 0.25, 0.5, 0.75)
"""The floor is cut into cells once for each of these shifts (of an edge), so that where the cuts lie
matters less."""
FEWEST_GRAINS = 30
LOWEST_HEAP = 3.0
"""Height in mean grain diameters below which a surface counts as flat."""
FEWEST_CELLS = 8
"""Cells on the flank that a lane needs for an angle of its own."""
FEWEST_LANES = 4


@dataclass(frozen=True)
class Repose:
    """The measured slope; angles in degrees, lengths in m."""

    mean: float
    """of the flank fitted to all sides together, degrees"""
    spread: float
    """standard deviation over the lanes (sectors of a heap, strips of a slope), degrees"""
    lanes: Floats
    """angle of each lane, degrees; NaN where there is too little flank"""
    top: float
    """height of the top of the surface, m"""
    base: float
    """height of its foot, m"""
    line: SlopeLine
    """the fitted flank over the distance from the axis (heap) or from the uppermost grain (slope)"""
    points: SurfacePoints
    """the surface"""
    flank: NDArray[np.bool_]
    """which surface points the fit is made of"""
    center: tuple[float, float]
    """x, y of the axis (heap) or of a point from where the distance counts (slope)"""


def angle_of_repose(
    position: ArrayLike,
    radius: ArrayLike,
    *,
    center: tuple[float, float] | None = None,
    sectors: int = 12,
    fractions: tuple[float, float] = (0.2, 0.8),
) -> Repose:
    """Angle of a heap's flank between two fractions of its height, fitted in each of `sectors` around its
    axis.

    The axis is that of the upper part of the heap if no `center` (x, y) is given. Grains that lie apart
    from the heap or fly are left out. Raises MeasurementError when there is no heap.
    """
    x, r = _grains(position, radius)
    size = CELL * 2 * float(r.mean())
    axis = np.asarray(_axis(x, r) if center is None else center, np.float64)
    offset = x[:, :2] - axis
    distance = np.hypot(offset[:, 0], offset[:, 1])
    turn = (np.arctan2(offset[:, 1], offset[:, 0]) / (2 * np.pi)) % 1.0
    cells = []
    for number, shift in enumerate(SHIFTS):
        ring = np.floor(distance / size + shift).astype(np.int64)
        around = np.maximum(np.round(2 * np.pi * (ring + 0.5 - shift)), 1.0)
        slot = np.floor((turn * around + shift) % around).astype(np.int64)
        cells.append(FloorCells(distance, x[:, 2], r, _numbered(ring, slot, number), turn))
    expected = 2 * np.pi * (np.arange(int(distance.max() / size) + 1, dtype=np.float64) + 0.5)
    return _measured(
        _together(cells), size, expected, sectors, fractions, (float(axis[0]), float(axis[1])), "heap"
    )


def slope_angle(
    position: ArrayLike,
    radius: ArrayLike,
    *,
    downhill: tuple[float, float] | None = None,
    strips: int = 4,
    fractions: tuple[float, float] = (0.2, 0.8),
) -> Repose:
    """Angle of a planar slope that falls towards `downhill` (x, y), fitted in `strips` side by side.

    Without `downhill`, it is the direction in which the surface falls most. Raises MeasurementError when
    there is no slope.
    """
    x, r = _grains(position, radius)
    size = CELL * 2 * float(r.mean())
    fall = np.asarray(_downhill(x, r, size) if downhill is None else downhill, np.float64)
    if not np.hypot(*fall) > 0:
        raise MeasurementError("downhill: a direction (x, y) other than zero is needed")
    fall /= np.hypot(*fall)
    along = x[:, :2] @ fall
    start = float(along.min())
    along = along - start
    across = x[:, :2] @ np.array([-fall[1], fall[0]])
    across = across - across.min()
    width = float(across.max())
    cells = []
    for number, shift in enumerate(SHIFTS):
        row = np.floor(along / size + shift).astype(np.int64)
        column = np.floor(across / size + shift).astype(np.int64)
        cells.append(FloorCells(along, x[:, 2], r, _numbered(row, column, number), across / max(width, 1e-12)))
    expected = np.full(int(along.max() / size) + 1, width / size)
    origin = start * fall
    return _measured(
        _together(cells), size, expected, strips, fractions, (float(origin[0]), float(origin[1])), "slope"
    )


def _measured(
    cells: FloorCells,
    size: float,
    expected: Floats,
    lanes: int,
    fractions: tuple[float, float],
    center: tuple[float, float],
    what: str,
) -> Repose:
    guess, top, base = _first_guess(cells, size, expected, fractions, what)
    line = fit_flank(cells, top, base, guess, fractions)
    if not line.fall > 0.02:
        raise MeasurementError(f"no {what}: the surface falls by {line.angle:.1f}° only")
    points = surface_points(cells, line.fall)
    flank = on_flank(points.along, line, top, base, fractions)
    most = int(flank.sum()) // (FEWEST_CELLS * len(SHIFTS))
    if most < FEWEST_LANES:
        raise MeasurementError(
            f"no {what} to speak of: its flank has {int(flank.sum()) // len(SHIFTS)} surface cells, at least "
            f"{FEWEST_LANES * FEWEST_CELLS} are needed; use more or smaller grains"
        )
    angles = _lane_angles(cells, line, top, base, min(lanes, most), fractions)
    if np.isfinite(angles).sum() * 2 <= len(angles):
        raise MeasurementError(f"no {what}: fewer than half of its sides have a flank")
    spread = float(np.nanstd(angles))
    return Repose(line.angle, spread, angles, top, base, line, points, flank, center)


def _lane_angles(
    cells: FloorCells, line: SlopeLine, top: float, base: float, lanes: int, fractions: tuple[float, float]
) -> Floats:
    """The angle of each lane on its own; as many lanes as the flank has cells for."""
    angles = np.full(lanes, np.nan)
    number = np.minimum((cells.lane * lanes).astype(np.int64), lanes - 1)
    for lane in range(lanes):
        part = cells.where(number == lane)
        points = surface_points(part, line.fall)
        here = on_flank(points.along, line, top, base, fractions).sum()
        if here >= FEWEST_CELLS * len(SHIFTS) / 2:
            angles[lane] = fit_flank(part, top, base, line, fractions).angle
    return angles


def _first_guess(
    cells: FloorCells, size: float, expected: Floats, fractions: tuple[float, float], what: str
) -> tuple[SlopeLine, float, float]:
    """A line through the profile between the two fractions of its height; also the height of top and foot."""
    points = surface_points(cells, 0.0)
    row = np.floor(points.along / size).astype(np.int64)
    count = np.bincount(row, minlength=len(expected))[: len(expected)]
    filled = np.nonzero(count >= np.maximum(0.4 * len(SHIFTS) * expected, 1.0))[0]
    profile = np.array([np.median(points.height[row == k]) for k in filled])
    crest = int(profile.argmax())
    filled, profile = filled[crest:], profile[crest:]
    top, base = float(profile[0]), float(profile.min())
    if top - base < LOWEST_HEAP * size / CELL:
        raise MeasurementError(
            f"no {what}: the surface falls by {top - base:.3g} m, less than {LOWEST_HEAP:g} grain diameters, "
            "or ends in a wall"
        )
    middle = (filled + 0.5) * size
    high = base + fractions[1] * (top - base)
    low = base + fractions[0] * (top - base)
    begin = int(np.nonzero(profile <= high)[0][0])
    end = int(np.nonzero(profile <= low)[0][0])
    near, far = max(begin - 1, 0), end
    fall = (profile[near] - profile[far]) / (middle[far] - middle[near])
    return SlopeLine(float(profile[near] + fall * middle[near]), float(fall)), top, base


def _numbered(row: NDArray[np.int64], column: NDArray[np.int64], grid: int) -> NDArray[np.int64]:
    """One number for each cell of each grid."""
    return (row * (1 << 24) + column) * len(SHIFTS) + grid


def _together(parts: list[FloorCells]) -> FloorCells:
    return FloorCells(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(FloorCells)))


def _grains(position: ArrayLike, radius: ArrayLike) -> tuple[Floats, Floats]:
    """The grains of the heap itself, without those apart from it."""
    x = np.asarray(position, np.float64).reshape(-1, 3)
    r = np.broadcast_to(np.asarray(radius, np.float64), (len(x),))
    usable = np.isfinite(x).all(axis=1) & np.isfinite(r)
    x, r = x[usable], r[usable]
    together = largest_cluster(x, r)
    if together.sum() < FEWEST_GRAINS:
        raise MeasurementError(
            f"no heap: {int(together.sum())} of {len(x)} grains lie together, {FEWEST_GRAINS} are needed"
        )
    return x[together], r[together]


def _axis(x: Floats, r: Floats) -> Floats:
    """x, y of the centre of the upper part: the foot may have run out to one side."""
    low, high = np.quantile(x[:, 2], 0.01), np.quantile(x[:, 2], 0.999)
    upper = x[:, 2] >= low + 0.3 * (high - low)
    return np.average(x[upper, :2], axis=0, weights=r[upper] ** 3)


def _downhill(x: Floats, r: Floats, size: float) -> Floats:
    """Direction in which the plane through the tops of the cells falls."""
    column = np.floor((x[:, :2] - x[:, :2].min(axis=0)) / size).astype(np.int64)
    cells = FloorCells(
        np.zeros(len(x)),
        x[:, 2],
        r,
        _numbered(column[:, 0], column[:, 1], 0),
        np.arange(len(x), dtype=np.float64),
    )
    top = surface_points(cells, 0.0).lane.astype(np.int64)
    design = np.column_stack([x[top, :2], np.ones(len(top))])
    return -np.linalg.lstsq(design, x[top, 2], rcond=None)[0][:2]
