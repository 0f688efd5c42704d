"""Colours of the grains: by material, or by a number such as speed, with the scale that a legend explains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import cosine, decade, norm, power

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

COLOR_NAMES = ("material", "speed", "force", "id", "height")

# Earth colours that stay apart from each other and from the grey of floor and steel.
PALETTE = (
    (0.80, 0.69, 0.51),
    (0.64, 0.34, 0.24),
    (0.36, 0.50, 0.60),
    (0.52, 0.60, 0.36),
    (0.87, 0.80, 0.66),
    (0.45, 0.36, 0.45),
    (0.78, 0.50, 0.22),
    (0.33, 0.33, 0.32),
)

# Dark teal to warm yellow, rising evenly in lightness so that it reads in grey as well.
SCALE = (
    (0.16, 0.23, 0.45),
    (0.15, 0.39, 0.56),
    (0.17, 0.55, 0.58),
    (0.38, 0.69, 0.49),
    (0.70, 0.79, 0.37),
    (0.93, 0.82, 0.34),
    (0.98, 0.86, 0.52),
)


Scale = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Legend:
    """What the colours of a picture mean."""

    label: str
    """Quantity with its unit; empty when the colours carry no number."""
    limits: tuple[float, float]
    swatches: list[tuple[str, NDArray[np.float64]]]
    """Names and display colours of the materials present."""
    scale: Scale = SCALE
    """Display colours from the lower to the upper limit."""


def linear(color: ArrayLike) -> NDArray[np.float64]:
    """Display colour (sRGB, 0 to 1) as light intensity."""
    c = np.asarray(color, np.float64)
    return np.where(c <= 0.04045, c / 12.92, power((c + 0.055) / 1.055, 2.4))


def scale_color(share: ArrayLike, scale: Scale = SCALE) -> NDArray[np.float64]:
    """Display colours for numbers from 0 to 1; values beyond take the end colours."""
    at = np.linspace(0.0, 1.0, len(scale))
    values = np.asarray(share, np.float64)
    return np.stack([np.interp(values, at, [color[k] for color in scale]) for k in range(3)], axis=-1)


def check_color_name(color_by: str) -> None:
    if color_by not in COLOR_NAMES:
        raise SceneError(unknown_name("colour", color_by, COLOR_NAMES))


def grain_quantity(frame: Frame, color_by: str) -> tuple[NDArray[np.float64], str] | None:
    """The number that a scale colours, with its label; None for colours that are names."""
    if color_by == "speed":
        return norm(np.asarray(frame.velocity, np.float64)), "speed, m/s"
    if color_by == "force":
        return norm(np.asarray(frame.force, np.float64)), "force, N"
    if color_by == "height":
        return np.asarray(frame.position[:, 2], np.float64), "height, m"
    return None


def color_limits(frame: Frame, color_by: str) -> tuple[float, float] | None:
    """Ends of the colour scale for one frame, without the few grains far beyond the rest."""
    found = grain_quantity(frame, color_by)
    if found is None:
        return None
    values = found[0][np.isfinite(found[0])]
    if len(values) == 0:
        return 0.0, 1.0
    low, high = np.percentile(values, [0.5, 99.5])
    if color_by != "height":
        low = 0.0
    if not high > low:
        high = low + 1.0
    step = decade(high - low) / 10.0
    return math.floor(low / step) * step, math.ceil(high / step) * step


def grain_colors(
    frame: Frame, scene: Scene, color_by: str, limits: tuple[float, float] | None = None
) -> tuple[NDArray[np.float32], Legend]:
    """Linear colours (n, 3) of the grains and what they mean."""
    check_color_name(color_by)
    found = grain_quantity(frame, color_by)
    if found is not None:
        values, label = found
        low, high = limits or color_limits(frame, color_by) or (0.0, 1.0)
        share = np.nan_to_num((values - low) / max(high - low, 1e-300), nan=0.0)
        return linear(scale_color(share)).astype(np.float32), Legend(label, (low, high), [])
    chance = _id_noise(np.asarray(frame.id))
    if color_by == "id":
        return linear(_hue_color(chance)).astype(np.float32), Legend("", (0.0, 1.0), [])
    palette = np.array([material_color(scene, name, k) for k, name in enumerate(frame.material_names)])
    palette = palette.reshape(-1, 3)
    # Slightly unequal grains can be told apart, and look like grains.
    color = linear(palette[frame.material]) * (0.88 + 0.24 * chance)[:, None]
    present = np.unique(frame.material)
    swatches = [(frame.material_names[k], palette[k]) for k in present] if len(present) > 1 else []
    return np.minimum(color, 1.0).astype(np.float32), Legend("", (0.0, 1.0), swatches)


def material_color(scene: Scene, name: str, number: int) -> tuple[float, float, float]:
    """Display colour of a material: its own, else one of the palette."""
    material = scene.materials.get(name)
    own = material.color if material is not None else None
    return own if own is not None else PALETTE[number % len(PALETTE)]


def _id_noise(ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """A number from 0 to 1 for each id, the same in every frame (multiplicative hashing)."""
    mixed = ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(40)).astype(np.float64) / float(1 << 24)


def _hue_color(hue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Display colours of middling strength all around the colour circle."""
    phase = 2.0 * np.pi * (hue[:, None] - np.array([0.0, 1.0 / 3.0, 2.0 / 3.0]))
    return np.asarray(0.58 + 0.28 * cosine(phase))
