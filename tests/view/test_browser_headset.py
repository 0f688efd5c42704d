"""The page in a headset: an emulated one, as browsers see it through WebXR, in a real browser."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from chromium import REQUIRED, Chromium, browser
from made_station import cart_scene, station
from PIL import Image

from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.live import LiveSource

EMULATOR = Path(__file__).parents[2] / "web" / "node_modules" / "iwer" / "build" / "iwer.min.js"
"""Immersive Web Emulation Runtime; `make test` installs it where npm is there."""
HEADSET = """
window.headset = new IWER.XRDevice(IWER.metaQuest3);
headset.stereoEnabled = true;
headset.installRuntime({forceInstall: true});
"""
BUTTON = "document.querySelector('#bar [aria-label^=\"Virtual reality\"]')"
BALL, RADIUS = np.array([7.0, 1.0, 2.2]), 0.5
SIZE = (640, 360)


def emulator() -> str:
    if not EMULATOR.exists():
        why = f"{EMULATOR} is missing; install it with: cd web && npm ci"
        if os.environ.get(REQUIRED) == "required" and shutil.which("npm"):
            pytest.fail(why)
        pytest.skip(why)
    return EMULATOR.read_text()


def scene() -> Scene:
    """The cart, and one large grain that hangs in the air before it."""
    made = cart_scene()
    made.add_material("sand", color=(0.9, 0.15, 0.1))
    made.add_particles(BALL, radius=RADIUS, material="sand", pinned=True)
    return made


def test_a_headset_sees_from_the_cabin_and_its_sticks_drive(tmp_path: Path) -> None:
    script = emulator()
    simulation = Simulation(scene(), threads=1)
    simulation.step()  # compile now, so that the browser need not wait for it
    source = LiveSource(simulation, "cart", paused=False)
    with station(source) as viewer, Chromium(browser(), tmp_path, SIZE) as page:
        page.before_loading(f"{script}\n{HEADSET}")
        page.open(f"{viewer.url}?quality=low")
        page.wait_for(f"window.windrow.drawn > 1 && window.windrow.operator && !{BUTTON}.hidden")
        page.wait_for("window.windrow.bodies.length > 0 && window.windrow.time > 1")  # it stands still then
        assert page.value("window.windrow.eyes") == []
        flat = page.value("[stage.width, stage.height, window.windrow.camera]")
        page.click(BUTTON)
        page.wait_for("window.windrow.eyes.length === 2")
        page.wait_for(f"window.windrow.drawn > {page.value('window.windrow.drawn') + 1}")
        page.wait_for(f"{BUTTON}.getAttribute('aria-pressed') === 'true'")

        # The eyes are in the cabin, as far apart as those of the headset, and level.
        left, right = np.array(page.value("window.windrow.eyes"))
        frame = place(page, "frame")
        assert np.allclose((left + right) / 2, frame + np.array([-0.2, 0.0, 1.0]), atol=1e-3)
        assert np.allclose(right - left, [0.0, -page.value("headset.ipd"), 0.0], atol=1e-4)

        # Each sees the grain where and as large as it must, and the brick on the tray, grey before the brown ground.
        picture = Image.open(io.BytesIO(page.picture())).convert("RGB")
        half = np.tan(page.value("headset.fovy") / 2)
        for k, eye in enumerate((left, right)):
            x, y, size = seen(halves(picture)[k])
            away, *_ = way = BALL - eye
            scale = SIZE[1] / 2 / half / away
            assert x == pytest.approx(SIZE[0] / 4 - way[1] * scale, abs=2.0)
            assert y == pytest.approx(SIZE[1] / 2 - way[2] * scale, abs=2.0)
            assert size == pytest.approx(RADIUS * scale, rel=0.06)
            brick = place(page, "brick") - eye
            scale = SIZE[1] / 2 / half / brick[0]
            x, y = SIZE[0] / 4 - brick[1] * scale, SIZE[1] / 2 - brick[2] * scale
            there, beside = (halves(picture)[k][int(y), int(x + aside * scale)] for aside in (0.0, 0.8))
            assert abs(there[0] - there[2]) < 12 < 20 < beside[0] - beside[2]

        # Two sticks and triggers drive: left stick nothing of the cart's, right stick back lifts, trigger goes on.
        begin, tray = frame[0], place(page, "tray")[2]
        page.value("headset.controllers.right.updateAxes('thumbstick', 0, 1)")
        page.wait_for("window.windrow.applied.lift === 1")
        page.wait_for(f"window.windrow.bodies[window.windrow.names.indexOf('tray')][2] > {tray + 0.2}")
        page.value("headset.controllers.right.updateAxes('thumbstick', 0, 0)")
        page.value("headset.controllers.right.updateButtonValue('trigger', 1)")
        page.wait_for("window.windrow.applied.throttle === 1 && window.windrow.applied.lift === 0")
        page.wait_for(f"window.windrow.bodies[window.windrow.names.indexOf('frame')][0] > {begin + 0.3}")
        page.value("headset.controllers.right.updateButtonValue('trigger', 0)")
        page.wait_for("window.windrow.applied.throttle === 0")
        page.wait_for(f"window.windrow.eyes[0][0] > {left[0] + 0.25}")

        page.value("headset.activeSession.end()")
        page.wait_for("window.windrow.eyes.length === 0")
        page.wait_for(f"window.windrow.drawn > {page.value('window.windrow.drawn') + 1}")
        page.wait_for(f"{BUTTON}.getAttribute('aria-pressed') === 'false'")
        assert page.value("[stage.width, stage.height, window.windrow.camera]") == flat
        assert page.errors == []


def place(page: Chromium, body: str) -> np.ndarray:
    return np.array(page.value(f"window.windrow.bodies[window.windrow.names.indexOf({body!r})].slice(0, 3)"))


def halves(picture: Image.Image) -> list[np.ndarray]:
    image = np.asarray(picture, np.float64)
    return [image[:, : SIZE[0] // 2], image[:, SIZE[0] // 2 :]]


def seen(image: np.ndarray) -> tuple[float, float, float]:
    """Middle and radius, pixels, of what is red."""
    red = (image[..., 0] > 2.0 * image[..., 1]) & (image[..., 0] > 2.0 * image[..., 2])
    rows, columns = np.nonzero(red)
    assert len(rows) > 50, "nothing red is there"
    return float(columns.mean() + 0.5), float(rows.mean() + 0.5), float(np.sqrt(red.sum() / np.pi))
