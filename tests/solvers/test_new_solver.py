"""A solver is one file: its columns go everywhere that grains go, and nobody else is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from falling import Falling, FallingPoints

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.record.recorder import Recorder
from windrow.scene import Box
from windrow.scene.files import scene_from_json, scene_to_json
from windrow.solvers.registry import register, solver_class, solver_names, unregister
from windrow.state.columns import StateColumn
from windrow.state.state import State
from windrow.view.live import LiveSource
from windrow.view.packing import moment_of, quantities_of

DT = 1 / 60


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register(FallingPoints)
    yield
    unregister(FallingPoints)


def rain(**columns: object) -> wr.Scene:
    """Points in no order of space, some that come later, and a sink that takes the lowest."""
    scene = wr.Scene()
    scene.add_material("sand", density=1600.0)
    places = np.random.default_rng(3).uniform((-1.0, -1.0, 2.0), (1.0, 1.0, 4.0), (60, 3))
    places = places[np.argsort(-places[:, 0])]
    scene.add_particles(places, radius=0.01, material="sand", **columns)
    scene.add_emitter(Box(size=(1.0, 1.0, 1.0)), 0.01, "sand", position=(0, 0, 9), rate=120.0, count=20)
    scene.add_sink(Box(size=(20.0, 20.0, 2.0)), position=(0, 0, 0))
    return scene


def started(**columns: object) -> wr.Simulation:
    return wr.Simulation(rain(**columns), solver=Falling(), threads=1)


def test_columns_follow_the_grains_through_sorts_arrivals_and_departures() -> None:
    age = np.arange(60.0)
    simulation = started(age=age, tint=np.arange(180).reshape(60, 3))
    made = {}
    for step in range(60):
        before = set(simulation.particles.id.tolist())
        simulation.step()
        made |= {int(i): step for i in set(simulation.particles.id.tolist()) - before}
    ids = simulation.particles.id
    assert simulation.ledger["emitted"] == 20
    assert simulation.ledger["sunk"] > 5
    assert not (np.diff(simulation.state.id[: simulation.state.count]) > 0).all(), "sorted by cell, not by id"
    expected = [age[i] + 60 * DT if i < 60 else (60 - made[int(i)]) * DT for i in ids]
    assert simulation.particles.age == pytest.approx(expected, abs=1e-12)
    first = ids < 60
    assert (simulation.particles.tint[first] == np.arange(180).reshape(60, 3)[ids[first]]).all()
    assert (simulation.particles.tint[~first] == (1, 2, 3)).all()


def test_points_fall_as_the_closed_form_says() -> None:
    simulation = started()
    start = simulation.particles.position
    for _ in range(10):
        simulation.step()
    there = simulation.particles.id < 60
    fallen = start[simulation.particles.id[there]] - simulation.particles.position[there]
    assert fallen[:, 2] == pytest.approx(9.81 * DT * DT * 55, rel=1e-4)  # semi-implicit Euler: g Δt² n(n + 1)/2
    assert simulation.time == pytest.approx(10 * DT)


def test_a_restart_equals_the_unbroken_run(tmp_path: Path) -> None:
    simulation = started(age=2.0)
    simulation.run(0.3)
    simulation.save(tmp_path / "now.h5")
    again = wr.Simulation.load(tmp_path / "now.h5", threads=1)
    assert again.hash() == simulation.hash()
    for one in (simulation, again):
        one.run(1.0)
    assert again.hash() == simulation.hash()
    assert (again.particles.age == simulation.particles.age).all()
    simulation.reset()
    assert (simulation.particles.age == 2.0).all()


def test_columns_decide_the_hash_and_are_checked_in_snapshots() -> None:
    simulation = started()
    before, snapshot = simulation.hash(), simulation.snapshot()
    simulation.particles.age = 1.0
    assert simulation.hash() != before
    age = snapshot["state.age"]
    for wrong, why in (
        (age - 1.0, "age holds -1.0; at least 0.0 is needed"),
        (age * np.nan, "age holds nan, which is not finite"),
        (age.astype(np.float32), "age holds float32, not float64"),
        (age[:-1], r"age has the shape \(59,\)"),
    ):
        with pytest.raises(FileFormatError, match=why):
            wr.Simulation.restore({**snapshot, "state.age": wrong})
    with pytest.raises(FileFormatError, match="age is missing"):
        wr.Simulation.restore({name: value for name, value in snapshot.items() if name != "state.age"})


def test_recordings_have_the_columns_and_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "rain.h5"
    simulation = started(age=1.0)
    simulation.run(0.2, record=path)
    with wr.Recording(path) as recording:
        assert recording.columns["age"] == {"unit": "s", "description": "time since the grain was made"}
        last = recording[-1]
        assert last.columns["age"].dtype == np.float64
        assert (last.columns["age"] == simulation.particles.age).all()
        assert (last.columns["tint"] == simulation.particles.tint).all()
        frames = len(recording)
    again = wr.Simulation.load(f"{path}.checkpoint", threads=1)
    again.run(0.1)
    with Recorder(path, append=True) as recorder:
        recorder.write(again.frame())
    with wr.Recording(path) as recording:
        assert len(recording) == frames + 1
        assert (recording[-1].columns["age"] == again.particles.age).all()
        assert (recording[frames - 1].columns["age"] == last.columns["age"]).all()


def test_the_station_shows_recorded_columns() -> None:
    simulation = started(age=np.arange(60.0))
    source = LiveSource(simulation)
    live = source.moment({"age", "speed", "nothing"})
    assert set(live.grains.vectors) == {"age", "speed"}
    assert quantities_of(live.columns) == ["speed", "force", "moisture", "age", "tint"]
    shown = moment_of(simulation.frame(), {"age"}, simulation.scene)
    assert (shown.grains.vectors["age"][:, 0] == np.arange(60.0)).all()
    assert (np.sort(live.grains.vectors["age"][:, 0]) == np.arange(60.0)).all()
    assert set(source.moment({"nothing"}).grains.vectors) == {"speed"}


def test_particles_read_write_and_refuse() -> None:
    simulation = started()
    simulation.step()
    values = np.linspace(0.0, 1.0, len(simulation.particles))
    simulation.particles.age = values
    assert (simulation.particles.age == values).all()
    assert simulation.particles.columns["age"] == "time since the grain was made, s"
    for value, why in (
        (-1.0, r"particles\.age: -1\.0 given; at least 0"),
        (np.inf, r"particles\.age: inf given"),
        (np.zeros(3), r"particles\.age: shape \(3,\) given"),
        ("old", r"particles\.age: holds <U3; numbers are needed"),
    ):
        with pytest.raises(SceneError, match=why):
            simulation.particles.age = value
    with pytest.raises(SceneError, match="tint: values do not fit into uint8"):
        simulation.particles.tint = 300
    with pytest.raises(AttributeError, match="Did you mean 'age'"):
        _ = simulation.particles.agge
    with pytest.raises(SceneError, match="unknown array 'colour'"):
        simulation.particles.colour = 1


def test_what_a_scene_says_of_columns_is_checked_against_the_solver() -> None:
    with pytest.raises(SceneError, match=re.escape("particles[0].columns.spin: the solver falling has no such column")):
        started(spin=(0, 0, 1))
    with pytest.raises(SceneError, match=re.escape("particles[0].columns.age: -1.0 given; at least 0 is needed")):
        started(age=-1.0)
    with pytest.raises(SceneError, match=re.escape("particles[0].columns.tint: shape (60,) given; (60, 3) needed")):
        started(tint=np.zeros(60))
    with pytest.raises(SceneError, match="has no such column"):
        wr.Simulation(rain(age=1.0))
    scene = rain()
    scene.add_block((-1, -1, 5), (0.2, 0.2, 0.2), 0.02, "sand", columns={"age": 7.0})
    again = scene_from_json(scene_to_json(scene))
    simulation = wr.Simulation(again, solver=Falling(), threads=1)
    assert (simulation.particles.age[60:] == 7.0).all()
    assert (simulation.particles.age[:60] == 0.0).all()


def test_scene_files_keep_columns(tmp_path: Path) -> None:
    scene = rain(age=np.arange(60.0), tint=(4, 5, 6))
    for name in ("rain.toml", "rain.json", "rain.yaml"):
        wr.save_scene(scene, tmp_path / name)
        simulation = wr.Simulation(wr.load_scene(tmp_path / name), solver=Falling(), threads=1)
        assert (simulation.particles.age == np.arange(60.0)).all()
        assert (simulation.particles.tint == (4, 5, 6)).all()


def test_what_it_does_not_tell_is_said() -> None:
    simulation = started()
    with pytest.raises(SceneError, match="'falling' does not tell its contact forces; use 'ndem'"):
        _ = simulation.contacts
    assert "falling" in solver_names()
    unregister(FallingPoints)
    with pytest.raises(SceneError, match=r"solver\.name: unknown solver 'falling'"):
        solver_class("falling")


@pytest.mark.parametrize("name", ["X", "position", "not a name", "_own", "1st"])
def test_a_column_needs_a_name_of_its_own(name: str) -> None:
    with pytest.raises(ValueError, match="needs a name of its own"):
        StateColumn(name)


@pytest.mark.parametrize("solver", [wr.P2(sleep_threshold=1e-4), wr.NDEM(sleep_speed=0.1)], ids=["p2", "ndem"])
def test_bookkeeping_of_solvers_is_in_columns_of_their_own(solver: wr.P2 | wr.NDEM) -> None:
    scene = wr.Scene()
    scene.add_material("sand", density=1600.0, stiffness=1e4, damping=15.0)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.add_particles([(0, 0, 0.05), (0.5, 0, 0.05)], radius=0.05, material="sand")
    simulation = wr.Simulation(scene, solver=solver, threads=1)
    simulation.run(1.5)
    assert isinstance(simulation.state, State)
    assert (simulation.state.flags == 0).all(), "flags say who is frozen, and nothing else"
    (name,) = simulation.particles.columns
    assert getattr(simulation.particles, name).dtype == np.uint8
    with pytest.raises(SceneError, match="bookkeeping"):
        setattr(simulation.particles, name, 0)
    if "sleep" in simulation.particles.columns:
        assert (simulation.particles.sleep == 255).all()
