"""What the contacts of NDEM carried, read from their memory: exactly the impulses that moved the grains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.solvers.ndem.colouring import Batches
from windrow.solvers.ndem.memory import places_before, walls_to_arrays
from windrow.solvers.ndem.walls import WallBatches
from windrow.state.contacts import Contacts
from windrow.state.state import State


def remembered_contacts(
    batches: Batches, walls: WallBatches, ids: NDArray[np.int64], h: float, state: State
) -> Contacts:
    """Contacts with their forces over the last substep, of length h (s): impulse over h. None before the first step.

    `ids`: grains in the order that the memory refers to. Contacts of grains that have left are left out.
    Points, and the normals of pairs, are those of the present positions: two grains touch half way between
    their surfaces, a grain and a wall at the grain's point deepest in it, where the reaction acts.
    """
    if h <= 0.0:
        return Contacts.none()
    now = state.id[: state.count]
    place = np.arange(len(ids)) if np.array_equal(ids, now) else places_before(now, ids)
    place = np.append(place, -1).astype(np.int64)  # for idle lanes, whose grains are beyond the last one
    X = state.X[: state.count].astype(np.float64)
    movable = state.V[: state.count, 3] > 0
    return Contacts.in_order(_pairs(batches, place, X, now, h), _walls(walls, place, X, movable, now, h))


def _pairs(
    batches: Batches, place: NDArray[np.int64], X: NDArray[np.float64], id: NDArray[np.int64], h: float
) -> Contacts:
    ends = np.concatenate([batches.ends.transpose(0, 2, 1).reshape(-1, 2), batches.stray_ends])
    impulse = np.concatenate([batches.impulse.transpose(0, 2, 1).reshape(-1, 3), batches.stray_impulse])
    i, j = place[np.minimum(ends, len(place) - 1)].T
    loaded = (i >= 0) & (j >= 0) & impulse.any(axis=1)
    i, j = i[loaded], j[loaded]
    line = X[i, :3] - X[j, :3]
    distance = norm(line)
    normal = line / np.maximum(distance, 1e-30)[:, None]
    half_way = 0.5 * (distance + X[i, 3] - X[j, 3])
    return Contacts(
        first=id[i],
        second=id[j],
        body=np.full(len(i), -1),
        point=X[i, :3] - half_way[:, None] * normal,
        normal=normal,
        force=impulse[loaded].astype(np.float64) / h,
    )


def _walls(
    walls: WallBatches,
    place: NDArray[np.int64],
    X: NDArray[np.float64],
    movable: NDArray[np.bool_],
    id: NDArray[np.int64],
    h: float,
) -> Contacts:
    kept = walls_to_arrays(walls, len(place) - 1)
    i = np.repeat(place[:-1], kept["wall_count"])
    # grains that cannot move are not swept: what the memory holds for them means nothing
    loaded = (i >= 0) & movable[i] & kept["wall_impulse"].any(axis=1)
    i, normal = i[loaded], kept["wall_plane"][loaded, :3].astype(np.float64)
    return Contacts(
        first=id[i],
        second=np.full(len(i), -1),
        body=kept["wall_body"][loaded].astype(np.int64),
        point=X[i, :3] - X[i, 3:] * normal,
        normal=normal,
        force=kept["wall_impulse"][loaded].astype(np.float64) / h,
    )
