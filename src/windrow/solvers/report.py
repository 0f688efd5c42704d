"""What a solver tells about one step."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class SolverReport:
    """Wall time by phase and counts of the last substep."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Wall time by phase, s."""
    pairs: int = 0
    """Pairs of grains in the neighbour lists."""
    wall_contacts: int = 0
    """Grain and shape pairs within reach."""
    frozen: int = 0
    """Grains out of the motion because their numbers were not finite."""
    asleep: int = 0
    """Grains that did not move."""
    notes: dict[str, float] = field(default_factory=dict)
    """What a solver has to say beyond that, by name."""

    def lap(self, phase: str, since: float) -> float:
        """Books the time since `since` under `phase`; returns now."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - since
        return now
