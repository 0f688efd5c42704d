"""Back to the start or to a snapshot in place: the same, to the bit, as a simulation that was just made or restored."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.machines.loading import loading_operator
from windrow.machines.yard import rock_yard
from windrow.record.checkpoint import load_snapshot, save_snapshot

SCENES = ("ball_in_sand", "blade", "cloth", "drum", "hopper", "loader_gravel", "pile", "rope_ladder", "wheel_and_plank")
"""grains of both solvers, emitters, sinks, links, moving obstacles, bodies, a machine"""
DRIVEN = {"throttle": 0.6, "lift": 0.7, "tilt": 0.4}


def drive(simulation: wr.Simulation, steps: int) -> None:
    for name in simulation.controls:
        simulation.control(name, DRIVEN.get(name, 0.0))
    for _ in range(steps):
        simulation.step()


def assert_same(one: wr.Simulation, other: wr.Simulation) -> None:
    """What they hold, what they tell, and how they go on."""
    assert one.hash() == other.hash()
    assert one.ledger == other.ledger
    assert one.last_report is other.last_report is None
    seen, expected = one.frame(), other.frame()
    for name, value in vars(expected).items():
        np.testing.assert_array_equal(getattr(seen, name), value, err_msg=name)
    assert_same_contacts(one, other)
    if one.bodies is not None and other.bodies is not None:
        assert len(one.bodies.contact_reading().force) == len(other.bodies.contact_reading().force)
        for joint in one.bodies.joints.names:
            mine, theirs = one.bodies.joint(joint), other.bodies.joint(joint)
            np.testing.assert_array_equal(mine.force, theirs.force)
            assert (mine.coordinate, mine.rate, mine.along) == (theirs.coordinate, theirs.rate, theirs.along)
    drive(one, 50)
    drive(other, 50)
    assert one.hash() == other.hash()


def assert_same_contacts(one: wr.Simulation, other: wr.Simulation) -> None:
    for name, value in vars(other.contacts).items():
        np.testing.assert_array_equal(getattr(one.contacts, name), value, err_msg=name)


@pytest.mark.parametrize("name", SCENES)
def test_reset_equals_a_new_simulation(name: str) -> None:
    simulation = wr.Simulation(wr.load_scene(name))
    drive(simulation, 60)
    particles = simulation.particles
    simulation.reset()
    assert simulation.particles is particles
    assert simulation.time == 0.0
    assert_same(simulation, wr.Simulation(wr.load_scene(name)))


@pytest.mark.parametrize("name", SCENES)
def test_reset_to_a_snapshot_equals_a_restored_simulation(name: str) -> None:
    simulation = wr.Simulation(wr.load_scene(name))
    drive(simulation, 40)
    snapshot, told = simulation.snapshot(), simulation.frame()
    drive(simulation, 60)
    simulation.reset(snapshot)
    np.testing.assert_array_equal(simulation.frame().joint_force, told.joint_force)
    np.testing.assert_array_equal(simulation.frame().joint_rate, told.joint_rate)
    assert_same(simulation, wr.Simulation.restore(snapshot))
    simulation.reset()
    drive(simulation, 40)
    assert simulation.hash() == wr.Simulation.restore(snapshot).hash()


def bed() -> wr.Scene:
    scene = wr.Scene(solver=wr.NDEM(sleep_speed=0.02))
    scene.add_material("m", density=1600.0, friction_static=0.5, stiffness=1e5, damping=150.0)
    scene.add_open_box((-0.3, -0.3, 0.0), (0.3, 0.3, 1.0), "m")
    scene.add_block((-0.3, -0.3, 0.0), (0.6, 0.6, 0.2), 0.05, "m")
    return scene


def test_who_sleeps_and_who_was_woken() -> None:
    simulation = wr.Simulation(bed())
    while simulation.last_report is None or simulation.last_report.asleep < 0.5 * len(simulation.particles):
        simulation.step()
        assert simulation.time < 2.0
    asleep = simulation.snapshot()
    simulation.particles.velocity = np.tile((0.0, 0.0, 2.0), (len(simulation.particles), 1))
    assert simulation.step().asleep == 0
    awake = simulation.snapshot()
    for snapshot in (asleep, awake, asleep):
        simulation.reset(snapshot)
        assert_same(simulation, wr.Simulation.restore(snapshot))
    simulation.reset()
    assert_same(simulation, wr.Simulation(bed()))


def test_rocks_that_were_joined_at_rest() -> None:
    scene = rock_yard(12, (2, 2))
    simulation = wr.Simulation(scene)
    simulation.control("brake", 1.0)
    simulation.run(4.0)
    assert simulation.bodies is not None
    assert simulation.bodies.merger.asleep > 0
    at_rest = simulation.snapshot()
    simulation.bodies.wake_all()
    drive(simulation, 10)
    simulation.reset(at_rest)
    assert_same(simulation, wr.Simulation.restore(at_rest))
    simulation.reset()
    assert_same(simulation, wr.Simulation(scene))


def test_bodies_that_were_woken_by_hand_are_in_the_snapshot() -> None:
    simulation = wr.Simulation(rock_yard(12, (2, 2)))
    simulation.control("brake", 1.0)
    simulation.run(4.0)
    assert simulation.bodies is not None
    simulation.bodies.wake_all()
    again = wr.Simulation.restore(simulation.snapshot())
    drive(simulation, 20)
    drive(again, 20)
    assert again.hash() == simulation.hash()


def test_an_operator_begins_again_with_its_machine() -> None:
    simulation, operator, hashes = wr.Simulation(rock_yard(4, (2, 2))), loading_operator(7.0), []
    for _ in range(2):
        for _ in range(90):
            operator.act(simulation, simulation.solver.dt)
            simulation.step()
        assert operator.phase == "approach"
        hashes.append(simulation.hash())
        simulation.reset()
        operator.reset()
        assert (operator.phase, operator.done) == ("settle", [])
    assert hashes[0] == hashes[1]


def test_restored_loaded_and_pickled_simulations_know_their_start(tmp_path: Path) -> None:
    made = wr.Simulation(wr.load_scene("pile"), seed=3)
    drive(made, 20)
    made.save(tmp_path / "now.h5")
    for again in (
        wr.Simulation.restore(made.snapshot()),
        wr.Simulation.load(tmp_path / "now.h5"),
        pickle.loads(pickle.dumps(made)),
    ):
        again.reset()
        assert again.seed == 3
        assert_same(again, wr.Simulation(wr.load_scene("pile"), seed=3))


def test_reset_takes_a_file(tmp_path: Path) -> None:
    simulation = wr.Simulation(wr.load_scene("wheel_and_plank"))
    drive(simulation, 20)
    simulation.save(tmp_path / "now.h5")
    before = simulation.hash()
    drive(simulation, 20)
    simulation.reset(tmp_path / "now.h5")
    assert simulation.hash() == before
    drive(simulation, 20)
    simulation.reset(load_snapshot(tmp_path / "now.h5"))
    assert simulation.hash() == before


class Refused(Exception):
    pass


def _refuse(*_: Any, **__: Any) -> None:
    raise Refused


@pytest.fixture
def nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packing, compiling, building and looking at scenes are refused."""
    monkeypatch.setattr("windrow.scene.start.packed", _refuse)
    for name in ("compile_parts", "model_of", "stepper_for", "MultibodyStepper", "scene_to_json"):
        monkeypatch.setattr(f"windrow.sim.simulation.{name}", _refuse)
    for name in ("scene_from_json", "solver_settings_from_json"):
        monkeypatch.setattr(f"windrow.sim.saved.{name}", _refuse)


