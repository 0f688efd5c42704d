"""What a solver tells about one step."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

SUMMED = ("substeps", "searches", "relisted", "missed_pairs")
"""Notes that add up over the parts of a step."""
GREATEST = ("overlap_peak", "missed_depth", "pinched")
"""Notes of which the greatest counts."""


@dataclass
class SolverReport:
    """Wall time by phase and counts of the last substep."""

    span: float = 0.0
    """Simulated time that was computed, s: less than was asked for if bodies turned too far in it."""
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

    def take_in(self, later: SolverReport) -> None:
        """Adds a later part of the same step."""
        for phase, seconds in later.seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds
        self.span += later.span
        notes = dict(later.notes)
        for name in SUMMED:
            if name in notes:
                notes[name] += self.notes.get(name, 0)
        for name in GREATEST:
            if name in notes:
                notes[name] = max(notes[name], self.notes.get(name, 0.0))
        self.notes = notes
        self.pairs, self.wall_contacts = later.pairs, later.wall_contacts
        self.frozen, self.asleep = later.frozen, later.asleep
