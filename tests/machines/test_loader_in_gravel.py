"""The wheel loader fills its bucket from a heap of grains, weighs it and dumps it."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.machines.loading import loading_operator
from windrow.machines.readings import bodies_in_tool, payload
from windrow.scene import Scene, Sphere, Tool
from windrow.view.workplace import Workplace

G = 9.81


def loaded(solver: wr.NDEM | wr.P2, rocks: int = 0) -> wr.Simulation:
    """A loader with gravel above its bucket, which is then rolled back and lifted; some falls beside it."""
    scene = Scene(solver=solver)
    scene.add_material("gravel", soil="gravel", stiffness=1e6)
    scene.add_plane((0, 0, 1), 0.0, "gravel", name="ground")
    scene.add_machine("wheel_loader")
    scene.add_block((3.45, -1.3, 0.5), (1.1, 2.6, 0.9), {"min": 0.068, "max": 0.092}, "gravel", packing="dense")
    for k in range(rocks):
        place = (3.9, 0.8 * (k - 0.5 * (rocks - 1)), 1.7)
        scene.add_body(f"rock {k}", "gravel", shapes=[Sphere(radius=0.2)], position=place)
    simulation = wr.Simulation(scene)
    simulation.control("brake", 1.0)
    for seconds, lever, value in ((1.0, "tilt", 0.3), (1.0, "tilt", 0.5), (1.5, "lift", 0.5), (4.0, "lift", 0.0)):
        simulation.control("tilt", 0.0)
        simulation.control(lever, value)
        simulation.run(seconds)
    return simulation


def weighed(simulation: wr.Simulation) -> float:
    """kg by the force on the bucket, over half a second"""
    pressing = []
    for _ in range(30):
        simulation.step()
        pressing.append(-simulation.body("bucket")[0][2])
    return float(np.mean(pressing)) / G


@pytest.mark.parametrize("rocks", [0, 2])
def test_the_payload_is_what_presses_on_the_bucket_and_what_the_gauge_shows(rocks: int) -> None:
    simulation = loaded(wr.NDEM(), rocks)
    (machine,) = simulation.scene.placed_machines()
    by_force, carried = weighed(simulation), payload(simulation, machine.tool)
    assert carried > 2000.0
    assert by_force == pytest.approx(carried, rel=0.02)
    gauge = Workplace(simulation).read(simulation)["tool"]
    assert gauge["mass"] == pytest.approx(carried, abs=0.01)
    held = bodies_in_tool(simulation.bodies, machine.tool)
    assert held == [f"rock {k}" for k in range(rocks)]


def test_grains_of_p2_are_weighed_too() -> None:
    scene = Scene(solver=wr.P2())
    scene.add_material("gravel", soil="gravel")
    scene.add_machine("wheel_loader")
    scene.add_particles([(4.0, 0.0, 0.6), (4.0, 0.5, 0.6), (9.0, 0.0, 0.6)], radius=0.1, mass=50.0, material="gravel")
    simulation = wr.Simulation(scene)
    (machine,) = scene.placed_machines()
    assert payload(simulation, machine.tool) == pytest.approx(100.0)
    with pytest.raises(SceneError, match=r"give the simulation, payload\(simulation, tool\)"):
        payload(simulation.bodies, machine.tool)


def test_a_tool_that_hangs_on_nothing_does_not_weigh_itself() -> None:
    scene = Scene()
    scene.add_material("steel")
    for name, x in (("tray", 0.0), ("ball", 0.1), ("other", 3.0)):
        scene.add_body(name, "steel", shapes=[Sphere(radius=0.1)], mass=7.0, position=(x, 0.0, 0.0))
    tool = Tool(body="tray", lower=(-1, -1, -1), upper=(1, 1, 1), volume=1.0)
    assert payload(wr.Simulation(scene), tool) == pytest.approx(7.0)


@pytest.mark.slow
def test_a_load_of_gravel_is_dug_weighed_and_dumped() -> None:
    simulation = wr.Simulation(wr.load_scene("loader_gravel"))
    (machine,) = simulation.scene.placed_machines()
    operator, dt = loading_operator(7.0), simulation.solver.dt
    carried, pressing = 0.0, []
    while not operator.finished and simulation.time < 60.0:
        operator.act(simulation, dt)
        simulation.step()
        if operator.phase == "weigh":
            carried = payload(simulation, machine.tool)
            pressing.append(-simulation.body("bucket")[0][2])
    assert operator.finished
    assert carried > 1500.0
    assert np.mean(pressing) == pytest.approx(carried * G, rel=0.1)  # it still rocks on its tyres
    assert payload(simulation, machine.tool) < 0.05 * carried
