"""Python blocks of the pages compile, and run unless they would open a browser or take long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import DOCS, code_blocks, pages

COMPILE_ONLY = {
    "index.md": "pours the whole pile",
    "station.md": "opens a browser",
}
with_code = [page.name for page in pages() if code_blocks(page, "python")]


@pytest.mark.parametrize("name", with_code)
def test_python_blocks_compile(name: str) -> None:
    for block in code_blocks(DOCS / name, "python"):
        compile(block, name, "exec")


@pytest.mark.parametrize("name", sorted(set(with_code) - set(COMPILE_ONLY)))
def test_python_blocks_run(name: str, tmp_path: Path) -> None:
    program = "\n".join(code_blocks(DOCS / name, "python"))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
