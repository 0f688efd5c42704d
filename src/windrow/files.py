"""Files that are written as a whole or not at all, and what is no file.

A file is built in its own folder under another name, which then becomes its own: renaming is atomic, so that nobody
ever sees half of it, and a failure leaves what was there before.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from windrow.errors import FileFormatError

KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def refuse_other_than_files(path: Path) -> None:
    """Raises FileFormatError for what is there but no regular file: a pipe or a device may be read for ever.

    A path that is not there, or cannot be looked at, is left to whoever opens it.
    """
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return
    if kind != stat.S_IFREG:
        raise FileFormatError(f"{path}: is {KINDS.get(kind, 'something else')}, not a file; give a regular file")


def partial_path(path: Path, suffix: str = "") -> Path:
    """Where a file is built before it takes its name; `suffix`: for writers that tell the format by it."""
    return path.with_name(f".{path.name}.{os.getpid()}.partial{suffix}")


@contextlib.contextmanager
def replacing(path: Path, suffix: str = "") -> Iterator[Path]:
    """A path to write to: it becomes `path` when the block ends well, and is removed when it does not.

    with replacing(path) as partial:
        partial.write_text(text)
    """
    partial = partial_path(path, suffix)
    try:
        yield partial
        os.replace(partial, path)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Writes a text file; a FileFormatError where that cannot be done."""
    try:
        with replacing(path) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FileFormatError(f"{path}: cannot write: {error.strerror}") from None


def sync_file(path: Path) -> None:
    """Waits until what was written to a file is on the disk, so that it outlives the machine's power."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Waits until the name of a file is on the disk; where folders cannot be synced, as on Windows, does nothing."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
