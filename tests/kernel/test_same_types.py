"""Kernels called without a look at the types of their arguments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from windrow.kernel import SameTypes, bare_kernel


class Table(NamedTuple):
    numbers: np.ndarray
    factor: np.ndarray


@bare_kernel
def scaled_sum(table, first):
    total = 0.0
    for k in range(first, table.numbers.shape[0]):
        total += table.factor[0] * table.numbers[k]
    return total


def test_new_arrays_of_the_same_types_are_seen() -> None:
    call = SameTypes(scaled_sum)
    assert call(Table(np.arange(4.0), np.array([2.0])), 1) == 12.0
    assert call(Table(np.arange(6.0), np.array([1.0])), 0) == 15.0


def test_arrays_of_other_types_are_refused() -> None:
    call = SameTypes(scaled_sum)
    call(Table(np.arange(4.0), np.array([2.0])), 1)
    with pytest.raises(TypeError, match="unbox"):
        call(Table(np.arange(4, dtype=np.float32), np.array([2.0])), 1)
