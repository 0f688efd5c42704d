"""The pages of the documentation, and what they contain, for the tests."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GENERATED = {"validation.md": "windrow validate --write-docs docs/validation.md"}
"""Pages that a command writes, and which one; they may be missing in a checkout."""

sys.path.insert(0, str(DOCS / "tools"))

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")


def pages() -> list[Path]:
    return sorted(DOCS.glob("*.md"))


def code_blocks(page: Path, language: str) -> list[str]:
    """Fenced blocks of a language, in the order of the page."""
    return [
        found["code"]
        for found in _FENCE.finditer(page.read_text(encoding="utf-8"))
        if found["language"] == language
    ]


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Targets of all links and pictures."""
    return [found["target"] for found in _LINK.finditer(prose(page))]


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower() for heading in headings]
    return {re.sub(r"[\s]+", "-", heading) for heading in plain}
