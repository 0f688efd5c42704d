"""A wheel loader driven in a real browser, by keys and a gamepad: it moves, its bucket lifts rocks, and the page
stays whole through pauses, resets and a server that is killed."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from chromium import Chromium, browser
from PIL import Image

REFERENCE = Path(__file__).parent / "reference"
SIZE = (640, 360)
SMALL = (80, 45)
"""Pixels to which pictures are reduced before they are compared: drawing differs from machine to machine."""
UNLIKE = 14.0
"""Mean difference, of 255, from which on two reduced pictures show different things."""

ROCKS = "window.windrow.bodies.filter((row, k) => window.windrow.names[k].startsWith('rock'))"
PAD = """
window.pad = {index: 0, id: "test pad", connected: true, mapping: "standard", timestamp: 0,
  axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({pressed: false, touched: false, value: 0}))};
window.padThere = false;
navigator.getGamepads = () => window.padThere ? [window.pad] : [];
"""


@contextmanager
def served(scene: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`windrow play` in a process of its own, and the address that it prints."""
    words = [sys.executable, "-m", "windrow", "play", scene, "--no-browser", "--paused", "--port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def place(page: Chromium, body: str) -> np.ndarray:
    return np.array(page.value(f"window.windrow.bodies[window.windrow.names.indexOf({body!r})].slice(0, 3)"))


def rocks_up(page: Chromium, height: float) -> int:
    """How many rocks are higher than this, m."""
    return int(page.value(f"{ROCKS}.filter((row) => row[2] > {height}).length"))


def drive(page: Chromium, seconds: float, *keys: str) -> None:
    """Holds keys for so much simulated time."""
    until = page.value("window.windrow.time") + seconds
    for key in keys:
        page.hold(key)
    page.wait_for(f"window.windrow.time > {until}", 60)
    for key in keys:
        page.release(key)


def test_the_loader_is_driven_by_keys_and_lifts_rocks(tmp_path: Path) -> None:
    program = browser()
    with Chromium(program, tmp_path, SIZE) as page:
        page.before_loading(PAD)
        with served("loader_rocks") as (process, url):
            port = int(url.rsplit(":", 1)[1].strip("/"))
            page.open(url)
            page.wait_for("window.windrow.names.includes('bucket') && window.windrow.drawn > 1", 120)
            page.wait_for("window.windrow.operator && window.windrow.paused")
            compare(page.picture(), "loader_rocks")
            tallest = page.value(f"Math.max(...{ROCKS}.map((row) => row[2]))")

            # Keys drive it into the heap, curl the bucket and lift it.
            begin = place(page, "bucket")
            page.press(" ")
            page.wait_for("!window.windrow.paused", 60)
            drive(page, 3.5, "w")
            assert place(page, "bucket")[0] > begin[0] + 2.0
            page.wait_for("window.windrow.applied.throttle === 0")
            drive(page, 2.5, "ArrowLeft", "w")
            drive(page, 2.5, "ArrowUp")
            lifted = place(page, "bucket")
            assert lifted[2] > begin[2] + 0.8
            assert rocks_up(page, tallest + 0.1) >= 3
            tool = page.value("window.windrow.notes.tool")
            assert tool["fill"] > 0.05
            assert tool["force"][2] < -100.0
            assert page.value("window.windrow.task.state") == "running"
            assert page.value("window.windrow.latency_ms") is not None

            # A gamepad steers: pedals drive it back, a stick turns it.
            page.value("window.padThere = true")
            page.wait_for("window.windrow.gamepads === 1")
            before = place(page, "rear frame")
            page.value("window.pad.buttons[6].value = 1; window.pad.axes[0] = -0.8;")
            page.wait_for("window.windrow.applied.throttle < -0.5 && window.windrow.applied.steer > 0.3", 30)
            back = "window.windrow.bodies[window.windrow.names.indexOf('rear frame')][0]"
            page.wait_for(f"{back} < {before[0] - 0.5}", 60)
            page.value("window.pad.buttons[6].value = 0; window.pad.axes[0] = 0;")
            page.wait_for("window.windrow.applied.throttle === 0")
            page.value("window.padThere = false")

            # Pause, one step, reset.
            page.press(" ")
            page.wait_for("window.windrow.paused")
            at = page.value("window.windrow.time")
            page.press(".")
            page.wait_for(f"window.windrow.time > {at}")
            page.press("r")
            page.wait_for("window.windrow.time === 0", 60)
            assert np.allclose(place(page, "bucket"), begin, atol=1e-3)
            for camera in ("2", "3", "4", "1"):
                page.press(camera)
            assert page.errors == []
            process.kill()
            process.wait()
            page.wait_for("window.windrow.state !== 'open'")

        with served("loader_rocks", port):
            page.wait_for("window.windrow.state === 'open' && window.windrow.time === 0", 90)
            page.wait_for("window.windrow.operator")
            page.press(" ")
            page.wait_for("window.windrow.time > 0.1", 60)
        assert [error for error in page.errors if "ERR_CONNECTION_REFUSED" not in error] == []


def compare(picture: bytes, name: str) -> None:
    """The picture shows about what the reference shows."""
    now = reduced(Image.open(io.BytesIO(picture)))
    file = REFERENCE / f"{name}.png"
    if not file.exists():
        raise AssertionError(f"{file} is missing; write it with: python tests/view/test_browser_loader.py")
    then = np.asarray(Image.open(file).convert("RGB"), np.float64)
    unlike = float(np.abs(now - then).mean())
    assert unlike < UNLIKE, f"the picture differs from {file.name} by {unlike:.1f} of 255 on average"


def reduced(image: Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB").resize(SMALL, Image.Resampling.BOX), np.float64)


def write_references(folder: Path) -> None:
    """Takes the reference pictures anew."""
    REFERENCE.mkdir(exist_ok=True)
    with Chromium(browser(), folder, SIZE) as page, served("loader_rocks") as (_, url):
        page.open(url)
        page.wait_for("window.windrow.names.includes('bucket') && window.windrow.drawn > 1", 120)
        page.wait_for("window.windrow.operator && window.windrow.paused")
        time.sleep(2.0)
        image = Image.fromarray(reduced(Image.open(io.BytesIO(page.picture()))).round().astype(np.uint8))
        image.save(REFERENCE / "loader_rocks.png")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        write_references(Path(made))
