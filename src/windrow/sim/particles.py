"""The grains as a user sees them: arrays in the order of their ids, whatever order the solver keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import SceneError, unknown_name
from windrow.scene.scene import Scene
from windrow.scene.start import clump_numbers, given_columns
from windrow.state.state import FASTEST, FROZEN, State, too_far


class Particles:
    """Copies on reading; assigning to `position`, `velocity` or a column of the solver checks and stores.

    Columns are what a solver declares beyond place and velocity; `columns` says which there are.
    """

    def __init__(self, state: State) -> None:
        object.__setattr__(self, "_state", state)

    _state: State

    @property
    def columns(self) -> dict[str, str]:
        """Names of the solver's columns, and what they are: sim.particles.NAME reads and writes one."""
        return {
            column.name: ", ".join(part for part in (column.description, column.unit) if part)
            for column in self._state.declared
        }

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_") or name not in self._state.columns:
            known = sorted({*_plain_names(), *self.columns})
            raise AttributeError(f"particles: {unknown_name('array', name, known)}")
        return self._read(self._state.columns[name])

    def __setattr__(self, name: str, value: Any) -> None:
        column = next((column for column in self._state.declared if column.name == name), None)
        if "clump" in self._state.columns and (column is not None or name in ("position", "velocity")):
            raise SceneError(f"particles.{name}: cannot be set in a scene with clumps, whose balls move together")
        if column is not None:
            if not column.settable:
                raise SceneError(f"particles.{name}: is the solver's own bookkeeping; it can be read only")
            rows = column.checked(f"particles.{name}", value, len(self))
            self._state.columns[name][self._state.by_id()] = rows
        elif name in _plain_names():
            object.__setattr__(self, name, value)
        else:
            raise SceneError(f"particles: {unknown_name('array', name, sorted({*_plain_names(), *self.columns}))}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.columns})

    def __len__(self) -> int:
        return self._state.count

    def _read(self, array: NDArray[Any]) -> NDArray[Any]:
        return array[self._state.by_id()]

    @property
    def id(self) -> NDArray[np.int64]:
        return self._read(self._state.id)

    @property
    def position(self) -> NDArray[np.float32]:
        """(n, 3) m"""
        return self._read(self._state.X)[:, :3]

    @position.setter
    def position(self, value: ArrayLike) -> None:
        rows = self._checked("position", value)
        wrong = too_far(rows, self.radius)
        if wrong is not None:
            raise SceneError(f"particles.position: {wrong}")
        self._state.X[self._state.by_id(), :3] = rows

    @property
    def velocity(self) -> NDArray[np.float32]:
        """(n, 3) m/s"""
        return self._read(self._state.V)[:, :3]

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        rows = self._checked("velocity", value)
        if (np.abs(rows) > FASTEST).any():
            bad = int(np.nonzero((np.abs(rows) > FASTEST).any(axis=1))[0][0])
            raise SceneError(f"particles.velocity: row {bad} is {rows[bad]} m/s; at most {FASTEST:g} m/s are allowed")
        self._state.V[self._state.by_id(), :3] = rows

    @property
    def radius(self) -> NDArray[np.float32]:
        """(n,) m"""
        return self._read(self._state.X)[:, 3]

    @property
    def mass(self) -> NDArray[np.float64]:
        """(n,) kg, infinite where pinned"""
        with np.errstate(divide="ignore"):
            return 1.0 / self._read(self._state.V)[:, 3].astype(np.float64)

    @property
    def material(self) -> NDArray[np.int32]:
        """(n,) index of the material in the scene"""
        return self._read(self._state.material)

    @property
    def force(self) -> NDArray[np.float32]:
        """(n, 3) sum of the contact forces over the last step, N"""
        return self._read(self._state.force)

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """(n,) grains taken out of the motion because their numbers were no longer finite"""
        return (self._read(self._state.flags) & FROZEN).astype(bool)

    def _checked(self, name: str, value: ArrayLike) -> NDArray[np.float32]:
        rows = np.asarray(value, np.float32)
        if rows.shape != (len(self), 3):
            raise SceneError(f"particles.{name}: shape {rows.shape} given, ({len(self)}, 3) needed")
        if not np.isfinite(rows).all():
            bad = int(np.nonzero(~np.isfinite(rows).all(axis=1))[0][0])
            raise SceneError(f"particles.{name}: row {bad} is {rows[bad]}; every number must be finite")
        return rows


def _plain_names() -> list[str]:
    """Arrays that grains of every solver have."""
    return [name for name, value in vars(Particles).items() if isinstance(value, property)]


def fill_columns(state: State, scene: Scene, solver: str) -> None:
    """Writes what an assembled scene says of the solver's columns; grains are still in the order of their ids."""
    declared = {column.name: column for column in state.declared if column.settable}
    if "clump" in state.columns:
        state.columns["clump"][: state.count] = clump_numbers(scene)
    for given in given_columns(scene):
        if given.name not in declared:
            have = f"; it has {', '.join(declared)}" if declared else ""
            raise SceneError(f"{given.place}: the solver {solver} has no such column{have}. Leave it out")
        rows = declared[given.name].checked(given.place, given.values, given.grains)
        state.columns[given.name][given.first : given.first + given.grains] = rows
