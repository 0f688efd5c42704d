"""Functions that only kernels call, made callable for a test."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit


@cache
def as_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that only calls a function marked `inner` or `bare_inner`; compiled anew in each process."""

    @njit(nogil=True, error_model="numpy")
    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return call
