"""The page in a real browser: it draws, it steers, it comes back, and it has nothing to complain about."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from chromium import Chromium, browser
from made_station import live, station
from PIL import Image

from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource


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
        page.wait_for("document.getElementById('help').open")
        page.value("document.getElementById('help').close()")
        page.press("c")
        page.wait_for("document.querySelector('.legend:not([hidden])')?.textContent.includes('speed')")
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


def test_a_grain_is_lit_from_above_with_shadows_and_without(tmp_path: Path) -> None:
    scene = Scene(title="one grain")
    scene.add_material("chalk", color=(0.9, 0.2, 0.2))
    scene.add_plane((0, 0, 1), 0.0, "chalk", name="floor")
    scene.add_particles((0.0, 0.0, 1.0), radius=0.5, material="chalk", pinned=True)
    source = LiveSource(Simulation(scene, threads=1), "grain", paused=True)
    with station(source) as viewer, Chromium(browser(), tmp_path) as page:
        for quality in ("low", "medium"):
            page.open(f"{viewer.url}?quality={quality}")
            page.wait_for("window.windrow.grains === 1 && window.windrow.drawn > 2")
            image = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB"), np.float64)
            red = (image[..., 0] > 1.8 * image[..., 2]) & (image[..., 0] > 1.8 * image[..., 1])
            red[:, :200] = red[280:] = False  # gauges and buttons
            rows, columns = np.nonzero(red)
            height = np.ptp(rows)
            assert height > 20
            middle = np.abs(columns - np.median(columns)) < 0.2 * height
            light = [
                image[rows[part], columns[part], 0].mean()
                for part in (
                    middle & (rows < rows.min() + 0.25 * height),
                    middle & (rows > rows.max() - 0.25 * height),
                )
            ]
            assert light[0] > light[1] + 25, (quality, light)
        assert page.errors == []


def _check_picture(picture: bytes) -> None:
    """Something was drawn in the middle, in the colour of sand, before a plain background."""
    image = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), np.float64)
    assert image.shape == (360, 640, 3)
    middle = image[90:260, 220:520]
    warm = (middle[..., 0] > middle[..., 2] + 20).mean()
    assert warm > 0.02, f"only {warm:.1%} of the middle is sand"
    assert middle.std() > 8
