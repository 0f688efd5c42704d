"""How many processors other programs leave free, so that a simulation takes no more threads than that.

A second thread whose processor another program holds is waited for at every loop: beside one busy program on two
processors, one thread is faster than two. The result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter, process_time

from windrow.team import available_cores

WINDOW = 0.25
"""s over which the use of processors is averaged"""
_STATISTICS = Path("/proc/stat")


class FreeCores:
    """Processors that other programs leave, as of the last window; all of them where the system does not tell."""

    def __init__(self, statistics: Path = _STATISTICS) -> None:
        self._statistics = statistics
        self.most = self.count = available_cores()
        self._at, self._busy, self._own = perf_counter(), self._busy_seconds(), process_time()

    def now(self) -> int:
        """Looks at most once a window; else the number of the last look."""
        elapsed = perf_counter() - self._at
        if elapsed >= WINDOW:
            busy, own = self._busy_seconds(), process_time()
            if busy is not None and self._busy is not None:
                others = (busy - self._busy - (own - self._own)) / elapsed
                self.count = max(1, min(self.most, round(self.most - others)))
            self._at, self._busy, self._own = perf_counter(), busy, own
        return self.count

    def _busy_seconds(self) -> float | None:
        """Of all processors that this process may use, since the system started."""
        try:
            lines = self._statistics.read_text(encoding="ascii").splitlines()
            ours = {f"cpu{k}" for k in os.sched_getaffinity(0)}
            rows = [[int(n) for n in line.split()[1:9]] for line in lines if line.split(" ", 1)[0] in ours]
            ticks = sum(sum(row) - row[3] - row[4] for row in rows)  # all but idle and waiting for a disk
            return ticks / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, AttributeError, IndexError):
            return None
