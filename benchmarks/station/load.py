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
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

import numpy as np
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


def _watch(address: str, seconds: float, lever: str | None, answer: Any) -> None:
    seen = Seen()
    while seen.frames < 10:  # whatever is done once, such as compiling, is done now
        asyncio.run(good(address, 1.0, seen))
    answer.put("ready")
    seen = Seen()
    asyncio.run(good(address, seconds, seen, lever))
    answer.put(seen)


def watched(source: LiveSource, seconds: float, lever: str | None = None) -> tuple[Seen, float]:
    """What a page in another process sees, and the share of a core that the server used meanwhile."""
    viewer = opened(source, port=0)
    viewer.start()
    context = multiprocessing.get_context("spawn")
    answer: Any = context.Queue()
    address = viewer.url.replace("http", "ws") + "socket"
    page = context.Process(target=_watch, args=(address, seconds, lever, answer))
    page.start()
    try:
        answer.get(timeout=180)
        cpu = process_time()
        seen: Seen = answer.get(timeout=seconds + 60)
        used = (process_time() - cpu) / seconds
        page.join()
    finally:
        viewer.close()
    return seen, used


def measured(grains: int, seconds: float) -> dict[str, Any]:
    seen, used = watched(still_source(grains), seconds)
    levers, _ = watched(cart_source(), seconds, "throttle")
    slowest = quantiles(levers.latencies, n=20)[-1] if len(levers.latencies) > 1 else float("nan")
    return {
        "grains": grains,
        "frames_per_second": round(seen.frames / seconds, 2),
        "megabytes_per_second": round(seen.bytes / seconds / 1e6, 2),
        "server_core_percent": round(100 * used, 2),
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
