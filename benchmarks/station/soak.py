"""Twenty pages at once, most of them badly behaved, while the station must not care.

    python benchmarks/station/soak.py [--seconds 300]

Good pages, slow ones, some that never read, some that vanish with a hand on the lever, and some that send
garbage. Watched are the memory of the server's process, steps that came too late, and the frames of good pages.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
from pages import Seen, deaf, good, rude, slow, vanishing
from websockets.exceptions import WebSocketException

from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource

CART = Path(__file__).parents[2] / "tests" / "view" / "cart.toml"
KINDS = {
    "good": (good, 6),
    "slow": (slow, 4),
    "deaf": (deaf, 2),
    "vanishing": (vanishing, 4),
    "rude": (rude, 4),
}
"""20 pages."""
SETTLING = 0.2
"""Share of the time in which memory may still grow: caches fill, pages arrive."""


def soak_scene() -> Scene:
    """A cart beside a heap that has come to rest."""
    scene = Scene(title="soak")
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="ground")
    scene.add_block((-0.4, 3.0, 0.05), (0.8, 0.8, 0.4), 0.05, "sand")
    scene.add_machine(CART)
    return scene


def _crowd(address: str, seconds: float, answer: Any) -> None:
    async def page(kind: str, seen: Seen) -> None:
        with suppress(WebSocketException, OSError):
            await KINDS[kind][0](address, seconds, seen)

    async def all_at_once() -> dict[str, list[Seen]]:
        await good(address, 1.0, Seen())  # whatever is done once is done now
        answer.put("ready")
        crowd = {kind: [Seen() for _ in range(count)] for kind, (_, count) in KINDS.items()}
        await asyncio.gather(*(page(kind, seen) for kind, pages in crowd.items() for seen in pages))
        return crowd

    answer.put(asyncio.run(all_at_once()))


def resident() -> float:
    """Memory of this process, MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def soaked(seconds: float) -> dict[str, Any]:
    """Runs the crowd for so long; what was seen of it."""
    source = LiveSource(Simulation(soak_scene(), threads=1))
    for _ in range(30):
        source.simulation.step()
    viewer = opened(source, port=0)
    viewer.start()
    context = multiprocessing.get_context("spawn")
    answer: Any = context.Queue()
    crowd = context.Process(
        target=_crowd, args=(viewer.url.replace("http", "ws") + "socket", seconds, answer)
    )
    threads = threading.active_count()
    crowd.start()
    memory: list[float] = []
    try:
        answer.get(timeout=60)
        begin, late = source.simulation.time, source.pace.late
        while answer.empty() and crowd.is_alive():
            memory.append(resident())
            sleep(0.5)
        seen: dict[str, list[Seen]] = answer.get(timeout=30)
        crowd.join()
        simulated = source.simulation.time - begin
        late = source.pace.late - late
        gc.collect()
        left = threading.active_count() - threads
    finally:
        viewer.close()
    settled = np.array(memory[int(SETTLING * len(memory)) :])
    per_minute = np.polyfit(np.arange(len(settled)) * 0.5 / 60, settled, 1)[0] if len(settled) > 2 else 0.0
    gaps = np.concatenate([page.gaps for page in seen["good"]])
    return {
        "seconds": round(seconds, 1),
        "pages": sum(count for _, count in KINDS.values()),
        "dropped_for_garbage": sum(page.drops for page in seen["rude"]),
        "frames_to_good_pages": sum(page.frames for page in seen["good"]),
        "good_frames_per_second": round(sum(p.frames for p in seen["good"]) / len(seen["good"]) / seconds, 2),
        "gap_median_ms": round(1e3 * float(np.median(gaps)), 1),
        "gap_longest_ms": round(1e3 * float(gaps.max()), 1),
        "frames_to_slow_pages": sum(page.frames for page in seen["slow"]),
        "simulated_seconds": round(simulated, 2),
        "late_steps": late,
        "memory_mb": [round(float(settled[0]), 1), round(float(settled[-1]), 1)],
        "memory_mb_per_minute": round(float(per_minute), 3),
        "threads_left": left,
    }


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--seconds", type=float, default=300.0)
    json.dump(soaked(options.parse_args().seconds), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