def test_reset_makes_nothing_anew(request: pytest.FixtureRequest) -> None:
    simulation = wr.Simulation(wr.load_scene("loader_gravel"))
    drive(simulation, 5)
    snapshot = simulation.snapshot()
    arrays = {name: getattr(simulation.state, name) for name in ("body_force", "emitter_carry")}
    request.getfixturevalue("nothing_is_made")
    for _ in range(3):
        simulation.step()
        simulation.reset()
        simulation.step()
        simulation.reset(snapshot)
        simulation.snapshot()
    assert all(getattr(simulation.state, name) is array for name, array in arrays.items())
    with pytest.raises(Refused):
        wr.Simulation(wr.load_scene("loader_gravel"))


@pytest.mark.parametrize("name", ["loader_gravel", "cloth", "rope_ladder"])
def test_restoring_places_no_grain(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = wr.Simulation(wr.load_scene(name))
    drive(simulation, 5)
    snapshot = simulation.snapshot()
    monkeypatch.setattr("windrow.scene.start.packed", _refuse)
    monkeypatch.setattr("windrow.scene.start._grains_of", _refuse)
    again = wr.Simulation.restore(snapshot)
    monkeypatch.undo()
    assert_same(again, wr.Simulation.restore(snapshot))
    drive(simulation, 50)
    assert again.hash() == simulation.hash()


def test_grains_are_placed_once_when_a_simulation_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from windrow.scene import start

    times, packed = [], start.packed

    def counted(*given: Any) -> Any:
        times.append(given)
        return packed(*given)

    monkeypatch.setattr(start, "packed", counted)
    scene = wr.Scene()
    scene.add_material("m", density=1600.0)
    scene.add_block((0, 0, 1), (0.3, 0.3, 0.3), 0.02, "m", packing="random")
    scene.particles.append(scene.particles[0].model_copy(update={"lower": (0, 0, 2)}))
    rope = wr.Scene(**{name: getattr(scene, name) for name in ("materials", "particles")})
    rope.add_rope((0, 0, 5), (1, 0, 5), 4, "m")
    times.clear()
    wr.Simulation(scene)
    assert len(times) == 2
    wr.Simulation(rope)
    assert len(times) == 4


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (lambda scene: scene.add_sphere((9, 9, 9), 0.1, "m"), "scene"),
        (lambda scene: setattr(scene, "solver", wr.P2(iterations=3)), "scene"),
    ],
)
def test_a_snapshot_of_another_scene_is_refused(other: Any, what: str) -> None:
    scene = wr.Scene()
    scene.add_material("m", density=1600.0)
    scene.add_particles((0, 0, 1), material="m")
    simulation = wr.Simulation(scene)
    other(scene)
    foreign = wr.Simulation(scene).snapshot()
    assert not simulation.fits(foreign)
    with pytest.raises(SceneError, match=rf"another {what}.*Simulation\.restore"):
        simulation.reset(foreign)
    with pytest.raises(SceneError, match="another solver"):
        simulation.reset(wr.Simulation(simulation.scene, solver=wr.P2(substeps=2)).snapshot())


