"""What is wrong with a saved value is said by name, with the size that it should have had."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from windrow.errors import FileFormatError
from windrow.state.form import Array, Form, Number, checked

FORM: Form = {
    "many": Number(int, low=0, below=100),
    "start": Array(np.int32, ("cells+1",), runs_to="rows"),
    "end": Array(np.int64, ("rows", 2), low=0, below="many"),
    "share": Array(np.float64, ("cells",), low=0.0, below=1.5),
    "turn": Array(np.float64, ("rows", 4), unit=True),
    "key": Array(np.int64, ("rows",), rising=True, unique=True),
}
GOOD: dict[str, Any] = {
    "many": 9,
    "start": np.array([0, 1, 1, 3], np.int32),
    "end": np.array([[0, 8], [1, 2], [3, 4]]),
    "share": np.array([0.0, 1.0, 0.5]),
    "turn": np.tile([0.0, 0.6, 0.8, 0.0], (3, 1)),
    "key": np.array([2, 5, 7]),
}


def test_sizes_that_are_not_given_are_found() -> None:
    assert checked("part", GOOD, FORM, {"rows": 3}) == {"rows": 3, "many": 9, "cells": 3}


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("many", 100, "is 100; less than 100"),
        ("many", True, "is of type bool, not int"),
        ("start", GOOD["start"][:0], r"shape \(0,\); needed is \(cells\+1\)"),
        ("start", np.array([0, 2, 1, 3], np.int32), "begin with 0, never fall, and end with rows = 3"),
        ("start", np.array([0, 1, 1, 4], np.int32), "end with rows = 3"),
        ("end", GOOD["end"].astype(np.int32), "holds int32, not int64"),
        ("end", GOOD["end"][:2], r"shape \(2, 2\); needed is \(rows = 3, 2\)"),
        ("end", GOOD["end"] - 1, "holds -1; at least 0"),
        ("end", GOOD["end"] + 1, "holds 9; less than many = 9"),
        ("share", GOOD["share"] + 0.5, r"holds 1\.5; less than 1\.5"),
        ("share", np.array([0.0, np.inf, 0.0]), "holds inf, which is not finite"),
        ("turn", 1.1 * GOOD["turn"], "a row whose length is not 1"),
        ("key", np.array([5, 2, 7]), "falls, but must be sorted"),
        ("key", np.array([5, 5, 7]), "holds a number twice"),
        ("key", [2, 5, 7], "is of type list, not an array"),
    ],
)
def test_what_is_wrong_is_named(name: str, value: Any, wrong: str) -> None:
    with pytest.raises(FileFormatError, match=rf"cannot be used: part\.{name} .*{wrong}.*; continue from another"):
        checked("part", {**GOOD, name: value}, FORM, {"rows": 3})


def test_names_must_be_the_right_ones() -> None:
    with pytest.raises(FileFormatError, match=r"part\.key is missing"):
        checked("part", {k: v for k, v in GOOD.items() if k != "key"}, FORM, {"rows": 3})
    with pytest.raises(FileFormatError, match=r"part\.more does not belong there"):
        checked("part", {**GOOD, "more": 1}, FORM, {"rows": 3})
