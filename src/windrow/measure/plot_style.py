"""How plots look, and how they are saved; no pyplot, so nothing global is touched."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windrow.errors import SceneError
from windrow.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#000000",
)
"""Okabe and Ito's colours, which the colour-blind can tell apart."""
CYCLE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW)
GREY = "#8a8a8a"
INK = "#222222"
FORMATS = (".png", ".pdf", ".svg")


def check_plot_target(path: str | os.PathLike[str]) -> Path:
    """The path, if its ending names a format that plots can have and its folder exists."""
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise SceneError(
            f"{target}: a plot is saved as {', '.join(FORMATS)}; got {target.suffix or 'no ending'!r}"
        )
    if not target.parent.is_dir():
        raise SceneError(f"{target}: the folder {target.parent} does not exist; create it or choose another")
    return target


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure of so many inches with a grid of plain axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)
    figure = Figure(figsize=(width, height), layout=layout, facecolor="white")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(rows, columns, k + 1) for k in range(rows * columns)]
    for one in axes:
        plain(one)
    return figure, axes


def plain(axes: Axes) -> None:
    """Only the lines that carry meaning."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GREY)
    axes.tick_params(colors=INK, labelsize=9, color=GREY)
    axes.grid(True, color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)


def labelled(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontsize=10.5, color=INK, fontweight="bold")
    axes.set_xlabel(x, fontsize=9.5, color=INK)
    axes.set_ylabel(y, fontsize=9.5, color=INK)


def legend(axes: Axes, **settings: Any) -> None:
    axes.legend(fontsize=8.5, frameon=False, labelcolor=INK, **settings)


def save_figure(figure: Figure, target: Path) -> None:
    """Writes the whole picture or nothing."""
    image = io.BytesIO()
    kind = target.suffix.lower()[1:]
    settings: dict[str, Any] = {"metadata": {"Date": None}} if kind == "svg" else {}
    figure.savefig(image, format=kind, dpi=160, **settings)
    with replacing(target) as partial:
        partial.write_bytes(image.getvalue())
