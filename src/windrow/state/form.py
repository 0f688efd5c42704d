"""The form of saved arrays and numbers: what compiled code takes for granted is checked before it sees any of it.

Kernels check no bounds. Each part of a snapshot therefore says once, in a table, what each of its values must be: type,
shape, range, and what it counts or indexes. Lengths have names; one that is not given is that of the first array that
has it, and all others must agree. A whole number of the table is a size, too, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import FileFormatError

Size = int | str
"""A length or bound: a number, the name of one, or the name of one plus a number, such as "cells+1"."""
REMEDY = "continue from another snapshot, or start the run again"


@dataclass(frozen=True)
class Array:
    """What an array must be."""

    dtype: type
    shape: tuple[Size, ...]
    low: float | None = None
    """Least value."""
    below: float | Size | None = None
    """Values are less than this."""
    finite: bool = True
    runs_to: Size | None = None
    """A running sum: begins with 0, never falls, and ends with this."""
    rising: bool = False
    """Never falls."""
    unique: bool = False
    unit: bool = False
    """Rows have length 1."""


@dataclass(frozen=True)
class Number:
    """What a Python number or text must be."""

    kind: type
    low: float | None = None
    below: float | None = None


Form = Mapping[str, Array | Number]
"""All values of a part by name; others are refused."""
UNIT_SLACK = 1e-3
"""How far the square of a unit row may be from 1."""


def checked(part: str, data: Mapping[str, Any], form: Form, sizes: Mapping[str, int]) -> dict[str, int]:
    """Raises FileFormatError unless the data of this part have the form; returns all sizes by name."""
    missing, unknown = sorted(form.keys() - data.keys()), sorted(data.keys() - form.keys())
    if missing:
        raise bad_snapshot(part, missing[0], "is missing")
    if unknown:
        raise bad_snapshot(part, unknown[0], "does not belong there")
    known = dict(sizes)
    wrong: str | None
    for name, expected in form.items():
        if isinstance(expected, Number):
            wrong = _wrong_number(data[name], expected)
            if expected.kind is int and wrong is None:
                known[name] = data[name]
        else:
            wrong = _wrong_kind(data[name], expected) or _wrong_shape(data[name].shape, expected, known)
        if wrong is not None:
            raise bad_snapshot(part, name, wrong)
    # by now all sizes are known
    for name, expected in form.items():
        wrong = _wrong_values(data[name], expected, known) if isinstance(expected, Array) else None
        if wrong is not None:
            raise bad_snapshot(part, name, wrong)
    return known


def bad_snapshot(part: str, name: str, wrong: str) -> FileFormatError:
    return FileFormatError(f"the snapshot cannot be used: {part}.{name} {wrong}; {REMEDY}")


def _wrong_number(value: Any, expected: Number) -> str | None:
    fits: bool = isinstance(value, expected.kind) and not isinstance(value, bool)
    if not fits:
        return f"is of type {type(value).__name__}, not {expected.kind.__name__}"
    if expected.kind is float and not np.isfinite(value):
        return f"is {value}, which is not finite"
    if expected.low is not None and value < expected.low:
        return f"is {value}; at least {expected.low} is needed"
    if expected.below is not None and value >= expected.below:
        return f"is {value}; less than {expected.below} is needed"
    return None


def _wrong_kind(value: Any, expected: Array) -> str | None:
    if not isinstance(value, np.ndarray):
        return f"is of type {type(value).__name__}, not an array"
    if value.dtype != expected.dtype:
        return f"holds {value.dtype}, not {np.dtype(expected.dtype)}"
    return None


def _wrong_shape(shape: tuple[int, ...], expected: Array, known: dict[str, int]) -> str | None:
    """Compares lengths, and takes over those not known yet."""
    if len(shape) == len(expected.shape):
        for length, size in zip(shape, expected.shape, strict=True):
            name, more = _parts(size)
            if name is not None and name not in known and length >= more:
                known[name] = length - more
        if all(length == _number(size, known) for length, size in zip(shape, expected.shape, strict=True)):
            return None
    wanted = ", ".join(_described(size, known) for size in expected.shape)
    return f"has the shape {shape}; needed is ({wanted})"


def _wrong_values(value: NDArray[Any], expected: Array, known: dict[str, int]) -> str | None:
    if expected.runs_to is not None:
        end = _number(expected.runs_to, known)
        if len(value) == 0 or value[0] != 0 or value[-1] != end or (value[1:] < value[:-1]).any():
            return f"must begin with 0, never fall, and end with {_described(expected.runs_to, known)}"
        return None
    if expected.finite and value.dtype.kind == "f" and not np.isfinite(value).all():
        return f"holds {value[~np.isfinite(value)][0]}, which is not finite"
    if expected.low is not None and not (value >= expected.low).all():
        return f"holds {value.min()}; at least {expected.low} is needed"
    if expected.below is not None:
        below = _number(expected.below, known) if isinstance(expected.below, str) else expected.below
        if (value >= below).any():
            return f"holds {value.max()}; less than {_described(expected.below, known)} is needed"
    if expected.rising and (value[1:] < value[:-1]).any():
        return "falls, but must be sorted"
    if expected.unique:
        ordered = np.sort(value)
        if (ordered[1:] == ordered[:-1]).any():
            return "holds a number twice"
    if expected.unit and not (np.abs((value * value).sum(axis=-1) - 1.0) < UNIT_SLACK).all():
        return "has a row whose length is not 1"
    return None


@cache
def _parts(size: Size) -> tuple[str | None, int]:
    if not isinstance(size, str):
        return None, size
    name, _, more = size.partition("+")
    return name, int(more or 0)


def _number(size: Size, known: Mapping[str, int]) -> int:
    """The size as a number; −1 where it is not known."""
    name, more = _parts(size)
    return more if name is None else (known[name] + more if name in known else -1)


def _described(size: float | Size, known: Mapping[str, int]) -> str:
    if not isinstance(size, str):
        return str(size)
    return f"{size} = {_number(size, known)}" if _number(size, known) >= 0 else size
