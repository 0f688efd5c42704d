"""Grains that have no room: between a tool and a wall, or under a press that closes.

Two rigid surfaces that close on a grain ask for the impossible. Whatever a contact law answers, it would press the
grain through one of them, or store a force that throws it out later. So a grain whose centre is under a surface is held
where it is, immovable and counted, until the surface has left it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.collide.walls import WallContacts
from windrow.geometry.terms import F32, I32
from windrow.kernel import BLOCK, device
from windrow.team import deal, parallel

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
NO_ROOM = F(0.25)
"""Depth of its centre under a surface, of its radius, from which on a grain has no room."""


@device
def has_no_room(
    x: float, y: float, z: float, r: float, begin: int, end: int, plane: F32, slide: F32
) -> bool:
    """Whether the surface of any of its contacts, where it is at the begin of the step, lies over the centre."""
    for row in range(begin, end):
        n0, n1, n2 = plane[row, 0], plane[row, 1], plane[row, 2]
        offset = plane[row, 3] - (n0 * slide[row, 0] + n1 * slide[row, 1] + n2 * slide[row, 2])
        if n0 * x + n1 * y + n2 * z - offset < -NO_ROOM * r:
            return True
    return False


@parallel
def hold_pinched(
    team: Any, X: F32, U: F32, count: int, start: I32, end: I32, plane: F32, slide: F32, partial: F32
) -> None:
    """Holds grains X {x, y, z, r} without room, by U {v, 1/m} = 0. partial[b, 0]: how many of block b."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        held = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if U[i, 3] > ZERO and has_no_room(X[i, 0], X[i, 1], X[i, 2], X[i, 3], start[i], end[i], plane, slide):
                U[i, 0] = U[i, 1] = U[i, 2] = U[i, 3] = ZERO
                held += ONE
        partial[b, 0] = held


def pinched_by(found: WallContacts, X: F32, U: F32, count: int, partial: F32) -> int:
    """Makes grains without room under these surfaces immovable; returns how many they are."""
    hold_pinched(X, U, count, found.start, found.end, found.plane, found.slide, partial)
    return int(partial[: (count + BLOCK - 1) // BLOCK, 0].sum())
