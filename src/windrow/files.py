"""Files that are written as a whole or not at all.

A file is built in its own folder under another name, which then becomes its own: renaming is atomic, so that nobody
ever sees half of it, and a failure leaves what was there before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from windrow.errors import FileFormatError


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
