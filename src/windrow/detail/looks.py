"""Sizes and colours of fine grains: each has a rank of both, and a table says what a rank means.

A table holds the quantiles of a distribution, so that any distribution, such as a sieve curve or a mix of minerals,
costs two bytes a grain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.detail.kernels import SHADES, SIZES
from windrow.errors import SceneError
from windrow.fixed_math import cosine, power

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Looks:
    """How grains differ.

    sizes: quantiles of the grain size over the mean, such as (0.6, 0.9, 1.0, 1.1, 1.5): the smallest, a quarter, the
    median, three quarters, the largest. colors: display colours (red, green, blue, 0 to 1) with their shares, such as
    {(0.9, 0.85, 0.7): 0.8, (0.3, 0.25, 0.2): 0.2}; left out: that of the material. brightness: how much each grain
    may be darker or lighter than its colour.
    """

    sizes: tuple[float, ...] = (0.55, 0.8, 0.95, 1.1, 1.5)
    colors: tuple[tuple[Color, float], ...] = ()
    brightness: float = 0.25
    _checked: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sizes = np.asarray(self.sizes, np.float64)
        if (
            sizes.ndim != 1
            or len(sizes) < 2
            or not (np.diff(sizes) >= 0).all()
            or not (sizes > 0).all()
            or sizes[-1] > 10
        ):
            raise SceneError(
                f"sizes: quantiles that grow, above 0 and at most 10, at least two (got {self.sizes})"
            )
        if not 0.0 <= self.brightness <= 1.0:
            raise SceneError(f"brightness: {self.brightness:g} given; use a number from 0 to 1")
        shares = np.array([share for _, share in self.colors], np.float64)
        if len(shares) and not (shares > 0).all():
            raise SceneError("colors: each needs a share above 0")
        for color, _ in self.colors:
            if len(color) != 3 or not all(0.0 <= c <= 1.0 for c in color):
                raise SceneError(f"colors: red, green and blue from 0 to 1 (got {color})")

    def size_table(self) -> NDArray[np.float32]:
        """(SIZES,) radius of each rank over that of the grain of mean volume."""
        at = (np.arange(SIZES) + 0.5) / SIZES
        table = np.interp(at, np.linspace(0.0, 1.0, len(self.sizes)), self.sizes)
        volume = float(np.mean(table * table * table))
        return (table / power(volume, 1.0 / 3.0)).astype(np.float32)

    def color_table(self, material: Color) -> NDArray[np.float32]:
        """(SHADES, 3) display colour of each rank."""
        at = (np.arange(SHADES) + 0.5) / SHADES
        mix: Sequence[tuple[Any, float]] = self.colors or ((material, 1.0),)
        ends = np.cumsum([share for _, share in mix])
        which = np.searchsorted(ends / ends[-1], at)
        base = np.array([color for color, _ in mix], np.float64)[np.minimum(which, len(mix) - 1)]
        # within each colour from dark to light, evenly in the cosine, so that most lie in the middle
        begins = np.concatenate([[0.0], ends[:-1]])[which] / ends[-1]
        within = (at - begins) * ends[-1] / np.array([share for _, share in mix])[which]
        shade = 1.0 - self.brightness * cosine(np.pi * within) * np.abs(cosine(np.pi * within))
        return np.clip(base * shade[:, None], 0.0, 1.0).astype(np.float32)

    def told(self) -> dict[str, Any]:
        """As it is written into files."""
        colors = [[list(color), share] for color, share in self.colors]
        return {"sizes": list(self.sizes), "colors": colors, "brightness": self.brightness}


def looks_of(told: dict[str, Any]) -> Looks:
    colors = tuple((tuple(color), float(share)) for color, share in told["colors"])
    return Looks(tuple(told["sizes"]), colors, float(told["brightness"]))
