"""What a session shows: something that moves on in time, and that an operator may steer."""

from __future__ import annotations

from typing import Any, Protocol

from windrow.scene.scene import Scene
from windrow.state.frame import Frame
from windrow.view.messages import Command


class Source(Protocol):
    """A simulation or a recording; only the session's thread touches it."""

    mode: str
    """live or replay"""
    waits_for_pages: bool
    """Whether time stands while nobody watches."""
    generation: int
    """Goes up when the scene is another one."""
    epoch: int
    """Goes up when time jumps."""

    @property
    def scene(self) -> Scene: ...

    @property
    def time(self) -> float: ...

    def advance(self, now: float) -> float:
        """Does at most one step of work; gives the wall seconds until there is more to do."""
        ...

    def obey(self, command: Command) -> None:
        """Does what the operator asks; a WindrowError says why not."""
        ...

    def pause(self) -> None: ...

    def frame(self) -> Frame: ...

    def notes(self) -> dict[str, Any]:
        """Numbers that go with each frame."""
        ...

    def status(self) -> dict[str, Any]:
        """What changes only when somebody does something."""
        ...

    def close(self) -> None: ...
