"""One thread that owns what is shown. Pages never touch it: commands go in through a queue, and the newest
frame, description and status lie where anybody may pick them up. Nobody waits for a slow page."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import WindrowError
from windrow.kernel import compiling
from windrow.view.description import Description, description_of
from windrow.view.messages import Command
from windrow.view.packing import PackedFrame
from windrow.view.source import Source

log = logging.getLogger(__name__)

FRAME_RATE = 30.0
"""Frames made per wall second, Hz."""
MOST_COMMANDS = 64
"""Commands that may wait; more are refused."""
UNWATCHED = 0.25
"""Wall seconds between looks for the first page."""
AFTER_TROUBLE = 0.25
"""Wall seconds before going on when something went wrong."""
MOST_NOTICES = 20
"""Remarks kept for pages that have not picked them up."""

Waker = Callable[[], None]


class Session:
    """Runs a source and publishes what it shows."""

    def __init__(self, source: Source, frame_rate: float = FRAME_RATE) -> None:
        self.source = source
        self.description: Description | None = None
        self.newest: PackedFrame | None = None
        self.status: dict[str, Any] = {"busy": "", **source.status()}
        self.status_number = 0
        """Goes up with every change of `status`."""
        self._frame_every = 1.0 / frame_rate
        self._frame_last = -np.inf
        self._commands: queue.Queue[Command] = queue.Queue(MOST_COMMANDS)
        self._notices: deque[tuple[int, str]] = deque(maxlen=MOST_NOTICES)
        self._notice_number = 0
        self._wakers: dict[int, Waker] = {}
        self._lock = threading.Lock()
        self._attention = threading.Event()
        self._closing = False
        self._roster: NDArray[np.int64] | None = None
        self._roster_number = 0
        self._sequence = 0
        self._shown: tuple[int, int, float] | None = None
        self._thread = threading.Thread(target=self._run, name="windrow-session", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends after the current step and waits for it."""
        self._closing = True
        self._attention.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, command: Command) -> bool:
        """Queues a command; False when too many wait already."""
        with suppress(queue.Full):
            self._commands.put_nowait(command)
            self._attention.set()
            return True
        return False

    def watch(self, wake: Waker) -> Callable[[], None]:
        """Calls `wake`, from the session's thread, whenever there is something new; gives the way to end it."""
        key = id(wake)
        with self._lock:
            self._wakers[key] = wake
        self._shown = None
        self._attention.set()

        def leave() -> None:
            with self._lock:
                self._wakers.pop(key, None)

        return leave

    def notices_after(self, number: int) -> list[tuple[int, str]]:
        """Remarks with a higher number, oldest first."""
        return [notice for notice in list(self._notices) if notice[0] > number]

    # --- the session's own thread ------------------------------------------------------------------

    def _run(self) -> None:
        with compiling(lambda name: self._tell_busy(f"compiling {name} (first run only)")):
            while not self._closing:
                self._attention.clear()
                self._obey_all()
                wait = self._guarded(self._advance, or_pause=True)
                self._guarded(self._publish)
                if wait is None or wait > 0:
                    wait = AFTER_TROUBLE if wait is None else wait
                    due = self._frame_last + self._frame_every - perf_counter()
                    self._attention.wait(min(wait, due) if due > 0 else wait)
        self.source.close()

    def _advance(self) -> float:
        if self.source.waits_for_pages and not self._wakers:
            return UNWATCHED
        return self.source.advance(perf_counter())

    def _obey_all(self) -> None:
        with suppress(queue.Empty):
            while True:
                command = self._commands.get_nowait()
                self._guarded(lambda command=command: self.source.obey(command))  # type: ignore[misc]
                self._frame_last = -np.inf

    def _guarded(self, work: Callable[[], Any], or_pause: bool = False) -> Any:
        """Whatever goes wrong is told, and the station stays up; None then."""
        try:
            return work()
        except WindrowError as problem:
            self._say(str(problem))
        except Exception as problem:
            log.exception("the session stumbled")
            self._say(f"a mistake in Windrow: {type(problem).__name__}: {problem}")
            or_pause = True
        if or_pause:
            self.source.pause()
        return None

    def _publish(self) -> None:
        source, now = self.source, perf_counter()
        if self.description is None or self.description.generation != source.generation:
            self.description = description_of(source.scene, source.frame(), source.generation, source.mode)
            self._roster = None
        self._tell_status()
        moment = (source.generation, source.epoch, source.time)
        if moment == self._shown or not self._wakers or now - self._frame_last < self._frame_every:
            return
        frame = source.frame()
        if self._roster is None or not np.array_equal(self._roster, frame.id):
            self._roster = frame.id
            self._roster_number += 1
        self._sequence += 1
        self.newest = PackedFrame(
            frame, self._sequence, source.generation, source.epoch, self._roster_number, source.notes()
        )
        self._shown = moment
        self._frame_last = now
        self._wake()

    def _tell_status(self, busy: str = "") -> None:
        status = {"busy": busy, **self.source.status()}
        if status != self.status or self.status_number == 0:
            self.status = status
            self.status_number += 1
            self._wake()

    def _tell_busy(self, what: str) -> None:
        self._tell_status(what)

    def _say(self, text: str) -> None:
        self._notice_number += 1
        self._notices.append((self._notice_number, text))
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            wakers = list(self._wakers.values())
        for wake in wakers:
            wake()
