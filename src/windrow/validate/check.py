"""A check: what was measured, what the law says, and how far apart the two may be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    what: str
    measured: float
    expected: float
    tolerance: float
    """allowed difference, in the unit of the value"""
    unit: str = ""

    @property
    def error(self) -> float:
        return abs(self.measured - self.expected)

    @property
    def passed(self) -> bool:
        return math.isfinite(self.measured) and self.error <= self.tolerance


@dataclass(frozen=True)
class Bound:
    """A check against a limit instead of a value."""

    what: str
    measured: float
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""

    @property
    def passed(self) -> bool:
        return self.low <= self.measured <= self.high

    @property
    def limited(self) -> bool:
        """Whether anything is asked of it; without limits it is a report, of which nothing can be said to hold."""
        return math.isfinite(self.low) or math.isfinite(self.high)


Result = Check | Bound


@dataclass(frozen=True)
class Scenario:
    name: str
    solver: str
    law: str
    """what it is held against, with its source"""
    run: Callable[[], list[Result]]
    slow: bool = False
    """takes more than about twenty seconds; left out with `--quick`"""


def verdict(result: Result, held: str, failed: str) -> str:
    """One of the two words, or a dash for what is only reported."""
    if isinstance(result, Bound) and not result.limited:
        return "–"
    return held if result.passed else failed


def expectation(result: Result) -> str:
    """The expected value as text: value ± tolerance, or the limits."""
    if isinstance(result, Check):
        return f"{result.expected:.5g} ± {result.tolerance:.2g}"
    if not result.limited:
        return "reported"
    if math.isinf(result.low):
        return f"≤ {result.high:.5g}"
    if math.isinf(result.high):
        return f"≥ {result.low:.5g}"
    return f"{result.low:.5g} … {result.high:.5g}"
