"""What every Windrow HDF5 file shares: a mark with a version, and failures that say what to do about them.

The mark is the root attribute `format` ("windrow-recording", "windrow-snapshot") beside an integer `version`.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from windrow.errors import FileFormatError

RECORDING = "windrow-recording"
SNAPSHOT = "windrow-snapshot"
KIND = {RECORDING: "recording", SNAPSHOT: "snapshot"}
USE = {RECORDING: "`windrow view`, `plot` or `render`", SNAPSHOT: "`windrow resume`"}

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


def open_marked(path: Path, mark: str, version: int, *, swmr: bool = False) -> h5py.File:
    """The file, open for reading, after its mark and version were checked; raises FileFormatError."""
    if not path.exists():
        raise FileFormatError(f"{path}: no such file; check the name, or make one with `windrow run --out`")
    if path.is_dir():
        raise FileFormatError(f"{path}: is a folder; name a Windrow {KIND[mark]} inside it")
    file = _open(path, swmr)
    try:
        found, number = _mark(file)
        if found != mark:
            raise FileFormatError(_wrong_kind(path, mark, found))
        if number > version:
            raise FileFormatError(
                f"{path}: format {number} of a newer Windrow, this one reads up to {version}; "
                "upgrade with `pip install --upgrade windrow`"
            )
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
    """The `format` mark of a file, None for one that is missing, unreadable or foreign."""
    try:
        with _open(path, swmr=True) as file:
            return _mark(file)[0]
    except FileFormatError:
        return None


def partial_path(path: Path) -> Path:
    """Where a file is built before it takes its name: the same folder, so that the renaming is atomic."""
    return path.with_name(f".{path.name}.{os.getpid()}.partial")


def text_of(dataset: Any) -> str:
    """The UTF-8 text of a byte dataset."""
    return np.asarray(dataset[()], dtype=np.uint8).tobytes().decode("utf-8", "surrogatepass")


def bytes_of(text: str) -> np.ndarray:
    """The text as bytes: HDF5 strings would lose embedded zeros, and cannot grow while being read."""
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


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
    try:
        found = file.attrs.get("format")
        found = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
        return (found if isinstance(found, str) else None), int(file.attrs.get("version", 0))
    except DAMAGE:
        return None, 0


def _wrong_kind(path: Path, mark: str, found: str | None) -> str:
    if found in KIND:
        return f"{path}: is a Windrow {KIND[found]}, not a {KIND[mark]}; it is meant for {USE[found]}"
    return f"{path}: an HDF5 file, but not a Windrow {KIND[mark]}; check the name"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
