"""One page at the other end of a socket: what it may say, how often, and what it is sent when."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable
from time import monotonic, perf_counter
from types import NoneType
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from windrow.view.messages import (
    LONGEST_MESSAGE,
    PROTOCOL,
    Ack,
    BadMessageError,
    Color,
    Control,
    Heard,
    Operate,
    message_from,
)
from windrow.view.session import Watcher

if TYPE_CHECKING:
    from windrow.view.station import Station

log = logging.getLogger(__name__)

MESSAGES_PER_SECOND = 240.0
MESSAGES_AT_ONCE = 480.0
"""A page that acknowledges sixty frames a second and moves its levers as often stays well below both."""
FRAMES_IN_FLIGHT = 2
"""Sent and not acknowledged; a page that falls behind is sent nothing until it answers, and then what is newest."""

MOST_OWN_TEXTS = 20
"""Remarks and refusals that wait for one page; the oldest make room."""

BAD_MESSAGE = 4400
NO_TOKEN = 4401
TOO_MANY_PAGES = 4403
TOO_FAST = 4429


GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""What is raised where a page has left, perhaps in the middle of something."""


class RateLimit:
    """A bucket that fills with time and loses one with each message."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most, self._left, self._seen = rate, most, most, monotonic()

    def allows(self, now: float) -> bool:
        self._left = min(self._most, self._left + (now - self._seen) * self._rate)
        self._seen = now
        self._left -= 1.0
        return self._left >= 0.0


class Refused(Exception):
    """Why a page is dropped: a code of the socket protocol and words."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


def close_reason(text: str) -> str:
    """A reason as a socket may carry it: at most 123 bytes of UTF-8, and no half of a character."""
    return text.encode()[:123].decode(errors="ignore")


class Connection:
    """Reads what a page says and sends it what is new, each in a task of its own."""

    def __init__(self, socket: WebSocket, station: Station, number: int) -> None:
        self.number = number
        """Of the page, from 1 in order of arrival."""
        self._socket = socket
        self._station = station
        self._news = asyncio.Event()
        self._limit = RateLimit(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE)
        self._own_texts: deque[dict[str, Any]] = deque(maxlen=MOST_OWN_TEXTS)
        self._watcher = Watcher(_waking(asyncio.get_running_loop(), self._news))
        self._sent = 0
        self._unacknowledged: list[int] = []
        self._generation = 0
        self._roster = 0
        self._ground, self._epoch = 0, 0
        """version of the ground that the page has, and the epoch it is of"""
        self._notice = station.session.notices_after(0)[-1][0] if station.session.notices_after(0) else 0
        self._parameters = 0
        self._debrief = station.session.debrief.number
        self._status_sent = ""

    def wake(self) -> None:
        """There is news; call it from the event loop."""
        self._news.set()

    async def serve(self) -> None:
        """Until the page leaves or is dropped."""
        await self._send(
            {"type": "hello", "protocol": PROTOCOL, "page": self.number, **self._station.offer()}
        )
        leave = self._station.session.watch(self._watcher)
        tasks = {asyncio.create_task(self._read()), asyncio.create_task(self._write())}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # Not raised again: an exception that knows this frame, and this frame it, would stay in memory together
            # with everything on the way to the page.
            for problem in [task.exception() for task in done]:
                if isinstance(problem, Refused):
                    await self._close(problem.code, problem.reason)
                elif not isinstance(problem, (*GONE, NoneType)):
                    log.error("a page was dropped by mistake", exc_info=problem)
        finally:
            leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _close(self, code: int, reason: str) -> None:
        # A page that does not read would hold us here.
        try:
            await asyncio.wait_for(self._socket.close(code, close_reason(reason)), 1.0)
        except (*GONE, TimeoutError):
            return

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(received.get("code", 1000))
            if not self._limit.allows(monotonic()):
                raise Refused(TOO_FAST, f"more than {MESSAGES_PER_SECOND:.0f} messages a second")
            text = received.get("text")
            if text is None:
                raise Refused(BAD_MESSAGE, "pages send text")
            if len(text) > LONGEST_MESSAGE:
                raise Refused(1009, f"messages have at most {LONGEST_MESSAGE} characters")
            try:
                message = message_from(text)
            except BadMessageError as problem:
                raise Refused(BAD_MESSAGE, str(problem)) from None
            self._hear(message)

    def _hear(self, message: Heard) -> None:
        session = self._station.session
        if isinstance(message, Ack):
            self._unacknowledged = [number for number in self._unacknowledged if number > message.sequence]
        elif isinstance(message, Color):
            self._watcher.quantity = message.quantity
            session.show_again()
        elif isinstance(message, Operate):
            self._station.hand_over(self)
        elif self._station.operator is not self:
            self._tell("somebody else is steering; press “take control” first")
        elif isinstance(message, Control):
            unknown = session.levers.hold(message.values, message.stamp, perf_counter())
            session.attend()
            if unknown:
                self._tell(f"there is no control {unknown[0]!r} in this scene")
        elif not session.submit(message, self._refuse):
            self._tell("too many commands at once; this one was dropped")
        self._news.set()

    def _tell(self, text: str) -> None:
        """A remark for this page alone."""
        notice = {"type": "notice", "text": text}
        if notice not in self._own_texts:
            self._own_texts.append(notice)

    def _refuse(self, answer: dict[str, Any]) -> None:
        """From the session's thread."""
        self._own_texts.append(answer)
        self._watcher.wake()

    async def _write(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            if len(self._unacknowledged) < FRAMES_IN_FLIGHT:  # else its next word wakes us again
                await self._send_texts()
                await self._send_frame()

    async def _send_texts(self) -> None:
        session = self._station.session
        description = session.description
        if description is not None and description.generation != self._generation:
            self._generation = description.generation
            self._roster = self._epoch = 0
            self._parameters = 0
            await self._socket.send_text(description.text)
            await self._socket.send_bytes(description.geometry)
        if self._generation and session.parameters.number != self._parameters:
            self._parameters = session.parameters.number
            await self._socket.send_text(session.parameters.text)
        if session.debrief.number != self._debrief:
            self._debrief = session.debrief.number
            await self._socket.send_text(session.debrief.text)
        status = json.dumps({"type": "status", **session.status, **self._station.roles(self)})
        if status != self._status_sent:
            self._status_sent = status
            await self._socket.send_text(status)
        for number, text in session.notices_after(self._notice):
            self._notice = number
            await self._send({"type": "notice", "text": text})
        while self._own_texts:
            await self._send(self._own_texts.popleft())

    async def _send_frame(self) -> None:
        newest = self._station.session.newest
        if newest is None or newest.sequence <= self._sent or newest.generation != self._generation:
            return
        since = self._ground if newest.epoch == self._epoch else 0
        payload = newest.message(self._watcher.quantity, newest.roster != self._roster, since)
        self._ground, self._epoch = newest.ground_version, newest.epoch
        self._sent = newest.sequence
        self._roster = newest.roster
        self._unacknowledged.append(newest.sequence)
        await self._socket.send_bytes(payload)

    async def _send(self, told: dict[str, Any]) -> None:
        await self._socket.send_text(json.dumps(told, ensure_ascii=False))


def _waking(loop: asyncio.AbstractEventLoop, news: asyncio.Event) -> Callable[[], None]:
    """Says from any thread that there is news. It does not know the connection, which could not be freed by itself
    if what it holds held it."""

    def wake() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(news.set)

    return wake
