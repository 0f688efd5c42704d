"""The operator's hand on the levers: the newest value of each, and a grip that must be renewed.

The page speaks on the server's thread, the session listens on its own; neither waits for the other.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

DEAD_MAN = 1.0
"""Wall seconds after which levers that nobody holds any more go back to rest."""


class Levers:
    """Names, values and the time of the last grip."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: tuple[str, ...] = ()
        self._values: dict[str, float] = {}
        self._gripped = 0.0
        self._stamp = 0
        self._changed = False

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def offer(self, names: Iterable[str]) -> None:
        """Other levers, all of them at rest."""
        with self._lock:
            self._names = tuple(names)
            self._rest()

    def hold(self, values: Mapping[str, float], stamp: int, now: float) -> list[str]:
        """Moves levers and renews the grip; returns names that there are not, which are passed over."""
        with self._lock:
            known = {name: float(value) for name, value in values.items() if name in self._names}
            moved = any(self._values.get(name, 0.0) != value for name, value in known.items())
            self._values.update(known)
            self._gripped = now
            self._stamp = max(self._stamp, stamp)
            self._changed |= moved
        return [name for name in values if name not in known]

    def let_go(self) -> None:
        """All levers to rest: nobody steers any more, or somebody else does."""
        with self._lock:
            self._rest()

    def taken(self, now: float) -> tuple[dict[str, float] | None, int]:
        """Values of all levers if any moved since the last call, else None; and the newest stamp."""
        with self._lock:
            if now - self._gripped > DEAD_MAN and any(self._values.values()):
                self._rest()
            if not self._changed:
                return None, self._stamp
            self._changed = False
            return {name: self._values.get(name, 0.0) for name in self._names}, self._stamp

    def _rest(self) -> None:
        self._changed |= any(self._values.values())
        self._values = {}
        self._stamp = 0
