"""How long a user waits: import, and the first step from a warm cache, each in a fresh process."""

from __future__ import annotations

import subprocess
import sys

_IMPORT = "import time; t = time.perf_counter(); import windrow; print(time.perf_counter() - t)"
_FIRST_STEP = (
    "import time; t = time.perf_counter(); import windrow as wr; "
    "s = wr.Simulation(wr.load_scene('pile')); s.step(); print(time.perf_counter() - t)"
)


def _seconds(code: str, repeat: int = 3) -> float:
    """Best of a few fresh processes; the first one fills the disk and kernel caches."""
    times = []
    for _ in range(repeat + 1):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append(float(done.stdout.split()[-1]))
    return min(times[1:])


def import_seconds() -> float:
    return _seconds(_IMPORT)


def first_step_seconds() -> float:
    return _seconds(_FIRST_STEP)
