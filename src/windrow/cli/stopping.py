"""Ctrl-C between two steps.

Python raises KeyboardInterrupt wherever the program happens to be, which in the middle of a step would leave
a state that is neither before nor after it, and a checkpoint of it would not continue as the uninterrupted
run does. So the request is noted, and the run asks for it after each step. Asking a second time leaves at
once and keeps the checkpoint that was written last.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from windrow.cli.failures import INTERRUPTED, TERMINATED, StopAtOnce

EXIT_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class Stopping:
    """Within it, Ctrl-C and a request to terminate wait for `heed`."""

    def __init__(self, quiet: bool = False) -> None:
        self.exit_code = 0
        """What the command should exit with; 0 when nobody asked to stop."""
        self._quiet = quiet
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        # Python delivers signals to the main thread only, and refuses handlers from any other.
        if threading.current_thread() is threading.main_thread():
            for number in EXIT_CODES:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def heed(self) -> None:
        """Raises KeyboardInterrupt if a stop was asked for; call it where stopping is clean."""
        if self.exit_code:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.exit_code:
            raise StopAtOnce
        self.exit_code = EXIT_CODES[signal.Signals(number)]
        if not self._quiet:
            # The buffered stream may be in use at this very moment, and cannot be entered twice.
            os.write(2, b"\nstopping after this step; once more to leave at once\n")
