"""What a value of a snapshot may have become, in every way that a check may miss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Case = tuple[str, Any]


def altered(value: Any, thorough: bool) -> Iterator[Case]:
    """What a value may have become."""
    yield "text", "nonsense"
    if isinstance(value, str):
        yield from ((text[:9], text) for text in ("", "{}", "[]", "null", value[:-2], "[" * 100_000, "\0"))
        yield "a number", 7
    elif isinstance(value, int | float):
        yield from ((f"{other}", type(value)(other)) for other in (-1, 0, 2**31, 2**63, -(2**70)))
        yield "other type", float(value) if isinstance(value, int) else int(value)
        yield "an array", np.array(value)
        if isinstance(value, float):
            yield from ((f"{other}", other) for other in (np.nan, np.inf, 1e300))
    else:
        yield from _reshaped(value, thorough)
        yield from _retyped(value, thorough)
        yield from _revalued(value, thorough)


def _reshaped(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    yield "one axis more", value[None]
    if value.ndim:
        yield "a row less", value[:-1]
        yield "twice", np.concatenate([value, value])
    if value.ndim and thorough:
        yield "empty", np.zeros(0, value.dtype)
        yield "flat", value.reshape(-1)[:-1]
        yield "a row more", np.concatenate([value, np.ones((1, *value.shape[1:]), value.dtype)])
        yield "no rows", value[:0]


def _retyped(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    dtypes: list[Any] = [np.float64, np.float32, np.int64, np.uint8, ">i8", "S3"] if thorough else []
    for dtype in [*dtypes, np.complex128]:
        if value.dtype != dtype:
            with np.errstate(invalid="ignore"):
                cast = value.astype(dtype)
            yield f"as {np.dtype(dtype)}", cast


def _revalued(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    numbers: list[Any]
    if value.dtype.kind == "f":
        numbers = [np.nan, np.inf, 1e30] + [-np.inf, -1.0, 0.0, np.finfo(value.dtype).max, 1e-30, 1e7] * thorough
    else:
        bounds = np.iinfo(value.dtype)
        wild = [bounds.min, bounds.max, -1, int(value.max(initial=0)) + 1]
        wild += [0, 1, value.shape[0] if value.ndim else 2, 1 << 20] * thorough
        numbers = [number for number in dict.fromkeys(wild) if bounds.min <= number <= bounds.max]
    for number in numbers:
        yield f"all {number}", np.full_like(value, number)
        places = {0, value.size // 2, value.size - 1} if thorough else {value.size // 2}
        for at in places if value.size else ():
            one = value.copy()
            one.flat[at] = number
            yield f"[{at}] = {number}", one
