"""A compiled kernel is taken from the store only if nothing it is made of has changed, and no time stamp matters."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import windrow
from windrow import store

CODE = """
from windrow.kernel import compiling
from windrow.freshmade.outer import outer
told = []
with compiling(told.append):
    value = outer(2.0)
print(value, len(told))
"""
HEADER = "from windrow.kernel import kernel\n"


def run(root: Path) -> tuple[float, int]:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(root), "WINDROW_CACHE": str(root / "store")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    value, compiled = done.stdout.split()
    return float(value), int(compiled)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A package of two kernels, of which one calls the other."""
    package = tmp_path / "windrow"
    made = package / "freshmade"
    made.mkdir(parents=True)
    source = Path(windrow.__file__).parent
    for name in ("errors.py", "kernel.py", "linked.py", "store.py", "target.py"):
        shutil.copy(source / name, package / name)
    (package / "__init__.py").touch()
    (made / "__init__.py").touch()
    (made / "inner.py").write_text(HEADER + "@kernel\ndef inner(x):\n    return 3.0 * x\n")
    (made / "outer.py").write_text(
        HEADER
        + "from windrow.freshmade.inner import inner\n@kernel\ndef outer(x):\n    return inner(x) + 1.0\n"
    )
    return made


def test_a_change_in_a_called_file_recompiles_the_caller(made: Path) -> None:
    root = made.parent.parent
    assert run(root) == (7.0, 2)
    assert run(root) == (7.0, 0)
    (made / "inner.py").write_text(HEADER + "@kernel\ndef inner(x):\n    return 50.0 * x\n")
    assert run(root) == (101.0, 2)
    assert run(root) == (101.0, 0)


def test_time_stamps_comments_and_places_do_not_matter(made: Path, tmp_path: Path) -> None:
    root = made.parent.parent
    assert run(root) == (7.0, 2)
    (made / "inner.py").write_text(HEADER + "\n# three times\n@kernel\ndef inner(x):\n    return 3.0 * x\n")
    assert run(root) == (7.0, 0)
    moved = tmp_path / "elsewhere"
    shutil.copytree(root / "windrow", moved / "windrow")
    shutil.copytree(root / "store", moved / "store")
    assert run(moved) == (7.0, 0)


def test_a_broken_file_is_made_anew(made: Path) -> None:
    root = made.parent.parent
    assert run(root) == (7.0, 2)
    for file in (root / "store").rglob("*"):
        if file.is_file():
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(content)
    assert run(root) == (7.0, 2)
    assert run(root) == (7.0, 0)


def test_the_mark_of_a_dead_process_holds_nobody_up(made: Path) -> None:
    root = made.parent.parent
    assert run(root) == (7.0, 2)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for file in list((root / "store").rglob("*")):
        if file.is_file():
            file.with_suffix(".busy").write_text(str(dead.pid))
            file.unlink()
    assert run(root) == (7.0, 2)
    assert not list((root / "store").rglob("*.busy"))


def test_the_digest_covers_what_a_file_imports() -> None:
    package = Path(windrow.__file__).resolve().parent
    seen: set[str] = set()
    ahead = [package / "solvers" / "p2" / "kernels.py"]
    while ahead:
        here = ahead.pop()
        if here.name not in seen:
            seen.add(here.name)
            ahead += store._source(here)[1]
    assert {"kernels.py", "laws.py", "vector.py", "simd.py", "team.py"} <= seen
    assert "picture.py" not in seen


def test_kernels_that_nobody_loads_are_removed_in_time(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = made.parent.parent
    assert run(root) == (7.0, 2)
    old = time.time() - 86_400 * (store.KEPT_DAYS + 1)
    for folder in (root / "store").iterdir():
        os.utime(folder, (old, old))
    monkeypatch.setattr(store, "user_folder", lambda: root / "store")
    assert run(root) == (7.0, 0)  # `outer` is in use again, and `inner` is a part of it
    store.prune()
    assert [folder.name.partition("-")[0] for folder in (root / "store").iterdir()] == ["outer"]
    assert run(root) == (7.0, 0)
