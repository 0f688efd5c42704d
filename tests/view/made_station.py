"""Small scenes on real servers, and pages that are programs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from windrow.scene.scene import Scene
from windrow.scene.settings import P2
from windrow.scene.task import Task, Zone
from windrow.sim.simulation import Simulation
from windrow.view.ground import ROW
from windrow.view.launch import Viewer, opened
from windrow.view.live import LiveSource
from windrow.view.packing import BODY_FLOATS, GROUND, HEADER, ROSTER
from windrow.view.rows import TOP
from windrow.view.source import Source

PATIENCE = 60.0
"""Seconds; the first step may have to compile."""


def small_scene(title: str = "a few grains") -> Scene:
    scene = Scene(title=title, solver=P2())
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    scene.add_box((0, 0, 0.1), (0.2, 0.2, 0.2), "sand", name="block")
    scene.add_block((-0.2, -0.2, 0.4), (0.4, 0.4, 0.2), 0.04, "sand")
    return scene


CART = Path(__file__).parent / "cart.toml"


def cart_scene(task: bool = False) -> Scene:
    """The cart of cart.toml with a brick on its tray, on level ground; it stands still until it is driven.

    With a task: a crate before its roller that it has to push ahead.
    """
    scene = Scene(title="cart")
    scene.add_material("ground", friction_static=0.8)
    scene.add_plane((0, 0, 1), 0.0, "ground", name="ground")
    scene.add_body(
        "brick",
        "ground",
        shapes=[{"kind": "box", "size": (0.5, 0.5, 0.4)}],
        position=(2.0, 0.0, 1.25),
        density=2000.0,
    )
    scene.add_machine(CART)
    if task:
        scene.add_body(
            "crate",
            "ground",
            shapes=[{"kind": "box", "size": (0.6, 0.6, 0.6)}],
            position=(2.0, 0.0, 0.3),
            density=500.0,
        )
        scene.task = Task(
            title="Bring the crate",
            target=100.0,
            source=Zone(lower=(1, -2, 0), upper=(3, 2, 3)),
            destination=Zone(lower=(4, -2, 0), upper=(50, 2, 3)),
            time_limit=60.0,
        )
    return scene


@cache
def _compile(scene: Callable[[], Scene]) -> None:
    """Compiles what a scene needs before a station runs it, so that nobody waits for it there."""
    Simulation(scene(), threads=1).step()


def cart(paused: bool = False, task: bool = False) -> LiveSource:
    _compile(cart_scene)
    return LiveSource(Simulation(cart_scene(task), threads=1), "cart", paused=paused)


def live(paused: bool = True) -> LiveSource:
    _compile(small_scene)
    scenes: dict[str, Callable[[], Scene]] = {"first": small_scene, "second": lambda: small_scene("another")}
    return LiveSource(Simulation(small_scene(), threads=1), "first", scenes, paused)


@contextmanager
def station(source: Source, **options: Any) -> Iterator[Viewer]:
    viewer = opened(source, port=0, **options)
    viewer.start()
    try:
        yield viewer
    finally:
        viewer.close()


def decoded(data: bytes) -> dict[str, Any]:
    """A frame as NumPy reads it: an independent reading of the layout in packing.py."""
    head = np.frombuffer(data, HEADER, 1)[0]
    n, b = int(head["grains"]), int(head["bodies"])
    at = HEADER.itemsize
    bodies = np.frombuffer(data, "<f4", b * BODY_FLOATS, at).reshape(b, BODY_FLOATS)
    at += bodies.nbytes
    rows = np.frombuffer(data, "<u2", 4 * n, at).reshape(n, 4)
    at += rows.nbytes
    told: dict[str, Any] = {name: head[name] for name in HEADER.names or ()}
    told["bodies"] = bodies
    told["position"] = head["lower"] + rows[:, :3] / np.float32(TOP) * head["size"]
    told["value"] = rows[:, 3] / np.float32(TOP) * head["highest"]
    if head["flags"] & ROSTER:
        told["id"] = np.frombuffer(data, "<u4", n, at)
        told["radius"] = np.frombuffer(data, "<u2", n, at + 4 * n) / TOP * head["largest_radius"]
        told["material"] = np.frombuffer(data, "<u2", n, at + 6 * n)
        at += 8 * n
    told["notes"] = json.loads(data[at : at + int(head["notes"])])
    at += int(head["notes"])
    told["tiles"] = []
    if head["flags"] & GROUND:
        count = int(np.frombuffer(data, "<u4", 1, at)[0])
        told["tiles"] = np.frombuffer(data, ROW, count, at + 4)
        at += 4 + told["tiles"].nbytes
    assert at == len(data)
    return told


class Page:
    """What the page in the browser does, without the pictures."""

    def __init__(self, viewer: Viewer, acks: bool = True, **options: Any) -> None:
        address = viewer.url.replace("http:", "ws:").replace("/?", "/socket?")
        address = address if "socket" in address else f"{address}socket"
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(connect(address, compression=None, max_size=None, **options))
        self.acks = acks
        self.status: dict[str, Any] = {}
        self.scene: dict[str, Any] = {}
        self.hello: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self.debrief: dict[str, Any] = {}
        self.refusals: list[dict[str, Any]] = []
        self.notices: list[str] = []
        self.frames: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, seconds: float = PATIENCE) -> None:
        """Takes in one message; TimeoutError when none comes."""
        heard = self.socket.recv(timeout=seconds)
        if isinstance(heard, bytes):
            if heard[:4] == b"WRF1":
                self.frames.append(decoded(heard))
                if self.acks:
                    self.say(type="ack", sequence=int(self.frames[-1]["sequence"]))
            return
        message = json.loads(heard)
        if message["type"] == "notice":
            self.notices.append(message["text"])
        elif message["type"] == "refusal":
            self.refusals.append(message)
        else:
            setattr(self, message["type"], message)

    def body(self, name: str) -> np.ndarray:
        """Position of a body in the last frame, m."""
        row = [body["name"] for body in self.scene["bodies"]].index(name)
        return np.asarray(self.frame["bodies"][row, :3])

    def until(self, condition: Callable[[Page], Any]) -> Page:
        """Listens until something holds."""
        end = time.monotonic() + PATIENCE
        while not condition(self):
            assert time.monotonic() < end, (self.status, self.notices, len(self.frames))
            self.hear()
        return self

    def listen(self, seconds: float) -> Page:
        """Takes in whatever comes for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self.hear(left)
            except TimeoutError:
                return self
        return self

    def dropped(self) -> int:
        """Code the server closes with; fails if it does not."""
        try:
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006
        raise AssertionError("the page was not dropped")

    @property
    def frame(self) -> dict[str, Any]:
        return self.frames[-1]

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
