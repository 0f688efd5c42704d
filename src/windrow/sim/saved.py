"""The parts of a snapshot, as `Simulation.restore` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from windrow.record.checkpoint import Mark, mark_in
from windrow.scene.files import scene_from_json
from windrow.scene.scene import Scene
from windrow.scene.settings import SolverSettings, solver_settings_from_json
from windrow.state.form import Number, bad_snapshot, checked

PARTS = ("state", "memory", "bodies")
FORM = {"scene": Number(str), "solver": Number(str), "seed": Number(int, low=0, below=1 << 63)}


@dataclass(frozen=True)
class Saved:
    """What a snapshot holds; the arrays of its parts are checked by those who take them."""

    scene: Scene
    solver: SolverSettings
    seed: int
    mark: Mark | None
    """Which recording it is the checkpoint of; None: of none."""
    state: dict[str, Any]
    memory: dict[str, Any]
    """of the grains' solver"""
    bodies: dict[str, Any]

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> Saved:
        """Raises SceneError or FileFormatError where there is no scene, no solver, or a name that nobody knows."""
        parts: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
        rest = {}
        mark = mark_in(snapshot)
        for name, value in snapshot.items():
            part, _, short = name.partition(".")
            if part in parts:
                parts[part][short] = value
            elif part != "recording":
                rest[name] = value
        checked("snapshot", rest, FORM, {})
        try:
            solver = solver_settings_from_json(rest["solver"])
        except ValidationError as error:
            raise bad_snapshot("snapshot", "solver", f"is none: {error.errors()[0]['msg']}") from None
        return cls(scene_from_json(rest["scene"], "the scene of the snapshot"), solver, rest["seed"], mark, **parts)
