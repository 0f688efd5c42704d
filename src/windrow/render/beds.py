"""Soil in the beds of trucks, as triangles to draw: a surface of heights that moves with a body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm, rotate
from windrow.render.surfaces import NO_TRIANGLES, PosedTriangles, quads, stacked

if TYPE_CHECKING:
    from windrow.state.frame import Frame


def bed_triangles(frame: Frame, colors: NDArray[np.float64]) -> PosedTriangles:
    """The surfaces of all loaded beds of a frame; colors: (soils, 3) linear."""
    return stacked([NO_TRIANGLES, *(_surface(frame, bed, colors) for bed in frame.notes.get("beds", {}).values())])


def _surface(frame: Frame, bed: dict[str, Any], colors: NDArray[np.float64]) -> PosedTriangles:
    heights = 1e-3 * np.asarray(bed["heights"], np.float64)
    x, y = (np.linspace(bed["lower"][a], bed["upper"][a], heights.shape[a]) for a in range(2))
    place = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1)
    slope = np.gradient(heights, x, y)
    normal = np.stack([-slope[0], -slope[1], np.ones_like(heights)], axis=-1)
    normal /= norm(normal)[..., None]
    rotation = np.asarray(frame.body_rotation[bed["row"]], np.float64)
    color = np.broadcast_to(colors[min(bed["soil"], len(colors) - 1)], place.shape)
    position = np.asarray(frame.body_position[bed["row"]], np.float64)
    return quads(position + rotate(rotation, place), rotate(rotation, normal), color)
