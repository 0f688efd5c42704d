"""Size and energy of all grains together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from windrow.state.frame import Frame


def height(position: ArrayLike, radius: ArrayLike, floor: float = 0.0) -> float:
    """Top of the highest grain above `floor`, m; NaN without grains."""
    x = np.asarray(position, np.float64).reshape(-1, 3)
    top = x[:, 2] + np.asarray(radius, np.float64)
    top = top[np.isfinite(top)]
    return float(top.max() - floor) if len(top) else float("nan")


def spread(position: ArrayLike, center: tuple[float, float] | None = None, percentile: float = 99.0) -> float:
    """Run-out radius, m: the horizontal distance from `center` within which `percentile` of the grains lie.

    The centre is the mean of the grains if none is given; NaN without grains.
    """
    x = np.asarray(position, np.float64).reshape(-1, 3)[:, :2]
    x = x[np.isfinite(x).all(axis=1)]
    if len(x) == 0:
        return float("nan")
    axis = x.mean(axis=0) if center is None else np.asarray(center, np.float64)
    return float(np.percentile(np.linalg.norm(x - axis, axis=1), percentile))


def center_of_mass(frame: Frame) -> NDArray[np.float64]:
    """(3,) m; pinned grains do not count; NaN without grains."""
    free = _free(frame)
    mass = frame.mass[free].astype(np.float64)
    if len(mass) == 0:
        return np.full(3, np.nan)
    return mass @ frame.position[free].astype(np.float64) / mass.sum()


def kinetic_energy(frame: Frame) -> float:
    """Σ ½ m v², J; pinned grains do not count."""
    free = _free(frame)
    v = frame.velocity[free].astype(np.float64)
    return float(0.5 * frame.mass[free].astype(np.float64) @ (v * v).sum(axis=1))


def potential_energy(frame: Frame, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> float:
    """−Σ m g·x, J, zero at the origin; pinned grains do not count."""
    free = _free(frame)
    lifted = frame.position[free].astype(np.float64) @ np.asarray(gravity, np.float64)
    return float(-frame.mass[free].astype(np.float64) @ lifted)


def rms_speed(frame: Frame) -> float:
    """√(mean v²) over the grains, m/s; pinned grains do not count; 0 without grains."""
    v = frame.velocity[_free(frame)].astype(np.float64)
    return float(np.sqrt((v * v).sum(axis=1).mean())) if len(v) else 0.0


def _free(frame: Frame) -> NDArray[np.bool_]:
    """Grains that move: pinned ones have infinite mass, frozen ones may have numbers that are not finite."""
    return (
        np.isfinite(frame.mass)
        & np.isfinite(frame.position).all(axis=1)
        & np.isfinite(frame.velocity).all(axis=1)
    )
