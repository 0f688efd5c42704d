"""What a file of fine grains is continued from after a kill: all of the grains, to the bit, beside it."""

from __future__ import annotations

import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from windrow.detail.detail import Detail
from windrow.errors import FileFormatError
from windrow.files import replacing, sync_file

MARK = b"windrow-detailed"
AT_ONCE = 1 << 22
"""Grains of a column that are written and read at once"""


def saved_path(path: Path) -> Path:
    """Where the checkpoint of a file lies."""
    return path.with_name(f"{path.name}.checkpoint")


def save(path: Path, detail: Detail, key: str, frames: int, end: int) -> None:
    """Writes a checkpoint; key: which work it belongs to; frames: that are in the file; end: its length with them."""
    head: dict[str, Any] = {
        "key": key, "frames": frames, "end": end, "count": detail.count, "steps": detail.steps, "lost": detail.lost,
        "left": detail.left,
    }  # fmt: skip
    with replacing(saved_path(path)) as partial:
        with open(partial, "wb") as file:
            seal = 0
            columns = [column[: detail.count] for column in detail.grains]
            for column in columns:
                for first in range(0, detail.count, AT_ONCE):
                    seal = zlib.crc32(column[first : first + AT_ONCE].tobytes(), seal)
            head["seal"] = seal
            text = json.dumps(head).encode()
            file.write(MARK + struct.pack("<Q", len(text)) + text)
            for column in columns:
                column.tofile(file)
        sync_file(partial)


def head_of(path: Path) -> dict[str, Any] | None:
    """What a checkpoint says of itself; None: there is none."""
    beside = saved_path(path)
    if not beside.is_file():
        return None
    with open(beside, "rb") as file:
        if file.read(len(MARK)) != MARK:
            raise _bad(beside, "is no checkpoint of fine grains")
        (length,) = struct.unpack("<Q", file.read(8))
        try:
            head = json.loads(file.read(min(length, 1 << 20)))
        except ValueError as error:
            raise _bad(beside, "is damaged") from error
    return dict(head)


def load(path: Path, detail: Detail, head: dict[str, Any]) -> None:
    """Puts the grains of a checkpoint into a detail that has none yet."""
    beside, count = saved_path(path), int(head["count"])
    detail._grow(count)
    seal = 0
    with open(beside, "rb") as file:
        file.seek(len(MARK))
        (text,) = struct.unpack("<Q", file.read(8))
        file.seek(text, os.SEEK_CUR)
        for column in detail.grains:
            for first in range(0, count, AT_ONCE):
                some = column[first : min(first + AT_ONCE, count)]
                found = np.fromfile(file, column.dtype, len(some))
                if len(found) != len(some):
                    raise _bad(beside, "is cut off")
                some[:] = found
                seal = zlib.crc32(some.tobytes(), seal)
    if seal != head["seal"]:
        raise _bad(beside, "is damaged")
    detail.count, detail.steps = count, int(head["steps"])
    detail.lost, detail.left = int(head["lost"]), int(head["left"])


def _bad(beside: Path, what: str) -> FileFormatError:
    return FileFormatError(f"{beside}: {what}; delete it and begin anew")
