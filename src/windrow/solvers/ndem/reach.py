"""How long lists shall hold, and how far they reach for it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

REACH_MOST = 2.3
"""How far beyond touching, of the finest level's radius, that level's search reaches at most; what is faster needs it
more often."""
FAST_SHARE = 0.002
"""Share of the grains that may be faster than the finest level covers."""
SAMPLE = 8192
"""Grains that are asked for their speed, at least, if there are as many."""
FAST_RATIO = 1.5
"""Such grains are left to coarser levels only if the fastest of them is this many times faster than the others."""


LEG_SPARE = 0.25
"""Share of a leg that the others are made longer for instead."""
LONG_STEPS, LONG_REACH = 4.0, 0.35
"""Steps that lists are made to hold for, and how far beyond touching, of the finest level's radius, they may reach for
that. Lists hold until a grain is halfway out of its cover, for about half of those steps if it goes on as it does."""


def span_and_reach(
    V: NDArray[np.float32],
    r_fine: float,
    gravity: float,
    margin: float,
    fast: float,
    rest: float,
    h: float,
    substep: float,
    dt: float,
) -> tuple[float, float, float]:
    """How long the leg after a search may be, s; for what time the lists are made, s; and how far beyond touching
    ordinary grains may get in that time, m.

    V: rows {v_x, v_y, v_z, w}. r_fine: largest radius of the finest level, m; gravity in m/s²; margin in m; fast: the
    fastest grain's speed, m/s; rest: what is left of the step, s; h: the least that lists must hold, s; substep:
    the last one, s; dt: a step, s.
    """
    limit, long = max(REACH_MOST * r_fine, 1.5 * margin), max(LONG_REACH * r_fine, margin)
    # all but a few grains decide; the few go to coarser levels. Which ones need not be exact: some grains speak for all
    some = V[:: max(1, len(V) // SAMPLE), :3]
    square = np.einsum("ij,ij->i", some, some)
    place = max(0, len(some) - 1 - int(FAST_SHARE * len(some)))
    common = math.sqrt(float(np.partition(square, place)[place]))
    few_fast = fast > FAST_RATIO * common
    speed = common if few_fast else fast
    span = min(rest, max((limit - margin) / max(speed + gravity * rest, 1e-9), h))
    if span < rest:
        # as many legs as that takes, none of them a short one at the end; legs are whole substeps
        span = min(rest, rest / math.ceil(rest / span - LEG_SPARE) + substep)
    fall = gravity * span * span
    # what is fast would have to be listed with all that it may pass
    time = span if few_fast else max(span, min(LONG_STEPS * dt, (long - margin - fall) / max(speed, 1e-9)))
    return span, time, (margin + speed * time + fall) * (1.0 + 1e-5)


def listed_apart(reach: float, margin: float, time: float, spread: float) -> float:
    """Gap up to which two ordinary grains are listed, m, by the rule of `pairs.py`.

    Either is covered as far as `reach` (m); and two that close meet within `time` (s), each at its own speed at most,
    but never faster than velocities lie apart, all of which are within `spread` (m/s) of some velocity: grains that
    fall together do not meet head on.
    """
    return min(2.0 * reach - margin, max(reach, (margin + 2.0 * spread * time) * (1.0 + 1e-5)))
