"""Twenty pages at once, most of them badly behaved, while the station must not care.

    python benchmarks/station/soak.py [--seconds 300]

Good pages, slow ones, some that never read, some that vanish with a hand on the lever, and some that send
garbage. Prints what was seen, and ends with exit code 1 if one of these does not hold:

* No step came more than a tenth of a second after it was due (`pacing.MOST_BEHIND`; simulated time is lost then), but
  for those that the machine held up: see below.
* Memory of the server does not grow: the slope of a straight line through its resident memory, in means over ten
  seconds, is below 0.02 MB a minute or below twice its own standard error. The same crowd comes for four minutes before
  that, as a heap needs some thousand connections until it has room for all that may come together.
* No thread and no page is left behind, and less than one object per connection that there was.

The pages run in a process of lower priority: in use they run on other machines. On every processor a process only
sleeps, and notes when the machine itself held it up; and with every step is noted for how long threads of the station
have waited for a processor. No program is in time on a machine that is busy with something else: a step that would have
been in time without such a moment and such a wait is counted, but is no fault of the station.
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
from machine import account, allowed, waited
from numpy.typing import NDArray
from pages import Seen, deaf, good, rude, slow, vanishing
from websockets.exceptions import WebSocketException

from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.view.launch import opened
from windrow.view.live import LiveSource
from windrow.view.pacing import MOST_BEHIND

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
REHEARSAL = 240.0
"""Seconds for which the crowd comes before anything is measured, if that is at most four fifths of what is measured."""
WINDING_UP = 2.0
"""Seconds after which the last page that left is closed."""
SLACK = 120.0
"""Seconds that all of it may take longer."""
TICK = 0.005
"""Seconds for which the processes that measure the machine sleep."""
HELD_LEAST = 0.02
"""Seconds by which they wake up too late that are noted."""
SHORTLY = 0.5
"""Seconds between such a moment, or a wait for a processor, and a step that is late because of it."""


def soak_scene() -> Scene:
    """A cart beside a heap that has come to rest."""
    scene = Scene(title="soak")
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="ground")
    scene.add_block((-0.4, 3.0, 0.05), (0.8, 0.8, 0.4), 0.05, "sand")
    scene.add_machine(CART)
    return scene


class TimedSource(LiveSource):
    """Remembers when each step began, how long after it was due, and for how long the process had waited for processors
    by then, s, in memory that it has from the beginning."""

    def __init__(self, simulation: Simulation, seconds: float) -> None:
        super().__init__(simulation)
        steps = round((rehearsal(seconds) + seconds + SLACK) / simulation.solver.dt)
        self.behind, self.began, self.waited = np.full((3, steps), np.nan)

    def advance(self, now: float) -> float:
        step = self.simulation.state.step
        wait = super().advance(now)
        if self.simulation.state.step != step:
            self.behind[step], self.began[step] = self.pace.behind, now
            self.waited[step] = waited({}, account())
        return wait


def rehearsal(seconds: float) -> float:
    """Seconds for which the crowd comes before it is watched for so long."""
    return min(0.8 * seconds, REHEARSAL)


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
    sleep(2 * WINDING_UP)
    before = account()
    crowd = asyncio.run(all_at_once(seconds))
    answer.put((crowd, allowed(before, account())))


def _held_up(processor: int, over: Any, answer: Any) -> None:
    """Sleeps on one processor until it is over; when it woke up much too late, and by how much, s."""
    os.sched_setaffinity(0, {processor})
    moments = []
    while not over.is_set():
        before = perf_counter()
        sleep(TICK)
        held = perf_counter() - before - TICK
        if held > HELD_LEAST:
            moments.append((perf_counter(), held))
    answer.put(moments)


def own_fault(
    began: NDArray[np.float64],
    behind: NDArray[np.float64],
    waited: NDArray[np.float64],
    moments: list[tuple[float, float]],
) -> int:
    """How many steps were late and would have been so without what the machine did shortly before: the moments (end,
    length, s) in which it held a sleeper up, and the time for which the station waited for a processor."""
    late = 0
    for step in np.flatnonzero(behind > MOST_BEHIND):
        since = max(int(np.searchsorted(began, began[step] - SHORTLY)) - 1, 0)
        held = max((length for end, length in moments if abs(began[step] - end) < SHORTLY), default=0.0)
        late += bool(behind[step] - max(held, waited[step] - waited[since]) > MOST_BEHIND)
    return late


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
    sleepers = [
        context.Process(target=_held_up, args=(processor, over, machine))
        for processor in sorted(os.sched_getaffinity(0))
    ]
    threads = threading.active_count()
    crowd.start()
    memory = np.full(round((seconds + SLACK) / EVERY), np.nan)
    looks = 0
    try:
        answer.get(timeout=rehearsal(seconds) + SLACK)
        for sleeper in sleepers:
            sleeper.start()
        sleep(WINDING_UP)
        objects = living()
        # looking through all objects holds the steps up, which is not the pages' doing
        sleep(0.5 * WINDING_UP)
        begin, late, cpu = source.simulation.time, source.pace.late, process_time()
        before = account()
        first = source.simulation.state.step
        while answer.empty() and crowd.is_alive():
            memory[looks] = resident()
            looks += 1
            sleep(EVERY)
        share_of_station = allowed(before, account())
        last = viewer.between_steps(lambda simulation: simulation.state.step)
        behind, began, waits = (of[first:last] for of in (source.behind, source.began, source.waited))
        cpu = process_time() - cpu
        simulated, late = source.simulation.time - begin, source.pace.late - late
        sleep(WINDING_UP)
        objects = living() - objects
        pages_left, threads_left = viewer.pages, threading.active_count() - threads
        seen: dict[str, list[Seen]]
        seen, share_of_pages = answer.get(timeout=30)
        over.set()
        moments = [moment for _ in sleepers for moment in machine.get(timeout=30)]
        for process in (crowd, *sleepers):
            process.join()
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
            "median": round(1e3 * float(np.median(behind)), 2),
            "99 of 100": round(1e3 * float(np.quantile(behind, 0.99)), 2),
            "999 of 1000": round(1e3 * float(np.quantile(behind, 0.999)), 2),
            "longest": round(1e3 * float(behind.max()), 2),
            "longest, s after the begin": round(float(behind.argmax()) * source.simulation.solver.dt, 1),
        },
        "late_steps": late,
        "late_steps_by_own_fault": own_fault(began, behind, waits, moments),
        "machine_allowed": {"station": round(share_of_station, 3), "pages": round(share_of_pages, 3)},
        "machine_held_sleepers_up_ms": sorted((round(1e3 * held, 1) for _, held in moments), reverse=True)[:5],
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
    if told["late_steps_by_own_fault"]:
        found.append(f"{told['late_steps_by_own_fault']} steps came too late")
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
