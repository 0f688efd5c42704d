"""An operator who fills the bucket from a small heap of rocks, lifts it and dumps."""

from __future__ import annotations

import numpy as np
import pytest

from windrow import Simulation
from windrow.errors import SceneError
from windrow.machines.loading import CONTROLS, loading_operator
from windrow.machines.operator import Operator, Phase
from windrow.machines.readings import in_tool, payload
from windrow.machines.yard import rock_yard
from windrow.scene import Scene, Tool
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60


def test_a_heap_is_loaded_and_dumped() -> None:
    scene = rock_yard(120, (5, 6))
    bodies, tool = MultibodyStepper(scene), scene.placed_machines()[0].tool
    bodies.control("brake", 1.0)
    for _ in range(300):
        bodies.step(DT)
    operator = loading_operator(float(np.percentile(bodies.motion.x[:120, 0], 2)) - 0.3)
    carried = 0.0
    while not operator.finished:
        operator.act(bodies, DT)
        bodies.step(DT)
        if operator.phase == "weigh":
            carried = payload(bodies, tool)
            height = bodies.position("bucket")[2]
    assert carried > 1500.0
    assert height > 3.4
    assert payload(bodies, tool) < 0.05 * carried
    assert [name for name, _ in operator.done] == [phase.name for phase in operator.phases]
    assert np.isfinite(bodies.motion.x).all()


def test_phases_end_by_time_or_by_what_happened() -> None:
    phases = [
        Phase("wait", {}, 0.5),
        Phase("lift", {"lift": 1.0}, 9.0, lambda b: b.joint("lift").coordinate > 0.05),
    ]
    scene = rock_yard(0)
    simulation = Simulation(scene)
    operator = Operator(phases, list(CONTROLS))
    while not operator.finished:
        operator.act(simulation, DT)
        simulation.bodies.step(DT)
    assert operator.phase == ""
    (_, waited), (_, lifted) = operator.done
    assert waited == pytest.approx(0.5, abs=1.5 * DT)
    assert 0.2 < lifted < 2.0
    assert simulation.bodies.joint("lift").coordinate > 0.05
    assert (simulation.bodies.controls == 0.0).all()


def test_a_scene_without_bodies_has_nothing_to_operate() -> None:
    scene = Scene()
    scene.add_material("sand", density=2600.0)
    scene.add_particles((0.0, 0.0, 1.0), radius=0.05, material="sand")
    with pytest.raises(SceneError, match="has no bodies; add a machine"):
        Operator([Phase("go", {}, 1.0)], []).act(Simulation(scene), DT)


def test_the_room_of_a_tool_turns_with_it() -> None:
    tool = Tool(body="bucket", lower=(0.0, -1.0, 0.0), upper=(1.0, 1.0, 0.5), volume=1.0)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    points = np.array([[10.5, 0.5, 0.2], [10.0, 0.5, 0.2], [10.5, -0.1, 0.2], [8.9, 0.5, 0.2]])
    inside = in_tool(tool, turn, np.array([10.0, 0.0, 0.0]), points)
    assert inside.tolist() == [True, True, False, False]
