"""Reading a recording: finished, still being written, or left behind by a killed process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.record.container import DAMAGE, open_recording, text_of
from windrow.record.ground import KINDS, is_ground_layout, read_ground
from windrow.record.layout import (
    COLUMNS,
    FRAME_ROW,
    GRAINS,
    JOINT_ROW,
    ROSTER,
    TABLES,
    VERSION,
    columns_in,
    is_recording_layout,
    pool_names,
    seals,
)

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame


class Recording:
    """A sequence of frames in a file: `len(recording)`, `recording[i]`, iteration; closes as a context
    manager.

    Only the table of frames is held in memory. While another process still writes, `refresh` takes in the
    frames added since; the length changes only there.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.file = open_recording(self.path, VERSION, swmr=True)
        """The open HDF5 file; layout.py says what lies where."""
        self.rows = np.empty(0, FRAME_ROW)
        """The table of complete frames."""
        try:
            if not is_recording_layout(self.file) or ("ground" in self.file and not is_ground_layout(self.file)):
                raise FileFormatError(
                    f"{self.path}: damaged recording, parts of it are missing; make it again"
                )
            header = json.loads(text_of(self.file["header"]))
            self.scene_json: str = text_of(self.file["scene"])
            """The scene that was run, as JSON."""
            self.id: str | None = header.get("id")
            """Which recording it is: its checkpoints name it. None in older ones."""
            self.frame_rate: float | None = header["frame_rate"]
            """Frames per second of simulated time that were asked for, Hz; None if they were not regular."""
            self.body_names: list[str] = list(header["body_names"])
            self.material_names: list[str] = list(header["material_names"])
            self.joint_names: list[str] = list(header.get("joint_names", []))
            self.control_names: list[str] = list(header.get("control_names", []))
            self.columns: dict[str, dict[str, str]] = dict(header.get("columns", {}))
            """What the solver recorded of each grain beyond place and velocity: "unit" and "description" by name."""
            kinds = columns_in(self.file, self.columns)
            if kinds is None:
                raise FileFormatError(f"{self.path}: damaged recording, columns of grains are missing; make it again")
            self.column_kinds = kinds
            """Type and width of each of them."""
            if self.file.swmr_mode and self.finished:
                # Closed since, or cut short afterwards, which only opening it as a closed file notices.
                self.file.close()
                self.file = open_recording(self.path, VERSION)
            self.refresh()
            self._drop_lost_frames()
        except FileFormatError:
            self.close()
            raise
        except DAMAGE as error:
            self.close()
            raise self.damaged(error) from error
        if len(self.rows) == 0:
            self.close()
            raise FileFormatError(
                f"{self.path}: damaged recording without a single complete frame; make it again"
            )

    def refresh(self) -> int:
        """Takes in frames written since the file was opened; returns how many there are now."""
        known = len(self.rows)
        self.file["frames"].refresh()
        added = self.file["frames"][known:]
        # Only now the rest: a frame row promises that its rows are in the pools, not the other way round.
        tables = [name for name in TABLES if name in self.file]
        ground = [f"ground/{name}" for name in ("frames", *KINDS)] if "ground" in self.file else []
        for name in (*pool_names(self.columns), "notes", "finished", *tables, *ground):
            self.file[name].refresh()
        right = added["seal"] == seals(added, known)
        self.rows = np.concatenate([self.rows, added[: int(np.argmin(np.append(right, False)))]])
        return len(self.rows)

    @property
    def finished(self) -> bool:
        """Whether the writer has closed the file; False while it runs and after it was killed."""
        return bool(self.file["finished"][0])

    @property
    def times(self) -> np.ndarray:
        """Simulated time of each frame, s."""
        return self.rows["time"].copy()

    @property
    def steps(self) -> np.ndarray:
        """Step number of each frame."""
        return self.rows["step"].copy()

    @property
    def grain_counts(self) -> np.ndarray:
        """Number of grains in each frame."""
        return self.rows["grains_count"].copy()

    @property
    def scene(self) -> Scene:
        """The scene that was run."""
        from windrow.scene.scene import Scene

        return Scene.model_validate_json(self.scene_json)

    @property
    def gravity(self) -> np.ndarray:
        """Gravity of the scene, m/s²."""
        stated = json.loads(self.scene_json or "{}").get("gravity", (0.0, 0.0, -9.81))
        return np.asarray(stated, dtype=np.float64)

    def index_at(self, time: float) -> int:
        """Index of the frame nearest to `time` (s)."""
        return int(np.argmin(np.abs(self.rows["time"] - time)))

    def frame_at(self, time: float) -> Frame:
        """The frame nearest to `time` (s)."""
        return self[self.index_at(time)]

    def notes(self, index: int) -> dict[str, Any]:
        """What was noted with a frame ("ledger", "seconds" by phase, ...), without reading its grains."""
        row = self._row(index)
        start, count = int(row["notes_start"]), int(row["notes_count"])
        try:
            return json.loads(self.file["notes"][start : start + count].tobytes())
        except DAMAGE as error:
            raise self.damaged(error, index) from error

    def body_rows(self) -> np.ndarray:
        """(frames, bodies): position, rotation, force and torque of each, without reading the grains."""
        return self._table("bodies", len(self.body_names))

    def joint(self, name: str) -> np.ndarray:
        """(frames,): "position" (rad or m), "rate" (rad/s or m/s) and "force" (N or N m, of its cylinder or motor) of
        a joint: recording.joint("lift")["force"]."""
        return self._column("joint", name, self.joint_rows(), self.joint_names)

    def joint_rows(self) -> np.ndarray:
        """(frames, joints): the same of all of them, in the order of `joint_names`."""
        return self._table("joints", len(self.joint_names))

    def control(self, name: str) -> np.ndarray:
        """(frames,): how a control was set, −1…1."""
        return self._column("control", name, self.control_rows(), self.control_names)

    def control_rows(self) -> np.ndarray:
        """(frames, controls): the same of all of them, in the order of `control_names`."""
        return self._table("controls", len(self.control_names))

    def _column(self, what: str, name: str, rows: np.ndarray, names: list[str]) -> np.ndarray:
        if name not in names:
            raise SceneError(f"{self.path}: {unknown_name(what, name, names)}")
        return np.ascontiguousarray(rows[:, names.index(name)])

    def _table(self, name: str, count: int) -> np.ndarray:
        if not count:
            return np.empty((len(self.rows), 0), TABLES[name])
        try:
            return self.file[name][: len(self.rows)]
        except DAMAGE as error:
            raise self.damaged(error) from error

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Frame:
        from windrow.state.frame import Frame

        row = self._row(index)
        grains = slice(int(row["grains_start"]), int(row["grains_start"] + row["grains_count"]))
        roster = slice(int(row["roster_start"]), int(row["roster_start"] + row["grains_count"]))
        try:
            columns = {name: self.file[f"grains/{name}"][grains] for name in GRAINS}
            columns |= {name: self.file[f"roster/{name}"][roster] for name in ROSTER}
            more = {name: self.file[f"{COLUMNS}/{name}"][grains] for name in self.columns}
            here = range(len(self.rows))[index]
            bodies, joints, controls = (
                self.file[name][here] if name in self.file else np.empty(0, dtype) for name, dtype in TABLES.items()
            )
            ground = read_ground(self.file, here) if "ground" in self.file else None
        except DAMAGE as error:
            raise self.damaged(error, index) from error
        if any(len(column) != row["grains_count"] for column in (*columns.values(), *more.values())):
            raise self.damaged(ValueError("rows are missing"), index)
        return Frame(
            time=float(row["time"]),
            step=int(row["step"]),
            **columns,
            columns=more,
            column_notes=dict(self.columns),
            body_names=list(self.body_names),
            body_position=np.ascontiguousarray(bodies["position"]),
            body_rotation=np.ascontiguousarray(bodies["rotation"]),
            body_force=np.ascontiguousarray(bodies["force"]),
            body_torque=np.ascontiguousarray(bodies["torque"]),
            material_names=list(self.material_names),
            ground=ground,
            notes=self.notes(index),
            control_names=list(self.control_names),
            controls=controls,
            joint_names=list(self.joint_names),
            **{f"joint_{field}": np.ascontiguousarray(joints[field]) for field in JOINT_ROW.names or ()},
        )

    def __iter__(self) -> Iterator[Frame]:
        return (self[index] for index in range(len(self)))

    def close(self) -> None:
        """Closes the file; frames already read stay valid."""
        self.file.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _row(self, index: int) -> np.void:
        if not -len(self.rows) <= index < len(self.rows):
            raise IndexError(f"{self.path}: frame {index} of {len(self.rows)}")
        return self.rows[index]

    def _drop_lost_frames(self) -> None:
        """Ends the sequence at the last frame that can be read: a cut copy has its table, but not all its
        rows."""
        while len(self.rows):
            try:
                self[-1]
            except FileFormatError:
                self.rows = self.rows[:-1]
            else:
                return

    def damaged(self, error: Exception, index: int | None = None) -> FileFormatError:
        """What to say about a file in which something, or that frame, cannot be read."""
        where = "" if index is None else f" at frame {index}"
        return FileFormatError(
            f"{self.path}: damaged recording{where} ({error}); use an intact copy, or make it again"
        )
