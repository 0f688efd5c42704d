"""Hands on the page: mouse, fingers, a joystick that is set up, the keyboard alone; on screens of several sizes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import Chromium, browser
from made_station import cart, station

JOYSTICK = """
window.stick = {index: 0, id: "old joystick", connected: true, mapping: "", timestamp: 0,
  axes: [0.1, 0, 0, 0, 0, 0.2], buttons: [{pressed: false, touched: false, value: 0}]};
window.stickThere = false;
navigator.getGamepads = () => window.stickThere ? [window.stick] : [];
"""
PANELS = ("#hud", "#task", "#settings", "#hints", "#bar", ".stick.left", ".stick.right")
SMALL = (640, 400)
"""Without a graphics card large pictures take long."""
LAPTOP, TABLET, TABLET_ON_ITS_SIDE = (1280, 800), (820, 1180), (1180, 820)


@contextmanager
def page_on(tmp_path: Path, size: tuple[int, int], fingers: bool = False) -> Iterator[Chromium]:
    program = browser()
    with station(cart(task=True)) as viewer, Chromium(program, tmp_path, size) as page:
        page.before_loading(JOYSTICK)
        if fingers:
            page.use_fingers()
        page.open(f"{viewer.url}?quality=low")
        page.wait_for(
            "window.windrow.drawn > 1 && window.windrow.operator && window.windrow.bodies.length > 0"
        )
        yield page
        assert page.errors == []


def middle(page: Chromium, element: str) -> tuple[float, float]:
    box = page.box(element)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def applied(page: Chromium, control: str, condition: str) -> None:
    page.wait_for(f"window.windrow.applied[{control!r}] {condition}", 30)


def test_mouse_keyboard_and_a_joystick_that_is_set_up(tmp_path: Path) -> None:
    with page_on(tmp_path, SMALL) as page:
        # A lever on the screen is dragged, and goes back when it is let go.
        x, y = middle(page, "document.querySelector('[data-control=lift]')")
        for kind, at in (("mousePressed", x), ("mouseMoved", x + 30)):
            page.call(
                "Input.dispatchMouseEvent", {"type": kind, "x": at, "y": y, "button": "left", "clickCount": 1}
            )
        applied(page, "lift", "> 0.3")
        page.call(
            "Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x + 30, "y": y, "button": "left"}
        )
        applied(page, "lift", "=== 0")

        # The keyboard alone: from the picture to the buttons and back, with names, and a ring to be seen.
        page.value("document.getElementById('stage').focus()")
        reached: list[dict[str, Any]] = []
        while len(reached) < 40 and (not reached or reached[-1]["id"] != "stage"):
            page.tab()
            reached.append(
                page.value(
                    """(() => { const e = document.activeElement; const s = getComputedStyle(e);
                    return {id: e.id, tag: e.tagName, name: e.getAttribute("aria-label") || e.textContent.trim(),
                      ring: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0}; })()"""
                )
            )
        stops = [one for one in reached if one["tag"] != "BODY"]
        for start in ("Pause", "Help", "throttle", "lift"):
            assert any(one["name"].startswith(start) for one in stops), start
        assert all(one["name"] and one["ring"] for one in stops)

        before = page.value("document.documentElement.dataset.theme")
        page.press("t")
        page.wait_for(f"document.documentElement.dataset.theme !== {before!r}")

        # An axis that nobody knows becomes a lever, and learns how far it goes.
        page.value("stickThere = true")
        page.wait_for("window.windrow.gamepads === 1")
        page.press("g")
        page.wait_for("document.getElementById('pads').open")
        page.value("document.querySelector('[aria-label=\"Assign right stick ↕\"]').click()")
        page.value("stick.axes[5] = 0.9")
        page.wait_for("JSON.parse(localStorage['windrow.gamepad']).rightY.source.index === 5")
        move(page, 0.2)
        button(page, "calibrate all")
        for value in (-0.4, 0.7, 0.2):
            move(page, value)
        button(page, "done: keep the ends")
        shape = page.wait_for("JSON.parse(localStorage['windrow.gamepad']).rightY.shape")
        assert (shape["low"], shape["centre"], shape["high"]) == (-0.4, 0.2, 0.7)
        button(page, "close")
        page.value("stick.axes[5] = -0.4")
        applied(page, "lift", "=== 1")  # pulled back as far as it goes
        page.value("stick.axes[5] = 0.45")
        applied(page, "lift", "< -0.2")
        page.value("stick.axes[5] = 0.2")
        applied(page, "lift", "=== 0")

        page.resize(*LAPTOP)
        page.wait_for(f"innerWidth === {LAPTOP[0]}")
        in_order(page)
        page.press("p")
        # A number of the scene, with its unit, is changed on the page; the server takes it, and tells it.
        field = "document.querySelector('#parameters input[aria-label=\"z, m/s²\"]')"
        page.wait_for(f"{field}.value === '-9.81'")
        page.value(f"{field}.value = '-3.7'")
        for event in ("input", "blur"):
            page.value(f"{field}.dispatchEvent(new Event('{event}'))")
        page.wait_for("window.windrow.parameters.some((one) => one.unit === 'm/s²' && one.value === -3.7)")


def test_fingers_and_screens_of_other_sizes(tmp_path: Path) -> None:
    with page_on(tmp_path, SMALL, fingers=True) as page:
        page.wait_for("!document.getElementById('sticks').hidden")
        x, y = middle(page, "document.querySelector('.stick.right')")
        page.touch([(x, y + 45)])
        applied(page, "lift", "> 0.5")
        # Both hands at once.
        a, b = middle(page, "document.querySelector('.stick.left')")
        page.touch([(x, y + 45), (a, b - 50)])
        applied(page, "throttle", "> 0.5")
        page.touch([])
        applied(page, "lift", "=== 0")
        applied(page, "throttle", "=== 0")
        for size in (TABLET, TABLET_ON_ITS_SIDE):
            page.resize(*size)
            page.wait_for(f"innerWidth === {size[0]}")
            in_order(page)


def in_order(page: Chromium) -> None:
    """All panels are within the window, and none covers another."""
    # In one look: numbers on the panels change with every frame.
    width, height, boxes = page.value(
        f"""[innerWidth, innerHeight, Object.fromEntries({json.dumps(PANELS)}
        .map((name) => [name, document.querySelector(name)])
        .filter(([, one]) => one !== null && one.getClientRects().length > 0)
        .map(([name, one]) => [name, one.getBoundingClientRect().toJSON()]))]"""
    )
    assert len(boxes) >= 5
    for name, box in boxes.items():
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        assert min(box["x"], box["y"]) >= 0, (name, box)
        assert right <= width, (name, box)
        assert bottom <= height, (name, box)
        for other, its in boxes.items():
            across = min(right, its["x"] + its["width"]) - max(box["x"], its["x"])
            down = min(bottom, its["y"] + its["height"]) - max(box["y"], its["y"])
            assert name == other or min(across, down) <= 0, (name, box, other, its)
    words = "[...document.querySelectorAll('#bar button, #task *, #hints .name')]"
    assert (
        page.value(f"{words}.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)")
        == []
    )


def move(page: Chromium, value: float) -> None:
    """Moves an axis, and gives the page time to see it: each turn leaves it one, however busy it is."""
    page.value(
        f"""(async () => {{ stick.axes[5] = {value};
        for (let turn = 0; turn < 4; turn++) await new Promise((done) => setTimeout(done, 60)); }})()"""
    )


def button(page: Chromium, words: str) -> None:
    page.value(
        f"[...document.querySelectorAll('#pads button')].find((one) => one.textContent === {words!r}).click()"
    )
