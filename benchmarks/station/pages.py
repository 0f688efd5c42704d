"""Pages that are programs, for measuring the station: good ones, slow ones, silent ones, rude ones.

They run in a process of their own, so that what they cost is not counted as the server's.
"""

from __future__ import annotations

import asyncio
import json
import random
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

FRAME = b"WRF1"


@dataclass
class Seen:
    """What one page got."""

    frames: int = 0
    bytes: int = 0
    gaps: list[float] = field(default_factory=list)
    """wall seconds between frames"""
    latencies: list[float] = field(default_factory=list)
    """wall seconds from a lever to the first frame that obeys it"""
    drops: int = 0
    """connections that ended, by whomever; those of rude pages by the server only"""
    late: int = 0
    """steps that the server had to give up, by the last frame"""
    steps: int = 0


async def good(address: str, seconds: float, seen: Seen, lever: str | None = None) -> None:
    """Acknowledges every frame; with a lever, moves it to and fro and waits for the answer each time."""
    end = perf_counter() + seconds
    async with connect(address, compression=None, max_size=None) as socket:
        stamp, sent, last = 0, 0.0, perf_counter()
        waiting = False
        while (left := end - perf_counter()) > 0:
            if lever is not None and seen.frames and not waiting:
                await asyncio.sleep(random.uniform(0.0, 0.05))
                stamp += 1
                value = 0.5 if stamp % 2 else -0.5
                await _say(socket, type="control", values={lever: value}, stamp=stamp)
                sent, waiting = perf_counter(), True
            try:
                heard = await asyncio.wait_for(socket.recv(), left)
            except TimeoutError:
                break
            if not isinstance(heard, bytes) or heard[:4] != FRAME:
                continue
            now = perf_counter()
            if seen.frames:
                seen.gaps.append(now - last)
            last = now
            seen.frames += 1
            seen.bytes += len(heard)
            notes = _notes(heard)
            seen.late, seen.steps = notes.get("late", 0), notes.get("step", 0)
            if waiting and notes.get("stamp", 0) >= stamp:
                seen.latencies.append(now - sent)
                waiting = False
            await _say(socket, type="ack", sequence=_sequence(heard))


async def slow(address: str, seconds: float, seen: Seen) -> None:
    """Reads one message in half a second; comes back whenever it is dropped for it."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        with suppress(WebSocketException, OSError, TimeoutError):
            async with _lazily(address) as socket:
                while (left := end - perf_counter()) > 0:
                    heard = await asyncio.wait_for(socket.recv(), left)
                    if isinstance(heard, bytes) and heard[:4] == FRAME:
                        seen.frames += 1
                        await _say(socket, type="ack", sequence=_sequence(heard))
                    await asyncio.sleep(0.5)
        seen.drops += 1


async def deaf(address: str, seconds: float, seen: Seen) -> None:
    """Never reads at all: what it is sent piles up on its side, and must not on the server's."""
    end = perf_counter() + seconds
    while (left := end - perf_counter()) > 0:
        with suppress(WebSocketException, OSError, TimeoutError):
            async with _lazily(address) as socket:
                await asyncio.wait_for(socket.wait_closed(), left)
        seen.drops += 1


def _lazily(address: str) -> connect:
    """A connection that reads no further than it is asked to."""
    return connect(
        address, compression=None, max_size=None, max_queue=1, ping_interval=None, close_timeout=0.2
    )


async def vanishing(address: str, seconds: float, seen: Seen) -> None:
    """Comes, steers, and is gone without a word, again and again."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        with suppress(WebSocketException, OSError, TimeoutError):
            socket = await connect(address, compression=None, max_size=None, close_timeout=0.1)
            try:
                await _say(socket, type="operate")
                await _say(socket, type="control", values={"throttle": random.uniform(-1, 1)})
                for _ in range(random.randint(0, 20)):
                    await asyncio.wait_for(socket.recv(), 0.5)
            finally:
                socket.transport.abort()
        seen.drops += 1
        await asyncio.sleep(random.uniform(0.05, 0.5))


async def rude(address: str, seconds: float, seen: Seen) -> None:
    """Sends what no page sends, until it is dropped; some of it is merely refused, then it leaves by itself."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        try:
            async with connect(address, compression=None, max_size=None, close_timeout=0.2) as socket:
                await socket.send(_garbage())
                if random.random() < 0.3:
                    for _ in range(1000):
                        await _say(socket, type="ack", sequence=0)
                while True:
                    await asyncio.wait_for(socket.recv(), 1.0)
        except ConnectionClosed:
            seen.drops += 1
        except (WebSocketException, OSError, TimeoutError):
            pass
        await asyncio.sleep(random.uniform(0.02, 0.3))


def _garbage() -> str | bytes:
    return random.choice(
        [
            "",
            "{",
            "[" * 3000,
            '{"type":"control","values":{"throttle":2}}',
            '{"type":"parameter","path":"solver.dt","value":"' + "9" * 500 + '"}',
            '{"type":"scene","name":"../../etc/passwd"}',
            '{"type":"pause","x":1}',
            random.randbytes(random.randint(0, 20_000)),
            "x" * random.randint(1, 60_000),
        ]
    )


async def _say(socket: ClientConnection, **message: object) -> None:
    await socket.send(json.dumps(message))


def _sequence(frame: bytes) -> int:
    return int(struct.unpack_from("<I", frame, 4)[0])


def _notes(frame: bytes) -> dict[str, int]:
    length = struct.unpack_from("<I", frame, 36)[0]
    notes: dict[str, int] = json.loads(frame[-length:])
    return notes
