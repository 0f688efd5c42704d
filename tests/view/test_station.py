"""The station as pages see it: a real server, real sockets, a real simulation."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from made_station import PATIENCE, Page, live, small_scene, station
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus

from windrow.scene.settings import P2
from windrow.sim.simulation import Simulation
from windrow.view import station as station_module
from windrow.view.connection import BAD_MESSAGE, MESSAGES_AT_ONCE, NO_TOKEN, TOO_FAST, TOO_MANY_PAGES
from windrow.view.live import LiveSource
from windrow.view.messages import (
    LONGEST_MESSAGE,
    ChooseScene,
    Command,
    Parameter,
    Pause,
    Reset,
    Restore,
    Save,
    Step,
    TimeScale,
)
from windrow.view.session import MOST_COMMANDS, Session


def test_a_page_is_told_the_scene_and_shown_a_frame() -> None:
    source = live()
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        assert [scene["name"] for scene in page.hello["scenes"]] == ["first", "second"]
        assert page.scene["title"] == "a few grains"
        assert [body["name"] for body in page.scene["bodies"]] == ["floor", "block"]
        assert len(page.scene["floors"]) == 1
        assert page.status["operator"]
        shown = source.simulation.frame()
        step = np.ptp(shown.position, axis=0) / 65535
        assert np.all(np.abs(page.frame["position"] - shown.position) <= 0.51 * step + 1e-6)
        assert page.frame["id"].tolist() == shown.id.tolist()


def test_time_goes_on_and_stops_and_goes_by_steps() -> None:
    source = live()
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames and page.status)
        assert page.status["paused"]
        page.say(type="step", count=3)
        page.until(lambda page: page.frame["notes"]["step"] == 3)
        assert page.frame["time"] == pytest.approx(3 / 60)
        page.say(type="resume")
        page.until(lambda page: page.frame["notes"]["step"] > 5 and not page.status["paused"])
        page.say(type="pause")
        page.until(lambda page: page.status["paused"])
        # Nothing moves any more, but the frame that shows it may be on the way.
        still = source.simulation.state.step
        page.until(lambda page: page.frame["notes"]["step"] == still)
        page.listen(0.5)
        assert page.frame["notes"]["step"] == still


def test_reset_begins_again_and_says_that_time_jumped() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        first = page.frame
        page.say(type="step", count=10)
        page.until(lambda page: page.frame["notes"]["step"] == 10)
        page.say(type="reset")
        page.until(lambda page: page.frame["notes"]["step"] == 0)
        assert page.frame["epoch"] > first["epoch"]
        assert np.array_equal(page.frame["position"], first["position"])


def test_a_kept_moment_continues_to_the_bit() -> None:
    source = live()
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="step", count=5)
        page.until(lambda page: page.frame["notes"]["step"] == 5)
        page.say(type="save")
        page.until(lambda page: page.status.get("saves"))
        page.say(type="step", count=5)
        page.until(lambda page: page.frame["notes"]["step"] == 10)
        expected = source.simulation.hash()
        page.say(type="restore", number=page.status["saves"][0]["number"])
        page.until(lambda page: page.frame["notes"]["step"] == 5)
        page.say(type="step", count=5)
        page.until(lambda page: page.frame["notes"]["step"] == 10)
        assert source.simulation.hash() == expected
        page.say(type="restore", number=99)
        page.until(lambda page: any("unknown saved moment" in text for text in page.notices))


def test_another_scene_and_one_that_does_not_exist() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="scene", name="second")
        page.until(lambda page: page.scene["title"] == "another" and page.status["scene"] == "second")
        page.until(lambda page: page.frame["generation"] == page.scene["generation"])
        assert "id" in page.frame
        page.say(type="scene", name="../../etc/passwd")
        page.until(lambda page: any("unknown scene" in text for text in page.notices))
        assert page.status["scene"] == "second"


def test_the_time_scale_is_told_to_all() -> None:
    with station(live()) as viewer, Page(viewer) as first, Page(viewer) as second:
        first.say(type="time_scale", value=0.25)
        first.until(lambda page: page.status.get("time_scale") == 0.25)
        second.until(lambda page: page.status.get("time_scale") == 0.25)


def test_the_first_page_steers_and_another_may_take_over() -> None:
    with station(live()) as viewer, Page(viewer) as first:
        first.until(lambda page: page.status.get("operator"))
        with Page(viewer) as second:
            second.until(lambda page: page.frames and page.status["pages"] == 2)
            assert not second.status["operator"]
            second.say(type="step", count=1)
            second.until(lambda page: any("take control" in text for text in page.notices))
            second.listen(0.2)
            assert second.frame["notes"]["step"] == 0
            second.say(type="operate")
            second.until(lambda page: page.status["operator"])
            first.until(lambda page: not page.status["operator"])
            second.say(type="step", count=1)
            first.until(lambda page: page.frames and page.frame["notes"]["step"] == 1)
        first.until(lambda page: page.status["operator"] and page.status["pages"] == 1)


@pytest.mark.parametrize(
    ("message", "codes"),
    [
        ("garbage", {BAD_MESSAGE}),
        ('{"type": "pause", "and": "more"}', {BAD_MESSAGE}),
        (b"\x00\x01", {BAD_MESSAGE}),
        ("x" * 5000, {1009}),
        # Closed before all of it was read, which may cut off the word of farewell.
        ("x" * 100_000, {1009, 1006}),
    ],
    ids=["text", "field", "bytes", "long", "huge"],
)
def test_a_bad_page_is_dropped_and_the_others_go_on(message: str | bytes, codes: set[int]) -> None:
    with station(live()) as viewer, Page(viewer) as good:
        good.until(lambda page: page.frames)
        with Page(viewer) as bad:
            with contextlib.suppress(ConnectionClosed):  # perhaps before it has sent all of it
                bad.socket.send(message)
            assert bad.dropped() in codes
        good.until(lambda page: page.status["pages"] == 1)
        good.say(type="step", count=1)
        good.until(lambda page: page.frame["notes"]["step"] == 1)


def test_what_a_page_sends_is_read_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[int] = []
    for stage in (H11Protocol, WebSocketsSansIOProtocol):
        monkeypatch.setattr(stage, "data_received", noting(pieces, stage.data_received))
    with station(live()) as viewer:
        with Page(viewer) as page:
            with contextlib.suppress(ConnectionClosed):
                page.socket.send("x" * 100_000)
            page.dropped()
        assert max(pieces) == LONGEST_MESSAGE
        pieces.clear()
        with pytest.raises(OSError):
            urllib.request.urlopen(f"{viewer.url}{'x' * 100_000}", timeout=PATIENCE)
        assert max(pieces) == LONGEST_MESSAGE


def noting(pieces: list[int], taken: Callable[[Any, bytes], None]) -> Callable[[Any, bytes], None]:
    """The same, but lengths of what comes are noted."""

    def noted(self: Any, data: bytes) -> None:
        pieces.append(len(data))
        taken(self, data)

    return noted


def test_a_page_that_talks_too_much_is_dropped() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        end = time.monotonic() + PATIENCE
        said = 0
        with contextlib.suppress(ConnectionClosed):
            while time.monotonic() < end:  # a busy machine may take longer to say too much
                page.say(type="ack", sequence=0)
                said += 1
        assert page.dropped() == TOO_FAST
        assert said >= MESSAGES_AT_ONCE


def test_a_page_that_does_not_answer_gets_no_more_and_holds_nobody_up() -> None:
    with station(live(paused=False)) as viewer, Page(viewer) as quick, Page(viewer, acks=False) as silent:
        silent.until(lambda page: len(page.frames) == 2)
        quick.until(lambda page: page.frames and page.frame["sequence"] > silent.frame["sequence"] + 10)
        silent.listen(0.5)
        assert len(silent.frames) == 2
        silent.say(type="ack", sequence=int(silent.frame["sequence"]))
        silent.until(lambda page: len(page.frames) == 3)
        # It skipped what it missed: the newest frame came, not the next.
        assert silent.frames[2]["sequence"] > silent.frames[1]["sequence"] + 1


def test_a_page_may_choose_what_the_colour_means() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        assert page.frame["quantity"] == 0
        page.say(type="color", quantity="force")
        page.until(lambda page: page.frame["quantity"] == 1)


def test_pages_of_other_sites_are_refused() -> None:
    with station(live()) as viewer:
        for origin in ("http://example.org", "null", "http://localhost:1"):
            with pytest.raises(InvalidStatus):
                Page(viewer, origin=origin)
        with Page(viewer, origin=viewer.url.rstrip("/")) as own:
            own.until(lambda page: page.frames)
    with (
        station(live(), origins=["https://example.org/"]) as viewer,
        Page(viewer, origin="https://example.org") as page,
    ):
        page.until(lambda page: page.frames)


def test_foreign_names_of_this_machine_are_refused() -> None:
    with station(live()) as viewer:
        asked = urllib.request.Request(viewer.url, headers={"Host": "attacker.example"})
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(asked, timeout=PATIENCE)


def test_a_token_is_asked_for() -> None:
    with station(live(), token="a long secret") as viewer:
        assert "token=a%20long%20secret" in viewer.url
        with Page(viewer) as page:
            page.until(lambda page: page.frames)
        viewer.url = viewer.url.replace("long", "short")
        with Page(viewer) as page:
            assert page.dropped() == NO_TOKEN


def test_there_is_room_for_so_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station_module, "MOST_PAGES", 1)
    with station(live()) as viewer, Page(viewer) as first, Page(viewer) as second:
        assert second.dropped() == TOO_MANY_PAGES
        first.until(lambda page: page.frames)


def test_the_page_itself_is_served_with_its_guards() -> None:
    with station(live()) as viewer:
        with urllib.request.urlopen(viewer.url, timeout=PATIENCE) as answer:
            assert b"<canvas" in answer.read()
            assert "default-src 'self'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
        with urllib.request.urlopen(f"{viewer.url}health", timeout=PATIENCE) as answer:
            assert json.load(answer) == {"alive": True, "pages": 0}
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{viewer.url}../server.py", timeout=PATIENCE)


class Stumbling(LiveSource):
    """A simulation with a mistake in it."""

    def advance(self, now: float) -> float:
        if not self.paused:
            raise ZeroDivisionError("made up")
        return super().advance(now)


def test_a_mistake_in_a_step_pauses_and_is_told() -> None:
    source = Stumbling(live().simulation, paused=True)
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="resume")
        page.until(lambda page: any("ZeroDivisionError: made up" in text for text in page.notices))
        page.until(lambda page: page.status["paused"])
        page.say(type="step", count=1)
        page.until(lambda page: page.frame["notes"]["step"] == 1)


def test_closing_ends_the_threads_and_leaves_the_simulation_where_it_is() -> None:
    source = live(paused=False)
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: len(page.frames) > 2)
    at = source.simulation.time
    time.sleep(0.2)
    assert viewer.simulation.time == at


def test_the_layout_is_read_the_same_with_and_without_roster() -> None:
    with station(live()) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="step", count=1)
        page.until(lambda page: len(page.frames) > 1)
        assert "id" in page.frames[0]
        assert "id" not in page.frames[1]
        assert page.frames[0]["roster"] == page.frames[1]["roster"]


class Slow(LiveSource):
    """A simulation whose steps take a while."""

    def advance(self, now: float) -> float:
        if self.stepping:
            time.sleep(0.05)
        return super().advance(now)


def test_many_steps_are_taken_one_by_one_and_a_pause_ends_them() -> None:
    source = Slow(live().simulation, paused=True)
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        for _ in range(64):
            page.say(type="step", count=100)
        page.until(lambda page: page.notices and not page.status["paused"])
        assert "1000 steps wait" in page.notices[0]
        page.say(type="time_scale", value=0.5)
        page.until(lambda page: page.frame["notes"]["step"] > 0)
        page.say(type="pause")
        page.until(lambda page: page.status["paused"] and page.status["time_scale"] == 0.5)
        still = source.simulation.state.step
        assert 0 < still < 1000
        page.say(type="step", count=2)
        page.until(lambda page: page.frame["notes"]["step"] == still + 2)


class Counting(LiveSource):
    """A simulation whose steps are counted, and not made."""

    taken = 0

    def _take_a_step(self) -> bool:
        self.taken += 1
        return True


@pytest.mark.parametrize(
    "command",
    [
        Pause(type="pause"),
        Reset(type="reset"),
        ChooseScene(type="scene", name="second"),
        Restore(type="restore", number=1),
    ],
)
def test_what_makes_queued_steps_idle_is_obeyed_after_the_one_that_is_made(command: Command) -> None:
    """Counted: 64 times 100 steps wait, one is being made, and then the command comes."""
    first = live()
    source = Counting(first.simulation, "first", first.scenes, paused=True)
    source.obey(Save(type="save"))
    session = Session(source)
    for _ in range(MOST_COMMANDS):
        assert session.submit(Step(type="step", count=100))
    session._obey_all()
    assert source.stepping
    assert any("1000 steps wait" in text for _, text in session.notices_after(0))
    session._advance()
    assert session.submit(command)
    session._obey_all()
    assert (source.taken, source.stepping, source.paused) == (1, False, True)


@pytest.mark.parametrize(
    "command",
    [
        Save(type="save"),
        TimeScale(type="time_scale", value=0.5),
        Parameter(type="parameter", path="solver.iterations", value=9),
    ],
)
def test_no_command_waits_for_queued_steps(command: Command) -> None:
    """Counted: a number that is changed, or a moment that is kept, after steps were asked for, which then go on."""
    source = Counting(live().simulation, paused=True)
    session = Session(source)
    assert session.submit(Step(type="step", count=3))
    session._obey_all()
    session._advance()
    assert session.submit(command)
    session._obey_all()
    done = len(source.status()["saves"]), source.pace.time_scale, source.simulation.solver.iterations
    assert done in ((1, 1.0, 10), (0, 0.5, 10), (0, 1.0, 9))
    assert (source.taken, source.stepping) == (1, True)
    while source.stepping:
        session._advance()
    assert source.taken == 3


def endless() -> Simulation:
    """A simulation whose every step would take minutes: ten million sweeps."""
    scene = small_scene()
    scene.solver = P2(iterations=10_000, substeps=1000)
    return Simulation(scene, threads=1)


@pytest.mark.parametrize("what", ["pause", "save", "parameter", "reset", "close"])
def test_nobody_waits_for_the_end_of_a_long_step(what: str) -> None:
    """A step of minutes is given up for whoever wants something, and has not happened."""
    source = LiveSource(endless(), paused=True)
    before = source.simulation.hash()
    say: dict[str, Any] = {"type": what}
    if what == "parameter":
        say |= {"path": "solver.substeps", "value": 1}
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames and page.parameters)
        page.say(type="step", count=100)
        page.until(lambda page: not page.status["paused"])
        if what != "close":
            page.say(**say)
            if what in ("pause", "reset"):
                page.until(lambda page: page.status["paused"])
            elif what == "save":
                page.until(lambda page: page.status["saves"])
            else:
                page.until(lambda page: source.simulation.solver.substeps == 1)
                page.until(lambda page: page.frame["notes"]["step"] > 0)
    if what != "parameter":
        assert source.simulation.hash() == before


def test_closing_does_not_wait_for_steps_that_were_asked_for() -> None:
    source = Slow(live().simulation, paused=True)
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="step", count=100)
        page.until(lambda page: page.frame["notes"]["step"] > 0)
    assert 0 < source.simulation.state.step < 100


def test_a_pause_is_obeyed_though_too_many_commands_wait() -> None:
    source = Slow(live().simulation, paused=True)
    session = Session(source)
    for _ in range(MOST_COMMANDS):
        assert session.submit(Save(type="save"))
    assert not session.submit(Save(type="save"))
    source.obey(Step(type="step", count=100))
    assert session.submit(Pause(type="pause"))
    session._obey_all()
    assert (source.stepping, source.paused) == (False, True)
    assert len(source.status()["saves"]) == 8
