"""Writing a recording, frame by frame, so that it can be read meanwhile and survives a kill."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from windrow.errors import FileFormatError
from windrow.files import partial_path, sync_file, sync_folder
from windrow.record.checkpoint import Mark, Value, checkpoint_path, marked, save_snapshot
from windrow.record.claim import Claim
from windrow.record.container import (
    DAMAGE,
    RECORDING,
    SNAPSHOT,
    check_replaceable,
    mark_of,
)
from windrow.record.ground import add_ground, copy_ground, create_ground
from windrow.record.layout import (
    BODY_ROW,
    COLUMNS,
    FRAME_ROW,
    GRAINS,
    JOINT_ROW,
    ROSTER,
    TABLES,
    Columns,
    copy_chunks,
    create_layout,
    pool_names,
    pool_of,
    seals,
    whole_chunks,
    write_block,
)
from windrow.record.recording import Recording

if TYPE_CHECKING:
    from windrow.state.frame import Frame

BYTES_PER_GRAIN = 60
"""Most that a frame takes on disk, uncompressed."""
SPARE_BYTES = 1 << 22
"""Room on the disk beyond the frame itself that is left for the rest of the file."""


class Recorder:
    """Appends frames to a recording; a context manager.

    The file takes its name together with its first frame. A recording that is already there under this name
    is replaced then, and its checkpoint removed; any other file is refused at once, and so is one that another
    recorder is writing. With `append`, the frames of the existing recording are kept and new ones follow, also when
    its writer was killed; scene and frame rate are then those of the file. `mark` is that of the checkpoint which the
    run continues from: later frames are left out, and a recording that the checkpoint does not belong to, or that
    ends before it, is refused.

    A frame whose step is already in the file is not written again, so that a resumed run may start by
    repeating the frame it was stopped at.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        scene_json: str = "",
        frame_rate: float | None = None,
        *,
        append: bool = False,
        mark: Mark | None = None,
        threads: int = 2,
    ) -> None:
        self.path = Path(path)
        self.id = uuid.uuid4().hex
        """Which recording it is; in the file, and in its checkpoints."""
        self._scene = scene_json
        self._frame_rate = frame_rate
        self._file: h5py.File | None = None
        self._failed = False
        self._frames = 0
        self._last_step: int | None = None
        self._ends = {"grains": 0, "roster": 0, "notes": 0}
        self._columns: Columns = {}
        """of the solver"""
        self._roster: dict[str, np.ndarray] | None = None
        self._roster_start = 0
        self._ground_end, self._ground_version = 0, 0
        """rows of ground written so far, and the last change they show"""
        check_replaceable(self.path, RECORDING)
        self._claim: Claim | None = Claim(self.path)
        self._workers = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="windrow-record")
        if append:
            try:
                self._continue(mark)
            except BaseException:
                self.close()
                raise

    @property
    def frames(self) -> int:
        """Number of frames in the file."""
        return self._frames

    def write(self, frame: Frame, snapshot: Mapping[str, Value] | None = None) -> bool:
        """Adds a frame with its notes (ledger, timings); False if its step is already recorded.

        With the snapshot of the same moment, the checkpoint is there before the file has its name: a run that is
        killed with its first frame can be continued.
        """
        if self._failed:
            raise FileFormatError(
                f"{self.path}: an earlier frame could not be written; nothing is added to it"
            )
        if self._last_step is not None and frame.step <= self._last_step:
            if frame.step == self._last_step:
                return False
            raise ValueError(f"{self.path}: step {frame.step} after step {self._last_step}")
        needed = SPARE_BYTES + BYTES_PER_GRAIN * len(frame.id)
        needed += sum(rows.nbytes for rows in frame.columns.values())
        if frame.ground is not None:
            needed += frame.ground.height.nbytes + frame.ground.soil.nbytes
        if shutil.disk_usage(self.path.parent).free < needed:
            # Asked beforehand, because HDF5 cannot close a file whose last bytes found no room.
            raise self._unwritten("the disk is full")
        try:
            if self._file is None:
                self._begin(frame, snapshot)
            else:
                self._add(self._file, frame)
                if snapshot is not None:
                    self.checkpoint(snapshot)
        except (OSError, RuntimeError) as error:
            self._failed = True
            raise self._unwritten(str(error)) from error
        return True

    def checkpoint(self, snapshot: Mapping[str, Value]) -> None:
        """Saves what the run can be continued from, once the frames before it are safe on the disk."""
        if self._file is None:
            raise ValueError(f"{self.path}: a checkpoint comes after the first frame")
        try:
            self._file.flush()
            sync_file(self.path)
        except (OSError, RuntimeError) as error:
            raise self._unwritten(str(error)) from error
        self._save(snapshot)

    def close(self) -> None:
        """Marks the recording as finished and closes it; a recorder that never wrote leaves no file."""
        self._workers.shutdown()
        file, self._file = self._file, None
        claim, self._claim = self._claim, None
        try:
            if file is not None and self._failed:
                with contextlib.suppress(OSError, RuntimeError):
                    file.close()
            elif file is not None:
                file["finished"][0] = 1
                file.close()
                sync_file(self.path)
        finally:
            if claim is not None:
                claim.release()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin(self, frame: Frame, snapshot: Mapping[str, Value] | None) -> None:
        """Builds the file with its first frame beside the target, then gives it its name."""
        header = {
            "id": self.id,
            "frame_rate": self._frame_rate,
            "body_names": list(frame.body_names),
            "material_names": list(frame.material_names),
            "joint_names": list(frame.joint_names),
            "control_names": list(frame.control_names),
            "columns": frame.column_notes,
        }
        self._columns = {name: (rows.dtype.newbyteorder("<"), rows.shape[1:]) for name, rows in frame.columns.items()}
        partial = partial_path(self.path)
        file = None
        try:
            counts = {"bodies": frame.body_names, "joints": frame.joint_names, "controls": frame.control_names}
            sizes = {name: len(things) for name, things in counts.items()}
            file = create_layout(partial, self._scene, json.dumps(header), sizes, self._columns)
            if frame.ground is not None:
                create_ground(file)
            file.swmr_mode = True
            self._add(file, frame)
            self._file = self._publish(file, partial, snapshot)
        except BaseException:
            self._failed = True
            if file is not None:
                with contextlib.suppress(OSError, RuntimeError):
                    file.close()
            partial.unlink(missing_ok=True)
            raise
        stale = checkpoint_path(self.path)
        if snapshot is None and stale.exists() and mark_of(stale) == SNAPSHOT:
            stale.unlink()

    def _save(self, snapshot: Mapping[str, Value]) -> None:
        assert self._last_step is not None
        save_snapshot(checkpoint_path(self.path), marked(snapshot, Mark(self.id, self._last_step)))

    def _continue(self, mark: Mark | None) -> None:
        """Copies the frames up to the mark into a new file that replaces the old one.

        The old file cannot simply be opened for writing: HDF5 refuses that after a kill, and a second kill
        in the moment between opening and the start of the readable mode would leave it closed to readers as
        well.
        """
        with Recording(self.path) as old:
            self._scene, self._frame_rate = old.scene_json, old.frame_rate
            self.id = old.id or self.id
            kept = len(old) if mark is None else frames_up_to(old, mark)
            partial = partial_path(self.path)
            source = old.file
            rows = old.rows[:kept]
            counts = {name: source[name].shape[1] if name in source else 0 for name in TABLES}
            self._columns = old.column_kinds
            header = source["header"][()].tobytes().decode()
            file = create_layout(partial, old.scene_json, header, counts, self._columns)
            try:
                last = rows[-1]
                count = int(last["grains_count"])
                self._ends = {
                    "grains": int(last["grains_start"]) + whole_chunks(count),
                    "roster": int(last["roster_start"]) + whole_chunks(count),
                    "notes": int(last["notes_start"] + last["notes_count"]),
                }
                for name in pool_names(self._columns):
                    copy_chunks(source[name], file[name], self._ends[pool_of(name)])
                lengths = {"notes": self._ends["notes"], **dict.fromkeys((*TABLES, "frames"), kept)}
                for name, length in lengths.items():
                    if name in file:
                        file[name].resize(length, axis=0)
                        file[name][...] = rows if name == "frames" else source[name][:length]
                if "ground" in source:
                    create_ground(file)
                    self._ground_end = copy_ground(source, file, kept)
                self._roster_start = int(last["roster_start"])
                block = slice(self._roster_start, self._roster_start + count)
                self._roster = {name: source[f"roster/{name}"][block] for name in ROSTER}
                self._frames, self._last_step = kept, int(last["step"])
                file.flush()
                file.swmr_mode = True
            except BaseException as error:
                file.close()
                partial.unlink(missing_ok=True)
                if isinstance(error, DAMAGE):
                    raise old.damaged(error) from error
                raise
        self._file = self._publish(file, partial)

    def _publish(
        self, file: h5py.File, partial: Path, snapshot: Mapping[str, Value] | None = None
    ) -> h5py.File:
        """Gives the file its name while it is open, so that at no moment a kill leaves it unreadable."""
        file.flush()
        sync_file(partial)
        if snapshot is not None:
            self._save(snapshot)
        try:
            os.replace(partial, self.path)
        except PermissionError:
            # Windows renames no open file.
            file.close()
            os.replace(partial, self.path)
            file = h5py.File(self.path, "r+", libver=("v110", "v110"), locking="best-effort")
            file.swmr_mode = True
        sync_folder(self.path)
        return file

    def _unwritten(self, why: str) -> FileFormatError:
        return FileFormatError(
            f"{self.path}: frame {self._frames} could not be written ({why}); the frames before it are kept: "
            "free some disk space, then continue with `windrow resume`"
        )

    def _add(self, file: h5py.File, frame: Frame) -> None:
        """Pools first, each flushed; the frame row that makes them count comes last."""
        count = len(frame.id)
        grains = {f"grains/{name}": np.asarray(getattr(frame, name)) for name in GRAINS}
        grains |= {f"{COLUMNS}/{name}": rows for name, rows in self._columns_of(frame).items()}
        roster = {name: np.asarray(getattr(frame, name)) for name in ROSTER}
        blocks = [("grains", grains)]
        roster_rows = {f"roster/{name}": rows for name, rows in roster.items()}
        if self._roster is None or any(not np.array_equal(roster[k], self._roster[k]) for k in ROSTER):
            blocks.append(("roster", roster_rows))
        pending = [
            write_block(file[name], self._ends[group], column, self._workers)
            for group, columns in blocks
            for name, column in columns.items()
        ]
        for finish in pending:
            finish()
        if len(blocks) > 1:
            self._roster = {name: column.copy() for name, column in roster.items()}
            self._roster_start = self._ends["roster"]
        text = np.frombuffer(json.dumps(frame.notes, default=_plain).encode(), np.uint8)
        _extend(file["notes"], self._ends["notes"], text)
        for name in TABLES:
            if name in file:
                _extend(file[name], self._frames, _table_row(name, frame, file[name].shape[1])[None])
        if frame.ground is not None:
            new = frame.ground.since(self._ground_version)
            self._ground_end = add_ground(file, self._frames, new, self._ground_end)
            self._ground_version = int(new.version.max(initial=self._ground_version))
        row = np.zeros(1, FRAME_ROW)
        row[0] = (
            frame.time,
            frame.step,
            self._ends["grains"],
            count,
            self._roster_start,
            self._ends["notes"],
            len(text),
            0,
        )
        row["seal"] = seals(row, self._frames)
        _extend(file["frames"], self._frames, row)
        for group, _ in blocks:
            self._ends[group] += whole_chunks(count)
        self._ends["notes"] += len(text)
        self._frames += 1
        self._last_step = int(frame.step)

    def _columns_of(self, frame: Frame) -> dict[str, np.ndarray]:
        """The columns of the recording; a frame without one of them, or with others, is of another solver."""
        kinds = {name: (rows.dtype.newbyteorder("<"), rows.shape[1:]) for name, rows in frame.columns.items()}
        if kinds != self._columns:
            raise ValueError(f"frame with the columns {sorted(kinds)} in a recording of {sorted(self._columns)}")
        return frame.columns


