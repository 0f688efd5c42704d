"""How long a user waits: import, the first step with compiled kernels, each in a fresh process; and to compile all."""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from time import perf_counter

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


def warm_up_seconds() -> float:
    """To compile every kernel on all cores, into an empty store."""
    with TemporaryDirectory() as folder:
        begin = perf_counter()
        subprocess.run(
            [sys.executable, "-m", "windrow", "warmup", "--quiet"],
            env={**os.environ, "WINDROW_CACHE": folder},
            check=True,
        )
        return perf_counter() - begin


def import_seconds() -> float:
    return _seconds(_IMPORT)


def first_step_seconds() -> float:
    return _seconds(_FIRST_STEP)
