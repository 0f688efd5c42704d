"""Kernels that a wheel brings: taken where they fit, ignored with one line where they do not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_kernels import SOURCE, TYPES, Tiny

from windrow import store
from windrow.errors import FileFormatError


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    return Tiny(tmp_path, monkeypatch)


def test_nothing_is_compiled_and_nothing_written(tiny: Tiny) -> None:
    tiny.make_bundle()
    before = {file: file.stat().st_mtime_ns for file in tiny.files(tiny.bundle)}
    assert tiny.start() == (7.0, [], [])
    assert {file: file.stat().st_mtime_ns for file in tiny.files(tiny.bundle)} == before
    assert not tiny.kept.exists()


def test_the_bundle_has_what_python_calls_and_what_it_was_made_with(tiny: Tiny) -> None:
    tiny.make_bundle()
    about, kernel = sorted(tiny.files(tiny.bundle), key=lambda file: file.name != store.ABOUT)
    assert json.loads(about.read_text()) == store.made_with()
    assert kernel.parent.name.startswith("one_more-")


@pytest.mark.parametrize("key", list(store.made_with()))
def test_a_bundle_for_something_else_is_ignored_with_one_line(tiny: Tiny, key: str) -> None:
    tiny.make_bundle()
    about = tiny.bundle / store.ABOUT
    about.write_text(json.dumps({**store.made_with(), key: "another"}))
    value, compiled, told = tiny.start()
    assert (value, compiled) == (7.0, ["thrice", "one_more"])
    (line,) = told
    assert "\n" not in line
    assert f"{key} 'another', here {store.made_with()[key]!r}" in line
    assert not any(other in line for other in store.made_with() if other != key)
    value, compiled, told = tiny.start()
    assert (value, compiled, len(told)) == (7.0, [], 1)


@pytest.mark.parametrize("content", ["", "[]", "{", "{}"])
def test_a_bundle_that_does_not_say_what_it_is_for_is_ignored(tiny: Tiny, content: str) -> None:
    tiny.make_bundle()
    (tiny.bundle / store.ABOUT).write_text(content)
    value, compiled, told = tiny.start()
    assert (value, compiled, len(told)) == (7.0, ["thrice", "one_more"], 1)


def test_no_bundle_is_nothing_to_talk_about(tiny: Tiny) -> None:
    assert tiny.start() == (7.0, ["thrice", "one_more"], [])
    assert tiny.start() == (7.0, [], [])


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:1000] + bytes([content[1000] ^ 1]) + content[1001:],
        lambda content: b"x" + content[1:],
    ],
    ids=["empty", "cut off", "a bit", "foreign"],
)
def test_a_broken_file_is_compiled_anew(tiny: Tiny, harm: Callable[[bytes], bytes]) -> None:
    tiny.make_bundle()
    (kernel,) = (file for file in tiny.files(tiny.bundle) if file.name != store.ABOUT)
    kernel.write_bytes(harm(kernel.read_bytes()))
    assert tiny.start() == (7.0, ["thrice", "one_more"], [])
    assert tiny.start() == (7.0, [], [])
    (kept,) = (file for file in tiny.files(tiny.kept) if file.parent.name == kernel.parent.name)
    kept.write_bytes(harm(kept.read_bytes()))
    assert tiny.start() == (7.0, ["one_more"], [])
    assert tiny.start() == (7.0, [], [])


def test_old_code_is_not_taken_for_a_new_source(tiny: Tiny) -> None:
    tiny.make_bundle()
    tiny.source.write_text(SOURCE.replace("3.0", "5.0"))
    assert tiny.start() == (11.0, ["thrice", "one_more"], [])


def test_time_stamps_comments_and_places_do_not_matter(tiny: Tiny, tmp_path: Path) -> None:
    tiny.make_bundle()
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    tiny.source = tiny.source.rename(moved / tiny.source.name)
    tiny.source.write_text("# A remark.\n" + SOURCE)
    os.utime(tiny.source, (1e9, 1e9))
    assert tiny.start() == (7.0, [], [])


def test_a_loaded_kernel_can_become_part_of_another(tiny: Tiny) -> None:
    module = tiny.module()
    assert module.thrice(2.0) == 6.0
    tiny.source.write_text(SOURCE)
    again = tiny.module()
    assert again.thrice(2.0) == 6.0
    assert again.one_more._cache.has(TYPES) is False
    assert again.one_more(2.0) == 7.0
    assert tiny.start() == (7.0, [], [])


def test_a_kernel_that_was_not_compiled_cannot_be_bundled(tiny: Tiny) -> None:
    with pytest.raises(FileFormatError, match=r"one_more-\w+ is not kept there"):
        store.make_bundle(tiny.bundle, [(tiny.module().one_more._cache, TYPES)])
