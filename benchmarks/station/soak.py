"""Twenty pages at once, most of them badly behaved, while the station must not care.

    python benchmarks/station/soak.py [--seconds 300]

Good pages, slow ones, some that never read, some that vanish with a hand on the lever, and some that send
garbage. Prints what was seen, and ends with exit code 1 if one of these does not hold:

* No step came more than a tenth of a second after it was due (`pacing.MOST_BEHIND`; simulated time is lost then).
* Memory of the server does not grow: the slope of a straight line through its resident memory, in means over ten
  seconds, is below 0.02 MB a minute or below twice its own standard error. The same crowd comes for two minutes before
  that, as a heap needs some thousand connections until it has room for all that may come together.
* No thread and no page is left behind, and less than one object per connection that there was.

The pages run in a process of lower priority: in use they run on other machines. A third process only sleeps and says
how long the machine itself held it up, because no program is in time on a machine that is busy with something else.
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
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray
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
EVERY = 0.5
"""Seconds between looks at the memory."""
TOGETHER = 20
"""Looks at the memory that make one mean: those of ten seconds."""
GROWTH = 0.02
"""MB a minute that are not growth: five pages of memory, of which a process has 70,000."""
REHEARSAL = 120.0
"""Seconds for which the crowd comes before anything is measured, if that is at most two fifths of what is measured."""
WINDING_UP = 2.0
"""Seconds after which the last page that left is closed."""
SLACK = 120.0
"""Seconds that all of it may take longer."""
TICK = 0.005
"""Seconds for which the process that measures the machine sleeps."""


def soak_scene() -> Scene:
    """A cart beside a heap that has come to rest."""
    scene = Scene(title="soak")
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="ground")
    scene.add_block((-0.4, 3.0, 0.05), (0.8, 0.8, 0.4), 0.05, "sand")
    scene.add_machine(CART)
    return scene


class TimedSource(LiveSource):
    """Remembers how long after it was due each step began, s, in memory that it has from the beginning."""

    def __init__(self, simulation: Simulation, seconds: float) -> None:
        super().__init__(simulation)
        self.behind = np.full(round((rehearsal(seconds) + seconds + SLACK) / simulation.solver.dt), np.nan)

    def advance(self, now: float) -> float:
        step = self.simulation.state.step
        wait = super().advance(now)
        if self.simulation.state.step != step:
            self.behind[step] = self.pace.behind
        return wait


def rehearsal(seconds: float) -> float:
    """Seconds for which the crowd comes before it is watched for so long."""
    return min(0.4 * seconds, REHEARSAL)


def _crowd(address: str, seconds: float, answer: Any) -> None:
    os.nice(10)

    async def page(kind: str, seen: Seen, for_so_long: float) -> None:
        with suppress(WebSocketException, OSError):
            await KINDS[kind][0](address, for_so_long, seen)

    async def all_at_once(for_so_long: float) -> dict[str, list[Seen]]:
        crowd = {kind: [Seen() for _ in range(count)] for kind, (_, count) in KINDS.items()}
        await asyncio.gather(
            *(page(kind, seen, for_so_long) for kind, pages in crowd.items() for seen in pages)
        )
        return crowd

    asyncio.run(all_at_once(rehearsal(seconds)))
    answer.put("ready")
    sleep(WINDING_UP)
    answer.put(asyncio.run(all_at_once(seconds)))


def _held_up(over: Any, answer: Any) -> None:
    """Sleeps until it is over; how long the longest sleep was beyond what was asked for, s."""
    longest = 0.0
    while not over.is_set():
        before = perf_counter()
        sleep(TICK)
        longest = max(longest, perf_counter() - before - TICK)
    answer.put(longest)


def resident() -> float:
    """Memory of this process, MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def living() -> int:
    """Pieces of memory that Python's objects have now, without garbage."""
    gc.collect()
    return sys.getallocatedblocks()


