"""What a session shows: something that moves on in time, and that an operator may steer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from windrow.scene.scene import Scene
from windrow.state.frame import Frame
from windrow.view.messages import Command
from windrow.view.pacing import Pace
from windrow.view.packing import Moment, Quantity


class Source(Protocol):
    """A simulation or a recording; only the session's thread touches it."""

    mode: str
    """live or replay"""
    waits_for_pages: bool
    """Whether time stands while nobody watches."""
    pace: Pace
    generation: int
    """Goes up when the scene is another one."""
    epoch: int
    """Goes up when time jumps."""
    parameters_number: int
    """Goes up when a parameter has changed, or should be told again."""
    debrief: dict[str, Any] | None
    """The document of the task that ended last."""

    @property
    def scene(self) -> Scene: ...

    @property
    def time(self) -> float: ...

    @property
    def stepping(self) -> bool:
        """Whether steps are left of those the operator asked for."""
        ...

    @property
    def controls(self) -> list[str]:
        """Names of the levers."""
        ...

    def steer(self, values: Mapping[str, float]) -> None:
        """Moves levers, each to −1…1, from the next step on."""
        ...

    def advance(self, now: float) -> float:
        """Does at most one step of work; gives the wall seconds until there is more to do."""
        ...

    def obey(self, command: Command) -> None:
        """Does what the operator asks; a WindrowError says why not."""
        ...

    def pause(self) -> None: ...

    def give_up(self) -> None:
        """Somebody waits: a long step that has begun, or is about to, ends at once and has not happened. Any thread."""
        ...

    def go_on(self) -> None:
        """Whoever waited is heard now."""
        ...

    def frame(self) -> Frame: ...

    def moment(self, quantities: Collection[Quantity]) -> Moment:
        """What is to be shown now, good until the next step."""
        ...

    def notes(self) -> dict[str, Any]:
        """Numbers that go with each frame."""
        ...

    def status(self) -> dict[str, Any]:
        """What changes only when somebody does something."""
        ...

    def parameters(self) -> list[dict[str, Any]]:
        """Numbers that the operator may change."""
        ...

    def close(self) -> None: ...
