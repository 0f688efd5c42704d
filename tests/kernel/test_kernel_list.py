"""The list of kernels may be older than the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import typeof

from windrow.compiler import Types, dispatchers, with_deep_stack


class Pair(NamedTuple):
    """Two arrays; one of them in a tuple of its own."""

    x: np.ndarray
    inner: tuple[np.ndarray, bool]


def test_types_of_nested_tuples_come_back() -> None:
    kind = typeof(Pair(np.zeros((2, 3), np.float32), (np.zeros(2), True)))
    written = Types()
    number = written.number(kind)
    assert Types(written.table)[[number]] == (kind,)


def test_tuples_that_are_gone_or_have_other_fields_are_none() -> None:
    table = [
        ["array", "float32", 1, "C", True, True],
        ["tuple", "windrow.no_such_module:Pair", 0, 0],
        ["tuple", "windrow.collide.paths:NoSuchTuple", 0, 0],
        ["tuple", "windrow.collide.paths:Paths", 0],
        ["tuple", "windrow.collide.paths:Paths", 0, 0],
        ["tuple", "", 0, 1],
    ]
    made = Types(table)[range(len(table))]
    assert [kind is None for kind in made] == [False, True, True, True, False, True]


def test_a_module_that_is_gone_has_no_kernels() -> None:
    assert dispatchers("windrow.no_such_module") == {}


def test_a_function_with_a_deep_stack_is_the_same_function() -> None:
    told: list[int] = []

    def fall(depth: int, bottom: int) -> int:
        return depth if depth == bottom else fall(depth + 1, bottom)

    with_deep_stack(_told)(told, fall)
    assert told == [400]


def _told(told: list[int], fall: Callable[[int, int], int]) -> None:
    told.append(fall(0, 400))
