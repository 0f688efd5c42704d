"""Who touches whom and how hard: the laws, plainly, at the present places and velocities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.solvers.dem.laws import ARRAYS, STATE, Touch, Triple, contact
from windrow.solvers.dem.walls import WallTouches
from windrow.state.contacts import Contacts
from windrow.state.state import State

if TYPE_CHECKING:
    from windrow.solvers.dem.solver import DEMStepper


def _columns(vectors: NDArray[np.float64]) -> Triple:
    return vectors[:, 0], vectors[:, 1], vectors[:, 2]


def told_contacts(stepper: DEMStepper, state: State) -> Contacts:
    """All contacts that act."""
    if state.count == 0 or len(stepper.ids) != state.count or not np.array_equal(stepper.ids, state.id[: state.count]):
        return Contacts.none()
    parts = [_pairs(stepper, state)]
    obstacles = len(stepper.model.obstacles)
    parts.append(_walls(stepper, state, stepper.walls, np.arange(obstacles)))
    parts.append(_walls(stepper, state, stepper.bodies, obstacles + stepper.owner))
    return Contacts.in_order(*parts)


def _pairs(stepper: DEMStepper, state: State) -> Contacts:
    lists, count = stepper.lists, state.count
    slices = (count + 7) // 8
    depth = lists.depth[:slices].astype(np.int64)
    ends = np.cumsum(depth)
    entry = np.repeat(lists.first[:slices] // 8 - (ends - depth), depth) + np.arange(int(ends[-1]))
    memory = lists.memory.reshape(-1, lists.memory_columns, 8)[entry]
    grain = 8 * np.repeat(np.arange(slices), depth)[:, None] + np.arange(8)
    other = lists.neighbours.reshape(-1, 8)[entry]
    live = (memory[:, STATE] != 0) & (grain < count) & (grain < other)
    row, lane = np.nonzero(live)
    i, j = grain[row, lane], other[row, lane].astype(np.int64)
    X, V = state.X.astype(np.float64), state.V.astype(np.float64)
    spin, low = state.columns["spin"].astype(np.float64), state.columns["rest"][:, :3].astype(np.float64)
    d = (X[i, :3] - X[j, :3]) + (low[i] - low[j])
    distance = norm(d)
    n = d / distance[:, None]
    overlap = X[i, 3] + X[j, 3] - distance
    short = 0.5 * overlap if stepper.settings.lever == "overlap" else 0.0 * overlap
    arm_i, arm_j = X[i, 3] - short, X[j, 3] - short
    u = V[i, :3] - V[j, :3] - np.cross(arm_i[:, None] * spin[i] + arm_j[:, None] * spin[j], n)
    radius = X[i, 3] * X[j, 3] / (X[i, 3] + X[j, 3])
    smaller = np.minimum(X[i, 3], X[j, 3])
    inverse = np.maximum(V[i, 3] + V[j, 3], 1e-30)
    touch = Touch(overlap, _columns(n), _columns(u), _columns(spin[i] - spin[j]), radius, smaller, inverse)
    pair = stepper.table[state.material[i] * stepper.model.kinds + state.material[j]].astype(np.float64).T
    least = 0.0 if stepper.settings.limit_damping else -np.inf
    given = contact(ARRAYS, stepper.law, touch, pair, list(memory[row, :, lane].astype(np.float64).T), 0.0, least)
    force = np.stack(given.force, axis=1) if len(i) else np.zeros((0, 3))
    point = X[i, :3] - arm_i[:, None] * n
    return Contacts(state.id[i], state.id[j], np.full(len(i), -1, np.int64), point, n, force)


def _walls(stepper: DEMStepper, state: State, walls: WallTouches, body: NDArray[np.int64]) -> Contacts:
    """Walls gave what they gave in the last substep."""
    now, many = walls.now, walls.many
    live = np.flatnonzero((now.memory[:many, STATE] != 0) & (now.given[:many, :3] != 0).any(axis=1))
    i, n = now.grain[live], now.plane[live, :3].astype(np.float64)
    point = state.X[i, :3].astype(np.float64) - now.given[live, 7:].astype(np.float64) * n
    force = now.given[live, :3].astype(np.float64)
    none = np.full(len(live), -1, np.int64)
    return Contacts(state.id[i], none, body[now.key[live]].astype(np.int64), point, n, force)


