"""What the grains did to the bodies: exactly minus the momentum the walls gave the grains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts
from windrow.kernel import kernel
from windrow.state.state import State


@kernel
def _sum_reactions(start, end, plane, push, body, P, V, count, poses, h, force, torque):
    """Serial over contacts, in double precision: the sum must not depend on the thread count.

    Contact q moved grain i by push over the substep, and so gave it the impulse m push/h. The body receives
    the opposite at the point of contact, p − n r.
    """
    for i in range(count):
        if V[i, 3] == 0.0:
            continue
        scale = -1.0 / (np.float64(V[i, 3]) * h * h)
        for q in range(start[i], end[i]):
            k = body[q]
            f0, f1, f2 = scale * push[q, 0], scale * push[q, 1], scale * push[q, 2]
            r = np.float64(P[i, 3])
            a0 = P[i, 0] - r * plane[q, 0] - poses[k, 9]
            a1 = P[i, 1] - r * plane[q, 1] - poses[k, 10]
            a2 = P[i, 2] - r * plane[q, 2] - poses[k, 11]
            force[k, 0] += f0
            force[k, 1] += f1
            force[k, 2] += f2
            torque[k, 0] += a1 * f2 - a2 * f1
            torque[k, 1] += a2 * f0 - a0 * f2
            torque[k, 2] += a0 * f1 - a1 * f0


def reactions(
    walls: WallContacts, P: NDArray[np.float32], state: State, pose: NDArray[np.float64], h: float
) -> None:
    """Adds force and torque of one substep of length h to the state's bodies, at their pose at its end."""
    _sum_reactions(
        walls.start,
        walls.end,
        walls.plane,
        walls.push,
        walls.body,
        P,
        state.V,
        state.count,
        pose,
        h,
        state.body_force,
        state.body_torque,
    )
