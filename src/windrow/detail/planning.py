"""What a file of fine grains will take, told before any work is done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.detail.coarse import linked_ids, solid_ones
from windrow.detail.file import BYTES
from windrow.detail.regions import Region
from windrow.errors import SceneError
from windrow.record.recording import Recording
from windrow.state.frame import Frame

MEMORY = 36
"""Bytes of memory a grain takes: its state, and eight to sort it"""
KEPT = 28
"""Bytes of a checkpoint a grain takes"""
PROGRAM = 350_000_000
"""Bytes of memory the program takes by itself"""
MOST = 2_000_000_000
"""Grains, which are numbered by 31 bits"""


class DetailPlan(NamedTuple):
    """What is to be made."""

    each: float
    """grains for each cubic metre of coarse radii cubed"""
    grains: int
    """at most at one time"""
    frames: int
    coarse: int
    """coarse particles that carry grains, at most at one time"""

    @property
    def memory(self) -> int:
        """Bytes"""
        return int(1.02 * self.grains) * MEMORY + PROGRAM + 600 * self.coarse

    @property
    def disk(self) -> int:
        """Bytes of the file and its checkpoint"""
        return self.frames * (self.grains * BYTES + 100 * self.coarse + 4096) + KEPT * self.grains


def volume_of(frame: Frame, region: Region, linked: NDArray[np.int64]) -> tuple[float, int]:
    """Sum of the cubes of the radii that carry grains, m³, and how many those are. linked: ids of ropes and nets."""
    chosen = np.asarray(frame.radius, np.float64)[region.inside(frame) & ~solid_ones(frame, linked)]
    return float((chosen * chosen * chosen).sum()), len(chosen)


def plan_of(recording: Recording, grains: int, region: Region) -> DetailPlan:
    """For a recording: the frame that has most gets `grains`."""
    counts = recording.grain_counts
    still = region == Region() and len(np.unique(counts)) == 1
    looked: Iterable[int] = (0,) if still else range(len(recording))
    linked = linked_ids(recording.scene)
    found = [volume_of(recording[k], region, linked) for k in looked]
    volume, coarse = max(found)
    return DetailPlan(density_of(volume, coarse, grains), grains, len(recording), coarse)


def density_of(volume: float, coarse: int, grains: int) -> float:
    """Grains for each cubic metre of radii cubed; refuses what makes no sense."""
    if coarse == 0:
        raise SceneError(
            "grains: nothing to refine, no grain of the run lies in the region; choose another region"
        )
    if not coarse <= grains <= MOST:
        raise SceneError(
            f"grains: {grains} given for {coarse} coarse ones; use at least as many, and at most {MOST}"
        )
    return grains / volume


def refuse_what_does_not_fit(plan: DetailPlan, out: Path, there: int = 0) -> None:
    """Raises SceneError where memory or disk are too small. there: bytes of the file that exist already."""
    free = free_memory()
    if free is not None and plan.memory > free:
        fits = max(0, int((free - PROGRAM) / (1.02 * MEMORY)))
        raise SceneError(
            f"--grains {plan.grains}: {plan.memory / 1e9:.1f} GB of memory are needed and {free / 1e9:.1f} GB are "
            f"free; use at most {fits} grains, or refine a part with --region or --around"
        )
    room = shutil.disk_usage(out.parent).free
    needed = plan.disk - there
    if needed > room:
        each = plan.frames * BYTES + KEPT
        raise SceneError(
            f"{out}: {plan.frames} frames of {plan.grains} grains take {plan.disk / 1e9:.1f} GB, and {room / 1e9:.1f} "
            f"GB are free there; use at most {max(0, int(0.95 * room / each))} grains, fewer frames with --every, "
            "a part with --region or --around, or another disk"
        )


def free_memory() -> int | None:
    """Bytes that a program can still get; None: this system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as told:
            for line in told:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):
        return None
