"""What the station costs: CPU of the server for many grains at 30 Hz, and the time from a lever to its motion.

    python benchmarks/station/load.py [--grains 50000] [--seconds 10]

The grains stand still and nothing is simulated, so that all CPU time of the server's process goes into packing
and sending. The lever moves a small machine that is simulated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

import numpy as np
from machine import account, allowed, waited
from pages import Seen, good

from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource

CART = Path(__file__).parents[2] / "tests" / "view" / "cart.toml"
DT = 1 / 60


class StillSource(LiveSource):
    """Time goes on, nothing moves, and the grains lie in memory in any order, as those of a solver do."""

    def advance(self, now: float) -> float:
        wait = self.pace.wait(now, self.simulation.time, DT)
        if wait > 0:
            return wait
        self.simulation.state.time += DT
        self.simulation.state.step += 1
        self.pace.note(now, self.simulation.time)
        return 0.0


def still_source(grains: int) -> StillSource:
    side = round(grains ** (1 / 3)) + 1
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:grains]
    scene = Scene(title="still", gravity=(0.0, 0.0, 0.0))
    scene.add_material("sand", density=1600.0)
    scene.add_particles(0.021 * grid + [0.0, 0.0, 0.02], radius=0.01, material="sand")
    simulation = Simulation(scene, threads=1)
    state = simulation.state
    mixed = np.random.default_rng(0).permutation(grains)
    for name in ("X", "V", "id", "material", "force"):
        array = getattr(state, name)
        array[:grains] = array[mixed]
    state.V[:grains, :3] = np.random.default_rng(1).normal(size=(grains, 3))
    return StillSource(simulation)


def cart_source() -> LiveSource:
    scene = Scene(title="cart")
    scene.add_material("ground", friction_static=0.8)
    scene.add_plane((0, 0, 1), 0.0, "ground", name="ground")
    scene.add_machine(CART)
    source = LiveSource(Simulation(scene, threads=1))
    source.simulation.step()  # compiles
    return source


@dataclass(frozen=True)
class Watched:
    """A station and a page of it for a while."""

    seen: Seen
    used: float
    """processor time of the server, of the time that passed"""
    allowed: float
    """share of what the server or the page wanted to run that the machine let it run, the lower of the two"""
    waited: float
    """seconds for which threads of the two were ready to run and had no processor, together"""


def _watch(address: str, seconds: float, lever: str | None, answer: Any) -> None:
    seen = Seen()
    while seen.frames < 10:  # whatever is done once, such as compiling, is done now
        asyncio.run(good(address, 1.0, seen))
    answer.put("ready")
    seen, before = Seen(), account()
    asyncio.run(good(address, seconds, seen, lever))
    after = account()
    answer.put((seen, allowed(before, after), waited(before, after)))


def watched(source: LiveSource, seconds: float, lever: str | None = None) -> Watched:
    """What a page in another process sees, what the server used meanwhile, and what the machine allowed."""
    viewer = opened(source, port=0)
    viewer.start()
    context = multiprocessing.get_context("spawn")
    answer: Any = context.Queue()
    address = viewer.url.replace("http", "ws") + "socket"
    page = context.Process(target=_watch, args=(address, seconds, lever, answer))
    page.start()
    try:
        answer.get(timeout=180)
        cpu, before = process_time(), account()
        seen, share, wait = answer.get(timeout=seconds + 60)
        used, after = (process_time() - cpu) / seconds, account()
        page.join()
    finally:
        viewer.close()
    return Watched(seen, used, min(share, allowed(before, after)), wait + waited(before, after))


def measured(grains: int, seconds: float) -> dict[str, Any]:
    still, levers = watched(still_source(grains), seconds), watched(cart_source(), seconds, "throttle").seen
    seen = still.seen
    slowest = quantiles(levers.latencies, n=20)[-1] if len(levers.latencies) > 1 else float("nan")
    return {
        "grains": grains,
        "frames_per_second": round(seen.frames / seconds, 2),
        "megabytes_per_second": round(seen.bytes / seconds / 1e6, 2),
        "server_core_percent": round(100 * still.used, 2),
        "lever_to_frame_median_ms": round(1e3 * median(levers.latencies), 1),
        "lever_to_frame_95_percent_ms": round(1e3 * slowest, 1),
        "lever_moves": len(levers.latencies),
    }


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--grains", type=int, default=50_000)
    options.add_argument("--seconds", type=float, default=10.0)
    given = options.parse_args()
    json.dump(measured(given.grains, given.seconds), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
