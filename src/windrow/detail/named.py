"""Fine grains that keep their names, for whoever follows each of them from one frame to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.detail.detail import Detail


class NamedDetail(Detail):
    """A `Detail` whose grains can be told from each other."""

    def __init__(self, *given: Any, first: int = 0, **named: Any) -> None:
        """first: name of the first grain."""
        self._name = np.zeros(0, np.int64)
        self.next = first
        """name of the grain that comes next"""
        super().__init__(*given, **named)

    @property
    def name(self) -> NDArray[np.int64]:
        """(n,) a number that no other grain has had; rows as those of `position`."""
        return self._name[self._there]

    @property
    def material(self) -> NDArray[np.int32]:
        """(n,)"""
        look = self.grains.look[: self.count][self._there]
        return (look >> np.uint32(16)).astype(np.int32)

    def _place(self, *given: Any) -> None:
        before = self.count
        super()._place(*given)
        came = self.count - before
        self._name = np.concatenate([self._name, np.arange(self.next, self.next + came)])
        self.next += came

    def _sort(self) -> None:
        super()._sort()
        self._name = self._name[self._sorter.order[: self.count]]
