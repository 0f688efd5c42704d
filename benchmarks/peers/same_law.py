"""The table of DEM beside DEM, the same law, step and start, that `compare.py --dem` makes.

Speeds are particle-steps: all make the same steps. Mean height, contacts and kinetic energy say whether they compute
the same bed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STEP = 1.2e-3
"""s, of all"""
COLUMNS = {
    "million_particle_steps_per_s": "million particle-steps a second",
    "height_mean": "mean height, m",
    "contacts_per_grain": "contacts per grain",
    "kinetic_energy": "kinetic energy, J",
    "overlap_mean": "mean overlap / r",
}
WINDROW = "Windrow DEM"

Row = dict[str, Any] | str


def with_speed(count: int, row: Row) -> Row:
    """The row with its particle-steps per second, in millions."""
    if isinstance(row, str):
        return row
    return row | {"million_particle_steps_per_s": 1e-6 * count / (STEP * row["wall_per_second"])}


def measured(count: int, threads: list[int], runs: dict[str, Callable[[int, int], Row]]) -> dict[str, Row]:
    """Rows by name; runs: what runs the scene with so many grains on so many threads, or says why it cannot."""
    return {
        f"{name}, {many} thread{'s'[: many > 1]}": with_speed(count, run(count, many))
        for many in threads
        for name, run in runs.items()
    }


def section(count: int, rows: dict[str, Row], threads: list[int]) -> str:
    """The table, and by how much Windrow is faster than the best of the others."""
    lines = [f"### {count:,} grains, the same law and step", "", "| | " + " | ".join(COLUMNS.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(COLUMNS))
    for name, row in rows.items():
        cells = [row] + [""] * (len(COLUMNS) - 1) if isinstance(row, str) else [f"{row[c]:.4g}" for c in COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(remark for many in threads for remark in _ratio(rows, many)), ""])


def _ratio(rows: dict[str, Row], threads: int) -> list[str]:
    ending = f", {threads} thread{'s'[: threads > 1]}"
    speeds = {
        name.removesuffix(ending): row["million_particle_steps_per_s"]
        for name, row in rows.items()
        if name.endswith(ending) and not isinstance(row, str)
    }
    own = speeds.pop(WINDROW, None)
    if own is None or not speeds:
        return []
    best = max(speeds, key=lambda name: speeds[name])
    return [f"On {threads}: {own / speeds[best]:.2f} times the particle-steps of {best}."]
