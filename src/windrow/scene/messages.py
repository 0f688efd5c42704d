"""From pydantic's findings to sentences a user can act on: where, what is wrong, what was given."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from windrow.errors import unknown_name

MOST_LINES = 12
"""Problems listed in one message; the rest is only counted."""


def shown(value: object) -> str:
    """A value short enough for a message."""
    short = reprlib.Repr()
    short.maxlist = short.maxtuple = short.maxdict = 4
    short.maxstring = short.maxother = 60
    short.maxlevel = 3
    try:
        text = short.repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return " ".join(text.split())


def explain(error: ValidationError, subject: str, data: object = None) -> str:
    """One line per problem: `subject: field.path: what is wrong (got value)`; `data` was validated."""
    problems = [_line(detail, data) for detail in error.errors(include_url=False)]
    return listed(problems, subject)


def listed(problems: Iterable[str], subject: str) -> str:
    """Problems below each other, each led by the file or class it is about."""
    # A bad value met twice (in a union, in a copied field) is one problem.
    lines = [f"{subject}: {problem}" for problem in dict.fromkeys(problems)]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"{subject}: and {len(lines) - MOST_LINES} more problems"]
    return "\n".join(lines)


def field_path(location: Iterable[int | str], data: object = None) -> str:
    """`obstacles[0].shape.size` from pydantic's location, leaving out the names of the union's members.

    An entry of a list that has a name is shown with it: `bodies[0] (bucket).mass`.

    A member's name is told from a field by the data: it is what the table at that place has as `kind`.
    """
    path = ""
    current = data
    member_named = False
    for part in location:
        if isinstance(part, str) and part.startswith("<"):
            continue
        kind = _item(current, "kind")
        if isinstance(kind, str) and part == kind and not member_named:
            member_named = True
            continue
        member_named = False
        if isinstance(part, int):
            path += f"[{part}]"
        elif part == "[key]":
            path += " (its name)"
        else:
            field = part if part.isprintable() and len(part) <= 60 else shown(part)
            path += f".{field}" if path else field
        current = _item(current, part)
        name = _item(current, "name") if isinstance(part, int) else None
        if isinstance(name, str) and name and name.isprintable():
            path += f" ({name[:60]})"
    return path


def _item(container: object, key: int | str) -> Any:
    if isinstance(container, Mapping):
        return container.get(key)
    if isinstance(container, list | tuple) and isinstance(key, int):
        return container[key] if 0 <= key < len(container) else None
    return getattr(container, key, None) if isinstance(key, str) and key.isidentifier() else None


def _line(detail: Any, data: object) -> str:
    path = field_path(detail["loc"], data)
    sentence, with_value = _sentence(detail, path.rsplit(".", 1)[-1])
    got = f" (got {shown(detail['input'])})" if with_value else ""
    return f"{path}: {sentence}{got}" if path else f"{sentence}{got}"


def _sentence(detail: Any, field: str) -> tuple[str, bool]:
    """What is wrong, and whether the value helps to see it."""
    context = detail.get("ctx") or {}
    limits = {
        "greater_than": ("gt", "must be more than"),
        "greater_than_equal": ("ge", "must be at least"),
        "less_than": ("lt", "must be less than"),
        "less_than_equal": ("le", "must be at most"),
    }
    kind = detail["type"]
    if kind in limits:
        key, words = limits[kind]
        return f"{words} {context[key]:.12g}", True
    if kind == "missing":
        return f"is missing; add `{field} = …`", False
    if kind == "value_error":
        return str(context.get("error", detail["msg"])), False
    if kind == "union_tag_invalid":
        tags = [tag.strip().strip("'\"") for tag in str(context["expected_tags"]).split(",")]
        return unknown_name("kind", str(context["tag"])[:60], tags), False
    if kind == "union_tag_not_found":
        return f"needs a field {context.get('discriminator', 'kind')} that says what it is", True
    if kind == "literal_error":
        allowed = [
            word.strip().strip("'\"") for word in str(context["expected"]).replace(" or ", ",").split(",")
        ]
        return unknown_name("value", str(detail["input"])[:60], allowed), False
    plain = {
        "finite_number": "must be a finite number",
        "float_type": "must be a number",
        "int_type": "must be a whole number",
        "bool_type": "must be true or false",
        "string_type": "must be text in quotes",
        "string_unicode": "must be text that can be written as UTF-8",
        "string_too_short": "must not be empty",
        "list_type": "must be a list [ … ]",
        "tuple_type": "must be a list [ … ]",
        "dict_type": "must be a table of named entries",
        "model_type": "must be a table of named entries",
        "model_attributes_type": "must be a table of named entries",
        "too_long": f"must have at most {context.get('max_length', '?')} entries",
        "too_short": f"must have at least {context.get('min_length', '?')} entries",
    }
    return plain.get(kind, str(detail["msg"])), True