def slope_of(memory: NDArray[np.float64]) -> tuple[float, float]:
    """MB a minute of looks every EVERY seconds, and the standard error of that; 0 for fewer than three means."""
    means = memory[: len(memory) // TOGETHER * TOGETHER].reshape(-1, TOGETHER).mean(axis=1)
    if len(means) < 3:
        return 0.0, 0.0
    minutes = np.arange(len(means)) * EVERY * TOGETHER / 60
    (slope, start), residual = np.polyfit(minutes, means, 1), minutes - minutes.mean()
    error = means - slope * minutes - start
    return float(slope), float(np.sqrt(error @ error / (len(means) - 2) / (residual @ residual)))


def soaked(seconds: float) -> dict[str, Any]:
    """Runs the crowd for so long; what was seen of it."""
    source = TimedSource(Simulation(soak_scene(), threads=1), seconds)
    for _ in range(30):
        source.simulation.step()
    viewer = opened(source, port=0)
    viewer.start()
    context = multiprocessing.get_context("spawn")
    answer, machine, over = context.Queue(), context.Queue(), context.Event()
    crowd = context.Process(
        target=_crowd, args=(viewer.url.replace("http", "ws") + "socket", seconds, answer)
    )
    sleeper = context.Process(target=_held_up, args=(over, machine))
    threads = threading.active_count()
    crowd.start()
    memory = np.full(round((seconds + SLACK) / EVERY), np.nan)
    looks = 0
    try:
        answer.get(timeout=rehearsal(seconds) + SLACK)
        sleeper.start()
        sleep(0.5 * WINDING_UP)
        objects = living()
        begin, late, cpu = source.simulation.time, source.pace.late, process_time()
        first = source.simulation.state.step
        while answer.empty() and crowd.is_alive():
            memory[looks] = resident()
            looks += 1
            sleep(EVERY)
        last = viewer.between_steps(lambda simulation: simulation.state.step)
        behind = 1e3 * source.behind[first:last]
        cpu = process_time() - cpu
        simulated, late = source.simulation.time - begin, source.pace.late - late
        sleep(WINDING_UP)
        objects = living() - objects
        pages_left, threads_left = viewer.pages, threading.active_count() - threads
        seen: dict[str, list[Seen]] = answer.get(timeout=30)
        over.set()
        held_up = machine.get(timeout=30)
        crowd.join()
        sleeper.join()
    finally:
        viewer.close()
    connections = sum(page.drops for pages in seen.values() for page in pages) + len(seen["good"])
    memory = memory[:looks]
    slope, error = slope_of(memory)
    gaps = np.concatenate([page.gaps for page in seen["good"]])
    minute = round(60 / EVERY)
    return {
        "seconds": round(seconds, 1),
        "pages": sum(count for _, count in KINDS.values()),
        "dropped_for_garbage": sum(page.drops for page in seen["rude"]),
        "vanished": sum(page.drops for page in seen["vanishing"]),
        "good_frames_per_second": round(sum(p.frames for p in seen["good"]) / len(seen["good"]) / seconds, 2),
        "gap_median_ms": round(1e3 * float(np.median(gaps)), 1),
        "gap_longest_ms": round(1e3 * float(gaps.max()), 1),
        "slow_frames_per_second": round(sum(p.frames for p in seen["slow"]) / len(seen["slow"]) / seconds, 2),
        "server_core_percent": round(100 * cpu / seconds, 1),
        "simulated_seconds": round(simulated, 2),
        "steps": len(behind),
        "steps_behind_ms": {
            "median": round(float(np.median(behind)), 2),
            "99 of 100": round(float(np.quantile(behind, 0.99)), 2),
            "999 of 1000": round(float(np.quantile(behind, 0.999)), 2),
            "longest": round(float(behind.max()), 2),
        },
        "late_steps": late,
        "machine_held_a_sleeper_up_ms": round(1e3 * held_up, 1),
        "memory_mb": [round(float(memory[0]), 3), round(float(memory[-1]), 3)],
        "memory_mb_minute_by_minute": [
            round(float(memory[k : k + minute].mean()), 3) for k in range(0, looks, minute)
        ],
        "memory_mb_per_minute": round(slope, 3),
        "memory_mb_per_minute_error": round(error, 3),
        "objects_left_per_connection": round(objects / connections, 2),
        "threads_left": threads_left,
        "pages_left": pages_left,
    }


def complaints(told: dict[str, Any]) -> list[str]:
    """What does not hold of what this program promises."""
    found = []
    if told["late_steps"]:
        found.append(
            f"{told['late_steps']} steps came too late; the machine held up a process that only sleeps "
            f"for {told['machine_held_a_sleeper_up_ms']} ms"
        )
    if told["memory_mb_per_minute"] > max(GROWTH, 2 * told["memory_mb_per_minute_error"]):
        found.append(f"memory grows by {told['memory_mb_per_minute']} MB a minute")
    if told["objects_left_per_connection"] >= 1:
        found.append(f"{told['objects_left_per_connection']} objects are left of each connection")
    if told["threads_left"] or told["pages_left"]:
        found.append(f"{told['threads_left']} threads and {told['pages_left']} pages are left behind")
    return found


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--seconds", type=float, default=300.0)
    told = soaked(options.parse_args().seconds)
    found = complaints(told)
    print(json.dumps({**told, "complaints": found}, indent=1))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
