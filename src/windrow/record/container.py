"""What Windrow's files share: how they are told apart, and failures that say what to do about them.

A snapshot begins with a head that says so, which is read without HDF5. A recording is an HDF5 file with the root
attributes `format` ("windrow-recording") and `version`. They have a fixed length: texts without one lie in a heap of
the file without checksum, and a zero in it makes HDF5 search for ever.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from windrow.errors import FileFormatError
from windrow.files import refuse_other_than_files

RECORDING = "windrow-recording"
SNAPSHOT = "windrow-snapshot"
KIND = {RECORDING: "recording", SNAPSHOT: "snapshot"}
USE = {RECORDING: "`windrow view`, `plot` or `render`", SNAPSHOT: "`windrow resume`"}
HEAD = 512
"""Bytes of a snapshot's head, the least that HDF5 leaves free before a file of its own."""
PARTS = {"header", "scene", "frames", "notes", "finished", "grains", "roster"}
"""By which recordings are known that keep their mark in the heap, as older ones do."""

READ_ATTEMPTS = 25
"""How often a block with a wrong checksum is read again beside a writer; the pauses add up to 2^25 ns."""
# What h5py raises for damaged content, depending on which structure the damage hit.
DAMAGE = (
    OSError,
    RuntimeError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    MemoryError,
    OverflowError,
)


def check_file(path: Path, mark: str) -> None:
    """Raises FileFormatError unless there is a file to be read."""
    if not path.exists():
        raise FileFormatError(f"{path}: no such file; check the name, or make one with `windrow run --out`")
    if path.is_dir():
        raise FileFormatError(f"{path}: is a folder; name a Windrow {KIND[mark]} inside it")
    refuse_other_than_files(path)


def open_recording(path: Path, version: int, *, swmr: bool = False) -> h5py.File:
    """The file, open for reading, after its mark and version were checked; raises FileFormatError."""
    check_file(path, RECORDING)
    if _is_snapshot(path):
        raise foreign(path, RECORDING)
    file = _open(path, swmr)
    try:
        found, number = _mark(file)
        if found != RECORDING:
            raise foreign(path, RECORDING)
        if number > version:
            raise is_newer(path, number, version)
    except BaseException:
        file.close()
        raise
    return file


def check_replaceable(path: Path, mark: str) -> None:
    """Raises FileFormatError unless `path` is free, or holds an older file of the same kind."""
    if not path.parent.is_dir():
        raise FileFormatError(f"{path}: the folder {path.parent} does not exist; create it or choose another")
    if not os.access(path.parent, os.W_OK):
        raise FileFormatError(f"{path}: no permission to write into {path.parent}; choose another folder")
    if path.is_dir():
        raise FileFormatError(f"{path}: is a folder; name a file inside it")
    if path.exists() and mark_of(path) != mark:
        raise FileFormatError(
            f"{path}: exists and is not a Windrow {KIND[mark]}, so it is left alone; "
            "choose another name, or delete it first"
        )


def mark_of(path: Path) -> str | None:
    """What a file is, RECORDING or SNAPSHOT; None for one that is missing, unreadable or foreign."""
    if not path.is_file():  # a pipe would be waited for
        return None
    try:
        if _is_snapshot(path):
            return SNAPSHOT
        with _open(path, swmr=True) as file:
            return _mark(file)[0]
    except (OSError, FileFormatError):
        return None


def head_of(path: Path) -> bytes:
    """The first bytes of a file."""
    try:
        with open(path, "rb") as file:
            return file.read(HEAD)
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read ({error.strerror}); check its permissions") from error


def text_of(dataset: Any) -> str:
    """The UTF-8 text of a byte dataset."""
    return np.asarray(dataset[()], dtype=np.uint8).tobytes().decode("utf-8", "surrogatepass")


def bytes_of(text: str) -> np.ndarray:
    """The text as bytes: HDF5 strings would lose embedded zeros, and cannot grow while being read."""
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def foreign(path: Path, mark: str) -> FileFormatError:
    """What to say about a file that is not what its reader takes."""
    found = mark_of(path)
    if found is not None and found != mark:
        return FileFormatError(
            f"{path}: is a Windrow {KIND[found]}, not a {KIND[mark]}; it is meant for {USE[found]}"
        )
    if not h5py.is_hdf5(path):
        return FileFormatError(
            f"{path}: is no Windrow {KIND[mark]}, or its beginning is damaged; check the name, or make it again"
        )
    older = ", or one of an older Windrow, which this one cannot read" if mark == SNAPSHOT else ""
    return FileFormatError(f"{path}: an HDF5 file, but not a Windrow {KIND[mark]}{older}; check the name")


def is_newer(path: Path, number: int, known: int) -> FileFormatError:
    return FileFormatError(
        f"{path}: format {number} of a newer Windrow, this one reads up to {known}; "
        "upgrade with `pip install --upgrade windrow`"
    )


def _is_snapshot(path: Path) -> bool:
    return path.is_file() and head_of(path).startswith(SNAPSHOT.encode())


def _open(path: Path, swmr: bool) -> h5py.File:
    """Opens for reading; with `swmr` also a file that is being written, or whose writer was killed."""
    try:
        return h5py.File(path, "r", locking="best-effort")
    except DAMAGE as error:
        failure: Exception = error
    if swmr:
        try:
            return _open_beside_writer(path)
        except DAMAGE as error:
            failure = error
    raise FileFormatError(
        f"{path}: cannot be read as HDF5 ({_first_line(failure)}); "
        "it is foreign or was cut short: check the name, or make it again"
    ) from failure


def _open_beside_writer(path: Path) -> h5py.File:
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_file_locking(True, True)
    _limit_read_attempts(access)
    flags = h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ
    return h5py.File(h5py.h5f.open(os.fsencode(path), flags, fapl=access))


def _limit_read_attempts(access: Any) -> None:
    """Makes HDF5 give up on a damaged block within some 30 ms.

    Beside a writer, HDF5 reads a block with a wrong checksum again, as the writer may be in the middle of
    it. It does so 100 times and doubles the pause from one nanosecond on, which on a damaged file never
    ends. h5py has no call for the limit, but the HDF5 library it is linked to has. Where the linker does
    not find it through h5py (Windows), only a file both killed and damaged is affected.
    """
    try:
        limit = ctypes.CDLL(h5py.h5p.__file__).H5Pset_metadata_read_attempts
    except (OSError, AttributeError):
        return
    limit.argtypes = [ctypes.c_int64, ctypes.c_uint]
    limit(access.id, READ_ATTEMPTS)


def _mark(file: h5py.File) -> tuple[str | None, int]:
    """Mark and version of an HDF5 file; nothing in the heap is touched."""
    try:
        kind = h5py.h5a.open(file.id, b"format").get_type()
        if not isinstance(kind, h5py.h5t.TypeStringID):
            return None, 0
        if kind.is_variable_str():
            return (RECORDING if set(file) >= PARTS else None), int(file.attrs["version"])
        return file.attrs["format"].decode(), int(file.attrs["version"])
    except DAMAGE:
        return None, 0


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
