"""Plain data as TOML text. Python reads TOML but does not write it; this writes what scenes need."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LINE = 100


def toml_text(data: Mapping[str, Any]) -> str:
    """TOML text that reads back as `data`: nested dicts, lists, text, numbers, truth values."""
    return "\n".join(_table(data, ())).strip("\n") + "\n"


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Plain values first, then tables, then lists of tables, as TOML wants it."""
    for key, value in data.items():
        if not _needs_header(value):
            yield f"{_key(key)} = {_value(value, len(key) + 3)}"
    for key, value in data.items():
        inner = (*path, key)
        header = ".".join(_key(part) for part in inner)
        if isinstance(value, Mapping) and _needs_header(value):
            # A table that holds nothing but tables needs no header of its own.
            if not value or not all(_needs_header(item) for item in value.values()):
                yield from ("", f"[{header}]")
            yield from _table(value, inner)
        elif _needs_header(value):
            for item in value:
                yield from ("", f"[[{header}]]")
                for name, field in item.items():
                    yield f"{_key(name)} = {_value(field, len(name) + 3)}"


def _needs_header(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    # JSON's escapes are TOML's; only DEL has none there and must not stand bare here.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, column: int = 0) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("nan" if math.isnan(value) else str(value))
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [_value(item) for item in value]
        line = "[" + ", ".join(items) + "]"
        if column + len(line) <= _LINE or len(items) < 2:
            return line
        return "[\n" + "\n".join(_filled(items)) + "\n]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _filled(items: list[str]) -> Iterator[str]:
    """Items in lines of bounded length."""
    line = ""
    for item in items:
        if line and len(line) + len(item) > _LINE:
            yield line
            line = ""
        line += ("  " if not line else " ") + item + ","
    yield line
