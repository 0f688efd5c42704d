"""A task on the page: a watcher takes over, sees how far the work is, and keeps the debriefing as files."""

from __future__ import annotations

import json
import time
from pathlib import Path

from chromium import Chromium, browser
from made_station import Page, cart, station

TAKE = "[...document.querySelectorAll('#bar button')].find((one) => one.textContent === 'take control')"
SLIDERS = "[...document.querySelectorAll('#hints input')]"


def test_a_watcher_takes_over_does_the_task_and_keeps_the_debriefing(tmp_path: Path) -> None:
    program = browser()
    with station(cart(task=True)) as viewer, Page(viewer) as first:
        first.until(lambda page: page.frames and page.status)
        assert first.status["operator"]
        with Chromium(program, tmp_path / "browser", (900, 700)) as page:
            page.keep_downloads(tmp_path)
            page.open(f"{viewer.url}?quality=low")
            page.wait_for("window.windrow.drawn > 1 && window.windrow.bodies.length > 0")
            assert not page.value("window.windrow.operator")
            page.wait_for("document.querySelector('#hud .state').textContent.includes('watching only')")
            page.wait_for(f"{SLIDERS}.length > 0 && {SLIDERS}.every((one) => one.disabled)")
            page.hold("w")
            time.sleep(0.3)
            page.release("w")
            assert page.value("Object.values(window.windrow.applied).every((value) => value === 0)")

            page.click(TAKE)
            page.wait_for("window.windrow.operator")
            first.until(lambda one: not one.status["operator"])
            page.wait_for(f"{TAKE}.hidden && {SLIDERS}.every((one) => !one.disabled)")

            # The panel says what is wanted and how far it is, from the beginning to the end.
            panel = "document.getElementById('task').innerText"
            page.wait_for(f"{panel}.includes('Bring the crate') && {panel}.includes('0 of 100 kg')")
            page.hold("w")
            page.wait_for("window.windrow.task.state === 'running'")
            page.wait_for(f"/0:[0-5][0-9] of 1:00/.test({panel}) && /score 0/.test({panel})")
            page.wait_for("document.getElementById('debrief').open", 90)
            page.release("w")
            debrief = page.value("window.windrow.debrief")
            assert debrief["outcome"] == "reached"
            page.wait_for("document.querySelectorAll('#debrief .uplot canvas').length === 3")
            words = page.value("document.getElementById('debrief').innerText")
            for expected in ("Bring the crate: target reached", "108 of 100 kg", "score", "spilled"):
                assert expected in words
            # The panel follows the frames, which may be drawn a moment later than the message arrives.
            page.wait_for(f"{panel}.includes('108 of 100 kg')")

            for kind in ("JSON", "CSV"):
                buttons = "[...document.querySelectorAll('#debrief button')]"
                page.click(f"{buttons}.find((one) => one.textContent === 'save as {kind}')")
            document = json.loads(saved(tmp_path, "windrow-cart.json"))
            del debrief["type"]
            assert document == debrief
            lines = saved(tmp_path, "windrow-cart.csv").splitlines()
            assert lines[0].startswith("cycle,start s,end s")
            assert lines[-1].split(",")[:2] == [
                f"{debrief['series'][name][-1]:g}" for name in ("time", "amount")
            ]
            assert page.errors == []


def saved(folder: Path, name: str) -> str:
    end = time.monotonic() + 20.0
    while not (folder / name).exists():
        assert time.monotonic() < end, [path.name for path in folder.iterdir()]
        time.sleep(0.05)
    return (folder / name).read_text()
