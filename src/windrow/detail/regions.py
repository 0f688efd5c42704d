"""Part of a scene: only what lies in a box, or near a body, gets fine grains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import dot
from windrow.state.frame import Frame


@dataclass(frozen=True)
class Region:
    """A box that stands still, or a ball that goes with a body or obstacle."""

    lower: tuple[float, float, float] | None = None
    upper: tuple[float, float, float] | None = None
    """corners of the box, m"""
    around: str | None = None
    """name of the body or obstacle in the middle of the ball"""
    distance: float = 0.0
    """radius of the ball, m"""

    def inside(self, frame: Frame) -> NDArray[np.bool_]:
        """(n,) which grains of a frame lie in it."""
        place = np.asarray(frame.position, np.float64)
        if self.around is not None:
            if self.around not in frame.body_names:
                raise SceneError(f"region: {unknown_name('body', self.around, frame.body_names)}")
            off = place - np.asarray(frame.body_position)[frame.body_names.index(self.around)]
            return np.asarray(dot(off, off) <= self.distance * self.distance)
        if self.lower is None or self.upper is None:
            return np.ones(len(place), np.bool_)
        return np.asarray(((place >= self.lower) & (place <= self.upper)).all(axis=1))

    def told(self) -> dict[str, Any]:
        """As it is written into files."""
        return {"lower": self.lower, "upper": self.upper, "around": self.around, "distance": self.distance}


def region_of(given: Any) -> Region:
    """From what users write: none; two corners; or the name of a body and a distance, m."""
    if given is None:
        return Region()
    if isinstance(given, Region):
        return given
    if isinstance(given, Sequence) and len(given) == 2:
        first, second = given
        if isinstance(first, str):
            distance = float(second)
            if not 0.0 < distance < np.inf:
                raise SceneError(
                    f"region: the distance around {first!r} must be above 0 m (got {distance:g})"
                )
            return Region(around=first, distance=distance)
        corners = np.asarray(given, np.float64)
        if corners.shape == (2, 3) and np.isfinite(corners).all() and (corners[0] < corners[1]).all():
            lower, upper = (tuple(map(float, corner)) for corner in corners)
            return Region(lower, upper)  # type: ignore[arg-type]
    raise SceneError(
        "region: give two corners, the lower one first, such as ((-1, -1, 0), (1, 1, 2)), or the name of a body and a "
        f"distance, such as ('blade', 1.5); got {given!r}"
    )
