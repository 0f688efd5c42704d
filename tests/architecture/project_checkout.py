"""Where the sources are, and which files belong to the project."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", "out", "build", "dist", "__pycache__"}


def tracked_files() -> list[Path]:
    """Files under version control; in an unpacked archive, all files that are no product of a build."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not NOT_OURS & set(path.relative_to(ROOT).parts)]
    return sorted(path for path in found if path.is_file())


def text_of(path: Path) -> str | None:
    """Text of a file, None for pictures and other binary ones."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
