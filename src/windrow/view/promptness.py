"""What keeps threads of one process from holding each other up while a station is open.

Kernels let go of Python's lock, so each step asks for it dozens of times, and each time the other threads may keep it
for the switch interval: 5 ms as Python sets it, which busy pages would turn into a tenth of a second per step.

Most of what the garbage collector would look through is set aside (`kernel.set_aside`). What is left is little, so it
can be thorough often: of every connection asyncio leaves a transport that holds itself, and one that was alive at a
first look would wait for the hundredth after it, together with thousands like it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SWITCH_INTERVAL = 0.0005
"""Wall seconds for which a thread may keep Python's lock from another one that waits for it."""

LOOKS = (200, 2, 2)
"""New objects after which the collector looks at them, looks after which it looks at older ones too, and those after
which it looks at all."""


@contextmanager
def prompt() -> Iterator[None]:
    """While a station is open; what it changes is changed back afterwards."""
    interval, looks = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*LOOKS)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*looks)
        gc.unfreeze()
