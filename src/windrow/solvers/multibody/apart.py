"""Which bodies never touch: those that a joint joins, and those of one group."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from windrow.geometry.terms import I32, I64
from windrow.scene.scene import Scene


def apart_of(scene: Scene, joined: I32, things: int, off_ground: Iterable[int] = ()) -> tuple[I64, I64]:
    """(things,) number of the group of each, −1: none; and, ascending, first · things + second of pairs beside that.

    `joined` (joints, 2): their bodies, −1: the world; `off_ground`: bodies that do not touch the last thing, the
    terrain. A body that meets some of its group leaves it; it then has a pair
    with each of the others.
    """
    names = {name: k for k, name in enumerate(dict.fromkeys(b.group for b in scene.bodies if b.group))}
    group = np.full(things, -1, np.int64)
    for k, body in enumerate(scene.bodies):
        if not body.meets:
            group[k] = names.get(body.group, -1)
    pairs = {
        (min(a, b) * things + max(a, b))
        for joint, (a, b) in zip(scene.joints, joined.tolist(), strict=True)
        if b >= 0 and not joint.collide
    }
    pairs |= {body * things + things - 1 for body in off_ground}
    for k, body in enumerate(scene.bodies):
        for i, other in enumerate(scene.bodies):
            touches = other.name in body.meets or body.name in other.meets
            if body.meets and body.group and other.group == body.group and not touches and i != k:
                pairs.add(min(i, k) * things + max(i, k))
    return group, np.array(sorted(pairs), np.int64)
