"""One thread that owns what is shown. Pages never touch it: commands go in through a queue, and the newest
frame, description and status lie where anybody may pick them up. Nobody waits for a slow page.

Commands are obeyed in their order, at the moment between two steps at which they come: none waits for steps that an
operator asked for, and a pause overtakes all that would run before it. A long step that is being made is given up for
it, as if it had not begun (`LiveSource.give_up`). Steps that are not done yet go on afterwards, unless the operator
pauses, begins again, or goes to another scene or to a kept moment.
"""

from __future__ import annotations

import json
import logging
import math
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent import futures
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

from windrow.errors import WindrowError
from windrow.kernel import compiling, set_aside
from windrow.view.controls import Levers
from windrow.view.description import Description, description_of
from windrow.view.messages import Command, Parameter, Pause, Resume, Step
from windrow.view.packing import PackedFrame, Quantity, body_rows, quantities_of, written
from windrow.view.rows import Roster, grain_rows
from windrow.view.source import Source

log = logging.getLogger(__name__)

FRAME_RATE = 30.0
"""Frames made per wall second, Hz."""
EAGER_RATE = 60.0
"""Frames per wall second while levers move, Hz: a hand should soon see what it does."""
UNEVEN = 0.002
"""Wall seconds by which steps that come regularly may come early or late."""
MOST_COMMANDS = 64
"""Commands that may wait; more are refused."""
UNWATCHED = 0.25
"""Wall seconds between looks for the first page."""
AFTER_TROUBLE = 0.25
"""Wall seconds before going on when something went wrong."""
MOST_NOTICES = 20
"""Remarks kept for pages that have not picked them up."""
PATIENT = (Step, Resume)
"""Commands that let a step be done first: they ask for no more."""
SAME_REMARK = 2.0
"""Wall seconds within which the same remark is made once."""

Result = TypeVar("Result")
Waker = Callable[[], None]
Refuser = Callable[[dict[str, Any]], None]
"""Takes the answer to a page whose wish was not granted."""


@dataclass
class Watcher:
    """A page, as the session sees it."""

    wake: Waker
    """called from the session's thread whenever there is something new"""
    quantity: Quantity = "speed"
    """what it colours grains by"""


@dataclass(frozen=True)
class Told:
    """A text for all pages, and a number that goes up when it changes."""

    number: int
    text: str


