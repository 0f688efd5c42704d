"""The page in a real browser: it draws, it steers, it comes back, and it has nothing to complain about."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from chromium import Chromium, browser
from made_station import live
from PIL import Image

from windrow.view.launch import opened


def test_the_page_draws_steers_and_reconnects(tmp_path: Path) -> None:
    program = browser()
    live().simulation.step()  # compile now, so that the browser need not wait for it
    viewer = opened(live(paused=True), port=0)
    viewer.start()
    port = int(viewer.url.rsplit(":", 1)[1].strip("/"))
    with Chromium(program, tmp_path) as page:
        page.open(viewer.url)
        page.wait_for("window.windrow.grains > 0 && window.windrow.drawn > 1")
        assert page.value("document.title") == "a few grains · Windrow"
        _check_picture(page.picture())

        page.press(".")
        page.wait_for("window.windrow.time > 0")
        page.press(" ")
        page.wait_for("!window.windrow.paused && window.windrow.received > 5")
        page.press(" ")
        page.wait_for("window.windrow.paused")
        page.press("r")
        page.wait_for("window.windrow.time === 0")
        page.press("h")
        assert page.value("document.getElementById('help').open")
        page.value("document.getElementById('help').close()")
        page.press("c")
        assert "speed" in page.wait_for("document.querySelector('.legend:not([hidden])')?.textContent")
        page.press("2")
        assert page.errors == []

        viewer.close()
        page.wait_for("window.windrow.state !== 'open'")
        again = opened(live(paused=False), port=port)
        again.start()
        try:
            page.wait_for("window.windrow.state === 'open' && window.windrow.time > 0")
        finally:
            again.close()
        # While nobody listens, the browser itself notes each attempt; the page adds nothing of its own.
        assert [error for error in page.errors if "ERR_CONNECTION_REFUSED" not in error] == []


def _check_picture(picture: bytes) -> None:
    """Something was drawn in the middle, in the colour of sand, before a plain background."""
    image = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), np.float64)
    assert image.shape == (360, 640, 3)
    middle = image[90:260, 220:520]
    warm = (middle[..., 0] > middle[..., 2] + 20).mean()
    assert warm > 0.02, f"only {warm:.1%} of the middle is sand"
    assert middle.std() > 8
