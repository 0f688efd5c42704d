"""Snapshots of a simulation as dictionaries: what is in them, and what makes one unfit."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from windrow.errors import FileFormatError, SceneError
from windrow.record.checkpoint import Mark, load_snapshot, mark_in
from windrow.scene.files import scene_from_json
from windrow.scene.scene import Scene
from windrow.scene.settings import SolverSettings, solver_settings_from_json
from windrow.state.form import Number, bad_snapshot, checked
from windrow.state.model import LINKS_FORM, Links

Snapshot = dict[str, Any]
"""Arrays, numbers and texts by name; see `Simulation.snapshot`."""
Changes = list[list[Any]]
"""Time (s), path and value of numbers of the scene that were changed while it ran."""
FORM = {"scene": Number(str), "solver": Number(str), "changes": Number(str)}
MARK_FORM = {"id": Number(str), "step": Number(int, low=0)}


class Kept(NamedTuple):
    """All that a run changes, by name; those who take a part check it."""

    state: dict[str, Any]
    memory: dict[str, Any]
    """of the grains' solver"""
    bodies: dict[str, Any]
    ground: dict[str, Any]
    tools: dict[str, Any]

    def flat(self) -> Snapshot:
        """In one dictionary, as it is in a snapshot."""
        return {f"{part}.{name}": value for part, known in self._asdict().items() for name, value in known.items()}


@dataclass(frozen=True)
class Saved:
    """What a snapshot holds."""

    scene_text: str
    solver_text: str
    changes: Changes
    mark: Mark | None
    """Which recording it is the checkpoint of; None: of none."""
    links: dict[str, Any]
    kept: Kept

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> Saved:
        """Raises FileFormatError where something is missing, or has a name that nobody knows."""
        parts: dict[str, dict[str, Any]] = {part: {} for part in (*Kept._fields, "links", "recording")}
        rest = {}
        for name, value in snapshot.items():
            part, _, short = name.partition(".")
            if short and part in parts:
                parts[part][short] = value
            else:
                rest[name] = value
        checked("snapshot", rest, FORM, {})
        mark, links = parts.pop("recording"), parts.pop("links")
        if mark:
            checked("recording", mark, MARK_FORM, {})
        return cls(
            rest["scene"], rest["solver"], _changes_in(rest["changes"]), mark_in(snapshot), links, Kept(**parts)
        )

    def scene(self) -> Scene:
        """Raises SceneError where it is none."""
        return scene_from_json(self.scene_text, "the scene of the snapshot")

    def solver(self) -> SolverSettings:
        """Raises FileFormatError where it is none."""
        try:
            return solver_settings_from_json(self.solver_text)
        except ValidationError as error:
            raise bad_snapshot("snapshot", "solver", f"is none: {error.errors()[0]['msg']}") from None

    def links_of(self, grains: int, groups: int) -> Links:
        """Raises FileFormatError where they are not such of a scene that starts with so many grains.

        groups: entries of its `bonds`.
        """
        checked("links", self.links, LINKS_FORM, {"grains": grains, "bond groups": groups})
        balls = self.links["clump_balls"]
        if balls.sum() != len(self.links["clump_local"]) or (self.links["clump_first"] + balls > grains).any():
            raise bad_snapshot("links", "clump_balls", "are not those of the scene")
        return Links(**self.links)

    def refuse_other(self, scene_text: str, solver_text: str, capacity: int, links: Links) -> None:
        """Raises where it is not of a simulation that is made of these."""
        mine = {"scene": scene_text, "solver": solver_text, "capacity": capacity}
        saved = (self.scene_text, self.solver_text, self.kept.state.get("capacity"))
        for (name, value), other in zip(mine.items(), saved, strict=True):
            if type(value) is not type(other) or value != other:
                raise SceneError(
                    f"reset: the snapshot is of another {name}; make a simulation of it: "
                    "wr.Simulation.restore(snapshot), or wr.Simulation.load(path)"
                )
        known = vars(self.links_of(capacity, len(links.bond_group)))
        for name, there in vars(links).items():
            if not np.array_equal(there, known[name]):
                raise bad_snapshot("links", name, "is not that of the scene")


def _changes_in(text: str) -> Changes:
    try:
        changes = json.loads(text)
    except (ValueError, RecursionError):
        raise bad_snapshot("snapshot", "changes", "is no JSON") from None
    if not (isinstance(changes, list) and all(_is_change(change) for change in changes)):
        raise bad_snapshot("snapshot", "changes", "is no list of times, paths and values")
    return changes


def _is_change(change: Any) -> bool:
    if not (isinstance(change, list) and len(change) == 3):
        return False
    time, path, value = change
    return isinstance(time, float) and isinstance(path, str) and isinstance(value, bool | int | float | str | None)


@contextmanager
def read_from(path: str | os.PathLike[str]) -> Iterator[Snapshot]:
    """The snapshot in a file; whoever finds something wrong with it inside of the block names the file, too."""
    snapshot = load_snapshot(path)
    try:
        yield snapshot
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}") from error
