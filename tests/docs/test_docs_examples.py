"""Every example runs, and writes what its first lines promise."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import DOCS, ROOT

examples = sorted((ROOT / "examples").glob("*.py"))


def _promised(example: Path) -> list[str]:
    """Files that the docstring says are written."""
    doc = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8"))) or ""
    line = next((line for line in doc.splitlines() if "writes out/" in line), "")
    return [name.removeprefix("out/") for name in re.findall(r"(?:out/)?[\w]+\.(?:png|h5|mp4)", line)]


@pytest.mark.parametrize("example", examples, ids=lambda path: path.stem)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(example), "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    promised = [name for name in _promised(example) if "NAME" not in name]
    assert [name for name in promised if not (tmp_path / name).is_file()] == []


@pytest.mark.parametrize("example", examples, ids=lambda path: path.stem)
def test_example_is_numbered_and_listed(example: Path) -> None:
    assert re.fullmatch(r"\d\d_\w+", example.stem)
    assert f"`examples/{example.name}`" in (DOCS / "start.md").read_text(encoding="utf-8")


def test_some_examples_promise_files() -> None:
    assert sum(len(_promised(example)) for example in examples) >= 10


def test_tables_are_found_in_what_examples_print() -> None:
    import figures

    assert figures.tables("a\n| x |\n| - |\nb\n\n| y |\n") == ["| x |\n| - |\n", "| y |\n"]
