"""From a key to motion on the screen, in a real browser on the same machine.

    python benchmarks/station/latency.py [--scene cart] [--presses 20] [--quality auto]

A key is pressed while everything stands still. Measured is the time until the first picture that differs visibly from
the one before is drawn to its last pixel, and the way there:

    key → sent        the page notices the key and tells the server
    sent → taken      the simulation's thread takes the lever, which it does between two steps
    taken → made      the step that obeys, when it is due, and its frame
    made → arrived    the frame reaches the page
    arrived → begun   the page waits for the screen's next turn, and until motion that it draws between frames shows
    begun → drawn     that picture, until its last pixel can be read back, after those that were begun before it
    one picture       the same when none was begun before it

`cart` is a small machine alone; any built-in scene with levers may be given instead. Without a graphics card, the
processor draws, and one picture of a large scene takes longer than everything else together. Ends with exit code 1 if
95 of 100 presses are not seen within a tenth of a second. On a machine that is busy with other things, that includes
the time for which station and browser waited for a processor.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from time import sleep, time
from typing import Any

import numpy as np
from machine import account, waited

from windrow.scene.files import load_scene
from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource

BROWSER = Path(__file__).parents[2] / "tests" / "view"
PROMISED = 0.1
"""s, from key to motion"""
SIZE = (640, 360)
"""Pixels of the window: small, because the processor may have to draw them."""
SETTLING = 60.0
"""Seconds in which a scene must come to rest."""

# Times are milliseconds since 1970 in the page's clock. A picture is compared where the machine is: in its middle.
WATCH = """
(() => {
  const wall = (now) => performance.timeOrigin + now;
  const all = window.measured = { on: false, press: null, still: 0, picture: 0 };
  const UNLIKE = 8, PIXELS = 8;
  let before = null;

  window.addEventListener("keydown", (event) => {
    if (all.press && all.press.key === undefined && !event.repeat) all.press.key = wall(event.timeStamp);
  }, true);

  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", (event) => {
        const press = all.press;
        if (!press || press.stamp === undefined || press.arrived !== undefined) return;
        if (!(event.data instanceof ArrayBuffer)) return;
        const head = new DataView(event.data);
        if (head.getUint32(0, true) !== 0x31465257) return;
        const notes = JSON.parse(new TextDecoder().decode(event.data.slice(-head.getUint32(36, true))));
        if (notes.stamp >= press.stamp) press.arrived = wall(performance.now());
      });
    }
    send(data) {
      super.send(data);
      const press = all.press;
      if (!press || press.key === undefined || press.stamp !== undefined || !String(data).includes('"control"')) return;
      press.stamp = JSON.parse(data).stamp;
      press.sent = wall(performance.now());
    }
  };

  // Reading pixels back waits until the picture is complete. It would hold the page up if it were done for each
  // picture, so it is done while the scene comes to rest, and then for those that may show what the key did.
  function looked(begun) {
    const canvas = document.getElementById("stage");
    const gl = canvas.getContext("webgl2");
    const width = Math.round(canvas.width / 3), height = Math.round(canvas.height / 2);
    const now = new Uint8Array(4 * width * height);
    gl.readPixels(width, Math.round(height / 2), width, height, gl.RGBA, gl.UNSIGNED_BYTE, now);
    const drawn = performance.now();
    let unlike = before === null || before.length !== now.length ? Infinity : 0;
    for (let k = 0; k < now.length && unlike < PIXELS; k++) if (Math.abs(now[k] - before[k]) > UNLIKE) unlike++;
    if (unlike >= PIXELS) before = now; // else slow motion would never differ from the picture before
    const press = all.press;
    if (press === null) {
      all.picture = drawn - begun;
      all.still = unlike < PIXELS ? all.still + 1 : 0;
    } else if (unlike >= PIXELS && press.drawn === undefined) {
      press.begun = wall(begun);
      press.drawn = wall(drawn);
    }
  }

  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => request((at) => {
    const begun = performance.now();
    const pictures = window.windrow?.drawn;
    draw(at);
    if (window.windrow?.drawn === pictures) return; // what was not drawn cannot be read back
    if (all.on && (all.press === null || all.press.arrived !== undefined)) looked(begun);
  });
})();
"""


class TimedSource(LiveSource):
    """Remembers when a lever was taken, and when the first frame that obeys it was made; seconds since 1970."""

    taken = 0.0
    made = 0.0
    _at = -1.0

    def steer(self, values: Mapping[str, float]) -> None:
        if any(values.values()):
            self.taken, self.made, self._at = time(), 0.0, self.simulation.time
        super().steer(values)

    def notes(self) -> dict[str, Any]:
        if not self.made and self.simulation.time > self._at:
            self.made = time()
        return super().notes()


def scene_named(name: str) -> tuple[Scene, str]:
    """A scene, and the key that moves something in it."""
    if name != "cart":
        return load_scene(name), "ArrowUp"
    scene = Scene(title="cart")
    scene.add_material("ground", friction_static=0.8)
    scene.add_plane((0, 0, 1), 0.0, "ground", name="ground")
    scene.add_machine(BROWSER / "cart.toml")
    return scene, "w"


def measured(name: str, presses: int, quality: str) -> list[dict[str, float]]:
    """Moments of each press, s since 1970; and how long threads of the station, and of the browser, waited for a
    processor meanwhile, s."""
    sys.path.insert(0, str(BROWSER))
    from chromium import Chromium, browser

    scene, key = scene_named(name)
    source = TimedSource(Simulation(scene))
    source.simulation.step()  # compiles
    viewer = opened(source, port=0)
    viewer.start()
    found = []
    try:
        with tempfile.TemporaryDirectory() as folder, Chromium(browser(), Path(folder), SIZE) as page:
            page.before_loading(WATCH)
            page.open(f"{viewer.url}?quality={quality}")
            page.wait_for("window.windrow.operator && window.windrow.drawn > 30", 120)
            page.value("window.measured.on = true")
            for _ in range(presses):
                page.value("window.measured.press = null, window.measured.still = 0")
                page.wait_for("window.measured.still > 15", SETTLING)
                picture = page.value("window.measured.press = {}, window.measured.picture")
                sleep(random.uniform(0.3, 0.4))  # at any moment between two steps, frames and pictures
                processes = page.processes()
                before, before_in_browser = account(), account(*processes)
                page.hold(key)
                press = page.wait_for("window.measured.press.drawn && window.measured.press", 20)
                after, after_in_browser = account(), account(*processes)
                page.release(key)
                of_page = ("key", "sent", "arrived", "begun", "drawn")
                found.append(
                    {
                        **{part: 1e-3 * press[part] for part in of_page},
                        "taken": source.taken,
                        "made": source.made,
                        "picture": 1e-3 * picture,
                        "station waited": waited(before, after),
                        "browser waited": waited(before_in_browser, after_in_browser),
                    }
                )
    finally:
        viewer.close()
    return found


WAY = ("key", "sent", "taken", "made", "arrived", "begun", "drawn")


def told(found: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """How long each part of the way took, ms."""
    parts = {f"{a} → {b}": [press[b] - press[a] for press in found] for a, b in pairwise(WAY)}
    parts["one picture"] = [press["picture"] for press in found]
    parts["key → drawn"] = [press["drawn"] - press["key"] for press in found]
    shares = {"median": 0.5, "95 of 100": 0.95, "longest": 1.0}
    return {
        part: {name: 1e3 * float(np.quantile(times, share)) for name, share in shares.items()}
        for part, times in parts.items()
    }


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--scene", default="cart")
    options.add_argument("--presses", type=int, default=20)
    options.add_argument("--quality", default="auto", help="as the page takes it: auto, low, medium, high")
    given = options.parse_args()
    answer = told(measured(given.scene, given.presses, given.quality))
    print(f"{given.scene}, {given.presses} presses, quality {given.quality}; ms")
    for part, times in answer.items():
        print(f"  {part:18}" + "".join(f"{name} {value:6.1f}   " for name, value in times.items()))
    sys.exit(0 if answer["key → drawn"]["95 of 100"] < 1e3 * PROMISED else 1)


if __name__ == "__main__":
    main()
