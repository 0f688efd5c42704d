"""The station opens as soon as machines can move: what only grains need is compiled while they do.

Where grains come from the ground, half of all kernels wait for the first of them. A step that would dig before they are
compiled is given up, so that the machine waits and the page says why; the simulation's bits do not depend on it.
"""

from __future__ import annotations

from time import perf_counter

from windrow.compiler import Compiling
from windrow.kernel import load_kernels
from windrow.sim.kernel_parts import kernel_modules
from windrow.sim.simulation import Simulation
from windrow.solvers.stopping import StepGivenUpError

LOOK = 0.5
"""s between looks at what is there already"""


class Meanwhile:
    """Kernels that processes compile beside a station."""

    def __init__(self, compiling: Compiling, simulation: Simulation) -> None:
        self._compiling, self._simulation = compiling, simulation
        self._left = self._all = len(compiling.left())
        self._looked = perf_counter()
        self.held = False
        """Whether the last step was given up because grains would have come."""
        simulation.before_grains = self._hold
        self._look()

    @property
    def done(self) -> bool:
        return self._left == 0

    def told(self) -> str:
        """How far it is; empty once all is there."""
        if not self.done and perf_counter() - self._looked > LOOK:
            self._left = len(self._compiling.left())
            self._look()
        if self.done:
            return ""
        waits = "; the machine waits for it" if self.held else ""
        return f"compiling what digging needs: {100 - 100 * self._left // self._all} % (first run only){waits}"

    def close(self) -> None:
        """Ends the processes."""
        self._compiling.end()

    def _look(self) -> None:
        self._looked = perf_counter()
        if self.done:
            self.held, self._simulation.before_grains = False, None
            self.close()
            load_kernels.cache_clear()
            load_kernels(*kernel_modules(self._simulation.assembled, self._simulation._stepper.kernels))

    def _hold(self) -> None:
        self.told()
        if not self.done:
            self.held = True
            raise StepGivenUpError
