"""Shells of revolution as LAMMPS regions: one piece of a cone for each part of the line, grains inside of it.

LAMMPS has no turned shell. A cone whose ends are open pushes the grains whose centres are between its ends, towards its
axis. A grain that touches a sloping wall has its centre higher or lower than the point it touches, so that each piece
is longer than its part of the line by that much: where the line bulges inwards, a piece ends up to
reach·|slope|·sin(bend) in front of its neighbour, and where it bulges outwards, behind it. At a bend a grain touches
both pieces, with a spring each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.shapes import Revolution

FLAT = 1e-6
"""Rise of a part of the line, of its length, below which it is a flat disc."""


class ShellSegment(NamedTuple):
    """A part of the surface about the z axis: radii at two heights, m; `ends`: those of its faces that push nothing."""

    low: float
    high: float
    radius_low: float
    radius_high: float
    opened: str


def pieces_inside(shape: Revolution, reach: float, field: str) -> list[ShellSegment]:
    """The inner side of a shell for grains whose radius is at most `reach` (m)."""
    line = np.asarray(shape.profile, np.float64)
    if shape.closed:
        line = np.vstack([line, line[:1]])
    pieces = []
    for k in range(len(line) - 1):
        a, b = line[k], line[k + 1]
        length = float(np.sqrt(((b - a) ** 2).sum()))
        if abs(b[1] - a[1]) <= FLAT * length:
            pieces.append(_disc(shape, line, k, reach, field))
        else:
            pieces.append(_cone(a, b, length, reach, 0.5 * shape.thickness))
    return pieces


def _cone(a: NDArray[np.float64], b: NDArray[np.float64], length: float, reach: float, half: float) -> ShellSegment:
    """A part of the line that rises; half: of the thickness, m, by which the surface lies nearer to the axis."""
    (r0, z0), (r1, z1) = (a, b) if a[1] < b[1] else (b, a)
    slope = (r1 - r0) / (z1 - z0)
    rises = (r1 - r0) / length  # of the normal that points to the axis
    inner = r0 - half * length / (z1 - z0)

    def radius_at(z: float) -> float:
        return float(inner + slope * (z - z0))

    away = (reach + half) * rises
    low, high = z0 + min(away, 0.0), z1 + max(away, 0.0)
    if slope > 0 and radius_at(low) < 0:
        low = z0 - inner / slope
    if slope < 0 and radius_at(high) < 0:
        high = z0 - inner / slope
    return ShellSegment(low, high, max(radius_at(low), 0.0), max(radius_at(high), 0.0), "open 1 open 2")


def _disc(shape: Revolution, line: NDArray[np.float64], k: int, reach: float, field: str) -> ShellSegment:
    """A flat end: a disc that closes the shell."""
    radius, z = float(line[k : k + 2, 0].max()), float(line[k, 1])
    if line[k : k + 2, 0].min() > FLAT * radius or not radius > 0.0:
        raise SceneError(
            f"{field}.shape: its profile has a flat ring at z = {z:g} m, which no region of LAMMPS is; let it slope, "
            "or run the scene without --engine"
        )
    others = line[:, 1]
    up = float(others.mean()) > z
    half = 0.5 * shape.thickness
    inside = 4.0 * reach
    if up:
        return ShellSegment(z + half, z + inside, radius, radius, "open 2 open 3")
    return ShellSegment(z - inside, z - half, radius, radius, "open 1 open 3")
