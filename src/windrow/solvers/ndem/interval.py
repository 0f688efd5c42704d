"""What belongs to a step, to an interval of it, and to no time at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry.terms import F32, I32, I64
from windrow.kernel import BLOCK
from windrow.simd import WIDTH
from windrow.solvers.ndem.records import IDLE, LAW, OVERFLOW_LEAST, ROW, ContactSet, Schedule
from windrow.state.room import room
from windrow.state.state import State

if TYPE_CHECKING:
    from windrow.solvers.movers.movers import Movers

NOBODY: I64 = np.zeros(0, np.int64)


@dataclass
class StepProgress:
    """How far a step has come."""

    dt: float
    """Length of the step, s; shorter than asked for where grains turn a body far."""
    movers: Movers | None
    came: I32 | None
    """Where each grain was in the memory, or −1; None: the memory has the same order."""
    new: I64 = field(default_factory=lambda: NOBODY)
    """Rows of grains that have yet to be listed: they have come, or could not move before."""
    changed: bool = False
    """Whether grains have come, left or been freed since the last step."""
    done: float = 0.0
    """Time that has been computed, s."""
    undone: bool = False
    """Whether the last substep was undone, and has to be begun again."""
    retries: int = 0
    """How often in a row no substep could be kept."""
    covers_rest: bool = False
    """Whether a search of this step made lists that hold for all of it."""
    impact: float = 0.0
    """Swiftest meeting that the last search of this step found, 1/s."""

    @property
    def goes_on(self) -> bool:
        return self.done < self.dt * (1.0 - 1e-9)

    def pass_by(self, time: float, state: State) -> None:
        """So much more has been computed. The step ends here if grains turned a body far."""
        self.done += time
        if self.movers is not None and self.movers.turned_far() and self.done < self.dt:
            # forces are means over the time that is asked for
            state.body_force *= self.dt / self.done
            state.body_torque *= self.dt / self.done
            self.dt = self.done


@dataclass
class Interval:
    """A part of a step for which lists and walls hold: mostly the whole step."""

    rest: float
    """What is left of the step when it begins, s."""
    margin: float
    """Gap, m, up to which pairs are listed in a bed at rest."""
    least: float
    """Least time that lists must hold, s: a substep for the stiffness."""
    fast: float
    """Greatest speed of a grain, m/s."""
    leaving: int
    """Grains that will have left their skins at its end."""
    span: float
    """Its length, s, if no grain escapes."""
    old: I32
    """Where each grain was in the memory, or −1."""
    impact: float = 0.0
    """Swiftest meeting within it, 1/s: closing speed over radius."""
    h: float = 0.0
    """Length of a substep, s."""
    substeps: int = 0
    schedule: Schedule = field(init=False)
    contacts: ContactSet = field(init=False)
    common: F32 = field(init=False)
    pinched: int = 0
    """Grains held because they have no room."""

    @property
    def wall_margin(self) -> float:
        """How far from where they begin its walls hold for all grains, m."""
        return self.margin + self.fast * self.span


class Workspace:
    """Arrays that mean nothing between two steps. Each has one meaning."""

    def __init__(self, capacity: int, batches: int) -> None:
        self.sort_rows, self.spare_rows, self.predicted = (room((capacity, 8), np.float32) for _ in range(3))
        blocks = (capacity + BLOCK - 1) // BLOCK + 1
        self.velocity_bounds = np.zeros((blocks, 6), np.float32)
        self.spread, self.fastest = np.zeros(blocks, np.float32), np.zeros(blocks, np.float32)
        self.leaving, self.held, self.frozen = (np.zeros(blocks, np.int64) for _ in range(3))
        self.identity, self.old = np.arange(capacity, dtype=np.int32), room(capacity, np.int32)
        self.material = np.zeros(capacity + IDLE, np.int32)
        self.peak = np.zeros((1, WIDTH), np.float32)
        self._make_room(batches, OVERFLOW_LEAST)

    def _make_room(self, batches: int, overflow: int) -> None:
        # grains that are all alike need no law of their own, and so none of its memory
        self.row, self.law = room((batches, ROW, WIDTH), np.float32), np.zeros((batches, LAW, WIDTH), np.float32)
        self.movable, self.active = room(batches, np.uint8), room(batches, np.uint8)
        self.overflow_row, self.overflow_law = (room((overflow, wide), np.float32) for wide in (ROW, LAW))

    def make_room(self, batches: int, overflow: int, pencils: int) -> None:
        """For at least so many of each."""
        if len(self.row) < batches or len(self.overflow_row) < overflow:
            self._make_room(batches + batches // 4, overflow + overflow // 4)
        if len(self.peak) != pencils:
            self.peak = np.zeros((pencils, WIDTH), np.float32)
