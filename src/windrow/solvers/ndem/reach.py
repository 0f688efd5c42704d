"""How long lists shall hold, and how far they reach for it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.collide.paths import Reach
from windrow.fixed_math import dot, norm

REACH_MOST = 2.3
"""How far beyond touching, of the finest level's radius, that level's search reaches at most; what is faster needs it
more often."""
FAST_SHARE = 0.002
"""Share of the grains that may be faster than the finest level covers."""
SAMPLE = 8192
"""Grains that are asked for their speed, at least, if there are as many."""
FAST_RATIO = 1.5
"""Such grains are left to coarser levels only if the fastest of them is this many times faster than the others."""


BLOW_MOST = 0.15
"""How much further than its margin a cover may be, of what two ordinary grains may close. All cells are made for it;
the few that are hit harder are asked whom they run into."""
SPARE = 1.0 + 1e-5
"""For rounding errors."""
LEG_SPARE = 0.25
"""Share of a leg that the others are made longer for instead."""
LONG_STEPS, LONG_REACH = 4.0, 0.35
"""Steps that lists are made to hold for, and how far beyond touching, of the finest level's radius, they may reach for
that."""


def reach_of(
    V: NDArray[np.float32],
    r_fine: float,
    gravity: NDArray[np.float32],
    margin: float,
    fast: float,
    spread: float,
    rest: float,
    h: float,
    substep: float,
    dt: float,
) -> Reach:
    """How long the lists of a search shall hold, and how far they reach for it.

    V: rows {v_x, v_y, v_z, w}. r_fine: largest radius of the finest level, m; gravity in m/s²; margin in m; fast: the
    fastest grain's speed, m/s; spread: all velocities are within so much of some velocity, m/s; rest: what is left of
    the step, s; h: the least that lists must hold, s; substep: the last one, s; dt: a step, s.
    """
    limit, long = max(REACH_MOST * r_fine, 1.5 * margin), max(LONG_REACH * r_fine, margin)
    # all but a few grains decide; the few go to coarser levels. Which ones need not be exact: some grains speak for all
    some = V[:: max(1, len(V) // SAMPLE), :3]
    square = dot(some, some)
    place = max(0, len(some) - 1 - int(FAST_SHARE * len(some)))
    common = math.sqrt(float(np.partition(square, place)[place]))
    few_fast = fast > FAST_RATIO * common
    speed = common if few_fast else fast
    g = float(norm(gravity))
    span = min(rest, max((limit - margin) / max(speed + g * rest, 1e-9), h))
    if span < rest:
        # as many legs as that takes, none of them a short one at the end; legs are whole substeps
        span = min(rest, rest / math.ceil(rest / span - LEG_SPARE) + substep)
    fall = g * span * span
    # what is fast would have to be listed with all that it may pass
    time = span if few_fast else max(span, min(LONG_STEPS * dt, (long - margin - fall) / max(speed, 1e-9)))
    drop = drop_in(gravity, span, substep)
    fallen = float(norm(drop))
    half, blow = 0.5 * margin, BLOW_MOST * (2.0 * min(spread, speed) * time)
    cover = half + blow
    far = cover + speed * time + fallen
    # of two that fall together only one falls towards the other; and two never meet faster than velocities lie apart
    apart = min(2.0 * far, cover + max(far, cover + 2.0 * spread * time + fallen))
    return Reach(span, time, half, blow, drop, far * SPARE, apart * SPARE)


def drop_in(gravity: NDArray[np.float32], time: float, substep: float) -> NDArray[np.float32]:
    """What gravity adds to a grain's way in a time made of substeps (s), m."""
    drop: NDArray[np.float32] = np.float32(0.5 * time * (time + min(substep, time))) * gravity
    return drop
