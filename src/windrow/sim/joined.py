"""What a simulation tells of grains that are joined."""

from __future__ import annotations

from windrow.solvers.interface import Solver
from windrow.state.bonds import BondReadings
from windrow.state.clumps import ClumpReadings
from windrow.state.state import State


class JoinedGrains:
    """Readings of bonds and clumps, for solvers that compute them."""

    state: State
    _stepper: Solver

    @property
    def bonds(self) -> BondReadings:
        """What glues grains together: what each bond carries, which have broken, when and how."""
        return self._stepper.bond_readings()

    @property
    def clumps(self) -> ClumpReadings:
        """Rigid grains made of balls, with their motion."""
        return self._stepper.clump_readings(self.state)
