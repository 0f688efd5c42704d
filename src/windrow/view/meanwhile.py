"""The station opens as soon as machines can move: what only grains need is compiled while they do.

Where grains come from the ground, half of all kernels wait for the first of them. A machine that digs before they are
compiled is held up until they are, and the page says so; the simulation's bits do not depend on it.
"""

from __future__ import annotations

from time import perf_counter

from windrow.compiler import Compiling
from windrow.kernel import load_kernels
from windrow.sim.kernel_parts import kernel_modules
from windrow.sim.simulation import Simulation

LOOK = 0.5
"""s between looks at what is there already"""


class Meanwhile:
    """Kernels that processes compile beside a station."""

    def __init__(self, compiling: Compiling, simulation: Simulation) -> None:
        self._compiling: Compiling | None = compiling
        self._simulation = simulation
        self._left = self._all = max(len(compiling.left()), 1)
        self._looked = perf_counter()
        simulation.before_grains = self.finish

    def told(self) -> str:
        """How far it is; empty once all is there."""
        if self._compiling is None:
            return ""
        if perf_counter() - self._looked > LOOK:
            self._looked = perf_counter()
            self._left = len(self._compiling.left())
            if self._left == 0:
                self.finish()
                return ""
        return f"compiling what digging needs: {100 - 100 * self._left // self._all} % (first run only)"

    def finish(self) -> None:
        """Waits for what is left, and loads it."""
        if self._compiling is None:
            return
        compiling, self._compiling, self._simulation.before_grains = self._compiling, None, None
        compiling.finish()
        load_kernels.cache_clear()
        load_kernels(*kernel_modules(self._simulation.assembled, self._simulation._stepper.kernels))

    def close(self) -> None:
        """Ends the processes."""
        if self._compiling is not None:
            self._compiling.end()