BROKEN: dict[str, Any] = {
    "bodies.x": None,
    "bodies.reading_rate": None,
    "bodies.reading_J": np.zeros((1, 24)),
    "bodies.reading_span": np.array(np.nan),
    "bodies.expected": np.zeros((1, 5)),
    "links.first": None,
    "links.second": np.zeros(1, np.int64),
    "links.more": np.zeros(1),
    "state.material": np.full(3, 99, np.int32),
    "state.ledger.initial": "many",
    "memory.more": np.zeros(1),
    "changes": '[[0.0, 7, "x"]]',
    "recording.id": "of a checkpoint without its step",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_snapshot_is_refused_and_nothing_is_changed(name: str, tmp_path: Path) -> None:
    simulation = wr.Simulation(wr.load_scene("wheel_and_plank"))
    drive(simulation, 5)
    broken = simulation.snapshot()
    drive(simulation, 5)
    before = simulation.hash()
    broken[name] = BROKEN[name]
    if broken[name] is None:
        del broken[name]
    word = "step" if name == "recording.id" else name.rpartition(".")[2]
    with pytest.raises(FileFormatError, match=rf"the snapshot cannot be used: .*{word}"):
        simulation.reset(broken)
    assert simulation.hash() == before
    with pytest.raises(FileFormatError, match=word):
        wr.Simulation.restore(broken)
    save_snapshot(tmp_path / "now.h5", broken)
    with pytest.raises(FileFormatError, match=rf"now\.h5: .*{word}"):
        simulation.reset(tmp_path / "now.h5")


def test_links_of_another_scene_are_refused() -> None:
    simulation = wr.Simulation(wr.load_scene("rope_ladder"))
    snapshot = simulation.snapshot()
    ends = len(simulation.particles)
    for name, value in (("first", ends), ("second", -1), ("length", np.nan), ("stiffness", np.nan), ("damping", -1.0)):
        other = snapshot[f"links.{name}"].copy()
        other[2] = value
        for use in (simulation.reset, wr.Simulation.restore):
            with pytest.raises(FileFormatError, match=rf"links\.{name} "):
                use({**snapshot, f"links.{name}": other})
    shorter = {**snapshot, "links.length": 0.5 * snapshot["links.length"]}
    with pytest.raises(FileFormatError, match=r"links\.length is not that of the scene"):
        simulation.reset(shorter)
