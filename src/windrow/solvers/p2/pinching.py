"""Grains that have no room in P²: between a tool and a wall, or under a press that closes.

A centre that is under a surface was pressed there by another one, because no centre goes through a wall by itself
(`collide.holding`). The law would push it out by its whole depth within one substep: metres, where a tool has carried
it through a wall. So it stays where it is, immovable and counted, until a surface has left it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts
from windrow.geometry.terms import F32, I32, U8
from windrow.kernel import BLOCK
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)
NO_ROOM = F(0.25)
"""Depth of its centre under two surfaces, of its radius, from which on a grain has no room. Out from under a single one
the law may push it, if it is not deeper than a radius."""
SHOT_OUT, SHOT_OUT_OF_TWO = F(20.0), F(1.0)
"""m/s that the spring of a single surface, and of one of two, has to hold for it. Soft grains rest deeper than a radius
by their own weight, and theirs hold less."""
STIFFNESS = 0
"""Column of the pairs of materials, N/m."""


@parallel
def mark_pinched(
    team: Any, X: F32, A: F32, count: int, start: I32, end: I32, plane: F32, slide: F32, pair: I32, pairs: F32,
    pinched: U8, partial: NDArray[np.int64],
) -> None:  # fmt: skip
    """Marks grains X {x, y, z, r} without room where the surfaces are when the substep begins.

    partial[b, 0]: how many of block b.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        many = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            over, shot = 0, 0
            for row in range(start[i], end[i]):
                n0, n1, n2 = plane[row, 0], plane[row, 1], plane[row, 2]
                offset = plane[row, 3] - (n0 * slide[row, 0] + n1 * slide[row, 1] + n2 * slide[row, 2])
                above = n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - offset
                # a spring k pressed by the depth d gives a grain of inverse mass w at most √(k w) d
                speed2 = pairs[pair[row], STIFFNESS] * A[i, 7] * above * above
                over += 1 if above < -NO_ROOM * X[i, 3] and speed2 > SHOT_OUT_OF_TWO * SHOT_OUT_OF_TWO else 0
                shot += 1 if above < -X[i, 3] and speed2 > SHOT_OUT * SHOT_OUT else 0
            pinched[i] = 1 if over > 1 or shot > 0 else 0
            many += pinched[i]
        partial[b, 0] = many


def keep_in_place(X: F32, A: F32, walls: WallContacts, rows: NDArray[np.int64]) -> None:
    """Grains of these rows are where the substep began; nothing moves them, and they have given the walls nothing."""
    A[rows, :3], A[rows, 4:] = X[rows, :3], ZERO
    for i in rows:
        walls.push[walls.start[i] : walls.end[i]] = ZERO
