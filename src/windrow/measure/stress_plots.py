"""Plots of stress: over height with the weight above, and as a map of one slice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import unknown_name
from windrow.measure.failure import MeasurementError
from windrow.measure.plot_style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    check_plot_target,
    labelled,
    legend,
    new_figure,
    save_figure,
)
from windrow.measure.stress import StressCells, StressField, overburden

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXES = "xyz"
MAPS = {
    "pressure": ("pressure", "Pa"),
    "vertical": (r"vertical stress $\sigma_{zz}$", "Pa"),
    "shear": (r"shear stress $\sqrt{s:s/2}$", "Pa"),
    "density": ("bulk density", "kg/m³"),
}
"""What a map can show, with its name and unit."""
LEAST_SOLID = 0.15
"""Cells with less grain than this are left blank: there is no stress where there is nothing."""
CROSS_SIZE = 0.42
"""Longest half arm of a cross of principal stresses, in cells."""


def plot_stress_profile(
    field: StressField, path: str | os.PathLike[str], gravity: ArrayLike = (0.0, 0.0, -9.81), title: str = ""
) -> dict[str, NDArray[np.float64]]:
    """Vertical and horizontal stress over height with the weight above, and density; returns the table drawn.

    A field of layers is drawn as it is; of any other the means over x and y.
    """
    target = check_plot_target(path)
    stress, density = field.stress.mean(axis=(0, 1)), field.density.mean(axis=(0, 1))
    layered = StressCells(field.cells.lower, field.cells.upper, (1, 1, field.cells.shape[2]))
    mean = StressField(layered, stress[None, None], density[None, None], density[None, None])
    table = {
        "height": layered.centers(2),
        "vertical": stress[:, 2, 2],
        "horizontal": 0.5 * (stress[:, 0, 0] + stress[:, 1, 1]),
        "weight_above": overburden(mean, gravity)[0, 0],
        "density": density,
    }
    figure, (left, right) = new_figure(9.0, 4.2, 1, 2)
    z, scale, unit = table["height"], *_scaled(np.max(table["vertical"], initial=0.0), "Pa")
    left.plot(
        scale * table["weight_above"], z, color=GREY, linewidth=4.0, alpha=0.5, label="weight above / area"
    )
    left.plot(
        scale * table["vertical"], z, color=BLUE, marker="o", markersize=3.5, label=r"vertical, $\sigma_{zz}$"
    )
    left.plot(
        scale * table["horizontal"],
        z,
        color=ORANGE,
        marker="o",
        markersize=3.5,
        label=r"horizontal, mean of $\sigma_{xx}$, $\sigma_{yy}$",
    )
    labelled(left, title or "Stress", f"stress ({unit})", "height (m)")
    left.set_xlim(left=min(0.0, scale * float(table["horizontal"].min())))
    legend(left)
    right.stairs(table["density"], layered.edges(2), orientation="horizontal", color=GREEN, linewidth=1.6)
    labelled(right, "Density", "bulk density (kg/m³)", "height (m)")
    right.set_xlim(left=0.0)
    for axes in (left, right):
        axes.set_ylim(field.cells.lower[2], field.cells.upper[2])
    save_figure(figure, target)
    return table


def plot_stress_map(
    field: StressField,
    path: str | os.PathLike[str],
    quantity: str = "pressure",
    axis: int = 1,
    index: int | None = None,
    crosses: bool = True,
    title: str = "",
) -> NDArray[np.float64]:
    """One slice of the cells across an axis (1: seen along y) in colours; returns what is drawn.

    `index` is the slice's number along the axis; none: the middle one. Crosses show the two principal stresses
    within the slice by length and direction. Cells that are nearly empty stay white.
    """
    if quantity not in MAPS:
        raise MeasurementError(unknown_name("map", quantity, MAPS))
    target = check_plot_target(path)
    count = field.cells.shape[axis]
    k = count // 2 if index is None else index
    if not 0 <= k < count:
        raise MeasurementError(f"slice {k}: the cells have slices 0 to {count - 1} along {AXES[axis]}")
    across, up = (a for a in range(3) if a != axis)
    shown = np.take(_values(field, quantity), k, axis)
    shown = np.where(np.take(field.solid_fraction, k, axis) < LEAST_SOLID, np.nan, shown)
    name, unit = MAPS[quantity]
    scale, unit = _scaled(float(np.nanmax(np.abs(shown), initial=0.0)), unit)

    edges = field.cells.edges(across), field.cells.edges(up)
    wide, high = np.ptp(edges[0]), np.ptp(edges[1])
    figure, (axes,) = new_figure(8.0, float(np.clip(6.4 * high / wide + 0.9, 2.6, 9.0)))
    axes.grid(False)
    least = min(0.0, scale * float(np.nanmin(shown, initial=0.0)))
    drawn: Any = axes.pcolormesh(*edges, scale * shown.T, cmap="YlOrBr", vmin=least)
    if crosses and quantity != "density":
        _draw_crosses(axes, field, axis, k, ~np.isnan(shown))
    middle = field.cells.centers(axis)[k]
    labelled(
        axes,
        title or f"{name[0].upper()}{name[1:]} at {AXES[axis]} = {middle:.3g} m",
        f"{AXES[across]} (m)",
        f"{AXES[up]} (m)",
    )
    axes.set_aspect("equal")
    bar = figure.colorbar(drawn, ax=axes, shrink=0.9, pad=0.02)
    bar.set_label(f"{name} ({unit})", fontsize=9.5, color=INK)
    bar.ax.tick_params(labelsize=9, colors=INK)
    bar.outline.set_visible(False)
    save_figure(figure, target)
    return shown


def _values(field: StressField, quantity: str) -> NDArray[np.float64]:
    if quantity == "vertical":
        return field.stress[..., 2, 2]
    values: NDArray[np.float64] = getattr(field, quantity)
    return values


def _scaled(largest: float, unit: str) -> tuple[float, str]:
    """Factor and unit in which numbers up to this one read well."""
    return (1e-3, f"k{unit}") if unit == "Pa" and largest >= 2000.0 else (1.0, unit)


def _draw_crosses(axes: Axes, field: StressField, axis: int, k: int, filled: NDArray[np.bool_]) -> None:
    """Principal stresses of the part of the tensor that lies in the slice."""
    plane = [a for a in range(3) if a != axis]
    tensor = np.take(field.stress, k, axis)[..., plane, :][..., plane]
    values, directions = np.linalg.eigh(0.5 * (tensor + np.swapaxes(tensor, -1, -2)))
    largest = float(np.abs(values[filled]).max(initial=0.0))
    if largest == 0.0:
        return
    x, y = np.meshgrid(field.cells.centers(plane[0]), field.cells.centers(plane[1]), indexing="ij")
    reach = CROSS_SIZE * float(field.cells.size[plane].min())
    # by the root, so that the small ones can still be seen
    arm = reach * np.sqrt(np.abs(values) / largest)
    for one in range(2):
        dx, dy = (arm[..., one] * directions[..., part, one] for part in range(2))
        ends_x, ends_y = np.stack([x - dx, x + dx])[:, filled], np.stack([y - dy, y + dy])[:, filled]
        axes.plot(ends_x, ends_y, color=INK, linewidth=1.1 if one else 0.6, solid_capstyle="round")
