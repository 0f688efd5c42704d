"""The operator's levers: they move the machine, and let go when nobody holds them any more."""

from __future__ import annotations

import time

import pytest
from made_station import PATIENCE, Page, cart, station

from windrow.view import controls
from windrow.view.controls import DEAD_MAN, Levers


@pytest.fixture
def _long_grip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levers stay where they were put, however long a busy machine takes to show it."""
    monkeypatch.setattr(controls, "DEAD_MAN", 10 * PATIENCE)


def test_levers_are_held_renewed_and_let_go() -> None:
    levers = Levers()
    levers.offer(["throttle", "steer"])
    assert levers.hold({"throttle": 0.5, "wings": 1.0}, 3, now=0.0) == ["wings"]
    assert levers.taken(0.1) == ({"throttle": 0.5, "steer": 0.0}, 3)
    assert levers.taken(0.2) == (None, 3)
    levers.hold({"throttle": 0.5}, 4, now=0.9)
    assert levers.taken(0.9 + 0.99 * DEAD_MAN) == (None, 4)
    assert levers.taken(0.9 + 1.01 * DEAD_MAN) == ({"throttle": 0.0, "steer": 0.0}, 0)
    assert levers.taken(9.0) == (None, 0)
    levers.hold({"steer": -1.0}, 5, now=10.0)
    levers.let_go()
    assert levers.taken(10.1) == ({"throttle": 0.0, "steer": 0.0}, 0)


@pytest.mark.usefixtures("_long_grip")
def test_a_lever_moves_the_machine_and_all_pages_see_it() -> None:
    with station(cart()) as viewer, Page(viewer) as driver, Page(viewer) as watcher:
        driver.until(lambda page: page.frames and page.scene)
        begin = driver.body("frame")[0]
        driver.say(type="control", values={"throttle": 1.0, "lift": 0.5}, stamp=1)
        driver.until(lambda page: page.frame["notes"].get("stamp") == 1)
        assert driver.frame["notes"]["controls"]["throttle"] == 1.0
        driver.until(lambda page: page.body("frame")[0] > begin + 0.3 and page.body("tray")[2] > 1.1)
        driver.until(lambda page: page.body("brick")[2] > 1.3)
        watcher.until(lambda page: page.frames and page.body("frame")[0] > begin + 0.3)
        assert watcher.frame["notes"]["controls"]["lift"] == 0.5
        tool = driver.frame["notes"]["tool"]
        assert tool["fill"] == pytest.approx(0.5 * 0.5 * 0.4 / 0.6 / 0.5, rel=1e-3)
        assert tool["mass"] == pytest.approx(2000 * 0.1)
        assert tool["parts"]["bodies"][2] < 0


def test_one_who_only_watches_cannot_drive() -> None:
    with station(cart()) as viewer, Page(viewer) as first, Page(viewer) as second:
        first.until(lambda page: page.frames)
        second.until(lambda page: page.status and page.frames)
        second.say(type="control", values={"throttle": 1.0})
        second.until(lambda page: any("take control" in text for text in page.notices))
        first.listen(0.2)
        assert first.frame["notes"]["controls"]["throttle"] == 0.0


@pytest.mark.usefixtures("_long_grip")
def test_an_operator_who_vanishes_lets_go_at_once() -> None:
    with station(cart()) as viewer, Page(viewer) as watcher:
        with Page(viewer) as driver:
            driver.until(lambda page: page.frames)
            driver.say(type="operate")
            driver.say(type="control", values={"throttle": 1.0})
            watcher.until(lambda page: page.frames and page.frame["notes"]["controls"]["throttle"] == 1.0)
        watcher.until(lambda page: page.status["pages"] == 1)
        told = len(watcher.frames)
        watcher.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 0.0)
        # One that was made before, and one of the step that was being done.
        assert len(watcher.frames) - told <= 3


def test_an_operator_who_falls_silent_lets_go_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controls, "DEAD_MAN", 0.3)
    with station(cart()) as viewer, Page(viewer) as driver:
        driver.until(lambda page: page.frames)
        end = time.monotonic() + PATIENCE
        while driver.frame["notes"]["controls"]["throttle"] != -1.0 and time.monotonic() < end:
            driver.say(type="control", values={"throttle": -1.0})
            driver.listen(0.05)
        assert driver.frame["notes"]["controls"]["throttle"] == -1.0
        driver.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 0.0)


@pytest.mark.usefixtures("_long_grip")
def test_whoever_loses_the_seat_and_resets_let_go() -> None:
    with station(cart()) as viewer, Page(viewer) as first, Page(viewer) as second:
        first.until(lambda page: page.frames)
        first.say(type="control", values={"throttle": 1.0})
        first.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 1.0)
        second.say(type="operate")
        first.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 0.0)
        second.say(type="control", values={"throttle": 1.0})
        first.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 1.0)
        second.say(type="save")
        second.say(type="reset")
        first.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 0.0)
        second.until(lambda page: page.status.get("saves"))
        second.say(type="restore", number=second.status["saves"][0]["number"])
        second.until(lambda page: page.frame["epoch"] == 3)
        assert second.frame["notes"]["controls"]["throttle"] == 0.0


@pytest.mark.usefixtures("_long_grip")
def test_a_lever_that_there_is_not_is_named_to_the_page_that_pulled_it() -> None:
    with station(cart()) as viewer, Page(viewer) as driver, Page(viewer) as watcher:
        driver.until(lambda page: page.frames)
        driver.say(type="control", values={"wings": 1.0, "throttle": 0.5})
        driver.until(lambda page: any("'wings'" in text for text in page.notices))
        driver.until(lambda page: page.frame["notes"]["controls"]["throttle"] == 0.5)
        watcher.listen(0.2)
        assert watcher.notices == []
