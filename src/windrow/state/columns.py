"""Columns: what a solver keeps of each grain beyond place, velocity and material.

A solver declares its columns (`Solver.columns`). All else follows from the declaration: room in the state, what a new
grain begins with, sorting, snapshots and their check, hashes, recordings, `sim.particles`, and the station.

    spin = Column("spin", np.float32, 3, unit="rad/s", description="angular velocity", recorded=True)

The array is `state.columns["spin"]`, of shape (capacity,) where the width is 1, else (capacity, width).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import SceneError
from windrow.state.form import Array
from windrow.state.room import room

WIDEST = 64
RESERVED = frozenset(
    [
        *("X", "V", "id", "position", "velocity", "radius", "mass", "material", "pinned", "flags", "frozen", "force"),
        *("columns", "speed", "height"),
    ]
)
"""Names that grains have anyway in the state, in `Scene.add_particles` or in the station."""


@dataclass(frozen=True)
class StateColumn:
    """One value, or `width` values, of each grain."""

    name: str
    dtype: type = np.float32
    width: int = 1
    unit: str = ""
    description: str = ""
    sorted: bool = True
    """Whether the sort moves it along with the grains; False: every step writes it anew before it is read."""
    recorded: bool = False
    """Whether frames and recordings have it, and the station shows it."""
    low: float | None = None
    """Least value."""
    below: float | None = None
    """Values are less than this."""
    finite: bool = True
    """Whether a snapshot with infinite values is refused."""
    default: float | tuple[float, ...] = 0.0
    """What a new grain begins with, unless the scene says otherwise: one number, or `width` of them."""
    settable: bool = True
    """Whether a scene may say what grains begin with, and `sim.particles` may write it; False: the solver's own
    bookkeeping."""

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name.startswith("_") or self.name in RESERVED:
            raise ValueError(f"column {self.name!r}: needs a name of its own that Python can write after a dot")
        if not 1 <= self.width <= WIDEST:
            raise ValueError(f"column {self.name!r}: width {self.width}; 1 to {WIDEST} are possible")
        if np.dtype(self.dtype).kind not in "fiu":
            raise ValueError(f"column {self.name!r}: holds {np.dtype(self.dtype)}; numbers are needed")

    @property
    def tail(self) -> tuple[int, ...]:
        """Shape of one grain's values."""
        return () if self.width == 1 else (self.width,)

    def rows(self, capacity: int) -> NDArray[Any]:
        """Room for so many grains."""
        return room((capacity, *self.tail), self.dtype)

    def form(self) -> Array:
        """What a snapshot must hold."""
        return Array(self.dtype, ("grains", *self.tail), self.low, self.below, self.finite)

    def checked(self, place: str, value: ArrayLike, count: int) -> NDArray[Any]:
        """Values for `count` grains: a row for each, or one for all. Raises SceneError that names the place."""
        given = np.asarray(value)
        if given.dtype.kind not in "fiub":
            raise SceneError(f"{place}: holds {given.dtype}; numbers are needed")
        if given.shape not in ((), self.tail, (count, *self.tail)):
            wanted = f"({count}, {self.width})" if self.width > 1 else f"({count},)"
            raise SceneError(f"{place}: shape {given.shape} given; {wanted} needed, or one value for all grains")
        if given.dtype.kind == "f" and not np.isfinite(given).all():
            raise SceneError(f"{place}: {_first(given, ~np.isfinite(given))} given; every number must be finite")
        if self.low is not None and (given < self.low).any():
            raise SceneError(f"{place}: {_first(given, given < self.low)} given; at least {self.low:g} is needed")
        if self.below is not None and (given >= self.below).any():
            raise SceneError(f"{place}: {_first(given, given >= self.below)} given; less than {self.below:g} is needed")
        with np.errstate(over="ignore"):
            rows: NDArray[Any] = given.astype(self.dtype)
        fits = np.isfinite(rows).all() if rows.dtype.kind == "f" else np.array_equal(rows, given)
        if not fits:
            raise SceneError(f"{place}: values do not fit into {np.dtype(self.dtype)}; give smaller or whole ones")
        return np.broadcast_to(rows, (count, *self.tail))

    def told(self) -> dict[str, str]:
        """For people who read a recording or look at the station."""
        return {"unit": self.unit, "description": self.description}


def _first(values: NDArray[Any], wrong: NDArray[np.bool_]) -> Any:
    return values[wrong][0] if values.ndim else values
