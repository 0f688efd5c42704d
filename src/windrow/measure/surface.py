"""The free surface of grains as points, and the straight flank in it.

The floor is cut into square cells of a few grains; the top grain of each cell is one point of the surface.
Cells have one size everywhere, because the highest of more grains is higher: cells that widen with the
radius, as plain sectors do, would tilt every heap.

"Top" depends on the slope that is sought: seen along the normal of the flank, the highest grain of a cell
is the one that a board laid on the flank would touch, and its touching point lies on the board. So the fit
is repeated with the slope it found, and cell edges and grain sizes no longer matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FloorCells:
    """Grains sorted into the cells of the floor."""

    along: Floats
    """(n,) distance down the slope, m"""
    height: Floats
    """(n,) z of the centre, m"""
    radius: Floats
    """(n,) m"""
    cell: NDArray[np.int64]
    """(n,) number of the cell the grain lies in"""
    lane: Floats
    """(n,) place across the slope, 0 to 1: azimuth in turns, or distance across over the width"""

    def where(self, chosen: NDArray[np.bool_]) -> FloorCells:
        """Only the chosen grains."""
        return FloorCells(
            self.along[chosen], self.height[chosen], self.radius[chosen], self.cell[chosen], self.lane[chosen]
        )


@dataclass(frozen=True)
class SurfacePoints:
    """One point per cell, where a board of the given slope touches the cell's top grain."""

    along: Floats
    """(p,) m"""
    height: Floats
    """(p,) m"""
    lane: Floats
    """(p,) place across the slope, 0 to 1"""


@dataclass(frozen=True)
class SlopeLine:
    """height = level − fall · along."""

    level: float
    fall: float

    @property
    def angle(self) -> float:
        """Degrees below the horizontal."""
        return float(np.degrees(np.arctan(self.fall)))

    def height(self, along: float | Floats) -> float | Floats:
        """m"""
        return self.level - self.fall * along

    def along(self, height: float) -> float:
        """Where the line has this height, m."""
        return (self.level - height) / self.fall


def surface_points(cells: FloorCells, fall: float) -> SurfacePoints:
    """The surface as a board with the slope `fall` (height lost per distance) touches it."""
    cosine = 1.0 / np.hypot(1.0, fall)
    above = cells.height + cells.radius / cosine + fall * cells.along
    order = np.lexsort((above, cells.cell))
    last = np.append(np.diff(cells.cell[order]) != 0, True)[: len(order)]
    top = order[last]
    reach = cells.radius[top] * cosine
    return SurfacePoints(cells.along[top] + reach * fall, cells.height[top] + reach, cells.lane[top])


def robust_line(along: Floats, height: Floats) -> SlopeLine:
    """Straight line by least squares in which points far off count less (Huber, then Tukey's biweight)."""
    design = np.stack([np.ones_like(along), -along], axis=1)
    weight: Floats = np.ones(len(along))
    answer: Floats = np.zeros(2)
    for turn in range(15):
        root = np.sqrt(weight)
        answer = np.asarray(np.linalg.lstsq(design * root[:, None], height * root, rcond=None)[0], np.float64)
        miss = np.abs(height - design @ answer)
        scale = 1.4826 * np.median(miss) + 1e-12
        if turn < 8:
            weight = np.minimum(1.0, 1.345 * scale / np.maximum(miss, 1e-300))
        else:
            weight = np.maximum(1.0 - (miss / (4.685 * scale)) ** 2, 0.0) ** 2
    return SlopeLine(float(answer[0]), float(answer[1]))


def fit_flank(cells: FloorCells, top: float, base: float, start: SlopeLine, fractions: tuple[float,
float]) -> SlopeLine:
    """The straight flank between two fractions of the height from `base` to `top`, beginning from a guess.

    The part of the flank is chosen by distance, not by height: leaving out points because they are high or
    low would flatten the line.
    """
    line = start
    for _ in range(6):
        points = surface_points(cells, line.fall)
        inside = on_flank(points.along, line, top, base, fractions)
        if inside.sum() < 3:
            break
        better = robust_line(points.along[inside], points.height[inside])
        if not better.fall > 1e-3:
            return better
        done = abs(better.angle - line.angle) < 1e-3
        line = better
        if done:
            break
    return line


def on_flank(
    along: Floats, line: SlopeLine, top: float, base: float, fractions: tuple[float, float]
) -> NDArray[np.bool_]:
    """(p,) where `line` lies between two fractions of the height from `base` to `top`."""
    low, high = (line.along(base + f * (top - base)) for f in (fractions[1], fractions[0]))
    return (along >= low) & (along <= high)
