"""Recordings on the station: play, pause, seek, step, speed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from made_station import Page, cart, small_scene, station

from windrow.record.recording import Recording
from windrow.sim.simulation import Simulation
from windrow.view.replay import ReplaySource


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "run.h5"
    Simulation(small_scene(), threads=1).run(seconds=0.5, record=path, frame_rate=20.0)
    return path


def test_a_recording_is_shown_from_its_beginning_and_can_be_searched(file: Path) -> None:
    with Recording(file) as recording:
        times = recording.times
    with station(ReplaySource(file, paused=True)) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames and page.status)
        assert page.scene["mode"] == "replay"
        assert (page.status["first"], page.status["last"]) == (times[0], times[-1])
        page.say(type="seek", time=float(times[4]) + 1e-3)
        page.until(lambda page: page.frame["time"] == times[4])
        page.say(type="step", count=-2)
        page.until(lambda page: page.frame["time"] == times[2])
        page.say(type="seek", time=1e9)
        page.until(lambda page: page.frame["time"] == times[-1])
        page.say(type="reset")
        page.until(lambda page: page.frame["time"] == times[0])
        page.say(type="save")
        page.until(lambda page: any("not changed" in text for text in page.notices))


def test_it_plays_to_the_end_and_again(file: Path) -> None:
    with station(ReplaySource(file, paused=True)) as viewer, Page(viewer) as page:
        page.say(type="time_scale", value=2.0)
        page.say(type="resume")
        page.until(lambda page: page.frames and page.frame["time"] == pytest.approx(0.5, abs=0.02))
        seen = [float(frame["time"]) for frame in page.frames]
        assert seen == sorted(seen)
        page.until(lambda page: page.status["paused"])
        page.say(type="resume")
        page.until(lambda page: page.frame["time"] < 0.4)


def test_it_waits_for_the_first_page(file: Path) -> None:
    source = ReplaySource(file)
    with station(source) as viewer:
        time.sleep(0.6)
        assert source.time == 0.0
        with Page(viewer) as page:
            page.until(lambda page: page.frames and page.frame["time"] > 0)


def test_ledger_and_times_of_the_run_come_along(file: Path) -> None:
    with station(ReplaySource(file, paused=True)) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        page.say(type="step", count=1)
        page.until(lambda page: page.frame["notes"]["step"] > 0)
        assert page.frame["notes"]["ledger"]["initial"] == page.frame["grains"]
        assert page.frame["notes"]["step_seconds"] > 0


def test_machines_move_as_they_were_recorded(tmp_path: Path) -> None:
    simulation = cart().simulation
    simulation.control("throttle", 1.0)
    simulation.run(seconds=0.5, record=tmp_path / "cart.h5", frame_rate=20.0)
    with station(ReplaySource(tmp_path / "cart.h5", paused=True)) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames)
        assert page.scene["machines"][0]["title"] == "Cart"
        assert page.scene["controls"] == []
        assert page.parameters == {}
        begin = page.body("frame")[0]
        page.say(type="seek", time=1e9)
        page.until(lambda page: page.frame["time"] > 0.4)
        assert page.body("frame")[0] == pytest.approx(simulation.bodies.position("frame")[0], abs=1e-5)
        assert page.body("frame")[0] > begin + 0.05
        page.say(type="control", values={"throttle": 1.0})
        page.until(lambda page: any("no control 'throttle'" in text for text in page.notices))
