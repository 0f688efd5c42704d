"""The only place where the number of grains changes: emitters, sinks, and the edge of the domain.

Random numbers come from a counter-based generator keyed by seed, emitter and step, so that they need no
state of their own and a restarted run draws the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from windrow.fixed_math import cube, norm, rotate
from windrow.geometry.query import distance_to_obstacles, inside_region
from windrow.scene.flow import Emitter
from windrow.scene.grains import sampled_radii
from windrow.scene.motion import rotation_matrix
from windrow.state.model import Model
from windrow.state.state import State

TRIES = 8
"""Random places tried per grain that is due; what finds no room waits for the next step."""


@dataclass
class Exchanged:
    """What one exchange did."""

    emitted: int = 0
    sunk: int = 0
    left_domain: int = 0
    waiting: int = 0
    """grains that were due and found no room, or no capacity"""


def exchange(model: Model, state: State, dt: float, seed: int) -> Exchanged:
    """Removes what sinks and the domain's edge take, then adds what the emitters owe for the coming step."""
    done = Exchanged()
    _drain(model, state, done)
    _leave(model, state, done)
    for number, emitter in enumerate(model.scene.emitters):
        _emit(model, state, number, emitter, dt, seed, done)
    return done


def _mass(state: State, chosen: NDArray[np.bool_] | slice) -> float:
    w = state.V[: state.count, 3][chosen].astype(np.float64)
    return float((1.0 / w[w > 0]).sum())


def _drain(model: Model, state: State, done: Exchanged) -> None:
    for sink in model.scene.sinks:
        if state.count == 0 or not sink.start <= state.time < sink.stop:
            continue
        rotation = rotation_matrix(np.deg2rad(sink.rotation_deg))
        taken = inside_region(sink.region, np.asarray(sink.position), rotation, state.X[: state.count, :3])
        if taken.any():
            state.ledger.sunk += int(taken.sum())
            state.ledger.sunk_mass += _mass(state, taken)
            done.sunk += int(taken.sum())
            state.keep(~taken)


def _leave(model: Model, state: State, done: Exchanged) -> None:
    domain = model.scene.domain
    if domain is None or state.count == 0:
        return
    X = state.X[: state.count, :3]
    outside: NDArray[np.bool_] = np.any(
        (np.asarray(domain.lower) > X) | (np.asarray(domain.upper) < X), axis=1
    )
    if outside.any():
        state.ledger.left_domain += int(outside.sum())
        state.ledger.left_domain_mass += _mass(state, outside)
        done.left_domain += int(outside.sum())
        state.keep(~outside)


def _emit(
    model: Model, state: State, number: int, emitter: Emitter, dt: float, seed: int, done: Exchanged
) -> None:
    if not emitter.start <= state.time < emitter.stop:
        return
    random = np.random.Generator(np.random.Philox(key=[seed, number], counter=[state.step, 0, 0, 0]))
    density = model.scene.materials[emitter.material].density
    grain = _mean_mass(emitter, density)
    rate = emitter.rate if emitter.rate is not None else (emitter.mass_rate or 0.0) / grain
    state.emitter_carry[number] += rate * dt
    due = int(state.emitter_carry[number])
    if emitter.count is not None:
        due = min(due, emitter.count - int(state.emitter_count[number]))
    room = state.capacity - state.count
    wanted = min(due, room)
    if wanted <= 0:
        done.waiting += max(due, 0)
        return
    radius = sampled_radii(emitter.radius, wanted, random)
    place, chosen = _free_places(model, state, emitter, radius, random)
    radius = radius[chosen]
    n = len(place)
    mass = density * (4.0 / 3.0) * np.pi * cube(radius)
    spread = emitter.velocity_spread * random.uniform(-1.0, 1.0, (n, 3))
    material = np.full(n, model.material_names.index(emitter.material), np.int32)
    state.append(place, np.asarray(emitter.velocity) + spread, radius, mass, material)
    # A grain without room is still owed, but not more than a second's worth piles up behind a blocked mouth.
    state.emitter_carry[number] = min(state.emitter_carry[number] - n, max(rate, 1.0))
    state.emitter_count[number] += n
    state.ledger.emitted += n
    state.ledger.emitted_mass += _mass(state, slice(state.count - n, state.count))
    done.emitted += n
    done.waiting += due - n


def _mean_mass(emitter: Emitter, density: float) -> float:
    """Mean mass of an emitted grain, from a fixed large sample: the rate must not depend on the draw."""
    sample = sampled_radii(emitter.radius, 4096, np.random.Generator(np.random.Philox(key=[0, 0])))
    return float(np.mean(density * (4.0 / 3.0) * np.pi * cube(sample)))


def _free_places(
    model: Model, state: State, emitter: Emitter, radius: NDArray[np.float64], random: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Places in the region that touch neither a grain nor an obstacle nor one another, and whose they are."""
    rotation = rotation_matrix(np.deg2rad(emitter.rotation_deg))
    size = np.asarray(_half_size(emitter))
    n = len(radius)
    local = random.uniform(-1.0, 1.0, (TRIES, n, 3)) * size
    places = rotate(rotation, local.reshape(-1, 3)) + np.asarray(emitter.position)
    usable = inside_region(emitter.region, np.asarray(emitter.position), rotation, places)
    if len(model.obstacles):
        distance, _ = distance_to_obstacles(model.shapes, model.poses(state.time), places.astype(np.float32))
        usable &= distance > np.tile(radius, TRIES)
    usable = usable.reshape(TRIES, n)
    places = places.reshape(TRIES, n, 3)

    reach = float(radius.max())
    X = state.X[: state.count].astype(np.float64)
    span = norm(size) + 2.0 * reach + (X[:, 3].max() if state.count else 0.0)
    near = X[(np.abs(X[:, :3] - np.asarray(emitter.position)) < span).all(axis=1)]
    tree = cKDTree(near[:, :3]) if len(near) else None
    widest = float(near[:, 3].max()) if len(near) else 0.0

    found: list[NDArray[np.float64]] = []
    owner: list[int] = []
    for grain in range(n):
        for attempt in range(TRIES):
            if not usable[attempt, grain]:
                continue
            p, r = places[attempt, grain], radius[grain]
            if tree is not None:
                others = near[tree.query_ball_point(p, r + widest)]
                if len(others) and (norm(others[:, :3] - p) < others[:, 3] + r).any():
                    continue
            if found:
                gaps = norm(np.array(found) - p) - radius[owner] - r
                if gaps.min() < 0:
                    continue
            found.append(p)
            owner.append(grain)
            break
    return np.array(found).reshape(-1, 3), np.array(owner, np.int64)


def _half_size(emitter: Emitter) -> tuple[float, float, float]:
    region = emitter.region
    if region.kind == "box":
        return (region.size[0] / 2, region.size[1] / 2, region.size[2] / 2)
    if region.kind == "sphere":
        return (region.radius,) * 3
    return (region.radius, region.radius, region.height / 2)
