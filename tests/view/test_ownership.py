"""Arrays of a simulation belong to the session's thread, pages that leave take everything with them, and a process is
as it was when its station is closed."""

from __future__ import annotations

import gc
import logging
import socket
import struct
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from made_station import PATIENCE, Page, cart, live, station

from windrow.sim import simulation as simulation_module
from windrow.sim.simulation import Simulation
from windrow.view.launch import Viewer
from windrow.view.live import LiveSource
from windrow.view.session import Session, Watcher


class Guarded(LiveSource):
    """Notes every thread that asks for the simulation."""

    def __init__(self, like: LiveSource) -> None:
        self.askers: set[str] = set()
        super().__init__(like.simulation, like.name, like.scenes, like.paused)

    def __getattribute__(self, name: str) -> Any:
        if name in ("simulation", "workplace", "_saves"):
            object.__getattribute__(self, "askers").add(threading.current_thread().name)
        return object.__getattribute__(self, name)


def test_only_the_sessions_thread_touches_the_simulation() -> None:
    source = Guarded(live(paused=False))
    with station(source) as viewer, Page(viewer) as page, Page(viewer) as other:
        page.until(lambda page: page.frames and page.parameters)
        source.askers.clear()
        page.say(type="color", quantity="force")
        page.say(type="parameter", path="gravity.z", value=-5.0)
        page.say(type="parameter", path="gravity.z", value="up")
        page.until(lambda page: page.refusals)
        page.say(type="save")
        page.until(lambda page: page.status.get("saves"))
        page.say(type="restore", number=page.status["saves"][0]["number"])
        page.say(type="step", count=2)
        page.until(lambda page: page.status["paused"])
        page.say(type="reset")
        page.say(type="scene", name="second")
        page.until(lambda page: page.scene["title"] == "another" and page.status["scene"] == "second")
        other.until(lambda page: page.frames and page.scene["title"] == "another")
        assert source.askers == {"windrow-session"}


def test_a_frame_that_was_made_does_not_change_when_the_simulation_goes_on() -> None:
    source = cart()
    session = Session(source)
    session.watch(Watcher(lambda: None))
    session._publish()
    made = session.newest
    assert made is not None
    bodies, data = made.bodies.copy(), made.message("speed", True)
    for name in source.controls:
        source.simulation.control(name, 1.0)
    for _ in range(20):
        source.simulation.step()
    session.show_again()
    session._frame_last = -np.inf
    session._publish()
    assert session.newest is not made
    assert not np.array_equal(session.newest.bodies, bodies)
    assert np.array_equal(made.bodies, bodies)
    made._made.clear()
    assert made.message("speed", True) == data


