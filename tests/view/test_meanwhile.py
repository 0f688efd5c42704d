"""A station opens before everything is compiled: what is left is there before the first grain comes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from windrow.compiler import compile_meanwhile, compile_parts, seen_to
from windrow.scene import Scene
from windrow.sim.kernel_parts import BEFORE_GRAINS, first_parts, kernel_parts
from windrow.sim.simulation import Simulation
from windrow.view import meanwhile
from windrow.view.live import LiveSource
from windrow.view.meanwhile import Meanwhile
from windrow.view.messages import Step

FIRST_STEPS = """
import windrow as wr
from windrow.compiler import listed
from windrow.kernel import called_by_python
simulation = wr.Simulation(wr.load_scene("excavator"))
for _ in range(20):
    simulation.control("boom", 1.0)
    simulation.step()
assert simulation.state.count == 0
items = [item for item in listed() if called_by_python(item.dispatcher) and item.types in item.dispatcher.overloads]
print(len(items), *{item.name for item in items if not item.parts & {"ground before grains", "station"}})
"""


class Processes:
    """Stands for those that compile: so many looks until they are done."""

    def __init__(self, looks: int) -> None:
        self.looks, self.ended = looks, 0

    def left(self) -> list[int]:
        self.looks = max(self.looks - 1, 0)
        return [0] * self.looks

    def end(self) -> None:
        self.ended += 1


def dug_ground() -> Scene:
    """A blade that is let down into sand."""
    scene = Scene(title="dug")
    scene.add_material("steel")
    scene.add_terrain(size=(2.5, 2.0), cell=0.125, depth=1.0, soil="dry_sand")
    motion = {"kind": "linear", "velocity": (0.2, 0.0, -2.0)}
    scene.add_box((-0.4, 0.0, 1.5), (0.06, 0.4, 0.6), "steel", digs=True, motion=motion)
    return scene


def test_the_first_grain_waits_and_the_result_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "LOOK", 0.0)
    plain, held = Simulation(dug_ground()), Simulation(dug_ground())
    processes: Any = Processes(10_000)
    source = LiveSource(held, meanwhile=Meanwhile(processes, held))
    source.obey(Step(type="step", count=100))
    assert source.meanwhile is not None
    while not source.meanwhile.held:
        source.advance(0.0)
    now = held.state.step
    assert now > 0
    for _ in range(5):
        assert source.advance(0.0) > 0.0
    assert (held.state.step, held.state.count) == (now, 0)
    assert source.status()["busy"].endswith("; the machine waits for it")
    processes.looks = 0
    while held.state.step < now + 8:
        source.advance(0.0)
    while plain.state.step < held.state.step:
        plain.step()
    assert held.state.count > 0
    assert held.hash() == plain.hash()
    assert source.status().get("busy") is None


def test_pages_are_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "LOOK", -1.0)
    processes: Any = Processes(5)
    simulation = Simulation(dug_ground())
    source = LiveSource(simulation, meanwhile=Meanwhile(processes, simulation))
    shown = [source.status().get("busy", "") for _ in range(5)]
    assert [text.split(":")[-1].split(" %")[0].strip() for text in shown] == ["25", "50", "75", "", ""]
    assert simulation.before_grains is None
    assert processes.ended == 1


def test_processes_end_with_the_station() -> None:
    processes: Any = Processes(5)
    simulation = Simulation(dug_ground())
    LiveSource(simulation, meanwhile=Meanwhile(processes, simulation)).close()
    assert processes.ended == 1


def test_what_was_there_in_no_time_holds_nothing_up() -> None:
    processes: Any = Processes(0)
    simulation = Simulation(dug_ground())
    assert Meanwhile(processes, simulation).done
    assert simulation.before_grains is None


def test_only_grains_that_come_from_the_ground_can_wait() -> None:
    scene = dug_ground()
    assert first_parts(scene.assembled(), scene.solver) == kernel_parts(scene.assembled(), scene.solver)
    scene.add_machine("wheel_loader", position=(-6.0, 0.0, 0.0))
    assert first_parts(scene.assembled(), scene.solver) == {BEFORE_GRAINS}
    scene.add_particles([(0.0, 0.0, 2.0)], radius=0.05, material="steel")
    assert BEFORE_GRAINS not in first_parts(scene.assembled(), scene.solver)


def test_nothing_is_begun_where_all_is_there() -> None:
    compile_parts({"ndem"})
    assert compile_meanwhile({"ndem"}) is None
    with seen_to():
        assert compile_parts({"ndem"}) == 0


def test_a_standing_excavator_calls_no_other_kernels() -> None:
    environment = os.environ | {"WINDROW_COMPILE": "here"}
    command = [sys.executable, "-c", FIRST_STEPS]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    number, *others = done.stdout.split()
    assert int(number) > 20
    assert others == []
