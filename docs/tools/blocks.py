"""Parts of pages that programs write: what stands between `<!-- NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]

_BLOCK = re.compile(r"<!-- (?P<name>[^>]*?) -->\n(?P<text>.*?)<!-- end -->\n", re.DOTALL)


def blocks(page: str) -> dict[str, str]:
    """Contents of all written parts of a page, by name."""
    return {found["name"]: found["text"] for found in _BLOCK.finditer(page)}


def with_blocks(page: str, contents: dict[str, str]) -> str:
    """The page with the named parts replaced; names that the page does not have are ignored."""

    def replaced(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- {name} -->\n{contents.get(name, found['text'])}<!-- end -->\n"

    return _BLOCK.sub(replaced, page)


def write_blocks(page: Path, contents: dict[str, str]) -> None:
    """Replaces the named parts of a page on the disk."""
    page.write_text(with_blocks(page.read_text(encoding="utf-8"), contents), encoding="utf-8")