class Session:
    """Runs a source and publishes what it shows."""

    def __init__(self, source: Source, frame_rate: float = FRAME_RATE) -> None:
        self.source = source
        self.levers = Levers()
        self.description: Description | None = None
        self.newest: PackedFrame | None = None
        self.parameters = Told(0, "")
        self.debrief = Told(0, "")
        self.status: dict[str, Any] = {"busy": "", **source.status()}
        self.status_number = 0
        """Goes up with every change of `status`."""
        self._frame_every = 1.0 / frame_rate
        self._frame_last = -math.inf
        self._steered = False
        self._eager = False
        self._commands: deque[tuple[Command, Refuser | None]] = deque()
        self._notices: deque[tuple[int, str]] = deque(maxlen=MOST_NOTICES)
        self._notice_number = 0
        self._said: tuple[str, float] = ("", -math.inf)
        self._watchers: list[Watcher] = []
        self._lock = threading.Lock()
        self._attention = threading.Event()
        self._closing = False
        self._roster = Roster()
        self._sequence = 0
        self._stamp = 0
        self._shown: tuple[int, int, float] | None = None
        self._show_again = False
        self._unsettled = False
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="windrow-session", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends, and waits for it: a long step is given up."""
        self._closing = True
        self.source.give_up()
        self._attention.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, command: Command, refuse: Refuser | None = None) -> bool:
        """Queues a command; False when too many wait already. `refuse` hears if it is not obeyed."""
        with self._lock:
            if isinstance(command, Pause):
                others = [item for item in self._commands if not isinstance(item[0], Step | Pause | Resume)]
                self._commands = deque([(command, refuse), *others])
            elif len(self._commands) < MOST_COMMANDS:
                self._commands.append((command, refuse))
            else:
                return False
        if not isinstance(command, PATIENT):
            self.source.give_up()
        self._attention.set()
        return True

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Wakes the watcher whenever there is something new; gives the way to end it."""
        with self._lock:
            self._watchers.append(watcher)
        self.show_again()

        def leave() -> None:
            with self._lock:
                self._watchers.remove(watcher)

        return leave

    def show_again(self) -> None:
        """Makes a frame of this moment though it was shown before: somebody new, or another quantity."""
        self._show_again = True
        self._attention.set()

    def attend(self) -> None:
        """There is something to do now."""
        self._attention.set()

    def between_steps(self, work: Callable[[], Result]) -> Result:
        """What `work` gives when the session's thread does it between two steps: nobody else may touch the source."""
        if not self.alive or threading.current_thread() is self._thread:
            return work()
        answer: futures.Future[Result] = futures.Future()

        def do() -> None:
            try:
                answer.set_result(work())
            except BaseException as problem:
                answer.set_exception(problem)

        self._work.put(do)
        self._attention.set()
        while not answer.done():
            futures.wait([answer], UNWATCHED)
            if not self.alive:
                self._do_all_work()
        return answer.result()

    def notices_after(self, number: int) -> list[tuple[int, str]]:
        """Remarks with a higher number, oldest first."""
        return [notice for notice in list(self._notices) if notice[0] > number]

    # --- the session's own thread ------------------------------------------------------------------

    def _run(self) -> None:
        with compiling(self._tell_compiling):
            while not self._closing:
                self._attention.clear()
                self._do_all_work()
                self._obey_all()
                wait = self._guarded(self._advance, or_pause=True)
                self._guarded(self._publish)
                if wait is None or wait > 0:
                    wait = AFTER_TROUBLE if wait is None else wait
                    due = self._frame_due - perf_counter()
                    self._attention.wait(min(wait, due) if due > 0 else wait)
        self.source.close()

    def _advance(self) -> float:
        if self.source.waits_for_pages and not self._watchers:
            return UNWATCHED
        now = perf_counter()
        values, stamp = self.levers.taken(now)
        if values is not None:
            self.source.steer(values)
            self._steered = True
        before = self.source.time
        wait = self.source.advance(now)
        if self.source.time != before:
            self._stamp = stamp
            self._eager |= self._steered  # the first step that shows what the hand did
            self._steered = False
        return wait

    def _do_all_work(self) -> None:
        with suppress(queue.Empty):
            while True:
                self._work.get_nowait()()

    def _obey_all(self) -> None:
        self.source.go_on()  # before looking: a command is there before anybody asks that a step be given up for it
        if self._closing:
            self.source.give_up()
        while (given := self._next_command()) is not None:
            self._guarded(lambda words=given: self._obey(*words))  # type: ignore[misc]
            self._frame_last = -math.inf
            self._guarded(self._tell_status)  # now: the step that follows may be a long one
            self._guarded(self._tell_parameters)

    def _next_command(self) -> tuple[Command, Refuser | None] | None:
        with self._lock:
            return self._commands.popleft() if self._commands else None

    def _obey(self, command: Command, refuse: Refuser | None) -> None:
        epoch = self.source.epoch
        try:
            self.source.obey(command)
        except WindrowError as problem:
            if refuse is None or not isinstance(command, Parameter):
                raise
            refuse({"type": "refusal", "path": command.path, "value": command.value, "reason": str(problem)})
        finally:
            if self.source.epoch != epoch:
                self.levers.let_go()

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
            self.description = description_of(
                source.scene, source.frame(), source.generation, source.mode, source.controls
            )
            self.levers.offer(source.controls)
            self._roster.forget()
            self._unsettled = True
        self._tell_status()
        self._tell_parameters()
        if self._unsettled:
            self._unsettled = False
            set_aside()
            source.pace.restart()  # preparing a scene does not make its steps late
        moment = (source.generation, source.epoch, source.time)
        wanted = self._show_again or moment != self._shown
        if not wanted or not self._watchers or now < self._frame_due:
            return
        self._show_again = False  # before looking at what pages want, so that no wish is lost
        self.newest = self._packed()
        self._shown = moment
        self._frame_last = now
        self._eager = False
        self._tell_debrief()
        self._wake()

    @property
    def _frame_due(self) -> float:
        """When the next frame may be made, of `perf_counter`. Steps come on time, but not to the microsecond; a frame
        that had to wait for the step after the next because of that would come much later."""
        every = min(self._frame_every, 1.0 / EAGER_RATE) if self._eager else self._frame_every
        return self._frame_last + every - UNEVEN

    def _packed(self) -> PackedFrame:
        source = self.source
        with self._lock:
            wanted = {watcher.quantity for watcher in self._watchers}
        moment = source.moment(wanted)
        notes = source.notes()
        if self._stamp:
            notes["stamp"] = self._stamp
        self._sequence += 1
        return PackedFrame(
            sequence=self._sequence,
            generation=source.generation,
            epoch=source.epoch,
            time=moment.time,
            grains=grain_rows(moment.grains, self._roster),
            bodies=body_rows(moment.bodies),
            notes=written(notes),
            ground=moment.ground,
            quantities=quantities_of(moment.columns),
        )

    def _tell_status(self, busy: str = "") -> None:
        status = {"busy": busy, **self.source.status()}
        if status != self.status or self.status_number == 0:
            self.status = status
            self.status_number += 1
            self._wake()

    def _tell_parameters(self) -> None:
        number = self.source.parameters_number
        if number != self.parameters.number:
            items = self.source.parameters()
            self.parameters = Told(number, json.dumps({"type": "parameters", "items": items}))
            self._wake()

    def _tell_debrief(self) -> None:
        document = self.source.debrief
        if document is not None:
            self.source.debrief = None
            self.debrief = Told(self.debrief.number + 1, json.dumps({"type": "debrief", **document}))

    def _tell_compiling(self, name: str) -> None:
        if threading.current_thread() is self._thread:  # else somebody else's kernel
            self._unsettled = True
            self._tell_status(f"compiling {name} (first run only)")

    def _say(self, text: str) -> None:
        said, when = self._said
        if text == said and perf_counter() - when < SAME_REMARK:
            return
        self._said = text, perf_counter()
        self._notice_number += 1
        self._notices.append((self._notice_number, text))
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher.wake()
