"""Steps that are given up: somebody waits, and does not want to wait for the end of a long one.

The loops over substeps and sweeps look (`Stop.look`), those inside of kernels by a number that is theirs
(`Stop.show_in`). What was begun is undone by whoever asked for it (`sim.attempt`): a step that was given up has not
happened, and changes no bit.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


class StepGivenUpError(Exception):
    """The step at hand ends here; the state is somewhere between two moments."""


class Stop:
    """Whether the step at hand is to be given up: asked for by any thread, looked at by the one that steps."""

    def __init__(self) -> None:
        self._asked = False
        self._shown: NDArray[Any] | None = None

    def ask(self) -> None:
        """From now on no step goes on; `clear` ends that."""
        self._asked = True
        shown = self._shown
        if shown is not None:
            shown[...] = 1

    def clear(self) -> None:
        self._asked = False
        self._shown = None

    def look(self) -> None:
        """Ends the step if it is to be given up."""
        if self._asked:
            raise StepGivenUpError

    def show_in(self, place: NDArray[Any]) -> None:
        """Makes `place` another number than zero as soon as somebody asks: compiled loops look there."""
        place[...] = 0
        self._shown = place
        if self._asked:
            place[...] = 1
