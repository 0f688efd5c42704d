"""Traces of bits: what a run's state was after each phase of each step, as digests, and where two runs part.

Two machines, versions or thread counts that should give the same bits are compared without moving their states: the
first line that differs names the step, the phase and the arrays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from windrow.errors import FileFormatError
from windrow.files import refuse_other_than_files
from windrow.kernel import TARGET
from windrow.sim.simulation import Simulation
from windrow.state.state import digest

FORMAT = "windrow trace 1"
LENGTH = 12
"""hexadecimal digits of a digest"""


@dataclass
class Line:
    """What there was after a phase of a step."""

    step: int
    phase: str
    arrays: dict[str, str]
    """digests by name"""

    def __str__(self) -> str:
        return f"step {self.step}, after {self.phase}"


def lines_of(simulation: Simulation, steps: int) -> Iterator[Line]:
    """Steps a simulation and gives a line for its start and for each phase of each step."""
    found: list[Line] = []

    def note(phase: str) -> None:
        held = simulation.contents()
        arrays = {name: digest({name: value})[:LENGTH] for name, value in held.items()}
        found.append(Line(simulation.state.step, phase, arrays))

    note("start")
    simulation.on_phase = note
    try:
        for _ in range(steps):
            simulation.step()
            yield from found
            found.clear()
    finally:
        simulation.on_phase = None


def write_trace(simulation: Simulation, steps: int, file: Path) -> None:
    """Writes a trace, a line of JSON for each phase."""
    about = {"format": FORMAT, "title": simulation.scene.title, "target": TARGET, "threads": simulation.threads}
    with open(file, "w", encoding="utf-8") as out:
        out.write(json.dumps(about) + "\n")
        for line in lines_of(simulation, steps):
            out.write(json.dumps([line.step, line.phase, line.arrays]) + "\n")


def read_trace(file: Path) -> tuple[dict[str, Any], list[Line]]:
    """What a trace says of itself, and its lines."""
    refuse_other_than_files(file)
    try:
        with open(file, encoding="utf-8") as content:
            about = json.loads(content.readline() or "{}")
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                raise FileFormatError(f"{file}: is no trace; write one with windrow trace-bits SCENE --out FILE")
            return about, [Line(*json.loads(text)) for text in content]
    except OSError as problem:
        raise FileFormatError(f"{file}: cannot be read: {problem.strerror}") from None
    except (ValueError, TypeError) as problem:
        raise FileFormatError(f"{file}: is broken ({problem}); write it again") from None


def first_difference(one: list[Line], other: list[Line]) -> str | None:
    """Where two traces part, in words; None if they do not."""
    for a, b in zip_longest(one, other):
        if a is None or b is None:
            return f"one of them ends before {b or a}"
        if (a.step, a.phase) != (b.step, b.phase):
            return f"{a} in one, {b} in the other"
        names = sorted(name for name in a.arrays.keys() | b.arrays.keys() if a.arrays.get(name) != b.arrays.get(name))
        if names:
            return f"{a}: {', '.join(names)}"
    return None
