"""What one step did."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class StepReport:
    """What one step did."""

    step: int
    time: float
    """s, at the end of the step"""
    particles: int
    contacts: int
    """pairs of grains and grain–shape pairs within reach"""
    seconds: dict[str, float]
    """wall time by phase"""
    asleep: int
    frozen: int
    """grains held because their numbers were not finite"""
    emitted: int
    removed: int
    waiting: int
    """grains an emitter owed and could not place"""
    ledger: dict[str, float]
    notes: dict[str, float] = field(default_factory=dict)
    frozen_bodies: int = 0
    """rigid bodies held because their numbers were not finite, or beyond anything possible"""

    @property
    def wall(self) -> float:
        """s"""
        return sum(self.seconds.values())
