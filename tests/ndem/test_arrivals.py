"""Grains that come and go in a bed: the lists follow without a search, and nothing is missed or lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import R, box_of_planes, lattice, soil
from scipy.spatial import cKDTree
from test_lists import listed

import windrow as wr
from windrow.collide.levels import quantile
from windrow.scene import Box, Sphere
from windrow.solvers.ndem import skin
from windrow.solvers.ndem.arrivals import changes_between
from windrow.solvers.ndem.skin import Escaped
from windrow.solvers.ndem.solver import NDEMStepper


def bed_that_changes() -> wr.Scene:
    """A bed at rest, 6 layers deep, that a few grains fall on while others are taken out of its middle."""
    scene = soil()
    box_of_planes(scene, 12 * R)
    scene.add_particles(position=lattice(12, 12, 6), radius=R, material="soil")
    mouth = Box(size=(0.8, 0.8, 0.3))
    scene.add_emitter(mouth, R, "soil", position=(0, 0, 1.0), rate=150.0, velocity=(0, 0, -2.0), stop=2.0)
    scene.add_sink(Sphere(radius=0.13), position=(0.1, 0.1, 0.2))
    return scene


def check_lists(simulation: wr.Simulation) -> None:
    """All that overlaps is listed, once, and swept once."""
    stepper, count = simulation._stepper, simulation.state.count
    assert isinstance(stepper, NDEMStepper)
    pairs = stepper.kept.pairs
    near = cKDTree(simulation.state.X[:count, :3].astype(float)).query_pairs(1.999 * R, output_type="ndarray")
    found = listed(pairs.lists, count)
    assert len(found) == len(set(found))
    assert {(int(min(p)), int(max(p))) for p in near} <= set(found)
    swept = [tuple(sorted(map(int, pair))) for pair in pairs.overflow_ends]
    ends = pairs.ends.transpose(0, 2, 1).reshape(-1, 2)
    swept += [tuple(sorted(map(int, pair))) for pair in ends[ends[:, 0] < count]]
    assert sorted(swept) == sorted(found)
    # where each entry of the lists says that its pair is
    lists, many = pairs.lists, pairs.lists.length[:count].astype(int)
    own = np.repeat(np.arange(count), many)
    entry = np.repeat(lists.first[:count] + many - np.cumsum(many), many) + np.arange(many.sum())
    other = np.where(lists.other[entry] < 0, -1 - lists.other[entry], lists.other[entry])
    both = np.concatenate([ends, pairs.overflow_ends])[pairs.slot[entry]]
    assert (both == np.stack([own, other], axis=1)).all()


def test_lists_follow_grains_that_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SHARE_MOST", "OVERFLOW_SHARE"):
        monkeypatch.setattr(skin, name, 0.5)  # as many as a larger bed may have
    simulation = wr.Simulation(bed_that_changes(), solver=wr.NDEM(), threads=1)
    kept = came = went = 0
    for _ in range(40):
        sunk = simulation.state.ledger.sunk
        report = simulation.step()
        sunk = simulation.state.ledger.sunk - sunk
        came, went = came + report.emitted, went + sunk
        kept += bool((report.emitted or sunk) and not report.notes["searches"])
        assert report.notes["missed_pairs"] == 0
        check_lists(simulation)
    print(came, went, kept)
    assert came > 50
    assert went > 20
    assert kept > 20


def test_threads_and_restarts_keep_the_bits_while_grains_come_and_go(tmp_path: Path) -> None:
    one, two = (wr.Simulation(bed_that_changes(), solver=wr.NDEM(), threads=k) for k in (1, 2))
    for step in range(24):
        one.step()
        two.step()
        if step % 3 == 0:
            two.save(tmp_path / "now.h5")
            two = wr.Simulation.load(tmp_path / "now.h5", threads=2)
        assert one.hash() == two.hash()


@pytest.mark.parametrize("search", [False, True], ids=["in place", "by a search"])
def test_a_grain_that_leaves_does_not_push_those_that_stay(search: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another grain takes the row of the one that has left, with its impulses: it must not notice."""
    if search:
        monkeypatch.setattr(Escaped, "most", staticmethod(lambda count: -1))
    scene = soil()
    box_of_planes(scene, 10 * R)
    scene.add_particles(position=lattice(10, 10, 4), radius=R, material="soil")
    scene.add_sink(Sphere(radius=0.1 * R), position=(-9 * R, -9 * R, 7 * R), start=1.0)
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    while simulation.state.ledger.sunk == 0:
        report = simulation.step()
    assert report.notes["searches"] == search
    far = simulation.particles.position[:, 0] > -7.5 * R
    assert far.sum() == 360
    assert np.abs(simulation.particles.velocity[far]).max() < 1e-4
    weight = float(simulation.particles.mass.astype(float).sum()) * 9.81
    assert simulation.state.body_force[:, 2].sum() == pytest.approx(-weight, rel=1e-3)


@given(st.data())
def test_what_has_changed_is_found(data: st.DataObject) -> None:
    """Departures and arrivals as the state makes them, at random, against the ids themselves."""
    count, g = data.draw(st.integers(1, 30)), np.random.default_rng(data.draw(st.integers(0, 999)))
    before = g.permutation(count).astype(np.int64)
    now, next_id = before.copy(), count
    for _ in range(data.draw(st.integers(0, 3))):
        kept = g.random(len(now)) < 0.8
        n = int(kept.sum())
        now[: len(now)][np.flatnonzero(~kept[:n])] = now[n:][kept[n:]]
        many = int(g.integers(0, 4))
        now = np.append(now[:n], np.arange(next_id, next_id + many))
        next_id += many
    changes = changes_between(before, now, 1000)
    if changes is None:
        return  # a grain moved to a row from which another one had moved
    assert set(before[changes.gone]) == set(before) - set(now)
    assert set(now[changes.fresh]) == set(now) - set(before)
    assert (before[changes.source] == now[changes.target]).all()
    moved = {int(i) for i in before if i in now and np.flatnonzero(before == i) != np.flatnonzero(now == i)}
    assert set(before[changes.source]) == moved
    many = len(changes.fresh) + len(changes.target)
    assert changes_between(before, now, many) is not None
    assert many == 0 or changes_between(before, now, many - 1) is None


@given(st.integers(1, 50), st.floats(0, 1), st.floats(0, 2), st.integers(0, 99))
def test_a_guess_of_a_quantile_changes_nothing(count: int, share: float, guess: float, seed: int) -> None:
    values = np.random.default_rng(seed).integers(0, 8, count).astype(np.float32) / 4
    exact = float(np.quantile(values, share, method="lower"))
    assert quantile(values, share) == quantile(values, share, guess) == quantile(values, share, exact) == exact
