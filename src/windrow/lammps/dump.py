"""What LAMMPS wrote, as frames."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import FileFormatError
from windrow.scene.motion import pose_at
from windrow.state.frame import Frame

if TYPE_CHECKING:
    from windrow.scene.scene import Scene


class DumpFrame(NamedTuple):
    """One moment of a dump, in the order of ids."""

    step: int
    values: dict[str, NDArray[np.float64]]
    """(n,) by LAMMPS' names of the columns"""


def read_grains(path: Path) -> DumpFrame:
    """The one moment that a file holds; raises FileFormatError where it is cut short or something else."""
    try:
        head, found, rows = path.read_text(encoding="ascii").partition("ITEM: ATOMS ")
        titles, _, body = rows.partition("\n")
        lines = head.splitlines()
        step, count = int(lines[1]), int(lines[3])
        names = titles.split()
        table = np.array(body.split(), np.float64).reshape(-1, len(names))
        if not found or lines[0] != "ITEM: TIMESTEP" or len(table) != count:
            raise ValueError(f"{len(table)} of {count} grains")
    except (OSError, ValueError, IndexError) as error:
        raise FileFormatError(f"{path}: is no whole frame of a LAMMPS dump ({error}); run the scene again") from None
    table = table[np.argsort(table[:, names.index("id")], kind="stable")]
    return DumpFrame(step, {name: table[:, k] for k, name in enumerate(names)})


class FrameMaker:
    """Frames of a run of LAMMPS: what it does not say (materials, masses, obstacles) is as at the start."""

    def __init__(self, scene: Scene, start: Frame, step: float) -> None:
        self.scene = scene
        self.start = start
        self.step = step
        """s"""

    def frame(self, grains: DumpFrame) -> Frame:
        start, values, time = self.start, grains.values, grains.step * self.step
        ids = values["id"].astype(np.int64) - 1
        at = np.searchsorted(start.id, ids)
        mass = start.mass[at]
        free = np.isfinite(mass)
        # LAMMPS' forces are all forces; those of a frame are those of the contacts
        weight = np.where(free, mass, 0.0)[:, None] * np.array(self.scene.gravity)
        force = _columns(values, "fx", "fy", "fz") - weight
        poses = [pose_at(obstacle, time) for obstacle in self.scene.obstacles]
        changes: dict[str, Any] = {}
        if poses:
            changes["body_position"] = np.array([position for position, _ in poses])
            changes["body_rotation"] = np.array([rotation for _, rotation in poses])
        return replace(
            start,
            time=time,
            step=grains.step,
            id=ids,
            position=_columns(values, "x", "y", "z"),
            velocity=_columns(values, "vx", "vy", "vz"),
            radius=start.radius[at],
            mass=mass,
            material=start.material[at],
            force=np.where(free[:, None], force, 0.0).astype(np.float32),
            columns={"spin": _columns(values, "omegax", "omegay", "omegaz")},
            notes={"engine": "lammps"},
            **changes,
        )


def _columns(values: dict[str, NDArray[np.float64]], *names: str) -> NDArray[np.float32]:
    return np.stack([values[name] for name in names], axis=1).astype(np.float32)
