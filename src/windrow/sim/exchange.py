"""The only place where the number of grains changes: emitters, sinks, and the edge of the domain.

Random numbers come from a counter-based generator keyed by seed, emitter and step, so that they need no
state of their own and a restarted run draws the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import cube
from windrow.geometry.query import inside_region
from windrow.scene.grains import mean_volume, sampled_radii
from windrow.scene.motion import rotation_matrix
from windrow.scene.start import particle_mass
from windrow.sim.placing import TRIES, free_places, mouth_of
from windrow.solvers.movers.movers import Movers
from windrow.state.model import Model
from windrow.state.state import State

AT_ONCE = 2048
"""Grains for which an emitter looks for room in one step; the others wait for the next, as do those that find none."""


@dataclass
class Exchanged:
    """What one exchange did."""

    emitted: int = 0
    sunk: int = 0
    left_domain: int = 0
    waiting: int = 0
    """grains that were due and found no room, or no capacity"""


def exchange(model: Model, state: State, dt: float, seed: int, movers: Movers | None = None) -> Exchanged:
    """Removes what sinks and the domain's edge take, then adds what the emitters owe for the coming step.

    No grain is placed into a rigid body (`movers`) either.
    """
    done = Exchanged()
    _drain(model, state, done)
    _leave(model, state, done)
    for number in range(len(model.scene.emitters)):
        due = _due(model, state, number, dt)
        wanted = min(due, state.capacity - state.count, AT_ONCE)
        emitted = _emit(model, state, number, wanted, seed, movers) if wanted > 0 else 0
        done.emitted += emitted
        done.waiting += due - emitted
    return done


def _drain(model: Model, state: State, done: Exchanged) -> None:
    for sink in model.scene.sinks:
        if state.count == 0 or not sink.start <= state.time < sink.stop:
            continue
        rotation = rotation_matrix(np.deg2rad(sink.rotation_deg))
        taken = inside_region(sink.region, np.asarray(sink.position), rotation, state.X[: state.count, :3])
        taken = _with_clumps(state, taken)
        if taken.any():
            state.ledger.sunk += int(taken.sum())
            state.ledger.sunk_mass += state.mass(taken)
            done.sunk += int(taken.sum())
            state.keep(~taken)


def _with_clumps(state: State, taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Clumps go as a whole: with one ball all others of it are taken."""
    if "clump" not in state.columns or not taken.any():
        return taken
    clump = state.columns["clump"][: state.count]
    return np.asarray(taken | ((clump >= 0) & np.isin(clump, clump[taken])))


def _leave(model: Model, state: State, done: Exchanged) -> None:
    domain = model.scene.domain
    if domain is None or state.count == 0:
        return
    X = state.X[: state.count, :3]
    outside: NDArray[np.bool_] = np.any(
        (np.asarray(domain.lower) > X) | (np.asarray(domain.upper) < X), axis=1
    )
    outside = _with_clumps(state, outside)
    if outside.any():
        state.ledger.left_domain += int(outside.sum())
        state.ledger.left_domain_mass += state.mass(outside)
        done.left_domain += int(outside.sum())
        state.keep(~outside)


def _emit(model: Model, state: State, number: int, wanted: int, seed: int, movers: Movers | None) -> int:
    """Places up to `wanted` grains where there is room; returns how many."""
    emitter = model.scene.emitters[number]
    # The step is the second word: drawing counts up the first, so that streams that differ in it would overlap.
    random = np.random.Generator(np.random.Philox(key=[seed, number], counter=[0, state.step, 0, 0]))
    radius = sampled_radii(emitter.radius, wanted, random)
    chance = random.uniform(-1.0, 1.0, (wanted, TRIES, 3))
    walls = [(model.shapes, model.poses(state.time))]
    if movers is not None:
        walls.append((movers.solid, movers.poses_now()))
    mouth = mouth_of(emitter, float(radius.max()))
    others = _in_the_way(model, state, emitter.material)
    place, found = free_places(mouth, others, len(others), walls, radius.astype(np.float32), chance)
    n, radius = len(place), radius[found]
    made_of = model.scene.materials[emitter.material]
    cubes, density = model.continuum or made_of.liquid, made_of.density
    mass = particle_mass(density, radius, True) if cubes else density * (4.0 / 3.0) * np.pi * cube(radius)
    spread = emitter.velocity_spread * random.uniform(-1.0, 1.0, (n, 3))
    material = np.full(n, model.material_names.index(emitter.material), np.int32)
    state.append(place.astype(np.float64), np.asarray(emitter.velocity) + spread, radius, mass, material)
    state.emitter_carry[number] -= n
    state.emitter_count[number] += n
    state.ledger.emitted += n
    state.ledger.emitted_mass += state.mass(slice(state.count - n, state.count))
    return n


def _in_the_way(model: Model, state: State, material: str) -> NDArray[np.float32]:
    """Rows of X of the particles that leave no room: liquid and grains may be at one place."""
    liquid = np.array([made_of.liquid for made_of in model.scene.materials.values()])
    X = state.X[: state.count]
    if liquid.all() or not liquid.any():
        return X
    return X[liquid[state.material[: state.count]] == model.scene.materials[material].liquid]


def _due(model: Model, state: State, number: int, dt: float) -> int:
    """Grains that an emitter owes in the coming step."""
    emitter = model.scene.emitters[number]
    if not emitter.start <= state.time < emitter.stop:
        return 0
    rate = emitter.rate
    if rate is None:
        made_of = model.scene.materials[emitter.material]
        volume = mean_volume(emitter.radius) * (6.0 / np.pi if model.continuum or made_of.liquid else 1.0)
        rate = (emitter.mass_rate or 0.0) / (made_of.density * volume)
    # What finds no room is still owed, but not more than a second's worth piles up behind a blocked mouth.
    state.emitter_carry[number] = min(state.emitter_carry[number], max(rate, 1.0)) + rate * dt
    due = int(state.emitter_carry[number])
    return due if emitter.count is None else min(due, emitter.count - int(state.emitter_count[number]))
