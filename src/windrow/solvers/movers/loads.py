"""What bodies carried in the substep before, as the guess that the next one begins with: loads stay, blows do not."""

from __future__ import annotations

import numpy as np

from windrow.geometry.terms import F64
from windrow.kernel import inner
from windrow.solvers.movers.meeting import Moving, answer

GRAVITY = 9.81
"""m/s²: a load that gives a body less speed than this in a substep is no blow."""


@inner
def kept_share(push: F64, before: F64, after: F64, gain: float) -> float:
    """Share of the impulses `push` (k, 6) that bodies start with; before, after: their velocities without and with it.

    A load that stays stops what the body would do without it. A blow is over: given once more, it throws a light body
    faster than a few sweeps take back. The two differ in the energy that they give. Of a push that gives more than
    `gain` (J), the share is kept that leaves the body with the least energy.
    """
    slowed = raised = 0.0
    for s in range(push.shape[0]):
        for k in range(6):
            slowed -= push[s, k] * before[s, k]
            raised += push[s, k] * (after[s, k] - before[s, k])
    if 0.5 * raised - slowed <= gain:
        return 1.0
    return min(max(slowed / raised, 0.0), 1.0)


@inner
def start_with(moving: Moving, push: F64, h: float) -> F64:
    """Gives bodies the impulses `push` (k, 6) of the substep before, of h (s), as far as they are a load.

    Returns the share of each body that it was given.
    """
    bodies = moving.V.shape[0]
    before = moving.V.copy()
    for s in range(bodies):
        answer(moving, s, push[s, 0], push[s, 1], push[s, 2], push[s, 3], push[s, 4], push[s, 5])
    share = np.ones(bodies)
    first = 0
    while first < bodies:
        end = moving.end[first]
        weight = 0.0
        for s in range(first, end):
            weight += moving.mass[s]
        gain = weight * (GRAVITY * h) ** 2
        share[first:end] = kept_share(push[first:end], before[first:end], moving.V[first:end], gain)
        if share[first] < 1.0:
            for s in range(first, end):
                for k in range(6):
                    moving.V[s, k] = before[s, k] + share[s] * (moving.V[s, k] - before[s, k])
        first = end
    return share
