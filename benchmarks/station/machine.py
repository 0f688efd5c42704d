"""What the machine allowed: for how long a process had a processor, and for how long it waited for one.

Linux keeps account of both for each thread. Where there is no such account, nobody has waited: what is measured is then
the program's own doing, as it is on a machine that does nothing else.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

Account = dict[str, tuple[float, float]]
"""Of each thread: seconds for which it has run, and for which it was ready to run while processors did other things."""


def account(*processes: int) -> Account:
    """That of all threads of some processes, of this one if none is given, since they began."""
    found: Account = {}
    for thread in (t for process in processes or ("self",) for t in Path(f"/proc/{process}/task").glob("*")):
        with suppress(OSError, ValueError):  # it may end meanwhile
            ran, waited, _ = (thread / "schedstat").read_text().split()
            found[thread.name] = 1e-9 * int(ran), 1e-9 * int(waited)
    return found


def waited(before: Account, after: Account) -> float:
    """Seconds for which threads waited for a processor between two looks."""
    return _passed(before, after, 1)


def allowed(before: Account, after: Account) -> float:
    """Share of what threads wanted to run that the machine let them run; 1 if nobody else wanted to."""
    ran, idle = _passed(before, after, 0), waited(before, after)
    return ran / (ran + idle) if ran + idle > 0 else 1.0


def _passed(before: Account, after: Account, which: int) -> float:
    return sum(now[which] - before.get(thread, (0.0, 0.0))[which] for thread, now in after.items())
