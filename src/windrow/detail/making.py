"""A file of fine grains from a recording, frame by frame; continued where a kill has left it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

import numpy as np

from windrow.detail.detail import STEP, Detail
from windrow.detail.file import AT_ONCE, is_detail_file, write_frame, write_header
from windrow.detail.looks import Looks
from windrow.detail.packing import MOST_MATERIALS, room_for
from windrow.detail.planning import DetailPlan, plan_of, refuse_what_does_not_fit
from windrow.detail.regions import Region
from windrow.detail.saved import head_of, load, save, saved_path
from windrow.errors import FileFormatError, SceneError
from windrow.files import sync_file
from windrow.record.claim import Claim
from windrow.record.recording import Recording
from windrow.state.frame import Frame

CHECKPOINT_EVERY = 60.0
"""s of wall time between checkpoints: what a kill can cost"""


@dataclass(frozen=True)
class Order:
    """What is asked for."""

    grains: int
    region: Region = field(default_factory=Region)
    step: float = STEP
    """s, at most, of a step of the fine grains"""
    looks: Looks = field(default_factory=Looks)
    seed: int = 0
    every: int = 1
    """every which frame of the recording is written; grains follow all of them"""

    def __post_init__(self) -> None:
        if not 0.0 < self.step <= 1.0:
            raise SceneError(
                f"step: {self.step:g} s given; use more than 0 and at most 1 s, 0.01 s as a rule"
            )
        if self.every < 1:
            raise SceneError(f"every: {self.every} given; use 1 for all frames, 2 for every second one")


@dataclass(frozen=True)
class Made:
    """What came of it."""

    path: Path
    frames: int
    continued: int
    """frames that were there already"""
    grains: int
    """in the last frame"""
    lost: int
    """grains that found no room between bodies, in all"""


def write_detail(
    recording: Recording,
    out: str | os.PathLike[str],
    order: Order,
    *,
    progress: Callable[[int], None] | None = None,
    between: Callable[[], None] | None = None,
    checkpoint_every: float = CHECKPOINT_EVERY,
    force: bool = False,
) -> Made:
    """Writes fine grains for all frames of a recording.

    progress: called with the number of frames that are done. between: called after each frame; may raise to stop, and
    then a checkpoint is written first. force: begin anew where there is a file already.
    """
    path = Path(out)
    if len(recording.material_names) >= MOST_MATERIALS:
        raise SceneError(
            f"{recording.path}: {len(recording.material_names)} materials; at most {MOST_MATERIALS - 1}"
        )
    plan = plan_of(recording, order.grains, order.region)
    header = _header(recording, order, plan)
    key = hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()
    claim = Claim(path)
    try:
        head = None if force else _to_continue(path, key)
        refuse_what_does_not_fit(plan, path, path.stat().st_size if head is not None else 0)
        return _Work(recording, path, order, plan, key, head, header).run(progress, between, checkpoint_every)
    finally:
        claim.release()


def _header(recording: Recording, order: Order, plan: DetailPlan) -> dict[str, Any]:
    rate = recording.frame_rate
    return {
        "recording": recording.id,
        "frames": -(-len(recording) // order.every),
        "frame_rate": None if rate is None else rate / order.every,
        "grains": order.grains,
        "each": plan.each,
        "region": order.region.told(),
        "step": order.step,
        "seed": order.seed,
        "every": order.every,
        "looks": order.looks.told(),
        "scene": recording.scene_json,
    }


def _to_continue(path: Path, key: str) -> dict[str, Any] | None:
    """The head of the checkpoint to go on from; None: begin. Refuses what belongs to other work."""
    if not path.exists():
        return None
    if not is_detail_file(path):
        raise FileFormatError(
            f"{path}: exists and holds no fine grains, so it is left alone; choose another name"
        )
    head = head_of(path)
    if head is None:
        raise FileFormatError(f"{path}: exists already; choose another name, or replace it with --force")
    if head["key"] != key:
        raise FileFormatError(
            f"{path}: its checkpoint {saved_path(path)} is of another recording or other settings; give the same ones "
            "to continue, or begin anew with --force"
        )
    return head


class _Work:
    """One file in the making."""

    def __init__(
        self,
        recording: Recording,
        path: Path,
        order: Order,
        plan: DetailPlan,
        key: str,
        head: dict[str, Any] | None,
        header: dict[str, Any],
    ) -> None:
        self.recording, self.path, self.order, self.key = recording, path, order, key
        self.begun = 0 if head is None else int(head["frames"])
        first = 0 if head is None else (self.begun - 1) * order.every
        self.detail = Detail(
            recording.scene, recording[first], plan.each, region=order.region, step=order.step, looks=order.looks,
            seed=order.seed, capacity=int(1.02 * plan.grains), empty=head is not None,
        )  # fmt: skip
        if head is None:
            saved_path(path).unlink(missing_ok=True)
            self.file: BinaryIO = open(path, "wb")  # noqa: SIM115
            write_header(self.file, header)
        else:
            load(path, self.detail, head)
            self.file = open(path, "r+b")  # noqa: SIM115
            self.file.truncate(int(head["end"]))
            self.file.seek(int(head["end"]))
        self._room = room_for(AT_ONCE)

    def run(
        self,
        progress: Callable[[int], None] | None,
        between: Callable[[], None] | None,
        checkpoint_every: float,
    ) -> Made:
        detail, every = self.detail, self.order.every
        total = -(-len(self.recording) // every)
        done, saved_at = self.begun, monotonic()
        with self.file:
            if done == 0:
                self._write(done, self.recording[0])
                done = 1
                self._told(progress, done)
            while done < total:
                for k in range((done - 1) * every + 1, done * every + 1):
                    detail.follow(self.recording[k])
                self._write(done, detail.frame)
                done += 1
                self._told(progress, done)
                if done < total and monotonic() - saved_at >= checkpoint_every:
                    self._save(done)
                    saved_at = monotonic()
                if between is not None:
                    try:
                        between()
                    except BaseException:
                        self._save(done)
                        raise
            self.file.flush()
        sync_file(self.path)
        saved_path(self.path).unlink(missing_ok=True)
        return Made(self.path, total, self.begun, len(detail), detail.lost)

    def _told(self, progress: Callable[[int], None] | None, done: int) -> None:
        if progress is not None:
            progress(done)

    def _write(self, number: int, frame: Frame) -> None:
        try:
            write_frame(
                self.file,
                number,
                rest_of(frame, self.detail),
                self.detail.grains,
                self.detail.count,
                self._room,
            )
        except OSError as error:
            raise FileFormatError(
                f"{self.path}: frame {number} could not be written ({error.strerror}); free some disk space and give "
                "the same command again"
            ) from error

    def _save(self, done: int) -> None:
        self.file.flush()
        sync_file(self.path)
        save(self.path, self.detail, self.key, done, self.file.tell())


def rest_of(frame: Frame, detail: Detail) -> Frame:
    """The frame without the grains that fine ones stand for."""
    kept = ~np.isin(frame.id, detail.members)
    columns = ("id", "position", "velocity", "radius", "mass", "material", "force")
    values: dict[str, Any] = {name: np.asarray(getattr(frame, name))[kept] for name in columns}
    return Frame(
        time=frame.time, step=frame.step, **values, body_names=frame.body_names, body_position=frame.body_position,
        body_rotation=frame.body_rotation, body_force=frame.body_force, body_torque=frame.body_torque,
        material_names=frame.material_names, ground=frame.ground, notes=frame.notes,
    )  # fmt: skip
