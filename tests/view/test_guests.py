"""Whoever reaches the port without being a page: how many, for how long, and what they may send."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import time
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from made_station import PATIENCE, Page, live, station
from websockets.exceptions import ConnectionClosed

from windrow.view import guests
from windrow.view.launch import Viewer

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: "
ENDLESS = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"


@contextlib.contextmanager
def guest(viewer: Viewer, words: bytes = b"") -> Iterator[socket.socket]:
    address = urlsplit(viewer.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as made:
        made.sendall(words)
        yield made


def answers(viewer: Viewer) -> int:
    """How many pages the station says it has."""
    with urllib.request.urlopen(f"{viewer.url.partition('?')[0]}health", timeout=PATIENCE) as answer:
        return int(json.load(answer)["pages"])


def closed(one: socket.socket) -> bool:
    """Whether the other side has closed; what it had to say before does not matter."""
    one.settimeout(0.0)
    try:
        while one.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def wait_until_closed(one: socket.socket) -> None:
    end = time.monotonic() + PATIENCE
    while not closed(one):
        assert time.monotonic() < end, "it is still open"
        time.sleep(0.02)


@pytest.mark.parametrize("words", [b"", HALF, ENDLESS], ids=["silent", "half a head", "endless body"])
def test_a_request_that_never_ends_is_closed(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "GUEST_SECONDS", 0.5)
    with station(live()) as viewer, guest(viewer, words) as one:
        end = time.monotonic() + PATIENCE
        while not closed(one):
            assert time.monotonic() < end, "it is still open"
            with contextlib.suppress(OSError):
                one.send(b"x" if words else b"")  # a little more each time
            time.sleep(0.02)


def test_pages_stay_longer_than_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "GUEST_SECONDS", 0.2)
    with station(live(paused=False)) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames and page.frame["time"] > 1.0)


def test_the_oldest_guests_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MOST_GUESTS", 5)
    with station(live()) as viewer, Page(viewer) as page, contextlib.ExitStack() as stack:
        page.until(lambda page: page.frames)
        crowd = [stack.enter_context(guest(viewer, HALF)) for _ in range(20)]
        for one in crowd[:15]:
            wait_until_closed(one)
        assert answers(viewer) == 1
        assert sum(not closed(one) for one in crowd) in (3, 4)
        page.say(type="step", count=1)
        page.until(lambda page: page.frame["notes"]["step"] == 1)


def test_refused_pages_are_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would hold on until it has answered the farewell."""
    monkeypatch.setattr(guests, "MOST_GUESTS", 3)
    monkeypatch.setattr(guests, "FAREWELL_SECONDS", PATIENCE)
    upgrade = (
        b"GET /socket?token=wrong HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with station(live(), token="a long secret") as viewer, contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(guest(viewer, upgrade)) for _ in range(12)]
        for one in crowd[:9]:
            wait_until_closed(one)
        with Page(viewer) as page:
            page.until(lambda page: page.frames)
        assert answers(viewer) <= 1


def test_pings_are_counted() -> None:
    with station(live()) as viewer, Page(viewer) as page, pytest.raises(ConnectionClosed):
        ping_for_long(page)


def ping_for_long(page: Page) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        page.socket.ping()


def test_a_message_of_endless_parts_is_refused() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        parts = itertools.count()
        with contextlib.suppress(ConnectionClosed):
            page.socket.send("" for _ in itertools.takewhile(lambda k: k < 100_000, parts))
        assert next(parts) < 100_000


def test_a_page_may_ping_now_and_then() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        for _ in range(5):
            assert page.socket.ping().wait(PATIENCE)
        page.until(lambda page: page.frames)
