"""No pair is missed: the lists against brute force, and whole runs against the true overlaps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import R, lattice, settling, soil
from scipy.spatial import cKDTree

import windrow as wr
from windrow.collide.grid import bounds_of
from windrow.collide.levels import finest_size
from windrow.collide.pairs import PairLists
from windrow.collide.paths import DEFLECTION, Cutoff
from windrow.solvers.ndem.motion import spread_of_velocities
from windrow.solvers.ndem.skin import cutoff_for
from windrow.solvers.ndem.solver import NDEMStepper
from windrow.solvers.sorting import Sorter
from windrow.state.state import State


def listed(lists: PairLists, count: int) -> list[tuple[int, int]]:
    found = []
    for i in range(count):
        for e in lists.other[lists.first[i] : lists.first[i] + lists.length[i]]:
            j = int(e) if e >= 0 else -1 - int(e)
            found.append((min(i, j), max(i, j)))
    return found


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(2, 300),
    ratio=st.sampled_from([1.6, 5.0, 20.0]),
    large=st.integers(0, 3),
    fast=st.integers(0, 3),
    stretch=st.sampled_from([1.0, 3.0, 3000.0]),
    shift=st.sampled_from([0.0, -7.0]),
)
def test_lists_hold_what_brute_force_finds(
    seed: int, count: int, ratio: float, large: int, fast: int, stretch: float, shift: float
) -> None:
    """Every pair within the rule of `collide/pairs.py` once, and none twice; boulders, shots and strays far away."""
    g = np.random.default_rng(seed)
    margin, time, gravity = 0.01, 0.01, np.array([0.0, 0.0, -9.81], np.float32)
    state = State.empty(count, 0, 0)
    radius = 0.03 * ratio ** g.uniform(0, 1, count) if large < 3 else g.uniform(0.03, 0.05, count)
    radius[:large] = g.uniform(0.1, 0.6, large)[: count if count < large else large]
    velocity = g.normal(0, 0.8, (count, 3))
    velocity[-fast - 1 : -1] *= 20.0
    side = 2.4 * (radius**3).sum() ** (1 / 3)
    position = g.uniform(0, side, (count, 3)) + shift
    position[: count // 10] *= stretch
    mass = np.ones(count)
    state.append(position, velocity, radius, mass, np.zeros(count, np.int32), g.random(count) < 0.1)
    sorter = Sorter(count)
    rows = np.concatenate([state.X, state.V], axis=1)
    spare = np.zeros_like(rows)
    finest = finest_size(state.X[:, 3])
    velocities, bounds, spread = state.V[:, :3], np.zeros((3, 6), np.float32), np.zeros(3, np.float32)
    bounds_of(state.V, count, bounds)
    spread_of_velocities(state.V, count, bounds, spread)
    middle = 0.5 * (velocities.min(axis=0) + velocities.max(axis=0))
    assert float(spread[0]) == pytest.approx(np.linalg.norm(velocities - middle, axis=1).max(), rel=1e-5)
    speed = np.linalg.norm(velocities, axis=1)
    cutoff = cutoff_for(
        state.V, finest, gravity, margin, float(speed.max()), float(spread[0]), time, time, time / 5, time
    )
    if sorter.sort(state, rows, spare, finest, cutoff):
        rows = spare
    X, V = np.ascontiguousarray(rows[:, :4]), np.ascontiguousarray(rows[:, 4:])
    lists = PairLists(count)
    impact = lists.search(X, V, sorter.levels, cutoff)

    x, v = X.astype(float), V.astype(float)
    i, j = np.triu_indices(count, 1)
    line = x[i, :3] - x[j, :3]
    distance = np.linalg.norm(line, axis=1)
    gap = distance - x[i, 3] - x[j, 3]
    travel = cutoff.time * v[:, :3] + np.where(v[:, 3:] > 0, cutoff.drop, 0.0)
    skin = lists.columns[7, :count].astype(float)
    assert (skin > 0.5 * margin - 1e-6).all()
    assert (skin < 0.5 * margin + cutoff.deflection + 1e-6).all()
    line /= np.maximum(distance, 1e-12)[:, None]
    mine, theirs = (np.einsum("na,na->n", line, travel[k]) for k in (i, j))
    limit = skin[i] + skin[j] + np.maximum(theirs, 0.0) + np.maximum(-mine, 0.0)
    closing = (theirs - mine) / cutoff.time
    movable = (v[i, 3] > 0) | (v[j, 3] > 0)
    found = listed(lists, count)
    assert len(found) == len(set(found))
    wanted = set(
        zip(
            i[movable & (gap < limit - 1e-6)].tolist(),
            j[movable & (gap < limit - 1e-6)].tolist(),
            strict=True,
        )
    )
    allowed = set(
        zip(
            i[movable & (gap < limit + 1e-6)].tolist(),
            j[movable & (gap < limit + 1e-6)].tolist(),
            strict=True,
        )
    )
    if stretch < 1000:
        assert wanted <= set(found) <= allowed
    else:  # float32 positions are coarse so far away
        assert wanted <= set(found)
    rate = closing / np.minimum(x[i, 3], x[j, 3])
    swiftest = [
        rate[movable & (gap < cutoff.span * closing + spare)].max(initial=0.0) for spare in (-1e-5, 1e-5)
    ]
    if stretch < 1000:
        assert swiftest[0] * 0.999 <= impact <= swiftest[1] * 1.001
    if radius.max() > 4.0 * finest and not fast:  # a fast one is treated like a large one
        assert len(sorter.levels.frame) > 1


def test_a_slow_grain_beside_a_fast_one_has_a_wider_skin() -> None:
    """But not one that is far away, nor one of many that fall together."""
    time, r = 0.01, 0.05
    cutoff = Cutoff(time, time, 0.005, 0.03, np.zeros(3, np.float32), 0.1, 0.2)
    state = State.empty(5, 0, 0)
    position = np.array([[0.0, 0.0, 0.0], [0.12, 0.0, 0.0], [3.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 0.12, 0.0]])
    velocity = np.array([[5.0, 0.0, 0.0], [0.0] * 3, [0.0] * 3, [0.0, 0.0, -5.0], [0.0, 0.0, -5.0]])
    state.append(position, velocity, np.full(5, r), np.ones(5), np.zeros(5, np.int32), np.zeros(5, np.bool_))
    sorter, rows = Sorter(5), np.concatenate([state.X, state.V], axis=1)
    spare = np.zeros_like(rows)
    if sorter.sort(state, rows, spare, r, cutoff):
        rows = spare
    X, V = np.ascontiguousarray(rows[:, :4]), np.ascontiguousarray(rows[:, 4:])
    lists = PairLists(5)
    lists.search(X, V, sorter.levels, cutoff)
    places = X[:, :2].astype(float).round(2).tolist()
    skin = {tuple(place): float(lists.columns[7, k]) for k, place in enumerate(places)}
    hit = 0.005 + float(DEFLECTION) * 5.0 * time
    expected = {(0.0, 0.0): hit, (0.12, 0.0): hit, (3.0, 0.0): 0.005, (6.0, 0.0): 0.005, (6.0, 0.12): 0.005}
    assert skin == pytest.approx(expected)


def bombardment() -> wr.Scene:
    """Shots of 30 m/s into a block at rest."""
    scene = soil()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
    scene.add_particles(position=lattice(8, 8, 8), radius=R, material="soil")
    scene.add_particles(
        position=[(0.01, 0.03, 1.6), (-1.5, 0.02, 0.5)],
        velocity=[(0, 1, -30), (30, 0, 0)],
        radius=R,
        mass=5.0,
        material="soil",
    )
    return scene


def gas() -> wr.Scene:
    """Mixed sizes, fast, in a closed box."""
    g = np.random.default_rng(3)
    scene = soil(gravity=(0, 0, 0))
    scene.add_box(position=(0, 0, 0.7), size=(1.8, 1.8, 1.8), material="soil", inside=True)
    points = lattice(7, 7, 7, 0.2)
    scene.add_particles(
        position=points,
        velocity=g.normal(0, 8, points.shape),
        radius=g.uniform(0.02, 0.09, len(points)),
        material="soil",
    )
    return scene


@pytest.mark.parametrize(
    "made", [lambda: settling(500, speed=5.0), bombardment, gas], ids=["fall", "shots", "gas"]
)
def test_every_overlap_is_a_contact(made) -> None:
    simulation = wr.Simulation(made(), solver=wr.NDEM(), threads=1)
    stepper = simulation._stepper
    assert isinstance(stepper, NDEMStepper)
    deepest = 0.0
    for _ in range(40):
        notes = simulation.step().notes
        count = simulation.state.count
        X = simulation.state.X[:count].astype(float)
        pairs = cKDTree(X[:, :3]).query_pairs(2 * X[:, 3].max(), output_type="ndarray")
        gap = np.linalg.norm(X[pairs[:, 0], :3] - X[pairs[:, 1], :3], axis=1) - X[pairs, 3].sum(axis=1)
        touching = {(int(min(p)), int(max(p))) for p in pairs[gap < 0]}
        assert touching <= set(listed(stepper.kept.pairs.lists, count))
        assert notes["missed_pairs"] == 0
        deepest = max(deepest, notes["overlap_peak"], 1e-9)
        overlap = (-gap / X[pairs, 3].min(axis=1)).max(initial=0.0)
        assert overlap <= deepest * 1.5 + 0.1  # the notes' peak is of the begin of substeps
    assert deepest > 0.0
