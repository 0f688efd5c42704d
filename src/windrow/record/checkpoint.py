"""Snapshots: everything a simulation needs to continue, exact to the bit, checked by a SHA-256 over the file.

A snapshot is a flat dictionary. Arrays are stored as HDF5 datasets of their own type; Python numbers and
texts keep their Python type through the attribute `kind`, and integers are stored as digits so that none is
too large. Before the HDF5 file, in what HDF5 calls its user block, lies a head with the version and the SHA-256 of all
that follows. It is compared before HDF5 sees a byte, because HDF5 may search for ever in a damaged file. Writing goes
to a temporary file that takes the name in one step: a kill leaves the old snapshot or the new one.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import h5py
import numpy as np

from windrow.errors import FileFormatError
from windrow.files import replacing, sync_folder
from windrow.record.container import (
    DAMAGE,
    HEAD,
    SNAPSHOT,
    bytes_of,
    check_file,
    check_replaceable,
    foreign,
    head_of,
    is_newer,
    text_of,
)

Value = np.ndarray | np.generic | float | int | bool | str
VERSION = 2
"""Version 1 had no head; its files are refused."""
COMPRESS_FROM = 1 << 16
"""Bytes from which an array is compressed: buffers with spare capacity shrink a lot, small ones do not."""
REMEDY = "continue from another one, or start the run again"


class Mark(NamedTuple):
    """What joins a checkpoint to its recording."""

    recording: str
    """Id of the recording."""
    step: int
    """Step of the last frame that it then had."""


def checkpoint_path(recording: str | os.PathLike[str]) -> Path:
    """The snapshot that belongs to a recording: `run.h5` continues from `run.h5.checkpoint`."""
    path = Path(recording)
    return path.with_name(path.name + ".checkpoint")


def marked(snapshot: Mapping[str, Value], mark: Mark) -> dict[str, Value]:
    """The snapshot as checkpoint of a recording."""
    return {**snapshot, "recording.id": mark.recording, "recording.step": mark.step}


def mark_in(snapshot: Mapping[str, Value]) -> Mark | None:
    """The mark that `marked` left; None: it is no checkpoint."""
    recording, step = snapshot.get("recording.id"), snapshot.get("recording.step")
    return Mark(recording, step) if isinstance(recording, str) and isinstance(step, int) else None


def save_snapshot(path: str | os.PathLike[str], snapshot: Mapping[str, Value]) -> None:
    """Writes `snapshot` so that `load_snapshot` gives back the same names, types, shapes and bits."""
    target = Path(path)
    check_replaceable(target, SNAPSHOT)
    image = io.BytesIO()
    with h5py.File(image, "w", libver=("v110", "v110"), userblock_size=HEAD) as file:
        values = file.create_group("values")
        for name, value in snapshot.items():
            _store(values, name, value)
    whole = image.getbuffer()
    head = f"{SNAPSHOT} {VERSION}\nsha256 {hashlib.sha256(whole[HEAD:]).hexdigest()}\n"
    whole[:HEAD] = head.encode().ljust(HEAD, b"\0")
    _write_whole(target, whole)


def load_snapshot(path: str | os.PathLike[str]) -> dict[str, Value]:
    """The dictionary that `save_snapshot` wrote; FileFormatError when a single bit of the file differs."""
    source = Path(path)
    check_file(source, SNAPSHOT)
    head = re.fullmatch(rb"%s (\d{1,9})\nsha256 ([0-9a-f]{64})\n\0*" % SNAPSHOT.encode(), head_of(source))
    if head is None or int(head[1]) < VERSION:
        raise foreign(source, SNAPSHOT)
    if int(head[1]) > VERSION:
        raise is_newer(source, int(head[1]), VERSION)
    with open(source, "rb") as file:
        file.seek(HEAD)
        if hashlib.file_digest(file, "sha256").hexdigest().encode() != head[2]:
            raise FileFormatError(
                f"{source}: damaged snapshot, its content does not match its SHA-256; {REMEDY}"
            )
        try:
            # the same open file, so that what was hashed is what is read
            with h5py.File(file, "r") as content:
                stored: list[tuple[str, h5py.Dataset]] = []
                content["values"].visititems(
                    lambda name, item: stored.append((name, item)) if isinstance(item, h5py.Dataset) else None
                )
                return {name: _restored(item) for name, item in stored}
        except DAMAGE as error:
            raise FileFormatError(f"{source}: damaged snapshot ({error}); {REMEDY}") from error


def _write_whole(target: Path, content: memoryview) -> None:
    """Writes the file or leaves what was there; HDF5 itself does not survive a full disk, hence the
    detour."""
    try:
        with replacing(target) as partial, open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(target)
    except OSError as error:
        raise FileFormatError(
            f"{target}: the snapshot could not be written ({error.strerror}); is the disk full?"
        ) from error


def _kind(name: str, value: Value) -> str:
    """How a value comes back: a Python type, a NumPy scalar or an array."""
    for kind, types in (
        ("bool", bool),
        ("generic", np.generic),
        ("int", int),
        ("float", float),
        ("str", str),
        ("array", np.ndarray),
    ):
        if isinstance(value, types):
            return kind
    raise TypeError(f"snapshot value {name!r} is a {type(value).__name__}; allowed: arrays, numbers, texts")


def _plain(kind: str, value: Value) -> np.ndarray:
    """The value as an array that HDF5 can hold."""
    if kind in ("int", "str"):
        return bytes_of(str(value))
    return np.asarray(value)


def _store(values: h5py.Group, name: str, value: Value) -> None:
    kind = _kind(name, value)
    array = _plain(kind, value)
    original = array.dtype
    if original.kind == "U":
        array = np.ascontiguousarray(array).reshape(*array.shape, 1).view(np.uint32)
    large = array.nbytes >= COMPRESS_FROM
    packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if large else {}
    try:
        dataset = values.create_dataset(name, data=array, **packed)
    except (TypeError, ValueError) as error:
        raise TypeError(f"snapshot value {name!r} ({original}) cannot be stored: {error}") from error
    if dataset.dtype != array.dtype:
        raise TypeError(f"snapshot value {name!r} ({original}) would come back as {dataset.dtype}")
    dataset.attrs["kind"] = kind
    if original.kind == "U":
        dataset.attrs["text"] = original.str


def _restored(dataset: h5py.Dataset) -> Value:
    kind = str(dataset.attrs["kind"])
    if kind in ("int", "str"):
        text = text_of(dataset)
        return int(text) if kind == "int" else text
    array = np.asarray(dataset[()], dtype=dataset.dtype)
    if "text" in dataset.attrs:
        array = array.view(np.dtype(str(dataset.attrs["text"]))).reshape(array.shape[:-1])
    if kind == "array":
        return array
    scalar = array[()]
    if kind == "generic":
        return scalar
    return bool(scalar) if kind == "bool" else float(scalar)
