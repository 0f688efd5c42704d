"""One writer at a time: who writes a recording claims its name, and a second one is told.

The claim is a lock on a small file beside the recording. The system gives it up with the process, so that a kill leaves
nothing that stands in the way; the next writer takes away what a killed one has left behind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from pathlib import Path

from windrow.errors import FileFormatError

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claim:
    """The right to write a file until it is released; FileFormatError where somebody else has it."""

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(f".{path.name}.writing")
        try:
            self._handle = self._taken(path)
        except OSError as error:
            raise FileFormatError(
                f"{path}: {self._file} cannot be written ({error.strerror}); delete it, or choose another folder"
            ) from error
        _clear_partials(path)

    def release(self) -> None:
        """Lets others write."""
        if sys.platform == "win32":
            # no open file can be deleted there
            os.close(self._handle)
        with contextlib.suppress(OSError):
            self._file.unlink()
        if sys.platform != "win32":
            os.close(self._handle)

    def _taken(self, path: Path) -> int:
        """The file of the claim, open and locked."""
        while True:
            handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
            if not _is_locked(handle):
                who = _text_in(handle)
                os.close(handle)
                raise FileFormatError(
                    f"{path}: is being written{who and f' by process {who}'}; wait until that is done, or choose "
                    "another name"
                )
            with contextlib.suppress(FileNotFoundError):
                # a writer that has just ended may have deleted the file after it was opened here
                if os.path.samestat(os.fstat(handle), os.stat(self._file)):
                    os.ftruncate(handle, 0)
                    os.write(handle, str(os.getpid()).encode())
                    return handle
            os.close(handle)


def _is_locked(handle: int) -> bool:
    """Whether the lock is ours now; folders that know no locks, as some on a network, let everybody."""
    try:
        _lock(handle)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def _text_in(handle: int) -> str:
    try:
        return os.read(handle, 20).decode("ascii", "replace")
    except OSError:
        return ""


def _clear_partials(path: Path) -> None:
    """Deletes what killed writers of this recording or its checkpoint have left unfinished."""
    left = re.compile(rf"\.{re.escape(path.name)}(\.checkpoint)?\.\d+\.partial")
    for entry in path.parent.iterdir():
        if left.fullmatch(entry.name):
            with contextlib.suppress(OSError):
                entry.unlink()
