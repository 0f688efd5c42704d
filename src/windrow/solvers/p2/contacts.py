"""Contact forces of P², which keeps none: by the spring law on the overlaps it leaves.

P² moves grains several times in a step and averages; a force between two grains is never computed, and no single
correction is a measure of one. The springs that stay compressed at the end of a step are: k ζ along the normal,
without damper, friction or adhesion. They are forces of the overlaps, not of the weight: where P² sinks under depth
they are wrong with it. What walls gave the grains is known: m push/h² for a displacement `push` in all over
a substep h. It includes friction, and adds up to the bodies' reaction forces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.touching import touching_pairs
from windrow.collide.walls import WallContacts, find_walls
from windrow.fixed_math import dot
from windrow.geometry.pieces import pieces_of
from windrow.scene.scene import Scene
from windrow.solvers.movers.meeting import Meetings
from windrow.state.contacts import Contacts
from windrow.state.form import Array
from windrow.state.model import Model
from windrow.state.state import State

STIFFNESS = 0
"""Column of the model's pair values."""


TOLD = {
    "first": Array(np.int64, ("told",), low=0),
    "body": Array(np.int64, ("told",), low=0),
    "point": Array(np.float64, ("told", 3)),
    "normal": Array(np.float64, ("told", 3)),
    "force": Array(np.float64, ("told", 3)),
}
"""Contacts with obstacles and bodies as they are in snapshots, see `Contacts`."""


def spring_contacts(model: Model, state: State, beside: Contacts | None) -> Contacts:
    """Contacts of a state. beside: what obstacles and bodies gave in its last substep; None: there was none, and
    obstacles count by the spring law as well."""
    if state.count == 0:
        return Contacts.none()
    return Contacts.in_order(_pairs(model, state), _wall_springs(model, state) if beside is None else beside)


def told_contacts(told: dict[str, NDArray[Any]]) -> Contacts:
    """From the form that they have in snapshots."""
    return Contacts(second=np.full(len(told["first"]), -1), **told)


def _pairs(model: Model, state: State) -> Contacts:
    X = state.X[: state.count].astype(np.float64)
    i, j, distance = touching_pairs(X[:, :3], X[:, 3])
    movable = (state.V[i, 3] > 0) | (state.V[j, 3] > 0)
    i, j, distance = i[movable], j[movable], distance[movable]
    normal = (X[i, :3] - X[j, :3]) / np.maximum(distance, 1e-30)[:, None]
    overlap = X[i, 3] + X[j, 3] - distance
    k = model.pairs[state.material[i] * model.kinds + state.material[j], STIFFNESS].astype(np.float64)
    return Contacts(
        first=state.id[i],
        second=state.id[j],
        body=np.full(len(i), -1),
        point=X[i, :3] - (X[i, 3] - 0.5 * overlap)[:, None] * normal,
        normal=normal,
        force=(k * overlap)[:, None] * normal,
    )


def wall_contacts(state: State, walls: WallContacts, h: float) -> Contacts:
    """By what the walls gave the grains in the last substep, of length h (s)."""
    i, row = _rows(walls, state)
    pushed = walls.push[row, :3].any(axis=1)
    i, row = i[pushed], row[pushed]
    force = walls.push[row, :3] / (state.V[i, 3].astype(np.float64) * h * h)[:, None]
    return _at_walls(state, walls, i, row, force)


def _wall_springs(model: Model, state: State) -> Contacts:
    """By the spring law on the present overlap."""
    walls, pose = WallContacts(state.capacity), model.poses(state.time)
    rest = np.zeros((state.count, 8), np.float32)
    rest[:, :4] = state.X[: state.count]
    find_walls(state.X, rest, state.material, state.count, model.shapes, pose, pose, 0.0, model.kinds, walls)
    i, row = _rows(walls, state)
    plane, X = walls.plane[row].astype(np.float64), state.X[i].astype(np.float64)
    overlap = plane[:, 3] + X[:, 3] - dot(plane[:, :3], X[:, :3])
    pressed = overlap > 0.0
    i, row = i[pressed], row[pressed]
    k = model.pairs[walls.pair[row], STIFFNESS].astype(np.float64)
    return _at_walls(state, walls, i, row, (k * overlap[pressed])[:, None] * plane[pressed, :3])


def _rows(walls: WallContacts, state: State) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Grain and row of every contact with a wall of grains that can move."""
    start, end = walls.start[: state.count], walls.end[: state.count]
    many = np.where(state.V[: state.count, 3] > 0, end - start, 0).astype(np.int64)
    i = np.repeat(np.arange(state.count), many)
    begin = np.cumsum(many) - many
    return i, start[i] + np.arange(len(i)) - begin[i]


def _at_walls(
    state: State,
    walls: WallContacts,
    i: NDArray[np.int64],
    row: NDArray[np.int64],
    force: NDArray[np.float64],
) -> Contacts:
    """The point is the grain's deepest in the wall, where the reaction acts."""
    X, normal = state.X[i].astype(np.float64), walls.plane[row, :3].astype(np.float64)
    return Contacts(
        first=state.id[i],
        second=np.full(len(i), -1),
        body=walls.body[row].astype(np.int64),
        point=X[:, :3] - X[:, 3:] * normal,
        normal=normal,
        force=force,
    )


def body_contacts(
    scene: Scene, state: State, meetings: Meetings, impulse: NDArray[np.float64], h: float
) -> Contacts:
    """By what moving bodies gave the grains in the last substep, of length h (s)."""
    loaded = np.flatnonzero(impulse.any(axis=1))
    i, owner = meetings.grain[loaded], pieces_of(scene).owner
    X, normal = state.X[i].astype(np.float64), meetings.plane[loaded, :3].astype(np.float64)
    return Contacts(
        first=state.id[i],
        second=np.full(len(i), -1),
        body=owner[meetings.piece[loaded]] + len(scene.obstacles),
        point=X[:, :3] - X[:, 3:] * normal,
        normal=normal,
        force=impulse[loaded] / h,
    )
