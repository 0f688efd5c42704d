"""Snapshots of a simulation as dictionaries: their parts, and what makes one unfit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from windrow.errors import FileFormatError, SceneError

Snapshot = dict[str, Any]
"""Arrays, numbers and texts by name; see `Simulation.snapshot`."""


def part_of(snapshot: Mapping[str, Any], lead: str) -> dict[str, Any]:
    """What is named with this lead, without it."""
    return {name.removeprefix(lead): value for name, value in snapshot.items() if name.startswith(lead)}


@contextmanager
def reading_snapshot() -> Iterator[None]:
    """Says that a snapshot is broken where something in it is missing or does not fit."""
    try:
        yield
    except (KeyError, ValueError) as problem:
        raise FileFormatError(
            f"the snapshot cannot be read: {problem}; write it again with this version"
        ) from None


def refuse_other(snapshot: Mapping[str, Any], mine: Mapping[str, Any]) -> None:
    """Raises where a snapshot differs in one of these."""
    other = next((name for name, value in mine.items() if snapshot.get(name) != value), None)
    if other is not None:
        raise SceneError(
            f"reset: the snapshot is of another {other.removeprefix('state.')}; make a simulation of it: "
            "wr.Simulation.restore(snapshot), or wr.Simulation.load(path)"
        )
