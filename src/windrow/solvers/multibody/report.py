"""What a step of the bodies says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class MultibodyReport:
    """What one step did."""

    seconds: dict[str, float] = field(default_factory=dict)
    """wall time by phase"""
    contacts: int = 0
    """pairs of parts within reach"""
    pivots: int = 0
    """solutions of the joints' equations, one per substep at best"""
    unsolved: int = 0
    """problems of joints or contact normals in which pivoting was cut off and sweeps had to finish"""
    swept_normals: int = 0
    """contacts of machines with the ground and with walls: swept where they are too many to solve at once"""
    softened: int = 0
    """times that contacts had to feel a machine anew because a row of its joints came to a bound"""
    held_back: int = 0
    """substeps in which contacts of machines would have given energy all the same, and were cut down"""
    pushed_apart: float = 0.0
    """J that machines got from being pushed out of what they overlapped"""
    frozen: int = 0
    """bodies held because their numbers were no longer finite"""
    asleep: int = 0
    """bodies joined with the world"""
    woken: int = 0
    """bodies split in this step"""
    repeated: int = 0
    """times the step was done again because of them"""

    def notes(self) -> dict[str, float]:
        """Counts worth showing; none without bodies."""
        if not self.seconds:
            return {}
        return {
            "body_contacts": self.contacts,
            "bodies_asleep": self.asleep,
            "bodies_woken": self.woken,
            "joints_unsolved": self.unsolved,
            "normals_swept": self.swept_normals,
            "contacts_held_back": self.held_back,
        }

    def lap(self, phase: str, since: float) -> float:
        """Books the time since `since` under `phase`; returns now."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - since
        return now

    def take_in(self, later: MultibodyReport) -> None:
        """Adds a later part of the same step."""
        for phase, seconds in later.seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds
        self.contacts, self.asleep, self.swept_normals = later.contacts, later.asleep, later.swept_normals
        self.frozen = later.frozen
        self.softened += later.softened
        self.held_back += later.held_back
        self.pushed_apart += later.pushed_apart
        self.pivots += later.pivots
        self.unsolved += later.unsolved
        self.woken += later.woken
        self.repeated += later.repeated
