"""Takes pictures of the station with every built-in scene, in the browser that the tests use.

    python docs/tools/screenshots.py                 all scenes (some minutes)
    python docs/tools/screenshots.py blade pile      only these

They go to docs/images/station_NAME.jpg, each at a moment when something happens.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from blocks import DOCS
from PIL import Image

sys.path.insert(0, str(DOCS.parent / "tests" / "view"))
from chromium import Chromium, browser

from windrow.machines.digging import DigOperator, loading_cycles
from windrow.machines.loading import loading_operator
from windrow.scene import built_in_scenes, load_scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource

IMAGES = DOCS / "images"
SIZE = (1120, 630)
MANY = 8000
"""Grains from which on a picture is drawn less finely: drawing without a graphics card takes long."""
SHARE = 0.5
"""Of the scene's own length: where the picture is taken, unless said otherwise."""
WORK: dict[str, tuple[Any, float]] = {
    "loader_rocks": (loading_operator(7.4), 23.5),
    "excavator": (DigOperator(loading_cycles(2)), 29.3),
}
"""Scenes in which somebody works: the operator, and when the picture is taken, s."""
HIDDEN = "dt:has(+ [data-fact=step], + [data-fact=pictures]), [data-fact=step], [data-fact=pictures] { display: none }"
LONGEST = 6.0
"""s, simulated; nobody waits longer for a picture"""


def picture(page: Chromium, name: str) -> Image.Image:
    """The page with a scene that has run for a while."""
    simulation = Simulation(load_scene(name))
    moment = min(SHARE * simulation.scene.run.seconds, LONGEST)
    operator = None
    if name in WORK:
        operator, moment = WORK[name]
    while simulation.time < moment:
        if operator is not None:
            operator.act(simulation, simulation.solver.dt)
        simulation.step()
    viewer = opened(LiveSource(simulation, name, paused=True), port=0)
    viewer.start()
    try:
        quality = "high" if simulation.state.count < MANY else "medium"
        page.open(f"{viewer.url}?quality={quality}")
        page.wait_for(f"window.windrow.drawn > 1 && window.windrow.time >= {moment - 1e-6}", 300)
        page.press("1")
        # How fast this machine computes and draws, often without a graphics card, says nothing about the scene.
        page.value(f"document.head.insertAdjacentHTML('beforeend', '<style>{HIDDEN}</style>')")
        time.sleep(2.0)
        return Image.open(io.BytesIO(page.picture())).convert("RGB")
    finally:
        viewer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="scenes; all built-in ones if left out")
    names = parser.parse_args().names or list(built_in_scenes())
    for name in names:
        # A new browser each time: what one page leaves behind is not in the next picture.
        with tempfile.TemporaryDirectory() as folder, Chromium(browser(), Path(folder), SIZE) as page:
            image = picture(page, name)
            if page.errors:
                raise SystemExit(f"{name}: {page.errors}")
        image.save(IMAGES / f"station_{name}.jpg", quality=80, optimize=True)
        print(f"{name}: {(IMAGES / f'station_{name}.jpg').stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
