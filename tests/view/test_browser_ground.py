"""Ground in the browser: it is drawn, follows what is dug, and comes back when time jumps."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from chromium import Chromium, browser
from made_station import station
from PIL import Image

from windrow.scene.scene import Scene
from windrow.scene.settings import Camera
from windrow.scene.terrain import Hills
from windrow.sim.simulation import Simulation
from windrow.view.live import LiveSource


def hilly() -> Scene:
    scene = Scene(title="hills")
    scene.add_terrain(
        size=(24.0, 24.0),
        cell=0.125,
        height=Hills(height=2.0, length=12.0, seed=4),
        layers=[{"soil": "loam", "thickness": 0.4}, {"soil": "dry_sand"}],
    )
    scene.run.camera = Camera(eye=(9.0, -14.0, 9.0), target=(0.0, 0.0, 0.5))
    return scene


def picture(page: Chromium) -> np.ndarray:
    drawn = page.value("window.windrow.drawn")
    page.wait_for(f"window.windrow.drawn > {drawn} + 1")
    image = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB"), np.float64)
    return image[60:280, 260:600]  # without gauges and buttons


def test_ground_is_drawn_and_follows_what_is_dug(tmp_path: Path) -> None:
    source = LiveSource(Simulation(hilly(), threads=1), "hills", paused=True)
    with station(source) as viewer, Chromium(browser(), tmp_path) as page:
        page.open(f"{viewer.url}?quality=low")
        page.wait_for("window.windrow.drawn > 2")
        before = picture(page)
        assert before[..., 0].mean() > before[..., 2].mean() + 5, "loam is brown"

        def dig(simulation: Simulation) -> None:
            simulation.terrain.set_height(-0.5, x=(-3.0, 3.0), y=(-3.0, 3.0))

        viewer.between_steps(dig)
        page.press(".")
        page.wait_for("window.windrow.time > 0")
        after = picture(page)
        assert np.abs(after - before).mean() > 2.0
        page.press("r")
        page.wait_for("window.windrow.time === 0")
        assert np.abs(picture(page) - before).mean() < 1.0
        assert page.errors == []
