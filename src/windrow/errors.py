"""One family of exceptions. Every message says what is wrong, where, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class WindrowError(Exception):
    """Anything Windrow raises on purpose."""


class SceneError(WindrowError):
    """A scene, file or argument that cannot be used; the message names the field, the value and the remedy."""


class FileFormatError(WindrowError):
    """A file that is missing, truncated, foreign or of another version."""


class CapacityError(WindrowError):
    """A buffer with a stated size is full; the message names the setting that enlarges it."""


class MissingExtraError(WindrowError):
    """An optional library is needed; the message names the extra to install."""


class KernelWarning(UserWarning):
    """Kernels run, but not as they should: compiled for another processor, or compiled again at each start."""


def unknown_name(what: str, name: str, allowed: Iterable[str]) -> str:
    """Message for a name that is not known: the name, the nearest known one, and all that are allowed."""
    names = sorted(allowed)
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
    return f"unknown {what} {name!r}.{hint} Known: {', '.join(names) if names else 'none'}"
