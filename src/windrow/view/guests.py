"""The server's end of connections: how many there may be, for how long, and what they may send beside messages.

Whoever reaches the port is a guest until a page of theirs has shown the token. Guests are few and leave soon: a request
that never ends, or a refused page that stays, makes room. Frames that no page sees, such as pings, are limited for all:
each is answered, and answers that nobody reads stay in memory.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from windrow.view.connection import RateLimit
from windrow.view.reading import ReadingLittle

MOST_GUESTS = 64
"""Connections that are no pages; the oldest makes room."""
GUEST_SECONDS = 30.0
"""Wall seconds after which a connection that is no socket is closed: many times what the page takes to load."""
FAREWELL_SECONDS = 2.0
"""Wall seconds that a page has to answer when it is dropped."""
UNSEEN_PER_SECOND, UNSEEN_AT_ONCE = 20.0, 40.0
"""Pings, pongs and continued parts of messages; a browser sends one pong in 20 s."""


def make_room(connections: set[Any]) -> None:
    """Drops the guest that came first if there are too many."""
    guests = [one for one in connections if one.is_guest and not one.transport.is_closing()]
    if len(guests) > MOST_GUESTS:
        min(guests, key=lambda one: one.since).transport.abort()


class WebConnection(ReadingLittle):
    """Serves the page's files, for a short time, and hands over to a socket."""

    is_guest = True
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.since = monotonic()
        self._end = self.loop.call_later(GUEST_SECONDS, self.transport.abort)
        make_room(self.connections)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_end()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._forget_end()
        super().handle_websocket_upgrade(event)

    def _forget_end(self) -> None:
        if self._end is not None:
            self._end.cancel()


class SocketConnection(WebSocketsSansIOProtocol):
    """A page's socket; a guest until the application admits it."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.close_timeout = FAREWELL_SECONDS
        self.since = monotonic()
        self._unseen = RateLimit(UNSEEN_PER_SECOND, UNSEEN_AT_ONCE)

    @property
    def is_guest(self) -> bool:
        scope: Any = getattr(self, "scope", None)  # not there before the handshake
        return scope is None or not scope["state"].get("admitted", False)

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        make_room(self.connections)

    def handle_ping(self) -> None:
        if self._bears_one_more():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._bears_one_more():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._bears_one_more():
            super().handle_cont(event)

    def _bears_one_more(self) -> bool:
        if not self._unseen.allows(monotonic()):
            self.transport.abort()  # a farewell would wait for a page that does not read
        return not self.transport.is_closing()