def test_two_threads_never_step_a_simulation_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = live().simulation
    inside, most = [0], [0]
    exchange = simulation_module.exchange

    def counted(*words: Any) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.002)  # lets the other one in, if it can
        inside[0] -= 1
        return exchange(*words)

    monkeypatch.setattr(simulation_module, "exchange", counted)
    threads = [threading.Thread(target=lambda: [simulation.step() for _ in range(10)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (simulation.state.step, most[0]) == (20, 1)


def test_a_script_looks_at_the_simulation_between_two_steps() -> None:
    source = live(paused=False)
    with station(source) as viewer:
        names = {viewer.between_steps(lambda _: threading.current_thread().name) for _ in range(3)}
        assert names == {"windrow-session"}
        frame = viewer.between_steps(Simulation.frame)
        assert len(frame.position) == source.simulation.state.count
        with pytest.raises(TimeoutError, match="made up"):
            viewer.between_steps(_too_late)
    assert viewer.between_steps(lambda simulation: simulation.time) == source.simulation.time


def _too_late(simulation: Simulation) -> None:
    raise TimeoutError("made up")


class Wishful(LiveSource):
    """Somebody wants something else while a frame is being made."""

    wish: Callable[[], None] | None = None

    def notes(self) -> dict[str, Any]:
        if self.wish is not None:
            self.wish()
            self.wish = None
        return super().notes()


def test_a_wish_that_comes_while_a_frame_is_made_is_not_lost() -> None:
    source = Wishful(live().simulation, paused=True)
    session = Session(source)
    watcher = Watcher(lambda: None)
    session.watch(watcher)

    def wish() -> None:
        watcher.quantity = "force"
        session.show_again()

    source.wish = wish
    session._publish()
    assert session.newest is not None
    assert set(session.newest.grains.by_quantity) == {"speed"}
    session._frame_last = -np.inf
    session._publish()
    assert set(session.newest.grains.by_quantity) == {"force"}


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def _left(viewer: Viewer, leave: Callable[[Page], None]) -> weakref.ref[Any]:
    """A page that came and went; what is left of it on the server."""
    with Page(viewer) as page:
        page.until(lambda page: len(page.frames) > 1)
        kept = weakref.ref(viewer._station.pages[-1])
        leave(page)
    return kept


@pytest.mark.usefixtures("_no_collector")
def test_pages_that_leave_are_freed_at_once() -> None:
    def rudely(page: Page) -> None:
        page.socket.send("garbage")
        page.dropped()

    def silently(page: Page) -> None:
        page.socket.socket.shutdown(2)

    with station(live(paused=False)) as viewer:
        ways: list[Callable[[Page], None]] = [lambda page: None, rudely, silently]
        kept = [_left(viewer, way) for way in ways]
        end = time.monotonic() + PATIENCE
        while any(one() is not None for one in kept) and time.monotonic() < end:
            time.sleep(0.02)
        assert [one() for one in kept] == [None, None, None]
        assert viewer.pages == 0
        assert viewer._station.session._watchers == []


def test_pages_that_vanish_at_any_moment_are_not_worth_a_word(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("uvicorn.error")
    with station(live(paused=False)) as viewer:
        log.addHandler(caplog.handler)
        try:
            for k in range(40):
                page = Page(viewer)
                page.socket.send("garbage" if k % 2 else '{"type":"operate"}')
                # Closed with data unread and no farewell: the other side sees a connection that was reset.
                page.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                page.socket.socket.close()
            with Page(viewer) as page:
                page.until(lambda page: page.status.get("pages") == 1 and page.frames)
        finally:
            log.removeHandler(caplog.handler)
    assert caplog.records == []


def test_a_page_that_does_not_answer_is_told_nothing_more() -> None:
    with station(live()) as viewer, Page(viewer) as first, Page(viewer, acks=False) as silent:
        silent.until(lambda page: page.frames and page.status["pages"] == 2)
        first.until(lambda page: page.frames)
        first.say(type="step", count=1)
        silent.until(lambda page: len(page.frames) == 2)
        for _ in range(5):
            with Page(viewer) as third:
                third.until(lambda page: page.status and page.status["pages"] == 3)
        silent.listen(0.3)
        silent.status = {}
        with Page(viewer) as third:
            third.until(lambda page: page.status and page.status["pages"] == 3)
            silent.listen(0.3)
            assert silent.status == {}
            silent.say(type="ack", sequence=int(silent.frame["sequence"]))
            silent.until(lambda page: page.status.get("pages") == 3)


def test_the_process_is_as_it_was_when_the_station_is_closed() -> None:
    before, looks = sys.getswitchinterval(), gc.get_threshold()
    with station(live()) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        assert sys.getswitchinterval() < before
        assert gc.get_threshold() < looks
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < 20_000
    assert sys.getswitchinterval() == before
    assert gc.get_threshold() == looks
    assert gc.get_freeze_count() == 0


def test_another_beginning_has_no_late_steps() -> None:
    source = live(paused=False)
    with station(source) as viewer, Page(viewer) as page:
        for command in ({"type": "reset"}, {"type": "scene", "name": "second"}):
            source.pace.late = 1000
            page.until(lambda page: page.frames and page.frame["notes"]["late"] >= 1000)
            page.say(**command)
            page.until(lambda page: page.frame["notes"]["late"] < 1000)


def test_preparing_a_scene_makes_no_step_late() -> None:
    source = live(paused=False)
    session = Session(source)
    source.pace.wait(0.0, 0.0, 1 / 60)
    session._publish()  # describes the scene, which may take any time
    assert source.pace.wait(100.0, 0.0, 1 / 60) > 0
    source.pace.wait(200.0, 0.0, 1 / 60)
    assert source.pace.late == 1  # while nothing is to be prepared, it counts
