"""Formulas that are written once, and run for one contact in compiled loops and for eight at a time.

    @formula
    def spring(k, gap):
        return k * largest(-gap, ZERO)

In a kernel, `spring` is compiled for numbers like any other small function. In a generator of vector code (`simd.py`)
it is called with `Lanes`, and its operators emit vector instructions. So it has no `if` on a number: `select` chooses,
and both sides are computed. Constants are float32, as in all kernels.

The two do not round alike: `Lanes` fuses products with sums. A test compares them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, typeof_impl

from windrow import simd
from windrow.kernel import device


class Formula:
    """A function of numbers for kernels, and of `Lanes` for generators of vector code."""

    def __init__(self, plain: Callable[..., Any], lanes: Callable[..., Any]) -> None:
        self._lanes, self._compiled = lanes, device(plain)
        # by these two Numba knows what it may put in place of a call
        self.py_func, self.targetoptions = plain, self._compiled.targetoptions
        self.__doc__ = plain.__doc__

    def __call__(self, *arguments: Any) -> Any:
        return self._lanes(*arguments)


@typeof_impl.register(Formula)
def _inside_kernels(value: Formula, context: Any) -> Any:
    return types.Dispatcher(value._compiled)


def formula(function: Callable[..., Any]) -> Formula:
    """A formula that is the same text for numbers and for `Lanes`."""
    return Formula(function, function)


@intrinsic
def _pick(context, mask, yes, no):  # type: ignore[no-untyped-def]
    def generate(context: Any, b: Any, signature: Any, arguments: Any) -> Any:
        mask, yes, no = arguments
        return b.select(context.cast(b, mask, types.boolean, types.boolean), yes, no)

    return yes(types.boolean, yes, yes), generate


def _select(mask, yes, no):  # type: ignore[no-untyped-def]
    """`yes` where the mask holds, else `no`."""
    return _pick(mask, yes, no)


def _largest(a, b):  # type: ignore[no-untyped-def]
    return _pick(a < b, b, a)


def _least(a, b):  # type: ignore[no-untyped-def]
    return _pick(a < b, a, b)


def _root(a):  # type: ignore[no-untyped-def]
    return math.sqrt(a)


def _above(a):  # type: ignore[no-untyped-def]
    """Whether a number is above zero, or is none."""
    return not a <= 0


select, largest, least = Formula(_select, simd.select), Formula(_largest, simd.maximum), Formula(_least, simd.minimum)
root, above = Formula(_root, simd.square_root), Formula(_above, simd.positive)


@formula
def dot(a, b):  # type: ignore[no-untyped-def]
    """Of two vectors of three."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