def frames_up_to(recording: Recording, mark: Mark) -> int:
    """How many frames a checkpoint with this mark goes on from; FileFormatError if it cannot."""
    beside = checkpoint_path(recording.path)
    instead = f"continue into a new recording with `windrow resume {beside} --out FILE`"
    if recording.id != mark.recording:
        raise FileFormatError(
            f"{recording.path}: its checkpoint {beside} belongs to another recording; {instead}, or bring back "
            "the one that belongs to it"
        )
    kept = int(np.searchsorted(recording.steps, mark.step, side="right"))
    if kept == 0 or recording.steps[kept - 1] != mark.step:
        raise FileFormatError(
            f"{recording.path}: ends at step {recording.steps[-1]} ({recording.times[-1]:.4g} s), but its checkpoint "
            f"goes on after the frame of step {mark.step}: frames between them are lost; {instead}"
        )
    return kept


def _extend(dataset: Any, start: int, rows: np.ndarray) -> None:
    """Appends rows at `start` and makes them visible to readers."""
    if len(rows):
        dataset.resize(start + len(rows), axis=0)
        dataset[start:] = rows
    dataset.flush()


def _table_row(name: str, frame: Frame, count: int) -> np.ndarray:
    """What a frame adds to one of `TABLES`."""
    if name == "bodies":
        things = {field: getattr(frame, f"body_{field}") for field in BODY_ROW.names or ()}
    elif name == "joints":
        things = {field: getattr(frame, f"joint_{field}") for field in JOINT_ROW.names or ()}
    else:
        things = {"": frame.controls}
    row = np.zeros(count, TABLES[name])
    for field, values in things.items():
        if len(values) != count:
            raise ValueError(f"frame with {len(values)} {name} in a recording of {count}")
        (row[field] if field else row)[...] = values
    return row


def _plain(value: Any) -> Any:
    """NumPy numbers and arrays as JSON knows them."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"the notes of a frame hold numbers, texts and lists, not {type(value).__name__}")
