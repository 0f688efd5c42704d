"""Who is at the station: the pages that watch, and the one that steers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from windrow.view.session import Session

if TYPE_CHECKING:
    from windrow.view.connection import Connection

MOST_PAGES = 32
"""Pages served at the same time."""


class Station:
    """Pages in order of arrival. The first one steers; another may take over; when the one that steers
    leaves, the longest-standing page follows."""

    def __init__(self, session: Session, scenes: Mapping[str, str] | None = None) -> None:
        self.session = session
        self.scenes = dict(scenes or {})
        """Names and titles of the scenes to choose from."""
        self.pages: list[Connection] = []
        self.operator: Connection | None = None
        self._numbers = 0

    @property
    def full(self) -> bool:
        return len(self.pages) >= MOST_PAGES

    def next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def join(self, page: Connection) -> None:
        self.pages.append(page)
        if self.operator is None:
            self.operator = page
        self._tell_all()

    def leave(self, page: Connection) -> None:
        self.pages.remove(page)
        if self.operator is page:
            self._seat(self.pages[0] if self.pages else None)
        self._tell_all()

    def hand_over(self, page: Connection) -> None:
        if self.operator is not page:
            self._seat(page)
        self._tell_all()

    def _seat(self, page: Connection | None) -> None:
        """Whoever had the levers lets them go, even if all they did was to vanish."""
        self.operator = page
        self.session.levers.let_go()
        self.session.attend()

    def offer(self) -> dict[str, Any]:
        """What a page is told when it arrives."""
        return {
            "mode": self.session.source.mode,
            "scenes": [{"name": name, "title": title} for name, title in self.scenes.items()],
        }

    def roles(self, page: Connection) -> dict[str, Any]:
        """Part of the status that differs from page to page."""
        return {"operator": self.operator is page, "pages": len(self.pages)}

    def _tell_all(self) -> None:
        for page in self.pages:
            page.wake()
