"""The grains as a user sees them: arrays in the order of their ids, whatever order the solver keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windrow.errors import SceneError
from windrow.state.state import FASTEST, FROZEN, State, too_far


class Particles:
    """Copies on reading; assigning to `position` or `velocity` checks and stores."""

    def __init__(self, state: State) -> None:
        self._state = state

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
