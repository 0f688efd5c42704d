"""Fine grains of a run in a file, frame after frame.

    mark        16 bytes
    header      its length, 8 bytes; JSON: the scene, what the grains look like, how they were made
    frame       64 bytes: `HEAD`; what is not fine (bodies, ground, other grains) as arrays of NumPy; boxes of blocks;
                places; ranks; materials; each begins at a multiple of 64 bytes
    …

Frames are only ever added at the end. A frame is there if all of it is: a kill costs the frame in the making, and the
next writer cuts it off. HDF5 cannot do that: it has to be closed before it can be continued. Nothing is compressed:
a frame of 20 million grains is 180 MB, which a disk takes faster than one core compresses.
"""

from __future__ import annotations

import io
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from windrow.detail.kernels import FineRows
from windrow.detail.packing import PACKED, Packed, pack, places
from windrow.errors import FileFormatError
from windrow.files import refuse_other_than_files
from windrow.state.frame import Frame
from windrow.terrain.patches import Patches

MARK = b"windrow-detail 1"
HEAD = struct.Struct("<4sIQQQdqQ8x")
"""mark, CRC-32 of what follows it here, bytes of the part that is not fine, rows, grains that are there, time (s),
step, number of the frame"""
FRAME_MARK = b"FINE"
ALIGNED = 64
AT_ONCE = PACKED * 4096
"""Grains packed at once: what a writer needs room for"""
BYTES = 9
"""A grain in a frame"""


class FineFrame(NamedTuple):
    """One frame of a file."""

    frame: Frame
    """bodies, ground, and the grains that are not fine"""
    packed: Packed
    there: int
    """grains"""


class Place(NamedTuple):
    """Where a frame lies."""

    at: int
    rest: int
    rows: int
    there: int
    time: float
    step: int


def aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def frame_size(rest: int, rows: int) -> int:
    """Bytes of a frame."""
    blocks = -(-rows // PACKED)
    parts = (HEAD.size, rest, 24 * blocks, 6 * rows, 2 * rows, rows)
    return sum(map(aligned, parts))


def is_detail_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as such a file does."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False


class DetailFile:
    """Fine grains of a run: `len(file)`, `file[k]`, iteration; closes as a context manager.

    Frames are read where they lie, and take no memory of their own.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise FileFormatError(
                f"{self.path}: no such file; check the name, or make one with `windrow detail`"
            )
        refuse_other_than_files(self.path)
        if not is_detail_file(self.path):
            raise FileFormatError(
                f"{self.path}: holds no fine grains; make such a file with `windrow detail`"
            )
        self._file = open(self.path, "rb")  # noqa: SIM115
        try:
            size = os.fstat(self._file.fileno()).st_size
            (length,) = struct.unpack("<Q", self._read(len(MARK), 8))
            if len(MARK) + 8 + length > size:
                raise FileFormatError(f"{self.path}: cut off in its header; make it again")
            text = self._read(len(MARK) + 8, length)
            try:
                self.header: dict[str, Any] = json.loads(text)
            except ValueError as error:
                raise FileFormatError(f"{self.path}: damaged header; make it again") from error
            self.begin = aligned(len(MARK) + 8 + length)
            self.frames: list[Place] = list(self._frames(size))
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        except BaseException:
            self._file.close()
            raise

    def _read(self, at: int, size: int) -> bytes:
        self._file.seek(at)
        return self._file.read(size)

    def _frames(self, size: int) -> Iterator[Place]:
        at = self.begin
        while at + HEAD.size <= size:
            head = self._read(at, HEAD.size)
            mark, seal, rest, rows, count, time, step, _ = HEAD.unpack(head)
            if mark != FRAME_MARK or seal != zlib.crc32(head[8:]) or at + frame_size(rest, rows) > size:
                return
            yield Place(at, rest, rows, count, time, step)
            at += frame_size(rest, rows)

    @property
    def end(self) -> int:
        """Where the next frame would begin."""
        return (
            self.frames[-1].at + frame_size(self.frames[-1].rest, self.frames[-1].rows)
            if self.frames
            else self.begin
        )

    @property
    def scene(self) -> Any:
        """The scene that was run."""
        from windrow.scene.scene import Scene

        return Scene.model_validate_json(self.header["scene"])

    @property
    def times(self) -> np.ndarray:
        """s"""
        return np.array([place.time for place in self.frames])

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, index: int) -> FineFrame:
        if not -len(self.frames) <= index < len(self.frames):
            raise IndexError(f"{self.path}: frame {index} of {len(self.frames)}")
        place = self.frames[index]
        at = place.at + aligned(HEAD.size)
        frame = _frame_from(self._map[at : at + place.rest], place)
        at += aligned(place.rest)
        blocks = -(-place.rows // PACKED)
        arrays = []
        shapes = (
            ((blocks, 6), "<f4"),
            ((place.rows, 3), "<u2"),
            ((place.rows,), "<u2"),
            ((place.rows,), "u1"),
        )
        for shape, kind in shapes:
            many = int(np.prod(shape))
            arrays.append(np.frombuffer(self._map, kind, many, at).reshape(shape))
            at += aligned(many * np.dtype(kind).itemsize)
        return FineFrame(frame, Packed(*arrays), place.there)

    def positions(self, index: int) -> np.ndarray:
        """(n, 3) m, of the grains of a frame; for few grains, it takes 40 bytes of memory each."""
        packed = self[index].packed
        return places(packed)[packed.kind != 255]

    def __iter__(self) -> Iterator[FineFrame]:
        return (self[k] for k in range(len(self)))

    def close(self) -> None:
        """Frames that were read must not be used afterwards."""
        self._file.close()

    def __enter__(self) -> DetailFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def write_header(file: BinaryIO, header: dict[str, Any]) -> None:
    text = json.dumps(header).encode()
    file.write(MARK + struct.pack("<Q", len(text)) + text)
    _fill(file)


def write_frame(file: BinaryIO, number: int, frame: Frame, grains: FineRows, count: int, room: Packed) -> None:
    """Adds a frame; the head is written last, so that half a frame is none. room: for AT_ONCE grains."""
    rest = _bytes_of(frame)
    begin = file.tell()
    at = begin + aligned(HEAD.size) + aligned(len(rest))
    file.seek(begin + aligned(HEAD.size))
    file.write(rest)
    starts = []
    for size in (24 * -(-count // PACKED), 6 * count, 2 * count, count):
        starts.append(at)
        at += aligned(size)
    there = 0
    for first in range(0, count, AT_ONCE):
        some = min(AT_ONCE, count - first)
        pack(grains, first, some, room)
        blocks = -(-some // PACKED)
        parts = (room.box[:blocks], room.place[:some], room.rank[:some], room.kind[:some])
        offsets = (24 * (first // PACKED), 6 * first, 2 * first, first)
        for start, offset, part in zip(starts, offsets, parts, strict=True):
            file.seek(start + offset)
            file.write(np.ascontiguousarray(part).tobytes())
        there += int((parts[3] != 255).sum())
    file.seek(at - 1)
    file.write(b"\0")
    file.flush()
    values = (len(rest), count, there, frame.time, frame.step, number)
    body = HEAD.pack(FRAME_MARK, 0, *values)[8:]
    file.seek(begin)
    file.write(HEAD.pack(FRAME_MARK, zlib.crc32(body), *values))
    file.seek(at)
    file.flush()


def _fill(file: BinaryIO) -> None:
    file.write(b"\0" * (aligned(file.tell()) - file.tell()))


ARRAYS = (
    "id", "position", "velocity", "radius", "mass", "material", "force", "body_position", "body_rotation",
    "body_force", "body_torque",
)  # fmt: skip


def _bytes_of(frame: Frame) -> bytes:
    """What a picture needs of a frame, without the fine grains."""
    arrays: dict[str, Any] = {name: np.asarray(getattr(frame, name)) for name in ARRAYS}
    told = {
        "body_names": frame.body_names,
        "material_names": frame.material_names,
        "notes": {"beds": frame.notes["beds"]} if "beds" in frame.notes else {},
    }
    arrays["told"] = np.frombuffer(json.dumps(told, default=np.ndarray.tolist).encode(), np.uint8)
    if frame.ground is not None:
        arrays |= {
            f"ground_{name}": getattr(frame.ground, name) for name in ("tile", "height", "soil", "version")
        }
    written = io.BytesIO()
    np.savez(written, **arrays)
    return written.getvalue()


def _frame_from(data: bytes, place: Place) -> Frame:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        told = json.loads(arrays["told"].tobytes())
        ground = None
        if "ground_tile" in arrays:
            ground = Patches(*(arrays[f"ground_{name}"] for name in ("tile", "height", "soil", "version")))
        return Frame(
            time=place.time,
            step=place.step,
            **{name: arrays[name] for name in ARRAYS},
            body_names=told["body_names"],
            material_names=told["material_names"],
            ground=ground,
            notes=told["notes"],
        )
