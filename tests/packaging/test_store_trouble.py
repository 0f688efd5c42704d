"""A folder for compiled kernels that cannot be written to costs a warning, and time; nothing else."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tiny_kernels import Tiny

from windrow import store


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    return Tiny(tmp_path, monkeypatch)


def told_of(tiny: Tiny, reason: str) -> None:
    """Every start compiles and gives one warning."""
    for _ in range(2):
        value, compiled, told = tiny.start()
        assert (value, compiled) == (7.0, ["thrice", "one_more"])
        (line,) = told
        assert reason in line
        assert str(tiny.kept) in line
        assert "WINDROW_CACHE" in line


def test_no_folder_can_be_made(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    tiny.keep_in(tmp_path / "a file" / "kernels")
    told_of(tiny, os.strerror(errno.ENOTDIR))
    assert not store.writable()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(tiny: Tiny) -> None:
    tiny.kept.mkdir()
    tiny.kept.chmod(0o500)
    told_of(tiny, os.strerror(errno.EACCES))
    assert not store.writable()


@pytest.mark.parametrize("room", [0, 1000])
def test_a_full_disk(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Nothing half written stays, and what fits later is kept."""
    whole = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.is_relative_to(tiny.kept):
            whole(path, content[:room])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(path, content)

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        told_of(tiny, os.strerror(errno.ENOSPC))
        assert not store.writable()
    assert tiny.files(tiny.kept) == []
    assert store.writable()
    assert tiny.start() == (7.0, ["thrice", "one_more"], [])
    assert tiny.start() == (7.0, [], [])


def test_a_mark_that_cannot_be_written_holds_nobody_up(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Making a file needs less room than writing to it."""

    class Full:
        def __init__(self, path: Path, *_: object, **__: object) -> None:
            path.touch(exist_ok=False)

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None: ...

        def write(self, text: str) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    mark = tiny.kept / "kernel" / "types.busy"
    with monkeypatch.context() as disk:
        disk.setattr(store, "open", Full, raising=False)
        assert store._leave_mark(mark)
    assert not mark.exists()


def test_a_mark_of_a_process_that_is_gone_holds_nobody_up(tiny: Tiny) -> None:
    cache = tiny.module().one_more._cache
    mark = cache.file(tiny.kept, ()).with_suffix(".busy")
    mark.parent.mkdir(parents=True)
    mark.write_text("999999999")
    assert cache.take(())
    assert not mark.exists()


def test_what_another_process_compiles_is_not_taken(tiny: Tiny) -> None:
    cache = tiny.module().one_more._cache
    mark = cache.file(tiny.kept, ()).with_suffix(".busy")
    mark.parent.mkdir(parents=True)
    mark.write_text(str(os.getppid()))
    assert not cache.take(())
    mark.unlink()
    assert cache.take(())
    assert mark.read_text() == str(os.getpid())
    cache.give_up(())
    assert not mark.exists()
