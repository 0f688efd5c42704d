"""What a simulation was made of stays as it was: for the simulation, in its recordings and in its snapshots."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.scene import scene_to_json


def slope() -> wr.Scene:
    """A grain on an incline that is held by friction."""
    scene = wr.Scene()
    scene.add_material("g", density=1600.0, friction_static=0.9, friction_kinetic=0.05)
    scene.add_plane((0.5, 0, 1), 0.0, "g")
    scene.add_particles((0, 0, 0.06), radius=0.05, material="g")
    return scene


def assert_refused(change: Any, field: str) -> None:
    with pytest.raises(SceneError) as refused:
        change()
    assert str(refused.value).startswith(f"{field}: ")
    assert "wr.Simulation(scene" in str(refused.value)


def test_a_change_of_it_is_refused_and_nothing_else_says_it_was_made(tmp_path: Path) -> None:
    simulation = wr.Simulation(slope())
    for scene in (simulation.scene, simulation.assembled, simulation.model.scene):
        assert_refused(
            lambda scene=scene: setattr(scene.materials["g"], "friction_static", 0.1), "materials.g.friction_static"
        )
    assert_refused(lambda: setattr(simulation.solver, "dt", 0.1), "solver.dt")
    assert_refused(lambda: simulation.scene.obstacles.clear(), "obstacles")
    simulation.run(0.1, record=tmp_path / "run.h5")
    assert wr.Recording(tmp_path / "run.h5").scene.materials["g"].friction_static == 0.9
    again = wr.Simulation.restore(simulation.snapshot())
    assert again.scene == simulation.scene
    assert_refused(lambda: setattr(again.scene.materials["g"], "friction_static", 0.1), "materials.g.friction_static")


@pytest.mark.parametrize("name", ["scene", "assembled", "solver", "seed"])
def test_another_one_is_refused(name: str) -> None:
    simulation = wr.Simulation(slope())
    assert_refused(lambda: setattr(simulation, name, getattr(simulation, name)), name)


def test_solver_settings_that_were_given_are_copied_too() -> None:
    settings = wr.P2(iterations=7)
    simulation = wr.Simulation(slope(), solver=settings)
    settings.iterations = 9
    assert simulation.solver.iterations == 7  # type: ignore[union-attr]
    assert_refused(lambda: setattr(simulation.solver, "iterations", 9), "solver.iterations")


def test_machines_are_frozen_where_they_stand_and_nowhere_else() -> None:
    scene = wr.Scene()
    scene.add_material("ground", density=2000.0)
    scene.add_plane((0, 0, 1), 0.0, "ground")
    scene.add_machine("wheel_loader")
    simulation = wr.Simulation(scene)
    assert_refused(lambda: setattr(simulation.assembled.bodies[0], "mass", 1.0), "bodies[0].mass")
    machine = scene.placed_machines()[0]
    machine.bodies[0].mass = 1.0
    assert simulation.assembled.bodies[0].mass != 1.0


def test_the_scene_that_was_given_may_be_changed_and_nothing_follows() -> None:
    scene = slope()
    simulation, other = wr.Simulation(scene), wr.Simulation(scene)
    scene.materials["g"].friction_static = 0.06
    scene.add_plane((0, 0, -1), -9.0, "g", name="lid")
    scene.solver.dt = 0.001
    other.run(0.3)
    simulation.run(0.3)
    assert simulation.hash() == other.hash() == wr.Simulation.restore(simulation.snapshot()).hash()
    assert simulation.scene.materials["g"].friction_static == 0.9


def test_the_remedy_works() -> None:
    """A copy that is changed slides down; the one that it was copied from does not."""
    simulation = wr.Simulation(slope())
    scene = simulation.scene.copy()
    scene.materials["g"].friction_static = 0.06
    slippery = wr.Simulation(scene)
    simulation.run(0.5)
    slippery.run(0.5)
    assert slippery.particles.position[0, 0] > simulation.particles.position[0, 0] + 0.05


def test_copies_of_simulations_have_the_same_scene() -> None:
    simulation = wr.Simulation(wr.load_scene("loader_gravel"))
    again = copy.deepcopy(simulation)
    assert scene_to_json(again.scene) == scene_to_json(simulation.scene)
    assert again.hash() == simulation.hash()
    assert_refused(lambda: setattr(again.scene, "gravity", (0, 0, 0)), "gravity")
